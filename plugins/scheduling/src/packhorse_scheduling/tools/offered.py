"""The tools as they are offered: who may call them, how often, and one example each."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from packhorse import Example, Tool, View
from packhorse_scheduling import models
from packhorse_scheduling.models import changes, comparison, inbox, rotations, wishes
from packhorse_scheduling.models.access import API, EVERYBODY, HTTP, PLANNERS
from packhorse_scheduling.models.resolution import RESOLUTION
from packhorse_scheduling.models.shifts import ROSTER as SOLVED_ROSTER
from packhorse_scheduling.models.show import HEALTH, ROSTER
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
    tools = [
        *_rosters(RosterTools(desk)),
        *_generation(GenerationTools(desk)),
        _solving(),
        *_changes(ChangeTools(desk)),
        *_rotations(RotationTools(desk)),
        *_swaps(SwapTools(desk)),
        *_inbox(InboxTools(desk)),
        _wishes(WishTools(desk)),
        _calendars(FeedTools(desk)),
        *_watch(WatchTools(desk)),
        *_insight(InsightTools(desk)),
        *_shown(ShowTools(desk)),
    ]
    return foreseen(desk, [_found_by_words(tool) for tool in tools])


def _found_by_words(tool: Tool) -> Tool:
    name = tool.fn.__name__
    return replace(tool, words=WORDS[name], level="expert" if name in FOR_EXPERTS else "normal")


def _rosters(tools: RosterTools) -> list[Tool]:
    return [
        Tool(
            fn=tools.validate_schedule,
            title="Is this roster lawful?",
            roles=PLANNERS,
            limit="30/hour",
            output_schema=models.VALIDATION,
            meta={HTTP: f"POST {API}/schedules/validate"},
            examples=(Example({"schedule_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.check_swap_feasibility,
            title="Can these two swap?",
            roles=PLANNERS | {"FACULTY"},
            output_schema=models.SWAP,
            meta={HTTP: f"POST {API}/swaps/check-feasibility"},
            examples=(
                Example({"swap_type": "ABSORB", "requester_id": _NOBODY, "block_ids": [_NOBODY]}, refused="NOT_FOUND"),
            ),
        ),
        Tool(
            fn=tools.analyze_contingency,
            title="What if somebody is lost?",
            roles=PLANNERS,
            limit="10/hour",
            output_schema=models.CONTINGENCY,
            meta={HTTP: f"POST {API}/resilience/analyze-contingency"},
            examples=(Example({"analysis_type": "N_MINUS_1"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.suggest_resolution,
            title="How could this be resolved?",
            roles=PLANNERS,
            output_schema=RESOLUTION,
            meta={HTTP: f"POST {API}/conflicts/suggest-resolution"},
            examples=(Example({"conflict_type": "COVERAGE_GAP", "affected_blocks": [_NOBODY]}, refused="NOT_FOUND"),),
        ),
    ]


def _generation(tools: GenerationTools) -> list[Tool]:
    return [
        Tool(
            fn=tools.generate_schedule,
            title="Make a roster",
            roles=PLANNERS,
            limit="1 per 5 minutes",
            timeout=600,
            job=True,
            output_schema=models.GENERATION,
            meta={HTTP: f"POST {API}/schedules/generate"},
            examples=(
                Example(
                    {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30"},
                    refused="NOT_FOUND",
                ),
            ),
        ),
    ]


def _solving() -> Tool:
    return Tool(
        fn=solve_roster,
        title="Solve a public instance",
        roles=PLANNERS,
        timeout=900,
        job=True,
        output_schema=SOLVED_ROSTER,
        examples=(Example({"instance": "SECTION_HORIZON\n14\n"}, refused="VALIDATION_ERROR"),),
    )


def _changes(tools: ChangeTools) -> list[Tool]:
    away = {"person_id": _NOBODY, "start_date": "2026-08-03", "end_date": "2026-08-07"}
    return [
        Tool(
            fn=tools.publish_schedule,
            title="Put a draft in force",
            roles=PLANNERS,
            output_schema=changes.PUBLISHED,
            examples=(Example({"schedule_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.snapshot_schedule,
            title="Keep a copy",
            roles=PLANNERS,
            output_schema=changes.SNAPSHOT,
            examples=(Example({"label": "before the merger"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.record_leave,
            title="Somebody is away",
            roles=EVERYBODY,
            output_schema=changes.LEAVE,
            examples=(Example(away, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.repair_schedule,
            title="Repair the roster around an absence",
            timeout=600,
            roles=PLANNERS,
            output_schema=changes.REPAIR,
            examples=(Example({"absences": [away]}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.explain_assignment,
            title="Why this person here?",
            roles=EVERYBODY,
            read_only=True,
            output_schema=changes.EXPLANATION,
            examples=(Example({"person_id": _NOBODY, "block_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
    ]


def _rotations(tools: RotationTools) -> list[Tool]:
    return [
        Tool(
            fn=tools.change_rotation,
            title="Why this rotation, or another?",
            roles=PLANNERS,
            output_schema=rotations.ROTATION,
            examples=(Example({"person_id": _NOBODY, "date": "2026-08-03"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.compare_versions,
            title="What differs from what is in force?",
            roles=PLANNERS,
            read_only=True,
            output_schema=comparison.COMPARISON,
            examples=(Example({"schedule_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
    ]


def _swaps(tools: SwapTools) -> list[Tool]:
    asked = {
        "swap_type": "ABSORB",
        "requester_id": _NOBODY,
        "target_person_id": _NOBODY,
        "block_ids": [_NOBODY],
    }
    return [
        Tool(
            fn=tools.request_swap,
            title="Ask for a swap",
            roles=EVERYBODY,
            output_schema=changes.SWAP_RECORD,
            examples=(Example(asked, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.respond_swap,
            title="Accept or decline a swap",
            roles=EVERYBODY,
            output_schema=changes.SWAP_RECORD,
            examples=(Example({"swap_id": _NOBODY, "accept": True}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.execute_swap,
            title="Carry out a swap, or take it back",
            roles=PLANNERS,
            destructive=True,
            output_schema=changes.SWAP_RECORD,
            examples=(Example({"swap_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
    ]


def _inbox(tools: InboxTools) -> list[Tool]:
    named = {"request_id": _NOBODY}
    return [
        Tool(
            fn=tools.list_requests,
            title="What was asked for?",
            roles=EVERYBODY,
            read_only=True,
            output_schema=inbox.REQUESTS,
            examples=(Example({}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.answer_request,
            title="Approve or decline a request",
            roles=PLANNERS,
            destructive=True,
            output_schema=inbox.ANSWERED,
            examples=(Example({**named, "decision": "approve"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.change_assignment,
            title="Change one half-day by hand",
            roles=EVERYBODY,
            destructive=True,
            output_schema=inbox.ASSIGNED,
            examples=(Example({"person_id": _NOBODY, "block_id": _NOBODY}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.withdraw_request,
            title="Take a request back",
            roles=EVERYBODY,
            destructive=True,
            output_schema=inbox.ANSWERED,
            examples=(Example(named, refused="NOT_FOUND"),),
        ),
    ]


def _wishes(tools: WishTools) -> Tool:
    return Tool(
        fn=tools.rank_wishes,
        title="Which days off, in which order?",
        roles=EVERYBODY,
        output_schema=wishes.WISHES,
        examples=(Example({"person_id": _NOBODY, "wishes": ["2026-12-25"]}, refused="NOT_FOUND"),),
    )


def _calendars(tools: FeedTools) -> Tool:
    return Tool(
        fn=tools.calendar_address,
        title="Subscribe to a calendar",
        roles=EVERYBODY,
        destructive=True,
        examples=(Example({"person_id": _NOBODY}, refused="NOT_FOUND"),),
    )


def _watch(tools: WatchTools) -> list[Tool]:
    days = {"start_date": "2026-08-03", "end_date": "2026-08-07"}
    asked: list[tuple[Any, str, dict[str, Any]]] = [
        (tools.detect_conflicts, "What is wrong in these days?", days),
        (
            tools.analyze_swap_candidates,
            "Who could take this over?",
            {"requester_person_id": _NOBODY, "assignment_id": _NOBODY},
        ),
        (
            tools.run_contingency_analysis,
            "What if these people are lost?",
            {"scenario": "faculty_absence", "affected_person_ids": [_NOBODY], **days},
        ),
        (tools.get_defense_level, "Which level of defence?", {}),
        (tools.analyze_hub_centrality, "On whom does it hang?", {}),
    ]
    found = [
        Tool(fn=fn, title=title, roles=PLANNERS, read_only=True, examples=(Example(given, refused="NOT_FOUND"),))
        for fn, title, given in asked
    ]
    return [
        *found,
        Tool(
            fn=tools.check_utilization_threshold,
            title="How full is it?",
            roles=PLANNERS,
            read_only=True,
            examples=(
                Example(
                    {"available_faculty": 10, "required_blocks": 15},
                    gives={"level": "YELLOW", "safe_maximum": 16, "buffer_blocks": 1},
                ),
            ),
        ),
        Tool(
            fn=tools.get_static_fallbacks,
            title="What is prepared?",
            roles=PLANNERS,
            read_only=True,
            examples=(Example({}, gives={"available_count": 0}),),
        ),
        Tool(
            fn=tools.execute_sacrifice_hierarchy,
            title="Suspend what can wait",
            roles=PLANNERS,
            examples=(Example({"target_level": "YELLOW"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.rag_search,
            title="What do the rules say?",
            roles=EVERYBODY,
            read_only=True,
            examples=(Example({"query": "hours off after call"}),),
        ),
    ]


def _shown(tools: ShowTools) -> list[Tool]:
    return [
        Tool(
            fn=tools.find_person,
            title="Who is who, who is on call?",
            roles=EVERYBODY,
            read_only=True,
            examples=(Example({"name": "Tran"}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.show_roster,
            title="Show the roster",
            roles=EVERYBODY,
            read_only=True,
            view=ROSTER_VIEW,
            output_schema=ROSTER,
            examples=(Example({"days": 7}, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.show_health,
            title="Show how the roster stands",
            roles=PLANNERS,
            read_only=True,
            view=HEALTH_VIEW,
            output_schema=HEALTH,
            examples=(Example({}, refused="NOT_FOUND"),),
        ),
    ]


def _insight(tools: InsightTools) -> list[Tool]:
    days = {"start_date": "2026-08-03", "end_date": "2026-08-07"}
    swap = {"swap_type": "ABSORB", "requester_id": _NOBODY, "block_ids": [_NOBODY]}
    looked: list[tuple[Any, str, dict[str, Any]]] = [
        (
            tools.simulate_scenario,
            "What if?",
            {"absences": [{"person_id": _NOBODY, **days}]},
        ),
        (tools.get_backup_call_pool, "Who could come in?", days),
    ]
    return [
        Tool(
            fn=tools.check_swaps_feasibility,
            title="Can these pairs swap?",
            roles=PLANNERS | {"FACULTY"},
            read_only=True,
            examples=(Example({"swaps": [swap]}, refused="NOT_FOUND"),),
        ),
        *(
            Tool(fn=fn, title=title, roles=PLANNERS, read_only=True, examples=(Example(given, refused="NOT_FOUND"),))
            for fn, title, given in looked
        ),
        Tool(
            fn=tools.optimize_rotation_balance,
            title="Spread the work more evenly",
            roles=PLANNERS,
            examples=(Example(days, refused="NOT_FOUND"),),
        ),
        Tool(
            fn=tools.generate_coverage_report,
            title="How is the demand met?",
            roles=PLANNERS,
            examples=(Example(days, refused="NOT_FOUND"),),
        ),
    ]
