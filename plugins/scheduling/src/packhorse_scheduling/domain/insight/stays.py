"""Why a person is on a rotation: whose word it is, the team, the curriculum, and who could exchange the block."""

from datetime import date

from attrs import frozen

from packhorse_scheduling.domain.change.replan import locks_against, unit_at, with_exchange
from packhorse_scheduling.domain.roster.plan import UNIT_DAYS, Stay, units_from_first, units_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.rotations import Curriculum


@frozen
class StayReason:
    """One stay in the unit from ``first`` to ``last``: ``team`` people are on it of ``least`` to ``most``.

    ``done`` units of it in the year, of ``required`` to ``allowed``; ``others``
    could exchange the unit with the person and warn of nothing new in the plan.
    """

    stay: Stay
    first: date
    last: date
    team: int
    least: int
    most: int
    done: int
    required: int
    allowed: int
    others: tuple[int, ...]


def reason_for_stay(opened: "Opened", p: int, day: date) -> StayReason | None:
    """The reasons; None where the person has no rotation that day."""
    kernel, programme, plan = opened.kernel, opened.programme, opened.schedule.plan
    k = int(kernel.rotation[p, kernel.day_of(day)])
    if k < 0:
        return None
    person, rotation = programme.people[p], programme.rotations[k]
    stay = next(one for one in plan if one.person == person.key and one.first <= day <= one.last)
    first, last = unit_at(programme, day)
    mine = kernel.rotation[p, kernel.tail :]
    here = units_from_first(programme.year, mine)
    required, allowed = rotation.asked_of(person, len(units_of(programme.year)), here)
    before = _warnings(kernel)
    others = []
    for q, one in enumerate(programme.people):
        theirs = int(kernel.rotation[q, kernel.day_of(day)])
        if q == p or theirs in (-1, k):
            continue
        changed = with_exchange(plan, person.key, one.key, first, last)
        if not locks_against(programme, changed, [person.key, one.key], first, last) and not (
            _warnings(Kernel(programme, changed)) - before
        ):
            others.append(q)
    return StayReason(
        stay=stay,
        first=first,
        last=last,
        team=int((kernel.rotation[:, kernel.day_of(day)] == k).sum()),
        least=rotation.least,
        most=rotation.most,
        done=round(int((mine == k).sum()) / UNIT_DAYS) + person.rotations_done.get(rotation.code, 0),
        required=required,
        allowed=allowed,
        others=tuple(others),
    )


def _warnings(kernel: Kernel) -> set[tuple[object, ...]]:
    found = Curriculum(kernel).check(kernel.empty())
    return {(one.person, one.first, one.last, one.value, one.limit, one.extra.get("rotation")) for one in found}
