"""What the function of a job returns, as JSON for the ledger, and back as the answer of a tool.

A job may return what a tool may: JSON values, pydantic models, dataclasses,
attrs classes, content (`Text`, `Image` ...), or a `Reply` of both.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from packhorse.contract.content import Audio, Content, Embedded, Image, Link, Reply, Text, Verbatim
from packhorse.errors import INTERNAL, UserError

_CONTENT: Mapping[str, Callable[..., Content]] = {
    kind.__name__: kind for kind in (Text, Image, Audio, Embedded, Link, Verbatim)
}
_REPLY = "packhorse/reply"
"""The key of a kept result that is more than a JSON value."""


def kept(value: Any) -> Any:
    """``value`` as JSON.

    Raises:
        TypeError, ValueError: of some kind, where it is nothing that a tool may return.
    """
    if isinstance(value, Reply):
        content = [_block(piece) for piece in value.content]
        return {_REPLY: {"structured": _json(value.structured), "content": content, "meta": _json(value.meta)}}
    if isinstance(value, Content):
        return kept(Reply(None, (value,)))
    if isinstance(value, list | tuple) and value and all(isinstance(one, Content) for one in value):
        return kept(Reply(None, value))
    return _json(value)


def answer_of(result: Any) -> dict[str, Any] | Reply[Any]:
    """A kept result as a tool answers it: an object, any other value as ``{"result": value}``, or the `Reply`."""
    if not isinstance(result, dict):
        return {"result": result}
    if result.keys() != {_REPLY}:
        return result
    reply = result[_REPLY]
    structured = {} if reply["structured"] is None else reply["structured"]  # the tool's schema is of an object
    whole = structured if isinstance(structured, dict) else {"result": structured}
    return Reply(whole, tuple(_content(block) for block in reply["content"]), reply["meta"])


def refused(refusal: UserError) -> dict[str, Any]:
    """A refusal as the ledger keeps it, for `refusal_in`."""
    about = {"message": refusal.message, "code": refusal.code, "jsonrpc_code": refusal.jsonrpc_code}
    return {"refused": {**about, "details": refusal.details}}


def refusal_in(error: Mapping[str, Any]) -> UserError:
    """The refusal that a kept error stands for."""
    if error.get("refused"):
        return UserError(**error["refused"])
    protocol = error.get("protocol") or {}
    return UserError(
        str(protocol.get("message", "The job failed.")),
        code="JOB_FAILED",
        jsonrpc_code=int(protocol.get("code", INTERNAL)),
    )


def _json(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except TypeError:
        from pydantic_core import to_jsonable_python  # only where there is something else to write

        return to_jsonable_python(value, by_alias=True, fallback=_attributes)
    return value


def _attributes(value: Any) -> dict[str, Any]:
    """An instance of an attrs class, one level deep."""
    described: Sequence[Any] | None = getattr(type(value), "__attrs_attrs__", None)
    if described is None:
        raise TypeError(f"a job cannot return a {type(value).__qualname__}")
    return {one.name: getattr(value, one.name) for one in described}


def _block(piece: Content) -> dict[str, Any]:
    block: dict[str, Any] = {"kind": type(piece).__name__}
    for one in fields(piece):
        value = getattr(piece, one.name)
        block[one.name] = {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
    return block


def _content(block: Mapping[str, Any]) -> Content:
    values = {
        name: base64.b64decode(value["base64"]) if isinstance(value, dict) else value
        for name, value in block.items()
        if name != "kind"
    }
    return _CONTENT[block["kind"]](**values)
