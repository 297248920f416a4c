"""Working hours in running text: "Monday to Friday, 8 to 5", "the kiln runs round the clock"."""

import re

from attrs import evolve, frozen

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_SPAN = re.compile(
    rf"\b(?P<first>{_DAY})\b\.?\s*(?:-|\u2013|to|till|until|through)\s*(?P<last>{_DAY})\b", re.IGNORECASE
)
_ONE = re.compile(rf"\b(?P<day>{_DAY})\b", re.IGNORECASE)
_EVERY = re.compile(
    r"\b(?:every (?:single )?(?:day|night)|daily|seven days|7 days|all week|each (?:day|night)|24/7|days? a "
    r"week|day and night|"
    r"round the clock|around the clock)\b",
    re.IGNORECASE,
)
_WEEKDAYS = re.compile(
    r"\b(?:weekdays|working days|workdays|business days|mon-fri|m-f|five days a week|5 days a week)\b", re.IGNORECASE
)
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "noon": 12, "midday": 12, "midnight": 0,
}  # fmt: skip
_CLOCK = (
    rf"(?:(?P<{{0}}h>\d{{{{1,2}}}})(?:[:.h](?P<{{0}}m>\d{{{{2}}}}))?|"
    rf"(?P<{{0}}w>{'|'.join(_NUMBERS)}))\s*(?:o['\u2019]?clock\s*)?(?:h\b\s*)?"
    r"(?P<{0}p>am\b|pm\b|a\.m\.|p\.m\.|in the morning|in the afternoon|in the evening|at night)?"
)
_HOURS = re.compile(
    rf"(?<![\d:.,/-])(?<!\bfor )\b(?:from\s+|between\s+)?{_CLOCK.format('a')}\s*(?:-|\u2013|to|till|til|"
    rf"until|and)\s*{_CLOCK.format('b')}"
    r"(?![\d:/%])(?!\s*(?:minutes?|mins?|hours?|hrs?|days?|weeks?|pieces?|batch(?:es)?|people|of)\b)",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\b(?:24/7|24 h(?:ours)?|round the clock|around the clock|day and night|every hour)\b", re.IGNORECASE
)
_WHOSE = re.compile(
    r"^\W*(?:and\s+)?(?:(?:the|our|both|all)\s+)?(?P<what>[a-z][\w-]*(?:\s+(?!(?:is|are|runs?|works?|operates?|"
    r"only|can|has|have|goes)\b)[a-z][\w-]*){0,3})"
    r"(?:['\u2019]s)?\s+(?:obviously\s+|always\s+)?(?:is|are|runs?|works?|operates?|only|goes|can run|may "
    r"run|has|have)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:(?:all\s+|our\s+|the\s+|whole\s+)*(?:equipment|machines?|machinery|vat['\u2019]s)$|it|this|that|they|"
    r"there|i|you|work|he|she|which|who|everything|everybody|everyone|shifts?|hours|people|"
    r"staff|workshop|shop|plant|factory|place|company|site|whole|team|we|kitchen|hall|building|day|night|"
    r"office|yard|works|press hall|studio|lab)\b",
    re.IGNORECASE,
)
_NIGHT = (
    r"(?:overnight|(?:at|in|by|through|during|over|for|all) (?:the )?night|unattended|outside|"
    r"after (?:hours|that|closing|work))"
)
_NOT_OVERNIGHT = re.compile(
    rf"\b(?:nothing|no (?:machine|job|work|step|oven|one)\w*|none of (?:it|them|the \w+)|neither|"
    rf"never)\b[^.;]{{0,45}}?\b{_NIGHT}"
    rf"|\b(?:cannot|(?:ca|must|may|do|does|is|are|wo)n['\u2019]?t|must not|may not|not allowed to|do not|does "
    rf"not)\s+(?:\w+\s+){{0,3}}?"
    rf"(?:run|be (?:left|on)|leave|stay|go on|carry on|continue|work|allowed|keep)\b[^.;]{{0,30}}?\b{_NIGHT}"
    r"|\b(?:power|gas|current|heat(?:ing)?|everything|all|machines?)(?:['\u2019]s|\s+is|\s+are|\s+gets?)?\s+"
    r"(?:cut|(?:switched |turned |shut )?off)\b"
    rf"|\b(?:off|out|stopped|shut down|emptied|empty|cold)\b[^.;]{{0,30}}?\b(?:{_NIGHT}|in the evening|when "
    rf"(?:we|i|they) (?:go|leave|close|lock))"
    rf"|\b{_NIGHT}[^.;]{{0,25}}?\b(?:off|stands? still|stops?|stopped|shut|closed|idle|locked|dark)\b"
    r"|\bno (?:night|overnight) (?:work|running|shift)",
    re.IGNORECASE,
)
_OVERNIGHT = re.compile(
    r"\b(?:runs?|carr(?:y|ies) on|goes? on|continues?|left running|may run|can "
    r"run)\b[^.;]{0,40}?\b(?:overnight|through the night|at night|by itself|on its own|"
    r"unattended|round the clock|day and night)\b",
    re.IGNORECASE,
)


_PAST = re.compile(
    rf"\b(?P<part>half|(?:a )?quarter)\s+(?P<way>past|to)\s+(?P<hour>{'|'.join(_NUMBERS)}|\d{{1,2}})\b", re.IGNORECASE
)
_FROM_TO = re.compile(
    r"\b(?:start|begin|open|arrive|come in|get in|let me in|lets? us in|kick off)(?:s|ning)?(?:\s+(?:work|up|"
    r"the day|the machines))?\s+"
    rf"(?:at\s+)?(?P<from>{_CLOCK.format('a')})(?P<between>[^.;]{{0,60}}?)\b(?:finish|stop|close|end|leave|"
    rf"knock off|shut|go home|throw me out|pack up)"
    rf"(?:e?s|ping)?(?:\s+(?:work|down|up|the day))?\s+(?:at\s+)?(?P<to>{_CLOCK.format('b')})",
    re.IGNORECASE,
)
"""``we start at 6 and finish at 14:30``."""
_USED_TO = re.compile(r"\b(?:used to|in the past|years ago|formerly)\b", re.IGNORECASE)
_PARTED = re.compile(r"(?<=[.;!?\n])")
_OF_HOURS = re.compile(
    r"\b(?:open|work|working|hours|shift|from|here|between|ours|run|runs|days?|night)\b", re.IGNORECASE
)
_NEAR = 4
"""How many clauses away the days of some hours may be told."""


@frozen
class Told:
    """Hours of one resource (``all``: of everything): days by name (empty: not said), times as ``08:00``."""

    resource: str
    days: tuple[str, ...]
    start: str
    end: str
    said: str


def hours(text: str) -> list[Told]:
    """The weekly hours that ``text`` tells of; a clause without clock times says nothing."""
    found: list[Told] = []
    text = _FROM_TO.sub(_from_to, _PAST.sub(_figures, _now(text)))
    for sentence in re.split(r"[.;\n!]+(?=\s|$)", text):
        clauses = [one for one in re.split(r",\s*|\bbut\b|\bwhile\b|\bexcept\b", sentence) if one.strip()]
        told_of = bool(_OF_HOURS.search(sentence) or _days(sentence))
        for place, clause in enumerate(clauses):
            matches = [match for match in _HOURS.finditer(clause) if _is_clock(match, clause, told_of)]
            days = _days_for(clauses, place) if matches or _ALWAYS.search(clause) else ()
            found += [Told(_whose(clause), days, *_pair(match), sentence.strip()) for match in matches]
            if not matches and _ALWAYS.search(clause):
                found.append(Told(_whose(clause), days or _DAYS, "00:00", "24:00", sentence.strip()))
    last = next((one.days for one in reversed(found) if one.days), ())
    return [one if one.days else evolve(one, days=last) for one in found]


def _from_to(match: re.Match[str]) -> str:
    """Hours told by when work starts and when it stops, as a span."""
    return f"work from {match['from'].strip()} to {match['to'].strip()}{match['between']}".replace(" and ", " ").rstrip(
        " ,"
    )


def _figures(match: re.Match[str]) -> str:
    """``half past three`` as ``3:30``."""
    hour = _NUMBERS.get(match["hour"].casefold()) or int(match["hour"])
    minutes = 30 if match["part"].casefold() == "half" else 15
    if match["way"].casefold() == "to":
        hour, minutes = hour - 1 or 12, 60 - minutes
    return f"{hour}:{minutes:02d}"


def _days_for(clauses: list[str], place: int) -> tuple[str, ...]:
    """The days that a clause names, else those just before it, else those just after."""
    before, after = range(place - 1, max(place - _NEAR, 0) - 1, -1), range(place + 1, min(place + _NEAR, len(clauses)))
    for near in (place, *before, *after):
        days = _days(clauses[near])
        if days and (near == place or not _HOURS.search(clauses[near])):
            return days
    return ()


def _whose(clause: str) -> str:
    found = _WHOSE.search(clause)
    name = found["what"].strip() if found else ""
    return "all" if not name or _ALL.match(name) else name


def _now(text: str) -> str:
    """``text`` without its sentences of another time."""
    return "".join(one for one in _PARTED.split(text) if not _USED_TO.search(one))


def overnight(text: str) -> bool | None:
    """Whether what has begun may go on outside the hours; None where nothing is said of it."""
    text = _now(text)
    if _NOT_OVERNIGHT.search(text):
        return False
    return True if _OVERNIGHT.search(text) else None


def _days(text: str) -> tuple[str, ...]:
    found: list[str] = []
    if _EVERY.search(text):
        return _DAYS
    if _WEEKDAYS.search(text):
        found += _DAYS[:5]
    for match in _SPAN.finditer(text):
        first, last = (_number(match[end]) for end in ("first", "last"))
        found += [_DAYS[(first + step) % 7] for step in range((last - first) % 7 + 1)]
    rest = _SPAN.sub(" ", text)
    found += [
        _DAYS[_number(match["day"])] for match in _ONE.finditer(rest) if not re.match(r"sat$|sun$|wed$", match["day"])
    ]
    return tuple(day for day in _DAYS if day in found)


def _number(word: str) -> int:
    return next(number for number, day in enumerate(_DAYS) if day.casefold().startswith(word.casefold()[:3]))


def _is_clock(match: re.Match[str], clause: str, told_of: bool) -> bool:
    """Whether two numbers are times of day: one of them says so, or the sentence is ``told_of`` hours or days."""
    marked = any(match[name] for name in ("am", "bm", "ap", "bp"))
    return marked or told_of or clause.strip() == match[0].strip()


def _pair(match: re.Match[str]) -> tuple[str, str]:
    start, start_half = _clock(match, "a")
    end, end_half = _clock(match, "b")
    if start_half is None and end_half == "am" and start < 12 * 60 and start < end:
        start_half = "am"
    if start_half is None and end_half == "pm" and start > end % (12 * 60) and start < 12 * 60:
        start_half = "am"
    if end_half is None and end < start and end < 12 * 60 and start_half != "pm":
        end += 12 * 60  # nine to five
    return _shown(start), _shown(end)


def _clock(match: re.Match[str], which: str) -> tuple[int, str | None]:
    word = match[f"{which}w"]
    minutes = 60 * (_NUMBERS[word.casefold()] if word else int(match[f"{which}h"])) + int(match[f"{which}m"] or 0)
    said = (match[f"{which}p"] or "").casefold().replace(".", "")
    half = None
    if said in {"am", "in the morning"}:
        half = "am"
        minutes -= 720 if minutes >= 720 and said == "am" else 0
    elif said:
        half = "pm"
        minutes += 720 if minutes < 720 else 0
    return minutes, half


def _shown(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
