"""Text values of a URI, a query, a form or a prompt, as the arguments of a function."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from packhorse.door.catalogue import PromptEntry, ResourceEntry, RouteEntry
from packhorse.door.execution import Requester, bug
from packhorse.errors import INVALID_PARAMS, RequestError


def converted(
    request: Requester,
    entry: ResourceEntry | PromptEntry | RouteEntry,
    values: Mapping[str, Any],
    missing: Callable[[], RequestError] | None = None,
) -> dict[str, Any]:
    """Text values as the function's own types.

    Raises:
        RequestError: one is not of its type; ``missing`` makes another error of that.
    """
    bound: dict[str, Any] = {}
    for key, value in values.items():
        parameter = entry.parameters.plain.get(key)
        if parameter is None:
            continue
        if parameter.annotation in (str, Any):
            bound[key] = value
            continue
        try:
            bound[key] = TypeAdapter(parameter.annotation).validate_python(value)
        except ValidationError as exc:
            if missing is not None:
                raise missing() from exc
            wrong = f"`{key}` is not of the required type."
            raise RequestError(INVALID_PARAMS, "invalid_arguments", wrong) from exc
        except Exception as exc:
            # A type or validator of the pack's own may raise anything.
            raise bug(request.id, entry, "could not check its arguments") from exc
    return bound


def check_prompt_arguments(entry: PromptEntry, arguments: Mapping[str, str]) -> None:
    """Let a prompt's own arguments pass.

    Raises:
        RequestError: one is unknown or missing.
    """
    plain = entry.parameters.plain
    unknown = [key for key in arguments if key not in plain]
    missing = [key for key, parameter in plain.items() if parameter.required and key not in arguments]
    if unknown or missing:
        known = ", ".join(f"`{key}`" for key in plain) or "none"
        faults = [f"`{key}` is required." for key in missing] + ["One argument is unknown."] * bool(unknown)
        raise RequestError(INVALID_PARAMS, "invalid_arguments", f"{' '.join(faults)} This prompt's arguments: {known}.")
