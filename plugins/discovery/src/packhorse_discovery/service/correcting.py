"""Corrections, what is taken back, and the settling of contradictions."""

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.interview.correcting import UnclearError, corrected, renamed
from packhorse_discovery.domain.interview.merging import Proposal, merge, same
from packhorse_discovery.domain.interview.structure import Mark, Patch
from packhorse_discovery.domain.interview.tidying import fitting
from packhorse_discovery.domain.interview.undoing import Undone, last_undone, question_undone
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.schema.eads import path_from, written
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.answered import (
    commit_notes,
    named,
)
from packhorse_discovery.service.answering import Answering
from packhorse_discovery.service.projects import Projects, check_revision, id_of, source_of
from packhorse_discovery.store import rows
from packhorse_discovery.store.rows import Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_discovery.domain.reading.record import Record


@frozen
class Correcting:
    """Puts right what answers established."""

    answering: Answering

    @property
    def projects(self) -> Projects:
        """What all projects hold."""
        return self.answering.projects

    def undo(
        self, project_id: str, eads_id: str, path: str, question_id: str | None, expected_revision: int | None
    ) -> dict[str, Any]:
        """Take back the last change of ``path``, what a question's answers established, or the last answer."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            check_revision(pursuit, expected_revision)
            history = rows.patches(store, project_id, pursuit.number)
            whole = question_id or (None if path else rows.last_answered(store, pursuit))
            found: Undone | None
            if whole is not None:
                self.answering.question(store, project_id, pursuit, whole)
                found = question_undone(pursuit.structure, history, whole, pursuit.eads)
                rows.take_back(store, pursuit, whole)
                words = f"{len(found.patches)} value{'s' * (len(found.patches) != 1)} of {whole} undone"
                if found.patches:
                    words += f": {named([one.path for one in found.patches])}"
                if found.kept:
                    words += f"; others said more since, so these stay: {', '.join(found.kept[:5])}"
            else:
                where = written(path_from(path))
                found = last_undone(pursuit.structure, history, where) if path else None
                words = f"the last change at {where} undone"
            if found is None:
                words = "must name the value to undo, because there is no last answer"
                if path:
                    words = "names a value that was not changed"
                raise refusal("NOTHING_TO_UNDO", "path", f"{words}. get_eads_status lists the paths")
            patches = list(found.patches)
            pursuit = self.projects.save(store, evolve(pursuit, structure=found.structure, state="working"), patches)
            return self.answering.after(store, pursuit, patches, f"{words[0].upper()}{words[1:]}.")

    def correct(
        self, project_id: str, eads_id: str, path: str, value: Any, by: str, expected_revision: int | None,
        words: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        """Put one value right, clear it, rename a row or remove one; the history keeps what stood there.

        A new value must be in ``words``, or in an earlier answer: what is not supported is told back.
        """
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            check_revision(pursuit, expected_revision)
            before = self.answering.asker.put(store, project_id), self.answering.asker.is_enough(store, project_id)
            where = written(path_from(path))
            field = pursuit.eads.field_at(path_from(where))
            value = value if field is None or value is None else fitting(value, field)
            mark = Mark(question_id=source_of(pursuit, where), source="user", by=by)
            try:
                patches = corrected(pursuit.structure, pursuit.eads, where, value, mark)
                if (record := self._said(store, pursuit, where, value, words)) is not None:
                    if not record.proposals:
                        return self.answering.after(
                            store, pursuit, [], commit_notes([], record), record=record, before=before
                        )
                    value = record.proposals[0].value
                patches = corrected(pursuit.structure, pursuit.eads, where, value, mark)
            except UnclearError as exc:
                raise refusal(exc.code, exc.what, exc.words) from exc
            structure = pursuit.structure.apply_all(patches)
            pursuit = self.projects.save(store, evolve(pursuit, structure=structure), patches)
            others = self._follow(store, pursuit, patches)
            pursuit, patches = self.answering.started(store, pursuit, patches)
            words = (
                f"{len(patches)} value{'s' * (len(patches) != 1)} changed at {where}."
                if patches
                else "Nothing changed."
            )
            words += f" {others} references follow." if others else ""
            return self.answering.after(store, pursuit, patches, words, before=before)

    def conflicts(self, project_id: str) -> list[tuple[Conflict, str, str]]:
        """Every conflict with its state and resolution; open ones first."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            return self.projects.conflicts(store, project_id)

    def resolve(self, project_id: str, conflict_id: str, resolution: str, value: Any, by: str) -> dict[str, Any]:
        """Close an open conflict with a reason; a value given is put at its place.

        It must be one of the two that differ, or be in the words of the resolution or of an answer.
        """
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            every = {one.id: (one, state) for one, state, _ in self.projects.conflicts(store, project_id)}
            found, state = every.get(conflict_id, (None, ""))
            if found is None:
                raise refusal(
                    "CONFLICT_UNKNOWN",
                    "conflict_id",
                    "is not a conflict of this project: list_conflicts lists the conflicts",
                )
            if state == "resolved":
                raise refusal(
                    "CONFLICT_SETTLED", "conflict_id", "is already settled: use correct_answer to change the value"
                )
            changed = self._settle(store, project_id, found, value, resolution, by) if value is not None else 0
            rows.resolve_conflict(store, project_id, found, resolution, self.projects.now())
            left = [one for one, state, _ in self.projects.conflicts(store, project_id) if state == "open"]
            return {
                "conflict_id": conflict_id,
                "resolved": True,
                "values_changed": changed,
                "open_conflicts": len(left),
            }

    def _said(self, store: "Store", pursuit: Pursuit, where: str, value: Any, words: str) -> "Record | None":
        """What the words say of a corrected value; None where there is nothing to hold against them."""
        field = pursuit.eads.field_at(path_from(where))
        if value is None or field is None or field.choices:
            return None
        from packhorse_discovery.domain.reading.record import supported

        names = [name for one in self.projects.read(store, pursuit.project) for name in one.names()]
        return supported(
            where, value, words, pursuit.eads, pursuit.structure,
            earlier=[text for _, text in rows.answers(store, pursuit.project)], today=self.projects.now()[:10],
            origin=self.projects.origin(store, pursuit.project), known=names,
        )  # fmt: skip

    def _follow(self, store: "Store", pursuit: Pursuit, patches: list[Patch]) -> int:
        """Let every reference to a renamed row follow it; how many did."""
        count = 0
        for patch in [
            one for one in patches if one.op == "set" and isinstance(one.old, str) and isinstance(one.new, str)
        ]:
            if not pursuit.eads.is_key(path_from(patch.path)):
                continue
            for one in rows.pursuits(store, pursuit.project):
                changes = renamed(one.structure, one.eads, patch.old, patch.new)
                if changes:
                    count += len(changes)
                    self.projects.save(store, evolve(one, structure=one.structure.apply_all(changes)), changes)
        return count

    def _settle(self, store: "Store", project_id: str, conflict: Conflict, value: Any, words: str, by: str) -> int:
        pursuit = next(
            (one for one in rows.pursuits(store, project_id) if conflict.paths[0].startswith(one.eads.id + "/")), None
        )
        if pursuit is None:
            raise refusal(
                "VALUE_UNPLACED",
                "value",
                "cannot be set here, because this conflict is about several values: change them with correct_answer,"
                " then call resolve_conflict without `value`",
            )
        where = conflict.paths[0].removeprefix(pursuit.eads.id)
        field = pursuit.eads.field_at(path_from(where))
        value = value if field is None else fitting(value, field)
        if field is None or (wrong := fits(field, value)):
            raise refusal("VALUE_UNFIT", "value", wrong if field is not None else f"does not fit into {id_of(pursuit)}")
        told = pursuit.structure.marks.get(where)
        both = [pursuit.structure.get(where), (told.rival or {}).get("value") if told else None]
        if not any(one is not None and same(one, value) for one in both):
            record = self._said(store, pursuit, where, value, words)
            if record is not None and not record.proposals:
                why = "; ".join(one.why for one in record.refused) or "nobody said this value"
                raise refusal(
                    "VALUE_UNSAID",
                    "value",
                    f"must be one of the two conflicting values, or appear in the text of `resolution`: {why}",
                )
        mark = Mark(question_id=source_of(pursuit, where), source="user", by=by)
        structure, patches = merge(
            pursuit.structure, [Proposal(where, value)], pursuit.eads, mark=mark, correcting=True
        )
        self.projects.save(store, evolve(pursuit, structure=structure), patches)
        return len(patches)
