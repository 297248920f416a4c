"""Mounted servers: what was accepted of each, how its connection is, and what it says otherwise now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packhorse.console.site import Site
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.errors import AUTHORIZATION, PackError, RequestError

if TYPE_CHECKING:
    from packhorse.mounts.served import Mounts


@dataclass(frozen=True, slots=True)
class Compared:
    """What a server says otherwise than was accepted: lines of differences, and the digest of what it says."""

    name: str
    lines: tuple[str, ...] = ()
    digest: str = ""
    problem: str = ""
    was_accepted: bool = False


class MountPages:
    """The mounts of this deployment, for its operator."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def shown(self, ctx: Context) -> Page:
        return await self._page(ctx)

    async def asked(self, ctx: Context, form: Mapping[str, str]) -> Page:
        """Ask a server what it says now; with ``accept`` take that, if it is still what was shown."""
        self._site.check_form(ctx.principal, form)
        self._site.check_operator(ctx.principal)
        name = form.get("mount", "")
        try:
            compared = await self._compared(name, form.get("accept", ""))
        except PackError as exc:
            said = str(exc)
            compared = Compared(name, problem=said[:1].upper() + said[1:])
        return await self._page(ctx, compared)

    async def _compared(self, name: str, accept: str) -> Compared:
        from packhorse.mounts.accepted import differences, load

        mounts = self._mounts()
        if mounts is None:
            return Compared(name)
        before = load(self._site.deployment.settings.mounts_path, name)
        now = await mounts.now(name)
        lines, shown = tuple(differences(before, now)), now.digest
        if not accept:
            return Compared(name, lines, shown)
        if accept != shown:
            return Compared(name, lines, shown, "The server says something else than when you looked. Look again.")
        mounts.accept(name, now)
        return Compared(name, was_accepted=True)

    async def _page(self, ctx: Context, compared: Compared | None = None) -> Page:
        if not self._site.sees_all(ctx.principal):
            raise RequestError(AUTHORIZATION, "authorization", "Mounted servers are shown to an admin.")
        mounts = self._mounts()
        states = [] if mounts is None else await self._site.made(mounts.states)
        served = self._site.deployment.catalogue.tools
        may_ask = self._site.is_operator(ctx.principal)
        return await self._site.made(
            lambda: self._site.page(
                ctx, "mounts", "Mounted servers", mounts=states, compared=compared, may_ask=may_ask, tools=served
            )
        )

    def _mounts(self) -> "Mounts | None":
        deployment = self._site.deployment
        if not deployment.settings.has_mounts or not deployment.catalogue.has("mounts"):
            return None
        from packhorse.mounts.served import mounts_of

        return mounts_of(deployment.host)
