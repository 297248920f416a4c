"""Rows of the interviews' tables, to domain values and back. Every function belongs to the caller's transaction."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.interview.questions import Question
from packhorse_discovery.domain.interview.structure import Mark, Patch, Structure
from packhorse_discovery.domain.schema import loading
from packhorse_discovery.domain.schema.eads import Eads

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


@frozen
class Pursuit:
    """A pursuit as stored: its schema, what it has filled in, and its budget."""

    project: str
    number: int
    conversation: str
    eads: Eads
    topic: str
    state: str
    budget: float
    used: float
    revision: int
    structure: Structure
    started: str = ""
    finished: str | None = None
    notes: str = ""

    @property
    def left(self) -> float:
        """What is left of the budget, never below 0."""
        return max(0.0, round(self.budget - self.used, 6))


@frozen
class Asked:
    """A question as stored."""

    id: str
    pursuit: int
    number: int
    question: Question
    state: str
    asked: str = ""


def new_number(store: "Store", table: str, project: str, pursuit: int | None = None) -> int:
    """The next number in a table, within a project (and a pursuit): the same state gives the same number."""
    where = "project = :project" + ("" if pursuit is None else " AND pursuit = :pursuit")
    given: dict[str, Any] = {"project": project} if pursuit is None else {"project": project, "pursuit": pursuit}
    rows = store.query(f"SELECT COALESCE(MAX(number), 0) + 1 AS next FROM {table} WHERE {where}", **given)  # noqa: S608
    return int(rows[0]["next"])


def pursuits(store: "Store", project: str) -> list[Pursuit]:
    """Every pursuit of a project, in the order of their start."""
    return [_held(row) for row in store.query("SELECT * FROM pursuit WHERE project = :p ORDER BY number", p=project)]


def insert_pursuit(store: "Store", pursuit: Pursuit) -> None:
    """Write a new pursuit; its schema stays with it, whatever happens to the library."""
    store.execute(
        "INSERT INTO pursuit VALUES (:project, :number, :conversation, :eads, :topic, :origin, :document, :state,"
        " :budget, :used, :revision, :started, NULL, :notes, :structure)",
        project=pursuit.project, number=pursuit.number, conversation=pursuit.conversation, eads=pursuit.eads.id,
        topic=pursuit.topic, origin=pursuit.eads.origin, document=json.dumps(dict(pursuit.eads.document)),
        state=pursuit.state, budget=pursuit.budget, used=pursuit.used, revision=pursuit.revision,
        started=pursuit.started, notes=pursuit.notes, structure=_structure_text(pursuit.structure),
    )  # fmt: skip


def save_pursuit(store: "Store", pursuit: Pursuit) -> None:
    """Write what has changed in a pursuit."""
    store.execute(
        "UPDATE pursuit SET state = :state, budget = :budget, used = :used, revision = :revision,"
        " finished = :finished, notes = :notes, structure = :structure WHERE project = :project AND number = :number",
        state=pursuit.state, budget=pursuit.budget, used=pursuit.used, revision=pursuit.revision,
        finished=pursuit.finished, notes=pursuit.notes, structure=_structure_text(pursuit.structure),
        project=pursuit.project, number=pursuit.number,
    )  # fmt: skip


def repin(store: "Store", pursuit: Pursuit) -> None:
    """Put a pursuit on the document that ``pursuit`` now has."""
    store.execute(
        "UPDATE pursuit SET document = :document WHERE project = :project AND number = :number",
        document=json.dumps(dict(pursuit.eads.document)),
        project=pursuit.project,
        number=pursuit.number,
    )
    save_pursuit(store, pursuit)


def questions(store: "Store", project: str, pursuit: int | None = None) -> list[Asked]:
    """The questions of a pursuit, or of all of a project's, in order."""
    where = "" if pursuit is None else " AND pursuit = :pursuit"
    given: dict[str, Any] = {} if pursuit is None else {"pursuit": pursuit}
    rows = store.query(
        f"SELECT * FROM question WHERE project = :project{where} ORDER BY pursuit, number",  # noqa: S608
        project=project,
        **given,
    )
    return [
        Asked(row["id"], row["pursuit"], row["number"], _question(row["spec"]), row["state"], row["asked"])
        for row in rows
    ]


def insert_question(store: "Store", project: str, asked: Asked) -> None:
    """Write a question that is being asked."""
    store.execute(
        "INSERT INTO question VALUES (:project, :pursuit, :number, :id, :spec, :signature, :asked, :state)",
        project=project, pursuit=asked.pursuit, number=asked.number, id=asked.id,
        spec=json.dumps(asdict(asked.question)), signature=asked.question.signature, asked=asked.asked,
        state=asked.state,
    )  # fmt: skip


def answers(store: "Store", project: str) -> list[tuple[str, str]]:
    """Every answer of a project in the order given: the question's id and the words; none that was taken back."""
    kept = store.query(
        "SELECT question, text FROM answer WHERE project = :p AND taken_back = 0 ORDER BY rowid", p=project
    )
    return [(row["question"], row["text"]) for row in kept]


def insert_answer(
    store: "Store", pursuit: Pursuit, question: str, text: str, refinement: str, by: str, responsive: bool, note: str,
    refused: Iterable[str], not_used: Iterable[str], at: str,
) -> None:  # fmt: skip
    """Write an answer, with the paths at which its refinement was refused and the numbers that nothing used."""
    store.execute(
        "INSERT INTO answer (project, pursuit, number, question, text, refinement, by_whom, responsive, note, at,"
        " refused, not_used) VALUES (:p, :n, :number, :q, :text, :refinement, :by, :responsive, :note, :at, :refused,"
        " :not_used)",
        p=pursuit.project, n=pursuit.number, number=new_number(store, "answer", pursuit.project, pursuit.number),
        q=question, text=text, refinement=refinement, by=by, responsive=int(responsive), note=note, at=at,
        refused=json.dumps(list(refused)), not_used=json.dumps(list(not_used)),
    )  # fmt: skip


def unused_before(store: "Store", project: str, text: str) -> list[str] | None:
    """What of an answer was left unused when the same words were last handed in; None where they were not."""
    found = store.query(
        "SELECT not_used FROM answer WHERE project = :p AND text = :text AND taken_back = 0 AND not_used <> ''"
        " ORDER BY rowid DESC LIMIT 1",
        p=project, text=text,
    )  # fmt: skip
    return list(json.loads(found[0]["not_used"])) if found else None


def is_taken(store: "Store", pursuit: Pursuit, question: str, text: str, refinement: str, by: str) -> bool:
    """Whether the same answer is on record already."""
    same = store.query(
        "SELECT 1 FROM answer WHERE project = :p AND pursuit = :n AND question = :q AND text = :text"
        " AND refinement = :refinement AND by_whom = :by AND taken_back = 0 AND responsive = 1",
        p=pursuit.project, n=pursuit.number, q=question, text=text, refinement=refinement, by=by,
    )  # fmt: skip
    return bool(same)


def refused_before(store: "Store", pursuit: Pursuit) -> list[str]:
    """Every path at which a refinement of a pursuit was refused, as often as it was."""
    found = store.query(
        "SELECT refused FROM answer WHERE project = :p AND pursuit = :n", p=pursuit.project, n=pursuit.number
    )
    return [str(path) for row in found for path in json.loads(row["refused"])]


def last_answered(store: "Store", pursuit: Pursuit) -> str | None:
    """The question of the last answer that recorded anything and was not taken back."""
    found = store.query(
        "SELECT question FROM answer WHERE project = :p AND pursuit = :n AND responsive = 1 AND taken_back = 0"
        " ORDER BY number DESC LIMIT 1",
        p=pursuit.project, n=pursuit.number,
    )  # fmt: skip
    return str(found[0]["question"]) if found else None


def take_back(store: "Store", pursuit: Pursuit, question: str) -> None:
    """Mark the answers to a question as taken back: the question is open again."""
    store.execute(
        "UPDATE answer SET taken_back = 1 WHERE project = :p AND pursuit = :n AND question = :q",
        p=pursuit.project, n=pursuit.number, q=question,
    )  # fmt: skip
    set_question_state(store, pursuit.project, question, "dropped")


def set_question_state(store: "Store", project: str, question_id: str, state: str) -> None:
    """Mark a question answered."""
    store.execute(
        "UPDATE question SET state = :state WHERE project = :project AND id = :id",
        state=state,
        project=project,
        id=question_id,
    )


def insert_patches(store: "Store", pursuit: Pursuit, patches: Iterable[Patch], at: str) -> None:
    """Write the changes of one answer."""
    number = new_number(store, "patch", pursuit.project, pursuit.number)
    for offset, patch in enumerate(patches):
        store.execute(
            "INSERT INTO patch VALUES (:project, :pursuit, :number, :path, :body, :at)",
            project=pursuit.project, pursuit=pursuit.number, number=number + offset, path=patch.path,
            body=json.dumps(asdict(patch)), at=at,
        )  # fmt: skip


def patches(store: "Store", project: str, pursuit: int) -> list[Patch]:
    """Every change of a pursuit, in order."""
    rows = store.query(
        "SELECT body FROM patch WHERE project = :p AND pursuit = :n ORDER BY number", p=project, n=pursuit
    )
    found: list[Patch] = []
    for row in rows:
        body = json.loads(row["body"])
        old_mark = body["old_mark"]
        found.append(
            Patch(
                body["path"],
                body["op"],
                body["new"],
                Mark(**body["mark"]),
                body["old"],
                Mark(**old_mark) if old_mark else None,
            )
        )
    return found


def put_conflict(store: "Store", project: str, conflict: Conflict, at: str) -> None:
    """Write a conflict met while merging; one that is known stays as it is."""
    store.execute(
        "INSERT INTO conflict VALUES (:project, :id, :kind, :body, 'open', '', :at)"
        " ON CONFLICT (project, id) DO NOTHING",
        project=project, id=conflict.id, kind=conflict.kind, body=json.dumps(asdict(conflict)), at=at,
    )  # fmt: skip


def resolve_conflict(store: "Store", project: str, conflict: Conflict, resolution: str, at: str) -> None:
    """Close a conflict, stored or just detected."""
    put_conflict(store, project, conflict, at)
    store.execute(
        "UPDATE conflict SET state = 'resolved', resolution = :resolution WHERE project = :project AND id = :id",
        resolution=resolution,
        project=project,
        id=conflict.id,
    )


def conflicts(store: "Store", project: str) -> list[tuple[Conflict, str, str]]:
    """Every stored conflict with its state and resolution."""
    rows = store.query("SELECT * FROM conflict WHERE project = :p ORDER BY at, id", p=project)
    found: list[tuple[Conflict, str, str]] = []
    for row in rows:
        body = json.loads(row["body"])
        body["paths"], body["statements"] = tuple(body["paths"]), tuple(body["statements"])
        found.append((Conflict(**body), row["state"], row["resolution"]))
    return found


def _held(row: Mapping[str, Any]) -> Pursuit:
    return Pursuit(
        project=row["project"], number=row["number"], conversation=row["conversation"],
        eads=_eads(row["document"], row["eads"], row["origin"]), topic=row["topic"], state=row["state"],
        budget=row["budget"], used=row["used"], revision=row["revision"], structure=_structure(row["structure"]),
        started=row["started"], finished=row["finished"], notes=row["notes"],
    )  # fmt: skip


@lru_cache(maxsize=256)
def _eads(document: str, name: str, origin: str) -> Eads:
    return evolve(loading.load(json.loads(document), name=name, origin=origin), id=name)


@lru_cache(maxsize=1024)
def _question(text: str) -> Question:
    body = json.loads(text)
    for name in ("block", "paths", "rows"):
        body[name] = tuple(body[name])
    return Question(**body)


def _structure_text(structure: Structure) -> str:
    marks = {path: asdict(mark) for path, mark in structure.marks.items()}
    return json.dumps({"values": structure.values, "marks": marks})


@lru_cache(maxsize=256)
def _structure(text: str) -> Structure:
    body = json.loads(text)
    return Structure(body["values"], {path: Mark(**mark) for path, mark in body["marks"].items()})
