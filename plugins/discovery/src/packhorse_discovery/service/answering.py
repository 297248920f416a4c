"""Answers: what their words support is recorded, in the schema of their question and in others."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse import UserError
from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.form import homes
from packhorse_discovery.domain.interview.joint import beside, joined, of, owners, tops
from packhorse_discovery.domain.interview.merging import aligned, merge
from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.readback import read_back, read_otherwise
from packhorse_discovery.domain.interview.structure import Mark, Patch, Source, Structure, UnfitError
from packhorse_discovery.domain.interview.tidying import Misfit, tidied
from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.eads import Eads, path_from, written
from packhorse_discovery.errors import refusal
from packhorse_discovery.service import formulated
from packhorse_discovery.service.answered import (
    Fit,
    InOther,
    commit_notes,
    not_emptied,
    not_needed,
    not_recorded,
    updated,
    with_states,
)
from packhorse_discovery.service.asking import Asker
from packhorse_discovery.service.projects import Projects, check_revision, decide, id_of
from packhorse_discovery.store import rows
from packhorse_discovery.store.rows import Asked, Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_discovery.domain.reading.record import Record

CLEARS = "null in an answer clears nothing: use correct_answer with null"
ELSEWHERE = "Answered together with another question."
"""Stands for the words of an answer in a schema that it was not asked for: they are on record where they were said."""


@frozen
class Answering:
    """Records answers."""

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
            asked = self.question(store, project_id, pursuit, question_id)
            given = json.dumps(refinement) if refinement else ""
            if rows.is_taken(store, pursuit, question_id, text, given, answered_by):
                return self.after(store, pursuit, [], "This answer is already recorded.", full=full)
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
            pursuit, patches = self.started(store, pursuit, patches)
            refused = rows.refused_before(store, pursuit) + [one.path for one in record.refused]
            self._keep(store, pursuit, asked, text, given, answered_by, record, patches, closes=bool(own))
            update = updated(pursuit, patches)
            for eads, names in fit.others if fit else []:
                told, record = self._told(store, pursuit, eads, names, record, Mark(source=source, by=answered_by))
                patches += told.patches
                update |= told.update
            return self.after(
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
        other, patches = self.started(store, other, patches)
        self._keep(store, other, asked, ELSEWHERE, "", mark.by, evolve(record, refused=()), patches)
        update = updated(other, patches)
        self.asker.closed(store, self.projects.pursuit(store, other.project, id_of(other)))
        return InOther(patches, update), record

    def question(self, store: "Store", project_id: str, pursuit: Pursuit, question_id: str) -> Asked:
        found = next((one for one in rows.questions(store, project_id, pursuit.number) if one.id == question_id), None)
        if found is None:
            put = [f"Answer {one} of {eads_id}" for one, eads_id in self.asker.put(store, project_id).items()]
            words = put[-1] if put else formulated.place_of_words(store, project_id) or "Call get_next_question"
            raise refusal("QUESTION_UNKNOWN", "question_id", f"is not a question of this schema. {words}")
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

    def started(self, store: "Store", pursuit: Pursuit, patches: list[Patch]) -> tuple[Pursuit, list[Patch]]:
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

    def after(
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
