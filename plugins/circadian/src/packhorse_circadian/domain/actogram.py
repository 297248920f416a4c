"""A plan as a picture: each day a row of 48 hours by the destination's clock, so that nights are never cut."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Literal

from attrs import frozen

from packhorse_circadian.domain import advice, choice, zones
from packhorse_circadian.domain.body import Timetable, dates
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.wording import month_day

Scheme = Literal["light", "dark"]

_LEFT, _TOP, _HOUR, _ROW = 64, 56, 15, 24
_WIDTH = _LEFT + 48 * _HOUR + 16


@frozen
class _Palette:
    paper: str
    ink: str
    faint: str
    sleep: str
    bright: str
    dim: str
    flight: str
    low: str
    plain: str


# Each pair of neighbours differs in lightness as well as in hue, for eyes that see colours otherwise and for print.
_PALETTES: dict[Scheme, _Palette] = {
    "light": _Palette(
        paper="#ffffff",
        ink="#1f2430",
        faint="#d9dde5",
        sleep="#46527a",
        bright="#f0ab00",
        dim="#a48bd0",
        flight="#879ca7",
        low="#c0262d",
        plain="#4d5563",
    ),
    "dark": _Palette(
        paper="#14171f",
        ink="#e8eaf0",
        faint="#333a48",
        sleep="#7f8fc9",
        bright="#ffc933",
        dim="#7d5fa8",
        flight="#627681",
        low="#ff7b72",
        plain="#aab2c0",
    ),
}


def actogram(plan: Plan, scheme: Scheme = "light") -> str:
    """The picture as SVG: sleep, light to seek and to avoid, flights, and the body's low with the plan and without."""
    colours = _PALETTES[scheme]
    days = _days(plan)
    height = _TOP + len(days) * _ROW + 64
    trip = plan.trip
    said = escape(f"{trip.origin.key} to {trip.destination.key}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="{said}: sleep, light and body '
        'clock day by day">'
    )
    paper = f'<rect width="{_WIDTH}" height="{height}" fill="{colours.paper}"/>'
    title = f'<text x="{_LEFT}" y="18" font-size="14" fill="{colours.ink}">{said}, by the clock there</text>'
    body = [head, paper, title]
    body += _grid(len(days), colours)
    for n, start in enumerate(days):
        y = _TOP + n * _ROW
        label = month_day(zones.shown(start + DAY / 2, trip.destination).date())
        body.append(f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end" fill="{colours.ink}">{label}</text>')
        body += _bars(plan, start, y, colours)
    body += _tracks(plan, days, colours)
    body += _legend(_TOP + len(days) * _ROW + 24, colours)
    return "\n".join([*body, "</svg>"])


def _days(plan: Plan) -> list[datetime]:
    """Midnights at the destination, from before the plan's first order to its last date."""
    zone = plan.trip.destination
    first = zones.shown(min(plan.line.begin, plan.trip.departure), zone).date()
    return [zones.instant(day, time(0), zone) for day in dates(first, plan.course.table.last)]


def _grid(rows: int, colours: _Palette) -> Iterator[str]:
    bottom = _TOP + rows * _ROW
    for hour in range(0, 49, 6):
        x = _LEFT + hour * _HOUR
        width = 2 if hour == 24 else 1  # midnight, where the second day begins
        yield (
            f'<line x1="{x}" y1="{_TOP - 4}" x2="{x}" y2="{bottom}" stroke="{colours.faint}" stroke-width="{width}"/>'
        )
        yield f'<text x="{x}" y="{_TOP - 10}" text-anchor="middle" fill="{colours.ink}">{hour % 24:02}</text>'


def _bars(plan: Plan, start: datetime, y: int, colours: _Palette) -> Iterator[str]:
    """One row: today and tomorrow."""
    row = Span(start, start + 2 * DAY)
    for leaves, lands in plan.trip.flights:
        yield from _bar(Span(leaves, lands), row, y + 2, _ROW - 6, colours.flight, "flight")
    for sleep in plan.course.sleeps:
        yield from _bar(Span(sleep.start, sleep.end), row, y + 4, _ROW - 10, colours.sleep, "sleep")
    for page in plan.pages:
        for order in page.orders:
            if order.end and order.kind in {"bright_light", "dim_light"}:
                fill = colours.bright if order.kind == "bright_light" else colours.dim
                yield from _bar(Span(order.start, order.end), row, y + 7, _ROW - 16, fill, advice.title(order))


def _bar(span: Span, row: Span, y: int, height: int, fill: str, name: str) -> Iterator[str]:
    part = span.within(row)
    if part.length > timedelta(0):
        x, width = _LEFT + (part.start - row.start) / HOUR * _HOUR, part.length / HOUR * _HOUR
        yield (
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="2" fill="{fill}">'
            f"<title>{escape(name)}</title></rect>"
        )


def _tracks(plan: Plan, days: list[datetime], colours: _Palette) -> Iterator[str]:
    """The body's low, night after night: filled with the plan, hollow without."""
    plain = choice.drawn(plan.alone, Timetable(plan.trip, last=plan.draft.table.last), ())
    without = [plan.line.begin + low * HOUR for low in plain.lives[0].lows]
    with_plan = [low.at for low in plan.course.body.lows]
    for lows, fill in ((without, colours.paper), (with_plan, colours.low)):
        for at in lows:
            for n, start in enumerate(days):
                hours = (at - start) / HOUR
                if 0 <= hours < 48:
                    x, y = _LEFT + hours * _HOUR, _TOP + n * _ROW + _ROW / 2 - 1
                    yield _dot(x, y, fill, colours)


def _dot(x: float, y: float, fill: str, colours: _Palette) -> str:
    """A low: full with the plan, hollow without, each with a rim that stands out on every bar."""
    rim = colours.plain if fill == colours.paper else colours.paper
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{rim}" stroke-width="1.5"/>'


def _legend(y: int, colours: _Palette) -> Iterator[str]:
    x = _LEFT
    for fill, name in (
        (colours.sleep, "sleep"),
        (colours.bright, "seek light"),
        (colours.dim, "keep dim"),
        (colours.flight, "flight"),
    ):
        yield f'<rect x="{x}" y="{y - 9}" width="14" height="10" rx="2" fill="{fill}"/>'
        yield f'<text x="{x + 19}" y="{y}" fill="{colours.ink}">{name}</text>'
        x += 100
    for fill, name in ((colours.low, "body-clock low with the plan"), (colours.paper, "without it")):
        yield _dot(x + 6, y - 4, fill, colours)
        yield f'<text x="{x + 16}" y="{y}" fill="{colours.ink}">{name}</text>'
        x += 190
    yield (
        f'<text x="{_LEFT}" y="{y + 22}" fill="{colours.ink}">Each row shows two days. A model of an average clock: '
        "yours may be an hour off, and slower.</text>"
    )


def escape(words: str) -> str:
    """Words as text of a page or picture."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
