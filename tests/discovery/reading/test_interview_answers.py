"""Answers as experts give them in an interview, held against the structures of the library's schemas."""

from typing import Any

import pytest

from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.reading.record import Record, record, supported
from packhorse_discovery.service.library import library

DAY = "2026-12-01"
CALENDAR, ORDERS, STEPS, JOBS = (
    "resources/calendar-and-maintenance", "data/orders", "process/flow-shop", "process/job-shop--unique",
)  # fmt: skip
WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def recorded(
    schema: str, answer: str, refinement: dict[str, Any], origin: str = DAY, earlier: tuple[str, ...] = ()
) -> Record:
    eads = library().get(schema)
    assert eads is not None
    question = next_question(eads, Structure())
    assert question is not None
    return record(question, answer, refinement, eads, Structure(), earlier=earlier, origin=origin, today=DAY)


def whys(found: Record) -> list[str]:
    return [one.why for one in found.refused]


def step(name: str, number: str, units: str = "minutes", **more: Any) -> dict[str, Any]:
    return {"process-id": name, "duration": {"value-string": number, "units": units}, **more}


def hours(resource: str, days: list[str], start: str, end: str) -> dict[str, Any]:
    return {"resource": resource, "days": days, "start": start, "end": end}


def closure(resource: str, start: str, end: str) -> dict[str, Any]:
    return {"resource": resource, "start": start, "end": end}


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("Cleaning, a quarter of an hour.", "15"),
        ("Cleaning takes three-quarters of an hour.", "45"),
        ("Cleaning is a half-hour job.", "30"),
        ("Cleaning takes an hour and ten, always.", "70"),
        ("A cleaning hour each, all three of them.", "60"),
        ("Cleaning is an hour and a half, no, say two hours.", "120"),
        ("Sorting is half an hour, cleaning 20.", "20"),
        ("Sorting takes an hour and twenty minutes, cleaning 30.", "30"),
        ("Sorting 50 minutes plus 40 cleaning.", "40"),
    ],
)
def test_lengths_of_time_are_read_as_they_are_spoken(answer: str, number: str) -> None:
    assert whys(recorded(STEPS, answer, {"subprocesses": [step("cleaning", number)]})) == []


@pytest.mark.parametrize(
    ("answer", "row"),
    [
        ("Monday to Friday, six in the morning to two.", hours("all", WEEK, "06:00", "14:00")),
        ("School runs Monday to Friday, from ten to nine to three.", hours("school", WEEK, "08:50", "15:00")),
        ("We work Monday to Friday 8 to 5. Anna is away on Tuesday.",
         hours("Anna", ["Monday", "Wednesday", "Thursday", "Friday"], "08:00", "17:00")),
        ("Nurse Ana works mornings, half seven to one, every day but Wednesday.",
         hours("Ana", ["Monday", "Tuesday", "Thursday", "Friday"], "07:30", "13:00")),
        ("Dr Singh is here every day from nine to six except Thursdays.",
         hours("Singh", ["Monday", "Tuesday", "Wednesday", "Friday"], "09:00", "18:00")),
        ("The saw runs from six to half past two, Monday to Friday; Saturdays 6 to 11.",
         hours("saw", WEEK, "06:00", "14:30")),
        ("The pool is ours from 15:30 to 19:00 on weekdays, Saturdays 9 to 12.",
         hours("pool", WEEK, "15:30", "19:00")),
    ],
)  # fmt: skip
def test_working_hours_are_read_as_they_are_spoken(answer: str, row: dict[str, Any]) -> None:
    assert whys(recorded(CALENDAR, answer, {"working-hours": [row]})) == []


def test_the_end_of_a_working_day_is_no_absence() -> None:
    answer = "Shop hours are half seven to four Monday to Thursday, Fridays we knock off at one."
    rows = [hours("shop", WEEK[:4], "07:30", "16:00"), hours("shop", WEEK[4:], "07:30", "13:00")]

    assert whys(recorded(CALENDAR, answer, {"working-hours": rows})) == []


def test_two_rows_of_one_name_share_what_is_said_of_it() -> None:
    answer = "The early shift runs from 6 to 2, the late one 2 to 10, Monday to Friday. Saturdays only the early shift."
    rows = [hours("early shift", WEEK, "06:00", "14:00"), hours("late shift", WEEK, "14:00", "22:00")]
    saturday = hours("early shift", ["Saturday"], "06:00", "14:00")

    assert whys(recorded(CALENDAR, answer, {"working-hours": [*rows, saturday]})) == []


def test_a_correction_is_of_the_value_before_it_and_not_of_another_row_s() -> None:
    answer = "Shaping takes 20 to 25 minutes, and the oven, well, 40."

    assert whys(recorded(STEPS, answer, {"subprocesses": [step("shaping", "20-25"), step("oven", "40")]})) == []


def test_days_named_together_may_be_rows_of_their_own_where_all_of_them_are() -> None:
    answer = "We work Monday and Tuesday from eight to four."
    both = [hours("all", ["Monday"], "08:00", "16:00"), hours("all", ["Tuesday"], "08:00", "16:00")]

    assert whys(recorded(CALENDAR, answer, {"working-hours": both})) == []
    assert whys(recorded(CALENDAR, answer, {"working-hours": both[:1]})) == ["the answer says Monday and Tuesday"]


def test_a_span_of_dates_ends_after_it_begins() -> None:
    answer = "The kiln has its inspection on 14 December, and from the 24th to the 1st everything is closed."
    rows = [closure("kiln", "2026-12-14", "2026-12-14"), closure("all", "2026-12-24", "2027-01-01")]

    assert whys(recorded(CALENDAR, answer, {"closures": rows})) == []


@pytest.mark.parametrize(
    ("answer", "row"),
    [
        ("Dr Berg is away on Tuesday.", closure("Berg", DAY, DAY)),
        ("The platesetter is off for repair on Tuesday and Wednesday.", closure("platesetter", DAY, "2026-12-02")),
        ("We are shut from the 24th of December until the 2nd of January.", closure("all", "2026-12-24", "2027-01-02")),
    ],
)
def test_a_day_of_absence_is_recorded_as_one(answer: str, row: dict[str, Any]) -> None:
    assert whys(recorded(CALENDAR, answer, {"closures": [row]})) == []


@pytest.mark.parametrize(
    ("answer", "due", "why"),
    [
        ("Pale ale and stout by the 18th of December.", "the 18th of December", []),
        ("Pale ale and stout by the 18th of December.", "18 December", []),
        ("Pale ale and stout by the 18th.", "2026-12-18", []),
        ("Pale ale, stout: both need to be out by December the eighteenth.", "2026-12-18", []),
        ("Pale ale and stout by the 18th, lager by Monday the 21st.", "2026-12-18", []),
        ("Pale ale and stout by the 18th of December.", "19 December", ["2026-12-19 is not in the answer"] * 2),
    ],
)
def test_a_date_without_a_year_counts_from_the_start_and_is_of_every_row_named_with_it(
    answer: str, due: str, why: list[str]
) -> None:
    rows = [{"order-id": name, "due": due} for name in ("pale ale", "stout")]
    found = recorded(ORDERS, answer, {"orders": rows})

    assert whys(found) == why
    assert all("the 18th" in one.nearest for one in found.refused)
    assert [one.value for one in found.proposals if one.path.endswith("due")] == ([] if why else ["2026-12-18"] * 2)


def test_a_weekday_beside_its_date_is_no_other_date() -> None:
    answer = "Stout by the 18th; lager has time until the Monday before Christmas, the 21st."
    rows = [{"order-id": "stout", "due": "2026-12-18"}, {"order-id": "lager", "due": "2026-12-21"}]

    assert whys(recorded(ORDERS, answer, {"orders": rows})) == []


def test_a_quote_may_begin_within_an_amount() -> None:
    row = step("baking", "15", quote="quarter of an hour in the oven")

    assert whys(recorded(STEPS, "Then a quarter of an hour in the oven.", {"subprocesses": [row]})) == []


@pytest.mark.parametrize(
    ("answer", "steps"),
    [
        ("Rolls, ten minutes, and then three quarters of an hour resting.",
         [step("rolls", "10"), step("resting", "45")]),
        ("Posters two hours, cards half an hour.", [step("posters", "2", "hours"), step("cards", "30")]),
        ("Press setup is twenty minutes, trimming forty.", [step("press setup", "20"), step("trimming", "40")]),
        ("Mashing takes an hour, for the pale ale and for the stout.", [step("pale ale", "60"), step("stout", "60")]),
        ("The oak table goes to the Smiths at 40 minutes, the chairs need 20.",
         [step("oak table", "40"), step("chairs", "20")]),
        ("Cleaning is 20 minutes, the same for both, mixer and oven.", [step("mixer", "20"), step("oven", "20")]),
    ],
)  # fmt: skip
def test_a_value_is_given_to_the_row_that_it_is_said_of(answer: str, steps: list[dict[str, Any]]) -> None:
    assert whys(recorded(STEPS, answer, {"subprocesses": steps})) == []


@pytest.mark.parametrize(
    ("answer", "rule", "quote", "why"),
    [
        ("She isn't in and Anna is away on Friday.", "Anna is away on Friday", "Anna is away on Friday", []),
        ("Nobody runs the press then, Jo is away Friday.", "Jo is away Friday",
         "Nobody runs the press then, Jo is away Friday", []),
        ("Only Jo paints, never after four.", "only Jo paints, always after 16:00", "Only Jo paints, never after four",
         ["the quote denies, and the rule does not"]),
        ("Nobody gets in without boots.", "everybody gets in without boots", "Nobody gets in without boots",
         ["the rule denies, and the quote does not"]),
        ("One of the benches is broken.", "one bench is broken", "One of the benches is broken", []),
        ("Bay 2 is too low for the 737.", "the 737 cannot stand in bay 2", "Bay 2 is too low for the 737", []),
        ("We never bake on Sunday.", "bake on Sunday", "bake on Sunday", ["the quote denies, and the rule does not"]),
        ("We never bake on Sunday.", "bake on Sunday", "never bake on Sunday",
         ["the quote denies, and the rule does not"]),
        ("The van leaves at six.", "the van leaves at seven", "van leaves at six", ["7 is not in the quote"]),
    ],
)  # fmt: skip
def test_a_rule_in_the_words_of_its_quote_holds(answer: str, rule: str, quote: str, why: list[str]) -> None:
    from packhorse_discovery.domain.reading.evidence import check
    from packhorse_discovery.domain.reading.words import words_of

    found = check({"rules": [{"rule": rule, "quote": quote}]}, words_of(answer), origin=DAY)

    assert [one.why for one in found.refused] == why


def test_a_list_whose_only_row_is_refused_is_not_recorded_as_empty() -> None:
    found = recorded(CALENDAR, "We work some days.", {"working-hours": [hours("saw", ["Tuesday"], "08:00", "17:00")]})

    assert found.refused != ()
    assert found.proposals == ()


def test_rows_given_by_name_alone_do_not_take_the_others_past_the_check() -> None:
    rows = ["boil", step("rest", "99")]
    found = recorded(STEPS, "Boil, then rest for 20 minutes.", {"subprocesses": rows})

    assert whys(found) == ["99 minutes is not in the answer"]
    assert [one.path for one in found.proposals] == ["/subprocesses/boil/process-id", "/subprocesses/rest/process-id"]


@pytest.mark.parametrize(
    ("path", "value", "words", "derived", "why"),
    [
        ("/subprocesses/boil/duration", {"value-string": "42", "units": "minutes"}, "Make that 42 minutes.", "", []),
        ("/subprocesses/boil/duration", {"value-string": "45", "units": "minutes"}, "No, 42 minutes.", "",
         ["45 minutes is not in the answer"]),
        ("/subprocesses/boil/duration", {"value-string": "84", "units": "minutes"}, "42 minutes, 2 times.", "2 * 42",
         []),
        ("/subprocesses/boil/process-id", "simmering", "We call it simmering.", "", []),
        ("/subprocesses/boil/process-id", "steaming", "We call it simmering.", "", ["'steaming' is not in the answer"]),
        ("/subprocesses/boil/resources", ["kettle"], "It runs on the old kettle.", "", []),
        ("/subprocesses/boil/resources", ["oven"], "It runs on the old kettle.", "", ["'oven' is not in the answer"]),
    ],
)  # fmt: skip
def test_a_correction_is_held_against_its_words(
    path: str, value: Any, words: str, derived: str, why: list[str]
) -> None:
    eads = library().get(STEPS)
    assert eads is not None
    boil = {"process-id": "boil", "duration": {"value-string": "20", "units": "minutes"}}
    structure = Structure({"subprocesses": {"boil": boil}})
    found = supported(path, value, words, eads, structure, derived=derived, origin=DAY, today=DAY)

    assert whys(found) == why
    assert [one.path for one in found.proposals] == ([] if why else [path])


def test_a_count_takes_the_noun_that_was_said_before_it() -> None:
    answer = "The belt maker wants forty hides by the 15th, the saddler 12, no hurry."
    rows = [
        {"order-id": "belt maker", "quantity": {"value-string": "40", "units": "hides"}},
        {"order-id": "saddler", "quantity": {"value-string": "12", "units": "hides"}},
    ]

    assert whys(recorded(ORDERS, answer, {"orders": rows})) == []


def test_what_there_is_none_of_counts_zero() -> None:
    rows = [{"resource-id": "boxes", "count": 0}]

    assert whys(recorded("resources/inventory", "Boxes: none left.", {"resources": rows})) == []
    assert whys(recorded("resources/inventory", "Boxes are stacked outside.", {"resources": rows})) != []


def by_product(name: str, **minutes: str) -> dict[str, Any]:
    times = [{"product": one, "duration": {"value-string": each, "units": "minutes"}} for one, each in minutes.items()]
    return {"process-id": name, "durations": times}


def test_rows_within_rows_are_told_apart_by_the_row_above() -> None:
    answer = "Sourdough mixes twenty minutes, rests an hour and a half. Baguettes mix 15 minutes, rest an hour."
    right = [
        by_product("mixing", sourdough="20", baguettes="15"),
        by_product("resting", sourdough="90", baguettes="60"),
    ]
    wrong = [by_product("mixing", sourdough="90"), by_product("resting", sourdough="20")]

    assert whys(recorded(STEPS, answer, {"subprocesses": right})) == []
    assert "the answer says it of sourdough (mixing)" in whys(recorded(STEPS, answer, {"subprocesses": wrong}))


def test_a_row_of_an_earlier_answer_gets_what_both_answers_say_and_nothing_is_lost() -> None:
    earlier = "Sourdough is forty minutes in the oven for baking."
    row = by_product("baking", sourdough="40", baguettes="25") | {"resources": ["deck oven"]}
    found = recorded(STEPS, "Then into the deck oven.", {"subprocesses": [row]}, earlier=(earlier,))
    kept = {one.path.removeprefix("/subprocesses/baking/") for one in found.proposals}

    assert {"process-id", "resources", "durations/sourdough/duration"} <= kept
    assert [one.path for one in found.refused] == ["/subprocesses/baking/durations/baguettes/product"]


def test_a_start_in_the_night_is_after_midnight() -> None:
    answer = "It's the second of December, I start at two in the night."

    assert whys(recorded(ORDERS, answer, {"origin": "2026-12-02 02:00"})) == []


def timed(name: str, **minutes: str) -> dict[str, Any]:
    rows = [{"product": one, "duration": {"value-string": many, "units": "minutes"}} for one, many in minutes.items()]
    return {"process-id": name, "durations": rows}


POTS = (
    "Same for all of them: throw, dry, then into the kiln. Jugs are twenty minutes throwing, then they dry an hour and "
    "a half, fifty in the kiln. Bowls, a quarter of an hour throwing, dry an hour, 35 in the kiln. Plates, ten minutes "
    "throwing, dry three quarters of an hour, and plates fire a quarter of an hour, no, thirty, they're flat. Plates "
    "are wanted by a quarter to four, bowls half four, jugs half five, and there's just the one kiln."
)


def test_each_product_has_its_own_time_at_each_step_whatever_form_the_step_s_name_takes() -> None:
    steps = [
        timed("throw", jugs="20", bowls="15", plates="10"),
        timed("dry", jugs="90", bowls="60", plates="45"),
        timed("kiln", jugs="50", bowls="35", plates="30"),
    ]
    assert whys(recorded(STEPS, POTS, {"subprocesses": steps})) == []


@pytest.mark.parametrize(
    "steps",
    [
        [timed("throw", jugs="90"), timed("dry", jugs="20")],
        [timed("throw", jugs="15", bowls="20")],
        [timed("throw", plates="10"), timed("kiln", plates="10")],
        [timed("kiln", plates="15")],
        [timed("kiln", jugs="5")],
        [timed("kiln", bowls="2100")],
    ],
)
def test_a_time_of_another_product_or_step_or_one_taken_back_is_refused(steps: list[dict[str, Any]]) -> None:
    assert recorded(STEPS, POTS, {"subprocesses": steps}).refused


def test_a_row_quoted_from_an_earlier_answer_holds_within_a_row_quoted_from_the_last() -> None:
    quote = "Plates, ten minutes throwing, dry three quarters of an hour"
    step = timed("dry", plates="45") | {"quote": "Drying needs nothing", "resources": []}
    step["durations"][0]["quote"] = quote
    found = recorded(STEPS, "Drying needs nothing, no machine.", {"subprocesses": [step]}, earlier=(POTS,))
    assert whys(found) == []
    assert [one.value for one in found.proposals if one.path.endswith("/duration")] == [
        {"value-string": "45", "units": "minutes"}
    ]


def test_the_time_of_one_row_is_not_cited_for_the_date_of_another() -> None:
    answer = "Jugs are wanted by half five, bowls half four. I start at two in the night, on Wednesday."
    orders = [{"order-id": "jugs", "due": "2026-12-02T05:30"}, {"order-id": "bowls", "due": "2026-12-02T04:30"}]
    found = recorded(ORDERS, answer, {"orders": orders})
    assert [one.said for one in found.proposals if one.path.endswith("/due")] == ["Wednesday", "Wednesday"]


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("Each jug is shaped, then dried, then glazed", []),
        ("Each jug ... then glazed", ["no word of this choice is in the quote: ask which one holds"]),
        ("tiles are never dried", ["no word of this choice is in the quote: ask which one holds"]),
        ("the big ones have their own route", ["the quote speaks of JOB-SHOP"]),
    ],
)
def test_a_quote_in_other_words_is_read_as_a_choice_unless_it_denies_or_names_another(
    quote: str, why: list[str]
) -> None:
    answer = (
        "Each jug is shaped, then dried, then glazed. But tiles are never dried, the big ones have their own route."
    )
    refinement = {"principal-problem-type": "FLOW-SHOP", "quote": quote}
    assert whys(recorded("process/scheduling-problem-type", answer, refinement)) == why


STOOLS = "Stools take 20 minutes cutting, half an hour sanding. Shelves, 10 minutes cutting, shelves skip the sanding."


@pytest.mark.parametrize(
    ("answer", "steps", "why"),
    [
        ("Each chair is cut, then there's an hour's sanding.", [step("sanding", "1", "hours")], []),
        ("Cutting forty, sanding ninety, either bench. All minutes.",
         [step("cutting", "40"), step("sanding", "90")], []),
        ("Cutting forty, sanding ninety. The times are in minutes.",
         [step("cutting", "40", "hours"), step("sanding", "90")], ["the answer says 40 without hours"]),
        ("Open at all hours. Cutting forty.", [step("cutting", "40", "hours")], ["the answer says 40 without hours"]),
        (STOOLS, [timed("sanding", stools="30", shelves="0")], []),
        (STOOLS, [timed("sanding", stools="0"), timed("cutting", shelves="0")],
         ["0 minutes is not in the answer"] * 2),
    ],
)  # fmt: skip
def test_a_time_said_for_all_or_left_out_is_read(answer: str, steps: list[dict[str, Any]], why: list[str]) -> None:
    assert whys(recorded(STEPS, answer, {"subprocesses": steps})) == why


@pytest.mark.parametrize(
    ("answer", "due", "why"),
    [
        ("Wardrobes ready five in the afternoon. All of it tomorrow. Tomorrow's Thursday, 3 December 2026.",
         "2026-12-03T17:00", []),
        ("Wardrobes ready half nine in the morning. All of it tomorrow. Tomorrow's Thursday, 3 December 2026.",
         "2026-12-03T09:30", []),
        ("Wardrobes ready five in the afternoon. All of it tomorrow. Tomorrow's Thursday, 3 December 2026.",
         "2026-12-04T17:00", ["2026-12-04 is not in the answer"]),
        ("Wardrobes ready by four tomorrow; today's Tuesday, the first of December 2026.", "2026-12-02T16:00", []),
        ("Wardrobes by four, on Wednesday, December the second, 2026.", "2026-12-02T16:00", []),
        ("Wardrobes by four, Wednesday the second of December 2026.", "2026-12-02T16:00", []),
        ("Wardrobes by four, Wednesday the second of December 2026.", "2026-12-09T16:00",
         ["2026-12-09 is not in the answer"]),
    ],
)  # fmt: skip
def test_what_an_answer_says_of_today_is_the_day_that_its_dates_count_from(
    answer: str, due: str, why: list[str]
) -> None:
    orders = [{"order-id": "wardrobes", "due": due}]
    assert whys(recorded(ORDERS, answer, {"orders": orders}, origin="2026-12-03")) == why


def test_one_of_each_counts_one_of_every_resource_it_is_quoted_for() -> None:
    answer = "The saw, then the press, the booth and the bench. One of each, yep. Two lads."
    rows = [{"resource-id": one, "count": 1, "quote": "One of each"} for one in ("saw", "press", "booth")]
    assert whys(recorded("resources/inventory", answer, {"resources": rows})) == []


def test_words_that_deny_are_recorded_where_they_are_the_expert_s_own() -> None:
    answer = "We make chairs. I never know whether the stools should go first."
    refinement = {"one-more-thing": "I never know whether the stools should go first"}
    assert whys(recorded("process/warm-up-with-challenges", answer, refinement)) == []


def test_a_quantity_in_words_is_recorded_in_figures_and_a_duration_without_a_unit_is_refused() -> None:
    answer = "Sanding takes a quarter of an hour. Cutting forty."
    steps = [step("sanding", "a quarter of an hour", ""), step("cutting", "forty", "")]
    found = recorded(STEPS, answer, {"subprocesses": steps})

    assert [one.value for one in found.proposals if one.path.endswith("/duration")] == [
        {"value-string": "0.25", "units": "hours"}
    ]
    assert whys(found) == ["it has no unit: minutes, hours or days"]


@pytest.mark.parametrize(("word", "value"), [("nope", False), ("yep", True)])
def test_yes_or_no_after_a_label_answers_what_the_label_says(word: str, value: bool) -> None:
    answer = f"The saw comes first. Same order on every machine: {word}."

    assert whys(recorded(STEPS, answer, {"same-order?": value})) == []
    assert whys(recorded(STEPS, answer, {"same-order?": not value})) != []


def test_a_resource_that_an_earlier_answer_names_is_known() -> None:
    earlier = "We have benches 1 and 2 for the whole shop."
    row = step("sanding", "20", resources=["bench 2"])
    answer = "Sanding takes 20 minutes on a bench."

    assert whys(recorded(STEPS, answer, {"subprocesses": [row]}, earlier=(earlier,))) == []
    assert whys(recorded(STEPS, answer, {"subprocesses": [row]})) == ["'2' is not in the answer"]


def test_beside_a_refinement_lines_with_a_colon_are_prose() -> None:
    answer = "Lathe: 1\nKilns: 2\nVases wanted: 3 December 2026\nWhat matters: everything on time"
    rows = [{"resource-id": "lathe", "count": 1}, {"resource-id": "kilns", "count": 2}]
    found = recorded("resources/inventory", answer, {"resources": rows})
    names = {str(one.value) for one in found.proposals if one.path.endswith("resource-id")}
    assert names == {"lathe", "kilns"}
