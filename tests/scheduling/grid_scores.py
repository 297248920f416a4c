"""What was read of a grid beside what it holds: right, open and wrong people, columns and blocks."""

import re
from collections import defaultdict

from attrs import define

from packhorse_scheduling.convert.grids.words import report_of
from packhorse_scheduling.convert.grids.workbook import sheets_of
from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.reading import understand


@define
class Score:
    """Counts; ``wrong`` are blocks with another value than the truth's, taken without a question."""

    people: int = 0
    strangers: int = 0
    columns: int = 0
    cells: int = 0
    open: int = 0
    wrong: int = 0
    questions: int = 0


def words_of(name):
    """The words of a name: Last, First is First Last."""
    return frozenset(re.findall(r"\w+", name.casefold()))


def read(path, answers=None):
    """What was understood, and its report."""
    asker = Asker(answers or {})
    found = understand(sheets_of(path), path.stem, asker)
    return found, report_of(found, asker)


def score(path, truth, answers=None):
    """The counts of one workbook against a stranger's truth: people, columns, rotations by code, cells by person."""
    found, report = read(path, answers)
    made = Score(questions=len(report["questions"]))
    levels = {words_of(one["name"]): one["level"] for one in report["people"]}
    wanted = {words_of(one["name"]): one["pgy"] for one in truth["people"]}
    made.people = sum(name in levels and levels[name] == pgy for name, pgy in wanted.items())
    made.strangers = sum(name not in wanted and level != "faculty" for name, level in levels.items())
    days = [(column.first.isoformat(), column.last.isoformat()) for column in found.columns if column.known]
    made.columns = sum((one["first"], one["last"]) in days for one in truth["columns"])
    codes = {name.casefold(): code for code, name in truth["rotations"].items() if name}
    codes |= {code.casefold(): code for code in truth["rotations"]}
    names = {one["code"]: one["name"] for one in report["rotations"]}
    got = defaultdict(list)
    for stay in found.cells.stays:
        number = next(n for n, column in enumerate(found.columns) if column.first <= stay.first <= column.last)
        code = codes.get(stay.code.casefold()) or codes.get(names[stay.code].casefold(), stay.code)
        got[words_of(stay.person), number].append(code)
    for name, row in truth["cells"].items():
        for number, want in enumerate(row):
            have = got.get((words_of(name), number), [])
            if have == ([] if want is None else want if isinstance(want, list) else [want]):
                made.cells += want is not None
            elif have:
                made.wrong += 1
            else:
                made.open += 1
    return made
