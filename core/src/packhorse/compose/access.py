"""Who may use what: the roles of the configuration, the tools that a pack reserves, and what is not safe to serve."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TypeVar

from packhorse.contract.host import Host
from packhorse.contract.offers import Route, Tool
from packhorse.door.catalogue import Catalogue, PromptEntry, ResourceEntry, RouteEntry, ToolEntry
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings import Settings

logger = logging.getLogger("packhorse.catalogue")
E = TypeVar("E", ToolEntry, ResourceEntry, PromptEntry, RouteEntry)

MOST_NAMED = 5
"""Offers that one refusal names."""


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


def check_safe(settings: Settings, catalogue: Catalogue) -> None:
    """Refuse to serve what would be open to the wrong callers, or unrecorded.

    Raises:
        PackError: what is unsafe, and what the deployer does about it.
    """
    broken = catalogue.broken
    if broken and settings.server.strict:
        reasons = "; ".join(f"{f'{one.found.name} {one.found.version}'.rstrip()}: {one.reason}" for one in broken)
        raise PackError(
            "the server does not start, because `strict = true` is set and these packs cannot be served:"
            f" {reasons}. Repair or remove them, or set `strict = false`"
        )
    for one in broken:
        if one.judges:
            raise PackError(
                f"pack {one.found.name!r} {one.found.version} checks who may call, but cannot be served: "
                f"{one.reason}. Repair it, or remove it from the packs to be served"
            )
    for entry in catalogue.entries:
        if entry.offer.public and entry.offer.roles:
            raise PackError(
                f"{entry.name!r} of pack {entry.pack!r} has both public=True and roles: remove one of the two"
            )
    _check_recorded(settings, catalogue)
    if settings.auth.login is not None and not catalogue.has("login"):
        raise PackError(
            "[auth.login] says where people sign in, but nothing signs them in: remove 'login' from the setting"
            " `without` under [server], or remove [auth.login]"
        )
    if not catalogue.verifiers:
        if settings.auth.configured:
            raise PackError(
                "[auth] sets which tokens are accepted, but nothing checks them: remove 'tokens' from the setting"
                " `without` under [server], or serve a pack that checks credentials"
            )
        if settings.auth.model_fields_set:
            raise PackError(
                "[auth] sets who may call, but nobody can sign in: set `secret` under [auth], or add [[auth.issuers]]"
            )
        return
    unsaid: dict[str, list[str]] = {}
    mounted: set[str] = set()
    for entry in catalogue.entries:
        by_signing_in = isinstance(entry.offer, Route) and entry.offer.sign_in
        if isinstance(entry.offer, Tool) and entry.offer.reserved_for is not None:
            continue
        if not entry.offer.public and not entry.offer.roles and not by_signing_in:
            unsaid.setdefault(entry.pack, []).append(entry.name)
            mounted |= {entry.pack} if entry.offer.mount else set()
    if unsaid:
        raise PackError("; ".join(_unsaid(pack, names, pack in mounted) for pack, names in unsaid.items()))


def _unsaid(pack: str, names: Sequence[str], is_mount: bool) -> str:
    """What the deployer hears of offers that do not say who may use them."""
    listed = ", ".join(map(repr, names[:MOST_NAMED])) + (
        f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    )
    one = len(names) == 1
    cure = (
        f"'packhorse mount set {pack.removeprefix('mount ')} --role ROLE' (or --public) says it"
        if is_mount
        else "give roles=... or public=True"
    )
    return (
        f"authentication is on, but {listed} of {pack if is_mount else f'pack {pack!r}'} {'does' if one else 'do'} not"
        f" say who may use {'it' if one else 'them'}: {cure}, list {'it' if one else 'them'} under [auth.roles] (a"
        f" pattern such as 'files_*' does), or {'leave it out with --only' if is_mount else 'exclude it'}"
    )


def _check_recorded(settings: Settings, catalogue: Catalogue) -> None:
    if not settings.audit.enabled or any(observer.essential for observer in catalogue.observers):
        return
    for tool in catalogue.tools.values():
        if not tool.offer.read_only:
            raise PackError(
                f"{tool.name!r} of pack {tool.pack!r} may change data, but nothing records its calls: remove"
                " 'audit' from the setting `without` under [server], serve another pack that records calls, or"
                " set enabled = false under [audit]"
            )
