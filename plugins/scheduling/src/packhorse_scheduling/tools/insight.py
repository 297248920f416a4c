"""Several at a time, balance, coverage, scenarios and reserve: what is published is looked at and never changed."""

from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Embedded, Reply, Text, UserError
from packhorse_scheduling.domain.wording import counted, percent
from packhorse_scheduling.errors import invalid, not_found
from packhorse_scheduling.models.insight import (
    BalanceQuestion,
    CoverageQuestion,
    PeopleQuestion,
    PoolQuestion,
    ResolveQuestion,
    ScenarioQuestion,
    SwapsQuestion,
)
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.tools import swap_body

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened

MOST_ROWS = 2_000
"""Assignments of several people in one answer: with some 420 bytes each, below a megabyte."""
POOL_DAYS = 7


@frozen
class InsightTools:
    """What phase 2 of the specification adds."""

    desk: RosterDesk

    def check_swaps_feasibility(self, question: SwapsQuestion) -> dict[str, Any]:
        """Check up to 50 swaps in one call, as check_swap_feasibility does each; nothing is changed.

        With together, each is judged as if the feasible ones before it had been carried out: so a chain of swaps is
        tried as a whole. A swap that cannot be asked (an unknown id) is reported in its place; the rest goes on.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain import swaps

        opened = self.desk.current()
        at = self.desk.now()
        results: list[dict[str, Any]] = []
        for index, one in enumerate(question.swaps):
            try:
                body = swap_body(opened, one, at=at)
            except UserError as exc:
                results.append(
                    {"index": index, "is_feasible": False, "error": {"code": exc.code, "message": exc.message}}
                )
                continue
            results.append({"index": index, **body})
            if question.together and body["is_feasible"] and one.target_person_id is not None:
                kernel = opened.kernel
                change = swaps.exchange if one.swap_type == "ONE_TO_ONE" else swaps.absorb
                giver = convert.person_from(kernel, one.requester_id)
                taker = convert.person_from(kernel, one.target_person_id)
                slots = convert.slots_from(kernel, one.block_ids)
                opened = _with(opened, change(opened.board(), giver, taker, slots))
        return {
            "checked_at": convert.instant(at),
            "together": question.together,
            "feasible_count": sum(row["is_feasible"] for row in results),
            "results": results,
        }

    def get_people_schedules(self, question: PeopleQuestion) -> dict[str, Any]:
        """Give the assignments and hours of several people between two days, by their ids or for a whole role."""
        from packhorse_scheduling import convert

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        kernel, people = opened.kernel, opened.programme.people
        if (question.person_ids is None) == (question.role is None):
            raise invalid("person_ids", "Give either person_ids or role.")
        if question.person_ids is not None:
            wanted = [convert.person_from(kernel, given) for given in dict.fromkeys(question.person_ids)]
        else:
            wanted = [p for p, person in enumerate(people) if person.role == question.role]
        start, end = kernel.date_of(first).isoformat(), kernel.date_of(last).isoformat()
        rows = []
        count = 0
        for p in wanted:
            own = [row for row in convert.assignments_from(opened, people[p].key) if start <= row["block_date"] <= end]
            count += len(own)
            if count > MOST_ROWS:
                raise invalid(
                    "end_date", f"That is more than {MOST_ROWS:,} assignments: ask for fewer people or fewer days."
                )
            rows.append(
                {
                    "person_id": people[p].id,
                    "person_name": people[p].name,
                    "role": people[p].role,
                    "total_hours": sum(row["hours"] for row in own),
                    "assignments": own,
                }
            )
        return {"start_date": start, "end_date": end, "total_assignments": count, "people": rows}

    def resolve_conflicts(self, question: ResolveQuestion, ctx: Context) -> dict[str, Any]:
        """Resolve the conflicts of some days one after the other, each by the best way out that breaks no further rule.

        Only reports what it would do, unless keep_draft: then a draft is kept for validate_schedule and
        publish_schedule. What has no single way out is listed; repair_schedule or generate_schedule may find one.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.resolution import suggestion_from
        from packhorse_scheduling.service.insight import mend

        opened = self.desk.current()
        days = days_of(opened, question.start_date, question.end_date)
        before = sum(one.blocks for one in opened.violations())
        after, done = mend(opened, *days, question.max_changes)
        solved = [one for one in done if one.suggestion is not None]
        body: dict[str, Any] = {
            "resolved_at": convert.instant(self.desk.now()),
            "violations_before": before,
            "violations_after": sum(one.blocks for one in after.violations()),
            "resolved": [
                {
                    "conflict": convert.violation_from(opened.kernel, one.violation),
                    "conflict_type": one.kind,
                    "resolution": suggestion_from(opened, number, one.suggestion),
                }
                for number, one in enumerate(solved, start=1)
                if one.suggestion is not None
            ],
            "unresolved": [
                convert.violation_from(opened.kernel, one.violation) for one in done if one.suggestion is None
            ],
        }
        if question.keep_draft and solved:
            draft = ChangeDesk(self.desk).keep_draft(opened, after.grid, ctx.principal.subject, "conflicts resolved")
            body |= {"schedule_id": draft.schedule.id, "compliance_status": draft.schedule.compliance}
        return body

    def optimize_rotation_balance(self, question: BalanceQuestion, ctx: Context) -> dict[str, Any]:
        """Spread each service more evenly over the people of a role, by single half-days, without breaking a rule.

        Looks at the published schedule from today on. Tells the moves and the imbalance before and after; with
        keep_draft a draft is kept as well.
        """
        from packhorse_scheduling.convert.insight import balance_from
        from packhorse_scheduling.domain.balance import balance
        from packhorse_scheduling.domain.people import ROLES

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        today = opened.kernel.day_of(self.desk.now().date())
        if last < today:
            raise invalid("end_date", "These days have passed: only days to come can be balanced.")
        found = balance(
            opened.kernel,
            opened.grid,
            opened.board(),
            ROLES.index(question.role),
            first,
            last,
            today=today,
            most=question.max_moves,
        )
        body = balance_from(opened, found, question.role, at=self.desk.now())
        if question.keep_draft and found.moves:
            draft = ChangeDesk(self.desk).keep_draft(opened, found.grid, ctx.principal.subject, "rotations balanced")
            body |= {"schedule_id": draft.schedule.id, "compliance_status": draft.schedule.compliance}
        return body

    def generate_coverage_report(self, question: CoverageQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Report how each service's demand is met between two days: places asked for, filled, and every gap.

        The services also come as CSV, for a spreadsheet; the report can be read back under coverage://report.
        """
        from packhorse_scheduling.convert.insight import coverage_csv, coverage_from

        opened = self.desk.opened(question.schedule_id)
        body = coverage_from(opened, *days_of(opened, question.start_date, question.end_date), at=self.desk.now())
        uri = self.desk.keep("coverage://report", "generate_coverage_report", ctx.principal.subject, body)
        share = min(body["coverage_rate"], 0.9999) if body["total_gaps"] else body["coverage_rate"]
        words = (
            f"{percent(share, 1)} of the places asked for are filled;"
            f" {counted(body['total_gaps'], 'half-day is', 'half-days are')} short."
        )
        return Reply({**body, "report_uri": uri}, (Text(words), Embedded(f"{uri}.csv", coverage_csv(body), "text/csv")))

    def simulate_scenario(self, question: ScenarioQuestion) -> Reply[dict[str, Any]]:
        """Say how the published schedule would stand if these people were away, or services needed more; no change.

        Counts what would be unmet at once, days that no reassignment could save, and (with mend) solves for the fewest
        changes around the absences. For one that has happened use repair_schedule, which keeps a draft.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.insight import scenario_words
        from packhorse_scheduling.domain import outlook
        from packhorse_scheduling.domain.explain import crowded_days
        from packhorse_scheduling.domain.opened import Opened
        from packhorse_scheduling.service.insight import freed, mended_around, supposing

        if not question.absences and not question.demand_changes:
            raise invalid("absences", "A scenario needs at least one absence or one change of demand.")
        opened = self.desk.current()
        kernel = opened.kernel
        absences: list[tuple[int, date, date]] = []
        for one in question.absences:
            start, end = (kernel.date_of(d) for d in days_of(opened, one.start_date, one.end_date))
            absences.append((convert.person_from(kernel, one.person_id), start, end))
        supposed = supposing(opened, absences, [self._demand(opened, one) for one in question.demand_changes])
        spans = [(start, end) for _, start, end in absences] + [
            (date.fromisoformat(one.start_date), date.fromisoformat(one.end_date)) for one in question.demand_changes
        ]
        first, last = (kernel.day_of(day) for day in (min(s for s, _ in spans), max(e for _, e in spans)))
        empty = Opened(opened.schedule, supposed.kernel, freed(supposed, absences))
        body: dict[str, Any] = {
            "simulated_at": convert.instant(self.desk.now()),
            "start_date": kernel.date_of(first).isoformat(),
            "end_date": kernel.date_of(last).isoformat(),
            "baseline": _state(opened, first, last),
            "without_action": _state(empty, first, last),
            "days_beyond_help": [
                supposed.kernel.date_of(d).isoformat() for d in crowded_days(supposed.kernel, first, last)
            ],
        }
        if question.mend and absences:
            found = mended_around(supposed, absences, kernel.day_of(self.desk.today()))
            grid = empty.grid if found is None else found.grid
            body["mended"] = {
                **_state(Opened(opened.schedule, supposed.kernel, grid), first, last),
                "changed_half_days": 0 if found is None else len(found.changed),
                "found": found is not None,
            }
            if found is not None:
                body["mended"]["shortfall"] = found.shortfall
        body["utilization_rate"] = round(outlook.load(supposed.kernel, empty.grid, first, last).rate, 4)
        return Reply(body, (Text(scenario_words(body)),))

    def get_backup_call_pool(self, question: PoolQuestion) -> dict[str, Any]:
        """List who could be called in, half-day by half-day, for services somebody asks for; at most seven days.

        Each is free then, able, and coming in would break no rule. The one with the fewest hours that week comes first.
        """
        from packhorse_scheduling.convert.insight import pool_from
        from packhorse_scheduling.domain import cover
        from packhorse_scheduling.domain.people import ROLES

        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        if last - first >= POOL_DAYS:
            raise invalid("end_date", f"The pool is listed for at most {POOL_DAYS} days at a time.")
        kernel, board = opened.kernel, opened.board()
        found = []
        for d in range(first, last + 1):
            for h in (0, 1):
                needed = [s for s in range(kernel.S) if kernel.least[:, s, d, h].any()]
                reserve = cover.reserves(board, d, h, needed)
                if question.role is not None:
                    group = ROLES.index(question.role)
                    reserve = [one for one in reserve if kernel.group[one.person] == group]
                found.append((d, h, reserve))
        return pool_from(opened, found, at=self.desk.now())

    def _demand(self, opened: "Opened", asked: Any) -> Any:
        from packhorse_scheduling.domain.calendar import SESSIONS
        from packhorse_scheduling.domain.requests import Demand

        days_of(opened, asked.start_date, asked.end_date)
        service = next((one for one in opened.programme.services if one.id == asked.rotation_id), None)
        if service is None:
            raise not_found("service", asked.rotation_id)
        sessions = tuple(session for h, session in enumerate(SESSIONS) if service.span(h) is not None)
        return Demand(
            service.code,
            asked.role,
            asked.minimum,
            max(asked.minimum, opened.kernel.P),
            sessions=sessions,
            start=date.fromisoformat(asked.start_date),
            end=date.fromisoformat(asked.end_date),
        )


def days_of(opened: "Opened", start: str, end: str) -> tuple[int, int]:
    """The numbers of two days of the programme.

    Raises:
        UserError: no such dates, reversed, or outside the programme.
    """
    from packhorse_scheduling import convert
    from packhorse_scheduling.service import check_range

    first, last = convert.day_from("start_date", start), convert.day_from("end_date", end)
    check_range(opened.programme.year, first, last)
    return opened.kernel.day_of(first), opened.kernel.day_of(last)


def _with(opened: "Opened", cells: Any) -> "Opened":
    from packhorse_scheduling.domain.opened import Opened

    grid = opened.grid.copy()
    for p, d, h, s in cells:
        grid[p, d, h] = s
    return Opened(opened.schedule, opened.kernel, grid)


def _state(opened: "Opened", first: int, last: int) -> dict[str, Any]:
    from packhorse_scheduling.domain import outlook

    broken = [one for one in opened.violations() if one.blocks and one.first <= last and one.last >= first]
    return {
        "violations": len(broken),
        "by_rule": {rule: sum(one.rule == rule for one in broken) for rule in sorted({one.rule for one in broken})},
        "coverage_rate": round(outlook.coverage(opened.kernel, opened.grid, first, last), 4),
    }
