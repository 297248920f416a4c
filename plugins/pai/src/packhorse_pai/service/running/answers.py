"""What an agent gets of a tool's answer: its data, or, of a tool that answers in words alone, the words."""

from collections.abc import Iterator, Mapping
from typing import Any

from packhorse import Audio, Embedded, Image, Link, Reply, Text
from packhorse.contract.content import Verbatim


def answer_of(reply: Reply[Any]) -> dict[str, Any]:
    """An answer as plain JSON: the object that it is, ``result`` around any other value, else ``text``.

    Nothing is cut: the host lets no answer through that is longer than its limit.
    What is neither data nor words, such as a picture, is named and not shown.
    """
    output = plain(reply.structured)
    if isinstance(output, dict):
        return output
    if output is not None or not reply.content:
        return {"result": output}
    return {"text": "\n".join(_words(reply))}


def plain(value: Any) -> Any:
    """A validated answer as plain JSON values."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _words(reply: Reply[Any]) -> Iterator[str]:
    for piece in reply.content:
        match piece:
            case Text(text=text) | Embedded(body=str() as text):
                yield text
            case Verbatim(block={"text": str() as text} | {"resource": {"text": str() as text}}):
                yield text
            case Link(uri=uri) | Verbatim(block={"type": "resource_link", "uri": uri}):
                yield f"[a resource at {uri}]"
            case Image(mime_type=kind) | Audio(mime_type=kind) | Embedded(mime_type=kind):
                yield _UNSHOWN.format(kind)
            case Verbatim(block=block):
                yield _UNSHOWN.format(block.get("mimeType", block.get("type", "something")))


_UNSHOWN = "[{}, which an agent is not shown]"
