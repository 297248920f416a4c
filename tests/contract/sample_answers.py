"""A sample answer of every tool: the demonstration of its pack, then calls on what that left behind.

Tools of the scheduling pack answer on a year of sixty people too: see `benchmarks/scheduling_sizes.py`.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.scheduling.shift_instances import SMALL

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.contract.clock import system_clock
from packhorse.contract.principal import LOCAL
from packhorse.door.execution import Requester
from packhorse.errors import UserError
from packhorse.settings import PackTable, ServerSettings, Settings
from packhorse.testing import fixed_clock

Last = Mapping[str, Any]
"""By tool, its last structured answer."""

_BAKERY = {"project_id": "demo-bakery"}
_WARM_UP = {**_BAKERY, "eads_id": "process/warm-up-with-challenges"}
_SHOP = {"project_id": "demo-shop"}
_TRIP = "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T15:45"
_NIGHTS = [f"2027-02-{day}T23:00/2027-02-{day + 1}T07:00" for day in range(15, 19)]
_SLEPT = [f"2027-02-{day:02}T23:00/2027-02-{day + 1:02}T07:00 sleep" for day in range(8, 15)]
_WEEK = {"academic_year": "2026-2027", "start_date": "2026-07-06", "end_date": "2026-07-12"}
_NAMES = ["Garcia", "Hernandez", "Lopez", "Martinez", "Rodriguez", "Perez", "Gonzalez", "Sanchez", "Ramirez", "Cruz"]

_SAID = "We bake bread. Kneading takes 20 minutes on the mixer, baking {} minutes in the oven."
_FERRIES = {
    "format": "packhorse-eads/1",
    "version": "1.0.0",
    "title": "Ferries",
    "interview-objective": "Which ferries run.",
    "EADS": {"EADS-id": "resources/ferries", "ferries": [{"ferry-id": "Aurora", "seats": 40}]},
}
_BRIDGES = {
    "sets": {"B": ["beam", "truss"]},
    "data": {
        "glue": {"over": "B", "values": [5, 8], "unit": "tube/bridge"},
        "tubes": {"value": 100, "unit": "tube"},
        "holds": {"over": "B", "values": [40, 60], "unit": "kg/bridge"},
    },
    "vars": {"n": {"over": "B", "type": "int", "unit": "bridge"}},
    "rules": {"glue": "sum(glue[b] * n[b] for b in B) <= tubes"},
    "maximize": "sum(holds[b] * n[b] for b in B)",
}
_BRIDGES_IN_WORDS = (
    "A beam bridge takes 5 tubes of glue and holds 40 kg, a truss bridge takes 8 tubes and holds 60 kg. There are 100"
    " tubes. It should hold as much as possible."
)


def _minutes(number: str) -> Mapping[str, str]:
    return {"value-string": number, "units": "minutes"}


def _answer(eads: str, question: str, baking: str, refinement: Mapping[str, Any], **more: str) -> tuple[str, Any]:
    asked = {"eads_id": eads, "question_id": question, "answer": _SAID.format(baking), "refinement": refinement}
    return "process_eads_answer", {**_SHOP, **asked, **more}


def _steps(baking: str) -> Mapping[str, Any]:
    knead = {"process-id": "kneading", "duration": _minutes("20"), "resources": ["mixer"]}
    return {"subprocesses": [knead, {"process-id": "baking", "duration": _minutes(baking), "resources": ["oven"]}]}


def _settled(last: Last) -> Mapping[str, Any]:
    conflict = last["list_conflicts"]["conflicts"][0]["conflict_id"]
    return {**_SHOP, "conflict_id": conflict, "resolution": "Ben has measured it.", "value": _minutes("55")}


def _job(last: Last) -> Mapping[str, Any]:
    return {"job_id": last["solve_model"]["job_id"]}


MORE: Mapping[str, Sequence[tuple[str, Mapping[str, Any] | Callable[[Last], Mapping[str, Any]]]]] = {
    "circadian": (
        ("compare_itineraries", {"itineraries": [f"direct: {_TRIP}", f"late: {_TRIP[:-5]}21:45"]}),
        ("what_now", {"trip": _TRIP, "now_datetime": "2026-02-17T07:30"}),
        ("replan", {"trip": _TRIP, "now_datetime": "2026-02-17T07:30"}),
        ("plan_for_shifts", {"timezone": "Europe/London", "shifts": _NIGHTS}),
        ("where_is_my_clock", {"timezone": "Europe/London", "log": _SLEPT}),
        ("simulate_light_schedule", {"segments": [{"days": 2, "lux": 1000, "on": 19, "off": 7}]}),
    ),
    "discovery": (
        ("get_next_eads", _BAKERY),
        ("list_available_eads", {}),
        ("get_eads_status", _WARM_UP),
        ("get_conversation_history", _BAKERY),
        ("get_aggregated_scr", _BAKERY),
        ("correct_answer", {**_WARM_UP, "path": "/product-or-service-name", "value": "bread"}),
        ("add_note", {**_BAKERY, "text": "They prefer tables."}),
        ("propose_eads", {**_BAKERY, "document": _FERRIES}),
        ("finalize_eads", {**_WARM_UP, "accept_gaps": True}),
        ("export_project", _BAKERY),
        ("delete_project", _BAKERY),
        ("start_interview", _SHOP),
        _answer(_WARM_UP["eads_id"], "q1-1", "40", {"product-or-service-name": "bread", "scheduling-challenges": []}),
        _answer("process/scheduling-problem-type", "q2-1", "40",
                {"principal-problem-type": "FLOW-SHOP", "quote": "Kneading takes 20 minutes"}),
        _answer("process/flow-shop", "q3-1", "40", _steps("40")),
        _answer("process/flow-shop", "q3-1", "55", _steps("55"), answered_by="Ben"),
        ("list_conflicts", _SHOP),
        ("resolve_conflict", _settled),
        ("generate_model", _SHOP),
        ("solve_model", {**_SHOP, "seconds": 1}),
        ("job_status", _job),
        ("job_cancel", _job),
        ("solve_model", {**_SHOP, "seconds": 2}),
        ("job_result", lambda last: {**_job(last), "wait_seconds": 30}),
        ("compare_models", {**_SHOP, "change": "speed", "name": "oven", "value": 2, "seconds": 1}),
        ("solve_formulation", {**_SHOP, "formulation": _BRIDGES, "words": _BRIDGES_IN_WORDS, "seconds": 1}),
    ),
    "locator": (
        ("search_by_facility", {"facility_name": "Stewart"}),
        ("search_by_alien_number", {"alien_number": "A900100028"}),
        ("bulk_search", {"searches": [{"type": "name", "first_name": "Jose", "last_name": name} for name in _NAMES]}),
        ("parse_natural_query", {"query": "busco a mi hijo Juan Perez", "auto_execute": True}),
        ("watch_person", {"record_id": "S0002"}),
        ("review_watches", {}),
        ("print_search_record", {"first_name": "Jose", "last_name": "Hernandez"}),
        ("stop_watching", lambda last: {"watch_id": last["watch_person"]["watch_id"]}),
    ),
    "scheduling": (
        ("generate_schedule", {**_WEEK, "async": False}),
        ("repair_schedule", {}),
        ("solve_roster", {"instance": SMALL, "cpu_seconds": 2}),
        ("job_result", lambda last: {"job_id": last["solve_roster"]["job_id"], "wait_seconds": 30}),
        ("calendar_address", {"person_id": "F01"}),
        ("change_rotation", {"person_id": "R01", "date": "2026-07-06"}),
    ),
    "pai": (
        ("list_agents", {}),
        ("act_as_agent", {"run_id": "none", "tool": "finish", "arguments": {}}),
        ("invoke_swap_manager_agent", {"mission": "Sing the duty roster"}),
        ("invoke_coordinator_agent", {"coordinator_name": "COORD_ENGINE", "mission": "Sing the duty roster"}),
        ("invoke_agent", {"agent_name": "QA_TESTER", "mission": "Sing the duty roster"}),
    ),
}  # fmt: skip


CLOCKS = {"scheduling": fixed_clock("2026-07-01T12:00:00Z")}
TABLES = {"scheduling": PackTable(own={"public_url": "https://rosters.example"})}


async def answers(pack: str) -> list[tuple[str, str, Any]]:
    """(tool, text, structured) of each call; of a refusal its words, and nothing structured."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            server=ServerSettings(data_dir=Path(folder), strict=True),
            packs={name: table for name, table in TABLES.items() if name == pack},
        )
        deployment = compose(settings, packs.choose(packs.find(), [pack]), clock=CLOCKS.get(pack, system_clock))
        scene = next(one.pack.demo for one in deployment.catalogue.packs if one.found.name == pack)
        made = []
        last: dict[str, Any] = {}
        with deployment.running():
            if scene is not None and scene.prepare is not None:
                scene.prepare(deployment.hosts[pack])
            for tool, arguments in (*(scene.calls if scene else ()), *MORE.get(pack, ())):
                given = arguments(last) if callable(arguments) else arguments
                try:
                    reply = await deployment.dispatcher.call_tool(Requester(LOCAL), tool, dict(given))
                except UserError as refusal:
                    made.append((tool, refusal.message, None))
                    continue
                text = "".join(getattr(piece, "text", "") for piece in reply.content)
                last[tool] = reply.structured
                made.append((tool, text, reply.structured))
        return made
