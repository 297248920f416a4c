"""Impossible programmes of several kinds, from seeds: (name, programme, last day that matters)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from attrs import evolve

from packhorse_scheduling.domain.programme.limits import RuleSet
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock
from packhorse_scheduling.domain.programme.services import Service
from roster_factories import MONDAY, faculty, programme, resident, span

SEEDS = 4


def at(day: int):
    return MONDAY + timedelta(days=day)


def on(
    service: str, role: str, least: int, most: int, day: int, last: int | None = None, sessions=("AM", "PM"), **more
):
    return Demand(
        service, role, least, most, sessions=sessions, start=at(day), end=at(last if last is not None else day), **more
    )


def locked(person: str, days, service: str = "DAY", sessions=("AM", "PM")) -> tuple[Lock, ...]:
    return tuple(Lock(person, at(day), session, service) for day in days for session in sessions)


PEOPLE: tuple[Person, ...] = (
    resident("R1", 1, credentials={"X": None}),
    resident("R2", 2),
    resident("R3", 3),
    resident("R4", 2),
    faculty("F1", credentials={"X": None}),
    faculty("F2"),
)


def build(**changed) -> Programme:
    return programme(28, PEOPLE, **changed)


def too_many(random: Random) -> tuple[Programme, int]:
    return build(demands=(on("DAY", "RESIDENT", 5, 9, random.randrange(14)),)), 20


def all_away(random: Random) -> tuple[Programme, int]:
    day = random.randrange(1, 13)
    away = tuple(Leave(f"R{n}", at(day - 1), at(day)) for n in (1, 2, 3))
    return build(demands=(on("DAY", "RESIDENT", 2, 4, day),), leaves=away), 20


def expired(random: Random) -> tuple[Programme, int]:
    day = random.randrange(3, 14)
    people = (resident("R1", 1, credentials={"X": at(day - 1)}), *PEOPLE[1:])
    return programme(28, people, demands=(on("SKILL", "RESIDENT", 1, 2, day),)), 20


def locked_on_leave(random: Random) -> tuple[Programme, int]:
    day = random.randrange(14)
    return build(leaves=(Leave("R2", at(day), at(day)),), locks=locked("R2", [day], sessions=("AM",))), 20


def seven_in_a_row(random: Random) -> tuple[Programme, int]:
    day = random.randrange(10)
    return build(locks=locked("R3", range(day, day + 7), sessions=("AM",))), 20


def too_long(random: Random) -> tuple[Programme, int]:
    day = random.randrange(10)
    locks = (*locked("R1", [day], "LONG", ("AM",)), *locked("R1", [day], "CALL", ("PM",)))
    return build(locks=locks), 20


def no_rest_after_call(random: Random) -> tuple[Programme, int]:
    day = random.randrange(10)
    locks = (
        *locked("R1", [day], "DAY", ("AM",)), *locked("R1", [day], "CALL", ("PM",)),
        *locked("R1", [day + 1], "DAY", ("PM",)),
    )  # fmt: skip
    return build(locks=locks), 20


def unsupervised(random: Random) -> tuple[Programme, int]:
    day = random.randrange(10)
    away = (Leave("F1", at(day), at(day)), Leave("F2", at(day), at(day)))
    return build(demands=(on("SEEN", "RESIDENT", 1, 4, day, sessions=("AM",)),), leaves=away), 20


def faculty_twice(random: Random) -> tuple[Programme, int]:
    """The one with the credential is wanted in two places at once, and the other is away."""
    day = random.randrange(10)
    demands = (on("SKILL", "FACULTY", 1, 1, day), on("SEEN", "FACULTY", 1, 2, day))
    return build(demands=demands, leaves=(Leave("F2", at(day), at(day + 1)),)), 20


def too_much_call(random: Random) -> tuple[Programme, int]:
    """One resident is left for every night of two weeks."""
    first = random.randrange(5)
    away = tuple(Leave(f"R{n}", at(0), at(27)) for n in (2, 3, 4))
    demands = (
        on("CALL", "RESIDENT", 1, 1, first, first + 9, sessions=("PM",)),
        on("CALL", "RESIDENT", 1, 1, first + 1, first + 10, sessions=("AM",)),
    )
    return build(demands=demands, leaves=away), 27


def across_blocks(random: Random) -> tuple[Programme, int]:
    """Seven days in a row of which four end one block and three begin the next."""
    day = 28 - random.randrange(2, 5)
    return programme(56, PEOPLE, locks=locked("R4", range(day, day + 7), sessions=("PM",))), 40


def few_free_days(random: Random) -> tuple[Programme, int]:
    """Thirteen of the fourteen days that leave has left, where the house sets no limit on days in a row."""
    free = random.randrange(14)
    rules = RuleSet()
    rules = evolve(rules, day_run=evolve(rules.day_run, value=20))
    locks = locked("R2", [day for day in range(14) if day != free], sessions=("AM",))
    return build(locks=locks, leaves=(Leave("R2", at(14), at(27)),), rules=rules), 27


def too_many_hours(random: Random) -> tuple[Programme, int]:
    """Six days of 14 hours in the one week that leave has left: lawful but for the sum of the hours."""
    heavy = Service("HEAVY", "Heavy day", "inpatient", span(5, 12), span(12, 19))
    services = (*programme().services, heavy)
    first = random.randrange(2)
    locks = locked("R1", range(first, first + 6), "HEAVY")
    return programme(28, PEOPLE, services=services, locks=locks, leaves=(Leave("R1", at(7), at(27)),)), 27


KINDS = (
    too_many, all_away, expired, locked_on_leave, seven_in_a_row, too_long, no_rest_after_call, unsupervised,
    faculty_twice, too_much_call, across_blocks, few_free_days, too_many_hours,
)  # fmt: skip


def impossible_programmes() -> Iterator[tuple[str, Programme, int]]:
    for kind in KINDS:
        for seed in range(SEEDS):
            made, last = kind(Random(seed))
            yield f"{kind.__name__}-{seed}", made, last
