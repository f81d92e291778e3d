"""debian_index/: Translation files, descriptions, Release files, apt's sources."""

import contextlib
import io
import unittest

import support
from common import report
from common.errors import UserError
from debian_index import control, corpus, fetch, release, segments

MD5 = "d943033bedada21853d2ae54a2578a7b"


def stanza(package, md5, language, text):
    return f"Package: {package}\nDescription-md5: {md5}\nDescription-{language}: {text}\n\n"


class Control(unittest.TestCase):
    def test_reads_stanzas_of_the_language(self):
        data = (stanza("a", MD5, "de", "Spiel\n Ein Satz.\n .\n Grüße.")
                + stanza("b", "0" * 32, "de", "Werkzeug")).encode()
        found, unusable = control.parse_translation(data, "de")
        self.assertEqual(found[MD5.encode()],
                         control.Description("a", "Spiel\n Ein Satz.\n .\n Grüße."))
        self.assertEqual((found[b"0" * 32].text, unusable), ("Werkzeug", 0))

    def test_other_language_checksum_or_encoding_is_unusable(self):
        data = (stanza("a", MD5, "fr", "Jeu") + "Package: x\nDescription-de: y\n\n").encode()
        data += stanza("c", "1" * 32, "de", "Gr").encode() .replace(b"Gr", b"Gr\xfc\xdfe")
        self.assertEqual(control.parse_translation(data, "de"), ({}, 3))

    def test_language_with_country_is_not_its_language(self):
        data = stanza("a", MD5, "pt_BR", "jogo").encode()
        self.assertEqual(control.parse_translation(data, "pt")[0], {})
        self.assertEqual(len(control.parse_translation(data, "pt_BR")[0]), 1)

    def test_only_wanted_checksums(self):
        data = (stanza("a", MD5, "en", "x") + stanza("b", "0" * 32, "en", "y")).encode()
        self.assertEqual(list(control.parse_translation(data, "en", {b"0" * 32})[0]), [b"0" * 32])

    def test_garbage_is_not_an_exception(self):
        self.assertEqual(control.parse_translation(b"\x00\xff\n\n\n<html>\n", "de"), ({}, 2))


class Segments(unittest.TestCase):
    def test_paragraphs_and_synopsis(self):
        self.assertEqual(segments.paragraphs("synopsis \n one\n two\n .\n .\n three\n ."),
                         [["synopsis"], ["one", "two"], ["three"]])
        self.assertEqual(segments.paragraphs("only"), [["only"]])

    def test_items_of_lists_and_verbatim_lines(self):
        lines = ["Features:", " * first item", "   goes on", " * second", "- third", "1. fourth",
                 "(2) fifth", " o sixth"]
        self.assertEqual(segments.items(lines), ["Features:", "first item goes on", "second",
                                                 "third", "fourth", "fifth", "sixth"])
        self.assertEqual(segments.items(["Text that", "goes on", " verbatim 1", " verbatim 2"]),
                         ["Text that goes on", "verbatim 1", "verbatim 2"])
        self.assertEqual(segments.items(["o mundo", "-x is an option", "2.5 times"]),
                         ["o mundo -x is an option 2.5 times"])

    def test_words_broken_at_their_own_hyphen_are_mended(self):
        lines = ["ein Python-", "Programm für Ein-", "und Ausgabe -", "Ende"]
        self.assertEqual(segments.items(lines), ["ein Python-Programm für Ein- und Ausgabe - Ende"])

    def test_sentences(self):
        cases = {
            "One. Two! Three? Four": ["One.", "Two!", "Three?", "Four"],
            "Er sagt »Ja.« Dann geht er.": ["Er sagt »Ja.«", "Dann geht er."],
            "Dies ist z. B. Text, d.h. Worte usw. Ende.":
                ["Dies ist z. B. Text, d.h. Worte usw. Ende."],
            "See e.g. Foo. It is good.": ["See e.g. Foo.", "It is good."],
            "am 3. Mai. Im Jahr 2. Ende": ["am 3. Mai.", "Im Jahr 2. Ende"],
            "Edit config.h. Then run it.": ["Edit config.h.", "Then run it."],
            "Wait... What? Version 1.2 is out.": ["Wait... What?", "Version 1.2 is out."],
            "It has 3D. Äpfel sind da. 2 more.": ["It has 3D.", "Äpfel sind da.", "2 more."],
            "foo. bar is lower case": ["foo. bar is lower case"],
            "": [], "x": ["x"], "Done.": ["Done."],
        }
        for text, expected in cases.items():
            self.assertEqual(segments.sentences(text), expected)


class Pairing(unittest.TestCase):
    def build(self, english, german, unit="sentence"):
        suite = {"en": stanza("a", MD5, "en", english).encode(),
                 "de": stanza("a", MD5, "de", german).encode()}
        steps = report.Steps()
        with contextlib.redirect_stdout(io.StringIO()):
            units, _ = corpus.build([suite], ("en", "de"), unit, steps)
        return [(u.source, u.target) for u in units], {t: n for t, n, _ in steps.rows}

    def test_splits_both_sides_alike(self):
        units, _ = self.build("tool\n One. Two.\n .\n List:\n  * a\n  * b",
                              "Werkzeug\n Eins. Zwei.\n .\n Liste:\n  - A\n  - B")
        self.assertEqual(units, [("tool", "Werkzeug"), ("One.", "Eins."), ("Two.", "Zwei."),
                                 ("List:", "Liste:"), ("a", "A"), ("b", "B")])

    def test_unequal_sentences_stay_whole(self):
        units, counts = self.build("t\n One. Two.", "t\n Eins und zwei.")
        self.assertEqual(units[1], ("One. Two.", "Eins und zwei."))
        self.assertEqual(counts["paragraphs kept whole, their sentences are not equally many"], 1)

    def test_unit_paragraph_keeps_sentences_together(self):
        self.assertEqual(self.build("t\n One. Two.", "t\n Eins. Zwei.", "paragraph")[0][1],
                         ("One. Two.", "Eins. Zwei."))

    def test_unequal_items_and_paragraphs_are_counted_and_left_out(self):
        units, counts = self.build("t\n List:\n  * a\n .\n end", "t\n Liste:\n .\n Ende")
        self.assertEqual(units, [("t", "t"), ("end", "Ende")])
        self.assertEqual(counts["paragraphs with unequal numbers of list items or lines"], 1)
        units, counts = self.build("t\n a\n .\n b", "t\n a")
        self.assertEqual(units, [])
        self.assertEqual(counts["descriptions with unequal numbers of paragraphs"], 1)

    def test_nothing_in_common_is_a_user_error(self):
        suite = {"en": stanza("a", MD5, "en", "x").encode(), "de": b""}
        with self.assertRaisesRegex(UserError, "no description in common"):
            corpus.build([suite], ("en", "de"), "sentence", report.Steps())

    def test_the_first_suite_wins(self):
        suites = [{"en": stanza("a", MD5, "en", "tool").encode(),
                   "de": stanza("a", MD5, "de", german).encode()} for german in ("neu", "alt")]
        with contextlib.redirect_stdout(io.StringIO()):
            units, _ = corpus.build(suites, ("en", "de"), "sentence", report.Steps())
        self.assertEqual([(u.source, u.target) for u in units], [("tool", "neu")])


class Clusters(unittest.TestCase):
    def together(self, *descriptions):
        """Which descriptions (package, text) share a cluster, as a list of cluster numbers."""
        clusters = corpus.cluster([control.Description(*d) for d in descriptions])
        return [clusters.find(i) for i in range(len(descriptions))]

    def test_package_families(self):
        for name in ("libfoo2-dev", "foo", "foo-doc", "python3-foo", "libfoo-perl", "foo-gui-data",
                     "libfoo1.2-dev"):
            self.assertEqual(corpus.family(name), "foo", name)
        self.assertEqual(self.together(("libfoo2", "x"), ("other", "y"), ("foo-doc", "z")),
                         [0, 1, 0])

    def test_similar_texts(self):
        text = "editor\n It edits the files of the many users of this system and saves them well"
        self.assertEqual(self.together(("a", text), ("b", text + " with colours"), ("c", "no")),
                         [0, 0, 2])

    def test_a_rare_shared_sentence_joins_and_boilerplate_does_not(self):
        def texts(shared, count):
            long = " ".join
            return [(f"pkg{support.word(i)}", f"s\n {shared}\n .\n " + long(
                support.word(100 * i + k) for k in range(40))) for i in range(count)]
        sentence = "This package contains the rare and useful files."
        self.assertEqual(self.together(*texts(sentence, 3)), [0, 0, 0])
        self.assertEqual(self.together(*texts(sentence, 11)), list(range(11)))
        self.assertEqual(self.together(*texts("A short one here.", 3)), [0, 1, 2])


RELEASE = f"""\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

Origin: Debian
Suite: stable
Version: 13.1
Codename: trixie
Date: Sat, 06 Sep 2025 08:00:00 UTC
MD5Sum:
 {'0' * 32} 10 main/i18n/Translation-de.bz2
SHA256:
 {'a' * 64} 20 main/i18n/Translation-de
 {'b' * 64} 10 main/i18n/Translation-de.bz2
 {'c' * 64} 10 main/i18n/Translation-pt_BR.xz
-----BEGIN PGP SIGNATURE-----
"""


class Release(unittest.TestCase):
    def test_reads_names_and_checksums(self):
        contents = release.parse_release(RELEASE.encode(), "x")
        self.assertEqual(contents.describe(), {"suite": "stable", "codename": "trixie",
                                               "version": "13.1",
                                               "date": "Sat, 06 Sep 2025 08:00:00 UTC"})
        self.assertEqual(contents.variants("de"), [("main/i18n/Translation-de.bz2", "b" * 64),
                                                   ("main/i18n/Translation-de", "a" * 64)])
        self.assertEqual(contents.variants("xx"), [])
        self.assertEqual(contents.languages(), ["de", "pt_BR"])

    def test_a_web_page_instead_is_a_user_error(self):
        with self.assertRaisesRegex(UserError, "not a Debian Release file"):
            release.parse_release(b"<html>Welcome to the hotel</html>", "http://x/InRelease")


class AptSources(support.Folder):
    def test_finds_debian_in_both_formats_and_nothing_else(self):
        self.write("sources.list", b"""\
# deb http://commented.example/debian trixie main
deb [arch=amd64 signed-by=/k.gpg] http://one.example/debian/ trixie main contrib # end
deb-src http://src.example/debian trixie main
deb http://security.debian.org/debian-security trixie-security main
deb http://flat.example/debian ./
deb [trusted=yes] http://local.example/debian sid main
""")
        self.write("sources.list.d/debian.sources", b"""\
# the archive
Types: deb deb-src
URIs: http://two.example/debian http://three.example/debian
Suites: trixie trixie-updates
Components: main non-free-firmware
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
Enabled: no
URIs: http://disabled.example/debian
Suites: trixie
Components: main
""")
        self.write("sources.list.d/other.list", b"deb https://other.example/apt stable main\n")
        key = "/usr/share/keyrings/debian-archive-keyring.gpg"
        self.assertEqual(release.apt_sources(self.folder), [
            release.AptSource("http://one.example/debian", "/k.gpg"),
            release.AptSource("http://local.example/debian", trusted=True),
            release.AptSource("http://two.example/debian", key),
            release.AptSource("http://three.example/debian", key)])

    def test_no_sources_at_all(self):
        self.assertEqual(release.apt_sources(self.path("nowhere")), [])

    def test_line_asks_for_descriptions_only(self):
        self.assertEqual(release.AptSource("http://x/debian", "/k.gpg").line("sid", ["en", "de"]),
                         "deb [target=Translations lang=en,de signed-by=/k.gpg] http://x/debian "
                         "sid main\n")


class FromFolder(support.Folder):
    def test_takes_apts_names_and_its_lists_folder(self):
        for language in ("en", "de"):
            self.write(f"lists/deb.debian.org_debian_dists_sid_main_i18n_Translation-{language}",
                       language.encode())
        data, source = fetch.from_folder(self.folder, "sid", ["en", "de"])
        self.assertEqual(data, {"en": b"en", "de": b"de"})
        self.assertEqual(source["from"], "folder")

    def test_the_suite_decides_between_several(self):
        for suite in ("sid", "trixie"):
            self.write(f"x_dists_{suite}_main_i18n_Translation-en", suite.encode())
        self.assertEqual(fetch.from_folder(self.folder, "trixie", ["en"])[0], {"en": b"trixie"})
        with self.assertRaisesRegex(UserError, "several files for the language en"):
            fetch.from_folder(self.folder, "bookworm", ["en"])

    def test_what_is_missing_is_named(self):
        self.write("Translation-en", b"x")
        with self.assertRaisesRegex(UserError, "no Translation-de"):
            fetch.from_folder(self.folder, "sid", ["en", "de"])
        with self.assertRaisesRegex(UserError, "no such folder"):
            fetch.from_folder(self.path("nowhere"), "sid", ["en"])


if __name__ == "__main__":
    unittest.main()
