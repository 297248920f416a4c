"""Every rule of a ward, stated once: as days that must not come together and as sums with limits.

A `Board` takes the statements. The board of a roster counts what is broken; the board of a solver makes constraints.
A literal is 0, 1 or whatever `Board.no` can negate; days before the horizon are known and negative.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from packhorse_scheduling.domain.wards.question import (
    ANY,
    EITHER,
    NO_LIMIT,
    OFF,
    REST,
    Contract,
    Rule,
    Span,
    Ward,
)

Lit = Any
Terms = Sequence[tuple[Lit, int]]


class Board(Protocol):
    """What takes the rules of a ward. ``weight`` None is hard."""

    ward: Ward

    def first(self, e: int) -> int:
        """The first known day of a person: 0, or below."""

    def on(self, e: int, d: int, k: int) -> Lit:
        """Whether e works shift k on day d."""

    def works(self, e: int, d: int) -> Lit:
        """Whether e works on day d."""

    def role(self, e: int, d: int, k: int, s: int) -> Lit:
        """Whether e works shift k on day d with skill s."""

    def no(self, lit: Lit) -> Lit:
        """The negation."""

    def all_of(self, lits: Sequence[Lit]) -> Lit:
        """Whether all hold."""

    def forbid(
        self, rule: Rule, e: int, d: int, lits: Sequence[Lit], weight: int | None, amount: int = 1, what: str = ""
    ) -> None:
        """These must not all hold; ``d`` is the day of the breach."""

    def clash(
        self, rule: Rule, e: int, d: int, one: Lit, others: Sequence[Lit], weight: int | None, after: str = ""
    ) -> None:
        """None of the others, of which at most one holds, may hold with the one, which is the shift ``after``."""

    def bound(
        self, rule: Rule, e: int | None, d: int, terms: Terms, span: Span, weight: int | None, unit: int = 1,
        what: str = "",
    ) -> None:  # fmt: skip
        """The sum must lie in the span; a breach is counted in started units."""

    def spread(self, sums: Sequence[tuple[Terms, int, int]], weight: int, what: str) -> None:
        """Sums with what is carried and the person's share: the largest pairwise difference costs."""


def post(ward: Ward, board: Board, people: Iterable[int]) -> None:
    """All rules of these people; `post_cover` has those of the shifts."""
    for e in people:
        _Person(ward, board, e).post()


def post_cover(ward: Ward, board: Board) -> None:
    """What is needed on each day, and fairness."""
    everybody = range(len(ward.people))
    skill_of = {skill: s for s, skill in enumerate(ward.skills)}
    for demand in ward.demands:
        d, those = demand.day, [ward.shift_of[key] for key in demand.shifts]
        if demand.skill is None:
            terms = [(board.on(e, d, k), 1) for e in everybody for k in those]
        else:
            s, able = skill_of[demand.skill], [e for e in everybody if demand.skill in ward.people[e].skills]
            terms = [(board.role(e, d, k, s), 1) for e in able for k in those]
        what = " or ".join(demand.shifts) + (f" {demand.skill}" if demand.skill is not None else "")
        if demand.least:
            board.bound("least", None, d, terms, (demand.least, None), None, what=what)
        if demand.most is not None:
            board.bound("most", None, d, terms, (None, demand.most), None, what=what)
        if demand.wished is not None and demand.under:
            board.bound("wished", None, d, terms, (demand.wished, None), demand.under, what=what)
        if demand.wished is not None and demand.over:
            board.bound("wished", None, d, terms, (None, demand.wished), demand.over, what=what)
    for fair in ward.fair:
        among = [e for e in everybody if fair.contract in (None, ward.people[e].contract)]
        sums = [
            (fair_terms(ward, board, e, fair.count), ward.past_of[e].carried.get(fair.name, 0), ward.people[e].share)
            for e in among
        ]
        if len(sums) > 1:
            board.spread(sums, fair.weight, fair.name)


def fair_terms(ward: Ward, board: Board, e: int, count: Sequence[str]) -> Terms:
    """What a person has of these shifts, or of weekends."""
    if tuple(count) == ("weekends",):
        return [(lit, 1) for lit in weekends(ward, board, e)]
    return [(board.on(e, d, ward.shift_of[key]), 1) for key in count for d in range(ward.days)]


def weekends(ward: Ward, board: Board, e: int) -> list[Lit]:
    """Whether e works on each weekend of the horizon."""
    found = []
    for saturday in ward.saturdays():
        days = [board.works(e, d) for d in (saturday, saturday + 1) if 0 <= d < ward.days]
        if days:
            found.append(board.no(board.all_of([board.no(day) for day in days])))
    return found


class _Person:
    """The rules of one person."""

    def __init__(self, ward: Ward, board: Board, e: int) -> None:
        self.ward, self.board, self.e = ward, board, e
        self.contract: Contract = ward.contract_of[e]
        self.first = board.first(e)
        self.known = range(self.first, ward.days)

    def post(self) -> None:
        self._given()
        self._successions()
        self._all_runs()
        self._totals()
        self._weeks()
        self._weekends()
        self._places()
        self._used()

    def _weight(self, rule: Rule) -> int | None:
        return self.contract.weights.get(rule)

    def _cell(self, d: int, what: str) -> Lit:
        board, e = self.board, self.e
        if what == EITHER:
            return 1
        if what == OFF:
            return board.no(board.works(e, d))
        return board.works(e, d) if what == ANY else board.on(e, d, self.ward.shift_of[what])

    def _given(self) -> None:
        """Fixed cells, requests, and skills that shifts need."""
        ward, board, e = self.ward, self.board, self.e
        key = ward.people[e].key
        for fixed in ward.fixed:
            if fixed.person == key:
                board.forbid(
                    "fixed", e, fixed.day, [board.no(self._cell(fixed.day, fixed.shift))], None, 1, fixed.shift
                )
        for request in ward.requests:
            if request.person == key:
                for d in ward.asked(request):
                    cell = self._cell(d, request.shift)
                    lit = board.no(cell) if request.wanted else cell
                    board.forbid("request", e, d, [lit], request.weight, 1, _wish(request.shift, request.wanted))
        for k, shift in enumerate(ward.shifts):
            if shift.needs is not None and shift.needs not in ward.people[e].skills:
                for d in range(ward.days):
                    board.forbid("skill", e, d, [board.on(e, d, k)], None, 1, shift.key)

    def _successions(self) -> None:
        ward, board, e = self.ward, self.board, self.e
        for (k, later), others in sorted(ward.barred[self.contract.key].items()):
            for is_rest, rule in ((0, "not_next"), (1, "rest")):
                those = [j for j, kind in sorted(others) if kind == is_rest]
                weight = self._weight("rest") if is_rest else None
                for d in self.known if those else ():
                    if 0 <= d + later < ward.days:
                        after = [board.on(e, d + later, j) for j in those]
                        key = ward.shifts[k].key
                        board.clash(rule, e, d + later, board.on(e, d, k), after, weight, key)  # type: ignore[arg-type]
        for sequence in ward.sequences:
            if sequence.contract not in (None, self.contract.key):
                continue
            length = len(sequence.pattern)
            for d in range(max(self.first, 1 - length), ward.days - length + 1):
                if sequence.days is not None and (d % ward.days if ward.cyclic else d) not in sequence.days:
                    continue
                lits = [self._cell(d + n, what) for n, what in enumerate(sequence.pattern)]
                board.forbid("sequence", e, d + length - 1, lits, sequence.weight, 1, " ".join(sequence.pattern))

    def _all_runs(self) -> None:
        board, e, contract = self.board, self.e, self.contract
        self._runs("work_run", lambda d: board.works(e, d), contract.work_run)
        self._runs("off_run", lambda d: board.no(board.works(e, d)), contract.off_run)
        for key, span in contract.shift_run.items():
            k = self.ward.shift_of[key]
            self._runs("shift_run", lambda d, k=k: board.on(e, d, k), span, key)  # type: ignore[misc]

    def _runs(self, rule: Rule, inside: Callable[[int], Lit], span: Span, what: str = "") -> None:
        """Each day too many as it comes, and the days too few on the last of a run."""
        least, most = span
        if (least or 0) <= 1 and most is None:
            return
        board, weight = self.board, self._weight(rule)
        lits = {d: inside(d) for d in self.known}
        outside = {d: board.no(lit) for d, lit in lits.items()}
        for d in range(self.ward.days):
            if most is not None and d - most >= self.first:
                board.forbid(rule, self.e, d, [lits[i] for i in range(d - most, d + 1)], weight, 1, what)
            for length in range(1, least or 0):
                start = d - length
                if start - 1 >= self.first:
                    run = [outside[start - 1], *(lits[i] for i in range(start, d)), outside[d]]
                    board.forbid(rule, self.e, max(d - 1, 0), run, weight, (least or 0) - length, what)

    def _totals(self) -> None:
        ward, board, e, contract = self.ward, self.board, self.e, self.contract
        used = ward.past_of[e].used
        if contract.hours != NO_LIMIT:
            terms = [
                (board.on(e, d, k), shift.seconds) for d in range(ward.days) for k, shift in enumerate(ward.shifts)
            ]
            terms += self._paid(range(ward.days))
            board.bound(
                "hours",
                e,
                REST,
                [*terms, (1, used.get("hours", 0))],
                contract.hours,
                self._weight("hours"),
                ward.hours_step,
            )
        if contract.shifts != NO_LIMIT:
            terms = [(board.works(e, d), 1) for d in range(ward.days)]
            board.bound(
                "shifts", e, REST, [*terms, (1, used.get("shifts", 0))], contract.shifts, self._weight("shifts")
            )
        for key, most in contract.shift_most.items():
            terms = [(board.on(e, d, ward.shift_of[key]), 1) for d in range(ward.days)]
            terms.append((1, used.get(key, 0)))
            board.bound("shift_most", e, REST, terms, (None, most), self._weight("shift_most"), what=key)

    def _paid(self, days: Iterable[int]) -> list[tuple[Lit, int]]:
        """Granted days off that count as work."""
        ward, board, e = self.ward, self.board, self.e
        within = set(days)
        return [
            (board.no(board.works(e, d)), request.seconds)
            for request in ward.requests
            if request.seconds and request.person == ward.people[e].key and request.wanted and request.shift == OFF
            for d in ward.asked(request)
            if d in within
        ]

    def _weeks(self) -> None:
        ward, board, e, contract = self.ward, self.board, self.e, self.contract
        if contract.week_hours is None and contract.week_off is None:
            return
        for monday in range(-((ward.weekday(0)) % 7), ward.days, 7):
            days = [d for d in range(monday, monday + 7) if self.first <= d < ward.days]
            if contract.week_hours is not None:
                terms = [(board.on(e, d, k), shift.seconds) for d in days for k, shift in enumerate(ward.shifts)]
                terms += self._paid(days)
                last = days[-1]
                board.bound(
                    "week_hours",
                    e,
                    last,
                    terms,
                    (None, contract.week_hours),
                    self._weight("week_hours"),
                    ward.hours_step,
                )
            if contract.week_off and len(days) == 7:
                off = [board.no(board.works(e, d)) for d in days]
                free = [board.all_of(off[i : i + contract.week_off]) for i in range(8 - contract.week_off)]
                board.forbid("week_off", e, days[-1], [board.no(one) for one in free], self._weight("week_off"))

    def _weekends(self) -> None:
        ward, board, e, contract = self.ward, self.board, self.e, self.contract
        if contract.weekends is not None:
            terms = [(lit, 1) for lit in weekends(ward, board, e)]
            used = ward.past_of[e].used.get("weekends", 0)
            board.bound("weekends", e, REST, [*terms, (1, used)], (None, contract.weekends), self._weight("weekends"))
        pairs = [d for d in range(self.first - 1, ward.days) if ward.weekday(d) == 5]
        if contract.whole_weekends:
            for saturday in pairs:
                if saturday >= self.first and 0 <= saturday + 1 < ward.days:
                    both = [board.works(e, saturday), board.works(e, saturday + 1)]
                    weight = self._weight("whole_weekends")
                    board.forbid("whole_weekends", e, saturday + 1, [both[0], board.no(both[1])], weight)
                    board.forbid("whole_weekends", e, saturday + 1, [board.no(both[0]), both[1]], weight)
        if contract.weekend_run is not None:
            touched = []
            for saturday in pairs:
                days = [d for d in (saturday, saturday + 1) if self.first <= d < ward.days]
                lit = board.no(board.all_of([board.no(board.works(e, d)) for d in days]))
                touched.append((max(days), lit))
            for n in range(contract.weekend_run, len(touched)):
                run = touched[n - contract.weekend_run : n + 1]
                if run[-1][0] >= 0:
                    lits = [lit for _, lit in run]
                    board.forbid("weekend_run", e, run[-1][0], lits, self._weight("weekend_run"))

    def _places(self) -> None:
        ward, board, e, contract = self.ward, self.board, self.e, self.contract
        used = ward.past_of[e].used
        if contract.place_changes is not None:
            terms = [(lit, 1) for lit in self._place_changes()]
            terms.append((1, used.get("place_changes", 0)))
            weight = self._weight("place_changes")
            board.bound("place_changes", e, REST, terms, (None, contract.place_changes), weight)
        if contract.departments is not None:
            names = dict.fromkeys(shift.department for shift in ward.shifts if shift.department is not None)
            worked = [
                (self._any_of([board.on(e, d, k) for d in self.known for k, shift in enumerate(ward.shifts)
                               if shift.department == name]), 1)
                for name in names
            ]  # fmt: skip
            weight = self._weight("departments")
            board.bound("departments", e, REST, worked, (None, contract.departments), weight)

    def _place_changes(self) -> list[Lit]:
        """For each day whether the person works in another place than the last one."""
        ward, board, e = self.ward, self.board, self.e
        names = list(dict.fromkeys(shift.place for shift in ward.shifts if shift.place is not None))
        last: list[Lit] = [0] * len(names)
        found = []
        for d in self.known:
            here = [
                self._any_of([board.on(e, d, k) for k, shift in enumerate(ward.shifts) if shift.place == name])
                for name in names
            ]
            if d >= 0:
                found += [
                    board.all_of([here[p], self._any_of([lit for q, lit in enumerate(last) if q != p])])
                    for p in range(len(names))
                ]
            nowhere = board.no(self._any_of(here))
            last = [
                self._any_of([lit, board.all_of([nowhere, was])]) for lit, was in zip(here, last, strict=True)
            ]  # fmt: skip
        return found

    def _used(self) -> None:
        ward, board, e = self.ward, self.board, self.e
        before = ward.past_of[e].used
        for used in ward.used:
            if used.contract in (None, self.contract.key):
                lits = [board.on(e, d, ward.shift_of[key]) for key in used.shifts for d in range(ward.days)]
                lits += [1] * any(before.get(key) for key in used.shifts)
                board.forbid("used", e, REST, [self._any_of(lits)], used.weight, 1, " ".join(used.shifts))

    def _any_of(self, lits: Sequence[Lit]) -> Lit:
        return self.board.no(self.board.all_of([self.board.no(lit) for lit in lits]))


def _wish(shift: str, wanted: bool) -> str:
    """What somebody asked for: a shift, off or work, or "no N"."""
    return shift if wanted else {OFF: ANY, ANY: OFF}.get(shift, f"no {shift}")
