"""The tools as they are offered: who may call them, how often, and one example each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from packhorse import Example, Tool, View
from packhorse_scheduling import models
from packhorse_scheduling.models import changes
from packhorse_scheduling.models import inbox as requests
from packhorse_scheduling.models.access import API, EVERYBODY, HTTP, PLANNERS
from packhorse_scheduling.models.shifts import ROSTER as SOLVED_ROSTER
from packhorse_scheduling.models.show import HEALTH, ROSTER
from packhorse_scheduling.models.watch import RESOLUTION
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools import RosterTools
from packhorse_scheduling.tools.changes import ChangeTools
from packhorse_scheduling.tools.feeds import FeedTools
from packhorse_scheduling.tools.foreseeing import foreseen
from packhorse_scheduling.tools.generation import GenerationTools
from packhorse_scheduling.tools.inbox import InboxTools
from packhorse_scheduling.tools.insight import InsightTools
from packhorse_scheduling.tools.rotations import RotationTools
from packhorse_scheduling.tools.shifts import solve_roster
from packhorse_scheduling.tools.show import ShowTools
from packhorse_scheduling.tools.swaps import SwapTools
from packhorse_scheduling.tools.watch import WatchTools
from packhorse_scheduling.tools.wishes import WishTools
from packhorse_scheduling.tools.words import WORDS

_VIEWS = Path(__file__).parent.with_name("views")
ROSTER_VIEW = View(
    _VIEWS / "roster.js",
    title="The roster",
    description="People by days with every service, violations marked.",
    parts=("grid",),
)
HEALTH_VIEW = View(
    _VIEWS / "health.js",
    title="Health of the roster",
    description="How full the next weeks are, what is filled, and who could not be lost.",
    parts=("chart",),
)

FOR_EXPERTS = frozenset(
    {
        "solve_roster",
        "check_swaps_feasibility",
        "run_contingency_analysis",
        "get_defense_level",
        "analyze_hub_centrality",
        "check_utilization_threshold",
        "get_static_fallbacks",
        "execute_sacrifice_hierarchy",
    }
)
"""Asked for a few times a year, by people who study what a programme can lose, or who solve published instances."""

_NOBODY = "00000000-0000-5000-8000-000000000000"


def offered(desk: RosterDesk) -> list[Tool]:
    """All of them, each with the words by which it is found."""
    return foreseen(desk, [*_changing(desk), *_looking(desk)])


def _tool(
    fn: Callable[..., Any],
    title: str,
    given: dict[str, Any],
    schema: dict[str, Any] | None = None,
    *,
    path: str = "",
    example: Example | None = None,
    roles: frozenset[str] = PLANNERS,
    **more: Any,
) -> Tool:
    """One tool; its example is a call with ``given`` that finds nothing, and ``path`` where it answers plain HTTP."""
    return Tool(
        fn=fn,
        title=title,
        roles=roles,
        output_schema=schema,
        examples=(example or Example(given, refused="NOT_FOUND"),),
        words=WORDS[fn.__name__],
        level="expert" if fn.__name__ in FOR_EXPERTS else "normal",
        meta={HTTP: f"POST {API}/{path}"} if path else {},
        **more,
    )


_DAYS = {"start_date": "2026-08-03", "end_date": "2026-08-07"}
_AWAY = {"person_id": _NOBODY, **_DAYS}
_ABSORB = {"swap_type": "ABSORB", "requester_id": _NOBODY, "block_ids": [_NOBODY]}
_THEN = {"person_id": _NOBODY, "block_id": _NOBODY}
_REQUEST = {"request_id": _NOBODY}
_YEAR = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30"}


def _changing(desk: RosterDesk) -> list[Tool]:
    rosters, change, swap, inbox = RosterTools(desk), ChangeTools(desk), SwapTools(desk), InboxTools(desk)
    rotate, mine = RotationTools(desk), EVERYBODY
    unsolved = Example({"instance": "SECTION_HORIZON\n14\n"}, refused="VALIDATION_ERROR")
    return [
        _tool(
            rosters.validate_schedule, "Is this roster lawful?", {"schedule_id": _NOBODY}, models.VALIDATION,
            path="schedules/validate", limit="30/hour", read_only=True,
        ),
        _tool(
            rosters.check_swap_feasibility, "Can these two swap?", _ABSORB, models.SWAP,
            path="swaps/check-feasibility", roles=PLANNERS | {"FACULTY"}, read_only=True,
        ),
        _tool(
            rosters.analyze_contingency, "What if somebody is lost?", {"analysis_type": "N_MINUS_1"},
            models.CONTINGENCY, path="resilience/analyze-contingency", limit="10/hour", read_only=True,
        ),
        _tool(
            rosters.suggest_resolution, "How could this be resolved?",
            {"conflict_type": "COVERAGE_GAP", "affected_blocks": [_NOBODY]}, RESOLUTION,
            path="conflicts/suggest-resolution", read_only=True,
        ),
        _tool(
            GenerationTools(desk).generate_schedule, "Make a roster", _YEAR, models.GENERATION,
            path="schedules/generate", limit="1 per 5 minutes", timeout=600, job=True,
        ),
        _tool(solve_roster, "Make a ward's shift roster", {}, SOLVED_ROSTER, example=unsolved, timeout=900, job=True),
        _tool(change.publish_schedule, "Put a draft in force", {"schedule_id": _NOBODY}, changes.PUBLISHED),
        _tool(change.snapshot_schedule, "Keep a copy", {"label": "before the merger"}, changes.SNAPSHOT),
        _tool(change.record_leave, "Somebody is away", _AWAY, changes.LEAVE, roles=mine),
        _tool(
            change.repair_schedule, "Repair the roster around an absence", {"absences": [_AWAY]}, changes.REPAIR,
            timeout=600,
        ),
        _tool(
            change.explain_assignment, "Why this person here?", _THEN, changes.EXPLANATION, read_only=True, roles=mine
        ),
        _tool(
            rotate.change_rotation, "Why this rotation, or another?", {"person_id": _NOBODY, "date": "2026-08-03"},
            changes.ROTATION,
        ),
        _tool(
            rotate.compare_versions, "What differs from what is in force?", {"schedule_id": _NOBODY},
            changes.COMPARISON, read_only=True,
        ),
        _tool(
            swap.request_swap, "Ask for a swap", {**_ABSORB, "target_person_id": _NOBODY}, changes.SWAP_RECORD,
            roles=mine,
        ),
        _tool(
            swap.respond_swap, "Accept or decline a swap", {"swap_id": _NOBODY, "accept": True}, changes.SWAP_RECORD,
            roles=mine,
        ),
        _tool(
            swap.execute_swap, "Carry out a swap, or take it back", {"swap_id": _NOBODY}, changes.SWAP_RECORD,
            destructive=True,
        ),
        _tool(inbox.list_requests, "What was asked for?", {}, requests.REQUESTS, read_only=True, roles=mine),
        _tool(
            inbox.answer_request, "Approve or decline a request", {**_REQUEST, "decision": "approve"},
            requests.ANSWERED, destructive=True,
        ),
        _tool(
            inbox.change_assignment, "Change one half-day by hand", _THEN, requests.ASSIGNED, roles=mine,
            destructive=True,
        ),
        _tool(inbox.withdraw_request, "Take a request back", _REQUEST, requests.ANSWERED, roles=mine, destructive=True),
        _tool(
            WishTools(desk).rank_wishes, "Which days off, in which order?",
            {"person_id": _NOBODY, "wishes": ["2026-12-25"]}, changes.WISHES, roles=mine,
        ),
        _tool(
            FeedTools(desk).calendar_address, "Subscribe to a calendar", {"person_id": _NOBODY}, roles=mine,
            destructive=True,
        ),
    ]  # fmt: skip


def _looking(desk: RosterDesk) -> list[Tool]:
    watch, insight, show = WatchTools(desk), InsightTools(desk), ShowTools(desk)
    full = {"level": "YELLOW", "safe_maximum": 16, "buffer_blocks": 1}
    return [
        _tool(watch.detect_conflicts, "What is wrong in these days?", _DAYS, read_only=True),
        _tool(
            watch.analyze_swap_candidates, "Who could take this over?",
            {"requester_person_id": _NOBODY, "assignment_id": _NOBODY}, read_only=True,
        ),
        _tool(
            watch.run_contingency_analysis, "What if these people are lost?",
            {"scenario": "faculty_absence", "affected_person_ids": [_NOBODY], **_DAYS}, read_only=True,
        ),
        _tool(watch.get_defense_level, "Which level of defence?", {}, read_only=True),
        _tool(watch.analyze_hub_centrality, "On whom does it hang?", {}, read_only=True),
        _tool(
            watch.check_utilization_threshold, "How full is it?", {},
            example=Example({"available_faculty": 10, "required_blocks": 15}, gives=full), read_only=True,
        ),
        _tool(
            watch.get_static_fallbacks, "What is prepared?", {}, example=Example({}, gives={"available_count": 0}),
            read_only=True,
        ),
        _tool(watch.execute_sacrifice_hierarchy, "Suspend what can wait", {"target_level": "YELLOW"}),
        _tool(
            watch.rag_search, "What do the rules say?", {}, example=Example({"query": "hours off after call"}),
            roles=EVERYBODY, read_only=True,
        ),
        _tool(
            insight.check_swaps_feasibility, "Can these pairs swap?", {"swaps": [_ABSORB]},
            roles=PLANNERS | {"FACULTY"}, read_only=True,
        ),
        _tool(insight.simulate_scenario, "What if?", {"absences": [_AWAY]}, read_only=True),
        _tool(insight.get_backup_call_pool, "Who could come in?", _DAYS, read_only=True),
        _tool(insight.optimize_rotation_balance, "Spread the work more evenly", _DAYS),
        _tool(insight.generate_coverage_report, "How is the demand met?", _DAYS, read_only=True),
        _tool(show.find_person, "Who is who, who is on call?", {"name": "Tran"}, roles=EVERYBODY, read_only=True),
        _tool(
            show.show_roster, "Show the roster", {"days": 7}, ROSTER, roles=EVERYBODY, view=ROSTER_VIEW,
            read_only=True,
        ),
        _tool(show.show_health, "Show how the roster stands", {}, HEALTH, view=HEALTH_VIEW, read_only=True),
    ]  # fmt: skip
