"""People of the registry, as a source wrote them down."""

from datetime import date

from attrs import frozen

INACTIVE = frozenset({"NOT_IN_CUSTODY", "RELEASED", "REMOVED", "DEPORTED", "DISCHARGED"})
"""States in which nobody is held; every other state counts as detained."""

KNOWN_STATUSES = INACTIVE | {"IN_CUSTODY", "DETAINED", "IN_TRANSIT", "TRANSFERRED", "BONDED", "PAROLED", "UNKNOWN"}
"""States that an answer names; any other word of a source is shown as ``OTHER``, since nobody has read it."""

ADULT_YEARS = 18

MISSING_NAMES = frozenset({"FNU", "LNU"})
"""First and last name unknown: what officers write for a name that is missing."""


@frozen
class Detainee:
    """One record. ``key`` is the registry's, ``record_id`` the source's own; ``as_of`` dates the whole record."""

    key: str
    source: str
    record_id: str
    first: str
    middle: str
    last: str
    country: str | None
    birth_year: int | None
    alien_number: str | None
    booked: date | None
    status: str
    facility_id: str | None
    as_of: date

    @property
    def name(self) -> str:
        """The name in one line, without what only says that a part is missing."""
        parts = (self.first, self.middle, self.last)
        shown = [part for part in parts if part and part.upper() not in MISSING_NAMES]
        return " ".join(shown)

    @property
    def status_shown(self) -> str:
        """The status, where it is one of the known ones."""
        return self.status if self.status in KNOWN_STATUSES else "OTHER"

    @property
    def is_held(self) -> bool:
        """Whether the record says that the person is detained."""
        return self.status not in INACTIVE


@frozen
class Stay:
    """A facility from ``since`` on. ``reason`` is the source's word, None where it gave none."""

    key: str
    facility_id: str
    since: date
    reason: str | None


def key_of(source: str, record_id: str) -> str:
    """The registry's key of a source's record; no source can reach another's records."""
    return f"{source}/{record_id}"


def is_surely_adult(birth_year: int | None, today: date) -> bool:
    """Whether nobody born in that year can be under 18 today; False where the year is not known.

    The registry keeps no birth dates, so the year after the eighteenth
    birthday is the first that is sure.
    """
    return birth_year is not None and today.year - birth_year > ADULT_YEARS
