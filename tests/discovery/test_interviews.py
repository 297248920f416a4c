"""Interviews that were held, played again: what they record is the truth of their cards, and nothing else."""

import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from packhorse import Host
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_discovery import pack
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.store.tables import MIGRATIONS

sys.path.insert(0, str(Path(__file__).parent / "interviews"))
sys.path.insert(0, str(Path(__file__).parent / "solver"))
from schedule_checker import faults
from transcript import flat

HELD = {each.stem: json.loads(each.read_text()) for each in Path(__file__).parent.glob("interviews/*.json")}
MOST_TOKENS, REPLAYED_TOKENS, WORST_TOKENS = 12_000, 4_000, 9_000
CHARACTERS_A_TOKEN = 3.6

pytestmark = pytest.mark.anyio


class Replay:
    """The calls of an interview once more; ids of questions and jobs are those of this run."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.characters = 0
        self.job = ""
        self.open: dict[str, Any] = {}
        self.last: dict[str, Any] = {}

    async def play(self, calls: list[dict[str, Any]]) -> None:
        for one in calls:
            arguments = dict(one["arguments"])
            if "job_id" in arguments:
                if not self.job:  # a server without jobs has answered already
                    continue
                arguments["job_id"] = self.job
            found = await self.call(one["tool"], arguments)
            if not found and "question_id" in arguments:  # asked less often than on that day: what is open now
                await self.call(one["tool"], arguments | self.open)

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        reply = await self.client.call_tool(tool, arguments)
        found: dict[str, Any] = reply.structured_content or {}
        text = "".join(piece.text for piece in reply.content)
        self.characters += max(len(text), len(json.dumps(found, ensure_ascii=False)))
        self.job = found.get("job_id", self.job)
        if "question_id" in found.get("next", {}):
            self.open = {key: found["next"][key] for key in ("eads_id", "question_id")}
        self.last = found if "gantt" in found or "verified" in found else self.last
        return found


def unlawful(folder: Path, project: str, told: dict[str, Any]) -> list[str]:
    """What is wrong with the schedule of a project, by the checker that shares no code with the solver."""
    if "gantt" not in told:  # a formulation: each rule was held against the values once more
        return [] if told.get("verified") else ["nothing was solved"]
    host = Host("discovery", data_dir=folder, settings=DiscoverySettings(), migrations=MIGRATIONS)
    model = Modeller(Casefile(Projects(host))).model(project)
    schedule = solve(model, seconds=20, seed=0).schedule
    if schedule is None:
        return ["there is no schedule"]
    return [*faults(model, schedule), *([] if told["gantt"]["end"] == schedule.end else ["another schedule was told"])]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HELD))
async def test_an_interview_records_the_truth_and_nothing_else_and_ends_in_a_lawful_schedule(
    request: pytest.FixtureRequest, tmp_path: Path, name: str
) -> None:
    if not name.endswith("_third"):
        request.getfixturevalue("without_jobs")
    held = HELD[name]
    project = held["calls"][0]["arguments"]["project_id"]
    recorded: dict[str, Any] = {}
    async with connected(
        deployment_for(data_dir=tmp_path, discovery=pack, clock=fixed_clock(held["held_on"]))
    ) as client:
        replay = Replay(client)
        await replay.play(held["calls"])
        characters, last = replay.characters, replay.last
        page = pages = 1
        while page <= pages:
            known = await replay.call("get_aggregated_scr", {"project_id": project, "page": page, "detail": "full"})
            for eads_id, structure in known.get("scr_by_eads", {}).items():
                recorded |= dict(flat(structure, eads_id))
            page, pages = page + 1, known["pages"]
    told = {path: recorded.get(path) for path in held["facts"]}
    free = [*held["facts"], *held["free"], *held.get("slips", {})]
    rules = " ".join([*(one["rule"] for one in last.get("not_kept", [])), *last.get("not_used", [])])

    assert told == held["facts"]
    assert {path: value for path, value in recorded.items() if not any(fnmatchcase(path, each) for each in free)} == {}
    assert [words for words in held["unmodelled"] if words not in rules] == []
    assert {each: last.get(each) for each in held["schedule"]} == held["schedule"]
    assert unlawful(tmp_path, project, last) == []
    assert held["questions"] <= 12
    assert characters <= held["replayed"] * 1.05  # another schedule that is as good may take some words more


def test_half_of_the_interviews_cost_no_more_than_twelve_thousand_tokens_and_twelve_questions() -> None:
    assert median(one["characters"] for one in HELD.values()) <= MOST_TOKENS * CHARACTERS_A_TOKEN
    assert median(one["questions"] for one in HELD.values()) <= 12


def test_played_again_half_of_the_latest_cost_far_less_and_the_worst_little_more() -> None:
    latest = [one["replayed"] for name, one in HELD.items() if name.endswith("_third")]

    assert median(latest) <= REPLAYED_TOKENS * CHARACTERS_A_TOKEN
    assert max(latest) <= WORST_TOKENS * CHARACTERS_A_TOKEN
