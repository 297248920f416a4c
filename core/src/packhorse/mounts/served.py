"""The mounts of one deployment, as it serves them."""

import asyncio
import logging
from pathlib import Path
from weakref import WeakKeyDictionary

from packhorse.contract.host import Host
from packhorse.mounts import accepted
from packhorse.mounts.link import Link

logger = logging.getLogger("packhorse.mounts")


class Mounts:
    """Every mount of a folder, with the way to its server."""

    def __init__(self, folder: Path) -> None:
        self.links: dict[str, Link] = {}
        for name in accepted.names(folder):
            self.links[name] = Link(name, accepted.load(folder, name), folder / f"{name}.log")

    async def close(self) -> None:
        """End the connections that the running event loop has, and the processes that were started for them."""
        await asyncio.gather(*(link.close() for link in self.links.values()))


_OF_HOST: "WeakKeyDictionary[Host, Mounts]" = WeakKeyDictionary()


def mounts_of(host: Host) -> Mounts:
    """Those of a deployment, read at the first use."""
    if host not in _OF_HOST:
        _OF_HOST[host] = Mounts(host.settings.mounts_path)
    return _OF_HOST[host]


async def close(host: Host) -> None:
    """Close those of a deployment that were used."""
    if host in _OF_HOST:
        await _OF_HOST[host].close()
