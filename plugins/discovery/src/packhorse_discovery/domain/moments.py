"""Points of time in running text: "by three this afternoon", "Thursday noon", "half past seven tomorrow morning".

Each is a day, where one is named, and a time of day. `counted` writes them as
hours from the moment that the text calls now, so that what reads spans of
time reads them too.
"""

import re
from functools import lru_cache
from typing import Literal

from attrs import evolve, frozen

from packhorse_discovery.domain import nows

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HOURS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        start=1,
    )
}
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_DAY = r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_ON = (
    rf"(?P<{{0}}next>next\s+)?(?:this\s+)?(?:(?P<{{0}}week>{_DAY})\b(?:(?<=\b\w\w\w)\.)?|"
    rf"(?P<{{0}}after>(?:the\s+)?day\s+after\s+tomorrow)|"
    r"(?P<{0}tomorrow>tomorrow)|(?P<{0}today>today))"
)
_PART = r"(?:in\s+the\s+|of\s+the\s+|at\s+|this\s+)?(?P<{0}part>morning|afternoon|evening|night|tonight)"
_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|\d{{1,2}})"
_PAST = rf"(?P<past>{'|'.join(sorted(_MINUTES, key=len, reverse=True))})\s+(?:minutes\s+)?(?P<way>past|to)\s+"
_CLOCK = (
    rf"(?:(?P<noon>(?:at\s+)?noon|(?:at\s+)?midday|(?:at\s+)?midnight)|"
    rf"(?:at\s+)?(?:about\s+)?(?:the\s+(?=\w+\s+(?:of|in)\s+the\s+(?:morning|afternoon|"
    rf"evening)\b))?(?:{_PAST})?{_HOUR}(?:[:.h](?P<minute>[0-5]\d)\b)?"
    r"(?:\s*(?P<half>am|pm|a\.m\.?|p\.m\.?)(?![a-z]))?(?:\s*(?P<oclock>o['\u2019]?clock|hrs\b|"
    r"h\b))?(?:\s+(?P<sharp>sharp))?)"
)
_NO_SPAN = (
    r"(?![\w%/])(?!:\d)(?!\.\d)(?!\s*(?:-|\u2013|to\s+\d)\s*\d)"
    r"(?!\s+(?:and\s+a\s+half\s+)?(?:more\s+)?(?:min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|batch(?:es)?|"
    r"lots?|loads?|"
    r"pieces?|units?|of\b(?!\s+the\s+(?:morning|afternoon|evening|night)\b)|percent))"
)
_BEFORE = r"(?P<lead>\b(?:by|at|before|until|till|for|on|from|is|it['\u2019]s|in)\s+(?:about\s+)?)?"
_MOMENT = re.compile(
    rf"{_BEFORE}(?<![\w.:/+-])(?<!\+\s)(?:"
    rf"{_ON.format('a')}(?:(?:,|\s+at|\s+by|\s+before|\s+around)?\s+(?:{_PART.format('a')},?\s+)?{_CLOCK}{_NO_SPAN})"
    rf"(?:\s+{_PART.format('b')}\b)?"
    r")",
    re.IGNORECASE,
)
"""A day and then a clock: "Thursday at six in the evening"."""
_MOMENT_AFTER = re.compile(
    rf"{_BEFORE}(?<![\w.:/+-])(?<!\+\s){_CLOCK}{_NO_SPAN}(?:\s+{_PART.format('a')}\b)?"
    rf"(?:(?:\s+now)?,?\s+(?:on\s+)?{_ON.format('a')}(?:\s+{_PART.format('b')}\b)?)?",
    re.IGNORECASE,
)
"""A clock, and perhaps a day: "six in the evening on Thursday"."""
_FOUR_FIGURES = re.compile(
    r"(?<![\w.:/+-])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?![\w:/-])"
    r"(?:(?=\s*(?:(?:hrs|hours|h)\b)?[\s,]*(?:on\s+)?(?:\w+day|tomorrow)\b)|(?:(?<=time\s\d{4})|(?<=now\s\d{4})|(?<=day\s\d{4})|(?<=day,\s\d{4})|"
    r"(?<=time\sis\s\d{4})))"
    r"(?:\s*(?:hrs|hours|h)\b)?",
    re.IGNORECASE,
)
_SAID_AGAIN = re.compile(r"\s*\((?:in |that is |i\.e\. )?\d+(?:\.\d+)?\s*(?:min|h|hours?|hrs?|days?)\b", re.IGNORECASE)
"""The same as a span, in brackets after it."""
Part = Literal["", "am", "pm", "night"]
_PARTS: dict[str, Part] = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "night", "tonight": "night"}


@frozen
class Moment:
    """A day (a weekday 0 to 6, or days after today) and minutes after its midnight, at ``start`` to ``end`` of a text.

    ``sure`` is False where an hour was said without saying in which half of
    the day.
    """

    weekday: int | None
    days: int | None
    minutes: int
    sure: bool
    start: int
    end: int

    @property
    def words(self) -> str:
        """The moment as written for people: "Thursday 18:00"."""
        day = DAYS[self.weekday] if self.weekday is not None else {1: "tomorrow", 2: "overmorrow"}.get(self.days or 0)
        clock = f"{self.minutes // 60:02d}:{self.minutes % 60:02d}"
        return f"{day or 'today'} {clock}"


WORDS = rf"(?:{'|'.join(DAYS)}|today|tomorrow|overmorrow) \d\d:\d\d"
"""How `Moment.words` writes, as a regular expression."""


def find(text: str) -> list[Moment]:
    """The points of time in ``text``, in order; a bare number is none of them."""
    found: list[Moment] = []
    at = 0
    while at < len(text):
        matches = [one for pattern in (_MOMENT, _MOMENT_AFTER) if (one := _first(pattern, text, at))]
        if not matches:
            break
        best, moment = min(matches, key=lambda one: (one[0].start(), -one[0].end()))
        if not best.groupdict().get("anext"):  # "next Wednesday" may be this week's or the one after
            found.append(moment)
        at = best.end()
    return found


def _first(pattern: re.Pattern[str], text: str, at: int) -> tuple[re.Match[str], Moment] | None:
    while match := pattern.search(text, at):
        if (moment := _moment(match)) is not None:
            return match, moment
        at = match.start() + 1
    return None


@lru_cache(maxsize=1024)
def now_in(text: str) -> Moment | None:
    """The moment that ``text`` says it is, or at which work starts; None where it says none."""
    text = clocked(text)
    return _now(find(text), text)


def clocked(text: str) -> str:
    """``text`` with hours of four figures as clocks: "1830 today" is "18:30 today"."""
    return _FOUR_FIGURES.sub(r"\g<h>:\g<m>", text)


def counted(text: str, now: Moment | None = None) -> str:
    """``text`` with its points of time as "due in 8 hours" from ``now``, or from the moment it says it is.

    Where no now is known they are written alike ("due by Thursday 18:00"); the
    clause that says when it is now is left out.
    """
    text = clocked(text)
    moments = find(text)
    told = _now(moments, text)
    now = told or now
    parts, at = [], 0
    for moment in moments:
        if told is not None and moment.start == told.start:
            start, end = nows.clause(text, moment.start, moment.end)
            parts.append(nows.without_today(text[at : max(start, at)]))
            at = end
            continue
        if _SAID_AGAIN.match(text[moment.end :]):
            parts.append(text[at : moment.start])
            at = moment.end
            continue
        hours = after(moment, now) if now is not None else None
        words = f"in {hours:g} hours" if hours is not None else f"by {moment.words}"
        words = words if re.search(r"\bdue\s*$", text[at : moment.start]) else f"due {words}"
        parts += [text[at : moment.start].rstrip(" "), " ", words]
        at = moment.end
    return "".join([*parts, text[at:]]).strip(" ,;")


def due(words: str, now: Moment | None) -> str:
    """A due time alone, as a span from ``now`` or a day and hour; the words where they are no point of time."""
    found = find(clocked(words))
    if len(found) != 1:
        return words
    hours = after(found[0], now) if now is not None else None
    return f"{hours:g} hours" if hours is not None else found[0].words


def _now(moments: list[Moment], text: str) -> Moment | None:
    """The one of ``moments`` that is now, with the day that it is where that is told elsewhere in ``text``."""
    now = next((one for one in moments if nows.says_now(text, one.start, one.end)), None)
    alone = [one for one in moments if nows.stands_alone(text, one.start, one.end)]
    if now is None and len(moments) > 1 and alone == moments[:1] and nows.opens(text, moments[0].start):
        now = moments[0]  # "Right. Monday, 6 am."
    if now is None or now.weekday is not None or now.days is not None:
        return now
    day = nows.today(text)
    return now if day is None else evolve(now, weekday=_weekday(day))


def _weekday(name: str) -> int:
    return next(place for place, day in enumerate(DAYS) if day.casefold().startswith(name[:3].casefold()))


def after(moment: Moment, now: Moment) -> float | None:
    """The hours from ``now`` until ``moment``, the next time it comes; None where the day of now is not known.

    An hour without a half of the day is the next such hour when the day is
    not named, and one between seven and six of the working day when it is.
    """
    start = now.minutes
    if moment.weekday is None and moment.days is None:
        step = 720 if not moment.sure or not now.sure else 1440
        gap = (moment.minutes - start) % step or step
        return gap / 60
    if moment.weekday is not None and now.weekday is None:
        return None
    days = moment.days if moment.weekday is None else (moment.weekday - (now.weekday or 0)) % 7
    minutes = _by_day(moment)
    if moment.days == 0 and not moment.sure and minutes <= start:
        minutes += 720
    gap = (days or 0) * 1440 + minutes - (start if now.sure or start >= 300 else start + 720)
    if gap <= 0 and moment.weekday is not None:
        gap += 7 * 1440
    return gap / 60 if gap > 0 else None


def _by_day(moment: Moment) -> int:
    """The minutes of a moment; of an hour without its half of the day, those of the working day."""
    return moment.minutes if moment.sure or moment.minutes >= 420 else moment.minutes + 720


def _moment(match: re.Match[str]) -> Moment | None:
    said = {name: (value or "").casefold() for name, value in match.groupdict().items()}
    parts = [part for part in (said.get("apart", ""), said.get("bpart", "")) if part]
    dated = any(said.get(name) for name in ("aweek", "aafter", "atomorrow", "atoday"))
    minutes, sure = _clock(said, parts)
    if minutes is None:
        return None
    marked = dated or parts or said["noon"] or said["half"] or said["minute"] or said["oclock"] or said["past"]
    asked = said["lead"].strip() in {"by", "at", "before", "until", "till"} or re.match(
        r"at\s", match[0][len(match["lead"] or "") :], re.IGNORECASE
    )
    bare = not (parts or said["noon"] or said["half"] or said["minute"] or said["oclock"] or said["past"])
    if bare and not asked and "," in match[0]:
        return None  # "one, Tuesday": a number before a day
    if not marked and not asked and not nows.stands_by_now(match.string, match.end()):
        return None
    if not marked and said["hour"].isdigit() and (int(said["hour"]) > 24 or not asked):
        return None
    if said["oclock"] in {"h", "hrs"} and not asked and not dated:
        return None  # "in 8 h" is a span
    weekday = None
    if said.get("aweek"):
        weekday = _weekday(said["aweek"])
    days = 2 if said.get("aafter") else 1 if said.get("atomorrow") else 0 if said.get("atoday") else None
    if days is None and weekday is None and ("tonight" in parts or re.search(r"\bthis\s+\w+$", match[0])):
        days = 0
    if "night" in [_PARTS[part] for part in parts] and sure and minutes < 360 and days is not None:
        days += 1
    return Moment(weekday, days, minutes, sure, match.start(), match.end())


def _clock(said: dict[str, str], parts: list[str]) -> tuple[int | None, bool]:
    """Minutes after midnight, and whether the half of the day is known."""
    if said["noon"]:
        return (1440, True) if "midnight" in said["noon"] else (720, True)
    hour = _HOURS.get(said["hour"]) or (int(said["hour"]) if said["hour"].isdigit() else 0)
    if hour > 24 or (said["half"] and not 1 <= hour <= 12):
        return None, False
    minutes = 60 * hour + int(said["minute"] or 0)
    if said["past"]:
        minutes += _MINUTES[said["past"]] * (1 if said["way"] == "past" else -1)
    known = {_PARTS[part] for part in parts} | ({"am"} if said["half"].startswith("a") else set())
    known |= {"pm"} if said["half"].startswith("p") else set()
    twelve = minutes % 720
    if "am" in known:
        return twelve, True
    if "pm" in known:
        return twelve + 720, True
    if "night" in known:
        return (twelve + 720 if twelve >= 300 else twelve), True
    sure = hour > 12 or hour == 0 or (bool(said["minute"]) and len(said["hour"]) == 2 and said["hour"].startswith("0"))
    sure = sure or (bool(said["minute"]) and said["hour"].isdigit() and not said["past"])
    return minutes, sure
