"""What the pack offers, as data: every tool, page, example and the demo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from packhorse import AUTHENTICATED, Example, Host, Resource, Scene, Tool
from packhorse_discovery.guards import owned
from packhorse_discovery.models.schedule import SolvedModel
from packhorse_discovery.resources import InterviewPages
from packhorse_discovery.tools import FormulationTools, InterviewTools, ModelTools

SIGNED_IN = (AUTHENTICATED,)
_WARM_UP = "process/warm-up-with-challenges"
_BAKERY = "demo-bakery"
_LOOKS: dict[str, Any] = {"read_only": True, "idempotent": True}
_SOLVES: dict[str, Any] = {"timeout": 120, "concurrency": 2}

WORDS: Mapping[str, str] = {
    "start_interview": (
        "begin new project customer business company own run describe trouble chaos consult discovery "
        "workshop continue; help me plan my bakery, we have a scheduling problem, interview me, ask "
        "me what you need\n"
        "manage garage factory kitchen clinic restaurant mechanics order in the work organise "
        "organize assess help business need hello first time resume"
    ),
    "get_next_eads": (
        "topic subject theme agenda area order left remaining proceed cover next step; what should we "
        "talk about next, are we done, what comes after this\n"
        "clear then where do we go from here another part priority best worth recommend suggestion "
        "ready finished all"
    ),
    "start_eads_pursuit": (
        "topic subject section chapter open choose discuss begin with part move on machines staff "
        "orders; let us talk about the machines, go on with staff, now the next part\n"
        "deliveries suppliers shifts into get on with open up dive switch resume continue"
    ),
    "list_available_eads": (
        "topics subjects themes catalogue templates areas overview kinds questionnaires forms; what "
        "can you ask about, show all topics\n"
        "things look into library menu choices offer"
    ),
    "get_next_question": (
        "repeat current again once more last continue pardon; what was the question, ask me the next "
        "one, go on, what do you want to know\n"
        "sorry phone interrupted missed hear did not understand what did you ask again please pending"
    ),
    "process_eads_answer": (
        "reply answers said replied told note down response enter record client manager foreman takes "
        "minutes hours per day needs each; here is my answer, we have three ovens, they answered "
        "that, it takes forty minutes\n"
        "according leader boss owner worker painting operator explained mentioned states claims "
        "requires there are we have it needs always never usually about roughly"
    ),
    "get_eads_status": (
        "progress missing how far complete remaining still open topic section chapter lacking left "
        "percent; how far are we with this topic, what is missing here\n"
        "covered enough gaps yet ready done answered unanswered state overview of section outstanding"
    ),
    "finalize_eads": (
        "finish done complete conclude end topic subject section chapter shut wrap up; we are done "
        "with this topic, that is all about it, call it finished\n"
        "mark as complete move on enough stop here leave it good set close off accept"
    ),
    "get_conversation_history": (
        "transcript earlier log previous record review discussed minutes talk; what did we talk "
        "about, what did I say before, what did I tell you last week\n"
        "exchange chat dialogue show earlier messages past scroll back everything said yesterday"
    ),
    "get_aggregated_scr": (
        "summary sum up requirements facts overview recap learned know so far everything findings "
        "collected picture; what do you know about us, read it all back\n"
        "list all data meeting briefing brief review knowledge established understand understood "
        "plant shop"
    ),
    "correct_answer": (
        "mistake wrong error change fix delete typo revise sorry undo instead figure rename update; "
        "no it is four ovens, I said that wrong, take that back, it is not six but five\n"
        "strike scratch correction not right actually rather I meant replace overwrite misspoke wrong "
        "number withdraw"
    ),
    "list_conflicts": (
        "inconsistent disagree mismatch contradict contradiction incompatible clash both true "
        "problem; do our statements contradict, what does not fit together, this cannot be right\n"
        "one says the other says two different numbers versions do you have both conflicting "
        "discrepancy inconsistency impossible"
    ),
    "resolve_conflict": (
        "decide which is right true real prefer keep first second figure number lower higher; go with "
        "what Anna said, the first figure is right, take the lower one\n"
        "correct ignore the other trust believe winner choose newest last one stands is right"
    ),
    "add_note": (
        "remark memo comment remember jot write down colleague later; note that they prefer tables, "
        "write this down\n"
        "reminder hint record that hates likes observation annotate"
    ),
    "propose_eads": (
        "custom own invent topic questionnaire template missing area; add our own topic, we need "
        "questions on allergens\n"
        "new area extra not covered define create"
    ),
    "generate_model": (
        "code formula constraints mathematical mathematics optimisation optimization variables build "
        "program equations translate; show me the constraints, write the optimization model\n"
        "MiniZinc math formal formulate gathered rules algebra model file source"
    ),
    "solve_model": (
        "optimize optimal timetable plan production sequence order jobs Gantt makespan earliest "
        "calculate compute run deadline capacity infeasible; work out the best schedule, when will "
        "all be done, in which order do we make them\n"
        "run the jobs finish first soonest fastest tonight week orders machine assignment when ready "
        "throughput lateness late delivery dates time needed"
    ),
    "solve_formulation": (
        "vehicle van trucks tours knapsack parcels timetable mix delivery load blend minimise cost "
        "cheapest selection route constraints; find the shortest delivery round, who gets which "
        "classroom, pack the truck, here are my constraints\n"
        "assign volunteers tasks lowest cost bins containers shifts nurses classes rooms budget "
        "portfolio puzzle shortest path matching allocate general"
    ),
    "compare_models": (
        "buy hire second third extra machine staff overtime faster worth invest suppose if away "
        "scenario effect save; what would another oven bring, would it pay to hire one more, what if "
        "a machine breaks\n"
        "second one pay off return benefit improvement difference one more one less away broken "
        "absent removed change in capacity better or worse"
    ),
    "export_project": (
        "download spreadsheet Excel CSV document file print share send save data diagram report Word "
        "results collected; give me a report, send it to my boss, download everything\n"
        "mail email attach presentation PDF JSON table archive backup out put all of this into"
    ),
    "delete_project": (
        "remove erase forget privacy wipe purge throw away start over; delete all about us, forget "
        "what I told you\n"
        "trace remove every gone permanently data protection GDPR clear destroy drop"
    ),
}
"""What people say who need a tool, for a search over tools: words that its description lacks, then sentences."""


def _refused(**more: Any) -> tuple[Example, ...]:
    """The example of a tool about a project: a call about one that is not there."""
    return (Example({"project_id": "nobody-yet", **more}, refused="PROJECT_UNKNOWN"),)


def _unpursued(**more: Any) -> tuple[Example, ...]:
    return _refused(eads_id=_WARM_UP, **more)


def tools(host: Host) -> list[Tool]:
    """The tools; all but the one that begins are only for projects that the caller may see."""
    own = InterviewTools(host)
    begin = Tool(
        fn=own.start_interview, title="Start or resume an interview", idempotent=True, roles=SIGNED_IN,
        examples=(Example({"project_id": "brewery"}, gives={"project_id": "brewery", "recommended": _WARM_UP}),),
    )  # fmt: skip
    of_projects = (*_of_the_interview(own), *_of_the_models(host), *_of_a_whole(own))
    guarded = (
        replace(one, fn=owned(lambda: own.services.owners, one.fn, to_erase=one.destructive), roles=SIGNED_IN)
        for one in of_projects
    )
    return [replace(one, words=WORDS[one.fn.__name__]) for one in (begin, *guarded)]


def _of_the_interview(own: InterviewTools) -> list[Tool]:
    return [
        Tool(fn=own.get_next_eads, title="What to find out next", idempotent=True, examples=_refused()),
        Tool(fn=own.start_eads_pursuit, title="Begin a schema", examples=_unpursued()),
        Tool(
            fn=own.list_available_eads, title="The library of schemas", **_LOOKS,
            examples=(Example({"interviewer_type": "optimality"}),),
        ),
        Tool(fn=own.get_next_question, title="The next question", idempotent=True, examples=_unpursued()),
        Tool(
            fn=own.process_eads_answer, title="Hand in an answer", idempotent=True,
            examples=_unpursued(question_id="q1-1", answer="We brew beer."),
        ),
        Tool(fn=own.get_eads_status, title="Where a schema stands", **_LOOKS, examples=_unpursued()),
        Tool(fn=own.finalize_eads, title="Close a schema", idempotent=True, examples=_unpursued()),
        Tool(fn=own.get_conversation_history, title="The conversation so far", **_LOOKS, examples=_refused()),
        Tool(fn=own.get_aggregated_scr, title="Everything established", **_LOOKS, examples=_refused()),
        Tool(
            fn=own.correct_answer, title="Correct or undo a value",
            examples=_unpursued(path="/product-or-service-name", value="beer"),
        ),
        Tool(fn=own.list_conflicts, title="Contradictions", **_LOOKS, examples=_refused()),
        Tool(
            fn=own.resolve_conflict, title="Settle a contradiction",
            examples=_refused(conflict_id="c-000000000000", resolution="The first."),
        ),
        Tool(fn=own.add_note, title="Leave a note", examples=_refused(text="They prefer tables.")),
        Tool(fn=own.propose_eads, level="expert", title="Add a schema to a project", examples=_refused(document={})),
    ]  # fmt: skip


def _of_the_models(host: Host) -> list[Tool]:
    model, formulation = ModelTools(host), FormulationTools(host)
    return [
        Tool(fn=model.generate_model, title="Write the model", idempotent=True, examples=_refused()),
        Tool(
            fn=model.solve_model, title="Compute the schedule", job=model.jobs, **_SOLVES,
            output_schema=SolvedModel.model_json_schema(), examples=_refused(),
        ),
        Tool(
            fn=formulation.solve_formulation, title="Solve another kind of problem", job=model.jobs, **_SOLVES,
            examples=_refused(formulation={}),
        ),
        Tool(
            fn=model.compare_models, title="What if?", read_only=True, **_SOLVES,
            examples=_refused(change="speed", name="oven", value=2),
        ),
    ]  # fmt: skip


def _of_a_whole(own: InterviewTools) -> list[Tool]:
    return [
        Tool(fn=own.export_project, title="Export a project", **_LOOKS, examples=_refused()),
        Tool(fn=own.delete_project, title="Erase a project", destructive=True, examples=_refused()),
    ]


def resources(host: Host) -> list[Resource]:
    """The pages; those of a project are only for who may see it."""
    pages = InterviewPages(host)
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
        Resource(
            uri="discovery://projects/{project_id}/page.html", fn=pages.page, name="project-page",
            title="The process and the schedule as a page",
            description="The steps and the last schedule, drawn for a browser.", mime_type="text/html",
        ),
    ]  # fmt: skip
    return [replace(each, fn=owned(lambda: pages.services.owners, each.fn), roles=SIGNED_IN) for each in offers]


def _domains(start: str) -> list[str]:
    return [one for one in ("process", "data", "resources", "optimality") if one.startswith(start)]


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


scene = Scene(
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
)
