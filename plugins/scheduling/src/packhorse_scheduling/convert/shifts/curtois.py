"""The text format of the Curtois and Qu instances (schedulingbenchmarks.org), read into a ward's question.

Sections: HORIZON, SHIFTS, STAFF, DAYS_OFF, SHIFT_ON_REQUESTS, SHIFT_OFF_REQUESTS, COVER; lines of fields between
commas; # begins a comment.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from attrs import frozen

from packhorse_scheduling.convert.shifts.lines import Line, numbered, quoted
from packhorse_scheduling.domain.wards.question import OFF, Contract, Demand, Person, Request, Shift, Ward
from packhorse_scheduling.errors import invalid

NEEDED = ("SECTION_HORIZON", "SECTION_SHIFTS", "SECTION_STAFF", "SECTION_COVER")
OTHER = ("SECTION_DAYS_OFF", "SECTION_SHIFT_ON_REQUESTS", "SECTION_SHIFT_OFF_REQUESTS")
A_MONDAY = date(2018, 1, 1)
"""Day 0: the format has no dates."""
MOST_DAYS = 366
MOST_PEOPLE = 300
MOST_SHIFTS = 40
"""Limits of what is read: the largest instance published has 364 days, 150 people and 32 shifts."""


def ward_from(text: str, source: str = "instance") -> Ward:
    """The question that the text asks; ``source`` names it in refusals.

    Raises:
        UserError: a section is missing, or a line does not fit the format; the message names line and section.
    """
    return _Reader(source, _sections(text, source)).ward()


def _sections(text: str, source: str) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    section = None
    for number, bare in numbered(text):
        if bare.startswith("SECTION_"):
            section = bare
            if bare not in NEEDED and bare not in OTHER:
                Line(source, bare[:40], number, bare).refuse(
                    f"This section is not known; there are {', '.join(NEEDED + OTHER)}."
                )
            if bare in found:
                Line(source, bare, number, bare).refuse("This section is there already.")
            found[bare] = []
        elif section is None:
            Line(source, "before any section", number, bare).refuse("The first line must be SECTION_HORIZON.")
        else:
            found[section].append(Line(source, section, number, bare))
    for needed in NEEDED:
        if not found.get(needed):
            raise invalid(source, f"{source}: {needed} is missing or empty: this is not a Curtois instance.")
    return found


@frozen
class _Reader:
    source: str
    sections: Mapping[str, Sequence[Line]]

    def ward(self) -> Ward:
        lines = self.sections["SECTION_HORIZON"]
        if len(lines) != 1:
            lines[1].refuse("The horizon is one line with the number of days.")
        days = lines[0].whole(lines[0].text, "the horizon", least=1, most=MOST_DAYS)
        shifts = self._shifts()
        people = self._people(shifts)
        requests = [
            *self._days_off(people, days),
            *(
                request
                for section, wanted in (("SECTION_SHIFT_ON_REQUESTS", True), ("SECTION_SHIFT_OFF_REQUESTS", False))
                for request in self._requests(section, people, shifts, days, wanted=wanted)
            ),
        ]
        return Ward(
            start=A_MONDAY,
            days=days,
            shifts=tuple(shifts.values()),
            contracts=tuple(people.values()),
            people=tuple(Person(name, name) for name in people),
            demands=self._covers(shifts, days),
            requests=tuple(requests),
            name=self.source,
        )

    def _shifts(self) -> dict[str, Shift]:
        lines = self.sections["SECTION_SHIFTS"]
        if len(lines) > MOST_SHIFTS:
            lines[MOST_SHIFTS].refuse(f"At most {MOST_SHIFTS} shifts are read.")
        found: dict[str, Shift] = {}
        for line in lines:
            name, minutes, after = line.fields(3, "id, minutes, shifts that must not follow")
            if not name or name in found:
                line.refuse(f"The shift id {quoted(name)} is empty or there already.")
            refused = frozenset(part.strip() for part in after.split("|") if part.strip())
            length = line.whole(minutes, "the length in minutes", least=1, most=1440)
            found[name] = Shift(name, 60 * length, not_next=refused)
        for line, shift in zip(lines, found.values(), strict=True):
            for other in sorted(shift.not_next - set(found)):
                line.refuse(f"The shift {quoted(other)} that must not follow is not defined.")
        return found

    def _people(self, shifts: Mapping[str, Shift]) -> dict[str, Contract]:
        """Each person's limits, as a contract of their own."""
        lines = self.sections["SECTION_STAFF"]
        if len(lines) > MOST_PEOPLE:
            lines[MOST_PEOPLE].refuse(f"At most {MOST_PEOPLE} people are read.")
        found: dict[str, Contract] = {}
        for line in lines:
            name, most_of, *limits = line.fields(
                8,
                "id, most of each shift, most minutes, least minutes, longest run, shortest run, shortest rest,"
                " most weekends",
            )
            if not name or name in found:
                line.refuse(f"The person {quoted(name)} is empty or there already.")
            most, least, longest, shortest, rest, weekends = (
                line.whole(given, what)
                for given, what in zip(
                    limits,
                    ("most minutes", "least minutes", "longest run", "shortest run", "shortest rest", "most weekends"),
                    strict=True,
                )
            )
            if least > most:
                line.refuse(f"The least minutes, {least}, are more than the most, {most}.")
            if not 1 <= shortest <= longest:
                line.refuse(f"The shortest run, {shortest}, must be from 1 to the longest, {longest}.")
            found[name] = Contract(
                name,
                hours=(60 * least, 60 * most),
                work_run=(shortest, longest),
                off_run=(max(1, rest), None),
                weekends=weekends,
                shift_most=self._most_of(line, most_of, shifts),
            )
        return found

    def _most_of(self, line: Line, given: str, shifts: Mapping[str, Shift]) -> dict[str, int]:
        found: dict[str, int] = {}
        for part in filter(None, given.split("|")):
            name, sign, number = part.partition("=")
            if not sign or name.strip() not in shifts:
                line.refuse(f"{quoted(part)} must be a shift's id, = and how often it may be worked.")
            found[name.strip()] = line.whole(number, f"the most of {name.strip()}")
        return found

    def _days_off(self, people: Mapping[str, Contract], days: int) -> list[Request]:
        found = []
        for line in self.sections.get("SECTION_DAYS_OFF", ()):
            name, *given = [part.strip() for part in line.text.split(",")]
            if name not in people:
                line.refuse(f"There is no person {quoted(name)}.")
            off = {line.whole(day, "a day off", most=days - 1) for day in given}
            found += [Request(name, day, day, OFF) for day in sorted(off)]
        return found

    def _requests(
        self, section: str, people: Mapping[str, Contract], shifts: Mapping[str, Shift], days: int, *, wanted: bool
    ) -> list[Request]:
        found = []
        for line in self.sections.get(section, ()):
            person, day, shift, weight = line.fields(4, "person, day, shift, weight")
            if person not in people:
                line.refuse(f"There is no person {quoted(person)}.")
            if shift not in shifts:
                line.refuse(f"There is no shift {quoted(shift)}.")
            at, cost = line.whole(day, "the day", most=days - 1), line.whole(weight, "the weight")
            found.append(Request(person, at, at, shift, wanted, cost))
        return found

    def _covers(self, shifts: Mapping[str, Shift], days: int) -> tuple[Demand, ...]:
        found: dict[tuple[int, str], Demand] = {}
        for line in self.sections["SECTION_COVER"]:
            given_day, shift, required, under, over = line.fields(5, "day, shift, required, weight under, weight over")
            if shift not in shifts:
                line.refuse(f"There is no shift {quoted(shift)}.")
            day = line.whole(given_day, "the day", most=days - 1)
            if (day, shift) in found:
                line.refuse("The cover of this day and shift is there already.")
            found[day, shift] = Demand(
                day,
                (shift,),
                wished=line.whole(required, "how many are required"),
                under=line.whole(under, "the weight under"),
                over=line.whole(over, "the weight over"),
            )
        return tuple(found.values())
