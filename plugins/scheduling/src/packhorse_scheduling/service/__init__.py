"""The desk: opens the store, reads the clock, asks the domain, keeps what came of it.

What a call asks for is imported when it does: a server that starts needs what is published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from packhorse import Host, PackError
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found, unavailable

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.churn import Generated
    from packhorse_scheduling.domain.change.judging import Judgement
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.programme.records import LeaveRecord, Merged
    from packhorse_scheduling.domain.programme.reports import ActualRecord
    from packhorse_scheduling.domain.roster.roster import Schedule
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.domain.solve.wishes import Aims
    from packhorse_scheduling.domain.solve.year import Mode
    from packhorse_scheduling.store import Rosters

Progress = Callable[[int, int, str], None]
CALENDARS = "/calendars/{secret}.ics"
"""Where a calendar at a secret address is read."""
SPECIFIED_PGY = 3
"""The highest year of training of the specification; a setting may raise it."""


@define(slots=False, eq=False)
class RosterDesk:
    """Answers about rosters. Safe for several threads: each call opens its own store."""

    host: Host
    _seen: dict[tuple[str, str], Opened] = field(factory=dict, init=False)

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return self.host.clock()

    @property
    def public_url(self) -> str | None:
        """Where clients reach this server over HTTP; None where the deployer has not said."""
        url: str | None = getattr(self.host.settings, "public_url", None)
        return url

    @property
    def zone(self) -> str | None:
        """The hospital's time zone by its IANA name; None where the deployer has not said."""
        zone: str | None = getattr(self.host.settings, "timezone", None)
        return zone

    @contextmanager
    def rosters(self) -> Iterator[Rosters]:
        """The tables.

        Raises:
            UserError: the store cannot be opened.
        """
        from packhorse_scheduling.store import Rosters

        try:
            store = self.host.store()
        except PackError as exc:
            raise unavailable("The roster store cannot be opened. Its operator finds the cause in the log.") from exc
        with store:
            yield Rosters(store)

    # Reading

    def current(self) -> Opened:
        """The published schedule.

        Raises:
            UserError: none is published.
        """
        found = self.published()
        if found is None:
            raise not_found("published schedule", "")
        return found

    def published(self) -> Opened | None:
        """The published schedule; None where there is none yet."""
        with self.rosters() as rosters:
            schedule = rosters.published()
            return None if schedule is None else self._opened(rosters, schedule)

    def opened(self, schedule_id: str | None) -> Opened:
        """The schedule with this id, or the published one."""
        if schedule_id is None:
            return self.current()
        with self.rosters() as rosters:
            schedule = rosters.schedule(schedule_id)
            if schedule is None:
                raise not_found("schedule", schedule_id)
            return self._opened(rosters, schedule)

    def _opened(self, rosters: Rosters, schedule: Schedule) -> Opened:
        from packhorse_scheduling.domain.rules.kernel import Kernel
        from packhorse_scheduling.domain.rules.opened import Opened

        kept = (schedule.id, schedule.programme)
        known = self._seen.get(kept)
        if known is not None:
            return evolve(known, schedule=schedule)  # its status may have changed; its cells never do
        programme = rosters.programme(schedule.programme)
        if programme is None:
            raise not_found("programme", schedule.programme)
        kernel = Kernel(programme, schedule.plan)
        opened = Opened(schedule, kernel, kernel.grid_of(schedule.cells))
        while len(self._seen) >= 4:  # a coordinator looks at a draft and at what is published
            self._seen.pop(next(iter(self._seen)), None)
        self._seen[kept] = opened
        return opened

    def programme(self, academic_year: str | None = None) -> tuple[str, Programme]:
        """The programme imported last, of one academic year where it is named.

        Raises:
            UserError: none has been imported, or none of that year.
        """
        with self.rosters() as rosters:
            newest = rosters.newest_programme()
            found = newest if academic_year is None else rosters.newest_programme(academic_year)
        if newest is None:
            raise not_found("programme", "")
        if found is None:
            raise invalid(
                "academic_year",
                f"`academic_year` must be {newest[1].year.name}, the year of the imported programme.",
            )
        return found

    def answer(self, uri: str) -> tuple[str | None, Any]:
        """An answer kept earlier: who asked, and its body."""
        with self.rosters() as rosters:
            found = rosters.answer(uri)
        if found is None:
            raise not_found("result", uri)
        return found

    def keep(self, scheme: str, tool: str, by: str | None, body: Mapping[str, Any]) -> str:
        """Keep an answer; the URI at which it can be read back."""
        uri = f"{scheme}/{self.host.new_id()}"
        with self.rosters() as rosters:
            rosters.keep_answer(uri, tool, by, self.now(), body)
        return uri

    # Writing

    def check_programme(self, programme: Programme) -> None:
        """Let a programme pass that a roster can be made of.

        Raises:
            UserError: it contradicts itself; the first ten faults are told.
        """
        from packhorse_scheduling.domain.insight.locking import lock_faults
        from packhorse_scheduling.domain.programme.bounds import level_faults
        from packhorse_scheduling.domain.programme.people import HIGHEST_PGY

        faults = programme.faults()
        if not faults:
            with self.rosters() as rosters:
                former = next(rosters.programmes_of(programme.year), None)
            known = () if former is None else set(former[1].locks).intersection(programme.locks)
            faults = lock_faults(programme, known)
        highest = getattr(self.host.settings, "highest_pgy", SPECIFIED_PGY)
        above = [] if faults else list(level_faults(programme, highest))
        if above:
            raise invalid(
                "programme",
                f"{' '.join(above[:3])} This server takes PGY 1 to {highest}: its operator sets highest_pgy under"
                f" [packs.scheduling], {HIGHEST_PGY} at most.",
            )
        if faults:
            more = f" And {len(faults) - 10} more." if len(faults) > 10 else ""
            raise invalid("programme", " ".join(faults[:10]) + more)

    def leave_records(self) -> list[LeaveRecord]:
        """Every leave on record, that of files included, the first day first."""
        from packhorse_scheduling.domain.programme.records import records_of
        from packhorse_scheduling.store.records import Leaves

        with self.rosters() as rosters:
            found = Leaves(rosters.store).all()
            published, newest = rosters.published(), rosters.newest_programme()
            keys = [*([published.programme] if published else []), *([newest[0]] if newest else [])]
            for programme in (rosters.programme(key) for key in dict.fromkeys(keys)):
                found += [] if programme is None else records_of(programme, found, self.now())
        return sorted(found, key=lambda record: (record.start, record.person, record.id))

    def actual_records(self) -> list[ActualRecord]:
        """Every report of actual hours, those of files included, the first day first."""
        from packhorse_scheduling.domain.programme.reports import actual_of
        from packhorse_scheduling.store.records import Actuals

        with self.rosters() as rosters:
            found = Actuals(rosters.store).all()
            published = rosters.published()
            programme = None if published is None else rosters.programme(published.programme)
        new = [] if programme is None else actual_of(programme, found, self.now())
        return sorted([*found, *new], key=lambda one: (one.row.day, one.row.session, one.person, one.id))

    def revision(self, programme: Programme) -> Merged:
        """What an import of this programme would keep, with leave and wishes on record in it; nothing is written.

        People and services with half-days gone by are kept where the file has them no more.
        """
        from packhorse_scheduling.domain.programme.records import merge
        from packhorse_scheduling.domain.programme.reports import merge_actual
        from packhorse_scheduling.domain.programme.requests import with_wishes
        from packhorse_scheduling.service.judging import effect_words
        from packhorse_scheduling.store.records import Wishes

        with self.rosters() as rosters:
            programme = with_wishes(programme, Wishes(rosters.store).of_year(programme.year.name))
        was, today = self.published(), self.today()
        told: list[str] = []
        if was is not None and was.programme.year.start < today and programme.year.start < today:
            worked = [cell for cell in was.schedule.cells if cell[1] < today and cell[1] in programme.year]
            people, codes = {cell[0] for cell in worked}, {cell[3] for cell in worked}
            had = {person.key for person in programme.people}, {service.code for service in programme.services}
            persons = [one for one in was.programme.people if one.key in people - had[0]]
            services = [one for one in was.programme.services if one.code in codes - had[1]]
            told += [
                f"{one.name} ({one.key}) is not in the file, and has worked: kept. Record leave of kind departure"
                " from the day they go."
                for one in persons
            ]
            told += [f"The service {one.code} is not in the file, and was worked: kept." for one in services]
            programme = evolve(
                programme,
                people=(*programme.people, *persons),
                services=(*programme.services, *services),
            )
        ahead = next((row for row in programme.actual_hours if row.day > today), None)
        if ahead is not None:
            raise invalid(
                "file", f"`actual_hours` has the day {ahead.day}, which is in the future. Give only past days."
            )
        programme, reports, kept = merge_actual(programme, self.actual_records(), self.now())
        merged = merge(programme, self.leave_records(), self.now())
        if was is not None and not merged.programme.faults():
            told += effect_words(was, merged.programme, self.today())
        return evolve(merged, reports=tuple(reports), conflicts=(*told, *kept, *merged.conflicts))

    def import_programme(self, programme: Programme) -> str:
        """Keep a programme with the leave on record in it, and the roster in force on its days under it; its id.

        Raises:
            UserError: as `check_programme`, or a half-day gone by could not stand under it.
        """
        from packhorse_scheduling.domain.change.judging import breaches
        from packhorse_scheduling.service.ledger import enter_file
        from packhorse_scheduling.service.noticing import notice
        from packhorse_scheduling.store.records import Actuals, Leaves

        self.check_programme(programme)
        with self.rosters() as rosters:
            before = rosters.state()
        merged = self.revision(programme)
        self.check_programme(merged.programme)
        kept, now, was = self.host.new_id(), self.now(), self.published()
        under = None if was is None else self._under(was, kept, merged.programme)
        after = None if was is None or under is None else self._apart(under, was)
        known, reports = self.leave_records(), self.actual_records()
        changed = {record.id for record in merged.records}
        with self.rosters() as rosters, rosters.store.tx():
            if rosters.state() != before:
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Try again."
                )
            Leaves(rosters.store).keep([*(one for one in known if one.id not in changed), *merged.records])
            Actuals(rosters.store).keep([*reports, *merged.reports])
            rosters.save_programme(kept, merged.programme, now)
            enter_file(rosters, merged.programme, now)
            if was is not None and after is not None:
                if after.schedule.id != was.schedule.id:  # half-days of people or services that are left out
                    rosters.save_schedule(evolve(after.schedule, version=rosters.next_version(), status="draft"))
                    rosters.publish(after.schedule.id)
                rosters.move_to(kept, after.schedule.id, "VIOLATIONS" if breaches(after) else "COMPLIANT")
                notice(rosters, was, after, now, "programme imported")
            rosters.note(self.host.new_id(), now, None, "programme imported", None, programme=kept)
        return kept

    def publish(self, schedule_id: str, by: str | None) -> Opened:
        """Make a draft what everybody works by; days before today stay as the roster in force has them.

        Where the draft has other past days a new version is published, with
        those of the roster in force.

        Raises:
            UserError: it adds a violation to what is in force, or is not known.
        """
        from packhorse_scheduling.service.ledger import enter
        from packhorse_scheduling.service.noticing import notice
        from packhorse_scheduling.service.versions import check_version, replaced

        with self.rosters() as rosters:
            newest = rosters.newest_programme_id()
        was = self.published()
        opened, judged = self.publishable(schedule_id, was)
        key = opened.schedule.id
        with self.rosters() as rosters, rosters.store.tx():
            if rosters.newest_programme_id() != newest:
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Try again."
                )
            now = rosters.published()
            check_version(replaced(rosters))
            if (None if now is None else now.id) != (None if was is None else was.schedule.id):
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Try again."
                )
            if key != schedule_id:
                rosters.save_schedule(evolve(opened.schedule, version=rosters.next_version()))
            before = None if now is None else self._opened(rosters, now)
            rosters.move_to(opened.schedule.programme, key, "VIOLATIONS" if judged.standing else "COMPLIANT")
            rosters.publish(key)
            rosters.note(self.host.new_id(), self.now(), by, "published", key, draft=schedule_id)
            notice(rosters, before, opened, self.now(), "published")
            enter(rosters, before, opened, self.now())
        return self.opened(key)

    def publishable(self, schedule_id: str, was: Opened | None) -> tuple[Opened, Judgement]:
        """A draft as it would be published in the place of ``was``, and the verdict on it; nothing is kept.

        Raises:
            UserError: it adds a violation to what is in force, or is not known.
        """
        from packhorse_scheduling.domain.change.judging import as_known, judge_change
        from packhorse_scheduling.service.judging import refused_by

        with self.rosters() as rosters:
            unavoidable = rosters.unavoidable(schedule_id)
        draft = self.opened(schedule_id)
        if draft.schedule.compliance == "VIOLATIONS" and not any(one.blocks for one in draft.violations()):
            raise forbidden_by_rule(
                "This draft was made without the duty-hour rules, so it cannot be published. Generate it again with"
                " enforce_acgme_compliance true.",
                violations=0,
            )
        opened = self._apart(self.with_past(self.newest(draft), was), draft)
        judged = judge_change(None if was is None else as_known(was, draft.kernel), opened, self.today(), unavoidable)
        if judged.added:
            raise refused_by(judged, opened, schedule_id)
        return opened, judged

    def today(self) -> date:
        """The day it is, by the host's clock in UTC: what lies before it is past, and stays as it is."""
        return self.now().date()

    def with_past(self, draft: Opened, was: Opened | None) -> Opened:
        """The draft with the days before today of the roster in force; itself where they are the same."""
        import numpy as np

        from packhorse_scheduling.domain.change.judging import carried
        from packhorse_scheduling.domain.roster.arrays import FREE
        from packhorse_scheduling.domain.rules.opened import Opened

        kernel = draft.kernel
        gone = min(kernel.D, kernel.day_of(self.today()))
        if was is None or gone <= kernel.tail or was.schedule.id == draft.schedule.id:
            return draft
        past = carried(kernel, was.schedule.cells)
        grid = draft.grid.copy()
        grid[:, kernel.tail : gone] = past[:, kernel.tail : gone]
        if gone < kernel.D:  # a night that began before today ends as it began, and none ends that did not begin
            evening = past[:, gone - 1, 1]
            grid[kernel.overnight[grid[:, gone, 0]] & (grid[:, gone, 0] != evening), gone, 0] = FREE
            night = kernel.overnight[evening] & (past[:, gone, 0] == evening)
            grid[night, gone, 0] = past[night, gone, 0]
        if np.array_equal(grid, draft.grid):
            return draft
        return Opened(evolve(draft.schedule, cells=tuple(kernel.cells_of(grid))), kernel, grid)

    def newest(self, opened: Opened) -> Opened:
        """The schedule under the programme of its days as it is now: leave, rules or names may have changed since.

        Half-days of people and services that this has no more are left out. What
        was imported for other days, or has nobody in common, is another programme.
        """
        with self.rosters() as rosters:
            key, programme = next(rosters.programmes_of(opened.programme.year), (None, None))
        if key is None or programme is None or key == opened.schedule.programme:
            return opened
        return self._under(opened, key, programme) or opened

    def _under(self, opened: Opened, key: str, programme: Programme) -> Opened | None:
        """A version under another programme of its days, which has the id ``key``; None where nothing of it is left."""
        from packhorse_scheduling.domain.change.judging import carried
        from packhorse_scheduling.domain.rules.kernel import Kernel
        from packhorse_scheduling.domain.rules.opened import Opened

        if programme.year != opened.programme.year:
            return None
        kernel, old = Kernel(programme, opened.schedule.plan), opened.schedule
        grid = carried(kernel, old.cells)
        cells = tuple(kernel.cells_of(grid))
        if not cells:
            return None
        return Opened(evolve(old, programme=key, cells=cells), kernel, grid)

    def _apart(self, opened: Opened, was: Opened) -> Opened:
        """A version with other half-days than ``was`` as one of its own; itself where it has the same."""
        if set(opened.schedule.cells) == set(was.schedule.cells):
            return opened
        key = self.host.new_id()
        return evolve(opened, schedule=evolve(opened.schedule, id=key, parent=was.schedule.id, created_at=self.now()))

    def generated(self, schedule_id: str) -> Generated | None:
        """What was generated under this id; the stages of its making are not kept."""
        from packhorse_scheduling.domain.change.churn import Generated

        with self.rosters() as rosters:
            schedule = rosters.schedule(schedule_id)
            if schedule is None:
                return None
            opened = self._opened(rosters, schedule)
        return Generated(opened, None, tuple(violation for violation in opened.violations() if violation.blocks))

    def left_by(self, schedule_id: str) -> str | None:
        """What a generation that was ended has left under this id, in words; None where it left nothing."""
        from packhorse_scheduling.service.parts import kept_words

        with self.rosters() as rosters:
            schedule = rosters.schedule(schedule_id)
        return kept_words(schedule_id, schedule.until) if schedule is not None and schedule.until is not None else None

    def generate(
        self,
        *,
        start: date,
        end: date,
        mode: Mode,
        aims: Aims,
        enforce: bool,
        locked: Sequence[str],
        by: str | None,
        academic_year: str | None = None,
        progress: Progress = lambda done, total, words: None,
        cancelled: Callable[[], bool] = lambda: False,
        seconds: float = 600,
        schedule_id: str | None = None,
        afresh: bool = False,
    ) -> Generated:
        """Make, validate and store a draft; a whole one is stored only if the validator agrees.

        A search that is ended (cancelled, killed, out of effort) leaves its roster up to the last block.

        FULL makes the days anew; PARTIAL keeps what is filled and can stay, and
        fills the rest; OPTIMIZATION starts from what is published and keeps
        only what makes it better. ``progress`` is called from this thread,
        ``cancelled`` from the solver's as well. ``locked`` are ids of
        assignments of the published schedule (or, without one, of nothing).
        Without ``academic_year`` the programme imported last is meant.
        ``afresh`` puts no price on a half-day that changes.

        Raises:
            UserError: no roster; the message and details say why, and what to give up.
        """
        from packhorse_scheduling.service.generating import Generator

        return Generator(self).generate(
            start=start,
            end=end,
            mode=mode,
            aims=aims,
            enforce=enforce,
            locked=locked,
            by=by,
            academic_year=academic_year,
            progress=progress,
            cancelled=cancelled,
            seconds=seconds,
            schedule_id=schedule_id,
            afresh=afresh,
        )
