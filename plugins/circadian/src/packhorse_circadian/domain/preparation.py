"""A trip with fewer days of preparation than asked for: the same bodies, on a timeline that begins later."""

from attrs import evolve

from packhorse_circadian.domain.crowd import Crowd, crowd
from packhorse_circadian.domain.timeline import SLOT, timeline, usual_begin


def with_days(everybody: Crowd, days: int) -> Crowd:
    """The same bodies on the trip with so many days of preparation."""
    trip = evolve(everybody.line.trip, prep_days=days)
    return evolve(crowd(timeline(trip, usual_begin(trip)), everybody.people), settled=everybody.settled)


def slots_between(here: Crowd, there: Crowd) -> int:
    """By how many slots an instant has a higher number on the timeline ``there`` than on that ``here``."""
    return round((here.line.begin - there.line.begin) / SLOT)
