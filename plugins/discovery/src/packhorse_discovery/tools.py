"""The tools: convert in, call the service, convert out."""

from typing import Annotated, Any, Literal

from pydantic import Field

from packhorse import Context, Principal
from packhorse.jobs import Work
from packhorse_discovery.errors import refusal
from packhorse_discovery.models import interview as wire
from packhorse_discovery.models import record, schedule
from packhorse_discovery.models.arguments import (
    INTERVIEWERS,
    AnswerText,
    ConversationId,
    EadsId,
    Page,
    Person,
    ProjectId,
    QuestionId,
)
from packhorse_discovery.service.deferred import OnProjects

Notes = Annotated[str, Field(max_length=4000)]
Revision = Annotated[int | None, Field(ge=0, description="Refused if changed since.")]

Detail = Annotated[Literal["brief", "full"], Field(description="full: all of it.")]


class InterviewTools(OnProjects):
    """What an assistant, or an automation, conducts an interview with."""

    def start_interview(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        title: Annotated[str, Field(max_length=200)] = "",
        share_with: Annotated[
            list[Annotated[str, Field(min_length=1, max_length=200)]] | None,
            Field(max_length=100, description="Sign-in names of who else may work on it."),
        ] = None,
        context: Context | None = None,
    ) -> wire.Started:
        """Open or resume an interview about a scheduling problem; the first call. Brings the first question."""
        from packhorse_discovery.service.owners import Caller

        caller = Caller.of(context.principal if context is not None else Principal("local"))
        key, owner = self.services.owners.begin(caller, project_id)
        started = self.services.interview.start(key, conversation_id, title, name=project_id, owner=owner)
        if share_with is not None:
            self.services.owners.share(caller, key, share_with)
        return wire.Started(**started)

    def get_next_eads(
        self, project_id: ProjectId, conversation_id: ConversationId = "main", detail: Detail = "brief"
    ) -> wire.NextEads:
        """Recommend the schema (EADS) to pursue next; exhausted when none is left. An automation may poll it."""
        return wire.NextEads(**self.services.interview.next_eads(project_id, conversation_id, full=detail == "full"))

    def start_eads_pursuit(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        conversation_id: ConversationId = "main",
        extra_budget: Annotated[float, Field(ge=0, le=5, description="Where it ran out.")] = 0,
    ) -> wire.Pursuit:
        """Begin a schema, recommended or of your choice, or go on with it."""
        return wire.Pursuit(**self.services.interview.pursue(project_id, conversation_id, eads_id, extra_budget))

    def list_available_eads(
        self,
        interviewer_type: Annotated[INTERVIEWERS | None, Field(description="Only of this kind.")] = None,
        completed_eads: Annotated[list[EadsId], Field(max_length=200, description="Left out.")] = [],  # noqa: B006 -- the published default; never changed
        project_context: Annotated[
            dict[str, Any] | None,
            Field(description="{project_id}: adds its own, leaves out completed ones."),
        ] = None,
    ) -> wire.EadsList:
        """List the schemas (EADS), with what each finds out and requires."""
        from packhorse_discovery import convert

        project = (project_context or {}).get("project_id")
        found = self.services.interview.available(str(project) if project else None, interviewer_type, completed_eads)
        return wire.EadsList(
            eads_list=[convert.eads_entry(*one) for one in found],
            skipped=[f"{one.file}: {one.reason}" for one in self.services.interview.projects.shelf().skipped],
        )

    def get_next_question(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        conversation_id: ConversationId = "main",
        responses_so_far: Annotated[
            dict[str, Any] | None, Field(description="What you believe; differences are reported.")
        ] = None,
    ) -> wire.NextQuestion:
        """Get the open question of a schema again, with its table, why it is asked and the form of a refinement."""
        return wire.NextQuestion(
            **self.services.interview.next_question(project_id, conversation_id, eads_id, responses_so_far)
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
            Field(description="All they said, in the form of next.form; fields of other schemas too."),
        ] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
        mode: Annotated[Literal["merge", "replace"], Field(description="replace: rows not named go.")] = "merge",
        detail: Annotated[
            Literal["brief", "full"], Field(description="brief leaves out data_structure_update.")
        ] = "full",
    ) -> wire.Processed:
        """Record an answer: what its words support. What they do not comes back as refused. Brings the next question.

        Tables, lists and short values are read as they are; prose needs a refinement. Every name, number, unit, date
        and day in it must be in the words of this answer or an earlier one. In a form * is needed; a quantity is
        {"value-string": "12-15", "units": "minutes"}, with derived ("90 / 300 * 60") where you computed it; dates
        are ISO, times 24 h, days full names. A row may have a quote, word for word, where you name what they did
        not, and the top one for a choice. 0 or [] says there is none, "unknown" that they do not know it. Other rules
        go into rules: [{rule, quote}].
        """
        return wire.Processed(
            **self.services.answering.answer(
                project_id, conversation_id, eads_id, question_id, answer, refinement, answered_by, expected_revision,
                mode, full=detail == "full",
            )
        )  # fmt: skip

    def get_eads_status(
        self, project_id: ProjectId, eads_id: EadsId, conversation_id: ConversationId = "main"
    ) -> wire.EadsStatus:
        """See what a schema has established, and which paths are open."""
        return wire.EadsStatus(**self.services.interview.status(project_id, conversation_id, eads_id))

    def finalize_eads(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        final_notes: Notes = "",
        conversation_id: ConversationId = "main",
        accept_gaps: Annotated[bool, Field(description="Though values are open.")] = False,
    ) -> wire.Finalized:
        """Close a schema; says what is missing when it cannot. One with nothing open closes itself."""
        found = self.services.interview.finalize(project_id, conversation_id, eads_id, final_notes, accept_gaps)
        return wire.Finalized(**found)

    def get_conversation_history(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        include_minizinc: Annotated[bool, Field(description="Add the last model.")] = False,
        page: Page = 1,
    ) -> record.History:
        """Read the conversation: questions, answers, results, notes."""
        from packhorse_discovery import convert

        found = self.services.casefile.history(project_id, conversation_id)
        return convert.history(found, include_minizinc=include_minizinc, page=page)

    def get_aggregated_scr(
        self,
        project_id: ProjectId,
        conversation_id: ConversationId = "main",
        eads_filter: Annotated[list[EadsId], Field(max_length=200)] = [],  # noqa: B006
        page: Page = 1,
        detail: Detail = "brief",
    ) -> record.Aggregated:
        """Get what is established (the SCR): in words, with conflicts; in full by schema, and merged with sources."""
        from packhorse_discovery import convert

        scr = self.services.casefile.scr(project_id, conversation_id)
        structures = self.services.casefile.structures(project_id, eads_filter or None)
        full, library = detail == "full", self.services.interview.projects.shelf().eads
        found, formulation = (
            self.services.correcting.conflicts(project_id),
            self.services.casefile.formulation(project_id, full=full),
        )
        return convert.aggregated(structures, scr, found, page, formulation, library, full=full)

    def correct_answer(
        self,
        project_id: ProjectId,
        eads_id: EadsId,
        path: Annotated[
            str,
            Field(
                max_length=300,
                description="Such as /subprocesses/mash/duration.",
            ),
        ] = "",
        value: Annotated[Any, Field(description="null clears it, or removes a row.")] = None,
        undo: Annotated[
            bool, Field(description="Take back the last change of the path, else the last answer.")
        ] = False,
        question_id: Annotated[QuestionId | None, Field(description="With undo: all its answers.")] = None,
        answered_by: Person = "",
        expected_revision: Revision = None,
        answer: Annotated[str, Field(max_length=50_000, description="Their words; a new value must be in them.")] = "",
    ) -> wire.Processed:
        """Put a value right, clear it, rename or remove a row, or undo answers."""
        if question_id is not None and (path != "" or not undo):
            raise refusal(
                "UNDO_UNCLEAR",
                "question_id",
                "is only for undoing a whole answer: give `undo` too, without `path`. To change one value, give `path`"
                " without `question_id`",
            )
        if not undo and path == "":
            raise refusal("PATH_MISSING", "path", "is required: get_eads_status lists the paths of the values")
        if undo:
            found = self.services.correcting.undo(project_id, eads_id, path, question_id, expected_revision)
        else:
            found = self.services.correcting.correct(
                project_id, eads_id, path, value, answered_by, expected_revision, answer
            )
        return wire.Processed(**found)

    def list_conflicts(
        self, project_id: ProjectId, include_resolved: Annotated[bool, Field()] = False
    ) -> record.Conflicts:
        """List contradictions, with both statements and what would settle each."""
        from packhorse_discovery import convert

        found = self.services.correcting.conflicts(project_id)
        shown = [convert.conflict_entry(*one) for one in found if include_resolved or one[1] == "open"]
        return record.Conflicts(conflicts=shown, open=sum(one[1] == "open" for one in found))

    def resolve_conflict(
        self,
        project_id: ProjectId,
        conflict_id: Annotated[str, Field(pattern=r"^c-[0-9a-f]{12}$")],
        resolution: Annotated[str, Field(min_length=1, max_length=2000, description="What was decided.")],
        value: Annotated[Any, Field(description="The value that holds.")] = None,
        answered_by: Person = "",
    ) -> record.Resolved:
        """Settle a contradiction as the person has decided."""
        return record.Resolved(
            **self.services.correcting.resolve(project_id, conflict_id, resolution, value, answered_by)
        )

    def add_note(
        self,
        project_id: ProjectId,
        text: Annotated[str, Field(min_length=1, max_length=4000)],
        conversation_id: ConversationId = "main",
        answered_by: Person = "",
    ) -> record.Noted:
        """Leave a note for assistants; the interviewee never sees it."""
        return record.Noted(**self.services.casefile.note(project_id, conversation_id, text, answered_by))

    def propose_eads(
        self,
        project_id: ProjectId,
        document: Annotated[dict[str, Any], Field(description="In the form packhorse-eads/1 (eads://format).")],
        answered_by: Person = "",
    ) -> record.Proposed:
        """Add a schema of your own to a project, where the library asks for none of what matters there."""
        return record.Proposed(**self.services.casefile.propose(project_id, document, answered_by))

    def export_project(
        self,
        project_id: ProjectId,
        format: Literal["json", "markdown", "csv", "excel", "mermaid", "plantuml"] = "markdown",  # noqa: A002 -- asked for so
        conversation_id: ConversationId = "main",
        page: Page = 1,
    ) -> record.Exported:
        """Export a project: data, report, tables, or a diagram."""
        from packhorse_discovery import convert

        case = self.services.casefile
        history = case.history(project_id, conversation_id)
        text = convert.document(
            format, case.scr(project_id), case.structures(project_id), history["activities"],
            case.formulation(project_id),
        )  # fmt: skip
        shown, pages = convert.text_page(text, page)
        return record.Exported(format=format, text=shown, page=page, pages=pages)

    def delete_project(self, project_id: ProjectId) -> record.Deleted:
        """Erase a project with all that was said in it, for good."""
        return record.Deleted(**self.services.casefile.delete(project_id))


Seconds = Annotated[float, Field(gt=0, le=60)]
JobSeconds = Annotated[float, Field(gt=0, le=3600, description="To search, at most.")]
Seed = Annotated[int, Field(ge=0, le=2_147_483_647)]


class ModelTools(OnProjects):
    """From an interview to a schedule."""

    def generate_model(self, project_id: ProjectId, page: Page = 1, detail: Detail = "brief") -> schedule.Generated:
        """Write the MiniZinc program of what is established, each number with its question.

        Says what is lacking when it is not enough for a model yet. The text itself comes in full, or from its URI.
        """
        from packhorse_discovery import convert

        found = self.services.modeller.generate(project_id)
        text, pages = convert.text_page(found["minizinc"] if detail == "full" else "", page)
        uri = f"discovery://projects/{project_id}/model"
        return schedule.Generated(**{**found, "minizinc": text}, program_uri=uri, page=page, pages=pages)

    def solve_model(
        self,
        project_id: ProjectId,
        context: Context,
        seconds: JobSeconds = 20,
        seed: Seed = 0,
        solver: Annotated[
            Literal["cp-sat", "minizinc"], Field(description="minizinc: a second opinion, where installed.")
        ] = "cp-sat",
    ) -> Work | schedule.SolvedModel:
        """Compute the best schedule of what is established, or say which statements contradict one another.

        It answers with a job; job_result has the schedule.
        """
        from packhorse_discovery.service.scheduling import INLINE_SECONDS, Scheduler, in_brief

        scheduler = Scheduler(self.services.modeller)
        if self.jobs:
            return scheduler.order(project_id, seconds=seconds, seed=seed, solver=solver)
        if seconds > INLINE_SECONDS:
            raise refusal(
                "TOO_LONG",
                "seconds",
                f"must be at most {INLINE_SECONDS:g}, because this server has no background jobs (packhorse[jobs])",
            )
        found = scheduler.solve(
            project_id, seconds=seconds, seed=seed, solver=solver, cancelled=lambda: context.cancelled
        )
        return schedule.SolvedModel(**in_brief(found))

    def compare_models(
        self,
        project_id: ProjectId,
        change: Annotated[
            Literal["speed", "capacity", "duration", "due", "open"],
            Field(description="speed: times as fast; duration, due: minutes; open: at all hours."),
        ],
        name: Annotated[str, Field(min_length=1, max_length=120, description="Of the resource, step or job.")],
        value: Annotated[float, Field(ge=0, le=1_000_000)] = 1,
        seconds: Seconds = 20,
        seed: Seed = 0,
    ) -> schedule.Compared:
        """What if one thing were different: both schedules, and what it would bring."""
        from packhorse_discovery.service.modelling import change_of

        return schedule.Compared(
            **self.services.modeller.compare(project_id, change_of(change, name, value), seconds=seconds, seed=seed)
        )


class FormulationTools(OnProjects):
    """Problems of no built-in kind."""

    def solve_formulation(
        self,
        project_id: ProjectId,
        formulation: Annotated[
            dict[str, Any] | None,
            Field(description="sets, data, vars, rules, minimize or maximize; else the last one."),
        ] = None,
        words: Annotated[str, Field(max_length=50_000, description="What they said, if no answer holds it.")] = "",
        example: Annotated[
            Literal["form", "assignment", "blending", "packing", "roster", "routing", "selection", "shop"] | None,
            Field(description="Show one instead."),
        ] = None,
        seconds: JobSeconds = 20,
        seed: Seed = 0,
    ) -> Work | dict[str, Any]:
        """Solve a problem of another kind (routes, rosters, packing, blending, assignment, selection).

        Every number must be in their words. Read example form first.
        """
        from packhorse_discovery.service.formulating import in_short, shown
        from packhorse_discovery.service.scheduling import INLINE_SECONDS

        if example is not None:
            return shown(example)
        document = self.services.formulator.prepared(project_id, formulation, words)
        if self.jobs:
            return self.services.formulator.order(project_id, document, seconds=seconds, seed=seed)
        if seconds > INLINE_SECONDS:
            raise refusal(
                "TOO_LONG",
                "seconds",
                f"must be at most {INLINE_SECONDS:g}, because this server has no background jobs (packhorse[jobs])",
            )
        return in_short(self.services.formulator.solve(project_id, document, seconds=seconds, seed=seed))
