"""Making a roster: from what is kept, through the solver and the validator, to a stored draft or a reasoned refusal."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse import UserError
from packhorse_scheduling.domain.change.churn import Beside, Generated, churn
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.requests import Lock
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid, not_found, not_generated
from packhorse_scheduling.service.judging import listed, named
from packhorse_scheduling.service.ledger import entries
from packhorse_scheduling.service.parts import Part
from packhorse_scheduling.service.versions import check_expected

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.domain.roster.roster import Compliance
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.solve.wishes import Aims
    from packhorse_scheduling.domain.solve.year import Draft, Mode
    from packhorse_scheduling.service import RosterDesk

Progress = Callable[[int, int, str], None]

IMPROVING = 3
"""Cost of a half-day that changes in mode OPTIMIZATION, which is asked for the sake of what is better: a wish of least
weight is worth two."""
ROUNDS = {"FULL": 1, "PARTIAL": 0, "OPTIMIZATION": 2}
"""How often the finished roster is looked at again, block by block with the whole year in view. Our choice."""


@frozen(eq=False)
class Start:
    """What a mode begins with: the programme's id and kernel, the published version, and its cells to keep."""

    programme: str
    kernel: "Kernel"
    parent: Opened | None
    grid: "Grid"
    fixed: Any


@frozen
class Generator:
    """Generation for one desk."""

    desk: "RosterDesk"

    def generate(
        self,
        *,
        start: date,
        end: date,
        mode: "Mode",
        aims: "Aims",
        enforce: bool,
        locked: Sequence[str],
        by: str | None,
        academic_year: str | None,
        progress: Progress,
        cancelled: Callable[[], bool],
        seconds: float,
        schedule_id: str | None,
        afresh: bool,
    ) -> Generated:
        """As `RosterDesk.generate`."""
        from packhorse_scheduling.domain.insight.ledger import carried
        from packhorse_scheduling.domain.insight.worth import is_better, weigh
        from packhorse_scheduling.domain.solve.search import Effort
        from packhorse_scheduling.domain.solve.year import Draft, Impossible, StoppedError, YearSolver
        from packhorse_scheduling.service.impossible import impossible, undecided

        begun = self.start(academic_year, start, end, mode, locked, enforce=enforce)
        kernel = begun.kernel
        first, last = kernel.day_of(start), kernel.day_of(end)
        if begun.parent is None:
            if first > kernel.tail:  # nobody is known to have begun the night that ends on the first morning
                kernel.least[:, kernel.overnight[:-1], first, 0] = 0
        else:
            first = max(first, kernel.day_of(self.desk.today()))
        progress(0, 1, "starting")
        if begun.parent is not None and not afresh:
            price = IMPROVING if mode == "OPTIMIZATION" else aims.churn
            aims = evolve(aims, was=begun.parent.grid, churn=price)
        aims = evolve(aims, carried=carried(kernel, entries(self.desk)))
        part = self._part(begun, aims, by=by, schedule_id=schedule_id)
        solver = YearSolver(
            kernel,
            begun.grid,
            begun.fixed,
            first,
            last,
            aims=aims,
            effort=Effort(seconds=seconds),
            shortfalls=not enforce,
            later_known=begun.parent is not None and end < kernel.programme.year.end,
            progress=progress,
            cancelled=cancelled,
            rounds=ROUNDS[mode],
            mode=mode,
            keep=part.keep,
            better=lambda was, now: is_better(weigh(kernel, was, now, first, last)),
        )
        try:
            outcome = solver.solve()
        except StoppedError as exc:
            raise not_generated(f"Generation was cancelled. {part.words()}") from exc
        if isinstance(outcome, Impossible):
            part.drop()
            raise impossible(kernel, outcome, mode, begun.parent, self.desk.today())
        if not isinstance(outcome, Draft):
            raise undecided(kernel, outcome, begun.parent, self.desk.today(), part.words())
        return self._kept(begun, part, outcome, (first, last), mode, enforce=enforce)

    def _part(self, begun: Start, aims: "Aims", *, by: str | None, schedule_id: str | None) -> Part:
        from packhorse_scheduling.domain.roster.roster import Schedule

        schedule = Schedule(
            id=schedule_id or self.desk.host.new_id(),
            version=0,
            programme=begun.programme,
            status="draft",
            compliance="UNKNOWN",
            created_at=self.desk.now(),
            created_by=by,
            cells=(),
            parent=begun.parent.schedule.id if begun.parent else None,
            target_utilization=aims.target_utilization,
        )
        return Part(self.desk, begun.kernel, schedule)

    def _kept(
        self, begun: Start, part: Part, draft: "Draft", days: tuple[int, int], mode: "Mode", *, enforce: bool
    ) -> Generated:
        from packhorse_scheduling.domain.change.judging import judge_change, parted
        from packhorse_scheduling.domain.rules.kernel import Kernel

        kernel, desk = Kernel(begun.kernel.programme, draft.plan), self.desk
        cells = tuple(kernel.cells_of(draft.grid))
        schedule = evolve(part.schedule, cells=cells, plan=draft.plan, until=None)
        opened = Opened(schedule, kernel, draft.grid)
        judged = judge_change(begun.parent, opened, desk.today())
        ahead, past = parted(kernel, (*judged.added, *judged.standing), desk.today())
        violations = (*ahead, *past)
        added = [one for one in judged.added if one.first <= days[1] and one.last >= days[0]]
        if added and enforce:
            part.drop()
            raise not_generated(
                f"The validator refused the solver's roster, and nothing was stored: {named(kernel, added)} Next: ease"
                " what these name (a lock, leave or a demand), or see the draft with enforce_acgme_compliance false.",
                rules=sorted({violation.rule for violation in added}),
                violations=listed(kernel, added),
            )
        compliance: Compliance = "VIOLATIONS" if violations or not enforce else "COMPLIANT"
        try:
            with desk.rosters() as rosters, rosters.store.tx():
                check_expected(rosters.published())
                schedule = part.save(rosters, evolve(schedule, compliance=compliance))
                rosters.note(desk.host.new_id(), desk.now(), schedule.created_by, "generated", schedule.id, mode=mode)
        except UserError:
            part.drop()
            raise
        made = Opened(schedule, kernel, draft.grid)
        if begun.parent is None:
            return Generated(made, draft, violations)
        was = begun.parent.grid
        changed = churn(was, draft.grid, *days)
        if mode != "OPTIMIZATION":
            changed = evolve(changed, least=least_repair(begun.kernel, was, *days, desk.today()))
        return Generated(made, draft, violations, changed, Beside(mode, was, days))

    def start(
        self,
        academic_year: str | None,
        start: date,
        end: date,
        mode: "Mode",
        locked: Sequence[str] = (),
        *,
        enforce: bool = True,
    ) -> Start:
        """What a generation begins with; nothing is searched for and nothing stored.

        Raises:
            UserError: it would be refused whatever a search finds.
        """
        from packhorse_scheduling.domain.roster.plan import known
        from packhorse_scheduling.domain.rules.kernel import Kernel
        from packhorse_scheduling.domain.solve.start import start_of

        programme_id, programme = self.desk.programme(academic_year)
        check_range(programme.year, start, end)
        kernel = Kernel(programme)
        parent = self._parent(programme_id, kernel)
        if parent is None and mode == "OPTIMIZATION":
            raise invalid(
                "generation_mode",
                "OPTIMIZATION improves the published schedule, and the newest programme has no published schedule."
                " First"
                " generate it with FULL and publish it.",
            )
        programme = evolve(programme, locks=tuple(lock for lock in programme.locks if not _is_away(kernel, lock)))
        kernel = Kernel(programme, () if parent is None else known(programme, parent.schedule.plan))
        today = self.desk.today()
        if parent is not None and end < today:
            raise invalid(
                "end_date", f"`end_date` {end} is in the past (today is {today}). Past days cannot be changed."
            )
        locks = _locks(parent, locked)
        if locks:
            kernel = Kernel(evolve(programme, locks=(*programme.locks, *locks)), kernel.plan)
        if parent is None:
            if enforce:
                _check_to_the_end(kernel, kernel.day_of(start), kernel.day_of(end))
            return Start(programme_id, kernel, None, *start_of(kernel))
        kept = parent.grid == parent.grid
        first = kernel.day_of(max(start, today))
        kept[:, first : kernel.day_of(end) + 1] = False
        if first > kernel.tail:  # a night that began before today ends as it began
            night = kernel.overnight[parent.grid[:, first - 1, 1]]
            kept[night, first, 0] = True
        grid, fixed = start_of(kernel, parent.grid, mode, kept)
        grid[:, :first] = parent.grid[:, :first]  # whatever a lock asks of the past
        return Start(programme_id, kernel, parent, grid, fixed)

    def _parent(self, programme_id: str, kernel: "Kernel") -> Opened | None:
        """The published version under the programme to be made; None where none has a day of it."""
        published = self.desk.published()
        if published is None or published.schedule.programme == programme_id:
            return published
        from packhorse_scheduling.domain.change.judging import as_known

        known = as_known(published, kernel)
        return known if (known.grid[:, kernel.tail :] >= 0).any() else None


def at_stake(desk: "RosterDesk", start: date, end: date) -> tuple[int, int]:
    """Filled half-days of the roster in force on these days from today on, and how many people's they are."""
    published = desk.published()
    first = max(start, desk.today())
    cells = [] if published is None else [cell for cell in published.schedule.cells if first <= cell[1] <= end]
    return len(cells), len({cell[0] for cell in cells})


def least_repair(kernel: "Kernel", grid: "Grid", first: int, last: int, today: date) -> int | None:
    """How many half-days of these days the least repair changes; None where it is not proved, or leaves a gap."""
    import numpy as np

    from packhorse_scheduling.domain.change.repair import repair

    outside = np.ones(grid.shape, bool)
    outside[:, first : last + 1] = False
    found = repair(kernel, grid, today=kernel.day_of(today), locked=outside)
    if found is None or not found.proven or found.shortfall:
        return None
    return int((found.grid != grid)[:, first : last + 1].sum())


def _check_to_the_end(kernel: "Kernel", first: int, last: int) -> None:
    """Refuse to end before the programme does: with nothing published, demand after the last day would stay unmet."""
    year = kernel.programme.year
    if kernel.least[:, :, last + 1 :].any():
        raise invalid(
            "end_date",
            f"No roster of this programme is published yet. First generate and publish all days from"
            f" {kernel.date_of(first)} to {year.end}. After that you can generate a part again. If people worked before"
            f" {kernel.date_of(first)}, import that roster first, or the rules do not count their hours.",
        )


def _is_away(kernel: "Kernel", lock: Lock) -> bool:
    """Whether leave that was recorded since takes the person off what they were locked on."""
    return lock.service is not None and bool(kernel.away[kernel.person_of[lock.person], kernel.day_of(lock.day)])


def _locks(parent: Opened | None, locked: Sequence[str]) -> list[Lock]:
    if not locked:
        return []
    if parent is None:
        raise invalid("locked_assignments", "`locked_assignments` can be given only when a schedule is published.")
    from packhorse_scheduling.domain.roster.roster import assignment_id_of

    by_id = {assignment_id_of(p, day, h): (p, day, h, s) for p, day, h, s in parent.schedule.cells}
    locks = []
    for given in dict.fromkeys(locked):
        if given not in by_id:
            raise not_found("assignment", given)
        p, day, h, s = by_id[given]
        locks.append(Lock(p, day, "PM" if h else "AM", s))
    return locks


def check_range(year: Year, start: date, end: date) -> None:
    """Refuse days that are reversed, or outside the programme's year."""
    for name, day in (("start_date", start), ("end_date", end)):
        if day not in year:
            raise invalid(name, f"`{name}` {day} is outside the programme, which runs from {year.start} to {year.end}.")
    if end < start:
        raise invalid("end_date", f"`end_date` {end} is before `start_date` {start}.")
