"""The heads of a grid: rows of dates, months or numbers, and the columns that they stand over."""

from collections.abc import Sequence
from datetime import date

from attrs import frozen

from packhorse_scheduling.domain.grids.dates import Mark, Token, mark_of
from packhorse_scheduling.domain.grids.sheet import Sheet

FEWEST_COLUMNS = 6
"""Heads in a row below which it is no block grid's."""


@frozen
class Column:
    """One column of blocks: its number in the sheet, and its first and last day."""

    at: int
    first: date
    last: date
    known: bool = True
    """Whether its days are known; while a question about them is open they only keep the order."""


@frozen
class Head:
    """One row of heads: where it is, and each head's first and last column with what it says."""

    row: int
    spots: tuple[tuple[int, int, Mark], ...]

    @property
    def dated(self) -> bool:
        """Whether it has days or months."""
        return sum(mark.dated for *_, mark in self.spots) >= FEWEST_COLUMNS


def heads_of(sheet: Sheet) -> list[Head]:
    """Every row that could be a head, from the top."""
    found: list[Head] = []
    for row in range(1, sheet.height + 1):
        spots: list[tuple[int, int, Mark]] = []
        for column in range(1, sheet.width + 1):
            if sheet.first_of((row, column)) != (row, column):
                continue
            mark = mark_of(sheet.value((row, column)))
            if mark is not None:
                rect = sheet.area.get((row, column))
                spots.append((column, column if rect is None else rect[3], mark))
        spots = _with_months(found, row, spots)
        dated = [spot for spot in spots if spot[2].dated]
        kept = dated if len(dated) >= FEWEST_COLUMNS else _counting(spots)
        if len(kept) >= FEWEST_COLUMNS:
            found.append(Head(row, tuple(kept)))
    return found


def _with_months(above: Sequence[Head], row: int, spots: list[tuple[int, int, Mark]]) -> list[tuple[int, int, Mark]]:
    """Numbers under a row of months as days of these months: July over 6, 13, 20 and 27."""
    months = next((head for head in reversed(above) if 0 < row - head.row <= 2 and head.dated), None)
    if months is None or any(mark.month is None or mark.first is not None for *_, mark in months.spots):
        return spots
    numbers = [mark.number for *_, mark in spots if mark.number is not None]
    if (
        len(numbers) <= len(months.spots)
        or max(numbers) > 31
        or numbers[: len(numbers)] == list(range(1, len(numbers) + 1))
    ):
        return spots
    found: list[tuple[int, int, Mark]] = []
    for left, right, mark in spots:
        month = next((one.month for first, _, one in reversed(months.spots) if first <= left), None)
        if mark.number is not None and month is not None:
            found.append((left, right, Mark(Token(month.year, month.one, mark.number))))
    return found


def _counting(spots: Sequence[tuple[int, int, Mark]]) -> list[tuple[int, int, Mark]]:
    """The longest run of numbers that count up from 1; each may stand more than once, as 1A and 1B."""
    best: list[tuple[int, int, Mark]] = []
    run: list[tuple[int, int, Mark]] = []
    for spot in spots:
        number = spot[2].number
        if number == 1 and (not run or run[-1][2].number != 1):
            run = [spot]
        elif run and number is not None and number - (run[-1][2].number or 0) in (0, 1):
            run.append(spot)
        else:
            run = []
        best = run if len(run) > len(best) else best
    return best if best and (best[-1][2].number or 0) >= FEWEST_COLUMNS else []


def blocks_of(heads: Sequence[Head]) -> list[list[Head]]:
    """Heads in groups of neighbouring rows: each group is the head of one panel."""
    groups: list[list[Head]] = []
    for head in heads:
        if groups and head.row - groups[-1][-1].row <= 2:
            groups[-1].append(head)
        else:
            groups.append([head])
    return groups
