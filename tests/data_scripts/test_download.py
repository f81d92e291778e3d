"""common/download.py against a server on the loopback interface that misbehaves as servers do."""

import contextlib
import io
import os
import unittest
from unittest import mock

import support
from common import download, files
from common.errors import UserError

DATA = bytes(range(256)) * 400
SUM = files.sha256_of_bytes(DATA)
QUICK = download.Options(attempts=3, timeout=0.3, pause=0.001)


class Download(support.Folder):
    def setUp(self):
        super().setUp()
        self.target = self.path("sub", "file")
        self.output = io.StringIO()
        redirect = contextlib.redirect_stdout(self.output)
        redirect.__enter__()
        self.addCleanup(redirect.__exit__, None, None, None)
        patch = mock.patch.dict(os.environ, {"no_proxy": "127.0.0.1"})
        patch.start()
        self.addCleanup(patch.stop)

    def fetch(self, server, sha256=SUM, options=QUICK):
        return download.fetch(server.url + "/file", self.target, sha256, options)

    def assert_complete(self):
        self.assertEqual(self.read("sub/file"), DATA)
        self.assertEqual(os.listdir(self.path("sub")), ["file"])  # no .partial, no .etag

    def test_brings_the_file(self):
        with support.Server({"/file": DATA}) as server:
            self.assertTrue(self.fetch(server))
        self.assert_complete()

    def test_a_file_with_the_right_checksum_is_kept(self):
        self.write("sub/file", DATA)
        with support.Server({}) as server:
            self.assertFalse(self.fetch(server))
        self.assertEqual(server.requests, [])

    def test_a_file_with_a_wrong_checksum_is_replaced(self):
        self.write("sub/file", b"former")
        with support.Server({"/file": DATA}) as server:
            self.assertTrue(self.fetch(server))
        self.assert_complete()

    def test_a_cut_connection_is_resumed_where_it_broke(self):
        with support.Server({"/file": DATA}, {"/file": ["cut", "cut"]}) as server:
            self.fetch(server)
        half, quarter = len(DATA) // 2, len(DATA) // 4
        self.assertEqual([r for _, r in server.requests],
                         [None, f"bytes={half}-", f"bytes={half + quarter}-"])
        self.assert_complete()
        self.assertIn("the connection ended after 51,200 of 102,400 bytes; attempt 2 of 3",
                      self.output.getvalue())

    def test_a_cut_connection_is_resumed_by_the_next_run(self):
        with support.Server({"/file": DATA}, {"/file": ["cut"] * 9}) as server:
            with self.assertRaisesRegex(UserError, "connection ended"):
                self.fetch(server, options=download.Options(attempts=1, timeout=1, pause=0))
            server.faults.clear()
            self.fetch(server)
        self.assertEqual(server.requests[-1][1], f"bytes={len(DATA) // 2}-")
        self.assert_complete()

    def test_without_checksum_a_resume_needs_the_servers_tag(self):
        for etag, wanted in ((True, f"bytes={len(DATA) // 2}-"), (False, None)):
            with support.Server({"/file": DATA}, {"/file": ["cut"]}, etag=etag) as server:
                self.fetch(server, sha256=None)
            self.assertEqual(server.requests[-1][1], wanted)
            self.assert_complete()
            os.unlink(self.target)

    def test_a_server_that_ignores_ranges_starts_over(self):
        with support.Server({"/file": DATA}, {"/file": ["cut"]}, ranges=False) as server:
            self.fetch(server)
        self.assert_complete()

    def test_a_partial_file_longer_than_the_file_is_dropped(self):
        self.write("sub/file.partial", DATA + b"more")
        with support.Server({"/file": DATA}) as server:
            self.fetch(server)
        self.assert_complete()

    def test_a_partial_file_of_other_content_is_dropped_after_the_check(self):
        self.write("sub/file.partial", b"x" * 1000)
        with support.Server({"/file": DATA}) as server:
            self.fetch(server)
        self.assertIn("the resumed file has SHA256", self.output.getvalue())
        self.assert_complete()

    def test_a_flipped_byte_is_fetched_again(self):
        with support.Server({"/file": DATA}, {"/file": ["flip"]}) as server:
            self.fetch(server)
        self.assert_complete()

    def test_a_wrong_checksum_that_stays_is_an_error_and_leaves_nothing(self):
        with support.Server({"/file": DATA + b"!"}) as server:
            with self.assertRaisesRegex(UserError, "the file has SHA256 .*, expected " + SUM[:16]):
                self.fetch(server)
        self.assertEqual(len(server.requests), 3)
        self.assertEqual(os.listdir(self.path("sub")), [])

    def test_a_slow_server_is_waited_for(self):
        with support.Server({"/file": DATA}, {"/file": ["slow"]}) as server:
            self.fetch(server, options=download.Options(attempts=1, timeout=1))
        self.assert_complete()

    def test_a_stalled_server_is_given_up_and_asked_again(self):
        with support.Server({"/file": DATA}, {"/file": ["stall"]}) as server:
            self.fetch(server)
        self.assertIn("no data for 0.3 s; attempt 2", self.output.getvalue())
        self.assert_complete()

    def test_a_moved_file_is_followed_and_told(self):
        with support.Server({"/new": DATA}, {"/file": [("moved", "/new")]}) as server:
            self.fetch(server)
            self.assertIn(f"/file is now {server.url}/new", self.output.getvalue())
        self.assert_complete()

    def test_a_busy_server_is_asked_again(self):
        with support.Server({"/file": DATA}, {"/file": ["error", "error"]}) as server:
            self.fetch(server)
        self.assertIn("HTTP 503", self.output.getvalue())
        self.assert_complete()

    def test_missing_and_forbidden_files_are_not_asked_for_twice(self):
        with support.Server({}, {"/file": []}) as server:
            with self.assertRaisesRegex(download.NotFound, "/file: not there .HTTP 404"):
                self.fetch(server)
            server.faults["/file"] = ["forbidden"]
            with self.assertRaisesRegex(UserError, "refused .HTTP 403"):
                self.fetch(server)
        self.assertEqual(len(server.requests), 2)

    def test_no_server_is_a_user_error(self):
        with support.Server({}) as server:
            pass
        with self.assertRaisesRegex(UserError, "could not download .*refused(?s:.*)run the same"):
            self.fetch(server)

    def test_an_address_that_is_none_is_a_user_error(self):
        for url in ("file:///etc/passwd", "mirror.example/debian", ""):
            with self.assertRaisesRegex(UserError, "not a web address"):
                download.fetch(url, self.target)


if __name__ == "__main__":
    unittest.main()
