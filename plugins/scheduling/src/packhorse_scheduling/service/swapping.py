"""Swaps from the request to the rollback."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from packhorse_scheduling.domain.change.exchange import Approval, Swap, SwapType, Undo
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.service.judging import named
from packhorse_scheduling.service.noticing import notice
from packhorse_scheduling.service.versions import check_expected

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.swaps import Candidate, Verdict
    from packhorse_scheduling.domain.roster.arrays import Grid


@frozen
class SwapDesk:
    """Swaps for one desk."""

    desk: RosterDesk

    @property
    def changes(self) -> ChangeDesk:
        """What writes versions."""
        return ChangeDesk(self.desk)

    def candidates(
        self, opened: Opened, requester: int, slots: Sequence[tuple[int, int]], *, field: str
    ) -> "list[Candidate]":
        """Who could take these half-days over or exchange them, each checked against every rule, the best first.

        Raises:
            UserError: the requester is free then, or the half-days are past or locked; ``field`` is what named them.
        """
        from packhorse_scheduling.domain.change import swaps
        from packhorse_scheduling.domain.insight.wording import obstacle_words
        from packhorse_scheduling.domain.roster.arrays import FREE

        kernel, board = opened.kernel, opened.board()
        today = kernel.day_of(self.desk.now().date())
        own = [(requester, d, h, FREE) for d, h in swaps.whole_nights(board, requester, slots)]
        stands = swaps.obstacle(board, own, today)
        if stands is not None and stands[0] == "nothing":
            who = opened.programme.people[requester].name
            raise invalid(field, f"{who} is free then, so there is no duty to swap.")
        if stands is not None:
            raise invalid(field, obstacle_words(kernel, *stands))
        return swaps.candidates(board, requester, slots, today=today)

    def request(
        self,
        kind: SwapType,
        requester: int,
        target: int,
        blocks: Sequence[str],
        slots: Sequence[tuple[int, int]],
        *,
        accepted: bool,
        by: str | None,
    ) -> Swap:
        """Keep a wanted swap that breaks no rule today; ``accepted`` when the requester asks in person."""
        from packhorse_scheduling.store.exchanges import Exchanges

        opened = self.desk.current()
        self.judged(opened, kind, requester, target, slots)
        people, now = opened.programme.people, self.desk.now()
        swap = Swap(
            id=self.desk.host.new_id(),
            kind=kind,
            requester=people[requester].key,
            target=people[target].key,
            blocks=tuple(dict.fromkeys(blocks)),
            status="requested",
            created_at=now,
            created_by=by,
            duties=_duties(opened, requester, target, slots),
        )
        with self.desk.rosters() as rosters:
            same = next((one for one in Exchanges(rosters.store).open() if one.same_as(swap)), None)
        if same is not None:
            new = accepted and swap.requester in same.missing
            return self.respond(same, swap.requester, accept=True, by=by) if new else same
        if accepted:
            swap = swap.answered(Approval(swap.requester, accepted=True, at=now, recorded_by=by))
        with self.desk.rosters() as rosters, rosters.store.tx():
            check_expected(rosters.published())
            Exchanges(rosters.store).add(swap)
            rosters.note(self.desk.host.new_id(), now, by, "swap requested", opened.schedule.id, swap=swap.id)
        return swap

    def swap(self, key: str) -> Swap:
        """The swap with this id."""
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters:
            found = Exchanges(rosters.store).swap(key)
        if found is None:
            raise not_found("swap", key)
        return found

    def respond(self, swap: Swap, person: str, *, accept: bool, by: str | None) -> Swap:
        """Record one party's answer.

        Raises:
            UserError: the swap is decided already.
        """
        if swap.status not in ("requested", "approved"):
            raise invalid("swap_id", f"This swap is {swap.status.replace('_', ' ')}, so it can no longer be answered.")
        after = swap.answered(Approval(person, accept, self.desk.now(), by))
        self.write_swap(swap, after, by, "swap answered")
        return after

    def execute(
        self, swap: Swap, slots_of: Callable[[Opened], Sequence[tuple[int, int]]], by: str | None
    ) -> "tuple[Swap, Opened, Verdict]":
        """Apply an approved swap to what is published: a new version, or nothing.

        Raises:
            UserError: a party has not accepted, a rule stands against it by now, or somebody changed something.
        """
        self.check_agreed(swap)
        opened = self.desk.current()
        kernel = opened.kernel
        verdict = self.verdict(opened, swap, slots_of(opened))
        grid = opened.grid.copy()
        changes = []
        codes = [*(service.code for service in opened.programme.services), None]  # FREE is the last
        for p, d, h, s in verdict.cells:
            if grid[p, d, h] == s:
                continue
            key, day = opened.programme.people[p].key, kernel.date_of(d).isoformat()
            changes.append(Undo(key, day, h, codes[grid[p, d, h]], codes[s]))
            grid[p, d, h] = s
        after = evolve(swap, status="executed", changes=tuple(changes), executed_at=self.desk.now())
        return after, self._publish(opened, grid, swap, after, by, "swap executed"), verdict

    def check_agreed(self, swap: Swap) -> None:
        """Let a swap through that both parties have accepted.

        Raises:
            UserError: somebody must still answer, or it is decided.
        """
        if swap.status != "approved":
            names = {person.key: person.name for person in self.desk.current().programme.people}
            waiting = " and ".join(names.get(key, key) for key in swap.missing)
            step = f"{waiting} must still answer." if swap.status == "requested" else "Request a new one."
            raise forbidden_by_rule(
                f"This swap is {swap.status.replace('_', ' ')}. Both people must accept it (respond_swap) before it"
                " can be"
                f" carried out. {step}",
                status=swap.status,
            )

    def roll_back(self, swap: Swap, by: str | None) -> tuple[Swap, Opened]:
        """Put the cells of an executed swap back, within its window: a new version, or nothing.

        Raises:
            UserError: the window has passed, the cells have changed since, or a rule stands against it by now.
        """
        from packhorse_scheduling.domain.roster.arrays import FREE

        deadline = swap.rollback_deadline
        if swap.status != "executed" or deadline is None:
            raise forbidden_by_rule(
                f"This swap is {swap.status.replace('_', ' ')}. Only an executed swap can be rolled back."
            )
        if self.desk.now() > deadline:
            over = min(undo.day for undo in swap.changes)
            step = "request the reverse swap (request_swap)."
            if over < self.desk.today().isoformat():
                step = f"what went by on {over} stays as it was worked, and change_assignment records who did work."
            raise forbidden_by_rule(f"This swap could be rolled back until {deadline:%Y-%m-%d %H:%M} UTC. {step}")
        opened = self.desk.current()
        kernel, grid = opened.kernel, opened.grid.copy()
        cells = []
        for undo in swap.changes:
            p, d = self._known(opened, undo.person), kernel.day_of(date.fromisoformat(undo.day))
            after, before = (
                FREE if code is None else kernel.service_of.get(code, FREE) for code in (undo.after, undo.before)
            )
            if not 0 <= d < kernel.D or grid[p, d, undo.session] != after:
                raise forbidden_by_rule("Some half-days of this swap have changed since. Request a new swap instead.")
            if undo.day < self.desk.today().isoformat():
                raise forbidden_by_rule(f"{undo.day} has passed, and past days cannot be changed.")
            cells.append((p, d, undo.session, before))
        broken = [violation for violation in opened.board().breaks(cells) if violation.blocks]
        if broken:
            raise forbidden_by_rule(
                f"Without this swap the roster would now break a rule: {named(kernel, broken)} Request another"
                " swap instead (request_swap).",
                rule=broken[0].rule,
            )
        for p, d, h, s in cells:
            grid[p, d, h] = s
        after_swap = evolve(swap, status="rolled_back")
        return after_swap, self._publish(opened, grid, swap, after_swap, by, "swap rolled back")

    def verdict(self, opened: Opened, swap: Swap, slots: Sequence[tuple[int, int]]) -> "Verdict":
        """What a kept swap would change today.

        Raises:
            UserError: a rule, a lock or the past stands against it.
        """
        requester, target = (self._known(opened, key) for key in swap.parties)
        step = f" Next: withdraw_request with request_id {swap.id} ends it."
        verdict = self.judged(opened, swap.kind, requester, target, slots, step)
        now = _duties(opened, requester, target, slots)
        changed = next((n for n, (then, here) in enumerate(zip(swap.duties, now, strict=False)) if then != here), None)
        if changed is not None:
            who = requester if swap.duties[changed][0] != now[changed][0] else target
            day = opened.kernel.date_of([*dict.fromkeys(slots)][changed][0])
            raise forbidden_by_rule(
                f"On {day} {opened.programme.people[who].name} has another duty than when both agreed.{step}"
                " Then request a new swap."
            )
        return verdict

    def judged(
        self,
        opened: Opened,
        kind: SwapType,
        requester: int,
        target: int,
        slots: Sequence[tuple[int, int]],
        step: str = " Next: analyze_swap_candidates shows with whom a swap would keep the rules.",
    ) -> "Verdict":
        """What a wanted swap would change today.

        Raises:
            UserError: as `verdict`; ``step`` says what to do then.
        """
        from packhorse_scheduling.domain.change import swaps
        from packhorse_scheduling.domain.insight.wording import idle_words, obstacle_words

        kernel = opened.kernel
        if requester == target:
            raise invalid("target_person_id", "`target_person_id` must be another person than `requester_id`.")
        today = kernel.day_of(self.desk.now().date())
        if any(d < today for d, _ in slots):
            raise invalid("block_ids", f"A half-day in `block_ids` has passed, so it cannot be swapped.{step}")
        idle = next((slot for slot in slots if opened.grid[requester, *slot] < 0), None)
        if idle is not None:
            raise invalid("block_ids", f"{idle_words(kernel, requester, *idle)}{step}")
        board = opened.board()
        cells = (swaps.exchange if kind == "ONE_TO_ONE" else swaps.absorb)(board, requester, target, slots)
        stands = swaps.obstacle(board, cells, today)
        if stands is not None and stands[0] == "locked":
            raise forbidden_by_rule(obstacle_words(kernel, *stands) + step, rule="LOCKED_ASSIGNMENT")
        if stands is not None:
            raise invalid("block_ids", obstacle_words(kernel, *stands) + step)
        verdict = swaps.judge(board, cells)
        if not verdict.feasible:
            broken = [violation for violation in verdict.violations if violation.blocks]
            raise forbidden_by_rule(
                f"This swap would break {'a rule' if len(broken) == 1 else 'rules'}: {named(kernel, broken)}{step}",
                rules=sorted({violation.rule for violation in broken}),
            )
        return verdict

    def _publish(self, opened: Opened, grid: "Grid", old: Swap, new: Swap, by: str | None, what: str) -> Opened:
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters, rosters.store.tx():
            self.changes.check_still(rosters, opened)
            if not Exchanges(rosters.store).change(old, new):
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Look at the swap again."
                )
            made = self.changes.version(rosters, opened, grid, by)
            rosters.publish(made.schedule.id)
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, made.schedule.id, swap=new.id)
            notice(rosters, opened, made, self.desk.now(), what)
        return made

    def write_swap(self, old: Swap, new: Swap, by: str | None, what: str) -> None:
        """Put a swap in the place of what it was.

        Raises:
            UserError: somebody has changed it in between.
        """
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters, rosters.store.tx():
            check_expected(rosters.published())
            if not Exchanges(rosters.store).change(old, new):
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Look at the swap again."
                )
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, None, swap=new.id)

    def _known(self, opened: Opened, key: str) -> int:
        if key not in opened.kernel.person_of:
            raise not_found("person", "")
        return opened.kernel.person_of[key]


def _duties(
    opened: Opened, requester: int, target: int, slots: Sequence[tuple[int, int]]
) -> tuple[tuple[str | None, str | None], ...]:
    """The service codes of both people in each of the half-days; None for a free one."""
    codes = [*(service.code for service in opened.programme.services), None]  # FREE is the last
    grid = opened.grid
    return tuple((codes[grid[requester, d, h]], codes[grid[target, d, h]]) for d, h in dict.fromkeys(slots))
