"""What somebody does who has just landed, that evening and the next morning: said even where nothing is asked."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from packhorse_circadian.domain import order_words, zones
from packhorse_circadian.domain.alertness import wakeful
from packhorse_circadian.domain.body import BodyClock
from packhorse_circadian.domain.caffeine import before_bed
from packhorse_circadian.domain.evenings import AFTER_MIDNIGHT
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE
from packhorse_circadian.domain.order_words import AFTER_A_DOSE, dose_reason, words
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import OFF_THE_PLANE, SLOT
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.wording import clock, day_name

EVENING, MORNING = 6 * HOUR, 6 * HOUR
"""The hours before bed, and those after getting up."""
AT_ONCE = HOUR
"""What begins this soon follows at once: no line says that there is nothing to do."""
NIGHT_TO_NIGHT = 20 * HOUR
"""Sleep by day that begins sooner than this before the next is a rest after the flight, not the first night."""
NOON, DUSK = 12, 17
_FREE = "nothing to do, ordinary light"
_DONE: frozenset[Kind] = frozenset({"bright_light", "dim_light", "melatonin", "nap", "exercise"})


def first_hours(plan: Plan) -> list[tuple[datetime, str]]:
    """A line each for arrival, what comes first, evening and morning, there and back home; until when it is news."""
    ways = (plan, plan.back) if plan.back else (plan,)
    asked = _asked(plan)
    return [
        (until, f"Way back. {said}" if way is plan.back and not at else said)
        for way in ways
        for at, (until, said) in enumerate(_Landing(way.course.body, _beds(way, asked), asked).lines())
    ]


def why(order: Order, plan: Plan) -> str:
    """One sentence for an order of ``plan``; for its arrival the first hours."""
    if order.kind != "arrival":
        return order_words.why(order, plan.course.body)
    asked = _asked(plan)
    _, *lines = _Landing(plan.course.body, _beds(plan, asked), asked).lines()
    return " ".join(line for _, line in lines)


def _asked(plan: Plan) -> list[Order]:
    return sorted((order for page, _ in plan.journey for order in page.orders), key=lambda order: order.start)


def _beds(plan: Plan, asked: Sequence[Order]) -> list[Span]:
    """The nights there as the pages have them, and what comes after the last page."""
    told = [Span(order.start, order.end) for order in asked if order.kind == "sleep" and order.end]
    last = told[-1].end if told else plan.trip.arrival
    told += [Span(sleep.start, sleep.end) for sleep in plan.course.sleeps if sleep.start >= last]
    leaving = _leaving(plan.trip)
    return [bed for bed in told if plan.trip.arrival <= bed.start and (leaving is None or bed.start < leaving)]


def _leaving(trip: Trip) -> datetime | None:
    return trip.leaves_again and trip.leaves_again - LEAVE_BEFORE_DEPARTURE


@frozen
class _Landing:
    """One arrival: the nights at the place, and everything that the journey asks for."""

    body: BodyClock
    beds: Sequence[Span]
    asked: Sequence[Order]

    @property
    def trip(self) -> Trip:
        return self.body.trip

    def lines(self) -> list[tuple[datetime, str]]:
        landed = self.trip.arrival
        after = f", in the night after {day_name(self.trip.arrival_date - DAY)}" if self._at_night(landed) else ""
        at = f"{self._on(landed)}, {self._at(landed)}, {self.trip.destination.key} time"
        found = [(landed, f"Landing: {at}{after}.")]
        if not self.beds:
            again = self.trip.leaves_again or landed + DAY
            until = again - LEAVE_BEFORE_DEPARTURE
            first = self._first(landed, self._between(landed, until), _FREE)
            return [*found, (landed, f"After landing: {first}; no night there, you fly on at {self._at(again)}.")]
        rest = self.beds[0] if len(self.beds) > 1 and self._soon_again() else None
        night = self.beds[1] if rest else self.beds[0]
        found.append((landed, f"After landing: {self._arrival(rest, night)}."))
        found.append((night.start, f"{self._evening(night)}."))
        found.append((night.end, f"{self._morning(night)}."))
        return found

    def _soon_again(self) -> bool:
        if zones.shown(self.beds[0].start, self.trip.destination).hour >= DUSK:
            return False
        return self.beds[1].start - self.beds[0].start < NIGHT_TO_NIGHT

    def _arrival(self, rest: Span | None, night: Span) -> str:
        up = rest.end if rest else self.trip.arrival
        ahead = self._between(up, night.start)
        evening = night.start - EVENING
        # A dose stands with the night alone: read twice it is taken twice.
        first = [order for order in ahead[:1] if order.kind != "melatonin"]
        early = [order for order in ahead if order.start < evening] or first
        said = self._first(up, early, f"stay up until bed at {self._at(night.start)}, ordinary light", "stay up")
        if rest:
            coffee = " without coffee" if self.trip.caffeine else ""
            said = f"straight to bed{coffee}, {self._at(rest.start)}-{self._at(rest.end)}; then {said}"
        return said + self._coffee(night)

    def _coffee(self, night: Span) -> str:
        if said := self._cut_off(self.trip.arrival, night.start):
            return said
        late = self.trip.caffeine and night.start - before_bed(self.trip) <= self.trip.arrival + OFF_THE_PLANE
        if late and self._at_night(self.trip.arrival):
            return "; no caffeine before bed"
        return "; no caffeine that day" if late else ""

    def _cut_off(self, since: datetime, bed: datetime) -> str:
        stops = [order.start for order in self.asked if order.kind == "caffeine_cutoff" and since <= order.start < bed]
        again = self.trip.leaves_again
        if (
            self.trip.caffeine
            and not stops
            and since < (at := bed - before_bed(self.trip))
            and not (again and again < bed)
        ):
            stops = [at]  # the day after the last page
        return f"; no caffeine from {self._at(stops[-1])}" if stops else ""

    def _evening(self, night: Span) -> str:
        """What begins in the last hours before bed, and until when to go on with what began before."""
        there = zones.shown(night.start, self.trip.destination)
        late = there.hour < AFTER_MIDNIGHT and there.date() > self.trip.arrival_date
        label = f"First {'evening' if late or there.hour >= DUSK else 'night'}"
        on = day_name(there.date() - DAY if late else there.date())
        if self._at_night(night.start) and not late:
            on = f"{day_name(there.date() - DAY)} to {on}"
        since = max(self.trip.arrival, night.start - EVENING)
        asked = [self._ahead(order, since) for order in self._between(since, night.start)]
        said = "; ".join(asked) or "ordinary light"
        bed = f"in bed {self._at(night.start)}-{self._at(night.end)}"
        after = " (after midnight)" if late else ""
        restless = "; sleep may come late" if wakeful(night.start, self.body) else ""
        return f"{label}, {on}: {said}; {bed}{after}{restless}"

    def _ahead(self, order: Order, since: datetime) -> str:
        if order.start < since and order.end:
            return f"{words(order)} until {self._at(order.end)}"
        begins = zones.shown(order.start, self.trip.destination)
        late = begins.hour < AFTER_MIDNIGHT and order.kind == "melatonin"
        return self._order(order) + (" (after midnight)" if late else "")

    def _morning(self, night: Span) -> str:
        until = night.end + MORNING
        bed = next((bed.start for bed in self.beds if bed.start >= night.end), night.start + DAY)
        lit = [order for order in self._between(night.end, bed) if order.worth is not None]
        if lit:
            # What matters most is named, however late it begins, and what comes before it.
            until = max(until, max(lit, key=lambda order: order.worth or 0.0).start + SLOT)
        later = self._between(until, bed)
        nothing = f"nothing to do until {self._at(later[0].start)}, ordinary light" if later else _FREE
        said = f"get up at {self._at(night.end)}; {self._first(night.end, self._between(night.end, until), nothing)}"
        said += self._cut_off(night.end, bed)
        again = self.trip.leaves_again
        if again and again - LEAVE_BEFORE_DEPARTURE <= night.end + MORNING:
            said += f"; fly at {self._at(again)}"
        label = (
            "First morning" if zones.shown(night.end, self.trip.destination).hour < NOON else "After the first night"
        )
        return f"{label}, {self._on(night.end)}: {said}"

    def _first(self, since: datetime, ahead: Sequence[Order], nothing: str, idle: str = "nothing to do") -> str:
        """What is asked for, after idle hours if any; ``nothing`` where that is so."""
        if not ahead:
            return nothing
        said = "; ".join(map(self._order, ahead))
        if ahead[0].start - since > AT_ONCE:
            return f"{idle} until {self._at(ahead[0].start)}, ordinary light; then {said}"
        return said

    def _between(self, start: datetime, end: datetime) -> list[Order]:
        asked = (order for order in self.asked if order.kind in _DONE)
        return [order for order in asked if order.start < end and (order.end or order.start) > start]

    def _order(self, order: Order) -> str:
        if order.kind == "melatonin":
            reason = dose_reason(zones.shown(order.start, self.trip.destination).hour, self.body)
            notes = "; ".join(filter(None, ("optional", reason, AFTER_A_DOSE)))
            return f"{self._at(order.start)} {words(order)} ({notes})"
        until = f"-{self._at(order.end)}" if order.end else ""
        return f"{self._at(order.start)}{until} {words(order)}"

    def _at(self, instant: datetime) -> str:
        which = zones.which_of_two(instant, self.trip.destination)
        return clock(zones.shown(instant, self.trip.destination)) + (f" ({which})" if which else "")

    def _at_night(self, instant: datetime) -> bool:
        """Whether somebody might take it for the night that begins on its date."""
        return zones.shown(instant, self.trip.destination).hour < AFTER_MIDNIGHT

    def _on(self, instant: datetime) -> str:
        return day_name(zones.shown(instant, self.trip.destination).date())
