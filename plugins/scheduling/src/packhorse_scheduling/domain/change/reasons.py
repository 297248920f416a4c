"""Why this person is here, and why not that one: the need, and what each other would break."""

from attrs import frozen

from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.plan import Stay
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation


@frozen
class Other:
    """Somebody of the same role: what they do then, and what taking over would newly break (nothing: they could)."""

    person: int
    doing: int
    violations: tuple[Violation, ...]

    @property
    def could(self) -> bool:
        """Whether taking over breaks no rule."""
        return not any(violation.blocks for violation in self.violations)


@frozen
class Reason:
    """One filled half-day: how many of the role are there, how many must be, and what freeing it would break.

    ``rotation`` is the stay of the rotation plan that holds the service.
    """

    person: int
    service: int
    there: int
    least: int
    locked: bool
    wished: bool | None
    if_freed: tuple[Violation, ...]
    others: tuple[Other, ...]
    rotation: Stay | None = None


def _stay(opened: "Opened", p: int, d: int, s: int, h: int) -> "Stay | None":
    """The stay of the rotation plan that put the person there: a night's is its evening's."""
    kernel = opened.kernel
    day = kernel.date_of(d - 1 if h == 0 and kernel.overnight[s] and d > kernel.tail else d)
    key, code = kernel.programme.people[p].key, kernel.programme.services[s].code
    holds = {rotation.code for rotation in kernel.programme.rotations if code in rotation.services} | {code}
    for stay in opened.schedule.plan:
        if stay.person == key and stay.first <= day <= stay.last and stay.rotation in holds:
            return stay
    return None


def reason_for(opened: "Opened", p: int, slot: tuple[int, int]) -> Reason | None:
    """The reasons; None when the person is free then. ``wished`` is a preference met (True) or passed over (False)."""
    kernel, board = opened.kernel, opened.board()
    d, h = slot
    s = board.day(p, d)[h]
    if s == FREE:
        return None
    role = int(kernel.group[p])
    freed = [(p, day, half, FREE) for day, half in swaps.whole_nights(board, p, [slot])]
    key, day_date = kernel.programme.people[p].key, kernel.date_of(d)
    session = ("AM", "PM")[h]
    code = kernel.programme.services[s].code
    wishes = [
        not wish.avoid
        for wish in kernel.programme.preferences
        if wish.person == key
        and wish.day == day_date
        and wish.session in (None, session)
        and wish.service in (None, code)
    ]
    others = []
    for q in range(kernel.P):
        if q == p or kernel.group[q] != role:
            continue
        verdict = swaps.judge(board, swaps.absorb(board, p, q, [slot]))
        others.append(Other(q, board.day(q, d)[h], verdict.violations))
    return Reason(
        person=p,
        service=s,
        there=board.count[role][s][d][h],
        least=int(kernel.least[role, s, d, h]),
        locked=any(
            lock.person == key and lock.day == day_date and lock.session == session for lock in kernel.programme.locks
        ),
        wished=all(wishes) if wishes else None,
        if_freed=tuple(board.breaks(freed)),
        others=tuple(others),
        rotation=_stay(opened, p, d, s, h),
    )
