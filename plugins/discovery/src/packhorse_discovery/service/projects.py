"""The projects as stored: the store is opened once a call, and what the services work on is looked up here."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse import Host
from packhorse_discovery.domain.case.aggregate import aggregate
from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.case.conflicts import detect
from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.questions import Question, next_question
from packhorse_discovery.domain.interview.structure import rendered
from packhorse_discovery.domain.schema.eads import is_moment, slug
from packhorse_discovery.errors import refusal, unknown_project
from packhorse_discovery.service import hooks
from packhorse_discovery.service.library import Library, library, parse
from packhorse_discovery.store import rows
from packhorse_discovery.store.rows import Asked, Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


@frozen
class Projects:
    """What all projects hold. ``host`` gives the store, the clock and the settings."""

    host: Host

    @contextmanager
    def open(self) -> Iterator["Store"]:
        """A transaction on the store: all of the call, or none of it."""
        with self.host.store() as store, store.tx():
            yield store

    def now(self) -> str:
        """The present instant, ISO 8601 in UTC."""
        return self.host.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def shelf(self) -> Library:
        """The library of this deployment, without what projects brought."""
        settings = self.host.settings
        return library(tuple(str(path) for path in settings.eads_path) if settings else ())

    def shelf_of(self, store: "Store", project_id: str) -> Library:
        """The library with what the project brought itself."""
        own = store.query("SELECT id, document FROM eads WHERE project = :p ORDER BY id", p=project_id)
        shelf = self.shelf()
        return evolve(
            shelf,
            eads=(
                *shelf.eads,
                *(evolve(parse(row["document"], "proposed.json", "proposed"), id=row["id"]) for row in own),
            ),
        )

    def project(self, store: "Store", project_id: str) -> dict[str, Any]:
        """The row of a project."""
        found = store.query("SELECT * FROM project WHERE id = :p", p=project_id)
        if not found:
            raise unknown_project(project_id)
        return found[0]

    def conversation(self, store: "Store", project_id: str, conversation_id: str) -> None:
        """Check that the conversation is there."""
        self.project(store, project_id)
        if not store.query(
            "SELECT 1 FROM conversation WHERE project = :p AND id = :c", p=project_id, c=conversation_id
        ):
            raise refusal(
                "CONVERSATION_UNKNOWN",
                "conversation_id",
                "is not a conversation of this project: call start_interview with this project's id",
            )

    def find(self, store: "Store", project_id: str, eads_id: str) -> Pursuit | None:
        """The pursuit of a schema, the latest where there are several; None where there is none."""
        return next(
            (one for one in reversed(rows.pursuits(store, project_id)) if eads_id in (id_of(one), one.eads.id)),
            None,
        )

    def pursuit(self, store: "Store", project_id: str, eads_id: str) -> Pursuit:
        """The pursuit of a schema, open or finished."""
        pursuit = self.find(store, project_id, eads_id)
        if pursuit is None:
            raise refusal(
                "NOT_PURSUED",
                "eads_id",
                "names a schema that has not started in this project: call start_eads_pursuit first",
            )
        return pursuit

    def version(self, store: "Store", project_id: str) -> int:
        """The version of what is established."""
        return int(self.project(store, project_id)["version"])

    def save(self, store: "Store", pursuit: Pursuit, patches: list[Any]) -> Pursuit:
        """Write a changed pursuit and its changes; the next revision."""
        pursuit = evolve(pursuit, revision=pursuit.revision + 1)
        rows.save_pursuit(store, pursuit)
        rows.insert_patches(store, pursuit, patches, self.now())
        store.execute("UPDATE project SET version = version + 1 WHERE id = :p", p=pursuit.project)
        return pursuit

    def finish(self, store: "Store", pursuit: Pursuit, notes: str) -> Pursuit:
        """Mark a pursuit as complete and keep its structure; a formulation of the same facts is still of them."""
        before = self.version(store, pursuit.project)
        pursuit = self.save(store, evolve(pursuit, state="complete", finished=self.now(), notes=notes), [])
        store.execute(
            "UPDATE formulation SET version = :v WHERE project = :p AND version = :before",
            p=pursuit.project, v=self.version(store, pursuit.project), before=before,
        )  # fmt: skip
        store.execute(
            "INSERT INTO scr VALUES (:p, :v, :body, :at)",
            p=pursuit.project, v=self.version(store, pursuit.project), at=self.now(),
            body=json.dumps({id_of(pursuit): rendered(pursuit.structure, pursuit.eads)}),
        )  # fmt: skip
        return pursuit

    def read(self, store: "Store", project_id: str) -> list[Established]:
        """The pursuits as the aggregate reads them; none of another kind of problem than the one that holds now."""
        return self._parted(store, project_id)[0]

    def _parted(self, store: "Store", project_id: str) -> tuple[list[Established], list[Established]]:
        """The pursuits of the kind of problem that holds now, and those of other kinds."""
        known = self.progress(store, project_id)
        now: list[Established] = []
        past: list[Established] = []
        for one in rows.pursuits(store, project_id):
            other = orchestrator.contradicted(one.eads, known)
            (past if other else now).append(Established(one.eads, one.structure, one.topic))
        return now, past

    def scr(self, store: "Store", project_id: str) -> Scr:
        """Everything established, with the open contradictions."""
        established, past = self._parted(store, project_id)
        project = self.project(store, project_id)
        first = aggregate(project["name"], established, past=past, version=int(project["version"]))
        closed = {one.id for one, state, _ in rows.conflicts(store, project_id) if state == "resolved"}
        found = [one.sentence for one in detect(first, established) if one.id not in closed]
        return evolve(first, conflicts=tuple(dict.fromkeys(found)))

    def origin(self, store: "Store", project_id: str) -> str:
        """The date on which the schedule starts, where one was named; the last pursuit that has it counts."""
        named = (one.structure.get("/origin") for one in reversed(rows.pursuits(store, project_id)))
        return next((str(value)[:10] for value in named if is_moment(value)), "")

    def conflicts(self, store: "Store", project_id: str) -> list[tuple[Conflict, str, str]]:
        """Every conflict that there is now, and those that were settled; open ones first.

        Only what was decided is stored: an open conflict lasts as long as what it is between.
        """
        established = self.read(store, project_id)
        settled = [one for one in rows.conflicts(store, project_id) if one[1] == "resolved"]
        known = {one.id for one, _, _ in settled}
        fresh = [
            (one, "open", "") for one in detect(aggregate(project_id, established), established) if one.id not in known
        ]
        return [*fresh, *sorted(settled, key=lambda one: one[0].id)]

    def progress(self, store: "Store", project_id: str) -> list[orchestrator.Progress]:
        """The pursuits as the orchestrator sees them."""
        return [
            orchestrator.Progress(
                one.eads, one.structure, "complete" if one.state == "complete" else "working", one.topic, one.left
            )
            for one in rows.pursuits(store, project_id)
        ]

    def advice(self, store: "Store", project_id: str) -> orchestrator.Recommendation:
        """What to pursue next."""
        scr = self.scr(store, project_id)
        clashing = {
            path.rsplit("//")[0]
            for one, state, _ in self.conflicts(store, project_id)
            if state == "open"
            for path in one.paths
        }
        shelf = self.shelf_of(store, project_id)
        return orchestrator.recommend(
            shelf.eads,
            self.progress(store, project_id),
            challenges=[one.value for one in scr.challenges],
            conflicted=[one.id for one in shelf.eads if any(path.startswith(one.id + "/") for path in clashing)],
        )

    def notes(self, store: "Store", project_id: str) -> list[dict[str, Any]]:
        """The notes of a project."""
        return store.query("SELECT text, by_whom FROM note WHERE project = :p ORDER BY number", p=project_id)


def id_of(pursuit: Pursuit) -> str:
    """A pursuit's id: its schema's, with the topic."""
    return f"{pursuit.eads.id}--{slug(pursuit.topic)}" if pursuit.topic else pursuit.eads.id


def brief(pursuit: Pursuit) -> dict[str, Any]:
    """A pursuit in a line."""
    return {
        "eads_id": id_of(pursuit),
        "state": pursuit.state,
        "completeness": standing(pursuit.eads, pursuit.structure).completeness,
        "budget_remaining": pursuit.left,
    }


def decide(pursuit: Pursuit, asked: list[Asked]) -> Question | None:
    """What to ask now; None when nothing is left or the budget does not pay for it."""
    if hooks.complete(pursuit.eads, rendered(pursuit.structure, pursuit.eads)).value:
        return None
    pending = sum(one.question.cost for one in asked if one.state == "asked")
    signatures = [one.question.signature for one in asked if one.state == "answered"]
    question = next_question(pursuit.eads, pursuit.structure, asked=signatures, topic=pursuit.topic)
    return None if question is None or question.cost > pursuit.left + pending + 1e-9 else question


def source_of(pursuit: Pursuit, path: str) -> str | None:
    """The question that gave a value."""
    mark = pursuit.structure.marks.get(path)
    return mark.question_id if mark else None


def check_revision(pursuit: Pursuit, expected: int | None) -> None:
    """Refuse a caller who has not seen the latest change."""
    if expected is not None and expected != pursuit.revision:
        raise refusal(
            "REVISION_STALE", "expected_revision",
            f"is {expected}, but the current revision is {pursuit.revision}. Call get_eads_status, and use"
            " its revision",
        )  # fmt: skip
