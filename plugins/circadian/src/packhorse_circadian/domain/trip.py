"""A journey and the sleeper who makes it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from attrs import Attribute, field, frozen, validators

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, Shift

SHORTEST_FLIGHT = timedelta(minutes=15)
LONGEST_FLIGHT = 24 * HOUR
SHORTEST_SLEEP = 4 * HOUR
LONGEST_SLEEP = 12 * HOUR
MOST_PREP_DAYS = 7


def _is_utc(_: object, attribute: "Attribute[datetime]", value: datetime) -> None:
    if value.tzinfo is not UTC:
        raise ValueError(f"{attribute.name} must be an instant in UTC")


@frozen
class Habits:
    """When somebody sleeps at home, by the local clock."""

    wake: time = time(7)
    sleep: time = time(23)

    @property
    def span(self) -> timedelta:
        """Time asleep each night; zero when both times are one."""
        return (_since_midnight(self.wake) - _since_midnight(self.sleep)) % DAY


@frozen
class Trip:
    """One flight, the preparation before it and the stay after it. Instants are UTC."""

    origin: ZoneInfo
    destination: ZoneInfo
    departure: datetime = field(validator=_is_utc)
    arrival: datetime = field(validator=_is_utc)
    habits: Habits = field(factory=Habits)
    prep_days: int = field(default=3, validator=[validators.ge(0), validators.le(MOST_PREP_DAYS)])
    melatonin: bool = True
    caffeine: bool = True

    def __attrs_post_init__(self) -> None:
        if not SHORTEST_FLIGHT <= self.flight <= LONGEST_FLIGHT:
            raise ValueError("a flight takes 15 minutes to 24 hours")
        if not SHORTEST_SLEEP <= self.habits.span <= LONGEST_SLEEP:
            raise ValueError("a night is 4 to 12 hours")

    @property
    def flight(self) -> timedelta:
        """Time from departure to arrival."""
        return self.arrival - self.departure

    @property
    def shift(self) -> Shift:
        """Offset at the destination on arrival minus offset at the origin on departure."""
        ahead = self.arrival.astimezone(self.destination).utcoffset() or NOTHING
        behind = self.departure.astimezone(self.origin).utcoffset() or NOTHING
        return Shift(ahead - behind)

    @property
    def departure_date(self) -> date:
        """Date at the origin."""
        return zones.shown(self.departure, self.origin).date()

    @property
    def arrival_date(self) -> date:
        """Date at the destination."""
        return zones.shown(self.arrival, self.destination).date()

    @property
    def first_date(self) -> date:
        """First date of the plan, at the origin."""
        return self.departure_date - self.prep_days * DAY


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute)
