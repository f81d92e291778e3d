"""Text for sacrebleu_parity.py: lines that break scorers, and noisy translations that look real.

Everything comes from one random.Random, so a failing case can be made again. Code points are taken
only from those that both Python's and the regex module's Unicode data have and agree on: their
versions differ from ICU's by more or less on every machine.
"""
import gzip
import re
import unicodedata
from pathlib import Path

import regex

SPACES = [" ", "  ", "\t", "\u00a0", "\u2003", "\u2028", "\u2029", "\u3000", "\u202f", "\x0b", "\x0c", "\x1c",
          "\x1f", "\x85", "\u1680", "\u205f", "\r", "\n", "\u200b", "\u2060", "\ufeff", "\u180e"]
SNIPPETS = ["-", "--", "-\n", "\n-", "...", "….", "<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "&apos;",
            "&amp;lt;", "&amp;amp;quot;", "&", "&#39;", "&quot", "1,000.50", "1.", ".5", "5.", ",7", "3-4", "3 - 4",
            "1990er", "10,-", "10.-", "a.b.c", "a,b", "U.S.", "U.S.A.,", "e.g.", "'s", "it's", "Peter's", "''",
            "s'", "'s ", "``", "``x''", "(hi)", "(", ")", "[x]", "{y}", "a/b", "\\", "@-@", "##AT##-##AT##", "|",
            "||", "▁", "_", "~", "^", "#tag", "@name", "50%", "€5", "$5.00", "5€", "§ 4", "°C", "½", "¼.", "²,",
            "x²", "①.", "٣٫١٤", "٣.", "१,२", "Ⅷ.", "Ⅷ", "π", "ΑΣ", "ΑΣ.", "ΟΔΟΣ", "Σ", "ΣΣ", "ΑΣ\u0301", "Σ'Α",
            "A\u0307Σ", "İstanbul", "IĞDIR", "ıI", "ŁÓDŹ", "STRASSE", "straße", "GROẞ", "ǅ", "ǆ", "ﬁn", "ﬀ", "Ꭰ",
            "Ა", "𐐀", "Ⓐ", "Ａ．", "ｱ､", "，", "。", "、「」", "・", "〜", "日本語。", "中文，测试", "한국어.", "カタカナ", "ひらがな",
            "ｶﾀｶﾅ", "㐀", "𠀀", "豈", "㌔", "㊙", "㇀", "⺀", "⿰", "﹏", "ไทย", "हिन्दी।", "עברית־", "العربية،", "؟",
            "e\u0301", "é", "a\u0300\u0301\u0302", "\u0301", "🙂", "👩‍👩‍👧", "🏳️‍🌈", "🇩🇪", "\ufe0f", "❤️", "←", "∑", "≠",
            "“", "”", "„", "‚", "’", "‘", "«", "»", "–", "—", "\u2011", "‐", "\xad", "\x00", "\x01", "\x7f", "\x1b[0m",
            "\ufffd", "\uffff", "\U0010ffff", "\ue000", "\u202e", "\u0600", "<seg id=\"1\">", "</doc>", "\u037e", "¿",
            "¡", "·", "•"]
BAD_BYTES = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x99", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x80"]

ARTICLES = ["Der", "Die", "Das", "Ein", "Eine"]
ADJECTIVES = ["kleine", "große", "alte", "junge", "rote", "blaue", "müde", "fröhliche", "nasse", "schöne"]
NOUNS = ["Hund", "Frau", "Mann", "Kind", "Straße", "Übung", "Ärztin", "Brücke", "Mädchen", "Zug", "Fußball",
         "Verkäufer", "Gruppe", "Großmutter", "Café-Besitzer", "E-Mail", "CO2-Ausstoß"]
VERBS = ["läuft", "spielt", "sitzt", "kauft", "öffnet", "überquert", "schließt", "isst", "trägt", "hält"]
ENDINGS = ["im Park", "auf der Straße", "am 3. Mai 1998", "für 1.250,50 €", "um 10:30 Uhr", "„ganz leise“",
           "(wie immer)", "in Berlin, Köln und München", "mit 3-4 Freunden", "zu 50 %", "z. B. im Zug",
           "trotz des Regens", "und lacht dabei", "neben dem Haus, das leer steht"]


class TextMaker:
    def __init__(self, random):
        self.random = random
        self.by_category = assigned_characters()
        self.words = NOUNS + VERBS + ADJECTIVES

    def word(self):
        r = self.random
        kind = r.random()
        if kind < 0.35:
            return r.choice(self.words)
        if kind < 0.65:
            return r.choice(SNIPPETS)
        if kind < 0.75:
            return "".join(r.choice(SNIPPETS) for _ in range(r.randint(2, 4)))
        if kind < 0.85:
            return "".join(r.choice("0123456789.,-:/a") for _ in range(r.randint(1, 7)))
        if kind < 0.95:
            category = r.choice(list(self.by_category))
            return "".join(r.choice(self.by_category[category]) for _ in range(r.randint(1, 5)))
        return "".join(chr(r.randint(0, 0x2ff)) for _ in range(r.randint(1, 8)))

    def nasty_line(self, longest=14):
        r = self.random
        kind = r.random()
        if kind < 0.06:
            return ""
        if kind < 0.09:
            return "".join(r.choice(SPACES) for _ in range(r.randint(1, 4)))
        if kind < 0.12:
            return r.choice(SNIPPETS)
        if kind < 0.15:
            return " ".join([self.word()] * r.randint(2, 30))
        words = [self.word() for _ in range(r.randint(1, longest))]
        line = words[0]
        for word in words[1:]:
            line += (r.choice(SPACES) if r.random() < 0.25 else " ") + word
        return line + r.choice(["", "", ".", " .", "?", " ", "\t", "\u00a0", "\n", "!"])

    def german_line(self):
        r = self.random
        line = f"{r.choice(ARTICLES)} {r.choice(ADJECTIVES)} {r.choice(NOUNS)} {r.choice(VERBS)} {r.choice(ENDINGS)}"
        if r.random() < 0.5:
            line += f", {r.choice(['aber', 'denn', 'und'])} {r.choice(ARTICLES).lower()} {r.choice(NOUNS)}" \
                    f" {r.choice(VERBS)} {r.choice(ENDINGS)}"
        return line + r.choice([".", ".", ".", "!", "?", ""])

    def perturb(self, line, rate=0.2):
        """A translation with the faults of a model: lost, wrong, doubled, moved and re-cased words."""
        r = self.random
        words = []
        for word in line.split(" "):
            fault = r.random() / rate
            if fault < 0.2:
                continue
            if fault < 0.45:
                word = r.choice(self.words)
            elif fault < 0.6:
                words.append(word)
            elif fault < 0.7:
                word = word.swapcase()
            elif fault < 0.8:
                word = word[:-1]
            elif fault < 1.0:
                word = re.sub(r"([.,!?])$", r" \1", word)
            words.append(word)
        for _ in range(r.choice([0, 0, 1, 2])):
            start, length, target = r.randint(0, len(words)), r.randint(1, 5), r.randint(0, len(words))
            block = words[start:start + length]
            del words[start:start + length]
            words[target:target] = block
        return " ".join(words)

    def bad_bytes_line(self):
        r = self.random
        pieces = [r.choice(BAD_BYTES) if r.random() < 0.4 else self.word().encode() for _ in range(r.randint(1, 9))]
        return r.choice([b"", b" "]).join(pieces)

    def nasty_file(self, kind):
        """(hypotheses, reference streams) of one small file; `kind` counts up and picks the sort of file."""
        r = self.random
        num_lines, num_references = r.choice([1, 1, 2, 3, 5, 8]), r.choice([1, 1, 1, 2, 3])
        references = [[self.nasty_line() for _ in range(num_lines)] for _ in range(num_references)]
        first = references[0]
        sort = kind % 12
        if sort == 0:
            hypotheses = list(first)
        elif sort == 1:
            hypotheses = [""] * num_lines
        elif sort == 2:
            references, hypotheses = [[""] * num_lines] * num_references, [self.nasty_line() for _ in first]
        elif sort == 3:
            hypotheses = [self.nasty_line() for _ in first]
        elif sort == 4:
            hypotheses = [" ".join(r.sample(line.split(), len(line.split()))) for line in first]
        elif sort == 5:
            hypotheses = ["".join(r.sample(line, len(line))) for line in first]
        elif sort == 6:
            hypotheses = [r.choice([str.lower, str.upper, str.title])(line) for line in first]
        elif sort == 7:
            hypotheses = [self.nasty_line(longest=2) for _ in first]
        elif sort == 8 and kind % 5 == 0:
            hypotheses = [self.perturb(self.nasty_line(longest=90) * 2) for _ in first]
        elif sort == 9:
            references = [[self.german_line() for _ in first] for _ in references]
            hypotheses = [self.perturb(line) for line in references[-1]]
        else:
            hypotheses = [self.perturb(line, rate=r.choice([0.1, 0.5])) for line in first]
        return hypotheses, references


def assigned_characters():
    """Code points by general category; those that Unicode has not assigned or may have moved are left out."""
    by_category = {}
    major = {name: regex.compile(r"\p{%s}" % name) for name in "LMNPSZC"}
    for code in range(0x110000):
        character = chr(code)
        category = unicodedata.category(character)
        if category not in ("Cn", "Cs") and major[category[0]].match(character):
            by_category.setdefault(category, []).append(character)
    return by_category


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def real_files(folder):
    """German sides of Multi30k test sets, where folder/multi30k has them."""
    folder = Path(folder) / "multi30k"
    names = ["test_2016_flickr.de.gz", "test_2017_mscoco.de.gz", "test_2016_flickr.lc.norm.tok.de.gz"]
    return [(name, lines_of(folder / name)) for name in names if (folder / name).exists()]
