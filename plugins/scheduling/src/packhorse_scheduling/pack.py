"""The hooks of the scheduling pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Host, Pack, Prompt, Resource, Route, Tool, hookimpl
from packhorse_scheduling.models.access import EVERYBODY
from packhorse_scheduling.models.settings import SchedulingSettings
from packhorse_scheduling.prompts import assess_vulnerability, plan_swap, review_schedule
from packhorse_scheduling.resources.offered import offered as resources
from packhorse_scheduling.service import CALENDARS, RosterDesk
from packhorse_scheduling.service.scene import scene
from packhorse_scheduling.store import MIGRATIONS
from packhorse_scheduling.tools.feeds import FeedTools
from packhorse_scheduling.tools.offered import HEALTH_VIEW, ROSTER_VIEW, offered

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

pack = Pack(
    title="Scheduling",
    settings=SchedulingSettings,
    migrations=MIGRATIONS,
    demo=scene,
    instructions="Duty rosters in half-days. Begin with find_person (also who is on call) and show_roster. Give people"
    " by name and half-days as 2026-08-04 AM. Changes make drafts: show the effect, have a person's yes, then"
    " publish_schedule.",
    codes="AUTHORIZATION_FAILED BACKEND_UNAVAILABLE CONSTRAINT_VIOLATION GENERATION_FAILED NOT_FOUND STALE"
    " VALIDATION_ERROR",
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """Validation, swaps, contingency, generation, and what looks further."""
    return offered(RosterDesk(host))


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """The roster as pages, and what tools answered earlier."""
    return resources(RosterDesk(host), ROSTER_VIEW, HEALTH_VIEW)


@hookimpl
def register_prompts(host: Host) -> list[Prompt]:
    """The three workflows of the specification."""
    return [
        Prompt(
            fn=review_schedule,
            roles=EVERYBODY,
            arguments={
                "schedule_id": "Schedule to review; the current one by default.",
                "focus_areas": "Any of compliance, fairness, resilience, workload: a JSON array, or with commas.",
            },
        ),
        Prompt(
            fn=plan_swap,
            roles=EVERYBODY,
            arguments={"requester_id": "Person requesting the swap.", "reason": "Reason for the swap."},
        ),
        Prompt(fn=assess_vulnerability, roles=EVERYBODY),
    ]


@hookimpl
def register_routes(host: Host) -> list[Route]:
    """The calendars at secret addresses."""
    feed = FeedTools(RosterDesk(host)).calendar
    return [Route(path=CALENDARS, fn=feed, public=True, mime_type="text/calendar; charset=utf-8")]


@hookimpl
def register_commands(host: Host) -> "Sequence[click.Command]":
    """Sample, import, generate, publish, validate, export."""
    from packhorse_scheduling.commands import commands

    return commands(host)
