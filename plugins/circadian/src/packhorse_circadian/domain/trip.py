"""A journey and the sleeper who makes it."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from attrs import Attribute, field, frozen, validators

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, Shift

SHORTEST_FLIGHT = timedelta(minutes=15)
LONGEST_FLIGHT = 24 * HOUR
LONGEST_WAY_BACK = 48 * HOUR
"""Its stops are not asked for."""
SHORTEST_SLEEP = 4 * HOUR
LONGEST_SLEEP = 12 * HOUR
MOST_PREP_DAYS = 7
SHORTEST_LAYOVER = timedelta(minutes=15)
LONGEST_LAYOVER = 24 * HOUR
SHORTEST_STAY = 6 * HOUR
LONGEST_WORK = 16 * HOUR

# Up to three days away it is better to keep home time: Waterhouse et al. 2007 (Lancet 369:1117). From five nights on
# local hours are worth the mornings that they cost; between, the simulation weighs. Shifts up to 3 h are made at once.
SHORT_STAY = 4.5 * DAY
SMALL_SHIFT = 3 * HOUR
SETTLING = 7 * DAY
"""After landing; clocks that change later are none of the trip's."""

# Sleep opportunity below this is never planned: adults need seven hours or more (Watson et al. 2015, Sleep 38:843,
# the consensus of the American sleep societies).
LEAST_NIGHT = 7 * HOUR
LEAST_OF_AGE = ((3, 11 * HOUR), (6, 10 * HOUR), (13, 9 * HOUR), (18, 8 * HOUR))
"""By the age below which it holds: the least of what the American sleep societies advise for children (Paruthi et al.
2016, J Clin Sleep Med 12:785), naps by day included below 6."""
ADULT_AGE = 18
"""Years: the cautions of melatonin ask a doctor below it, and no caffeine is planned for children."""
_QUARTER = timedelta(minutes=15)

Chronotype = Literal["lark", "neither", "owl"]
StayHours = Literal["home", "half", "local"]


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
class Layover:
    """A stop between two flights of one journey. Instants are UTC."""

    arrival: datetime = field(validator=_is_utc)
    departure: datetime = field(validator=_is_utc)
    zone: ZoneInfo


@frozen
class Working:
    """Hours on weekdays at the destination when light cannot be chosen, by the clock there."""

    start: time
    end: time

    @property
    def length(self) -> timedelta:
        """Time at work; past midnight where it ends before it starts."""
        return (_since_midnight(self.end) - _since_midnight(self.start)) % DAY


@frozen
class Trip:
    """One flight, the preparation before it and the stay after it. Instants are UTC."""

    origin: ZoneInfo
    destination: ZoneInfo
    departure: datetime = field(validator=_is_utc)
    arrival: datetime = field(validator=_is_utc)
    habits: Habits = field(factory=Habits)
    wanted: Habits | None = None
    """Hours of sleep wanted at the destination, where they are not the usual ones."""
    prep_days: int = field(default=3, validator=[validators.ge(0), validators.le(MOST_PREP_DAYS)])
    melatonin: bool = True
    caffeine: bool = True
    melatonin_mg: float = field(default=0.5, validator=validators.in_((0.5, 3.0)))
    caffeine_mg: float | None = None
    caffeine_half_life: timedelta = 5 * HOUR

    naps: bool = True
    exercise: bool = False
    bright_lux: float | None = field(
        default=None, validator=validators.optional([validators.ge(200), validators.le(10_000)])
    )
    """What the traveller's bright light reaches; unknown, bodies differ in it."""
    chronotype: Chronotype = "neither"
    layovers: tuple[Layover, ...] = ()
    working: Working | None = None
    back: tuple[datetime, datetime] | None = None
    """Departure and arrival of the flight back, where known."""
    age: int | None = None
    stay: StayHours | None = None
    """The hours kept on a short stay, where the traveller chose them."""
    homeward: bool = False
    """Whether it is the way back."""

    def __attrs_post_init__(self) -> None:
        longest = LONGEST_WAY_BACK if self.homeward else LONGEST_FLIGHT
        for leaves, lands in self.flights:
            if not SHORTEST_FLIGHT <= lands - leaves <= longest:
                raise ValueError("a flight takes 15 minutes to 24 hours")
        if not SHORTEST_SLEEP <= self.habits.span <= LONGEST_SLEEP:
            raise ValueError("a night is 4 to 12 hours")

    @property
    def flight(self) -> timedelta:
        """Time from departure to arrival, stops included."""
        return self.arrival - self.departure

    @property
    def child(self) -> bool:
        """Whether the traveller is known to be one."""
        return self.age is not None and self.age < ADULT_AGE

    @property
    def aims(self) -> Habits:
        """When the traveller wants to sleep at the destination, by the clock there."""
        return self.wanted or self.habits

    @property
    def usual(self) -> bool:
        """Whether it is such as the windows of light were searched for.

        Of a sleeper by night, of no special type, on one flight, and with no clock put forward or back on the way.
        """
        by_night = not 10 <= self.habits.sleep.hour < 21
        plain = self.wanted is None and self.chronotype == "neither" and not self.layovers
        return by_night and plain and self.settled == self.shift

    @property
    def flights(self) -> tuple[tuple[datetime, datetime], ...]:
        """Departure and arrival of every flight on the way."""
        leaves = (self.departure, *(stop.departure for stop in self.layovers))
        lands = (*(stop.arrival for stop in self.layovers), self.arrival)
        return tuple(zip(leaves, lands, strict=True))

    def clock_at(self, at: datetime) -> ZoneInfo:
        """The clock of where the traveller is; on board still that of where the flight left."""
        if at >= self.arrival:
            return self.destination
        return next((stop.zone for stop in reversed(self.layovers) if stop.arrival <= at), self.origin)

    @property
    def leaves_again(self) -> datetime | None:
        """When the traveller leaves the destination, where that is known."""
        return self.back[0] if self.back else None

    @property
    def short(self) -> bool:
        """Whether the stay may be too short to adapt to: home hours or half way are weighed against local ones."""
        again = self.leaves_again
        return again is not None and again - self.arrival < SHORT_STAY

    @property
    def night(self) -> timedelta:
        """Time in bed that is planned for a night: the habit to the quarter hour, and the least for the age."""
        quarters = round(self.habits.span / _QUARTER)
        return max(quarters * _QUARTER, self.least_night)

    def night_at(self, hours: Habits) -> tuple[time, time]:
        """Bedtime and waking of a planned night by ``hours``."""
        return (datetime.combine(date.min + DAY, hours.wake) - self.night).time(), hours.wake

    @property
    def least_night(self) -> timedelta:
        """The least that is planned: 7 h; for a child whose own hours were not told, what is advised at its age."""
        age = ADULT_AGE if self.age is None or self.habits != Habits() else self.age
        return next((least for below, least in LEAST_OF_AGE if age < below), LEAST_NIGHT)

    @property
    def shift(self) -> Shift:
        """How far the body clock has to move.

        Offset at the destination on arrival minus offset at the origin on
        departure, and the usual waking time less the one wanted there.
        """
        return self._shift(self.arrival)

    @property
    def settled(self) -> Shift:
        """The same by the clock there a week later: what the body has to get used to where clocks change meanwhile."""
        return self._shift(self.arrival + SETTLING)

    def _shift(self, at: datetime) -> Shift:
        ahead = at.astimezone(self.destination).utcoffset() or NOTHING
        behind = self.departure.astimezone(self.origin).utcoffset() or NOTHING
        moved = (_since_midnight(self.habits.wake) - _since_midnight(self.aims.wake) + DAY / 2) % DAY - DAY / 2
        return Shift(ahead - behind + moved)

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
