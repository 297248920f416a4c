"""The columns of a grid: from which day to which each runs."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from attrs import evolve

from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.dates import (
    LEAST_STEP,
    MOST_STEP,
    ODD_STEPS,
    Mark,
    Token,
    days_of,
    last_days,
    mark_of,
    usual_step,
)
from packhorse_scheduling.domain.grids.heads import Column, Head
from packhorse_scheduling.domain.grids.sheet import Sheet

DATES_WEIGH, YEAR_WEIGHS = 900.0, 1000.0
UNKNOWN = date(2000, 7, 1)
"""Where columns begin while nobody has said when."""
LAST_OF_YEAR = 5
"""The last month that surely lies in the second calendar year of an academic year, which begins in June or July."""


def columns_of(
    sheet: Sheet,
    group: Sequence[Head],
    bottom: int,
    titles: "tuple[int, int | None] | None",
    after: date | None,
    asker: Asker,
    others: Sequence[Sheet] = (),
) -> tuple[list[Column], list[str]]:
    """The columns of a panel and what has to be told of them; none where its heads are no rising days."""
    dated = [head for head in group if head.dated]
    main = max(dated or group, key=lambda head: len(head.spots))
    spans = _spans(sheet, main, group, bottom)
    notes: list[str] = []
    marks = [mark for *_, mark in main.spots]
    before = len(asker.open)
    if main.dated:
        resolved = _days(sheet, main, titles, after, asker, notes)
        if resolved is None:
            return [], notes
        firsts, day_first = resolved
        lasts = _from_other_row(last_days(firsts, marks, day_first=day_first), firsts, main, dated, day_first=day_first)
    else:
        numbers = [mark.number or 0 for mark in marks]
        listed = next((one for other in others if (one := days_listed(other, numbers, titles)) is not None), None)
        if listed is None:
            firsts, lasts = _counted_days(main, asker), [None] * len(marks)
        else:
            firsts, lasts = listed
            notes.append("The days of the blocks are those that another sheet lists by their numbers.")
    known = len(asker.open) == before
    ends = _ends(sheet, main, firsts, lasts, asker if known else asker.trial(), notes)
    return [evolve(column, known=known) for column in _divided(spans, firsts, ends, notes)], notes


def _spans(sheet: Sheet, main: Head, group: Sequence[Head], bottom: int) -> list[list[int]]:
    """The sheet's columns under each head: its own, those merged with it, and those without a head up to the next."""
    body = range(group[-1].row + 1, bottom + 1)
    rows = range(group[0].row, group[-1].row + 1)
    spans: list[list[int]] = []
    usual = 1
    for n, (left, right, _) in enumerate(main.spots):
        end = main.spots[n + 1][0] if n + 1 < len(main.spots) else min(sheet.width + 1, left + usual)
        columns = [left]
        for column in range(left + 1, end):
            merged = column <= right
            free = not sheet.text((main.row, column)) and not any(
                sheet.text((row, column)) and mark_of(sheet.value((row, column))) is None for row in rows
            )
            shades = {sheet.colour((row, column)) for row in body} - {""}
            if not merged and len(shades) == 1 and not any(sheet.text((row, column)) for row in body):
                continue  # a line between blocks
            filled = sum(bool(sheet.text((row, column)) or sheet.colour((row, column))) for row in body) >= 2
            if (merged or free) and filled:
                columns.append(column)
        spans.append(columns)
        usual = Counter(map(len, spans)).most_common(1)[0][0]
    return spans


def days_listed(
    sheet: Sheet, numbers: Sequence[int], titles: "tuple[int, int | None] | None"
) -> tuple[list[date], list[date | None]] | None:
    """The first and last days of blocks that a sheet lists: a number, and its dates in the same cell or beside it."""
    found: dict[int, list[Token]] = {}
    for row, column in sorted(sheet.values):
        mark = mark_of(sheet.value((row, column)))
        if mark is None or mark.number is None or mark.number in found:
            continue
        cells = [mark] if mark.dated else [mark_of(sheet.value((row, column + n))) for n in (1, 2)]
        tokens = [token for one in cells if one is not None for token in (one.first, one.last) if token is not None]
        if tokens:
            found[mark.number] = tokens[:2]
    if len(set(numbers)) != len(numbers) or any(number not in found for number in numbers):
        return None
    firsts = [found[number][0] for number in numbers]
    if firsts[0].year is None and titles is None:
        return None
    orders = _orders(firsts, firsts[0].year or (titles or (0, None))[0])
    if len(orders) != 1 and (not orders or orders[0][0] != orders[-1][0]):
        return None
    days, day_first = orders[0]
    marks = [Mark(found[number][0], found[number][1] if len(found[number]) > 1 else None) for number in numbers]
    return days, last_days(days, marks, day_first=day_first)


def _counted_days(main: Head, asker: Asker) -> list[date]:
    numbers = [mark.number or 0 for *_, mark in main.spots]
    count = len(numbers)
    step = 28 if count <= 14 else 14 if count <= 28 else 7
    given = asker.ask(
        "start",
        f"The columns have numbers and no dates. On which day does the first begin (each with {step} days)?",
        ("2026-07-01",),
        weight=YEAR_WEIGHS,
    )
    start = UNKNOWN if given is None else _day(given, "start")
    return [start + timedelta(days=step * n) for n in range(count)]


def _day(text: str, key: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise ValueError(f"the answer {key}={text[:40]} must be a date such as 2026-07-01") from exc


def _days(
    sheet: Sheet,
    main: Head,
    titles: "tuple[int, int | None] | None",
    after: date | None,
    asker: Asker,
    notes: list[str],
) -> tuple[list[date], bool] | None:
    """The first days of the columns, and whether the day stands before the month."""
    tokens = _tokens(main)
    year = _year(sheet, main, tokens, titles, after, asker)
    found = _orders(tokens, year)
    if not found and all(token.year is not None for token in tokens):
        bare = [Token(None, token.one, token.two, token.plain) for token in tokens]
        again = _orders(bare, tokens[0].year or year)
        if again:
            given = asker.ask(
                "years",
                f"The dates of the columns go back a year after December. Do they run from {again[0][0][0]} to"
                f" {again[0][0][-1]}?",
                ("yes", "no"),
                weight=YEAR_WEIGHS,
            )
            return None if given == "no" else again[0]
    if not found:
        return _mended(sheet, main, tokens, year, asker, notes)
    if len(found) == 2 and found[0][0] != found[1][0]:
        given = asker.ask(
            "order",
            "Are the dates of the columns written month first or day first?",
            ("month", "day"),
            weight=YEAR_WEIGHS,
        )
        return found[int(given == "day")]
    return found[0]


def _tokens(main: Head) -> list[Token]:
    """The first days as written; "Jul 26" is a month of 2026 where every head has nearly the same number."""
    marks = [mark for *_, mark in main.spots]
    both = [mark for mark in marks if mark.first is not None and mark.month is not None]
    years = {mark.month.year for mark in both if mark.month is not None}
    if len(both) == len(marks) and len(years) <= 2 and len({mark.month.one for mark in both if mark.month}) > 2:
        return [mark.month for mark in both if mark.month is not None]
    return [token for mark in marks if (token := mark.first or mark.month) is not None]


def _orders(tokens: Sequence[Token], year: int) -> list[tuple[list[date], bool]]:
    found = []
    for steps in ((LEAST_STEP, MOST_STEP), ODD_STEPS):
        for day_first in (False, True):
            days = days_of(tokens, year, day_first=day_first, steps=steps)
            if days is not None:
                found.append((days, day_first))
        if found:
            break
    return found


def _mended(
    sheet: Sheet, main: Head, tokens: Sequence[Token], year: int, asker: Asker, notes: list[str]
) -> tuple[list[date], bool] | None:
    """One head that breaks the row may be a slip: its neighbours say its day, and a question asks whether."""
    for n in range(1, len(tokens) - 1):
        rest = [*tokens[:n], *tokens[n + 1 :]]
        for day_first in (False, True):
            left = days_of(tokens[:n], year, day_first=day_first)
            if left is None:
                continue
            right = days_of(rest[n:], left[-1].year, day_first=day_first)
            if right is None and left[-1].month > 6:
                right = days_of(rest[n:], left[-1].year + 1, day_first=day_first)
            if right is None or (right[0] - left[-1]).days > 62 or (right[0] - left[-1]).days % 2:
                continue
            middle = left[-1] + (right[0] - left[-1]) / 2
            where = sheet.name_of((main.row, main.spots[n][0]))
            given = asker.ask(
                f"column.{where}",
                f"The head in {where}, {sheet.text((main.row, main.spots[n][0]))!r}, does not fit between its"
                f" neighbours. Does the column begin on {middle}?",
                ("yes", "no"),
                weight=DATES_WEIGH,
            )
            return None if given == "no" else ([*left, middle, *right], day_first)
    row = main.row
    notes.append(f"The heads of row {row} (from {sheet.name_of((row, main.spots[0][0]))}) are no rising dates.")
    return None


def _year(
    sheet: Sheet,
    main: Head,
    tokens: Sequence[Token],
    titles: "tuple[int, int | None] | None",
    after: date | None,
    asker: Asker,
) -> int:
    """The year of the first head: as it says itself, as it follows the panel above, or as the title does; else asked.

    In an academic year January to May are of its second calendar year.
    """
    own = tokens[0].year
    wanted = titles[0] if titles is not None and titles[1] is not None else None
    if own is not None and (wanted is None or own in (titles or ())):
        return own
    dated = next((n for n, token in enumerate(tokens) if token.year is not None), None)
    if own is None and dated is not None:
        turns = sum(two.one < one.one for one, two in pairwise(tokens[: dated + 1]) if one.plain)
        return (tokens[dated].year or 0) - turns
    above = [sheet.text((row, main.spots[0][0])) for row in range(max(1, main.row - 3), main.row + 3)]
    written = [int(text) for text in above if text.isdigit() and 1990 <= int(text) <= 2199]
    if own is None and written:
        return written[0]
    if own is None and after is not None:
        first = tokens[0].on(after.year, day_first=False) or tokens[0].on(after.year, day_first=True)
        return after.year + int(first is not None and first < after)
    if own is None and wanted is not None:
        found = _orders(tokens, wanted)
        if len({days[0].month for days, _ in found}) <= 1:
            month = found[0][0][0].month if found else tokens[0].one
            return wanted + int(month <= LAST_OF_YEAR)
    told = f"are of {own}, and the title says {wanted}" if own is not None else "have no year"
    proposed = [str(one) for one in (own, wanted) if one is not None] or ["2026"]
    given = asker.ask(
        "year",
        f"The dates of the columns in {sheet.name!r} {told}. In which year does the first lie?",
        proposed,
        weight=YEAR_WEIGHS,
    )
    if given is None:
        return own or wanted or UNKNOWN.year
    if not given.isdigit() or not 1990 <= int(given) <= 2199:
        raise ValueError(f"the answer year={given[:40]} must be a year such as 2026")
    if own is not None and int(given) != own:
        raise ValueError(f"the answer year={given[:40]} is not that of the columns' dates: correct the file")
    return int(given)


def _from_other_row(
    lasts: list[date | None], firsts: Sequence[date], main: Head, dated: Sequence[Head], *, day_first: bool
) -> list[date | None]:
    """Last days that stand in a row of their own, above or below the first ones."""
    for head in dated:
        if head is main or len(head.spots) != len(main.spots):
            continue
        marks = [Mark(first=mark.first, last=mark.first) for *_, mark in head.spots]
        found = last_days(firsts, marks, day_first=day_first)
        if all(day is not None and day > first for day, first in zip(found, firsts, strict=True)):
            return found
    return lasts


def _ends(
    sheet: Sheet,
    main: Head,
    firsts: Sequence[date],
    lasts: Sequence[date | None],
    asker: Asker,
    notes: list[str],
) -> list[date]:
    """The last day of each column: what its head says, else the day before the next; of the last one it is asked."""
    ends: list[date] = []
    for n, (first, two) in enumerate(pairwise(firsts)):
        before, last = two - timedelta(days=1), lasts[n]
        if last is not None and last != before:
            where = sheet.name_of((main.row, main.spots[n][0]))
            notes.append(f"The head in {where}, from {first}, ends on {last}, and the next column begins on {two}.")
        ends.append(min(last or before, before))
    end = lasts[-1]
    if end is None and all(day.day == 1 for day in firsts):  # months
        end = (firsts[-1].replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return [*ends, end or _last_of_all(firsts[-1], usual_step(firsts), asker)]


def _last_of_all(first: date, step: int, asker: Asker) -> date:
    usual = first + timedelta(days=step - 1)
    june = date(first.year, 6, 30)
    if not 0 < (june - usual).days <= 3:
        return usual
    given = asker.ask(
        "last",
        f"The last column begins on {first}: does it end on {usual}, as long as the others, or on {june}?",
        (str(usual), str(june)),
        weight=DATES_WEIGH - 500,
    )
    return usual if given is None else _day(given, "last")


def _divided(
    spans: Sequence[Sequence[int]], firsts: Sequence[date], ends: Sequence[date], notes: list[str]
) -> list[Column]:
    """The columns; a head over several of them is cut into equal parts, the last of which has what is left over."""
    found = []
    uneven = False
    for columns, first, last in zip(spans, firsts, ends, strict=True):
        days, parts = (last - first).days + 1, len(columns)
        size = days // parts
        uneven |= days % parts != 0
        for n, column in enumerate(columns):
            begin = first + timedelta(days=size * n)
            found.append(Column(column, begin, last if n == parts - 1 else begin + timedelta(days=size - 1)))
    if uneven:
        notes.append(
            "Some heads stand over several columns and have no equal parts: the last part has the days left over."
        )
    return found
