"""Every number of every rule, as data, each with the authority it rests on.

CPR is the Common Program Requirements (Residency) of the ACGME, section 6, as
in force since 1 July 2023 (requirement numbers of that edition). How leave is
averaged is in its Frequently Asked Questions: vacation and leave days leave
both the numerator and the denominator. What the CPR does not contain is
never labelled CPR: supervision ratios, a cap on nights in a row (in the 2011
edition, gone since 2017) and six days in a row are an institution's or a
specialty's.
"""

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from packhorse_scheduling.domain.programme.people import Role

Authority = Literal["CPR", "specialty", "institution"]
Severity = Literal["WARNING", "ERROR", "CRITICAL"]


@frozen
class Limit:
    """One number, whose it is, and where it is written."""

    value: int
    authority: Authority
    source: str
    severity: Severity = "ERROR"


def _cpr(value: int, source: str, severity: Severity = "ERROR") -> Limit:
    return Limit(value, "CPR", f"ACGME Common Program Requirements (Residency), {source}", severity)


def _house(value: int, source: str) -> Limit:
    return Limit(value, "institution", source)


@frozen
class RuleSet:
    """The limits that a programme is held to. Hours and days are whole; times are minutes where the name says so."""

    duty_roles: frozenset[Role] = frozenset({"RESIDENT"})
    """To whom the duty-hour limits apply; the CPR speaks of residents."""
    run_roles: frozenset[Role] = frozenset({"RESIDENT", "FACULTY"})
    average_days: int = 28
    weekly_hours: Limit = field(default=_cpr(80, "6.20: at most 80 hours a week, averaged over four weeks"))
    free_days: Limit = field(default=_cpr(4, "6.21.b: one day in seven free, averaged over four weeks"))
    continuous_hours: Limit = field(default=_cpr(24, "6.22: at most 24 hours of continuous scheduled assignments"))
    transition_hours: Limit = field(
        default=_cpr(4, "6.22.a: up to four hours more, for transitions of care and education")
    )
    rest_after_call_hours: Limit = field(
        default=_cpr(14, "6.21.a: at least 14 hours free after 24 hours of in-house call")
    )
    rest_hours: Limit = field(default=_cpr(8, "6.21: should have eight hours off between scheduled periods", "WARNING"))
    call_every: Limit = field(
        default=_cpr(3, "6.27: in-house call at most every third night, averaged over four weeks")
    )
    night_run: Limit = field(
        default=_house(6, "nights in a row; the CPR of 2011 said six, later editions set no number")
    )
    day_run: Limit = field(default=_house(6, "days in a row; stricter than the CPR's average"))
    pause_minutes: Limit = field(default=_house(120, "a pause no longer than this does not end a duty period"))
    resident_units: Mapping[int, int] = field(factory=lambda: {1: 2, 2: 1, 3: 1}, hash=False)
    faculty_units: Limit = field(
        default=_house(
            4,
            "units one faculty member can supervise; a PGY-1 is two units, others one. 1:4 is the Medicare primary care"
            " exception (42 CFR 415.174), 1:2 for PGY-1 is custom; the CPR sets no ratio",
        )
    )
