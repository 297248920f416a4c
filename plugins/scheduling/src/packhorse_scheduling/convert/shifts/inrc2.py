"""Folders of the Second International Nurse Rostering Competition, text form: Sc-, H0- and WD- files.

A scenario is one folder; an instance is the scenario with one history and a sequence of week files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from attrs import frozen

from packhorse_scheduling.convert.shifts.lines import Line, numbered, quoted
from packhorse_scheduling.domain.shifts.nurses import DAYS, Contract, Nurse, Past, Scenario, ShiftType, Span, Week
from packhorse_scheduling.errors import invalid

_SPAN = re.compile(r"\((\d+),(\d+)\)")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@frozen
class Folder:
    """A scenario and what is asked for: a history, and weeks in order. ``before``: weeks that have passed."""

    scenario: Scenario
    past: Mapping[str, Past]
    weeks: tuple[Week, ...]
    before: int


def folder_from(folder: Path, history: int, weeks: Sequence[int]) -> Folder:
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
    return folder_from_texts(first, second, others, names)


def folder_from_texts(
    scenario_text: str, history: str, weeks: Sequence[str], names: Sequence[str] | None = None
) -> Folder:
    """As `folder_from`, from the texts of the files; ``names`` are what refusals call them.

    Raises:
        UserError: a text does not fit the format.
    """
    names = names or ["instance", "history", *(f"weeks[{i}]" for i in range(len(weeks)))]
    scenario = scenario_from(scenario_text, names[0])
    before, past = history_from(history, names[1], scenario)
    if not 1 <= len(weeks) <= scenario.weeks - before:
        raise invalid(
            "weeks",
            f"{scenario.id} has {scenario.weeks - before} weeks to plan, not {len(weeks)}: name as many as that.",
        )
    read = tuple(week_from(text, name, scenario) for text, name in zip(weeks, names[2:], strict=True))
    return Folder(scenario, past, read, before)


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


def scenario_from(text: str, source: str) -> Scenario:
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
        contracts[line.text.split()[0]] = Contract(assignments, work, rest, weekends, ends[1] == "1")
    nurses: dict[str, Nurse] = {}
    for line in lines.counted("NURSES"):
        who, contract, count, *able = line.text.split()
        if contract not in contracts or not able or set(able) - set(skills) or str(len(able)) != count:
            line.refuse("A nurse, a contract, the number of skills and the skills are needed, all of them defined.")
        nurses[who] = Nurse(who, contracts[contract], tuple(able))
    shifts = {shift: ShiftType(shift, run, barred[shift]) for shift, run in runs.items()}
    return Scenario(name, weeks, skills, shifts, nurses)


def history_from(text: str, source: str, scenario: Scenario) -> tuple[int, dict[str, Past]]:
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
        found[who] = Past(
            line.whole(assignments, "assignments"),
            line.whole(weekends, "weekends"),
            None if last == "None" else last,
            line.whole(same, "the run of the last shift"),
            line.whole(work, "days of work"),
            line.whole(rest, "days of rest"),
        )
    missing = sorted(set(scenario.nurses) - set(found))
    if missing:
        lines.end(f"There is no line for {missing[0]}.")
    return week, found


def week_from(text: str, source: str, scenario: Scenario) -> Week:
    """A week file."""
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
    return Week(cover, tuple(off))


def _spans(line: Line, count: int) -> list[Span]:
    found = [(int(least), int(most)) for least, most in _SPAN.findall(line.text)]
    if len(found) != count:
        line.refuse(f"{count} spans (least,most) are needed, and there are {len(found)}.")
    return found
