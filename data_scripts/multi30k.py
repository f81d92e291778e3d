#!/usr/bin/env python3
"""Prepares Multi30k English-German, text only: 29,000 image captions with translations.

Multi30k (Elliott, Frank, Sima'an, Specia 2016) is the field's small benchmark.  This script takes
the files of task 1 from the data set's public repository, or from a folder that has them, unpacks
them and checks the number of lines, the number of words and, where known, the SHA256 of each.

  train.{en,de}             29,000 lines   raw text; with .lc.norm.tok before the language:
  val.{en,de}                1,014         lower-cased, punctuation normalised, tokenised by the
  test_2016_flickr.{en,de}   1,000         Moses scripts (the text on which papers report BLEU)
  test_2017_flickr.{en,de}   1,000
  test_2017_mscoco.{en,de}     461

The texts are as published, with their odd spaces; only the packing is taken off.  Interrupted
downloads go on where they stopped, and a second run finds its files and does nothing.
"""

import argparse
import dataclasses
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from common import download, files, manifest  # noqa: E402
from common.errors import UserError, run_script  # noqa: E402

_VERSION = 1  # part of the options in the manifest: raise it when the output changes
_URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1"
_LICENCE = """\
Note: Multi30k is published for research.  Its captions describe photographs from Flickr30k, which
is limited to non-commercial research and education.  Read the terms of both before any other use.
"""
_EXAMPLES = """\
examples:
  multi30k.py                                     download into data/multi30k_ende
  multi30k.py --source ~/multi30k                 from a folder that has the files (.gz or plain;
                                                  in it, or in its subfolders raw and tok)
  multi30k.py --url http://mirror.example/task1   from a copy with the same subfolders raw and tok

Exit status: 0 done or nothing to do, 2 an error that you can mend, 130 interrupted.
"""


@dataclasses.dataclass(frozen=True)
class Corpus:
    """One file of the data set, and what is known about its unpacked content."""

    name: str
    lines: int
    sha256: str = ""  # empty: not known; then the number of words is
    words: int = 0

    @property
    def is_tokenised(self):
        return ".lc.norm.tok." in self.name

    @property
    def remote(self):
        return f"tok/{self.name}" if self.is_tokenised else f"raw/{self.name}.gz"


CORPORA = (
    Corpus("train.en", 29000,
           "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6"),
    Corpus("train.de", 29000,
           "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72"),
    Corpus("val.en", 1014,
           "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227"),
    Corpus("val.de", 1014,
           "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660"),
    Corpus("test_2016_flickr.en", 1000,
           "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182"),
    Corpus("test_2016_flickr.de", 1000,
           "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16"),
    Corpus("test_2017_flickr.en", 1000,
           "ce1450ddc5ab0834502579d77a170849952e15a2938b34cc503bdc25ebb4fb98"),
    Corpus("test_2017_flickr.de", 1000,
           "c3078bc3b36808bf9d20eb2347ed6137016179ef59ec0d2b9b8ecc3fb2880081"),
    Corpus("test_2017_mscoco.en", 461,
           "43051fdfa86fd5395182e718a94ca67b1b227b9f7c79596ff0f6b813216981d2"),
    Corpus("test_2017_mscoco.de", 461,
           "58277df3c75f92f7145a11b910b553d1cf82c439249d4dc237c899609eafac22"),
    Corpus("train.lc.norm.tok.en", 29000,
           "08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119"),
    Corpus("train.lc.norm.tok.de", 29000,
           "cb5a23529b65ec2061f1dc446192a9c37382b63cc75f81a0be59d34894b3a505"),
    Corpus("val.lc.norm.tok.en", 1014,
           "46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec"),
    Corpus("val.lc.norm.tok.de", 1014,
           "97232bd273eceb7207f689527386a97e4be2616b18ada47576bdaf96c8ae1f00"),
    Corpus("test_2016_flickr.lc.norm.tok.en", 1000,
           "5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2"),
    Corpus("test_2016_flickr.lc.norm.tok.de", 1000,
           "c6a33d39d48f9f510de147651316cd9d918e09ad0219df734a2f16b6baccacc4"),
    Corpus("test_2017_flickr.lc.norm.tok.en", 1000, words=11376),
    Corpus("test_2017_flickr.lc.norm.tok.de", 1000, words=10758),
    Corpus("test_2017_mscoco.lc.norm.tok.en", 461, words=5239),
    Corpus("test_2017_mscoco.lc.norm.tok.de", 461, words=5158),
)
# The tokenised 2017 tests may be missing from a folder: no recipe needs them.
_OPTIONAL = frozenset(c.name for c in CORPORA if not c.sha256)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument("--url", default=_URL, metavar="URL", help=f"(default: {_URL})")
    origin.add_argument("--source", metavar="DIR", help="take the files from this folder instead")
    parser.add_argument("--output", default="data/multi30k_ende", metavar="DIR",
                        help="(default: data/multi30k_ende)")
    parser.add_argument("--accept-changed", action="store_true",
                        help="take files whose lines are right but whose content is not the known "
                        "one; the results are then not comparable")
    parser.add_argument("--force", action="store_true", help="fetch and unpack everything again")
    download.add_arguments(parser)
    return parser.parse_args(arguments)


def find_in_folder(corpus, folder):
    """The file in a local folder, packed or not, or None."""
    for place in ("", "tok" if corpus.is_tokenised else "raw"):
        for ending in ("", ".gz", ".xz", ".bz2"):
            path = os.path.join(folder, place, corpus.name + ending)
            if os.path.isfile(path):
                return path
    return None


def check(corpus, data, origin, accept_changed):
    """Compares the content with what is known; returns one word on it for the report."""
    lines, words = len(files.split_lines(data)), len(data.split())
    if lines != corpus.lines:
        raise UserError(f"{origin}: {lines:,} lines, expected {corpus.lines:,}",
                        "the file is cut short or another version; delete it and fetch it again")
    if corpus.sha256:
        if files.sha256_of_bytes(data) == corpus.sha256:
            return "ok"
        problem = "its SHA256 is not the known one"
    elif words == corpus.words:
        return "ok (words; no SHA256 known)"
    else:
        problem = f"{words:,} words, expected {corpus.words:,}"
    if not accept_changed:
        raise UserError(f"{origin}: {lines:,} lines as expected, but {problem}",
                        "the file was changed or damaged; fetch it again, or accept it with "
                        "--accept-changed")
    return f"CHANGED: {problem}"


def load_local(corpus, options):
    """Content, origin and verdict from the folder; None where an optional file is missing."""
    path = find_in_folder(corpus, options.source)
    if not path:
        if corpus.name in _OPTIONAL:
            return None
        raise UserError(f"{options.source} has no {corpus.name} (plain, .gz, .xz or .bz2)",
                        "--source wants the files of the data set's data/task1/raw and tok")
    data = files.decompress(files.read_bytes(path), path)
    return data, path, check(corpus, data, path, options.accept_changed)


def load_remote(corpus, options):
    """Downloads, unpacks and checks; a damaged download is fetched once more before giving up."""
    url = f"{options.url.rstrip('/')}/{corpus.remote}"
    path = os.path.join(options.output, "downloads", os.path.basename(corpus.remote))
    for attempt in (1, 2):
        download.fetch(url, path, options=download.options_from(options))
        try:
            data = files.decompress(files.read_bytes(path), url)
            return data, url, check(corpus, data, url, options.accept_changed)
        except UserError as error:
            os.unlink(path)
            if attempt == 2:
                raise
            print(f"  {error.what}; fetching it once more", flush=True)
    raise AssertionError("not reached")


def main(arguments):
    options = parse_arguments(arguments)
    start = time.monotonic()
    script = os.path.basename(__file__)
    recorded = {"version": _VERSION, "url": None if options.source else options.url,
                "source": options.source, "accept_changed": options.accept_changed}
    print(_LICENCE, flush=True)
    if not options.force and manifest.is_current(options.output, script, recorded):
        print(f"{options.output} is complete and unchanged; --force makes it again")
        manifest.print_files(manifest.read(options.output), options.output)
        return 0
    if options.source and not os.path.isdir(options.source):
        raise UserError(f"--source {options.source}: no such folder")
    steps, origins, names = [], {}, []
    for number, corpus in enumerate(CORPORA, start=1):
        label = f"[{number:2}/{len(CORPORA)}] {corpus.name}"
        if options.force and not options.source:
            remove_download(corpus, options)
        loaded = load_local(corpus, options) if options.source else load_remote(corpus, options)
        if loaded is None:
            print(f"{label}: not in the folder, left out (no recipe needs it)", flush=True)
            continue
        data, origin, verdict = loaded
        files.write_bytes(os.path.join(options.output, corpus.name), data)
        print(f"{label}: {corpus.lines:,} lines, {verdict}", flush=True)
        names.append(corpus.name)
        origins[corpus.name] = origin
        steps.append({"file": corpus.name, "verdict": verdict})
    content = manifest.write(options.output, script, recorded, origins, steps, names)
    manifest.print_files(content, options.output)
    print(f"\ndone in {time.monotonic() - start:.0f} s")
    return 0


def remove_download(corpus, options):
    path = os.path.join(options.output, "downloads", os.path.basename(corpus.remote))
    if os.path.isfile(path):
        os.unlink(path)


if __name__ == "__main__":
    run_script(main)
