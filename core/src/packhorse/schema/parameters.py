"""Reading a pack's function: which parameters the caller fills, and which the host does."""

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from packhorse.contract.context import Context
from packhorse.contract.questions import Resolve
from packhorse.errors import PackError


@dataclass(frozen=True, slots=True)
class Plain:
    """A parameter that the caller fills. ``default`` is `inspect.Parameter.empty` where it is required."""

    annotation: Any
    default: Any

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Parameters:
    """A function's parameters, sorted by who fills them."""

    context: str | None
    resolved: Mapping[str, Any]
    """Name to the whole annotation, for parameters marked with `Resolve`."""
    plain: Mapping[str, Plain]
    open_ended: bool
    """Whether the function takes any further keyword argument."""
    returns: Any
    """The return annotation; `inspect.Signature.empty` when there is none."""


def parameters_of(fn: Callable[..., Any]) -> Parameters:
    """Sort the parameters of ``fn``.

    Raises:
        PackError: an annotation cannot be evaluated, or a parameter is positional-only or ``*args``.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    target: Any = fn
    while isinstance(target, functools.partial):
        target = target.func
    target = target if inspect.isroutine(target) else type(target).__call__
    try:
        hints = typing.get_type_hints(target, include_extras=True)
        signature = inspect.signature(fn)
    except (NameError, TypeError, ValueError) as exc:
        raise PackError(f"{name}: its annotations cannot be evaluated ({exc})") from exc
    context: str | None = None
    resolved: dict[str, Any] = {}
    plain: dict[str, Plain] = {}
    open_ended = False
    for parameter in signature.parameters.values():
        annotation = hints.get(parameter.name, Any)
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            open_ended = True
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise PackError(f"{name}: callers give arguments by name, and *{parameter.name} has none: make it a list")
        elif parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise PackError(f"{name}: the parameter {parameter.name!r} is positional-only: make it a keyword parameter")
        elif is_context(annotation):
            context = parameter.name
        elif marker_of(annotation) is not None:
            resolved[parameter.name] = annotation
        else:
            plain[parameter.name] = Plain(annotation, parameter.default)
    return Parameters(context, resolved, plain, open_ended, hints.get("return", inspect.Signature.empty))


def is_context(annotation: Any) -> bool:
    """Whether a parameter asks for the `Context` (``Context`` or ``Context | None``)."""
    return annotation is Context or Context in typing.get_args(annotation)


def marker_of(annotation: Any) -> Resolve | None:
    """The `Resolve` in ``Annotated[T, Resolve(fn)]``, or None."""
    if typing.get_origin(annotation) is not Annotated:
        return None
    return next((item for item in typing.get_args(annotation)[1:] if isinstance(item, Resolve)), None)


def is_async(fn: Callable[..., Any]) -> bool:
    """Whether calling ``fn`` gives something to await."""
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004
