"""A structure is recorded as far as the words support it: measured on answers and mutations of other authors."""

import runpy
from pathlib import Path

import pytest

from packhorse_discovery.domain.reading.choices import Ways
from packhorse_discovery.domain.reading.evidence import Verdict, check
from packhorse_discovery.domain.reading.words import words_of

HERE = Path(__file__).parent
MEASURE = runpy.run_path(str(HERE / "measure.py"))
TABLES = runpy.run_path(str(HERE / "measure_tables.py"))
LITERAL = runpy.run_path(str(HERE / "measure_literal.py"))
DAY = "2026-11-23"
MINUTES = {"value-string": "42", "units": "minutes"}
NEVER_MENDED_ON = 2


def verdict(answer: str, refinement: dict, origin: str = DAY) -> Verdict:
    return check(refinement, words_of(answer), origin=origin, today=DAY)


def step(name: str, number: str, units: str = "minutes", **more: object) -> dict:
    return {"process-id": name, "duration": {"value-string": number, "units": units}, **more}


def whys(found: Verdict) -> list[str]:
    return [one.why for one in found.refused]


@pytest.mark.parametrize(
    ("answer", "number", "units"),
    [
        ("Baking takes an hour and a quarter.", "75", "minutes"),
        ("Baking takes half an hour of somebody's time.", "30", "minutes"),
        ("Baking takes three quarters of an hour.", "45", "minutes"),
        ("Baking takes an hour and a half of waiting.", "1.5", "hours"),
        ("Baking: 20-25 min", "20-25", "minutes"),
        ("Baking is five to seven days.", "5-7", "days"),
        ("Baking takes 1 h 30.", "90", "minutes"),
        ("Baking takes a day and a half.", "36", "hours"),
        ("Baking takes a couple of days.", "2", "days"),
    ],
)
def test_a_number_is_said_in_whatever_words(answer: str, number: str, units: str) -> None:
    assert whys(verdict(answer, {"steps": [step("baking", number, units)]})) == []


@pytest.mark.parametrize(
    ("answer", "refinement", "why"),
    [
        ("Baking takes 42 minutes.", {"steps": [step("baking", "90")]}, "90 minutes is not in the answer"),
        ("Baking takes 42 minutes.", {"steps": [step("baking", "42", "hours")]}, "the answer says 42 without hours"),
        ("Baking takes 40 to 45 minutes.", {"steps": [step("baking", "42")]}, "the answer gives a range"),
        ("Baking takes 42 minutes.", {"steps": [step("lamination", "42")]}, "'lamination' is not in the answer"),
        (
            "Mixing takes 20 minutes, baking takes 42 minutes.",
            {"steps": [step("mixing", "42"), step("baking", "20")]},
            "the answer says it of baking",
        ),
        ("We have no canning line.", {"resources": [{"resource-id": "canning line", "count": 1}]},
         "the answer says that there is none"),
        ("Four beds, well, three tomorrow.", {"resources": [{"resource-id": "beds", "count": 4}]},
         "the answer goes on to say 3"),
        ("The Jumbo order is due Thursday.", {"orders": [{"order-id": "Jumbo", "due": "2026-11-27"}]},
         "2026-11-27 is not in the answer"),
        ("Never on Sunday.", {"rules": [{"rule": "work on Sunday", "quote": "Never on Sunday"}]},
         "the quote denies, and the rule does not"),
        ("Never on Sunday.", {"rules": [{"rule": "never on Sunday", "quote": "never on a Sunday"}]},
         "the quote is not in the answer"),
        ("The press runs 300 sheets an hour, 90 sheets.",
         {"steps": [step("press", "90", "hours", derived="90 / 300 * 60")]}, "the formula gives 18"),
    ],
)  # fmt: skip
def test_what_the_words_do_not_say_is_refused_with_the_reason(answer: str, refinement: dict, why: str) -> None:
    assert why in whys(verdict(answer, refinement))


FLOW = Ways(("product flows without a break",), ("batches or pieces that wait",))
KIND = Ways(choices={
    "FLOW-SHOP": ("FLOW-SHOP", "every product takes the same route through the machines"),
    "TIMETABLING": ("TIMETABLING", "events are placed into time slots with rooms"),
})  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "refinement", "why"),
    [
        ("Milk flows all day without a break.", {"continuous?": True, "quote": "flows all day without a break"}, None),
        ("We work in batches, the van is red.", {"continuous?": True, "quote": "the van is red"},
         "the words say neither yes nor no to it: ask"),
        ("We work in batches.", {"continuous?": True, "quote": "We work in batches"}, "the words say no"),
        ("We work in batches.", {"continuous?": False, "quote": "We work in batches"}, None),
        ("Yes, it does.", {"continuous?": False}, "the words say yes"),
        ("All take the same route.", {"kind": "FLOW-SHOP", "quote": "the same route"}, None),
        ("All take the same route.", {"kind": "TIMETABLING", "quote": "the same route"},
         "no word of this choice is in the quote: ask which one holds"),
        ("They never take the same route.", {"kind": "FLOW-SHOP", "quote": "never take the same route"},
         "the quote denies it"),
        ("The same route through two rooms.", {"kind": "TIMETABLING", "quote": "same route through two rooms"},
         "the quote speaks of FLOW-SHOP"),
    ],
)  # fmt: skip
def test_a_flag_or_a_choice_holds_where_its_words_say_so(answer: str, refinement: dict, why: str | None) -> None:
    ways = {("continuous?",): FLOW, ("kind",): KIND}
    found = check(refinement, words_of(answer), ways=lambda place: ways.get(place, Ways()))

    assert whys(found) == ([why] if why else [])


@pytest.mark.parametrize(
    ("answer", "days", "why"),
    [
        ("Mentor hour is once, on Monday. Wednesday afternoons are free.", ["Wednesday"],
         ["another day stands nearer to this row"]),
        ("Mentor hour is once, on Monday. Wednesday afternoons are free.", ["Monday"], []),
    ],
)  # fmt: skip
def test_days_are_said_of_their_row(answer: str, days: list[str], why: list[str]) -> None:
    found = verdict(answer, {"events": [{"event-type-id": "mentor hour", "days": days}]})

    assert whys(found) == why


def test_names_that_change_places_between_rows_are_refused() -> None:
    answer = "Science is taught by Aydin in the lab, and maths is taught by Kowalski in the hall."
    right = [{"event-id": "science", "teacher": "Aydin"}, {"event-id": "maths", "teacher": "Kowalski"}]
    wrong = [{"event-id": "science", "teacher": "Kowalski"}, {"event-id": "maths", "teacher": "Aydin"}]

    assert whys(verdict(answer, {"events": right})) == []
    assert whys(verdict(answer, {"events": wrong})) == [
        "the answer says Kowalski of maths",
        "the answer says Aydin of science",
    ]


def test_after_minutes_a_bare_number_is_not_of_hours() -> None:
    answer = "Firing is nine hours, cooling is ten hours. Throwing takes 6 minutes; trimming two."

    assert whys(verdict(answer, {"steps": [step("trimming", "2")]})) == []
    assert whys(verdict(answer, {"steps": [step("trimming", "2", "hours")]})) == ["the answer says 2 without hours"]


def test_a_formula_over_numbers_of_the_answer_is_derived() -> None:
    ironing = {"value-string": "18", "units": "minutes", "derived": "90 / 300 * 60"}
    found = verdict("The ironer does 300 sheets an hour; we have 90 sheets.",
                    {"steps": [{"process-id": "ironer", "duration": ironing}]})  # fmt: skip

    assert found.states["steps", 0, "duration"] == "derived"


def test_a_quoted_row_may_be_named_by_the_assistant() -> None:
    found = verdict(
        "Then 12 to 15 minutes on either lathe.", {"steps": [step("turning", "12-15", quote="12 to 15 minutes")]}
    )

    assert found.states["steps", 0, "duration"] == "quoted"
    assert found.refused == ()


def test_a_relative_date_without_a_start_is_put_off_with_its_words() -> None:
    found = verdict(
        "Brochures go out Thursday.", {"orders": [{"order-id": "brochures", "due": "2026-11-26"}]}, origin=""
    )

    assert [(one.why, one.nearest) for one in found.refused] == [("no start date is known", "Thursday")]


def test_numbers_that_nothing_used_are_listed() -> None:
    found = verdict("Baking takes 42 minutes. Cooling takes an hour.", {"steps": [step("baking", "42")]})

    assert [("an hour" in one) for one in found.not_used] == [True]


@pytest.mark.skipif(not MEASURE["SHARED"].exists(), reason="no answers beside the checkout")
def test_right_structures_are_recorded_but_for_one_value_in_fifty() -> None:
    answers = MEASURE["json"].loads(MEASURE["SHARED"].read_text())
    refused, every = MEASURE["refused_of"](answers), MEASURE["leaves_of"](answers)
    print(f"right values refused: {len(refused)} of {every}")

    assert len(refused) <= 0.02 * every


@pytest.mark.skipif(not MEASURE["SHARED"].exists(), reason="no answers beside the checkout")
def test_wrong_structures_are_refused() -> None:
    answers = MEASURE["json"].loads(MEASURE["SHARED"].read_text())
    found = [(kind, caught) for kind, caught, *_ in MEASURE["outcomes"](answers, NEVER_MENDED_ON, 40)]
    merged = [caught for kind, caught in found if kind == "merged rows"]
    plain = [caught for kind, caught in found if kind != "merged rows"]
    print(f"refused: {sum(plain)} of {len(plain)}, and of merged rows {sum(merged)} of {len(merged)}")

    assert sum(plain) >= PLAIN * len(plain)
    assert sum(merged) >= MERGED * len(merged)


def test_tables_of_hours_and_dates_are_read_right_or_asked_about() -> None:
    hours, dates = TABLES["outcomes"]()
    print({outcome: len(ids) for outcome, ids in hours.items()}, {outcome: len(ids) for outcome, ids in dates.items()})

    assert (hours["wrong"], dates["wrong"]) == ([], [])
    assert (len(hours["right"]), len(dates["right"])) >= (30, 21)


@pytest.mark.skipif(not LITERAL["FILES"], reason="no interviews beside the checkout")
def test_values_that_stand_literally_in_an_interview_are_accepted_without_a_quote() -> None:
    accepted, every = LITERAL["measure"]()
    print(f"accepted {accepted} of {every}")

    assert every >= 200
    assert accepted >= 0.96 * every


PLAIN, MERGED = 0.98, 0.85
"""What the check keeps to on a batch that it was never mended on; the counts are printed."""
