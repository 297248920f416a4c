"""Weeks of nurses solved one after another, each with what the one before has left; and a bound of all together."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal

from attrs import evolve, frozen

from packhorse_scheduling.domain.shifts import nurses as n
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.shifts.nurse_cost import week_cost
from packhorse_scheduling.domain.shifts.nurse_week import SHORT, NurseWeek, WeekFound


class NoWeekError(Exception):
    """No plan of a week was found in the time."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@frozen
class Weeks:
    """The plans in order, what each costs, and a lower bound of their sum over all lawful plans.

    ``short`` is by how many the plans stay below the least cover: 0 is lawful.
    """

    plans: tuple[n.Plan, ...]
    costs: tuple[int, ...]
    short: int
    bound: int
    seconds: float
    cpu_seconds: float

    @property
    def objective(self) -> int:
        """The whole cost."""
        return sum(self.costs)

    @property
    def gap(self) -> float:
        """(objective - bound) / objective."""
        return max(0, self.objective - self.bound) / max(1, self.objective)

    @property
    def status(self) -> Literal["optimal", "feasible", "short"]:
        """Proven to be the best, lawful, or short of the least cover; that no lawful plan exists is not claimed."""
        if self.short:
            return "short"
        return "optimal" if self.objective <= self.bound else "feasible"


SHARE_OF_BOUNDS = 0.25
"""Of the time, for the weeks each on its own: the sum of their bounds is a bound of any sequence."""
SHARE_OF_SEQUENCE = 0.7
"""Of the time, when the sequence is to be there; the rest goes to windows across the weeks."""
AHEAD = 2
"""Weeks that are looked at together before the first of them is kept: a Sunday can leave a Monday without cover."""
WINDOW = 3.0
"""Seconds of a window."""
LEAST = 0.1
"""Seconds that each solve has at least."""
PATIENCE = 20.0
"""Seconds for a first plan of a week when its share of the time has given none."""


def solve_weeks(
    scenario: n.Scenario,
    past: Mapping[str, n.Past],
    weeks: Sequence[n.Week],
    cpu_seconds: float,
    *,
    before: int = 0,
    seed: int = 1,
    told: Callable[[int | None, int], None] = lambda objective, bound: None,
    cancelled: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.process_time,
) -> Weeks:
    """Plan the weeks in sequence; ``before`` of the scenario's weeks have passed.

    Raises:
        NoWeekError: a week has no plan.
    """
    began = time.monotonic()
    budget = Budget(cpu_seconds, clock, cancelled)
    solver = _Paced(budget, seed, cancelled)
    bound = 0.0
    for i, week in enumerate(weeks):
        share = (SHARE_OF_BOUNDS * cpu_seconds - budget.spent) / (len(weeks) - i)
        bound += max(0.0, solver.solve(NurseWeek(scenario, [week], None, strict=True), share).bound)
        told(None, int(bound))
    plans: list[n.Plan] = []
    state = dict(past)
    most = SHARE_OF_SEQUENCE * cpu_seconds
    for i in range(len(weeks)):
        seen = weeks[i : i + AHEAD]
        model = NurseWeek(scenario, seen, state, scenario.weeks - before - i - len(seen))
        found = solver.solve(model, (most - budget.spent) / (len(weeks) - i))
        if found.plans is None:
            found = solver.solve(model, PATIENCE)
        if found.plans is None:
            raise NoWeekError(i)
        plans.append(found.plans[0])
        state = {who: n.after(state[who], plans[i][who]) for who in scenario.nurses}
    calendar = _Calendar(scenario, past, weeks, before)
    told(sum(calendar.costs(plans)), int(bound))
    rng = Random(seed)  # noqa: S311 - which days are looked at again is no secret
    while budget.left > 0 and sum(calendar.costs(plans)) > bound:
        better = calendar.again(plans, rng, solver)
        if better is not None:
            plans = better
            told(sum(calendar.costs(plans)), int(bound))
    costs = calendar.costs(plans)
    whole = min(sum(costs), math.ceil(bound - 1e-4))
    return Weeks(tuple(plans), tuple(costs), calendar.short(plans), whole, time.monotonic() - began, budget.spent)


@frozen
class _Calendar:
    """All the weeks, for looking at some days of some nurses again with everything else in view."""

    scenario: n.Scenario
    past: Mapping[str, n.Past]
    weeks: Sequence[n.Week]
    before: int

    def costs(self, plans: Sequence[n.Plan]) -> list[int]:
        """What each week costs after those before it."""
        state, found = dict(self.past), []
        for i, (week, plan) in enumerate(zip(self.weeks, plans, strict=True)):
            last = self.before + i + 1 == self.scenario.weeks
            found.append(week_cost(self.scenario, week, state, plan, last=last))
            state = {who: n.after(state[who], plan[who]) for who in self.scenario.nurses}
        return found

    def short(self, plans: Sequence[n.Plan]) -> int:
        """By how many the least cover is missed."""
        return sum(self.short_by_week(plans))

    def short_by_week(self, plans: Sequence[n.Plan]) -> list[int]:
        """By how many the least cover of each week is missed."""
        return [
            sum(
                max(0, least - sum(row[day] == duty for row in plan.values()))
                for duty, days in week.cover.items()
                for day, (least, _) in enumerate(days)
            )
            for week, plan in zip(self.weeks, plans, strict=True)
        ]

    def worth(self, plans: Sequence[n.Plan]) -> int:
        """What a search goes by: the cost, and the price of what is missing."""
        return sum(self.costs(plans)) + SHORT * self.short(plans)

    def again(self, plans: list[n.Plan], rng: Random, solver: "_Paced") -> list[n.Plan] | None:
        """The plans with some nurses' days in two weeks decided anew, where that is better.

        Half of the time it is a week that misses its least cover, with the one before it, which may have caused it. The
        week after stays as it is and is in the model, so that runs across Sunday count. Totals of the later weeks are
        added to the past, so that totals count too.
        """
        short = [i for i, missing in enumerate(self.short_by_week(plans)) if missing]
        first = max(0, rng.choice(short) - 1) if short and rng.random() < 0.5 else rng.randrange(max(1, len(plans) - 1))
        end = min(len(plans), first + 3)
        state = dict(self.past)
        for plan in plans[:first]:
            state = {who: n.after(state[who], plan[who]) for who in state}
        later = {
            who: (
                sum(duty is not None for plan in plans[end:] for duty in plan[who]),
                sum(plan[who][5] is not None or plan[who][6] is not None for plan in plans[end:]),
            )
            for who in state
        }
        state = {
            who: evolve(past, assignments=past.assignments + later[who][0], weekends=past.weekends + later[who][1])
            for who, past in state.items()
        }
        free_weeks = min(2, end - first)
        some = rng.sample(list(state), min(len(state), solver.people))
        free = {(who, day) for who in some for day in range(n.DAYS * free_weeks)}
        model = NurseWeek(
            self.scenario, self.weeks[first:end], state, self.scenario.weeks - self.before - len(self.weeks)
        )
        model.hold(plans[first:end], free)
        found = solver.solve(model, WINDOW)
        if found.proven:
            solver.people += 1
        elif solver.people > 2:
            solver.people -= 1
        if found.plans is None:
            return None
        better = [*plans[:first], *found.plans, *plans[end:]]
        return better if self.worth(better) < self.worth(plans) else None


class _Paced:
    """Solves for so many processor seconds: it learns how many of them a unit of the solver takes."""

    def __init__(self, budget: Budget, seed: int, cancelled: Callable[[], bool]) -> None:
        self._budget, self._seed, self._cancelled = budget, seed, cancelled
        self._pace = 2.0
        self.people = 10

    def solve(self, model: NurseWeek, seconds: float) -> WeekFound:
        before = self._budget.spent
        units = max(LEAST, seconds) / self._pace
        found = model.solve(units, self._seed, self._cancelled)
        if not found.proven:
            self._pace = 0.5 * self._pace + 0.5 * max(0.5, (self._budget.spent - before) / units)
        return found
