"""debian_descriptions.py from end to end, with a small archive on the loopback interface."""

import bz2
import hashlib
import json
import lzma
import os
import random
import shutil
import unittest

import support
from common import files, similarity
from common.errors import UserError
from debian_index import fetch, release


def descriptions(count=260):
    """English and German Translation files about invented packages, with every kind of flaw."""
    rng = random.Random(9)
    stanzas = {"en": [], "de": []}

    def add(package, english, german):
        md5 = hashlib.md5(f"{package}{english}".encode()).hexdigest()
        for language, text in (("en", english), ("de", german)):
            if text:
                stanzas[language].append(f"Package: {package}\nDescription-md5: {md5}\n"
                                         f"Description-{language}: {text}\n")

    for i in range(count):
        words = [support.word(rng.randrange(3000), "e") for _ in range(24)]
        parts = [" ".join(words[a:b]) for a, b in ((0, 5), (5, 12), (12, 16), (16, 20), (20, 24))]
        english = (f"{parts[0]}\n {parts[1].title()}. {parts[2].title()}.\n .\n"
                   f" This package contains files.\n  * {parts[3]}\n  * {parts[4]}")
        german = english.replace(" e", " d").replace("E", "D").replace(
            "This package contains files", "Dieses Paket beinhaltet Dateien")
        add(f"p{support.word(i)}", english, german)
        if i % 10 == 0:
            add(f"p{support.word(i)}-dev", english.replace("\n", " development\n", 1),
                german.replace("\n", " Entwicklung\n", 1))
    add("odd-paragraphs", "odd\n one\n .\n two", "seltsam\n eins")
    add("untranslated", "Noto Sans Mono", "Noto Sans Mono")
    add("english-only", "only in English", "")
    return {language: "\n".join(rows).encode() for language, rows in stanzas.items()}


CONTENT = descriptions()


def archive(suite="trixie", en=lzma.compress, de=bz2.compress, in_release="InRelease"):
    """Path -> bytes of a mirror; like Debian's it lists plain files that it does not have."""
    packed = {"main/i18n/Translation-en.xz": en(CONTENT["en"]),
              "main/i18n/Translation-de.bz2": de(CONTENT["de"])}
    listed = {**packed, "main/i18n/Translation-en": CONTENT["en"],
              "main/i18n/Translation-de": CONTENT["de"]}
    rows = "\n".join(f" {files.sha256_of_bytes(data)} {len(data)} {path}"
                     for path, data in listed.items())
    contents = (f"Origin: Debian\nSuite: stable\nCodename: {suite}\nVersion: 13.1\n"
                f"Date: Sat, 06 Sep 2025 08:00:00 UTC\nComponents: main\nSHA256:\n{rows}\n")
    base = f"/debian/dists/{suite}/"
    return {base + in_release: contents.encode(),
            **{base + path: data for path, data in packed.items()}}


ENGLISH = "/debian/dists/trixie/main/i18n/Translation-en.xz"
GERMAN = "/debian/dists/trixie/main/i18n/Translation-de.bz2"


class Runs(support.Folder):
    """Runs of the script with the archive or its files."""

    def run_it(self, *arguments, suite="trixie"):
        return support.run_script("debian_descriptions.py", "--suite", suite, "--valid", "20",
                                  "--test", "30", "--output", self.path("out"), *arguments)

    def from_mirror(self, server, *arguments, **options):
        return self.run_it("--mirror", server.url + "/debian", "--attempts", "2",
                           "--timeout", "0.5", *arguments, **options)

    def assert_fails(self, result, *texts):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(os.path.exists(self.path("out", "manifest.json")))

    def corpus(self):
        return {name: [files.read_lines(self.path("out", f"{name}.{language}"))
                       for language in ("en", "de")] for name in ("train", "valid", "test")}


class Mirror(Runs):
    def test_good_archive(self):
        with support.Server(archive()) as server:
            result = self.from_mirror(server)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.check_corpus()
            self.check_manifest(server)
            before = len(server.requests)
            again = self.from_mirror(server)
            self.assertIn("complete and unchanged", again.stdout)
            self.assertEqual(len(server.requests), before)

    def check_corpus(self):
        corpus = self.corpus()
        self.assertEqual([len(corpus[n][0]) for n in ("valid", "test")], [20, 30])
        for sides in corpus.values():
            self.assertEqual(len(sides[0]), len(sides[1]))
        pairs = [pair for sides in corpus.values() for pair in zip(*sides)]
        self.assertEqual(len(set(pairs)), len(pairs))
        self.assertGreater(len(pairs), 700)
        for source, target in pairs:  # German words are the English ones with another first letter
            if source != "This package contains files.":
                expected = source.lower().replace(" e", " d").replace("development", "entwicklung")
                self.assertEqual(target.lower()[1:], expected[1:])
        self.assertIn(("This package contains files.", "Dieses Paket beinhaltet Dateien."), pairs)
        for source in corpus["test"][0] + corpus["valid"][0]:
            nearest = max(similarity.text_similarity(source, other) for other in corpus["train"][0])
            self.assertLess(nearest, 0.5)

    def check_manifest(self, server):
        with open(self.path("out", "manifest.json"), encoding="utf-8") as file:
            content = json.load(file)
        self.assertEqual(content["source"][0]["url"], server.url + "/debian/dists/trixie/")
        self.assertEqual(content["source"][0]["date"], "Sat, 06 Sep 2025 08:00:00 UTC")
        self.assertEqual(content["files"]["train.de"]["sha256"],
                         files.sha256_of_file(self.path("out", "train.de")))
        counts = {row["step"]: row.get("have", row.get("drop")) for row in content["steps"]}
        self.assertEqual(counts["descriptions with unequal numbers of paragraphs"], 1)
        self.assertEqual(counts["not translated: both sides have the same words"], 1)
        self.assertEqual(counts["train"], content["files"]["train.en"]["lines"])
        self.assertLess(content["overlap"]["test"]["highest"], 0.5)

    def test_same_input_and_seed_give_the_same_files(self):
        with support.Server(archive()) as server:
            self.from_mirror(server)
            first = self.corpus()
            self.from_mirror(server, "--force")
            self.assertEqual(self.corpus(), first)
            self.from_mirror(server, "--seed", "2")
            self.assertNotEqual(self.corpus()["test"], first["test"])

    def test_older_release_file_and_other_languages_order(self):
        with support.Server(archive(in_release="Release")) as server:
            result = self.from_mirror(server, "--source", "de", "--target", "en")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Dieses Paket beinhaltet Dateien.", self.corpus()["train"][1])

    def test_hiccups_are_survived(self):
        faults = {ENGLISH: ["cut"], GERMAN: ["stall"]}
        with support.Server(archive(), faults) as server:
            result = self.from_mirror(server)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(server.paths().count(ENGLISH), 2)

    def test_moved_and_slow_files_are_fetched(self):
        content = archive()
        content["/new.xz"] = content[ENGLISH]
        with support.Server(content, {ENGLISH: [("moved", "/new.xz")], GERMAN: ["slow"]}) as server:
            result = self.from_mirror(server)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Translation-en.xz is now", result.stdout)

    def test_an_interrupted_run_is_taken_up(self):
        with support.Server(archive(), {GERMAN: ["cut"]}) as server:
            self.assert_fails(self.from_mirror(server, "--attempts", "1"), "connection ended")
            self.assertEqual(self.from_mirror(server).returncode, 0)
        self.assertEqual(server.paths().count(ENGLISH), 1)
        self.assertIsNotNone(server.requests[-1][1])  # the rest of the German file, by range

    def test_a_corrupt_file_is_refused(self):
        content = archive()
        content[GERMAN] = content[GERMAN][:-1] + b"?"
        with support.Server(content) as server:
            self.assert_fails(self.from_mirror(server), "Translation-de.bz2", "has SHA256")

    def test_a_truncated_file_is_refused(self):
        with support.Server(archive(), {ENGLISH: ["cut"] * 9}) as server:
            self.assert_fails(self.from_mirror(server), "the connection ended after",
                              "run the same command")

    def test_a_listed_file_that_is_missing(self):
        content = archive()
        del content[GERMAN]
        with support.Server(content) as server:
            self.assert_fails(self.from_mirror(server), "not there in any form")

    def test_unknown_suite_language_and_mirror(self):
        with support.Server(archive()) as server:
            self.assert_fails(self.from_mirror(server, suite="trixy"), "no such suite")
            self.assert_fails(self.from_mirror(server, "--target", "xx"), "'xx'", "it has: de en")
        self.assert_fails(self.from_mirror(server), "could not download", "refused")

    def test_a_captive_portal_is_recognised(self):
        with support.Server({"/debian/dists/trixie/InRelease": b"<html>Log in</html>"}) as server:
            self.assert_fails(self.from_mirror(server), "not a Debian Release file")


class Options(Runs):
    def raw_folder(self):
        for language, data in CONTENT.items():
            self.write(f"raw/Translation-{language}", data)
        return self.path("raw")

    def test_from_folder_gives_what_the_mirror_gives(self):
        with support.Server(archive()) as server:
            self.from_mirror(server)
        expected = self.corpus()
        shutil.rmtree(self.path("out"))
        result = self.run_it("--from", self.raw_folder())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.corpus(), expected)

    def test_max_words_and_unit(self):
        folder = self.raw_folder()
        self.run_it("--from", folder, "--max-words", "5")
        self.assertEqual(max(len(s.split()) for s in self.corpus()["train"][0]), 5)
        self.run_it("--from", folder, "--max-words", "0", "--unit", "paragraph")
        self.assertEqual(max(len(s.split()) for s in self.corpus()["train"][0]), 11)

    def test_a_split_that_cannot_be_made(self):
        folder = self.raw_folder()
        self.assert_fails(self.run_it("--from", folder, "--test", "5000"),
                          "of 5,020 pairs for valid and test", "lower --valid and --test")

    def test_wrong_options(self):
        folder = self.raw_folder()
        for arguments, text in ((("--target", "en"), "both en"), (("--test", "-1"), "negative"),
                                (("--max-overlap", "0"), "--max-overlap"),
                                (("--target", "../x"), "language code"),
                                (("--suite", "../etc"), "list of suites")):
            self.assert_fails(self.run_it("--from", folder, *arguments), text)
        self.assertEqual(self.run_it("--from", "a", "--mirror", "b").returncode, 2)

    def test_help_teaches(self):
        text = support.run_script("debian_descriptions.py", "--help").stdout
        for part in ("Description-md5", "examples:", "Exit status", "default: trixie,bookworm"):
            self.assertIn(part, text)


@unittest.skipUnless(shutil.which("apt-get"), "apt-get is not installed")
class Apt(support.Folder):
    def fetch(self, server, trusted, languages=("en", "de")):
        os.environ["no_proxy"] = "127.0.0.1"
        source = release.AptSource(server.url + "/debian", trusted=trusted)
        return fetch.with_apt(source, "trixie", list(languages), self.path("apt"))

    def test_apt_fetches_into_its_own_folder(self):
        with support.Server(archive(in_release="Release")) as server:
            data, source = self.fetch(server, trusted=True)
        self.assertEqual(data, CONTENT)
        self.assertEqual((source["from"], source["codename"]), ("apt", "trixie"))
        fetched = [p for p in server.paths() if "Translation" in p or "Packages" in p]
        self.assertEqual(sorted(fetched), sorted([ENGLISH, GERMAN]))

    def test_an_unsigned_archive_is_refused(self):
        with support.Server(archive()) as server:
            with self.assertRaisesRegex(UserError, "apt-get update failed(?s:.*)not signed"):
                self.fetch(server, trusted=False)

    def test_a_language_that_is_not_there(self):
        with support.Server(archive(in_release="Release")) as server:
            with self.assertRaisesRegex(UserError, "no descriptions in the language 'xx'"):
                self.fetch(server, trusted=True, languages=("en", "xx"))


if __name__ == "__main__":
    unittest.main()
