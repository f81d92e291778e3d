"""common/similarity.py and common/text.py."""

import random
import unittest

import support
from common import similarity, text


def plain_similarity(a, b, shortest=1, longest=3):
    """The definition, by sets of tuples: what the fast search is compared with."""
    def grams(s):
        words = text.comparable_words(s)
        return {tuple(words[i:i + n]) for n in range(shortest, longest + 1)
                for i in range(len(words) - n + 1)}
    x, y = grams(a), grams(b)
    return len(x & y) / len(x | y) if x & y else 0.0


def random_texts(seed, count):
    """Texts of 0 to 12 words from a small, uneven vocabulary, with copies and small changes."""
    rng = random.Random(seed)
    texts = []
    for _ in range(count):
        if texts and rng.random() < 0.4:
            words = rng.choice(texts).split()
            if words:
                words[rng.randrange(len(words))] = support.word(rng.randrange(40))
        else:
            words = [support.word(int(40 * rng.random() ** 2)) for _ in range(rng.randrange(13))]
        texts.append(" ".join(words))
    return texts


class Words(unittest.TestCase):
    def test_case_punctuation_and_numbers_do_not_count(self):
        self.assertEqual(text.comparable_words("Größe: libFoo2-dev, Python 3.11!"),
                         ["größe", "libfoo", "0", "dev", "python", "0", "0"])

    def test_chinese_and_japanese_characters_are_words(self):
        self.assertEqual(text.comparable_words("GTK库 ver2"), ["gtk", "库", "ver", "0"])
        self.assertEqual(text.word_count("GTK 的函数库"), 5)
        self.assertEqual(text.word_count("  one two,three "), 2)

    def test_normalise_composes_and_removes_what_cannot_be_seen(self):
        self.assertEqual(text.normalise(" a\u00a0\t b\u200b c\u00ad\ufeff\x00 u\u0308 \u2028x "),
                         "a b c ü x")


class Similarity(unittest.TestCase):
    def test_hand_computed_values(self):
        self.assertEqual(similarity.text_similarity("development files for libfoo",
                                                    "Development files for libbar."), 0.5)
        self.assertEqual(similarity.text_similarity("a b c", "a b c"), 1.0)
        self.assertEqual(similarity.text_similarity("a b c", "d e"), 0.0)
        self.assertEqual(similarity.text_similarity("", ""), 0.0)
        ten = "a b c d e f g h i j"
        self.assertAlmostEqual(similarity.text_similarity(ten, ten.replace("e", "x")), 21 / 33)

    def test_search_finds_exactly_the_pairs_of_the_definition(self):
        for seed, threshold in ((1, 0.3), (2, 0.5), (3, 0.7), (4, 1.0), (5, 0.05)):
            texts = random_texts(seed, 120)
            expected = {(i, j): plain_similarity(texts[i], texts[j])
                        for j in range(len(texts)) for i in range(j)}
            found = list(similarity.similar_pairs(similarity.NgramSets(texts), threshold))
            self.assertEqual({(i, j): s for i, j, s in found},
                             {k: s for k, s in expected.items() if s >= threshold})
            self.assertEqual(len(found), len({(i, j) for i, j, _ in found}))

    def test_search_with_trigrams_only(self):
        texts = random_texts(6, 120)
        found = similarity.similar_pairs(similarity.NgramSets(texts, 3, 3), 0.3)
        expected = {(i, j) for j in range(len(texts)) for i in range(j)
                    if plain_similarity(texts[i], texts[j], 3, 3) >= 0.3}
        self.assertEqual({(i, j) for i, j, _ in found}, expected)

    def test_best_matches_are_the_maxima_of_the_definition(self):
        texts = random_texts(7, 150)
        best = similarity.best_matches(similarity.NgramSets(texts), 0.2, range(40),
                                       range(40, len(texts)))
        for i, value in enumerate(best):
            highest = max(plain_similarity(texts[i], other) for other in texts[40:])
            self.assertEqual(value, highest if highest >= 0.2 else 0.0)

    def test_nothing_to_search(self):
        empty = similarity.NgramSets([])
        self.assertEqual(list(similarity.similar_pairs(empty, 0.5)), [])
        self.assertEqual(similarity.best_matches(similarity.NgramSets(["a"]), 0.5, [0], []), [0.0])


if __name__ == "__main__":
    unittest.main()
