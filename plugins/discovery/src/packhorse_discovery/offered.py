"""What the pack offers, as data: every tool, page, example and the demo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from packhorse import AUTHENTICATED, Example, Resource, Scene, Tool
from packhorse_discovery.guards import owned
from packhorse_discovery.models.schedule import SolvedModel
from packhorse_discovery.resources import InterviewPages
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.formulating import Formulator
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.owners import Owners
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.tools import FormulationTools, InterviewTools, ModelTools

SIGNED_IN = (AUTHENTICATED,)
_WARM_UP = "process/warm-up-with-challenges"
_BAKERY = "demo-bakery"
_LOOKS: dict[str, Any] = {"read_only": True, "idempotent": True}
_SOLVES: dict[str, Any] = {"timeout": 120, "concurrency": 2}

WORDS: Mapping[str, str] = {
    "start_interview": (
        "begin, new, project, customer, consult, describe, trouble, planning, company, talk, discovery, "
        "analysis, workshop, continue; help me plan my bakery, we have a scheduling problem, I want a better "
        "production plan"
    ),
    "get_next_eads": (
        "topic, subject, agenda, what next, which area, order, left, remaining, questions, go on, proceed, "
        "next step, cover next; what should we ask about next, are we done, what remains"
    ),
    "start_eads_pursuit": (
        "topic, subject, section, open, choose, start questions, begin with, equipment, part, move on; let us "
        "talk about the machines, go on with staff"
    ),
    "list_available_eads": (
        "topics, subjects, catalogue, templates, areas, overview, kinds, types, interviews, questionnaires, "
        "forms; what can you ask about, show all topics"
    ),
    "get_next_question": (
        "ask me, repeat, current, again, question, once more, last, say again, continue; what was the "
        "question, ask me the next one"
    ),
    "process_eads_answer": (
        "reply, said, says, note down, told, response, enter, save, record, client, manager, information, "
        "data, rule, fill in, takes, minutes, per day, holds, each; here is my answer, we have three ovens, "
        "they answered that"
    ),
    "get_eads_status": (
        "progress, missing, how far, complete, remaining, topic, section, subject, lacking, left, percent; "
        "how far are we with this topic, what is missing here"
    ),
    "finalize_eads": (
        "finish, done, complete, conclude, end, topic, subject, section, shut, finished, wrap up, close; we "
        "are done with this topic, that is all about it"
    ),
    "get_conversation_history": (
        "transcript, earlier, log, previous, said, record, review, questions, answers, minutes, protocol, "
        "discussed, transcript of; what did we talk about, what did I say before"
    ),
    "get_aggregated_scr": (
        "summary, summarize, requirements, facts, overview, recap, learned, know, so far, everything, "
        "findings, collected, written down, result, gathered, picture, show everything; what do you know "
        "about us, read it all back"
    ),
    "correct_answer": (
        "mistake, wrong, error, change, fix, delete, typo, revise, sorry, undo, last, value, instead, not, "
        "rename, update; no it is four ovens, I said that wrong, take that back"
    ),
    "list_conflicts": (
        "inconsistent, disagree, mismatch, contradict, incompatible, contradictions, clash, agree, problem; "
        "do our statements contradict, what does not fit together"
    ),
    "resolve_conflict": (
        "decide, correct one, which is right, true, clear up, prefer, number, value, lower, two, settle, "
        "real; the first figure is right, go with what Anna said"
    ),
    "add_note": "remark, memo, comment, remember, colleague, later; note that they prefer tables, write this down",
    "propose_eads": (
        "custom, own, topic, questionnaire, template, missing area; add our own topic, we need questions on allergens"
    ),
    "generate_model": (
        "code, formula, constraints, mathematical, mathematics, optimization, variables, build, program, "
        "equations, translate; show me the constraints, write the optimization model"
    ),
    "solve_model": (
        "optimize, optimal, timetable, plan, sequence, order of jobs, Gantt, makespan, earliest, solve, "
        "calculate, run, result, infeasible, deadline, capacity; work out the best schedule, when will all be "
        "done, plan the week's production"
    ),
    "solve_formulation": (
        "vehicle, trucks, tours, knapsack, timetable, mix, delivery, load, solve, assign, blend, cheapest, "
        "other problem, route; find the shortest delivery round, who gets which classroom, pack the truck"
    ),
    "compare_models": (
        "second machine, buy, more staff, overtime, faster, extra, hypothetical, worth, invest, suppose, if "
        "we had, third, capacity, save, alternative, scenario, shift, added, bought, effect; what would "
        "another oven bring, would it pay to hire one more"
    ),
    "export_project": (
        "download, spreadsheet, Excel, CSV, document, print, share, send, save, file, data, diagram, tables, "
        "hand over, put into, Word, results; give me a report, send it to my boss"
    ),
    "delete_project": "remove, forget, privacy, wipe, purge, start over; delete all about us, forget what I told you",
}
"""What people say who need a tool, for a search over tools: words that its description lacks, then sentences."""


def _refused(**more: Any) -> tuple[Example, ...]:
    """The example of a tool about a project: a call about one that is not there."""
    return (Example({"project_id": "nobody-yet", **more}, refused="PROJECT_UNKNOWN"),)


def _unpursued(**more: Any) -> tuple[Example, ...]:
    return _refused(eads_id=_WARM_UP, **more)


def tools(projects: Projects) -> list[Tool]:
    """The tools; all but the one that begins are only for projects that the caller may see."""
    owners, own = Owners(projects), InterviewTools.of(projects)
    begin = Tool(
        fn=own.start_interview, title="Start or resume an interview", idempotent=True, roles=SIGNED_IN,
        examples=(Example({"project_id": "brewery"}, gives={"project_id": "brewery", "recommended": _WARM_UP}),),
    )  # fmt: skip
    of_projects = (*_of_the_interview(own), *_of_the_models(projects), *_of_a_whole(own))
    guarded = (replace(one, fn=owned(owners, one.fn, to_erase=one.destructive), roles=SIGNED_IN) for one in of_projects)
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


def _of_the_models(projects: Projects) -> list[Tool]:
    has_jobs = find_spec("dbos") is not None  # packhorse[jobs]; without it a schedule is computed within the call
    model = ModelTools(Modeller(Casefile(projects)), has_jobs)
    formulation = FormulationTools(Formulator(projects), has_jobs)
    return [
        Tool(fn=model.generate_model, title="Write the model", idempotent=True, examples=_refused()),
        Tool(
            fn=model.solve_model, title="Compute the schedule", job=has_jobs, **_SOLVES,
            output_schema=SolvedModel.model_json_schema(), examples=_refused(),
        ),
        Tool(
            fn=formulation.solve_formulation, title="Solve another kind of problem", job=has_jobs, **_SOLVES,
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


def resources(projects: Projects) -> list[Resource]:
    """The pages; those of a project are only for who may see it."""
    pages, owners = InterviewPages(projects), Owners(projects)
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
    return [replace(each, fn=owned(owners, each.fn), roles=SIGNED_IN) for each in offers]


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
