"""The mounts of one deployment: what is served of each, and how each fares."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from packhorse.contract.host import Host
from packhorse.contract.measures import Measure
from packhorse.contract.packs import Fault
from packhorse.errors import PackError, UserError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import CURE, KEYS, KINDS, Drift, Kind, Mount, Pinned
from packhorse.mounts.credentials import credentials_of
from packhorse.mounts.judged import Judge
from packhorse.mounts.link import Link
from packhorse.mounts.listing import asked, printable
from packhorse.mounts.nested import check_serves_no_mount
from packhorse.settings import Settings

logger = logging.getLogger("packhorse.mounts")


@dataclass(frozen=True, slots=True)
class MountState:
    """How a mount fares in this process, and how its server differs from what was accepted.

    ``state`` is not connected, up or down; broken, where its file cannot be
    read; new, where it was mounted after the start. ``served`` names what is
    served and ``set_aside`` what is not, with the reason. ``restart``: other
    things were accepted since the start, and are served after the next.
    """

    name: str
    server: str
    reached_by: str
    state: str
    error: str = ""
    served: tuple[str, ...] = ()
    connections: int = 0
    drift: tuple[Drift, ...] = ()
    set_aside: tuple[tuple[str, str], ...] = ()
    restart: bool = False


class Mounts:
    """Every mount of a folder, with the way to its server."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.mounts_path
        self._wanted = settings.server.mounts
        self._accepted, self.broken = accepted.load_all(self._folder, self._wanted)
        self.links: dict[str, Link] = {}
        for name, mount in self._accepted.items():
            if mount.questions and mount.asks_during_calls and settings.server.processes > 1:
                logger.warning("mount %s: its questions are not passed on, because several processes serve", name)
                mount = mount.model_copy(update={"questions": False})  # noqa: PLW2901 - an answer may reach another process
            self.links[name] = Link(name, mount, self._folder / f"{name}.log", credentials_of(settings, name))
        self._served: dict[tuple[str, Kind], list[Pinned]] = {}
        self._set_aside: dict[str, list[tuple[str, str]]] = {name: [] for name in self.links}
        judge = Judge()
        for name, link in self.links.items():
            for kind in KINDS:
                served = self._served[name, kind] = []
                for pinned, fault in judge.judged(name, link.mount, kind):
                    if fault is None:
                        served.append(pinned)
                        continue
                    key = printable(pinned[KEYS[kind]])
                    self._set_aside[name].append((f"{kind} {key}", fault))
                    logger.warning("mount %s: %s %s is not served: %s", name, kind, key, fault)

    def served(self, kind: Kind) -> Iterator[tuple[Link, Pinned]]:
        for name, link in self.links.items():
            for pinned in self._served[name, kind]:
                yield link, pinned

    def states(self) -> list[MountState]:
        broken = [MountState(name, "", "", "broken", why) for name, why in self.broken.items()]
        later = [
            MountState(name, mount.server, mount.reached_by, "new", restart=True)
            for name, mount in accepted.load_all(self._folder)[0].items()
            if name not in self.links and (self._wanted is None or name in self._wanted)
        ]
        return sorted([*map(self._state, self.links), *broken, *later], key=lambda state: state.name)

    async def reach(self) -> None:
        """Connect to every server whose connection callers share; `states` then says what came of it."""

        async def reach(link: Link) -> None:
            try:
                await link.reach()
            except UserError:
                logger.debug("a mounted server is not reached", exc_info=True)

        await asyncio.gather(*(reach(link) for link in self.links.values() if not link.mount.per_caller))

    async def now(self, name: str) -> Mount:
        """A mount with what its server says now, by a connection of its own.

        Raises:
            PackError: there is no such mount, it needs a caller's credential, or it cannot be reached.
        """
        mount = accepted.load(self._folder, name)
        if mount.per_caller:
            raise PackError(
                f"the server {name} is used with a credential of each caller's own: 'packhorse mount diff {name}' asks"
                " for one"
            )
        return await asked(self._folder, name, mount)

    def accept(self, name: str, now: Mount) -> None:
        """Accept what a server says ``now``. It is served after a restart.

        Raises:
            PackError: it serves what is mounted here.
        """
        check_serves_no_mount(name, now, self._accepted)
        accepted.save(self._folder, name, now)

    def faults(self) -> list[Fault]:
        return [Fault(f"mount {name}", why, CURE.format(name=name)) for name, why in self.broken.items()]

    def measures(self) -> list[Measure]:
        """Whether each server is reached, and how many of its offers differ."""
        states = self.states()
        up: dict[tuple[str, ...], float] = {(state.name,): float(state.state == "up") for state in states}
        differs: dict[tuple[str, ...], float] = {(state.name,): float(len(state.drift)) for state in states}
        return [
            Measure("up", "Whether a mounted server is connected.", ("mount",), up, counter=False),
            Measure("drift", "Offers that differ from what was accepted.", ("mount",), differs, counter=False),
        ]

    async def close(self) -> None:
        """End the connections that the running event loop has, and the processes that were started for them."""
        await asyncio.gather(*(link.close() for link in self.links.values()))

    def _state(self, name: str) -> MountState:
        link = self.links[name]
        connections = link.connections
        up = [one for one in connections if one.state == "up"]
        down = [one for one in connections if one.state == "down"]
        try:
            restart = accepted.load(self._folder, name) != self._accepted[name]
        except PackError:
            restart = True
        return MountState(
            name,
            link.mount.server,
            link.mount.reached_by,
            "up" if up else "down" if down else "not connected",
            "" if up or not down else down[-1].error,
            tuple(link.mount.served_as(kind, item) for kind in KINDS for item in self._served[name, kind]),
            len(up),
            tuple(link.drift),
            tuple(self._set_aside[name]),
            restart,
        )


_OF_HOST: "WeakKeyDictionary[Host, Mounts]" = WeakKeyDictionary()


def mounts_of(host: Host) -> Mounts:
    """Those of a deployment, read at the first use. ``host`` is that of its built-in packs."""
    if host not in _OF_HOST:
        _OF_HOST[host] = Mounts(host.settings)
    return _OF_HOST[host]
