"""Everything a deployment offers, collected from the packs once and never changed after."""

import inspect
import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import pluggy

from packhorse.answers import Answers
from packhorse.arguments import Arguments
from packhorse.errors import PackError
from packhorse.host import Host
from packhorse.offers import Guard, Prompt, Resource, Tool, Verifier
from packhorse.packs import Broken, Loaded, implements, reason_of
from packhorse.parameters import Parameters, is_async, parameters_of
from packhorse.settings import PackTable

logger = logging.getLogger("packhorse.catalogue")


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool as it is served, with everything that a call needs worked out beforehand."""

    pack: str
    name: str
    offer: Tool
    description: str
    parameters: Parameters
    arguments: Arguments
    answers: Answers
    is_async: bool


@dataclass(frozen=True, slots=True)
class ResourceEntry:
    """A resource, or a template of resources, as it is served."""

    pack: str
    name: str
    offer: Resource
    description: str | None
    parameters: Parameters
    is_async: bool

    @property
    def is_template(self) -> bool:
        """Whether the URI has variables."""
        return "{" in self.offer.uri


@dataclass(frozen=True, slots=True)
class PromptEntry:
    """A prompt as it is served."""

    pack: str
    name: str
    offer: Prompt
    description: str | None
    parameters: Parameters
    is_async: bool


Entry = ToolEntry | ResourceEntry | PromptEntry


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The offers of one deployment, in a stable order: by pack as served, then as the pack lists them."""

    tools: Mapping[str, ToolEntry]
    resources: Mapping[str, ResourceEntry]
    prompts: Mapping[str, PromptEntry]
    verifiers: tuple[Verifier, ...]
    guards: tuple[Guard, ...]
    packs: tuple[Loaded, ...]
    broken: tuple[Broken, ...]
    local_names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(pack, the pack's own name for a tool) to the name on the wire, for calls from within that pack."""

    @property
    def entries(self) -> list["Entry"]:
        """Every tool, resource and prompt."""
        return [*self.tools.values(), *self.resources.values(), *self.prompts.values()]


@dataclass
class _Shelf:
    """One pack's offers, before they join the catalogue: all of them or none."""

    tools: list[ToolEntry] = field(default_factory=list)
    resources: list[ResourceEntry] = field(default_factory=list)
    prompts: list[PromptEntry] = field(default_factory=list)
    verifiers: list[Verifier] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)


def collect(
    manager: pluggy.PluginManager,
    loaded: Iterable[Loaded],
    broken: Iterable[Broken],
    hosts: Mapping[str, Host],
    tables: Callable[[str], PackTable],
) -> Catalogue:
    """Ask every pack for its offers and put them together.

    Raises:
        PackError: two offers share a name, or an exclusion names nothing.
    """
    tools: dict[str, ToolEntry] = {}
    resources: dict[str, ResourceEntry] = {}
    prompts: dict[str, PromptEntry] = {}
    verifiers: list[Verifier] = []
    guards: list[Guard] = []
    serving: list[Loaded] = []
    failed = list(broken)
    local: dict[tuple[str, str], str] = {}
    for pack in loaded:
        name = pack.found.name
        table = tables(name)
        try:
            shelf = _shelf(manager, pack, hosts[name], table)
        except (Exception, SystemExit) as exc:
            # A pack's hook may raise anything; the other packs serve on.
            logger.debug("pack %s: its hooks failed", name, exc_info=True)
            failed.append(Broken(pack.found, reason_of(exc), judges=implements(pack.module, "register_auth")))
            continue
        _check_exclusions(name, table, shelf)
        for tool in shelf.tools:
            if _local_name(tool.offer) not in table.exclude:
                _add("tool", tools, tool.name, tool)
                local[name, _local_name(tool.offer)] = tool.name
        for resource in shelf.resources:
            if resource.offer.uri not in table.exclude:
                _add("resource", resources, resource.offer.uri, resource)
        for prompt in shelf.prompts:
            if _local_name(prompt.offer) not in table.exclude:
                _add("prompt", prompts, prompt.name, prompt)
        verifiers += shelf.verifiers
        guards += [
            replace(guard, tools=tuple(local.get((name, tool), tool) for tool in guard.tools)) for guard in shelf.guards
        ]
        serving.append(pack)
    for unknown in {tool for guard in guards for tool in guard.tools if tool not in tools}:
        logger.warning("a guard is for the tool %r, which is not served here", unknown)
    return Catalogue(
        MappingProxyType(tools),
        MappingProxyType(resources),
        MappingProxyType(prompts),
        tuple(verifiers),
        tuple(guards),
        tuple(serving),
        tuple(failed),
        MappingProxyType(local),
    )


def contributions(manager: pluggy.PluginManager, pack: Loaded, hook: str, host: Host) -> list[Any]:
    """What one pack returns from one hook, as a list."""
    others = [plugin for plugin in manager.get_plugins() if plugin is not pack.module]
    answers = manager.subset_hook_caller(hook, others)(host=host)
    if not answers and implements(pack.module, hook):
        raise PackError(f"{hook} returned nothing; return a list, and an empty one where there is nothing to offer")
    made: list[Any] = []
    for answer in answers:
        if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Iterable):
            raise PackError(f"{hook} must return a list, and returned {type(answer).__name__}")
        made += answer
    return made


def _shelf(manager: pluggy.PluginManager, pack: Loaded, host: Host, table: PackTable) -> _Shelf:
    shelf = _Shelf()
    name, prefix = pack.found.name, table.prefix
    for offer in contributions(manager, pack, "register_tools", host):
        shelf.tools.append(_tool(name, prefix, _taken(offer, Tool, "register_tools")))
    for offer in contributions(manager, pack, "register_resources", host):
        shelf.resources.append(_resource(name, _taken(offer, Resource, "register_resources")))
    for offer in contributions(manager, pack, "register_prompts", host):
        shelf.prompts.append(_prompt(name, prefix, _taken(offer, Prompt, "register_prompts")))
    for offer in contributions(manager, pack, "register_auth", host):
        if isinstance(offer, Verifier):
            shelf.verifiers.append(offer)
        elif isinstance(offer, Guard):
            shelf.guards.append(offer)
        else:
            raise PackError(f"register_auth returned {type(offer).__name__}; return Verifier and Guard values")
    return shelf


def _taken(offer: Any, kind: type[Any], hook: str) -> Any:
    """The offer itself, or one made from a plain function."""
    if isinstance(offer, kind):
        return offer
    if kind is not Resource and (inspect.isroutine(offer) or callable(offer)) and not isinstance(offer, type):
        return kind(fn=offer)
    raise PackError(f"{hook} returned {type(offer).__name__}; return {kind.__name__} values")


def _tool(pack: str, prefix: str, offer: Tool) -> ToolEntry:
    name = prefix + _local_name(offer)
    if prefix:
        replace(offer, name=name)  # a name that was short enough may not be any more
    description = _description(offer)
    if not description:
        raise PackError(f"tool {name!r} has no description: give its function a docstring")
    parameters = parameters_of(offer.fn)
    arguments = Arguments(name, parameters, override=offer.input_schema, codes=offer.refusals)
    if offer.self_argument and offer.self_argument not in arguments.schema.get("properties", {}):
        raise PackError(f"tool {name!r}: self_argument {offer.self_argument!r} is not one of its arguments")
    answers = Answers(name, parameters.returns, offer.output_schema)
    return ToolEntry(pack, name, offer, description, parameters, arguments, answers, is_async(offer.fn))


def _resource(pack: str, offer: Resource) -> ResourceEntry:
    parameters = parameters_of(offer.fn)
    name = offer.name or _function_name(offer.fn)
    variables = _variables(offer.uri)
    for variable in (*offer.complete, *offer.unchecked):
        if variable not in variables:
            raise PackError(f"resource {offer.uri!r} has no variable {variable!r}")
    for variable, parameter in parameters.plain.items():
        if parameter.required and variable not in variables:
            raise PackError(f"resource {offer.uri!r} has no variable {variable!r}, which its function needs")
    return ResourceEntry(pack, name, offer, _description(offer) or None, parameters, is_async(offer.fn))


def _variables(uri: str) -> set[str]:
    """The variables of an RFC 6570 template, without their operators and modifiers."""
    inside = re.findall(r"\{[+#./;?&]?([^{}]*)\}", uri)
    return {name.partition(":")[0].rstrip("*") for listed in inside for name in listed.split(",")}


def _prompt(pack: str, prefix: str, offer: Prompt) -> PromptEntry:
    parameters = parameters_of(offer.fn)
    for argument in (*offer.arguments, *offer.complete):
        if argument not in parameters.plain:
            raise PackError(f"prompt {_local_name(offer)!r} has no argument {argument!r}")
    name = prefix + _local_name(offer)
    if prefix:
        replace(offer, name=name)
    return PromptEntry(pack, name, offer, _description(offer) or None, parameters, is_async(offer.fn))


def _add(kind: str, shelf: dict[str, Any], name: str, entry: Any) -> None:
    other = shelf.get(name)
    if other is not None:
        if other.pack == entry.pack:
            raise PackError(f"pack {entry.pack!r} offers the {kind} {name!r} twice")
        cure = f'exclude = ["{name}"]' if kind == "resource" else f'prefix = "{entry.pack}_" or exclude = ["{name}"]'
        raise PackError(
            f"packs {other.pack!r} and {entry.pack!r} both offer a {kind} {name!r}."
            f" Write {cure} under [packs.{entry.pack}] in packhorse.toml, or serve one pack at a time."
        )
    shelf[name] = entry


def _check_exclusions(pack: str, table: PackTable, shelf: _Shelf) -> None:
    known: Sequence[str] = [
        *(_local_name(tool.offer) for tool in shelf.tools),
        *(resource.offer.uri for resource in shelf.resources),
        *(_local_name(prompt.offer) for prompt in shelf.prompts),
    ]
    for name in table.exclude:
        if name not in known:
            raise PackError(f"[packs.{pack}] exclude names {name!r}, which is none of the pack's: {', '.join(known)}")


def _local_name(offer: Tool | Prompt) -> str:
    return offer.name or _function_name(offer.fn)


def _function_name(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)


def _description(offer: Tool | Resource | Prompt) -> str:
    return offer.description or inspect.cleandoc(offer.fn.__doc__ or "")
