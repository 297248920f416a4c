"""Thirty-nine sets of locks that contradict a rule, leave, a demand, the rotation plan or each other: our own.

Each is (name, stage, programme, plan in force, first and last day asked for).
The stage is where the contradiction shows: "alone" (the locks by themselves),
"half-days" (beside demands), or "plan" (in the grid of rotations).
"""

from collections.abc import Iterator
from datetime import timedelta

from attrs import evolve

from packhorse_scheduling.domain.programme.limits import RuleSet
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, RotationLock
from packhorse_scheduling.domain.programme.services import Rotation, Service
from packhorse_scheduling.domain.roster.plan import Plan, Stay
from roster_factories import MONDAY, SERVICES, faculty, programme, resident, span

PROC = Service("PROC", "Lines", "procedure", span(8, 12), span(13, 16), pgy=frozenset({2, 3}))
HEAVY = Service("HEAVY", "Heavy day", "inpatient", span(5, 12), span(12, 19))
PEOPLE = (
    resident("R1", 1),
    resident("R2", 2, credentials={"X": MONDAY + timedelta(days=2)}),
    resident("R3", 3),
    resident("R4", 2),
    faculty("F1", credentials={"X": None}),
    faculty("F2"),
)
ON_DAY = ("R1", "R2", "R3", "R4")


def at(day):
    return MONDAY + timedelta(days=day)


def lock(person, day, service, sessions="AP"):
    return tuple(Lock(person, at(day), {"A": "AM", "P": "PM"}[one], service) for one in sessions)


def locks(person, days, service, sessions="AP"):
    return tuple(one for day in days for one in lock(person, day, service, sessions))


def need(service, least, most, day, sessions=("AM", "PM"), role="RESIDENT"):
    return Demand(service, role, least, most, sessions=sessions, start=at(day), end=at(day))


def away(person, first, last=None):
    return Leave(person, at(first), at(first if last is None else last))


def night(person, day, service="CALL"):
    return (*lock(person, day, service, "P"), *lock(person, day + 1, service, "A"))


def small(**changed) -> Programme:
    return programme(28, PEOPLE, **{"services": (*SERVICES, PROC, HEAVY), **changed})


def rules(**changed):
    made = RuleSet()
    return evolve(made, **{name: evolve(getattr(made, name), value=value) for name, value in changed.items()})


FREE_RUN = rules(day_run=20)
ALONE = {
    "year of training": small(locks=lock("R1", 3, "PROC", "A")),
    "credential never had": small(locks=lock("R3", 3, "SKILL", "A")),
    "credential run out": small(locks=lock("R2", 9, "SKILL", "P")),
    "role": small(services=(*SERVICES, evolve(PROC, roles=frozenset({"RESIDENT"}))), locks=lock("F1", 4, "PROC", "A")),
    "on leave": small(locks=lock("R3", 5, "DAY", "A"), leaves=(away("R3", 5),)),
    "amid two weeks of leave": small(
        locks=(*lock("R4", 12, "LONG"), *lock("R4", 2, "DAY")), leaves=(away("R4", 7, 20),)
    ),
    "seven days running": small(locks=locks("R3", range(4, 11), "DAY", "A")),
    "ten days running": small(locks=locks("R4", range(3, 13), "DAY", "P")),
    "work after a call": small(locks=(*lock("R2", 2, "DAY", "A"), *night("R2", 2), *lock("R2", 3, "DAY", "P"))),
    "a long day before a call": small(locks=(*lock("R2", 6, "LONG", "A"), *night("R2", 6))),
    "half a night": small(locks=(*lock("R3", 2, "CALL", "P"), *lock("R3", 3, None, "A"))),
    "a morning of a night after an afternoon": small(locks=(*lock("R3", 7, "NIGHT", "A"), *lock("R3", 6, "DAY", "P"))),
    "nights in a row": small(
        rules=rules(day_run=20), locks=tuple(x for d in range(2, 9) for x in night("R3", d, "NIGHT"))
    ),
    "calls too often": small(rules=FREE_RUN, locks=tuple(x for d in range(0, 24, 2) for x in night("R4", d))),
    "hours": small(rules=FREE_RUN, locks=locks("R1", range(6), "HEAVY"), leaves=(away("R1", 7, 27),)),
    "free days": small(
        rules=FREE_RUN, locks=locks("R2", [d for d in range(14) if d != 6], "DAY", "A"), leaves=(away("R2", 14, 27),)
    ),
    "two where one may be": small(
        demands=(need("DAY", 0, 1, 8),), locks=(*lock("R1", 8, "DAY", "A"), *lock("R3", 8, "DAY", "A"))
    ),
    "three where two may be": small(
        demands=(need("LONG", 1, 2, 8),), locks=tuple(x for r in ON_DAY[:3] for x in lock(r, 8, "LONG", "P"))
    ),
    "where nobody may be": small(demands=(need("LONG", 0, 0, 9),), locks=lock("R1", 9, "LONG", "A")),
    "two attendings": small(
        demands=(need("DAY", 0, 1, 9, role="FACULTY"),), locks=(*lock("F1", 9, "DAY", "A"), *lock("F2", 9, "DAY", "A"))
    ),
}
HALF_DAYS = {
    "all locked free": small(
        demands=(need("DAY", 1, 3, 10),), locks=tuple(x for r in ON_DAY for x in lock(r, 10, None, "A"))
    ),
    "all locked elsewhere": small(
        demands=(need("DAY", 1, 3, 10),), locks=tuple(x for r in ON_DAY for x in lock(r, 10, "LONG", "P"))
    ),
    "two locks of one demand": small(
        demands=(need("DAY", 3, 4, 10),), locks=(*lock("R1", 10, "LONG", "A"), *lock("R4", 10, None, "A"))
    ),
    "the only one with the credential": small(
        demands=(need("SKILL", 1, 1, 1, sessions=("AM",)),), locks=lock("R2", 1, None, "A")
    ),
    "no supervision": small(
        demands=(need("SEEN", 1, 4, 3, sessions=("AM",)),), locks=(*lock("F1", 3, None, "A"), *lock("F2", 3, None, "A"))
    ),
    "the last one for a night": small(
        demands=(need("NIGHT", 1, 1, 4, sessions=("PM",)), need("NIGHT", 1, 1, 5, sessions=("AM",))),
        leaves=(away("R1", 3, 6), away("R2", 3, 6), away("R3", 3, 6)),
        locks=lock("R4", 4, None, "P"),
    ),
    "a night before a lock": small(
        demands=(need("CALL", 1, 1, 4, sessions=("PM",)), need("CALL", 1, 1, 5, sessions=("AM",))),
        leaves=(away("R1", 3, 6), away("R2", 3, 6), away("R3", 3, 6)),
        locks=(*lock("R4", 4, "DAY", "A"), *lock("R4", 5, "DAY", "P")),
    ),
    "a seventh day": small(
        demands=(need("DAY", 1, 1, 8),),
        leaves=(away("R1", 8), away("R2", 8), away("R4", 8)),
        locks=locks("R3", range(2, 8), "LONG", "A"),
    ),
}

WARD = Rotation("WARD", "Ward", ("DAY",), least=1)
NIGHTS = Rotation("NIGHTS", "Nights", ("NIGHT",), least=1, most=1, leave=False)
LONGS = Rotation("LONGS", "Long ward", ("LONG",), pgy=frozenset({2, 3}))
ROTATIONS = (WARD, NIGHTS, LONGS)
EVENINGS = (
    Demand("NIGHT", "RESIDENT", 1, 1, sessions=("PM",), end=at(54)),
    Demand("NIGHT", "RESIDENT", 1, 1, sessions=("AM",), start=at(1)),
)
IN_FORCE = tuple(
    Stay(person, at(0), at(27), rotation) for person, rotation in (("R1", "NIGHTS"), ("R2", "WARD"), ("R3", "LONGS"))
)


def held(person, first, last, rotation, **more):
    return RotationLock(person, at(first), at(last), rotation, **more)


def planned(**changed) -> Programme:
    people = (resident("R1", 1), resident("R2", 2), resident("R3", 3), faculty("F1"))
    return programme(56, people, **{"rotations": ROTATIONS, **changed})


PLAN: dict[str, tuple[Programme, Plan, int, int]] = {
    "the only night float's evening": (
        planned(demands=EVENINGS, locks=lock("R2", 13, None, "P"), rotation_locks=(held("R2", 0, 27, "NIGHTS"),)),
        (),
        0,
        55,
    ),
    "against the plan in force and the curriculum": (
        planned(rotations=(WARD, evolve(NIGHTS, required={2: 7}), LONGS), rotation_locks=(held("R2", 30, 30, "WARD"),)),
        IN_FORCE,
        28,
        55,
    ),
    "a rotation of another year": (planned(rotation_locks=(held("R1", 0, 27, "LONGS"),)), (), 0, 55),
    "two on a rotation of one": (
        planned(rotation_locks=(held("R1", 0, 6, "NIGHTS"), held("R2", 14, 20, "NIGHTS"))),
        (),
        0,
        55,
    ),
    "two half-days of two rotations": (
        planned(locks=(*lock("R3", 3, "LONG", "A"), *lock("R3", 20, "DAY", "A"))),
        (),
        0,
        55,
    ),
    "a rotation without leave": (
        planned(rotation_locks=(held("R2", 28, 55, "NIGHTS"),), leaves=(away("R2", 30, 36),)),
        (),
        0,
        55,
    ),
    "off what must be done": (
        planned(
            rotations=(WARD, evolve(NIGHTS, required={2: 13}), LONGS),
            rotation_locks=(held("R2", 0, 27, "NIGHTS", avoid=True),),
        ),
        (),
        0,
        55,
    ),
    "off a unit that has begun": (planned(rotation_locks=(held("R2", 5, 20, "LONGS"),)), IN_FORCE, 10, 55),
    "off the plan of this unit and the next": (
        planned(rotation_locks=(held("R3", 12, 40, "LONGS", avoid=True), held("R1", 20, 40, "WARD"))),
        IN_FORCE,
        10,
        55,
    ),
    "nobody is left for a team": (
        planned(rotation_locks=tuple(held(r, 30, 30, "WARD", avoid=True) for r in ("R1", "R2", "R3"))),
        (),
        0,
        55,
    ),
}


def lock_sets() -> Iterator[tuple[str, str, Programme, Plan, int, int]]:
    for name, made in ALONE.items():
        yield name, "alone", made, (), 0, 27
    for name, made in HALF_DAYS.items():
        yield name, "half-days", made, (), 0, 27
    for name, (made, plan, first, last) in PLAN.items():
        yield name, "plan", made, plan, first, last
