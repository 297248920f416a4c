"""A programme's document, read strictly: no name that is not known, and no value that would have to be bent to fit."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from packhorse_scheduling.domain.programme import Programme
from packhorse_scheduling.errors import invalid

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter

MOST_FAULTS = 20


def programme_from(document: Mapping[str, Any]) -> Programme:
    """The programme of a document that comes from outside.

    Raises:
        UserError: it is none; every fault is told with its place, `MOST_FAULTS` at most.
    """
    from cattrs import BaseValidationError

    from packhorse.convert import faults

    try:
        return _converter().structure(document, Programme)
    except BaseValidationError as exc:
        found = faults(exc)
        more = [f"And {len(found) - MOST_FAULTS} more."] if len(found) > MOST_FAULTS else []
        raise invalid("file", "\n".join([*found[:MOST_FAULTS], *more])) from exc
    except (ValueError, TypeError, AttributeError, KeyError) as exc:
        raise invalid("file", "This is no document of a programme.") from exc


@cache
def _converter() -> "JsonConverter":
    from packhorse.convert import make_converter

    converter = make_converter()
    converter.forbid_extra_keys = True
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(bool, _yes_or_no)
    return converter


def _whole(value: Any, _: Any) -> int:
    # Keys of a JSON object are text, those of years of training too.
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _text(value: Any, _: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _yes_or_no(value: Any, _: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value
