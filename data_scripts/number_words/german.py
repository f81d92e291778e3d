"""German number words in the current orthography, compounds written as one word."""

_SMALL = ("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
          "fünfzehn sechzehn siebzehn achtzehn neunzehn").split()
_TENS = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_ORDINALS = ("- erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte "
             "dreizehnte vierzehnte fünfzehnte sechzehnte siebzehnte achtzehnte neunzehnte").split()
MONTHS = ("Januar Februar März April Mai Juni Juli August September Oktober November "
          "Dezember").split()
WEEKDAYS = "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()


def digits(values):
    """[3, 0] -> drei null"""
    return " ".join(_SMALL[value] for value in values)


def _inside(n):
    """A number below 1,000 inside a compound, where "eins" loses its s: einhundert, eintausend."""
    if n % 100 == 1:
        return (cardinal(n - 1) if n > 1 else "") + "ein"
    return cardinal(n)


def cardinal(n):
    """0 ... 999,999: 18305 -> achtzehntausenddreihundertfünf"""
    if n < 20:
        return _SMALL[n]
    if n < 100:
        tens, ones = divmod(n, 10)
        return (f"{_inside(ones)}und" if ones else "") + _TENS[tens]
    if n < 1000:
        return f"{_inside(n // 100)}hundert" + (cardinal(n % 100) if n % 100 else "")
    return f"{_inside(n // 1000)}tausend" + (cardinal(n % 1000) if n % 1000 else "")


def counted(n, gender):
    """The number before a noun; 1 agrees with its gender (m, f, n) in the nominative."""
    if n == 1:
        return "eine" if gender == "f" else "ein"
    return cardinal(n)


def ordinal(n):
    """1 ... 999,999 in the nominative after an article: 3 -> dritte, 21 -> einundzwanzigste"""
    rest = n % 100
    if 0 < rest < 20:
        return (cardinal(n - rest) if n > rest else "") + _ORDINALS[rest]
    return cardinal(n) + "ste"


def year(n):
    """1100 ... 2099: 1984 -> neunzehnhundertvierundachtzig, 2005 -> zweitausendfünf"""
    if n >= 2000:
        return cardinal(n)
    century, rest = divmod(n, 100)
    return f"{cardinal(century)}hundert" + (cardinal(rest) if rest else "")


def hours(n):
    """1 -> ein Uhr"""
    return f"{counted(n, 'n')} Uhr"


def clock_24(hour, minute):
    """16:05 -> sechzehn Uhr fünf"""
    return hours(hour) + (f" {cardinal(minute)}" if minute else "")


def clock_12(hour, minute):
    """Hour 1 ... 12; 3:30 -> halb vier, 3:25 -> fünf vor halb vier, 3:45 -> Viertel vor vier"""
    following = hour % 12 + 1
    if minute == 0:
        return hours(hour)
    if minute == 30:
        return f"halb {cardinal(following)}"
    if minute in (25, 35):
        return f"fünf {'vor' if minute == 25 else 'nach'} halb {cardinal(following)}"
    distance, direction, anchor = ((minute, "nach", hour) if minute < 30
                                   else (60 - minute, "vor", following))
    if distance == 15:
        amount = "Viertel"
    elif distance % 5 == 0:
        amount = cardinal(distance)
    else:
        amount = f"{counted(distance, 'f')} Minute" + ("n" if distance > 1 else "")
    return f"{amount} {direction} {cardinal(anchor)}"
