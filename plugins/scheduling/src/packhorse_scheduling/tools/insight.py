"""Several at a time, balance, coverage, scenarios and reserve: what is published is looked at and never changed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Embedded, Reply, Text, UserError
from packhorse_scheduling.domain.insight.wording import counted, percent
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.models.watch import (
    BalanceQuestion,
    CoverageQuestion,
    PoolQuestion,
    ScenarioQuestion,
    SwapsQuestion,
)
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools import swap_body

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened

POOL_DAYS = 7
POOL_NAMED = 2
"""People named for each half-day."""
MOST_SWAPS = 6
"""Of a batch, on a page."""
MOST_BEYOND = 14
MOST_MOVES = 20


@frozen
class InsightTools:
    """What phase 2 of the specification adds."""

    desk: RosterDesk

    def check_swaps_feasibility(self, question: SwapsQuestion) -> Reply[dict[str, Any]]:
        """Check up to 50 swaps in one call; nothing changes."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import page_of
        from packhorse_scheduling.convert.insight import swaps_words
        from packhorse_scheduling.domain.change import swaps

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
            results.append({"index": index, **body, "suggestions": body["suggestions"][:1]})
            if question.together and body["is_feasible"] and one.target_person_id is not None:
                kernel = opened.kernel
                change = swaps.exchange if one.swap_type == "ONE_TO_ONE" else swaps.absorb
                giver = convert.person_from(kernel, one.requester_id)
                taker = convert.person_from(kernel, one.target_person_id)
                slots = convert.slots_from(kernel, one.block_ids, (opened, giver))
                opened = _with(opened, change(opened.board(), giver, taker, slots))
        shown, pages = page_of(results, question.page, MOST_SWAPS)
        body = {
            "checked_at": convert.instant(at),
            "together": question.together,
            "feasible_count": sum(row["is_feasible"] for row in results),
            "total_swaps": len(results),
            **pages,
            "results": shown,
        }
        return Reply(body, (Text(swaps_words(body)),), in_words=True)

    def optimize_rotation_balance(self, question: BalanceQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Spread each service more evenly over the people of a role by lawful moves of half-days."""
        from packhorse_scheduling.convert.insight import balance_from, balance_words
        from packhorse_scheduling.convert.references import chosen
        from packhorse_scheduling.convert.wishes import wishes_words
        from packhorse_scheduling.domain.change.balance import balance
        from packhorse_scheduling.domain.programme.people import ROLES
        from packhorse_scheduling.service.changes import ChangeDesk

        role = chosen("role", question.role, ROLES)
        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        today = opened.kernel.day_of(self.desk.now().date())
        if last < today:
            raise invalid("end_date", "`end_date` has passed. Only future days can be balanced.")
        found = balance(
            opened.kernel,
            opened.grid,
            opened.board(),
            ROLES.index(role),
            first,
            last,
            today=today,
            most=MOST_MOVES,
        )
        body = balance_from(opened, found, role, at=self.desk.now())
        if question.keep_draft and found.moves:
            draft = ChangeDesk(self.desk).keep_draft(opened, found.grid, ctx.principal.subject, "rotations balanced")
            body |= _draft(draft)
        return Reply(body, (Text(balance_words(body) + wishes_words(body)),), in_words=True)

    def generate_coverage_report(self, question: CoverageQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Report how each service's demand is met between two days, with every gap; also as CSV."""
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
        """Tell how the roster would stand if people were away or services needed more; nothing is kept.

        mend solves for the fewest changes around the absences.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.insight import scenario_words
        from packhorse_scheduling.domain.insight import outlook
        from packhorse_scheduling.domain.insight.explain import crowded_days
        from packhorse_scheduling.domain.rules.opened import Opened
        from packhorse_scheduling.service.insight import freed, mended_around, supposing

        if not question.absences and not question.demand_changes:
            raise invalid("absences", "Give at least one of `absences` and `demand_changes`.")
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
        beyond = [supposed.kernel.date_of(d).isoformat() for d in crowded_days(supposed.kernel, first, last)]
        body: dict[str, Any] = {
            "simulated_at": convert.instant(self.desk.now()),
            "start_date": kernel.date_of(first).isoformat(),
            "end_date": kernel.date_of(last).isoformat(),
            "as_validated": sum(one.blocks for one in supposed.violations()),
            "baseline": _state(opened, first, last),
            "without_action": _state(empty, first, last),
            "days_beyond_help_count": len(beyond),
            "days_beyond_help": beyond[:MOST_BEYOND],
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
        return Reply(body, (Text(scenario_words(body)),), in_words=True)

    def get_backup_call_pool(self, question: PoolQuestion) -> Reply[dict[str, Any]]:
        """List who is free and could lawfully come in, half-day by half-day; at most seven days."""
        from packhorse_scheduling.convert.insight import pool_from, pool_words
        from packhorse_scheduling.convert.references import chosen
        from packhorse_scheduling.domain.insight import cover
        from packhorse_scheduling.domain.programme.people import ROLES

        group = None if question.role is None else ROLES.index(chosen("role", question.role, ROLES))
        opened = self.desk.current()
        first, last = days_of(opened, question.start_date, question.end_date)
        if last - first >= POOL_DAYS:
            raise invalid("end_date", f"Ask for at most {POOL_DAYS} days at a time.")
        kernel, board = opened.kernel, opened.board()
        found = []
        for d in range(first, last + 1):
            for h in (0, 1):
                needed = [s for s in range(kernel.S) if kernel.least[:, s, d, h].any()]
                reserve = cover.reserves(board, d, h, needed)
                if group is not None:
                    reserve = [one for one in reserve if kernel.group[one.person] == group]
                found.append((d, h, reserve))
        body = pool_from(opened, found, POOL_NAMED, at=self.desk.now())
        return Reply(body, (Text(pool_words(body)),), in_words=True)

    def _demand(self, opened: Opened, asked: Any) -> Any:
        from packhorse_scheduling.convert.references import chosen, service_from
        from packhorse_scheduling.domain.programme.calendar import SESSIONS
        from packhorse_scheduling.domain.programme.people import ROLES
        from packhorse_scheduling.domain.programme.requests import Demand

        days_of(opened, asked.start_date, asked.end_date)
        service = opened.programme.services[service_from(opened.programme.services, asked.rotation_id)]
        sessions = tuple(session for h, session in enumerate(SESSIONS) if service.span(h) is not None)
        return Demand(
            service.code,
            chosen("role", asked.role, ROLES),
            asked.minimum,
            max(asked.minimum, opened.kernel.P),
            sessions=sessions,
            start=date.fromisoformat(asked.start_date),
            end=date.fromisoformat(asked.end_date),
        )


def _draft(draft: Opened) -> dict[str, Any]:
    from packhorse_scheduling.convert.wishes import wishes_from

    schedule = draft.schedule
    return {"schedule_id": schedule.id, "compliance_status": schedule.compliance, **wishes_from(draft)}


def days_of(opened: Opened, start: str, end: str) -> tuple[int, int]:
    """The numbers of two days of the programme.

    Raises:
        UserError: no such dates, reversed, or outside the programme.
    """
    from packhorse_scheduling import convert
    from packhorse_scheduling.service.generating import check_range

    first, last = convert.day_from("start_date", start), convert.day_from("end_date", end)
    check_range(opened.programme.year, first, last)
    return opened.kernel.day_of(first), opened.kernel.day_of(last)


def _with(opened: Opened, cells: Any) -> Opened:
    from packhorse_scheduling.domain.rules.opened import Opened

    grid = opened.grid.copy()
    for p, d, h, s in cells:
        grid[p, d, h] = s
    return Opened(opened.schedule, opened.kernel, grid)


def _state(opened: Opened, first: int, last: int) -> dict[str, Any]:
    from packhorse_scheduling.domain.insight import outlook

    broken = [one for one in opened.violations() if one.blocks and one.first <= last and one.last >= first]
    return {
        "violations": len(broken),
        "by_rule": {rule: sum(one.rule == rule for one in broken) for rule in sorted({one.rule for one in broken})},
        "coverage_rate": round(outlook.coverage(opened.kernel, opened.grid, first, last), 4),
    }
