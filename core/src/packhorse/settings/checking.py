"""What is wrong with a table, in words."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from packhorse.errors import PackError
from packhorse.nearest import did_you_mean

M = TypeVar("M", bound=BaseModel)


def checked(model: type[M], values: Mapping[str, Any], where: str, variables: Mapping[str, str] | None = None) -> M:
    """A table as its model has it.

    Raises:
        PackError: naming where it came from and each key that is wrong.
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as exc:
        # Without the cause: it shows the values, and one may be a secret.
        raise PackError(f"{where}: " + "; ".join(problems(exc, model, variables))) from None


def problems(exc: ValidationError, model: type[BaseModel], variables: Mapping[str, str] | None = None) -> list[str]:
    """What is wrong with a settings table, a line each, without repeating values (one may be a secret).

    ``variables`` are the keys that came from the environment, and from which variable.
    """
    lines = []
    for error in exc.errors(include_url=False, include_input=False):
        key = ".".join(str(part) for part in error["loc"])
        source = (variables or {}).get(str(error["loc"][0])) if error["loc"] else None
        named = f"{key} (from {source})" if source else key or "the table"
        if error["type"] == "extra_forbidden":
            near = did_you_mean(str(error["loc"][-1]), model.model_fields)
            listed = ", ".join(sorted(model.model_fields))
            lines.append(f"unknown key {key!r}" + (f".{near}" if near else f"; known are {listed}"))
        else:
            lines.append(f"{named}: {error['msg'].removeprefix('Value error, ')}")
    return lines
