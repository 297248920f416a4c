"""A tool's answer: the schema that is published, and the value shaped to it.

An object answers as itself; any other value is wrapped as ``{"result": value}``.
Functions that return content (`Text`, `Image` ...) have no output schema.
"""

import inspect
import json
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import PydanticUserError, TypeAdapter
from pydantic_core import to_jsonable_python

from packhorse.contract.content import Audio, Embedded, Image, Link, Reply, Text, Verbatim
from packhorse.contract.questions import InputRequired
from packhorse.errors import PackError
from packhorse.schema.checker import Checker
from packhorse.schema.schemas import JsonSchema, is_object, publishable, published

_CONTENT = (Text, Image, Audio, Embedded, Link, Verbatim)
COMPACT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
"""How answers are written: a model pays for blanks."""

MOST_EXACT = 2**53 - 1
"""The largest whole number that every reader of JSON takes exactly (RFC 8259, section 6)."""


class Answers:
    """Shapes one tool's return value into a `Reply` of JSON and content.

    ``schema`` is the published ``outputSchema``, or None where the tool
    answers in content alone.
    """

    def __init__(self, tool: str, annotation: Any, override: Mapping[str, Any] | None = None) -> None:
        self._tool = tool
        self._adapter: TypeAdapter[Any] | None = None
        self._scalar: type[str | int] | None = None
        self._override = override
        data = _data_type(annotation)
        if override is not None:
            if override.get("type") != "object":
                raise PackError(f"tool {tool!r}: its output schema must have type object, as MCP requires")
            _ = self._checker
            return
        if data is None:
            return
        try:
            self._adapter = TypeAdapter(data)
        except PydanticUserError as exc:
            raise self._without_schema(exc) from exc
        self._scalar = data if data in (str, int) else None
        if not publishable(self._adapter.core_schema):
            _ = self._checker  # so that a type without a schema is refused at the start

    @cached_property
    def _checker(self) -> Checker:
        """What is sent is checked by what is published: a model can be changed, or made without its checks."""
        return Checker.of_tool(self._tool, "output", self.schema or {})

    @cached_property
    def schema(self) -> dict[str, Any] | None:
        """Made when it is asked for: most answers are published without it."""
        if self._override is not None:
            return dict(self._override)
        made = self._generated
        if made is None:
            return None
        return published(_wrap(made) if self._wrapped else made, closed=False)

    @cached_property
    def _wrapped(self) -> bool:
        return self._generated is not None and not is_object(self._generated)

    @cached_property
    def _generated(self) -> dict[str, Any] | None:
        if self._adapter is None:
            return None
        try:
            return self._adapter.json_schema(by_alias=True, schema_generator=JsonSchema, mode="serialization")
        except PydanticUserError as exc:
            raise self._without_schema(exc) from exc

    def _without_schema(self, exc: PydanticUserError) -> PackError:
        return PackError(f"tool {self._tool!r}: its return type has no JSON Schema ({exc.message.split('. ')[0]})")

    def shape(self, value: Any) -> Reply[Any]:
        """Content and JSON-ready structured data for ``value``.

        Raises:
            Exception: of any kind, when ``value`` is not what the tool promised (a bug of the pack).
        """
        if isinstance(value, Reply):
            structured, text = self._dump(value.structured)
            content: list[Any] = list(value.content)
            if text is not None and not (value.in_words or (content and isinstance(content[-1], Embedded))):
                content.append(Text(text))
            return Reply(structured, content, value.meta, value.in_words, value.recorded)
        if type(value) is self._scalar and _is_its_own_json(value):
            return Reply({"result": value}, (Text(value if isinstance(value, str) else str(value)),))
        if isinstance(value, str):
            return Reply(self._dump(value)[0], (Text(value),))
        if isinstance(value, _CONTENT):
            return Reply(None, (value,))
        if isinstance(value, Sequence) and value and all(isinstance(item, _CONTENT) for item in value):
            return Reply(None, value)
        structured, text = self._dump(value)
        return Reply(structured, (Text(text if text is not None else _plain(value)),))

    def _dump(self, value: Any) -> tuple[Any, str | None]:
        if self._adapter is None and self._override is None:
            return None, None
        if self._adapter is None:
            dumped = to_jsonable_python(value, by_alias=True)
        else:
            # Only the serializer's check of kinds is not enough: another model's instance comes out as {}.
            checked = self._adapter.validator.validate_python(value)
            dumped = self._adapter.serializer.to_python(checked, mode="json", by_alias=True, warnings="error")
        text = COMPACT.encode(dumped)
        structured = {"result": dumped} if self._wrapped else dumped
        text.encode()  # half a character is no text
        self._checker.validate(structured)
        return structured, text


def _is_its_own_json(value: Any) -> bool:
    """Whether text or a whole number stands in JSON as it is, for every reader (RFC 8259, sections 6 and 8.2)."""
    return value.isascii() if isinstance(value, str) else -MOST_EXACT <= value <= MOST_EXACT


def _data_type(annotation: Any) -> Any:
    """The part of a return annotation that becomes structured data; None when there is none."""
    if annotation is inspect.Signature.empty or annotation is Any:
        return None
    origin = get_origin(annotation)
    if origin is Annotated:
        return _data_type(get_args(annotation)[0])
    if origin is Reply:
        return _data_type(get_args(annotation)[0])
    if annotation is Reply or annotation is InputRequired or annotation in _CONTENT:
        return None
    if origin in (Union, types.UnionType):
        kept = [_data_type(arm) for arm in get_args(annotation) if _has_data(arm)]
        return typing.Union[tuple(kept)] if kept else None  # noqa: UP007 - built at run time
    if origin in (list, tuple, Sequence) and any(not _has_data(arm) for arm in get_args(annotation) if arm is not ...):
        return None
    return annotation


def _has_data(annotation: Any) -> bool:
    return annotation is type(None) or _data_type(annotation) is not None


def _wrap(schema: dict[str, Any]) -> dict[str, Any]:
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    made: dict[str, Any] = {"type": "object", "properties": {"result": inner}, "required": ["result"]}
    if "$defs" in schema:
        made["$defs"] = schema["$defs"]
    return made


def _plain(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
