"""The accepted offers of mounted servers as offers of this host."""

import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

import mcp_types as wire
from mcp.shared.uri_template import UriTemplate

from packhorse.contract.content import Content, Message, Reply, Text, Verbatim
from packhorse.contract.context import Context
from packhorse.contract.offers import Complete, Prompt, Resource, Tool
from packhorse.contract.questions import InputRequired
from packhorse.errors import UserError
from packhorse.mounts.accepted import Kind, Pinned
from packhorse.mounts.link import Link
from packhorse.mounts.listing import printable
from packhorse.mounts.served import Mounts


def offers(mounts: Mounts, *kinds: Kind) -> Iterator[Any]:
    """Those of every mount: tools, resources at their own URIs and templates, prompts."""
    made = {"tool": _tool, "resource": _resource, "template": _template, "prompt": _prompt}
    for kind in kinds:
        for link, pinned in mounts.served(kind):
            yield made[kind](link, pinned)


def _tool(link: Link, pinned: Pinned) -> Tool:
    mount, local, gives = link.mount, pinned["name"], pinned.get("outputSchema")

    async def call(arguments: dict[str, Any], ctx: Context) -> Any:
        answer = await link.call(local, arguments, ctx)
        if isinstance(answer, InputRequired):
            return answer
        if answer.is_error:
            text = "\n".join(block.text for block in answer.content if isinstance(block, wire.TextContent))
            raise UserError(printable(text) or f"{local} failed and did not say why.", code="UPSTREAM_ERROR")
        data = answer.structured_content
        if gives is not None and data is None:
            raise UserError(
                f"{local} answered without the structured data that its description promises.", code="UPSTREAM_BROKEN"
            )
        content = [_content(block) for block in answer.content]
        if data is not None and not content:
            content.append(Text(json.dumps(data, ensure_ascii=False)))
        return Reply(data, content, answer.meta or {}, in_words=True)

    reads = mount.reads(local)
    hints = pinned.get("annotations") or {}
    return Tool(
        fn=call,
        name=mount.served(local),
        mount=link.name,
        own_name=local,
        title=pinned.get("title") or hints.get("title"),
        description=pinned.get("description") or pinned.get("title") or local,
        input_schema=pinned["inputSchema"],
        output_schema=gives,
        public=mount.public,
        roles=mount.roles,
        limit=mount.limit,
        timeout=mount.timeout_seconds,
        read_only=reads,
        destructive=not reads,
        open_world=True,
    )


def _resource(link: Link, pinned: Pinned) -> Resource:
    uri = pinned["uri"]

    async def read(ctx: Context) -> Any:
        return _contents(await link.read("resource", uri, uri, ctx.principal))

    return Resource(uri=uri, fn=read, **_about(link, pinned))


def _template(link: Link, pinned: Pinned) -> Resource:
    uri = pinned["uriTemplate"]
    template = UriTemplate.parse(uri)

    async def read(ctx: Context, **variables: Any) -> Any:
        return _contents(await link.read("template", uri, template.expand(variables), ctx.principal))

    names = template.variable_names
    _takes(read, dict.fromkeys(names, True))
    reference = wire.ResourceTemplateReference(uri=uri)
    complete = {name: _complete(link, reference, name) for name in names} if link.mount.completes else {}
    return Resource(uri=uri, fn=read, complete=complete, **_about(link, pinned))


def _about(link: Link, pinned: Pinned) -> dict[str, Any]:
    return {
        "name": pinned["name"],
        "title": pinned.get("title"),
        "description": pinned.get("description"),
        "mime_type": pinned.get("mimeType"),
        "public": link.mount.public,
        "roles": link.mount.roles,
        "per_caller": link.mount.per_caller,
        "mount": link.name,
    }


def _prompt(link: Link, pinned: Pinned) -> Prompt:
    mount, local = link.mount, pinned["name"]
    arguments = pinned.get("arguments") or ()

    async def render(ctx: Context, **given: Any) -> Any:
        answer = await link.render(local, given, ctx.principal)
        return [Message(_content(message.content), message.role) for message in answer.messages]

    _takes(render, {argument["name"]: bool(argument.get("required")) for argument in arguments})
    reference = wire.PromptReference(name=local)
    return Prompt(
        fn=render,
        name=mount.served(local),
        mount=link.name,
        title=pinned.get("title"),
        description=pinned.get("description"),
        arguments={one["name"]: one["description"] for one in arguments if one.get("description")},
        complete={one["name"]: _complete(link, reference, one["name"]) for one in arguments} if mount.completes else {},
        public=mount.public,
        roles=mount.roles,
    )


def _takes(fn: Any, required: Mapping[str, bool]) -> None:
    """Give a function the parameters that a server names, beside its context."""
    kept = inspect.signature(fn).parameters["ctx"]
    named = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if must else None, annotation=str
        )
        for name, must in required.items()
    ]
    fn.__signature__ = inspect.Signature([kept, *named])


def _complete(link: Link, reference: Any, argument: str) -> Complete:
    async def complete(typed: str) -> list[str]:
        return await link.complete(reference, argument, typed)

    return complete


def _contents(answer: wire.ReadResourceResult) -> tuple[Verbatim, ...]:
    if not answer.contents:
        raise UserError("The server answered without any contents.", code="UPSTREAM_BROKEN")
    return tuple(Verbatim(_raw(contents)) for contents in answer.contents)


def _content(block: Any) -> Content:
    """A block as it came; plain text in the host's own type, which is quicker to send."""
    if isinstance(block, wire.TextContent) and block.annotations is None and block.meta is None:
        return Text(block.text)
    return Verbatim(_raw(block))


def _raw(model: Any) -> Mapping[str, Any]:
    raw: Mapping[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return raw
