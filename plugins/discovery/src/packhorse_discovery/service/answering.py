"""Answers, corrections and the settling of contradictions: everything that changes what is established."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_discovery import store as rows
from packhorse_discovery.domain.completeness import standing
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.conflicts import from_merge
from packhorse_discovery.domain.eads import path_from
from packhorse_discovery.domain.merging import Proposal, aligned, merge, same
from packhorse_discovery.domain.readback import read_back
from packhorse_discovery.domain.structure import Mark, Structure, UnfitError, flattened, rendered
from packhorse_discovery.domain.undoing import Undone, last_undone, question_undone
from packhorse_discovery.domain.validation import fits
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.cabinet import Cabinet, check_revision, decide, id_of, source_of
from packhorse_discovery.store import Asked, Held

if TYPE_CHECKING:
    from packhorse.store import Store
    from packhorse_discovery.domain.answers import Reading


@frozen
class Answering:
    """Reads answers into the cabinet."""

    cabinet: Cabinet

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
    ) -> dict[str, Any]:
        """Read an answer, with or without an assistant's structure beside it, and merge it."""
        from packhorse_discovery.domain import answers  # the reader is only needed from the first answer on
        from packhorse_discovery.domain.around import around
        from packhorse_discovery.domain.contradictions.crosscheck import crosscheck
        from packhorse_discovery.domain.contradictions.said import Said
        from packhorse_discovery.domain.markers import TAKES_BACK

        with self.cabinet.open() as store:
            self.cabinet.conversation(store, project_id, conversation_id)
            held = self.cabinet.pursued(store, project_id, eads_id)
            check_revision(held, expected_revision)
            asked = self._question(store, project_id, held, question_id)
            said = store.query(
                "SELECT text, by_whom FROM answer WHERE project = :p AND pursuit = :n AND question = :q",
                p=project_id, n=held.number, q=question_id,
            )  # fmt: skip
            mine = [row["text"] for row in said if row["by_whom"] == answered_by]
            if text in mine and refinement is None:
                return self._after(store, held, [], "This answer had been taken already.", clarify=False)
            earlier = rows.answers(store, project_id)
            context = around(self.cabinet.read(store, project_id), [words for _, words in earlier])
            reading = answers.read(asked.question, text, held.eads, held.structure, context)
            mark = Mark(question_id=question_id, source="user", by=answered_by)
            proposals, clashes = self._refined(held, reading, refinement, question_id, text)
            taken_back = bool(TAKES_BACK.search(text))
            structure, patches, met = merge(
                held.structure, reading.proposals, held.eads, mark=mark, correcting=taken_back
            )
            structure, more, met_too = merge(structure, proposals, held.eads, mark=evolve(mark, source="assistant"))
            patches, met = [*patches, *more], [*met, *met_too]
            responsive = bool(reading.responsive or proposals)
            held = self.cabinet.save(store, evolve(held, structure=structure), patches)
            clashes += [from_merge(one, held.eads, id_of(held)) for one in met]
            if not clashes:
                before = [Said(question, words) for question, words in earlier]
                clashes += crosscheck(Said(question_id, text), before, self.cabinet.read(store, project_id))
            note = commit_notes(patches, len(clashes), responsive)
            for conflict in clashes:
                rows.put_conflict(store, project_id, conflict, self.cabinet.now())
            store.execute(
                "INSERT INTO answer VALUES (:p, :n, :number, :q, :text, :refinement, :by, :responsive, :note, :at)",
                p=project_id, n=held.number, number=rows.new_number(store, "answer", project_id, held.number),
                q=question_id, text=text, refinement=json.dumps(refinement) if refinement else "", by=answered_by,
                responsive=int(responsive), note=note, at=self.cabinet.now(),
            )  # fmt: skip
            rows.set_question_state(store, project_id, question_id, "answered")
            return self._after(store, held, patches, note, clarify=not responsive)

    def undo(
        self, project_id: str, eads_id: str, path: str, question_id: str | None, expected_revision: int | None
    ) -> dict[str, Any]:
        """Take back the last change of ``path``, or all that a question's answers established; the history keeps it."""
        with self.cabinet.open() as store:
            self.cabinet.project(store, project_id)
            held = self.cabinet.pursued(store, project_id, eads_id)
            check_revision(held, expected_revision)
            history = rows.patches(store, project_id, held.number)
            found: Undone | None
            if question_id is not None:
                self._question(store, project_id, held, question_id)
                found = question_undone(held.structure, history, question_id, held.eads)
                words = f"{len(found.patches)} value{'s' * (len(found.patches) != 1)} of {question_id} taken back"
                if found.kept:
                    words += f"; others said more since, so these stay: {', '.join(found.kept[:5])}"
            else:
                where = "/" + "/".join(path_from(path))
                found = last_undone(held.structure, history, where)
                words = f"the last change at {where} taken back"
            if found is None:
                raise refusal("NOTHING_TO_UNDO", "path", "has no change to take back: get_eads_status lists the paths")
            patches = list(found.patches)
            held = self.cabinet.save(store, evolve(held, structure=found.structure), patches)
            return self._after(store, held, patches, f"{words[0].upper()}{words[1:]}.", clarify=False)

    def correct(
        self, project_id: str, eads_id: str, path: str, value: Any, by: str, expected_revision: int | None
    ) -> dict[str, Any]:
        """Put one value right; the history keeps what stood there."""
        with self.cabinet.open() as store:
            self.cabinet.project(store, project_id)
            held = self.cabinet.pursued(store, project_id, eads_id)
            check_revision(held, expected_revision)
            where = "/" + "/".join(path_from(path))
            field = held.eads.field_at(path_from(where))
            if field is None:
                raise refusal("PATH_UNKNOWN", "path", "names nothing in this schema: get_eads_status lists the paths")
            if value is not None and field.kind != "table" and (wrong := fits(field, value)):
                raise refusal("VALUE_UNFIT", "value", wrong)
            mark = Mark(question_id=source_of(held, where), source="user", by=by)
            structure, patches, _ = merge(
                held.structure, [Proposal(where, value)], held.eads, mark=mark, correcting=True
            )
            held = self.cabinet.save(store, evolve(held, structure=structure), patches)
            return self._after(
                store,
                held,
                patches,
                f"{len(patches)} value changed at {where}." if patches else "Nothing changed.",
                clarify=False,
            )

    def conflicts(self, project_id: str) -> list[tuple[Conflict, str, str]]:
        """Every conflict, stored or found now, with its state and resolution; open ones first."""
        with self.cabinet.open() as store:
            self.cabinet.project(store, project_id)
            return self.cabinet.conflicts(store, project_id)

    def resolve(self, project_id: str, conflict_id: str, resolution: str, value: Any, by: str) -> dict[str, Any]:
        """Close a conflict with a reason; a value given is put at its place."""
        with self.cabinet.open() as store:
            self.cabinet.project(store, project_id)
            found = next(
                (one for one, _, _ in self.cabinet.conflicts(store, project_id) if one.id == conflict_id), None
            )
            if found is None:
                raise refusal("CONFLICT_UNKNOWN", "conflict_id", "is no conflict of this project: call list_conflicts")
            changed = 0
            if value is not None:
                changed = self._settle(store, project_id, found, value, by)
            rows.resolve_conflict(store, project_id, found, resolution, self.cabinet.now())
            left = [one for one, state, _ in self.cabinet.conflicts(store, project_id) if state == "open"]
            return {
                "conflict_id": conflict_id,
                "resolved": True,
                "values_changed": changed,
                "open_conflicts": len(left),
            }

    def _question(self, store: "Store", project_id: str, held: Held, question_id: str) -> Asked:
        found = next((one for one in rows.questions(store, project_id, held.number) if one.id == question_id), None)
        if found is None:
            raise refusal("QUESTION_UNKNOWN", "question_id", "is no question of this pursuit: call get_next_question")
        return found

    def _refined(
        self, held: Held, reading: "Reading", refinement: Mapping[str, Any] | None, question_id: str, text: str
    ) -> tuple[list[Proposal], list[Conflict]]:
        """An assistant's structure as proposals, and where it disagrees with the words of the answer."""
        if not refinement:
            return [], []
        from packhorse_discovery.domain.contradictions.refinements import unsaid

        try:
            flat = list(flattened(_bare(refinement), held.eads))
        except UnfitError as exc:
            raise refusal("REFINEMENT_UNFIT", "refinement", f"does not fit the schema: {exc}") from exc
        wrong = [
            f"{path} {fault}"
            for path, value in flat
            if value is not None and (field := held.eads.field_at(path_from(path))) and (fault := fits(field, value))
        ]
        if wrong:
            raise refusal("REFINEMENT_UNFIT", "refinement", "does not fit the schema: " + "; ".join(wrong[:5]))
        own = {one.path: one for one in reading.proposals if one.state == "answered"}
        flat = aligned(flat, held.eads, own)
        clashes: list[Conflict] = []
        kept: list[Proposal] = []
        for path, value in flat:
            mine = own.get(path)
            agrees = mine is None or same(mine.value, value) or isinstance(value, list)
            said = unsaid(value, path_from(path)[-2] if len(path_from(path)) > 1 else "", text) if mine is None else ""
            if agrees and not said:
                kept.append(Proposal(path, value, confidence=0.9))
                continue
            if said or (mine is not None and mine.confidence >= 0.8 and not isinstance(value, str)):
                clashes.append(
                    Conflict(
                        "reading-differs",
                        (f"{held.eads.id}{path}",),
                        (
                            f"the answer says {said or _short(mine.value if mine else '')} ({question_id})",
                            f"the refinement says {_short(value)}",
                        ),
                        "Ask which holds; the words of the answer are in use until then.",
                        pursuit=id_of(held),
                    )
                )
        return kept, clashes

    def _after(self, store: "Store", held: Held, patches: list[Any], note: str, *, clarify: bool) -> dict[str, Any]:
        where = standing(held.eads, held.structure)
        update = rendered(Structure().apply_all([one for one in patches if one.op == "set"]), held.eads)
        question = decide(held, rows.questions(store, held.project, held.number))
        return {
            "data_structure_update": update,
            "read_back": read_back(update, held.eads),
            "commit_notes": note,
            "completeness": where.completeness,
            "next_action": "needs_clarification" if clarify else "complete" if question is None else "continue",
            "revision": held.revision,
            "budget_remaining": held.left,
            "open_conflicts": sum(state == "open" for _, state, _ in self.cabinet.conflicts(store, held.project)),
        }

    def _settle(self, store: "Store", project_id: str, conflict: Conflict, value: Any, by: str) -> int:
        eads_id, _, inner = conflict.paths[0].partition("//")
        held = next(
            (one for one in rows.pursuits(store, project_id) if conflict.paths[0].startswith(one.eads.id + "/")), None
        )
        if held is None:
            raise refusal(
                "VALUE_UNPLACED",
                "value",
                "has no single place in this conflict: use correct_answer, then resolve without a value",
            )
        where = conflict.paths[0].removeprefix(held.eads.id) if not inner else f"/{inner}"
        field = held.eads.field_at(path_from(where))
        if field is None or (wrong := fits(field, value)):
            raise refusal("VALUE_UNFIT", "value", wrong if field is not None else f"has no place in {eads_id}")
        mark = Mark(question_id=source_of(held, where), source="user", by=by)
        structure, patches, _ = merge(held.structure, [Proposal(where, value)], held.eads, mark=mark, correcting=True)
        self.cabinet.save(store, evolve(held, structure=structure), patches)
        return len(patches)


def commit_notes(patches: list[Any], clashes: int, responsive: bool) -> str:
    """What an answer changed, in a sentence."""
    if not responsive:
        return "not responsive: nothing in the answer could be tied to the question"
    if not patches:
        words = "nothing new"
    else:
        named = ", ".join(one.path for one in patches[:5]) + (" ..." if len(patches) > 5 else "")
        words = f"{len(patches)} value{'s' * (len(patches) != 1)}: {named}"
    return words + (f"; {clashes} contradiction{'s' * (clashes != 1)}" if clashes else "")


def _bare(refinement: Mapping[str, Any]) -> dict[str, Any]:
    """A refinement may be annotated as the schemas are; values count, comments do not."""
    from packhorse_discovery.domain.annotations import strip

    plain: dict[str, Any] = strip(refinement)
    return plain


def _short(value: Any) -> str:
    if isinstance(value, Mapping) and "value-string" in value:
        return f"{value['value-string']} {value.get('units', '')}".strip()
    return str(value)[:80]
