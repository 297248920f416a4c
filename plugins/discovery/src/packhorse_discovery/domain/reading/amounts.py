"""The numbers of an answer with their units, in words or figures: "an hour and a quarter", "20-25 min"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import evolve, frozen
from text_to_num import find_numbers

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.amount import STOPS, VERBS, Amount
from packhorse_discovery.domain.reading.shared_units import carried
from packhorse_discovery.domain.reading.words import Words, spelled

_PARTS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3}
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_MULTIPLES = {"twice": 2.0, "double": 2.0, "half": 0.5, "triple": 3.0, "thrice": 3.0}
_AFTER_SAME = (("for",), ("with",), ("again",), (".",), (",",), (";",), ())
_GRADES = spelled("full whole good solid entire further extra more another long clear straight")
_JOINS = frozenset({"-", "to", "or"})
_NO_PRONOUN = spelled("this that which each every no any other another second first last either")
_ENDS = frozenset({"", ",", ".", ";", "\n", ")", "|"})
_WRITTEN = spelled("h s d t l g m")
"""Units of one letter, which only follow figures."""
_NO_UNITS = frozenset({"in", "second", "shift"})


@lru_cache(maxsize=512)
def amounts(answer: Words) -> tuple[Amount, ...]:
    """Every number of ``answer``, ranges and sums as one."""
    reader = _Reader(answer)
    found = list(_ranges(list(reader.read()), answer))
    return tuple(carried(found, answer))


def number_words(texts: Sequence[str]) -> Iterator[tuple[int, int, float, bool]]:
    """Numbers in words: the first and last token, the value, and whether it is an ordinal."""
    for one in find_numbers([_Token(text) for text in texts], "en", 0):
        if not texts[one.start][0].isdecimal() and texts[one.start] != "ones":
            last = one.end - 1
            while not texts[last][0].isalpha():
                last -= 1
            yield one.start, last, float(one.value), bool(one.is_ordinal)


@frozen
class _Token:
    """A token as text_to_num wants it; without the last method it panics."""

    word: str

    def text(self) -> str:
        return self.word

    def nt_separated(self, _previous: "_Token") -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self.word in {"second", "seconds", "o", "a", "an"} or self.word[0].isdecimal()


@frozen
class _Reader:
    """Reads the numbers of an answer from left to right."""

    answer: Words

    def read(self) -> Iterator[Amount]:
        numbers = self._numbers()
        before: list[Amount] = []
        place = 0
        while place < len(self.answer.texts):
            found = self._again(place, before) or self._span(place) or self._number(place, numbers)
            if found is None:
                place += 1
                continue
            found = self._summed(found, numbers)
            if not self._rate(found, numbers):
                before.append(found)
                yield found
            place = found.last + 1

    def _again(self, place: int, before: Sequence[Amount]) -> Amount | None:
        """What speaks of the number before it: "twice that", "as many covers", "ditto", "the same for the lid"."""
        times = _MULTIPLES.get(self._at(place), 1.0)
        step = place + (self._at(place) in _MULTIPLES)
        two = self.answer.texts[step : step + 2]
        if two in (("as", "many"), ("as", "long")):
            step += 1
            known = self._at(step + 1) != "as" or self._at(step + 2) == "that"
        elif step > place:
            known = two[:1] == ("that",)
        else:
            known = two[:1] == ("ditto",) or (two[:1] == ("same",) and two[1:] in _AFTER_SAME)
        like = [one for one in before[-3:] if not one.ordinal and (two != ("as", "many") or not one.unit)]
        if not known or not like:
            return None
        return evolve(like[-1], low=like[-1].low * times, high=like[-1].high * times, first=place, last=step, echo=True)

    def _at(self, place: int) -> str:
        return self.answer.texts[place] if 0 <= place < len(self.answer.texts) else ""

    def _numbers(self) -> dict[int, tuple[int, float, bool]]:
        """Numbers by their first token: the token after, the value, and whether it is an ordinal."""
        texts = self.answer.texts
        found = {first: (last + 1, value, ordinal) for first, last, value, ordinal in number_words(texts)}
        for place, text in enumerate(texts):
            if text[0].isdecimal() and not any(start < place < end for start, (end, _, _) in found.items()):
                value = self._figure(place, text)
                if value is not None:
                    found[place] = (place + 1, value, False)
                elif text[-2:] in {"st", "nd", "rd", "th"} and text[:-2].isdecimal():
                    found[place] = (place + 1, float(text[:-2]), True)
        return found

    def _figure(self, place: int, text: str) -> float | None:
        if "-" in text or ":" in text or text[-1].isalpha() or "/" in (self._at(place - 1), self._at(place + 1)):
            return None
        whole = text.replace(",", "") if "," in text and len(text.rpartition(",")[2].partition(".")[0]) == 3 else text
        try:
            value = float(whole.replace(",", "."))
        except ValueError:  # a date in figures, a version
            return None
        after = self._at(place + 1)
        return value * {"hundred": 100, "thousand": 1000, "k": 1000, "million": 1e6}.get(after, 1)

    def _number(self, place: int, numbers: dict[int, tuple[int, float, bool]]) -> Amount | None:
        text = self._at(place)
        if text in _TIMES:
            return Amount(_TIMES[text], _TIMES[text], place, place)
        if text == "one" and self.answer.texts[place + 1 : place + 3] == ("of", "each"):
            return Amount(1.0, 1.0, place, place)
        if text == "single" or (text == "one" and self._pronoun(place)):
            return None if text == "one" else Amount(1.0, 1.0, place, place)
        if place not in numbers:
            return self._dozen(place)
        end, value, ordinal = numbers[place]
        if self._at(end) == "-" and self._names(end + 1):
            return None  # "the 60-tonner"
        if self._at(end) in {"hundred", "thousand", "k", "million"} and text[0].isdecimal():
            end += 1
        if self._at(end) == "dozen":
            end, value = end + 1, value * 12
        after = self._part_after(end)
        if after and not ordinal:
            end, value = after[0], value + after[1]
        part = end + (self._at(end) == "-")  # three-quarters of an hour
        if self._at(part) in _PARTS and not ordinal:
            step = part + 1 + (self._at(part + 1) == "of")
            step += self._at(step) in {"a", "an"}
            bare = (
                self._at(part).endswith("s") and self._at(part + 1) in _ENDS
            )  # "an hour, the small ones three quarters"
            if self._unit(step) or bare:
                size = value * _PARTS[self._at(part)]
                return Amount(size, size, place, part if bare else step, self._unit(step))
        return self._with_unit(place, end, value, ordinal=ordinal)

    def _dozen(self, place: int) -> Amount | None:
        texts = self.answer.texts[place : place + 3]
        known: dict[tuple[str, ...], float] = {
            ("half", "a", "dozen"): 6.0,
            ("a", "couple", "of"): 2.0,
            ("a", "pair", "of"): 2.0,
        }
        if (value := known.get(texts)) is not None:
            return self._with_unit(place, place + 3, value)
        return self._with_unit(place, place + 2, 12.0) if texts[:2] == ("a", "dozen") else None

    def _span(self, place: int) -> Amount | None:
        """Such as "an hour", "half a day", "a quarter of an hour", and what "and a half" adds."""
        text, step = self._at(place), place
        part = 1.0
        if text in {"a", "an", "one"} and self._at(place + 1) in {*_PARTS, "half"}:
            step, text = place + 1, self._at(place + 1)
        if text in {"half", "quarter"}:
            part = _PARTS[text]
            step += 1 + (self._at(step + 1) == "-")
            step += self._at(step) == "of"
            step += self._at(step) in {"a", "an"}
        elif text in {"a", "an", "one", "another"}:
            step += 1
            while self._at(step) in _GRADES:
                step += 1
            if self._at(step).isalpha() and not self._unit(step) and self._at(step + 2) == "each":
                step += 1  # "a baking day each"
        else:
            return None
        unit = self._unit(step)
        if not unit or family_of(unit) != "time":
            return None
        after = self._part_after(step + 1) if part == 1.0 else None
        if after and not self._unit_or_of(after[0]):
            return Amount(1 + after[1], 1 + after[1], place, after[0] - 1, unit)
        return Amount(part, part, place, step, unit)

    def _unit_or_of(self, place: int) -> bool:
        step = place + (self._at(place) == "of")
        return self._at(step) in {"an", "a"} and bool(self._unit(step + 1))

    def _part_after(self, place: int) -> tuple[int, float] | None:
        """Such as "and a half", "and three quarters": the token after it and what it adds."""
        if self._at(place) != "and":
            return None
        step = place + 1 + (self._at(place + 1) in {"a", "one"})
        if self._at(place + 1) == "three" and "quarters" in self.answer.texts[place + 2 : place + 4]:
            return place + 3 + (self._at(place + 2) == "-"), 0.75
        if self._at(step) in {"half", "quarter"} and not self._unit_or_of(step + 1):
            return step + 1, _PARTS[self._at(step)]
        return None

    def _unit(self, place: int) -> str:
        text = self._at(place).removesuffix("'s")  # "an hour's work"
        bare = not self._at(place - 1)[:1].isdecimal() or self._at(place + 1) == "-"  # "180 T-shirts"
        if text in _NO_UNITS or (text in _WRITTEN and bare):
            return ""
        two = unit_of(f"{text} {self._at(place + 1)}") if text in {"working", "business", "calendar"} else ""
        found = two or (unit_of(text) if text else "")
        return "" if family_of(found) in {"count", "other"} or found in _NO_UNITS - {"second"} else found

    def _with_unit(self, first: int, end: int, value: float, *, ordinal: bool = False) -> Amount:
        step = end + (self._at(end) == "-" and bool(self._unit(end + 1)))
        while self._at(step) in _GRADES and self._unit(step + 1):
            step += 1
        unit = "" if ordinal else self._unit(step)
        if unit:
            end = step + 1 + (unit == "business day")
        if unit and (after := self._part_after(end)):
            return Amount(value + after[1], value + after[1], first, after[0] - 1, unit)
        if not unit and self._at(first - 1) in {"$", "\u20ac", "\u00a3"}:
            unit, first = unit_of(self._at(first - 1)), first - 1
        return Amount(value, value, first, end - 1, unit, ordinal=ordinal)

    def _summed(self, found: Amount, numbers: dict[int, tuple[int, float, bool]]) -> Amount:
        """Such as "1 h 30", "2 days 4 hours", "an hour and twenty minutes" as one."""
        if found.unit not in {"hour", "day", "week"} or found.low != found.high:
            return found
        step = found.last + 1
        joined = self._at(step) in {"and", "plus"}
        more = self._number(step + joined, numbers) if step + joined in numbers else None
        if more is None or more.ordinal or (found.low % 1 and not more.unit):
            return found
        bare = not more.unit and found.unit == "hour" and (5 if joined else 0) <= more.low < 60
        if bare and not self._sum_ends(more.last + 1, joined=joined):
            return found
        unit = "minute" if bare else more.unit
        if unit not in MINUTES or MINUTES[unit] >= MINUTES[found.unit]:
            return found
        total = found.low + more.low * MINUTES[unit] / MINUTES[found.unit]
        return evolve(found, low=total, high=total, last=more.last, gives=unit)

    def _sum_ends(self, place: int, *, joined: bool) -> bool:
        """Whether what stands at ``place`` ends "an hour and ten": "an hour and ten to get it warm"."""
        after = self._at(place)
        if not joined or after != "to":
            return after in (_ENDS if joined else _ENDS | STOPS)
        return not self._at(place + 1)[:1].isdecimal() and next(number_words((self._at(place + 1),)), None) is None

    def _rate(self, found: Amount, numbers: dict[int, tuple[int, float, bool]]) -> bool:
        """Such as "an hour" of "600 sheets an hour", "a week" of "four lessons a week": a basis and no length."""
        if found.unit not in MINUTES or self._at(found.first) not in {"a", "an"} or found.low != 1.0:
            return False
        if self._at(found.first - 1) in {"per", "/", "once", "twice", "times"}:
            return True
        for back in range(1, 5):
            place = found.first - back
            between = self.answer.texts[max(0, place + 1) : found.first]
            if any(not one[0].isalpha() or one in VERBS or one in STOPS for one in between):
                return False
            last = next((start for start, (end, _, _) in numbers.items() if end == place + 1), None)
            if last is not None:
                return family_of(self._unit(place + 1)) != "time"
        return False

    def _names(self, place: int) -> bool:
        """Whether a word after a hyphen makes a name of the number before it."""
        text = self._at(place).removesuffix("'s")
        known = unit_of(text) or text in {*_PARTS, *_JOINS, "fold"} or next(number_words((text,)), None)
        return text.isalpha() and not known and self._touches(place)

    def _touches(self, place: int) -> bool:
        """Whether no space stands on either side of the mark before ``place``."""
        words = self.answer.words
        return words[place - 2].end == words[place - 1].start and words[place - 1].end == words[place].start

    def _pronoun(self, place: int) -> bool:
        if self._at(place - 2) in {"the", "that", "this", "a"} and self._at(place - 1).isalpha():
            return not self._unit(place + 1)  # "the slow one"
        return self._at(place - 1) in _NO_PRONOUN or self._at(place + 1) in {"of", "another", "or", "'", "more"}


def _ranges(found: list[Amount], answer: Words) -> Iterator[Amount]:
    """Numbers with "to", "-" or "or" between them as one range, where the second is the larger."""
    place = 0
    while place < len(found):
        one = found[place]
        two = found[place + 1] if place + 1 < len(found) else None
        gap = answer.texts[one.last + 1 : two.first] if two else ()
        gap = tuple(text for text in gap if text not in {"about", "~", "maybe", "perhaps"})
        spoken = len(gap) == 1 and (gap[0] in _JOINS or (gap[0] == "and" and answer.texts[one.first - 1] == "between"))
        if spoken and two and gap == ("-",) and _new_case(one, two, answer):
            spoken = False
        if two and spoken and not one.ordinal and not two.ordinal and (joined := _joined(one, two)) is not None:
            yield joined
            place += 2
            continue
        yield one
        place += 1


def _new_case(one: Amount, two: Amount, answer: Words) -> bool:
    """Whether a dash begins another case: "40 minutes - an hour if it's curved"."""
    after = answer.texts[two.last + 1 : two.last + 2]
    apart = answer.words[one.last].end < answer.words[one.last + 1].start
    return bool(one.unit) and apart and after in (("if",), ("when",), ("unless",))


def _joined(one: Amount, two: Amount) -> Amount | None:
    unit = two.unit or one.unit
    low = one.low
    if one.unit and one.unit != two.unit:
        if two.unit and not (one.unit in MINUTES and two.unit in MINUTES):
            return None
        low = one.low * (MINUTES[one.unit] / MINUTES[unit] if two.unit else 1.0)
    return Amount(low, two.high, one.first, two.last, unit, parts=2) if low < two.high else None
