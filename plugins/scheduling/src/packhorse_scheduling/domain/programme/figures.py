"""Figures of the ledger: what people had of nights, weekends, holidays and sick calls, up to a day."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Literal, get_args

from attrs import frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.programme import Programme

FigureKind = Literal["night", "weekend", "holiday", "sick_call_owed", "sick_call_paid"]
FIGURE_KINDS: tuple[FigureKind, ...] = get_args(FigureKind)
MOST_A_YEAR = 732
"""Half-days of a leap year: no figure of one year is larger."""


@frozen
class Figure:
    """So many nights, weekends or holidays of one person up to a day, or half-days of sick call.

    ``expected`` is what an equal share would have been; None: the mean of all
    figures of that kind and day. Somebody sick owes the half-days that others
    took over, and who took them over has paid as many.
    """

    person: str
    kind: FigureKind
    amount: int
    until: date
    expected: int | None = None


def figure_faults(programme: "Programme") -> Iterator[str]:
    """Figures of people or days that are not before the programme, too large, or twice; a sentence each."""
    seen: set[tuple[str, str, date]] = set()
    for row in programme.ledger:
        where = f"The ledger's {row.kind} of {row.person[:40]!r} until {row.until}"
        if row.until >= programme.year.start:
            yield f"{where} is not before the programme's first day; what is worked since is counted."
        if not 0 <= row.amount <= MOST_A_YEAR or not 0 <= (row.expected or 0) <= MOST_A_YEAR:
            yield f"{where}: amounts are from 0 to {MOST_A_YEAR}."
        if (row.person, row.kind, row.until) in seen:
            yield f"{where} stands twice."
        seen.add((row.person, row.kind, row.until))
