"""English number words, in British style with "and"."""

_SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
          "fifteen sixteen seventeen eighteen nineteen").split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
             "nine": "ninth", "twelve": "twelfth"}
MONTHS = ("January February March April May June July August September October November "
          "December").split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def digits(values):
    """[3, 0] -> three zero"""
    return " ".join(_SMALL[value] for value in values)


def cardinal(n):
    """0 ... 999,999: 18305 -> eighteen thousand three hundred and five"""
    if n < 20:
        return _SMALL[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_SMALL[n % 10]}" if n % 10 else "")
    if n < 1000:
        rest = f" and {cardinal(n % 100)}" if n % 100 else ""
        return f"{_SMALL[n // 100]} hundred{rest}"
    rest = n % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{cardinal(n // 1000)} thousand" + (joint + cardinal(rest) if rest else "")


def ordinal(n):
    """1 ... 999,999: 21 -> twenty-first, 112 -> one hundred and twelfth"""
    words = cardinal(n)
    start = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[start:]
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return words[:start] + last


def year(n):
    """1100 ... 2099: 1984 -> nineteen eighty-four, 1905 -> nineteen oh five"""
    century, rest = divmod(n, 100)
    if 2000 <= n < 2010:
        return cardinal(n)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} " + (f"oh {_SMALL[rest]}" if rest < 10 else cardinal(rest))


def clock_24(hour, minute):
    """16:05 -> sixteen oh five, 16:00 -> sixteen hundred hours"""
    if minute == 0:
        return f"{cardinal(hour)} hundred hours"
    return f"{cardinal(hour)} " + (f"oh {_SMALL[minute]}" if minute < 10 else cardinal(minute))


def clock_12(hour, minute):
    """Hour 1 ... 12; 3:30 -> half past three, 3:45 -> quarter to four"""
    following = hour % 12 + 1
    if minute == 0:
        return f"{cardinal(hour)} o'clock"
    if minute == 30:
        return f"half past {cardinal(hour)}"
    distance, direction, anchor = ((minute, "past", hour) if minute < 30
                                   else (60 - minute, "to", following))
    if distance == 15:
        amount = "quarter"
    elif distance % 5 == 0:
        amount = cardinal(distance)
    else:
        amount = f"{cardinal(distance)} minute" + ("s" if distance > 1 else "")
    return f"{amount} {direction} {cardinal(anchor)}"
