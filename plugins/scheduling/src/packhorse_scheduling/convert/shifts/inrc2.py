"""Folders of the Second International Nurse Rostering Competition, text form, read into a ward's question.

Files: scenario (Sc-), history (H0-), weeks (WD-). Source of the rules: Ceschia, Dang, De Causmaecker, Haspeslagh and
Schaerf, "The second international nurse rostering competition", Annals of Operations Research 274 (2019). Hard: one
assignment a day, least cover, forbidden successions, skills; the rest is soft. Day 0 is a Monday.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NoReturn

from attrs import evolve, frozen

from packhorse_scheduling.convert.shifts.lines import Line, numbered, quoted
from packhorse_scheduling.domain.wards.question import (
    ANY,
    OFF,
    WORKED,
    Contract,
    Demand,
    Past,
    Person,
    Request,
    Shift,
    Span,
    Ward,
)
from packhorse_scheduling.errors import invalid

_SPAN = re.compile(r"\((\d+),(\d+)\)")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS = len(_DAYS)
MOST_RUN = 60
"""Days of a run that history may have."""
A_MONDAY = date(2018, 1, 1)
"""Day 0: the format has no dates."""
OPTIMAL_COVER = 30
PREFERENCE = 10
WEIGHTS = {
    "shift_run": 15, "work_run": 30, "off_run": 30, "whole_weekends": 30, "shifts": 20, "weekends": 30,
}  # fmt: skip
"""Weights of the soft rules, by unit: of the competition's paper, section 2."""


@frozen
class _Scenario:
    """What all weeks have in common."""

    id: str
    weeks: int
    skills: tuple[str, ...]
    shifts: Mapping[str, Shift]
    contracts: Mapping[str, Contract]
    nurses: Mapping[str, Person]


def ward_from(folder: Path, history: int, weeks: Sequence[int]) -> Ward:
    """The scenario in this folder with its history and week files of these numbers.

    Raises:
        UserError: a file is missing or does not fit the format; the message names file, line and section.
    """
    found = sorted(folder.glob("Sc-*.txt"))
    if len(found) != 1:
        raise invalid("folder", f"{folder.name} must hold one Sc-*.txt file, and holds {len(found)}.")
    name = found[0].stem.removeprefix("Sc-")
    names = [found[0].name, f"H0-{name}-{history}.txt", *(f"WD-{name}-{number}.txt" for number in weeks)]
    first, second, *others = [_text(folder, each) for each in names]
    return ward_from_texts(first, second, others, names)


def ward_from_texts(scenario_text: str, history: str, weeks: Sequence[str], names: Sequence[str] | None = None) -> Ward:
    """As `ward_from`, from the texts of the files; ``names`` are what refusals call them.

    Totals are over the scenario's weeks. Of weeks that end before the scenario does, they are the even share.

    Raises:
        UserError: a text does not fit the format.
    """
    names = names or ["instance", "history", *(f"weeks[{i}]" for i in range(len(weeks)))]
    scenario = _scenario_from(scenario_text, names[0])
    before, pasts = _history_from(history, names[1], scenario)
    left = scenario.weeks - before
    if not 1 <= len(weeks) <= left:
        raise invalid("weeks", f"{scenario.id} has {left} weeks to plan, not {len(weeks)}: name as many as that.")
    demands: list[Demand] = []
    requests: list[Request] = []
    for i, (text, name) in enumerate(zip(weeks, names[2:], strict=True)):
        cover, off = _week_from(text, name, scenario)
        for (shift, skill), days in cover.items():
            for day, (least, optimal) in enumerate(days):
                wished = max(least or 0, optimal or 0)
                demands.append(Demand(DAYS * i + day, (shift,), skill, least or 0, wished, under=OPTIMAL_COVER))
        requests += [
            Request(who, DAYS * i + day, DAYS * i + day, shift or ANY, wanted=False, weight=PREFERENCE)
            for who, shift, day in off
        ]
    people, contracts = _paced(scenario, pasts, len(weeks), left)
    return Ward(
        start=A_MONDAY,
        days=DAYS * len(weeks),
        shifts=tuple(scenario.shifts.values()),
        contracts=contracts,
        people=people,
        demands=tuple(demands),
        requests=tuple(requests),
        past=pasts,
        name=scenario.id,
    )


def _paced(
    scenario: _Scenario, pasts: Sequence[Past], here: int, left: int
) -> tuple[tuple[Person, ...], tuple[Contract, ...]]:
    """People and contracts; where weeks are left to plan later, each person's share of what is left of their totals."""
    if here == left:
        return tuple(scenario.nurses.values()), tuple(scenario.contracts.values())
    people, contracts = [], []
    for past, nurse in zip(pasts, scenario.nurses.values(), strict=True):
        contract = scenario.contracts[nurse.contract]
        least, most = contract.shifts
        worked, weekends = past.used["shifts"], past.used["weekends"]
        share = (
            worked + max(0, ((least or 0) - worked) * here // left),
            worked + max(0, -((worked - (most or 0)) * here // left)),
        )
        spare = (contract.weekends or 0) - weekends
        own = evolve(contract, key=nurse.key, shifts=share, weekends=weekends + max(0, -(-spare * here // left)))
        contracts.append(own)
        people.append(evolve(nurse, contract=own.key))
    return tuple(people), tuple(contracts)


def _text(folder: Path, name: str) -> str:
    path = folder / name
    if not path.is_file():
        there = ", ".join(sorted(p.name for p in folder.glob(f"{name[:2]}*.txt"))) or "none of its kind"
        raise invalid("folder", f"{name} is not in {folder.name}: there is {there}.")
    return path.read_text("utf-8")


class _Lines:
    """The lines of a file, taken one by one."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines = list(numbered(text))
        self.at = 0
        self.section = "beginning"

    def next(self) -> Line:
        """The next line; refused at the end."""
        if self.at >= len(self.lines):
            self.end("The file ends too early.")
        number, bare = self.lines[self.at]
        self.at += 1
        return Line(self.source, self.section, number, bare)

    def end(self, words: str) -> NoReturn:
        raise invalid(self.source, f"{self.source} ({self.section}): {words}")

    def more(self) -> bool:
        return self.at < len(self.lines)

    def header(self, name: str) -> Line:
        """The next line, which must be this header."""
        self.section = name
        line = self.next()
        if line.text.split("=")[0].strip() != name:
            line.refuse(f"{name} is expected here.")
        return line

    def valued(self, name: str) -> str:
        """The value after the = of this header."""
        line = self.header(name)
        head, sign, value = line.text.partition("=")
        if not sign or not value.strip():
            line.refuse(f"{head.strip()} needs = and a value.")
        return value.strip()

    def counted(self, name: str) -> Iterator[Line]:
        """As many lines as the header says."""
        line = self.header(name)
        for _ in range(line.whole(line.text.partition("=")[2].strip(), f"the number of {name}", most=10_000)):
            yield self.next()


def _scenario_from(text: str, source: str) -> _Scenario:
    """A scenario file."""
    lines = _Lines(text, source)
    name = lines.valued("SCENARIO")
    line = lines.header("WEEKS")
    weeks = line.whole(line.text.partition("=")[2].strip(), "the number of weeks", least=1, most=52)
    skills = tuple(line.text for line in lines.counted("SKILLS"))
    runs: dict[str, Span] = {}
    for line in lines.counted("SHIFT_TYPES"):
        runs[line.text.split()[0]] = _spans(line, 1)[0]
    barred: dict[str, frozenset[str]] = dict.fromkeys(runs, frozenset())
    lines.header("FORBIDDEN_SHIFT_TYPES_SUCCESSIONS")
    for _ in runs:
        line = lines.next()
        first, count, *others = line.text.split()
        if first not in runs or set(others) - set(runs) or str(len(others)) != count:
            line.refuse("A shift, how many must not follow it, and these shifts are needed.")
        barred[first] = frozenset(others)
    contracts: dict[str, Contract] = {}
    for line in lines.counted("CONTRACTS"):
        assignments, work, rest = _spans(line, 3)
        ends = line.text.rsplit(")", 1)[1].split()
        if len(ends) != 2 or ends[1] not in ("0", "1"):
            line.refuse("After the spans stand the most weekends, and 1 or 0 for whole weekends.")
        weekends = line.whole(ends[0], "the most weekends")
        name_of = line.text.split()[0]
        contracts[name_of] = Contract(
            name_of, shifts=assignments, work_run=work, off_run=rest, weekends=weekends,
            whole_weekends=ends[1] == "1", shift_run=runs, weights=WEIGHTS,
        )  # fmt: skip
    nurses: dict[str, Person] = {}
    for line in lines.counted("NURSES"):
        who, contract, count, *able = line.text.split()
        if contract not in contracts or not able or set(able) - set(skills) or str(len(able)) != count:
            line.refuse("A nurse, a contract, the number of skills and the skills are needed, all of them defined.")
        nurses[who] = Person(who, contract, skills=tuple(able))
    shifts = {shift: Shift(shift, 1, not_next=barred[shift]) for shift in runs}
    return _Scenario(name, weeks, skills, shifts, contracts, nurses)


def _history_from(text: str, source: str, scenario: _Scenario) -> tuple[int, tuple[Past, ...]]:
    """A history file: how many weeks have passed, and what each nurse brings."""
    lines = _Lines(text, source)
    lines.header("HISTORY")
    line = lines.next()
    week = line.whole(line.text.split()[0], "the week", most=scenario.weeks)
    lines.header("NURSE_HISTORY")
    found: dict[str, Past] = {}
    while lines.more():
        line = lines.next()
        parts = line.text.split()
        if len(parts) != 7 or parts[0] not in scenario.nurses:
            line.refuse("A nurse, assignments, weekends, last shift, its run, days of work and of rest are needed.")
        who, assignments, weekends, last, same, work, rest = parts
        if last != "None" and last not in scenario.shifts:
            line.refuse(f"There is no shift {quoted(last)}.")
        same_run = line.whole(same, "the run of the last shift", most=MOST_RUN)
        worked = line.whole(work, "days of work", most=MOST_RUN)
        rested = line.whole(rest, "days of rest", most=MOST_RUN)
        used = {"shifts": line.whole(assignments, "assignments"), "weekends": line.whole(weekends, "weekends")}
        found[who] = Past(who, _days_before(last, same_run, worked, rested), used)
    missing = sorted(set(scenario.nurses) - set(found))
    if missing:
        lines.end(f"There is no line for {missing[0]}.")
    return week, tuple(found[who] for who in scenario.nurses)


def _days_before(last: str, same: int, work: int, rest: int) -> tuple[str, ...]:
    """Days that leave these runs: what came before them is another shift, or rest after work and work after rest."""
    if last == "None":
        return (WORKED, *[OFF] * rest)
    return (OFF, *[WORKED] * (work - same), *[last] * same)


def _week_from(
    text: str, source: str, scenario: _Scenario
) -> tuple[dict[tuple[str, str], tuple[Span, ...]], list[tuple[str, str | None, int]]]:
    """A week file: for each shift and skill the (least, optimal) of each day; and (nurse, shift or any, day) off."""
    lines = _Lines(text, source)
    lines.header("WEEK_DATA")
    lines.next()
    lines.header("REQUIREMENTS")
    cover: dict[tuple[str, str], tuple[Span, ...]] = {}
    while lines.more() and not lines.lines[lines.at][1].startswith("SHIFT_OFF_REQUESTS"):
        line = lines.next()
        shift, skill, *_ = [*line.text.split(), "", ""]
        if shift not in scenario.shifts or skill not in scenario.skills:
            line.refuse("A shift and a skill of the scenario are needed.")
        cover[shift, skill] = tuple(_spans(line, DAYS))
    off: list[tuple[str, str | None, int]] = []
    for line in lines.counted("SHIFT_OFF_REQUESTS"):
        parts = line.text.split()
        known = len(parts) == 3 and parts[0] in scenario.nurses and parts[2] in _DAYS
        if not known or (parts[1] != "Any" and parts[1] not in scenario.shifts):
            line.refuse("A nurse, a shift or Any, and a day from Mon to Sun are needed.")
        off.append((parts[0], None if parts[1] == "Any" else parts[1], _DAYS.index(parts[2])))
    return cover, off


def _spans(line: Line, count: int) -> list[Span]:
    found: list[Span] = [(int(least), int(most)) for least, most in _SPAN.findall(line.text)]
    if len(found) != count:
        line.refuse(f"{count} spans (least,most) are needed, and there are {len(found)}.")
    return found
