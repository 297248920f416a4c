"""The console's addresses."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse.console.approvals import ApprovalPages
from packhorse.console.calls import CallPages
from packhorse.console.health import HealthPages
from packhorse.console.mounts import MountPages
from packhorse.console.record import RecordPages
from packhorse.console.site import SCRIPT, Site
from packhorse.console.tools import CALL_SECONDS, ToolPages
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.offers import Route
from packhorse.errors import RESOURCE_NOT_FOUND, RequestError, UserError

HOME = "/console"
ENTRANCE = "/console/enter/{key}"

ANSWER_LIMIT_BYTES = 16 * 1024 * 1024
"""An answer of a tool stands on its page, escaped, with the tool's schemas."""


def routes(site: Site, *, at_root: bool) -> Sequence[Route]:
    """Every page; ``at_root``: `/` leads to the first."""
    tools, approvals, calls = ToolPages(site), ApprovalPages(site), CallPages(site)
    record, mounts, health = RecordPages(site), MountPages(site), HealthPages(site)
    doors = Entrance(site)

    async def part(part: str, ctx: Context) -> Page:
        """A part of an open page, as it is now."""
        if part == "calls":
            return Page(await calls.part(ctx))
        parts = {"approvals": approvals.part, "record": record.part, "health": health.part}
        if part not in parts:
            raise RequestError(RESOURCE_NOT_FOUND, "resource_not_found", "There is no such part of a page.")
        return Page(await site.made(lambda: parts[part](ctx)))

    def script() -> Page:
        return Page(site.script, "text/javascript; charset=utf-8")

    def page(path: str, fn: Any, form: Any = None, **more: Any) -> Route:
        return Route(
            path=path,
            fn=fn,
            form=form,
            sign_in=True,
            session=site.session,
            answer_limit_bytes=ANSWER_LIMIT_BYTES,
            **more,
        )

    looked_for = ("name", "caller", "outcome", "since", "until", "pages", "below", "table")
    return [
        *([page("/", doors.lead_on)] if at_root else []),
        page(HOME, tools.listed, doors.leave, query=("q",)),
        page("/console/tools/{tool}", tools.shown, tools.called, query=("example",), timeout=CALL_SECONDS),
        page("/console/approvals", approvals.shown, approvals.decided),
        page("/console/calls", calls.shown, calls.ended),
        page("/console/record", record.shown, record.checked, query=looked_for),
        page("/console/mounts", mounts.shown, mounts.asked),
        page("/console/health", health.shown),
        page("/console/parts/{part}", part, polled=True),
        page(SCRIPT, script, polled=True),
        Route(path=ENTRANCE, fn=doors.shown, form=doors.enter, public=True),
    ]


class Entrance:
    """Signing in by a link that works once, and out again."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def lead_on(self) -> Page:
        return Page("", status=303, headers={"Location": HOME})

    def shown(self, key: str, ctx: Context) -> Page:
        """Whose session it would be. Looking signs nobody in: programs that fetch links do that."""
        if not self._site.is_link(key):
            raise _used_up()
        token = self._site.form_token(ctx.principal, key)
        return self._site.entrance("enter", "Open the console", token=token)

    def enter(self, key: str, ctx: Context, form: Mapping[str, str]) -> Page:
        self._site.check_form(ctx.principal, form, key)
        cookie = self._site.entered(key)
        if cookie is None:
            raise _used_up()
        return Page("", status=303, headers={"Location": HOME, "Set-Cookie": cookie})

    def leave(self, ctx: Context, form: Mapping[str, str]) -> Page:
        self._site.check_form(ctx.principal, form)
        cookie = {"Set-Cookie": self._site.left(ctx.principal)}
        return self._site.entrance("left", "Signed out", cookie, provider=self._site.provider)


def _used_up() -> UserError:
    return UserError("This link was used or has run out. 'packhorse console' makes another.", code="NO_LINK")
