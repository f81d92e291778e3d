"""Brings the Translation files of one suite into a folder: from a mirror, with apt, or from files.

Each function returns (data, source): the uncompressed content by language, and what the manifest
says about where it came from.
"""

import glob
import os
import shutil
import subprocess

from common import download, files
from common.errors import UserError

from . import release


def from_mirror(mirror, suite, languages, folder, options):
    """Over HTTP from any mirror; every file must have the SHA256 that the Release file states."""
    base = f"{mirror.rstrip('/')}/dists/{suite}/"
    contents = _fetch_release(base, folder, options)
    data, described = {}, {}
    for language in languages:
        variants = contents.variants(language)
        if not variants:
            raise _no_such_language(language, suite, contents)
        path, url, checksum = _fetch_first(base, variants, folder, options)
        data[language] = files.decompress(files.read_bytes(path), path)
        described[language] = {"url": url, "sha256": checksum}
    return data, {"from": "mirror", "url": base, **contents.describe(), "files": described}


def _fetch_release(base, folder, options):
    """InRelease, or the older Release; always fresh, because it changes under the same name."""
    for name in ("InRelease", "Release"):
        path = os.path.join(folder, name)
        for leftover in (path, path + ".partial"):
            if os.path.exists(leftover):
                os.unlink(leftover)
        try:
            download.fetch(base + name, path, options=options)
        except download.NotFound:
            continue
        return release.parse_release(files.read_bytes(path), base + name)
    raise UserError(f"no such suite: {base} has neither InRelease nor Release",
                    "check --mirror and --suite; suites are trixie, bookworm, stable, sid, ...")


def _fetch_first(base, variants, folder, options):
    """The first form of a file that the server has: archives list more forms than they keep."""
    for path, checksum in variants:
        target = os.path.join(folder, os.path.basename(path))
        try:
            download.fetch(base + path, target, checksum, options)
            return target, base + path, checksum
        except download.NotFound:
            continue
    raise UserError(f"{base}{variants[0][0]}: listed in Release, but not there in any form",
                    "the mirror is incomplete; try another one, or again in some minutes")


def _no_such_language(language, suite, contents):
    return UserError(f"suite {suite} has no descriptions in the language {language!r}",
                     "it has: " + " ".join(contents.languages()))


_APT_CONFIGURATION = """\
#clear Acquire::Languages;
Acquire::Languages {{ {languages} }};
Acquire::GzipIndexes "false";
Acquire::IndexTargets::deb::Packages::DefaultEnabled "false";
Dir::State "{folder}";
Dir::State::lists "{folder}/lists";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "{user}";
APT::Update::Post-Invoke "";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Update::Pre-Invoke;
"""


def apt_archive():
    """The Debian archive that this machine's apt is set up for, or None."""
    sources = release.apt_sources() if shutil.which("apt-get") else []
    return sources[0] if sources else None


def with_apt(source, suite, languages, folder):
    """With apt-get, its lists in `folder`: the machine's own lists and settings stay untouched.

    The machine's proxies, credentials and keys apply; apt checks signature and checksums.
    """
    folder = os.path.abspath(folder)
    _write_apt_folder(source, suite, languages, folder)
    command = ["apt-get", "-c", os.path.join(folder, "apt.conf"), "-q", "update", "--error-on=any"]
    print("  " + " ".join(command), flush=True)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "LC_ALL": "C"}, check=False)
    complaints = [line for line in result.stdout.splitlines()
                  if line.startswith(("E:", "W:", "Err"))] or ["no message"]
    if result.returncode != 0:
        raise UserError("apt-get update failed:\n    " + "\n    ".join(complaints),
                        "check the suite and the network, or use --mirror "
                        "http://deb.debian.org/debian or --from DIR")
    data, described = {}, {}
    for language in languages:
        path = _apt_list(folder, language)
        if path:
            data[language] = files.read_bytes(path)
            described[language] = {"sha256": files.sha256_of_bytes(data[language])}
    contents = _apt_release(folder)
    for language in languages:
        if language not in data:
            raise _no_such_language(language, suite, contents)
    return data, {"from": "apt", "url": f"{source.uri}/dists/{suite}/", **contents.describe(),
                  "files": described}


def _write_apt_folder(source, suite, languages, folder):
    for name in ("lists/partial", "cache/archives/partial"):
        files.make_folder(os.path.join(folder, name))
    configuration = _APT_CONFIGURATION.format(
        folder=folder, languages=" ".join(f'"{x}";' for x in languages),
        user="root" if os.geteuid() == 0 else "_apt")
    files.write_bytes(os.path.join(folder, "sources.list"), source.line(suite, languages).encode())
    files.write_bytes(os.path.join(folder, "apt.conf"), configuration.encode())
    files.write_bytes(os.path.join(folder, "status"), b"")


def _apt_list(folder, language):
    found = glob.glob(os.path.join(folder, "lists", f"*_main_i18n_Translation-{language}"))
    return found[0] if found else None


def _apt_release(folder):
    for path in glob.glob(os.path.join(folder, "lists", "*Release")):
        return release.parse_release(files.read_bytes(path), path)
    raise UserError(f"apt-get left no Release file in {folder}/lists",
                    "use --mirror http://deb.debian.org/debian")


def from_folder(folder, suite, languages):
    """From files that are there already: Translation-xx, plain or packed, with any prefix."""
    if not os.path.isdir(folder):
        raise UserError(f"--from {folder}: no such folder")
    data, described = {}, {}
    for language in languages:
        path = _find_translation(folder, suite, language)
        packed = files.read_bytes(path)
        data[language] = files.decompress(packed, path)
        described[language] = {"file": os.path.basename(path),
                               "sha256": files.sha256_of_bytes(packed)}
    return data, {"from": "folder", "url": os.path.abspath(folder), "files": described}


def _find_translation(folder, suite, language):
    """One file for the language; apt's names, which hold the suite, decide between several."""
    places = (glob.escape(folder), os.path.join(glob.escape(folder), "lists"))
    found = [path for place in places for end in release.EXTENSIONS
             for path in sorted(glob.glob(f"{place}/*Translation-{language}{end}"))]
    if not found:
        raise UserError(f"{folder} holds no Translation-{language} (plain, .xz, .bz2 or .gz)",
                        "copy it there from a mirror, dists/SUITE/main/i18n/; apt's own .lz4 lists "
                        "must be unpacked first, with lz4 -d")
    named = [path for path in found if f"_{suite}_main_" in os.path.basename(path)]
    candidates = named or found
    stems = {path.removesuffix(end) for path in candidates for end in release.EXTENSIONS[:-1]
             if path.endswith(end)} | {p for p in candidates
                                       if not p.endswith(release.EXTENSIONS[:-1])}
    if len(stems) > 1:
        raise UserError(f"{folder} holds several files for the language {language}: "
                        + ", ".join(sorted(map(os.path.basename, stems))),
                        "name one suite with --suite, or give each suite a folder of its own")
    return candidates[0]
