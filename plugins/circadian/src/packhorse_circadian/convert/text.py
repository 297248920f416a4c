"""A plan as a page of text that a tired person can follow."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, takewhile

from packhorse_circadian.convert.lines import AFTER_MIDNIGHT
from packhorse_circadian.domain.wording import day_name
from packhorse_circadian.models import AdaptationPlan, BriefDay, PlanDay

LONGEST = 5_500
"""Characters of a page, about 1,700 tokens; of a longer one some later days are left to those who ask."""
_LEAST = {"return": 3, "adaptation": 2, "preparation": 2}
"""Lines that each phase keeps on such a page: it gives up its last ones, one at a time, in this order of phases."""
_BY_RULE = "no more caffeine"
"""What a note says once, as a rule: how long before bed."""
_RULE_OF_NIGHTS = "Each night stands under the date of its evening, though it begins after midnight"

Days = Sequence[PlanDay | BriefDay]


def text_from(answer: AdaptationPlan, lead: str = "", *, night_landing: bool = False) -> str:
    """A plan as a page: its days by the clock of each place, in the order lived.

    With a ``night_landing`` it says under which date that night stands.
    """
    after = "; after a landing at night, under that of landing" if night_landing else ""
    runs = _runs(answer.days)
    left_out = dict.fromkeys(_LEAST, 0)
    while len(text := _page(answer, lead, after, _day_lines(runs, left_out))) > LONGEST:
        lines = {phase: sum(run[0].phase == phase for run in runs) - left_out[phase] for phase in _LEAST}
        long = [phase for phase, least in _LEAST.items() if lines[phase] > least]
        if not long:
            break
        left_out[long[0]] += 1
    return text


def _page(answer: AdaptationPlan, lead: str, after_landing: str, days: Iterator[str]) -> str:
    lines = [lead or answer.summary.key_advice, *answer.first_hours]
    if any(AFTER_MIDNIGHT in _asked(day) for day in answer.days):
        lines.append(f"{_RULE_OF_NIGHTS}{after_landing}.")
    lines += [*days, *answer.notes, answer.caution, f"Trip: {answer.trip}"]
    if answer.files:
        lines.append(f"Calendar: {answer.files.calendar}")
    return "\n".join(lines)


def _day_lines(runs: Sequence[Days], left_out: Mapping[str, int]) -> Iterator[str]:
    """A line for each run under the name of its clock; of the last ones of a phase when to ask, and what is first.

    Nights with nothing else are told all the same.
    """
    clock_said = ""
    for phase, found in groupby(runs, key=lambda run: run[0].phase):
        of_phase = list(found)
        kept = len(of_phase) - left_out.get(phase, 0)
        for run in of_phase[:kept]:
            if run[0].timezone != clock_said:
                clock_said = run[0].timezone
                yield f"By the clock of {clock_said}:"
            yield _line(run)
        rest = of_phase[kept:]
        quiet = list(takewhile(lambda run: len(_items(run[0])) <= 1, reversed(rest)))[::-1]
        if rest := rest[: len(rest) - len(quiet)]:
            first = next(iter(_items(rest[0][0])), "nothing")
            days = _dates([day for run in rest for day in run])
            yield f"{days}: begins with {first}. Ask each day what to do then, or now for the full plan."
        yield from map(_line, quiet)


def _line(run: Days) -> str:
    return f"{_dates(run)}: {_asked(run[0]) or 'nothing to do'}"


def _runs(days: Days) -> list[Days]:
    """Dates that follow one another and ask for the same."""
    return [list(run) for _, run in groupby(days, key=lambda day: (day.timezone, day.phase, _asked(day)))]


def _asked(day: PlanDay | BriefDay) -> str:
    return "; ".join(_items(day))


def _items(day: PlanDay | BriefDay) -> list[str]:
    items = day.items if isinstance(day, BriefDay) else [f"{item.time} {item.title}" for item in day.items]
    return [item for item in items if _BY_RULE not in item]


def _dates(days: Days) -> str:
    last = days[-1]
    ends = (last.until if isinstance(last, BriefDay) else None) or last.date
    first = day_name(date.fromisoformat(days[0].date))
    return first if ends == days[0].date else f"{first} to {day_name(date.fromisoformat(ends))}"
