"""A tool's arguments: the schema that is published, and the check that refuses what it refuses.

Validation is pydantic's strict JSON mode: ``"8"`` is not an integer, unknown
names are refused at every depth, and every fault is named at once.
"""

import inspect
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError, create_model

from packhorse import faults
from packhorse.errors import PackError, UserError
from packhorse.parameters import Parameters
from packhorse.schemas import published

_PREFIX = "argument_"


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
        self._validator: Any = None
        plain = parameters.plain
        if override is not None:
            from jsonschema import Draft202012Validator
            from jsonschema.exceptions import SchemaError

            try:
                Draft202012Validator.check_schema(dict(override))
            except SchemaError as exc:
                raise PackError(
                    f"tool {tool!r}: its input_schema is no valid JSON Schema 2020-12: {exc.message}"
                ) from exc
            self._validator = Draft202012Validator(dict(override))
            self.schema = dict(override)
            if parameters.open_ended:
                return
            if len(plain) == 1 and next(iter(plain.values())).annotation in (dict, dict[str, Any], Mapping[str, Any]):
                self._whole = next(iter(plain))
                return
        self._model = self._model_of(tool, parameters)
        if override is None:
            self.schema = published(self._schema_of(tool, self._model), closed=True)

    def _model_of(self, tool: str, parameters: Parameters) -> type[BaseModel]:
        plain = parameters.plain
        if len(plain) == 1:
            name, only = next(iter(plain.items()))
            if inspect.isclass(only.annotation) and issubclass(only.annotation, BaseModel):
                self._whole = name
                return only.annotation
        fields: dict[str, Any] = {}
        for name, parameter in plain.items():
            # The prefix keeps an argument called "json" or "copy" from hiding a method of the model.
            self._names[_PREFIX + name] = name
            default = ... if parameter.required else parameter.default
            fields[_PREFIX + name] = (Annotated[parameter.annotation, Field(alias=name)], default)
        try:
            return create_model(f"{tool}_arguments", __config__=ConfigDict(arbitrary_types_allowed=False), **fields)
        except PydanticUserError as exc:
            raise PackError(f"tool {tool!r}: {exc.message.splitlines()[0]}") from exc

    @staticmethod
    def _schema_of(tool: str, model: type[BaseModel]) -> dict[str, Any]:
        try:
            return model.model_json_schema(by_alias=True, mode="validation")
        except PydanticUserError as exc:
            raise PackError(f"tool {tool!r}: an argument has no JSON Schema ({exc.message.splitlines()[0]})") from exc

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The function's keyword arguments.

        Raises:
            UserError: naming every fault of ``arguments``.
        """
        if self._validator is not None:
            found = faults.from_jsonschema(self._validator.iter_errors(arguments), self.schema)
            if found:
                raise faults.refusal(found, self._codes)
        if self._model is None:
            return {self._whole: dict(arguments)} if self._whole else dict(arguments)
        checked = self._check(self._model, arguments)
        if self._whole:
            return {self._whole: checked}
        return {name: getattr(checked, field) for field, name in self._names.items()}

    def _check(self, model: type[BaseModel], arguments: Mapping[str, Any]) -> BaseModel:
        try:
            text = json.dumps(arguments, allow_nan=False)
        except (ValueError, RecursionError) as exc:
            raise UserError(
                "The arguments are not JSON that can be read: no NaN, no infinity, no nesting beyond a few hundred.",
                code=faults.INVALID_ARGUMENTS,
            ) from exc
        try:
            return model.__pydantic_validator__.validate_json(text, strict=True, extra="forbid")  # type: ignore[no-any-return]
        except ValidationError as exc:
            whole = _integral(arguments)
            if whole != arguments or json.dumps(whole) != text:
                try:
                    return model.__pydantic_validator__.validate_json(  # type: ignore[no-any-return]
                        json.dumps(whole), strict=True, extra="forbid"
                    )
                except ValidationError as again:
                    raise self._refusal(again) from again
            raise self._refusal(exc) from exc

    def _refusal(self, exc: ValidationError) -> UserError:
        errors = exc.errors(include_url=False, include_input=False)
        if errors[0]["type"] == "json_invalid":
            return UserError(
                "The arguments hold text that is not Unicode, or nest too deeply: send plain text.",
                code=faults.INVALID_ARGUMENTS,
            )
        return faults.refusal(faults.from_pydantic(errors, self.schema), self._codes)


def _integral(value: Any) -> Any:
    """``8.0`` as ``8``, at every depth: JSON Schema counts both as integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _integral(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_integral(item) for item in value]
    return value
