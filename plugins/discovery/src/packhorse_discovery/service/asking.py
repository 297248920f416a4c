"""What is asked next: the open question of a pursuit, or the first one of the schema that the model needs next."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.interview import orchestrator
from packhorse_discovery.domain.interview.carrying import carried
from packhorse_discovery.domain.interview.completeness import WORTH, standing
from packhorse_discovery.domain.interview.form import form_of
from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.questions import Question, next_question
from packhorse_discovery.domain.interview.structure import Mark, Patch, Structure, flattened, rendered
from packhorse_discovery.domain.interview.validation import faults, missing
from packhorse_discovery.domain.models.source import NotBuildableError
from packhorse_discovery.domain.schema.eads import Eads, path_from, written
from packhorse_discovery.errors import refusal
from packhorse_discovery.service import hooks
from packhorse_discovery.service.projects import Projects, decide, id_of
from packhorse_discovery.store import rows
from packhorse_discovery.store.rows import Asked, Pursuit

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

ENOUGH = "Everything that a model needs is recorded."
LACKS = "No schema has an open question, but a model still lacks: "
ASK_ONCE = "Ask once whether anything else has to be kept; then call solve_model."
ASKED_ONCE = "Call solve_model."
OTHER_KIND = "Where a problem of another kind holds one of them, correct principal-problem-type first."
MOST_RULES = 6
"""How many rules that no field holds are named when enough is recorded."""
ANSWERED_BEFORE = "(answered together with another question)"
_ROUTINGS, _BY_FORM = "process/job-shop", "classifiable-jobs?"
OF_EACH_OR_OF_KINDS = "Give jobs where each has steps of its own, job-level-processes where many share a few routings."
MOST_OPEN = 12
"""How many open paths are named beside a question."""


@frozen
class Asker:
    """Asks, begins and closes. Every method belongs to the caller's transaction."""

    projects: Projects

    def next(
        self, store: "Store", pursuit: Pursuit, *, shown: Collection[str] = (), fresh: Collection[str] | None = None
    ) -> dict[str, Any]:
        """The next question of ``pursuit``; where it has none, it is closed and the next schema begun.

        The forms of ``shown`` questions were shown before. ``fresh`` are the rules that came since it was said that
        enough is recorded; None where that was not said yet.
        """
        pursuit, waiting = self.waiting(store, pursuit)
        if waiting is None:
            pursuit = self.closed(store, pursuit)
            if pursuit.state != "complete":
                return {
                    "eads_id": id_of(pursuit),
                    "do": why_done(pursuit),
                    "open": list(missing(pursuit.eads, pursuit.structure)),
                }
            return self.first(store, pursuit.project, pursuit.conversation, shown=shown, fresh=fresh)
        return self._shown(store, pursuit, waiting, shown)

    def first(
        self, store: "Store", project_id: str, conversation_id: str, *, shown: Collection[str] = (),
        fresh: Collection[str] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """The first question of the schema that the model needs next, which is begun."""
        advice = self.projects.advice(store, project_id)
        brought: list[str] = []
        for _ in range(len(advice.lacking) + 1):
            best = advice.best.id if advice.best and "unfinished" in advice.best.parts else ""
            begun = self.projects.find(store, project_id, best) if best else None
            chosen = best if begun is not None and begun.structure.values else None
            waits = {one.id for one in advice.blocked}
            chosen = chosen or next((one for one in advice.lacking if one not in waits), None)
            chosen = chosen or best
            if not chosen:
                whole = not advice.lacking and advice.best
                words = self._enough(store, project_id, fresh) if whole else advice.rationale
                return {"do": " ".join([*brought, words])}
            found = self.projects.find(store, project_id, chosen)
            pursuit = found or self.begin(store, project_id, conversation_id, chosen)
            if found is None:
                pursuit, words = self.carried(store, pursuit)
                brought += [words] if words else []
            pursuit, waiting = self.waiting(store, pursuit)
            if waiting is not None:
                asked = self._shown(store, pursuit, waiting, shown)
                return asked | {"do": " ".join(filter(None, [*brought, asked["do"]]))}
            if self.closed(store, pursuit).state != "complete":
                return {"eads_id": id_of(pursuit), "do": why_done(pursuit)}
            advice = self.projects.advice(store, project_id)
        return {"do": "Call get_next_eads."}

    def is_enough(self, store: "Store", project_id: str) -> bool:
        """Whether everything that a model needs is recorded."""
        return not self.projects.advice(store, project_id).lacking

    def _enough(self, store: "Store", project_id: str, fresh: Collection[str] | None) -> str:
        """That enough is recorded, or what a model lacks all the same; the rules that none keeps, and what to do."""
        from packhorse_discovery.domain.models.build import build  # a model is only built where one can be

        try:
            every = [each.words for each in build(self.projects.scr(store, project_id)).unmodelled]
            rules = [words.rstrip(".") for words in every if fresh is None or words in fresh]
        except NotBuildableError as exc:
            return LACKS + "; ".join(dict.fromkeys(each.words for each in exc.lacks)) + "."
        named = "; ".join(rules[:MOST_RULES]) + (f"; and {len(rules) - MOST_RULES} more" * (len(rules) > MOST_RULES))
        not_kept = [f"No field can hold these rules, so no schedule keeps them: {named}."] if rules else []
        if fresh is not None:
            return " ".join([*not_kept, ASKED_ONCE])
        return " ".join([ENOUGH, *not_kept, *([OTHER_KIND] if rules else []), ASK_ONCE])

    def waiting(self, store: "Store", pursuit: Pursuit) -> tuple[Pursuit, Asked | None]:
        """The question to ask now; one that waits for its answer is dropped, and costs nothing, once it is not."""
        asked = rows.questions(store, pursuit.project, pursuit.number)
        waiting = [one for one in asked if one.state == "asked"]
        question = decide(pursuit, asked) if pursuit.state != "complete" else None
        if question is not None and waiting and waiting[-1].question == question:
            return pursuit, waiting[-1]
        for one in waiting:
            rows.set_question_state(store, pursuit.project, one.id, "dropped")
            pursuit = evolve(pursuit, used=round(pursuit.used - one.question.cost, 6))
        made = None
        if question is not None:
            number = len(asked) + 1
            made = Asked(f"q{pursuit.number}-{number}", pursuit.number, number, question, "asked", self.projects.now())
            rows.insert_question(store, pursuit.project, made)
            pursuit = evolve(pursuit, used=round(pursuit.used + question.cost, 6))
        rows.save_pursuit(store, pursuit)
        return pursuit, made

    def closed(self, store: "Store", pursuit: Pursuit) -> Pursuit:
        """``pursuit`` finished, where everything required is answered, be it by "I do not know", and fits."""
        shown = rendered(pursuit.structure, pursuit.eads)
        open_still = any(one.worth < WORTH["unknown"] for one in standing(pursuit.eads, pursuit.structure).slots)
        whole = not open_still and not any(faults(pursuit.eads, pursuit.structure))
        if pursuit.state == "complete" or not whole or hooks.validate(pursuit.eads, shown).value:
            return pursuit
        return self.projects.finish(store, pursuit, "")

    def begin(self, store: "Store", project_id: str, conversation_id: str, eads_id: str) -> Pursuit:
        """A schema begun.

        Raises:
            UserError: there is no such schema, or what it requires is not there yet.
        """
        shelf = self.projects.shelf_of(store, project_id)
        base, _, topic = eads_id.partition("--") if shelf.get(eads_id) is None else (eads_id, "", "")
        eads = shelf.get(base)
        if eads is None:
            raise refusal("EADS_UNKNOWN", "eads_id", "is not the name of a schema: list_available_eads lists the names")
        why = orchestrator.blockers(eads, self.projects.progress(store, project_id))
        if why:
            raise refusal("PREREQUISITE_MISSING", "eads_id", f"names a schema that cannot start yet: {'; '.join(why)}")
        pursuit = Pursuit(
            project_id, rows.new_number(store, "pursuit", project_id), conversation_id, eads, topic, "working",
            eads.budget.total, 0.0, 0, self._known_start(store, project_id, eads), started=self.projects.now(),
        )  # fmt: skip
        rows.insert_pursuit(store, pursuit)
        store.execute(
            "UPDATE advice SET followed = :eads WHERE project = :p AND followed = ''", eads=eads_id, p=project_id
        )
        return pursuit

    def carried(self, store: "Store", pursuit: Pursuit) -> tuple[Pursuit, str]:
        """A pursuit that has just begun, with what was told of another kind of problem; and words on what that was."""
        known = self.projects.progress(store, pursuit.project)
        if pursuit.eads.base == _ROUTINGS:
            return pursuit, ""
        past = (one for one in reversed(rows.pursuits(store, pursuit.project)) if one.number != pursuit.number)
        old = next((one for one in past if one.structure.values and orchestrator.contradicted(one.eads, known)), None)
        if old is None or pursuit.eads.domain != "process":
            return pursuit, ""
        found = carried(rendered(old.structure, old.eads), old.eads, pursuit.eads)
        mark = Mark(question_id=_question_of(old), source="inferred")
        said = Established(old.eads, old.structure, old.topic).carried
        values = [Proposal(path, value, said=said) for path, value in flattened(found.refinement, pursuit.eads)]
        structure, patches = merge(pursuit.structure, values, pursuit.eads, mark=mark)
        if patches:
            pursuit = self.projects.save(store, evolve(pursuit, structure=structure), patches)
        told = [f"Carried over from {id_of(old)}: {', '.join(found.refinement)}."] if patches else []
        homeless = ", ".join(found.homeless)
        told += [f"Of {id_of(old)} this has no place for: {homeless}."] if homeless else []
        return pursuit, " ".join([*told, "Check it with the person; correct_answer changes it."] if patches else told)

    def for_other(self, store: "Store", pursuit: Pursuit, eads: Eads) -> Pursuit:
        """The pursuit of another schema that an answer speaks of, begun where it may be.

        Raises:
            UserError: what it requires is not there yet.
        """
        known = self.projects.find(store, pursuit.project, eads.id)
        if known is not None:
            return known
        self.closed(store, self.projects.pursuit(store, pursuit.project, id_of(pursuit)))
        for need in eads.requires:
            if need.eads == _ROUTINGS:  # routings of kinds, or of each job: the form that they are told in says which
                self._told_by_form(store, pursuit, need.path, need.values[0])
        return self.begin(store, pursuit.project, pursuit.conversation, eads.id)

    def _told_by_form(self, store: "Store", pursuit: Pursuit, path: str, value: Any) -> None:
        other = self.projects.find(store, pursuit.project, _ROUTINGS)
        other = other or self.begin(store, pursuit.project, pursuit.conversation, _ROUTINGS)
        if other.structure.get(path) is not None:
            return
        mark = Mark(source="assistant", said="the form in which the routings are given", basis="derived")
        patch = Patch(path, "set", value, mark)
        other = self.projects.save(store, evolve(other, structure=other.structure.apply(patch)), [patch])
        self.closed(store, other)

    def told(self, store: "Store", pursuit: Pursuit, proposals: Sequence[Proposal]) -> Asked:
        """The question that an answer to another one answers too: the one that waits, or one made for it."""
        asked = rows.questions(store, pursuit.project, pursuit.number)
        waiting = [one for one in asked if one.state == "asked"]
        if waiting:
            return waiting[-1]
        paths = tuple(dict.fromkeys(written(pursuit.eads.template(path_from(one.path))) for one in proposals))
        question = Question(ANSWERED_BEFORE, "text", "text", (), paths)
        made = Asked(f"q{pursuit.number}-{len(asked) + 1}", pursuit.number, len(asked) + 1, question, "asked",
                     self.projects.now())  # fmt: skip
        rows.insert_question(store, pursuit.project, made)
        return made

    def _known_start(self, store: "Store", project_id: str, eads: Eads) -> Structure:
        """An empty structure, with the start of the schedule in it where another schema has it already."""
        if eads.field(("origin",)) is None or not self.projects.origin(store, project_id):
            return Structure()
        known = next(one for one in reversed(rows.pursuits(store, project_id)) if one.structure.get("/origin"))
        mark = known.structure.marks["/origin"]
        return Structure().apply(Patch("/origin", "set", known.structure.get("/origin"), mark))

    def put(self, store: "Store", project_id: str) -> dict[str, str]:
        """The questions that were put and wait for their answer, each with its schema; the latest schema last."""
        pursuit = {one.number: id_of(one) for one in rows.pursuits(store, project_id)}
        return {one.id: pursuit[one.pursuit] for one in rows.questions(store, project_id) if one.state == "asked"}

    def _shown(self, store: "Store", pursuit: Pursuit, asked: Asked, shown: Collection[str] = ()) -> dict[str, Any]:
        question = asked.question
        first = asked.number == 1 and asked.id not in shown
        known = question.finer == "table"
        text = hooks.question(pursuit.eads, pursuit.structure, question.text).value
        routings = self._routings(store, pursuit)
        form = form_of(pursuit.eads, left_out=[_BY_FORM] if routings else ()) if first else {}
        for one in routings if first else ():
            form |= form_of(one, left_out=form)
        partner = self._partner(store, pursuit) if first else None
        if partner is not None and (also := next_question(partner, Structure())):
            text = f"1. {text} 2. {also.text}"
            form |= form_of(partner, left_out=form)
        if first and (ahead := self._ahead(store, pursuit)) is not None:
            form |= form_of(ahead, left_out=form)
        return {
            "eads_id": id_of(pursuit),
            "question_id": asked.id,
            "question": text,
            "form": form,
            "open": list(missing(pursuit.eads, pursuit.structure))[:MOST_OPEN] if known else [],
            "do": OF_EACH_OR_OF_KINDS if first and routings else "",
        }

    def _routings(self, store: "Store", pursuit: Pursuit) -> list[Eads]:
        """The schemas of routings, where ``pursuit`` asks which of them it is: the form filled in shows which."""
        if pursuit.eads.base != _ROUTINGS or pursuit.structure.get((_BY_FORM,)) is not None:
            return []
        every = self.projects.shelf_of(store, pursuit.project).eads
        return [one for one in every if any(need.eads == _ROUTINGS for need in one.requires)]

    def instead(self, store: "Store", pursuit: Pursuit) -> list[Eads]:
        """The schemas that a table in answer to the question of ``pursuit`` may be for, where it is none of its own."""
        found = [*reversed(self._routings(store, pursuit)), self._partner(store, pursuit), self._ahead(store, pursuit)]
        return [one for one in found if one is not None]

    def _ahead(self, store: "Store", pursuit: Pursuit) -> Eads | None:
        """The orders, where ``pursuit`` is about the steps that they go through and nothing is known of them yet."""
        kind = orchestrator.kind_of(self.projects.progress(store, pursuit.project))
        wanted = orchestrator.TARGETS.get(kind, ()) if kind else ()
        early = pursuit.eads.domain == "process" and pursuit.eads.base in wanted and orchestrator.AHEAD in wanted
        if not early or self.projects.find(store, pursuit.project, orchestrator.AHEAD) is not None:
            return None
        return self.projects.shelf_of(store, pursuit.project).get(orchestrator.AHEAD)

    def _partner(self, store: "Store", pursuit: Pursuit) -> Eads | None:
        """The schema that is asked about together with ``pursuit``, where it is not begun yet."""
        other = orchestrator.PAIRS.get(pursuit.eads.base, "")
        begun = not other or self.projects.find(store, pursuit.project, other) is not None
        return None if begun else self.projects.shelf_of(store, pursuit.project).get(other)


def _question_of(pursuit: Pursuit) -> str | None:
    """The question that gave the most of what a pursuit holds."""
    asked = [one.question_id for one in pursuit.structure.marks.values() if one.question_id]
    return max(sorted(set(asked)), key=asked.count, default=None)


def why_done(pursuit: Pursuit) -> str:
    """Why a pursuit asks nothing more, and what there is to do."""
    if pursuit.state == "complete":
        return "This schema is finished. To add to it, answer its last question again; correct_answer changes a value."
    lacking = missing(pursuit.eads, pursuit.structure)
    if not lacking:
        return "Everything required is answered: call finalize_eads."
    if pursuit.left < pursuit.eads.budget.per_question:
        return "The budget is spent: start_eads_pursuit takes extra_budget, and finalize_eads accept_gaps."
    return "The remaining values were asked for three times: use correct_answer, or finalize_eads with accept_gaps."
