"""Locks that contradict something are told by a smallest set, in names and dates, and each way out works."""

import re

import pytest
from attrs import evolve

from lock_sets import at, lock_sets
from packhorse_scheduling.domain.change.replan import with_stay
from packhorse_scheduling.domain.insight.explain import core_of, explain
from packhorse_scheduling.domain.insight.locking import lock_conflicts, lock_faults
from packhorse_scheduling.domain.insight.plan_conflicts import PlanModel, explain_plan
from packhorse_scheduling.domain.insight.wording import requirement_words
from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.programme.requests import Demand
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.guards import guarded
from packhorse_scheduling.domain.solve.rotations import Asked, rotate
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import Draft, Impossible, TooLong, YearSolver

SETS = tuple(lock_sets())
EFFORT = Effort()
_LIMITS = {"CONSECUTIVE_DAYS_RULE": "day_run", "NIGHT_FLOAT_RULE": "night_run"}


def without(made, kernel, way):
    """The programme once a way out is taken."""
    gone = {
        code: {one.number for one in way if one.code == code}
        for code in ("LOCKED_ASSIGNMENT", "LEAVE_RULE", "ROTATION_LOCK")
    }
    for code, name in (("LOCKED_ASSIGNMENT", "locks"), ("LEAVE_RULE", "leaves"), ("ROTATION_LOCK", "rotation_locks")):
        rows = tuple(row for n, row in enumerate(getattr(made, name)) if n not in gone[code])
        made = evolve(made, **{name: rows})
    for one in way:
        code = made.services[one.service].code if one.service >= 0 else ""
        rotations = list(made.rotations)
        if one.code in ("MINIMUM_STAFFING", "MAXIMUM_STAFFING"):
            day = kernel.date_of(one.day)
            roles = [ROLES[one.role]] if one.role >= 0 else ["RESIDENT", "FACULTY"]
            more = tuple(Demand(code, role, 0, 99, start=day, end=day) for role in roles)
            made = evolve(made, demands=(*made.demands, *more))
        elif one.code in _LIMITS:
            limit = getattr(made.rules, _LIMITS[one.code])
            made = evolve(made, rules=evolve(made.rules, **{_LIMITS[one.code]: evolve(limit, value=99)}))
        elif one.code == "CREDENTIAL_REQUIREMENTS":
            services = list(made.services)
            services[one.service] = evolve(
                services[one.service],
                credentials=frozenset(),
                pgy=frozenset({1, 2, 3}),
                roles=frozenset({"RESIDENT", "FACULTY"}),
            )
            made = evolve(made, services=tuple(services))
        elif one.code == "ROTATION_LEAST":
            rotations[one.number] = evolve(rotations[one.number], least=0)
        elif one.code == "ROTATION_MOST":
            rotations[one.number] = evolve(rotations[one.number], most=99)
        elif one.code == "CURRICULUM_LEAST":
            rotations[one.number] = evolve(rotations[one.number], required={})
        elif one.code == "ROTATION_YEAR":
            rotations[one.number] = evolve(rotations[one.number], pgy=frozenset({1, 2, 3}))
        made = evolve(made, rotations=tuple(rotations))
    return made


def smallest(cp, guards, conflict):
    """Whether these clash, and no fewer of them do."""
    whole = core_of(cp, guards, conflict) is not None
    return whole and all(core_of(cp, guards, [one for one in conflict if one != gone]) is None for gone in conflict)


def told(kernel, conflict):
    """In names and dates: a lock says who and when."""
    words = [requirement_words(kernel, one) for one in conflict]
    held = [
        line for line, one in zip(words, conflict, strict=True) if one.code in ("LOCKED_ASSIGNMENT", "ROTATION_LOCK")
    ]
    assert held
    for line in held:
        assert re.search(r"(Resident|Dr\.) \w\d locked .*\d{4}-\d\d-\d\d", line), line
    return words


def sets(stage):
    return [pytest.param(*one[2:], id=one[0]) for one in SETS if one[1] == stage]


def test_there_are_thirty_sets_and_more():
    assert len(SETS) >= 30
    assert all(made.faults() == [] for _, _, made, *_ in SETS)


@pytest.mark.parametrize(("made", "plan", "first", "last"), sets("alone"))
def test_locks_that_clash_by_themselves_are_refused_with_a_smallest_set_and_ways_out(made, plan, first, last):
    kernel = Kernel(made)
    ((_, found),) = lock_conflicts(kernel)
    person = found.conflict[0].person if all(one.person >= 0 for one in found.conflict) else None
    model = guarded(kernel, found.first, found.last, persons=None if person is None else [person])
    assert smallest(model.cp, model.guards, found.conflict)
    told(kernel, found.conflict)
    assert found.ways
    for way in found.ways:
        assert way
        assert lock_faults(without(made, kernel, way)) == [], way
    (words,) = lock_faults(made)
    assert "These cannot all hold" in words
    assert "The cheapest way out is to give up" in words


@pytest.mark.parametrize(("made", "plan", "first", "last"), sets("half-days"))
def test_locks_that_leave_a_demand_without_people_are_told_by_a_smallest_set_and_ways_out(made, plan, first, last):
    assert lock_faults(made) == []
    kernel = Kernel(made)
    outcome = YearSolver(kernel, *start_of(kernel), first, last, effort=EFFORT, budget=0).solve()
    assert isinstance(outcome, Impossible | TooLong)
    found = explain(kernel, outcome.first, outcome.last)
    model = guarded(kernel, found.first, found.last)
    assert smallest(model.cp, model.guards, found.conflict)
    told(kernel, found.conflict)
    assert found.ways
    for way in found.ways:
        solved = Kernel(without(made, kernel, way))
        assert isinstance(YearSolver(solved, *start_of(solved), first, last, effort=EFFORT, budget=0).solve(), Draft), (
            way
        )


@pytest.mark.parametrize(("made", "plan", "first", "last"), sets("plan"))
def test_locks_that_no_rotation_plan_can_keep_are_told_by_a_smallest_set_and_ways_out(made, plan, first, last):
    assert lock_faults(made) == []
    kernel = Kernel(made, plan)
    assert rotate(kernel, EFFORT, Asked(first, last)).faults
    found = explain_plan(kernel, first, last)
    model = PlanModel(kernel, first, last)
    model.post()
    assert smallest(model.cp, model.guards, found.conflict)
    told(kernel, found.conflict)
    assert found.ways
    for way in found.ways:
        off = {one.person: one.day for one in way if one.code in ("ROTATION_PLAN", "ROTATION_BEGUN")}
        changed = without(made, kernel, way)
        plans = [plan]
        for p, unit in off.items():
            days = kernel.date_of(max(unit, first)), kernel.date_of(unit + 27)
            plans = [with_stay(one, made.people[p].key, *days, to.code) for one in plans for to in made.rotations]
        assert any(rotate(Kernel(changed, one), EFFORT, Asked(first, last)).faults == () for one in plans), way


def test_a_lock_against_a_unit_that_has_begun_is_told_with_the_unit_and_only_from_today_on():
    begun = next(one for one in SETS if one[0] == "off a unit that has begun")
    _, _, made, plan, first, last = begun
    kernel = Kernel(made, plan)
    found = explain_plan(kernel, first, last)
    assert told(kernel, found.conflict) == [
        f"Resident R2 on Ward in the unit from {at(0)}, which has begun",
        f"Resident R2 locked on the rotation LONGS from {at(5)} to {at(20)}",
    ]
    assert [one.code for one in found.ways[0]] == ["ROTATION_LOCK"]
    assert any(one.code == "ROTATION_BEGUN" and one.person == 1 for one in found.ways[1])
    gone_by = evolve(made, rotation_locks=(evolve(made.rotation_locks[0], end=at(first - 1)),))
    assert rotate(Kernel(gone_by, plan), EFFORT, Asked(first, last)).faults == ()
    changed = with_stay(plan, "R2", at(first), at(27), "LONGS")
    after = rotate(Kernel(made, changed), EFFORT, Asked(first, last))
    assert after.faults == ()
    assert set(after.days[1, first:28].tolist()) == {2}
    assert set(after.days[1, :first].tolist()) == {0}


def test_a_plan_without_contradictions_has_nothing_to_explain():
    name, _, made, plan, first, last = SETS[-1]
    assert explain_plan(Kernel(evolve(made, locks=(), rotation_locks=()), plan), first, last) is None
    assert at(0) == made.year.start, name
