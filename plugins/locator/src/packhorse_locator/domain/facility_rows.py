"""One row of a facility list into a facility. What is not known is left out, never guessed."""

import hashlib
import re
from collections.abc import Mapping

from packhorse_locator.domain.facilities import STATES, Facility, Figure
from packhorse_locator.domain.facility_names import fold
from packhorse_locator.domain.person_rows import RowRejectedError
from packhorse_locator.domain.plain import shown

REQUIRED = ("name",)
COLUMNS = (
    "facility_id",
    "name",
    "aliases",
    "address",
    "city",
    "state",
    "zip",
    "operator",
    "facility_kind",
    "field_office",
    "capacity_2017",
    "adp_fy26",
    "adp_as_of",
    "phone",
    "status",
)
"""What a facility list may have: the columns of the shared list that an answer uses."""

CAPACITY_OF = "beds or contract capacity, FOIA-derived list of November 2017"
CAPACITY_AS_OF = "2017"
POPULATION_OF = "average daily population of the fiscal year so far"

LONGEST = 120

_OFFICIAL_ID = re.compile(r"[A-Z0-9]{3,10}")
_ZIP = re.compile(r"[0-9]{5}(-[0-9]{4})?")
_NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}-[0-9]{2})?")


def facility_from(fields: Mapping[str, object], *, as_of: str) -> Facility:
    """The facility of one row, whose names are those of ``COLUMNS``.

    Raises:
        RowRejectedError: with the first reason found.
    """
    text = {name: shown(str(fields.get(name) or "")) for name in COLUMNS}
    too_long = [name for name in COLUMNS if name != "aliases" and len(text[name]) > LONGEST]
    if too_long:
        raise RowRejectedError(f"{too_long[0]} has more than {LONGEST} characters")
    if not fold(text["name"]):
        raise RowRejectedError("name has no letters")
    code = text["facility_id"].upper()
    if code and not _OFFICIAL_ID.fullmatch(code):
        raise RowRejectedError("facility_id must be 3 to 10 letters and digits, or empty")
    state = text["state"].upper()
    if state and state not in STATES:
        raise RowRejectedError("state must be a two-letter code of the postal service, or empty")
    if text["zip"] and not _ZIP.fullmatch(text["zip"]):
        raise RowRejectedError("zip must be five digits, or five and four, or empty")
    return Facility(
        key=code or _own_key(text),
        official_id=code or None,
        name=text["name"],
        aliases=tuple(part.strip() for part in text["aliases"].split("|") if fold(part)),
        kind=text["facility_kind"] or "unknown",
        street=text["address"] or None,
        city=text["city"] or None,
        state=state or None,
        zip_code=text["zip"] or None,
        operator=text["operator"] or None,
        field_office=text["field_office"] or None,
        phone=text["phone"] or None,
        capacity=_figure("capacity_2017", text["capacity_2017"], CAPACITY_OF, CAPACITY_AS_OF),
        population=_population(text),
        status=text["status"] or None,
        as_of=as_of,
    )


def _own_key(text: Mapping[str, str]) -> str:
    """A key for a facility without an official code: the same for the same name and place, and no official code."""
    place = "|".join((fold(text["name"]), text["state"], text["zip"]))
    return "own:" + hashlib.sha256(place.encode()).hexdigest()[:12]


def _population(text: Mapping[str, str]) -> Figure | None:
    if not text["adp_fy26"]:
        return None
    if not _DATE.fullmatch(text["adp_as_of"]):
        raise RowRejectedError("adp_fy26 needs adp_as_of: a figure without its date is not kept")
    return _figure("adp_fy26", text["adp_fy26"], POPULATION_OF, text["adp_as_of"])


def _figure(column: str, text: str, of: str, as_of: str) -> Figure | None:
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise RowRejectedError(f"{column} must be a number, or empty")
    return Figure(float(text), of, as_of)
