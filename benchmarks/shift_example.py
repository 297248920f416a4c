"""The shift-scheduling example that comes with OR-tools, as a problem, by its own model and by ours.

The problem is that of examples/python/shift_scheduling_sat.py in
google/or-tools (Apache 2.0), whose figures these are: eight employees, three
weeks, days off, mornings, afternoons and nights. Its loops do not judge a run
that ends on one of the last two days, nor the longest run where it ends on the
last; so does the problem here, for both models alike, and `cost` judges a
roster apart from either.

`published` is the example's formulation, written anew: a literal for each
employee, shift and day, clauses for runs, counters for weeks and for cover.
`ours` is a flow through a graph of days. A node is a shift with its days in a
row and the week's days off and nights so far, so that every path is a lawful
row and has its price; an employee is followed apart only as long as a fixed
day or a wish sets them apart, and is one of the crowd from then on. The pack's
one worker solves it along its linear relaxation.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise

from ortools.sat.python import cp_model

OFF, MORNING, AFTERNOON, NIGHT = SHIFTS = range(4)
EMPLOYEES, WEEKS = range(8), range(3)
DAYS = range(7 * len(WEEKS))
FIXED = {
    (0, 0): OFF, (1, 0): OFF, (2, 0): MORNING, (3, 0): MORNING, (4, 0): AFTERNOON, (5, 0): AFTERNOON, (7, 0): NIGHT,
    (0, 1): MORNING, (1, 1): MORNING, (2, 1): AFTERNOON, (3, 1): AFTERNOON, (4, 1): AFTERNOON, (5, 1): OFF, (6, 1): OFF,
    (7, 1): NIGHT, (6, 3): AFTERNOON,
}  # fmt: skip
"""Employee and day to shift."""
WISHES = {(3, 5, OFF): -2, (5, 10, NIGHT): -2, (2, 4, NIGHT): 4}
"""What it costs that an employee has this shift on this day; below nothing, a gain."""
LONGEST = {OFF: 2, NIGHT: 4}
"""Days in a row, hard."""
RUNS = {NIGHT: {1: 20, 4: 5}}
"""What a run of that length costs."""
WEEKLY = {OFF: (1, 3, {1: 7, 3: 4}), NIGHT: (0, 4, {0: 3})}
"""Per week and employee: the fewest, the most, and what a number of them costs."""
FORBIDDEN, CHANGES = {(NIGHT, MORNING)}, {(AFTERNOON, NIGHT): 4}
"""From one day's shift to the next day's."""
NEEDED = ((2, 3, 1), (2, 3, 1), (2, 2, 2), (2, 3, 1), (2, 2, 2), (1, 2, 3), (1, 3, 1))
"""Of mornings, afternoons and nights, by weekday from Monday."""
TOO_MANY = {MORNING: 2, AFTERNOON: 2, NIGHT: 5}
"""What each one beyond costs."""

Rows = Sequence[Sequence[int]]
"""For each employee, for each day: the shift."""
Reader = Callable[[cp_model.CpSolver], Rows]
Costs = list[tuple[cp_model.LinearExprT, int]]


def cost(rows: Rows) -> int:
    """What these rows cost.

    Raises:
        ValueError: a hard rule is broken.
    """
    if any(rows[e][d] != shift for (e, d), shift in FIXED.items()):
        raise ValueError("a fixed day")
    total = sum(price for (e, d, shift), price in WISHES.items() if rows[e][d] == shift)
    for row in rows:
        total += _cost_of_row(row)
    for d in DAYS:
        for shift, needed in zip(SHIFTS[1:], NEEDED[d % 7], strict=True):
            beyond = sum(row[d] == shift for row in rows) - needed
            if beyond < 0:
                raise ValueError("cover")
            total += beyond * TOO_MANY[shift]
    return total


def _cost_of_row(row: Sequence[int]) -> int:
    total = 0
    for one, other in pairwise(row):
        if (one, other) in FORBIDDEN:
            raise ValueError("a forbidden change")
        total += CHANGES.get((one, other), 0)
    end = 0
    for shift, run in groupby(row):
        length = len(list(run))
        end += length
        if shift in LONGEST and length - (end == len(DAYS)) > LONGEST[shift]:
            raise ValueError("a run")
        if end < len(DAYS) - 1:
            total += RUNS.get(shift, {}).get(length, 0)
    for week in WEEKS:
        days = row[7 * week : 7 * week + 7]
        for shift, (least, most, prices) in WEEKLY.items():
            if not least <= days.count(shift) <= most:
                raise ValueError("a week")
            total += prices.get(days.count(shift), 0)
    return total


def _priced(cp: cp_model.CpModel, costs: Costs) -> None:
    cp.minimize(sum(price * what for what, price in costs))


def published() -> tuple[cp_model.CpModel, Reader]:
    """The example's own formulation."""
    cp = cp_model.CpModel()
    x = {(e, d, shift): cp.new_bool_var("") for e in EMPLOYEES for d in DAYS for shift in SHIFTS}
    costs: Costs = [(x[at], price) for at, price in WISHES.items()]
    for (e, d), shift in FIXED.items():
        cp.add(x[e, d, shift] == 1)
    for e in EMPLOYEES:
        costs += _published_row(cp, {(d, shift): x[e, d, shift] for d in DAYS for shift in SHIFTS})
    for d in DAYS:
        for shift, needed in zip(SHIFTS[1:], NEEDED[d % 7], strict=True):
            there = cp.new_int_var(needed, len(EMPLOYEES), "")
            cp.add(there == sum(x[e, d, shift] for e in EMPLOYEES))
            beyond = cp.new_int_var(0, len(EMPLOYEES) - needed, "")
            cp.add(beyond == there - needed)
            costs.append((beyond, TOO_MANY[shift]))
    _priced(cp, costs)

    def read(solver: cp_model.CpSolver) -> Rows:
        return [[next(k for k in SHIFTS if solver.boolean_value(x[e, d, k])) for d in DAYS] for e in EMPLOYEES]

    return cp, read


def _published_row(cp: cp_model.CpModel, x: Mapping[tuple[int, int], cp_model.IntVar]) -> Costs:
    """One employee's days, runs, changes and weeks; ``x`` by day and shift."""
    costs: Costs = []
    for d in DAYS:
        cp.add_exactly_one(x[d, shift] for shift in SHIFTS)
    for shift, longest in LONGEST.items():
        for start in range(len(DAYS) - longest - 1):
            cp.add_bool_or(x[d, shift].Not() for d in range(start, start + longest + 1))
    for shift, prices in RUNS.items():
        for length, price in prices.items():
            for start in range(len(DAYS) - length - 1):
                such = cp.new_bool_var("")
                edges = [x[d, shift] for d in (start - 1, start + length) if d >= 0]
                cp.add_bool_or([*edges, *(x[start + i, shift].Not() for i in range(length)), such])
                costs.append((such, price))
    for one, other in [*FORBIDDEN, *CHANGES]:
        for d in DAYS[:-1]:
            clause = [x[d, one].Not(), x[d + 1, other].Not()]
            if price := CHANGES.get((one, other)):
                clause.append(cp.new_bool_var(""))
                costs.append((clause[-1], price))
            cp.add_bool_or(clause)
    for week in WEEKS:
        for shift, (least, most, prices) in WEEKLY.items():
            _soft_sum(cp, costs, [x[7 * week + d, shift] for d in range(7)], least, most, prices)
    return costs


def _soft_sum(
    cp: cp_model.CpModel,
    costs: Costs,
    literals: list[cp_model.IntVar],
    least: int,
    most: int,
    prices: Mapping[int, int],
) -> None:
    """A counter, and for each priced number its distance from the number next to it that is free."""
    total = cp.new_int_var(least, most, "")
    cp.add(total == sum(literals))
    for number, price in prices.items():
        away = cp.new_int_var(-7, 7, "")
        cp.add(away == (number + 1 - total if number + 1 not in prices and number == least else total - number + 1))
        beyond = cp.new_int_var(0, 7, "")
        cp.add_max_equality(beyond, [away, 0])
        costs.append((beyond, price))


Node = tuple[int, int, int, int]
"""Shift, its days in a row, days off and nights since Monday."""
CROWD = -1


def ours() -> tuple[cp_model.CpModel, Reader]:
    """The flow, and who takes which way through it."""
    cp = cp_model.CpModel()
    costs: Costs = []
    apart = {e: max([d for who, d, *_ in (*FIXED, *WISHES) if who == e], default=-1) for e in EMPLOYEES}
    arcs: list[dict[tuple[int, Node | None, Node], cp_model.IntVar]] = []
    stock: dict[tuple[int, Node | None], list[cp_model.LinearExprT]] = {(e, None): [1] for e in EMPLOYEES}
    for d in DAYS:
        arcs.append({})
        into: dict[tuple[int, Node | None], list[cp_model.LinearExprT]] = {}
        there: dict[int, list[cp_model.IntVar]] = {shift: [] for shift in SHIFTS}
        for (who, node), arrived in stock.items():
            leaving = []
            for shift in SHIFTS:
                step = _step(d, node, shift)
                if step is None or FIXED.get((who, d), shift) != shift:
                    continue
                following, price = step
                arc = cp.new_int_var(0, 1 if who >= 0 else len(EMPLOYEES), "")
                arcs[d][who, node, following] = arc
                leaving.append(arc)
                there[shift].append(arc)
                into.setdefault((who if apart.get(who, -1) > d else CROWD, following), []).append(arc)
                if price := price + WISHES.get((who, d, shift), 0):
                    costs.append((arc, price))
            cp.add(sum(arrived) == sum(leaving))
        for shift, needed in zip(SHIFTS[1:], NEEDED[d % 7], strict=True):
            beyond = cp.new_int_var(0, len(EMPLOYEES) - needed, "")
            cp.add(sum(there[shift]) - beyond == needed)
            costs.append((beyond, TOO_MANY[shift]))
        stock = into
    _priced(cp, costs)

    def read(solver: cp_model.CpSolver) -> Rows:
        rows: list[list[int]] = [[] for _ in EMPLOYEES]
        now: list[Node | None] = [None for _ in EMPLOYEES]
        for d in DAYS:
            left = {at: solver.value(arc) for at, arc in arcs[d].items()}
            for e in EMPLOYEES:
                who = e if apart[e] >= d else CROWD
                way = next(at for at, flow in left.items() if flow and at[:2] == (who, now[e]))
                left[way] -= 1
                now[e] = way[2]
                rows[e].append(way[2][0])
        return rows

    return cp, read


def _step(d: int, node: Node | None, shift: int) -> tuple[Node, int] | None:
    """Where this shift leads on this day and at what price, or None where it may not be."""
    before, length, off, nights = node or (-1, 0, 0, 0)
    price = CHANGES.get((before, shift), 0)
    longer = length + 1 if before == shift and shift in LONGEST else 1
    if (before, shift) in FORBIDDEN or longer > LONGEST.get(shift, 1) + (d == DAYS[-1]):
        return None
    if before != shift and d < DAYS[-1]:
        price += RUNS.get(before, {}).get(length, 0)
    if d % 7 == 0:
        off = nights = 0
    off, nights = off + (shift == OFF), nights + (shift == NIGHT)
    for number, (least, most, prices) in ((off, WEEKLY[OFF]), (nights, WEEKLY[NIGHT])):
        if number > most or (d % 7 == 6 and number < least):
            return None
        if d % 7 == 6:
            price += prices.get(number, 0)
    return (shift, longer, off, nights), price
