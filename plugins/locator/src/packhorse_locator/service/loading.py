"""Bringing a source's rows into the registry: one transaction, so that a file is in it whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import islice
from typing import TYPE_CHECKING

from attrs import field, frozen

from packhorse import UserError
from packhorse_locator.domain import facility_rows, person_rows
from packhorse_locator.domain.freshness import SAMPLE, Kind, Stamp
from packhorse_locator.domain.people import Stay, key_of
from packhorse_locator.domain.person_rows import Row, RowRejectedError, UnderageError
from packhorse_locator.service.files import Line, TableFile
from packhorse_locator.store import facilities as facility_rows_of
from packhorse_locator.store import people, sources

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

ROWS_AT_A_TIME = 2_000
"""Rows read before they are written: what is in memory of a file of any size."""

REASONS_KEPT = 1_000
"""Rejected rows that a report lists; of more it says how many."""

SHOWN_REASONS = 20
"""Rejected rows that are printed for a person."""


@frozen
class Rejected:
    """A row that was not taken: where it is, and why. Nothing of the row itself."""

    line: int
    reason: str


@frozen
class Loaded:
    """What became of a file."""

    source: str
    kind: Kind
    as_of: date
    accepted: int
    rejected: int
    removed: int
    moved: int
    reasons: tuple[Rejected, ...]


@frozen
class Loader:
    """Loads files into one open store. ``now`` is the instant of loading, in UTC.

    ``suppressed`` are the keys, record ids and A-numbers on the deployer's list; with ``keep_undated`` people without a
    year of birth are kept, though never from a remote source.
    """

    store: Store
    now: datetime
    suppressed: frozenset[str] = frozenset()
    keep_undated: bool = False

    def people(
        self, file: TableFile, source: str, as_of: date, *, replace: bool = False, strict: bool = False
    ) -> Loaded:
        """Load people by key. With ``replace``, those of this source that the file lacks are dropped.

        Raises:
            UserError: the file is not readable, no row of it can be taken, or,
                with ``strict``, a row was rejected; then nothing has changed.
        """
        lines = file.lines(person_rows.COLUMNS, person_rows.REQUIRED)
        return self.people_from(lines, source, as_of, replace=replace, strict=strict)

    def people_from(
        self,
        lines: Iterable[Line],
        source: str,
        as_of: date,
        *,
        replace: bool = False,
        strict: bool = False,
        remote: bool = False,
    ) -> Loaded:
        """Load people from lines already under the pack's own column names."""
        tally = _Tally()
        with self.store.tx():
            change = people.next_change(self.store)
            if source != SAMPLE and not remote:
                self._forget_sample(change)
            keep = self.keep_undated and not remote
            waiting = self._rows(lines, source, as_of, tally, change, keep_undated=keep)
            accepted = moved = 0
            while batch := list(islice(waiting, ROWS_AT_A_TIME)):
                moved += self._write(batch, change)
                accepted += len(batch)
            removed = people.remove_source(self.store, source, change, before=change) if replace else 0
            if not (remote and not accepted):
                self._check(tally, accepted, strict=strict)
            sources.stamp(self.store, Stamp(source, "people", as_of, self.now, accepted, tally.count, remote=remote))
        return Loaded(source, "people", as_of, accepted, tally.count, removed, moved, tuple(tally.reasons))

    def facilities(self, file: TableFile, source: str, as_of: date, *, strict: bool = False) -> Loaded:
        """Load facilities by key; what another source said of the same key is replaced.

        Raises:
            UserError: as for people.
        """
        tally = _Tally()
        accepted = []
        seen: set[str] = set()
        for line in file.lines(facility_rows.COLUMNS, facility_rows.REQUIRED):
            try:
                facility = facility_rows.facility_from(_sound(line), as_of=as_of.isoformat())
            except RowRejectedError as exc:
                tally.add(line.number, str(exc))
                continue
            if facility.key in seen:
                tally.add(line.number, "an earlier row has the same facility")
                continue
            seen.add(facility.key)
            accepted.append(facility)
        self._check(tally, len(accepted), strict=strict)
        with self.store.tx():
            people.next_change(self.store)  # answers about facilities are of another data version from now on
            if source != SAMPLE:
                facility_rows_of.remove_source(self.store, SAMPLE)
                sources.forget(self.store, SAMPLE, "facilities")
            facility_rows_of.upsert(self.store, accepted, source)
            sources.stamp(self.store, Stamp(source, "facilities", as_of, self.now, len(accepted), tally.count))
        return Loaded(source, "facilities", as_of, len(accepted), tally.count, 0, 0, tuple(tally.reasons))

    def _forget_sample(self, change: int) -> None:
        if people.remove_source(self.store, SAMPLE, change):
            sources.forget(self.store, SAMPLE, "people")

    def _rows(
        self, lines: Iterable[Line], source: str, as_of: date, tally: _Tally, change: int, *, keep_undated: bool
    ) -> Iterator[Row]:
        today = self.now.date()
        seen: set[str] = set()
        for line in lines:
            try:
                row = person_rows.row_from(
                    _sound(line), source=source, as_of=as_of, today=today, keep_undated=keep_undated
                )
            except UnderageError as exc:
                people.remove(self.store, [key_of(source, str(line.fields.get("record_id")).strip())], change)
                tally.add(line.number, str(exc))
                continue
            except RowRejectedError as exc:
                tally.add(line.number, str(exc))
                continue
            if row.person.key in seen:
                tally.add(line.number, "an earlier row has the same record_id")
                continue
            seen.add(row.person.key)
            yield row

    def _write(self, rows: list[Row], change: int) -> int:
        before = people.facilities_of(self.store, [row.person.key for row in rows])
        people.upsert(self.store, (row.person for row in rows), change, self.suppressed)
        stays, moved = [], 0
        for row in rows:
            one = row.person
            if one.facility_id is None or before.get(one.key) == one.facility_id:
                continue
            is_transfer = before.get(one.key) is not None
            moved += is_transfer
            since = row.moved or (one.as_of if is_transfer else one.booked or one.as_of)
            stays.append(Stay(one.key, one.facility_id, since, row.move_reason))
        people.add_stays(self.store, stays, change)
        return moved

    @staticmethod
    def _check(tally: _Tally, accepted: int, *, strict: bool) -> None:
        lines = [f"\n  line {one.line}: {one.reason}" for one in tally.reasons[:SHOWN_REASONS]]
        if tally.count > len(lines):
            lines.append(f"\n  and {tally.count - len(lines)} more")
        if not accepted:
            why = "no row can be used:" if lines else "the file has no rows."
            raise UserError(f"Nothing was loaded, because {why}{''.join(lines)}", code="NOTHING_LOADED")
        if strict and tally.count:
            raise UserError(
                f"Nothing was loaded, because {tally.count} of {tally.count + accepted} rows cannot be used"
                f" (--strict):{''.join(lines)}",
                code="ROWS_REJECTED",
                details={"rejected": [{"line": one.line, "reason": one.reason} for one in tally.reasons]},
            )


@frozen
class _Tally:
    """Rejected rows, the first of them with their reasons."""

    reasons: list[Rejected] = field(factory=list)
    _count: list[int] = field(factory=lambda: [0])

    @property
    def count(self) -> int:
        return self._count[0]

    def add(self, line: int, reason: str) -> None:
        self._count[0] += 1
        if len(self.reasons) < REASONS_KEPT:
            self.reasons.append(Rejected(line, reason))


def _sound(line: Line) -> dict[str, object]:
    if line.fault is not None:
        raise RowRejectedError(line.fault)
    return dict(line.fields)
