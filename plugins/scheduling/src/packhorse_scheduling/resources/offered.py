"""The pages as they are offered: who may read them, and where over plain HTTP."""

from typing import Any

from packhorse import Resource, View
from packhorse_scheduling.models.access import (
    ANYBODY,
    API,
    CURRENT,
    EVERYBODY,
    HEALTH,
    HTTP,
    INBOX,
    ON_CALL,
    PEOPLE,
    PLANNERS,
    VIOLATIONS,
)
from packhorse_scheduling.models.settings import SchedulingSettings
from packhorse_scheduling.resources import RosterPages
from packhorse_scheduling.resources.analytics import AnalyticsPages
from packhorse_scheduling.resources.boards import Boards
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.pages import MemoryShelf, NoShelf, Pages, RedisShelf, Shelf

_JSON = "application/json"
LARGEST_ROSTER_BYTES = 64 * 1024 * 1024
"""A year of 20 people has about 5 MB, by the 420 bytes that the specification gives an assignment; one of 200, 50."""


def offered(desk: RosterDesk, roster: View, health: View) -> list[Resource]:
    """All of them; the views draw two of the pages."""
    kept = _pages(desk)
    return [
        *_specified(RosterPages(desk, kept)),
        *_answers(RosterPages(desk, kept)),
        *_further(AnalyticsPages(desk, kept)),
        *_boards(Boards(desk, roster, health)),
    ]


def _specified(pages: RosterPages) -> list[Resource]:
    return [
        Resource(
            uri=CURRENT,
            fn=pages.current,
            name="Current Academic Year Schedule",
            description="Complete schedule for the current academic year with all assignments",
            mime_type=_JSON,
            subscribable=True,
            roles=ANYBODY,
            answer_limit_bytes=LARGEST_ROSTER_BYTES,
            meta=_at("schedules/current"),
        ),
        Resource(
            uri="schedule://person/{id}",
            fn=pages.person,
            mime_type=_JSON,
            subscribable=True,
            roles=ANYBODY,
            meta=_at("schedules/person/{id}"),
        ),
        Resource(
            uri="schedule://blocks",
            fn=pages.blocks,
            name="Block Definitions",
            description="All scheduling blocks (AM/PM sessions) for the academic year",
            mime_type=_JSON,
            roles=ANYBODY,
            meta=_at("blocks"),
        ),
        Resource(
            uri=HEALTH,
            fn=pages.health,
            name="Resilience Health Status",
            description="Current system health status from resilience framework",
            mime_type=_JSON,
            subscribable=True,
            roles=PLANNERS,
            meta=_at("resilience/health"),
        ),
        Resource(
            uri="analytics://fairness",
            fn=pages.fairness,
            name="Fairness Distribution Metrics",
            description="Statistical analysis of workload fairness across personnel",
            mime_type=_JSON,
            roles=PLANNERS,
            meta=_at("analytics/fairness"),
        ),
        Resource(
            uri="analytics://workload",
            fn=pages.workload,
            name="Workload Metrics",
            description="Detailed workload metrics and trends per person",
            mime_type=_JSON,
            roles=PLANNERS,
            meta=_at("analytics/workload"),
        ),
    ]


def _answers(pages: RosterPages) -> list[Resource]:
    return [
        Resource(uri=uri, fn=fn, mime_type=_JSON, roles=EVERYBODY)
        for uri, fn in (
            ("validation://result/{id}", pages.validation),
            ("swap://feasibility/{id}", pages.feasibility),
            ("contingency://analysis/{id}", pages.analysis),
            ("resolution://suggestions/{id}", pages.suggestions),
            ("coverage://report/{id}", pages.report),
        )
    ]


def _further(pages: AnalyticsPages) -> list[Resource]:
    return [
        Resource(
            uri="analytics://burnout-risk", fn=pages.burnout, name="Burnout Risk", mime_type=_JSON, roles=PLANNERS
        ),
        Resource(uri="analytics://ledger", fn=pages.ledger, name="Fairness Ledger", mime_type=_JSON, roles=PLANNERS),
        Resource(uri="analytics://trends", fn=pages.trends, name="Trends", mime_type=_JSON, roles=PLANNERS),
        Resource(
            uri="analytics://forecasting", fn=pages.forecasting, name="Forecasting", mime_type=_JSON, roles=PLANNERS
        ),
        Resource(
            uri=VIOLATIONS,
            fn=pages.violations,
            name="New Violations",
            mime_type=_JSON,
            subscribable=True,
            roles=PLANNERS,
        ),
        Resource(
            uri=INBOX,
            fn=pages.requests,
            name="Open Requests",
            mime_type=_JSON,
            subscribable=True,
            roles=EVERYBODY,
        ),
        Resource(
            uri="schedule://person/{id}/calendar.ics", fn=pages.calendar, mime_type="text/calendar", roles=ANYBODY
        ),
        Resource(
            uri="generation://job/{id}",
            fn=pages.job,
            mime_type=_JSON,
            roles=PLANNERS,
            meta=_at("schedules/generation/jobs/{id}"),
        ),
    ]


def _boards(boards: Boards) -> list[Resource]:
    return [
        Resource(uri=PEOPLE, fn=boards.people, name="Who is who", mime_type=_JSON, roles=EVERYBODY),
        Resource(uri=ON_CALL, fn=boards.on_call, name="Who is on call now", mime_type=_JSON, roles=EVERYBODY),
        Resource(
            uri=f"{CURRENT}/roster.html",
            fn=boards.roster,
            name="Roster as a page",
            mime_type="text/html",
            roles=EVERYBODY,
        ),
        Resource(
            uri="schedule://rotations",
            fn=boards.rotations,
            name="Rotation plan",
            mime_type=_JSON,
            roles=ANYBODY,
        ),
        Resource(
            uri="schedule://rotations.svg",
            fn=boards.chart,
            name="Rotation plan as a picture",
            mime_type="image/svg+xml",
            roles=ANYBODY,
        ),
        Resource(
            uri=f"{HEALTH}/board.html",
            fn=boards.health,
            name="Health as a page",
            mime_type="text/html",
            roles=PLANNERS,
        ),
    ]


def _at(path: str) -> dict[str, Any]:
    return {HTTP: f"GET {API}/{path}"}


def _pages(desk: RosterDesk) -> Pages:
    settings = desk.host.settings or SchedulingSettings()

    def state() -> str:
        with desk.rosters() as rosters:
            return rosters.state()

    def seconds(uri: str) -> int:
        return int(settings.ttl.get(uri, settings.cache_ttl_seconds))

    shelf: Shelf = MemoryShelf()
    if settings.cache == "off":
        shelf = NoShelf()
    elif settings.redis_url is not None and settings.cache == "redis":
        shelf = RedisShelf(settings.redis_url.get_secret_value())
    return Pages(shelf, state, seconds)
