"""The casefile: what a project holds besides its open interview, to read, to add to, and to erase."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.questions import plan
from packhorse_discovery.domain.interview.structure import rendered
from packhorse_discovery.domain.schema.linting import lint
from packhorse_discovery.errors import refusal
from packhorse_discovery.service import formulated
from packhorse_discovery.service.library import parse
from packhorse_discovery.service.projects import Projects, id_of
from packhorse_discovery.store import rows

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

MAX_PROPOSED = 50
"""How many schemas one project may bring of its own."""


@frozen
class Casefile:
    """Everything that is on record."""

    projects: Projects

    def scr(self, project_id: str, conversation_id: str | None = None) -> Scr:
        """Everything that has been established, as the model is built from it; a conversation given must exist."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            if conversation_id is not None:
                self.projects.conversation(store, project_id, conversation_id)
            return self.projects.scr(store, project_id)

    def formulation(self, project_id: str, *, full: bool = True) -> dict[str, Any]:
        """The last formulation, ``full`` with its words and answer; empty where the project has none."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            return formulated.record(store, project_id, full=full)

    def structures(self, project_id: str, wanted: list[str] | None = None) -> dict[str, dict[str, Any]]:
        """The structures of a project by schema id, of ``wanted`` ids only where given.

        Those of another kind of problem than the one that holds now are kept, and shown only where they are wanted.
        """
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            known = self.projects.progress(store, project_id)
            return {
                id_of(one): rendered(one.structure, one.eads)
                for one in rows.pursuits(store, project_id)
                if one.eads.id in (wanted or ())
                or id_of(one) in (wanted or ())
                or not (wanted or orchestrator.contradicted(one.eads, known))
            }

    def history(self, project_id: str, conversation_id: str) -> dict[str, Any]:
        """The conversation as it went: pursuits, their questions and answers, notes, recommendations, models."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            scr = self.projects.scr(store, project_id)
            spoken = store.query("SELECT * FROM answer WHERE project = :p ORDER BY pursuit, number", p=project_id)
            asked = {one.id: one for one in rows.questions(store, project_id)}
            first: dict[str, str] = {}
            for row in spoken:
                first.setdefault(row["text"], row["question"])
            activities = [
                {
                    "pursuing_eads": id_of(pursuit),
                    "state": pursuit.state,
                    "questions_answers": [
                        {
                            "question_id": row["question"],
                            "question": asked[row["question"]].question.text,
                            "answer": row["text"]
                            if first[row["text"]] == row["question"]
                            else f"(the words of {first[row['text']]})",
                            "answered_by": row["by_whom"],
                            "commit_notes": row["note"],
                        }
                        for row in spoken
                        if row["pursuit"] == pursuit.number
                    ],
                    "summary_ds": rendered(pursuit.structure, pursuit.eads),
                }
                for pursuit in rows.pursuits(store, project_id)
                if pursuit.conversation == conversation_id
            ]
            runs = store.query("SELECT * FROM model_run WHERE project = :p ORDER BY number DESC LIMIT 1", p=project_id)
            return {
                "scheduling_challenges": [one.value for one in scr.challenges],
                "activities": activities,
                "statements": formulated.statements(store, project_id),
                "formulations": formulated.every(store, project_id),
                "notes": [
                    {"text": row["text"], "by": row["by_whom"]} for row in self.projects.notes(store, project_id)
                ],
                "minizinc": runs[0]["program"] if runs else "",
                "minizinc_results": runs[0]["body"] if runs else "",
            }

    def note(self, project_id: str, conversation_id: str, text: str, by: str) -> dict[str, Any]:
        """Keep a note for the assistant and the orchestrator."""
        with self.projects.open() as store:
            self.projects.conversation(store, project_id, conversation_id)
            number = rows.new_number(store, "note", project_id)
            store.execute(
                "INSERT INTO note VALUES (:p, :n, :c, :text, :by, :at)",
                p=project_id, n=number, c=conversation_id, text=text, by=by, at=self.projects.now(),
            )  # fmt: skip
            return {"note_id": f"n{number}", "notes": number}

    def propose(self, project_id: str, document: Mapping[str, Any], by: str) -> dict[str, Any]:
        """Take a schema into one project, when it is free of errors; hooks of a proposal are never run."""
        try:
            eads = parse(json.dumps(document), "proposed.json", "proposed")
        except ValueError as exc:
            raise refusal("EADS_UNREADABLE", "document", f"is not a valid schema: {exc}") from exc
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            shelf = self.projects.shelf_of(store, project_id)
            problems = [*lint(eads, {one.id for one in shelf.eads})]
            if any(one.severity == "error" for one in problems):
                raise refusal(
                    "EADS_FAULTY", "document", "; ".join(one.words for one in problems if one.severity == "error")
                )
            if self.projects.shelf().get(eads.id) is not None:
                eads = evolve(eads, id=f"{eads.id}.project")  # told apart from the library's own
            count = store.query("SELECT COUNT(*) AS n FROM eads WHERE project = :p", p=project_id)[0]["n"]
            if count >= MAX_PROPOSED:
                raise refusal(
                    "TOO_MANY_EADS",
                    "document",
                    f"is over the limit: a project may have at most {MAX_PROPOSED} schemas of its own",
                )
            store.execute(
                "INSERT INTO eads VALUES (:p, :id, :document, :by, :at) ON CONFLICT (project, id) DO UPDATE SET"
                " document = excluded.document, by_whom = excluded.by_whom, at = excluded.at",
                p=project_id, id=eads.id, document=json.dumps(document), by=by, at=self.projects.now(),
            )  # fmt: skip
            return {
                "eads_id": eads.id,
                "version": eads.version,
                "warnings": [one.words for one in problems],
                "question_plan": [one.text for one in plan(eads)],
            }

    def keep_model(self, project_id: str, target: str, program: str, body: Mapping[str, Any], *, job: str = "") -> int:
        """Write a model and its result to the history, of one ``job`` once; the number it has there."""
        with self.projects.open() as store:
            project = self.projects.project(store, project_id)
            if job and (kept := self._kept_by(store, project_id, job)):
                return int(kept["number"])
            number = rows.new_number(store, "model_run", project_id)
            store.execute(
                "INSERT INTO model_run VALUES (:p, :n, :v, :target, :program, :body, :at, :job)",
                p=project_id, n=number, v=project["version"], target=target, program=program, body=json.dumps(body),
                at=self.projects.now(), job=job,
            )  # fmt: skip
            return number

    def last_model(self, project_id: str) -> dict[str, Any] | None:
        """The last model kept, with its result; None where there is none."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            runs = store.query("SELECT * FROM model_run WHERE project = :p ORDER BY number DESC LIMIT 1", p=project_id)
            return {**runs[0], "body": json.loads(runs[0]["body"])} if runs else None

    def started(self, project_id: str) -> str:
        """When the project was opened, ISO 8601 in UTC: one of the same name after it was erased is another."""
        with self.projects.open() as store:
            return str(self.projects.project(store, project_id)["started"])

    def model_of(self, project_id: str, job: str) -> dict[str, Any] | None:
        """What a job has kept, with its result; None while it has kept nothing."""
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            kept = self._kept_by(store, project_id, job)
            return {**kept, "body": json.loads(kept["body"])} if kept else None

    def _kept_by(self, store: "Store", project_id: str, job: str) -> dict[str, Any] | None:
        found = store.query("SELECT * FROM model_run WHERE project = :p AND job = :job", p=project_id, job=job)
        return found[0] if found else None

    def delete(self, project_id: str) -> dict[str, Any]:
        """Erase a project and everything that was said in it."""
        with self.projects.open() as store:
            project = self.projects.project(store, project_id)
            counted = store.query("SELECT COUNT(*) AS n FROM pursuit WHERE project = :p", p=project_id)[0]["n"]
            store.execute("DELETE FROM project WHERE id = :p", p=project_id)
            return {"project_id": project["name"], "deleted": True, "pursuits": counted}
