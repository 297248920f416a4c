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


SHOP = "The shop is open Monday to Thursday from eight to half past five, Fridays only until noon."
NURSES = "Two shifts for the nurses, six to two and two to ten."
POOL = "The pool is ours from 15:30 to 19:00 on weekdays, Saturdays 9 to 12."
WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def hours(resource: str, start: str, end: str, *days: str) -> dict:
    return {"resource": resource, "start": start, "end": end} | ({"days": list(days)} if days else {})


@pytest.mark.parametrize(
    ("answer", "rows", "refused"),
    [
        (NURSES, [hours("nurses", "06:00", "14:00"), hours("nurses", "14:00", "22:00")], set()),
        (NURSES, [hours("nurses", "06:00", "22:00")], {"start", "end"}),
        (SHOP, [hours("shop", "08:00", "17:30", *WEEK[:4]), hours("shop", "08:00", "12:00", "Friday")], set()),
        (SHOP, [hours("shop", "08:00", "17:30", *WEEK[:4]), hours("shop", "08:00", "17:30", "Friday")],
         {"start", "end"}),
        (POOL, [hours("pool", "15:30", "19:00", *WEEK), hours("pool", "09:00", "12:00", "Saturday")], set()),
        (POOL, [hours("pool", "15:30", "19:00", "Saturday"), hours("pool", "09:00", "12:00", *WEEK)],
         {"days", "start", "end"}),
        ("Milena's off from 29 March to April 2nd.",
         [{"resource": "Milena", "from": "2027-03-29", "until": "2027-03-29"}], {"from", "until"}),
        ("Truck 3 is in the workshop until the 1st of December.",
         [{"resource": "truck 3", "until": "2026-12-01"}], {"until"}),
    ],
)  # fmt: skip
def test_the_ends_of_a_span_and_the_days_of_its_hours_are_said_together(
    answer: str, rows: list[dict], refused: set[str]
) -> None:
    table = "absences" if "off" in answer else "hours"
    found = verdict(answer, {table: rows})

    assert {one.path[-1] for one in found.refused} == refused


@pytest.mark.parametrize(
    ("name", "number", "refused"),
    [
        ("cutting and sleeving", "2", []),
        ("sorting and ironing", "10", ["the answer speaks of sorting apart from ironing"]),
        ("sorting and all", "10", ["the answer speaks of sorting apart from all"]),
    ],
)
def test_a_name_joins_only_what_the_answer_names_together(name: str, number: str, refused: list[str]) -> None:
    answer = "Sorting takes 10 minutes a load. Ironing is an hour. Cutting and sleeving 2 minutes."

    assert whys(verdict(answer, {"steps": [step(name, number)]})) == refused


WAYS = "Driving is 25 minutes from the depot to Ashby, a quarter of an hour from Ashby to Wick."


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [("25", "15", []), ("15", "25", ["the answer says it of Ashby Wick", "the answer says it of depot Ashby"])],
)
def test_a_number_is_of_the_way_whose_two_ends_it_stands_beside(first: str, second: str, refused: list[str]) -> None:
    ways = [("depot", "Ashby", first), ("Ashby", "Wick", second)]
    rows = [
        {"from-place": one, "to-place": other, "duration": {"value-string": number, "units": "minutes"}}
        for one, other, number in ways
    ]

    assert whys(verdict(WAYS, {"travel": rows})) == refused


@pytest.mark.parametrize(
    ("answer", "refinement", "refused"),
    [
        # a name that is only said to come first is not what a number is said of
        ("The floor goes down, one day. Priming follows the floor, half a day.",
         {"steps": [step("floor", "1", "days"), step("priming", "0.5", "days")]}, []),
        ("They rest for a day before slicing, which is 8 minutes.",
         {"steps": [step("rest", "1", "days"), step("slicing", "8")]}, []),
        # what a sentence calls "those" was named before it
        ("The theses are short. Those go out Friday. The atlas is a repair.",
         {"orders": [{"order-id": "theses", "due": "2026-11-27"}, {"order-id": "atlas"}]}, []),
        # a correction is of the number that stands next before it
        ("We have two generators, three polishers, actually four.",
         {"resources": [{"resource-id": "generators", "count": 2}, {"resource-id": "polishers", "count": 4}]}, []),
        ("Sewing is three hours, no, call it three and a half.", {"steps": [step("sewing", "3", "hours")]},
         ["the answer goes on to say 3.5"]),
        ("Whirlpool 20 minutes, in the kettle as well, then boiling 40.", {"steps": [step("whirlpool", "20")]}, []),
        ("Six silos, one of them is leaking, so five really.",
         {"resources": [{"resource-id": "silos", "count": 5}]}, []),
        # times of day, days and names are no counts
        ("The press has to be off by eight in the evening.",
         {"orders": [{"order-id": "press", "quantity": {"value-string": "8", "units": "pieces"}}]},
         ["8 is not in the answer"]),
        ("Number 93 is six covers.",
         {"orders": [{"order-id": "93", "quantity": {"value-string": "93", "units": "covers"}}]},
         ["93 is not in the answer"]),
        ("The market wants cheese. We have two vats.",
         {"orders": [{"order-id": "market", "quantity": {"value-string": "2", "units": "pieces"}}],
          "resources": [{"resource-id": "vats", "count": 2}]}, ["the answer says 2, and not of pieces"]),
        ("Beginners come twice a week in groups.",
         {"events": [{"event-id": "beginners", "per-week": 2, "group-size": 2}]},
         ["the answer says 2 once, and not of both per-week and group-size"] * 2),
        ("The coater mustn't be opened while it's hot.",
         {"rules": [{"rule": "the coater must be opened while it is hot",
                     "quote": "The coater mustn't be opened while it's hot"}]},
         ["the quote denies, and the rule does not"]),
        ("The coater mustn't be opened while it's hot.",
         {"rules": [{"rule": "the coater must not be opened while it is hot",
                     "quote": "The coater mustn't be opened while it's hot"}]}, []),
        ("I can't begin the atlas before the 30th.", {"orders": [{"order-id": "atlas", "release": "2026-11-30"}]}, []),
        # beside each day stands its time
        ("The Stella lands Thursday at four in the morning, the Nordlys Thursday at six.",
         {"orders": [{"order-id": "Stella", "due": "2026-11-26 04:00"},
                     {"order-id": "Nordlys", "due": "2026-11-26 04:00"}]},
         ["beside this day the answer says another time than 04:00"]),
        # a nearer number without a unit competes with one that has its own
        ("A car test is forty minutes, a motorcycle test fifty-five.", {"events": [step("motorcycle test", "40")]},
         ["nearer to this row the answer says fifty-five"]),
        ("Ale takes five to seven days, mixing 20 minutes. Ferment ale six days, pils ten.",
         {"steps": [step("pils", "10", "minutes")]}, ["the answer says 10 without minutes"]),
    ],
)  # fmt: skip
def test_a_number_is_said_of_its_row_and_of_its_kind(answer: str, refinement: dict, refused: list[str]) -> None:
    assert whys(verdict(answer, refinement)) == refused


CHAIRS = "There are six chairs, each needs 25 minutes on the bandsaw and 40 at the mortiser, by four on the 11th."


@pytest.mark.parametrize(
    ("name", "number", "formula", "refused"),
    [
        ("bandsaw", "150", "6 * 25", []),
        ("bandsaw", "240", "6 * 40", ["the units of the formula do not come out"]),
        ("bandsaw", "275", "11 * 25", ["11 of the formula is not in the answer"]),
        ("bandsaw", "2500", "100 * 25", ["100 of the formula is not in the answer"]),
    ],
)  # fmt: skip
def test_a_formula_takes_its_numbers_from_what_is_said_of_its_row(
    name: str, number: str, formula: str, refused: list[str]
) -> None:
    rows = [step("bandsaw", "25"), step("mortiser", "40")]
    rows = [step(name, number, derived=formula), *(one for one in rows if one["process-id"] != name)]
    found = whys(verdict(CHAIRS, {"steps": rows}))

    assert [one for one in found if "formula" in one] == refused


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


def test_what_is_said_twice_in_the_same_words_is_not_listed_twice() -> None:
    once = "Well then. Baking takes 42 minutes in all. Cooling takes an hour at least here. "
    found = verdict(once * 2, {"steps": [step("baking", "42")]})

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


PLAIN, MERGED = 0.99, 0.9
"""What the check keeps to on a batch that it was never mended on; the counts are printed."""
