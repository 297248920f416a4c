"""What people have asked for: listed, answered, taken back. Nothing is decided here that a person has not said."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from attrs import evolve, frozen

from packhorse_scheduling.domain.change.exchange import Ending, Swap
from packhorse_scheduling.domain.programme.records import LeaveRecord, Step, with_record
from packhorse_scheduling.domain.programme.reports import ActualRecord
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.absences import AbsenceDesk
from packhorse_scheduling.service.actual import ActualDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.service.swapping import SwapDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.swaps import Verdict
    from packhorse_scheduling.domain.rules.violation import Violation

Request = LeaveRecord | Swap | ActualRecord
Slots = Callable[[Opened], Sequence[tuple[int, int]]]


@frozen
class InboxDesk:
    """Requests for one desk."""

    desk: RosterDesk

    @property
    def absences(self) -> AbsenceDesk:
        """What writes leave."""
        return AbsenceDesk(self.desk)

    @property
    def swaps(self) -> SwapDesk:
        """What writes swaps."""
        return SwapDesk(self.desk)

    def requests(self, person: str | None, *, every: bool) -> list[Request]:
        """Open requests, or every one; of one person (swaps: as either party), or of all; no open swap of days past.

        The first day comes first; of every one, what was asked or answered last.
        """
        from packhorse_scheduling.store.exchanges import Exchanges

        records = [one for one in self.desk.leave_records() if every or one.state == "requested"]
        with self.desk.rosters() as rosters:
            swaps = Exchanges(rosters.store).every() if every else Exchanges(rosters.store).open()
        if not every:  # what has passed is swapped no more
            blocks, today = self.desk.current().programme.year.block_at, self.desk.today()
            swaps = [one for one in swaps if any(key in blocks and blocks[key].day >= today for key in one.blocks)]
        reports = [one for one in self.desk.actual_records() if every or one.state == "requested"]
        found: list[Request] = [
            *(one for one in records if person in (None, one.person)),
            *(one for one in reports if person in (None, one.person)),
            *(one for one in swaps if person is None or person in one.parties),
        ]
        return sorted(found, key=_last_touched, reverse=True) if every else found

    def request(self, key: str) -> Request:
        """The request with this id.

        Raises:
            UserError: there is none.
        """
        from packhorse_scheduling.store.exchanges import Exchanges

        known: Sequence[LeaveRecord | ActualRecord] = (*self.desk.leave_records(), *self.desk.actual_records())
        record = next((one for one in known if one.id == key), None)
        if record is not None:
            return record
        with self.desk.rosters() as rosters:
            swap = Exchanges(rosters.store).swap(key)
        if swap is None:
            raise not_found("request", key)
        return swap

    def effect(self, record: LeaveRecord) -> "tuple[Opened, list[Violation]]":
        """The published roster under approved leave, and what that newly breaks; nothing is kept."""
        from packhorse_scheduling.domain.change.notices import new_violations
        from packhorse_scheduling.domain.rules.kernel import Kernel

        opened = self.desk.current()
        approved = record.moved(Step("approved", self.desk.now(), None))
        programme = with_record(opened.programme, approved, record)
        faults = programme.faults()
        if faults:
            raise invalid(
                "request_id", f"{faults[0]} Decline this request, or withdraw the other leave with withdraw_request."
            )
        after = Opened(opened.schedule, Kernel(programme, opened.schedule.plan), opened.grid)
        return after, new_violations(opened, after)[0]

    def answer_record(
        self,
        record: LeaveRecord | ActualRecord,
        decision: Literal["approved", "declined"],
        by: str | None,
        why: str | None,
    ) -> tuple[LeaveRecord | ActualRecord, Opened]:
        """Approve or decline requested leave, or reported hours; the published schedule after.

        Raises:
            UserError: it is decided already.
        """
        if isinstance(record, ActualRecord):
            return ActualDesk(self.desk).answer(record, decision, by, why)
        check_open(record)
        after = record.moved(Step(decision, self.desk.now(), by, why))
        return after, self.absences.settle(self.desk.current(), after, record, by, f"leave {decision}")

    def decline_swap(self, swap: Swap, by: str | None, why: str | None) -> Swap:
        """End a swap that is not carried out yet, as a coordinator."""
        return self._ended(swap, "declined", by, why)

    def withdraw(
        self, request: Request, *, own: bool, from_day: date | None, by: str | None, why: str | None
    ) -> tuple[Request, Opened | None]:
        """Take a request back, cancel what was granted, or end leave early; what went by stays.

        Raises:
            UserError: it is over, or was ended before.
        """
        if isinstance(request, Swap):
            return self._ended(request, "withdrawn" if own else "cancelled", by, why), None
        if not request.is_live:
            raise _decided(request.state)
        if isinstance(request, ActualRecord):
            return ActualDesk(self.desk).withdraw(request, own=own, by=by, why=why)
        today = self.desk.today()
        first = from_day or max(today, request.start)
        if first < today and request.state == "approved":
            raise invalid("from_date", f"`from_date` {first} has passed. Leave can be given back from today, {today}.")
        if first > request.end:
            raise invalid("from_date", f"This leave ended on {request.end}, so no day is left to give back.")
        now = self.desk.now()
        if first <= request.start:
            state: Literal["withdrawn", "cancelled"] = (
                "withdrawn" if own and request.state == "requested" else "cancelled"
            )
            after = request.moved(Step(state, now, by, why))
        else:
            words = f"ends early: it was until {request.end}" + (f" ({why})" if why else "")
            shorter = evolve(request, end=first - timedelta(days=1))
            after = shorter.moved(Step(request.state, now, by, words))
        return after, self.absences.settle(self.desk.current(), after, request, by, "leave given back")

    def by_hand(self, opened: Opened, person: int, slot: tuple[int, int], service: str | None) -> "Verdict":
        """What setting one half-day of somebody (of a night: both) would change and break; None frees them.

        Raises:
            UserError: it has passed, is locked, stands so already, or the service is not done then.
        """
        from packhorse_scheduling.domain.change import swaps
        from packhorse_scheduling.domain.insight.wording import obstacle_words
        from packhorse_scheduling.domain.roster.arrays import FREE

        kernel, board = opened.kernel, opened.board()
        cells = dict.fromkeys(swaps.whole_nights(board, person, [slot]), FREE)
        if service is not None:
            services = opened.programme.services
            s = next((n for n, one in enumerate(services) if service in (one.code, one.id)), None)
            if s is None:
                raise not_found("service", service, f"Services: {', '.join(one.code for one in services)}")
            if not kernel.open[s, slot[1]]:
                raise invalid("service", f"{services[s].name} does not take place at that time of day.")
            cells[slot] = s
            if kernel.overnight[s]:
                other = (slot[0] + 1, 0) if slot[1] else (slot[0] - 1, 1)
                if kernel.tail <= other[0] < kernel.D:
                    cells[other] = s
        wanted = [(person, d, h, s) for (d, h), s in sorted(cells.items())]
        stands = swaps.obstacle(board, wanted, kernel.day_of(self.desk.today()))
        if stands is not None and stands[0] == "nothing":
            raise invalid("service", "Nothing would change: the roster already says this.")
        if stands is not None:
            raise invalid("block_id", obstacle_words(kernel, *stands))
        return swaps.judge(board, wanted)

    def assign(self, opened: Opened, verdict: "Verdict", by: str | None, why: str | None) -> Opened:
        """Carry out a change by hand: a new published version.

        Raises:
            UserError: it would break a rule; or somebody has just changed what is published.
        """
        from packhorse_scheduling.service.judging import listed, named

        broken = [one for one in verdict.violations if one.blocks]
        if broken:
            if any(one.rule == "MAXIMUM_STAFFING" for one in broken):
                step = "free somebody there first (change_assignment of them without service), or choose another"
                step += " half-day."
            elif all(opened.grid[p, d, h] >= 0 for p, d, h, _ in verdict.cells):
                step = "analyze_swap_candidates tells who could do it; generate_schedule with this half-day locked"
                step += " plans around it."
            else:
                step = "choose another half-day or person; change_assignment without confirm tells what each breaks."
            raise forbidden_by_rule(
                f"This would break a rule: {named(opened.kernel, broken)} Next: {step}",
                violations=listed(opened.kernel, broken),
            )
        grid = opened.grid.copy()
        for p, d, h, s in verdict.cells:
            grid[p, d, h] = s
        return ChangeDesk(self.desk).publish_by_hand(opened, grid, by, why)

    def _ended(
        self, swap: Swap, status: Literal["declined", "withdrawn", "cancelled"], by: str | None, why: str | None
    ) -> Swap:
        check_open(swap)
        after = evolve(swap, status=status, ending=Ending(self.desk.now(), by, why))
        self.swaps.write_swap(swap, after, by, f"swap {status}")
        return after


def key_of(opened: Opened, subject: str | None) -> str | None:
    """The key of the person who signs in as ``subject``; None where the programme has nobody of that."""
    return next((one.key for one in opened.programme.people if subject is not None and one.subject == subject), None)


def _last_touched(request: Request) -> datetime:
    if not isinstance(request, Swap):
        return request.steps[-1].at
    return max([request.created_at, *(given.at for given in request.approvals)])


def check_open(request: Request) -> None:
    """Let requests through that wait for an answer.

    Raises:
        UserError: it is decided already.
    """
    state = request.status if isinstance(request, Swap) else request.state
    if state != "requested" and not (isinstance(request, Swap) and state == "approved"):
        raise _decided(state.replace("_", " "))


def _decided(state: str) -> Exception:
    return forbidden_by_rule(
        f"This request is already {state}. Make a new request if it is still needed.", status=state
    )
