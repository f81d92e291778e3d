"""common/pairs.py and common/holdout.py."""

import contextlib
import io
import random
import unittest

import support
from common import holdout, pairs, report
from common.pairs import Pair
from test_similarity import plain_similarity


def clean(*texts, languages=("en", "de"), **limits):
    """Runs the rules on (source, target) tuples; returns the kept ones and the counts."""
    steps = report.Steps()
    # Good pairs around them, so that the median ratio of lengths is 1.
    padding = [Pair(f"good words number {i}", f"gute Wörter Nummer {i}") for i in range(9)]
    with contextlib.redirect_stdout(io.StringIO()):
        kept = pairs.clean([Pair(*t) for t in texts] + padding, languages,
                           pairs.Limits(**limits), steps)
    return ([(p.source, p.target) for p in kept[:-9]],
            {text: number for text, number, _ in steps.rows if number})


class Rules(unittest.TestCase):
    def test_good_pairs_stay(self):
        good = [("a game", "ein Spiel"), ("GTK+ library", "GTK+-Bibliothek"),
                ("See /usr/share/doc/x for more.", "Mehr steht in /usr/share/doc/x."),
                ("C++ API (interface)", "C++-API (Schnittstelle)")]
        self.assertEqual(clean(*good), (good, {}))

    def test_each_rule_drops_and_counts_its_kind(self):
        cases = {
            "one side is empty": ("text", ""),
            "characters damaged by a wrong encoding":
                ("size of it", "die Gr\u00c3\u00b6\u00dfe davon"),
            "addresses, paths or numbers rather than words":
                ("https://example.org/a/b x", "https://example.org/a/b y"),
            "not translated: both sides have the same words":
                ("Noto Sans Khmer", "Noto sans, Khmer"),
            "a side that is not English holds English sentences":
                ("These are the tools that are used", "the tools, that are used with it"),
            "lengths differ more than 2-fold":
                ("a", "ein sehr langer Satz, der so nicht da steht"),
            "longer than 5 words":
                ("one two three four five six", "eins zwei drei vier fünf sechs"),
        }
        for name, case in cases.items():
            self.assertEqual(clean(case, max_words=5), ([], {name: 1}), name)

    def test_english_on_the_english_side_is_fine_in_both_directions(self):
        english, german = "the tools that are used with it", "die damit benutzten Werkzeuge"
        self.assertEqual(len(clean((english, german))[0]), 1)
        self.assertEqual(len(clean((german, english), languages=("de", "en"))[0]), 1)

    def test_length_ratio_is_relative_to_the_languages(self):
        steps = report.Steps()
        corpus = [Pair("a sentence of the usual length in English " + "x" * i, "短句子")
                  for i in range(9)]
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(len(pairs.clean(corpus, ("en", "zh_CN"), pairs.Limits(), steps)), 9)


class Duplicates(unittest.TestCase):
    def test_most_frequent_translation_wins_then_the_first(self):
        corpus = [Pair("a", "x", {1}), Pair("a", "y", {2}), Pair("a", "y", {3}),
                  Pair("b", "u", {4}), Pair("b", "v", {5})]
        steps = report.Steps()
        with contextlib.redirect_stdout(io.StringIO()):
            kept = pairs.merge_duplicates(corpus, steps)
        self.assertEqual([(p.source, p.target, p.documents) for p in kept],
                         [("a", "y", {1, 2, 3}), ("b", "u", {4, 5})])
        self.assertEqual([number for _, number, _ in steps.rows], [1, 2])


def corpus_of_variations(seed, documents=300):
    """Documents of one to four sentences; a third vary an earlier one; some share boilerplate."""
    rng = random.Random(seed)

    def sentence():
        return " ".join(support.word(rng.randrange(400)) for _ in range(rng.randint(4, 9)))

    texts, clusters = [], holdout.Clusters(documents)
    for i in range(documents):
        if i and rng.random() < 0.33:
            j = rng.randrange(i)
            texts.append([s + " version " + support.word(i) for s in texts[j]])
            clusters.join(i, j)
        else:
            texts.append([sentence() for _ in range(rng.randint(1, 4))])
            if rng.random() < 0.3:
                texts[-1].append("this package contains files for "
                                 + support.word(rng.randrange(400)))
    units = {}
    for i, sentences in enumerate(texts):
        for s in sentences:
            units.setdefault(s, Pair(s, s.replace("w", "v"), set())).documents.add(i)
    return list(units.values()), clusters


class HoldOut(unittest.TestCase):
    def draw(self, seed=1, threshold=0.5, sizes=None):
        units, clusters = corpus_of_variations(3)
        splitter = holdout.Splitter(units, clusters, threshold, seed)
        drawn, dropped = splitter.draw(sizes or {"valid": 40, "test": 60})
        return units, clusters, drawn, dropped

    def test_sizes_are_met_and_every_pair_is_used_once_or_dropped(self):
        units, _, drawn, dropped = self.draw()
        self.assertEqual((len(drawn["valid"]), len(drawn["test"])), (40, 60))
        used = drawn["train"] + drawn["valid"] + drawn["test"]
        self.assertEqual(len(used), len(set(used)))
        self.assertEqual(len(used) + dropped, len(units))

    def test_no_cluster_is_on_two_sides(self):
        units, clusters, drawn, _ = self.draw()
        homes = {name: [{clusters.find(d) for d in units[i].documents} for i in members]
                 for name, members in drawn.items()}
        valid, test = set().union(*homes["valid"]), set().union(*homes["test"])
        self.assertEqual(valid & test, set())
        for home in homes["train"]:  # boilerplate may occur on several sides; train needs a reason
            self.assertTrue(home - valid - test)

    def test_no_held_out_sentence_is_near_another_sentence(self):
        units, _, drawn, _ = self.draw()
        held_out = drawn["valid"] + drawn["test"]
        for i in held_out:
            for j in drawn["train"] + held_out:
                if i != j:
                    self.assertLess(plain_similarity(units[i].source, units[j].source), 0.5)

    def test_boilerplate_is_never_held_out(self):
        units, _, drawn, _ = self.draw()
        shared = {i for i, unit in enumerate(units) if "this package contains" in unit.source}
        self.assertTrue(shared)
        self.assertEqual(shared & set(drawn["valid"] + drawn["test"]), set())

    def test_the_seed_decides(self):
        self.assertEqual(self.draw(seed=1)[2], self.draw(seed=1)[2])
        self.assertNotEqual(self.draw(seed=1)[2]["test"], self.draw(seed=2)[2]["test"])

    def test_more_than_there_is_gives_fewer(self):
        _, _, drawn, _ = self.draw(sizes={"valid": 40, "test": 100_000})
        self.assertLess(len(drawn["test"]), 1000)

    def test_nothing_held_out(self):
        units, _, drawn, dropped = self.draw(sizes={"valid": 0, "test": 0})
        self.assertEqual((len(drawn["train"]), dropped), (len(units), 0))

    def test_overlap_measures_the_nearest_training_sentence(self):
        train = ["development files for libfoo", "something else entirely"]
        held_out = ["development files for libbar", "unknown", "something else entirely"]
        values = holdout.overlap(held_out, train)
        self.assertEqual(values, [0.5, 0.0, 1.0])
        self.assertEqual([(low, count) for low, count in holdout.histogram(values) if count],
                         [(0.0, 1), (0.5, 1), (1.0, 1)])

    def test_clusters_are_named_by_their_smallest_member(self):
        clusters = holdout.Clusters(6)
        clusters.join_all([5, 3, 4])
        clusters.join(4, 1)
        self.assertEqual([clusters.find(i) for i in range(6)], [0, 1, 2, 1, 1, 1])
        self.assertEqual(clusters.sizes(), {0: 1, 1: 4, 2: 1})


if __name__ == "__main__":
    unittest.main()
