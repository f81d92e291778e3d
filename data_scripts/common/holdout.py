"""Splits a corpus of short documents into train, valid and test without leaks.

1. Documents that resemble each other form clusters (class Clusters); a cluster is on one side.
2. A sentence pair is fit to be held out when all documents in which it occurs, and all documents
   of every pair that resembles it on either side, are in its own cluster.
3. Clusters are drawn in an order that depends on the seed only.  Of a drawn cluster one fit pair of
   each group of similar ones goes to the held-out set, the others are dropped.  What is in train
   occurs in a document of a cluster that was not drawn.
4. `overlap` measures afterwards, on the finished texts, how near each held-out sentence comes to
   any sentence of the training set.
"""

import collections
import hashlib

from .similarity import NgramSets, best_matches, similar_pairs
from .text import word_count

BUCKETS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Clusters:
    """Disjoint sets of numbered documents (union-find)."""

    def __init__(self, size):
        self._parent = list(range(size))

    def find(self, i):
        """The representative of i's cluster: its smallest member."""
        while self._parent[i] != i:
            self._parent[i] = self._parent[self._parent[i]]
            i = self._parent[i]
        return i

    def join(self, i, j):
        low, high = sorted((self.find(i), self.find(j)))
        self._parent[high] = low

    def join_all(self, members):
        members = list(members)
        for other in members[1:]:
            self.join(members[0], other)

    def sizes(self):
        """Members of each cluster by representative."""
        return collections.Counter(self.find(i) for i in range(len(self._parent)))


def neighbours(pairs, threshold):
    """For each pair the pairs that resemble it on the source or on the target side."""
    near = [set() for _ in pairs]
    for side in ("source", "target"):
        sets = NgramSets([getattr(pair, side) for pair in pairs])
        for i, j, _ in similar_pairs(sets, threshold):
            near[i].add(j)
            near[j].add(i)
    return near


class Splitter:
    """Draws held-out sets from pairs whose documents have been clustered."""

    def __init__(self, pairs, clusters, threshold, seed, min_words=3, max_cluster_share=0.002):
        self._pairs = pairs
        self._near = neighbours(pairs, threshold)
        self._homes = [frozenset(clusters.find(d) for d in pair.documents) for pair in pairs]
        self._members = collections.defaultdict(list)  # cluster -> pairs that occur only there
        for i, home in enumerate(self._homes):
            if len(home) == 1:
                self._members[next(iter(home))].append(i)
        self._min_words = min_words
        self._max_cluster = max(10, int(max_cluster_share * len(pairs)))
        self._seed = seed

    def draw(self, sizes):
        """Maps each name of `sizes` to that many pair indices, and "train" to the others.

        Returns the mapping and the number of pairs that were dropped with the drawn clusters.
        """
        order = sorted(self._members, key=lambda c: hashlib.sha256(
            f"{self._seed}/{self._pairs[self._members[c][0]].source}".encode()).digest())
        result = {name: [] for name in sizes}
        drawn = set()
        for cluster in order:
            name = min(sizes, key=lambda n: len(result[n]) / sizes[n] if sizes[n] else 1.0)
            room = sizes[name] - len(result[name])
            if room <= 0:
                break
            chosen = self._choose(cluster)[:room]
            if chosen:
                result[name] += chosen
                drawn.add(cluster)
        held_out = sum(len(members) for members in result.values())
        result["train"] = [i for i, home in enumerate(self._homes) if not home <= drawn]
        return result, len(self._pairs) - len(result["train"]) - held_out

    def _choose(self, cluster):
        """The fit pairs of a cluster, one of each group of similar ones."""
        members = self._members[cluster]
        if len(members) > self._max_cluster:
            return []
        chosen, refused = [], set()
        for i in members:
            if i not in refused and self._is_fit(i):
                chosen.append(i)
                refused |= self._near[i]
        return chosen

    def _is_fit(self, i):
        return (word_count(self._pairs[i].source) >= self._min_words
                and all(self._homes[j] == self._homes[i] for j in self._near[i]))


def overlap(held_out, train, floor=BUCKETS[1]):
    """For each held-out text its highest similarity with any training text (0 below `floor`)."""
    sets = NgramSets(list(held_out) + list(train))
    count = len(held_out)
    return best_matches(sets, floor, range(count), range(count, len(sets)))


def histogram(similarities):
    """How many values fall between one of BUCKETS and the next; 1.0 has a row of its own."""
    counts = collections.Counter(max(b for b in BUCKETS if b <= s) for s in similarities)
    return [(low, counts[low]) for low in BUCKETS]
