"""The plainest journey: the clocks jump at body midnight, and a week or two at the destination follow.

The conditions of the published comparisons that plans are measured by, and of the start table.
"""

from packhorse_circadian.domain.planner.board import Board, Night
from packhorse_circadian.domain.planner.clockwork import (
    AMBIENT,
    DARK,
    DAY_SLOTS,
    SLOT,
    Gears,
    Home,
    Lights,
    State,
    home,
)

MOST_EARLY, MOST_LATE = -7, 8
"""Slots that bedtime may lie before and after the usual one at the destination: 3.5 and 4 h."""
MOST_MOVED = 6
"""Slots that it may move from one night to the next: 3 h."""
NIGHTS = 10
PROBE_BEFORE_WAKE = 5
"""Slots: the judged morning hour is 2.5 h before waking, about where the low is when adapted."""


def jump(
    shift: float,
    lights: Lights | None = None,
    *,
    asleep: int = 16,
    days: int = 20,
    tau: float = 24.2,
    most_bright: int = 10,
) -> Board:
    """A jump of ``shift`` hours (east positive) one hour after the usual bedtime of a sleeper from 23 to 7.

    No instruction before the first full night at the destination: until then
    it is dark while people sleep there, and usual light by day.
    """
    sleeper = home(asleep, lights or Lights(), Gears(tau))
    first_bed = (-1 - shift) % 24  # hours from the jump to the first usual bedtime
    part = first_bed % SLOT
    part = part if part > 1e-9 else SLOT
    odd = part != SLOT
    base = round((first_bed - part) / SLOT) + 1 if odd else round(first_bed / SLOT)
    slots = base + days * DAY_SLOTS
    canvas = bytearray((AMBIENT,)) * slots
    up = base - DAY_SLOTS + asleep
    if up > 0:
        canvas[:up] = bytes((DARK,)) * up
    for night in range(NIGHTS, days):
        bed = base + night * DAY_SLOTS
        canvas[bed : bed + asleep] = bytes((DARK,)) * asleep
    toward = round(shift / SLOT) if not odd else int(shift / SLOT)
    nights = tuple(
        Night(
            base=base + i * DAY_SLOTS,
            asleep=asleep,
            first=max(MOST_EARLY, min(0, toward)) if not i else MOST_EARLY,
            last=min(MOST_LATE, max(0, toward)) if not i else MOST_LATE,
            most=MOST_MOVED,
            earliest=0,
        )
        for i in range(NIGHTS)
    )
    return Board(
        home=sleeper,
        begin=_an_hour_in,
        canvas=bytes(canvas),
        fixed=(),
        nights=nights,
        bedtimes=tuple((k - base) % DAY_SLOTS for k in range(slots + 1)),
        probes=tuple(
            probe for i in range(-1, days) if 0 < (probe := base + i * DAY_SLOTS + asleep - PROBE_BEFORE_WAKE) <= slots
        ),
        shift=shift,
        odd=0,
        part=part,
        most_bright=most_bright,
    )


def _an_hour_in(sleeper: Home) -> State:
    return sleeper.at(1.0)
