"""How the server fares, in plain words, and what it serves."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from packhorse.compose.packs import core_version
from packhorse.compose.reach import CURE, described, unreachable
from packhorse.console.site import Site, instant
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.principal import Principal
from packhorse.door.catalogue import HOST, kind_of

Tone = Literal["good", "warn", "bad", ""]


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign of health; ``share`` is how much of a bounded thing is taken, in percent."""

    name: str
    state: str
    tone: Tone = ""
    about: str = ""
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """One pack; ``fault`` where it is not served."""

    name: str
    version: str
    title: str
    counts: str
    fault: str = ""


class HealthPages:
    """Signs of health and packs, as their reader may see them."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def shown(self, ctx: Context) -> Page:
        return await self._site.made(
            lambda: self._site.page(
                ctx,
                "health",
                "Health",
                signs=list(self._signs()),
                packs=list(self._packs(ctx.principal)),
                version=core_version(),
            )
        )

    def part(self, ctx: Context) -> str:
        return self._site.part("signs", signs=list(self._signs()))

    def _signs(self) -> Iterator[Sign]:
        deployment = self._site.deployment
        dispatcher, settings = deployment.dispatcher, deployment.settings
        ready = deployment.ready
        words = "It takes calls." if ready else "It takes no calls now: it starts, stops, or cannot record them."
        yield Sign("Ready", "yes" if ready else "no", "good" if ready else "bad", words)
        up = timedelta(seconds=round((deployment.clock() - self._site.begun).total_seconds()))
        yield Sign("Running for", f"{up}", "", f"Since {instant(self._site.begun)}.")
        used, size = dispatcher.calls.used, dispatcher.calls.size
        yield Sign(
            "Calls",
            f"{used} of {size}",
            "warn" if used >= size else "",
            "Calls that run now, and the most that may run at a time.",
            round(100 * used / size),
        )
        if unwell := dispatcher.overdue.unwell:
            words = "Calls of these packs outlive their time limit; new ones are refused."
            yield Sign("Packs in trouble", ", ".join(unwell), "bad", words)
        yield self._record()
        nobodys = unreachable(deployment)
        about = f"{described(nobodys)}. {CURE}." if nobodys else "Whether callers show who they are."
        yield Sign("Authentication", "on" if dispatcher.authenticated else "off", "warn" if nobodys else "", about)
        yield Sign("Transport", settings.server.transport, "", f"Paths: {', '.join(settings.server.paths)}.")

    def _record(self) -> Sign:
        record = self._site.deployment.dispatcher.accounts.record
        if record is None:
            return Sign(
                "Audit record", "off", "warn", "No call is recorded: it is off under [audit], or nothing is served."
            )
        if record.available:
            return Sign("Audit record", "on", "good", "Each call is recorded.")
        words = "Calls that may change something are refused until it can be written."
        return Sign("Audit record", "cannot be written", "bad", words)

    def _packs(self, reader: Principal) -> Iterator[Served]:
        catalogue, door = self._site.deployment.catalogue, self._site.deployment.dispatcher
        sees_all, nobodys = self._site.sees_all(reader), unreachable(self._site.deployment)
        for pack in catalogue.packs:
            name = pack.found.name
            own = [
                one for one in catalogue.entries if one.pack == name and (sees_all or door.visible(reader, one.offer))
            ]
            skills = sum(skill.pack == name for skill in catalogue.skills)
            counts = Counter(kind_of(one) for one in own) | {"skill": skills}
            counted = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts.items() if count)
            if nobodys.get(name):
                counted += f"; nobody can call {nobodys[name]} of the tools here"
            yield Served(name, pack.found.version, pack.pack.title, counted or "nothing to offer")
        hosts_own = sum(tool.pack == HOST for tool in catalogue.tools.values())
        if hosts_own:
            yield Served(HOST, core_version(), "The host itself", f"{hosts_own} tools of its own")
        for broken in catalogue.broken:
            reason = broken.reason if sees_all else "It could not be loaded; the operator can see the reason."
            yield Served(broken.found.name, broken.found.version, broken.found.name, "", fault=reason)
