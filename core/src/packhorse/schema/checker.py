"""Asking a JSON Schema itself what it refuses."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from jsonschema_rs import Draft202012Validator, ValidationError

from packhorse.errors import PackError


class Checker:
    """Checks values against one schema of the draft 2020-12. It fetches nothing, and asserts no ``format``.

    Raises:
        ValueError: saying what is wrong with the schema, a reference or a pattern in it.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        try:
            self._validator = Draft202012Validator(dict(schema), validate_formats=False, offline=True)
        except ValidationError as exc:
            raise ValueError(_wrong(exc)) from exc

    @classmethod
    def of_tool(cls, tool: str, which: Literal["input", "output"], schema: Mapping[str, Any]) -> Self:
        """That of a tool's schema.

        Raises:
            PackError: the schema cannot be used.
        """
        try:
            return cls(schema)
        except ValueError as exc:
            raise PackError(f"tool {tool!r}: its {which} schema cannot be used: {exc}") from exc

    def faults(self, value: Any) -> Iterator[ValidationError]:
        return iter(self._validator.iter_errors(value))

    def is_valid(self, value: Any) -> bool:
        return self._validator.is_valid(value)

    def validate(self, value: Any) -> None:
        self._validator.validate(value)


def _wrong(exc: ValidationError) -> str:
    """What is wrong with a schema."""
    while branches := [branch for branch in getattr(exc.kind, "context", ()) if branch]:
        exc = branches[0][0]
    if exc.kind.name == "$ref":
        return f"a reference in it leads nowhere: {exc.message}"
    if exc.kind.name == "format":
        return f"its pattern {exc.instance!r} cannot be read"
    place = "".join(f"/{part}" for part in exc.instance_path)
    return f"it is not a valid JSON Schema 2020-12{f', at {place}' if place else ''}: {exc.message}"
