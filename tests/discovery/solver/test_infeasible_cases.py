"""Twenty cases that have no schedule, explained by a smallest set of what was said.

Each case of `evidence/infeasible.json` stands here as established facts,
whose question is the pointer to the fact in the case, or as a formulation. An explanation is right
when it names the whole conflict and nothing outside it and its background.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from eight_models import fact, order, plan, step, time

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Changeover,
    Event,
    Fact,
    Precedence,
    Resource,
    Scr,
    Step,
    Timeslot,
    Window,
)
from packhorse_discovery.domain.formulation.evidence import supported
from packhorse_discovery.domain.formulation.form_reader import read
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.solver.explain import explain
from packhorse_discovery.solver.formulation.solve import solve as solve_formulation
from packhorse_discovery.solver.solve import solve

CASES = {
    each["id"].removeprefix("infeasible-"): each
    for each in json.loads((Path(__file__).parents[1] / "evidence" / "infeasible.json").read_text())
}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def hours(number, pointer):
    return time(number, unit="hour", question=pointer)


def days(number, pointer):
    return time(number, unit="day", question=pointer)


def counted(name, number, pointer):
    return Resource(name, fact(name), count=fact(float(number), pointer))


def jobs(*made, resources=(), origin=None, **more):
    """Jobs of (name, due, steps): each step (name, duration, resources) waits for the one before it."""
    plans, orders = [], []
    for name, due, steps, *rest in made:
        before, listed = None, []
        for title, lasting, *used in steps:
            after = (Fact(before),) if before else ()
            places = tuple(fact(each) for each in used)
            listed.append(Step(title, fact(title), lasting, after=after, resources=places, free=not used))
            before = title
        plans.append(plan(name, *listed))
        release = rest[0] if rest else None
        orders.append(order(name, plan=fact(name), due=due, release=release))
    return Scr(
        "case",
        problem_type=fact("JOB-SHOP"),
        plans=tuple(plans),
        orders=tuple(orders),
        resources=tuple(resources),
        origin=fact(origin, "/origin") if origin else None,
        **more,
    )


def project(*activities, **more):
    """Activities (name, duration, after, where that is said)."""
    steps = tuple(
        Step(name, fact(name), lasting, after=tuple(fact(each, pointer) for each in after), free=True)
        for name, lasting, after, pointer in activities
    )
    made = {"problem_type": fact("PROJECT-SCHEDULING"), "plans": (plan("project", *steps),)}
    return Scr("case", **{**made, **more})


def lessons(*events, slots, resources=(), windows=()):
    """Events (name, needs, slots, times, where the times are said)."""
    made = tuple(
        Event(
            name,
            fact(name),
            {need: fact(1.0) for need in needs},
            tuple(fact(slot, pointer) for slot, pointer in allowed),
            fact(float(times), said),
        )
        for name, needs, allowed, times, said in events
    )
    return Scr(
        "case",
        problem_type=fact("TIMETABLING"),
        events=made,
        timeslots=slots,
        resources=tuple(resources),
        windows=tuple(windows),
    )


def slot(name, weekdays, periods, pointer):
    return Timeslot(
        name, fact(name, pointer), tuple(fact(d, pointer) for d in weekdays), tuple(fact(p, pointer) for p in periods)
    )


def shut(resource, start, end, pointer):
    return Window(fact(resource), fact(start, pointer), fact(end, pointer), working=False)


def duration(path):
    return f"/jobs/{path[0]}/operations/{path[1]}/duration"


FIVE = ("08:00-09:00", "09:00-10:00", "10:00-11:00", "11:00-12:00", "13:00-14:00")

FACTS = {
    "01": jobs(
        ("gearbox", fact("2026-11-30T12:00", "/jobs/0/due"), [("repair", hours(6, duration((0, 0))), "bench")]),
        ("pump", fact("2026-12-01T17:00", "/jobs/1/due"), [("repair", hours(1, duration((1, 0))), "bench")]),
        resources=[counted("bench", 1, "/resources/0/count")],
        origin="2026-11-30T08:00",
    ),
    "02": jobs(
        (
            "crate",
            fact("2026-12-01T15:00", "/jobs/0/due"),
            [
                ("sawing", hours(2, duration((0, 0))), "saw"),
                ("gluing", hours(5, duration((0, 1))), "clamps"),
                ("painting", hours(3, duration((0, 2))), "booth"),
            ],
        ),
        ("shelf", None, [("sawing", hours(1, duration((1, 0))), "saw")]),
        resources=[counted(name, 1, f"/resources/{n}/count") for n, name in enumerate(("saw", "clamps", "booth"))],
        origin="2026-12-01T07:00",
    ),
    "03": jobs(
        ("posters", fact("2026-12-02T14:00", "/jobs/0/due"), [("printing", hours(4, duration((0, 0))), "press")]),
        ("flyers", fact("2026-12-02T14:00", "/jobs/1/due"), [("printing", hours(4, duration((1, 0))), "press")]),
        ("flyers folding", None, [("folding", hours(1, duration((2, 0))), "folder")]),
        resources=[counted("press", 1, "/resources/0/count"), counted("folder", 1, "/resources/1/count")],
        origin="2026-12-02T08:00",
    ),
    "04": project(
        ("electrician", days(2, "/activities/0/duration"), ["plasterer"], "/activities/0/after"),
        ("plasterer", days(3, "/activities/1/duration"), ["screed"], "/activities/1/after"),
        ("screed", days(1, "/activities/2/duration"), ["electrician"], "/activities/2/after"),
        ("painting", days(2, "/activities/3/duration"), ["plasterer"], "/activities/3/after"),
    ),
    "05": jobs(
        (
            "gate",
            fact("2026-12-08", "/jobs/0/due"),
            [("welding", days(1, duration((0, 0))))],
            fact("2026-12-10", "/jobs/0/release"),
        ),
        ("railing", fact("2026-12-18", "/jobs/1/due"), [("welding", days(2, duration((1, 0))))]),
        origin="2026-12-01",
    ),
    "06": jobs(
        ("glaze", None, [("glaze firing", hours(9, "/subprocesses/0/duration"), "kiln room")]),
        ("bisque", None, [("bisque firing", hours(6, "/subprocesses/1/duration"), "kiln room")]),
        resources=[counted("kiln room", 1, "/resources/0/count")],
        origin="2026-12-07T08:00",
        windows=(
            Window(
                fact("kiln room"),
                fact("08:00", "/hours/0/start /hours/0/end"),
                fact("16:00"),
                tuple(fact(day) for day in WEEKDAYS),
            ),
        ),
    ),
    "07": jobs(
        (
            "suit",
            fact("2026-12-25", "/jobs/0/due"),
            [("cutting", days(1, duration((0, 0))), "workshop"), ("sewing", days(1, duration((0, 1))), "workshop")],
        ),
        ("alterations", fact("2027-01-08", "/jobs/1/due"), [("alter", days(1, duration((1, 0))), "workshop")]),
        resources=[counted("workshop", 1, "/resources/0/count")],
        origin="2026-12-23",
        windows=(shut("workshop", "2026-12-24", "2026-12-25", "/closures/0"),),
    ),
    "09": jobs(
        (
            "hip",
            None,
            [
                ("X-ray", time(10, question="/plans/0/steps/0/duration"), "X-ray"),
                ("consultation", time(20, question="/plans/0/steps/1/duration"), "consulting rooms"),
            ],
        ),
        resources=[
            counted("consulting rooms", 3, "/resources/0/count"),
            counted("X-ray", 0, "/resources/1/count /plans/0/steps/0/resources"),
        ],
    ),
    "10": lessons(
        ("science", ["Ms Aydin"], [("Friday", "/events/0/days")], 2, "/events/0/per-week"),
        ("maths", ["Mr Kowalski"], [], 4, "/events/1/per-week"),
        slots=(slot("any", WEEKDAYS[:4], FIVE, None), slot("Friday", WEEKDAYS[4:], FIVE, None)),
        windows=[
            Window(
                fact("Ms Aydin"),
                fact("00:00", "/absences/0 /events/0/teacher"),
                fact("24:00"),
                (fact("Friday"),),
                working=False,
            )
        ],
        resources=[counted("Ms Aydin", 1, "/events/0/teacher"), counted("Mr Kowalski", 1, "/events/1/teacher")],
    ),
    "11": lessons(
        (
            "7A maths",
            ["Mr Kowalski"],
            [("all", "/periods/count /periods/days")],
            6,
            "/events/0/per-week /events/0/teacher",
        ),
        (
            "7B maths",
            ["Mr Kowalski"],
            [("all", "/periods/count /periods/days")],
            6,
            "/events/1/per-week /events/1/teacher",
        ),
        ("English", ["Ms Hale"], [("all", "/periods/count /periods/days")], 4, "/events/2/per-week"),
        slots=(slot("all", WEEKDAYS[:2], FIVE, "/periods/count /periods/days"),),
    ),
    "13": jobs(
        ("red", fact("2026-12-04T14:30", "/jobs/0/due"), [("painting", hours(3, duration((0, 0))), "booth")]),
        ("white", fact("2026-12-04T14:30", "/jobs/1/due"), [("painting", hours(3, duration((1, 0))), "booth")]),
        resources=[counted("booth", 1, "/resources/0/count"), counted("mask cutter", 1, "/resources/1/count")],
        origin="2026-12-04T08:00",
        changeovers=(Changeover(fact("*"), fact("*"), hours(1, "/changeovers/0/duration"), fact("booth")),),
    ),
    "14": Scr(
        "case",
        problem_type=fact("PROJECT-SCHEDULING"),
        plans=(
            plan(
                "bell",
                step("lifting", hours(2, "/activities/0/duration"), resource="riggers", demand={"riggers": fact(3.0)}),
                step(
                    "frame", hours(1, "/activities/1/duration"), resource="carpenters", demand={"carpenters": fact(2.0)}
                ),
            ),
        ),
        resources=(
            counted("riggers", 2, "/resources/0/count /activities/0/people"),
            counted("carpenters", 4, "/resources/1/count"),
        ),
    ),
    "15": lessons(
        ("board", ["conference room"], [("ten", "/events/0/start /events/0/duration")], 1, None),
        ("auditors", ["conference room"], [("half past ten", "/events/1/start")], 1, None),
        ("lunch", ["canteen"], [("noon", "/events/2/start")], 1, None),
        slots=(
            slot("ten", WEEKDAYS[:1], ("10:00-11:00",), None),
            slot("half past ten", WEEKDAYS[:1], ("10:30-11:30",), None),
            slot("noon", WEEKDAYS[:1], ("12:00-12:45",), None),
        ),
        resources=[counted("conference room", 1, "/resources/0/count"), counted("canteen", 1, "/resources/1/count")],
    ),
    "17": Scr(
        "case",
        problem_type=fact("FLOW-SHOP"),
        plans=(
            plan(
                "bread",
                Step(
                    "baking",
                    fact("baking"),
                    durations={
                        "loaves": Fact(
                            Quantity("1 hour per 200", 1.0, 1.0, unit="hour", per="loaf", per_count=200),
                            "/orders/0/quantity /subprocesses/0/rate",
                        ),
                        "rolls": time(15),
                    },
                    resources=(fact("oven"),),
                ),
            ),
        ),
        orders=(
            order(
                "hospital",
                product=fact("loaves"),
                quantity=fact(Quantity("600", 600.0, 600.0, unit="loaf")),
                due=fact("2026-12-08T05:00", "/orders/0/due"),
            ),
            order("school", product=fact("rolls"), due=fact("2026-12-08T08:00", "/orders/1/due")),
        ),
        resources=(counted("oven", 1, "/resources/0/count"),),
        origin=fact("2026-12-08T03:00", "/origin"),
    ),
    "18": jobs(
        ("first", None, [("first vaccination", time(10))], fact("2026-12-10", "/activities/0/release")),
        (
            "second",
            fact("2026-12-28", "/activities/1/due"),
            [("gap", days(21, "/activities/1/min-gap")), ("second vaccination", time(10))],
        ),
        ("blood", None, [("blood test", time(10))]),
        origin="2026-12-01",
        precedences=(Precedence(fact("first", "/activities/1/after"), fact("second")),),
    ),
    "19": jobs(
        ("plastering", None, [("plaster", days(2, "/activities/0/duration"))]),
        ("drying", None, [("dry", days(3, "/activities/1/duration"))]),
        ("painting", fact("2026-12-05", "/activities/2/due"), [("paint", days(1, "/activities/2/duration"))]),
        ("kitchen", None, [("fit", days(1, "/activities/3/duration"))]),
        ("bathroom", None, [("tile", days(2, "/activities/4/duration"))]),
        origin="2026-12-01",
        precedences=(
            Precedence(fact("plastering", "/activities/1/after"), fact("drying")),
            Precedence(fact("drying", "/activities/2/after"), fact("painting")),
            Precedence(fact("painting", "/activities/3/after"), fact("kitchen")),
        ),
    ),
    "20": jobs(
        ("shaft", fact("2026-12-09T14:00", "/jobs/0/due"), [("m1", hours(4, duration((0, 0))), "Haas", "setter")]),
        ("flange", fact("2026-12-09T14:00", "/jobs/1/due"), [("m2", hours(4, duration((1, 0))), "Mazak", "setter")]),
        ("bracket", fact("2026-12-10T14:00", "/jobs/2/due"), [("m3", time(30), "Haas", "setter")]),
        resources=[counted(name, 1, f"/resources/{n}/count") for n, name in enumerate(("Haas", "Mazak", "setter"))],
        origin="2026-12-09T08:00",
    ),
}
Written = tuple[dict[str, Any], dict[str, str]]
FORMULATIONS: dict[str, Written] = {
    "08": (  # how many people a room takes is no part of a timetable
        {
            "sets": {"EVENTS": ["choir", "drama"], "ROOMS": ["music room", "hall"]},
            "data": {
                "children": {"over": "EVENTS", "values": [35, 28]},
                "seats": {"over": "ROOMS", "values": [30, 120]},
            },
            "vars": {"use": {"over": ["EVENTS", "ROOMS"], "type": "bool"}},
            "rules": {
                "seats": "children[e] * use[e, r] <= seats[r] for e in EVENTS for r in ROOMS",
                "choir": {"rule": "use['choir', 'music room'] == 1", "quote": "must be in the music room"},
                "drama": {"rule": "use['drama', 'music room'] == 1", "quote": "in the music room too"},
            },
        },
        {"seats": "/events/0/participants /resources/0/capacity", "choir": "/events/0/rooms"},
    ),
    "12": (  # one step's own due date is no part of a schedule; minutes count from eight
        {
            "data": {
                "casting": "0.5 * 60",
                "nine": "(9 - 8) * 60",
                "ten": "(10 - 8) * 60",
                "at_the_latest": 30,
                "grinding": "0.25 * 60",
            },
            "vars": {name: {"type": "int"} for name in ("cast", "roll", "grind")},
            "rules": {
                "cast by nine": {"rule": "cast + casting <= nine", "quote": "must be finished by nine"},
                "rolled in time": "roll <= cast + casting + at_the_latest",
                "mill down": {"rule": "roll >= ten", "quote": "The rolling mill is down until ten"},
                "rolled after": "roll >= cast + casting",
                "ground": "grind + grinding >= cast + casting",
            },
        },
        {
            "cast by nine": "/jobs/0/operations/0/due",
            "rolled in time": "/jobs/0/operations/1/max-wait",
            "mill down": "/closures/0 /jobs/0/operations/1/resources",
        },
    ),
    "16": (  # a window of a stop holds for the arrival, a due date for the end
        {
            "sets": {"STOPS": ["florist", "chapel"]},
            "data": {
                "opens": "9 * 60",
                "closes": {"over": "STOPS", "values": ["(9 + 0.5) * 60", "10 * 60"]},
                "unloading": 30,
                "between": "1 * 60",
                "depot": 5,
            },
            "vars": {"arrive": {"over": "STOPS", "type": "int"}},
            "rules": {
                "florist opens": "arrive['florist'] >= opens",
                "florist closes": "arrive['florist'] <= closes['florist']",
                "chapel opens": "arrive['chapel'] >= opens",
                "chapel closes": "arrive['chapel'] <= closes['chapel']",
                "one van": "arrive['chapel'] >= arrive['florist'] + unloading + between "
                "or arrive['florist'] >= arrive['chapel'] + unloading + between",
                "from the depot": "arrive[s] >= depot for s in STOPS",
            },
        },
        {
            "florist opens": "/stops/0/from",
            "florist closes": "/stops/0/to",
            "chapel opens": "/stops/1/from",
            "chapel closes": "/stops/1/to",
            "one van": "/stops/0/duration /travel/0/duration /resources/0/count",
        },
    ),
}


def test_every_case_is_established_facts_or_a_formulation():
    assert set(FACTS) | set(FORMULATIONS) == set(CASES)


@pytest.mark.parametrize("number", FORMULATIONS)
def test_a_case_of_no_built_in_kind_is_explained_by_its_rules(number):
    case, (document, pointers) = CASES[number], FORMULATIONS[number]
    formulation = read(document)

    answer = solve_formulation(formulation, seconds=10)

    named = {pointer for rule in answer.conflict for pointer in pointers[rule.name].split()}
    assert not supported(formulation, [case["words"]]).faults
    assert answer.status == "infeasible"
    assert set(case["conflict"]) <= named <= set(case["conflict"]) | set(case["background"])


@pytest.mark.parametrize("number", FACTS)
def test_a_case_without_a_schedule_is_explained_by_the_smallest_set(number):
    case, model = CASES[number], build(FACTS[number])

    found = explain(model)

    named = {pointer for rule in found.clash for pointer in (rule.source.question or "").split() if "/" in pointer}
    assert solve(model, seconds=10).status == "infeasible"
    assert found.minimal
    assert set(case["conflict"]) <= named, found.sentences
    assert named <= set(case["conflict"]) | set(case["background"]), found.sentences
    assert found.relaxation
