"""Token batches that both trainers read: JSON lines {"source": [[ids]...], "target": [[ids]...]}.

One line is one batch and one update. A source holds its ids as the encoder sees them; a target
holds its labels, `</s>` included: the target tokens of a batch are the sum of their lengths. The
decoder's input is the target shifted right by one; what comes first is the model's affair.
"""

import functools
import json
import math

VOCABULARY = 8000
END = 2  # SentencePiece's default id of </s>
FIRST_WORD = 3

# Multi30k English-German, 29,000 training pairs, joint unigram vocabulary of 8,000, `</s>` counted:
# mean and standard deviation of the log lengths, and their correlation.
PAIRS = 29000
SOURCE_LOG_MEAN, SOURCE_LOG_SD = 2.707, 0.299
TARGET_LOG_MEAN, TARGET_LOG_SD = 2.730, 0.335
LOG_CORRELATION = 0.837
MIN_LENGTH, MAX_LENGTH = 3, 56


class _Random:
    """splitmix64 (Steele et al. 2014): the same numbers everywhere, in any language."""

    def __init__(self, seed):
        self._state = seed

    def uniform(self):
        self._state = (self._state + 0x9E3779B97F4A7C15) % 2**64
        z = self._state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return ((z ^ (z >> 31)) >> 11) / 2**53

    def normal(self):
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())


def _lengths(random):
    """(target, source) lengths of one pair: correlated log-normal numbers."""
    shared, own = random.normal(), random.normal()
    other = LOG_CORRELATION * shared + math.sqrt(1 - LOG_CORRELATION**2) * own
    logs = TARGET_LOG_MEAN + TARGET_LOG_SD * shared, SOURCE_LOG_MEAN + SOURCE_LOG_SD * other
    return tuple(max(MIN_LENGTH, min(MAX_LENGTH, round(math.exp(x)))) for x in logs)


@functools.lru_cache
def _epoch(seed):
    """The (target, source) lengths of all pairs, sorted."""
    random = _Random(seed)
    return sorted(_lengths(random) for _ in range(PAIRS))


def _sentence(random, length):
    """Ids with about the frequencies of words (Zipf), then `</s>`."""
    words = VOCABULARY - FIRST_WORD
    ids = [FIRST_WORD + min(words - 1, int(words**random.uniform()) - 1) for _ in range(length - 1)]
    return ids + [END]


def synthetic(target_tokens, count, seed=1):
    """`count` batches of at most `target_tokens`, drawn evenly from an epoch sorted by length."""
    epoch, room = [[]], target_tokens
    for pair in _epoch(seed):
        if pair[0] > room:
            epoch.append([])
            room = target_tokens
        epoch[-1].append(pair)
        room -= pair[0]
    epoch.pop()  # the last one is seldom full
    # Steps of the golden ratio: every prefix of the list covers short and long sentences alike.
    chosen = [epoch[int(len(epoch) * ((i + 0.5) * 0.6180339887498949 % 1))] for i in range(count)]
    random = _Random(seed + 2**32)
    return [{"source": [_sentence(random, source) for _, source in batch],
             "target": [_sentence(random, target) for target, _ in batch]} for batch in chosen]


def load(paths, vocabulary):
    """The batches of the files, in order; stops at the first that no model could train on."""
    batches = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                batch = json.loads(line)
                where = f"{path}:{number}"
                if len(batch["source"]) != len(batch["target"]):
                    raise SystemExit(f"{where}: {len(batch['source'])} sources, "
                                     f"{len(batch['target'])} targets; write one target per source")
                if not batch["source"] or not all(batch["source"]) or not all(batch["target"]):
                    raise SystemExit(f"{where}: empty batch or sentence; leave it out")
                highest = max(max(ids) for side in ("source", "target") for ids in batch[side])
                if highest >= vocabulary:
                    raise SystemExit(f"{where}: id {highest}, but the vocabulary has {vocabulary} "
                                     "pieces; give --vocabulary")
                batches.append(batch)
    if not batches:
        raise SystemExit(f"{', '.join(paths)}: no batches; dump some first")
    return batches


def save(path, batches):
    with open(path, "w", encoding="utf-8") as file:
        for batch in batches:
            file.write(json.dumps(batch, separators=(",", ":")) + "\n")


def count_tokens(sentences):
    return sum(len(sentence) for sentence in sentences)
