#!/usr/bin/env python3
"""Generates an English-German corpus of numbers, dates, times and prices in words, of any size.

The German is correct by construction, so a model can reach zero errors: good for tests that must
show learning, and for a first look at a new model.  Three levels:

  digits  three seven one                           drei sieben eins
  words   eighteen thousand three hundred and five  achtzehntausenddreihundertfünf
  full    half past three                           halb vier
          she was born on the third of May nineteen eighty-four
          sie wurde am dritten Mai neunzehnhundertvierundachtzig geboren

No source and no target line occurs twice, so train, valid and test are disjoint.  The same options
give the same files.
"""

import argparse
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from common import files, manifest  # noqa: E402
from common.errors import UserError, run_script  # noqa: E402
from common.report import Progress  # noqa: E402
from number_words import grammar  # noqa: E402

_VERSION = 1  # part of the options in the manifest: raise it when the output changes
_DEFAULT_TRAIN = {"digits": 5_000, "words": 20_000, "full": 50_000}
_MOST_MISSES = 20_000  # this many repetitions in a row mean that hardly anything is left to draw
_EXAMPLES = """\
examples:
  generated_numbers.py                                   the easiest level: learnt in a minute
  generated_numbers.py --level full --train 200000 --output data/numbers_full

Exit status: 0 done or nothing to do, 2 an error that you can mend, 130 interrupted.
"""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, epilog=_EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=grammar.LEVELS, default="digits",
                        help="(default: digits)")
    parser.add_argument("--train", type=int, metavar="N",
                        help="training pairs (default: 5,000 digits, 20,000 words, 50,000 full)")
    parser.add_argument("--valid", type=int, default=500, metavar="N", help="(default: 500)")
    parser.add_argument("--test", type=int, default=500, metavar="N", help="(default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--output", default="data/numbers_ende", metavar="DIR",
                        help="(default: data/numbers_ende)")
    parser.add_argument("--force", action="store_true", help="make everything again")
    options = parser.parse_args(arguments)
    if options.train is None:
        options.train = _DEFAULT_TRAIN[options.level]
    if min(options.train, options.valid, options.test) < 0:
        raise UserError("--train, --valid and --test cannot be negative")
    return options


def generate(level, count, seed):
    """`count` different pairs."""
    rng = random.Random(seed)
    pairs, sources, targets = [], set(), set()
    misses = 0
    progress = Progress("generating", count, "pairs")
    while len(pairs) < count:
        source, target = grammar.draw(rng, level)
        if source in sources or target in targets:
            misses += 1
            if misses > _MOST_MISSES:
                raise UserError(f"level {level} has hardly more than {len(pairs):,} different "
                                f"pairs, {count:,} were asked for",
                                "lower --train, or choose a higher --level")
            continue
        misses = 0
        sources.add(source)
        targets.add(target)
        pairs.append((source, target))
        progress.update(len(pairs))
    progress.finish()
    return pairs


def main(arguments):
    options = parse_arguments(arguments)
    script = os.path.basename(__file__)
    recorded = {"version": _VERSION, **{key: getattr(options, key) for key in (
        "level", "train", "valid", "test", "seed")}}
    if not options.force and manifest.is_current(options.output, script, recorded):
        print(f"{options.output} is complete and unchanged; --force makes it again")
        manifest.print_files(manifest.read(options.output), options.output)
        return 0
    sizes = {"valid": options.valid, "test": options.test, "train": options.train}
    pairs = generate(options.level, sum(sizes.values()), options.seed)
    random.Random(options.seed + 1).shuffle(pairs)  # late draws are longer: short ones run out
    names = []
    start = 0
    for name, size in sizes.items():
        part = pairs[start:start + size]
        start += size
        for side, language in enumerate(("en", "de")):
            names.append(f"{name}.{language}")
            files.write_lines(os.path.join(options.output, names[-1]), [p[side] for p in part])
    content = manifest.write(options.output, script, recorded, {"from": "grammar"}, [], names)
    manifest.print_files(content, options.output)
    return 0


if __name__ == "__main__":
    run_script(main)
