"""A schedule as a Gantt chart: rows of bars as plain data, and the same as SVG."""

from attrs import frozen

from packhorse_discovery.solver.solved import Placed, Schedule, Solved

LOOSE = "no resource"
"""The name of the row of work that occupies nothing."""


@frozen
class Bar:
    """A task on one unit of a resource: ticks, the end exclusive, and both instants in words."""

    task: int
    job: str
    step: str
    start: int
    end: int
    starts: str
    ends: str


@frozen
class Row:
    """One unit of a resource. ``unit`` counts from 1; ``closed`` are (start, end) in ticks.

    ``held`` are the ticks in which it is cleaned, or work that has ended stays on it.
    """

    resource: str
    unit: int
    units: int
    bars: tuple[Bar, ...]
    closed: tuple[tuple[int, int], ...]
    held: tuple[tuple[int, int], ...] = ()

    @property
    def label(self) -> str:
        """The resource, with the unit where there are several."""
        return f"{self.resource} {self.unit}/{self.units}" if self.units > 1 else self.resource


@frozen
class Gantt:
    """The chart: ``end`` in ticks of ``unit`` (each ``tick_seconds`` long), ``origin`` ISO 8601 where it is known.

    With ``week``, tick 0 is a Monday at midnight.
    """

    title: str
    unit: str
    tick_seconds: int
    origin: str | None
    week: bool
    end: int
    rows: tuple[Row, ...]
    jobs: tuple[str, ...]


def gantt(solved: Solved, title: str = "Schedule") -> Gantt:
    """The chart of a solved model: a row for each unit of each resource that is used, tasks without one in a last row.

    Raises:
        ValueError: there is no schedule.
    """
    schedule = solved.schedule
    if schedule is None:
        raise ValueError(f"there is no schedule to draw: the model is {solved.status}")
    rows = [row for index in range(len(schedule.lanes)) for row in _rows(schedule, index)]
    loose = [(each, each.end) for each in schedule.placed if not each.uses and each.end > each.start]
    rows += [
        Row(LOOSE, unit, len(stacked), tuple(_bar(schedule, each) for each, _ in stack), ())
        for stacked in [_stacked(loose)]
        for unit, stack in enumerate(stacked, start=1)
    ]
    jobs = tuple(dict.fromkeys(each.job for each in schedule.placed))
    clock = schedule.clock
    return Gantt(title, clock.name, clock.seconds, clock.origin, clock.week, schedule.end, tuple(rows), jobs)


def _rows(schedule: Schedule, index: int) -> list[Row]:
    """A task that needs several units stands in as many rows."""
    lane = schedule.lanes[index]
    units = [
        (each, free)
        for each in schedule.placed
        for (used, count), free in zip(each.uses, each.free, strict=True)
        if used == index
        for _ in range(count)
    ]
    stacks = _stacked(units)
    closed = tuple((start, min(end, schedule.end)) for start, end in lane.closed if start < schedule.end)
    rows = []
    for number, stack in enumerate(stacks, start=1):
        held = tuple((each.end, min(free, schedule.end)) for each, free in stack if each.end < min(free, schedule.end))
        rows.append(Row(lane.name, number, len(stacks), tuple(_bar(schedule, each) for each, _ in stack), closed, held))
    return rows


def _stacked(occupied: list[tuple[Placed, int]]) -> list[list[tuple[Placed, int]]]:
    """As few rows as possible in which nothing meets: by start, each in the first row that is free at its start."""
    rows: list[list[tuple[Placed, int]]] = []
    for each, free in sorted(occupied, key=lambda pair: (pair[0].start, pair[0].task)):
        row = next((row for row in rows if row[-1][1] <= each.start), None)
        if row is None:
            rows.append([(each, free)])
        else:
            row.append((each, free))
    return rows


def _bar(schedule: Schedule, placed: Placed) -> Bar:
    clock = schedule.clock
    return Bar(
        placed.task, placed.job, placed.step, placed.start, placed.end, clock.at(placed.start), clock.at(placed.end)
    )
