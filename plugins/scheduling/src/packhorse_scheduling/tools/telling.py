"""Telling those who watch that what is published has changed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from packhorse import Context
from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.models.access import CURRENT, HEALTH, INBOX, VIOLATIONS

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened


def tell_changed(ctx: Context, before: "Opened | None", after: "Opened", also: Iterable[str] = ()) -> None:
    """Tell subscribers of the roster, its health, its violations, and of everybody whose half-days or leave changed.

    ``also`` are keys of people whose leave changed. From a tool's own thread.
    """
    was = frozenset() if before is None else frozenset(before.schedule.cells)
    moved = {cell[0] for cell in was.symmetric_difference(after.schedule.cells)} if before is not None else set()
    people = sorted(name_id("person", key) for key in {*moved, *also})
    for uri in (CURRENT, HEALTH, VIOLATIONS, *(f"schedule://person/{one}" for one in people)):
        ctx.wait(ctx.notify_resource_updated, uri)


def tell_inbox(ctx: Context, people: Iterable[str] = ()) -> None:
    """Tell subscribers of the requests, and of the pages of whoever is asked (by key)."""
    for uri in (INBOX, *(f"schedule://person/{name_id('person', key)}" for key in people)):
        ctx.wait(ctx.notify_resource_updated, uri)
