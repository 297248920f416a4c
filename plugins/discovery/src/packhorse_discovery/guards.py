"""The door of every tool and page that is about a project: only whose it is comes through."""

import inspect
import typing
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from packhorse import Context

if TYPE_CHECKING:
    from packhorse_discovery.service.owners import Owners


def owned(owners_of: "Callable[[], Owners]", fn: Callable[..., Any], *, to_erase: bool = False) -> Callable[..., Any]:
    """``fn`` on the caller's own and shared projects alone; it gets the key of the one that was named."""
    signature = inspect.signature(fn)
    hints = typing.get_type_hints(fn, include_extras=True)
    passes = "context" in signature.parameters

    @wraps(fn)
    def door(*, context: Context, **arguments: Any) -> Any:
        from packhorse_discovery.service.owners import Caller

        owners, caller = owners_of(), Caller.of(context.principal)
        project = arguments.get("project_id")
        if project is not None:
            arguments["project_id"] = owners.key(caller, project, to_erase=to_erase)
        around = arguments.get("project_context")
        if around and around.get("project_id"):
            arguments["project_context"] = {**around, "project_id": owners.key(caller, str(around["project_id"]))}
        return fn(**arguments, **({"context": context} if passes else {}))

    taken = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in signature.parameters.values()]
    if not passes:
        taken.append(inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=Context))
    door.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
    door.__annotations__ = {**hints, "context": Context}
    return door
