"""What is hard on a body, as costs: early days after late ones, a day's duty soon after a night, a night after clinic.

The measures are those by which generated rosters of residents are compared
(hard transitions, shifts after clinic; PMC4763379); what counts as hard is our
own choice, as are the weights.
"""

from ortools.sat.python import cp_model

from packhorse_scheduling.domain.rules.posting import Var
from packhorse_scheduling.domain.solve.model import Model

EARLIER = 1
"""Per day that begins earlier than the day before."""
AFTER_NIGHT = 7
"""Per day's duty with one free day between it and a night."""
AFTER_CLINIC = 8
"""Per half-day of clinic before a night of the same day."""


def transitions(model: "Model") -> None:
    """Add every cost, for residents."""
    kernel = model.kernel
    clinics = {s for s, service in enumerate(kernel.programme.services) if service.kind == "clinic"}
    for p in model.persons:
        if not kernel.resident[p]:
            continue
        for d in range(max(model.first, kernel.tail), model.last + 1):
            _earlier(model, p, d)
            if d > 1:
                _after_night(model, p, d)
            _after_clinic(model, p, d, clinics)


def _night(model: "Model", p: int, d: int) -> "Var | bool":
    """Whether a night begins that evening: a constant, or a literal."""
    overnight = model.kernel.overnight
    value = model.value(p, d, 1)
    if value is not None:
        return bool(overnight[value])
    literals = [v for s, v in model.cell(p, d, 1).items() if overnight[s]]
    if not literals:
        return False
    if len(literals) == 1:
        return literals[0]
    any_night = model.cp.new_bool_var("")
    model.cp.add(cp_model.LinearExpr.sum(literals) <= any_night)
    return any_night


def _earlier(model: "Model", p: int, d: int) -> None:
    """By the mornings: one service, and on the next day one that starts before it."""
    if d == 0:
        return
    start, overnight = model.kernel.start, model.kernel.overnight
    sides = []
    for day in (d - 1, d):
        value = model.value(p, day, 0)
        options = dict(model.cell(p, day, 0)) if value is None else {value: None}
        sides.append({s: v for s, v in options.items() if s >= 0 and not overnight[s]})
    before, now = sides
    for edge in sorted({int(start[s, 0]) for s in before}):
        late = [v for s, v in before.items() if start[s, 0] >= edge]
        early = [v for s, v in now.items() if start[s, 0] < edge]
        if late and early:
            _both(model, late, early, EARLIER)


def _both(model: "Model", one: "list[Var | None]", other: "list[Var | None]", price: int) -> None:
    """A cost where each side has one of its literals; None stands for a constant that is so."""
    free = [[v for v in side if v is not None] for side in (one, other)]
    certain = [len(mine) < len(side) for mine, side in zip(free, (one, other), strict=True)]
    if all(certain):
        return
    if any(certain):
        model.costs += [(v, price) for v in free[certain.index(False)]]
        return
    both = model.cp.new_bool_var("")
    model.cp.add(cp_model.LinearExpr.sum([*free[0], *free[1]]) <= 1 + both)
    model.costs.append((both, price))


def _after_night(model: "Model", p: int, d: int) -> None:
    """Duty by day on the second day after a night's evening, with nothing on the day between but the night's end."""
    overnight = model.kernel.overnight
    night = _night(model, p, d - 2)
    if night is False or _night(model, p, d - 1) is not False:
        return
    day = [v for h in (0, 1) for s, v in model.cell(p, d, h).items() if not overnight[s]]
    if not day:
        return
    worked = model.cp.new_bool_var("")
    for h in (0, 1):
        mine = [v for s, v in model.cell(p, d, h).items() if not overnight[s]]
        if mine and night is True:
            model.cp.add(cp_model.LinearExpr.sum(mine) <= worked)
        elif mine:
            model.cp.add(cp_model.LinearExpr.sum(mine) + night <= 1 + worked)
    model.costs.append((worked, AFTER_NIGHT))


def _after_clinic(model: "Model", p: int, d: int, clinics: set[int]) -> None:
    night = _night(model, p, d)
    mornings = [v for s, v in model.cell(p, d, 0).items() if s in clinics]
    if night is False or not mornings:
        return
    if night is True:
        model.costs += [(v, AFTER_CLINIC) for v in mornings]
    else:
        _both(model, list(mornings), [night], AFTER_CLINIC)
