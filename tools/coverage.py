#!/usr/bin/env python3
"""Line coverage of some layers from gcovr's JSON; exit 1 if one is below the bar.

    gcovr --json coverage.json ...
    tools/coverage.py coverage.json --bar 90 ops optim decode
"""
import argparse
import json
from collections import defaultdict


def covered_lines(path):
    """{file: (lines that ran, lines with code)} from gcovr's JSON."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    counts = {}
    for entry in report["files"]:
        hits = defaultdict(int)  # a line of a template counts once, however often it was compiled
        for line in entry["lines"]:
            if not line.get("gcovr/noncode", False):
                hits[line["line_number"]] += line["count"]
        counts[entry["file"]] = (sum(count > 0 for count in hits.values()), len(hits))
    return counts


def percent(ran, total):
    return 100 * ran / total if total else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", help="gcovr's JSON")
    parser.add_argument("layers", nargs="+", help="folders of src/")
    parser.add_argument("--bar", type=float, default=90, help="least percentage (default: 90)")
    options = parser.parse_args()
    files = covered_lines(options.report)
    failed = False
    for layer in options.layers:
        below = {name: count for name, count in files.items() if name.startswith(f"src/{layer}/")}
        ran, total = (sum(count[i] for count in below.values()) for i in (0, 1))
        fails = percent(ran, total) < options.bar  # a layer without lines fails too
        failed |= fails
        print(f"{layer}: {percent(ran, total):.1f} % of {total} lines"
              + (f", below {options.bar:g} %" if fails else ""))
        for name, count in sorted(below.items(), key=lambda item: percent(*item[1])):
            if percent(*count) < options.bar:
                print(f"  {name}: {percent(*count):.1f} % of {count[1]} lines")
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
