"""The formulation that stands in a project: read by whoever resumes, exports or shows it."""

import json
from typing import TYPE_CHECKING, Any

from packhorse_discovery.store import rows

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

GO_ON = (
    "A formulation stands. Read its value to the person, and ask about what is not kept. To change it, take it from "
    "get_aggregated_scr, and call solve_formulation with the whole of it changed and what they said since as words; "
    "with project_id alone it is solved again. For an interview by schemas call get_next_eads."
)
"""What to do in a project whose problem was written as a formulation."""

WORDS_TO = (
    "No question is open, and the problem is of no built-in kind; give what the person said to solve_formulation under "
    "words, with the formulation"
)
"""Where an answer goes that no question asked for."""


def last(store: "Store", project_id: str) -> dict[str, Any] | None:
    """The row of the last formulation solved, its document and answer read; None where there is none."""
    found = store.query("SELECT * FROM formulation WHERE project = :p ORDER BY number DESC LIMIT 1", p=project_id)
    if not found:
        return None
    return {**found[0], "document": json.loads(found[0]["document"]), "body": json.loads(found[0]["body"])}


def statements(store: "Store", project_id: str) -> list[str]:
    """What was said beside the interview's questions, in the order given."""
    rows = store.query("SELECT text FROM statement WHERE project = :p ORDER BY number", p=project_id)
    return [row["text"] for row in rows]


def record(store: "Store", project_id: str, *, full: bool = True) -> dict[str, Any]:
    """The last formulation, ``full`` with its words and its answer; empty where there is none."""
    found = last(store, project_id)
    if found is None:
        return {}
    (project,) = store.query("SELECT version FROM project WHERE id = :p", p=project_id)
    more = {"words": statements(store, project_id), "answer": found["body"]} if full else {}
    return {
        "standing": standing(found),
        **more,
        "formulation": found["document"],
        "facts_changed_since": found["version"] != project["version"],
    }


def place_of_words(store: "Store", project_id: str) -> str:
    """Where a further answer goes once nothing is asked, in a problem of no built-in kind; empty in any other."""
    kinds = (one.structure.get(("principal-problem-type",)) for one in rows.pursuits(store, project_id))
    return WORDS_TO if last(store, project_id) or "NONE-OF-THESE" in kinds else ""


def every(store: "Store", project_id: str) -> list[dict[str, Any]]:
    """Each formulation that was solved, in a few lines with what its answer says."""
    rows = store.query("SELECT * FROM formulation WHERE project = :p ORDER BY number", p=project_id)
    read = ({**row, "document": json.loads(row["document"]), "body": json.loads(row["body"])} for row in rows)
    return [{**standing(one), "summary": one["body"]["summary"]} for one in read]


def standing(found: dict[str, Any]) -> dict[str, Any]:
    """A formulation in a few lines: its name, goal, last value, and what of the words it does not keep."""
    document, body = found["document"], found["body"]
    sense = next((each for each in ("minimize", "maximize") if each in document), "")
    return {
        "name": f"formulation {found['number']}",
        "goal": f"{sense} {document[sense]}" if sense else "none: any plan that keeps the rules",
        "status": body["status"],
        "value": body.get("objective"),
        "not_kept": [
            *body.get("not_used", []),
            *(f"{each}: {why}" if why else each for each, why in body.get("ignored", {}).items()),
        ],
    }
