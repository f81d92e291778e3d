"""multi30k.py with small stand-ins for the data set's files; with the real ones where
HEED_TEST_DATA names a folder that holds multi30k/.
"""

import dataclasses
import gzip
import io
import os
import sys
import unittest
from unittest import mock

import support
import multi30k
from common import errors, files


def text(corpus):
    """Invented content with the right number of lines and odd spaces, as in the real files."""
    return b"".join(b"%s line %d \xc2\xa0 a\tb \n" % (corpus.name.encode(), i)
                    for i in range(corpus.lines))


def stand_ins():
    """The table of files with other sizes and checksums, and their contents by remote path."""
    table, content = [], {}
    for corpus in multi30k.CORPORA:
        small = dataclasses.replace(corpus, lines=1 + corpus.lines // 100)
        data = text(small)
        words = len(data.split())
        small = dataclasses.replace(small, words=words if not corpus.sha256 else 0,
                                    sha256=files.sha256_of_bytes(data) if corpus.sha256 else "")
        table.append(small)
        content["/task1/" + small.remote] = (gzip.compress(data) if small.remote.endswith(".gz")
                                             else data)
    return tuple(table), content


CORPORA, CONTENT = stand_ins()
TRAIN = "/task1/raw/train.en.gz"


class Multi30k(support.Folder):
    """Calls the script in this process, so that the table can be replaced."""

    def setUp(self):
        super().setUp()
        for patch in (mock.patch.object(multi30k, "CORPORA", CORPORA),
                      mock.patch.dict(os.environ, {"no_proxy": "127.0.0.1",
                                                   "HEED_DOWNLOAD_PAUSE": "0.01"})):
            patch.start()
            self.addCleanup(patch.stop)

    def run_it(self, *arguments):
        """Exit status, standard output and standard error."""
        stdout, stderr = io.StringIO(), io.StringIO()
        argv = ["multi30k.py", "--output", self.path("out"), *arguments]
        with mock.patch.object(sys, "argv", argv), mock.patch("sys.stdout", stdout), \
                mock.patch("sys.stderr", stderr), self.assertRaises(SystemExit) as caught:
            errors.run_script(multi30k.main)
        return caught.exception.code, stdout.getvalue(), stderr.getvalue()

    def download(self, server, *arguments):
        return self.run_it("--url", server.url + "/task1", "--timeout", "0.5", "--attempts", "2",
                           *arguments)

    def assert_complete(self, code, stderr):
        self.assertEqual((code, stderr), (0, ""))
        for corpus in CORPORA:
            self.assertEqual(self.read("out/" + corpus.name), text(corpus))
        self.assertTrue(os.path.isfile(self.path("out", "manifest.json")))

    def local_copy(self):
        for path, data in CONTENT.items():
            self.write("copy/" + os.path.basename(path), data)
        return self.path("copy")

    def test_download_and_second_run(self):
        with support.Server(CONTENT) as server:
            code, stdout, stderr = self.download(server)
            self.assert_complete(code, stderr)
            self.assertIn("non-commercial", stdout)
            before = len(server.requests)
            _, stdout, _ = self.download(server)
            self.assertIn("complete and unchanged", stdout)
            self.assertEqual(len(server.requests), before)

    def test_faults_of_the_network_are_survived(self):
        faults = {TRAIN: ["cut"], "/task1/tok/val.lc.norm.tok.de": ["slow"],
                  "/task1/raw/val.de.gz": ["error"], "/task1/raw/val.en.gz": ["stall"],
                  "/task1/raw/train.de.gz": [("moved", "/elsewhere")]}
        content = {**CONTENT, "/elsewhere": CONTENT["/task1/raw/train.de.gz"]}
        with support.Server(content, faults) as server:
            code, stdout, stderr = self.download(server)
        self.assert_complete(code, stderr)
        self.assertIn("is now " + server.url + "/elsewhere", stdout)

    def test_a_broken_download_is_taken_up_by_the_next_run(self):
        with support.Server(CONTENT, {TRAIN: ["cut", "cut"]}) as server:
            code, _, stderr = self.download(server)
            self.assertEqual(code, 2)
            self.assertIn("it goes on where it stopped", stderr)
            code, _, stderr = self.download(server)
        self.assert_complete(code, stderr)
        self.assertTrue(server.requests[2][1].startswith("bytes="))

    def test_a_corrupt_download_is_fetched_once_more(self):
        with support.Server(CONTENT, {"/task1/tok/train.lc.norm.tok.en": ["flip"]}) as server:
            code, stdout, stderr = self.download(server)
        self.assert_complete(code, stderr)
        self.assertIn("fetching it once more", stdout)

    def test_a_download_that_stays_corrupt_is_an_error_and_is_not_kept(self):
        content = {**CONTENT, TRAIN: CONTENT[TRAIN][:-9]}
        with support.Server(content) as server:
            code, _, stderr = self.download(server)
        self.assertEqual(code, 2)
        self.assertIn("train.en.gz is damaged", stderr)
        self.assertEqual(os.listdir(self.path("out", "downloads")), [])

    def test_a_missing_file_is_an_error(self):
        content = {path: data for path, data in CONTENT.items() if path != TRAIN}
        with support.Server(content) as server:
            code, _, stderr = self.download(server)
        self.assertEqual(code, 2)
        self.assertIn("raw/train.en.gz: not there (HTTP 404)", stderr)

    def test_folder_flat_or_with_subfolders_packed_or_plain(self):
        code, _, stderr = self.run_it("--source", self.local_copy())
        self.assert_complete(code, stderr)
        for corpus in CORPORA:
            place = "tok" if corpus.is_tokenised else "raw"
            self.write(f"tree/{place}/{corpus.name}", text(corpus))
        code, _, stderr = self.run_it("--source", self.path("tree"))
        self.assert_complete(code, stderr)

    def test_only_the_optional_files_may_be_missing(self):
        folder = self.local_copy()
        os.unlink(os.path.join(folder, "test_2017_mscoco.lc.norm.tok.de"))
        code, stdout, _ = self.run_it("--source", folder)
        self.assertEqual(code, 0)
        self.assertIn("mscoco.lc.norm.tok.de: not in the folder, left out", stdout)
        os.unlink(os.path.join(folder, "val.de.gz"))
        code, _, stderr = self.run_it("--source", folder, "--force")
        self.assertEqual(code, 2)
        self.assertIn("has no val.de", stderr)

    def test_wrong_line_count_is_an_error_even_when_changes_are_accepted(self):
        folder = self.local_copy()
        self.write("copy/val.en.gz", gzip.compress(b"one line\n"))
        code, _, stderr = self.run_it("--source", folder, "--accept-changed")
        self.assertEqual(code, 2)
        self.assertIn("1 lines, expected 11", stderr)

    def test_changed_content_needs_consent(self):
        folder = self.local_copy()
        changed = gzip.decompress(CONTENT["/task1/raw/val.en.gz"]).replace(b"line 3", b"Line 3")
        self.write("copy/val.en.gz", gzip.compress(changed))
        code, _, stderr = self.run_it("--source", folder)
        self.assertEqual(code, 2)
        self.assertIn("11 lines as expected, but its SHA256 is not the known one", stderr)
        code, stdout, _ = self.run_it("--source", folder, "--accept-changed")
        self.assertEqual((code, "val.en: 11 lines, CHANGED" in stdout), (0, True))

    def test_words_are_checked_where_no_checksum_is_known(self):
        folder = self.local_copy()
        name = "test_2017_flickr.lc.norm.tok.de"
        self.write("copy/" + name, CONTENT["/task1/tok/" + name].replace(b"line 3 ", b"line3 "))
        code, _, stderr = self.run_it("--source", folder)
        self.assertEqual(code, 2)
        self.assertRegex(stderr, r"tok.de: 11 lines as expected, but 65 words, expected 66")

    def test_wrong_places(self):
        self.assertIn("no such folder", self.run_it("--source", self.path("nowhere"))[2])
        self.assertIn("not a web address", self.run_it("--url", "data/task1")[2])
        self.assertEqual(self.run_it("--source", "a", "--url", "b")[0], 2)


class Table(unittest.TestCase):
    def test_pairs_have_equal_counts(self):
        counts = {corpus.name: corpus.lines for corpus in multi30k.CORPORA}
        self.assertEqual(len(counts), 20)
        for name, lines in counts.items():
            self.assertEqual(lines, counts[name[:-2] + "de"])

    def test_the_real_files_match(self):
        folder = os.path.join(os.environ.get("HEED_TEST_DATA", ""), "multi30k")
        if not os.path.isdir(folder):
            self.skipTest("HEED_TEST_DATA names no folder that holds multi30k/")
        for corpus in multi30k.CORPORA:
            path = multi30k.find_in_folder(corpus, folder)
            if path:
                data = files.decompress(files.read_bytes(path), path)
                self.assertTrue(multi30k.check(corpus, data, path, False).startswith("ok"))


if __name__ == "__main__":
    unittest.main()
