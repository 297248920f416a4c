"""Numbers and times in figures: "an hour and a quarter" is 75 minutes, "forty-odd" about 40, "18'" 18 minutes.

This is the form that everything which reads numbers reads them in: one number
or range, then its unit.
"""

import re
from collections.abc import Callable
from fractions import Fraction

from packhorse_discovery.domain.case import counting
from packhorse_discovery.domain.case.numerals import ENDS, HOUR, MINUTE, NUMBER, OPEN, SPAN, TIME, UNIT, WHOLE, small
from packhorse_discovery.domain.case.ranges import bounded, ranged

_PARTS = {
    "half": "0.5", "a half": "0.5", "one half": "0.5", "a quarter": "0.25", "one quarter": "0.25", "quarter": "0.25",
    "three quarters": "0.75", "three quarter": "0.75", "a third": "0.333", "two thirds": "0.667",
}  # fmt: skip
_PART = "|".join(one.replace(" ", r"[\s-]+") for one in sorted(_PARTS, key=len, reverse=True))
_VULGAR = {"\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
_MARKED = re.compile(rf"(?:(\d+)\s?)?([{''.join(_VULGAR)}])")
_COMMA = re.compile(rf"{OPEN}(\d{{1,2}}),(\d{{1,2}})(?=\s*{TIME}\b)", re.IGNORECASE)
"""``1,5 h``: a decimal comma."""
_MIXED = re.compile(rf"{OPEN}(\d+)(?:-|\s+and\s+)([1-9]\d?)/([1-9]\d?)(?=\s*{TIME}\b)", re.IGNORECASE)
"""``1-1/2 hours``, ``1 and 1/2 hours``."""
_PRIME = re.compile(rf"(?<=\d)\s?['\u2032\u2019](?!\w){ENDS}", re.IGNORECASE)
"""``18'``: minutes of an hour."""
_COLON = re.compile(rf"{OPEN}(\d{{1,2}}):([0-5]\d)\s*{HOUR}\b", re.IGNORECASE)
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
_ODD = re.compile(rf"{OPEN}(\d+|{counting.CARDINAL})(?:[\s-]?odd|\s+or\s+so)\s+(?=(?:{UNIT})(?!\w))", re.IGNORECASE)
"""``forty-odd minutes``, ``twenty or so minutes``."""
_GRADED = re.compile(
    rf"{OPEN}(\d+(?:\.\d+)?|{counting.CARDINAL}|an?)\s+(good|solid|decent|full|whole|entire|long|short|quick|"
    rf"clear|straight|"
    rf"further|extra|more)\s+(?={SPAN}\b|half\b|{counting.CARDINAL}\s+{SPAN}\b)",
    re.IGNORECASE,
)
"""``a good hour``, ``two full hours``, ``a good twenty minutes``."""
_BARE_HOUR = re.compile(
    rf"(?<![\w-])(?P<before>[\w.-]+\s+|\d)?(?P<hour>hours?)(?=\s+and\s+(?:{_PART}|\d|{counting.CARDINAL}))",
    re.IGNORECASE,
)
"""``hour and a half``, without an article."""
_BETWEEN = re.compile(
    rf"\b(between\s+{WHOLE}(?:\s+and\s+(?:{_PART}))?\s+(?:{SPAN}|{HOUR}|{MINUTE}))\s+and\s+"
    rf"(?={WHOLE}(?:\s+and\s+(?:{_PART}))?\s+(?:{SPAN}|{HOUR}|{MINUTE})\b)",
    re.IGNORECASE,
)
"""``between two hours and two and a half hours``: the ends of a range, and no sum."""
_HYPHENED = re.compile(r"\b(half|quarter)-(hour|day|minute)\b", re.IGNORECASE)
_PART_OF = re.compile(rf"\b({_PART})\s+(?:of\s+)?(?:an?\s+)?(?={SPAN}\b)", re.IGNORECASE)
_PART_TO = re.compile(rf"\b({_PART})\s+(to|or)\s+(?=(?:{_PART})\s+of\s+an?\s+{SPAN}\b)", re.IGNORECASE)
"""``half to three quarters of an hour``."""
_TO_QUARTERS = re.compile(
    r"\b(half an hour|(?:a )?quarter of an hour)\s+(to|or)\s+(three[\s-]quarters)\b(?!\s+of\b)", re.IGNORECASE
)
"""``half an hour to three quarters``."""
_RATIO_OF = re.compile(rf"{OPEN}(\d/\d)\s+of\s+an?\s+(?={SPAN}\b)", re.IGNORECASE)
_HALF_AN = re.compile(rf"\b(?:a\s+)?half\s+(?:an?\s+)?(?={SPAN}\b)", re.IGNORECASE)
_QUARTERS = re.compile(r"\b(two|four|five|six|seven)[\s-]quarters of an hour\b", re.IGNORECASE)
_AND_PART = re.compile(
    rf"{OPEN}({WHOLE})(\s+(?!(?:of|to|or)\b)[a-z]+)?\s+and\s+({_PART})\b(?!\s+(?:of\s+)?an?\b)(\s+[a-z]+)?",
    re.IGNORECASE,
)
"""``an hour and a half``, ``two and a quarter hours``."""
_HOUR_AND = re.compile(
    rf"{OPEN}({WHOLE})\s+hours?\s+(?:and\s+)?(?:a\s+)?(\d{{1,2}}|{counting.CARDINAL})\b"
    rf"(?!\s*-?\s*(?:{UNIT})(?![\w%])){ENDS}",
    re.IGNORECASE,
)
"""``an hour and ten``: minutes, since nothing else is said."""
_LESS = re.compile(
    rf"{OPEN}({WHOLE})\s+(?:hours?|h)\s+(?:less|minus)\s+(a\s+quarter(?:\s+of\s+an\s+hour)?|\d+|"
    rf"{counting.CARDINAL})(?:\s+{MINUTE})?\b",
    re.IGNORECASE,
)
"""``two hours less a quarter``."""
_SHORT_OF = re.compile(
    rf"{OPEN}(a\s+quarter(?:\s+of\s+an\s+hour)?|\d+|{counting.CARDINAL})(?:\s+{MINUTE})?\s+(?:short\s+of|"
    rf"shy\s+of|off|under|less\s+than)\s+"
    rf"({WHOLE}|the)\s+hours?\b",
    re.IGNORECASE,
)
"""``ten minutes short of two hours``."""
_CLOCK_PAIR = re.compile(
    rf"\b(\d+)\s*{HOUR}\s*(?:and\s+|plus\s+)?(\d+)\s*{MINUTE}\b"
    rf"|\b(\d+)\s*{HOUR}\s*,\s*(\d+)\s*{MINUTE}\b(?=\s*(?:$|[.;)|]|(?:on|in|at|with)\b))",
    re.IGNORECASE,
)
_GLUED = re.compile(
    rf"\b(\d{{1,2}})(?:h(?:rs?)?|\s*{HOUR}\s+)([0-5]\d)"
    rf"(?:(?=\s?[-\u2013]\s?\d{{1,2}}h)|(?![\w.%/-])(?:{ENDS}|(?<=\dh\d\d)(?!\s*{TIME}\b)))",
    re.IGNORECASE,
)
"""``1h10``, ``1 h 20``: the minutes after the hours."""
_SPOKEN = re.compile(
    rf"\b(one|two|three|four|five|six|seven|eight|nine)((?:[\s-]+(?:zero|oh|one|two|three|four|five|six|seven|eight|"
    rf"nine)){{1,2}})"
    rf"(?=\s+{TIME}\b)",
    re.IGNORECASE,
)
"""``two five minutes``: a number told by its figures."""
_TENS_LAST = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine)[\s-]and[\s-](twenty|thirty|forty|fifty|sixty)\b", re.IGNORECASE
)
"""``five and twenty``."""
_TIMES = re.compile(
    rf"\b(\d+|{counting.CARDINAL})(?:\s*[x\u00d7]\s*|\s+times\s+)(\d+(?:\.\d+)?)(?=\s*{TIME}\b)", re.IGNORECASE
)
_IN_WORDS = re.compile(
    rf"\b({counting.WORDS})\b(?=\s+(?:(?:to|or|and|up to|till|until|-)\s+(?:(?:about|around)\s+)?(?:{counting.WORDS}|"
    rf"\d+(?:\.\d+)?)\s+)?(?:{UNIT})(?!\w))",
    re.IGNORECASE,
)


def digits(text: str) -> str:
    """``text`` with its times in figures: "1 h 30 min" and "1h30" in minutes, "two and a half hours" as 2.5 hours."""
    for step in _STEPS:
        text = step(text)
    return text


_ORDINAL = re.compile(
    r"\b(?:an?|one|1|the)\s+second\s+(?!(?:per|each|or|for|of|in|on|at|and|to|long|is|was|later|after|more|less|with|"
    r"by|between|apart|break|pause|wait)\b)(?=[a-z])",
    re.IGNORECASE,
)
"""``a second coat``, which is no second of time."""
_CAME_DOWN = re.compile(
    rf"\b(?:came|come|went|gone|got|brought|cut|reduced|dropped|fell|fallen|rose|risen|shortened|grown?)\b"
    rf"(?:\s+[a-z]+){{0,3}}?\s+from\s+{NUMBER}(?:\s+(?:{UNIT}))?\s+to\s+(?={NUMBER}\s+(?:{UNIT})\b)",
    re.IGNORECASE,
)
"""``we came down from 80 to 50 minutes``: 50."""


def _marks(text: str) -> str:
    """Fractions of one character, decimal commas, primes and colons as plain figures."""
    text = _CAME_DOWN.sub("are now at ", _ORDINAL.sub("the 2nd ", text))
    text = _MARKED.sub(lambda m: f"{float(Fraction(_VULGAR[m[2]])) + int(m[1] or 0):.4g}", text)
    text = _COMMA.sub(r"\1.\2", text)
    text = _MIXED.sub(lambda m: f"{int(m[1]) + int(m[2]) / int(m[3]):.4g}", text)
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


def _hours_and_minutes(text: str) -> str:
    """Hours with the minutes after them, or less some, as minutes."""
    text = _BETWEEN.sub(r"\1 to ", text)
    text = _BARE_HOUR.sub(lambda m: m[0] if _numbers(m["before"] or "") else f"{m['before'] or ''}1 {m['hour']}", text)
    text = _GLUED.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])} minutes", text)
    text = _CLOCK_PAIR.sub(lambda m: f"{int(m[1] or m[3]) * 60 + int(m[2] or m[4])} minutes", text)
    text = _LESS.sub(lambda m: f"{60 * small(m[1]) - _few(m[2]):g} minutes", text)
    text = _SHORT_OF.sub(lambda m: f"{60 * small(m[2]) - _few(m[1]):g} minutes", text)
    return _HOUR_AND.sub(lambda m: f"{60 * small(m[1]) + small(m[2]):g} minutes", text)


def _figure(word: str) -> str:
    return "0" if word.casefold() in {"zero", "oh"} else str(counting.count(word))


def _numbers(word: str) -> bool:
    return bool(
        re.fullmatch(
            rf"[\d.]+|{counting.WORDS}|the|this|that|per|each|every|half|quarter|whole", word.strip(), re.IGNORECASE
        )
    )


def _few(words: str) -> float:
    return 15.0 if "quarter" in words.casefold() else small(words)


def _fractions(text: str) -> str:
    """Halves and quarters as decimal fractions."""

    def parted(match: re.Match[str]) -> str:
        part = float(_PARTS[" ".join(re.sub(r"-", " ", match[3].casefold()).split())])
        unit = match[2] or match[4] or ""
        return f"{small(match[1]) + part:g}{unit}" + ((match[4] or "") if match[2] else "")

    text = _QUARTERS.sub(lambda m: f"{15 * small(m[1]):g} minutes", _HYPHENED.sub(r"\1 \2", text))
    text = _AND_PART.sub(parted, text)
    text = _TO_QUARTERS.sub(r"\1 \2 \3 of an hour", text)
    text = _PART_TO.sub(lambda m: f"{_PARTS[' '.join(m[1].casefold().replace('-', ' ').split())]} {m[2]} ", text)
    text = _RATIO_OF.sub(r"\1 ", text)
    text = _HALF_AN.sub("0.5 ", text)
    return _PART_OF.sub(lambda m: f"{_PARTS[' '.join(m[1].casefold().replace('-', ' ').split())]} ", text)


def _words(text: str) -> str:
    text = _SPOKEN.sub(lambda m: "".join(_figure(word) for word in re.split(r"[\s-]+", m[0])), text)
    text = _TENS_LAST.sub(r"\2-\1", text)
    for _ in range(2):  # the lower end of "one to one and a half hours" shows once the upper one is in figures
        text = _IN_WORDS.sub(lambda m: str(counting.count(m[1])), text)
    text = _TIMES.sub(lambda m: f"{small(m[1]) * float(m[2]):g}", text)
    return _CLOCK_PAIR.sub(lambda m: f"{int(m[1] or m[3]) * 60 + int(m[2] or m[4])} minutes", text)


_STEPS: tuple[Callable[[str], str], ...] = (_marks, _degrees, bounded, _hours_and_minutes, _fractions, _words, ranged)
