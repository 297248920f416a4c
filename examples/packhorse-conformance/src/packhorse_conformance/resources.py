"""What the suite reads: text, bytes, a template, and a resource to watch."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse import Resource
from packhorse_conformance.media import red_dot


def static_text() -> str:
    """A fixed text."""
    return "This is the content of the static text resource."


def watched() -> str:
    """A text that a client may subscribe to."""
    return "Watched resource content"


def template_data(id: str) -> Mapping[str, Any]:
    """A JSON value that repeats the identifier in its URI."""
    return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


def _ids(typed: str) -> Sequence[str]:
    return [known for known in ("123", "124", "456") if known.startswith(typed)]


def static_binary() -> bytes:
    """A fixed picture."""
    return red_dot()


RESOURCES = (
    Resource(uri="test://static-text", fn=static_text, mime_type="text/plain"),
    Resource(uri="test://static-binary", fn=static_binary, mime_type="image/png"),
    Resource(uri="test://watched-resource", fn=watched, mime_type="text/plain", subscribable=True),
    Resource(
        uri="test://template/{id}/data",
        fn=template_data,
        mime_type="application/json",
        complete={"id": _ids},
    ),
)
