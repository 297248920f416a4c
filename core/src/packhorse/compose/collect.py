"""Ask every pack for its offers, once, and put them together."""

import inspect
import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

import pluggy

from packhorse.compose.packs import implements, judges, reason_of
from packhorse.contract.host import Host
from packhorse.contract.observers import Observer
from packhorse.contract.offers import Approvals, Endpoint, Guard, Prompt, Resource, Route, Tool, Verifier
from packhorse.door.cache import cacheable
from packhorse.door.catalogue import (
    FORM,
    HOST,
    Broken,
    Catalogue,
    Loaded,
    PromptEntry,
    ResourceEntry,
    RouteEntry,
    ToolEntry,
)
from packhorse.door.entrances import RESERVED
from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.present.skills import Skill, folder_of, read_skills
from packhorse.schema.answers import Answers
from packhorse.schema.arguments import Arguments
from packhorse.schema.disguised import disguise_in
from packhorse.schema.parameters import Parameters, is_async, parameters_of
from packhorse.settings import PackTable

logger = logging.getLogger("packhorse.catalogue")
E = TypeVar("E", ToolEntry, ResourceEntry, PromptEntry, RouteEntry)


@dataclass
class _Shelf:
    """One pack's offers, before they join the catalogue: all of them or none."""

    tools: list[ToolEntry] = field(default_factory=list)
    resources: list[ResourceEntry] = field(default_factory=list)
    prompts: list[PromptEntry] = field(default_factory=list)
    routes: list[RouteEntry] = field(default_factory=list)
    verifiers: list[Verifier] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    observers: list[Observer] = field(default_factory=list)
    approvals: list[Approvals] = field(default_factory=list)
    endpoints: list[tuple[str, Endpoint]] = field(default_factory=list)
    skills: list[Skill] = field(default_factory=list)


class _Whole:
    """A catalogue and what joins it. A name that two packs offer stops, or is noted and served by neither."""

    def __init__(self, catalogue: Catalogue, clashes: list[str] | None) -> None:
        self._catalogue = catalogue
        self._clashes = clashes
        self._taken: dict[tuple[str, str], str] = {}
        self.tools, self.resources = dict(catalogue.tools), dict(catalogue.resources)
        self.prompts, self.routes = dict(catalogue.prompts), dict(catalogue.routes)
        self.verifiers, self.guards = list(catalogue.verifiers), list(catalogue.guards)
        self.observers, self.endpoints = list(catalogue.observers), list(catalogue.endpoints)

    def take(self, shelf: _Shelf, exclude: Collection[str] = ()) -> None:
        """Take a pack's offers, but for those excluded; not its skills, which are files of the pack's folder."""
        for tool in shelf.tools:
            if _local_name(tool.offer) not in exclude:
                self.add("tool", self.tools, tool.name, tool)
        for resource in shelf.resources:
            if resource.offer.uri not in exclude:
                self.add("resource", self.resources, resource.offer.uri, resource)
        for prompt in shelf.prompts:
            if _local_name(prompt.offer) not in exclude:
                self.add("prompt", self.prompts, prompt.name, prompt)
        for route in shelf.routes:
            if route.name not in exclude:
                self.add("route", self.routes, route.name, route)
        self.verifiers += shelf.verifiers
        self.guards += shelf.guards
        self.observers += shelf.observers
        self.endpoints += shelf.endpoints

    def add(self, kind: str, shelf: dict[str, Any], name: str, entry: Any) -> None:
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
        return replace(
            self._catalogue,
            tools=MappingProxyType(self.tools),
            resources=MappingProxyType(self.resources),
            prompts=MappingProxyType(self.prompts),
            routes=MappingProxyType(self.routes),
            verifiers=tuple(self.verifiers),
            guards=tuple(self.guards),
            observers=tuple(self.observers),
            endpoints=tuple(self.endpoints),
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
    approvals: list[tuple[str, Approvals]] = []
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
        names = {_local_name(tool.offer): tool.name for tool in shelf.tools}
        served = {own: renamed for own, renamed in names.items() if own not in table.exclude}
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
        for uri, offer in {offer.uri: offer for skill in reversed(taught) for offer in skill.offers()}.items():
            whole.add("resource", whole.resources, uri, _resource(name, offer))
        approvals += [(name, waiting) for waiting in shelf.approvals]
        serving.append(pack)
    renamed = {own: served for (_, own), served in local.items()}
    for unknown in {tool for guard in whole.guards for tool in guard.tools if tool not in whole.tools}:
        if unknown in renamed:
            raise PackError(
                f"a guard is for the tool {unknown!r}, but with the pack's prefix this tool is called"
                f" {renamed[unknown]!r} and would not be guarded: remove the pack's prefix"
            )
        logger.warning("a guard is for the tool %r, which is not served here", unknown)
    return whole.catalogue(
        packs=tuple(serving),
        broken=tuple(failed),
        local_names=MappingProxyType(local),
        skills=tuple(skills),
        approvals=tuple(approvals),
    )


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
    _check_seen(f"pack {name!r}", pack.pack.instructions)
    for offer in contributions(manager, pack, "register_tools", host):
        shelf.tools.append(_tool(name, prefix, table.limits, _taken(offer, Tool, "register_tools")))
    for offer in contributions(manager, pack, "register_resources", host):
        shelf.resources.append(_resource(name, _taken(offer, Resource, "register_resources")))
    for offer in contributions(manager, pack, "register_prompts", host):
        shelf.prompts.append(_prompt(name, prefix, _taken(offer, Prompt, "register_prompts")))
    for offer in contributions(manager, pack, "register_routes", host):
        if isinstance(offer, Endpoint):
            shelf.endpoints.append((name, offer))
            continue
        route = _taken(offer, Route, "register_routes")
        shelf.routes.append(_route(name, route))
        if route.form is not None:
            shelf.routes.append(_route(name, replace(route, fn=route.form, form=None), posts=True))
    for offer in contributions(manager, pack, "register_approvals", host):
        shelf.approvals.append(_taken(offer, Approvals, "register_approvals"))
    for offer in contributions(manager, pack, "register_auth", host):
        if isinstance(offer, Verifier):
            shelf.verifiers.append(offer)
        elif isinstance(offer, Guard):
            shelf.guards.append(offer)
        else:
            raise PackError(f"register_auth returned {type(offer).__name__}; return Verifier and Guard values")
    for offer in contributions(manager, pack, "register_observers", host):
        shelf.observers.append(_taken(offer, Observer, "register_observers"))
    named: list[ToolEntry | PromptEntry] = [*shelf.tools, *shelf.prompts] if prefix else []
    renamed = {_local_name(entry.offer): entry.name for entry in named}
    shelf.skills += read_skills(name, folder_of(pack.module, pack.pack.skills), renamed)
    return shelf


def _taken(offer: Any, kind: type[Any], hook: str) -> Any:
    """The offer itself, or one made from a plain function."""
    if isinstance(offer, kind):
        return offer
    if kind in (Tool, Prompt) and (inspect.isroutine(offer) or callable(offer)) and not isinstance(offer, type):
        return kind(fn=offer)
    raise PackError(f"{hook} returned {type(offer).__name__}; return {kind.__name__} values")


def _tool(pack: str, prefix: str, limits: Mapping[str, str], offer: Tool) -> ToolEntry:
    name = prefix + _local_name(offer)
    if prefix:
        replace(offer, name=name)  # a name that was short enough may not be any more
    if pack != HOST and name in RESERVED:
        raise PackError(
            f"tool {name!r}: packhorse itself has a tool of this name; rename yours, or give the pack a prefix"
        )
    description = _description(offer)
    if not description:
        raise PackError(f"tool {name!r} has no description: give its function a docstring")
    _check_seen(f"tool {name!r}", name, offer.title, description, offer.words)
    parameters = parameters_of(offer.fn)
    arguments = Arguments(name, parameters, override=offer.input_schema, codes=offer.refusals)
    _check_seen(f"tool {name!r}", arguments.schema)
    if offer.self_argument and offer.self_argument not in arguments.schema.get("properties", {}):
        raise PackError(f"tool {name!r}: self_argument {offer.self_argument!r} is not one of its arguments")
    return ToolEntry(
        _owner(pack, offer),
        name,
        offer,
        description,
        parameters,
        arguments,
        _answers(name, parameters, offer),
        is_async(offer.fn),
        limit=_limit(name, limits.get(_local_name(offer), offer.limit)),
        is_kept=cacheable(offer, asks=bool(parameters.resolved)),
    )


def _owner(pack: str, offer: Tool | Resource | Prompt) -> str:
    """Whose an offer is in lists, logs and measures."""
    return f"mount {offer.mount}" if offer.mount else pack


def _answers(tool: str, parameters: Parameters, offer: Tool) -> Answers:
    if not offer.job:
        return Answers(tool, parameters.returns, offer.output_schema)
    from packhorse.jobs.handle import answer_schema  # deployments without jobs need nothing of them

    return Answers(tool, parameters.returns, answer_schema(offer.output_schema))


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


def _check_seen(what: str, *texts: Any) -> None:
    """Refuse what a model would read and a person would not see."""
    for text in texts:
        if text is not None and (disguised := disguise_in(text)) is not None:
            raise PackError(f"the description of {what} contains {disguised}: remove it")


def _limit(tool: str, text: str | None) -> Limit | None:
    if text is None or text == "none":
        return None
    try:
        return Limit.parse(text)
    except PackError as exc:
        raise PackError(f"tool {tool!r}: {exc}") from exc


def _resource(pack: str, offer: Resource) -> ResourceEntry:
    parameters = parameters_of(offer.fn)
    name = offer.name or _function_name(offer.fn)
    _check_seen(f"resource {offer.uri!r}", offer.uri, name, offer.title, _description(offer))
    variables = _variables(offer.uri)
    for variable in (*offer.complete, *offer.unchecked):
        if variable not in variables:
            raise PackError(
                f"resource {offer.uri!r}: the variable {variable!r} has a completion, but is not in the URI: remove the"
                " completion, or add the variable"
            )
    for variable, parameter in parameters.plain.items():
        if parameter.required and variable not in variables:
            raise PackError(f"resource {offer.uri!r} has no variable {variable!r}, which its function needs")
    kept = cacheable(offer, asks=bool(parameters.resolved))
    return ResourceEntry(
        _owner(pack, offer), name, offer, _description(offer) or None, parameters, is_async(offer.fn), kept
    )


def _route(pack: str, offer: Route, *, posts: bool = False) -> RouteEntry:
    parameters = parameters_of(offer.fn)
    variables = _variables(offer.path) | ({FORM} if posts else set())
    for name in () if posts else offer.query:
        if name in variables or name not in parameters.plain:
            raise PackError(f"route {offer.path!r}: its function has no argument {name!r} for the query to give")
    if needed := [name for name, one in parameters.plain.items() if one.required and name not in variables]:
        raise PackError(f"route {offer.path!r} has no variable {needed[0]!r}, which its function needs")
    name = f"POST {offer.path}" if posts else offer.path
    return RouteEntry(pack, name, offer, _description(offer) or None, parameters, is_async(offer.fn), posts)


def _variables(uri: str) -> set[str]:
    """The variables of an RFC 6570 template, without their operators and modifiers."""
    inside = re.findall(r"\{[+#./;?&]?([^{}]*)\}", uri)
    return {name.partition(":")[0].rstrip("*") for listed in inside for name in listed.split(",")}


def _prompt(pack: str, prefix: str, offer: Prompt) -> PromptEntry:
    parameters = parameters_of(offer.fn)
    for argument in (*offer.arguments, *offer.complete):
        if argument not in parameters.plain:
            raise PackError(
                f"prompt {_local_name(offer)!r}: {argument!r} is described or completed, but the function has no"
                " such argument: add the argument, or remove what describes it"
            )
    name = prefix + _local_name(offer)
    _check_seen(f"prompt {name!r}", offer.title, _description(offer), *offer.arguments.values())
    if prefix:
        replace(offer, name=name)
    return PromptEntry(_owner(pack, offer), name, offer, _description(offer) or None, parameters, is_async(offer.fn))


def _check_names(pack: str, table: PackTable, shelf: _Shelf) -> None:
    """Refuse names in a deployer's table that the pack does not have."""
    tools = [_local_name(tool.offer) for tool in shelf.tools]
    known: Sequence[str] = [
        *tools,
        *(resource.offer.uri for resource in shelf.resources),
        *(_local_name(prompt.offer) for prompt in shelf.prompts),
        *(skill.uri for skill in shelf.skills),
        *(route.name for route in shelf.routes),
    ]
    for name in table.exclude:
        if name not in known:
            raise PackError(
                f"the setting `exclude` under [packs.{pack}] lists {name!r}, but the pack has nothing"
                f" with this name. It has: {', '.join(known)}"
            )
    for name in table.limits:
        if name not in tools:
            listed = ", ".join(tools)
            raise PackError(
                f"the setting `limits` under [packs.{pack}] lists {name!r}, but the pack has no tool"
                f" with this name. It has: {listed}"
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


def granted(catalogue: Catalogue, roles: Mapping[str, Collection[str]]) -> Catalogue:
    """The same offers, open to those roles that the deployer's table gives them, and to no others.

    What the table does not name stays as its pack has it.

    Raises:
        PackError: the table names what is not served, and every pack is whole.
    """
    holders: dict[str, list[str]] = {}
    for role, names in roles.items():
        for name in names:
            holders.setdefault(name, []).append(role)
    served = {*catalogue.tools, *catalogue.resources, *catalogue.prompts, *catalogue.routes}
    for name in holders:
        if name not in served and catalogue.broken:  # it may be of what cannot be served, which is reported
            logger.warning("[auth.roles] lists %r, and nothing with this name is served", name)
        elif name not in served:
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


def _local_name(offer: Tool | Prompt) -> str:
    return offer.name or _function_name(offer.fn)


def _function_name(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)


def _description(offer: Tool | Resource | Prompt | Route) -> str:
    return offer.description or inspect.cleandoc(offer.fn.__doc__ or "")
