"""Reads what an archive says about itself: InRelease or Release, and apt's list of sources."""

import dataclasses
import glob
import os
import re

from common.errors import UserError

EXTENSIONS = (".xz", ".bz2", ".gz", "")  # in order of preference


@dataclasses.dataclass
class Release:
    """The signed table of contents of one suite."""

    suite: str
    codename: str
    version: str
    date: str
    checksums: dict  # path below dists/SUITE -> SHA256

    def variants(self, language):
        """(path, SHA256) of each form in which the archive offers the language, best first."""
        stem = f"main/i18n/Translation-{language}"
        return [(stem + end, self.checksums[stem + end]) for end in EXTENSIONS
                if stem + end in self.checksums]

    def languages(self):
        found = (re.match(r"main/i18n/Translation-(\w+)", path) for path in self.checksums)
        return sorted({match[1] for match in found if match})

    def describe(self):
        return {"suite": self.suite, "codename": self.codename, "version": self.version,
                "date": self.date}


def parse_release(data, where):
    """Reads Release or InRelease; the signature around it is not looked at."""
    text = data.decode("utf-8", errors="replace")
    section = re.search(r"^SHA256:[ \t]*\n((?: .*\n?)+)", text, re.MULTILINE)
    if not section:
        raise UserError(f"{where} is not a Debian Release file: it has no SHA256 section",
                        "give --mirror the address above dists/, "
                        "for instance http://deb.debian.org/debian")
    rows = (line.split() for line in section[1].splitlines())
    checksums = {row[2]: row[0] for row in rows if len(row) == 3}

    def field(name):
        match = re.search(rf"^{name}: *(.*)$", text, re.MULTILINE)
        return match[1].strip() if match else ""

    return Release(field("Suite"), field("Codename"), field("Version"), field("Date"), checksums)


@dataclasses.dataclass(frozen=True)
class AptSource:
    """A Debian archive in the apt configuration of this machine."""

    uri: str
    signed_by: str = ""  # a key file; empty: apt's own keys
    trusted: bool = False  # the machine's administrator wants no signature check here

    def line(self, suite, languages):
        """The one-line form of a source that has nothing but the descriptions of a suite."""
        options = ["target=Translations", "lang=" + ",".join(languages)]
        if self.signed_by.startswith("/"):
            options.append("signed-by=" + self.signed_by)
        if self.trusted:
            options.append("trusted=yes")
        return f"deb [{' '.join(options)}] {self.uri} {suite} main\n"


def apt_sources(folder="/etc/apt"):
    """The archives in apt's sources that are Debian's: those with component main of a Debian suite.

    Third-party archives, security and update suites, and disabled entries are left out.
    """
    result = []
    for path in [os.path.join(folder, "sources.list"),
                 *sorted(glob.glob(os.path.join(folder, "sources.list.d", "*.list"))),
                 *sorted(glob.glob(os.path.join(folder, "sources.list.d", "*.sources")))]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        entries = _deb822_entries(text) if path.endswith(".sources") else _one_line_entries(text)
        result += [AptSource(uri.rstrip("/"), key, trusted)
                   for uri, suite, components, key, trusted in entries
                   if "main" in components and _is_debian(uri, suite)]
    return list(dict.fromkeys(result))


def _is_debian(uri, suite):
    """`.../debian` holds Debian's own suites; `debian-security` and the like translate nothing."""
    return uri.rstrip("/").endswith("/debian") and "/" not in suite


def _one_line_entries(text):
    for line in text.splitlines():
        match = re.match(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)", line.split("#")[0])
        if match:
            options, uri, suite, components = match.groups()
            key = re.search(r"signed-by=(\S+)", options or "")
            yield (uri, suite, components.split(), key[1] if key else "",
                   "trusted=yes" in (options or ""))


def _deb822_entries(text):
    for stanza in re.split(r"\n\s*\n", text):
        fields = {}
        for line in stanza.splitlines():
            name, colon, value = line.partition(":")
            if colon and not line.startswith(("#", " ", "\t")):
                fields[name.strip().lower()] = value.strip()
        if "deb" not in fields.get("types", "").split() or fields.get("enabled") == "no":
            continue
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield (uri, suite, fields.get("components", "").split(),
                       fields.get("signed-by", ""), fields.get("trusted") == "yes")
