"""Draws phrases of numbers, dates, times and prices with their translation.

Every function takes a random.Random and returns (English, German).  Levels, from easy to hard:

  digits  rows of one to eight digits; word for word, ten words on either side
  words   numbers from 0 to 999,999; German writes each as one word, with the ones before the tens
  full    also ordinals, counted things, prices, clock times, dates, and sentences whose German word
          order and inflection differ
"""

import calendar
import datetime

from . import english, german

LEVELS = ("digits", "words", "full")

_CURRENCIES = (  # English one, many; German both; then the same for the hundredth
    ("euro", "euros", "Euro", "cent", "cents", "Cent", "Cent"),
    ("dollar", "dollars", "Dollar", "cent", "cents", "Cent", "Cent"),
    ("pound", "pounds", "Pfund", "penny", "pence", "Penny", "Pence"),
)
_THINGS = (  # English one, many; German one, many, gender
    ("apple", "apples", "Apfel", "Äpfel", "m"), ("tree", "trees", "Baum", "Bäume", "m"),
    ("letter", "letters", "Brief", "Briefe", "m"), ("door", "doors", "Tür", "Türen", "f"),
    ("flower", "flowers", "Blume", "Blumen", "f"), ("week", "weeks", "Woche", "Wochen", "f"),
    ("book", "books", "Buch", "Bücher", "n"), ("house", "houses", "Haus", "Häuser", "n"),
    ("child", "children", "Kind", "Kinder", "n"),
)
_NUMBERED = (  # English; German nominative; German and English before the ordinal when "where"
    ("floor", "der", "Stock", "im", "on the"), ("day", "der", "Tag", "am", "on the"),
    ("row", "die", "Reihe", "in der", "in the"), ("page", "die", "Seite", "auf der", "on the"),
    ("year", "das", "Jahr", "im", "in the"), ("house", "das", "Haus", "im", "in the"),
)
_DAY_PARTS = (("in the morning", "morgens", range(5, 12)),
              ("in the afternoon", "nachmittags", range(1, 6)),
              ("in the evening", "abends", range(6, 11)))


def draw(rng, level):
    """One pair of the given level."""
    if level == "digits":
        return _digits(rng)
    if level == "words":
        return _number(rng)
    return rng.choice(_FULL)(rng)


def _digits(rng):
    values = [rng.randrange(10) for _ in range(rng.randint(1, 8))]
    return english.digits(values), german.digits(values)


def any_number(rng, longest=6):
    """A number of one to `longest` digits, each length equally likely."""
    digits = rng.randint(1, longest)
    return rng.randrange(10 ** (digits - 1) if digits > 1 else 0, 10 ** digits)


def _number(rng):
    n = any_number(rng)
    return english.cardinal(n), german.cardinal(n)


def _countable(rng, longest):
    """A number before a noun.  101, 201, ... are left out: German is of two minds about them."""
    while True:
        n = any_number(rng, longest)
        if n == 1 or (n > 1 and n % 100 != 1):
            return n


def _ordinal(rng):
    n = any_number(rng, 4) or 1
    noun, article, german_noun, german_place, place = rng.choice(_NUMBERED)
    if rng.random() < 0.5:
        return f"the {english.ordinal(n)} {noun}", f"{article} {german.ordinal(n)} {german_noun}"
    return (f"{place} {english.ordinal(n)} {noun}",
            f"{german_place} {german.ordinal(n)}n {german_noun}")


def _things(rng):
    n = _countable(rng, 4)
    one, many, german_one, german_many, gender = rng.choice(_THINGS)
    return (f"{english.cardinal(n)} {one if n == 1 else many}",
            f"{german.counted(n, gender)} {german_one if n == 1 else german_many}")


def _price(rng):
    one, many, german_unit, cent, cents, german_cent, german_cents = rng.choice(_CURRENCIES)
    amount, part = _countable(rng, 4), rng.choice([0, rng.randint(1, 99)])
    gender = "n" if german_unit == "Pfund" else "m"
    source = f"{english.cardinal(amount)} {one if amount == 1 else many}"
    target = f"{german.counted(amount, gender)} {german_unit}"
    if part:
        source += f" and {english.cardinal(part)} {cent if part == 1 else cents}"
        target += (f" und {german.counted(part, 'm')} "
                   f"{german_cent if part == 1 else german_cents}")
    return source, target


def _time(rng):
    minute = rng.choice([rng.randrange(60), 5 * rng.randrange(12)])
    if rng.random() < 0.3:
        hour = rng.randrange(13, 24)
        return english.clock_24(hour, minute), german.clock_24(hour, minute)
    hour = rng.randint(1, 12)
    source, target = english.clock_12(hour, minute), german.clock_12(hour, minute)
    part = rng.choice(_DAY_PARTS)
    if hour in part[2] and rng.random() < 0.5:
        return f"{source} {part[0]}", f"{target} {part[1]}"
    return source, target


def _at_time(rng):
    source, target = _time(rng)
    return f"at {source}", f"um {target}"


def _day(rng):
    """A date, as datetime.date, between 1600 and 2099."""
    year, month = rng.randint(1600, 2099), rng.randint(1, 12)
    return datetime.date(year, month, rng.randint(1, calendar.monthrange(year, month)[1]))


def _on_date(rng):
    """on the third of May nineteen eighty-four; sometimes with the day of the week or no year."""
    day = _day(rng)
    source = f"the {english.ordinal(day.day)} of {english.MONTHS[day.month - 1]}"
    target = f"{german.ordinal(day.day)}n {german.MONTHS[day.month - 1]}"
    if rng.random() < 0.7:
        source += f" {english.year(day.year)}"
        target += f" {german.year(day.year)}"
    if rng.random() < 0.3:
        weekday = day.weekday()
        return (f"on {english.WEEKDAYS[weekday]}, {source}",
                f"am {german.WEEKDAYS[weekday]}, dem {target}")
    return f"on {source}", f"am {target}"


def _date(rng):
    day = _day(rng)
    month = day.month - 1
    return (f"the {english.ordinal(day.day)} of {english.MONTHS[month]} {english.year(day.year)}",
            f"der {german.ordinal(day.day)} {german.MONTHS[month]} {german.year(day.year)}")


def _sentence(rng):
    """A frame around one of the phrases; {} is its place."""
    source_frame, target_frame, phrase = rng.choice(_FRAMES)
    source, target = phrase(rng)
    return source_frame.format(source), target_frame.format(target)


_FRAMES = (
    ("the train leaves {}", "der Zug fährt {} ab", _at_time),
    ("we will arrive {}", "wir werden {} ankommen", _at_time),
    ("it is {}", "es ist {}", _time),
    ("she was born {}", "sie wurde {} geboren", _on_date),
    ("the house was sold {}", "das Haus wurde {} verkauft", _on_date),
    ("the shop was opened {}", "das Geschäft wurde {} eröffnet", _on_date),
    ("the book costs {}", "das Buch kostet {}", _price),
    ("the price fell to {}", "der Preis fiel auf {}", _price),
    ("he has counted to {}", "er hat bis {} gezählt", _number),
)
_FULL = (_number, _ordinal, _things, _price, _time, _at_time, _date, _on_date, _sentence, _sentence)
