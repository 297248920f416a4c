"""What an assistant has to read on a year of sixty people: no answer above 2,000 tokens, and few calls to a swap."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from tests.contract.sample_answers import MORE

import roster_large
import scheduling_sizes
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.domain.roster.arrays import FREE
from wire import COORDINATOR, own

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

MONDAY = fixed_clock("2026-08-03T12:00:00Z")
TUESDAY = "2026-08-04"
MOST_CALLS, MOST_TOKENS = 4, 6_000
COORDINATORS_LIST = {"o200k": 3_800, "characters / 3.3": 4_850}
"""By what can be counted here: the second is the same list by a coarser measure."""


@pytest.fixture(scope="module")
def sixty(tmp_path_factory):
    """A deployment with the year in force, and its desk."""
    folder = tmp_path_factory.mktemp("sixty")
    desk = roster_large.in_force(folder)
    return deployment_for(data_dir=folder, clock=MONDAY, scheduling=pack), desk


async def test_no_answer_is_above_2000_tokens_unless_its_body_is_specified(sixty):
    rows = await scheduling_sizes.answers(*sixty)
    refused = [name for name, *_ in rows if name.endswith("(refused)")]
    assert refused == []
    above = {name: both for name, _, _, both in rows if both > scheduling_sizes.MOST}
    tools = {name for name, entry in sixty[0].catalogue.tools.items() if entry.pack == "scheduling"}
    assert tools - {name for name, *_ in rows} - {tool for tool, _ in MORE["scheduling"]} == set()
    assert {name for name in above if not scheduling_sizes.is_specified(name)} == set()


async def test_a_coordinator_s_list_is_small_once_schemas_are_slimmed(tmp_path):
    listed = await scheduling_sizes.listed(tmp_path, COORDINATOR)
    normal = {name: lean for name, (_, lean) in listed.items() if name not in scheduling_sizes.NOT_LISTED}
    print(f"{len(normal)} tools, {sum(normal.values())} tokens; with the others {len(listed)}")
    assert sum(normal.values()) <= COORDINATORS_LIST[scheduling_sizes.counter()[0]]
    resident = await scheduling_sizes.listed(tmp_path, own("R01"))
    assert len([name for name in resident if name not in scheduling_sizes.NOT_LISTED]) <= 12


class Assistant:
    """Calls tools as a model would, by what the answers before have said, and counts what it reads and writes."""

    def __init__(self, client):
        self.client = client
        self.calls = 0
        self.tokens = 0
        self.count = scheduling_sizes.counter()[1]

    async def ask(self, tool, **arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        self.calls += 1
        data = scheduling_sizes.compact(reply.structured_content)
        text = "".join(map(scheduling_sizes.words_of, reply.content))
        self.tokens += sum(map(self.count, (tool, scheduling_sizes.compact(arguments), text, data)))
        return reply.structured_content


async def can_swap(assistant, who, day):
    """Whether this person can swap that day: (person, verdict, with whom)."""
    (person,) = (await assistant.ask("find_person", name=who))["people"]
    (row,) = (await assistant.ask("show_roster", people=[person["key"]], start_date=day, days=1))["people"]
    if row["duty"] in ("-", "away"):
        return person, False, None
    asked = {"requester_id": person["key"], "block_ids": [day]}
    found = await assistant.ask("check_swap_feasibility", swap_type="ABSORB", **asked)
    if found["is_feasible"] and found["suggestions"]:
        other = found["suggestions"][0]["candidate_name"]
        sure = await assistant.ask("check_swap_feasibility", swap_type="ABSORB", target_person_id=other, **asked)
        return person, sure["is_feasible"], other
    best = await assistant.ask("analyze_swap_candidates", requester_person_id=person["key"], assignment_id=day)
    first = next(iter(best["candidates"]), None)
    return person, first is not None, None if first is None else first["candidate_name"]


async def test_whether_somebody_can_swap_tuesday_takes_an_assistant_four_calls_and_6000_tokens(sixty):
    deployment, desk = sixty
    opened = desk.current()
    d = opened.kernel.day_of(MONDAY().date()) + 1
    answers = set()
    spent = []
    async with connected(deployment, principal=COORDINATOR) as client:
        for p, person in enumerate(opened.programme.people[:42:6]):
            assistant = Assistant(client)
            found, feasible, other = await can_swap(assistant, person.name, TUESDAY)
            assert found["key"] == person.key
            assert assistant.calls <= MOST_CALLS
            assert assistant.tokens <= MOST_TOKENS
            spent.append((assistant.calls, assistant.tokens))
            works = (opened.grid[6 * p, d] != FREE).any()
            assert feasible <= works
            answers.add((works, feasible))
            if feasible:
                assert other in {one.name for one in opened.programme.people}
    print(f"calls and tokens: {spent}")
    assert (True, True) in answers
