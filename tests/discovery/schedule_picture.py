"""A Gantt chart as SVG: one file that a browser shows, with nothing to load."""

from colorsys import hls_to_rgb
from xml.sax.saxutils import escape

from packhorse_discovery.domain.models.clock import Clock
from packhorse_discovery.solver.gantt import Bar, Gantt, Row

_LEFT, _WIDTH, _TOP, _ROW, _FOOT = 170, 790, 44, 26, 30
_LONGEST_LABEL = 24
_PIXELS_A_LETTER = 6.2
_FONT = 'font-family="sans-serif" font-size="11"'
_STYLE = "<style>.closed{fill:#e6e6e6}.held{fill:#bbb}.bar{stroke:#555;stroke-width:.5}</style>"


def svg(chart: Gantt) -> str:
    """The chart as an SVG document. Each bar has its task and times as a tooltip; jobs have a colour each."""
    height = _TOP + _ROW * len(chart.rows) + _FOOT
    colour = {job: _colour(index) for index, job in enumerate(chart.jobs)}
    wide = _LEFT + _WIDTH + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {wide} {height}" {_FONT}>',
        f"<title>{escape(chart.title)}</title>",
        _STYLE,
        f'<rect width="{wide}" height="{height}" fill="#fff"/>',
        f'<text x="10" y="20" font-size="14">{escape(chart.title)}</text>',
        *_axis(chart, height),
    ]
    for number, row in enumerate(chart.rows):
        parts += _row(chart, row, _TOP + number * _ROW, colour)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(chart: Gantt, row: Row, top: int, colour: dict[str, str]) -> list[str]:
    parts = [f'<text x="10" y="{top + 17}">{escape(_cut(row.label))}</text>']
    parts += [
        f'<rect class="closed" x="{_x(chart, start)}" y="{top}" width="{_w(chart, end - start)}" height="{_ROW}"/>'
        for start, end in row.closed
    ]
    for start, end in row.held:
        x, width = _x(chart, start), _w(chart, end - start)
        parts.append(f'<rect class="held" x="{x}" y="{top + _ROW // 2 - 2}" width="{width}" height="4"/>')
    parts += [part for bar in row.bars for part in _bar(chart, bar, top, colour)]
    return [*parts, f'<path d="M0 {top + _ROW}H{_LEFT + _WIDTH}" stroke="#eee"/>']


def _bar(chart: Gantt, bar: Bar, top: int, colour: dict[str, str]) -> list[str]:
    x, width = _x(chart, bar.start), _w(chart, bar.end - bar.start)
    what = f"{bar.job}: {bar.step}" if bar.job else bar.step
    tip = f"{what}, {bar.starts} to {bar.ends}"
    size = f'x="{x}" y="{top + 3}" width="{width}" height="{_ROW - 6}" rx="2" fill="{colour[bar.job]}"'
    parts = [f'<rect class="bar" {size}><title>{escape(tip)}</title></rect>']
    room = int(float(width) / _PIXELS_A_LETTER) - 1
    if room >= 3:
        shown = what if len(what) <= room else bar.step if len(bar.step) <= room else f"{what[: room - 1]}…"
        parts.append(f'<text x="{float(x) + 3:g}" y="{top + 17}" pointer-events="none">{escape(shown)}</text>')
    return parts


def _axis(chart: Gantt, height: int) -> list[str]:
    clock = Clock(chart.tick_seconds, chart.unit, origin=chart.origin, week=chart.week)
    bottom = height - _FOOT
    parts = []
    for tick, at in clock.marks(chart.end):
        parts.append(f'<path d="M{_x(chart, tick)} {_TOP - 6}V{bottom}" stroke="#ccc"/>')
        parts.append(f'<text x="{_x(chart, tick)}" y="{bottom + 16}" text-anchor="middle">{escape(at)}</text>')
    return parts


def _colour(index: int) -> str:
    # Hues a golden angle apart stay distinct for any number of jobs.
    shares = hls_to_rgb(index * 137.508 % 360 / 360, 0.7, 0.55)
    return "#" + "".join(f"{round(255 * share):02x}" for share in shares)


def _x(chart: Gantt, tick: int) -> str:
    return f"{_LEFT + tick * _WIDTH / max(chart.end, 1):.2f}"


def _w(chart: Gantt, ticks: int) -> str:
    return f"{ticks * _WIDTH / max(chart.end, 1):.2f}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
