"""The academic year in half-days, and stable ids.

A block is half a calendar day: AM is 00:00 to 12:00, PM is 12:00 to 24:00. A
year of 365 days has 730 of them, one of 366 has 732.
"""

import re
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal
from uuid import UUID, uuid5

from attrs import define, field, frozen

Session = Literal["AM", "PM"]
SESSIONS: tuple[Session, Session] = ("AM", "PM")
HALF_DAY = 720
"""Minutes in a block."""
DAY = 1440
FIRST_MONTH = 6
"""An academic year begins in June at the earliest."""
LONGEST_DAYS = 731
"""A programme covers at most two years: rules look back 28 days, and nobody plans further."""

# The root of all our name-based ids (RFC 9562, section 5.5). Never change it: ids would move.
_ROOT = UUID("5b0cf4a6-2f0e-5f3c-9d62-1d9a5b7c7a10")
_YEAR = re.compile(r"(\d{4})-(\d{4})")


@lru_cache(maxsize=200_000)
def name_id(kind: str, key: str) -> str:
    """The id of the ``kind`` of thing whose natural key is ``key``: the same in every run and every version."""
    return str(uuid5(_ROOT, f"{kind}:{key}"))


def block_id(day: date, session: Session) -> str:
    """The id of a half-day."""
    return name_id("block", f"{day.isoformat()}:{session}")


def assignment_id(person: str, block: str) -> str:
    """The id of what a person does in a block: from the two ids, so that a lock survives new versions."""
    return name_id("assignment", f"{person}:{block}")


@frozen
class Block:
    """One half-day of the year."""

    id: str
    day: date
    session: Session
    index: int


@define(slots=False, frozen=True)
class Year:
    """The days from ``start`` to ``end``, both included.

    Raises:
        ValueError: reversed, or longer than `LONGEST_DAYS`.
    """

    start: date
    end: date = field()

    @end.validator
    def _ordered(self, attribute: object, value: date) -> None:
        if value < self.start:
            raise ValueError(f"end {value} is before start {self.start}")
        if self.days > LONGEST_DAYS:
            raise ValueError(f"{self.days} days are more than {LONGEST_DAYS}")

    @property
    def days(self) -> int:
        """How many calendar days."""
        return (self.end - self.start).days + 1

    @property
    def name(self) -> str:
        """Such as 2026-2027: the academic year in which the first day lies; one that starts in June begins one."""
        first = self.start.year if self.start.month >= FIRST_MONTH else self.start.year - 1
        return f"{first}-{first + 1}"

    def day(self, index: int) -> date:
        """The date of day ``index``, counted from 0."""
        return self.start + timedelta(days=index)

    def index(self, day: date) -> int:
        """The number of ``day``, counted from 0; negative or too large when outside."""
        return (day - self.start).days

    def __contains__(self, day: date) -> bool:
        return self.start <= day <= self.end

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every half-day, in order."""
        return tuple(
            Block(block_id(self.day(d), session), self.day(d), session, 2 * d + h)
            for d in range(self.days)
            for h, session in enumerate(SESSIONS)
        )

    @cached_property
    def block_at(self) -> dict[str, Block]:
        """Blocks by id."""
        return {block.id: block for block in self.blocks}

    @cached_property
    def holidays(self) -> frozenset[date]:
        """Federal holidays of the United States, on the days they are observed (the ``holidays`` package)."""
        from holidays import country_holidays

        return frozenset(
            day for day in country_holidays("US", years=range(self.start.year, self.end.year + 1)) if day in self
        )

    def periods(self, days: int = 28) -> tuple[tuple[int, int], ...]:
        """The year cut into four-week periods as (first, one past last); the last takes what is left over.

        13 periods of 28 days are 364; a year's last has 29 or 30.
        """
        count = max(1, self.days // days)
        edges = [days * n for n in range(count)] + [self.days]
        return tuple(pairwise(edges))


def academic_year(name: str) -> Year:
    """1 July to 30 June.

    Raises:
        ValueError: not two consecutive years such as 2026-2027.
    """
    match = _YEAR.fullmatch(name)
    if match is None or int(match[2]) != int(match[1]) + 1 or int(match[1]) < 1900:
        raise ValueError(f"{name!r} is no academic year: write two consecutive years, such as 2026-2027")
    return Year(date(int(match[1]), 7, 1), date(int(match[2]), 6, 30))
