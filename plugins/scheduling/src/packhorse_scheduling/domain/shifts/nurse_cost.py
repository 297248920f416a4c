"""What a plan of nurses costs, rule by rule: the engine's own count of the competition's soft rules."""

from collections.abc import Mapping, Sequence

from packhorse_scheduling.domain.shifts import nurses as n


def week_cost(scenario: n.Scenario, week: n.Week, past: Mapping[str, n.Past], plan: n.Plan, *, last: bool) -> int:
    """The cost of one week after this past; totals are charged in the ``last`` week of the scenario."""
    cost = 0
    for duty, days in week.cover.items():
        for day, (_, optimal) in enumerate(days):
            cost += n.OPTIMAL_COVER * max(0, optimal - sum(row[day] == duty for row in plan.values()))
    for who, shift, day in week.off:
        there = plan[who][day]
        cost += n.PREFERENCE * (there is not None and shift in (None, there[0]))
    for nurse in scenario.nurses.values():
        cost += _nurse_cost(scenario, nurse, past[nurse.id], plan[nurse.id])
        if last:
            total = n.after(past[nurse.id], plan[nurse.id])
            least, most = nurse.contract.assignments
            cost += n.ASSIGNMENTS * max(0, least - total.assignments, total.assignments - most)
            cost += n.WEEKENDS * max(0, total.weekends - nurse.contract.weekends)
    return cost


def _nurse_cost(scenario: n.Scenario, nurse: n.Nurse, past: n.Past, days: Sequence[n.Duty | None]) -> int:
    contract = nurse.contract
    works = [duty is not None for duty in days]
    cost = n.WORK_RUN * _run_units(works, past.work, contract.work_run)
    cost += n.REST_RUN * _run_units([not one for one in works], past.rest, contract.rest_run)
    for shift in scenario.shifts.values():
        on = [duty is not None and duty[0] == shift.id for duty in days]
        cost += n.SAME_SHIFT_RUN * _run_units(on, past.same if past.last == shift.id else 0, shift.run)
    if contract.whole_weekends:
        cost += n.WHOLE_WEEKEND * (works[5] != works[6])
    return cost


def _run_units(inside: Sequence[bool], before: int, span: n.Span) -> int:
    """Days too many, each as it comes, and days too few of runs that end."""
    least, most = span
    units, length = 0, before
    for one in inside:
        if one:
            length += 1
            units += length > most
        else:
            units += max(0, least - length) if length else 0
            length = 0
    return units
