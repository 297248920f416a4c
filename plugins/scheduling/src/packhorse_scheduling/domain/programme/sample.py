"""A made-up but realistic programme year, from a seed: for the demo, the tests, and as an open benchmark.

Knobs: how many residents and faculty, the weeks of leave of each, how many
preferences, and ``tightness`` (0 relaxed to 1 tight), which narrows the
teams. With the same arguments the programme is the same everywhere.
"""

from datetime import date, timedelta
from random import Random

from attrs import field, frozen

from packhorse_scheduling.domain.programme.calendar import Year, academic_year
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Preference
from packhorse_scheduling.domain.programme.services import LEAVE_FREE_DAYS, Rotation, Service, Span

_FIRST = (
    "Ada Ben Chen Dana Eli Fay Gil Hana Ivo Jun Kai Lena Mona Nils Ora Pia Quinn Rosa Sam Tess Uma Vera Will Xia Yara"
    " Zoe"
)
_LAST = (
    "Abbott Baker Castro Diaz Ellis Fischer Garcia Hughes Ito Jensen Kim Lopez Moreau Novak Okafor Patel Quist Rossi"
    " Silva Tanaka Ueda Vargas Weber Xu Young Zhang"
)
WEEKDAYS = frozenset(range(5))
WEEKEND = frozenset({5, 6})
# Night float works Sunday to Thursday nights, call covers Friday and Saturday: each side keeps calendar days free.
_FLOAT_EVENINGS, _FLOAT_MORNINGS = frozenset({6, 0, 1, 2, 3}), frozenset({0, 1, 2, 3, 4})
_CALL_EVENINGS, _CALL_MORNINGS = frozenset({4, 5}), frozenset({5, 6})
RESIDENTS = (6, 200)
FACULTY = (4, 200)


def _span(start: int, end: int) -> Span:
    return Span(start * 60, end * 60)


def services() -> tuple[Service, ...]:
    """The services of a small family-medicine programme. Clock times are our choice, within common practice."""
    return (
        Service("CLINIC", "Clinic", "clinic", _span(8, 12), _span(13, 17), supervised=True),
        Service("WARD", "Inpatient ward", "inpatient", _span(7, 12), _span(12, 17), supervised=True),
        Service("ICU", "Intensive care", "inpatient", _span(6, 12), _span(12, 18), supervised=True,
                credentials=frozenset({"ICU"})),
        Service("PROC", "Procedures", "procedure", _span(8, 12), _span(13, 16), supervised=True,
                pgy=frozenset({2, 3}), credentials=frozenset({"PROC"})),
        Service("NF", "Night float", "night_float", _span(0, 7), _span(19, 24), overnight=True,
                roles=frozenset({"RESIDENT"})),
        Service("CALL", "In-house call", "call", _span(0, 7), _span(12, 24), overnight=True,
                roles=frozenset({"RESIDENT"})),
        Service("ELECT", "Elective and education", "education", _span(8, 12), _span(13, 17),
                roles=frozenset({"RESIDENT"}), transition=True),
        Service("ADMIN", "Administration and teaching", "admin", _span(8, 12), _span(13, 17),
                roles=frozenset({"FACULTY"})),
    )  # fmt: skip


@frozen
class Shape:
    """The knobs of a sample programme."""

    residents: int = field(default=12)
    faculty: int = field(default=8)
    seed: int = 1
    start_year: int = field(default=2026)
    leave_weeks: int = field(default=3)
    wishes: int = field(default=6)
    tightness: float = field(default=0.5)

    @residents.validator
    def _enough_residents(self, attribute: object, value: int) -> None:
        _between("residents", value, *RESIDENTS)

    @faculty.validator
    def _enough_faculty(self, attribute: object, value: int) -> None:
        _between("faculty", value, *FACULTY)

    @leave_weeks.validator
    def _some_leave(self, attribute: object, value: int) -> None:
        _between("leave weeks", value, 0, 6)

    @wishes.validator
    def _some_wishes(self, attribute: object, value: int) -> None:
        _between("wishes", value, 0, 50)

    @tightness.validator
    def _share(self, attribute: object, value: float) -> None:
        _between("tightness", value, 0, 1)


def sample(shape: Shape) -> Programme:
    """The programme of this shape."""
    random = Random(shape.seed)  # noqa: S311 - a reproducible example, no secret
    year = academic_year(f"{shape.start_year}-{shape.start_year + 1}")
    residents, faculty = _residents(shape, random), _faculty(shape, random)
    people = (*residents, *faculty)
    teams = max(1, shape.residents // 12)
    return Programme(
        name=f"Sample residency {shape.seed}",
        year=year,
        people=people,
        services=services(),
        rotations=_rotations(shape, teams),
        demands=_demands(shape, teams),
        leaves=(
            *_leaves(shape, random, year, residents, _may_leave(shape, teams)),
            *_leaves(shape, random, year, faculty),
        ),
        preferences=_preferences(shape, random, year, people),
    )


def _between(what: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} must be from {least} to {most}")


def _names(random: Random, count: int) -> list[str]:
    pairs = [f"{first} {last}" for first in _FIRST.split() for last in _LAST.split()]
    return random.sample(pairs, count)


def _residents(shape: Shape, random: Random) -> list[Person]:
    return [
        Person(f"R{n + 1:02}", name, "RESIDENT", f"r{n + 1:02}@example.org", pgy=n % 3 + 1)
        for n, name in enumerate(_names(random, shape.residents))
    ]


def _faculty(shape: Shape, random: Random) -> list[Person]:
    """Half of the faculty hold the intensive-care credential and half the procedural one, at least three each."""
    half = max(3, (shape.faculty + 1) // 2)
    found = []
    for n, name in enumerate(_names(random, shape.faculty)):
        held: dict[str, date | None] = {}
        if n < half:
            held["ICU"] = None
        if n >= shape.faculty - half:
            held["PROC"] = None
        found.append(Person(f"F{n + 1:02}", f"Dr. {name}", "FACULTY", f"f{n + 1:02}@example.org", credentials=held))
    return found


def _may_leave(shape: Shape, teams: int) -> int:
    """Residents on rotations that allow leave, less two: short leave at a period's edge needs relief as well."""
    return max(
        1, shape.residents - sum(rotation.least for rotation in _rotations(shape, teams) if not rotation.leave) - 2
    )


def _rotations(shape: Shape, teams: int) -> tuple[Rotation, ...]:
    small = shape.residents < 12
    call = ("CALL",)
    return (
        Rotation("WARD", "Inpatient ward", ("WARD", "CLINIC", *call), 2 * teams if small else 3 * teams, leave=False,
                 required={1: 3, 2: 2, 3: 2}),
        Rotation("ICU", "Intensive care", ("ICU",), 1 * teams if small else 2 * teams, leave=False,
                 required={1: 1, 2: 2, 3: 1}),
        Rotation("NIGHT", "Night float", ("NF",), teams, leave=False, most=teams),
        Rotation("AMB", "Ambulatory", ("CLINIC", "PROC", *call), 1 if small else 2 * teams),
        Rotation("ELECT", "Elective", ("ELECT", "CLINIC", *call), 0 if small else teams),
    )  # fmt: skip


def _demands(shape: Shape, teams: int) -> tuple[Demand, ...]:
    small = shape.residents < 12
    ward = teams if small else (2 if shape.tightness > 0.25 else 1) * teams
    icu_days = WEEKDAYS if small else frozenset(range(7))
    return (
        Demand("CLINIC", "RESIDENT", teams, 5 * teams, weekdays=WEEKDAYS, holidays=False),
        Demand("CLINIC", "FACULTY", 1, 3 * teams + 1, weekdays=WEEKDAYS, holidays=False),
        Demand("WARD", "RESIDENT", ward, 4 * teams, weekdays=WEEKDAYS),
        Demand("WARD", "RESIDENT", teams, 2 * teams, weekdays=WEEKEND),
        Demand("WARD", "FACULTY", 1, 2 * teams + 1),
        Demand("ICU", "RESIDENT", teams, 2 * teams, weekdays=icu_days),
        Demand("ICU", "FACULTY", 1, 2 * teams),
        Demand("PROC", "RESIDENT", 0, 2 * teams, weekdays=frozenset({1, 3}), holidays=False),
        Demand("PROC", "FACULTY", 0, teams + 1, weekdays=frozenset({1, 3}), holidays=False),
        Demand("NF", "RESIDENT", teams, teams, weekdays=_FLOAT_EVENINGS, sessions=("PM",)),
        Demand("NF", "RESIDENT", teams, teams, weekdays=_FLOAT_MORNINGS, sessions=("AM",)),
        Demand("CALL", "RESIDENT", teams, teams, weekdays=_CALL_EVENINGS, sessions=("PM",)),
        Demand("CALL", "RESIDENT", teams, teams, weekdays=_CALL_MORNINGS, sessions=("AM",)),
    )


def _leaves(
    shape: Shape, random: Random, year: Year, people: list[Person], most_per_period: int | None = None
) -> list[Leave]:
    """Whole weeks from Monday to Sunday, at most a fifth of a group away at once.

    ``most_per_period`` caps the leaves of more than `LEAVE_FREE_DAYS` in one
    four-week period: as many as there are people on rotations that allow it.
    """
    monday = year.start + timedelta(days=(7 - year.start.weekday()) % 7)
    weeks = (year.end - monday).days // 7
    room = [max(1, len(people) // 5)] * weeks
    taken = [0] * len(year.periods())
    found = []
    for person in people:
        mine = 0
        for week in random.sample(range(weeks), weeks):
            start = monday + timedelta(weeks=week)
            touched = _touched(year, start)
            full = most_per_period is not None and any(taken[n] >= most_per_period for n in touched)
            if mine == shape.leave_weeks or not room[week] or full:
                continue
            mine += 1
            room[week] -= 1
            for n in touched:
                taken[n] += 1
            found.append(Leave(person.key, start, start + timedelta(days=6)))
    return sorted(found, key=lambda leave: (leave.person, leave.start))


def _touched(year: Year, start: date) -> list[int]:
    """The four-week periods in which a week of leave takes more than the days any rotation can bear."""
    first = year.index(start)
    return [n for n, (low, end) in enumerate(year.periods()) if min(end, first + 7) - max(low, first) > LEAVE_FREE_DAYS]


def _preferences(shape: Shape, random: Random, year: Year, people: tuple[Person, ...]) -> tuple[Preference, ...]:
    return tuple(
        Preference(person.key, day, avoid=True, weight=random.randint(1, 3))
        for person in people
        for day in sorted(year.day(d) for d in random.sample(range(year.days), shape.wishes))
    )
