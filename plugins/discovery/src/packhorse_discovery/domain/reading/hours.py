"""Tables of working hours, in whatever way they are laid out, as rows of resource, days, start and end."""

import re
from collections.abc import Iterator

from packhorse_discovery.domain.reading.tables import Table, upright
from packhorse_discovery.domain.reading.times import clocks, shown_time
from packhorse_discovery.domain.reading.weekdays import DAY_OF, DAYS
from packhorse_discovery.domain.reading.words import spelled, words_of

HEADERS = ("resource", "days", "start", "end")
_SHORT = {
    short: place
    for place, names in enumerate(("mo lun", "tu di", "we mi", "th do", "fr", "sa", "su so"))
    for short in names.split(" ")
} | DAY_OF
"""Days as tables write them: also in German, and the two letters of map data."""
_ALL = {"daily": 7, "every day": 7, "all week": 7, "weekdays": 5, "working days": 5}
_SHUT = spelled("closed - \u2013 \u2014 x off shut none free")
_AROUND = re.compile(r"^\s*24\s*/\s*7\s*$|^\s*(?:24 hours|around the clock)\s*$", re.IGNORECASE)
_ONE = r"(\d{1,2})(?:[:.h]?(\d{2})\b|h)(?:\s*(?:h|uhr)\b)?"
_TIME = re.compile(_ONE, re.IGNORECASE)
_SPAN = re.compile(rf"{_ONE}\s*(?:-|\u2013|\u2014|to|until|bis)\s*{_ONE}", re.IGNORECASE)
"""Times by the 24-hour clock: 8:30, 0830, 7.30 Uhr, 14h30."""


def hours_rows(table: Table) -> Table | None:
    """``table`` as one of resource, days, start and end; None where it is no table of spans of time.

    A cell that cannot be read stays as it is, so that it comes back.
    """
    heads = [days_of(head) for head in table.headers]
    first = [days_of(row[0]) for row in table.rows]
    spans = [place for place in range(len(table.headers)) if any(len(spans_of(row[place])) > 0 for row in table.rows)]
    rows = upright(table).rows
    if sum(one is not None for one in heads) >= 2:
        found = [
            (row[0], table.headers[at], row[at]) for row in rows for at, one in enumerate(heads) if one is not None
        ]
        return _table(found)
    if (
        all(one is not None for one in first)
        and len(first) > 1
        and len(spans) >= 1
        and len(spans) == len(table.headers) - 1
    ):
        return _table([(table.headers[at], row[0], row[at]) for at in spans for row in rows])
    if len(spans) != 1 or any(_times(row[at]) for row in rows for at in range(len(table.headers)) if at != spans[0]):
        return None
    days = next((at for at in range(len(table.headers)) if at != spans[0] and days_of(rows[0][at]) is not None), None)
    days = next((at for at, head in enumerate(table.headers) if head.casefold() in {"day", "days", "when"}), days)
    others = [at for at in range(len(table.headers)) if at not in {spans[0], days}]
    who = others[0] if others else None
    return _table(
        [(row[who] if who is not None else "all", row[days] if days is not None else "", row[spans[0]]) for row in rows]
    )


def _table(cells: list[tuple[str, str, str]]) -> Table:
    return Table(HEADERS, tuple(row for who, days, span in cells for row in _rows(who, days, span)))


def _rows(who: str, days: str, cell: str) -> Iterator[tuple[str, ...]]:
    if cell.strip().casefold() in _SHUT:
        return
    if _AROUND.match(cell) or (_AROUND.match(days) and not cell.strip()):
        yield who, ", ".join(DAYS), "00:00", "24:00"
        return
    parts = [part for part in re.split(r"[;\n]|,(?=\s*(?:\d|[A-Za-z]{2}))", cell) if part.strip()]
    for part in parts:
        own, span = _led(part)
        found = spans_of(span)
        start, end = found[0] if len(found) == 1 else (span, span)
        yield who, own or days, start, end


def _led(part: str) -> tuple[str, str]:
    """The days before a span ("Sa 09:00-13:00"), and the span."""
    match = re.match(r"^\s*([A-Za-z][A-Za-z,\s\u2013-]*?)\s+(?=\d)", part)
    return (match[1], part[match.end() :]) if match and days_of(match[1]) is not None else ("", part)


def spans_of(cell: str) -> list[tuple[str, str]]:
    """The spans of time in a cell, each as two times; none where a time has two readings or is none."""
    exact = _SPAN.fullmatch(cell.strip())
    if exact is not None:
        start, end = _exact(exact[1], exact[2]), _exact(exact[3], exact[4])
        return [(start, end)] if start and end else []
    parts = [part for part in re.split(r"[;,]", cell) if part.strip()]
    if len(parts) > 1:
        return [span for part in parts for span in spans_of(_led(part)[1])]
    found = [one for one in clocks(words_of(_led(cell)[1])) if one.span]
    if len(found) != 2 or len(found[0].readings) != 1:
        return []
    begins = min(found[0].readings)
    ends = [at for at in found[1].readings if at > begins] or list(found[1].readings)
    return [(shown_time(begins), shown_time(min(ends)))]


def _exact(hour: str, minute: str | None) -> str:
    """A time by the 24-hour clock; empty where it is none."""
    at = int(hour) * 60 + int(minute or 0)
    return shown_time(at) if int(minute or 0) < 60 and at <= 1440 else ""


def clock_of(cell: str) -> str | None:
    """The only time of day of a cell; None where it has none, or one of two readings."""
    exact = _TIME.fullmatch(cell.strip())
    if exact is not None:
        return _exact(exact[1], exact[2]) or None
    found = clocks(words_of(f"at {cell}"))
    return shown_time(min(found[0].readings)) if len(found) == 1 and len(found[0].readings) == 1 else None


def _times(cell: str) -> bool:
    return bool(spans_of(cell)) or bool(re.search(r"\d{1,2}[:.]\d{2}", cell))


def days_of(cell: str) -> list[str] | None:
    """The days of the week that a cell names, and nothing else; None where it is anything else."""
    flat = " ".join(cell.casefold().replace("\u2013", "-").replace("\u2014", "-").split()).strip(" .*`")
    if flat in _ALL:
        return list(DAYS[: _ALL[flat]])
    if (match := re.match(r"^(?:every day|daily),? (?:except|but)(?: on)? (.+)$", flat)) and (
        less := days_of(match[1])
    ):
        return [day for day in DAYS if day not in less]
    found: set[int] = set()
    for part in re.split(r"\s*(?:,|;|/|&|\+|\band\b)\s*", flat):
        ends = [_SHORT.get(one.strip(" .")) for one in re.split(r"\s*(?:-|\bto\b|\bthrough\b|\bbis\b)\s*", part)]
        if len(ends) not in {1, 2} or any(one is None for one in ends):
            return None
        start, end = ends[0] or 0, ends[-1] or 0
        found |= {day % 7 for day in range(start, end + 1 if end >= start else end + 8)}
    return [DAYS[day] for day in sorted(found)] or None
