"""physician-scheduling of the MiniZinc Challenge (2021) as a ward: a shift of the ward is a station, shift and skill.

The family counts a day off as a department: who works every day of an instance below a week may change it, by rows of
`sequences` here. Two readings are stricter than the model's: people at risk may not change it where their last station
is not common, and pay for both where it is; and where days are more than a week and no whole weeks, the hours of the
last part of a week are limited as well.
"""

from itertools import product

from attrs import frozen

from packhorse_scheduling.convert.shifts.curtois import A_MONDAY
from packhorse_scheduling.convert.shifts.dzn import Data
from packhorse_scheduling.domain.wards.question import (
    EITHER,
    HOUR,
    OFF,
    WORKED,
    Contract,
    Demand,
    Past,
    Person,
    Request,
    Sequence,
    Shift,
    Used,
    Ward,
)
from packhorse_scheduling.errors import invalid

WEEK, LONGEST_RUN = 7, 6
FORBIDDEN = 4
"""A preference that is no preference: not this person there."""
STANDARD, EXTENDED = 1, 2
"""At stations that are not common, the extended shift counts for the standard one."""
NOBODY = "nobody"
"""A skill that nobody has: of shifts that only the past knows."""


@frozen
class _Key:
    """A shift of the ward."""

    station: int
    shift: int
    skill: int

    def __str__(self) -> str:
        return f"St{self.station}/Sh{self.shift}/Sk{self.skill}"


def physicians_from(data: Data) -> Ward:
    """The ward."""
    return _Physicians(data).ward()


class _Physicians:
    def __init__(self, data: Data) -> None:
        self.data = data
        self.days, self.people = data.whole("numDays", 1, 366), data.whole("numPers", 1, 300)
        self.stations, self.shifts, self.skills = (
            data.whole(name, 1, 50) for name in ("numStations", "numShifts", "numSkills")
        )
        self.department = data.array("stationDepartment", self.stations + 1)
        self.common = data.array("stationCommon", self.stations + 1, bool)
        flat = data.array("demand", (self.stations + 1) * (self.shifts + 1) * self.days * (self.skills + 1))
        sizes = (range(self.stations + 1), range(self.shifts + 1), range(self.days), range(self.skills + 1))
        self.demand = dict(zip(product(*sizes), flat, strict=True))
        flat = data.array("stationPrefs", self.people * (self.stations + 1) * (self.skills + 1))
        liked = product(range(self.people), range(self.stations + 1), range(self.skills + 1))
        self.preference = dict(zip(liked, flat, strict=True))
        if data["indexNight"]:
            raise invalid(data.source, f"{data.source}: night shifts in pairs (indexNight) are not read.")
        self.groups = data.whole("numSubsum", 0, 100)
        self.at_risk = data.array("persRisk", self.people, bool)
        self.keys = self._keys()

    def _keys(self) -> list[_Key]:
        """Where and as what somebody is needed on some day."""
        inside = product(range(1, self.stations + 1), range(1, self.shifts + 1), range(1, self.skills + 1))
        return [
            _Key(i, j, k)
            for i, j, k in inside
            if any(self.demand[i, STANDARD if self._counts(i, j) else j, d, k] for d in range(self.days))
        ]

    def _counts(self, station: int, shift: int) -> bool:
        """Whether the shift is needed as the standard one there."""
        return shift in (STANDARD, EXTENDED) and not self.common[station]

    def ward(self) -> Ward:
        data, everybody = self.data, range(self.people)
        name = "histLastStationWorked"
        self.last = data.array(name, self.people)
        if any(not 0 <= station <= self.stations for station in self.last):
            raise invalid(data.source, f"{data.source}: {name} has no such station.")
        past_only = [
            _Key(station, STANDARD, 0) for station in dict.fromkeys(self.last) if station
        ]  # fmt: skip
        return Ward(
            start=A_MONDAY,
            days=self.days,
            shifts=(*map(self._shift, self.keys), *map(self._shift, past_only)),
            contracts=tuple(map(self._contract, everybody)),
            people=tuple(map(self._person, everybody)),
            demands=self._demands(),
            requests=tuple(request for p in everybody for request in self._requests(p)),
            sequences=self._sequences(),
            used=self._used(),
            past=tuple(map(self._past, everybody)),
            name=data.source,
        )

    def _shift(self, key: _Key) -> Shift:
        hours = self.data.array("shiftLength", self.shifts + 1)[key.shift]
        barred = self.data.array("forbiddenSequences", self.shifts + 1, frozenset)[key.shift]
        follows = frozenset(str(other) for other in self.keys if other.shift in barred and key.skill)
        place = None if self.common[key.station] else f"St{key.station}"
        needs = str(key) if key.skill else NOBODY
        return Shift(str(key), HOUR * hours, None, None, follows, needs, place, self._department(key.station))

    def _department(self, station: int) -> str | None:
        return f"Dep{self.department[station]}" if self.department[station] else None

    def _contract(self, p: int) -> Contract:
        whole_weeks = self.days >= WEEK
        return Contract(
            f"c{p + 1}",
            shifts=(1 if self.data.array("persRequireWork", self.people, bool)[p] else None, None),
            week_hours=HOUR * self.data.array("maxHoursWeek", self.people)[p] if whole_weeks else None,
            work_run=(None, LONGEST_RUN) if whole_weeks else (None, None),
            place_changes=0,
            departments=2 if self._may_change(p) else 1,
            weights={"place_changes": self.data.whole("stationWeight")},
        )

    def _may_change(self, p: int) -> bool:
        """Whether a person without a day off may work in another department than that of the last station."""
        last = self.last[p]
        pays_by_last = self.at_risk[p] and not self.common[last]
        return self.days < WEEK and self.department[last] != 0 and not pays_by_last

    def _sequences(self) -> tuple[Sequence, ...]:
        """Nobody who has a day off works in another department than before."""
        found, days = [], frozenset(range(self.days))
        for p in filter(self._may_change, range(self.people)):
            own = self.department[self.last[p]]
            for key in (key for key in self.keys if self.department[key.station] not in (0, own)):
                for gap in range(self.days - 1):
                    between = [EITHER] * gap
                    found += [
                        Sequence(cells, f"c{p + 1}", None, days)
                        for cells in ((OFF, *between, str(key)), (str(key), *between, OFF))
                    ]
        return tuple(found)

    def _person(self, p: int) -> Person:
        able = (str(key) for key in self.keys if self.preference[p, key.station, key.skill] < FORBIDDEN)
        return Person(f"p{p + 1}", f"c{p + 1}", skills=tuple(able))

    def _past(self, p: int) -> Past:
        """The last station as a day on its own, a day off, and the run of days at the end."""
        station, run = self.last[p], self.data.array("histConsecutiveWorkDays", self.people)[p]
        there = (str(_Key(station, STANDARD, 0)), OFF) if station else ()
        return Past(f"p{p + 1}", (*there, *[WORKED] * run))

    def _requests(self, p: int) -> list[Request]:
        data, who, weight = self.data, f"p{p + 1}", self.data.whole("preferenceWeight")
        off = data.array("forbiddenDays", self.people, frozenset)[p]
        found = [Request(who, d - 1, d - 1, OFF) for d in sorted(off)]
        last = data.array("histShiftLastDay", self.people)[p]
        barred = data.array("forbiddenSequences", self.shifts + 1, frozenset)[last]
        for key in self.keys:
            price = self.preference[p, key.station, key.skill] * weight
            if key.shift in barred:
                found.append(Request(who, 0, 0, str(key), wanted=False))
            if 0 < price < FORBIDDEN * weight:
                found.append(Request(who, 0, self.days - 1, str(key), wanted=False, weight=price))
        free = self.preference[p, 0, 0] * weight
        if free:
            found.append(Request(who, 0, self.days - 1, OFF, wanted=False, weight=free))
        return found

    def _demands(self) -> tuple[Demand, ...]:
        found = []
        of_group = [self.data.array("subDepartment", self.groups), self.data.array("subSkills", self.groups, frozenset)]
        number = iter(self.data.array("subDemand", self.groups * self.days))
        extended = [key for key in self.keys if key.shift == EXTENDED and not self.common[key.station]]
        for department, skills in zip(*of_group, strict=True):
            those = [key for key in extended if self.department[key.station] == department and key.skill in skills]
            found += [self._exactly(d, those, next(number)) for d in range(self.days)]
        grouped = {(department, skill) for department, skills in zip(*of_group, strict=True) for skill in skills}
        alone = [key for key in extended if (self.department[key.station], key.skill) not in grouped]
        found += [self._exactly(d, [key], 0) for d in range(self.days) for key in alone]
        for key in self.keys:
            if key in extended:
                continue
            those = [key, *(other for other in extended if (other.station, other.skill) == (key.station, key.skill))]
            those = those if self._counts(key.station, key.shift) else [key]
            found += [
                self._exactly(d, those, self.demand[key.station, key.shift, d, key.skill]) for d in range(self.days)
            ]
        return tuple(one for one in found if one.shifts)

    def _exactly(self, day: int, keys: list[_Key], number: int) -> Demand:
        if number and not keys:
            raise invalid(self.data.source, f"{self.data.source}: subDemand asks for a shift that is not needed.")
        return Demand(day, tuple(map(str, keys)), least=number, most=number)

    def _used(self) -> tuple[Used, ...]:
        """People who work at all, and those at risk by their department."""
        every, price = tuple(map(str, self.keys)), self.data.whole("persWeight")
        found = [Used(every, price)] if price else []
        risk = self.data.whole("riskWeight")
        for p, is_at_risk in enumerate(self.at_risk):
            if not is_at_risk or not risk:
                continue
            last = self.last[p]
            if last and not self.common[last]:
                found.append(Used(every, risk * self.department[last], f"c{p + 1}"))
                continue
            for department in sorted(set(self.department) - {0}):
                stations = {i for i, one in enumerate(self.department) if one == department and not self.common[i]}
                there = tuple(str(key) for key in self.keys if key.station in stations)
                found.append(Used(there, risk * department, f"c{p + 1}"))
        return tuple(one for one in found if one.weight and one.shifts)
