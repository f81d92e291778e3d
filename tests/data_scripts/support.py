"""What the tests of the data scripts share: the import path, a web server on the loopback interface
that misbehaves on request, and a way to run a script as its user does.
"""

import contextlib
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data_scripts")
sys.path.insert(0, SCRIPTS)


class Folder(unittest.TestCase):
    """A test with a temporary folder, self.folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="heed_data_scripts_")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


def word(number, start="w"):
    """A word of letters only for each number, because numbers look alike to the similarity."""
    return start + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def run_script(name, *arguments, timeout=60):
    """Runs data_scripts/NAME; returns a CompletedProcess with stdout and stderr as text."""
    environment = {**os.environ, "no_proxy": "127.0.0.1", "HEED_DOWNLOAD_PAUSE": "0.01"}
    return subprocess.run([sys.executable, os.path.join(SCRIPTS, name), *arguments], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                          timeout=timeout, check=False)


class Server:
    """Serves `content` (path -> bytes) on 127.0.0.1 and does to a path what `faults` says.

    A fault is a list with one entry for each request of that path, then all is well:
      "cut"        promises the whole file, sends half of it and hangs up
      "stall"      sends half of it and then nothing for a second
      "slow"       sends it in ten pieces with pauses
      "flip"       sends it with one byte changed
      "error"      HTTP 503
      "forbidden"  HTTP 403
      ("moved", path)  HTTP 301
    `ranges` False: it ignores Range and sends everything.  `requests` lists (path, Range header).
    """

    def __init__(self, content, faults=None, ranges=True, etag=True):
        self.content, self.faults = dict(content), dict(faults or {})
        self.ranges, self.etag = ranges, etag
        self.requests = []

    def paths(self):
        return [path for path, _ in self.requests]

    def __enter__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with contextlib.suppress(ConnectionError):
                    outer.answer(self)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler):
        path, wanted = handler.path, handler.headers.get("Range")
        self.requests.append((path, wanted))
        pending = self.faults.get(path)
        fault = pending.pop(0) if pending else ""
        if isinstance(fault, tuple):
            handler.send_response(301)
            handler.send_header("Location", self.url + fault[1])
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        elif fault in ("error", "forbidden"):
            handler.send_error(503 if fault == "error" else 403)
        elif path not in self.content:
            handler.send_error(404)
        else:
            self._send(handler, self.content[path], wanted, fault)

    def _send(self, handler, data, wanted, fault):
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        if start and start >= len(data):
            handler.send_error(416)
            return
        handler.send_response(206 if start else 200)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if self.etag:
            handler.send_header("ETag", f'"{hash(data)}"')
        handler.send_header("Content-Length", str(len(data) - start))
        handler.end_headers()
        body = data[start:]
        if fault == "flip":
            body = bytes([body[0] ^ 1]) + body[1:]
        if fault in ("cut", "stall"):
            body = body[:len(body) // 2]
        pieces = 10 if fault == "slow" else 1
        size = max(1, -(-len(body) // pieces))
        for begin in range(0, len(body), size):
            handler.wfile.write(body[begin:begin + size])
            handler.wfile.flush()
            time.sleep(0.02 if fault == "slow" else 0)
        if fault == "stall":
            time.sleep(1)
        handler.close_connection = True
