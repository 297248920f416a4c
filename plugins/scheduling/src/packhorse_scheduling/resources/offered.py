"""The pages as they are offered: who may read them, and where over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable
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

LARGEST_ROSTER_BYTES = 64 * 1024 * 1024
"""A year of 20 people has about 5 MB, by the 420 bytes that the specification gives an assignment; one of 200, 50."""


def offered(desk: RosterDesk, roster: View, health: View) -> list[Resource]:
    """All of them; the views draw two of the pages."""
    kept = _pages(desk)
    pages, figures, boards = RosterPages(desk, kept), AnalyticsPages(desk, kept), Boards(desk, roster, health)
    html: dict[str, Any] = {"mime_type": "text/html"}
    return [
        _page(
            CURRENT, pages.current, ANYBODY, "Current Academic Year Schedule",
            "Complete schedule for the current academic year with all assignments", at="schedules/current",
            subscribable=True, answer_limit_bytes=LARGEST_ROSTER_BYTES,
        ),
        _page("schedule://person/{id}", pages.person, ANYBODY, at="schedules/person/{id}", subscribable=True),
        _page(
            "schedule://blocks", pages.blocks, ANYBODY, "Block Definitions",
            "All scheduling blocks (AM/PM sessions) for the academic year", at="blocks",
        ),
        _page(
            HEALTH, pages.health, PLANNERS, "Resilience Health Status",
            "Current system health status from resilience framework", at="resilience/health", subscribable=True,
        ),
        _page(
            "analytics://fairness", pages.fairness, PLANNERS, "Fairness Distribution Metrics",
            "Statistical analysis of workload fairness across personnel", at="analytics/fairness",
        ),
        _page(
            "analytics://workload", pages.workload, PLANNERS, "Workload Metrics",
            "Detailed workload metrics and trends per person", at="analytics/workload",
        ),
        _page("validation://result/{id}", pages.validation, EVERYBODY),
        _page("swap://feasibility/{id}", pages.feasibility, EVERYBODY),
        _page("contingency://analysis/{id}", pages.analysis, EVERYBODY),
        _page("resolution://suggestions/{id}", pages.suggestions, EVERYBODY),
        _page("coverage://report/{id}", pages.report, EVERYBODY),
        _page("analytics://burnout-risk", figures.burnout, PLANNERS, "Burnout Risk"),
        _page("analytics://ledger", figures.ledger, PLANNERS, "Fairness Ledger"),
        _page("analytics://trends", figures.trends, PLANNERS, "Trends"),
        _page("analytics://forecasting", figures.forecasting, PLANNERS, "Forecasting"),
        _page(VIOLATIONS, figures.violations, PLANNERS, "New Violations", subscribable=True),
        _page(INBOX, figures.requests, EVERYBODY, "Open Requests", subscribable=True),
        _page("schedule://person/{id}/calendar.ics", figures.calendar, ANYBODY, mime_type="text/calendar"),
        _page("generation://job/{id}", figures.job, PLANNERS, at="schedules/generation/jobs/{id}"),
        _page(PEOPLE, boards.people, EVERYBODY, "Who is who"),
        _page(ON_CALL, boards.on_call, EVERYBODY, "Who is on call now"),
        _page(f"{CURRENT}/roster.html", boards.roster, EVERYBODY, "Roster as a page", **html),
        _page("schedule://rotations", boards.rotations, ANYBODY, "Rotation plan"),
        _page(
            "schedule://rotations.svg", boards.chart, ANYBODY, "Rotation plan as a picture", mime_type="image/svg+xml"
        ),
        _page(f"{HEALTH}/board.html", boards.health, PLANNERS, "Health as a page", **html),
    ]  # fmt: skip


def _page(
    uri: str,
    fn: Callable[..., Any],
    roles: frozenset[str],
    name: str | None = None,
    description: str | None = None,
    at: str = "",
    **more: Any,
) -> Resource:
    """One page, of JSON unless it says otherwise; ``at`` is where it answers plain HTTP."""
    more = {"mime_type": "application/json", **more}
    meta = {HTTP: f"GET {API}/{at}"} if at else {}
    return Resource(uri=uri, fn=fn, name=name, description=description, roles=roles, meta=meta, **more)


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
