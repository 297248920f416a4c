"""A watch on a person: what its owner saw last, and what has changed since."""

from typing import Literal

from attrs import frozen

from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.people import Detainee, Stay

Change = Literal["none", "moved", "status", "gone"]


@frozen
class Watch:
    """``person`` is the registry's key; ``facility_id`` and ``status`` are what the owner knows."""

    id: str
    owner: str
    person: str
    since: str
    facility_id: str | None
    status: str


@frozen
class Report:
    """One watch, what changed since it was last looked at, and where the person is now."""

    watch: Watch
    change: Change
    person: Detainee | None
    before: Facility | None
    now: Facility | None
    stays: tuple[tuple[Stay, Facility | None], ...]


def change_of(watch: Watch, person: Detainee | None) -> Change:
    """What is new for the owner."""
    if person is None:
        return "gone"
    if person.facility_id != watch.facility_id:
        return "moved"
    return "status" if person.status != watch.status else "none"
