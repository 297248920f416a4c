"""One row of a source's file into a record, or the reason why not. A reason never repeats what the row says."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime

from attrs import frozen

from packhorse_locator.domain.alien_numbers import canonical, is_possible
from packhorse_locator.domain.people import MISSING_NAMES, Detainee, is_surely_adult, key_of
from packhorse_locator.domain.plain import shown

REQUIRED = ("record_id", "first_name", "last_name")
COLUMNS = (
    *REQUIRED,
    "middle_name",
    "country_of_birth",
    "birth_year",
    "date_of_birth",
    "alien_number",
    "booking_date",
    "status",
    "facility_id",
    "transfer_date",
    "transfer_reason",
)
"""What a file may have; the first three it must. A date of birth is read for its year and not kept."""

LONGEST_NAME = 100
LONGEST_TEXT = 60
OLDEST_BIRTH = 1900
UNKNOWN_STATUS = "UNKNOWN"

_RECORD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_FACILITY_ID = re.compile(r"[A-Z0-9]{3,10}")
_STATUS = re.compile(r"[A-Z][A-Z_]{1,39}")
_US_DATE = "%m/%d/%Y"


class RowRejectedError(ValueError):
    """Why a row is not taken. Its words hold column names and limits, and nothing of the row."""


class UnderageError(RowRejectedError):
    """A person who may be under 18 is not kept, and is dropped where an earlier file had them."""


@frozen
class Row:
    """A row that was taken: the record, and the transfer that the row itself dates."""

    person: Detainee
    moved: date | None
    move_reason: str | None


def row_from(fields: Mapping[str, object], *, source: str, as_of: date, today: date, keep_undated: bool = False) -> Row:
    """The record of one row, whose names are those of ``COLUMNS``; without a year of birth only if ``keep_undated``.

    Raises:
        RowRejectedError: with the first reason found.
    """
    text = {name: _text(fields.get(name)) for name in COLUMNS}
    record_id = text["record_id"]
    if not _RECORD_ID.fullmatch(record_id):
        raise RowRejectedError("record_id must be 1 to 64 letters, digits, '.', '_', ':' or '-'")
    names = {name: _name(name, text[name]) for name in ("first_name", "middle_name", "last_name")}
    if not any(_is_name(names[name]) for name in ("first_name", "last_name")):
        raise RowRejectedError("first_name and last_name are both empty")
    birth_year = _birth_year(text["birth_year"], text["date_of_birth"], today)
    if birth_year is None and not keep_undated:
        raise UnderageError("the person has no year of birth, so may be under 18")
    if birth_year is not None and not is_surely_adult(birth_year, today):
        raise UnderageError("the person may be under 18")
    booked = _date("booking_date", text["booking_date"], today)
    person = Detainee(
        key=key_of(source, record_id),
        source=source,
        record_id=record_id,
        first=names["first_name"],
        middle=names["middle_name"],
        last=names["last_name"],
        country=_short("country_of_birth", text["country_of_birth"]) or None,
        birth_year=birth_year,
        alien_number=_number(text["alien_number"]),
        booked=booked,
        status=_status(text["status"]),
        facility_id=_facility_id(text["facility_id"]),
        as_of=as_of,
    )
    moved = _date("transfer_date", text["transfer_date"], today)
    return Row(person, moved, _short("transfer_reason", text["transfer_reason"]) or None)


def _text(value: object) -> str:
    if value is None:
        return ""
    return shown(str(value)).strip()


def _is_name(text: str) -> bool:
    return text.upper() not in MISSING_NAMES and any(character.isalpha() for character in text)


def _name(column: str, text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise RowRejectedError(f"{column} has more than {LONGEST_NAME} characters")
    return text


def _short(column: str, text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise RowRejectedError(f"{column} has more than {LONGEST_TEXT} characters")
    return text


def _number(text: str) -> str | None:
    if not text:
        return None
    number = canonical(text)
    if number is None:
        raise RowRejectedError("alien_number must have 7 to 9 digits, with or without an A")
    if not is_possible(number):
        raise RowRejectedError("alien_number is below the first that was ever issued, A001000000")
    return number


def _birth_year(year: str, born: str, today: date) -> int | None:
    if year:
        if not re.fullmatch(r"[0-9]{4}(\.0)?", year):
            raise RowRejectedError("birth_year must be four digits")
        found = int(year[:4])
    elif born:
        when = _date("date_of_birth", born, today)
        if when is None:
            return None
        found = when.year
    else:
        return None
    if not OLDEST_BIRTH <= found <= today.year:
        raise RowRejectedError(f"the year of birth must be {OLDEST_BIRTH} to {today.year}")
    return found


def _date(column: str, text: str, today: date) -> date | None:
    if not text:
        return None
    found = _parsed(text)
    if found is None:
        raise RowRejectedError(f"{column} must be a date such as 2026-01-31 or 1/31/2026")
    if found.year > today.year + 1:
        raise RowRejectedError(f"{column} lies more than a year ahead")
    return found


def _parsed(text: str) -> date | None:
    plain = unicodedata.normalize("NFKC", text)
    try:
        return date.fromisoformat(plain[:10]) if "-" in plain else datetime.strptime(plain, _US_DATE).date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def _status(text: str) -> str:
    if not text:
        return UNKNOWN_STATUS
    status = re.sub(r"[\s-]+", "_", text.upper())
    if not _STATUS.fullmatch(status):
        raise RowRejectedError("status must be one or a few words, such as IN_CUSTODY")
    return status


def _facility_id(text: str) -> str | None:
    if not text:
        return None
    code = text.upper()
    if not _FACILITY_ID.fullmatch(code):
        raise RowRejectedError("facility_id must be 3 to 10 letters and digits")
    return code
