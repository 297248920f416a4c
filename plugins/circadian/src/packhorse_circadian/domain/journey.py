"""A plan as it was made: its pages, its days over the population, the way back, and the hours of a short stay."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from packhorse_circadian.domain.crowd import Crowd
from packhorse_circadian.domain.drafts import Draft
from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.nights import Place
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.population.bodies import Body
from packhorse_circadian.domain.population.clock import State
from packhorse_circadian.domain.shift import DAY, NOTHING
from packhorse_circadian.domain.timeline import Timeline
from packhorse_circadian.domain.trip import Trip

_SWAPPED: Mapping[Place, Place] = {"origin": "destination", "destination": "origin", "flight": "flight"}


@frozen
class Days:
    """Days after landing until the body clock is right to within an hour, with the plan and straight to local hours.

    The middle of the population, and the band that holds four bodies of five.
    """

    plan: float
    low: float
    high: float
    slow: float
    """The 80 % quantile."""
    without: float
    without_low: float
    without_high: float

    @property
    def gains_little(self) -> bool:
        """Whether the bands overlap by more than half and the middles lie less than a day apart."""
        overlap = min(self.high, self.without_high) - max(self.low, self.without_low)
        return overlap * 2 > self.without_high - self.without_low and self.without - self.plan < 1


@frozen
class Start:
    """Where a plan begins whose traveller is under way: each body's state, the median's too, and the last night.

    ``moved`` is by how much that night lies later than the usual hours.
    """

    at: datetime
    people: tuple[Body, ...]
    median: Body
    state: Callable[[Body], State]
    moved: timedelta = NOTHING


@frozen(repr=False)
class Plan:
    """Everything to do on one journey, and the course it was made from."""

    course: Course
    pages: tuple[Page, ...]
    expected: Days
    line: Timeline
    crowd: Crowd
    alone: Crowd
    draft: Draft
    back: "Plan | None" = None
    options: "tuple[Option, ...]" = field(default=(), kw_only=True)
    """What a short stay may be slept by, the first being what this plan does."""

    @property
    def trip(self) -> Trip:
        """The way out."""
        return self.course.trip

    @property
    def orders(self) -> Iterator[Order]:
        """Everything that its own pages ask for."""
        return (order for page in self.pages for order in page.orders)

    @property
    def days_after(self) -> int:
        """Dates at the destination, the arrival date included; that of the way back only where it is the same."""
        last = self.course.table.last
        if self.back is not None:
            last = min(last, self.back.trip.departure_date - DAY)
        return max((last - self.trip.arrival_date).days + 1, 1)

    @property
    def days(self) -> int:
        """Dates of preparation and adaptation; the travel days between them come on top."""
        return self.trip.prep_days + self.days_after

    @property
    def journey(self) -> "tuple[tuple[Page, Plan], ...]":
        """Every page, there and back, with the plan that it belongs to."""
        ours = tuple((page, self) for page in self.pages)
        if self.back is None:
            return ours
        return ours + tuple((self._returning(page), self.back) for page in self.back.pages)

    def _returning(self, page: Page) -> Page:
        """A page of the way back as one of the whole journey: dates count on, and home is where it began."""
        number = (page.day - self.trip.arrival_date).days + 1
        return evolve(page, number=number, place=_SWAPPED[page.place], phase="return")


@frozen
class Option:
    """A way to sleep on a short stay: nights moved from local hours, and the mornings off that it costs, both ways."""

    name: str
    moved: timedelta
    mornings: float
    social: float
    """Nights at odd hours, in mornings: what the traveller's days there lose."""
