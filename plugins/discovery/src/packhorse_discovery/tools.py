"""The tools: convert in, ask the desk, convert out."""

from typing import Annotated, Any, Literal

from attrs import frozen
from pydantic import Field

from packhorse import Context, Principal
from packhorse.jobs import Work
from packhorse_discovery import convert, models
from packhorse_discovery.errors import refusal
from packhorse_discovery.models import (
    AnswerText,
    ConversationId,
    EadsId,
    Page,
    Person,
    ProjectId,
    QuestionId,
)
from packhorse_discovery.service.answering import Answering
from packhorse_discovery.service.cabinet import Cabinet
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.formulating import Formulator, shown
from packhorse_discovery.service.interview import Interview
from packhorse_discovery.service.modelling import Modeller, change_of
from packhorse_discovery.service.owners import Caller, Owners
from packhorse_discovery.service.scheduling import INLINE_SECONDS, Scheduler, SolverName

Notes = Annotated[str, Field(max_length=4000)]
Revision = Annotated[int | None, Field(ge=0, description="The revision you saw; refused if somebody changed it since.")]

Detail = Annotated[Literal["brief", "full"], Field(description="full: all of it.")]

_FERRIES = {
    "format": "packhorse-eads/1",
    "version": "1.0.0",
    "title": "Ferries",
    "interview-objective": "Learn which ferries run and how many they carry.",
    "EADS": {"EADS-id": "resources/ferries", "ferries": [{"ferry-id": "Aurora", "seats": 40}]},
}


@frozen
class InterviewTools:
    """What an assistant, or an automation, conducts an interview with."""

    interview: Interview
    answering: Answering
    casefile: Casefile
    owners: Owners

    @classmethod
    def of(cls, cabinet: Cabinet) -> "InterviewTools":
        """The tools on one cabinet."""
        return cls(Interview(cabinet), Answering(cabinet), Casefile(cabinet), Owners(cabinet))

    def start_interview(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        title: Annotated[str, Field(max_length=200, description="What the project is about.")] = "",
        share_with: Annotated[
            list[Annotated[str, Field(min_length=1, max_length=200)]] | None,
            Field(max_length=100, description="Who else may work on it, by sign-in name: these people and no others."),
        ] = None,
        context: Context | None = None,
    ) -> models.Started:
        """Open an interview about somebody's scheduling problem, or resume one; the first call of every interview."""
        caller = Caller.of(context.principal if context is not None else Principal("local"))
        key, owner = self.owners.begin(caller, project_id)
        started = self.interview.start(key, conversation_id, title, name=project_id, owner=owner)
        if share_with is not None:
            self.owners.share(caller, key, share_with)
        return models.Started(**started)

    def get_next_eads(
        self, project_id: ProjectId, conversation_id: ConversationId = "main", detail: Detail = "brief"
    ) -> models.NextEads:
        """Recommend the schema (EADS) to pursue next, with reasons, alternatives and what blocks the others.

        An automation may poll it; eads_id is exhausted when nothing is left to pursue.
        """
        return models.NextEads(**self.interview.next_eads(project_id, conversation_id, full=detail == "full"))

    def start_eads_pursuit(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        conversation_id: ConversationId = "main",
        extra_budget: Annotated[
            float, Field(ge=0, le=5, description="Added to the budget of a pursuit that ran out.")
        ] = 0,
    ) -> models.Pursuit:
        """Begin working on a schema, recommended or of your own choice, or take it up again where it was left."""
        return models.Pursuit(**self.interview.pursue(project_id, conversation_id, eads_id, extra_budget))

    def list_available_eads(
        self,
        interviewer_type: Annotated[
            models.INTERVIEWERS | None, Field(description="Only schemas of this kind; all of them when left out.")
        ] = None,
        completed_eads: Annotated[
            list[EadsId], Field(max_length=200, description="Ids that are done already and need not be listed.")
        ] = [],  # noqa: B006 -- the published default; never changed
        project_context: Annotated[
            dict[str, Any] | None,
            Field(
                description="{project_id: ...} adds the project's own schemas and leaves out those it has completed."
            ),
        ] = None,
    ) -> models.EadsList:
        """List the schemas (EADS) of the library, with what each finds out and which must be finished before it."""
        project = (project_context or {}).get("project_id")
        found = self.interview.available(str(project) if project else None, interviewer_type, completed_eads)
        return models.EadsList(
            eads_list=[convert.eads_entry(*one) for one in found],
            skipped=[f"{one.file}: {one.reason}" for one in self.interview.cabinet.shelf().skipped],
        )

    def get_next_question(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        conversation_id: ConversationId = "main",
        responses_so_far: Annotated[
            dict[str, Any] | None, Field(description="What you believe is established; differences are reported.")
        ] = None,
    ) -> models.NextQuestion:
        """Get the next question of a pursuit, with its table, why it is asked and the shape of a refinement.

        Asked again before an answer it is the same question and costs nothing more.
        """
        return models.NextQuestion(
            **self.interview.next_question(project_id, conversation_id, eads_id, responses_so_far)
        )

    def process_eads_answer(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        question_id: QuestionId,
        answer: AnswerText,
        conversation_id: ConversationId = "main",
        refinement: Annotated[
            dict[str, Any] | None,
            Field(description="The answer in the form of refinement_schema; kept where the words support it."),
        ] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
        mode: Annotated[
            Literal["merge", "replace"], Field(description="replace: rows of a list that it does not name go.")
        ] = "merge",
        detail: Annotated[
            Literal["brief", "full"], Field(description="brief: without data_structure_update.")
        ] = "full",
    ) -> models.Processed:
        """Record an answer: what its words support, and nothing else. What they do not comes back under refused.

        Tables, lists and short values are read as they are; prose needs a refinement. In it every name, number,
        unit, date and day must be in the words of this answer or an earlier one. Dates are ISO, times 24 h, days full
        names, ranges 12-15. Where you compute, add derived to the value ("90 / 300 * 60"); where you name what was
        not named, add quote to its row, word for word; count 0 for what there is none of. A rule that no field holds
        goes into rules: [{rule, quote}].
        """
        return models.Processed(
            **self.answering.answer(
                project_id, conversation_id, eads_id, question_id, answer, refinement, answered_by, expected_revision,
                mode, full=detail == "full",
            )
        )  # fmt: skip

    def get_eads_status(
        self, project_id: ProjectId, eads_id: EadsId, conversation_id: ConversationId = "main"
    ) -> models.EadsStatus:
        """Look at what a pursuit has established, which values are open by path, and what budget is left."""
        return models.EadsStatus(**self.interview.status(project_id, conversation_id, eads_id))

    def finalize_eads(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        final_notes: Notes = "",
        conversation_id: ConversationId = "main",
        accept_gaps: Annotated[bool, Field(description="Close it though required values are open.")] = False,
    ) -> models.Finalized:
        """Mark a schema as complete and store its structure; says what is missing or does not fit when it cannot."""
        found = self.interview.finalize(project_id, conversation_id, eads_id, final_notes, accept_gaps)
        return models.Finalized(**found)

    def get_conversation_history(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        include_minizinc: Annotated[bool, Field(description="Add the last model and its result.")] = False,
        page: Page = 1,
    ) -> models.History:
        """Read the conversation so far: pursuits with questions, answers and results, notes, the last model."""
        found = self.casefile.history(project_id, conversation_id)
        return convert.history(found, include_minizinc=include_minizinc, page=page)

    def get_aggregated_scr(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        eads_filter: Annotated[list[EadsId], Field(max_length=200, description="Only these schemas.")] = [],  # noqa: B006
        page: Page = 1,
    ) -> models.Aggregated:
        """Get everything established so far (the SCR): by schema, merged with its sources, and the open conflicts."""
        scr = self.casefile.scr(project_id, conversation_id)
        structures = self.casefile.structures(project_id, eads_filter or None)
        return convert.aggregated(structures, scr, self.answering.conflicts(project_id), page)

    def correct_answer(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        path: Annotated[
            str,
            Field(
                max_length=300,
                description="As get_eads_status shows it: /subprocesses/mash/duration; with undo it may be left out.",
                examples=["/product-or-service-name"],
            ),
        ] = "",
        value: Annotated[Any, Field(description="The right value; null clears it, or removes a row.")] = None,
        undo: Annotated[bool, Field(description="Take back the last change of this path instead.")] = False,
        question_id: Annotated[
            QuestionId | None, Field(description="With undo: take back all that this question's answers established.")
        ] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
    ) -> models.Processed:
        """Put a value right, clear it, rename or remove a row, or undo: a value, a question's answers, the last one."""
        if question_id is not None and (path != "" or not undo):
            raise refusal("UNDO_UNCLEAR", "question_id", "goes with undo and without a path: a whole answer is undone")
        if not undo and path == "":
            raise refusal("PATH_MISSING", "path", "says which value to correct: get_eads_status lists the paths")
        if undo:
            found = self.answering.undo(project_id, eads_id, path, question_id, expected_revision)
        else:
            found = self.answering.correct(project_id, eads_id, path, value, answered_by, expected_revision)
        return models.Processed(**found)

    def list_conflicts(
        self, project_id: ProjectId, include_resolved: Annotated[bool, Field()] = False
    ) -> models.Conflicts:
        """List the contradictions in what was said, each with both statements and what would settle it."""
        found = self.answering.conflicts(project_id)
        shown = [convert.conflict_entry(*one) for one in found if include_resolved or one[1] == "open"]
        return models.Conflicts(conflicts=shown, open=sum(one[1] == "open" for one in found))

    def resolve_conflict(
        self,
        project_id: ProjectId,
        conflict_id: Annotated[str, Field(pattern=r"^c-[0-9a-f]{12}$", description="As list_conflicts gives it.")],
        resolution: Annotated[str, Field(min_length=1, max_length=2000, description="What was decided, in words.")],
        value: Annotated[Any, Field(description="The value that holds, put at the conflict's first path.")] = None,
        answered_by: Person = "",
    ) -> models.Resolved:
        """Close a contradiction with the decision of the person, and put the value that holds in its place."""
        return models.Resolved(**self.answering.resolve(project_id, conflict_id, resolution, value, answered_by))

    def add_note(
        self,
        project_id: ProjectId,
        text: Annotated[str, Field(min_length=1, max_length=4000)],
        conversation_id: ConversationId = "main",
        answered_by: Person = "",
    ) -> models.Noted:
        """Leave a note for the assistant and the orchestrator (the backchannel); the interviewee never sees it."""
        return models.Noted(**self.casefile.note(project_id, conversation_id, text, answered_by))

    def propose_eads(
        self,
        project_id: ProjectId,
        document: Annotated[
            dict[str, Any], Field(description="A schema in the form packhorse-eads/1.", examples=[_FERRIES])
        ],
        answered_by: Person = "",
    ) -> models.Proposed:
        """Add a schema of your own to one project; it is checked first, and may then be pursued like any other."""
        return models.Proposed(**self.casefile.propose(project_id, document, answered_by))

    def export_project(
        self,
        project_id: ProjectId,
        format: Annotated[  # noqa: A002 -- the word a caller expects
            Literal["json", "markdown", "csv", "excel", "mermaid", "plantuml"], Field(description="Which form.")
        ] = "markdown",
        conversation_id: ConversationId = "main",
        page: Page = 1,
    ) -> models.Exported:
        """Export what a project has established: data, a report, tables, or a diagram of the process."""
        history = self.casefile.history(project_id, conversation_id)
        text = convert.document(
            format, self.casefile.scr(project_id), self.casefile.structures(project_id), history["activities"]
        )
        shown, pages = convert.text_page(text, page)
        return models.Exported(format=format, text=shown, page=page, pages=pages)

    def delete_project(self, project_id: ProjectId) -> models.Deleted:
        """Erase a project with every answer, structure and model in it; this cannot be undone."""
        return models.Deleted(**self.casefile.delete(project_id))


Seconds = Annotated[float, Field(gt=0, le=60, description="How long to search, at most.")]
JobSeconds = Annotated[
    float, Field(gt=0, le=3600, description="How long to search, at most; above 60 needs a server with jobs.")
]
Seed = Annotated[int, Field(ge=0, le=2_147_483_647, description="The same seed gives the same schedule.")]


@frozen
class ModelTools:
    """From an interview to a schedule."""

    modeller: Modeller
    jobs: bool

    def generate_model(self, project_id: ProjectId, page: Page = 1) -> models.Generated:
        """Write the MiniZinc program of what is established, every number with the question it came from.

        Says what is lacking when it is not enough for a model yet.
        """
        found = self.modeller.generate(project_id)
        text, pages = convert.text_page(found["minizinc"], page)
        return models.Generated(**{**found, "minizinc": text}, page=page, pages=pages)

    def solve_model(
        self,
        project_id: ProjectId,
        context: Context,
        seconds: JobSeconds = 20,
        seed: Seed = 0,
        solver: Annotated[
            SolverName, Field(description="minizinc is a second opinion, where this server has one on its path.")
        ] = "cp-sat",
    ) -> Work | models.SolvedModel:
        """Compute the best schedule from what is established, as a Gantt chart, and prove it where time allows.

        It answers with a job; job_result has the schedule. A server without jobs computes it within the call and
        says so. Where no schedule can exist, it names the statements of the interview that contradict one another.
        """
        scheduler = Scheduler(self.modeller)
        if self.jobs:
            return scheduler.order(project_id, seconds=seconds, seed=seed, solver=solver)
        if seconds > INLINE_SECONDS:
            raise refusal(
                "TOO_LONG",
                "seconds",
                f"may be {INLINE_SECONDS:g} at most on a server without jobs: ask for less, or install packhorse[jobs]",
            )
        found = scheduler.solve(
            project_id, seconds=seconds, seed=seed, solver=solver, cancelled=lambda: context.cancelled
        )
        return models.SolvedModel(**found)

    def compare_models(
        self,
        project_id: ProjectId,
        change: Annotated[
            Literal["speed", "capacity", "duration", "due", "open"],
            Field(description="speed: times as fast; capacity: how many; duration, due: minutes; open: at all hours."),
        ],
        name: Annotated[str, Field(min_length=1, max_length=120, description="The resource, step or job it is about.")],
        value: Annotated[float, Field(ge=0, le=1_000_000)] = 1,
        seconds: Seconds = 20,
        seed: Seed = 0,
    ) -> models.Compared:
        """What if one thing were different, such as an oven twice as fast: both schedules, and what it would bring."""
        return models.Compared(
            **self.modeller.compare(project_id, change_of(change, name, value), seconds=seconds, seed=seed)
        )


@frozen
class FormulationTools:
    """Problems of no built-in kind."""

    formulator: Formulator
    jobs: bool

    def solve_formulation(
        self,
        project_id: ProjectId,
        formulation: Annotated[
            dict[str, Any] | None,
            Field(description="sets, data, vars, rules, minimize or maximize; else the last one."),
        ] = None,
        words: Annotated[
            str, Field(max_length=50_000, description="What the person said, word for word, if no answer holds it.")
        ] = "",
        example: Annotated[
            Literal["form", "assignment", "blending", "packing", "roster", "routing", "selection", "shop"] | None,
            Field(description="Show how to write one instead."),
        ] = None,
        seconds: JobSeconds = 20,
        seed: Seed = 0,
    ) -> Work | dict[str, Any]:
        """Solve a problem of no built-in kind (routes, rosters, packing, blending, assignment, selection).

        You write sets, data, variables, rules and a goal; every number must be in the words. Read example form first.
        """
        if example is not None:
            return shown(example)
        document = self.formulator.prepared(project_id, formulation, words)
        if self.jobs:
            return self.formulator.order(project_id, document, seconds=seconds, seed=seed)
        if seconds > INLINE_SECONDS:
            raise refusal("TOO_LONG", "seconds", f"may be {INLINE_SECONDS:g} at most on a server without jobs")
        return self.formulator.solve(project_id, document, seconds=seconds, seed=seed)
