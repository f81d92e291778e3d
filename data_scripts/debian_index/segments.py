"""Splits a package description into pieces that correspond in both languages.

Debian policy, section 5.6.13: the first line is the synopsis.  Each further line begins with a
space; ` .` alone ends a paragraph; a line with more than one space is set verbatim, which
descriptions use for lists and examples.
"""

import re

_BULLET = re.compile(r"(?:[*+\-\u2022\u00b7\u2013]|\(?[0-9]{1,2}[.)]|o(?=\s))\s+(?=\S)")

# A sentence may end at . ! or ?, with closing quotes or brackets after it.
_STOP = re.compile("([.!?])[\"'\u00ab\u00bb\u201c\u201d)\\]]*\\s+")
_OPENING = "\"'\u00ab\u00bb\u201e\u201c([`"
_LAST_WORD = re.compile(r"(\w+(?:\.\w+)*)\.$")
_ABBREVIATIONS = frozenset(
    "approx cf dr ed esp etc fig inc incl jr ltd max min mr mrs ms mt no nr prof resp sr st vol vs "
    "abb abk allg bspw bzgl bzw ca d.h engl entspr etw evtl ggf inkl insb max min mind sog "
    "ugs usw vgl z.b zzgl av env ex pág núm sig ecc bijv enz bl".split())


def paragraphs(text):
    """The synopsis, then each paragraph as a list of its lines without their first space."""
    synopsis, *lines = text.split("\n")
    result, current = [[synopsis.strip()]], []
    for line in lines:
        if line.strip() == ".":
            if current:
                result.append(current)
            current = []
        elif line.strip():
            current.append(line[1:])
    return result + ([current] if current else [])


def items(lines):
    """One string for running text, one for each item of a list, one for each verbatim line."""
    result = []
    state = "start"  # of what `result` ends with: start, text, item or verbatim
    for line in lines:
        content = line.strip()
        indented = line[:1].isspace()
        bullet = _BULLET.match(content)
        if bullet and (indented or not content.startswith("o")):
            result.append(content[bullet.end():])
            state = "item"
        elif state == "item" or (state == "text" and not indented):
            result[-1] = _join(result[-1], content)
        else:
            result.append(content)
            state = "verbatim" if indented else "text"
    return result


def _join(text, line):
    """Joins wrapped lines; mends a word that was broken at its own hyphen: Python-|Programm."""
    at_hyphen = text.endswith("-") and text[-2:-1].isalnum() and line[0].isupper()
    return text + line if at_hyphen else f"{text} {line}"


def sentences(text):
    """Splits running text where a sentence ends and a capital or a digit follows."""
    result, start = [], 0
    for match in _STOP.finditer(text):
        following = text[match.end():].lstrip(_OPENING)[:1]
        if not (following.isupper() or following.isdigit()):
            continue
        if match[1] == "." and _is_abbreviation(text[start:match.start() + 1]):
            continue
        result.append(text[start:match.end()].rstrip())
        start = match.end()
    return result + [text[start:]] if start < len(text) else result


def _is_abbreviation(text):
    """Whether the full stop at the end of `text` belongs to its last word: `z. B.`, `Nr.`, `3.`"""
    word = _LAST_WORD.search(text)
    if not word:
        return text.endswith("..")
    return (word[1].lower() in _ABBREVIATIONS or word[1].isdigit()
            or all(len(part) == 1 for part in word[1].split(".")))
