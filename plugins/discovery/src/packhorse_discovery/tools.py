"""The tools: convert in, ask the desk, convert out."""

from typing import Annotated, Any, Literal

from attrs import frozen
from pydantic import Field

from packhorse import Context
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
from packhorse_discovery.service.interview import Interview
from packhorse_discovery.service.modelling import Modeller, change_of
from packhorse_discovery.service.scheduling import INLINE_SECONDS, Scheduler, SolverName

Notes = Annotated[str, Field(max_length=4000)]
Revision = Annotated[int | None, Field(ge=0, description="The revision you saw; refused if somebody changed it since.")]

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

    @classmethod
    def of(cls, cabinet: Cabinet) -> "InterviewTools":
        """The tools on one cabinet."""
        return cls(Interview(cabinet), Answering(cabinet), Casefile(cabinet))

    def start_interview(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        title: Annotated[str, Field(max_length=200, description="What the project is about.")] = "",
    ) -> models.Started:
        """Open an interview about somebody's scheduling problem, or resume one; the first call of every interview."""
        return models.Started(**self.interview.start(project_id, conversation_id, title))

    def get_next_eads(self, project_id: ProjectId, conversation_id: ConversationId = "main") -> models.NextEads:
        """Recommend the schema (EADS) to pursue next, with reasons, alternatives and what blocks the others.

        An automation may poll it; eads_id is exhausted when nothing is left to pursue.
        """
        return models.NextEads(**self.interview.next_eads(project_id, conversation_id))

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
            Field(
                description="The answer as you read it, in the form of refinement_schema; checked against the words."
            ),
        ] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
    ) -> models.Processed:
        """Hand in the person's answer, word for word, and what you made of it; learn what it changed.

        Tables, lists, durations and yes or no are read without you; prose gains from a refinement.
        """
        return models.Processed(
            **self.answering.answer(
                project_id, conversation_id, eads_id, question_id, answer, refinement, answered_by, expected_revision
            )
        )

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
                description="As get_eads_status shows it: /subprocesses/mash/duration. Left out only with question_id.",
                examples=["/product-or-service-name"],
            ),
        ] = "",
        value: Annotated[Any, Field(description="The right value; null says that there is none.")] = None,
        undo: Annotated[bool, Field(description="Take back the last change of this path instead.")] = False,
        question_id: Annotated[
            QuestionId | None, Field(description="With undo: take back all that this question's answers established.")
        ] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
    ) -> models.Processed:
        """Put one established value right, undo its last change, or undo a whole answer; the history keeps it all."""
        if undo and path == "" and question_id is None:
            raise refusal("PATH_MISSING", "path", "says which change to take back: give it, or a question_id")
        if question_id is not None and (path != "" or not undo):
            raise refusal("UNDO_UNCLEAR", "question_id", "goes with undo and without a path: a whole answer is undone")
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
