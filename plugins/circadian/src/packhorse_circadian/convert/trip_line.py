"""A trip as one line, which a person can read and a model can write: all that later calls need, and nothing stored.

``PLACE TIME > PLACE ARRIVES/LEAVES > PLACE TIME < LEAVES ARRIVES; word value; ...``: the way out with its stops, the
way back where there is one, and what differs from its default.
"""

import re
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian.models import PlanQuestion

EXAMPLE = "America/Los_Angeles 2027-02-15T11:30 > Asia/Tokyo 2027-02-16T15:45; prep 2"
SHOWN = 32
"""Characters of a piece that a refusal repeats: no place has a longer name."""
_PLACE = r"[A-Za-z][\w+-]*(?:/[\w+-]+)*"
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d"
_END = re.compile(f"({_PLACE}) ({_TIME})")
_STOP = re.compile(f"({_PLACE}) ({_TIME})/({_TIME})")
_BACK = re.compile(f"({_TIME}) ({_TIME})")
_CLOCKS = r"(\d\d:\d\d)-(\d\d:\d\d)"

Set = Callable[..., dict[str, Any]]


def _wish(**kept: Any) -> dict[str, Any]:
    return {"interventions": kept}


# Each word of the line: its pattern, what it sets, and how a question says it.
_WORDS: tuple[tuple[str, Set], ...] = (
    (r"prep (\d+)", lambda days: {"prep_days": int(days)}),
    (f"sleep {_CLOCKS}", lambda bed, wake: {"usual_sleep_time": bed, "usual_wake_time": wake}),
    (f"there {_CLOCKS}", lambda bed, wake: {"destination_sleep_time": bed, "destination_wake_time": wake}),
    (r"lux (\d+)", lambda lux: {"bright_light_lux": int(lux)}),
    (r"(lark|owl)", lambda kind: {"chronotype": kind}),
    (r"age (\d+)", lambda years: {"age": int(years)}),
    (r"no (melatonin|caffeine|naps)", lambda what: _wish(**{what: False})),
    (r"exercise", lambda: _wish(exercise=True)),
    (r"dose (0\.5 mg|3 mg)", lambda dose: _wish(melatonin_dose=dose)),
    (r"cup (\d+) mg", lambda mg: _wish(caffeine_mg=int(mg))),
    (r"half-life ([\d.]+)", lambda hours: _wish(caffeine_half_life_hours=float(hours))),
    (f"work {_CLOCKS}", lambda start, end: {"work_hours": {"start": start, "end": end}}),
    (r"stay (home|half|local)", lambda hours: {"short_stay": hours}),
)


def question_from_line(line: str) -> PlanQuestion:
    """The question that a trip line asks.

    Raises:
        UserError: naming the piece that is not understood, or the field at fault.
    """
    way, *words = (part.strip() for part in line.split(";"))
    out, _, back = (part.strip() for part in way.partition("<"))
    ends = [part.strip() for part in out.split(">")]
    if len(ends) < 2:
        raise _unread(out, "a flight. A flight has a place and a time on both sides of '>'")
    found: dict[str, Any] = {}
    found["origin_timezone"], found["departure_datetime"] = _read(_END, ends[0], "PLACE TIME")
    found["destination_timezone"], found["arrival_datetime"] = _read(_END, ends[-1], "PLACE TIME")
    stops = [_read(_STOP, stop, "PLACE ARRIVES/LEAVES") for stop in ends[1:-1]]
    found["layovers"] = [
        {"timezone": place, "arrival_datetime": lands, "departure_datetime": leaves} for place, lands, leaves in stops
    ]
    if back:
        leaves, lands = _read(_BACK, back, "LEAVES ARRIVES")
        found["return_flight"] = {"departure_datetime": leaves, "arrival_datetime": lands}
    for word in filter(None, words):
        for name, value in _word(word).items():
            found[name] = {**found.get(name, {}), **value} if name == "interventions" else value
    try:
        return PlanQuestion.model_validate(found)
    except ValidationError as refused:
        fault = refused.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise UserError(
            f"In `trip`, {where} {str(fault['input'])[:SHOWN]!r} is wrong: {fault['msg'].lower()}. Write a trip like"
            f' "{EXAMPLE}".',
            code="INVALID_TRIP",
        ) from None


def _read(pattern: re.Pattern[str], text: str, form: str) -> tuple[str, ...]:
    match = pattern.fullmatch(text)
    if match is None:
        raise _unread(text, form)
    return match.groups()


def _word(word: str) -> dict[str, Any]:
    for pattern, sets in _WORDS:
        match = re.fullmatch(pattern, word)
        if match:
            return sets(*match.groups())
    raise _unread(
        word, "prep 2, sleep 22:30-06:30, there 23:00-07:00, lux 10000, lark, age 44, no caffeine or stay home"
    )


def _unread(text: str, form: str) -> UserError:
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    return UserError(f'In `trip`, {shown!r} is not {form}. Write a trip like "{EXAMPLE}".', code="INVALID_TRIP")


def line_from(question: PlanQuestion) -> str:
    """The trip line of a question: what it asks beside its defaults."""
    stops = [f"{stop.timezone} {stop.arrival_datetime}/{stop.departure_datetime}" for stop in question.layovers]
    way = [
        f"{question.origin_timezone} {question.departure_datetime}",
        *stops,
        f"{question.destination_timezone} {question.arrival_datetime}",
    ]
    line = " > ".join(way)
    if back := question.return_flight:
        line += f" < {back.departure_datetime} {back.arrival_datetime}"
    return "; ".join([line, *_words(question)])


def _words(question: PlanQuestion) -> list[str]:
    usual, wish = PlanQuestion.model_fields, question.interventions
    found = []
    if question.prep_days != usual["prep_days"].default:
        found.append(f"prep {question.prep_days}")
    sleep = (question.usual_sleep_time, question.usual_wake_time)
    if sleep != (usual["usual_sleep_time"].default, usual["usual_wake_time"].default):
        found.append("sleep {}-{}".format(*sleep))
    if question.destination_sleep_time and question.destination_wake_time:
        found.append(f"there {question.destination_sleep_time}-{question.destination_wake_time}")
    if question.bright_light_lux is not None:
        found.append(f"lux {question.bright_light_lux}")
    if question.chronotype != "neither":
        found.append(question.chronotype)
    if question.age is not None:
        found.append(f"age {question.age}")
    found += [f"no {name}" for name in ("melatonin", "caffeine", "naps") if not getattr(wish, name)]
    found += ["exercise"] if wish.exercise else []
    found += [f"dose {wish.melatonin_dose}"] if wish.melatonin_dose != "0.5 mg" else []
    found += [f"cup {wish.caffeine_mg} mg"] if wish.caffeine_mg is not None else []
    found += [f"half-life {wish.caffeine_half_life_hours:g}"] if wish.caffeine_half_life_hours != 5 else []
    if question.work_hours:
        found.append(f"work {question.work_hours.start}-{question.work_hours.end}")
    if question.short_stay:
        found.append(f"stay {question.short_stay}")
    return found
