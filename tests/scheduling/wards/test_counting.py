"""What a roster breaks and costs: the engine's count is that of a checker that shares no code with it."""

import time
from datetime import date, timedelta
from random import Random

import numpy as np
import pytest

from packhorse import UserError
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.wards.model import Model
from packhorse_scheduling.domain.wards.question import REST
from packhorse_scheduling.domain.wards.roster import Roster, count
from ward_checker import check


def spans(rng, least, most):
    low, high = sorted((rng.randint(least, most), rng.randint(least, most)))
    return rng.choice([[low, high], [low, None], [None, high]])


def any_ward(seed, people=5, days=16):
    """A ward with any of the rules, hard or soft; most rosters of it break some."""
    rng = Random(seed)
    start = date(2027, 1, 4) + timedelta(days=rng.randrange(7))
    shifts = [
        {"key": "E", "start": "07:00", "end": "15:00", "not_next": [], "place": "a", "department": "x"},
        {"key": "L", "start": "14:00", "end": "22:30", "hours": 8, "not_next": rng.choice([[], ["E"]]),
         "place": "b", "department": "y"},
        {"key": "N", "start": "22:00", "end": "07:00", "needs": rng.choice([None, "icu"]),
         "place": rng.choice([None, "c"])},
    ]  # fmt: skip
    contracts = []
    for key in ("full", "part"):
        contract = {
            "key": key, "hours": spans(rng, 30, 80), "shifts": spans(rng, 4, 9), "week_hours": rng.randint(24, 48),
            "work_run": spans(rng, 1, 5), "off_run": spans(rng, 1, 4), "weekends": rng.randint(0, 2),
            "weekend_run": rng.randint(1, 2), "whole_weekends": rng.random() < 0.5, "week_off": rng.randint(1, 3),
            "shift_run": {"N": spans(rng, 1, 3)}, "shift_most": {"L": rng.randint(1, 4)},
            "rest_hours": rng.choice([11, 14]), "place_changes": rng.randint(0, 4), "departments": rng.randint(0, 1),
        }  # fmt: skip
        rules = [name for name in contract if name != "key" and rng.random() < 0.6]
        contract = {name: contract[name] for name in ("key", *rules)}
        contract["weights"] = {
            n: rng.randint(1, 30) for n in rules if contract[n] not in (False, {}) and rng.random() < 0.5
        }
        contracts.append(contract)
    staff = [
        {"key": f"p{n}", "contract": rng.choice(["full", "part"]), "share": rng.choice([100, 60]),
         "skills": rng.sample(["icu", "charge"], rng.randint(0, 2))}
        for n in range(people)
    ]  # fmt: skip
    staff[0]["skills"] = ["icu", "charge"]
    demand = [
        {"shift": "E", "days": "all", "least": 1, "wished": 2, "over": 3},
        {"shift": "E", "days": (start + timedelta(days=3)).isoformat(), "least": 0, "wished": 1, "most": 2},
        {"shift": "L", "days": "Mon-Fri", "least": 1, "wished": 1},
        {"shift": "N", "days": "Fri-Mon", "least": 1, "most": 1},
        {"shift": "N", "skill": "charge", "days": "all", "least": 0, "wished": 1},
        {"shift": "N", "skill": "icu", "days": "Sat,Sun", "least": 1},
        {"shift": ["E", "L"], "days": "Tue", "least": 3, "wished": 4},
        {"shift": ["L", "N"], "skill": "charge", "days": "Wed", "most": 1},
    ]

    def day(n):
        return (start + timedelta(days=n)).isoformat()

    requests = [
        {"person": f"p{rng.randrange(people)}", "from": day(rng.randrange(days - 3)), "shift": rng.choice("ELN-*"),
         "wanted": rng.random() < 0.7, "weight": rng.choice([None, 5])}
        for _ in range(6)
    ] + [{"person": "p1", "from": day(4), "to": day(6), "hours": 7.5}]  # fmt: skip
    return {
        "name": "Any", "start": start.isoformat(), "days": days, "shifts": shifts, "contracts": contracts,
        "people": staff, "demand": demand, "requests": requests,
        "sequences": [{"pattern": ["N", "-", "E"], "weight": 7}, {"pattern": ["*", "-", "*"], "contract": "part"},
                      {"pattern": ["E", ".", "*", "L"], "days": "Fri-Sun", "weight": 2},
                      {"pattern": ["L", "L"], "days": day(2)}],
        "used": [{"shifts": ["N"], "weight": 11}, {"contract": "part", "weight": 17}],
        "fair": [{"count": ["N", "L"], "weight": 4}, {"count": ["weekends"], "contract": "full", "weight": 3}],
        "fixed": [{"person": "p2", "day": day(2), "shift": "E"}, {"person": "p0", "day": day(5), "shift": "-"}],
        "before": [
            {"person": f"p{n}", "days": [rng.choice(["E", "L", "N", "-", "?"]) for _ in range(rng.randint(0, 9))]}
            for n in range(people - 1)
        ],
        "carried": [{"person": "p0", "count": ["N", "L"], "amount": 2}],
    }  # fmt: skip


def any_roster(ward, seed):
    """Shifts by chance, in runs more often than not; skills by chance of those that each person has."""
    rng = np.random.default_rng(seed)
    duty = rng.integers(-1, len(ward.shifts), size=(len(ward.people), ward.days)).astype(np.int16)
    for d in range(1, ward.days):
        stays = rng.random(len(ward.people)) < 0.5
        duty[stays, d] = duty[stays, d - 1]
    role = np.full_like(duty, REST)
    asked = {(demand.day, ward.shift_of[key], demand.skill) for demand in ward.demands for key in demand.shifts}
    for e, d in np.argwhere(duty >= 0).tolist():
        able = [s for s, skill in enumerate(ward.skills) if skill in ward.people[e].skills
                and (d, duty[e, d], skill) in asked]  # fmt: skip
        role[e, d] = rng.choice(able) if able else REST
    return Roster(duty, role)


def judged(document, ward, roster):
    skills = roster.skilled(ward) if ward.skills else None
    return check(document, roster.named(ward), skills)


@pytest.mark.parametrize("seed", range(60))
def test_any_roster_of_any_ward_costs_and_breaks_what_the_checker_says(seed):
    document = any_ward(seed)
    ward = ward_of(document)
    roster = any_roster(ward, seed)
    found = count(ward, roster)
    hard = {}
    for breach in found.breaches:
        if breach.weight is None:
            hard[breach.rule] = hard.get(breach.rule, 0) + breach.amount
    assert (found.cost, hard) == judged(document, ward, roster)


@pytest.mark.parametrize("seed", range(12))
def test_in_a_cyclic_ward_the_days_of_those_before_come_before(seed):
    """The checker has no cycles: each person's days before are those of the three people in front."""
    document = any_ward(seed, people=5, days=14)
    del document["before"]
    ward = ward_of({**document, "cyclic": True})
    roster = any_roster(ward, seed)
    rows = [[key or "-" for key in row] for row in roster.named(ward).values()]
    unrolled = [
        {"person": f"p{e}", "days": [key for back in (3, 2, 1) for key in rows[(e - back) % 5]]} for e in range(5)
    ]
    found = count(ward, roster)
    hard = {}
    for breach in found.breaches:
        if breach.weight is None:
            hard[breach.rule] = hard.get(breach.rule, 0) + breach.amount
    assert (found.cost, hard) == judged({**document, "before": unrolled}, ward, roster)


@pytest.mark.parametrize("change", [{"days": 13}, {"before": [{"person": "p0", "days": ["E"]}]}])
def test_a_cyclic_ward_of_no_whole_weeks_or_with_a_past_is_refused(change):
    document = {**any_ward(1, people=5, days=14), "before": [], "cyclic": True}
    with pytest.raises(UserError, match="a cyclic ward has"):
        ward_of(document | change)


@pytest.mark.parametrize("seed", range(12))
def test_the_solver_charges_what_the_checker_counts(seed):
    """The value of the elastic model is the cost, and a price for each hard unit."""
    document = any_ward(seed, people=4, days=9)
    ward = ward_of(document)
    model = Model(ward, elastic=("all",))
    solved = model.solve(Budget(1, time.process_time))
    cost, hard = judged(document, ward, solved.roster)
    least = hard.pop("least", 0)
    if solved.optimal:
        assert solved.bound == pytest.approx(cost + model.short * least + model.hard * sum(hard.values()))
    else:
        assert solved.bound <= cost + model.short * least + model.hard * sum(hard.values()) + 1e-6
