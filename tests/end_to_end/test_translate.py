"""heed translate and heed score: as many lines out as in, whatever they hold, and the same text
for any batch, beam report and number of threads.
"""

import json
import os
import unittest

from support import Program, lines, pairs

# Each is one line of input.
NASTY = [b"one two", b"", b"three\r", b"\r", b"four\rfive", b"six\0seven", b"\xef\xbb\xbfone",
         b"one\xe2\x80\xa8two\xe2\x80\xa9three", b"one\xc2\x85two", b"one\x0btwo\x0cthree",
         b"one\ttwo", b"one\xc2\xa0two", b"\xff\xfe\xc3", b"   ", b"\xf0\x9f\x98\x80", b"\t",
         b"nine " * 2000, b"one two"]


class Translate(Program):
    def setUp(self):
        super().setUp()
        self.train_once("training.stop.updates=10")

    def translate(self, text, *arguments):
        done = self.assert_works(self.heed("translate", "--model", "run", *arguments, text=text))
        return done.stdout

    def test_as_many_lines_come_out_as_go_in(self):
        for text in (lines(NASTY), b"\xef\xbb\xbf" + lines(NASTY), lines(NASTY)[:-1], b"\n",
                     b"\n\n\n", b""):
            wanted = text.count(b"\n") + (0 if text.endswith(b"\n") or not text else 1)
            for arguments in ([], ["--beam", "1"], ["--set", "batch_sentences=1"]):
                self.assertEqual(self.translate(text, *arguments).count(b"\n"), wanted)
        out = self.translate(lines(NASTY)).split(b"\n")
        for number in (1, 3, 13, 15):  # blank lines stay blank
            self.assertEqual(out[number], b"")
        self.assertEqual(out[0], out[-2])
        for text in out:
            self.assertNotIn(b"\r", text)
            text.decode("utf-8")  # well-formed

    def test_a_million_characters_in_a_line_are_cut_with_a_warning(self):
        done = self.heed("translate", "--model", "run", text=b"one\n" + b"two " * 250000 + b"\none\n")
        self.assert_works(done)
        self.assertEqual(done.stdout.count(b"\n"), 3)
        self.assertIn("line 2 has", done.stderr)

    def test_translations_that_reach_the_longest_length_are_counted(self):
        done = self.heed("translate", "--model", "run", "--set", "max_length={ratio: 0, extra: 2}",
                         text=b"one two\n\nthree\n")
        self.assert_works(done)
        self.assertIn("2 of 3 translations were ended at the longest length allowed, 0 * source "
                      "tokens + 2 (decoding.max_length)", done.stderr)

    def test_long_inputs_keep_their_order_and_number(self):
        sources = pairs(2500, 9)[0]  # more than are read at a time
        out = self.translate(lines(sources)).splitlines()
        self.assertEqual(len(out), 2500)
        known = {}
        for source, translation in zip(sources, out):
            self.assertEqual(known.setdefault(source, translation), translation)

    def test_files_in_any_format_follow_each_other(self):
        once = self.translate(self.read("test.en"))
        self.assertEqual(self.translate(None, "test.en", "test.en"), once + once)
        self.assert_user_error(self.heed("translate", "--model", "run", "nowhere.en"),
                               "nowhere.en", "No such file")
        self.assert_user_error(self.heed("translate", "--model", "run", "."), "cannot read .")

    def test_translations_do_not_depend_on_batch_threads_or_repetition(self):
        text = lines(pairs(100, 9)[0])
        wanted = self.translate(text)
        for arguments in ([], ["--batch-sentences", "1"], ["--batch-sentences", "7"],
                          ["--set", "batch_tokens=9"], ["--threads", "1"], ["--threads", "3"]):
            self.assertEqual(self.translate(text, *arguments), wanted, arguments)

    def test_the_best_of_five_is_the_one_of_one(self):
        text = lines(pairs(50, 9)[0])
        for penalty in ("length_penalty.kind=average", "length_penalty.kind=gnmt"):
            options = ["--beam", "5", "--set", penalty]
            one = self.translate(text, *options).splitlines()
            five = self.translate(text, *options, "--n-best", "5", "--format", "jsonl")
            best, scores = {}, {}
            for line in map(json.loads, five.splitlines()):
                best.setdefault(line["line"], line["translation"].encode())
                scores.setdefault(line["line"], []).append(line["score"])
            self.assertEqual([best[number] for number in range(50)], one)
            for ranked in scores.values():
                self.assertEqual(ranked, sorted(ranked, reverse=True))
                self.assertTrue(all(score > -1e9 for score in ranked))

    def test_options_that_contradict_each_other_are_errors(self):
        for arguments, text in ((["--beam", "2", "--n-best", "3"], "n_best"),
                                (["--beam", "0"], "beam"), (["--set", "beam=x"], "decoding.beam"),
                                (["--set", "baem=3"], "did you mean 'beam'")):
            done = self.heed("translate", "--model", "run", *arguments, text=b"one\n")
            self.assert_user_error(done, text)
        self.assertEqual(self.translate(b"one\n", "--beam", "500").count(b"\n"), 1)

    def test_models_that_are_none_are_named(self):
        self.assert_user_error(self.heed("translate", "--model", "nowhere", text=b"one\n"),
                               "nowhere", "does not exist")
        self.assert_user_error(self.heed("translate", "--model", ".", text=b"one\n"),
                               "holds no model")
        weights = os.path.join("run", "last", "average.safetensors")
        data = self.read(weights)
        self.write(weights, data[:-1] + bytes([data[-1] ^ 1]))
        self.assert_user_error(self.heed("translate", "--model", "run/last", text=b"one\n"),
                               "average.safetensors is damaged")

    def test_prefixes_begin_the_translations_line_by_line(self):
        self.write("prefixes", b"null\n\neins zwei\n")
        out = self.translate(b"one\ntwo\nthree\n", "--prefixes", "prefixes").splitlines()
        self.assertTrue(out[0].startswith(b"null"))
        self.assertTrue(out[2].startswith(b"eins zwei"))
        self.assert_user_error(self.heed("translate", "--model", "run", "--prefixes", "prefixes",
                                         text=b"one\n" * 4), "prefixes ends before line 4")

    def test_scores_need_as_many_lines_on_both_sides(self):
        self.write("short.de", b"eins\n")
        self.assert_user_error(self.heed("score", "--model", "run", "test.en", "short.de"),
                               "30 source lines, but 1 target lines")
        self.write("nasty.en", lines(NASTY[:15]))
        done = self.heed("score", "--model", "run", "nasty.en", "nasty.en")
        self.assertEqual(self.assert_works(done).stdout.count(b"\n"), 15)


if __name__ == "__main__":
    unittest.main()
