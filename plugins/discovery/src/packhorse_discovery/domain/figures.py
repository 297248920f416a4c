"""Numbers and times in figures: "an hour and a quarter" is 75 minutes, "forty-odd" about 40, "18'" 18 minutes.

This is the form that everything which reads numbers reads them in: one number
or range, then its unit.
"""

import re
from collections.abc import Callable
from fractions import Fraction

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.units import UNITS, factor, unit_of

UNIT = "|".join(sorted((re.escape(word).replace(r"\ ", r"[\s-]") for word in UNITS), key=len, reverse=True))
"""A unit as people write it, as a regular expression."""
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\s+\d/0*[1-9]\d*|\d+/0*[1-9]\d*|\d+(?!\d*/\d)(?:\.\d+)?|\.\d+)"
"""A number in figures."""

_PARTS = {
    "half": "0.5", "a half": "0.5", "one half": "0.5", "a quarter": "0.25", "one quarter": "0.25", "quarter": "0.25",
    "three quarters": "0.75", "three quarter": "0.75", "a third": "0.333", "two thirds": "0.667",
}  # fmt: skip
_PART = "|".join(one.replace(" ", r"[\s-]+") for one in sorted(_PARTS, key=len, reverse=True))
_WHOLE = rf"(?:\d+(?:\.\d+)?|{counting.CARDINAL}|an?)"
_HOUR = r"(?:h|hrs?|hours?)"
_MINUTE = r"(?:m|min|mins|minutes?)"
_TIME = r"(?:s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|shifts?)"
_SPAN = r"(?:minutes?|hours?|days?|weeks?)"
_ENDS = (
    r"(?=\s*(?:$|[.,;:)|/\u2013\u2014]|-\s|[a-z]+ing\b|"
    r"(?:in|on|at|for|with|by|per|each|until|before|then|and|or|to|a|of)\b))"
)
"""What may stand after a number whose unit is left to be understood."""
_OPEN = r"(?<![\w.,/:-])"

_VULGAR = {"\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
_MARKED = re.compile(rf"(?:(\d+)\s?)?([{''.join(_VULGAR)}])")
_COMMA = re.compile(rf"{_OPEN}(\d{{1,2}}),(\d{{1,2}})(?=\s*{_TIME}\b)", re.IGNORECASE)
"""``1,5 h``: a decimal comma."""
_PRIME = re.compile(rf"(?<=\d)\s?['\u2032\u2019](?!\w){_ENDS}", re.IGNORECASE)
"""``18'``: minutes of an hour."""
_COLON = re.compile(rf"{_OPEN}(\d{{1,2}}):([0-5]\d)\s*{_HOUR}\b", re.IGNORECASE)
"""``1:30 h``."""
_HARDLY = re.compile(
    r"\b(?:(?:just|only|a (?:little|bit|shade|touch|tad|hair|fraction|whisker)|slightly|marginally)\s+"
    r"(?:under|over|below|above|less than|more than|short of|shy of)|not quite|barely|close to|getting on for|"
    r"(?:the|a)\s+(?:best|better|good|greater)\s+part\s+of|something like|in the region of|of the order of)"
    r"(?=\s+(?:an?\b|\d|[a-z]+))",
    re.IGNORECASE,
)
"""``just under an hour``: about one."""
_UPWARDS = re.compile(
    r"\b(?:upwards? of|not (?:less|fewer|under) than|no (?:less|fewer) than|not under)(?=\s)", re.IGNORECASE
)
_ODD = re.compile(rf"{_OPEN}(\d+|{counting.CARDINAL})(?:[\s-]?odd|\s+or\s+so)\s+(?=(?:{UNIT})(?!\w))", re.IGNORECASE)
"""``forty-odd minutes``, ``twenty or so minutes``."""
_GRADED = re.compile(
    rf"{_OPEN}(\d+(?:\.\d+)?|{counting.CARDINAL}|an?)\s+(good|solid|decent|full|whole|entire|long|short|quick|"
    rf"clear|straight|"
    rf"further|extra|more)\s+(?={_SPAN}\b|half\b|{counting.CARDINAL}\s+{_SPAN}\b)",
    re.IGNORECASE,
)
"""``a good hour``, ``two full hours``, ``a good twenty minutes``."""
_BARE_HOUR = re.compile(
    rf"(?<![\w-])(?P<before>[\w.-]+\s+|\d)?(?P<hour>hours?)(?=\s+and\s+(?:{_PART}|\d|{counting.CARDINAL}))",
    re.IGNORECASE,
)
"""``hour and a half``, without an article."""
_HYPHENED = re.compile(r"\b(half|quarter)-(hour|day|minute)\b", re.IGNORECASE)
_PART_OF = re.compile(rf"\b({_PART})\s+(?:of\s+)?(?:an?\s+)?(?={_SPAN}\b)", re.IGNORECASE)
_HALF_AN = re.compile(rf"\b(?:a\s+)?half\s+(?:an?\s+)?(?={_SPAN}\b)", re.IGNORECASE)
_QUARTERS = re.compile(r"\b(two|four|five|six|seven)[\s-]quarters of an hour\b", re.IGNORECASE)
_AND_PART = re.compile(
    rf"{_OPEN}({_WHOLE})(\s+(?!(?:of|to|or)\b)[a-z]+)?\s+and\s+({_PART})\b(?!\s+(?:of\s+)?an?\b)(\s+[a-z]+)?",
    re.IGNORECASE,
)
"""``an hour and a half``, ``two and a quarter hours``."""
_HOUR_AND = re.compile(
    rf"{_OPEN}({_WHOLE})\s+hours?\s+(?:and\s+)?(?:a\s+)?(\d{{1,2}}|{counting.CARDINAL})\b"
    rf"(?!\s*-?\s*(?:{UNIT})(?![\w%])){_ENDS}",
    re.IGNORECASE,
)
"""``an hour and ten``: minutes, since nothing else is said."""
_LESS = re.compile(
    rf"{_OPEN}({_WHOLE})\s+(?:hours?|h)\s+(?:less|minus)\s+(a\s+quarter(?:\s+of\s+an\s+hour)?|\d+|"
    rf"{counting.CARDINAL})(?:\s+{_MINUTE})?\b",
    re.IGNORECASE,
)
"""``two hours less a quarter``."""
_SHORT_OF = re.compile(
    rf"{_OPEN}(a\s+quarter(?:\s+of\s+an\s+hour)?|\d+|{counting.CARDINAL})(?:\s+{_MINUTE})?\s+(?:short\s+of|"
    rf"shy\s+of|off|under|less\s+than)\s+"
    rf"({_WHOLE}|the)\s+hours?\b",
    re.IGNORECASE,
)
"""``ten minutes short of two hours``."""
_CLOCK_PAIR = re.compile(
    rf"\b(\d+)\s*{_HOUR}\s*(?:and\s+|plus\s+)?(\d+)\s*{_MINUTE}\b"
    rf"|\b(\d+)\s*{_HOUR}\s*,\s*(\d+)\s*{_MINUTE}\b(?=\s*(?:$|[.;)|]|(?:on|in|at|with)\b))",
    re.IGNORECASE,
)
_GLUED = re.compile(
    rf"\b(\d{{1,2}})(?:h|\s+{_HOUR}\s+)([0-5]\d)(?![\w.%/-])(?:{_ENDS}|(?<=\dh\d\d)(?!\s*{_TIME}\b))",
    re.IGNORECASE,
)
"""``1h10``, ``1 h 20``: the minutes after the hours."""
_AT_LEAST_AND = re.compile(
    rf"\b(?:at least|at best|min(?:imum)?\.?|no less than)\s+({NUMBER})(?:\s+(?:{UNIT}))?\s*(?:,|and|but|"
    rf"to)?\s*(?:and\s+)?"
    rf"(?:at most|at worst|max(?:imum)?\.?|no more than|up to)\s+({NUMBER})\s+({UNIT})(?!\w)",
    re.IGNORECASE,
)
"""``at least 35 and at most 50 minutes``: a range."""
_OR_WORSE = re.compile(
    rf"{_OPEN}({NUMBER})\s+({_SPAN}|min|mins|h|hrs?)\b,?\s+(?:(?:and|but|or)\s+)?"
    rf"(?:(?:sometimes|occasionally|at times|now and then|on (?:a )?bad days?|up to|maybe even|"
    rf"even)\s+(?:as much as\s+|up to\s+)?"
    rf"({NUMBER}|{counting.CARDINAL})(?:\s+\2)?(?![\w:/])"
    rf"|({NUMBER}|{counting.CARDINAL})(?:\s+\2)?\s+(?:at (?:the )?(?:very )?(?:most|worst|outside)|max(?:imum)?|"
    rf"tops|at a push)\b)",
    re.IGNORECASE,
)
"""``ten minutes, fifteen at the most``: a range."""
_ONE_OR_NEXT = re.compile(
    rf"{_OPEN}(?<!\d )([1-9]\d|[5-9]|{counting.CARDINAL})(?:\s+up\s+to\s+|/)([1-9]\d|[5-9]|"
    rf"{counting.CARDINAL})(?=\s+{_TIME}\b)"
    rf"|(?:(?<=takes )|(?<=is )|(?<=about )|(?<=say )|(?<=needs )|(?<=maybe )|(?<=for )|^)({counting.CARDINAL}|"
    rf"\d+),\s+({counting.CARDINAL}|\d+)(?=\s+{_TIME}\b)",
    re.IGNORECASE,
)
"""``forty, forty-five minutes``, ``20 up to 30 minutes``: a range."""
_NEVER = re.compile(
    r"\b(?:takes?|lasts?|needs?|is|runs?)?\s*\bnever\s+(?:once\s+)?(?:(?:has\s+|have\s+)?tak(?:es?|"
    r"en)\s+(?:me\s+|us\s+)?|lasts?\s+|needs?\s+|is\s+|runs?\s+|goes\s+)?"
    r"(less|shorter|under|fewer|more|longer|over)(?:\s+than)?(?=\s)",
    re.IGNORECASE,
)
_MOST = frozenset({"longest", "most", "very most"})
_LONGEST = re.compile(
    rf"\bat the (longest|most|very most|shortest|least|quickest)\b,?([^.;\d]{{0,60}}?)((?:about )?{NUMBER})",
    re.IGNORECASE,
)
"""``at the longest, burn-in is 140 minutes``: a bound."""
_TIMES = re.compile(
    r"\b(\d+)\s*[x\u00d7]\s*(\d+(?:\.\d+)?)(?=\s*(?:s|sec|secs|min|mins|h|hr|hrs|minutes?|hours?|days?)\b)"
)
_IN_WORDS = re.compile(
    rf"\b({counting.WORDS})\b(?=\s+(?:(?:to|or|and|up to|-)\s+(?:(?:about|around)\s+)?(?:{counting.WORDS}|"
    rf"\d+(?:\.\d+)?)\s+)?(?:{UNIT})(?!\w))",
    re.IGNORECASE,
)
_TOLERANCE = re.compile(
    rf"({NUMBER})\s*({UNIT})?\s*,?\s*(?:±|\+/?-|\+/\u2212|\bplus(?:-| or )minus\b|\bgive or take\b)\s*(?:about\s+)?"
    rf"({NUMBER}|{counting.CARDINAL})\s*({UNIT})?(?![\w%])",
    re.IGNORECASE,
)
"""``14 ± 2 min``: a range about its middle."""


def value(written: str) -> float:
    """The number that figures stand for; thousands and fractions are read."""
    written = written.replace(",", "").strip()
    whole, _, part = written.rpartition(" ")
    if "/" in part:
        return float(Fraction(part)) + (float(whole) if whole else 0.0)
    return float(written)


def number(words: str) -> float | None:
    """The number that words alone stand for; None where they are none."""
    said = " ".join(words.casefold().split())
    if said in _PARTS:
        return float(_PARTS[said])
    return float(counting.count(said)) if re.fullmatch(counting.WORDS, said) else None


def digits(text: str) -> str:
    """``text`` with its times in figures: "1 h 30 min" and "1h30" in minutes, "two and a half hours" as 2.5 hours.

    What `quantities.find` gives as places are places in this.
    """
    for step in _STEPS:
        text = step(text)
    return text


def _marks(text: str) -> str:
    """Fractions of one character, decimal commas, primes and colons as plain figures."""
    text = _MARKED.sub(lambda m: f"{float(Fraction(_VULGAR[m[2]])) + int(m[1] or 0):.4g}", text)
    text = _COMMA.sub(r"\1.\2", text)
    text = _PRIME.sub(" minutes", text)
    return _COLON.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])} minutes", text)


def _degrees(text: str) -> str:
    """What only shades a number, as "about" or "at least"."""
    text = _HARDLY.sub("about", text)
    text = _UPWARDS.sub("at least", text)
    text = _ODD.sub(r"about \1 ", text)
    return _GRADED.sub(lambda m: f"{'about ' if m[2] in _LOOSE else ''}{_counted(m[1], m.string[m.end() :])}", text)


_LOOSE = frozenset({"good", "solid", "decent"})


def _counted(words: str, rest: str) -> str:
    """The number before what is counted; an article before another number ("a good twenty") is none."""
    article = words.casefold() in {"a", "an"}
    return "" if article and re.match(rf"{counting.CARDINAL}\b|half\b", rest, re.IGNORECASE) else f"{words} "


def _bounds(text: str) -> str:
    text = _AT_LEAST_AND.sub(r"\1-\2 \3", text)
    text = _NEVER.sub(
        lambda m: "at least" if m[1].casefold() in {"less", "shorter", "under", "fewer"} else "at most", text
    )
    return _LONGEST.sub(lambda m: f"{m[2]}{'at most' if m[1].casefold() in _MOST else 'at least'} {m[3]}", text)


def _hours_and_minutes(text: str) -> str:
    """Hours with the minutes after them, or less some, as minutes."""
    text = _BARE_HOUR.sub(lambda m: m[0] if _numbers(m["before"] or "") else f"{m['before'] or ''}1 {m['hour']}", text)
    text = _GLUED.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])} minutes", text)
    text = _CLOCK_PAIR.sub(lambda m: f"{int(m[1] or m[3]) * 60 + int(m[2] or m[4])} minutes", text)
    text = _LESS.sub(lambda m: f"{60 * _small(m[1]) - _few(m[2]):g} minutes", text)
    text = _SHORT_OF.sub(lambda m: f"{60 * _small(m[2]) - _few(m[1]):g} minutes", text)
    return _HOUR_AND.sub(lambda m: f"{60 * _small(m[1]) + _small(m[2]):g} minutes", text)


def _numbers(word: str) -> bool:
    return bool(
        re.fullmatch(
            rf"[\d.]+|{counting.WORDS}|the|this|that|per|each|every|half|quarter|whole", word.strip(), re.IGNORECASE
        )
    )


def _few(words: str) -> float:
    return 15.0 if "quarter" in words.casefold() else _small(words)


def _fractions(text: str) -> str:
    """Halves and quarters as decimal fractions."""

    def parted(match: re.Match[str]) -> str:
        part = float(_PARTS[" ".join(re.sub(r"-", " ", match[3].casefold()).split())])
        unit = match[2] or match[4] or ""
        return f"{_small(match[1]) + part:g}{unit}" + ((match[4] or "") if match[2] else "")

    text = _QUARTERS.sub(lambda m: f"{15 * _small(m[1]):g} minutes", _HYPHENED.sub(r"\1 \2", text))
    text = _AND_PART.sub(parted, text)
    text = _HALF_AN.sub("0.5 ", text)
    return _PART_OF.sub(lambda m: f"{_PARTS[' '.join(m[1].casefold().replace('-', ' ').split())]} ", text)


def _words(text: str) -> str:
    text = _TIMES.sub(lambda m: f"{int(m[1]) * float(m[2]):g}", text)
    for _ in range(2):  # the lower end of "one to one and a half hours" shows once the upper one is in figures
        text = _IN_WORDS.sub(lambda m: str(counting.count(m[1])), text)
    return _CLOCK_PAIR.sub(lambda m: f"{int(m[1] or m[3]) * 60 + int(m[2] or m[4])} minutes", text)


def _ranges(text: str) -> str:
    text = _OR_WORSE.sub(lambda m: _range(m[0], m[1], m[3] or m[4], m[2]), text)
    text = _ONE_OR_NEXT.sub(lambda m: _range(m[0], m[1] or m[3], m[2] or m[4], ""), text)
    return _TOLERANCE.sub(_within, text)


def _range(said: str, low: str, high: str, unit: str) -> str:
    """Two numbers as the ends of a range, where the second is the larger and not out of all proportion."""
    first, second = _small(low), _small(high)
    return f"{first:g}-{second:g} {unit}".strip() if first < second <= 4 * first else said


def _within(match: re.Match[str]) -> str:
    """The range that a middle and its tolerance mean, in the unit of the tolerance; the words where it is none."""
    middle, spread = value(match[1]), _small(match[3])
    unit = match[4] or match[2] or ""
    into = factor(unit_of(match[2]), unit_of(unit)) if match[2] else 1.0
    if into is None or spread > middle * into:
        return match[0]
    return f"{middle * into - spread:g}-{middle * into + spread:g} {unit}".strip()


def _small(word: str) -> float:
    if re.fullmatch(NUMBER, word):
        return value(word)
    return 1.0 if word.casefold() == "the" else float(counting.count(word))


_STEPS: tuple[Callable[[str], str], ...] = (_marks, _degrees, _bounds, _hours_and_minutes, _fractions, _words, _ranges)
