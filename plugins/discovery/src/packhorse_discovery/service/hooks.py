"""A schema's own Python: ``hooks: "module:object"`` in its document, run only for schemas that the deployer installed.

The object may have ``validate(structure)`` (sentences about what is wrong),
``complete(structure)`` (whether enough is known) and ``question(structure,
text)`` (other words for a question). What fails is logged, told where the
schema is finalised, and otherwise as if it were not there.
"""

import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from attrs import frozen

from packhorse_discovery.domain.interview.structure import Structure, rendered
from packhorse_discovery.domain.schema.eads import Eads

_log = logging.getLogger(__name__)
T = TypeVar("T")


@frozen
class Hooked(Generic[T]):
    """What a hook gave, and what went wrong in it."""

    value: T
    errors: tuple[str, ...] = ()


def validate(eads: Eads, structure: Mapping[str, Any]) -> Hooked[tuple[str, ...]]:
    """What the schema's own check finds wrong."""
    return _run(eads, "validate", (structure,), (), lambda found: tuple(str(one) for one in found))


def complete(eads: Eads, structure: Mapping[str, Any]) -> Hooked[bool]:
    """Whether the schema itself says that enough is known; False where it says nothing."""
    return _run(eads, "complete", (structure,), False, bool)


def question(eads: Eads, structure: Structure, text: str) -> Hooked[str]:
    """The question in the schema's own words, else as it was."""
    return _run(eads, "question", (rendered(structure, eads), text), text, str)


def _run(eads: Eads, name: str, given: tuple[Any, ...], otherwise: T, read: Callable[[Any], T]) -> Hooked[T]:
    if not eads.hooks or eads.origin == "proposed":
        return Hooked(otherwise)
    try:
        hook = getattr(_loaded(eads.hooks), name, None)
        return Hooked(otherwise if hook is None else read(hook(*given)))
    except Exception as exc:
        _log.warning("hook %s of %s failed", name, eads.id, exc_info=True)
        return Hooked(otherwise, (f"the schema's own {name} failed ({type(exc).__name__})",))


@lru_cache(maxsize=64)
def _loaded(reference: str) -> Any:
    module, _, attribute = reference.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found
