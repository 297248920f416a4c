"""What is wrong with a table, in words."""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean

M = TypeVar("M", bound=BaseModel)

FEW = 12
"""Keys that an error lists; of more it points at the page."""

_WORDS = {
    "missing": "is required",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be text in quotes",
    "path_type": "must be a path in quotes",
    "literal_error": "must be one of: {expected}",
    "less_than_equal": "must be at most {le}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "greater_than": "must be above {gt}",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "tuple_type": 'write a list, as in ["one", "two"]',
    "dict_type": "write a table: a line for each name, with what it is given",
    "mapping_type": "write a table: a line for each name, with what it is given",
}
"""In the place of pydantic's words, which name Python's types."""

_QUOTED = re.compile(r"[^A-Za-z0-9_-]")

PAGE = "docs/reference/settings.md"


def checked(
    model: type[M],
    values: Mapping[str, Any],
    where: str,
    variables: Mapping[str, str] | None = None,
    tables: Mapping[str, type[BaseModel]] | None = None,
) -> M:
    """A table as its model has it. ``tables`` are all tables, by name: a key may belong to another one.

    Raises:
        PackError: naming where it came from and each key that is wrong.
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as exc:
        # Without the cause: it shows the values, and one may be a secret.
        raise PackError(f"{where}: " + "; ".join(problems(exc, model, variables, tables))) from None


def problems(
    exc: ValidationError,
    model: type[BaseModel],
    variables: Mapping[str, str] | None = None,
    tables: Mapping[str, type[BaseModel]] | None = None,
) -> list[str]:
    """What is wrong with a settings table, a line each, without repeating values (one may be a secret).

    ``variables`` are the keys that came from the environment, and from which variable.
    """
    lines = []
    for error in exc.errors(include_url=False, include_input=False):
        key = ".".join(_written(part) for part in error["loc"])
        source = (variables or {}).get(str(error["loc"][0])) if error["loc"] else None
        named = f"{key} (from {source})" if source else key or "the table"
        if error["type"] == "extra_forbidden":
            *path, last = error["loc"]
            lines.append(f"unknown key {key!r}{instead(str(last), _model_at(model, path), tables or {})}")
        else:
            words = _WORDS.get(error["type"], "").format(**error.get("ctx", {}))
            words = words or error["msg"].removeprefix("Value error, ")
            lines.append(f"{named}{'' if words.startswith(('must ', 'is ')) else ':'} {words}")
    return lines


def _written(part: int | str) -> str:
    """A part of a key as TOML has it."""
    text = str(part)
    return json.dumps(text, ensure_ascii=False) if _QUOTED.search(text) else text


def instead(key: str, model: type[BaseModel], tables: Mapping[str, type[BaseModel]]) -> str:
    """What to write in the place of an unknown key: a near one, its own table, one with a word in common."""
    known = sorted(model.model_fields)
    if near := did_you_mean(key, known):
        return f".{near}"
    for name, other in tables.items():
        if key in other.model_fields:
            return f". It is a key of [{name}]"
    if len(known) <= FEW:
        return f". Known keys: {', '.join(known)}"
    words = set(key.split("_"))
    akin = [one for one in known if words & set(one.split("_"))]
    return f". Similar keys: {', '.join(akin)}. {PAGE} lists all" if akin else f". {PAGE} lists the keys"


def _model_at(model: type[BaseModel], path: list[int | str]) -> type[BaseModel]:
    """The model of a table inside ``model``: at ("issuers", 0) that of one issuer."""
    for part in path:
        field = model.model_fields.get(str(part))
        inner = [kind for kind in get_args(field.annotation) if _is_model(kind)] if field else []
        model = inner[0] if inner else model
    return model


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
