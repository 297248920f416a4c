"""Ask every pack for its offers, once, and put them together."""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import pluggy

from packhorse.compose.entries import (
    check_seen,
    own_name,
    prompt_entry,
    resource_entry,
    route_entry,
    taken,
    tool_entry,
)
from packhorse.compose.packs import implements, judges, reason_of
from packhorse.contract.host import Host
from packhorse.contract.observers import Observer
from packhorse.contract.offers import Endpoint, Prompt, Resource, Route, Tool
from packhorse.contract.packs import Approvals, Guard, Verifier
from packhorse.door.catalogue import (
    HOST,
    Broken,
    Catalogue,
    Entry,
    Loaded,
    PromptEntry,
    ResourceEntry,
    ToolEntry,
    kind_of,
)
from packhorse.errors import PackError
from packhorse.present.skills import Skill, folder_of, read_skills
from packhorse.settings import PackTable

logger = logging.getLogger("packhorse.catalogue")


_LISTS = ("verifiers", "guards", "observers", "approvals", "endpoints")
"""What of a pack joins the catalogue as it is; each is a field of both."""


@dataclass
class _Shelf:
    """One pack's offers, before they join the catalogue: all of them or none."""

    entries: list[Entry] = field(default_factory=list)
    verifiers: list[Verifier] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    observers: list[Observer] = field(default_factory=list)
    approvals: list[tuple[str, Approvals]] = field(default_factory=list)
    endpoints: list[tuple[str, Endpoint]] = field(default_factory=list)
    skills: list[Skill] = field(default_factory=list)

    @property
    def tools(self) -> dict[str, str]:
        """By the pack's own name of a tool, that on the wire."""
        return {own_name(entry): entry.name for entry in self.entries if isinstance(entry, ToolEntry)}


class _Whole:
    """A catalogue and what joins it. A name that two packs offer stops, or is noted and served by neither."""

    def __init__(self, catalogue: Catalogue, clashes: list[str] | None) -> None:
        self._catalogue = catalogue
        self._clashes = clashes
        self._taken: dict[tuple[str, str], str] = {}
        self._entries: dict[str, dict[str, Any]] = {
            "tool": dict(catalogue.tools),
            "resource": dict(catalogue.resources),
            "prompt": dict(catalogue.prompts),
            "route": dict(catalogue.routes),
        }
        self._lists = {kind: list(getattr(catalogue, kind)) for kind in _LISTS}

    def take(self, shelf: _Shelf, exclude: Collection[str] = ()) -> None:
        """Take a pack's offers, but for those excluded; not its skills, which are files of the pack's folder."""
        for entry in shelf.entries:
            if own_name(entry) not in exclude:
                self.add(entry)
        for kind, found in self._lists.items():
            found.extend(getattr(shelf, kind))

    def add(self, entry: Entry) -> None:
        kind = kind_of(entry)
        shelf, name = self._entries[kind], entry.offer.uri if isinstance(entry, ResourceEntry) else entry.name
        first = self._taken.setdefault((kind, name), shelf[name].pack if name in shelf else entry.pack)
        if first == entry.pack:
            if name in shelf:
                raise PackError(f"pack {entry.pack!r} offers the {kind} {name!r} twice")
            shelf[name] = entry
            return
        other = first if entry.pack == HOST else entry.pack  # a table is a pack's, and the host has none
        cure = f'exclude = ["{name}"]'
        if kind in ("tool", "prompt"):
            cure = f'prefix = "{other}_" or {cure}'
        whose = f"packs {first!r} and {entry.pack!r}"
        cure = f"Write {cure} under [packs.{other}] in packhorse.toml, or serve one pack at a time."
        if mount := entry.offer.mount:  # what is mounted comes after the packs
            whose = f"{first!r} and {entry.pack}"
            cure = (
                f"Take it away with 'packhorse mount remove {mount}', and use 'packhorse mount add' again with another"
                " --prefix, or with --only."
            )
        clash = f"{whose} both offer a {kind} {name!r}. {cure}"
        if self._clashes is None:
            raise PackError(clash)
        self._clashes.append(clash)
        shelf.pop(name, None)

    def catalogue(self, **more: Any) -> Catalogue:
        """All of it; ``more`` are the catalogue's other fields."""
        joined: dict[str, Any] = {kind: tuple(found) for kind, found in self._lists.items()}
        return replace(
            self._catalogue,
            tools=MappingProxyType(self._entries["tool"]),
            resources=MappingProxyType(self._entries["resource"]),
            prompts=MappingProxyType(self._entries["prompt"]),
            routes=MappingProxyType(self._entries["route"]),
            **joined,
            **more,
        )


def collect(
    manager: pluggy.PluginManager,
    loaded: Iterable[Loaded],
    broken: Iterable[Broken],
    hosts: Mapping[str, Host],
    tables: Callable[[str], PackTable],
    clashes: list[str] | None = None,
) -> Catalogue:
    """Ask every pack for its offers and put them together.

    Where ``clashes`` is a list, a name that two packs offer is added to it, and
    neither pack's is served, instead of stopping.

    Raises:
        PackError: two offers share a name, or an exclusion names nothing.
    """
    whole = _Whole(Catalogue({}, {}, {}, (), (), (), ()), clashes)
    serving: list[Loaded] = []
    failed = list(broken)
    local: dict[tuple[str, str], str] = {}
    skills: list[Skill] = []
    for pack in loaded:
        name = pack.found.name
        table = tables(name)
        try:
            shelf = _shelf(manager, pack, hosts[name], table)
        except (Exception, SystemExit) as exc:
            # A pack's hook may raise anything; the other packs serve on.
            logger.debug("pack %s: its hooks failed", name, exc_info=True)
            failed.append(Broken(pack.found, reason_of(exc), judges=judges(pack.module)))
            continue
        _check_names(name, table, shelf)
        served = {own: renamed for own, renamed in shelf.tools.items() if own not in table.exclude}
        local |= {(name, own): renamed for own, renamed in served.items()}
        shelf.guards = [
            replace(guard, tools=tuple(served.get(tool, tool) for tool in guard.tools)) for guard in shelf.guards
        ]
        whole.take(shelf, table.exclude)
        innermost = {file.uri: skill.uri for skill in shelf.skills for file in skill.files}
        taught = [
            replace(skill, files=tuple(file for file in skill.files if innermost[file.uri] not in table.exclude))
            for skill in shelf.skills
            if skill.uri not in table.exclude
        ]
        skills += taught
        # By URI: a skill inside another's folder shares its files with that one.
        for offer in {offer.uri: offer for skill in reversed(taught) for offer in skill.offers()}.values():
            whole.add(resource_entry(name, offer))
        serving.append(pack)
    renamed = {own: served for (_, own), served in local.items()}
    catalogue = whole.catalogue(
        packs=tuple(serving),
        broken=tuple(failed),
        local_names=MappingProxyType(local),
        skills=tuple(skills),
    )
    for unknown in {tool for guard in catalogue.guards for tool in guard.tools if tool not in catalogue.tools}:
        if unknown in renamed:
            raise PackError(
                f"a guard is for the tool {unknown!r}, but with the pack's prefix this tool is called"
                f" {renamed[unknown]!r} and would not be guarded: remove the pack's prefix"
            )
        logger.warning("a guard is for the tool %r, which is not served here", unknown)
    return catalogue


def contributions(manager: pluggy.PluginManager, pack: Loaded, hook: str, host: Host) -> list[Any]:
    """What one pack returns from one hook, as a list."""
    others = [plugin for plugin in manager.get_plugins() if plugin is not pack.module]
    answers = manager.subset_hook_caller(hook, others)(host=host)
    if not answers and implements(pack.module, hook):
        raise PackError(f"{hook} returned None; return a list, empty if there is nothing to offer")
    made: list[Any] = []
    for answer in answers:
        if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Iterable):
            raise PackError(f"{hook} must return a list, but returned {type(answer).__name__}")
        made += answer
    return made


def _shelf(
    manager: pluggy.PluginManager, pack: Loaded, host: Host, table: PackTable, *, name: str | None = None
) -> _Shelf:
    shelf = _Shelf()
    name, prefix = name or pack.found.name, table.prefix
    check_seen(f"pack {name!r}", pack.pack.instructions)
    for offer in contributions(manager, pack, "register_tools", host):
        shelf.entries.append(tool_entry(name, prefix, table.limits, taken(offer, Tool, "register_tools")))
    for offer in contributions(manager, pack, "register_resources", host):
        shelf.entries.append(resource_entry(name, taken(offer, Resource, "register_resources")))
    for offer in contributions(manager, pack, "register_prompts", host):
        shelf.entries.append(prompt_entry(name, prefix, taken(offer, Prompt, "register_prompts")))
    for offer in contributions(manager, pack, "register_routes", host):
        if isinstance(offer, Endpoint):
            shelf.endpoints.append((name, offer))
            continue
        route = taken(offer, Route, "register_routes")
        shelf.entries.append(route_entry(name, route))
        if route.form is not None:
            shelf.entries.append(route_entry(name, replace(route, fn=route.form, form=None), posts=True))
    for offer in contributions(manager, pack, "register_approvals", host):
        shelf.approvals.append((name, taken(offer, Approvals, "register_approvals")))
    for offer in contributions(manager, pack, "register_auth", host):
        if isinstance(offer, Verifier):
            shelf.verifiers.append(offer)
        elif isinstance(offer, Guard):
            shelf.guards.append(offer)
        else:
            raise PackError(f"register_auth returned {type(offer).__name__}; return Verifier and Guard values")
    for offer in contributions(manager, pack, "register_observers", host):
        shelf.observers.append(taken(offer, Observer, "register_observers"))
    named = [entry for entry in shelf.entries if isinstance(entry, ToolEntry | PromptEntry)] if prefix else []
    renamed = {own_name(entry): entry.name for entry in named}
    shelf.skills += read_skills(name, folder_of(pack.module, pack.pack.skills), renamed)
    return shelf


def with_builtin(
    catalogue: Catalogue,
    manager: pluggy.PluginManager,
    loaded: Sequence[Loaded],
    hosts: Mapping[str, Host],
    clashes: list[str] | None = None,
) -> Catalogue:
    """The same catalogue with what the built-in packs offer after the others' offers; ``clashes`` as for `collect`.

    Raises:
        PackError: a pack has one of their names.
    """
    whole = _Whole(catalogue, clashes)
    for pack in loaded:
        whole.take(_shelf(manager, pack, hosts[pack.found.name], PackTable(), name=HOST))
    return whole.catalogue(builtin=tuple(loaded))


def with_faults(catalogue: Catalogue, hosts: Mapping[str, Host], builtin: Host) -> Catalogue:
    """The same offers, with what of the packs cannot be served beside the packs that cannot."""
    broken = list(catalogue.broken)
    for pack in (*catalogue.packs, *catalogue.builtin):
        if pack.pack.faults is None:
            continue
        for fault in pack.pack.faults(hosts.get(pack.found.name, builtin)):
            logger.error("%s is not served: %s. %s", fault.name, fault.reason, fault.cure)
            found = replace(pack.found, name=fault.name, version="")
            broken.append(Broken(found, fault.reason, cure=fault.cure))
    return replace(catalogue, broken=tuple(broken))


def _check_names(pack: str, table: PackTable, shelf: _Shelf) -> None:
    """Refuse names in a deployer's table that the pack does not have."""
    offered = [*map(own_name, shelf.entries), *(skill.uri for skill in shelf.skills)]
    for setting, names, known, nothing in (
        ("exclude", table.exclude, offered, "nothing"),
        ("limits", table.limits, list(shelf.tools), "no tool"),
    ):
        for name in names:
            if name not in known:
                raise PackError(
                    f"the setting `{setting}` under [packs.{pack}] lists {name!r}, but the pack has {nothing}"
                    f" with this name. It has: {', '.join(known)}"
                )
