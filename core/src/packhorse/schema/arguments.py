"""A tool's arguments: the schema that is published, and the check that refuses what it refuses.

pydantic, in its strict JSON mode, makes the values that the function takes. The
published schema decides: what it refuses and pydantic lets through is refused
too. Every fault is named at once.
"""

import inspect
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PydanticSchemaGenerationError,
    PydanticUserError,
    RootModel,
    TypeAdapter,
    ValidationError,
    create_model,
)

from packhorse.errors import PackError, UserError
from packhorse.schema import faults
from packhorse.schema.checker import Checker
from packhorse.schema.parameters import Parameters, Plain
from packhorse.schema.schemas import JsonSchema, left_out, published

MOST_FAULTS = 1_000
"""Faults of one call that are looked at: a body of a megabyte can hold half a million."""

MOST_LEVELS = 100
"""Of objects and lists in one another: whatever reads them goes down as many steps."""

_PREFIX = "argument_"
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class Arguments:
    """Checks one tool's arguments and turns them into the function's keyword arguments.

    ``schema`` is the published ``inputSchema``.
    """

    def __init__(
        self,
        tool: str,
        parameters: Parameters,
        *,
        override: Mapping[str, Any] | None = None,
        codes: Mapping[str, str] | None = None,
    ) -> None:
        self._codes = dict(codes or {})
        self._whole: str | None = None
        self._names: dict[str, str] = {}
        self._model: type[BaseModel] | None = None
        self._overridden = override is not None
        if override is None:
            self._model = self._model_of(tool, parameters)
            self.schema = published(_schema_of(tool, self._model), closed=True)
            _check_shown(tool, self._model, self.schema)
            self._checker = Checker.of_tool(tool, "input", self.schema)
            return
        self.schema = dict(override)
        self._checker = Checker.of_tool(tool, "input", self.schema)
        if parameters.open_ended:
            return
        only = next(iter(parameters.plain)) if len(parameters.plain) == 1 else None
        if only and parameters.plain[only].annotation in (dict, dict[str, Any], Mapping[str, Any]):
            self._whole = only
            return
        self._model = self._model_of(tool, parameters)
        _check_shown(tool, self._model, self.schema)
        _check_names(tool, self.schema, self._model)

    def _model_of(self, tool: str, parameters: Parameters) -> type[BaseModel]:
        plain = parameters.plain
        if len(plain) == 1:
            name, only = next(iter(plain.items()))
            kind = get_args(only.annotation)[0] if get_origin(only.annotation) is Annotated else only.annotation
            if inspect.isclass(kind) and issubclass(kind, BaseModel) and not issubclass(kind, RootModel):
                self._whole = name
                return kind
        fields: dict[str, Any] = {}
        for name, parameter in plain.items():
            # The prefix keeps an argument called "json" or "copy" from hiding a method of the model.
            self._names[_PREFIX + name] = name
            default = ... if parameter.required else parameter.default
            fields[_PREFIX + name] = (Annotated[parameter.annotation, Field(alias=name)], default)
        config = ConfigDict(arbitrary_types_allowed=False, allow_inf_nan=False)
        try:
            return create_model(f"{tool}_arguments", __config__=config, **fields)
        except PydanticUserError as exc:
            raise PackError(f"tool {tool!r}: {_unfit(plain) or exc.message.splitlines()[0]}") from exc

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The function's keyword arguments.

        Raises:
            UserError: naming every fault of ``arguments``.
        """
        text = _text_of(arguments)
        checked: BaseModel | None = None
        found: list[faults.Fault] = []
        if self._model is not None:
            try:
                checked = _validated(self._model, text)
            except ValidationError as exc:
                found = self._faults(exc)
        asked = self._ask(text)
        if asked:
            found = faults.together(asked, found) if self._overridden else faults.together(found, asked)
        if found:
            raise faults.refusal(found, self._codes)
        if checked is None:
            given: dict[str, Any] = json.loads(text)
            return {self._whole: given} if self._whole else given
        if self._whole:
            return {self._whole: checked}
        return {name: getattr(checked, field) for field, name in self._names.items()}

    def seen(self, bound: Mapping[str, Any]) -> Mapping[str, Any]:
        """What `bind` gave, as JSON by the published names and with the defaults: what is judged is what will run."""
        if self._model is None:
            whole: Mapping[str, Any] = bound[self._whole] if self._whole else bound
            return whole
        if self._whole:
            model: BaseModel = bound[self._whole]
        else:
            model = self._model.model_construct(**{name: bound[name] for name in self._names.values()})
        return model.model_dump(mode="json", by_alias=True, warnings="none")

    def _faults(self, exc: ValidationError) -> list[faults.Fault]:
        errors = exc.errors(include_url=False, include_input=False)
        if errors[0]["type"] == "json_invalid" and not errors[0]["loc"]:
            raise _unreadable() from exc
        return faults.from_pydantic(errors[:MOST_FAULTS], self.schema)

    def _ask(self, text: bytes) -> list[faults.Fault]:
        given = json.loads(text)
        if self._checker.is_valid(given):
            return []
        return faults.from_schema(islice(self._checker.faults(given), MOST_FAULTS), self.schema, given)


def _unfit(plain: Mapping[str, Plain]) -> str | None:
    """Which parameter has a type that no argument can be read into."""
    for name, parameter in plain.items():
        try:
            TypeAdapter(parameter.annotation)
        except PydanticSchemaGenerationError:
            kind = getattr(parameter.annotation, "__name__", parameter.annotation)
            return (
                f"the parameter {name!r} has the type {kind}, which JSON cannot hold: use str, int, float, bool, list,"
                " dict, a dataclass or a pydantic model"
            )
    return None


def _schema_of(tool: str, model: type[BaseModel]) -> dict[str, Any]:
    try:
        return model.model_json_schema(by_alias=True, schema_generator=JsonSchema, mode="validation")
    except PydanticUserError as exc:
        raise PackError(f"tool {tool!r}: an argument has no JSON Schema ({exc.message.splitlines()[0]})") from exc


def _check_shown(tool: str, model: type[BaseModel], schema: Mapping[str, Any]) -> None:
    """Refuse arguments that would not be seen as they are given, by guards and by what keeps answers.

    A field that is left out when it is written down (``exclude``), and a
    secret, which is written as stars and published as ``writeOnly``.
    """
    for field in (*left_out(model.__pydantic_core_schema__), *_secret(schema)):
        raise PackError(
            f"tool {tool!r}: the guards that check a call cannot see the argument {field.removeprefix(_PREFIX)!r}."
            " Give the argument the type str and remove `exclude`: packhorse does not log or record the text of"
            " arguments"
        )


def _secret(schema: Mapping[str, Any]) -> Iterator[str]:
    for part in (schema, *schema.get("$defs", {}).values()):
        for field, declared in part.get("properties", {}).items():
            if '"writeOnly": true' in json.dumps(declared):
                yield field


def _check_names(tool: str, schema: Mapping[str, Any], model: type[BaseModel]) -> None:
    """A schema of the pack's own and its function must speak of the same arguments."""
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    for name in schema.get("properties", {}):
        if name not in fields:
            raise PackError(f"tool {tool!r}: its input schema has {name!r}, which its function does not take")
    for name, field in fields.items():
        if field.is_required() and name not in schema.get("properties", {}):
            raise PackError(f"tool {tool!r}: its function needs {name!r}, which its input schema does not have")


def _text_of(arguments: Mapping[str, Any]) -> bytes:
    try:
        text = _JSON.encode(dict(arguments)).encode()
    except (TypeError, ValueError, RecursionError) as exc:
        raise _unreadable() from exc
    if text.count(b"[") + text.count(b"{") > MOST_LEVELS and _is_deeper(arguments):
        raise _unreadable()
    return text


def _is_deeper(arguments: Mapping[str, Any]) -> bool:
    """Whether there are more than `MOST_LEVELS` of objects and lists in one another."""
    level: list[Any] = [arguments]
    for _ in range(MOST_LEVELS):
        inside = [value.values() if isinstance(value, Mapping) else value for value in level]
        level = [value for values in inside for value in values if isinstance(value, Mapping | list | tuple)]
    return bool(level)


def _unreadable() -> UserError:
    return UserError(
        "The arguments are not valid JSON: send plain Unicode text and finite numbers (no NaN, no infinity),"
        " nested at most a hundred levels deep.",
        code=faults.INVALID_ARGUMENTS,
    )


def _validated(model: type[BaseModel], text: bytes) -> BaseModel:
    validator = model.__pydantic_validator__
    checked: BaseModel
    try:
        checked = validator.validate_json(text, strict=True, extra="forbid", by_alias=True, by_name=False)
    except ValidationError:
        # JSON Schema counts 8.0 as an integer, and pydantic does not.
        again = json.dumps(_integral(json.loads(text)), ensure_ascii=False).encode()
        if again == text:
            raise
        checked = validator.validate_json(again, strict=True, extra="forbid", by_alias=True, by_name=False)
    return checked


def _integral(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _integral(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_integral(item) for item in value]
    return value
