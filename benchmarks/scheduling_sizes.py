"""What the scheduling pack's answers and tools weigh for a language model, on a year of sixty people.

    python benchmarks/scheduling_sizes.py answers     every tool and page, as asked by default
    python benchmarks/scheduling_sizes.py tools       what each role is listed, as it is and slimmed

A token is one of the o200k vocabulary over compact JSON (``pip install bpe-openai`` or tiktoken); without either, 3.3
characters, which bounds it. Of an answer both channels are counted, and their sum: a client hands its model one.
"""

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "scheduling"))

import roster_large
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_scheduling import pack
from wire import COORDINATOR, NOW, own

MOST = 2_000
PIECE = 50_000
"""Characters counted at once; a word cut in two adds one token."""
MONDAY, FRIDAY = "2026-08-03", "2026-08-07"
YEAR = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30"}


def _tokens(encoding: Any, text: str) -> int:
    return sum(len(encoding.encode(text[at : at + PIECE])) for at in range(0, len(text), PIECE))


@cache
def counter() -> tuple[str, Callable[[str], int]]:
    """What counts, and how."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one of them reads its data in a way that is going away
        for name in ("bpe_openai", "tiktoken"):
            if find_spec(name) is not None:
                return "o200k", partial(_tokens, import_module(name).get_encoding("o200k_base"))
    return "characters / 3.3", lambda text: round(len(text) / 3.3)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


Call = tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], Any]
"""A tool, its arguments, and the caller where it is not a coordinator."""


def calls(desk: Any) -> Generator[Call, Any, None]:
    """Every tool that answers about a roster, with what it needs and no more; each is sent its structured answer."""
    opened = desk.current()
    key, day, half, _ = next(cell for cell in opened.schedule.cells if cell[1].isoformat() == "2026-08-04")
    people = {person.key: person for person in opened.programme.people}
    person, other = people[key], next(one for one in people.values() if one.role == people[key].role and one.key != key)
    block = opened.programme.year.blocks[2 * (day - opened.programme.year.start).days + half].id
    days = {"start_date": MONDAY, "end_date": FRIDAY}
    months = {"start_date": MONDAY, "end_date": "2026-10-30"}
    swap = {"swap_type": "ABSORB", "requester_id": person.id, "block_ids": [block]}
    yield "find_person", {}
    yield "find_person", {"name": "Ro"}
    yield "find_person", {"on_duty": "all"}
    yield "show_roster", {}
    yield "show_health", {}
    yield "validate_schedule", {}
    yield "detect_conflicts", months
    yield "check_swap_feasibility", swap
    yield "check_swap_feasibility", {**swap, "swap_type": "ONE_TO_ONE", "target_person_id": other.id}
    lawful = {"swap_type": "ABSORB", "requester_id": people["F01"].id, "block_ids": ["2026-08-22 AM"]}
    found = yield "check_swap_feasibility", lawful
    taker = found["suggestions"][0]["candidate_name"]
    asked = yield "request_swap", {**lawful, "target_person_id": taker}
    yield "respond_swap", {"swap_id": asked["swap_id"], "accept": True, "person_id": people["F01"].id}
    yield "respond_swap", {"swap_id": asked["swap_id"], "accept": True, "person_id": taker}
    yield "execute_swap", {"swap_id": asked["swap_id"]}
    yield "execute_swap", {"swap_id": asked["swap_id"], "take_back": True}
    yield "check_swaps_feasibility", {"swaps": [swap] * 10}
    yield "analyze_contingency", {}
    yield "suggest_resolution", {"conflict_type": "COVERAGE_GAP", "affected_blocks": [block]}
    yield "suggest_resolution", {
        "conflict_type": "SWAP_NEEDED", "affected_blocks": [block], "affected_persons": [person.id]
    }  # fmt: skip
    yield "explain_assignment", {"person_id": person.id, "block_id": block}
    yield "show_roster", {"days": 56, "role": "RESIDENT"}
    yield "show_roster", {"days": 7, "people": [person.id]}
    yield "simulate_scenario", {"absences": [{"person_id": person.id, **days}], "mend": False}
    yield "get_backup_call_pool", {"start_date": MONDAY, "end_date": "2026-08-09"}
    yield "optimize_rotation_balance", months
    yield "generate_coverage_report", months
    yield "analyze_swap_candidates", {
        "requester_person_id": person.id, "assignment_id": roster_large.assignment(key, day, half)
    }  # fmt: skip
    yield "run_contingency_analysis", {"scenario": "mass_absence", "affected_person_ids": [person.id], **months}
    yield "get_defense_level", {}
    yield "check_utilization_threshold", {"available_faculty": 10, "required_blocks": 15}
    yield "get_static_fallbacks", {}
    yield "analyze_hub_centrality", {}
    yield "execute_sacrifice_hierarchy", {"target_level": "RED"}
    yield "rag_search", {"query": "hours off after call"}
    yield "record_leave", {"person_id": person.id, **days}
    later = {"person_id": person.id, "start_date": "2026-10-05", "end_date": "2026-10-09"}
    wanted = yield "record_leave", later, own(person.key)
    yield "answer_request", {"request_id": wanted["request_id"], "decision": "approve"}
    yield "answer_request", {"request_id": wanted["request_id"], "decision": "approve", "confirm": True}
    yield "withdraw_request", {"request_id": wanted["request_id"]}
    yield "rank_wishes", {"person_id": person.id, "wishes": ["2026-12-25", "2027-01-01"]}
    yield "list_requests", {"all": True}
    yield "change_assignment", {"person_id": person.id, "block_id": block}
    kept = yield "snapshot_schedule", {"label": "before"}
    yield "compare_versions", {"schedule_id": kept["schedule_id"]}
    yield "publish_schedule", {"schedule_id": kept["schedule_id"]}


PAGES = (
    "schedule://people", "schedule://on-call",
    "schedule://requests", "schedule://rotations", "schedule://violations", "resilience://health",
    "analytics://burnout-risk", "analytics://trends", "analytics://forecasting",
)  # fmt: skip
SPECIFIED = ("schedule://current", "schedule://blocks", "analytics://fairness", "analytics://workload")


def words_of(block: Any) -> str:
    """What a block of content gives to read."""
    found: str = getattr(block, "text", None) or getattr(getattr(block, "resource", None), "text", "")
    return found


NOT_LISTED = {
    *("solve_roster", "check_swaps_feasibility", "run_contingency_analysis"),
    *("analyze_hub_centrality", "get_static_fallbacks", "check_utilization_threshold", "get_defense_level"),
    *("execute_sacrifice_hierarchy", "job_status", "job_result", "job_cancel"),
}
"""For experts and agents that name them, or the host's own: not counted in what a role is listed."""


def is_specified(name: str) -> bool:
    """Whether the specification fixes the body of this page."""
    return name.startswith(SPECIFIED) or name.startswith("schedule://person/")


async def answers(deployment: Any, desk: Any) -> list[tuple[str, int, int, int]]:
    """(name, tokens of text, tokens of structured content, sum) of each answer; pages have text alone."""
    _, count = counter()
    rows = []
    asked = calls(desk)
    answer = None
    async with connected(deployment, principal=COORDINATOR) as client:
        while True:
            try:
                name, given, *caller = asked.send(answer)
            except StopIteration:
                break
            if caller:
                async with connected(deployment, principal=caller[0]) as other:
                    reply = await other.call_tool(name, given)
            else:
                reply = await client.call_tool(name, given)
            answer = reply.structured_content
            text = count("".join(map(words_of, reply.content)))
            data = count(compact(reply.structured_content)) if reply.structured_content is not None else 0
            rows.append((f"{name}{' (refused)' if reply.is_error else ''}", text, data, text + data))
        for uri in (*PAGES, *SPECIFIED, f"schedule://person/{desk.current().programme.people[0].id}"):
            size = count("".join(one.text for one in (await client.read_resource(uri)).contents))
            rows.append((uri, size, 0, size))
    return rows


def show_answers() -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = roster_large.in_force(Path(folder))
        deployment = deployment_for(data_dir=Path(folder), clock=fixed_clock(f"{MONDAY}T12:00:00Z"), scheduling=pack)
        rows = anyio.run(answers, deployment, desk)
    print(f"| answer, 60 people, one year ({counter()[0]}) | text | structured | both |\n|---|---|---|---|")
    for name, text, data, both in rows:
        mark = " (specified)" if is_specified(name) else " ABOVE" if both > MOST else ""
        print(f"| {name} | {text:,} | {data:,} | {both:,}{mark} |")


async def listed(folder: Path, principal: Any) -> dict[str, tuple[int, int]]:
    """By tool: tokens of name, description and input schema, with the schema in full and as listed."""
    _, count = counter()
    deployment = deployment_for(data_dir=folder, clock=NOW, scheduling=pack)
    async with connected(deployment, principal=principal) as client:
        tools = (await client.list_tools()).tools
    return {
        tool.name: tuple(
            count(compact({"name": tool.name, "description": tool.description, "inputSchema": schema}))
            for schema in (deployment.catalogue.tools[tool.name].arguments.schema, tool.input_schema)
        )
        for tool in tools
    }  # type: ignore[return-value]


def show_tools() -> None:
    for role, principal in (("coordinator", COORDINATOR), ("resident", own("R01"))):
        with tempfile.TemporaryDirectory() as folder:
            rows = anyio.run(listed, Path(folder), principal)
        print(f"| tool, {role} ({counter()[0]}) | in full | as listed |\n|---|---|---|")
        for name, (full, lean) in sorted(rows.items(), key=lambda row: -row[1][1]):
            print(f"| {name} | {full:,} | {lean:,} |")
        some = {name: row for name, row in rows.items() if name not in NOT_LISTED}
        print(f"| {len(some)} listed | {sum(a for a, _ in some.values()):,} | {sum(b for _, b in some.values()):,} |")
        print(f"| all {len(rows)} | {sum(a for a, _ in rows.values()):,} | {sum(b for _, b in rows.values()):,} |\n")


if __name__ == "__main__":
    {"answers": show_answers, "tools": show_tools}[sys.argv[1] if len(sys.argv) > 1 else "answers"]()
