"""A plan as a picture: a row for each date by the clock where the traveller is, with its night whole."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time
from typing import Literal

from attrs import frozen

from packhorse_circadian.domain import drafts, order_words, zones
from packhorse_circadian.domain.alertness import EVERY
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.evenings import by_evening
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.wording import clock, month_day

Scheme = Literal["light", "dark"]

_LEFT, _TOP, _HOUR, _ROW, _HEADING = 64, 44, 20, 32, 26
_HOURS = 36
"""Of a row: from midnight to noon after the night."""
_WIDTH = _LEFT + _HOURS * _HOUR + 16
_NOON = 12 * HOUR
"""A low from here to the next noon is that of the row's night."""
_ALERT, _USUAL_SCORE = 6, 60
"""Height of the strip below the bars, and the score of a usual morning, from which it is empty."""


@frozen
class _Palette:
    paper: str
    ink: str
    faint: str
    sleep: str
    bright: str
    dim: str
    flight: str
    nap: str
    pill: str
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
        nap="#9fb4e0",
        pill="#1d7a5f",
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
        nap="#4f5f94",
        pill="#5fd0ab",
        low="#ff7b72",
        plain="#aab2c0",
    ),
}


@frozen
class _Row:
    """A date at one place, by the clock there."""

    page: Page
    plan: Plan
    orders: tuple[Order, ...]
    y: int

    @property
    def start(self) -> datetime:
        return zones.instant(self.page.day, time(0), self.page.zone)

    @property
    def there(self) -> bool:
        """Whether the flight of its plan has landed."""
        return (self.page.place == "destination") != (self.page.phase == "return")

    @property
    def lived(self) -> Span:
        """When the traveller is here: to the landing, on the date of departure."""
        trip = self.plan.trip
        if self.page.place == "flight":
            return Span(trip.departure, trip.arrival)
        if self.there:
            return Span(trip.arrival, datetime.max.replace(tzinfo=UTC))
        return Span(self.plan.line.begin, trip.arrival if self.page.day == trip.departure_date else trip.departure)

    def x(self, at: datetime) -> float:
        return _LEFT + min(max((at - self.start) / HOUR, 0), _HOURS) * _HOUR

    def has(self, low: datetime) -> bool:
        """Whether a low is of this row's night, or of the hours before its first one."""
        first = self.start if self.there and self.page.day == self.plan.trip.arrival_date else self.start + _NOON
        return self.lived.start <= low < self.lived.end and first <= low < self.start + _HOURS * HOUR


def actogram(plan: Plan, scheme: Scheme = "light") -> str:
    """The picture as SVG: nights, light, flights, naps, melatonin and the body's low, with alertness below them."""
    colours = _PALETTES[scheme]
    trip = plan.trip
    rows, y = [], _TOP
    pages = plan.journey
    for n, ((page, whose), orders) in enumerate(zip(pages, by_evening([page for page, _ in pages]), strict=True)):
        y += _HEADING * (not n or page.zone != pages[n - 1][0].zone)
        rows.append(_Row(page, whose, orders, y))
        y += _ROW
    height = y + 78
    said = escape(f"{trip.origin.key} to {trip.destination.key}")
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    label = f'font-family="system-ui, sans-serif" role="img" aria-label="{said}: sleep, light and body clock by day"'
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {label}>',
        f'<rect width="{_WIDTH}" height="{height}" fill="{colours.paper}"/>',
        _text(_LEFT, 18, said, colours.ink, size=14),
    ]
    for n, row in enumerate(rows):
        if not n or row.page.zone != rows[n - 1].page.zone:
            body += _heading(row, colours)
        body += _drawn(row, colours)
    body += _lows(plan, rows, colours)
    body += _legend(y + 24, colours)
    return "\n".join([*body, "</svg>"])


def _text(x: float, y: float, words: str, fill: str, *, size: int = 11, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{words}</text>'


def _heading(row: _Row, colours: _Palette) -> Iterator[str]:
    """Whose clock the rows below go by, and its hours."""
    yield _text(8, row.y - 14, f"<tspan font-weight='600'>{escape(row.page.zone.key)} time</tspan>", colours.ink)
    for hour in range(0, _HOURS + 1, 6):
        x = _LEFT + hour * _HOUR
        yield _text(x, row.y - 2, f"{hour % 24:02}", colours.ink, size=9, anchor="middle")


def _drawn(row: _Row, colours: _Palette) -> Iterator[str]:
    y, trip = row.y, row.plan.trip
    for hour in range(0, _HOURS + 1, 6):
        x = _LEFT + hour * _HOUR
        width = 2 if hour == 24 else 1  # midnight: what is right of it is the night, and the morning after
        yield f'<line x1="{x}" y1="{y}" x2="{x}" y2="{y + _ROW}" stroke="{colours.faint}" stroke-width="{width}"/>'
    yield _text(_LEFT - 8, y + 15, month_day(row.page.day), colours.ink, anchor="end")
    yield from _strip(row, colours)
    if row.page.place == "flight":
        for leaves, lands in trip.flights:
            yield from _bar(row, Span(leaves, lands), colours.flight, colours.ink, "on the way")
    for order in sorted(row.orders, key=lambda order: order.kind != "flight"):
        yield from _order(row, order, colours)
    if row.there and row.page.day == trip.arrival_date:
        at = row.x(trip.arrival)
        yield f'<line x1="{at:.1f}" y1="{y}" x2="{at:.1f}" y2="{y + 20}" stroke="{colours.ink}" stroke-width="2"/>'
        yield _text(
            at - 4, y + 15, f"land {clock(zones.shown(trip.arrival, row.page.zone))}", colours.ink, anchor="end"
        )


def _order(row: _Row, order: Order, colours: _Palette) -> Iterator[str]:
    start = _clock(order.start, row)
    if order.kind == "melatonin":
        x, y = row.x(order.start), row.y + 20
        yield f'<circle cx="{x:.1f}" cy="{y}" r="7" fill="{colours.pill}" stroke="{colours.paper}">'
        yield f"<title>{start} {escape(order_words.title(order))}</title></circle>"
        yield _text(x, y + 3.5, "M", colours.paper, size=9, anchor="middle")
    fills = {
        "sleep": (colours.sleep, colours.paper),
        "in_flight_sleep": (colours.sleep, colours.paper),
        "bright_light": (colours.bright, "#14171f"),
        "dim_light": (colours.dim, colours.ink),
        "flight": (colours.flight, colours.ink),
        "nap": (colours.nap, colours.ink),
    }
    if order.end and order.kind in fills:
        hours = f"{start}-{_clock(order.end, row)}"
        fill, ink = fills[order.kind]
        if order.kind == "flight":
            yield _text(row.x(order.start) - 4, row.y + 15, f"fly {start}", colours.ink, anchor="end")
            hours = ""
        yield from _bar(row, Span(order.start, order.end), fill, ink, order_words.title(order), hours)


def _clock(at: datetime, row: _Row) -> str:
    return clock(zones.shown(at, row.page.zone))


def _bar(row: _Row, span: Span, fill: str, ink: str, name: str, said: str = "") -> Iterator[str]:
    """A stretch of the row, with its hours in it where they have room."""
    left, right = row.x(span.start), row.x(span.end)
    if right <= left:
        return
    yield (
        f'<rect x="{left:.1f}" y="{row.y + 2}" width="{right - left:.1f}" height="17" rx="3" fill="{fill}">'
        f"<title>{escape(f'{name} {said}'.strip())}</title></rect>"
    )
    if said and right - left >= 5 * len(said) + 4:
        yield _text(left + 4, row.y + 14, said, ink, size=10)


def _strip(row: _Row, colours: _Palette) -> Iterator[str]:
    """How sleepy the traveller is over the hours awake: the darker, the sleepier."""
    nights = [sleep.start for sleep in row.plan.course.sleeps]
    for alert in row.page.alertness:
        end = min([alert.at + EVERY * HOUR, *(night for night in nights if night > alert.at)])
        left, right = row.x(alert.at), row.x(end)
        shade = min(max((_USUAL_SCORE - alert.score) / 45, 0), 1)
        yield _shade(left, row.y + 21, right - left, shade, f"alertness {alert.score} of 100", colours)


def _shade(x: float, y: float, width: float, shade: float, name: str, colours: _Palette) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ALERT}" fill="{colours.plain}" '
        f'fill-opacity="{shade:.2f}"><title>{name}</title></rect>'
    )


def _lows(plan: Plan, rows: Iterable[_Row], colours: _Palette) -> Iterator[str]:
    """The body's low, night after night: filled with the plan, hollow without."""
    plain = drafts.drawn(plan.alone, Timetable(plan.trip, last=plan.draft.table.last), ())
    without = [plan.line.begin + low * HOUR for low in plain.lives[0].lows]
    for row in rows:
        ours = [low.at for low in row.plan.course.body.lows]
        for lows, fill in ((without if row.plan is plan else [], colours.paper), (ours, colours.low)):
            for at in filter(row.has, lows):
                yield _dot(row.x(at), row.y + 10.5, fill, colours)


def _dot(x: float, y: float, fill: str, colours: _Palette) -> str:
    """A low: full with the plan, hollow without, each with a rim that stands out on every bar."""
    rim = colours.plain if fill == colours.paper else colours.paper
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{rim}" stroke-width="1.5"/>'


def _legend(y: int, colours: _Palette) -> Iterator[str]:
    x = _LEFT
    for fill, name in (
        (colours.sleep, "sleep"),
        (colours.bright, "seek bright light"),
        (colours.dim, "keep light dim"),
        (colours.nap, "nap"),
        (colours.flight, "flight"),
    ):
        yield f'<rect x="{x}" y="{y - 9}" width="14" height="10" rx="2" fill="{fill}"/>'
        yield _text(x + 19, y, name, colours.ink)
        x += 34 + 7 * len(name)
    yield f'<circle cx="{x + 7}" cy="{y - 4}" r="7" fill="{colours.pill}"/>'
    yield _text(x + 7, y - 0.5, "M", colours.paper, size=9, anchor="middle")
    yield _text(x + 19, y, "melatonin (optional)", colours.ink)
    x = _LEFT
    for fill, name in ((colours.low, "body-clock low with the plan"), (colours.paper, "without it")):
        yield _dot(x + 6, y + 18, fill, colours)
        yield _text(x + 16, y + 22, name, colours.ink)
        x += 200 if fill == colours.low else 90
    for shade in (0.0, 0.35, 0.7, 1.0):
        yield _shade(x, y + 15, 16, shade, "alertness", colours)
        x += 16
    yield _text(x + 6, y + 22, "alert to sleepy", colours.ink)
    yield _text(
        _LEFT,
        y + 44,
        "A row is a date and its night. A model of an average clock: yours may be an hour off, and slower.",
        colours.ink,
    )


def escape(words: str) -> str:
    """Words as text of a page or picture."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
