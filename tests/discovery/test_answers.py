"""Answers read without a language model."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from packhorse_discovery.domain import coercion, segments
from packhorse_discovery.domain.answers import read
from packhorse_discovery.domain.eads import Choice
from packhorse_discovery.domain.forms import from_form
from packhorse_discovery.domain.merging import merge
from packhorse_discovery.domain.questions import next_question
from packhorse_discovery.domain.structure import Mark, Structure, rendered
from packhorse_discovery.service.library import library

SHOP = library().get("process/flow-shop")
WANTED = [
    {"process-id": "mix", "duration": ("15", "minutes"), "resources": ["mixer"]},
    {"process-id": "proof", "duration": ("2", "hours"), "resources": ["proofer"]},
    {"process-id": "bake", "duration": ("35-40", "minutes"), "resources": ["oven"]},
]


def told(answer: str) -> list[dict]:
    question = next_question(SHOP, Structure())
    structure, _, _ = merge(Structure(), read(question, answer, SHOP, Structure()).proposals, SHOP, mark=Mark())
    steps = rendered(structure, SHOP).get("subprocesses", [])
    for one in steps:
        if "duration" in one:
            words = one["duration"]["value-string"].replace("\u2013", "-").split(" ")[0]
            one["duration"] = (words, one["duration"]["units"])
    return steps


TOLD = {
    "markdown": """
| step | time | machine |
|---|---|---|
| mix | 15 min | mixer |
| proof | 2 h | proofer |
| bake | 35-40 min | oven |""",
    "headings-of-their-own": """
| # Step (in order) | Main equipment | Rough duration |
|:--|:--|--:|
| 1) **mix** | mixer | 15 minutes |
| 2) proof | proofer | 2 hours |
| 3) bake | oven | 35\u201340 minutes |""",
    "csv": """Here is our sheet:

step,duration,equipment
mix,15 min,mixer
proof,2 hours,proofer
bake,35-40 min,oven
""",
    "tsv": "step\ttime\tmachine\nmix\t15 min\tmixer\nproof\t2 h\tproofer\nbake\t35-40 min\toven",
    "html": """<table><tr><th>Step</th><th>Time</th><th>Machine</th></tr>
<tr><td>mix</td><td>15 min</td><td>mixer</td></tr>
<tr><td>proof</td><td>2 h</td><td>proofer</td></tr><tr><td>bake</td><td>35-40 min</td><td>oven</td></tr></table>""",
    "bullets": "- **mix**: 15 min, mixer\n- **proof**: 2 hours, proofer\n- **bake**: 35-40 min, oven",
    "numbered": """1. mix - 15 minutes in the mixer
2. proof - 2 hours in the proofer
3. bake - 35 to 40 minutes in the oven""",
    "brackets": """1) mix (15 min, in the mixer)
2) proof (2 hours, in the proofer)
3) bake (35-40 min, in the oven)""",
    "one-sentence": """First we mix for 15 minutes in the mixer, then proof for 2 hours in the proofer,
and bake 35-40 minutes in the oven.""",
    "sentences": """We mix in the mixer for 15 minutes. After that we proof for 2 hours in the proofer.
Finally we bake for 35 to 40 minutes in the oven.""",
    "json": """```json
[{"step": "mix", "duration": "15 minutes", "machine": "mixer"},
 {"step": "proof", "duration": "2 hours", "machine": "proofer"},
 {"step": "bake", "duration": "35-40 minutes", "machine": "oven"}]
```""",
}


@pytest.mark.parametrize("answer", list(TOLD.values()), ids=list(TOLD))
def test_three_steps_are_the_same_however_they_are_told(answer: str) -> None:
    assert told(answer) == WANTED


def test_a_number_without_a_unit_is_no_duration() -> None:
    assert told("| step | time | machine |\n|---|---|---|\n| mix | 15 | mixer |")[0].get("duration") is None


def test_the_unit_may_stand_in_the_heading() -> None:
    steps = told("| step | time (min) | machine |\n|---|---|---|\n| mix | 15 | mixer |\n| bake | 40 | oven |")

    assert [one["duration"] for one in steps] == [("15", "minutes"), ("40", "minutes")]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("I don't know", "unknown"),
        ("no idea, sorry", "unknown"),
        ("Later, please", "deferred"),
        ("We'd have to check", None),
        ("I'll ask my colleague", "deferred"),
        ("skip", "deferred"),
        ("n/a", "not_applicable"),
        ("none", "not_applicable"),
        ("it varies", "varies"),
        ("It depends on the flour", "varies"),
        ("Forty loaves", None),
    ],
)
def test_an_answer_may_be_a_state(answer: str, state: str | None) -> None:
    assert coercion.state_of(answer) == state


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Yes", True), ("yep, always", True), ("Mostly, yes", True), ("We do", True), ("True", True),
        ("Usually, except in December", True), ("All of them follow the same sequence", True), ("Of course.", True),
        ("No", False), ("Not really", False), ("nope", False), ("We don't repeat schedules", False), ("Never", False),
        ("It isn't continuous", False), ("Rarely", False), ("Hard to put in a word", None), ("Bread", None),
    ],
)  # fmt: skip
def test_yes_and_no_in_many_words(answer: str, value: bool | None) -> None:
    assert coercion.yes_or_no(answer) is value


CHOICES = (
    Choice("FLOW-SHOP", "every product takes the same steps", ("same steps", "same order")),
    Choice("JOB-SHOP", "jobs take different routes", ("different routes",)),
)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("(a)", "FLOW-SHOP"), ("b", "JOB-SHOP"), ("flow shop", "FLOW-SHOP"), ("It's a job-shop.", "JOB-SHOP"),
        ("All of our beers take the same steps in the same order", "FLOW-SHOP"),
        ("Each has different routes", "JOB-SHOP"), ("Bread", None),
    ],
)  # fmt: skip
def test_a_choice_is_named_by_letter_value_or_other_words(answer: str, value: str | None) -> None:
    assert coercion.chosen(CHOICES, answer) == value


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("mixer; oven", ["mixer", "oven"]),
        ("mixer, oven and baker", ["mixer", "oven", "baker"]),
        ("brite tank (30 bbl, carbonated), pump", ["brite tank (30 bbl, carbonated)", "pump"]),
    ],
)
def test_a_cell_may_hold_a_list(cell: str, items: list[str]) -> None:
    assert coercion.listed(cell) == items


def test_an_answer_beside_the_point_is_not_responsive() -> None:
    question = next_question(SHOP, Structure())

    assert not read(question, "What a lovely day it is.", SHOP, Structure()).responsive


@given(st.text(max_size=400))
@example("0/0")
@example("about 3/0 hours")
@example("1 1/0 h")
def test_no_answer_breaks_the_reader(text: str) -> None:
    read(next_question(SHOP, Structure()), text, SHOP, Structure())


_cell = st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=8)


@given(st.lists(st.lists(_cell, min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_markdown_table_comes_back_cell_by_cell(rows: list[list[str]]) -> None:
    text = "\n".join(["| a | b | c |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])

    (table,) = segments.tables(text)

    assert table.rows == tuple(tuple(row) for row in rows)


def established(eads_id: str, *answers: str) -> dict:
    eads, structure, asked = library().get(eads_id), Structure(), []
    for answer in answers:
        question = next_question(eads, structure, asked=asked)
        structure, _, _ = merge(structure, read(question, answer, eads, structure).proposals, eads, mark=Mark())
        asked.append(question.signature)
    return rendered(structure, eads)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Pretty much every batch follows the same path through the brewery.", "FLOW-SHOP"),
        ("Every beer is mashed, boiled, fermented and packaged in that order.", "FLOW-SHOP"),
        ("Option a", "FLOW-SHOP"),
        ("It depends on the order, each one takes its own route.", "JOB-SHOP"),
        ("We have a single oven and everything waits for it; order matters.", "SINGLE-MACHINE"),
        ("Yes", None),
    ],
)
def test_the_kind_of_problem_is_told_in_many_ways(answer: str, kind: str | None) -> None:
    assert established("process/scheduling-problem-type", answer).get("principal-problem-type") == kind


@pytest.mark.parametrize(
    ("answer", "both"),
    [
        ("no, no", [False, False]),
        ("No and no.", [False, False]),
        ("Neither.", [False, False]),
        ("1) no 2) yes", [False, True]),
        ("continuous: no\ncyclical: yes", [False, True]),
        ("yes to both", [True, True]),
        ("They wait in between, so no. And no, every week is another.", [False, False]),
        ("1) batches, definitely not continuous 2) nope", [False, False]),
        ("Yes, it flows. No, we plan anew each week.", [True, False]),
        ("1. Brews.\n2. No.", [False, False]),
        ("1. And yes, it can stand a while in between.\n2. No.", [False, False]),
        ("1. They are individual jobs. A tray may wait in the rack.\n2. No.", [False, False]),
        ("1. One stone at a time. It'll stand in the yard.\n2. The fruit's ripe when it's ripe.", [False, False]),
        ("1. They are.\n2. They are not.", [True, False]),
    ],
)
def test_two_questions_are_answered_together_in_many_ways(answer: str, both: list[bool]) -> None:
    found = established("process/scheduling-problem-type", "a", answer)

    assert [found.get("continuous?"), found.get("cyclical?")] == both


@pytest.mark.parametrize(
    ("answer", "goals"),
    [
        ("Orders must ship on time", ["tardiness"]),
        ("We want to be done as early as possible and avoid changeovers", ["makespan", "changeovers"]),
        ("Mainly meet the due dates; then keep the fermenters busy", ["tardiness", "utilisation"]),
        ("Get all three batches out the door as quickly as we can", ["makespan"]),
    ],
)
def test_goals_are_ranked_as_they_are_named(answer: str, goals: list[str]) -> None:
    assert established("optimality/goals", answer) == {"objectives": goals}


@pytest.mark.parametrize(
    "answer",
    [
        "We have one mill, four fermenters and a canning line.",
        "1 mill, 4 fermenters, 1 canning line",
        "Mill - 1\nFermenters - 4\nCanning line - 1",
        "mill (1), fermenters (4), canning line (1)",
        "- 1 x mill\n- fermenters: 4\n- a canning line",
    ],
)
def test_what_there_is_is_counted_in_many_ways(answer: str) -> None:
    found = established("resources/inventory", answer)["resources"]

    assert [(one["resource-id"].lower(), one["count"]) for one in found] == [
        ("mill", 1), ("fermenters", 4), ("canning line", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [
        "Two batches: a pale ale due in 14 days and a stout due in 16 days.",
        "pale ale: due in 14 days\nstout: due in 16 days",
        "- pale ale, due in 14 days\n- stout, due in 16 days",
    ],
)
def test_orders_are_promised_in_many_ways(answer: str) -> None:
    found = established("data/orders", answer)["orders"]

    assert [(one["product"], one["due"]) for one in found] == [("pale ale", "14 days"), ("stout", "16 days")]


ORDERS_TOLD = [
    "B1 pale ale, 14 days; B2 stout, 16 days",
    "- B1 pale ale, 14 days\n- B2 stout, 16 days",
    "B1: pale ale, 14 days\nB2: stout, 16 days",
    "B1 is a pale ale due in 14 days, and B2 a stout, which is due in 16 days.",
    "We have two batches: B1 of pale ale due in 14 days, and B2 of stout due in 16 days.",
]


@pytest.mark.parametrize("answer", ORDERS_TOLD)
def test_orders_are_told_with_number_product_and_due_time(answer: str) -> None:
    assert established("data/orders", answer)["orders"] == [
        {"order-id": "B1", "product": "pale ale", "due": "14 days"},
        {"order-id": "B2", "product": "stout", "due": "16 days"},
    ]


def test_an_amount_told_with_an_order_is_read_too() -> None:
    found = established("data/orders", "Batch A is 20 barrels of pale ale due in 2 weeks; batch B is stout, 3 weeks")

    assert [(one["order-id"], one["product"], one["due"]) for one in found["orders"]] == [
        ("Batch A", "pale ale", "2 weeks"), ("batch B", "stout", "3 weeks"),
    ]  # fmt: skip
    assert found["orders"][0]["quantity"]["value-string"] == "20 barrels"


@pytest.mark.parametrize(
    "answer",
    ["B1 takes 14 days and B2 needs 16 days", "- B1, 14 days\n- B2, 16 days", "14 days for the ale, 16 days for stout"],
)
def test_a_time_or_a_verb_is_never_taken_for_a_product(answer: str) -> None:
    found = established("data/orders", answer).get("orders", [])

    assert not {one.get("product") for one in found} & {"takes", "needs", "days", "14 days", "16 days"}


def test_running_text_that_is_broken_into_lines_is_no_list() -> None:
    told = """First we mill the grain for about an hour on the mill, then mash 90 minutes in the mash tun, lauter for
2 hours in the lauter tun, and boil 75 minutes in the kettle. After that fermentation takes 5 to 7 days."""
    found = established("process/flow-shop", told)["subprocesses"]

    assert [one["process-id"] for one in found] == ["mill the grain", "mash", "lauter", "boil", "fermentation"]


@pytest.mark.parametrize(
    "answer",
    [
        "Mugs, due in 4 days; bowls, needed in 5 days; and a set of vases that must be ready within 6 days.",
        (
            "There are three: a batch of mugs is due in four days, the bowls have to be ready in five days, "
            "and the vases within six days."
        ),
        "First up are the mugs - due in 4 days. Next the bowls, needed within 5 days. Then the vases in 6 days.",
    ],
)
def test_orders_without_numbers_are_known_by_what_they_are(answer: str) -> None:
    orders = established("data/orders", answer)["orders"]

    assert [one["product"].casefold() for one in orders] == ["mugs", "bowls", "vases"]
    assert [one["due"] for one in orders] == ["4 days", "5 days", "6 days"]


def test_an_order_may_be_called_by_its_customer() -> None:
    orders = established("data/orders", "Hotel Astor - sheets - 4 hours\nHotel Bristol - towels - 5 hours")["orders"]

    assert [(one["order-id"], one["product"]) for one in orders] == [
        ("Hotel Astor", "sheets"),
        ("Hotel Bristol", "towels"),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "We've got two wheels, a single kiln and three racks that everybody shares.",
        "There are two wheels and three racks. We also have a kiln.",
        "Wheels: two. Kiln: one. Racks: three.",
        "wheels x2, kiln x1, racks x3",
    ],
)
def test_things_are_counted_in_running_text(answer: str) -> None:
    found = established("resources/inventory", answer)["resources"]

    assert {(one["resource-id"].casefold(), one["count"]) for one in found} == {
        ("wheels", 2),
        ("kiln", 1),
        ("racks", 3),
    }


@pytest.mark.parametrize(
    "answer",
    [
        (
            "Job 1 (leaflets): print 2 hours on the press, then cut 1 hour on the guillotine. "
            "Job 2: print 4 hours on the press, then fold for a quarter of an hour on the folder."
        ),
        (
            "- Job 1: print 2 hours on the press, cut 1 hour on the guillotine\n"
            "- Job 2: print 4 hours on the press, fold 15 minutes on the folder"
        ),
        (
            "For job 1 we print for 2 hours on the press and then cut for an hour on the guillotine. "
            "For job 2 we print for 4 hours on the press, then fold for 15 minutes on the folder."
        ),
    ],
)
def test_each_job_is_told_with_its_operations(answer: str) -> None:
    jobs = established("process/job-shop--unique", answer)["jobs"]
    steps = [[(one["operation-id"], *one["resources"]) for one in job["operations"]] for job in jobs]

    assert [job["job-id"].casefold() for job in jobs] == ["job 1", "job 2"]
    assert steps == [[("print", "press"), ("cut", "guillotine")], [("print", "press"), ("fold", "folder")]]


def test_how_long_and_on_what_may_stand_in_brackets() -> None:
    steps = told("OK so: we mix the dough (15 minutes, mixer), then bake, that's 40 minutes in the oven.")

    assert [(one["process-id"], one["resources"]) for one in steps] == [
        ("mix the dough", ["mixer"]),
        ("bake", ["oven"]),
    ]


@pytest.mark.parametrize(
    ("answer", "product"),
    [
        ("We're a print shop. We print leaflets, and rush jobs wreck the plan.", "leaflets"),
        (
            "Industrial laundry for hotels: sheets and towels. The dryers are always full.",
            "Industrial laundry for hotels",
        ),
        ("So basically we're a microbrewery. Fermenters are always full.", "microbrewery"),
    ],
)
def test_what_they_make_or_are_is_the_product(answer: str, product: str) -> None:
    assert established("process/warm-up-with-challenges", answer)["product-or-service-name"] == product


@pytest.mark.parametrize(
    ("said", "repeats"),
    [
        ("Negative.", False),
        ("Nothing repeats.", False),
        ("It's feast or famine.", False),
        ("Demand changes all the time.", False),
        ("Every week is different.", False),
        ("Just this once.", False),
        ("Each week is like the other.", True),
        ("Same again every Monday.", True),
        ("What we do one week we do the next.", True),
        ("Aye, same thing every week.", True),
    ],
)
def test_whether_it_repeats_is_read_in_any_wording(said: str, repeats: bool) -> None:
    eads = library().get("process/scheduling-problem-type")
    assert eads is not None
    (field,) = (one for one in eads.leaves if one.name == "cyclical?")
    found = list(from_form(f"1. {said}", [field]))

    assert [one.value for one in found] == [repeats]
