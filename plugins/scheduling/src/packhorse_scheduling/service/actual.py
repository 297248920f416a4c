"""Actual hours: who really worked, beside the plan, and the rules judged by it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.records import LeaveState, Step
from packhorse_scheduling.domain.programme.reports import ActualRecord, with_actual
from packhorse_scheduling.domain.programme.services import Span
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.reported import Effect
    from packhorse_scheduling.store import Rosters


@frozen
class ActualDesk:
    """Actual hours for one desk."""

    desk: RosterDesk

    def is_over(self, opened: Opened, person: int, slot: tuple[int, int]) -> bool:
        """Whether a half-day of somebody lies before today, or is the morning of a night that began before today."""
        kernel, today = opened.kernel, opened.kernel.day_of(self.desk.today())
        if slot != (today, 0) or today <= kernel.tail:
            return slot[0] < today
        evening = int(opened.worked[person, today - 1, 1])
        return bool(kernel.overnight[evening])

    def rows(
        self, opened: Opened, person: int, slot: tuple[int, int], service: str | None, span: tuple[str, str] | None
    ) -> tuple[Actual, ...]:
        """What was worked in a half-day; of a night both halves, but not one that is on record or where ``span`` is.

        Without ``service`` but with ``span`` it is the one that stands there.

        Raises:
            UserError: it is not over, nothing differs, or the hours are another half-day's.
        """
        kernel, grid = opened.kernel, opened.worked
        s = self._service(opened, service)
        if s is None and span is not None:
            s = int(grid[person, slot[0], slot[1]])
            if s < 0:
                raise invalid("service", "`service` is required, because the person is free then in the roster.")
        cells = {slot: -1 if s is None else s}
        before = int(grid[person, slot[0], slot[1]])
        other = (slot[0] + 1, 0) if slot[1] else (slot[0] - 1, 1)
        if span is None and kernel.tail <= other[0] < kernel.D and (person, *other) not in kernel.actual:
            if s is not None and kernel.overnight[s]:
                cells[other] = s
            elif kernel.overnight[before] and grid[person, other[0], other[1]] == before:
                cells[other] = -1
        hours = None if span is None else _span(*span)
        return tuple(self._row(opened, person, at, n, hours) for at, n in sorted(cells.items()))

    def _row(self, opened: Opened, person: int, slot: tuple[int, int], s: int, hours: Span | None) -> Actual:
        day, services = opened.kernel.date_of(slot[0]), opened.programme.services
        try:
            row = Actual(
                opened.programme.people[person].key,
                day,
                SESSIONS[slot[1]],
                None if s < 0 else services[s].code,
                hours,
            )
        except ValueError as exc:
            raise invalid("start_time", f"{str(exc).capitalize()}.") from exc
        if s >= 0 and hours is None and services[s].span(slot[1]) is None:
            raise invalid(
                "service", f"{services[s].name} has no clock times on this half-day. Give `start_time` and `end_time`."
            )
        return row

    def effect(self, opened: Opened, rows: Sequence[Actual]) -> "tuple[Opened, Effect]":
        """The roster in force with these rows taken for true, and what that changes; nothing is kept.

        Raises:
            UserError: it stands so already.
        """
        from packhorse_scheduling.domain.change.reported import effect_of

        after, found = effect_of(opened, rows)
        if found.is_nothing:
            raise invalid("service", "Nothing would change: the roster already says this.")
        return after, found

    def effect_of_report(self, opened: Opened, record: ActualRecord) -> "tuple[Opened, Effect]":
        """What confirming a report changes.

        Raises:
            UserError: it is decided, or it stands so already.
        """
        self.check_undecided(record)
        return self.effect(opened, [record.row])

    def report(
        self, opened: Opened, rows: Sequence[Actual], *, confirmed: bool, by: str | None, why: str | None
    ) -> tuple[list[ActualRecord], Opened]:
        """Put on record what was worked: confirmed by a coordinator, or reported and waiting for one.

        The same report twice is one; a newer one takes the place of what the half-day had on record.
        """
        now, known = self.desk.now(), self.desk.actual_records()
        step = Step("approved" if confirmed else "requested", now, by, why)
        made: list[ActualRecord] = []
        replaced: list[ActualRecord] = []
        for row in rows:
            live = [one for one in known if one.is_live and one.row.place == row.place]
            same = next((one for one in live if one.row == row and one.state == "requested"), None)
            if same is None:
                same = ActualRecord(self.desk.host.new_id(), row, "call", ())
            made.append(same if same.steps and not confirmed else same.moved(step))
            gone: LeaveState = "cancelled" if confirmed else "withdrawn"
            replaced += [
                one.moved(Step(gone, now, by, f"replaced by {same.id}"))
                for one in live
                if one.id != same.id and (confirmed or one.state == "requested")
            ]
        return made, self.settle(opened, [*replaced, *made], by, f"actual hours {step.state}")

    def answer(
        self, record: ActualRecord, decision: Literal["approved", "declined"], by: str | None, why: str | None
    ) -> tuple[ActualRecord, Opened]:
        """Confirm or decline a report; the schedule in force after.

        Raises:
            UserError: it is decided already.
        """
        self.check_undecided(record)
        return self._decide(record, Step(decision, self.desk.now(), by, why), f"actual hours {decision}")

    def withdraw(
        self, record: ActualRecord, *, own: bool, by: str | None, why: str | None
    ) -> tuple[ActualRecord, Opened]:
        """Take a report back; what is confirmed is cancelled by a coordinator, and the plan counts again.

        Raises:
            UserError: it is confirmed, and its own person asks.
        """
        if own and record.state == "approved":
            raise forbidden_by_rule("These hours are confirmed. Only a coordinator can cancel or change them.")
        step = Step("withdrawn" if own else "cancelled", self.desk.now(), by, why)
        return self._decide(record, step, f"actual hours {step.state}")

    def _decide(self, record: ActualRecord, step: Step, cause: str) -> tuple[ActualRecord, Opened]:
        """Take a record a step further; what a confirmed report replaces is cancelled."""
        after = record.moved(step)
        others = [
            one.moved(Step("cancelled", step.at, step.by, f"replaced by {record.id}"))
            for one in self.desk.actual_records()
            if step.state == "approved"
            and one.state == "approved"
            and one.row.place == record.row.place
            and one.id != record.id
        ]
        return after, self.settle(self.desk.current(), [*others, after], step.by, cause)

    def settle(self, opened: Opened, records: Sequence[ActualRecord], by: str | None, cause: str) -> Opened:
        """Keep records as they stand now; what is confirmed counts in what is in force and in what was imported since.

        Raises:
            UserError: somebody has just changed what is published.
        """
        from packhorse_scheduling.store.records import Actuals

        changed = {one.id: one for one in records}
        known = {one.id: one for one in self.desk.actual_records()} | changed

        def keep(rosters: "Rosters") -> None:
            Actuals(rosters.store).keep(known.values())

        return ChangeDesk(self.desk).restate(
            opened,
            lambda programme: with_actual(programme, known.values()),
            by,
            cause,
            keep,
            records=sorted(changed),
        )

    def check_undecided(self, record: ActualRecord) -> None:
        """Let a report pass that waits for an answer.

        Raises:
            UserError: it is decided.
        """
        if record.state != "requested":
            raise forbidden_by_rule(
                f"This report is already {record.state}. To report the half-day again, use change_assignment.",
                status=record.state,
            )

    def _service(self, opened: Opened, given: str | None) -> int | None:
        if given is None:
            return None
        services = opened.programme.services
        found = next((n for n, one in enumerate(services) if given in (one.code, one.id)), None)
        if found is None:
            raise not_found("service", given, f"Services: {', '.join(one.code for one in services)}")
        return found


def _span(start: str, end: str) -> Span:
    """Clock times such as 13:00 and 18:30; 24:00 ends a day.

    Raises:
        UserError: they are reversed, or lie on both sides of noon.
    """
    low, high = (int(text[:2]) * 60 + int(text[3:]) for text in (start, end))
    try:
        return Span(low, high)
    except ValueError as exc:
        raise invalid(
            "end_time",
            f"{start} to {end} is not within one half-day. Half-days meet at 12:00: record the rest in the next"
            " half-day.",
        ) from exc
