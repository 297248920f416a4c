"""From what is established to a model and its program, which is kept in the conversation's history."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from packhorse import UserError
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.change import Change
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.domain.models.source import NotBuildableError
from packhorse_discovery.domain.models.words import in_words
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.solver.report import as_kept

if TYPE_CHECKING:
    from packhorse_discovery.solver.solved import Solved


@frozen
class Modeller:
    """Builds, prints and compares the model of a project. The solver is imported when something is solved."""

    casefile: Casefile

    def generate(self, project_id: str) -> dict[str, Any]:
        """The model's program, kept as the project's latest unless it is that already; compiled where that can be."""
        model = self.model(project_id)
        program = print_minizinc(model)
        last = self.casefile.last_model(project_id)
        kept = last is not None and last["program"] == program
        checked = (last or {}).get("body", {}).get("compiled") if kept else None
        compiled, words = checked if checked and checked[0] is not None else _compiled(model)
        if last is not None and kept:
            number = last["number"]
        else:
            body = {"status": "not solved", "compiled": [compiled, words]}
            number = self.casefile.keep_model(project_id, model.target, program, body)
        return {
            "summary": " ".join(
                filter(None, [f"A model of {len(model.jobs)} jobs and {len(model.tasks)} tasks.", counted(model)])
            ),
            "work": in_words(model),
            "model_id": f"m{number}",
            "target": model.target,
            "not_kept": not_kept(model),
            "minizinc": program,
            "jobs": len(model.jobs),
            "tasks": len(model.tasks),
            "notes": list(model.notes),
            "compiled": compiled,
            "compiler": words,
        }

    def compare(self, project_id: str, change: Change, *, seconds: float, seed: int) -> dict[str, Any]:
        """The schedule as it is and with one thing changed, and the difference in words."""
        from packhorse_discovery.solver.compare import compare

        try:
            found = compare(self.model(project_id), change, seconds=seconds, seed=seed)
        except ValueError as exc:
            raise refusal("CHANGE_UNFIT", "change", f"cannot be written: {exc}") from exc
        then = as_kept(found.model, found.after.schedule)
        return {
            "summary": " ".join([*found.sentences, counted(then)]).strip(),
            "change": change.words,
            "not_kept": not_kept(then),
            "before": outcome(found.before, as_kept(found.model, found.before.schedule)),
            "after": outcome(found.after, then),
        }

    def program(self, project_id: str) -> str:
        """The last program."""
        run = self.casefile.last_model(project_id)
        if run is None:
            raise refusal("NO_MODEL", "project_id", "has no model yet: call generate_model")
        return str(run["program"])

    def model(self, project_id: str) -> Model:
        """The model of what is established; refused with what is lacking where that is no model yet."""
        try:
            return build(self.casefile.scr(project_id))
        except NotBuildableError as exc:
            lacks = [f"{one.words} ({one.eads_id}{one.path})" if one.eads_id else one.words for one in exc.lacks]
            raise UserError(
                f"The model of the project {project_id!r} is not complete. It lacks: {'; '.join(lacks[:8])}. Continue"
                " the interview with get_next_eads, or change a value with correct_answer.",
                code="MODEL_INCOMPLETE",
                details={"lacks": [asdict(one) for one in exc.lacks]},
            ) from exc


def change_of(kind: str, name: str, value: float) -> Change:
    """The change to try."""
    return Change(kind, name, Fraction(value).limit_denominator(1_000_000))  # type: ignore[arg-type]


def _compiled(model: Model) -> tuple[bool | None, str]:
    """Whether the real MiniZinc compiles the program (None: there is none to ask), and what to say of it."""
    from packhorse_discovery.solver.minizinc import MiniZincError, compile_with_minizinc, installed

    program = installed()
    if program is None:
        return None, "not compiled: there is no minizinc on the path of this server"
    try:
        compile_with_minizinc(model, program)
    except MiniZincError as exc:
        return False, f"minizinc refused it: {str(exc)[:300]}"
    return True, "compiled by the minizinc on the path of this server"


def not_kept(model: Model) -> list[dict[str, str]]:
    """The rules of the interview that a schedule of this model need not keep, each with where it was said."""
    return [{"rule": each.words, "said": each.source.words} for each in model.unmodelled]


def counted(model: Model) -> str:
    """A sentence on how many rules are not kept; empty where all are."""
    count = len(model.unmodelled)
    return f"{count} rule{'s' * (count > 1)} said and not kept: see not_kept." if count else ""


def outcome(solved: "Solved", model: Model) -> dict[str, Any]:
    """What solving gave, without the schedule itself; optimal is meant of what is modelled."""
    limited = solved.status == "optimal" and model.unmodelled
    return {
        "status": "optimal for what is modelled" if limited else solved.status,
        "objective": solved.objective,
        "bound": solved.bound,
        "proved": solved.proved,
        "goals": dict(solved.goals),
        "tick": solved.schedule.clock.name if solved.schedule else "",
        "notes": list(solved.notes),
    }
