"""The hooks of the discovery pack: its table of contents."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from packhorse import AUTHENTICATED, Example, Host, Pack, Prompt, Resource, Scene, Tool, hookimpl
from packhorse_discovery.guards import owned
from packhorse_discovery.models import DiscoverySettings, SolvedModel
from packhorse_discovery.prompts import InterviewPrompts
from packhorse_discovery.resources import InterviewPages
from packhorse_discovery.service.cabinet import Cabinet
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.formulating import Formulator
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.owners import Owners
from packhorse_discovery.store import MIGRATIONS
from packhorse_discovery.tools import FormulationTools, InterviewTools, ModelTools

if TYPE_CHECKING:
    import click

_SIGNED_IN = (AUTHENTICATED,)
_NOBODY = {"project_id": "nobody-yet"}
_UNKNOWN = (Example(_NOBODY, refused="PROJECT_UNKNOWN"),)
_WARM_UP = "process/warm-up-with-challenges"
_BAKERY = "demo-bakery"


def _unpursued(**more: Any) -> tuple[Example, ...]:
    return (Example({**_NOBODY, "eads_id": _WARM_UP, **more}, refused="PROJECT_UNKNOWN"),)


def _tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    question, noted = answers[2], answers[3]
    kept = noted["data_structure_update"]
    back = [f"{one['value']} ({one['why']})" for one in noted["refused"]]
    return [
        f"The interview asks: {question['question']}",
        f"Recorded: {kept.get('product-or-service-name')}; {', '.join(kept.get('scheduling-challenges', []))}.",
        f"Refused, since the words do not support it: {'; '.join(back)}.",
        f"{noted['completeness']:.0%} of this schema is established; next: {noted['next_action']}.",
    ]


pack = Pack(
    title="Discovery",
    settings=DiscoverySettings,
    migrations=MIGRATIONS,
    demo=Scene(
        title="A baker tells what hurts",
        calls=(
            ("start_interview", {"project_id": _BAKERY}),
            ("start_eads_pursuit", {"project_id": _BAKERY, "eads_id": _WARM_UP}),
            ("get_next_question", {"project_id": _BAKERY, "eads_id": _WARM_UP}),
            (
                "process_eads_answer",
                {
                    "project_id": _BAKERY,
                    "eads_id": _WARM_UP,
                    "question_id": "q1-1",
                    "answer": "We bake sourdough bread and rolls for forty shops. The oven is the bottleneck, "
                    "and cleaning between rye and wheat takes half an hour.",
                    "refinement": {
                        "product-or-service-name": "sourdough bread and rolls",
                        "scheduling-challenges": ["bottleneck-processes", "equipment-changeover"],
                        "one-more-thing": "They run two lines.",
                        "rules": [{"rule": "rye is never baked after wheat", "quote": "rye and wheat"}],
                        "quote": "The oven is the bottleneck ... half an hour",
                    },
                },
            ),
        ),
        tell=_tell,
    ),
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """The interview, what it established, and what can be done with it."""
    cabinet = Cabinet(host)
    has_jobs = find_spec("dbos") is not None  # packhorse[jobs]; without it a schedule is computed within the call
    tools = InterviewTools.of(cabinet)
    model, formulation = (
        ModelTools(Modeller(Casefile(cabinet)), has_jobs),
        FormulationTools(Formulator(cabinet), has_jobs),
    )
    begin = Tool(
        fn=tools.start_interview, title="Start or resume an interview", idempotent=True,
        examples=(Example({"project_id": "brewery"}, gives={"project_id": "brewery", "recommended": _WARM_UP}),),
        roles=_SIGNED_IN,
    )  # fmt: skip
    owners = Owners(cabinet)
    of_a_project = [*_of_the_interview(tools), *_of_the_models(model, formulation, has_jobs), *_of_a_whole(tools)]
    return [
        begin,
        *(
            replace(each, fn=owned(owners, each.fn, to_erase=each.destructive), roles=_SIGNED_IN)
            for each in of_a_project
        ),
    ]


def _of_the_interview(tools: InterviewTools) -> list[Tool]:
    return [
        Tool(fn=tools.get_next_eads, title="What to find out next", idempotent=True, examples=_UNKNOWN),
        Tool(fn=tools.start_eads_pursuit, title="Begin a schema", examples=_unpursued()),
        Tool(
            fn=tools.list_available_eads, title="The library of schemas", read_only=True, idempotent=True,
            examples=(Example({"interviewer_type": "optimality"}),),
        ),
        Tool(fn=tools.get_next_question, title="The next question", idempotent=True, examples=_unpursued()),
        Tool(
            fn=tools.process_eads_answer, title="Hand in an answer", idempotent=True,
            examples=_unpursued(question_id="q1-1", answer="We brew beer."),
        ),
        Tool(
            fn=tools.get_eads_status, title="Where a schema stands", read_only=True, idempotent=True,
            examples=_unpursued(),
        ),
        Tool(fn=tools.finalize_eads, title="Close a schema", idempotent=True, examples=_unpursued()),
        Tool(
            fn=tools.get_conversation_history, title="The conversation so far", read_only=True, idempotent=True,
            examples=_UNKNOWN,
        ),
        Tool(
            fn=tools.get_aggregated_scr, title="Everything established", read_only=True, idempotent=True,
            examples=_UNKNOWN,
        ),
        Tool(
            fn=tools.correct_answer, title="Correct or undo a value",
            examples=_unpursued(path="/product-or-service-name", value="beer"),
        ),
        Tool(fn=tools.list_conflicts, title="Contradictions", read_only=True, idempotent=True, examples=_UNKNOWN),
        Tool(
            fn=tools.resolve_conflict, title="Settle a contradiction",
            examples=(
                Example(
                    {**_NOBODY, "conflict_id": "c-000000000000", "resolution": "The first."}, refused="PROJECT_UNKNOWN"
                ),
            ),
        ),
        Tool(
            fn=tools.add_note, title="Leave a note",
            examples=(Example({**_NOBODY, "text": "They prefer tables."}, refused="PROJECT_UNKNOWN"),),
        ),
        Tool(
            fn=tools.propose_eads, title="Add a schema to a project",
            examples=(Example({**_NOBODY, "document": {}}, refused="PROJECT_UNKNOWN"),),
        ),
    ]  # fmt: skip


def _of_the_models(model: ModelTools, formulation: FormulationTools, has_jobs: bool) -> list[Tool]:
    return [
        Tool(fn=model.generate_model, title="Write the model", idempotent=True, examples=_UNKNOWN),
        Tool(
            fn=model.solve_model, title="Compute the schedule", timeout=120, concurrency=2, job=has_jobs,
            output_schema=SolvedModel.model_json_schema(), examples=_UNKNOWN,
        ),
        Tool(
            fn=formulation.solve_formulation, title="Solve another kind of problem", timeout=120, concurrency=2,
            job=has_jobs, examples=(Example({**_NOBODY, "formulation": {}}, refused="PROJECT_UNKNOWN"),),
        ),
        Tool(
            fn=model.compare_models, title="What if?", read_only=True, timeout=120, concurrency=2,
            examples=(Example({**_NOBODY, "change": "speed", "name": "oven", "value": 2}, refused="PROJECT_UNKNOWN"),),
        ),
    ]  # fmt: skip


def _of_a_whole(tools: InterviewTools) -> list[Tool]:
    return [
        Tool(
            fn=tools.export_project, title="Export a project", read_only=True, idempotent=True, examples=_UNKNOWN,
        ),
        Tool(fn=tools.delete_project, title="Erase a project", destructive=True, examples=_UNKNOWN),
    ]  # fmt: skip


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """The schemas, and what a project has established."""
    cabinet = Cabinet(host)
    pages, owners = InterviewPages(cabinet), Owners(cabinet)
    offers = [
        Resource(
            uri="eads://library", fn=pages.library, name="eads-library", title="Schemas",
            description="The schemas of this deployment, and the files that could not be used.",
            mime_type="application/json",
        ),
        Resource(
            uri="eads://format", fn=pages.format, name="eads-format", title="The authoring format",
            description="JSON Schema of packhorse-eads/1.", mime_type="application/json", ttl=3600,
        ),
        Resource(
            uri="eads://library/{domain}/{name}", fn=pages.eads, name="eads", title="A schema",
            description="One schema as it was written, by domain and name.", mime_type="application/json",
            complete={"name": pages.names, "domain": _domains},
        ),
        Resource(
            uri="discovery://projects/{project_id}/scr", fn=pages.scr, name="scr", title="Everything established",
            description="The aggregated structure of a project, with sources.", mime_type="application/json",
        ),
        Resource(
            uri="discovery://projects/{project_id}/process", fn=pages.process, name="process-diagram",
            title="The process", description="The steps of a project as a Mermaid flow chart.", mime_type="text/plain",
        ),
        Resource(
            uri="discovery://projects/{project_id}/model", fn=pages.model, name="model", title="The model",
            description="The last MiniZinc program of a project.", mime_type="text/plain",
        ),
        Resource(
            uri="discovery://projects/{project_id}/formulation", fn=pages.formulation, name="formulation",
            title="The formulation", description="The last formulation of a project, with its answer.",
            mime_type="application/json",
        ),
        Resource(
            uri="discovery://formulations/{name}", fn=pages.example, name="formulation-example",
            title="How a formulation is written", description="The form, or an example of it by name.",
            mime_type="application/json", complete={"name": pages.examples},
        ),
        Resource(
            uri="discovery://projects/{project_id}/gantt", fn=pages.gantt, name="gantt", title="The schedule",
            description="The Gantt chart of the last schedule, as rows of bars.", mime_type="application/json",
        ),
    ]  # fmt: skip
    return [replace(each, fn=owned(owners, each.fn), roles=_SIGNED_IN) for each in offers]


@hookimpl
def register_prompts(host: Host) -> list[Prompt]:
    """How to conduct the interview."""
    return [
        Prompt(
            fn=InterviewPrompts(Cabinet(host)).interview,
            title="Interview somebody about their scheduling",
            roles=_SIGNED_IN,
            arguments={"project_id": "A short name for the project.", "trade": "What they do, if you know."},
        )
    ]


@hookimpl
def register_commands(host: Host) -> "list[click.Command]":
    """For a person at a terminal: check and look at schemas, carry projects in and out."""
    from packhorse_discovery.commands import commands  # click is only needed at a terminal

    return commands(Cabinet(host))


def _domains(start: str) -> list[str]:
    return [one for one in ("process", "data", "resources", "optimality") if one.startswith(start)]
