"""A sample answer of every tool: the demonstration of its pack, then calls on what that left behind.

Tools of the scheduling pack answer on a year of sixty people instead: see `benchmarks/scheduling_sizes.py`.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.contract.principal import LOCAL
from packhorse.errors import UserError
from packhorse.settings import ServerSettings, Settings

_BAKERY = {"project_id": "demo-bakery"}
_WARM_UP = {**_BAKERY, "eads_id": "process/warm-up-with-challenges"}
_TOKYO = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}
_NAMES = ["Garcia", "Hernandez", "Lopez", "Martinez", "Rodriguez", "Perez", "Gonzalez", "Sanchez", "Ramirez", "Cruz"]

MORE: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] = {
    "circadian": (
        ("compare_itineraries", {"itineraries": [{**_TOKYO, "label": "direct"}, {**_TOKYO, "label": "the same"}]}),
        ("what_now", {**_TOKYO, "now_datetime": "2026-02-17T07:30"}),
        ("replan", {**_TOKYO, "now_datetime": "2026-02-17T07:30"}),
    ),
    "discovery": (
        ("get_next_eads", _BAKERY),
        ("list_available_eads", {}),
        ("get_eads_status", _WARM_UP),
        ("get_conversation_history", _BAKERY),
        ("get_aggregated_scr", _BAKERY),
        ("correct_answer", {**_WARM_UP, "path": "/product-or-service-name", "value": "bread"}),
        ("list_conflicts", _BAKERY),
        ("add_note", {**_BAKERY, "text": "They prefer tables."}),
        ("finalize_eads", {**_WARM_UP, "accept_gaps": True}),
        ("export_project", _BAKERY),
        ("delete_project", _BAKERY),
    ),
    "locator": (
        ("search_by_facility", {"facility_name": "Stewart"}),
        ("search_by_alien_number", {"alien_number": "A900100028"}),
        ("bulk_search", {"searches": [{"type": "name", "first_name": "Jose", "last_name": name} for name in _NAMES]}),
        ("parse_natural_query", {"query": "busco a mi hijo Juan Perez", "auto_execute": True}),
        ("review_watches", {}),
        ("print_search_record", {"first_name": "Jose", "last_name": "Hernandez"}),
        ("stop_watching", {"watch_id": "none"}),
    ),
    "pai": (
        ("list_agents", {}),
        ("act_as_agent", {"run_id": "none", "tool": "finish", "arguments": {}}),
        ("invoke_swap_manager_agent", {"mission": "Sing the duty roster"}),
        ("invoke_coordinator_agent", {"coordinator_name": "COORD_ENGINE", "mission": "Sing the duty roster"}),
        ("invoke_agent", {"agent_name": "QA_TESTER", "mission": "Sing the duty roster"}),
    ),
}  # fmt: skip


async def answers(pack: str) -> list[tuple[str, str, Any]]:
    """(tool, text, structured) of each call; of a refusal its words, and nothing structured."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(server=ServerSettings(data_dir=Path(folder), strict=True))
        deployment = compose(settings, packs.choose(packs.find(), [pack]))
        scene = next(one.pack.demo for one in deployment.catalogue.packs)
        made = []
        with deployment.running(works=False):
            if scene is not None and scene.prepare is not None:
                scene.prepare(deployment.hosts[pack])
            for tool, arguments in (*(scene.calls if scene else ()), *MORE.get(pack, ())):
                try:
                    reply = await deployment.dispatcher.call_tool(LOCAL, tool, dict(arguments))
                except UserError as refusal:
                    made.append((tool, refusal.message, None))
                    continue
                text = "".join(getattr(piece, "text", "") for piece in reply.content)
                made.append((tool, text, reply.structured))
        return made
