"""generated_numbers.py and number_words/."""

import collections
import datetime
import random
import re
import unittest

import support
from common import files
from number_words import english, german, grammar

CARDINALS = {
    0: ("zero", "null"), 1: ("one", "eins"), 7: ("seven", "sieben"), 10: ("ten", "zehn"),
    11: ("eleven", "elf"), 12: ("twelve", "zwölf"), 16: ("sixteen", "sechzehn"),
    17: ("seventeen", "siebzehn"), 20: ("twenty", "zwanzig"), 21: ("twenty-one", "einundzwanzig"),
    30: ("thirty", "dreißig"), 66: ("sixty-six", "sechsundsechzig"),
    77: ("seventy-seven", "siebenundsiebzig"), 99: ("ninety-nine", "neunundneunzig"),
    100: ("one hundred", "einhundert"), 101: ("one hundred and one", "einhunderteins"),
    111: ("one hundred and eleven", "einhundertelf"),
    121: ("one hundred and twenty-one", "einhunderteinundzwanzig"),
    999: ("nine hundred and ninety-nine", "neunhundertneunundneunzig"),
    1000: ("one thousand", "eintausend"), 1001: ("one thousand and one", "eintausendeins"),
    1100: ("one thousand one hundred", "eintausendeinhundert"),
    18305: ("eighteen thousand three hundred and five", "achtzehntausenddreihundertfünf"),
    21000: ("twenty-one thousand", "einundzwanzigtausend"),
    101000: ("one hundred and one thousand", "einhunderteintausend"),
    201016: ("two hundred and one thousand and sixteen", "zweihunderteintausendsechzehn"),
    999999: ("nine hundred and ninety-nine thousand nine hundred and ninety-nine",
             "neunhundertneunundneunzigtausendneunhundertneunundneunzig"),
}
ORDINALS = {
    1: ("first", "erste"), 2: ("second", "zweite"), 3: ("third", "dritte"), 5: ("fifth", "fünfte"),
    7: ("seventh", "siebte"), 8: ("eighth", "achte"), 9: ("ninth", "neunte"),
    12: ("twelfth", "zwölfte"), 19: ("nineteenth", "neunzehnte"), 20: ("twentieth", "zwanzigste"),
    21: ("twenty-first", "einundzwanzigste"), 30: ("thirtieth", "dreißigste"),
    100: ("one hundredth", "einhundertste"), 101: ("one hundred and first", "einhunderterste"),
    103: ("one hundred and third", "einhundertdritte"),
    112: ("one hundred and twelfth", "einhundertzwölfte"),
    120: ("one hundred and twentieth", "einhundertzwanzigste"),
    1000: ("one thousandth", "eintausendste"),
    2008: ("two thousand and eighth", "zweitausendachte"),
}
YEARS = {
    1600: ("sixteen hundred", "sechzehnhundert"), 1701: ("seventeen oh one", "siebzehnhunderteins"),
    1899: ("eighteen ninety-nine", "achtzehnhundertneunundneunzig"),
    1984: ("nineteen eighty-four", "neunzehnhundertvierundachtzig"),
    2000: ("two thousand", "zweitausend"), 2005: ("two thousand and five", "zweitausendfünf"),
    2010: ("twenty ten", "zweitausendzehn"),
    2026: ("twenty twenty-six", "zweitausendsechsundzwanzig"),
}
TIMES_12 = {
    (3, 0): ("three o'clock", "drei Uhr"), (1, 0): ("one o'clock", "ein Uhr"),
    (3, 30): ("half past three", "halb vier"), (12, 30): ("half past twelve", "halb eins"),
    (3, 15): ("quarter past three", "Viertel nach drei"),
    (3, 45): ("quarter to four", "Viertel vor vier"),
    (12, 45): ("quarter to one", "Viertel vor eins"),
    (9, 10): ("ten past nine", "zehn nach neun"), (9, 50): ("ten to ten", "zehn vor zehn"),
    (3, 25): ("twenty-five past three", "fünf vor halb vier"),
    (3, 35): ("twenty-five to four", "fünf nach halb vier"),
    (1, 1): ("one minute past one", "eine Minute nach eins"),
    (11, 37): ("twenty-three minutes to twelve", "dreiundzwanzig Minuten vor zwölf"),
}
TIMES_24 = {
    (16, 5): ("sixteen oh five", "sechzehn Uhr fünf"),
    (16, 0): ("sixteen hundred hours", "sechzehn Uhr"),
    (21, 21): ("twenty-one twenty-one", "einundzwanzig Uhr einundzwanzig"),
}


class Words(unittest.TestCase):
    def test_hand_checked_cases(self):
        for table, name in ((CARDINALS, "cardinal"), (ORDINALS, "ordinal"), (YEARS, "year")):
            for n, expected in table.items():
                self.assertEqual((getattr(english, name)(n), getattr(german, name)(n)), expected)
        for table, name in ((TIMES_12, "clock_12"), (TIMES_24, "clock_24")):
            for time, expected in table.items():
                self.assertEqual((getattr(english, name)(*time), getattr(german, name)(*time)),
                                 expected)
        self.assertEqual((english.digits([3, 0, 1]), german.digits([3, 0, 1])),
                         ("three zero one", "drei null eins"))

    def test_one_agrees_with_its_noun(self):
        self.assertEqual([german.counted(1, g) for g in "mfn"], ["ein", "eine", "ein"])
        self.assertEqual(german.counted(21, "f"), "einundzwanzig")

    def test_all_numbers_have_different_words(self):
        rng = random.Random(1)
        numbers = list(range(3000)) + rng.sample(range(3000, 1_000_000), 20_000)
        for language in (english, german):
            self.assertEqual(len({language.cardinal(n) for n in numbers}), len(numbers))
            self.assertEqual(len({language.ordinal(n) for n in numbers if n}), len(numbers) - 1)

    def test_german_words_can_be_read_back(self):
        # An independent reader of German number words: tausend, hundert, und, ones.
        ones = {german.cardinal(n): n for n in range(20)} | {"ein": 1, "": 0}
        tens = {german.cardinal(n): n for n in range(20, 100, 10)}

        def below_hundred(word):
            if word in ones or word in tens:
                return (ones | tens)[word]
            one, _, ten = word.partition("und")
            return ones[one] + tens[ten]

        def value(word):
            if "tausend" in word:
                high, _, low = word.partition("tausend")
                return 1000 * value(high) + value(low)
            if "hundert" in word:
                high, _, low = word.partition("hundert")
                return 100 * ones[high] + below_hundred(low)
            return below_hundred(word)

        rng = random.Random(2)
        for n in list(range(1, 2200)) + rng.sample(range(1_000_000), 5000):
            self.assertEqual(value(german.cardinal(n)), n)


class Grammar(unittest.TestCase):
    def pairs(self, level, count):
        rng = random.Random(5)
        return [grammar.draw(rng, level) for _ in range(count)]

    def test_dates_and_sentences_are_inflected(self):
        found = dict(self.pairs("full", 20_000))
        both = "\n".join(f"{s} = {t}" for s, t in found.items())
        for part in ("on the third of May ", "= am dritten Mai", ", dem ", " = um halb ",
                     "the train leaves at ", " ab\n", "im ersten",
                     "the first row = die erste Reihe",
                     "ein Euro und ", "one penny", "ein Penny", "one apple = ein Apfel",
                     "one flower = eine Blume", "ein Uhr", "morgens", " geboren\n"):
            self.assertTrue(part in both, part)
        wrong = re.compile(r"\beins (Euro|Dollar|Pfund|Uhr|Apfel)|(?<![- ])\bone \w+s\b"
                           r"|hunderteins [A-Z]")
        self.assertEqual([pair for pair in found.items() if wrong.search(" = ".join(pair))][:3], [])

    def test_weekdays_are_those_of_the_calendar(self):
        seen = 0
        for source, target in self.pairs("full", 5000):
            words = source.replace(",", "").split()
            if words[0] == "on" and words[1] in english.WEEKDAYS and len(words) > 6:
                index = english.WEEKDAYS.index(words[1])
                self.assertIn(f"am {german.WEEKDAYS[index]}, dem ", target)
                day = [n for n in range(1, 32) if english.ordinal(n) == words[3]][0]
                month = english.MONTHS.index(words[5]) + 1
                year = [n for n in range(1600, 2100) if english.year(n) == " ".join(words[6:])][0]
                self.assertEqual(datetime.date(year, month, day).weekday(), index)
                seen += 1
        self.assertGreater(seen, 30)

    def test_digits_are_ten_words_translated_one_by_one(self):
        pairs = self.pairs("digits", 500)
        table = collections.defaultdict(set)
        for source, target in pairs:
            self.assertEqual(len(source.split()), len(target.split()))
            for s, t in zip(source.split(), target.split()):
                table[s].add(t)
        self.assertEqual(len(table), 10)
        self.assertTrue(all(len(translations) == 1 for translations in table.values()))


class Script(support.Folder):
    def run_it(self, *arguments):
        return support.run_script("generated_numbers.py", "--output", self.path("out"), *arguments)

    def lines(self, name):
        return files.read_lines(self.path("out", name))

    def test_every_level_gives_the_sizes_asked_for_and_disjoint_parts(self):
        for level in grammar.LEVELS:
            result = self.run_it("--level", level, "--train", "700", "--valid", "50",
                                 "--test", "60")
            self.assertEqual(result.returncode, 0, result.stderr)
            for language in ("en", "de"):
                parts = [self.lines(f"{name}.{language}") for name in ("train", "valid", "test")]
                self.assertEqual([len(part) for part in parts], [700, 50, 60])
                self.assertEqual(len(set().union(*parts)), 810)

    def test_same_seed_same_files_and_a_second_run_does_nothing(self):
        first = self.run_it("--train", "100")
        self.assertIn("train.en", first.stdout)
        before = self.read("out/train.de")
        self.assertIn("complete and unchanged", self.run_it("--train", "100").stdout)
        self.run_it("--train", "100", "--force")
        self.assertEqual(self.read("out/train.de"), before)
        self.run_it("--train", "100", "--seed", "2")
        self.assertNotEqual(self.read("out/train.de"), before)

    def test_mistakes_are_user_errors(self):
        result = self.run_it("--train", "-1")
        self.assertEqual((result.returncode, "negative" in result.stderr), (2, True))
        self.assertEqual(self.run_it("--level", "hard").returncode, 2)
        self.write("file", b"")
        result = support.run_script("generated_numbers.py", "--train", "5", "--output",
                                    self.path("file", "x"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot make the folder", result.stderr)
        self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    unittest.main()
