"""Downloads over HTTP that survive what networks do.

A download goes to NAME.partial and takes its name when it is complete and its checksum is right.
A broken connection is taken up again where it broke, in this run or in the next one: with a range
request when the server allows it, from the start otherwise.  Proxies come from the usual
environment variables (http_proxy, https_proxy, no_proxy).
"""

import contextlib
import dataclasses
import http.client
import os
import time
import urllib.error
import urllib.parse
import urllib.request

from . import files
from .errors import UserError
from .report import Progress

_BLOCK = 1 << 16  # bytes
_PERMANENT = (400, 401, 403, 404, 405, 410, 451)
_NETWORK_ERRORS = (urllib.error.URLError, http.client.HTTPException, OSError)


class NotFound(UserError):
    """The server says that the file is not there: a caller may know another name for it."""


@dataclasses.dataclass
class Options:
    attempts: int = 4
    timeout: float = 30.0  # seconds without a byte
    pause: float = 1.0  # seconds before the second attempt; doubles after each


class _Broken(Exception):
    """This attempt failed, the next may succeed."""


def fetch(url, path, sha256=None, options=None):
    """Brings `url` to the file `path`; a file that is there with the right checksum is kept.

    sha256   what the content must have (hexadecimal), or None when nobody knows: then the length
             that the server states is the only check, and an existing file is taken as it is.
    returns  True when something was downloaded.
    """
    options = options or Options()
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise UserError(f"not a web address: {url}", "it must begin with http:// or https://")
    if os.path.isfile(path) and sha256 in (None, files.sha256_of_file(path)):
        return False
    files.make_folder(os.path.dirname(path))
    reason = ""
    for attempt in range(options.attempts):
        if attempt:
            print(f"  {reason}; attempt {attempt + 1} of {options.attempts}", flush=True)
            time.sleep(options.pause * 2 ** (attempt - 1))
        try:
            _attempt(url, path, sha256, options)
            return True
        except _Broken as error:
            reason = str(error)
    raise UserError(f"could not download {url}: {reason}",
                    "check the network and the address, then run the same command again; "
                    "it goes on where it stopped")


def _attempt(url, path, sha256, options):
    partial = path + ".partial"
    tag_path = partial + ".etag"
    start = os.path.getsize(partial) if os.path.isfile(partial) else 0
    request = urllib.request.Request(url, headers={"User-Agent": "heed-data-scripts",
                                                   "Accept-Encoding": "identity"})
    if start:
        tag = _read_tag(tag_path)
        if tag or sha256:
            request.add_header("Range", f"bytes={start}-")
            if tag:
                request.add_header("If-Range", tag)
        else:
            start = 0  # nothing would show that the file on the server is still the same
    try:
        with urllib.request.urlopen(request, timeout=options.timeout) as response:
            if response.geturl() != url:
                print(f"  moved: {url} is now {response.geturl()}", flush=True)
            _receive(response, path, start, tag_path, options)
    except urllib.error.HTTPError as error:
        _raise_for_status(error, url, partial)
    except _NETWORK_ERRORS as error:
        raise _Broken(_describe(error, options)) from error
    _check_sum(partial, sha256, resumed=bool(start))
    os.replace(partial, path)
    with contextlib.suppress(OSError):
        os.unlink(tag_path)


def _receive(response, path, start, tag_path, options):
    """Appends the body to the partial file and compares its length with what was promised."""
    partial = path + ".partial"
    resumed = response.status == 206 and _range_start(response) == start
    if response.status == 206 and not resumed:
        _discard(partial)
        raise _Broken("the server sent another part of the file than asked for")
    tag = response.headers.get("ETag")
    if tag and not tag.startswith("W/"):
        with open(tag_path, "w", encoding="utf-8") as file:
            file.write(tag)
    done = start if resumed else 0
    length = response.headers.get("Content-Length", "")
    total = done + int(length) if length.isdigit() else None
    progress = Progress(f"  {os.path.basename(path)}", total)
    with open(partial, "ab" if resumed else "wb") as file:
        progress.update(done)
        while block := response.read1(_BLOCK):
            file.write(block)
            done += len(block)
            progress.update(done)
    progress.finish()
    if total is not None and done != total:
        raise _Broken(f"the connection ended after {done:,} of {total:,} bytes")


def _range_start(response):
    """The first byte of `Content-Range: bytes 100-199/200`, or -1."""
    value = response.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
    return int(value) if value.isdigit() else -1


def _check_sum(partial, sha256, resumed):
    if sha256 is None:
        return
    actual = files.sha256_of_file(partial)
    if actual == sha256:
        return
    _discard(partial)
    how = "the resumed file" if resumed else "the file"
    raise _Broken(f"{how} has SHA256 {actual[:16]}..., expected {sha256[:16]}...")


def _raise_for_status(error, url, partial):
    if error.code == 416:  # the partial file is longer than the file on the server
        _discard(partial)
        raise _Broken("the partial file does not fit the server's") from error
    if error.code in (404, 410):
        raise NotFound(f"{url}: not there (HTTP {error.code})",
                       "check the address; the file may have been renamed or moved") from error
    if error.code in _PERMANENT:
        raise UserError(f"{url}: refused (HTTP {error.code} {error.reason})",
                        "check the address, the proxy and the access rights") from error
    raise _Broken(f"HTTP {error.code} {error.reason}") from error


def _describe(error, options):
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return f"no data for {options.timeout:g} s"
    if isinstance(reason, http.client.IncompleteRead):
        return f"the connection ended early, {reason.expected or '?'} bytes missing"
    return f"{type(reason).__name__}: {reason}"


def _read_tag(tag_path):
    with contextlib.suppress(OSError), open(tag_path, encoding="utf-8") as file:
        return file.read().strip()
    return ""


def _discard(partial):
    for name in (partial, partial + ".etag"):
        with contextlib.suppress(OSError):
            os.unlink(name)


def add_arguments(parser):
    """The options of every script that downloads."""
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS",
                        help="give up waiting after this long without a byte (default: 30)")
    parser.add_argument("--attempts", type=int, default=4, metavar="N",
                        help="how often to try each file (default: 4)")


def options_from(arguments):
    if arguments.timeout <= 0 or arguments.attempts < 1:
        raise UserError("--timeout must be above 0 and --attempts at least 1")
    pause = float(os.environ.get("HEED_DOWNLOAD_PAUSE", "1"))  # seconds; the tests do not wait
    return Options(attempts=arguments.attempts, timeout=arguments.timeout, pause=pause)
