"""Weeks of nurses as a CP-SAT model, with the past and an eye on the weeks to come."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.shifts import nurses as n

if TYPE_CHECKING:
    Lit = cp_model.LiteralT

SHORT = 1000
"""The price of one below the least cover, above what keeping it could cost in soft rules."""


@frozen
class WeekFound:
    """Plans of the model's weeks, None where none was found, and a bound of its objective.

    ``impossible``: there is no plan at all; ``proven``: there is no better one.
    """

    plans: tuple[n.Plan, ...] | None
    bound: float
    impossible: bool
    proven: bool


class NurseWeek:
    """The model of some weeks on end.

    Without ``past`` they stand alone: what the rules would ask of days before costs nothing, so that the least cost is
    a lower bound whatever came before. ``to_come`` is how many weeks follow: totals are charged in full when none does,
    and paced when some do (with ``past`` alone). With ``strict`` the least cover is a rule; else each one missing costs
    `SHORT`, since a sequence of weeks may leave no plan that keeps it.
    """

    def __init__(
        self,
        scenario: n.Scenario,
        weeks: Sequence[n.Week],
        past: Mapping[str, n.Past] | None,
        to_come: int = 0,
        *,
        strict: bool = False,
    ) -> None:
        self.scenario, self.weeks, self.strict = scenario, weeks, strict
        self.days = n.DAYS * len(weeks)
        self.model = cp_model.CpModel()
        self.costs: list[tuple[cp_model.LinearExprT, int]] = []
        self.on: dict[tuple[str, int, str, str], cp_model.IntVar] = {}
        self.shift: dict[tuple[str, int, str], cp_model.IntVar] = {}
        self.works: dict[tuple[str, int], cp_model.IntVar] = {}
        for nurse in scenario.nurses.values():
            self._cells(nurse)
            before = None if past is None else past[nurse.id]
            self._successions(nurse, before)
            self._runs(nurse, before)
            self._weekend(nurse)
            if before is not None:
                self._totals(nurse, before, to_come)
        self._cover()
        for w, week in enumerate(weeks):
            for who, shift, day in week.off:
                at = n.DAYS * w + day
                asked = self.works[who, at] if shift is None else self.shift[who, at, shift]
                self.costs.append((asked, n.PREFERENCE))
        self.model.minimize(
            cp_model.LinearExpr.weighted_sum([cost for cost, _ in self.costs], [w for _, w in self.costs])
        )

    def _bool(self) -> cp_model.IntVar:
        return self.model.new_bool_var("")

    def _cells(self, nurse: n.Nurse) -> None:
        for day in range(self.days):
            works = self.works[nurse.id, day] = self._bool()
            shifts = []
            for shift in self.scenario.shifts:
                on = self.shift[nurse.id, day, shift] = self._bool()
                shifts.append(on)
                skilled = []
                for skill in nurse.skills:
                    duty = self.on[nurse.id, day, shift, skill] = self._bool()
                    skilled.append(duty)
                self.model.add_exactly_one([*skilled, on.negated()])
            self.model.add_exactly_one([*shifts, works.negated()])

    def _successions(self, nurse: n.Nurse, past: n.Past | None) -> None:
        for shift in self.scenario.shifts.values():
            for other in sorted(shift.not_next):
                if past is not None and past.last == shift.id:
                    self.model.add(self.shift[nurse.id, 0, other] == 0)
                for day in range(self.days - 1):
                    self.model.add_at_most_one(
                        [self.shift[nurse.id, day, shift.id], self.shift[nurse.id, day + 1, other]]
                    )

    def _runs(self, nurse: n.Nurse, past: n.Past | None) -> None:
        works = [self.works[nurse.id, day] for day in range(self.days)]
        contract = nurse.contract
        self._run(works, None if past is None else past.work, contract.work_run, n.WORK_RUN)
        resting = [work.negated() for work in works]
        self._run(resting, None if past is None else past.rest, contract.rest_run, n.REST_RUN)
        for shift in self.scenario.shifts.values():
            on = [self.shift[nurse.id, day, shift.id] for day in range(self.days)]
            before = None if past is None else past.same if past.last == shift.id else 0
            self._run(on, before, shift.run, n.SAME_SHIFT_RUN)

    def _run(self, inside: "Sequence[Lit]", before: int | None, span: n.Span, weight: int) -> None:
        """Charge a run for each day too many, when it happens, and for each day too few, when it ends."""
        least, most = span
        outside = [~lit for lit in inside]
        for day in range(self.days):
            if day >= most:
                self._charge(outside[day - most : day + 1], weight)
            elif before is not None and before + day >= most:
                self._charge(outside[: day + 1], weight)
            for length in range(1, least):  # a run that is over on this day
                start = day - length
                if start > 0:
                    self._charge([inside[start - 1], *outside[start:day], inside[day]], weight * (least - length))
                elif start == 0 and before == 0:
                    self._charge([*outside[:day], inside[day]], weight * (least - length))
            if before and before + day < least:
                self._charge([*outside[:day], inside[day]], weight * (least - before - day))

    def _charge(self, unless: "Sequence[Lit]", weight: int) -> None:
        """A cost unless one of these holds."""
        charged = self._bool()
        self.model.add_bool_or([*unless, charged])
        self.costs.append((charged, weight))

    def _weekend(self, nurse: n.Nurse) -> None:
        if nurse.contract.whole_weekends:
            for monday in range(0, self.days, n.DAYS):
                saturday, sunday = self.works[nurse.id, monday + 5], self.works[nurse.id, monday + 6]
                self._charge([saturday, sunday.negated()], n.WHOLE_WEEKEND)
                self._charge([saturday.negated(), sunday], n.WHOLE_WEEKEND)

    def _totals(self, nurse: n.Nurse, past: n.Past, to_come: int) -> None:
        """Totals of the horizon, charged at its end; before it, the even share of what is left until then."""
        worked = cp_model.LinearExpr.sum([self.works[nurse.id, day] for day in range(self.days)])
        least, most = nurse.contract.assignments
        here = len(self.weeks)
        left = here + to_come
        most_now = max(0, -((past.assignments - most) * here // left)) if to_come else most - past.assignments
        least_now = max(0, (least - past.assignments) * here // left)
        over = self.model.new_int_var(0, self.days + max(0, -most_now), "")
        under = self.model.new_int_var(0, max(0, least_now), "")
        self.model.add(worked - over <= most_now)
        self.model.add(worked + under >= least_now)
        self.costs += [(over, n.ASSIGNMENTS), (under, n.ASSIGNMENTS)]
        weekends = []
        for monday in range(0, self.days, n.DAYS):
            weekend = self._bool()
            for day in (5, 6):
                self.model.add_implication(self.works[nurse.id, monday + day], weekend)
            weekends.append(weekend)
        spare = nurse.contract.weekends - past.weekends
        beyond = self.model.new_int_var(0, here + max(0, -spare), "")
        allowed = spare if not to_come else max(0, -(-spare * here // left))
        self.model.add(cp_model.LinearExpr.sum(weekends) - beyond <= allowed)
        self.costs.append((beyond, n.WEEKENDS))

    def _cover(self) -> None:
        for w, week in enumerate(self.weeks):
            for (shift, skill), days in week.cover.items():
                able = [nurse.id for nurse in self.scenario.nurses.values() if skill in nurse.skills]
                for day, (least, optimal) in enumerate(days):
                    at = n.DAYS * w + day
                    there = cp_model.LinearExpr.sum([self.on[who, at, shift, skill] for who in able])
                    if least and self.strict:
                        self.model.add(there >= least)
                    elif least:
                        short = self.model.new_int_var(0, least, "")
                        self.model.add(there + short >= least)
                        self.costs.append((short, SHORT))
                    if optimal > least:
                        missing = self.model.new_int_var(0, optimal, "")
                        self.model.add(there + missing >= optimal)
                        self.costs.append((missing, n.OPTIMAL_COVER))

    def hold(self, plans: Sequence[n.Plan], free: Collection[tuple[str, int]]) -> None:
        """Keep these plans except in the cells (nurse, day) that are free, and begin from them there."""
        for (who, day, shift, skill), duty in self.on.items():
            week, at = divmod(day, n.DAYS)
            there = plans[week][who][at] == (shift, skill)
            if (who, day) in free:
                self.model.add_hint(duty, there)
            else:
                self.model.add(duty == int(there))

    def solve(self, seconds: float, seed: int, cancelled: Callable[[], bool] = lambda: False) -> WeekFound:
        """Search for so many processor seconds (deterministic units of the solver)."""
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = seed
        parameters.linearization_level = 2
        parameters.max_deterministic_time = seconds
        parameters.max_time_in_seconds = 4 * seconds + 1
        status = solver.solve(self.model, _Stop(cancelled))
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return WeekFound(None, solver.best_objective_bound, status == cp_model.INFEASIBLE, proven=False)
        plans: list[dict[str, list[n.Duty | None]]] = [
            {who: [None] * n.DAYS for who in self.scenario.nurses} for _ in self.weeks
        ]
        for (who, day, shift, skill), duty in self.on.items():
            if solver.boolean_value(duty):
                plans[day // n.DAYS][who][day % n.DAYS] = (shift, skill)
        proven = status == cp_model.OPTIMAL
        return WeekFound(tuple(plans), solver.best_objective_bound, impossible=False, proven=proven)


class _Stop(cp_model.CpSolverSolutionCallback):
    def __init__(self, cancelled: Callable[[], bool]) -> None:
        super().__init__()
        self._cancelled = cancelled

    def on_solution_callback(self) -> None:
        if self._cancelled():
            self.stop_search()
