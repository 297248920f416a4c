"""Each offer of a pack as an entry of the catalogue: checked, with what a call of it needs."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from packhorse.contract.offers import Prompt, Resource, Route, Tool, name_of
from packhorse.door.cache import cacheable
from packhorse.door.catalogue import FORM, HOST, Entry, PromptEntry, ResourceEntry, RouteEntry, ToolEntry
from packhorse.door.entrances import RESERVED
from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.schema.answers import Answers
from packhorse.schema.arguments import Arguments
from packhorse.schema.disguised import disguise_in
from packhorse.schema.parameters import Parameters, is_async, parameters_of


def taken(offer: Any, kind: type[Any], hook: str) -> Any:
    """The offer itself, or one made from a plain function."""
    if isinstance(offer, kind):
        return offer
    if kind in (Tool, Prompt) and (inspect.isroutine(offer) or callable(offer)) and not isinstance(offer, type):
        return kind(fn=offer)
    raise PackError(f"{hook} returned {type(offer).__name__}; return {kind.__name__} values")


def tool_entry(pack: str, prefix: str, limits: Mapping[str, str], offer: Tool) -> ToolEntry:
    """A tool as it is served, with its arguments and answers compiled.

    Raises:
        PackError: it cannot be served, with the reason.
    """
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
    check_seen(f"tool {name!r}", name, offer.title, description, offer.words)
    parameters = parameters_of(offer.fn)
    arguments = Arguments(name, parameters, override=offer.input_schema, codes=offer.refusals)
    check_seen(f"tool {name!r}", arguments.schema)
    if offer.self_argument and offer.self_argument not in arguments.schema.get("properties", {}):
        raise PackError(f"tool {name!r}: self_argument {offer.self_argument!r} is not one of its arguments")
    return ToolEntry(
        _owner(pack, offer),
        name,
        offer,
        description,
        parameters,
        is_async(offer.fn),
        arguments,
        _answers(name, parameters, offer),
        limit=_limit(name, limits.get(_local_name(offer), offer.limit)),
        is_kept=cacheable(offer, asks=bool(parameters.resolved)),
        own_name=offer.own_name or _local_name(offer),
    )


def resource_entry(pack: str, offer: Resource) -> ResourceEntry:
    """A resource as it is served.

    Raises:
        PackError: it cannot be served, with the reason.
    """
    parameters = parameters_of(offer.fn)
    name = offer.name or name_of(offer.fn)
    check_seen(f"resource {offer.uri!r}", offer.uri, name, offer.title, _description(offer))
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


def route_entry(pack: str, offer: Route, *, posts: bool = False) -> RouteEntry:
    """A route as it is served; ``posts`` for its form.

    Raises:
        PackError: it cannot be served, with the reason.
    """
    parameters = parameters_of(offer.fn)
    variables = _variables(offer.path) | ({FORM} if posts else set())
    for name in () if posts else offer.query:
        if name in variables or name not in parameters.plain:
            raise PackError(f"route {offer.path!r}: its function has no argument {name!r} for the query to give")
    if needed := [name for name, one in parameters.plain.items() if one.required and name not in variables]:
        raise PackError(f"route {offer.path!r} has no variable {needed[0]!r}, which its function needs")
    name = f"POST {offer.path}" if posts else offer.path
    return RouteEntry(pack, name, offer, _description(offer) or None, parameters, is_async(offer.fn), posts)


def prompt_entry(pack: str, prefix: str, offer: Prompt) -> PromptEntry:
    """A prompt as it is served.

    Raises:
        PackError: it cannot be served, with the reason.
    """
    parameters = parameters_of(offer.fn)
    for argument in (*offer.arguments, *offer.complete):
        if argument not in parameters.plain:
            raise PackError(
                f"prompt {_local_name(offer)!r}: {argument!r} is described or completed, but the function has no"
                " such argument: add the argument, or remove what describes it"
            )
    name = prefix + _local_name(offer)
    check_seen(f"prompt {name!r}", offer.title, _description(offer), *offer.arguments.values())
    if prefix:
        replace(offer, name=name)
    return PromptEntry(_owner(pack, offer), name, offer, _description(offer) or None, parameters, is_async(offer.fn))


def check_seen(what: str, *texts: Any) -> None:
    """Refuse what a model would read and a person would not see."""
    for text in texts:
        if text is not None and (disguised := disguise_in(text)) is not None:
            raise PackError(f"the description of {what} contains {disguised}: remove it")


def own_name(entry: Entry) -> str:
    """The name of an offer within its pack; a resource's is its URI."""
    offer = entry.offer
    if isinstance(offer, Resource):
        return offer.uri
    return entry.name if isinstance(offer, Route) else _local_name(offer)


def _local_name(offer: Tool | Prompt) -> str:
    return offer.name or name_of(offer.fn)


def _answers(tool: str, parameters: Parameters, offer: Tool) -> Answers:
    if not offer.job:
        return Answers(tool, parameters.returns, offer.output_schema)
    from packhorse.jobs.handle import answer_schema  # deployments without jobs need nothing of them

    return Answers(tool, parameters.returns, answer_schema(offer.output_schema))


def _limit(tool: str, text: str | None) -> Limit | None:
    if text is None or text == "none":
        return None
    try:
        return Limit.parse(text)
    except PackError as exc:
        raise PackError(f"tool {tool!r}: {exc}") from exc


def _variables(uri: str) -> set[str]:
    """The variables of an RFC 6570 template, without their operators and modifiers."""
    inside = re.findall(r"\{[+#./;?&]?([^{}]*)\}", uri)
    return {name.partition(":")[0].rstrip("*") for listed in inside for name in listed.split(",")}


def _owner(pack: str, offer: Tool | Resource | Prompt) -> str:
    """Whose an offer is in lists, logs and measures."""
    return f"mount {offer.mount}" if offer.mount else pack


def _description(offer: Tool | Resource | Prompt | Route) -> str:
    return offer.description or inspect.cleandoc(offer.fn.__doc__ or "")
