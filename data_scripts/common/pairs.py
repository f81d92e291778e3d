"""Sentence pairs and the rules that keep a corpus clean.  Every rule counts what it drops."""

import collections
import dataclasses
import re
import statistics

from .text import comparable_words, word_count

_ADDRESS = re.compile(r"\S+://\S+|www\.\S+|\S+@\S+\.\S+|(?<!\w)[~/][\w.~-]*/\S+")
_BROKEN_ENCODING = re.compile("\ufffd|\u00c3[\u0080-\u00bf]|\u00e2\u0080")
# Words that no language but English uses often, and English in nearly every sentence.
_ENGLISH = frozenset("the and with this which from that are".split())
_RATIO_OFFSET = 15  # characters; short pairs may differ more


@dataclasses.dataclass
class Pair:
    """One line of a parallel corpus, and the documents in which it occurs."""

    source: str
    target: str
    documents: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Limits:
    max_words: int = 0  # on either side; 0: no limit
    max_ratio: float = 2.0  # of lengths in characters, relative to the corpus' median ratio
    min_letters: float = 0.3  # outside addresses, as a share of all that is not a space


def clean(pairs, languages, limits, steps):
    """Applies the rules in order and returns what is left.

    pairs      list of Pair, normalised
    languages  (source, target) codes
    steps      report.Steps that gets a row for each rule
    """
    median = _median_ratio(pairs)
    rules = [
        ("one side is empty", lambda p: not p.source or not p.target),
        ("characters damaged by a wrong encoding",
         lambda p: _BROKEN_ENCODING.search(p.source) or _BROKEN_ENCODING.search(p.target)),
        ("addresses, paths or numbers rather than words",
         lambda p: min(_letters(p.source), _letters(p.target)) < limits.min_letters),
        ("not translated: both sides have the same words",
         lambda p: comparable_words(p.source) == comparable_words(p.target)),
        ("a side that is not English holds English sentences",
         lambda p: any(_is_english(text) for text, language in
                       zip((p.source, p.target), languages) if language != "en")),
        (f"lengths differ more than {limits.max_ratio:g}-fold",
         lambda p: not 1 / limits.max_ratio <= _ratio(p) / median <= limits.max_ratio),
    ]
    if limits.max_words:
        rules.append((f"longer than {limits.max_words} words",
                      lambda p: max(word_count(p.source), word_count(p.target))
                      > limits.max_words))
    for name, is_bad in rules:
        kept = [pair for pair in pairs if not is_bad(pair)]
        steps.drop(name, len(pairs) - len(kept))
        pairs = kept
    return pairs


def merge_duplicates(pairs, steps):
    """Keeps one of each pair and one translation of each source: the most frequent, then the first.

    The kept pair carries the documents of all that it stands for.
    """
    by_source = collections.defaultdict(dict)
    for pair in pairs:
        by_source[pair.source].setdefault(pair.target, []).append(pair)
    kept, different = [], 0
    for translations in by_source.values():
        best = max(translations.values(), key=len)  # max() takes the first of equals
        documents = set().union(*(p.documents for same in translations.values() for p in same))
        kept.append(Pair(best[0].source, best[0].target, documents))
        different += len(translations) - 1
    steps.drop("the same pair again", len(pairs) - len(kept) - different)
    steps.drop("the same source with a rarer translation", different)
    return kept


def _letters(text):
    """The share of letters outside addresses and paths among the characters that are not spaces."""
    words = _ADDRESS.sub(" ", text)
    return sum(c.isalpha() for c in words) / max(1, len(text) - text.count(" "))


def _is_english(text):
    words = comparable_words(text)
    return sum(word in _ENGLISH for word in words) >= max(2, 0.15 * len(words))


def _ratio(pair):
    return (len(pair.target) + _RATIO_OFFSET) / (len(pair.source) + _RATIO_OFFSET)


def _median_ratio(pairs):
    return statistics.median(_ratio(pair) for pair in pairs) if pairs else 1.0
