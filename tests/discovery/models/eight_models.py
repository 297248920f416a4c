"""One small interview for each target, as its established facts; and the models that come of them."""

from collections.abc import Mapping

from attrs import evolve

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Capability,
    Changeover,
    Cleaning,
    Event,
    Fact,
    Goal,
    Order,
    Plan,
    Precedence,
    Resource,
    Scr,
    Step,
    Timeslot,
    Window,
)
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.model import Model


def fact(value, question="q1", **more):
    return Fact(value, question, said=str(value), **more)


def time(low, high=None, unit="minute", question="q2", **more):
    """A quantity of time, said as a number or a range."""
    high = low if high is None else high
    said = f"{low} {unit}" if low == high else f"{low}-{high} {unit}"
    return Fact(Quantity(said, float(low), float(high), unit=unit, **more), question, said=said)


def step(name, lasting, *after, **more):
    """A step after others; ``resource`` names what it needs."""
    resource = more.pop("resource", None)
    used = (fact(resource),) if resource else ()
    return Step(name, fact(name), lasting, after=tuple(fact(each) for each in after), resources=used, **more)


def order(name, **more):
    return Order(name, fact(name), **more)


def pool(name, count):
    return Resource(name, fact(name), count=fact(float(count), "q3"))


def plan(name, *steps):
    return Plan(name, fact(name), steps)


def goals(*kinds):
    return tuple(Goal(fact(kind, "q9"), rank) for rank, kind in enumerate(kinds, start=1))


BAKING = plan(
    "bread",
    step("mix", time(20), resource="mixer"),
    step("prove", time(60, 90), "mix", resource="prover"),
    step("bake", time(40), "prove", resource="oven"),
)
MACHINES = (pool("mixer", 1), pool("prover", 1), pool("oven", 1))


def flow(**more):
    """A bakery: three steps, three orders."""
    made = {
        "project": "bakery",
        "problem_type": fact("FLOW-SHOP"),
        "plans": (BAKING,),
        "orders": (
            order("rye", product=fact("rye")),
            order("spelt", product=fact("spelt")),
            order("rolls", product=fact("rolls")),
        ),
        "resources": MACHINES,
    }
    return Scr(**{**made, **more})


def routed(name, *stops):
    """A plan that visits the machines named, in order."""
    steps = [
        step(f"on {machine}", time(minutes), *([f"on {stops[number - 1][0]}"] if number else []), resource=machine)
        for number, (machine, minutes) in enumerate(stops)
    ]
    return plan(name, *steps)


_OVEN_PAIR = (pool("mixer", 1), pool("prover", 2), pool("oven", 1))
_SHOP = (
    routed("gear", ("lathe", 3), ("mill", 2), ("drill", 2)),
    routed("shaft", ("lathe", 2), ("drill", 1), ("mill", 4)),
    routed("plate", ("mill", 4), ("drill", 3)),
)
_TURNING = plan("part", Step("turn", fact("turn"), time(30)), step("grind", time(20), "turn", resource="grinder"))
_PAINT = plan("paint", step("spray", time(10), resource="booth"))
_HOUSE = plan(
    "house",
    step("dig", time(3, unit="day"), resource="crew", demand={"crew": fact(2.0)}),
    step("walls", time(5, unit="day"), "dig", resource="crew", demand={"crew": fact(2.0)}),
    step("drains", time(4, unit="day"), "dig", resource="crew"),
    step("roof", time(2, unit="day"), "walls", resource="crew", demand={"crew": fact(3.0)}),
    step("handover", time(0, unit="day"), "roof", "drains"),
)

INTERVIEWS: Mapping[str, Scr] = {
    "residence-time": flow(orders=()),
    "flow-shop": flow(permutation=fact(True)),
    "flexible-flow-shop": flow(resources=_OVEN_PAIR),
    "job-shop": Scr("shop", problem_type=fact("JOB-SHOP"), plans=_SHOP),
    "flexible-job-shop": Scr(
        "turnery",
        problem_type=fact("JOB-SHOP"),
        plans=(_TURNING,),
        orders=tuple(order(f"lot {number}") for number in (1, 2, 3)),
        resources=(pool("old lathe", 1), pool("new lathe", 1), pool("grinder", 1)),
        capabilities=(
            Capability(fact("old lathe"), fact("turn"), time(45)),
            Capability(fact("new lathe"), fact("turn")),
        ),
    ),
    "single-machine": Scr(
        "paint shop",
        problem_type=fact("SINGLE-MACHINE"),
        plans=(_PAINT,),
        orders=(
            order("door", product=fact("white"), due=time(30)),
            order("gate", product=fact("black"), due=time(15), priority=fact(3.0)),
            order("sill", product=fact("white"), due=time(60)),
            order("rail", product=fact("black"), due=time(50)),
        ),
        resources=(pool("booth", 1),),
        changeovers=(
            Changeover(fact("*"), fact("*"), time(5)),
            Changeover(fact("black"), fact("white"), time(15)),
        ),
        goals=goals("weighted-tardiness", "changeovers", "makespan"),
    ),
    "rcpsp": Scr("house", problem_type=fact("PROJECT-SCHEDULING"), plans=(_HOUSE,), resources=(pool("crew", 3),)),
    "timetabling": Scr(
        "school",
        problem_type=fact("TIMETABLING"),
        resources=(pool("room", 2), pool("Ada", 1)),
        events=(
            Event("logic", fact("logic"), {"room": fact(1.0), "Ada": fact(1.0)}, (), fact(2.0)),
            Event("drawing", fact("drawing"), {"room": fact(1.0)}, (fact("long"),), fact(1.0)),
            Event("talk", fact("talk"), {"Ada": fact(1.0)}, (fact("short"),), fact(1.0)),
        ),
        timeslots=(
            Timeslot("short", fact("short"), (fact("Monday"),), (fact("09:00-09:50"), fact("10:00-10:50"))),
            Timeslot("long", fact("long"), (fact("Monday"), fact("Tuesday")), (fact("09:30-11:00"),)),
        ),
    ),
}
"""Facts by target."""

WEEKDAYS = tuple(fact(day) for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"))
OPEN_EIGHT_TO_FOUR = Window(fact("*", "q5"), fact("08:00", "q5"), fact("16:00", "q5"), WEEKDAYS)


_MIX, _PROVE, _BAKE = BAKING.steps
_THEATRE = plan(
    "operation",
    step("surgery", time(40), resource="theatre", blocks=fact(True, "q6")),
    step("recovery", time(60), "surgery", resource="bed"),
)
_LIST = {
    "project": "theatres",
    "problem_type": fact("FLOW-SHOP"),
    "plans": (_THEATRE,),
    "orders": (order("Amy"), order("Bo"), order("Cy"), order("Di")),
    "resources": (pool("theatre", 2), pool("bed", 2)),
}
_LESSON = {"room": fact(1.0)}

PARTS: Mapping[str, Scr] = {
    "one order before all others": flow(precedences=(Precedence(fact("rolls", "q8")),)),
    "one order first at a step": flow(
        orders=(order("rye", due=time(135)), order("rolls")),
        precedences=(Precedence(fact("rolls", "q8"), at=fact("bake")),),
        goals=goals("tardiness"),
    ),
    "no wait": flow(plans=(plan("bread", _MIX, evolve(_PROVE, max_wait=time(0)), _BAKE),)),
    "blocking": Scr(
        "shop",
        problem_type=fact("JOB-SHOP"),
        plans=tuple(
            evolve(each, steps=tuple(evolve(step_, blocks=fact(True, "q6")) for step_ in each.steps)) for each in _SHOP
        ),
    ),
    "blocking in a pool": Scr(**_LIST),
    "cleaning of a machine": flow(cleanings=(Cleaning(fact("prover"), time(15, question="q8")),)),
    "cleaning of a pool, the child first": Scr(
        **_LIST,
        cleanings=(Cleaning(fact("theatre"), time(15, question="q8")),),
        precedences=(Precedence(fact("Di"), at=fact("theatre")),),
    ),
    "cleaning or the longer set-up": evolve(
        INTERVIEWS["single-machine"],
        orders=tuple(evolve(each, due=None) for each in INTERVIEWS["single-machine"].orders),
        cleanings=(Cleaning(fact("booth"), time(8)),),
        goals=goals("makespan"),
    ),
    "blocking of alternatives": evolve(
        INTERVIEWS["flexible-job-shop"],
        plans=(
            plan(
                "part",
                Step("turn", fact("turn"), time(30), blocks=fact(True)),
                step("grind", time(20), "turn", resource="grinder"),
            ),
        ),
        cleanings=(Cleaning(fact("old lathe"), time(5)), Cleaning(fact("grinder"), time(10))),
    ),
    "spread over days": Scr(
        "school",
        problem_type=fact("TIMETABLING"),
        resources=(pool("room", 1),),
        events=(
            Event("maths", fact("maths"), _LESSON, (), fact(3.0), fact(1.0, "q4")),
            Event("art", fact("art"), _LESSON, (), fact(2.0)),
        ),
        timeslots=(
            Timeslot(
                "hour",
                fact("hour"),
                (fact("Monday"), fact("Tuesday"), fact("Wednesday")),
                (fact("09:00-10:00"), fact("10:00-11:00"), fact("11:00-12:00")),
            ),
        ),
    ),
}
"""Facts with the parts that any target may have."""


def model_of(target: str) -> Model:
    """The model of the interview for ``target``."""
    return build(INTERVIEWS[target])
