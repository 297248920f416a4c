"""A ward whose people have only hard limits, as the problem whose whole patterns the column generation can price."""

from attrs import evolve

from packhorse_scheduling.domain.shifts.problem import Cover, Person, Problem, Request, Shift
from packhorse_scheduling.domain.wards.question import ANY, NO_LIMIT, OFF, Contract, Ward

ENDLESS = 10**7
"""More minutes than any horizon has."""
_MINUTE = 60


def as_problem(ward: Ward) -> Problem | None:
    """The same question as a problem, or None where it asks for more."""
    more = ward.fixed or ward.fair or ward.used or ward.sequences or ward.past or ward.cyclic
    if more or not all(map(_plain, ward.contracts)):
        return None
    demands = ward.demands
    if any(one.skill is not None or one.least or one.most is not None or len(one.shifts) > 1 for one in demands):
        return None
    if len({(one.day, one.shifts) for one in ward.demands}) < len(ward.demands) or any(
        shift.seconds < _MINUTE or shift.seconds % _MINUTE for shift in ward.shifts
    ):
        return None
    barred = [ward.barred[contract.key] for contract in ward.contracts]
    if any(pairs != barred[0] for pairs in barred) or any(later > 1 for pairs in barred for _, later in pairs):
        return None
    people = {person.key: _person(ward, e) for e, person in enumerate(ward.people)}
    requests = []
    for request in ward.requests:
        days = ward.asked(request)
        if request.weight is None:
            if request.seconds or not (request.wanted and request.shift == OFF):
                return None
            person = people[request.person]
            people[request.person] = evolve(person, days_off=person.days_off | set(days))
        elif (request.shift == OFF) == request.wanted and request.shift in (OFF, ANY):
            requests += [
                Request(request.person, d, shift.key, request.weight, wanted=False)
                for d in days
                for shift in ward.shifts
            ]
        elif request.shift in (OFF, ANY):
            return None
        else:
            requests += [Request(request.person, d, request.shift, request.weight, request.wanted) for d in days]
    follows = {k: {j for j, _ in others} for (k, _), others in barred[0].items()}
    shifts = tuple(
        Shift(shift.key, shift.seconds // _MINUTE, frozenset(ward.shifts[j].key for j in follows.get(k, ())))
        for k, shift in enumerate(ward.shifts)
    )
    covers = tuple(Cover(one.day, one.shifts[0], one.wished or 0, one.under, one.over) for one in ward.demands)
    return Problem(ward.days, shifts, tuple(people.values()), tuple(requests), covers, ward.weekday(0))


def _plain(contract: Contract) -> bool:
    """Whether only limits are used that patterns can have."""
    names = ("week_hours", "weekend_run", "week_off", "place_changes", "departments")
    return not (
        contract.weights
        or contract.whole_weekends
        or contract.shift_run
        or contract.shifts != NO_LIMIT
        or contract.off_run[1] is not None
        or any(getattr(contract, name) is not None for name in names)
    )


def _person(ward: Ward, e: int) -> Person:
    contract, skills = ward.contract_of[e], ward.people[e].skills
    never = {shift.key: 0 for shift in ward.shifts if shift.needs is not None and shift.needs not in skills}
    low, high = contract.hours
    run_least, run_most = contract.work_run
    return Person(
        ward.people[e].key,
        {**contract.shift_most, **never},
        ENDLESS if high is None else high // _MINUTE,
        -(-(low or 0) // _MINUTE),
        min(ward.days, run_most or ward.days),
        run_least or 1,
        contract.off_run[0] or 1,
        contract.weekends if contract.weekends is not None else ward.days // 7 + 2,
    )
