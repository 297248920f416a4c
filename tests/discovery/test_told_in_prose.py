"""What people of several trades say, at the wire: prose alone records nothing, a structure only what was said."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack

pytestmark = pytest.mark.anyio

WARM_UP, KIND = "process/warm-up-with-challenges", "process/scheduling-problem-type"
STEPS, ORDERS, EVENTS = "process/flow-shop", "data/orders", "process/timetabling"
INVENTORY, HOURS, GOALS = "resources/inventory", "resources/calendar-and-maintenance", "optimality/goals"
FIRING = "| step | duration | resources |\n|---|---|---|\n| fire | 2 h | kiln |"
MUGS = "| order | product |\n|---|---|\n| A | mugs |"


class Expert:
    """Somebody whose answers go through the tools of one project."""

    def __init__(self, client: Any) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.client.call_tool(tool, {"project_id": "p", **arguments})
        assert not reply.is_error, reply.content[0].text
        return reply.structured_content

    async def say(self, eads_id: str, words: str, refinement: dict[str, Any] | None = None) -> dict[str, Any]:
        await self.call("start_eads_pursuit", eads_id=eads_id)
        asked = await self.call("get_next_question", eads_id=eads_id)
        more = {} if refinement is None else {"refinement": refinement}
        return await self.call(
            "process_eads_answer", eads_id=eads_id, question_id=asked["question_id"], answer=words, **more
        )

    async def begin(self, kind: str) -> None:
        await self.call("start_interview")
        await self.say(WARM_UP, "We make mugs.", {"product-or-service-name": "mugs"})
        if kind:
            await self.say(KIND, kind)

    async def known(self, eads_id: str) -> dict[str, Any]:
        return (await self.call("get_eads_status", eads_id=eads_id))["data_structure"]


@pytest.fixture
async def expert() -> AsyncIterator[Expert]:
    async with client_for(discovery=pack, clock=fixed_clock("2026-11-23T12:00:00Z")) as client:
        yield Expert(client)


@pytest.fixture
async def potter(expert: Expert) -> Expert:
    """A flow shop of which nothing but the kind is known."""
    await expert.begin("a)")
    return expert


@pytest.mark.parametrize(
    ("eads_id", "words"),
    [
        (STEPS, "We strip out for two days, then the electrician comes for one day, while the plumber can work."),
        (STEPS, "Steel goes to the saw for 5 minutes, 12 to 15 on the lathe, unless it's a long one, then 4 hours."),
        (STEPS, "Mash 90 minutes, boil 60 to 90, pils 10-14 days in one of eight unitanks."),
        (ORDERS, "Order 1001 is 300 pieces, due 4/12/2026. Order 1002 is 150, no rush."),
        (ORDERS, "Three batches of lager due in 10, 20 and 30 days."),
        (INVENTORY, "We have six 20s, an SM 74 and an SM 102; drying takes about double, depending on soil."),
        (INVENTORY, "Four recovery beds, well, three tomorrow because one's broken, and 19 nurses less two on leave."),
        (HOURS, "Early shift starts at six, late shift ends at ten. Mon-Thu 7:30am - 4pm, Fri until noon."),
        (GOALS, "The child always goes first, and we never run the saw after ten."),
    ],
)  # fmt: skip
async def test_prose_alone_records_nothing_and_asks_for_a_structure(potter: Expert, eads_id: str, words: str) -> None:
    found = await potter.say(eads_id, words)

    assert (found["recorded"], found["next_action"]) == (0, "needs_clarification")
    assert await potter.known(eads_id) == {}


@pytest.mark.parametrize(
    ("eads_id", "words", "given", "refused"),
    [
        (
            INVENTORY, "We have a few mixers and some ovens.",
            {"resources": [{"resource-id": "mixer", "count": 17}, {"resource-id": "oven", "count": 23}]},
            ["/resources/mixer/count", "/resources/oven/count"],
        ),
        (
            INVENTORY, "Two mixers and three ovens.",
            {"resources": [{"resource-id": "mixer", "count": 2}, {"resource-id": "crane", "count": 9}]},
            ["/resources/crane/resource-id"],
        ),
        (
            ORDERS, "We have to make the Jumbo order of 450 loaves.",
            {"orders": [{"order-id": "Jumbo", "due": "2026-08-13"}]}, ["/orders/jumbo/due"],
        ),
        (
            STEPS, "Mixing takes 20 minutes in the mixer.",
            {"subprocesses": [
                {"process-id": "mixing", "duration": "20 minutes", "resources": ["planetary mixer 9000"]}
            ]},
            ["/subprocesses/mixing/resources"],
        ),
    ],
    ids=["counts", "a crane", "a date", "a machine"],
)  # fmt: skip
async def test_what_nobody_said_is_refused_in_every_kind_of_answer(
    potter: Expert, eads_id: str, words: str, given: dict[str, Any], refused: list[str]
) -> None:
    assert [one["path"] for one in (await potter.say(eads_id, words, given))["refused"]] == refused


async def test_two_plain_answers_are_no_contradiction(expert: Expert) -> None:
    await expert.begin("")
    kind = {"principal-problem-type": "FLOW-SHOP", "quote": "goes through the same steps in the same order"}
    await expert.say(KIND, "Every product goes through the same steps in the same order.", kind)
    steps = [("mixing", "20 minutes", "mixer"), ("baking", "42 minutes", "deck oven")]
    rows = [{"process-id": name, "duration": time, "resources": [where]} for name, time, where in steps]
    words = "Mixing takes 20 minutes in the mixer. Baking takes 42 minutes in the deck oven."
    await expert.say(STEPS, words, {"subprocesses": rows})

    assert (await expert.call("list_conflicts"))["open"] == 0


async def test_a_row_keeps_the_name_that_the_structure_gives_it(potter: Expert) -> None:
    rows = [{"resource-id": "classroom", "count": 9}, {"resource-id": "folder", "count": 1}]
    await potter.say(INVENTORY, "Ordinary classrooms, nine. The folder is a folding machine, one.", {"resources": rows})
    names = ["Pale Ale 1", "Pale Ale 2", "IPA", "Helles", "Pils"]
    orders = [{"order-id": one, "product": one.rstrip(" 12")} for one in names]
    await potter.say(ORDERS, "Pale Ale 1, Pale Ale 2, an IPA, a Helles, and a Pils whenever.", {"orders": orders})

    assert await potter.known(INVENTORY) == {"resources": rows}
    assert await potter.known(ORDERS) == {"orders": orders}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (
            "We are a six-person commercial print shop - brochures, posters, business cards.",
            "commercial print jobs (brochures, posters, business cards)",
        ),
        ("We brew craft beer - ales mostly, some lagers.", "craft beer (ales and lagers)"),
    ],
)
async def test_the_product_is_called_as_the_structure_calls_it(expert: Expert, words: str, name: str) -> None:
    await expert.call("start_interview")
    await expert.say(WARM_UP, words, {"product-or-service-name": name})

    assert await expert.known(WARM_UP) == {"product-or-service-name": name}


async def test_a_row_whose_name_is_cleared_is_gone(potter: Expert) -> None:
    await potter.say(STEPS, FIRING + "\n| glaze | 10 min | bench |")
    await potter.call("correct_answer", eads_id=STEPS, path="/subprocesses/glaze/process-id", value=None)

    assert [row["process-id"] for row in (await potter.known(STEPS))["subprocesses"]] == ["fire"]


@pytest.mark.parametrize(
    ("eads_id", "names"), [(ORDERS, ["Order 1001", "Order 1002"]), (INVENTORY, ["SM 74", "SM 102"])]
)
async def test_rows_whose_names_differ_by_a_number_alone_are_two(
    potter: Expert, eads_id: str, names: list[str]
) -> None:
    heads, more = {ORDERS: ("order | product", "mugs"), INVENTORY: ("resource | count", "1")}[eads_id]
    rows = "".join(f"\n| {name} | {more} |" for name in names)
    await potter.say(eads_id, f"| {heads} |\n|---|---|{rows}")

    (told,) = (await potter.known(eads_id)).values()
    assert [row.get("order-id") or row["resource-id"] for row in told] == names


async def test_a_length_keeps_its_unit(potter: Expert) -> None:
    await potter.say(ORDERS, "| order | product | quantity |\n|---|---|---|\n| A | rope | 180 m |")

    assert (await potter.known(ORDERS))["orders"][0]["quantity"] == {"value-string": "180", "units": "m"}


async def test_a_rule_said_with_the_goals_stands_beside_the_model(potter: Expert) -> None:
    await potter.say(STEPS, FIRING)
    await potter.say(ORDERS, MUGS)
    rule = "never run the saw after ten"
    given = {"objectives": ["makespan"], "rules": [{"rule": rule, "quote": rule}]}
    found = await potter.say(GOALS, f"Finish as early as possible, and {rule}.", given)

    assert found["unmodelled"] == [rule]
    assert rule in str((await potter.call("generate_model"))["not_kept"])


async def test_a_closure_on_a_date_asks_for_the_start_and_is_part_of_the_model(potter: Expert) -> None:
    await potter.say(STEPS, FIRING)
    await potter.say(ORDERS, MUGS)
    closure = {"resource": "kiln", "start": "2026-12-01", "end": "2026-12-01"}
    found = await potter.say(HOURS, "The kiln is closed on the 1st of December 2026.", {"closures": [closure]})
    lacking = await potter.client.call_tool("generate_model", {"project_id": "p"})
    await potter.say(HOURS, "2026-12-01 08:00")
    program = (await potter.call("generate_model", detail="full"))["minizinc"]

    assert "On which date does the schedule begin?" in found["next"]["question"]
    assert "the date on which the schedule starts" in lacking.content[0].text
    assert "% Tick 0 is 2026-12-01 08:00." in program
    assert "closed: question q" in program
    assert (await potter.known(HOURS))["closures"] == [closure]


async def test_hours_that_are_no_times_are_refused_when_they_are_said(potter: Expert) -> None:
    row = "| all | earlyish | weekdays | late |"
    found = await potter.say(HOURS, f"| resource | start | days | end |\n|---|---|---|---|\n{row}")

    assert [one["why"] for one in found["refused"]] == ["start wants a time of day", "end wants a time of day"]
    assert found["completeness"] < 1


async def test_a_kind_of_problem_that_is_not_listed_is_refused_with_those_there_are(expert: Expert) -> None:
    await expert.begin("")
    words = "None of those really. It's routes: two vans, eight stops."
    alone = await expert.say(KIND, words)
    made_up = await expert.say(KIND, words, {"principal-problem-type": "VEHICLE-ROUTING"})
    none = {"principal-problem-type": "NONE-OF-THESE", "quote": "None of those really. It's routes"}
    found = await expert.say(KIND, words, none)

    assert alone["next_action"] == "needs_clarification"
    assert "NONE-OF-THESE" in made_up["refused"][0]["why"]
    assert "solve_formulation" in found["next"]["do"]


async def test_an_event_that_any_slot_suits_is_placed(expert: Expert) -> None:
    await expert.begin("e)")
    event = "| 9A maths | room, Ada | 2 | any |"
    await expert.say(EVENTS, f"| event type | constituents | occurrences | slots |\n|---|---|---|---|\n{event}")
    await expert.say(EVENTS, "| slot | days | periods |\n|---|---|---|\n| hour | Monday, Tuesday | 09:00-10:00 |")

    assert (await expert.call("generate_model"))["tasks"] == 2


async def test_advice_on_what_comes_next_does_not_repeat_all_that_is_blocked(potter: Expert) -> None:
    assert "blocked" not in await potter.call("get_next_eads")
