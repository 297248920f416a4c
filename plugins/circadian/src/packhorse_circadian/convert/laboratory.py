"""Light schedules from the wire to the domain, and their courses back."""

from packhorse_circadian.convert.faults import Faults
from packhorse_circadian.domain.oscillators.daylight import Protocol, Regime
from packhorse_circadian.domain.oscillators.runs import MODELS, ONSET_BEFORE_LOW, Course
from packhorse_circadian.models import LightProtocol, Phases, Sample

LONGEST_DAYS = 100


def protocol_from(question: LightProtocol) -> Protocol:
    """The protocol that was asked about.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    model = MODELS[question.model]
    days = sum(segment.days for segment in question.segments)
    if days > LONGEST_DAYS:
        faults.add("segments", "INVALID_PROTOCOL", f"`segments` take {days} days. The limit is {LONGEST_DAYS} days.")
    if question.total_days not in (None, days):
        faults.add(
            "total_days",
            "INVALID_PROTOCOL",
            f"`total_days` is {question.total_days}, but `segments` take {days} days. Correct one of them, or leave"
            " `total_days` out.",
        )
    start = question.initial_state
    if start is not None and len(start) != len(model.initial):
        faults.add(
            "initial_state",
            "INVALID_PROTOCOL",
            f"`initial_state` must have {len(model.initial)} numbers for the model {question.model}, and has"
            f" {len(start)}.",
        )
    elif start is not None and not model.possible(tuple(start)):
        faults.add(
            "initial_state",
            "INVALID_PROTOCOL",
            "`initial_state` is outside the model's limits: x and xc from -2 to 2, R from 0.01 to 1, n from 0 to 1.",
        )
    if faults.found:
        raise faults.refusal()
    return Protocol(
        model,
        tuple(Regime(part.days, part.lux, part.on, part.off, part.shift) for part in question.segments),
        tuple(start) if start is not None else None,
    )


def phases_from(course: Course, question: LightProtocol) -> Phases:
    """The answer of simulate_light_schedule."""
    days = sum(segment.days for segment in question.segments)
    clock = (course.lows[-1] + question.segments[-1].shift) % 24 if course.lows else None
    return Phases(
        id=question.id,
        model=question.model,
        cbtmin_hours=[round(low, 3) for low in course.lows],
        dlmo_hours=[round(onset, 3) for onset in course.onsets],
        cbtmin_clock=None if clock is None else round(clock, 3) % 24,
        dlmo_clock=None if clock is None else round(clock - ONSET_BEFORE_LOW, 3) % 24,
        final_state=[round(value, 8) for value in course.end],
        trajectory=[_sample(course, hour) for hour in range(24 * days + 1)],
    )


def _sample(course: Course, hour: int) -> Sample:
    at = course.index(hour)
    return Sample(hour=hour, lux=course.lux[at], state=[round(value, 6) for value in course.states[at]])
