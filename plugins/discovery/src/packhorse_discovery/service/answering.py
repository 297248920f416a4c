"""Answers, corrections and the settling of contradictions: everything that changes what is established."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse import UserError
from packhorse_discovery import store as rows
from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.correcting import UnclearError, corrected, renamed
from packhorse_discovery.domain.interview.form import homes
from packhorse_discovery.domain.interview.joint import beside, joined, of, owners, tops
from packhorse_discovery.domain.interview.merging import Proposal, aligned, merge, same
from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.readback import read_back, read_otherwise
from packhorse_discovery.domain.interview.structure import Mark, Patch, Source, Structure, UnfitError
from packhorse_discovery.domain.interview.tidying import Misfit, fitting, tidied
from packhorse_discovery.domain.interview.undoing import Undone, last_undone, question_undone
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.eads import Eads, path_from, written
from packhorse_discovery.errors import refusal
from packhorse_discovery.service import formulated
from packhorse_discovery.service.answered import (
    Fit,
    InOther,
    commit_notes,
    named,
    not_emptied,
    not_needed,
    not_recorded,
    updated,
    with_states,
)
from packhorse_discovery.service.asking import Asker
from packhorse_discovery.service.projects import Projects, check_revision, decide, id_of, source_of
from packhorse_discovery.store import Asked, Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_discovery.domain.reading.record import Record

CLEARS = "null clears nothing in an answer: correct_answer with null does"
ELSEWHERE = "Answered together with another question."
"""Stands for the words of an answer in a schema that it was not asked for: they are on record where they were said."""


@frozen
class Answering:
    """Records answers, and puts right what is recorded."""

    projects: Projects

    @property
    def asker(self) -> Asker:
        """Who asks what comes next."""
        return Asker(self.projects)

    def answer(
        self,
        project_id: str,
        conversation_id: str,
        eads_id: str,
        question_id: str,
        text: str,
        refinement: Mapping[str, Any] | None,
        answered_by: str,
        expected_revision: int | None,
        mode: str = "merge",
        *,
        full: bool = True,
    ) -> dict[str, Any]:
        """Record what the words of an answer support, of a refinement or of a table, a list or a single value."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            check_revision(pursuit, expected_revision)
            asked = self._question(store, project_id, pursuit, question_id)
            given = json.dumps(refinement) if refinement else ""
            if rows.is_taken(store, pursuit, question_id, text, given, answered_by):
                return self._after(store, pursuit, [], "This answer had been taken already.", full=full)
            before = self.asker.put(store, project_id), self.asker.is_enough(store, project_id)
            fit = self._tidied(store, pursuit, refinement) if refinement else None
            others = self._others(store, pursuit, fit.others) if fit else []
            record = self._record(store, pursuit, asked, text, fit, others)
            if fit is None and not record.responsive:
                fit, record = self._instead(store, pursuit, text, record)
            record = not_emptied(record, pursuit, fit, others, mode)
            if (before_now := rows.unused_before(store, project_id, text)) is not None:
                record = evolve(record, not_used=tuple(one for one in record.not_used if one in before_now))
            source: Source = "assistant" if refinement else "user"
            mark = Mark(question_id=question_id, source=source, by=answered_by)
            patches = [] if mode == "merge" else self._unnamed(pursuit, record)
            own = of(record.proposals, tops(pursuit.eads))
            structure, more = merge(pursuit.structure.apply_all(patches), own, pursuit.eads, mark=mark)
            patches += more
            pursuit = self.projects.save(store, evolve(pursuit, structure=structure), patches)
            pursuit, patches = self._started(store, pursuit, patches)
            refused = rows.refused_before(store, pursuit) + [one.path for one in record.refused]
            self._keep(store, pursuit, asked, text, given, answered_by, record, patches, closes=bool(own))
            update = updated(pursuit, patches)
            for eads, names in fit.others if fit else []:
                told, record = self._told(store, pursuit, eads, names, record, Mark(source=source, by=answered_by))
                patches += told.patches
                update |= told.update
            return self._after(
                store, pursuit, patches, commit_notes(patches, record), text=text, record=record, asked=asked,
                often=refused, update=update, given=refinement, full=full, before=before,
            )  # fmt: skip

    def _keep(
        self, store: "Store", pursuit: Pursuit, asked: Asked, text: str, given: str, by: str, record: "Record",
        patches: list[Patch], *, closes: bool = True,
    ) -> None:  # fmt: skip
        """Write an answer to the record, and its question as answered where it gave anything to it."""
        rows.insert_answer(store, pursuit, asked.id, text, given, by, record.responsive, commit_notes(patches, record),
                           [one.path for one in record.refused], record.not_used, self.projects.now())  # fmt: skip
        if record.responsive and closes:
            rows.set_question_state(store, pursuit.project, asked.id, "answered")

    def _tidied(self, store: "Store", pursuit: Pursuit, refinement: Mapping[str, Any]) -> "Fit":
        """A refinement in the form of the schemas that it fills, and which they are beside the one of the question."""
        bare = strip(refinement)
        begun = [one.eads for one in reversed(rows.pursuits(store, pursuit.project))]
        shelf = self.projects.shelf_of(store, pursuit.project)
        kind = str(bare.get("principal-problem-type") or "") or orchestrator.kind_of(
            self.projects.progress(store, pursuit.project)
        )
        wanted = [*orchestrator.TARGETS[""], *orchestrator.TARGETS.get(kind, ())]
        ranked = sorted(shelf.eads, key=lambda one: wanted.index(one.id) if one.id in wanted else len(wanted))
        known = self.projects.progress(store, pursuit.project)
        useful = [one for one in (*begun, *ranked) if kind != orchestrator.kind_of(known)
                  or not orchestrator.contradicted(one, known)]  # fmt: skip
        others = owners(bare, pursuit.eads, useful)
        others.sort(key=lambda one: wanted.index(one[0].id) if one[0].id in wanted else len(wanted))
        eads = joined(pursuit.eads, others)
        found = tidied(bare, eads)
        stands = beside(pursuit.structure, self._others(store, pursuit, others))
        nulls = [one for one in found.nulls if stands.get(aligned(one, stands, eads)) is not None]
        misfits = (*found.misfits, *(Misfit(one, None, CLEARS) for one in nulls))
        return Fit(found.refinement, misfits, tuple(others), found.states)

    def _others(
        self, store: "Store", pursuit: Pursuit, others: Sequence[tuple[Eads, frozenset[str]]]
    ) -> list[tuple[Structure, frozenset[str]]]:
        """What is established so far of the other schemas that an answer fills."""
        known = {one.eads.id: one.structure for one in rows.pursuits(store, pursuit.project)}
        return [(known.get(eads.id, Structure()), names) for eads, names in others]

    def _told(
        self, store: "Store", pursuit: Pursuit, eads: Eads, names: frozenset[str], record: "Record", mark: Mark
    ) -> tuple["InOther", "Record"]:
        """What an answer to one schema's question gives to another, recorded there; refused where that must wait."""
        proposals = of(record.proposals, names)
        if not proposals:
            return InOther(), record
        try:
            other = self.asker.for_other(store, pursuit, eads)
        except UserError as exc:
            from packhorse_discovery.domain.reading.record import Back

            back = tuple(Back(f"/{name}", None, str(exc)) for name in sorted(names))
            kept = tuple(one for one in record.proposals if one not in proposals)
            return InOther(), evolve(record, proposals=kept, refused=(*record.refused, *back))
        asked = self.asker.told(store, other, proposals)
        mark = evolve(mark, question_id=asked.id)
        structure, patches = merge(other.structure, proposals, other.eads, mark=mark)
        other = self.projects.save(store, evolve(other, structure=structure), patches)
        other, patches = self._started(store, other, patches)
        self._keep(store, other, asked, ELSEWHERE, "", mark.by, evolve(record, refused=()), patches)
        update = updated(other, patches)
        self.asker.closed(store, self.projects.pursuit(store, other.project, id_of(other)))
        return InOther(patches, update), record

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
                self._question(store, project_id, pursuit, whole)
                found = question_undone(pursuit.structure, history, whole, pursuit.eads)
                rows.take_back(store, pursuit, whole)
                words = f"{len(found.patches)} value{'s' * (len(found.patches) != 1)} of {whole} taken back"
                if found.patches:
                    words += f": {named([one.path for one in found.patches])}"
                if found.kept:
                    words += f"; others said more since, so these stay: {', '.join(found.kept[:5])}"
            else:
                where = written(path_from(path))
                found = last_undone(pursuit.structure, history, where) if path else None
                words = f"the last change at {where} taken back"
            if found is None:
                raise refusal("NOTHING_TO_UNDO", "path", "has no change to take back: get_eads_status lists the paths")
            patches = list(found.patches)
            pursuit = self.projects.save(store, evolve(pursuit, structure=found.structure, state="working"), patches)
            return self._after(store, pursuit, patches, f"{words[0].upper()}{words[1:]}.")

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
            before = self.asker.put(store, project_id), self.asker.is_enough(store, project_id)
            where = written(path_from(path))
            field = pursuit.eads.field_at(path_from(where))
            value = value if field is None or value is None else fitting(value, field)
            mark = Mark(question_id=source_of(pursuit, where), source="user", by=by)
            try:
                patches = corrected(pursuit.structure, pursuit.eads, where, value, mark)
                if (record := self._said(store, pursuit, where, value, words)) is not None:
                    if not record.proposals:
                        return self._after(store, pursuit, [], commit_notes([], record), record=record, before=before)
                    value = record.proposals[0].value
                patches = corrected(pursuit.structure, pursuit.eads, where, value, mark)
            except UnclearError as exc:
                raise refusal(exc.code, exc.what, exc.words) from exc
            structure = pursuit.structure.apply_all(patches)
            pursuit = self.projects.save(store, evolve(pursuit, structure=structure), patches)
            others = self._follow(store, pursuit, patches)
            pursuit, patches = self._started(store, pursuit, patches)
            words = (
                f"{len(patches)} value{'s' * (len(patches) != 1)} changed at {where}."
                if patches
                else "Nothing changed."
            )
            words += f" {others} references follow." if others else ""
            return self._after(store, pursuit, patches, words, before=before)

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
                raise refusal("CONFLICT_UNKNOWN", "conflict_id", "is no conflict of this project: call list_conflicts")
            if state == "resolved":
                raise refusal("CONFLICT_SETTLED", "conflict_id", "is settled already: correct_answer changes the value")
            changed = self._settle(store, project_id, found, value, resolution, by) if value is not None else 0
            rows.resolve_conflict(store, project_id, found, resolution, self.projects.now())
            left = [one for one, state, _ in self.projects.conflicts(store, project_id) if state == "open"]
            return {
                "conflict_id": conflict_id,
                "resolved": True,
                "values_changed": changed,
                "open_conflicts": len(left),
            }

    def _question(self, store: "Store", project_id: str, pursuit: Pursuit, question_id: str) -> Asked:
        found = next((one for one in rows.questions(store, project_id, pursuit.number) if one.id == question_id), None)
        if found is None:
            put = [f"{one} of {eads_id} is open" for one, eads_id in self.asker.put(store, project_id).items()]
            words = put[-1] if put else formulated.place_of_words(store, project_id) or "call get_next_question"
            raise refusal("QUESTION_UNKNOWN", "question_id", f"is no question of this pursuit: {words}")
        return found

    def _record(
        self, store: "Store", pursuit: Pursuit, asked: Asked, text: str, fit: "Fit | None",
        others: Sequence[tuple[Structure, frozenset[str]]],
    ) -> "Record":  # fmt: skip
        """What an answer gives to record; the reader is only needed from the first answer on."""
        from packhorse_discovery.domain.reading.record import Back, record

        names = [name for one in self.projects.read(store, pursuit.project) for name in one.names()]
        eads = joined(pursuit.eads, fit.others) if fit else pursuit.eads
        try:
            found = record(
                asked.question, text, fit.refinement if fit else None, eads, beside(pursuit.structure, others),
                earlier=[words for _, words in rows.answers(store, pursuit.project)], today=self.projects.now()[:10],
                origin=self.projects.origin(store, pursuit.project), known=names,
            )  # fmt: skip
        except UnfitError as exc:
            raise refusal("REFINEMENT_UNFIT", "refinement", f"does not fit the schema: {exc}") from exc
        misfits = tuple(Back(one.path, one.value, one.words) for one in (fit.misfits if fit else ()))
        found = not_needed(evolve(found, refused=(*misfits, *found.refused)), eads)
        return with_states(found, fit, text, eads, beside(pursuit.structure, others)) if fit else found

    def _instead(self, store: "Store", pursuit: Pursuit, text: str, record: "Record") -> tuple["Fit | None", "Record"]:
        """A table that answers what is asked about together with the question of ``pursuit``, read for that."""
        from packhorse_discovery.domain.reading.record import record as read_plain
        from packhorse_discovery.domain.reading.tables import tables

        if not tables(text):
            return None, record
        start = self.projects.origin(store, pursuit.project)
        for eads in self.asker.instead(store, pursuit):
            question = next_question(eads, Structure())
            if question is not None:
                found = read_plain(question, text, None, eads, Structure(), origin=start)
                if found.responsive and len(found.proposals) > len(found.refused):
                    return Fit({}, others=((eads, tops(eads)),)), found
        return None, record

    def _unnamed(self, pursuit: Pursuit, record: "Record") -> list[Patch]:
        """Removals of the rows that a replacing answer does not name, of every list of which it names one."""
        named = {path_from(one.path) for one in record.proposals}
        patches = []
        for table in (one.path for one in pursuit.eads.fields if one.kind == "table"):
            rows_now = pursuit.structure.rows(table)
            kept = [row for row in rows_now if any(path[: len(row)] == row for path in named)]
            mentioned = any(pursuit.eads.template(path)[: len(table)] == table for path in named)
            patches += [
                Patch(written(row), "remove", old=pursuit.structure.get(row))
                for row in rows_now
                if mentioned and row not in kept
            ]
        return patches

    def _started(self, store: "Store", pursuit: Pursuit, patches: list[Patch]) -> tuple[Pursuit, list[Patch]]:
        """The pursuits after a start date came: the others have it too, and dates that count from it are read again."""
        if not any(one.path == "/origin" for one in patches):
            return pursuit, patches
        from packhorse_discovery.domain.reading.record import redated

        value, mark = pursuit.structure.get("/origin"), pursuit.structure.marks.get("/origin")
        for one in rows.pursuits(store, pursuit.project):
            changes = []
            if one.number != pursuit.number and one.eads.field(("origin",)) is not None and mark is not None:
                old, old_mark = one.structure.get("/origin"), one.structure.marks.get("/origin")
                changes = [Patch("/origin", "set", value, mark, old, old_mark)]
            structure = one.structure.apply_all(changes)
            changes += redated(structure, one.eads, str(value or ""))
            if changes:
                saved = self.projects.save(store, evolve(one, structure=one.structure.apply_all(changes)), changes)
                if one.number == pursuit.number:
                    pursuit, patches = saved, [*patches, *changes]
        return pursuit, patches

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

    def _after(
        self, store: "Store", pursuit: Pursuit, patches: list[Patch], note: str, *, text: str = "",
        record: "Record | None" = None, asked: Asked | None = None, often: Sequence[str] = (),
        update: dict[str, Any] | None = None, given: Mapping[str, Any] | None = None, full: bool = True,
        before: tuple[Collection[str], bool] = ((), False),
    ) -> dict[str, Any]:  # fmt: skip
        """The answer to a change: what was recorded, what was not, and what to ask next.

        ``before`` are the questions that were put, and whether it was said that enough is recorded. Unless ``full``,
        what the caller handed in (``given``) is not said back, only what was read otherwise.
        """
        pursuit = next(one for one in rows.pursuits(store, pursuit.project) if one.number == pursuit.number)
        where = standing(pursuit.eads, pursuit.structure)
        if update is None:
            update = updated(pursuit, patches)
        told = update if full or given is None else read_otherwise(update, strip(given))
        nothing = record is not None and not record.responsive
        left = (
            decide(pursuit, rows.questions(store, pursuit.project, pursuit.number))
            if pursuit.state != "complete"
            else None
        )
        answer: dict[str, Any] = {
            "commit_notes": note,
            "read_back": read_back(told or {}, self.projects.shelf_of(store, pursuit.project).eads),
            "recorded": len(patches),
            "open_conflicts": sum(state == "open" for _, state, _ in self.projects.conflicts(store, pursuit.project)),
            "next_action": "needs_clarification" if nothing else "complete" if left is None else "continue",
            "completeness": where.completeness,
            "revision": pursuit.revision,
            "data_structure_update": update if full else {},
        }
        if record is not None:
            answer |= not_recorded(record, asked, often, text)
            answer |= {} if full else {"unmodelled": []}
            shelf = self.projects.shelf_of(store, pursuit.project).eads
            homed = ((rule, homes(f"{rule} {quote}", shelf)) for rule, quote in record.unmodelled)
            answer["fields_for_rules"] = [f"{rule}: {home}" for rule, home in homed if home]
        if not nothing:
            fresh = {rule for rule, _ in (record.unmodelled if record else ())} if before[1] else None
            answer["next"] = self.asker.next(store, pursuit, shown=before[0], fresh=fresh)
        return answer

    def _settle(self, store: "Store", project_id: str, conflict: Conflict, value: Any, words: str, by: str) -> int:
        pursuit = next(
            (one for one in rows.pursuits(store, project_id) if conflict.paths[0].startswith(one.eads.id + "/")), None
        )
        if pursuit is None:
            raise refusal(
                "VALUE_UNPLACED",
                "value",
                "has no single place in this conflict: use correct_answer, then resolve without a value",
            )
        where = conflict.paths[0].removeprefix(pursuit.eads.id)
        field = pursuit.eads.field_at(path_from(where))
        value = value if field is None else fitting(value, field)
        if field is None or (wrong := fits(field, value)):
            raise refusal("VALUE_UNFIT", "value", wrong if field is not None else f"has no place in {id_of(pursuit)}")
        told = pursuit.structure.marks.get(where)
        both = [pursuit.structure.get(where), (told.rival or {}).get("value") if told else None]
        if not any(one is not None and same(one, value) for one in both):
            record = self._said(store, pursuit, where, value, words)
            if record is not None and not record.proposals:
                why = "; ".join(one.why for one in record.refused) or "nobody said it"
                raise refusal("VALUE_UNSAID", "value", f"is neither of the two, nor in the resolution's words: {why}")
        mark = Mark(question_id=source_of(pursuit, where), source="user", by=by)
        structure, patches = merge(
            pursuit.structure, [Proposal(where, value)], pursuit.eads, mark=mark, correcting=True
        )
        self.projects.save(store, evolve(pursuit, structure=structure), patches)
        return len(patches)
