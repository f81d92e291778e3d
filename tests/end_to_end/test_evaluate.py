"""heed evaluate: scores on detokenised text from 0 to 100, with signatures, and no score at all for
what was not meant to be scored.
"""

import re
import unittest

from support import Program, lines


class Evaluate(Program):
    def setUp(self):
        super().setUp()
        self.train_once("training.stop.updates=1")

    def evaluate(self, *arguments):
        return self.heed("evaluate", "recipe.yaml", *arguments)

    def test_every_score_has_its_signature_and_version(self):
        done = self.assert_works(self.evaluate("--output", "out"))
        text = done.stdout.decode()
        self.assertRegex(text, r"BLEU\|nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|"
                               r"version:\d+\.\d+\.\d+ = \d+\.\d+")
        self.assertEqual(self.read("out", "test.txt").count(b"\n"), 30)

    def test_unequal_counts_are_an_error_that_names_both(self):
        self.write("test.de", lines([b"eins"] * 29))
        self.assert_user_error(self.evaluate(), "test.en has 30 lines, test.de has 29")

    def test_markup_is_refused_with_its_line_on_either_side(self):
        plain = self.read("test.en")
        self.write("test.en", b'one\n<seg id="1">two</seg>\n' + b"one\n" * 28)
        self.assert_user_error(self.evaluate(), "test.en:2:", "markup")
        self.write("test.en", plain)
        self.write("test.de", b'<doc docid="x">\n' + b"eins\n" * 29)
        self.assert_user_error(self.evaluate(), "test.de:1:", "markup")

    def test_tokenized_text_gets_a_warning(self):
        self.write("test.en", b"one\n" * 120)
        self.write("test.de", b"eins .\n" * 120)
        done = self.assert_works(self.evaluate())
        self.assertIn("look tokenized", done.stderr)

    def test_empty_lines_count_and_do_not_crash(self):
        self.write("test.en", b"\n" * 30)
        self.write("test.de", b"\n" * 29 + b"eins zwei\n")
        done = self.assert_works(self.evaluate())
        self.assertIsNotNone(re.search(rb"BLEU\S* = 0\.00", done.stdout), done.stdout)
        self.write("test.en", b"")
        self.write("test.de", b"")
        self.assert_user_error(self.evaluate(), "empty")


if __name__ == "__main__":
    unittest.main()
