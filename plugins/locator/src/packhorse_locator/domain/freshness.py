"""How old what the registry knows is."""

from datetime import date, datetime
from typing import Literal

from attrs import frozen

SAMPLE = "sample"
"""The source of the invented records that ship with the pack."""

Kind = Literal["people", "facilities"]


@frozen
class Stamp:
    """One source as last loaded. ``as_of`` is the day its data describe, ``loaded_at`` the instant they came in."""

    name: str
    kind: Kind
    as_of: date
    loaded_at: datetime
    accepted: int
    rejected: int
    remote: bool = False

    def age_days(self, today: date) -> int:
        """Whole days since the data were true; 0 for a date to come."""
        return max(0, (today - self.as_of).days)
