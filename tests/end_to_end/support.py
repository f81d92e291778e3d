"""What the tests of the program share: a small corpus of number words, a recipe for it that trains
in a fraction of a second, and ways to run heed as its user does. HEED_BINARY names the program.
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest

HEED = os.environ.get("HEED_BINARY", "")
_ENGLISH = "zero one two three four five six seven eight nine".split()
_GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun".split()

_RECIPE = """\
output: run
data:
  train: [{source: train.en, target: train.de}]
  valid: {source: valid.en, target: valid.de}
vocabulary: {size: 44, byte_fallback: false}
model: {encoder_layers: 1, decoder_layers: 1, model_width: 16, feed_forward_width: 32, heads: 2}
training:
  batch_tokens: 300
  threads: 1
  schedule: {peak_rate: 0.003, warmup_updates: 5}
  stop: {updates: 20}
  log_every: 5
  average: {decay: 0.9}
  checkpoints: {every: 7, keep_last: 2}
validation: {every: 10, metrics: [nll, bleu], beam: 1}
decoding: {beam: 2, max_length: {ratio: 1, extra: 3}}
evaluation:
  test_sets: [{name: test, source: test.en, references: [test.de]}]
"""


def pairs(count, seed):
    """`count` pairs of one to five number words."""
    draw = random.Random(seed)
    numbers = [[draw.randrange(10) for _ in range(draw.randint(1, 5))] for _ in range(count)]
    return ([" ".join(_ENGLISH[digit] for digit in number).encode() for number in numbers],
            [" ".join(_GERMAN[digit] for digit in number).encode() for number in numbers])


def lines(items):
    return b"".join(item + b"\n" for item in items)


@unittest.skipUnless(HEED, "HEED_BINARY does not name the program")
class Program(unittest.TestCase):
    """A test in a folder of its own, self.folder, that holds the corpora and recipe.yaml."""

    kept_run = None  # of train_once

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="heed_end_to_end_")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        for name, count, seed in (("train", 400, 1), ("valid", 30, 2), ("test", 30, 3)):
            for language, side in zip(("en", "de"), pairs(count, seed)):
                self.write(f"{name}.{language}", lines(side))
        self.write("recipe.yaml", _RECIPE.encode())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def command(self, *arguments, settings=()):
        flags = [part for setting in settings for part in ("--set", setting)]
        return [HEED, *arguments, *flags]

    def heed(self, *arguments, settings=(), text=None, timeout=120):
        """Runs heed; stdin and stdout are bytes, stderr is text."""
        done = subprocess.run(self.command(*arguments, settings=settings), input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              timeout=timeout, check=False)
        done.stderr = done.stderr.decode("utf-8", "replace")
        return done

    def train(self, *settings, verb="train"):
        return self.heed(verb, "recipe.yaml", settings=settings)

    def train_once(self, *settings):
        """Leaves a trained run, the same for all tests of a class, which should not train in it."""
        kept = type(self).kept_run
        if kept is None:
            holder = tempfile.TemporaryDirectory(prefix="heed_end_to_end_")
            self.addClassCleanup(holder.cleanup)
            self.assert_works(self.train(*settings))
            type(self).kept_run = shutil.copytree(self.path("run"), os.path.join(holder.name, "run"),
                                                  symlinks=True)
        else:
            shutil.copytree(kept, self.path("run"), symlinks=True)

    def assert_works(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_user_error(self, done, *texts):
        """Exit status 2 and one message that holds every text, without a trace of the inside."""
        self.assertEqual(done.returncode, 2, done.stderr)
        message = done.stderr[done.stderr.rindex("heed: error: "):]
        for text in texts:
            self.assertIn(text, message)
        self.assertNotIn("internal", message)
        self.assertNotIn(".cc:", message)

    def metrics(self, run="run"):
        return [json.loads(line) for line in self.read(run, "metrics.jsonl").splitlines()]
