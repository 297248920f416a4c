"""Who may use what: the roles of the configuration, and the tools that a pack reserves."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TypeVar

from packhorse.contract.host import Host
from packhorse.door.catalogue import Catalogue, PromptEntry, ResourceEntry, RouteEntry, ToolEntry
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean

logger = logging.getLogger("packhorse.catalogue")
E = TypeVar("E", ToolEntry, ResourceEntry, PromptEntry, RouteEntry)


def granted(catalogue: Catalogue, roles: Mapping[str, Collection[str]], *, part: bool = False) -> Catalogue:
    """The same offers, open to those roles that the deployer's table gives them, and to no others.

    What the table does not name stays as its pack has it. A name may be a
    pattern, as ``files_*``; it is passed over for an offer that is named itself.
    With ``part`` of the packs alone the table may name what others offer.

    Raises:
        PackError: the table names what is not served, and every pack is whole.
    """
    holders: dict[str, list[str]] = {}
    by_pattern: dict[str, list[str]] = {}
    for role, names in roles.items():
        for name in names:
            holders.setdefault(name, []).append(role)
    served = {*catalogue.tools, *catalogue.resources, *catalogue.prompts, *catalogue.routes}
    for pattern in [name for name in holders if name not in served and "*" in name]:
        if found := [name for name in served if fnmatchcase(name, pattern)]:
            given = holders.pop(pattern)
            for name in found:
                by_pattern[name] = [*by_pattern.get(name, ()), *given]
    holders = {**by_pattern, **holders}
    for name in holders:
        if name not in served and catalogue.broken:  # it may be of what cannot be served, which is reported
            logger.warning("[auth.roles] lists %r, and nothing with this name is served", name)
        elif name not in served and not part:
            wrong_way = set(roles) & served or name in roles
            raise PackError(
                f"[auth.roles] lists {name!r}, but no tool, prompt, resource or route with this name is served."
                + (did_you_mean(name, served) or " 'packhorse tools' lists the tools.")
                + (
                    " A role stands before the names that it may use: COORDINATOR = ['one', 'two']."
                    if wrong_way
                    else ""
                )
            )

    def open_to(name: str, entry: E) -> E:
        if name not in holders:
            return entry
        return replace(entry, offer=replace(entry.offer, roles=tuple(holders[name]), public=False))

    return replace(
        catalogue,
        tools=MappingProxyType({name: open_to(name, entry) for name, entry in catalogue.tools.items()}),
        resources=MappingProxyType({name: open_to(name, entry) for name, entry in catalogue.resources.items()}),
        prompts=MappingProxyType({name: open_to(name, entry) for name, entry in catalogue.prompts.items()}),
        routes=MappingProxyType({name: open_to(name, entry) for name, entry in catalogue.routes.items()}),
    )


def reserved(catalogue: Catalogue, hosts: Mapping[str, Host]) -> Catalogue:
    """The same offers, with the tools that a pack reserves for itself closed to everybody else.

    A name that is not served is left to the pack, which finds its tool missing.

    Raises:
        PackError: two packs reserve one tool.
    """
    tools = dict(catalogue.tools)
    for loaded in catalogue.packs:
        reserves = loaded.pack.reserves
        for name in reserves(hosts[loaded.found.name]) if reserves is not None else ():
            if (entry := tools.get(name)) is None:
                continue
            holder = entry.offer.reserved_for
            if holder not in (None, loaded.found.name):
                raise PackError(
                    f"two packs, {holder} and {loaded.found.name}, both reserve the tool {name!r}: remove one pack"
                )
            tools[name] = replace(entry, offer=replace(entry.offer, reserved_for=loaded.found.name))
    return replace(catalogue, tools=MappingProxyType(tools))
