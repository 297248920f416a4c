"""Whole interviews over MCP, without a language model: from the first question to a schedule."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack

NEW_YEAR = fixed_clock("2026-01-01T00:00:00Z")
WARM_UP = "process/warm-up-with-challenges"

Answer = str | tuple[str, dict[str, Any]]

pytestmark = pytest.mark.anyio


class Conversation:
    """A person who has an answer ready for each schema, and the assistant who asks."""

    def __init__(self, client: Any, project: str = "p") -> None:
        self.client = client
        self.project = project
        self.asked: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.client.call_tool(tool, {"project_id": self.project, **arguments})
        assert not reply.is_error, reply.content[0].text
        return reply.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        reply = await self.client.call_tool(tool, {"project_id": self.project, **arguments})
        assert reply.is_error
        return (reply.meta or {})["packhorse/error"]["code"]

    async def pursue(self, eads_id: str, answers: Sequence[Answer]) -> dict[str, Any]:
        """Answer in turn; an answer with a structure beside it is (words, refinement)."""
        await self.call("start_eads_pursuit", eads_id=eads_id)
        for given in answers:
            answer, refinement = given if isinstance(given, tuple) else (given, None)
            question = await self.call("get_next_question", eads_id=eads_id)
            assert not question["done"], f"{eads_id} had no question for {answer!r}"
            self.asked.append(question["question"])
            more = {"refinement": refinement} if refinement else {}
            done = await self.call(
                "process_eads_answer", eads_id=eads_id, question_id=question["question_id"], answer=answer, **more
            )
            assert "refused" not in done, done["refused"]
        return await self.call("finalize_eads", eads_id=eads_id)

    async def follow(self, talk: Mapping[str, Sequence[Answer]]) -> list[str]:
        """Do what is ranked highest of what there are answers for; the schemas in the order pursued."""
        await self.call("start_interview")
        order: list[str] = []
        while True:
            advice = await self.call("get_next_eads")
            ranked = [advice["eads_id"], *advice.get("alternatives", [])]
            chosen = next((one for one in ranked if one in talk and one not in order), None)
            if chosen is None:
                return order
            done = await self.pursue(chosen, talk[chosen])
            assert done["success"], (chosen, done["validation_results"])
            order.append(chosen)


@pytest.fixture
async def conversation(without_jobs: None) -> AsyncIterator[Conversation]:
    async with client_for(discovery=pack, clock=NEW_YEAR) as client:
        yield Conversation(client)


def makes(words: str, product: str) -> list[Answer]:
    return [(words, {"product-or-service-name": product})]


def step(name: str, number: str, units: str, *resources: str, **more: Any) -> dict[str, Any]:
    return {
        "process-id": name, "duration": {"value-string": number, "units": units}, "resources": list(resources), **more,
    }  # fmt: skip


PENS = makes("We make pens.", "pens")
GOAL: list[Answer] = [
    ("Ship on time first, and then finish as early as possible.", {"objectives": ["tardiness", "makespan"]})
]
KIND: list[Answer] = [
    (
        "All of them go through the same steps in the same order.",
        {"principal-problem-type": "FLOW-SHOP", "quote": "same steps in the same order"},
    ),
]
ORDERS: list[Answer] = ["order,product,due\nB1,pale ale,14 days\nB2,stout,16 days\nB3,lager,25 days"]
COUNTS: list[Answer] = ["mill: 1\nmash tun: 1\nlauter tun: 1\nkettle: 1\nfermenter: 4\nbrite tank: 2\ncanning line: 1"]
TOLD: Answer = (
    """First we mill the grain for about an hour on the mill, then mash for 90 minutes in the mash tun, lauter for
2 hours in the lauter tun, and boil 75 minutes in the kettle. After that fermentation takes 5 to 7 days in a fermenter.
Then we condition it 1 to 3 days in the brite tank, and finally packaging takes 6-8 hours on the canning line.""",
    {
        "subprocesses": [
            step("mill", "1", "hours", "mill"),
            step("mash", "90", "minutes", "mash tun"),
            step("lauter", "2", "hours", "lauter tun"),
            step("boil", "75", "minutes", "kettle"),
            step("fermentation", "5-7", "days", "fermenter"),
            step("condition", "1-3", "days", "brite tank"),
            step("packaging", "6-8", "hours", "canning line"),
        ]
    },
)
LISTED = """1. Milling: 1 hour, on the mill
2. Mashing: 90 minutes, in the mash tun
3. Lautering: 2 hours, lauter tun
4. Boiling: 75 min, kettle
5. Fermentation: 5\u20137 days, in a fermenter
6. Conditioning: 1-3 days, brite tank
7. Canning: 6-8 h, on the canning line"""
TABLE = """| process | duration | resources |
|---|---|---|
| mill | 1 h | mill |
| mash | 90 min | mash tun |
| lauter | 2 h | lauter tun |
| boil | 75 min | kettle |
| ferment | 5-7 days | fermenter |
| condition | 1-3 days | brite tank |
| package | 6-8 hours | canning line |"""
HELD = """| resource | how many |
|---|---|
| mill | 1 |
| mash tun | 1 |
| lauter tun | 1 |
| kettle | 1 |
| fermenter | 4 |
| brite tank | 2 |
| canning line | 1 |"""
ROUTES = """| job level process | step | duration | machine |
|---|---|---|---|
| table | cut | 2 hours | saw |
| table | mill | 3 hours | CNC |
| table | finish | 4 hours | paint booth |
| chair | mill | 1 hour | CNC |
| chair | cut | 90 minutes | saw |
| chair | finish | 2 hours | paint booth |"""
FORM = "| item | answer |\n|---|---|\n| continuous | no |\n| cyclical | no |"
SUITS: Answer = (
    """Measuring takes half an hour with the fitter. Cutting needs two hours at the cutting table. Sewing is the
long one: a day and a half on a sewing machine. Then there's the fitting, 45 minutes with the fitter, and finally
pressing for an hour at the ironing station.""",
    {
        "subprocesses": [
            step("measuring", "30", "minutes", "fitter"),
            step("cutting", "2", "hours", "cutting table"),
            step("sewing", "1.5", "days", "sewing machine"),
            step("fitting", "45", "minutes", "fitter"),
            step("pressing", "1", "hours", "ironing station"),
        ]
    },
)
PROMISES: Answer = (
    """Mrs Lopez's suit is due in 5 days, the Brown wedding dress has to be ready in 7 days, and Mr Ito's suit within
six days.""",
    {
        "orders": [
            {"order-id": "Lopez", "product": "suit", "due": "5 days"},
            {"order-id": "Brown", "product": "wedding dress", "due": "7 days"},
            {"order-id": "Ito", "product": "suit", "due": "6 days"},
        ]
    },
)
STOCK: Answer = (
    "There is one fitter, one cutting table and two sewing machines. We also have an ironing station.",
    {
        "resources": [
            {"resource-id": "fitter", "count": 1},
            {"resource-id": "cutting table", "count": 1},
            {"resource-id": "sewing machine", "count": 2},
            {"resource-id": "ironing station", "count": 1},
        ]
    },
)
JOBS = """| job | operation | duration | machine |
|---|---|---|---|
| leaflets | printing | 2 hours | press |
| leaflets | cutting | 1 hour | guillotine |
| book | printing | 4 hours | press |
| book | folding | 2 hours | folder |
| book | binding | 3 hours | binder |
| posters | cutting | 1 hour | guillotine |
| posters | printing | 1.5 hours | press |"""
TALKS: dict[str, dict[str, list[Answer]]] = {
    "brewery-told": {
        WARM_UP: makes("We make craft beer. Fermenters and the canning line are bottlenecks.", "craft beer"),
        "process/scheduling-problem-type": KIND,
        "process/flow-shop": [TOLD],
        "data/orders": ORDERS,
        "resources/inventory": COUNTS,
        "optimality/goals": GOAL,
    },
    "brewery-listed": {
        WARM_UP: makes("We brew ales and lagers; late deliveries of cans upset everything.", "ales and lagers"),
        "process/scheduling-problem-type": ["(a)"],
        "process/flow-shop": [LISTED],
        "data/orders": ["- B1: pale ale\n- B2: stout\n- B3: lager"],
        "resources/inventory": [HELD],
        "optimality/goals": ["The shortest total time, then few changeovers"],
    },
    "brewery-in-two-answers": {
        WARM_UP: makes("We produce beer, and cleaning between styles costs us hours.", "beer"),
        "process/scheduling-problem-type": ["flow shop"],
        "process/flow-shop": ["- mill\n- mash\n- lauter\n- boil\n- ferment\n- condition\n- package", TABLE],
        "data/orders": ORDERS,
        "resources/inventory": [
            "- 1 mill\n- 1 mash tun\n- 1 lauter tun\n- 1 kettle\n- 4 fermenter\n- 2 x brite tank\n- one canning line"
        ],
        "optimality/goals": ["1. due dates 2. finish early"],
    },
    "joinery": {
        WARM_UP: makes("We make oak tables and chairs. The CNC machine breaks down.", "oak tables and chairs"),
        "process/scheduling-problem-type": ["job shop"],
        "process/job-shop": ["Yes, we have two routings."],
        "process/job-shop--classifiable": ["- table\n- chair", ROUTES],
        "data/orders": ["order,product,due\nO1,table,3 days\nO2,chair,2 days\nO3,chair,2 days"],
        "resources/inventory": ["saw: 1\nCNC: 1\npaint booth: 1"],
        "optimality/goals": GOAL,
    },
    "tailor": {
        WARM_UP: makes("I run a tailor's workshop with my sister. We sew suits.", "suits"),
        "process/scheduling-problem-type": KIND,
        "process/flow-shop": [SUITS],
        "data/orders": [PROMISES],
        "resources/inventory": [STOCK],
        "optimality/goals": GOAL,
    },
    "print shop": {
        WARM_UP: makes("We're a print shop. We print leaflets, books and posters.", "leaflets, books and posters"),
        "process/scheduling-problem-type": ["b)"],
        "process/job-shop": ["no"],
        "process/job-shop--unique": ["- leaflets\n- book\n- posters", JOBS],
        "data/orders": ["order,product,due\nleaflets,leaflets,1 day\nbook,book,2 days\nposters,posters,1 day"],
        "resources/inventory": ["press: 1\nguillotine: 1\nfolder: 1\nbinder: 1"],
        "optimality/goals": GOAL,
    },
}


@pytest.mark.parametrize("talk", list(TALKS.values()), ids=list(TALKS))
async def test_an_interview_ends_in_a_proved_schedule(
    conversation: Conversation, talk: dict[str, list[Answer]]
) -> None:
    order = await conversation.follow(talk)
    program = await conversation.call("generate_model", detail="full")
    solved = await conversation.call("solve_model", seconds=10)

    assert set(order) == set(talk)
    assert (solved["status"], solved["proved"]) == ("optimal", True)
    assert "globals.mzn" not in program["minizinc"]
    assert "question q" in program["minizinc"]
    assert program["tasks"] >= 2 * program["jobs"]
    assert sum(len(row["bars"]) for row in solved["gantt"]["rows"]) >= program["tasks"]


async def test_the_specification_s_first_pattern_goes_as_written(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    advice = await conversation.call("get_next_eads")
    begun = await conversation.call("start_eads_pursuit", eads_id=advice["eads_id"])
    question = await conversation.call("get_next_question", eads_id=advice["eads_id"])
    done = await conversation.call(
        "process_eads_answer", eads_id=WARM_UP, question_id=question["question_id"],
        answer="We make craft beer. Juggling tank space is hard.", refinement={"product-or-service-name": "craft beer"},
    )  # fmt: skip
    final = await conversation.call("finalize_eads", eads_id=WARM_UP, final_notes="a small brewery")

    assert advice["eads_id"] == WARM_UP
    assert begun["budget"] == 0.9  # start_interview asked the first question
    assert (question["question_type"], question["question_id"]) == ("text", "q1-1")
    assert done["data_structure_update"]["product-or-service-name"] == "craft beer"
    assert (done["completeness"], done["next_action"]) == (1.0, "complete")
    assert final["success"]
    assert (await conversation.call("get_next_eads"))["eads_id"] == "process/scheduling-problem-type"


async def test_the_same_state_asks_the_same_and_writes_the_same_program(conversation: Conversation) -> None:
    await conversation.follow(TALKS["brewery-listed"])
    once, again = [(await conversation.call("generate_model", detail="full"))["minizinc"] for _ in range(2)]
    conversation.project = "other"
    await conversation.follow(TALKS["brewery-listed"])
    other = (await conversation.call("generate_model", detail="full"))["minizinc"]

    assert once == again
    assert once.replace("(p)", "") == other.replace("(other)", "")


async def test_a_question_not_answered_is_asked_again_and_costs_once(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.call("start_eads_pursuit", eads_id=WARM_UP)
    first = await conversation.call("get_next_question", eads_id=WARM_UP)
    second = await conversation.call("get_next_question", eads_id=WARM_UP)

    assert first == second
    assert first["budget_remaining"] == pytest.approx(0.9)


async def test_an_answer_beside_the_point_asks_for_clarification_and_changes_nothing(
    conversation: Conversation,
) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    await conversation.call("start_eads_pursuit", eads_id="process/scheduling-problem-type")
    await conversation.call("get_next_question", eads_id="process/scheduling-problem-type")
    reply = await conversation.call(
        "process_eads_answer", eads_id="process/scheduling-problem-type", question_id="q2-1", answer="Lovely weather."
    )

    assert (reply["next_action"], reply["data_structure_update"]) == ("needs_clarification", {})


async def test_a_refinement_that_differs_from_a_table_is_not_recorded_and_comes_back(
    conversation: Conversation,
) -> None:
    await _at_the_steps(conversation)
    reply = await conversation.call(
        "process_eads_answer", eads_id="process/flow-shop", question_id="q3-1",
        answer="| step | duration | resources |\n|---|---|---|\n| mix | 20 min | mixer |\n| bake | 4 days | oven |",
        refinement={
            "subprocesses": [
                {"process-id": "bake", "duration": {"value-string": "20", "units": "minutes"}, "after": ["mix"]}
            ]
        },
    )  # fmt: skip
    status = await conversation.call("get_eads_status", eads_id="process/flow-shop")
    bake = status["data_structure"]["subprocesses"][1]

    assert [one["path"] for one in reply["refused"]] == ["/subprocesses/bake/duration"]
    assert bake["duration"] == {"value-string": "4", "units": "days"}
    assert bake["after"] == ["mix"]


async def test_what_was_never_said_is_not_recorded(conversation: Conversation) -> None:
    await _at_the_steps(conversation)
    reply = await conversation.call(
        "process_eads_answer", eads_id="process/flow-shop", question_id="q3-1",
        answer="Mixing takes 20 minutes in the mixer. Baking takes 42 minutes in the deck oven. We weigh 450 loaves.",
        refinement={
            "subprocesses": [
                step("mixing", "20", "minutes", "mixer"),
                step("baking", "90", "minutes", "tunnel oven"),
                step("lamination", "3", "hours", "sheeter"),
            ]
        },
    )  # fmt: skip
    status = await conversation.call("get_eads_status", eads_id="process/flow-shop")

    assert status["data_structure"]["subprocesses"] == [
        step("mixing", "20", "minutes", "mixer"),
        {"process-id": "baking"},
    ]
    assert {one["path"]: one["value"] for one in reply["refused"]} == {
        "/subprocesses/baking/duration": "90",
        "/subprocesses/baking/resources": ["tunnel oven"],
        "/subprocesses/lamination/process-id": "lamination",
    }
    assert any("450" in one for one in reply["not_used"])
    assert reply["next_action"] == "continue"


async def test_running_text_without_a_structure_records_nothing_and_gives_the_table(conversation: Conversation) -> None:
    await _at_the_steps(conversation)
    left = (await conversation.call("get_eads_status", eads_id="process/flow-shop"))["budget_remaining"]
    reply = await conversation.call(
        "process_eads_answer", eads_id="process/flow-shop", question_id="q3-1",
        answer="The press runs 12,000 sheets per hour, then we fold, which takes as long as it takes.",
    )  # fmt: skip
    again = await conversation.call("get_next_question", eads_id="process/flow-shop")

    assert (reply["recorded"], reply["next_action"]) == (0, "needs_clarification")
    assert "| process | " in reply["table_template"]
    assert "refinement" in reply["needed"]
    assert (again["question_id"], again["budget_remaining"]) == ("q3-1", left)


async def test_a_row_is_removed_renamed_and_cleared_and_each_comes_back(conversation: Conversation) -> None:
    steps = "process/flow-shop"
    await _at_the_steps(conversation)
    await conversation.call("process_eads_answer", eads_id=steps, question_id="q3-1", answer=TABLE)
    gone = await conversation.call("correct_answer", eads_id=steps, path="/subprocesses/mash", value=None)
    await conversation.call(
        "correct_answer", eads_id=steps, path="/subprocesses/boil/process-id", value="cook", answer="We call it cook."
    )
    await conversation.call("correct_answer", eads_id=steps, path="/subprocesses/ferment/duration", value=None)
    rows = (await conversation.call("get_eads_status", eads_id=steps))["data_structure"]["subprocesses"]
    names = [row["process-id"] for row in rows]
    await conversation.call("correct_answer", eads_id=steps, undo=True)
    after = (await conversation.call("get_eads_status", eads_id=steps))["data_structure"]

    assert names == ["mill", "lauter", "cook", "ferment", "condition", "package"]
    assert "duration" not in rows[3]
    assert "open_conflicts" not in gone
    assert after.get("subprocesses", []) == []


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/subprocesses/Mash", "/subprocesses/mash"),
        ("/subprocesses/mash-tun/duration", "/subprocesses/mash"),
        ("/nothing", ""),
    ],
)
async def test_a_path_that_names_nothing_is_an_error_with_near_ones(
    conversation: Conversation, path: str, near: str
) -> None:
    await _at_the_steps(conversation)
    await conversation.call("process_eads_answer", eads_id="process/flow-shop", question_id="q3-1", answer=TABLE)
    reply = await conversation.client.call_tool(
        "correct_answer", {"project_id": "p", "eads_id": "process/flow-shop", "path": path, "value": "x"}
    )
    status = await conversation.call("get_eads_status", eads_id="process/flow-shop")

    assert reply.is_error
    assert near in reply.content[0].text
    assert len(status["data_structure"]["subprocesses"]) == 7


async def test_a_rule_without_a_home_is_kept_with_its_quote(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.call("start_eads_pursuit", eads_id=WARM_UP)
    await conversation.call("get_next_question", eads_id=WARM_UP)
    reply = await conversation.call(
        "process_eads_answer", eads_id=WARM_UP, question_id="q1-1",
        answer="We operate on children. The child always goes first, and we never run the saw after ten.",
        refinement={
            "rules": [
                {"rule": "the child always goes first", "quote": "The child always goes first"},
                {"rule": "the saw runs after ten", "quote": "we never run the saw after ten"},
            ]
        },
    )  # fmt: skip
    status = await conversation.call("get_eads_status", eads_id=WARM_UP)

    assert reply["unmodelled"] == ["the child always goes first"]
    assert [one["why"] for one in reply["refused"]] == ["the quote denies, and the rule does not"]
    assert status["data_structure"]["rules"] == [
        {"rule": "the child always goes first", "quote": "The child always goes first"}
    ]


async def test_undoing_an_answer_takes_its_conflict_and_its_questions_along(conversation: Conversation) -> None:
    steps, table = "process/flow-shop", "| step | duration | resources |\n|---|---|---|\n| bake | {} | oven |"
    await _at_the_steps(conversation)
    for who, words in (("Ann", "40 min"), ("Ben", "55 min")):
        question = await conversation.call("get_next_question", eads_id=steps)
        await conversation.call(
            "process_eads_answer", eads_id=steps, question_id=question.get("question_id") or "q3-1",
            answer=table.format(words), answered_by=who,
        )  # fmt: skip
    before = (await conversation.call("list_conflicts"))["open"]
    await conversation.call("correct_answer", eads_id=steps, undo=True)
    after = (await conversation.call("list_conflicts"))["open"]
    question = await conversation.call("get_next_question", eads_id=steps)

    assert (before, after) == (1, 0)
    assert "bake" not in question.get("table_template", "")


async def test_two_people_who_differ_are_both_heard_and_a_person_settles_it(conversation: Conversation) -> None:
    await _at_the_steps(conversation)
    table = "| step | duration | resources |\n|---|---|---|\n| bake | {} | oven |"
    for who, words in (("Ann", "40 min"), ("Ben", "55 min")):
        await conversation.call(
            "process_eads_answer", eads_id="process/flow-shop", question_id="q3-1", answer=table.format(words),
            answered_by=who,
        )  # fmt: skip
    (found,) = (await conversation.call("list_conflicts"))["conflicts"]
    status = await conversation.call("get_eads_status", eads_id="process/flow-shop")
    assert status["data_structure"]["subprocesses"][0]["duration"]["value-string"] == "40"

    await conversation.call(
        "resolve_conflict", conflict_id=found["conflict_id"], resolution="Ben has measured it.",
        value={"value-string": "55", "units": "minutes"},
    )  # fmt: skip

    status = await conversation.call("get_eads_status", eads_id="process/flow-shop")
    assert status["data_structure"]["subprocesses"][0]["duration"]["value-string"] == "55"
    assert (await conversation.call("list_conflicts"))["open"] == 0


async def test_a_value_is_corrected_and_the_correction_undone(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    path = "/product-or-service-name"
    await conversation.call("correct_answer", eads_id=WARM_UP, path=path, value="pencils", answer="No, pencils.")
    corrected = await conversation.call("get_eads_status", eads_id=WARM_UP)
    await conversation.call("correct_answer", eads_id=WARM_UP, path=path, undo=True)
    undone = await conversation.call("get_eads_status", eads_id=WARM_UP)

    assert corrected["data_structure"]["product-or-service-name"] == "pencils"
    assert undone["data_structure"]["product-or-service-name"] == "pens"


async def test_a_correction_that_nobody_said_is_refused_and_changes_nothing(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    path = "/product-or-service-name"

    invented = await conversation.call("correct_answer", eads_id=WARM_UP, path=path, value="bottles")
    status = await conversation.call("get_eads_status", eads_id=WARM_UP)

    assert invented["recorded"] == 0
    assert [one["path"] for one in invented["refused"]] == [path]
    assert status["data_structure"]["product-or-service-name"] == "pens"


async def test_one_answer_fills_every_schema_that_it_speaks_of(conversation: Conversation) -> None:
    first = (await conversation.call("start_interview"))["next"]
    answer = "We make pens: all of them go through the same steps in the same order. We have one press."
    done = await conversation.call(
        "process_eads_answer", eads_id=first["eads_id"], question_id=first["question_id"], answer=answer,
        refinement={
            "product-or-service-name": "pens",
            "principal-problem-type": "FLOW-SHOP",
            "resources": [{"resource-id": "press", "count": 1}],
        },
    )  # fmt: skip
    known = (await conversation.call("get_aggregated_scr", detail="full"))["scr_by_eads"]

    assert done["next"]["eads_id"] == "process/flow-shop"
    assert known["process/scheduling-problem-type"]["principal-problem-type"] == "FLOW-SHOP"
    assert known["resources/inventory"]["resources"] == [{"resource-id": "press", "count": 1}]


async def test_what_an_answer_says_too_early_comes_back_with_what_is_needed_first(conversation: Conversation) -> None:
    first = (await conversation.call("start_interview"))["next"]
    done = await conversation.call(
        "process_eads_answer", eads_id=first["eads_id"], question_id=first["question_id"],
        answer="We make pens. Assembly takes 5 minutes at the bench.",
        refinement={"product-or-service-name": "pens", "subprocesses": [step("assembly", "5", "minutes", "bench")]},
    )  # fmt: skip

    assert [one["path"] for one in done["refused"]] == ["/subprocesses"]
    assert "process/scheduling-problem-type" in done["refused"][0]["why"]


async def test_a_field_that_no_schema_has_comes_back_with_those_there_are(conversation: Conversation) -> None:
    first = (await conversation.call("start_interview"))["next"]
    done = await conversation.call(
        "process_eads_answer", eads_id=first["eads_id"], question_id=first["question_id"], answer="We make pens.",
        refinement={"product-or-service-name": "pens", "produkt": "pens"},
    )  # fmt: skip

    assert done["recorded"] == 1
    assert [one["path"] for one in done["refused"]] == ["/produkt"]
    assert "product-or-service-name" in done["refused"][0]["why"]


async def test_a_corrected_kind_of_problem_keeps_what_fits_and_asks_for_its_own_steps(
    conversation: Conversation,
) -> None:
    await conversation.follow({name: TALKS["tailor"][name] for name in list(TALKS["tailor"])[:5]})
    kind = "process/scheduling-problem-type"
    done = await conversation.call("correct_answer", eads_id=kind, path="/principal-problem-type", value="JOB-SHOP")
    scr = (await conversation.call("get_aggregated_scr", detail="full"))["merged_scr"]

    assert done["next"]["eads_id"] == "process/job-shop"
    assert "plans" not in scr
    assert len(scr["orders"]) == 3
    assert {one["id"] for one in scr["resources"]} >= {"fitter", "cutting-table"}


async def test_a_whole_answer_is_taken_back_and_asked_for_again(conversation: Conversation) -> None:
    await _at_the_steps(conversation)
    steps = "process/flow-shop"
    await conversation.call(
        "process_eads_answer", eads_id=steps, question_id="q3-1", answer=TOLD[0], refinement=TOLD[1]
    )
    before = await conversation.call("get_eads_status", eads_id=steps)
    undone = await conversation.call("correct_answer", eads_id=steps, question_id="q3-1", undo=True)
    after = await conversation.call("get_eads_status", eads_id=steps)
    question = await conversation.call("get_next_question", eads_id=steps)

    assert len(before["data_structure"]["subprocesses"]) == 7
    assert "of q3-1 undone" in undone["commit_notes"]
    assert after["data_structure"].get("subprocesses", []) == []
    assert not question["done"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"undo": True}, "NOTHING_TO_UNDO"),
        ({}, "PATH_MISSING"),
        ({"question_id": "q1-1"}, "UNDO_UNCLEAR"),
        ({"question_id": "q1-1", "undo": True, "path": "/product-or-service-name"}, "UNDO_UNCLEAR"),
        ({"question_id": "q1-9", "undo": True}, "QUESTION_UNKNOWN"),
        ({"path": "/product-or-service-name", "undo": True}, "NOTHING_TO_UNDO"),
    ],
    ids=["nothing answered", "nothing named", "no undo", "a path as well", "no such question", "nothing changed"],
)
async def test_an_undo_that_names_no_change_is_refused(
    conversation: Conversation, arguments: dict[str, Any], code: str
) -> None:
    await conversation.call("start_interview")
    await conversation.call("start_eads_pursuit", eads_id=WARM_UP)
    await conversation.call("get_next_question", eads_id=WARM_UP)

    assert await conversation.refused("correct_answer", eads_id=WARM_UP, **arguments) == code


async def test_what_the_caller_believes_is_compared_and_the_stored_value_wins(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    await conversation.call("start_eads_pursuit", eads_id="process/scheduling-problem-type")
    question = await conversation.call(
        "get_next_question", eads_id="process/scheduling-problem-type", responses_so_far={"continuous?": True}
    )

    assert question["differences"] == [{"path": "/continuous?", "yours": True}]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("get_next_eads", {"conversation_id": "another"}, "CONVERSATION_UNKNOWN"),
        ("start_eads_pursuit", {"eads_id": "process/nothing"}, "EADS_UNKNOWN"),
        ("start_eads_pursuit", {"eads_id": "process/flow-shop"}, "PREREQUISITE_MISSING"),
        ("get_next_question", {"eads_id": "resources/inventory"}, "NOT_PURSUED"),
        ("generate_model", {}, "MODEL_INCOMPLETE"),
        ("solve_model", {}, "MODEL_INCOMPLETE"),
        ("resolve_conflict", {"conflict_id": "c-000000000000", "resolution": "x"}, "CONFLICT_UNKNOWN"),
        ("get_aggregated_scr", {"page": 9}, "NO_SUCH_PAGE"),
    ],
)
async def test_what_cannot_be_done_yet_is_refused_with_its_code(
    conversation: Conversation, tool: str, arguments: dict[str, Any], code: str
) -> None:
    await conversation.call("start_interview")

    assert await conversation.refused(tool, **arguments) == code


async def test_a_stale_revision_is_refused(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)

    code = await conversation.refused(
        "correct_answer", eads_id=WARM_UP, path="/product-or-service-name", value="ink", expected_revision=0
    )
    assert code == "REVISION_STALE"


async def test_a_schema_of_the_project_s_own_is_pursued_like_any_other(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    document = {
        "format": "packhorse-eads/1", "version": "1.0.0", "title": "Ferries",
        "interview-objective": "Which ferries run.",
        "EADS": {"EADS-id": "resources/ferries", "ferries": [{"ferry-id": "Aurora", "seats": 40}]},
    }  # fmt: skip
    proposed = await conversation.call("propose_eads", document=document)
    done = await conversation.pursue("resources/ferries", ["| ferry | seats |\n|---|---|\n| Borealis | 60 |"])

    assert proposed["eads_id"] == "resources/ferries"
    assert done["data_structure"]["ferries"] == [{"ferry-id": "Borealis", "seats": 60}]


async def test_a_schema_that_the_library_has_too_is_told_apart_and_pursued(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    document = {
        "format": "packhorse-eads/1", "version": "1.0.0", "title": "Warm-up", "interview-objective": "What is made.",
        "EADS": {"EADS-id": WARM_UP, "product": {"val": "glass", "question": "What do you make?"}},
    }  # fmt: skip
    proposed = await conversation.call("propose_eads", document=document)
    done = await conversation.pursue(proposed["eads_id"], ["pens"])
    again = await conversation.call("get_eads_status", eads_id=proposed["eads_id"])

    assert proposed["eads_id"] == f"{WARM_UP}.project"
    assert done["success"]
    assert again["data_structure"] == {"product": "pens"}


async def test_a_note_is_for_the_assistant_and_not_for_the_report(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.call("add_note", text="They dislike long questions.")
    await conversation.call("start_eads_pursuit", eads_id=WARM_UP)
    question = await conversation.call("get_next_question", eads_id=WARM_UP)
    report = await conversation.call("export_project", format="markdown")

    assert question["notes"] == ["They dislike long questions."]
    assert "dislike" not in report["text"]


@pytest.mark.parametrize("form", ["json", "markdown", "csv", "mermaid", "plantuml"])
async def test_a_project_is_exported(conversation: Conversation, form: str) -> None:
    await conversation.follow(TALKS["brewery-listed"])
    exported = await conversation.call("export_project", format=form)

    assert "Mashing" in exported["text"] or "mashing" in exported["text"]
    if form == "json" and exported["pages"] == 1:
        json.loads(exported["text"])


async def test_history_and_results_are_read_back(conversation: Conversation) -> None:
    await conversation.follow(TALKS["brewery-listed"])
    await conversation.call("solve_model", seconds=5)
    pages = [await conversation.call("get_conversation_history", include_minizinc=True)]
    while len(pages) < pages[0]["pages"]:
        pages.append(await conversation.call("get_conversation_history", include_minizinc=True, page=len(pages) + 1))
    said = [one for page in pages for part in page["activities"] for one in part["questions_answers"]]

    assert len(said) == len(conversation.asked)
    assert "optimal" in "".join(page["minizinc_results"] for page in pages)
    assert "".join(page["minizinc"] for page in pages).startswith("%")


async def test_a_deleted_project_is_gone_altogether(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    await conversation.call("delete_project")

    assert await conversation.refused("get_next_eads") == "PROJECT_UNKNOWN"
    assert "pursuits" not in await conversation.call("start_interview")


async def test_the_library_and_a_project_are_pages_to_read(conversation: Conversation) -> None:
    await conversation.follow({WARM_UP: PENS})
    shelf = json.loads((await conversation.client.read_resource("eads://library")).contents[0].text)
    scr = json.loads((await conversation.client.read_resource("discovery://projects/p/scr")).contents[0].text)

    assert len(shelf["eads"]) == 17
    assert scr["product"]["value"] == "pens"
    assert scr["product"]["question_id"] == "q1-1"


async def test_the_prompt_names_the_project_and_the_tools(conversation: Conversation) -> None:
    prompt = await conversation.client.get_prompt("interview", {"project_id": "p", "trade": "baking"})
    text = prompt.messages[0].content.text

    for word in ("process_eads_answer", "finalize_eads", "solve_model", '"p"', "baking"):
        assert word in text


async def test_the_demo_tells_what_a_baker_s_answer_held() -> None:
    scene = pack.pack.demo
    assert scene is not None
    async with client_for(discovery=pack, clock=NEW_YEAR) as client:
        answers = [(await client.call_tool(tool, dict(args))).structured_content or {} for tool, args in scene.calls]
    lines = scene.tell(answers)

    assert "sourdough bread and rolls; bottleneck-processes, equipment-changeover" in lines[1]
    assert "rye is never baked after wheat (the rule denies, and the quote does not)" in lines[2]


async def _at_the_steps(conversation: Conversation) -> None:
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, makes("We make bread.", "bread"))
    await conversation.pursue("process/scheduling-problem-type", KIND)
    await conversation.call("start_eads_pursuit", eads_id="process/flow-shop")
    await conversation.call("get_next_question", eads_id="process/flow-shop")


async def test_a_date_asks_for_the_start_and_a_corrected_start_reads_it_again(conversation: Conversation) -> None:
    orders = "data/orders"
    await conversation.call("start_interview")
    await conversation.pursue(WARM_UP, PENS)
    await conversation.pursue("process/scheduling-problem-type", KIND)
    await conversation.call("start_eads_pursuit", eads_id=orders)
    question = await conversation.call("get_next_question", eads_id=orders)
    reply = await conversation.call(
        "process_eads_answer", eads_id=orders, question_id=question["question_id"],
        answer="The Jumbo order of rolls is due Thursday at noon.",
        refinement={"orders": [{"order-id": "Jumbo", "product": "rolls", "due": "2026-01-08 12:00"}]},
    )  # fmt: skip
    start = await conversation.call("get_next_question", eads_id=orders)
    await conversation.call(
        "process_eads_answer", eads_id=orders, question_id=start["question_id"], answer="2026-01-05"
    )
    first = (await conversation.call("get_eads_status", eads_id=orders))["data_structure"]["orders"][0]
    await conversation.call(
        "correct_answer", eads_id=orders, path="/origin", value="2026-01-12", answer="On 12 January."
    )
    second = (await conversation.call("get_eads_status", eads_id=orders))["data_structure"]["orders"][0]

    assert [(one["why"], one["nearest"]) for one in reply["refused"]] == [
        ("no start date is known", "Thursday at noon")
    ]
    assert "On which date does the schedule begin?" in start["question"]
    assert (first["due"], second["due"]) == ("2026-01-08 12:00", "2026-01-15 12:00")


async def test_undo_twice_takes_back_two_answers_and_names_them(conversation: Conversation) -> None:
    steps = "process/flow-shop"
    await _at_the_steps(conversation)
    await conversation.call("process_eads_answer", eads_id=steps, question_id="q3-1", answer="- mill\n- mash\n- boil")
    question = await conversation.call("get_next_question", eads_id=steps)
    await conversation.call(
        "process_eads_answer", eads_id=steps, question_id=question["question_id"],
        answer="| process | duration | resources |\n|---|---|---|\n| mill | 1 h | mill |",
    )  # fmt: skip
    notes = [(await conversation.call("correct_answer", eads_id=steps, undo=True))["commit_notes"] for _ in range(2)]
    status = await conversation.call("get_eads_status", eads_id=steps)

    assert [question["question_id"] in notes[0], "q3-1" in notes[1]] == [True, True]
    assert status["data_structure"].get("subprocesses", []) == []


@pytest.mark.parametrize(
    "row",
    [
        "| all | 08:00 | Monday, Tuesday, Wednesday | 17:00 |",
        "| all | 06:00 | Monday to Friday | 18:00 |",
        "| all | 8:30 | Mon-Fri | 17:30 |",
        "| all | 8am | weekdays | 5pm |",
    ],
)
async def test_the_template_of_working_hours_takes_times_and_days_as_people_write_them(row: str) -> None:
    from packhorse_discovery.domain.interview.questions import next_question
    from packhorse_discovery.domain.interview.structure import Structure
    from packhorse_discovery.domain.reading.plain import read
    from packhorse_discovery.service.library import library

    eads = library().get("resources/calendar-and-maintenance")
    assert eads is not None
    question = next_question(eads, Structure())
    assert question is not None
    reading = read(question, f"| resource | start | days | end |\n|---|---|---|---|\n{row}", eads, Structure())
    values = {one.path.rpartition("/")[2]: one.value for one in reading.proposals}

    assert values["start"] in {"08:00", "06:00", "08:30"}
    assert values["end"] in {"17:00", "18:00", "17:30"}
    assert isinstance(values["days"], list)
    assert values["days"][:3] == ["Monday", "Tuesday", "Wednesday"]
    assert reading.not_read == ()


@pytest.mark.parametrize("text", ["| step | duration |\n|---|---|\n| boil | 20 min |\n| boil | 30 min |"])
def test_two_rows_of_one_name_that_differ_are_not_recorded(text: str) -> None:
    from packhorse_discovery.domain.interview.questions import next_question
    from packhorse_discovery.domain.interview.structure import Structure
    from packhorse_discovery.domain.reading.plain import read
    from packhorse_discovery.service.library import library

    eads = library().get("process/flow-shop")
    assert eads is not None
    question = next_question(eads, Structure())
    assert question is not None
    reading = read(question, text, eads, Structure())

    assert [one.path for one in reading.proposals] == ["/subprocesses/boil/process-id"]
    assert [(one.path, one.value, one.why) for one in reading.not_read] == [
        ("/subprocesses/boil/duration", "30 min", "another row of this name says '20 min'")
    ]


async def test_a_list_with_rows_is_not_emptied_by_an_answer_that_adds_to_it(conversation: Conversation) -> None:
    await _at_the_steps(conversation)
    table = "| step | duration | resources |\n|---|---|---|\n| bake | 40 min | oven |\n| mix | 10 min | mixer |"
    await conversation.call("process_eads_answer", eads_id="process/flow-shop", question_id="q3-1", answer=table)
    reply = await conversation.call(
        "process_eads_answer", eads_id="process/flow-shop", question_id="q3-1", answer="There are no steps.",
        refinement={"subprocesses": []},
    )  # fmt: skip

    assert [one["path"] for one in reply["refused"]] == ["/subprocesses"]
    assert "correct_answer" in reply["refused"][0]["why"]


async def test_enough_is_said_with_the_rules_that_no_field_holds_and_its_question_is_put_once(
    conversation: Conversation,
) -> None:
    await conversation.follow(TALKS["brewery-listed"])
    calendar = (await conversation.call("start_interview"))["next"]["eads_id"]
    said = "We begin on 2 March 2026 and work Mondays from 8:00 to 16:00."
    replies = [
        await conversation.call(
            "process_eads_answer", eads_id=calendar, question_id="q6-1", answer=f"{said} {rule}.",
            refinement={
                "working-hours": [{"resource": "all", "days": ["Monday"], "start": "08:00", "end": "16:00"}],
                "origin": "2026-03-02", "closures": [], "changeovers": [], "cleaning": [],
                "rules": [{"rule": rule, "quote": rule}],
            },
        )
        for rule in ("Stout is brewed in the old kettle", "The boy never cans alone")
    ]  # fmt: skip
    first, second = (one["next"]["do"] for one in replies)

    assert "Stout is brewed in the old kettle" in first
    assert "correct principal-problem-type" in first
    assert "Ask once" in first
    assert "The boy never cans alone" in second
    assert "Ask once" not in second
    assert [one["commit_notes"].startswith(f"{one['recorded']} value") for one in replies] == [True, True]


async def test_a_model_and_what_is_established_are_told_in_brief_unless_the_whole_is_asked_for(
    conversation: Conversation,
) -> None:
    await conversation.follow(TALKS["brewery-listed"])
    brief, whole = [await conversation.call("generate_model", detail=each) for each in ("brief", "full")]
    outline = await conversation.call("get_aggregated_scr")
    steps = outline["outline"]["process/flow-shop"]["subprocesses"]

    assert "minizinc" not in brief
    assert brief["program_uri"] == whole["program_uri"]
    assert brief["summary"] == whole["summary"]
    assert whole["minizinc"].startswith("%")
    assert steps["count"] == len(steps["rows"])
    assert any("min" in one for one in steps["rows"])
    assert any("on " in one for one in brief["work"])
    assert "scr_by_eads" not in outline
    assert "merged_scr" not in outline
    assert len(json.dumps(outline)) < 4000


async def test_what_nobody_knows_is_named_beside_the_model_though_it_may_be_left_out(
    conversation: Conversation,
) -> None:
    await _at_the_steps(conversation)
    table = "| step | duration | resources | max wait |\n|---|---|---|---|\n| bake | 40 min | oven | I don't know |"
    await conversation.call("process_eads_answer", eads_id="process/flow-shop", question_id="q3-1", answer=table)
    notes = (await conversation.call("generate_model"))["notes"]

    assert "asked and not known, so not part of the model: subprocesses bake max wait" in notes
