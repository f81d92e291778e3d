"""From raw Translation files to sentence pairs, and from descriptions to clusters."""

import collections
import re

from common.errors import UserError
from common.holdout import Clusters
from common.pairs import Pair
from common.similarity import NgramSets, similar_pairs
from common.text import comparable_words, normalise

from . import control, segments

# Two descriptions belong together when their word 3-grams have at least this Jaccard index, ...
_DESCRIPTION_SIMILARITY = 0.3
# ... or when they share a sentence of at least so many words that is not boilerplate, which means
# that at most so many descriptions have it, ...
_SHARED_WORDS, _SHARED_BY = 6, 10
# ... or when their packages have the same name but for version numbers and these affixes.
_PREFIX = re.compile(r"^(lib|python-|ruby-|golang-github-|r-cran-|php-|node-)")
_SUFFIX = re.compile(r"-(dev|doc|data|dbg|common|bin|utils?|tools?|perl|java|python|ruby|cil|el|gtk"
                     r"|qt|gui|cli|server|client|core|extra|plugins?|examples?|tests?|modules?"
                     r"|static|locales?|l10n|i18n)$")
_VERSION = re.compile(r"[0-9.]+")


def build(suites, languages, unit, steps):
    """Pairs the descriptions of all suites and splits them.

    suites     list of dicts from language to the content of its Translation file
    unit       "sentence" or "paragraph"
    returns    list of Pair, and the source descriptions that their document numbers count
    """
    source_language, target_language = languages
    paired = {}  # checksum -> (source, target) descriptions; the first suite that has both wins
    for data in suites:
        targets, _ = control.parse_translation(data[target_language], target_language)
        sources, _ = control.parse_translation(data[source_language], source_language, set(targets))
        for checksum, source in sources.items():
            paired.setdefault(checksum, (source, targets[checksum]))
    if not paired:
        raise UserError("the two Translation files have no description in common",
                        "check that they come from the same suite and are not empty")
    steps.have("descriptions with a translation", len(paired))
    units, descriptions = [], []
    unequal = collections.Counter()
    for source, target in paired.values():
        units += [Pair(normalise(s), normalise(t), {len(descriptions)})
                  for s, t in _split_alike(source.text, target.text, unit, unequal)]
        descriptions.append(source)
    steps.drop("descriptions with unequal numbers of paragraphs", unequal["paragraphs"])
    steps.drop("paragraphs with unequal numbers of list items or lines", unequal["items"])
    if unit == "sentence":
        steps.note("paragraphs kept whole, their sentences are not equally many",
                   unequal["sentences"])
    steps.have("pairs of sentences and phrases", len(units))
    return units, descriptions


def _split_alike(source, target, unit, unequal):
    """Yields the corresponding pieces of two descriptions."""
    source_blocks, target_blocks = segments.paragraphs(source), segments.paragraphs(target)
    if len(source_blocks) != len(target_blocks):
        unequal["paragraphs"] += 1
        return
    for source_lines, target_lines in zip(source_blocks, target_blocks):
        source_items, target_items = segments.items(source_lines), segments.items(target_lines)
        if len(source_items) != len(target_items):
            unequal["items"] += 1
            continue
        for pair in zip(source_items, target_items):
            if unit == "sentence":
                sentences = [segments.sentences(normalise(side)) for side in pair]
                if len(sentences[0]) == len(sentences[1]):
                    yield from zip(*sentences)
                    continue
                unequal["sentences"] += 1
            yield pair


def family(package):
    """The package's name without versions and the usual affixes: libfoo2-dev -> foo."""
    name = _VERSION.sub("", package)
    while True:
        shorter = _PREFIX.sub("", _SUFFIX.sub("", name))
        if len(shorter) < 3 or shorter == name:
            return name.strip("-")
        name = shorter


def cluster(descriptions):
    """Clusters of descriptions that are variations of each other, by the three rules above."""
    clusters = Clusters(len(descriptions))
    families = collections.defaultdict(list)
    sentences = collections.defaultdict(list)
    for i, description in enumerate(descriptions):
        families[family(description.package)].append(i)
        for words in set(_sentence_words(description.text)):
            sentences[words].append(i)
    for members in families.values():
        clusters.join_all(members)
    for members in sentences.values():
        if len(members) <= _SHARED_BY:
            clusters.join_all(members)
    sets = NgramSets([d.text for d in descriptions], shortest=3, longest=3)
    for i, j, _ in similar_pairs(sets, _DESCRIPTION_SIMILARITY):
        clusters.join(i, j)
    return clusters


def _sentence_words(text):
    for lines in segments.paragraphs(text)[1:]:
        for item in segments.items(lines):
            for sentence in segments.sentences(normalise(item)):
                words = tuple(comparable_words(sentence))
                if len(words) >= _SHARED_WORDS:
                    yield words
