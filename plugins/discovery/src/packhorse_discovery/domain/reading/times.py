"""Times of day in an answer, each with every reading that the words allow."""

from functools import lru_cache

from attrs import evolve, frozen

from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.weekdays import CUES, DAY_OF, HOURS, SETS
from packhorse_discovery.domain.reading.words import Words, spelled

_HALVES = {"morning": "am", "mornings": "am", "afternoon": "pm", "evening": "pm", "tonight": "pm", "night": "night"}
_AFTER_TIME = spelled(
    "am pm a p o'clock h in on and to until till for from but or tomorrow sharp then we each every the at next this "
    "that so only with not when because they it he she except apart"
)
"""What may stand after a bare number that is a time; any other word is a noun, and the number its count."""
_TO = frozenset({"-", "to", "until", "till", "and"})


@frozen
class Clock:
    """A time of day: every reading in minutes after midnight; ``span`` says whether it begins or ends one."""

    readings: frozenset[int]
    first: int
    last: int
    span: str = ""


def minutes(text: str) -> int | None:
    """The minutes after midnight of ``08:30``; None where it is no such time."""
    hour, _, minute = text.partition(":")
    if not (hour.isdecimal() and minute.isdecimal() and len(minute) == 2 and int(hour) < 25 and int(minute) < 60):
        return None
    return int(hour) * 60 + int(minute)


def shown_time(at: int) -> str:
    """Minutes after midnight as ``08:30``."""
    return f"{at // 60:02}:{at % 60:02}"


@lru_cache(maxsize=512)
def clocks(answer: Words) -> tuple[Clock, ...]:
    """Every time of day that ``answer`` may name."""
    reader = _Clocks(answer)
    found: list[Clock] = []
    place = 0
    while place < len(answer.texts):
        again = bool(found) and found[-1].last >= place  # the end of a span, which may begin another
        pair = reader.span(place)
        one = reader.one(place, sure=False) if pair is None and not again else None
        if one is None and found and answer.texts[place : place + 2] == ("same", "time"):
            one = evolve(found[-1], first=place, last=place + 1, span="")
        found += pair or ([one] if one is not None else [])
        if pair is not None and pair[0].last < pair[1].first and pair[1].first > place:
            place = pair[1].first
        else:
            place = max(place + 1, found[-1].last + 1 if found else 0)
    return tuple(found)


_ONLY_CLOCKS = frozenset(_HALVES) | spelled("half quarter to past before after am pm o'clock oclock noon midnight")


def of_clock(one: Amount, answer: Words) -> bool:
    """Whether a number is only part of a time of day: the five of "half five", the six of "Thursday at six"."""
    if one.unit or one.parts > 1:
        return False
    every = clocks(answer)
    for place, at in enumerate(every):
        if at.first <= one.first and one.last <= at.last:
            beside = [at, *every[place + 1 : place + 2]] if at.span == "start" else [at]
            beside += [every[place - 1]] if at.span == "end" else []
            return any(_sure(each, answer) for each in beside)
    return False


def _sure(one: Clock, answer: Words) -> bool:
    """Whether what may be a time of day can be nothing else: "half five", "Thursday at six", "8:30"."""
    day = answer.texts[max(0, one.first - 2)]
    dated = answer.texts[one.first - 1] in CUES and (day in DAY_OF or day in {"today", "tonight", "tomorrow"})
    texts = answer.texts[one.first : one.last + 1]
    return dated or bool(_ONLY_CLOCKS & {*texts}) or any(":" in text for text in texts)


@frozen
class _Clocks:
    answer: Words

    def _at(self, place: int) -> str:
        return self.answer.texts[place] if 0 <= place < len(self.answer.texts) else ""

    def span(self, place: int) -> list[Clock] | None:
        """Such as "8 to 12", "from eight to half past five", "14-16h": both ends."""
        start = self._to_the_hour(place)  # "ten to nine to three"
        then = start.last + 1 if start is not None and self._number(place) in {5, 10, 20, 25} else -1
        if self._at(then) not in _TO - {"and"} or self._number(then + 1) is None:
            start = self.one(place, sure=True)
        if start is None or self._at(start.last + 1) not in _TO:
            return None
        day = self._at(place - 1) in DAY_OF
        end = self.one(start.last + 2 + (self._at(start.last + 2) in {"at", "about"}), sure=True, ends=True, day=day)
        if end is None:
            return None
        if self._at(start.last + 1) == "and" and self._at(place - 1) not in {"between", "from"}:
            return None
        begin, after = self._of_the_day(start), end.readings
        if len(begin) == 1 and any(one > min(begin) for one in after):
            after = frozenset(one for one in after if one > min(begin))
        if self._at(start.last + 1) == "to" and self._at(place) == "ten":  # "ten to six" is 05:50 as well
            spoken = self._to_the_hour(place)
            if spoken is not None:
                return [Clock(begin | spoken.readings, place, end.last, "start"), Clock(after, place, end.last, "end")]
        return [Clock(begin, start.first, start.last, "start"), Clock(after, end.first, end.last, "end")]

    def _of_the_day(self, start: Clock) -> frozenset[int]:
        """The readings of the start of a span that fit what stands before it: "the morning shift is six to two"."""
        for step in range(start.first - 1, max(-1, start.first - 5), -1):
            if self.answer.marks[step]:
                break
            if (half := _HALVES.get(self._at(step), "")) in {"am", "pm"}:
                wanted = {one for one in start.readings if (one >= 720) == (half == "pm")}
                return frozenset(wanted) or start.readings
        return start.readings

    def one(self, place: int, *, sure: bool, ends: bool = False, day: bool = False) -> Clock | None:
        """The time that begins at ``place``; a bare number only where ``sure``, or after "at", "by", "until"."""
        text = self._at(place)
        if text in {"noon", "midday"}:
            return Clock(frozenset({720}), place, place)
        if text == "midnight":
            return Clock(frozenset({0, 1440}), place, place)
        if minutes(text) is not None or (self._two_decimals(text) and not self._unit_after(place)):
            said, minute = (int(part) for part in text.replace(".", ":").split(":"))
            return self._read(said, minute, place, place, ends=ends, padded=text[0] == "0" or said > 12)
        step = place + (text in {"a", "an"})
        past = self._at(step) in {"half", "quarter"} or (not sure and self._number(step) in {5, 10, 20, 25})
        if past and (spoken := self._past(step, place)) is not None:
            return spoken
        hour = self._number(place)
        if hour is None or not 0 <= hour <= 24:
            return None
        after = self._at(place + 1)
        exact = hour <= 12 and self._half(place)[1] > place  # "five in the afternoon"
        exact = (
            exact
            or after in {"am", "pm", "o'clock", "oclock", "h"}
            or (after in {"a", "p"} and self._at(place + 2) == ".")
        )
        if exact or sure or (self._at(place - 1) in CUES and not self._noun(place + 1)):
            if after == "h" and self._at(place + 2).isdecimal() and len(self._at(place + 2)) == 2:
                return self._read(hour, int(self._at(place + 2)), place, place + 2, ends=ends, padded=True)
            if (
                sure and not exact and not (day and not self._unit_after(place)) and self._noun(place + 1)
            ):  # "Saturdays 9-11 consults only"
                return None
            ends |= self._at(place - 1) in {"until", "till", "til"}
            return self._read(hour, 0, place, place + (after in {"o'clock", "oclock", "h"}), ends=ends)
        return None

    def _past(self, step: int, place: int) -> Clock | None:
        """Such as "half five", "quarter past five", "ten to six"."""
        if self._at(step) == "half":
            past = step + 1 + (self._at(step + 1) == "-") + (self._at(step + 1) == "past")
            past += self._at(past) == "past"
            hour = self._number(past)
            if hour is not None and 1 <= hour <= 12 and not self._unit_after(past):
                return self._read(hour, 30, place, past, loose=True)
            return None
        return self._to_the_hour(step, place)

    def _to_the_hour(self, step: int, place: int | None = None) -> Clock | None:
        before = 15 if self._at(step) == "quarter" else self._number(step)
        after = step + 1 + (self._at(step + 1) == "minutes")
        sign, hour = self._at(after), self._number(after + 1)
        if sign not in {"past", "to", "after", "before"} or hour is None or not 1 <= hour <= 12 or before is None:
            return None
        if sign in {"after", "before"} and before != 15:
            return None
        back = sign in {"to", "before"}
        found = self._read(
            (hour - 1) or 12 if back else hour, 60 - before if back else before, step, after + 1, loose=True
        )
        return Clock(found.readings, step if place is None else place, found.last)

    def _read(
        self, hour: int, minute: int, first: int, last: int, *, ends: bool = False, padded: bool = False,
        loose: bool = False,
    ) -> Clock:  # fmt: skip
        half, last = self._half(last)
        base = hour % 12 * 60 + minute
        if half == "night":
            half = "am" if hour % 12 < 6 else "pm"
        if half:
            found = {base + 720 * (half == "pm")}
        elif padded or hour > 12 or hour == 0:
            found = {hour * 60 + minute}
        elif hour == 12:
            found = {720 + minute} | ({1440} if ends and minute == 0 else set())
        elif 7 <= hour <= 11 and not ends and not (loose and hour < 8):
            found = {base}
        else:
            found = {base, base + 720}
        return Clock(frozenset(found), first, last)

    def _half(self, last: int) -> tuple[str, int]:
        after = self._at(last + 1)
        if after in {"am", "pm"}:
            return after, last + 1
        if after in {"a", "p"} and self._at(last + 2) == "." and self._at(last + 3) == "m":
            return f"{after}m", last + 3 + (self._at(last + 4) == "." and not self._ends(last + 4))
        for step in range(last + 1, last + 5):
            if self._at(step) in _HALVES:
                beside = all(text in {"in", "the"} for text in self.answer.texts[last + 1 : step])
                return _HALVES[self._at(step)], step if beside else last
            if self._at(step) not in {"in", "the", "tomorrow", "this", "at", "on"} and self._at(step) not in DAY_OF:
                break
        return "", last

    def _ends(self, place: int) -> bool:
        return self.answer.marks[place] == "." and self._at(place + 1) not in _TO

    def _number(self, place: int) -> int | None:
        text = self._at(place)
        if text.isdecimal():
            return int(text)
        return HOURS.get(text)

    def _two_decimals(self, text: str) -> bool:
        whole, dot, part = text.partition(".")
        return (
            bool(dot)
            and whole.isdecimal()
            and len(part) == 2
            and part.isdecimal()
            and int(whole) < 25
            and int(part) < 60
        )

    def _unit_after(self, place: int) -> bool:
        return self._at(place + 1) in {
            "minutes",
            "hours",
            "min",
            "hour",
            "h",
            "days",
            "kg",
            "m",
            "litres",
            "percent",
            "%",
        }

    def _noun(self, place: int) -> bool:
        text = self._at(place)
        return text[:1].isalpha() and text not in _AFTER_TIME and text not in DAY_OF and text not in SETS
