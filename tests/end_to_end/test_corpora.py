"""Corpora as users have them: each fault is named with its place, or counted; none is silent."""

import gzip
import lzma
import os
import unittest

from support import Program, lines, pairs

ENGLISH, GERMAN = pairs(400, 1)


def with_line(number, content):
    """The English side with line `number` (from 1) replaced."""
    return lines(ENGLISH[:number - 1] + [content] + ENGLISH[number:])


class Corpora(Program):
    def prepare(self, english, german=None, *settings):
        self.write("train.en", english)
        self.write("train.de", lines(GERMAN) if german is None else german)
        return self.train(*settings, verb="prepare")

    def row(self, done):
        """The corpus's row of the report, by the words of the table's head."""
        table = done.stderr.splitlines()
        head = next(i for i, line in enumerate(table) if line.startswith("corpus "))
        columns = [word.strip() for word in table[head].split("  ") if word.strip()]
        return dict(zip(columns, table[head + 1].split()))

    def test_line_ends_of_windows_and_a_byte_order_mark_change_nothing(self):
        plain = self.row(self.assert_works(self.prepare(lines(ENGLISH))))
        shard = self.read("run", "data", "train.0.shard")
        windows = b"\xef\xbb\xbf" + lines(ENGLISH).replace(b"\n", b"\r\n")
        row = self.row(self.assert_works(self.prepare(windows)))
        self.assertEqual(row, plain)
        self.assertEqual(len(self.read("run", "data", "train.0.shard")), len(shard))

    def test_only_line_feeds_end_lines(self):
        english = list(ENGLISH)
        for number, byte in enumerate((b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xc2\x85", b"\x0b",
                                       b"\x0c", b"\r", b"\0", b"\x1c", b"\xc2\xa0", b"\t")):
            english[number] = b"one" + byte + b"two"
        done = self.assert_works(self.prepare(lines(english)))
        self.assertEqual(self.row(done)["read"], "400")
        self.assertEqual(self.row(done)["kept"], "400")
        self.assertIn("train.en: 5 pairs hold control characters, which count as spaces",
                      done.stderr)

    def test_an_empty_line_drops_its_pair_only(self):
        row = self.row(self.assert_works(self.prepare(with_line(7, b""))))
        self.assertEqual((row["read"], row["kept"], row["empty"]), ("400", "399", "1"))
        self.assert_user_error(
            self.prepare(with_line(7, b" \xc2\xa0 "), None, "data.filters.empty_lines=error"),
            "train.en:7: an empty line")

    def test_bad_utf8_is_dropped_replaced_or_an_error_with_its_byte(self):
        bad = with_line(7, b"one\xfftwo")
        row = self.row(self.assert_works(self.prepare(bad)))
        self.assertEqual((row["kept"], row["bad UTF-8"]), ("399", "1"))
        done = self.assert_works(self.prepare(bad, None, "data.filters.bad_utf8=replace"))
        self.assertIn("train.en: 1 pairs had ill-formed UTF-8", done.stderr)
        self.assert_user_error(self.prepare(bad, None, "data.filters.bad_utf8=error"),
                               "train.en:7:4: not UTF-8")

    def test_unequal_counts_name_both_files_and_the_first_suspicious_line(self):
        self.assert_user_error(self.prepare(lines(ENGLISH[:99] + ENGLISH[100:])),
                               "train.en has 399 lines and train.de has 400",
                               "the first suspicious line is train.de:100")
        self.assert_user_error(self.prepare(lines(ENGLISH[:350])), "train.en seems to be cut off")
        self.assert_user_error(self.prepare(b""), "train.en has 0 lines and train.de has 400")

    def test_compressed_files_are_known_by_their_content_and_damage_is_found(self):
        packed = gzip.compress(lines(ENGLISH))
        self.assertEqual(self.row(self.assert_works(self.prepare(packed)))["kept"], "400")
        self.assert_user_error(self.prepare(packed[:-30]), "train.en:", "gzip data end too early")
        self.assert_user_error(self.prepare(packed[:300] + b"\x55" * 9 + packed[309:]),
                               "train.en:", "damaged gzip data")
        self.assert_user_error(self.prepare(lzma.compress(lines(ENGLISH))), "an xz file")
        self.assert_user_error(self.prepare("one".encode("utf-16")), "UTF-16 text", "iconv")

    def test_what_is_not_a_file_is_named(self):
        os.remove(self.path("train.en"))
        self.assert_user_error(self.train(), "no such file: train.en")
        os.mkdir(self.path("train.en"))
        self.assert_user_error(self.train(), "train.en", "folder")
        os.rmdir(self.path("train.en"))
        os.mkfifo(self.path("train.en"))
        self.assert_user_error(self.train(), "train.en", "pipe")
        os.remove(self.path("train.en"))
        os.symlink("train.en", self.path("train.en"))
        self.assert_user_error(self.train(), "train.en", "symbolic links")
        os.remove(self.path("train.en"))
        self.write("train.en", lines(ENGLISH))
        self.assert_user_error(self.train("data.valid.source=" + "a" * 5000), "name too long")

    def test_rules_that_leave_nothing_are_named_with_their_counts(self):
        self.assert_user_error(self.prepare(b"", b""), "none of 0 pairs is left")
        self.assert_user_error(self.prepare(b"\n" * 400), "dropped 400 by the rule 'empty'")
        self.assert_user_error(self.prepare(lines([b"one " * 2000] * 400)),
                               "dropped 400 by the rule 'too many characters'")

    def test_a_long_line_is_dropped_and_counted(self):
        row = self.row(self.assert_works(self.prepare(with_line(7, b"one two " * (1 << 17)))))
        self.assertEqual((row["kept"], row["too many characters"]), ("399", "1"))

    def test_columns_that_are_missing_are_counted_and_many_stop(self):
        table = [a + b"\t" + b for a, b in zip(ENGLISH, GERMAN)]
        tsv = "data.train=[{tsv: train.tsv}]"
        self.write("train.tsv", lines(table[:5] + [b"one"] + table[6:]))
        row = self.row(self.assert_works(self.train(tsv, verb="prepare")))
        self.assertEqual((row["kept"], row["missing column"]), ("399", "1"))
        self.write("train.tsv", lines(table[:5] + [b"one"] * 20 + table[25:]))
        self.assert_user_error(self.train(tsv, verb="prepare"), "train.tsv:6: 20 of 400 lines lack")
        self.write("train.tsv", lines(ENGLISH))
        self.assert_user_error(self.train(tsv, verb="prepare"),
                               "dropped 400 by the rule 'missing column'")

    def test_vocabulary_sizes_that_do_not_suit_the_text_name_one_that_does(self):
        self.assert_user_error(self.train("vocabulary.size=4000", verb="prepare"),
                               "a vocabulary of 4000 pieces is too large", "set vocabulary.size to")
        self.assert_user_error(self.train("vocabulary.size=8", verb="prepare"), "too small")

    def test_vocabulary_files_that_are_none_are_named(self):
        self.assert_user_error(self.train("vocabulary.model=train.en"), "train.en")
        self.assert_user_error(self.train("vocabulary.model=nowhere"), "nowhere")
        self.assert_user_error(self.train("vocabulary.model=."), "cannot read .")

    def test_validation_lines_are_kept_whatever_they_hold(self):
        self.write("valid.en", b"\n\none\xfftwo\n" + b"one two " * 200 + b"\n")
        self.write("valid.de", b"\neins\neins zwei\neins\n")
        self.assert_works(self.train("training.stop.updates=2"))
        self.write("valid.de", b"\neins\neins zwei\neins\nzwei\n")
        self.assert_user_error(self.train(verb="prepare"), "valid.en has 4 lines")
        self.write("valid.en", b"")
        self.write("valid.de", b"")
        self.assert_user_error(self.train(verb="prepare"), "data.valid", "has no line")


if __name__ == "__main__":
    unittest.main()
