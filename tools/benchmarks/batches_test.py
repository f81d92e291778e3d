#!/usr/bin/env python3
"""Tests of batches.py; needs nothing but Python."""

import json
import os
import statistics
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batches


class Synthetic(unittest.TestCase):
    def test_fills_but_never_exceeds_the_budget(self):
        for batch in batches.synthetic(2048, 10):
            tokens = batches.count_tokens(batch["target"])
            self.assertLessEqual(tokens, 2048)
            self.assertGreater(tokens, 2048 - batches.MAX_LENGTH)
            self.assertEqual(len(batch["source"]), len(batch["target"]))

    def test_is_the_same_each_time_and_depends_on_the_seed(self):
        self.assertEqual(batches.synthetic(512, 3), batches.synthetic(512, 3))
        self.assertNotEqual(batches.synthetic(512, 3), batches.synthetic(512, 3, seed=2))

    def test_has_the_lengths_of_multi30k(self):
        every = batches.synthetic(2048, 50)
        lengths = {side: [len(s) for batch in every for s in batch[side]]
                   for side in ("source", "target")}
        self.assertAlmostEqual(statistics.mean(lengths["source"]), 15.7, delta=0.5)
        self.assertAlmostEqual(statistics.mean(lengths["target"]), 16.2, delta=0.5)

    def test_sentences_end_with_the_end_mark_and_stay_in_the_vocabulary(self):
        sentences = [s for batch in batches.synthetic(1024, 5) for side in batch.values()
                     for s in side]
        for sentence in sentences:
            self.assertEqual(sentence[-1], batches.END)
            self.assertTrue(all(batches.FIRST_WORD <= i < batches.VOCABULARY
                                for i in sentence[:-1]))

    def test_little_padding(self):
        padded = sum(len(b["target"]) * max(map(len, b["target"]))
                     for b in batches.synthetic(2048, 10))
        self.assertLess(padded, 1.05 * 2048 * 10)


class Files(unittest.TestCase):
    def load_text(self, text, vocabulary=batches.VOCABULARY):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dump.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return batches.load([path], vocabulary)

    def test_what_is_saved_is_loaded(self):
        written = batches.synthetic(256, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dump.jsonl")
            batches.save(path, written)
            self.assertEqual(batches.load([path], batches.VOCABULARY), written)

    def test_bad_batches_are_named(self):
        good = {"source": [[3, 2]], "target": [[4, 2]]}
        for bad, fault in (({"source": [[3, 2]], "target": []}, "1 sources, 0 targets"),
                           ({"source": [[]], "target": [[2]]}, "empty"),
                           ({"source": [], "target": []}, "empty"),
                           ({"source": [[3, 2]], "target": [[9, 2]]}, "id 9")):
            with self.assertRaisesRegex(SystemExit, f"dump.jsonl:2: .*{fault}"):
                self.load_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", vocabulary=9)
        with self.assertRaisesRegex(SystemExit, "no batches"):
            self.load_text("")


if __name__ == "__main__":
    unittest.main()
