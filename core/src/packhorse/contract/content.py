"""What a tool, resource or prompt can answer with, besides plain values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from packhorse.contract.observers import OutcomeWord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    """A passage of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture; ``data`` is the file's own bytes."""

    data: bytes
    mime_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound; ``data`` is the file's own bytes."""

    data: bytes
    mime_type: str = "audio/wav"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A resource carried inside the answer: text, or bytes."""

    uri: str
    body: str | bytes
    mime_type: str = "text/plain"


@dataclass(frozen=True, slots=True)
class Link:
    """A resource that the client may read later."""

    uri: str
    name: str
    description: str | None = None
    mime_type: str | None = None


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A content block, or the contents of a resource, as another server gave it: JSON in the protocol's own words."""

    block: Mapping[str, Any]


Content = Text | Image | Audio | Embedded | Link | Verbatim


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A tool's whole answer, where words and data differ.

    Annotated as ``Reply[Model]``, the model gives the tool's output schema and
    ``structured`` is checked against it. ``content`` comes first in the
    answer; the JSON of ``structured`` follows it unless ``content`` ends in an
    `Embedded` that carries it already, or says all of it ``in_words``: then a
    client that reads text alone misses nothing, and nothing is sent twice.
    ``recorded`` is for a tool that says in a shape of its own that it refused
    or denied something: how observers, and so the record, hear that the call ended, and the reason's code.
    """

    structured: T
    content: Sequence[Content] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    in_words: bool = False
    recorded: tuple[OutcomeWord, str] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a `Route` answers with where its kind is its own, or where it is HTML with a look.

    ``styles`` is what stands in the page's one style element: a browser takes
    no other. ``forms`` lets its forms be sent to this server. No script runs,
    unless ``script`` is the path of one that this server serves: then files of
    this server alone. ``status`` and ``headers`` are for a redirect, or a cookie.
    """

    body: str | bytes
    mime_type: str = "text/html; charset=utf-8"
    styles: str = ""
    forms: bool = False
    script: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a prompt."""

    content: Content | str
    role: Literal["user", "assistant"] = "user"


def size_of(piece: Any) -> int:
    """Bytes on the wire, about: UTF-8 for text and JSON, base 64 for the rest."""
    match piece:
        case None:
            return 0
        case Reply():
            return size_of(piece.structured) + size_of(piece.content)
        case Text(text=body) | Embedded(body=body) | Image(data=body) | Audio(data=body) | Page(body=body):
            return size_of(body)
        case str():
            return len(piece.encode(errors="replace"))
        case bytes():
            return len(piece) * 4 // 3
        case list() | tuple():
            return sum(size_of(item) for item in piece)
        case Link():
            return len(repr(piece))
        case Verbatim(block=block):
            return size_of(block)
        case _:
            return len(json.dumps(piece, ensure_ascii=False, default=str, skipkeys=True).encode(errors="replace"))


def frozen(value: Any) -> Any:
    """A JSON value whose lists and objects nobody can change."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value
