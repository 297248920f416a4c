"""Between JSON-shaped data and domain classes: the types that JSON lacks, and errors in words.

Strictness is not made here: ``"8"`` becomes 8. What comes from a caller has
passed pydantic first, and reaches this through ``model_dump(mode="json")``.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin
from zoneinfo import ZoneInfo

from cattrs import ForbiddenExtraKeysError, transform_error
from cattrs.preconf.json import JsonConverter
from cattrs.preconf.json import make_converter as make_json_converter

# ISO 8601-1:2019, 5.5.2, with the leading sign of ISO 8601-2. No months, whose length is anybody's guess. A year is
# 365 days because pydantic writes timedeltas of 365 days and more so, and its text is what arrives here.
_DURATION = re.compile(
    r"(?P<sign>[+-])?P(?=.)(?:(?P<years>\d+)Y)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)(?:[.,](?P<fraction>\d{1,6}))?S)?)?",
    re.ASCII,
)
_YEAR_DAYS = 365

_LONGEST_WORDS = 200
_START = "\x1f"  # where a path starts in a line of cattrs' own

_PLAIN_TYPES: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
    str: "text",
    bytes: "bytes in base 85",
}


class _UnfitError(ValueError):
    """Not of the kind it must be; the message says which, after the place."""


def make_converter() -> JsonConverter:
    """A converter of JSON-shaped data: cattrs' own for JSON, and the types that it does not know.

    * `datetime` is an instant: ISO 8601 in UTC, ending in Z; one without an offset is refused in both directions;
    * `date` and `time` are ISO 8601 (a time keeps its offset, where it has one);
    * `timedelta` is an ISO 8601 duration of days, hours, minutes and seconds, such as ``PT1H30M``;
    * `ZoneInfo` is the name of its zone.

    Each call makes a new one, to which a pack may teach its own types.
    """
    converter = make_json_converter()
    for kind, write, read in (
        (datetime, _instant_text, _instant),
        (date, date.isoformat, _date),
        (time, time.isoformat, _time),
        (timedelta, _duration_text, _duration),
        (ZoneInfo, _zone_name, _zone),
    ):
        converter.register_unstructure_hook(kind, write)
        converter.register_structure_hook(kind, read)
    return converter


def faults(exc: BaseException) -> list[str]:
    """What was wrong, a sentence for each fault, with its place: ``"`legs.0.hours` must be a number."``.

    A validator's own words are kept. ``exc`` is what ``structure`` raised; where
    it is no fault of the data (a type that the converter was never taught), it
    is raised again.
    """
    return [_sentence(line) for line in transform_error(exc, path=_START, format_exception=_words)]


def _sentence(line: str) -> str:
    words, _, place = line.rpartition(f" @ {_START}")
    path = ".".join(_part(part) for part in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]|\[(.*?)\](?=[.\[]|$)", place))
    if words.startswith(": "):
        return f"`{path}`{words}" if path else words.removeprefix(": ")
    return f"`{path}`{words}" if path else f"The data{words}"


def _part(found: Sequence[str]) -> str:
    name, index, key = found
    text = name or index or key.strip("'\"")
    return text if len(text) <= 32 else text[:31] + "…"


def _words(exc: BaseException, kind: Any) -> str:
    """What to say after the place: a validator's words after a colon, ours without."""
    if isinstance(exc, KeyError):
        return " is required."
    if isinstance(exc, ForbiddenExtraKeysError):
        names = ", ".join(f"`{_part((name, '', ''))}`" for name in sorted(exc.extra_fields))
        return f" has names that are not known here: {names}."
    if isinstance(exc, AttributeError) and "'items'" in str(exc):
        return " must be an object."
    if get_origin(kind) is Literal:
        return f" must be one of: {', '.join(str(choice) for choice in get_args(kind))}."
    if not isinstance(exc, ValueError | TypeError):
        raise exc
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f" must be one of: {', '.join(str(member.value) for member in kind)}."
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if all(one in _PLAIN_TYPES for one in kinds):
        return f" must be {' or '.join(_PLAIN_TYPES[one] for one in kinds)}."
    if isinstance(exc, _UnfitError):
        return f" {exc}."
    said = exc.args[0] if exc.args and isinstance(exc.args[0], str) else ""
    if isinstance(exc, TypeError) and said.endswith("object is not iterable"):
        return " must be a list."
    if isinstance(exc, TypeError) and said.startswith("argument of type"):
        return " must be an object."
    if isinstance(exc, TypeError) and ("indices must be" in said or "not subscriptable" in said):
        return " belongs to something that must be an object."
    said = said if len(said) <= _LONGEST_WORDS else said[: _LONGEST_WORDS - 1] + "…"
    return f": {said}" if said else " is not valid."


def _instant_text(value: datetime) -> str:
    if value.utcoffset() is None:
        raise ValueError("an instant without an offset cannot be written: give it a time zone")
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _instant(text: Any, _: Any) -> datetime:
    wanted = "must be an instant with its offset, such as 2026-01-31T08:00:00Z"
    try:
        value = datetime.fromisoformat(text)
        if value.utcoffset() is not None:
            return value.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as exc:
        raise _UnfitError(wanted) from exc
    raise _UnfitError(wanted)


def _date(text: Any, _: Any) -> date:
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError) as exc:
        raise _UnfitError("must be a date, such as 2026-01-31") from exc


def _time(text: Any, _: Any) -> time:
    try:
        return time.fromisoformat(text)
    except (TypeError, ValueError) as exc:
        raise _UnfitError("must be a time of day, such as 08:30:00") from exc


def _duration_text(value: timedelta) -> str:
    sign, value = ("-", -value) if value < timedelta() else ("", value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    day = f"{value.days}D" if value.days else ""
    clock = (
        (f"{hours}H" if hours else "")
        + (f"{minutes}M" if minutes else "")
        + (f"{seconds}{fraction}S" if seconds or fraction else "")
    )
    return f"{sign}P{day}" + (f"T{clock}" if clock else "") if day or clock else "PT0S"


def _duration(text: Any, _: Any) -> timedelta:
    wanted = "must be a duration in ISO 8601, such as PT1H30M or P2D"
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise _UnfitError(wanted)
    given = match.groupdict(default="0")
    try:
        value = timedelta(
            days=int(given["years"]) * _YEAR_DAYS + int(given["days"]),
            weeks=int(given["weeks"]),
            hours=int(given["hours"]),
            minutes=int(given["minutes"]),
            seconds=int(given["seconds"]),
            microseconds=int(given["fraction"].ljust(6, "0")),
        )
        return -value if given["sign"] == "-" else value
    except (ValueError, OverflowError) as exc:
        raise _UnfitError(wanted) from exc


def _zone_name(zone: ZoneInfo) -> str:
    if zone.key is None:
        raise ValueError("a time zone without a name cannot be written")
    return zone.key


def _zone(name: Any, _: Any) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, TypeError, ValueError, OSError) as exc:  # ZoneInfoNotFoundError is a KeyError
        raise _UnfitError("must be the name of a time zone, such as Europe/Paris") from exc
