"""A whole workbook understood: its grids found, whichever way they lie, and brought together."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from attrs import define, evolve, field, frozen

from packhorse_scheduling.domain.grids import people
from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.cells import read_cells
from packhorse_scheduling.domain.grids.codes import key_of, leave_of
from packhorse_scheduling.domain.grids.columns import columns_of
from packhorse_scheduling.domain.grids.dates import LEAST_STEP, mark_of, usual_step, years_in
from packhorse_scheduling.domain.grids.heads import Column, Head, blocks_of, heads_of
from packhorse_scheduling.domain.grids.legend import Legend, legend_of
from packhorse_scheduling.domain.grids.rows import Level, Row, Rows, listed_levels, rows_of
from packhorse_scheduling.domain.grids.sheet import At, Sheet
from packhorse_scheduling.domain.grids.spots import Cells, Spot

FEWEST_PEOPLE = 2
FEWEST_NAMES = 4
"""Different names in the blocks from which on they are people and no rotations."""
SECOND_WEIGHS = 650.0
_SECOND = re.compile(r"^(?:2nd|second|b)(?: half)?$", re.IGNORECASE)
LONGEST_YEAR = 380
"""Days from the first to the last that one year's sheets can have together."""


@frozen
class Panel:
    """One grid of one sheet: columns and rows."""

    sheet: Sheet
    columns: tuple[Column, ...]
    rows: Rows
    heads: tuple[int, ...]

    def inside(self) -> set[At]:
        """Every cell of its heads and its people's rows up to its last column."""
        last = max(column.at for column in self.columns)
        rows = {*self.heads, *(row.at for row in self.rows.people), *self.rows.counters, *self.rows.headings}
        return {(row, column) for row in rows for column in range(1, last + 1)}


@frozen
class Someone:
    """One person of the grid."""

    name: str
    level: Level
    email: str = ""
    key: str = ""


@define
class Understood:
    """What was read of a workbook."""

    title: str
    panels: list[Panel] = field(factory=list)
    people: dict[str, Someone] = field(factory=dict)
    cells: Cells = field(factory=Cells)
    legend: Legend = field(factory=Legend)
    notes: list[str] = field(factory=list)

    @property
    def columns(self) -> list[Column]:
        """All columns of all panels, each span of days once, the first first."""
        spans = {(column.first, column.last): column for panel in self.panels for column in panel.columns}
        return [spans[key] for key in sorted(spans)]


def understand(sheets: Sequence[Sheet], title: str, asker: Asker) -> Understood:
    """Read a workbook's sheets; what is open stands in ``asker``.

    Raises:
        ValueError: an answer is none of its question's.
    """
    found = Understood(title)
    wanted = asker.answers.get("sheet")
    if wanted is not None:
        asker.used.add("sheet")
        if wanted not in [sheet.name for sheet in sheets]:
            raise ValueError(f"the answer sheet={wanted[:40]} is none of {', '.join(sheet.name for sheet in sheets)}")
    for sheet in sheets:
        if not blocks_of(heads_of(sheet)):
            asker.known = {**listed_levels(sheet), **asker.known}
    every: list[Panel] = []
    for sheet in sheets:
        titles = _titles(sheet, [title, *(one.name for one in sheets)])
        trial, notes = asker.trial(), list[str]()
        panels = _panels_of(sheet, sheets, titles, trial, notes)
        every += panels
        if wanted in (None, sheet.name):
            found.panels += panels
            found.notes += notes
            asker.take(trial)
    found.panels = _chosen(found.panels, asker, found.notes)
    for sheet in {panel.sheet.name: panel.sheet for panel in found.panels}.values():
        if sheet.hidden:
            found.notes.append(f"{sheet.name}: hidden, and read all the same: {', '.join(sheet.hidden[:20])}.")
    spots = _spots(found, asker)
    colours = {spot.sheet.colour(spot.at) for spot in spots} - {""}
    texts = {key_of(spot.sheet.text(spot.at)) for spot in spots} - {""}
    taken: dict[str, set[At]] = {}
    for panel in every:
        inside = panel.inside()
        taken.setdefault(panel.sheet.name, set()).update({at[::-1] for at in inside} if panel.sheet.flipped else inside)
    found.legend = legend_of(sheets, taken, colours, texts)
    backgrounds = {spot: _background(found, spot) for spot in spots}
    doubled = found.cells.unclear
    found.cells = read_cells(spots, found.legend, backgrounds, asker)
    found.cells.unclear += doubled
    for panel in found.panels:
        found.notes += [f"{panel.sheet.name}: {words}" for words in (*panel.rows.unclear, *panel.rows.notes)]
    return found


def _titles(sheet: Sheet, others: Sequence[str]) -> tuple[int, int | None] | None:
    """The academic year that a sheet names in itself or its first rows; else the one that file and other sheets do."""
    own = [sheet.name] + [text for at in sorted(sheet.values) if at[0] <= 6 and len(text := sheet.text(at)) < 90]
    for texts in (own, others):
        found = {years for text in texts if (years := years_in(text)) is not None and years[1] is not None}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _panels_of(
    sheet: Sheet, others: Sequence[Sheet], titles: tuple[int, int | None] | None, asker: Asker, notes: list[str]
) -> list[Panel]:
    """The panels of a sheet as it lies or turned, whichever has more heads."""
    flipped = sheet.flip()

    def worth(one: Sheet) -> float:
        return max((_worth(group) for group in blocks_of(heads_of(one))), default=0)

    best = max((sheet, flipped), key=worth)
    groups = blocks_of(heads_of(best))
    if not groups:
        return []
    most = max(_worth(group) for group in groups)
    groups = [group for group in groups if _worth(group) >= most / 3]
    start = people.level_of(sheet.name)
    found: list[Panel] = []
    for n, group in enumerate(groups):
        after = _after(found, group)
        bottom = groups[n + 1][0].row - 1 if n + 1 < len(groups) else best.height
        trial = asker.trial()
        columns, told = columns_of(
            best, group, bottom, titles, after, trial, [one for one in others if one is not sheet]
        )
        heads = tuple(range(group[0].row, group[-1].row + 1))
        if not columns:
            asker.take(trial)
            notes += told
            continue
        if usual_step([column.first for column in columns]) < LEAST_STEP:
            notes.append(f"The sheet {sheet.name} has single days, not blocks, and is not read.")
            return []
        rows = rows_of(best, heads, columns, bottom, start, trial)
        if len(rows.people) < FEWEST_PEOPLE and not found:
            continue
        if _holds_names(best, columns, rows):
            notes.append(f"The sheet {sheet.name} has names in its blocks (services by rows), and is not read.")
            return []
        asker.take(trial)
        notes += told
        found.append(Panel(best, tuple(columns), rows, heads))
    return found


def _holds_names(sheet: Sheet, columns: Sequence[Column], rows: Rows) -> bool:
    """Whether the blocks hold people and the rows services: texts are names, and nobody is twice in a column."""
    columns_texts = [[text for row in rows.people if (text := sheet.text((row.at, column.at)))] for column in columns]
    texts = [text for column in columns_texts for text in column]
    names = [text for text in texts if text != text.upper() and people.named(text) and not leave_of(text)]
    alone = sum(len(set(column)) == len(column) for column in columns_texts)
    return (
        len(set(names)) >= FEWEST_NAMES
        and len(names) > len(texts) * 0.8
        and alone > len(columns) * 0.9
        and len(set(names)) > len(rows.people) / 2
        and all(row.level is None for row in rows.people)
    )


def _after(found: Sequence[Panel], group: Sequence[Head]) -> date | None:
    """The last day of the panel above, where this one goes on; None where it has the same heads again."""
    if not found:
        return None
    firsts = [group[n].spots[0][2] for n in range(len(group))]
    for panel in found:
        if any(mark_of(panel.sheet.value((row, panel.columns[0].at))) in firsts for row in panel.heads):
            return panel.columns[0].first
    return found[-1].columns[-1].last


def _worth(group: Sequence[Head]) -> float:
    """How many heads the best row of a group has; dates count double."""
    return max((len(head.spots) * (2 if head.dated else 1) for head in group), default=0)


def _chosen(panels: list[Panel], asker: Asker, notes: list[str]) -> list[Panel]:
    """Panels that go together; where the same people have the same days on two sheets, it is asked which counts."""
    by_sheet: dict[str, list[Panel]] = {}
    for panel in panels:
        by_sheet.setdefault(panel.sheet.name, []).append(panel)
    names = list(by_sheet)
    clash = sorted({name for one, two in _pairs(names) if _clash(by_sheet[one], by_sheet[two]) for name in (one, two)})
    days = [day for panel in panels for column in panel.columns for day in (column.first, column.last)]
    if not clash and len(names) > 1 and (max(days) - min(days)).days > LONGEST_YEAR:
        clash = sorted(names)
    if not clash:
        return panels
    asker.ask(
        "sheet",
        f"The sheets {', '.join(clash)} have the same people on the same days, or are of two years. Which one counts?",
        clash,
        weight=2000.0,
    )
    shown = max(clash, key=lambda name: max(column.last for panel in by_sheet[name] for column in panel.columns))
    notes.append(f"Only the sheet {shown} is shown until it is answered which counts.")
    return [panel for panel in panels if panel.sheet.name == shown or panel.sheet.name not in clash]


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, two) for n, one in enumerate(names) for two in names[n + 1 :]]


def _clash(ones: Sequence[Panel], others: Sequence[Panel]) -> bool:
    days = [{(column.first, column.last) for panel in panels for column in panel.columns} for panels in (ones, others)]
    who = [{row.name for panel in panels for row in panel.rows.people} for panels in (ones, others)]
    overlap = any(a[0] <= b[1] and b[0] <= a[1] for a in days[0] for b in days[1])
    return overlap and len(who[0] & who[1]) > min(len(who[0]), len(who[1])) / 2


def _spots(found: Understood, asker: Asker) -> list[Spot]:
    """Each person's blocks; a name in several panels is one person, and two blocks on one day are reported."""
    spots: list[Spot] = []
    seen: dict[tuple[str, int], list[Column]] = {}
    for panel in found.panels:
        seconds = _second_rows(panel)
        meant = _meaning_of_seconds(panel, seconds, asker)
        for row in panel.rows.people:
            if row in seconds.values():
                if meant != "halves":
                    where = panel.sheet.name_of((row.at, panel.columns[0].at))
                    found.notes.append(f"{panel.sheet.name}: the second row of {row.name} (from {where}) is not read.")
                continue
            known = found.people.get(row.name)
            if known is None or known.level is None:
                found.people[row.name] = Someone(row.name, row.level, row.email, row.key)
            others = seen.setdefault((row.name, 0), [])
            second = seconds.get(row.name)
            for column in panel.columns:
                spot = Spot(panel.sheet, (row.at, column.at), row.name, column.first, column.last)
                if any(one.first <= column.last and column.first <= one.last for one in others):
                    if panel.sheet.text(spot.at) or panel.sheet.colour(spot.at):
                        found.cells.unclear.append((spot, "these days of this person stand elsewhere, too"))
                elif second is None or meant == "no":
                    spots.append(spot)
                elif meant == "halves":
                    middle = column.first + timedelta(days=((column.last - column.first).days + 1) // 2)
                    spots.append(evolve(spot, last=middle - timedelta(days=1)))
                    spots.append(evolve(spot, at=(second.at, column.at), first=middle))
                else:
                    found.cells.unclear.append((spot, "a second row of this person stands under it"))
            others += panel.columns
    return spots


def _second_rows(panel: Panel) -> dict[str, Row]:
    """The further row of each person who has one in this panel."""
    names: set[str] = set()
    found: dict[str, Row] = {}
    for row in panel.rows.people:
        if row.second or row.name in names:
            found[row.name] = row
        names.add(row.name)
    return found


def _meaning_of_seconds(panel: Panel, seconds: Mapping[str, Row], asker: Asker) -> str | None:
    """What second rows are: "halves" of blocks, as a column beside them may say, or "no"; None while it is open."""
    if not seconds:
        return None
    beside = range(1, min(column.at for column in panel.columns))
    if all(any(_SECOND.match(panel.sheet.text((row.at, column))) for column in beside) for row in seconds.values()):
        return "halves"
    first = next(iter(seconds.values()))
    return asker.ask(
        "second",
        f"{len(seconds)} people have a second row, such as {first.name} from"
        f" {panel.sheet.name_of((first.at, panel.columns[0].at))}. Is it the second half of each block? With no it is"
        " not read.",
        ("halves", "no"),
        weight=SECOND_WEIGHS,
    )


def _background(found: Understood, spot: Spot) -> frozenset[str]:
    """The colours of the person's label and of the column's heads: a band, and no rotation."""
    here = (panel for panel in found.panels if panel.sheet is spot.sheet)
    panel = next(one for one in here if any(row.at == spot.at[0] for row in one.rows.people))
    first = min(column.at for column in panel.columns)
    label = {spot.sheet.colour((spot.at[0], column)) for column in range(1, first)}
    return frozenset((label | {spot.sheet.colour((row, spot.at[1])) for row in panel.heads}) - {""})


def gaps(columns: Sequence[Column]) -> list[str]:
    """Days between two columns that none of them has."""
    return [
        f"Between {one.last} and {two.first} no column has a day."
        for one, two in pairwise(columns)
        if (two.first - one.last).days > 1
    ]


def unused(answers: Mapping[str, str], asker: Asker) -> list[str]:
    """Answers to no question: a slip in a name would be lost otherwise."""
    return sorted(key for key in answers if key not in asker.used)


def words_of(text: str) -> str:
    """A name as a key: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
