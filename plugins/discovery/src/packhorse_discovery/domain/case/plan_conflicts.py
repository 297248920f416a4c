"""Contradictions between steps, resources, hours and orders, which show only in the aggregate."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.case.plans import parts_of
from packhorse_discovery.domain.case.quantity import MINUTES, Quantity
from packhorse_discovery.domain.case.scr import Fact, Plan, Scr, Step, Window
from packhorse_discovery.domain.models.hours import clock_seconds, length
from packhorse_discovery.domain.models.span import UnclearError

DAY = 24 * 60.0
LONGEST_SHIFT = 16 * 60.0
"""Minutes; hours beyond it are rather a time read half a day off."""


def in_plans(scr: Scr, pursuits: Sequence[Established]) -> Iterator[Conflict]:
    """What contradicts in the plans and between them and the resources, hours and orders."""
    for plan in scr.plans:
        yield from _cycles(plan)
        yield from _dangling_steps(plan)
    yield from _dangling_resources(scr, pursuits)
    yield from _whole(scr, pursuits)
    yield from _parts(scr, pursuits)
    yield from _capacity(scr)
    yield from _calendar(scr)
    yield from _hours(scr)


def between_schemas(scr: Scr) -> Iterator[Conflict]:
    """One step described in two schemas, with durations that do not overlap."""
    seen: dict[str, Fact[Quantity]] = {}
    for plan in scr.plans:
        for step in plan.steps:
            if step.duration is None:
                continue
            other = seen.get(step.id)
            if (
                other is not None
                and other.eads_id != step.duration.eads_id
                and not _overlap(other.value, step.duration.value)
            ):
                yield Conflict(
                    "differs-between-schemas",
                    (f"{other.eads_id}{other.path}", f"{step.duration.eads_id}{step.duration.path}"),
                    (
                        f"{step.name.value} takes {other.value.words}",
                        f"{step.name.value} takes {step.duration.value.words}",
                    ),
                    "Which holds, or do they hold for different products?",
                )
            seen.setdefault(step.id, step.duration)


def shortest(plan: Plan) -> float | None:
    """The least number of minutes from start to end: the longest chain of lower ends; None where one is not known.

    Optional steps count for nothing.
    """
    done: dict[str, float] = {}
    steps = {step.id: step for step in plan.steps}

    def end(step_id: str, seen: tuple[str, ...]) -> float:
        if step_id in seen or step_id not in steps:
            return 0.0
        if step_id not in done:
            step = steps[step_id]
            start = max((end(one.value, (*seen, step_id)) for one in step.after), default=0.0)
            done[step_id] = start + least_of(step)
        return done[step_id]

    return max((end(one, ()) for one in steps), default=None)


def least_of(step: Step) -> float:
    """The least minutes of a step; none where it is optional, or its time is one of each piece."""
    if step.optional is not None and step.optional.value:
        return 0.0
    if step.duration is not None:
        quantity = step.duration.value
        low = quantity.low if quantity.low is not None else 0.0
        return 0.0 if quantity.per else low * MINUTES.get(quantity.unit, 0.0)
    return (
        min((fact.value.low or 0.0) * MINUTES.get(fact.value.unit, 0.0) for fact in step.durations.values())
        if (step.durations)
        else 0.0
    )


def _cycles(plan: Plan) -> Iterator[Conflict]:
    after = {step.id: {fact.value for fact in step.after} for step in plan.steps}
    left = dict(after)
    while ready := [one for one, before in left.items() if not before & set(left)]:
        for one in ready:
            del left[one]
    if left:
        circle = _circle(left)
        yield Conflict(
            "precedence-cycle",
            tuple(f"{plan.id}/{one}" for one in circle),
            (" after ".join([*circle, circle[0]]),),
            "One of these cannot wait for the one before it: which?",
        )


def _circle(left: Mapping[str, set[str]]) -> list[str]:
    path = [min(left)]
    while True:
        following = min(left[path[-1]] & set(left))
        if following in path:
            return path[path.index(following) :]
        path.append(following)


def _dangling_steps(plan: Plan) -> Iterator[Conflict]:
    known = {step.id for step in plan.steps}
    for step in plan.steps:
        for fact in step.after:
            if fact.value not in known:
                yield Conflict(
                    "dangling-reference",
                    (fact.path,),
                    (f"{step.name.value} comes after {fact.value}", f"there is no step {fact.value}"),
                    "Add that step, or name the one that is meant.",
                )


def _dangling_resources(scr: Scr, pursuits: Sequence[Established]) -> Iterator[Conflict]:
    inventory = next((one for one in pursuits if one.eads.id == "resources/inventory"), None)
    if inventory is None or not inventory.rows("resources"):
        return
    if any(row.number("count") is None for row in inventory.rows("resources")):
        return  # kinds of resources, as people name them first, are not yet a list of what there is
    listed = {row.id for row in inventory.rows("resources")}
    told: set[str] = set()
    for plan in scr.plans:
        for step in plan.steps:
            for fact in (*step.resources, *step.alternatives):
                if fact.value not in listed and fact.value not in told:
                    told.add(fact.value)
                    yield Conflict(
                        "dangling-reference",
                        (fact.path,),
                        (f"{step.name.value} needs {fact.value}", f"the resources listed have no {fact.value}"),
                        "Add it to the resources, or name the listed one that is meant.",
                        "warning",
                    )


def _whole(scr: Scr, pursuits: Sequence[Established]) -> Iterator[Conflict]:
    for one in pursuits:
        whole = one.quantity("duration") if one.eads.id == "process/flow-shop" else None
        plan = next((plan for plan in scr.plans if any(step.name.eads_id == one.eads.id for step in plan.steps)), None)
        if whole is None or plan is None or any(step.flow is not None for step in plan.steps):
            continue
        high = whole.value.high
        least = shortest(plan)
        limit = None if high is None or whole.value.unit not in MINUTES else high * MINUTES[whole.value.unit]
        if limit is not None and least is not None and least > limit * 1.001 and not whole.value.approximate:
            yield Conflict(
                "parts-exceed-whole",
                (whole.path,),
                (f"the whole takes {whole.value.words}", f"its steps take at least {span_words(least)}"),
                "Correct the whole, or the step that is too long.",
            )


def _parts(scr: Scr, pursuits: Sequence[Established]) -> Iterator[Conflict]:
    """A step with parts of its own, which together take longer than it is said to."""
    for one in pursuits:
        parts = parts_of(one, "subprocesses") if one.eads.id == "process/flow-shop" else {}
        for row, below in parts.items():
            whole = one.quantity("subprocesses", row, "duration")
            steps = [step for plan in scr.plans for step in plan.steps if step.id in below]
            if whole is None or whole.value.high is None or whole.value.unit not in MINUTES:
                continue
            least = shortest(
                Plan(row, whole_name := one.words("subprocesses", row, "process-id") or Fact(row), tuple(steps))
            )
            if least is not None and least > whole.value.high * MINUTES[whole.value.unit] * 1.001:
                yield Conflict(
                    "parts-exceed-whole",
                    (whole.path,),
                    (f"{whole_name.value} takes {whole.value.words}", f"its parts take at least {span_words(least)}"),
                    "Correct the whole, or the part that is too long.",
                )


def _capacity(scr: Scr) -> Iterator[Conflict]:
    none = {one.id: one for one in scr.resources if one.count is not None and one.count.value <= 0}
    told: set[str] = set()
    for plan in scr.plans:
        for step in plan.steps:
            missing = [fact for fact in step.resources if fact.value in none]
            any_of = step.alternatives and all(fact.value in none for fact in step.alternatives)
            for fact in missing or (step.alternatives[:1] if any_of else ()):
                count = none[fact.value].count
                if fact.value in told:
                    continue
                told.add(fact.value)
                yield Conflict(
                    "no-capacity",
                    (fact.path, count.path if count else ""),
                    (f"{step.name.value} needs {fact.value}", f"there are 0 of {fact.value}"),
                    "Correct the number, or say what the step uses in its place.",
                )


def _calendar(scr: Scr) -> Iterator[Conflict]:
    """A step longer than its resource, or where nothing runs overnight anybody, ever works at a stretch."""
    open_for = {who: _longest(spans for _, spans in windows) for who, windows in _weekly(scr).items()}
    everybody = open_for.pop("*", None)
    bound = scr.overnight is not None and not scr.overnight.value
    for step in (step for plan in scr.plans for step in plan.steps):
        places = [(fact.value, fact.path, open_for[fact.value]) for fact in step.resources if fact.value in open_for]
        if not places and bound and everybody is not None and scr.overnight is not None:
            places = [("everything", scr.overnight.path, everybody)]
        for name, path, longest in places:
            if step.duration is not None and least_of(step) > longest:
                yield Conflict(
                    "calendar-too-short",
                    (step.duration.path, path),
                    (
                        f"{step.name.value} takes {step.duration.value.words}",
                        f"{name} works {span_words(longest)} at a stretch",
                    ),
                    "May the step run overnight or be interrupted, or are the hours longer?",
                )


def _hours(scr: Scr) -> Iterator[Conflict]:
    """Hours of one resource that overlap on a day, or last longer than `LONGEST_SHIFT`: half a day off, mostly."""
    for who, windows in _weekly(scr).items():
        said = {window: f"{who} works {window.start.value}-{window.end.value}" for window, _ in windows}
        for one, (start, end) in windows:
            if LONGEST_SHIFT < end - start < DAY:
                asked = "Is one of the two times half a day off?"
                yield Conflict("hours-too-long", (one.end.path,), (said[one],), asked, "warning")
        for (one, (start, end)), (other, (begins, ends)) in combinations(windows, 2):
            shared = {day.value for day in one.days} & {day.value for day in other.days}
            same = bool(shared) or not one.days or not other.days
            if same and one.since is None and other.since is None and begins < end and start < ends:
                paths = (one.start.path, other.start.path)
                yield Conflict("hours-overlap", paths, (said[one], said[other]), "Which of the two holds?")


Clocked = tuple[Window, tuple[float, float]]
"""Weekly hours with their start and end in minutes from midnight."""


def _weekly(scr: Scr) -> dict[str, list[Clocked]]:
    found: dict[str, list[Clocked]] = {}
    for window in scr.windows:
        try:
            start = clock_seconds(window.start.value) / 60
            span = (start, start + length(window) / 60)
        except UnclearError:
            continue
        if window.working:
            found.setdefault(window.resource.value, []).append((window, span))
    return found


def _longest(spans: Iterable[tuple[float, float]]) -> float:
    """Minutes of the longest stretch; shifts that follow one another are one, and a whole day has no end."""
    longest, begin, end = 0.0, 0.0, -1.0
    for start, stop in sorted(spans):
        begin, end = (begin, max(end, stop)) if start <= end else (start, stop)
        longest = max(longest, end - begin)
    return float("inf") if longest >= DAY else longest


def _overlap(one: Quantity, other: Quantity) -> bool:
    mine, its = MINUTES.get(one.unit), MINUTES.get(other.unit)
    ends = (one.low, one.high, other.low, other.high)
    if mine is None or its is None or None in ends:
        return True
    low, high, its_low, its_high = (end or 0.0 for end in ends)
    return low * mine <= its_high * its and its_low * its <= high * mine


def span_words(minutes: float) -> str:
    """Minutes as people say them."""
    for unit, size in (("days", 1440.0), ("hours", 60.0)):
        if minutes >= 2 * size:
            return f"{minutes / size:g} {unit}" if minutes % size == 0 else f"{minutes / size:.1f} {unit}"
    return f"{minutes:g} minutes"
