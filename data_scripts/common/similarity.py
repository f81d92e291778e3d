"""Finds similar texts exactly, without comparing each with each.

Similarity of two texts is the Jaccard index of their sets of word n-grams: the size of the
intersection over the size of the union.  With n-grams of one to three words, a changed word costs
a short text more than a long one: "development files for libfoo" and "... for libbar" have 0.50,
the same change in the middle of a ten-word sentence leaves 0.64.

The search is the prefix filter of Bayardo, Ma and Srikant 2007 (section 3): when two sets have
similarity >= t, their rarest elements meet, so only those need an index.
"""

import collections
import math

from .text import comparable_words

_BITS = 24  # of a word's number within the number of an n-gram


def ngrams(words, shortest=1, longest=3):
    """The different n-grams of a list of word numbers (each from 1 to 2^24 - 1), as numbers."""
    grams, current = [], list(words)
    for n in range(1, longest + 1):
        if n >= shortest:
            grams += current
        current = [(gram << _BITS) | word for gram, word in zip(current, words[n:])]
    return dict.fromkeys(grams)


def text_similarity(a, b):
    """Similarity of two texts as described above; two empty texts have nothing in common."""
    sets = NgramSets([a, b])
    shared = len(sets.rows[0])  # what both have is all that is kept of either
    return shared / (sum(sets.sizes) - shared) if shared else 0.0


class NgramSets:
    """The n-gram sets of many texts.

    rows   for each text its n-grams that also occur in another text, as numbers from rare to
           frequent; the others could not match anything
    sizes  for each text the number of all its n-grams
    """

    def __init__(self, texts, shortest=1, longest=3):
        numbers = {}
        grams = []
        for text in texts:
            words = [numbers.setdefault(w, len(numbers) + 1) for w in comparable_words(text)]
            grams.append(ngrams(words, shortest, longest))
        frequency = collections.Counter()
        for row in grams:
            frequency.update(row.keys())
        shared = sorted((g for g, count in frequency.items() if count > 1), key=frequency.get)
        rank = {gram: position for position, gram in enumerate(shared)}
        self.rows = [sorted(rank[g] for g in row if g in rank) for row in grams]
        self.sizes = [len(row) for row in grams]

    def __len__(self):
        return len(self.rows)


def similar_pairs(sets, threshold):
    """Yields (i, j, similarity) with i < j for all pairs of texts with similarity >= threshold."""
    search = _Search(sets, threshold)
    for i in sorted(range(len(sets)), key=lambda i: (sets.sizes[i], i)):
        for j, similarity in search.matches(i):
            yield min(i, j), max(i, j), similarity
        search.add(i)


def best_matches(sets, threshold, queries, others):
    """For each query the highest similarity with any of `others`; 0.0 where it is < threshold."""
    search = _Search(sets, threshold)
    best = dict.fromkeys(queries, 0.0)
    for i in best:
        search.add(i)
    for j in others:
        for i, similarity in search.matches(j):
            best[i] = max(best[i], similarity)
    return list(best.values())


class _Search:
    """An index of the rarest elements of sets."""

    def __init__(self, sets, threshold):
        self._rows, self._sizes = sets.rows, sets.sizes
        self._threshold = threshold
        self._index = collections.defaultdict(list)
        self._sets = {}  # of the indexed rows

    def add(self, i):
        self._sets[i] = frozenset(self._rows[i])
        for gram in self._prefix(i):
            self._index[gram].append(i)

    def matches(self, i):
        """The indexed sets with at least the threshold's similarity to set i."""
        size, threshold = self._sizes[i], self._threshold
        index = self._index
        candidates = set().union(*[index[gram] for gram in self._prefix(i) if gram in index])
        if not candidates:
            return []
        mine = set(self._rows[i])
        lowest, highest = threshold * size, size / threshold
        found = []
        for j in candidates:
            other = self._sizes[j]
            if lowest <= other <= highest:
                shared = len(mine & self._sets[j])
                similarity = shared / (size + other - shared)
                if similarity >= threshold:
                    found.append((j, similarity))
        return sorted(found)

    def _prefix(self, i):
        """As many of its rarest elements as must meet those of every similar set.

        The elements that only this text has are the rarest of all, so they count, but need no
        place in the index.
        """
        size, row = self._sizes[i], self._rows[i]
        length = size - math.ceil(self._threshold * size - 1e-9) + 1
        return row[:max(0, length - (size - len(row)))]
