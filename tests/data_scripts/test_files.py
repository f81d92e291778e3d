"""common/files.py, common/manifest.py, common/report.py and common/errors.py."""

import bz2
import gzip
import io
import lzma
import os
import unittest
from unittest import mock

import support
from common import errors, files, manifest, report


class Lines(support.Folder):
    def test_only_newline_ends_a_line(self):
        text = "a\u2028b\u2029c\x0bd\x0ce\x85f\rg\nlast\r\n"
        path = self.write("text", text.encode())
        self.assertEqual(files.read_lines(path), ["a\u2028b\u2029c\x0bd\x0ce\x85f\rg", "last"])

    def test_last_line_counts_without_newline(self):
        self.assertEqual(files.split_lines(b"a\nb"), [b"a", b"b"])
        self.assertEqual(files.split_lines(b"a\n\n"), [b"a", b""])
        self.assertEqual(files.split_lines(b""), [])

    def test_written_lines_are_read_back(self):
        lines = ["", "Grüße \u2028 x", "\x85", " spaces  "]
        files.write_lines(self.path("deep", "er", "text"), lines)
        self.assertEqual(files.read_lines(self.path("deep", "er", "text")), lines)

    def test_a_newline_inside_a_line_is_refused(self):
        with self.assertRaises(AssertionError):
            files.write_lines(self.path("text"), ["a\nb"])

    def test_bad_utf8_names_file_line_and_byte(self):
        path = self.write("text", b"fine\nab\xff\n")
        with self.assertRaisesRegex(errors.UserError, "text:2: not UTF-8 at byte 2"):
            files.read_lines(path)

    def test_missing_file_is_a_user_error(self):
        with self.assertRaisesRegex(errors.UserError, "cannot read .*nowhere.*No such file"):
            files.read_bytes(self.path("nowhere"))


class AtomicWrite(support.Folder):
    def test_a_failure_leaves_the_former_file_and_no_debris(self):
        path = self.write("data", b"former")
        with self.assertRaises(RuntimeError):
            with files.atomic_writer(path) as file:
                file.write(b"half of the n")
                raise RuntimeError("power cut")
        self.assertEqual(self.read("data"), b"former")
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_a_full_disk_is_a_user_error(self):
        path = self.write("data", b"former")
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
            with self.assertRaisesRegex(errors.UserError, "data: No space left"):
                files.write_bytes(path, b"x")
        self.assertEqual(self.read("data"), b"former")

    def test_a_file_in_the_way_of_a_folder_is_a_user_error(self):
        self.write("data", b"")
        with self.assertRaisesRegex(errors.UserError, "cannot make the folder"):
            files.write_bytes(self.path("data", "inner"), b"x")


class Decompress(unittest.TestCase):
    def test_knows_formats_by_content(self):
        for pack in (gzip.compress, bz2.compress, lzma.compress, bytes):
            self.assertEqual(files.decompress(pack(b"hello"), "x"), b"hello")

    def test_damage_is_a_user_error_in_every_format(self):
        for pack in (gzip.compress, bz2.compress, lzma.compress):
            packed = pack(bytes(range(256)) * 20)
            for damaged in (packed[:len(packed) // 2], packed[:20] + b"\0" * 9 + packed[29:]):
                with self.assertRaisesRegex(errors.UserError, "name.gz is damaged"):
                    files.decompress(damaged, "name.gz")


class Manifest(support.Folder):
    def make(self):
        self.write("a.en", "ein zwei\ndrei\n".encode())
        return manifest.write(self.folder, "script.py", {"seed": 1}, {}, [], ["a.en"])

    def test_describes_files(self):
        row = self.make()["files"]["a.en"]
        self.assertEqual((row["lines"], row["words"], row["bytes"]), (2, 3, 14))
        self.assertEqual(row["sha256"], files.sha256_of_file(self.path("a.en")))

    def test_is_current_only_for_same_script_options_and_content(self):
        self.assertFalse(manifest.is_current(self.folder, "script.py", {"seed": 1}))
        self.make()
        self.assertTrue(manifest.is_current(self.folder, "script.py", {"seed": 1}))
        self.assertFalse(manifest.is_current(self.folder, "script.py", {"seed": 2}))
        self.assertFalse(manifest.is_current(self.folder, "other.py", {"seed": 1}))
        self.write("a.en", b"ein zwei\nDrei\n")
        self.assertFalse(manifest.is_current(self.folder, "script.py", {"seed": 1}))
        os.unlink(self.path("a.en"))
        self.assertFalse(manifest.is_current(self.folder, "script.py", {"seed": 1}))

    def test_a_damaged_manifest_counts_as_none(self):
        self.make()
        self.write(manifest.NAME, b'{"script": "scr')
        self.assertFalse(manifest.is_current(self.folder, "script.py", {"seed": 1}))


class Report(unittest.TestCase):
    def test_steps_keep_what_they_print(self):
        steps = report.Steps()
        with mock.patch("sys.stdout", new_callable=io.StringIO) as output:
            steps.have("pairs", 12345)
            steps.drop("empty", 45)
        self.assertIn("12,345  pairs", output.getvalue())
        self.assertIn("-45    dropped: empty", output.getvalue())
        self.assertEqual(steps.as_json(),
                         [{"step": "pairs", "have": 12345}, {"step": "empty", "drop": 45}])

    def test_progress_is_redrawn_on_a_terminal_and_rare_elsewhere(self):
        terminal, plain = io.StringIO(), io.StringIO()
        terminal.isatty = lambda: True
        with mock.patch("time.monotonic", side_effect=(i * 0.5 for i in range(99))):
            for stream in (terminal, plain):
                progress = report.Progress("file", 1_000_000, stream=stream)
                progress.update(0)
                progress.update(500_000)
        self.assertIn("\rfile: 0.5 MB of 1.0 MB (50 %), ", terminal.getvalue())
        self.assertEqual(plain.getvalue(), "")


class RunScript(unittest.TestCase):
    def outcome(self, effect):
        stderr = io.StringIO()
        with mock.patch("sys.stderr", stderr), self.assertRaises(SystemExit) as caught:
            errors.run_script(mock.Mock(side_effect=effect, return_value=0))
        return caught.exception.code, stderr.getvalue()

    def test_user_errors_exit_2_without_traceback(self):
        code, text = self.outcome(errors.UserError("the file is gone", "look for it"))
        self.assertEqual(code, 2)
        self.assertIn("error: the file is gone\n  hint: look for it", text)
        self.assertNotIn("Traceback", text)

    def test_interrupt_exits_130(self):
        self.assertEqual(self.outcome(KeyboardInterrupt())[0], 130)

    def test_success_exits_0(self):
        self.assertEqual(self.outcome(None)[0], 0)


if __name__ == "__main__":
    unittest.main()
