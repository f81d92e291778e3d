"""manifest.json: which files a script made, from what, with which options and counts.

A script that finds a manifest with its own options, and the files as the manifest describes them,
has nothing to do.
"""

import json
import os

from . import files

NAME = "manifest.json"


def describe(path):
    """Lines, words, bytes and checksum of one corpus file."""
    data = files.read_bytes(path)
    return {"lines": len(files.split_lines(data)), "words": len(data.split()), "bytes": len(data),
            "sha256": files.sha256_of_bytes(data)}


def write(folder, script, options, source, steps, names, **extra):
    """Describes `names` in `folder` and writes the manifest last, as the sign of completeness."""
    content = {"script": script, "options": options, "source": source, "steps": steps,
               "files": {name: describe(os.path.join(folder, name)) for name in names}, **extra}
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    files.write_bytes(os.path.join(folder, NAME), text.encode("utf-8"))
    return content


def read(folder):
    """The manifest in `folder`, or None where there is none that can be read."""
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def is_current(folder, script, options):
    """True when `folder` holds what `script` makes with `options`, unchanged to the last byte."""
    content = read(folder)
    if not content or content.get("script") != script or content.get("options") != options:
        return False
    for name, described in content.get("files", {}).items():
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or files.sha256_of_file(path) != described.get("sha256"):
            return False
    return bool(content.get("files"))


def print_files(content, folder):
    """The table of files with which every script ends."""
    print(f"\n{'lines':>9} {'words':>10}  sha256        file")
    for name, row in content["files"].items():
        print(f"{row['lines']:>9,} {row['words']:>10,}  {row['sha256'][:12]}  "
              f"{os.path.join(folder, name)}")
