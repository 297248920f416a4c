"""A ward's document read into the domain, with every fault at its place."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from pydantic import ValidationError

from packhorse_scheduling.domain.wards import question as q
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.models.wards import Clock, Key, PersonKey, ShiftKey, WardQuestion

MOST_FAULTS = 20
Path = tuple[str | int, ...]
Place = Callable[[Path], str]
_DAYS = (
    ("monday", "montag"), ("tuesday", "dienstag"), ("wednesday", "mittwoch"), ("thursday", "donnerstag"),
    ("friday", "freitag"), ("saturday", "samstag"), ("sunday", "sonntag"),
)  # fmt: skip
_DAY_WORDS = (
    (r"\bevery ?day\b|\bdaily\b", "all"), (r"\bweekdays?\b", "mon-fri"), (r"\bweekends?\b", "sat,sun"),
    (r"\band\b", ","),
)  # fmt: skip
_MINUTES_OF_DAY = 1440


def place_in_document(path: Path) -> str:
    """``("people", 0, "name")`` as a person counts: people, item 1, name."""
    return ", ".join(f"item {part + 1}" if isinstance(part, int) else str(part) for part in path) or "the ward"


_VERBS = ("is ", "must ", "has ", "can ", "cannot ")
_PATTERNS = {
    pattern.pattern: words
    for kind, words in (
        (Key, "a name without ; = , [ ]"),
        (PersonKey, "a name without a colon"),
        (ShiftKey, "a short name without blanks ; = , that does not begin with * ? + . or -"),
        (Clock, "a time such as 07:00"),
    )
    for pattern in kind.__metadata__[0].metadata  # type: ignore[attr-defined]
    if hasattr(pattern, "pattern")
}


def ward_of(document: Mapping[str, Any], place: Place = place_in_document) -> q.Ward:
    """The question that the document asks; ``place`` words where a fault is.

    Raises:
        UserError: the document is not one; every fault is named with its place, `MOST_FAULTS` at most.
    """
    if "services" in document and "demands" in document:
        raise invalid("ward", "This is a programme, not a ward. Load it with 'packhorse scheduling import'.")
    try:
        asked = WardQuestion.model_validate_json(_json(document))
    except ValidationError as exc:
        raise _refusal([(_bare(error["loc"]), _words(error)) for error in exc.errors()], place) from None
    reader = _Reader(asked)
    ward = reader.ward()
    if reader.faults:
        raise _refusal(reader.faults, place)
    return ward


def _json(document: Mapping[str, Any]) -> str:
    import json

    return json.dumps(document, default=str)


def _bare(loc: Sequence[Any]) -> Path:
    """A place without what pydantic adds for a mapping's key or an arm of a type."""
    return tuple(part for part in loc if part != "[key]" and not (isinstance(part, str) and "[" in part))


def _words(error: Any) -> str:
    given = error.get("input")
    shown = f", not {str(given)[:40]!r}" if not isinstance(given, dict | list) and given is not None else ""
    if error["type"] == "missing":
        return "is missing."
    if error["type"] == "extra_forbidden":
        return "is not known here."
    if error["type"] == "string_pattern_mismatch":
        return f"must be {_PATTERNS.get(error['ctx']['pattern'], 'of another form')}{shown}."
    words = str(error["msg"]).removeprefix("Value error, ")
    return f"{words[:1].lower()}{words[1:]}{shown}."


def _refusal(faults: Sequence[tuple[Path, str]], place: Place) -> Exception:
    lines = [f"{place(path)}{'' if words.startswith(_VERBS) else ':'} {words}" for path, words in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        lines.append(f"And {len(faults) - MOST_FAULTS} more.")
    return invalid("ward", "\n".join(lines))


class _Reader:
    """From rows to the domain; faults are collected."""

    def __init__(self, asked: WardQuestion) -> None:
        self.asked, self.faults = asked, list[tuple[Path, str]]()
        self.shifts = self._keys("shifts")
        self.contracts = self._keys("contracts")
        self.people = self._keys("people")
        self.skills = {skill for person in asked.people for skill in person.skills}
        self.counts = {tuple(fair.count) for fair in asked.fair}

    def _keys(self, table: str) -> set[str]:
        found: set[str] = set()
        for n, row in enumerate(getattr(self.asked, table)):
            if row.key in found:
                self._fault((table, n, "key"), f"{row.key!r} stands there twice.")
            found.add(row.key)
        return found

    def _fault(self, path: Path, words: str) -> None:
        self.faults.append((path, words))

    def _known(self, key: str | None, known: set[str], what: str, path: Path, also: Sequence[str] = ()) -> None:
        if key is not None and key not in known and key not in also:
            near = ", ".join(sorted(known)[:8])
            self._fault(path, f"there is no {what} {key!r}; the {what}s are {near or 'none'}.")

    def _skilled(self, skill: str | None, path: Path) -> None:
        if skill is not None and skill not in self.skills:
            near = ", ".join(sorted(self.skills)[:8])
            self._fault(path, f"nobody has the skill {skill!r}; people's skills here: {near or 'none'}.")

    def ward(self) -> q.Ward:
        asked = self.asked
        if asked.cyclic and (asked.days % 7 or asked.before):
            words = "a cyclic ward has whole weeks" if asked.days % 7 else "a cyclic ward has no days before it"
            self._fault(("before" if asked.before and not asked.days % 7 else "days",), f"{words}.")
        shifts = tuple(self._shift(n) for n in range(len(asked.shifts)))
        contracts = tuple(self._contract(n) for n in range(len(asked.contracts)))
        for n, person in enumerate(asked.people):
            self._known(person.contract, self.contracts, "contract", ("people", n, "contract"))
        return q.Ward(
            start=asked.start,
            days=asked.days,
            shifts=shifts,
            contracts=contracts,
            people=tuple(q.Person(p.key, p.contract, p.name or p.key, tuple(p.skills), p.share) for p in asked.people),
            demands=self._demands(),
            requests=self._requests(),
            fixed=self._fixed(),
            sequences=self._sequences(),
            fair=self._fair(),
            used=self._used(),
            past=self._past(),
            cyclic=asked.cyclic,
            name=asked.name,
        )

    def _shift(self, n: int) -> q.Shift:
        row = self.asked.shifts[n]
        for key in row.not_next:
            self._known(key, self.shifts, "shift", ("shifts", n, "not_next"))
        self._skilled(row.needs, ("shifts", n, "needs"))
        start, end = _minutes(row.start), _minutes(row.end)
        if (start is None) != (end is None):
            self._fault(("shifts", n, "end" if end is None else "start"), "a shift has both a start and an end.")
        if start is not None and end is not None and end <= start:
            end += _MINUTES_OF_DAY
        if row.hours is None and (start is None or end is None):
            self._fault(("shifts", n, "hours"), "give hours, or start and end.")
            return q.Shift(row.key, 1)
        seconds = 60 * ((end or 0) - (start or 0)) if row.hours is None else round(q.HOUR * row.hours)
        barred = frozenset(row.not_next)
        return q.Shift(row.key, seconds, start, end, barred, row.needs, row.place, row.department)

    def _contract(self, n: int) -> q.Contract:
        row = self.asked.contracts[n]
        for field in ("shift_run", "shift_most"):
            for key in getattr(row, field):
                self._known(key, self.shifts, "shift", ("contracts", n, field))
        for rule in row.weights:
            if getattr(row, rule) in (None, False, {}):
                self._fault(("contracts", n, "weights"), f"{rule} has a weight, and no limit.")
        if row.rest_hours and any(shift.start is None for shift in self.asked.shifts):
            self._fault(("contracts", n, "rest_hours"), "every shift needs a start and an end for this rule.")
        low, high = row.hours or (None, None)
        names: dict[str, str] = {"rest_hours": "rest"}
        return q.Contract(
            row.key,
            hours=(None if low is None else round(q.HOUR * low), None if high is None else round(q.HOUR * high)),
            shifts=row.shifts or q.NO_LIMIT,
            week_hours=None if row.week_hours is None else round(q.HOUR * row.week_hours),
            work_run=row.work_run or q.NO_LIMIT,
            off_run=row.off_run or q.NO_LIMIT,
            weekends=row.weekends,
            weekend_run=row.weekend_run,
            whole_weekends=row.whole_weekends,
            week_off=row.week_off,
            shift_run=row.shift_run,
            shift_most=row.shift_most,
            rest=None if row.rest_hours is None else round(60 * row.rest_hours),
            place_changes=row.place_changes,
            departments=row.departments,
            weights={names.get(rule, rule): weight for rule, weight in row.weights.items()},
        )

    def _demands(self) -> tuple[q.Demand, ...]:
        found: dict[tuple[tuple[str, ...], str | None, int], tuple[bool, q.Demand]] = {}
        for n, row in enumerate(self.asked.demand):
            for shift in row.shift:
                self._known(shift, self.shifts, "shift", ("demand", n, "shift"))
            self._skilled(row.skill, ("demand", n, "skill"))
            if not row.least <= (row.wished if row.wished is not None else row.least):
                self._fault(("demand", n, "wished"), f"{row.wished} is below the least, {row.least}.")
            top = max(row.least, row.wished or 0)
            if row.most is not None and row.most < top:
                self._fault(("demand", n, "most"), f"{row.most} is below {top}, the least or wished.")
            days, dated = self._days(row.days, ("demand", n, "days"), 0)
            shifts = tuple(dict.fromkeys(row.shift))
            for day in days:
                key = (shifts, row.skill, day)
                if key in found and found[key][0] == dated:
                    words = f"{' or '.join(shifts)} has two rows on {self.asked.start + timedelta(days=day)}."
                    self._fault(("demand", n, "days"), words)
                    break
                if key not in found or dated:
                    found[key] = (
                        dated,
                        q.Demand(day, shifts, row.skill, row.least, row.wished, row.most, row.under, row.over),
                    )
        return tuple(demand for _, demand in found.values())

    def _days(self, given: str, path: Path, first_day: int) -> tuple[list[int], bool]:
        """The days that a cell names, from ``first_day`` on, and whether they are dates."""
        days, dated = set[int](), False
        every = range(first_day, self.asked.days)
        for part in _parts_of_days(given):
            try:
                if part == "all":
                    days |= set(every)
                elif part[0].isdigit():
                    dated = True
                    first, last = (self._index(date.fromisoformat(one)) for one in (part[:10], part[11:] or part[:10]))
                    days |= set(range(first, last + 1)) & set(every)
                else:
                    begins, _, ends = part.partition("-")
                    a, b = _weekday(begins), _weekday(ends or begins)
                    those = {(a + i) % 7 for i in range((b - a) % 7 + 1)}
                    days |= {d for d in every if (self.asked.start + timedelta(days=d)).weekday() in those}
            except ValueError:
                words = f"{part!r} must be all, a weekday, weekdays such as Mon-Fri, or a date such as 2027-01-04."
                self._fault(path, words)
        return sorted(days), dated

    def _requests(self) -> tuple[q.Request, ...]:
        found = []
        for n, row in enumerate(self.asked.requests):
            self._known(row.person, self.people, "person", ("requests", n, "person"))
            self._known(row.shift, self.shifts, "shift", ("requests", n, "shift"), (q.OFF, q.ANY))
            first = 0 if row.first is None else self._index(row.first)
            end = self.asked.days - 1 if row.first is None else first
            if row.last is not None:
                end = self._index(row.last)
            if row.first is not None and row.last is not None and end < first:
                self._fault(("requests", n, "to"), f"{row.last} is before {row.first}.")
            if row.hours and (row.shift != q.OFF or not row.wanted):
                self._fault(("requests", n, "hours"), "only a day off (-) can count as worked.")
            chosen, _ = self._days(row.days, ("requests", n, "days"), 0)
            seconds = round(q.HOUR * row.hours)
            for a, b in _stretches([day for day in chosen if first <= day <= end]):
                found.append(q.Request(row.person, a, b, row.shift, row.wanted, row.weight, seconds))
        return tuple(found)

    def _index(self, day: date) -> int:
        return (day - self.asked.start).days

    def _fixed(self) -> tuple[q.Fixed, ...]:
        found: dict[tuple[str, int], q.Fixed] = {}
        for n, row in enumerate(self.asked.fixed):
            self._known(row.person, self.people, "person", ("fixed", n, "person"))
            self._known(row.shift, self.shifts, "shift", ("fixed", n, "shift"), (q.OFF,))
            day = self._index(row.day)
            if not 0 <= day < self.asked.days:
                self._fault(("fixed", n, "day"), f"{row.day} is not one of the ward's days.")
            if (row.person, day) in found and found[row.person, day].shift != row.shift:
                self._fault(("fixed", n, "shift"), f"{row.person} is fixed to another shift on {row.day}.")
            found[row.person, day] = q.Fixed(row.person, day, row.shift)
        return tuple(found.values())

    def _sequences(self) -> tuple[q.Sequence, ...]:
        found = []
        for n, row in enumerate(self.asked.sequences):
            self._known(row.contract, self.contracts, "contract", ("sequences", n, "contract"))
            for key in row.pattern:
                self._known(key, self.shifts, "shift", ("sequences", n, "pattern"), (q.OFF, q.ANY, q.EITHER))
            days, _ = self._days(row.days, ("sequences", n, "days"), 1 - len(row.pattern))
            begins = None if row.days.strip().lower() == "all" else frozenset(days)
            found.append(q.Sequence(tuple(row.pattern), row.contract, row.weight, begins))
        return tuple(found)

    def _fair(self) -> tuple[q.Fair, ...]:
        found = []
        for n, row in enumerate(self.asked.fair):
            self._known(row.contract, self.contracts, "contract", ("fair", n, "contract"))
            for key in row.count:
                self._known(key, self.shifts, "shift", ("fair", n, "count"), ("weekends",))
            if "weekends" in row.count and len(row.count) > 1:
                self._fault(("fair", n, "count"), "weekends are counted in a row of their own.")
            found.append(q.Fair(tuple(row.count), row.weight, row.contract))
        return tuple(found)

    def _used(self) -> tuple[q.Used, ...]:
        found = []
        for n, row in enumerate(self.asked.used):
            self._known(row.contract, self.contracts, "contract", ("used", n, "contract"))
            for key in row.shifts:
                self._known(key, self.shifts, "shift", ("used", n, "shifts"))
            every = tuple(row.shifts) or tuple(shift.key for shift in self.asked.shifts)
            found.append(q.Used(every, row.weight, row.contract))
        return tuple(found)

    def _past(self) -> tuple[q.Past, ...]:
        days: dict[str, tuple[str, ...]] = {}
        for n, row in enumerate(self.asked.before):
            self._known(row.person, self.people, "person", ("before", n, "person"))
            if row.person in days:
                self._fault(("before", n, "person"), f"{row.person!r} stands there twice.")
            for key in row.days:
                self._known(key, self.shifts, "shift", ("before", n, "days"), (q.OFF, q.WORKED, ""))
            days[row.person] = tuple(key or q.OFF for key in row.days)
        carried: dict[str, dict[str, int]] = {}
        for n, row_ in enumerate(self.asked.carried):
            self._known(row_.person, self.people, "person", ("carried", n, "person"))
            if tuple(row_.count) not in self.counts:
                self._fault(("carried", n, "count"), f"{' '.join(row_.count)} is no count of the table fair.")
            carried.setdefault(row_.person, {})[" ".join(row_.count)] = row_.amount
        return tuple(
            q.Past(person, days.get(person, ()), {}, carried.get(person, {}))
            for person in dict.fromkeys([*days, *carried])
        )


def _stretches(days: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of days on end."""
    for _, run in groupby(enumerate(days), lambda one: one[1] - one[0]):
        those = [day for _, day in run]
        yield those[0], those[-1]


def _parts_of_days(given: str) -> list[str]:
    """mon-fri, sat, a date: as people write them."""
    words = re.sub(r"\s*[-\u2013\u2014]\s*|(?<=[a-z])\s+to\s+", "-", given.strip().lower())
    for pattern, plain in _DAY_WORDS:
        words = re.sub(pattern, plain, words)
    return [part for part in re.split(r"[,;\s/+&]+", words) if part]


def _weekday(word: str) -> int:
    """Mo, mon, Mondays, Montag; ValueError where it is none."""
    plain = word.removesuffix(".").removesuffix("s")
    return [len(plain) > 1 and any(name.startswith(plain) for name in names) for names in _DAYS].index(True)


def _minutes(clock: str | None) -> int | None:
    if clock is None:
        return None
    hours, minutes = map(int, clock.split(":"))
    return 60 * hours + minutes
