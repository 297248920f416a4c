"""A programme's document, read strictly: no name that is not known, and no value that would have to be bent to fit."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from cattrs.preconf.json import JsonConverter

from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.errors import invalid

MOST_FAULTS = 20


def programme_from(document: Mapping[str, Any]) -> Programme:
    """The programme of a document that comes from outside.

    Raises:
        UserError: it is none; every fault is told with its place, `MOST_FAULTS` at most.
    """
    from cattrs import BaseValidationError

    from packhorse_scheduling.store.structures import faults

    try:
        return _converter().structure(document, Programme)
    except BaseValidationError as exc:
        rows: Mapping[str, Sequence[int]] = getattr(document, "rows", {})
        found = [_PLACE.sub(lambda place: _counted_from_one(place[1].split("."), rows), line) for line in faults(exc)]
        more = [f"And {len(found) - MOST_FAULTS} more."] if len(found) > MOST_FAULTS else []
        raise invalid("file", "\n".join([*found[:MOST_FAULTS], *more])) from exc
    except (ValueError, TypeError, AttributeError, KeyError) as exc:
        raise invalid("file", "This is not a programme.") from exc


_PLACE = re.compile("^`([^`]*)`")


def _counted_from_one(path: Sequence[str], rows: Mapping[str, Sequence[int]]) -> str:
    """``people.0.name`` as a person counts: people, item 1, name; of a table its file's own row and column."""
    table = path[0]
    told = []
    for before, part in zip(("", *path), path, strict=False):
        if not part.isdigit() or before == "credentials":
            told.append(f"column {part}" if table in rows and before.isdigit() else part)
        elif table in rows and before == table and len(told) == 1:
            told.append(f"row {rows[table][int(part)]}")
        else:
            told.append(f"item {int(part) + 1}")
    return ", ".join(told)


@cache
def _converter() -> "JsonConverter":
    from packhorse_scheduling.store.structures import make_converter

    converter = make_converter()
    converter.forbid_extra_keys = True
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook_func(lambda kind: kind == Mapping[int, int], _by_number)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(bool, _yes_or_no)
    return converter


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which no name stands twice; for ``json.loads``.

    Raises:
        UserError: one does, so that one of its values would be lost.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise invalid("file", f"The name {twice[:40]!r} is in one object twice. Remove one of the two.")
    return found


def _whole(value: Any, _: Any) -> int:
    if not isinstance(value, int | float) or isinstance(value, bool) or int(value) != value:
        raise ValueError
    return int(value)


def _by_number(value: Any, _: Any) -> dict[int, int]:
    """A mapping from whole numbers, as years of training are: keys of a JSON object are text."""
    found = {}
    for key, item in dict(value).items():
        if isinstance(key, str) and not (key.isascii() and key.isdigit()):
            raise ValueError
        found[int(key)] = _whole(item, int)
    return found


def _text(value: Any, _: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _yes_or_no(value: Any, _: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value
