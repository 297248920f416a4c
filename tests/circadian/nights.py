"""The page docs/circadian-nights.md, as a client of the pack tells it: `python tests/circadian/nights.py` writes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

import packhorse_circadian.pack
from packhorse.testing import client_for, fixed_clock

PAGE = Path(__file__).resolve().parents[2] / "docs" / "circadian-nights.md"
NIGHTS = [f"2027-02-{day}T23:00/2027-02-{day + 1}T07:00" for day in (15, 16, 17, 18)]
LOG = [
    *(f"2027-02-{day}T23:30/2027-02-{day + 1}T07:00" for day in (11, 12, 13)),
    "2027-02-15T02:00/2027-02-15T10:30",
    *(f"2027-02-{day}T09:00/2027-02-{day}T15:00" for day in (16, 17, 18, 19)),
    *(f"2027-02-{day}T23:00/2027-02-{day + 1}T03:00 bright" for day in (15, 16)),
]
WORST = ["2027-02-18T06:00", "2027-02-19T08:00"]
INTRO = """# Four nights at work

Four night shifts with the [circadian pack](../plugins/circadian/README.md), as an assistant calls it for a nurse who
sleeps from 23:00 to 07:00 on days off. What was called is in brackets, what the nurse said is quoted; the rest are the
pack's own words and figures. The tests play it again and compare every line.
"""


async def told() -> str:
    """The whole page."""
    async with client_for(circadian=packhorse_circadian.pack, clock=fixed_clock("2027-02-10T12:00:00Z")) as client:

        async def call(tool: str, arguments: Mapping[str, Any]) -> Any:
            reply = await client.call_tool(tool, {"timezone": "Europe/London", **arguments})
            assert not reply.is_error, reply.content
            return reply.structured_content

        plan = await call("plan_for_shifts", {"shifts": NIGHTS})
        alone = await call("where_is_my_clock", {"log": LOG})
        clock = await call("where_is_my_clock", {"log": LOG, "felt_worst": WORST})
    parts = [
        INTRO,
        "> I work four nights from Monday, 23:00 to 07:00. When do I sleep?",
        f"[plan_for_shifts] {plan['summary']}",
        "\n".join(["| date | what to do |", "|---|---|", *(_row(day) for day in plan["days"])]),
        "\n".join(f"- {note}" for note in plan["notes"]),
        f"*{plan['caution']}*",
        "## After the last night",
        "> Here is when I slept, and when the lamp was on. Where is my clock now?",
        f"[where_is_my_clock] {alone['summary']}",
        "> I felt worst at six yesterday, and at eight today.",
        f"[where_is_my_clock] {clock['summary']}",
    ]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _row(day: Mapping[str, Any]) -> str:
    return f"| {day['date']} | {'; '.join(day['items'])} |"


if __name__ == "__main__":
    PAGE.write_text(anyio.run(told), encoding="utf-8")
