"""Our content and offers as the protocol's types."""

import base64
from collections.abc import Sequence
from typing import Any

import mcp_types as wire
from pydantic import TypeAdapter

from packhorse.contract.content import Audio, Content, Embedded, Image, Link, Message, Reply, Text, Verbatim
from packhorse.door.catalogue import Listed, PromptEntry, ResourceEntry, ToolEntry
from packhorse.schema.answers import COMPACT
from packhorse.schema.slim import slim, slim_answer

_BLOCK: TypeAdapter[Any] = TypeAdapter(wire.ContentBlock)
_CONTENTS: TypeAdapter[Any] = TypeAdapter(wire.TextResourceContents | wire.BlobResourceContents)


def block(content: Content) -> wire.ContentBlock:
    """One content block."""
    match content:
        case Text(text):
            return wire.TextContent(type="text", text=text)
        case Image(data, mime_type):
            return wire.ImageContent(type="image", data=_base64(data), mime_type=mime_type)
        case Audio(data, mime_type):
            return wire.AudioContent(type="audio", data=_base64(data), mime_type=mime_type)
        case Embedded(uri, body, mime_type):
            return wire.EmbeddedResource(type="resource", resource=_contents(uri, body, mime_type))
        case Link(uri, name, description, mime_type):
            return wire.ResourceLink(
                type="resource_link", uri=uri, name=name, description=description, mime_type=mime_type
            )
        case Verbatim(raw):
            made: wire.ContentBlock = _BLOCK.validate_python(raw, by_name=False)
            return made


def tool_result(reply: Reply[Any]) -> wire.CallToolResult:
    """A tool's answer."""
    return wire.CallToolResult(
        content=[block(piece) for piece in reply.content],
        structured_content=reply.structured,
        _meta=dict(reply.meta) or None,
    )


def tool_answer(reply: Reply[Any]) -> wire.CallToolResult | dict[str, Any]:
    """A tool's answer as the SDK may send it: plain text goes in the protocol's own words, without models around it.

    The SDK checks either against the revision's schema. Text beyond ASCII may
    hold half a character, which the model refuses in time.
    """
    content: list[dict[str, str]] = []
    for piece in reply.content:
        if reply.meta or not (isinstance(piece, Text) and isinstance(piece.text, str) and piece.text.isascii()):
            return tool_result(reply)
        content.append({"type": "text", "text": piece.text})
    made: dict[str, Any] = {"resultType": "complete", "content": content, "isError": False}
    if reply.structured is not None:
        made["structuredContent"] = reply.structured
    return made


def listing(entry: Listed, *, full: bool = True) -> wire.Tool | wire.Resource | wire.ResourceTemplate | wire.Prompt:
    """An offer as lists show it; its schemas slim unless ``full``."""
    match entry:
        case ToolEntry():
            return _tool(entry, full)
        case PromptEntry():
            return _prompt(entry)
        case ResourceEntry():
            return _template(entry) if entry.is_template else _resource(entry)


def _tool(entry: ToolEntry, full: bool) -> wire.Tool:
    offer = entry.offer
    return wire.Tool(
        **_named(entry),
        input_schema=_input_schema(entry, full),
        output_schema=_output_schema(entry, full),
        annotations=wire.ToolAnnotations(
            title=offer.title,
            read_only_hint=offer.read_only,
            destructive_hint=offer.destructive,
            idempotent_hint=offer.idempotent,
            open_world_hint=offer.open_world,
        ),
        _meta=dict(offer.meta) or None,
    )


def _input_schema(entry: ToolEntry, full: bool) -> dict[str, Any]:
    """What a pack hands in is published verbatim; what is made from a function is slimmed."""
    verbatim = full or entry.offer.input_schema is not None
    return entry.arguments.schema if verbatim else slim(entry.arguments.schema)


def _output_schema(entry: ToolEntry, full: bool) -> dict[str, Any] | None:
    """Of an answer that a program reads: a view, a job's handle, or one whose shape a pack fixed. No model sees it."""
    if full or entry.offer.output_schema is not None:
        return entry.answers.schema
    if (entry.offer.view or entry.offer.job) and entry.answers.schema is not None:
        return slim_answer(entry.answers.schema)
    return None


def _resource(entry: ResourceEntry) -> wire.Resource:
    offer = entry.offer
    return wire.Resource(**_named(entry), uri=offer.uri, mime_type=offer.mime_type, _meta=dict(offer.meta) or None)


def _template(entry: ResourceEntry) -> wire.ResourceTemplate:
    offer = entry.offer
    return wire.ResourceTemplate(
        **_named(entry), uri_template=offer.uri, mime_type=offer.mime_type, _meta=dict(offer.meta) or None
    )


def _prompt(entry: PromptEntry) -> wire.Prompt:
    offer = entry.offer
    return wire.Prompt(
        **_named(entry),
        arguments=[
            wire.PromptArgument(name=name, description=offer.arguments.get(name), required=parameter.required)
            for name, parameter in entry.parameters.plain.items()
        ],
    )


def _named(entry: Listed) -> dict[str, Any]:
    """What every list says of an entry."""
    icons = [
        wire.Icon(src=icon.src, mime_type=icon.mime_type, sizes=list(icon.sizes) or None) for icon in entry.offer.icons
    ]
    return {
        "name": entry.name,
        "title": entry.offer.title,
        "description": entry.description,
        "icons": icons or None,
    }


def read_result(entry: ResourceEntry, uri: str, value: Any) -> wire.ReadResourceResult:
    """What a resource's function returned, as the answer to a read.

    Of a view it says again what the list says, what the page may load: here is where a client looks for it.
    """
    mime = entry.offer.mime_type
    contents: wire.TextResourceContents | wire.BlobResourceContents
    if isinstance(value, tuple) and value and all(isinstance(piece, Verbatim) for piece in value):
        return _read([_CONTENTS.validate_python(piece.block, by_name=False) for piece in value], entry)
    match value:
        case Embedded(_, body, mime_type):
            contents = _contents(uri, body, mime_type)
        case Text(text):
            contents = _contents(uri, text, mime or "text/plain")
        case str():
            contents = _contents(uri, value, mime or "text/plain")
        case bytes():
            contents = _contents(uri, value, mime or "application/octet-stream")
        case _:
            dump = getattr(value, "model_dump", None)
            data = dump(mode="json", by_alias=True) if dump else value
            contents = _contents(uri, COMPACT.encode(data), mime or "application/json")
    if "ui" in entry.offer.meta:
        contents = contents.model_copy(update={"meta": {"ui": entry.offer.meta["ui"]}})
    return _read([contents], entry)


def _read(contents: list[Any], entry: ResourceEntry) -> wire.ReadResourceResult:
    # A function that knows who asks may answer each otherwise.
    common = entry.offer.public and not entry.offer.per_caller and entry.parameters.context is None
    return wire.ReadResourceResult(
        contents=contents, ttl_ms=int(entry.offer.ttl * 1000), cache_scope="public" if common else "private"
    )


def prompt_result(entry: PromptEntry, value: Any) -> wire.GetPromptResult:
    """What a prompt's function returned, as the answer to a get."""
    turns = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return wire.GetPromptResult(description=entry.description, messages=[_turn(turn) for turn in turns])


def _turn(turn: Message | Content | str) -> wire.PromptMessage:
    message = turn if isinstance(turn, Message) else Message(turn)
    content = Text(message.content) if isinstance(message.content, str) else message.content
    return wire.PromptMessage(role=message.role, content=block(content))


def _contents(uri: str, body: str | bytes, mime_type: str) -> wire.TextResourceContents | wire.BlobResourceContents:
    if isinstance(body, bytes):
        return wire.BlobResourceContents(uri=uri, blob=_base64(body), mime_type=mime_type)
    return wire.TextResourceContents(uri=uri, text=body, mime_type=mime_type)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
