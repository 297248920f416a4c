"""Mounted servers: what was accepted of each, how its connection is, and what it says otherwise now."""

from collections.abc import Mapping
from dataclasses import dataclass

from packhorse.console.site import Site
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.errors import AUTHORIZATION, PackError, RequestError
from packhorse.mounts import accepted


@dataclass(frozen=True, slots=True)
class Mounted:
    """One mount as a page shows it."""

    name: str
    server: str
    address: str
    state: str
    drift: Mapping[str, str]
    served: tuple[str, ...]
    set_aside: tuple[tuple[str, str], ...]


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
        """Each mount."""
        return await self._page(ctx)

    async def asked(self, ctx: Context, form: Mapping[str, str]) -> Page:
        """Ask a server what it says now; with ``accept`` take that, if it is still what was shown."""
        self._site.check_form(ctx.principal, form)
        if not self._site.is_operator(ctx.principal):
            raise RequestError(
                AUTHORIZATION,
                "authorization",
                "Only an admin, or who signed in by 'packhorse console', may ask a server.",
            )
        name = form.get("mount", "")
        try:
            compared = await self._compared(name, form.get("accept", ""))
        except PackError as exc:
            compared = Compared(name, problem=str(exc))
        return await self._page(ctx, compared)

    async def _compared(self, name: str, accept: str) -> Compared:
        from packhorse.mounts.link import described, reason_of

        folder = self._site.deployment.settings.mounts_path
        before = accepted.load(folder, name)
        try:
            now = await described(before, folder / f"{name}.log")
        except Exception as exc:
            # A stranger's server, and the libraries on the way to it, may fail in any way.
            raise PackError(f"the server was not reached: {reason_of(exc)}") from exc
        lines = tuple(accepted.differences(before, now))
        digest = accepted.digest({"server": now.server, "instructions": now.instructions, "tools": now.tools})
        if not accept:
            return Compared(name, lines, digest)
        if accept != digest:
            return Compared(
                name, lines, digest, problem="the server says something else than when you looked: look again"
            )
        accepted.save(folder, name, now)
        return Compared(name, was_accepted=True)

    async def _page(self, ctx: Context, compared: Compared | None = None) -> Page:
        if not self._site.sees_all(ctx.principal):
            raise RequestError(AUTHORIZATION, "authorization", "Mounted servers are shown to an admin.")
        mounts = await self._site.made(self._mounts)
        return await self._site.made(
            lambda: self._site.page(
                ctx,
                "mounts",
                "Mounted servers",
                mounts=mounts,
                compared=compared,
                may_ask=self._site.is_operator(ctx.principal),
            )
        )

    def _mounts(self) -> list[Mounted]:
        folder = self._site.deployment.settings.mounts_path
        links = self._site.links
        made = []
        for name in accepted.names(folder) if folder.is_dir() else ():
            try:
                mount = accepted.load(folder, name)
            except PackError as exc:
                made.append(Mounted(name, "", "", str(exc), {}, (), ()))
                continue
            state, drift = links[name].state if name in links else ("new: it is served from the next start on", {})
            judged = list(accepted.judged(mount))
            made.append(
                Mounted(
                    name,
                    mount.server,
                    mount.url or " ".join(mount.command),
                    state,
                    drift,
                    tuple(mount.served(tool["name"]) for tool, fault in judged if fault is None),
                    tuple((ascii(tool["name"])[1:-1], fault) for tool, fault in judged if fault is not None),
                )
            )
        return made
