"""Reading and writing corpora.  A line ends at byte 0x0A and nowhere else: not at U+2028, not at
U+0085, not at a lone carriage return.  Every write goes to a temporary name first, so that a file
that exists is complete.
"""

import bz2
import contextlib
import gzip
import hashlib
import lzma
import os
import zlib

from .errors import UserError

_BLOCK = 1 << 20  # bytes


@contextlib.contextmanager
def atomic_writer(path):
    """Yields a binary file that takes the name `path` when the block ends without an exception."""
    make_folder(os.path.dirname(path))
    temporary = f"{path}.tmp{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}",
                        "free some space, or choose another --output") from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def make_folder(path):
    """Makes a folder and its parents; says which one could not be made."""
    try:
        os.makedirs(path or ".", exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {path}: {error.strerror}",
                        "choose another --output") from error


def write_bytes(path, data):
    with atomic_writer(path) as file:
        file.write(data)


def write_lines(path, lines):
    """Writes strings as UTF-8, one a line.  A newline inside one would shift all pairs after it."""
    assert not any("\n" in line for line in lines), f"a line for {path} contains a newline"
    write_bytes(path, "".join(line + "\n" for line in lines).encode("utf-8"))


def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def split_lines(data):
    """The lines of `data` (bytes); a last line without a newline counts."""
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def read_lines(path):
    """The lines of a UTF-8 file as strings, with one trailing carriage return dropped from each."""
    lines = []
    for number, line in enumerate(split_lines(read_bytes(path)), start=1):
        try:
            lines.append(line.removesuffix(b"\r").decode("utf-8"))
        except UnicodeDecodeError as error:
            raise UserError(f"{path}:{number}: not UTF-8 at byte {error.start} of the line",
                            "convert the file with iconv, or fetch it again") from error
    return lines


def sha256_of_bytes(data):
    return hashlib.sha256(data).hexdigest()


def sha256_of_file(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def decompress(data, name):
    """Unpacks by the content's own magic number; `name` is only for the message."""
    openers = ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress),
               (b"\xfd7zXZ\x00", lzma.decompress))
    for magic, unpack in openers:
        if data.startswith(magic):
            try:
                return unpack(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise UserError(f"{name} is damaged: {error}",
                                "delete it and run the script again for a fresh copy") from error
    return data
