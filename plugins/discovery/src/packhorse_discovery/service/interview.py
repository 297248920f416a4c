"""The interview: what to pursue, what to ask, where it stands, and its end."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.form import form_of, homes
from packhorse_discovery.domain.interview.merging import same
from packhorse_discovery.domain.interview.structure import UnfitError, flattened, rendered
from packhorse_discovery.domain.interview.validation import faults, missing
from packhorse_discovery.domain.schema.eads import Eads
from packhorse_discovery.domain.schema.migration import migrated
from packhorse_discovery.service import formulated, hooks
from packhorse_discovery.service.asking import Asker, why_done
from packhorse_discovery.service.projects import Projects, brief, id_of
from packhorse_discovery.store import rows
from packhorse_discovery.store.rows import Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


@frozen
class Interview:
    """Conducts the interviews of all projects."""

    projects: Projects

    @property
    def asker(self) -> Asker:
        """Who asks what comes next."""
        return Asker(self.projects)

    def start(
        self, project_id: str, conversation_id: str, title: str, *, name: str = "", owner: str = ""
    ) -> dict[str, Any]:
        """Open a project and a conversation in it; what is there already is resumed.

        ``name`` is what its ``owner`` calls it, where that is not its key.
        """
        with self.projects.open() as store:
            known = store.query("SELECT * FROM project WHERE id = :p", p=project_id)
            if not known:
                store.execute(
                    "INSERT INTO project VALUES (:id, :title, :at, 0, :name, :owner)",
                    id=project_id, title=title or name or project_id, at=self.projects.now(),
                    name=name or project_id, owner=owner,
                )  # fmt: skip
            spoken = store.query(
                "SELECT 1 FROM conversation WHERE project = :p AND id = :c", p=project_id, c=conversation_id
            )
            if not spoken:
                store.execute(
                    "INSERT INTO conversation VALUES (:p, :c, :at)",
                    p=project_id,
                    c=conversation_id,
                    at=self.projects.now(),
                )
            again = self._asked_again(store, project_id)
            stands = formulated.last(store, project_id)
            alone = stands is not None and not any(one.structure.values for one in rows.pursuits(store, project_id))
            first = {"do": formulated.GO_ON} if alone else self.asker.first(store, project_id, conversation_id)
            return {
                "project_id": name or project_id,
                "conversation_id": conversation_id,
                "resumed": bool(known),
                "pursuits": [brief(one) for one in rows.pursuits(store, project_id)] if known and not alone else [],
                "recommended": first.get("eads_id"),
                "next_step": "Put next.question to the person; hand in the answer with process_eads_answer."
                if first.get("question")
                else "",
                "asked_again": again,
                "formulation": formulated.standing(stands) if stands else {},
                "next": first,
            }

    def _asked_again(self, store: "Store", project_id: str) -> list[str]:
        """Rules kept in words for which a schema has a field by now, each with that field."""
        found = []
        for pursuit in rows.pursuits(store, project_id):
            for row in pursuit.structure.rows(("rules",)):
                rule = str(pursuit.structure.get((*row, "rule")) or "")
                words = f"{rule} {pursuit.structure.get((*row, 'quote')) or ''}"
                if home := homes(words, self.projects.shelf_of(store, project_id).eads):
                    found.append(f"{rule}: {home}")
        return found

    def next_eads(self, project_id: str, conversation_id: str, *, full: bool = False) -> dict[str, Any]:
        """The ranked recommendation, recorded; polled again in the same state it is recorded once."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            advice = self.projects.advice(store, project_id)
            best = advice.best
            body = {
                "eads_id": best.id if best else "exhausted",
                "rationale": advice.rationale,
                "interviewer_type": best.eads.domain if best else None,
                "priority": best.score if best else 0.0,
                "alternatives": [one.id for one in advice.alternatives],
                "model_lacks": list(advice.lacking),
            }
            last = store.query(
                "SELECT eads, followed FROM advice WHERE project = :p ORDER BY number DESC LIMIT 1", p=project_id
            )
            if not last or last[0]["eads"] != body["eads_id"] or last[0]["followed"]:
                store.execute(
                    "INSERT INTO advice VALUES (:p, :n, :c, :eads, :body, '', :at)",
                    p=project_id, n=rows.new_number(store, "advice", project_id), c=conversation_id,
                    eads=body["eads_id"], body=json.dumps(body), at=self.projects.now(),
                )  # fmt: skip
            known = self.projects.progress(store, project_id)
            other = [one.id for one in advice.blocked if orchestrator.contradicted(one.eads, known)]
            waits = {one.id: "; ".join(one.blocked_by) for one in advice.blocked if one.id not in other}
            others = {", ".join(other): "for another kind of problem than this one"} if other else {}
            more = {"score_parts": dict(best.parts) if best else {}, "blocked": {**waits, **others}}
            return {**body, **(more if full else {})}

    def available(
        self, project_id: str | None, interviewer_type: str | None, completed: list[str]
    ) -> list[tuple[Eads, tuple[str, ...]]]:
        """The schemas of a kind that are not in ``completed``, each with what it requires."""
        done = set(completed)
        if project_id is not None:
            with self.projects.open() as store:
                self.projects.project(store, project_id)
                every = self.projects.shelf_of(store, project_id).eads
                done |= {one.eads.id for one in rows.pursuits(store, project_id) if one.state == "complete"}
        else:
            every = self.projects.shelf().eads
        return [
            (one, tuple(dict.fromkeys(need.eads for need in one.requires)))
            for one in every
            if (interviewer_type is None or one.domain == interviewer_type) and one.id not in done
        ]

    def pursue(self, project_id: str, conversation_id: str, eads_id: str, extra_budget: float) -> dict[str, Any]:
        """Begin a schema, or go on with it; ``extra_budget`` is added to what it has."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            pursuit = self.projects.find(store, project_id, eads_id)
            words = ""
            if pursuit is None:
                pursuit, words = self.asker.carried(
                    store, self.asker.begin(store, project_id, conversation_id, eads_id)
                )
            pursuit = self._renewed(store, project_id, pursuit)
            if extra_budget:
                pursuit = evolve(pursuit, budget=round(pursuit.budget + extra_budget, 6))
                rows.save_pursuit(store, pursuit)
            eads, budget = pursuit.eads, pursuit.left
            shown = self.asker.next(store, pursuit) if pursuit.state != "complete" else {"do": why_done(pursuit)}
            shown |= {"do": f"{words} {shown.get('do', '')}".strip()}
            pursuit = self.projects.pursuit(store, project_id, id_of(pursuit))
            return {
                "eads_instructions": {
                    "eads_id": id_of(pursuit),
                    "title": eads.title,
                    "version": eads.version,
                    "interviewer_type": eads.domain,
                    "objective": eads.objective[:2000],
                },
                "current_state": {
                    "data_structure": rendered(pursuit.structure, eads),
                    "completeness": standing(eads, pursuit.structure).completeness,
                    "state": pursuit.state,
                    "revision": pursuit.revision,
                },
                "budget": budget,
                "next": shown,
            }

    def next_question(
        self, project_id: str, conversation_id: str, eads_id: str, so_far: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """The open question, or a new one; asking twice without an answer asks the same and costs nothing more."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            difference = self._difference(pursuit, so_far)
            pursuit, waiting = self.asker.waiting(store, pursuit)
            if waiting is None:
                return {
                    "question": None, "question_id": None, "question_type": None, "done": True,
                    "reason": why_done(pursuit), "budget_remaining": pursuit.left, "differences": difference,
                }  # fmt: skip
            question = waiting.question
            hook = hooks.question(pursuit.eads, pursuit.structure, question.text)
            return {
                "question": hook.value,
                "question_id": waiting.id,
                "question_type": question.kind,
                "kind": question.finer,
                "table_template": question.template or None,
                "help_text": question.help,
                "why": question.why,
                "budget_cost": question.cost,
                "budget_remaining": pursuit.left,
                "done": False,
                "refinement_schema": form_of(pursuit.eads),
                "differences": difference,
                "notes": [row["text"] for row in self.projects.notes(store, project_id)][-5:],
            }

    def status(self, project_id: str, conversation_id: str, eads_id: str) -> dict[str, Any]:
        """Where a pursuit stands."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            where = standing(pursuit.eads, pursuit.structure)
            return {
                "data_structure": rendered(pursuit.structure, pursuit.eads),
                "completed_fields": list(where.completed),
                "remaining_fields": list(where.remaining),
                "completeness": where.completeness,
                "budget_used": pursuit.used,
                "budget_remaining": pursuit.left,
                "state": pursuit.state,
                "revision": pursuit.revision,
            }

    def finalize(
        self, project_id: str, conversation_id: str, eads_id: str, notes: str, accept_gaps: bool
    ) -> dict[str, Any]:
        """Close a pursuit when everything required is there and fits, or, on request, with its gaps named."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            pursuit = self.projects.pursuit(store, project_id, eads_id)
            wrong = [asdict(one) for one in faults(pursuit.eads, pursuit.structure)]
            hooked = hooks.validate(pursuit.eads, rendered(pursuit.structure, pursuit.eads))
            lacking = missing(pursuit.eads, pursuit.structure)
            good = not wrong and not hooked.value and (not lacking or accept_gaps)
            if good and pursuit.state != "complete":
                pursuit = self.projects.finish(store, pursuit, notes)
            return {
                "success": good,
                "data_structure": rendered(pursuit.structure, pursuit.eads, complete=good and not lacking),
                "validation_results": {
                    "valid": not wrong and not hooked.value,
                    "completeness": standing(pursuit.eads, pursuit.structure).completeness,
                    "missing": list(lacking),
                    "faults": wrong + [{"path": "", "words": words} for words in hooked.value],
                    "hook_errors": list(hooked.errors),
                    "next_step": "Call get_next_eads."
                    if good
                    else "Answer what is missing (get_next_question), or finalize with accept_gaps.",
                },
            }

    def _renewed(self, store: "Store", project_id: str, pursuit: Pursuit) -> Pursuit:
        """A working pursuit under the newest version of its schema, where there is a way to it."""
        newest = self.projects.shelf_of(store, project_id).get(pursuit.eads.id)
        structure = None if newest is None else migrated(pursuit.structure, pursuit.eads, newest)
        if pursuit.state != "working" or newest is None or structure is None:
            return pursuit
        pursuit = evolve(pursuit, eads=newest, structure=structure, revision=pursuit.revision + 1)
        rows.repin(store, pursuit)
        return pursuit

    def _difference(self, pursuit: Pursuit, so_far: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """Where what the caller believes differs from what is stored; the stored state wins."""
        if not so_far:
            return []
        try:
            believed = list(flattened(so_far, pursuit.eads))
        except UnfitError as exc:
            return [{"path": "", "stored": None, "yours": str(exc)}]
        return [
            {"path": path, "stored": pursuit.structure.get(path), "yours": value}
            for path, value in believed
            if not same(pursuit.structure.get(path), value)
        ]
