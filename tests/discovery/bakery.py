"""The interview of `docs/discovery-bakery.md`: who said what, what the assistant made of it, and the page they give.

    python tests/discovery/bakery.py

writes the page and its picture anew.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from packhorse import Host
from packhorse.testing import connected, deployment_for
from packhorse_discovery import pack
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller, change_of
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import Scheduler
from packhorse_discovery.solver.as_good import closer
from packhorse_discovery.solver.gantt import gantt
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.store.tables import MIGRATIONS
from schedule_picture import svg

DOCS = Path(__file__).resolve().parents[2] / "docs"
PROJECT = "bakery"
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]


def minutes(number: int) -> dict[str, str]:
    return {"value-string": str(number), "units": "minutes"}


Said = tuple[str, dict[str, Any] | None]
TALK: dict[str, list[Said]] = {
    "process/warm-up-with-challenges": [
        (
            "We bake sourdough bread, rolls and rye for forty shops. The oven is the bottleneck.",
            {"product-or-service-name": "sourdough bread, rolls and rye"},
        )
    ],
    "process/scheduling-problem-type": [
        (
            "Every dough goes through the same steps in the same order.",
            {"principal-problem-type": "FLOW-SHOP"},
        ),
    ],
    "process/flow-shop": [
        (
            """We mix for 20 minutes in the mixer, then proof for 3 to 4 hours in a proofer, shape for 30 minutes on
the bench and bake for 45 minutes in the oven. The bake must follow straight after the bench.""",
            {
                "subprocesses": [
                    {"process-id": "mix", "duration": minutes(20), "resources": ["mixer"]},
                    {
                        "process-id": "proof",
                        "duration": {"value-string": "3-4", "units": "hours"},
                        "resources": ["proofer"],
                    },
                    {"process-id": "shape", "duration": minutes(30), "resources": ["bench"]},
                    {"process-id": "bake", "duration": minutes(45), "resources": ["oven"], "no-wait?": True},
                    {"process-id": "cool", "duration": minutes(60), "resources": ["racks"]},
                ]
            },
        )
    ],
    "resources/inventory": [
        (
            "| resource | how many |\n| --- | --- |\n| mixer | 1 |\n| proofer | 2 |\n| bench | 1 |",
            None,
        )
    ],
    "data/orders": [
        (
            """| order | product | due |
| --- | --- | --- |
| rye loaves | rye | 2026-11-30 10:30 |
| sourdough | sourdough | 2026-11-30 11:00 |
| rolls | rolls | 2026-11-30 12:30 |
| second rye | rye | 2026-11-30 15:00 |""",
            None,
        ),
        (
            "The schedule begins on 30 November 2026 at 4:00. The rolls are always mixed first.",
            {
                "origin": "2026-11-30 04:00",
                "precedences": [{"before": "rolls", "at": "mix", "quote": "The rolls are always mixed first"}],
            },
        ),
    ],
    "resources/calendar-and-maintenance": [
        (
            """We work from 4:00 to 18:00, Monday to Saturday. The mixer is cleaned for 10 minutes between any two
doughs.""",
            {
                "working-hours": [
                    {
                        "resource": "all",
                        "days": DAYS,
                        "start": "04:00",
                        "end": "18:00",
                        "quote": "from 4:00 to 18:00, Monday to Saturday",
                    }
                ],
                "cleaning": [{"resource": "mixer", "duration": minutes(10)}],
            },
        )
    ],
    "optimality/goals": [
        (
            "Everything on time, then be finished as early as possible. And the apprentice is never alone at the oven.",
            {
                "objectives": ["tardiness", "makespan"],
                "rules": [
                    {
                        "rule": "the apprentice is never alone at the oven",
                        "quote": "the apprentice is never alone at the oven",
                    }
                ],
            },
        )
    ],
}


async def _asked(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await client.call_tool(tool, {"project_id": PROJECT, **arguments})
    if reply.is_error:
        raise AssertionError(reply.content[0].text)
    return reply.structured_content or {}


async def talk(client: Client) -> list[str]:
    await _asked(client, "start_interview")
    lines: list[str] = []
    for eads_id, answers in TALK.items():
        await _asked(client, "start_eads_pursuit", eads_id=eads_id)
        lines += ["", f"## {eads_id}"]
        for answer, refinement in answers:
            question = await _asked(client, "get_next_question", eads_id=eads_id)
            more = {} if refinement is None else {"refinement": refinement}
            found = await _asked(
                client,
                "process_eads_answer",
                eads_id=eads_id,
                question_id=question["question_id"],
                answer=answer,
                **more,
            )
            asked = [f"**{line}**" for line in question["question"].splitlines() if line.strip()]
            lines += ["", "\n\n".join(asked), "", *(f"> {line}" for line in answer.splitlines())]
            if refinement is not None:
                lines += ["", "The assistant's refinement:", "", "```json", *_rows(refinement), "```"]
            lines += ["", f"Recorded: {found['read_back']}."]
            lines += [f"\nRefused: `{one['path']}`, {one['why']}." for one in found.get("refused", [])]
            lines += [f"\nKept as a rule without a home: {rule}." for rule in found.get("unmodelled", [])]
        await _asked(client, "finalize_eads", eads_id=eads_id, accept_gaps=True)
    return lines


def _rows(refinement: dict[str, Any]) -> list[str]:
    """JSON with a line for each row of a list."""
    lines = []
    for name, value in refinement.items():
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            lines.append(f' "{name}": [')
            lines += [f"  {json.dumps(row)}," for row in value[:-1]] + [f"  {json.dumps(value[-1])}]"]
        else:
            lines.append(f' "{name}": {json.dumps(value)}')
        lines[-1] += ","
    return ["{", *lines[:-1], lines[-1].removesuffix(","), "}"]


def _modeller(folder: Path) -> Modeller:
    host = Host("discovery", data_dir=folder, settings=DiscoverySettings(), migrations=MIGRATIONS)
    return Modeller(Casefile(Projects(host)))


def solved(folder: Path) -> dict[str, Any]:
    """The schedule of the interview that took place in this folder."""
    return Scheduler(_modeller(folder)).solve(PROJECT, seconds=20, seed=0)


async def _written(folder: Path) -> tuple[str, str]:
    async with connected(deployment_for(data_dir=folder, discovery=pack)) as client:
        lines = await talk(client)
    modeller = _modeller(folder)
    answer = solved(folder)
    model = modeller.model(PROJECT)
    faster = modeller.compare(PROJECT, change_of("speed", "oven", 2), seconds=20, seed=0)
    goals = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in answer["goals"].items())
    page = [
        "# A bakery, from the first question to a Gantt chart",
        "",
        "An interview with the [discovery pack](../plugins/discovery/README.md). The questions are the pack's words,",
        "the answers the baker's. Running text is structured by the assistant: what the words support is recorded,",
        "and nothing else; tables are read as they are.",
        *lines,
        "",
        "## The schedule",
        "",
        f"`solve_model` answers: {answer['summary']}",
        *(f"\nNot kept: {rule['rule']} ({rule['said']})." for rule in answer["not_kept"]),
        *(f"\nOf note: {note}." for note in answer["notes"]),
        "",
        f"Its status is `{answer['status']}`: {goals}, in ticks of {answer['tick']}.",
        "",
        "![The schedule of the bakery: a row for each machine, a colour for each order](discovery-bakery.svg)",
        "",
        f"`compare_models`, with an oven twice as fast: {faster['summary']}",
        "",
        "The cooling that nobody had named is not in it, nor is the rule about the apprentice: the one was refused,",
        "the other is named with every schedule. That there is one oven nobody said, so that is named too.",
    ]
    return "\n".join(page) + "\n", svg(
        gantt(closer(model, solve(model, seconds=20, seed=0), seconds=20), "A day of the bakery")
    )


def written() -> tuple[str, str]:
    """The page and its picture, from an interview in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return anyio.run(_written, Path(folder))


if __name__ == "__main__":
    text, picture = written()
    (DOCS / "discovery-bakery.md").write_text(text, encoding="utf-8")
    (DOCS / "discovery-bakery.svg").write_text(picture, encoding="utf-8")
