"""Units that are said once for several numbers, and which number takes which."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from attrs import evolve

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import unit_of
from packhorse_discovery.domain.reading.amount import STOPS, VERBS, Amount
from packhorse_discovery.domain.reading.words import Words, alike, spelled

_HAVE = spelled("have has got own the just only")
"""Words before a "one" that counts a thing said before."""
_ALL_ENDS = spelled("of . ; !")
"""What may follow the "all" of "minutes, all of them"."""


def _basis(one: Amount, answer: Words) -> float:
    """The minutes of "an hour" in "600 sheets an hour"; 0 where the number is no rate."""
    texts = answer.texts[one.last + 1 : one.last + 6]
    for at, text in enumerate(texts[:-1]):
        if not (text[0].isalpha() or text == "/"):
            return 0.0
        if text in {"a", "an", "per", "each", "every", "/"} and (unit := unit_of(texts[at + 1])) in MINUTES:
            return MINUTES[unit]
    return 0.0


def is_elliptical(one: Amount, answer: Words) -> bool:
    """Whether a number has neither a unit nor a noun after it, so that one said before is meant."""
    after = answer.texts[one.last + 1] if one.last + 1 < len(answer.texts) else ""
    then = answer.texts[one.last + 2] if one.last + 2 < len(answer.texts) else ""
    doing = after.endswith("ing") and not (then[:1].isalpha() and then not in STOPS | VERBS)  # "three sewing machines"
    noun = after[:1].isalpha() and after not in STOPS and not doing
    noun = noun or (after[:1].isdecimal() and answer.texts[one.last + 2 : one.last + 3] == ("-",))  # "one 60-tonner"
    had = answer.texts[one.first] == "one" and answer.texts[max(0, one.first - 1)] in _HAVE
    return not (one.unit or one.ordinal or noun or had)


def carried(found: list[Amount], answer: Words) -> Iterator[Amount]:
    """The numbers; one whose next word is no noun takes the last unit, or the commonest of the last six.

    The commonest does not hold where it is longer than the one its own
    sentence said last: after minutes nobody leaves out "hours". After "half
    an hour" a number from five on is of minutes, after "an hour" one from
    thirteen on. A like phrase gives its unit too: "mixes 20 minutes, rests
    an hour; the next one mixes 5".
    """
    before: list[str] = []
    declared = _declared(answer)
    alone = 0.0
    said = 0
    done: list[Amount] = []
    for bare, then in zip_longest(found, found[1:]):
        one = evolve(bare, per=_basis(bare, answer))
        again = (
            bool(done)
            and bool(done[-1].per)
            and done[-1].unit not in MINUTES
            and not {".", "border"} & {*answer.marks[done[-1].last : one.first]}
        )
        if again and is_elliptical(one, answer):  # "prints at 240 an hour, hoods at 150"
            done.append(evolve(one, per=done[-1].per, carried=(done[-1].unit,) if done[-1].unit else ()))
        elif (before or declared or then) and is_elliptical(one, answer):
            both = then is not None and answer.texts[one.last + 1 : then.first] in (("and",), (",",))
            units = [then.unit] if then is not None and both and then.unit in MINUTES else []  # "30 and 50 minutes"
            if before:
                commonest = Counter(before[-6:]).most_common(1)[0][0]
                own = not any(mark in {".", "border"} for mark in answer.marks[said : one.first])
                start = answer.sentence(one.first)
                lately = (other.gives or other.unit for other in done if other.first >= start and other.unit)
                units += [before[-1]] if own else [before[-1], commonest]
                units += [
                    unit for unit in lately if _shorter(unit, before[-1])
                ]  # "10 min, pressing 3 hours, making forty"
            like = next((other for other in reversed(done) if _like(one, other, answer)), None)
            if alone and one.low >= alone:
                units = ["minute"]
            elif like is not None:
                units += [like.unit] if like.unit else like.carried
            done.append(evolve(one, carried=tuple(dict.fromkeys([*units, *declared]))))
        else:
            done.append(one)
        if one.unit:
            before.append(one.gives or one.unit)
            article = answer.texts[one.first] in {"a", "an"}
            alone = 0.0 if one.unit != "hour" else 5.0 if one.high < 1 else 13.0 if article else 0.0
            said = one.last
        yield done[-1]


def _shorter(unit: str, other: str) -> bool:
    return unit in MINUTES and other in MINUTES and MINUTES[unit] < MINUTES[other]


def _declared(answer: Words) -> list[str]:
    """Units of time that are said of all numbers: "all minutes", "the times are in minutes"."""
    found = []
    for place, text in enumerate(answer.texts):
        before = answer.texts[max(0, place - 2) : place]
        of_all = before[-1:] == ("are",) or (before[-1:] == ("all",) and answer.clause(place)[0] == place - 1)
        in_all = before in (("all", "in"), ("are", "in"), ("is", "in"), ("everything", "in"), ("times", "in"))
        after = [one for one in answer.texts[place + 1 : place + 5] if one != ","]  # "minutes, all of them"
        alone = answer.clause(place)[0] == place and after[:1] == ["all"] and [*after, "."][1] in _ALL_ENDS
        if text.endswith("s") and (of_all or in_all or alone) and unit_of(text) in MINUTES:
            found.append(unit_of(text))
    return found


def in_all(answer: Words) -> str:
    """A sentence that says of all numbers the unit of time that ``answer`` says of them; "" where it says none."""
    found = dict.fromkeys(_declared(answer))
    return f"All {next(iter(found))}s." if len(found) == 1 else ""


def _like(one: Amount, other: Amount, answer: Words) -> bool:
    """Whether two numbers stand in like phrases: the same verb before them, or the same noun after."""
    if not (other.unit or other.carried):
        return False
    pairs = zip(_beside(one, answer), _beside(other, answer), strict=True)
    return any(first and second and alike(first, second) for first, second in pairs)


def _beside(one: Amount, answer: Words) -> tuple[str, str]:
    """The word before a number, and the first word after it that says something: "oven" of "25 in the oven"."""
    before = answer.texts[one.first - 1] if one.first else ""
    onward = answer.texts[one.last + 1 : min(one.last + 4, answer.clause(one.last)[1] + 1)]
    after = next((text for text in onward if text not in STOPS), "")
    return _telling(before), _telling(after)


def _telling(text: str) -> str:
    return text if text[:1].isalpha() and text not in STOPS else ""
