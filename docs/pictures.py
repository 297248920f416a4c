"""The pictures of README, made from the demonstrations of the packs.

``python docs/pictures.py`` writes docs/pictures/: a plan and a roster, each in
both schemes, by the headless Chromium of tests/views; docs/console-*.png likewise; and a recording of a
terminal as an SVG that plays by itself, from what the commands really print.
"""

import asyncio
import html
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"

WIDE, HIGH = 1000, 620
"""Pixels of a picture; what is below is cut off."""

PACK = '''from datetime import date

def weekday(day: date) -> str:
    """Say which day of the week a date is, such as Friday."""
    return f"{day:%A}"
'''
COMMANDS = (
    "packhorse demo locator",
    "cat ./weekdays.py",
    """packhorse call ./weekdays.py weekday '{"day": "2027-01-01"}'""",
    "packhorse install cursor ./weekdays.py --reload",
)
SECONDS = 20.0
COLUMNS = 88
LINE, LETTER, EDGE = 18, 7.83, 16
"""Pixels: a line's height, a letter's width at 13 pixels, and what is free around the text."""


def drawn() -> Iterator[tuple[str, str]]:
    """The name and the page of each picture of a view."""
    trip, roster = (import_module(f"packhorse_{name}.pack") for name in ("circadian", "scheduling"))
    yield "plan", asyncio.run(_page("circadian", trip, *trip.pack.demo.calls[1]))
    yield "roster", asyncio.run(_page("scheduling", roster, "show_roster", {"days": 14}))


async def _page(name: str, module: Any, tool: str, arguments: Mapping[str, Any]) -> str:
    """What a tool answers on the data of its pack's demonstration, drawn by the tool's view."""
    from mcp.client.extension import advertise

    from packhorse.contract.views import EXTENSION, MIME_TYPE
    from packhorse.testing import connected, deployment_for

    with tempfile.TemporaryDirectory() as folder:
        clock = datetime(2026, 7, 6, 12, tzinfo=UTC)  # the first day of the demonstration's roster
        deployment = deployment_for(data_dir=Path(folder), clock=lambda: clock, **{name: module})
        if module.pack.demo.prepare is not None:
            module.pack.demo.prepare(deployment.hosts[name])
        async with connected(deployment, extensions=[advertise(EXTENSION, {"mimeTypes": [MIME_TYPE]})]) as client:
            answer = (await client.call_tool(tool, dict(arguments))).structured_content
        view = deployment.catalogue.tools[tool].offer.view
        return view.page(answer)


def recorded() -> list[tuple[str, list[str]]]:
    """Each command, and the lines that it really prints; a home folder is shown as ~."""
    with tempfile.TemporaryDirectory() as home:
        Path(home, "weekdays.py").write_text(PACK)
        environ = {
            "HOME": home,
            "COLUMNS": str(COLUMNS),
            "LANG": "C.UTF-8",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        return [(command, _printed(command, home, environ)) for command in COMMANDS]


def _printed(command: str, home: str, environ: Mapping[str, str]) -> list[str]:
    done = subprocess.run(  # noqa: S603 - the commands stand above
        ["bash", "-c", command],  # noqa: S607 - bash is where the tests of the pages find it too
        cwd=home, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line.replace(home, "~") for line in done.stdout.rstrip().splitlines()]


def recording(played: list[tuple[str, list[str]]]) -> str:
    """The SVG: a command is typed, then its lines stand there; after 20 seconds it begins again."""
    letters = sum(len(command) for command, _ in played)
    pause = (SECONDS - 2 - letters / 20) / len(
        played
    )  # twenty letters a second; the last screen stays two seconds more
    at, row, lines, styles = 0.5, 0, [], []
    for number, (command, printed) in enumerate(played):
        typing = len(command) / 20
        y = EDGE + LINE * row
        styles.append(_typed(number, at, typing, len(command)))
        size = f'width="{LETTER * (len(command) + 3):.0f}" height="{LINE}"'
        clip = f'<clipPath id="c{number}"><rect class="t{number}" x="{EDGE}" y="{y}" {size}/></clipPath>'
        lines.append(f'{clip}<g clip-path="url(#c{number})">{_text("$ " + command, row, "command")}</g>')
        at += typing
        styles.append(f".o{number}{{animation:o{number} {SECONDS:g}s infinite}}{_shown(f'o{number}', at + 0.4)}")
        lines.append(f'<g class="o{number}">')
        lines += [_text(line, row + 1 + n, "") for n, line in enumerate(printed)]
        lines.append("</g>")
        row += len(printed) + 2
        at += pause
    wide, high = round(2 * EDGE + LETTER * COLUMNS), 2 * EDGE + LINE * (row - 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" role="img">\n'
        "<title>A recording of a terminal: a demonstration, a tool of one's own, and its way into a client</title>\n"
        "<style>text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#d6dbe6;white-space:pre}"
        f".command{{fill:#fff;font-weight:600}}{''.join(styles)}"
        "@media (prefers-reduced-motion:reduce){*{animation:none!important}}</style>\n"
        f'<rect width="{wide}" height="{high}" rx="8" fill="#14171f"/>\n' + "\n".join(lines) + "\n</svg>\n"
    )


def said(svg: str) -> list[str]:
    """The lines of a recording, to compare: how long a call took is left out."""
    return [re.sub(r"\d+ ms", "ms", html.unescape(line)) for line in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def _text(line: str, row: int, kind: str) -> str:
    kind = f' class="{kind}"' if kind else ""
    length = (
        f' textLength="{LETTER * len(line):.1f}"' if line else ""
    )  # every font as wide as the one that was measured
    return f'<text x="{EDGE}" y="{EDGE + LINE * row + 13}"{kind}{length}>{html.escape(line, quote=False)}</text>'


def _shown(name: str, at: float) -> str:
    share = 100 * at / SECONDS
    return f"@keyframes {name}{{0%,{share:.2f}%{{opacity:0}}{share + 0.01:.2f}%,100%{{opacity:1}}}}"


def _typed(number: int, at: float, lasting: float, letters: int) -> str:
    start, end = 100 * at / SECONDS, 100 * (at + lasting) / SECONDS
    return (
        f".t{number}{{animation:t{number} {SECONDS:g}s infinite;transform-origin:{EDGE}px 0}}@keyframes t{number}"
        f"{{0%,{start:.2f}%{{transform:scaleX(0);animation-timing-function:steps({letters})}}"
        f"{end:.2f}%,100%{{transform:scaleX(1)}}}}"
    )


def console(browser: Any) -> None:
    """What waits for a person in the console, in both schemes, beside the page that shows it."""
    from console_server import ConsoleServer

    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with folder as data, ConsoleServer(Path(data)).serving() as served:
        served.agent_waits()
        for scheme in ("light", "dark"):
            shown = browser.page(WIDE, HIGH, scheme)
            shown.goto(served.link())
            shown.click("button")
            shown.loaded()
            shown.goto(f"{served.address}/console/approvals")
            shown.screenshot(FOLDER.parent / f"console-{scheme}.png", HIGH + 40)
            shown.close()


def main() -> None:
    """Write every picture."""
    sys.path.insert(0, str(ROOT / "tests" / "views"))
    from chromium import Chromium, installed

    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "terminal.svg").write_text(recording(recorded()), encoding="utf-8")
    program = installed()
    if program is None:
        sys.exit("The plan and the roster are drawn by Chromium, which is not installed: apt-get install chromium.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Chromium(program, Path(profile))
        for name, page in drawn():
            for scheme in ("light", "dark"):
                shown = browser.page(WIDE, HIGH, scheme)
                shown.load(page)
                shown.screenshot(FOLDER / f"{name}-{scheme}.png", HIGH)
                shown.close()
        console(browser)
        browser.close()


if __name__ == "__main__":
    main()
