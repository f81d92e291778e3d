#!/usr/bin/env python3
"""Makes a parallel corpus from Debian's translated package descriptions.

Every Debian suite comes with index files, main/i18n/Translation-xx, that hold the descriptions of
its packages in one language each, among them English (the original) and German.  A checksum of the
English text, Description-md5, pairs them.  This script

  1. fetches the files (from a mirror, with apt, or from a folder),
  2. pairs descriptions and splits both sides alike: synopsis, paragraphs, list items, sentences;
     where the numbers of paragraphs or items differ, the description or paragraph is left out,
  3. drops what is not translation (each rule is counted) and repetitions,
  4. puts descriptions that resemble each other into clusters and draws valid and test from whole
     clusters, so that no held-out sentence has a near-duplicate in train,
  5. measures on the finished files how near test and valid come to train, and refuses to finish
     above the stated threshold.

Output: {train,valid,test}.{en,de}, one sentence or phrase a line, and manifest.json with all
counts, checksums and the origin.  The same input and seed give the same files.  A second run with
the same options finds them and does nothing.
"""

import argparse
import os
import shutil
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from common import download, files, holdout, manifest, pairs, report  # noqa: E402
from common.errors import UserError, run_script  # noqa: E402
from debian_index import corpus, fetch  # noqa: E402

_VERSION = 1  # part of the options in the manifest: raise it when the output changes
_EXAMPLES = """\
examples:
  debian_descriptions.py                                  English-German, as the recipe wants it
  debian_descriptions.py --target fr --output data/debian_enfr
  debian_descriptions.py --suite sid --mirror http://deb.debian.org/debian
  debian_descriptions.py --unit paragraph --max-words 0   whole paragraphs of any length

Exit status: 0 done or nothing to do, 2 an error that you can mend, 130 interrupted.
"""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", default="en", metavar="LANG", help="(default: en)")
    parser.add_argument("--target", default="de", metavar="LANG", help="(default: de)")
    parser.add_argument("--suite", default="trixie,bookworm", metavar="NAME[,NAME...]",
                        help="Debian suites to merge, the preferred one first "
                        "(default: trixie,bookworm)")
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument("--mirror", metavar="URL", help="fetch over HTTP from this Debian mirror, "
                        "for instance http://deb.debian.org/debian; this is the default where apt "
                        "has no Debian archive")
    origin.add_argument("--apt", action="store_true", help="fetch with apt-get from the archive in "
                        "/etc/apt, into a folder of its own; the default on Debian")
    origin.add_argument("--from", dest="folder", metavar="DIR", help="use the Translation files in "
                        "this folder, or in its subfolders that are named after the suites")
    parser.add_argument("--output", metavar="DIR", help="(default: data/debian_SOURCETARGET)")
    parser.add_argument("--unit", choices=("sentence", "paragraph"), default="sentence",
                        help="split paragraphs into sentences where both sides have equally many "
                        "(default), or keep them whole")
    parser.add_argument("--max-words", type=int, default=25, metavar="N",
                        help="drop pairs with more words on a side, of Chinese and Japanese with "
                        "more characters; 0: keep all (default: 25)")
    parser.add_argument("--valid", type=int, default=1000, metavar="N", help="(default: 1000)")
    parser.add_argument("--test", type=int, default=1000, metavar="N", help="(default: 1000)")
    parser.add_argument("--max-overlap", type=float, default=0.5, metavar="X",
                        help="held-out sentences stay below this similarity to every training "
                        "sentence on both sides: Jaccard index of their word 1-, 2- and 3-grams, "
                        "numbers alike (default: 0.5)")
    parser.add_argument("--seed", type=int, default=1, help="of the split (default: 1)")
    parser.add_argument("--force", action="store_true", help="fetch and make everything again")
    download.add_arguments(parser)
    return _checked(parser.parse_args(arguments))


def _checked(options):
    for language in (options.source, options.target):
        if not language.replace("_", "").isalnum():
            raise UserError(f"not a language code: {language!r}", "for instance en, de, pt_BR")
    if options.source == options.target:
        raise UserError(f"--source and --target are both {options.source}")
    if not 0 < options.max_overlap <= 1:
        raise UserError(f"--max-overlap must be above 0 and at most 1, not {options.max_overlap}")
    if min(options.max_words, options.valid, options.test) < 0:
        raise UserError("--max-words, --valid and --test cannot be negative")
    options.suites = [s for s in options.suite.split(",") if s]
    if not options.suites or any("/" in s or s.startswith(".") for s in options.suites):
        raise UserError(f"not a list of suites: {options.suite!r}", "for instance trixie,bookworm")
    options.output = options.output or f"data/debian_{options.source}{options.target}"
    return options


def fetch_all(options):
    """The raw files of all suites: a list of dicts by language, and their origins."""
    languages = [options.source, options.target]
    downloads = os.path.join(options.output, "downloads")
    archive = None if options.mirror or options.folder else fetch.apt_archive()
    if options.apt and not archive:
        raise UserError("--apt: no Debian archive in /etc/apt/sources.list or sources.list.d",
                        "use --mirror http://deb.debian.org/debian")
    mirror = options.mirror or "http://deb.debian.org/debian"
    result = []
    for suite in options.suites:
        folder = os.path.join(downloads, suite)
        if options.folder:
            inner = os.path.join(options.folder, suite)
            origin = inner if os.path.isdir(inner) else options.folder
            print(f"reading {origin}", flush=True)
            result.append(fetch.from_folder(origin, suite, languages))
            if origin == options.folder:
                break  # not sorted by suite: there is no more to read
        elif archive:
            print(f"fetching {suite} with apt from {archive.uri}", flush=True)
            result.append(fetch.with_apt(archive, suite, languages, folder))
        else:
            print(f"fetching {suite} from {mirror}", flush=True)
            result.append(fetch.from_mirror(mirror, suite, languages, folder,
                                            download.options_from(options)))
    return result


def split(units, descriptions, options, steps):
    """Draws the held-out sets; returns lists of pairs by name."""
    print(f"\ncomparing {len(descriptions):,} descriptions with each other", flush=True)
    clusters = corpus.cluster(descriptions)
    sizes = clusters.sizes()
    print(f"{len(sizes):>10,}  clusters of descriptions, the largest of {max(sizes.values())}",
          flush=True)
    print(f"comparing {len(units):,} pairs with each other, on both sides", flush=True)
    splitter = holdout.Splitter(units, clusters, options.max_overlap, options.seed)
    wanted = {"valid": options.valid, "test": options.test}
    drawn, dropped = splitter.draw(wanted)
    found = sum(len(drawn[name]) for name in wanted)
    if found < sum(wanted.values()):
        raise UserError(f"only {found:,} of {sum(wanted.values()):,} pairs for valid and test are "
                        "far enough from the rest",
                        "lower --valid and --test, or raise --max-overlap")
    steps.drop("too near to other sentences of the held-out clusters or of train", dropped)
    for name in ("train", "valid", "test"):
        steps.have(name, len(drawn[name]))
    return {name: [units[i] for i in drawn[name]] for name in ("train", "valid", "test")}


def check_overlap(options):
    """Reads the files back and measures; returns the table for the manifest."""
    names = ("valid", "test")
    nearest = []
    for language in (options.source, options.target):
        texts = {name: files.read_lines(os.path.join(options.output, f"{name}.{language}"))
                 for name in ("train", *names)}
        nearest.append(holdout.overlap(texts["valid"] + texts["test"], texts["train"]))
    both = [max(sides) for sides in zip(*nearest)]
    count = len(texts["valid"])
    table = {}
    print(f"\nsimilarity to the nearest training sentence (the higher of both sides; limit "
          f"{options.max_overlap:g})")
    for name, values in zip(names, (both[:count], both[count:])):
        table[name] = _overlap_row(name, values)
        if values and max(values) >= options.max_overlap:
            raise UserError(f"{options.output}/{name}.*: line {values.index(max(values)) + 1} has "
                            f"similarity {max(values):.3f} with a training sentence",
                            "this is a fault of the script: please report it")
    return table


def _overlap_row(name, values):
    rows = holdout.histogram(values)
    highest = max(values, default=0.0)
    bounds = [low for low, _ in rows[1:]] + [1.0]
    text = "  ".join(f"{low:g}-{high:g}: {count}" for (low, count), high in zip(rows, bounds)
                     if count)
    print(f"  {name:5}  {text}   highest {highest:.3f}", flush=True)
    return {"highest": round(highest, 4), "histogram": rows}


def main(arguments):
    options = parse_arguments(arguments)
    start = time.monotonic()
    recorded = {"version": _VERSION, **{key: getattr(options, key) for key in (
        "source", "target", "suites", "mirror", "folder", "unit", "max_words", "valid", "test",
        "max_overlap", "seed")}}
    script = os.path.basename(__file__)
    if not options.force and manifest.is_current(options.output, script, recorded):
        print(f"{options.output} is complete and unchanged; --force makes it again")
        manifest.print_files(manifest.read(options.output), options.output)
        return 0
    if options.force:
        shutil.rmtree(os.path.join(options.output, "downloads"), ignore_errors=True)
    fetched = fetch_all(options)
    print("\npairing", flush=True)
    steps = report.Steps()
    units, descriptions = corpus.build(
        [data for data, _ in fetched], (options.source, options.target), options.unit, steps)
    limits = pairs.Limits(max_words=options.max_words)
    units = pairs.clean(units, (options.source, options.target), limits, steps)
    units = pairs.merge_duplicates(units, steps)
    steps.have("clean pairs", len(units))
    parts = split(units, descriptions, options, steps)
    names = []
    for name, members in parts.items():
        for language, side in ((options.source, "source"), (options.target, "target")):
            names.append(f"{name}.{language}")
            files.write_lines(os.path.join(options.output, names[-1]),
                              [getattr(pair, side) for pair in members])
    table = check_overlap(options)
    content = manifest.write(options.output, script, recorded, [origin for _, origin in fetched],
                             steps.as_json(), names, overlap=table)
    manifest.print_files(content, options.output)
    print(f"\ndone in {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    run_script(main)
