"""Formulations of a project: checked against what was said, solved in the call or by a job, kept with their answers."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import UserError
from packhorse_discovery.domain.formulation.fault import Fault, FormulationError
from packhorse_discovery.domain.formulation.form import Formulation, label
from packhorse_discovery.domain.formulation.form_reader import read
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.formulated import last, statements
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.store import rows

if TYPE_CHECKING:
    from packhorse.jobs import Running, Work
    from packhorse_discovery.domain.formulation.evidence import Support
    from packhorse_discovery.solver.formulation.solve import Answer

EXAMPLES = ("assignment", "blending", "packing", "roster", "routing", "selection", "shop")
MOST_STATEMENTS = 200
"""How many statements beside the interview one project keeps."""

_OVERHEAD_SECONDS = 60.0


@frozen
class Formulator:
    """Checks, solves and keeps the formulations of a project."""

    projects: Projects

    def prepared(self, project_id: str, document: Mapping[str, Any] | None, words: str) -> dict[str, Any]:
        """The formulation to solve, given or kept, after a check against everything that was said.

        ``words`` join what the project holds only where the formulation stands, so that a refused one leaves nothing.

        Raises:
            UserError: every fault, a sentence each.
        """
        with self.projects.open() as store:
            self.projects.project(store, project_id)
            said = self._said(store, project_id)
            fresh = [words] if words.strip() and words not in said else []
            chosen = document if document is not None else (last(store, project_id) or {}).get("document")
            if chosen is None:
                raise refusal(
                    "NO_FORMULATION", "formulation", "is required, because this project has no formulation yet"
                )
            if not said and not fresh:
                raise refusal(
                    "NO_WORDS", "words", "is required: give what the person said about the problem, word for word"
                )
            _checked(chosen, [*said, *fresh])
            if fresh:
                if len(said) >= MOST_STATEMENTS:
                    raise refusal(
                        "TOO_MANY_WORDS",
                        "words",
                        f"is over the limit: a project may have at most {MOST_STATEMENTS} statements",
                    )
                number = rows.new_number(store, "statement", project_id)
                store.execute(
                    "INSERT INTO statement VALUES (:p, :n, :text, :at)",
                    p=project_id, n=number, text=words, at=self.projects.now(),
                )  # fmt: skip
                store.execute("UPDATE project SET version = version + 1 WHERE id = :p", p=project_id)
            return dict(chosen)

    def order(self, project_id: str, document: Mapping[str, Any], *, seconds: float, seed: int) -> "Work":
        """The job that solves a formulation that was checked; in the same state it is the same job."""
        from packhorse.jobs import Work

        with self.projects.open() as store:
            project = self.projects.project(store, project_id)
            latest = last(store, project_id)
        state = [
            project_id,
            project["started"],
            document,
            seconds,
            seed,
            project["version"],
            (latest or {}).get("number", 0),
        ]
        return Work(
            f"{__name__}:compute",
            {"project_id": project_id, "document": dict(document), "seconds": seconds, "seed": seed},
            key=hashlib.sha256(json.dumps(state).encode()).hexdigest(),
            seconds=seconds + _OVERHEAD_SECONDS,
        )

    def solve(
        self, project_id: str, document: Mapping[str, Any], *, seconds: float, seed: int, job: str = ""
    ) -> dict[str, Any]:
        """Solve and keep the answer; what a ``job`` has kept already is given again."""
        with self.projects.open() as store:
            version = self.projects.version(store, project_id)
            kept = store.query("SELECT body FROM formulation WHERE project = :p AND job = :job", p=project_id, job=job)
            if job and kept:
                return dict(json.loads(kept[0]["body"]))
            said = self._said(store, project_id)
        formulation, support = _checked(document, said)
        from packhorse_discovery.solver.formulation.solve import solve  # OR-tools loads with the first one solved

        try:
            answer = solve(formulation, seconds=seconds, seed=seed)
        except FormulationError as exc:
            raise _refused(exc.faults) from exc
        body = told(formulation, support, answer)
        with self.projects.open() as store:
            number = rows.new_number(store, "formulation", project_id)
            store.execute(
                "INSERT INTO formulation VALUES (:p, :n, :v, :document, :body, :job, :at)",
                p=project_id, n=number, v=version, document=json.dumps(document), body=json.dumps(body), job=job,
                at=self.projects.now(),
            )  # fmt: skip
        return body

    def _said(self, store: Any, project_id: str) -> list[str]:
        """Every answer of the interview and every statement, in the order given."""
        return [text for _, text in rows.answers(store, project_id)] + statements(store, project_id)


def compute(running: "Running", project_id: str, document: dict[str, Any], seconds: float, seed: int) -> dict[str, Any]:
    """What the job does."""
    running.report_progress(0, seconds, "searching")
    formulator = Formulator(Projects(running.host))
    return in_short(formulator.solve(project_id, document, seconds=seconds, seed=seed, job=running.job_id))


def in_short(body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without what the caller wrote, which is kept with the project."""
    return {name: each for name, each in body.items() if name != "ignored"}


@lru_cache(maxsize=16)
def shown(name: str) -> dict[str, Any]:
    """How a formulation is written ("form"), or an example of it: its words, formulation and objective."""
    folder = files("packhorse_discovery") / "formulations"
    form = (folder / "form.md").read_text()
    if name == "form":
        return {"summary": "How a formulation is written.", "form": form, "examples": list(EXAMPLES)}
    if name not in EXAMPLES:
        raise refusal("EXAMPLE_UNKNOWN", "example", f"must be 'form', or the name of an example: {', '.join(EXAMPLES)}")
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
    return {"summary": found["title"] + ".", **found}


def told(formulation: Formulation, support: "Support", answer: "Answer") -> dict[str, Any]:
    """An answer as the caller reads it; values of 0 are left out."""
    values: dict[str, Any] = {}
    for variable, value in (answer.values or {}).items():
        size = _size(value)
        if not variable.key:
            values[variable.name] = size
        else:
            cells = values.setdefault(variable.name, {})
            if size:
                cells[label(variable.key)] = size
    objective = None if answer.objective is None else round(float(answer.objective), 6)
    body = {
        "summary": _summary(formulation, answer, objective),
        "status": answer.status,
        "objective": objective,
        "bound": None if answer.bound is None else round(float(answer.bound), 6),
        "verified": answer.values is not None,
        "values": values,
        "conflict": [{"rule": rule.name, "expression": rule.text, "quote": rule.quote} for rule in answer.conflict],
        "derived": dict(support.derived),
        "ignored": dict(formulation.ignored),
        "notes": list(support.notes),
        "not_used": list(support.not_used),
        "engine": answer.engine,
    }
    return {name: each for name, each in body.items() if each not in (None, {}, [], "")}


def _size(value: Fraction) -> int | float:
    """A value as JSON holds it, to six decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 6)


def _summary(formulation: Formulation, answer: "Answer", objective: float | None) -> str:
    goal = formulation.goal
    alone = [f"{each.name} = {_size(value):g}" for each, value in (answer.values or {}).items() if not each.key]
    what = f" {'; '.join(alone)}." if alone else ""
    match answer.status:
        case "optimal" if goal:
            best = "smallest" if goal.sense == "minimize" else "largest"
            return f"{objective:g} is the {best} value, proved; every rule was checked against it.{what}"
        case "feasible" if goal and answer.bound is not None:
            return f"{objective:g} is the best found in this time; {float(answer.bound):g} bounds it.{what}"
        case "satisfied":
            return (
                "Any plan that keeps the rules, each checked: no goal was given, so it is not the best of them. "
                f"Ask what makes one better, and give it under minimize or maximize.{what}"
            )
        case "infeasible":
            names = ", ".join(rule.name for rule in answer.conflict)
            least = "" if answer.minimal else " (perhaps fewer of them)"
            return f"No answer exists: the rules {names} cannot hold together{least}. Ask which one gives way."
        case "unbounded":
            which = f": {', '.join(answer.at_default[:3])} ran to its bound" if answer.at_default else ""
            return f"The goal has no best value{which}. A limit is missing; ask for it."
    return "The time ran out before an answer was found; allow more seconds, or tighten the bounds of the variables."


def _checked(document: Mapping[str, Any], words: Sequence[str]) -> "tuple[Formulation, Support]":
    try:
        formulation = read(document)
    except FormulationError as exc:
        raise _refused(exc.faults) from exc
    from packhorse_discovery.domain.formulation.evidence import supported  # its reading loads with the first one

    support = supported(formulation, words)
    if support.faults:
        raise _refused(support.faults)
    return formulation, support


def _refused(faults: Sequence[Fault]) -> UserError:
    return UserError(
        "The formulation could not be solved: "
        + "; ".join(f"{number}) {fault}" for number, fault in enumerate(faults, 1))
        + ".",
        code="FORMULATION_FAULTY",
        details={"faults": [{"where": fault.where, "words": fault.words} for fault in faults]},
    )
