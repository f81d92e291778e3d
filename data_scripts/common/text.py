"""Normalisation and words, for languages with spaces between words and, roughly, without."""

import re
import unicodedata

# Zero-width characters, byte-order mark, soft hyphen and the control characters of C0 and C1.
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
# Chinese, Japanese (each character counts as a word).
_CHARACTER_WORD = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
_WORD = re.compile(_CHARACTER_WORD + r"|\d+|(?:(?!" + _CHARACTER_WORD + r")[^\W\d_])+")
_TOKEN = re.compile(_CHARACTER_WORD + r"|(?:(?!" + _CHARACTER_WORD + r")\S)+")


def normalise(text):
    """Composed Unicode (NFC), without invisible characters, with single spaces."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())


def word_count(text):
    """Words between spaces; of Chinese and Japanese, characters."""
    return len(_TOKEN.findall(text))


def comparable_words(text):
    """Lower-cased words without punctuation, every number as 0: what similarity is measured on."""
    return ["0" if word[0].isdigit() else word for word in _WORD.findall(text.lower())]
