"""What may stand in a refinement beside a plain value: "unknown", null, yes or no as text, and counts said of each."""

from pathlib import Path
from typing import Any

import pytest

from packhorse import Host, UserError
from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.models.interview import Processed
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

STEPS, KIND = "process/flow-shop", "process/scheduling-problem-type"
WORDS = "Throwing takes 20 minutes at the wheel. Glazing is at the bench. Firing takes 8 hours in the kiln."
MUGS = {
    "subprocesses": [
        {"process-id": "throwing", "duration": "20 minutes", "resources": ["wheel"]},
        {"process-id": "glazing", "duration": "10 minutes", "resources": ["bench"]},
        {"process-id": "firing", "duration": "8 hours", "resources": ["kiln"]},
    ]
}


class Potter:
    """Somebody who answers whatever is open, through the tools."""

    def __init__(self, folder: Path) -> None:
        host = Host("discovery", data_dir=folder, settings=DiscoverySettings(), migrations=MIGRATIONS)
        self.projects = Projects(host)
        self.tools = InterviewTools(self.projects.host)
        self.open: Any = self.tools.start_interview("p").next
        self.say("We make mugs.", {"product-or-service-name": "mugs"})

    def say(self, words: str, refinement: dict[str, Any] | None = None) -> Processed:
        found = self.tools.process_eads_answer(
            "p", self.open.eads_id, self.open.question_id, words, refinement=refinement, detail="brief"
        )
        self.open = found.next or self.open
        return found

    def scr(self) -> Scr:
        with self.projects.open() as store:
            return self.projects.scr(store, "p")

    def status(self, eads_id: str) -> dict[str, Any]:
        return self.tools.get_eads_status("p", eads_id).data_structure


def made(step: str, **values: Any) -> dict[str, Any]:
    """The mugs with other values in one step."""
    return {"subprocesses": [one | values if one["process-id"] == step else one for one in MUGS["subprocesses"]]}


@pytest.fixture
def potter(tmp_path: Path) -> Potter:
    """The kind of problem is known, and the steps are asked for."""
    potter = Potter(tmp_path)
    potter.say("a)")
    return potter


@pytest.mark.parametrize("value", ["unknown", {"value-string": "unknown"}, "not known"])
def test_one_value_may_be_unknown_where_the_words_say_so(potter: Potter, value: Any) -> None:
    found = potter.say(WORDS + " How long glazing takes I couldn't tell you.", made("glazing", duration=value))

    assert found.refused == []
    assert "duration" not in potter.status(STEPS)["subprocesses"][1]
    assert found.next is not None
    assert found.next.eads_id == "data/orders"  # what nobody knows is not asked again


def test_what_the_words_do_not_call_unknown_is_refused_and_asked_for(potter: Potter) -> None:
    found = potter.say(WORDS, made("glazing", duration="unknown"))

    assert [(one.path, one.why) for one in found.refused] == [
        ("/subprocesses/glazing/duration", "the words do not say so: ask")
    ]
    assert found.next is not None
    assert found.next.open == ["/subprocesses/glazing/duration"]


def test_hours_that_nobody_knows_are_asked_for_once(potter: Potter) -> None:
    potter.say(WORDS + " Glazing takes 10 minutes.", MUGS)
    potter.say("mugs", {"orders": [{"order-id": "mugs", "product": "mugs"}]})
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    found = potter.say(
        "One wheel, one bench, one kiln. Every day of the week; the hours I couldn't tell you.",
        {
            "resources": [{"resource-id": one, "count": 1} for one in ("wheel", "bench", "kiln")],
            "working-hours": [{"resource": "all", "days": days, "start": "unknown", "end": "unknown"}],
        },
    )

    assert found.refused == []
    assert found.next is not None
    assert found.next.eads_id == "optimality/goals"
    gaps = Casefile(potter.projects).scr("p").gaps
    assert [one.path for one in gaps if one.state == "unknown"] == ["/working-hours"]


def test_the_question_about_hours_does_not_repeat_what_was_answered_with_it(potter: Potter) -> None:
    potter.say(WORDS + " Glazing takes 10 minutes.", MUGS)
    potter.say("mugs", {"orders": [{"order-id": "mugs", "product": "mugs"}]})
    counts = {"resources": [{"resource-id": one, "count": 1} for one in ("wheel", "bench", "kiln")]}
    first = potter.say("One wheel, one bench, one kiln.", counts).next
    second = potter.say(
        "The kiln cools for an hour between two jobs.", {"cleaning": [{"resource": "kiln", "duration": "1 hour"}]}
    ).next

    assert first is not None
    assert second is not None
    assert "closures" in first.question
    assert second.question == "When do people and machines work: which days, from when to when?"


@pytest.mark.parametrize(("text", "value"), [("true", True), ("yes", True), ("false", False), ("No", False)])
def test_yes_or_no_may_be_written_as_text(potter: Potter, text: str, value: bool) -> None:
    words = "Every mug keeps its place in the queue: yes." if value else "No, mugs may overtake."
    found = potter.say(words, {"same-order?": text})

    assert found.refused == []
    assert potter.status(STEPS)["same-order?"] is value


def test_null_over_a_value_is_refused_with_what_clears_it(potter: Potter) -> None:
    potter.say(WORDS + " Glazing takes 10 minutes.", MUGS)
    potter.open = potter.open.model_copy(update={"eads_id": STEPS, "question_id": "q3-1"})
    found = potter.say("Forget what I said of the kiln.", made("firing", duration=None))

    assert [(one.path, one.why) for one in found.refused] == [
        ("/subprocesses/firing/duration", "null in an answer clears nothing: use correct_answer with null")
    ]
    assert potter.status(STEPS)["subprocesses"][2]["duration"]["value-string"] == "8"


def test_one_of_each_counts_everything_named_before(potter: Potter) -> None:
    potter.say(WORDS + " Glazing takes 10 minutes.", MUGS)
    potter.say("mugs", {"orders": [{"order-id": "mugs", "product": "mugs"}]})
    counts = [{"resource-id": one, "count": 1} for one in ("wheel", "bench", "kiln")]
    found = potter.say("One of each.", {"resources": [*counts, {"resource-id": "crane", "count": 1}]})

    assert [one.path for one in found.refused] == ["/resources/crane/resource-id"]
    assert [one["count"] for one in potter.status("resources/inventory")["resources"]] == [1, 1, 1]


def test_a_step_may_need_several_of_one_resource_and_others_wait_for_them(potter: Potter) -> None:
    potter.say(
        "Throwing takes 20 minutes at the wheel. Lifting takes 10 minutes and needs two helpers. "
        "Firing takes 8 hours in the kiln.",
        {
            "subprocesses": [
                {"process-id": "throwing", "duration": "20 minutes", "resources": ["wheel"]},
                {"process-id": "lifting", "duration": "10 minutes", "needs": [{"resource": "helpers", "count": 2}]},
                {"process-id": "firing", "duration": "8 hours", "resources": ["kiln"]},
            ]
        },
    )
    potter.say("mugs and bowls", {"orders": [{"order-id": one, "product": one} for one in ("mugs", "bowls")]})
    potter.say(
        "Two wheels, three helpers, two kilns; hours I don't know.",
        {
            "resources": [
                {"resource-id": "wheel", "count": 2},
                {"resource-id": "helpers", "count": 3},
                {"resource-id": "kiln", "count": 2},
            ],
            "working-hours": "unknown",
        },
    )
    model = Modeller(Casefile(potter.projects)).model("p")
    helpers = next(at for at, one in enumerate(model.resources) if one.name == "helpers")
    asked = {use.amount.value for task in model.tasks for mode in task.modes for use in mode.uses
             if use.resource == helpers}  # fmt: skip
    solved = solve(model, seconds=20, seed=0)

    assert asked == {2}
    assert solved.schedule is not None
    assert solved.schedule.clock.lasting(solved.schedule.end) == "8 h 40 min"  # two and two of three: after each other


@pytest.mark.parametrize("said", [{"no-wait?": True}, {}], ids=["with the yes", "by the product alone"])
def test_what_may_not_wait_for_one_product_may_wait_for_the_others(potter: Potter, said: dict[str, bool]) -> None:
    potter.say(
        "Throwing takes 20 minutes at the wheel, firing 8 hours in the kiln. Firing must start immediately for mugs.",
        {
            "subprocesses": [
                {"process-id": "throwing", "duration": "20 minutes", "resources": ["wheel"]},
                {
                    "process-id": "firing", "duration": "8 hours", "resources": ["kiln"], "no-wait-for": ["mugs"],
                    **said,
                },
            ]
        },
    )  # fmt: skip
    potter.say("mugs and bowls", {"orders": [{"order-id": one, "product": one} for one in ("mugs", "bowls")]})
    potter.say(
        "One of each; hours I don't know.",
        {"resources": [{"resource-id": one, "count": 1} for one in ("wheel", "kiln")], "working-hours": "unknown"},
    )
    model = Modeller(Casefile(potter.projects)).model("p")

    assert [model.jobs[model.tasks[one.task].job].name for one in model.waits] == ["mugs"]


def test_the_form_says_which_times_count_before_the_first_job(potter: Potter) -> None:
    form = potter.open.form
    hours = potter.tools.start_eads_pursuit("p", "resources/calendar-and-maintenance").next

    assert "the first too" in form["subprocesses"][0]["setup"]
    assert hours is not None
    assert "not before the first" in hours.form["cleaning"][0]["duration"]


def test_a_form_is_shown_once_and_again_on_request(potter: Potter) -> None:
    assert potter.open.form
    again = potter.tools.correct_answer(
        "p", "process/warm-up-with-challenges", "/product-or-service-name", "bowls", answer="Bowls, I should say."
    ).next

    assert again is not None
    assert (again.question_id, again.form) == (potter.open.question_id, {})
    assert potter.tools.get_next_question("p", STEPS).refinement_schema


def test_a_question_that_is_none_of_the_pursuit_is_refused_with_the_open_one(potter: Potter) -> None:
    with pytest.raises(UserError, match=r"Answer q3-1 of process/flow-shop"):
        potter.tools.process_eads_answer("p", "process/warm-up-with-challenges", "q1-9", "mugs")


def test_rows_of_the_kind_that_was_corrected_are_no_longer_among_what_is_established(potter: Potter) -> None:
    potter.say(WORDS + " Glazing takes 10 minutes.", MUGS)
    potter.tools.correct_answer(
        "p", "process/scheduling-problem-type", "/principal-problem-type", "JOB-SHOP",
        answer="No: the jobs visit the machines in different orders.",
    )  # fmt: skip

    assert STEPS not in potter.tools.get_aggregated_scr("p").outline
    assert STEPS in potter.tools.get_aggregated_scr("p", eads_filter=[STEPS]).outline


def conflict(potter: Potter) -> str:
    """Two people who differ on one duration."""
    table = "| step | duration | resources |\n|---|---|---|\n| bake | {} | oven |"
    for who, words in (("Ann", "40 min"), ("Ben", "55 min")):
        potter.tools.process_eads_answer("p", STEPS, "q3-1", table.format(words), answered_by=who)
    (found,) = potter.tools.list_conflicts("p").conflicts
    return found.conflict_id


@pytest.mark.parametrize(
    ("resolution", "value", "code"),
    [
        ("Ben has measured it.", "55 minutes", ""),
        ("Neither: it is 48 minutes for the bake.", "48 minutes", ""),
        ("Ben has measured it.", "48 minutes", "VALUE_UNSAID"),
        ("Ben has measured it.", ["55"], "VALUE_UNFIT"),
    ],
)
def test_a_contradiction_is_settled_by_a_value_that_somebody_said(
    potter: Potter, resolution: str, value: Any, code: str
) -> None:
    found = conflict(potter)
    if code:
        with pytest.raises(UserError) as refused:
            potter.tools.resolve_conflict("p", found, resolution, value)
        assert refused.value.code == code
        assert potter.tools.list_conflicts("p").open == 1
    else:
        assert potter.tools.resolve_conflict("p", found, resolution, value).open_conflicts == 0


def test_a_contradiction_is_settled_once(potter: Potter) -> None:
    found = conflict(potter)
    potter.tools.resolve_conflict("p", found, "Ben has measured it.", "55 minutes")

    with pytest.raises(UserError) as refused:
        potter.tools.resolve_conflict("p", found, "Ann, after all.", "40 minutes")
    assert refused.value.code in {"CONFLICT_SETTLED", "CONFLICT_UNKNOWN"}


@pytest.mark.parametrize(
    ("words", "capacity", "refused"),
    [
        ("Two kilns.", "2", ["/resources/kiln/capacity"]),
        ("Two kilns. A kiln takes two jobs at a time.", "2", []),
        ("Two kilns of 30 mugs each.", "30 mugs", []),
    ],
)
def test_how_many_there_are_is_not_how_much_each_takes(
    potter: Potter, words: str, capacity: str, refused: list[str]
) -> None:
    kiln = {"resource-id": "kiln", "count": 2, "capacity": capacity}
    assert [one.path for one in potter.say(words, {"resources": [kiln]}).refused] == refused


LIST = """patient | operation | theatre | operation time | recovery time
Amy | tonsillectomy | theatre 1 | 40 minutes | 45 minutes
Okafor | hip | theatre 2 | 120 minutes | 60 minutes"""


def routings(potter: Potter) -> None:
    """The kind of problem is a job shop, and its jobs are asked for."""
    potter.tools.correct_answer(
        "p", "process/scheduling-problem-type", "/principal-problem-type", "JOB-SHOP",
        answer="No: the jobs visit the machines in different orders.",
    )  # fmt: skip
    potter.open = potter.tools.start_eads_pursuit("p", "process/job-shop").next


def test_the_form_in_which_jobs_are_told_says_whether_they_share_routings(potter: Potter) -> None:
    routings(potter)
    asked, form = potter.open.question, set(potter.open.form)
    found = potter.say(LIST)

    assert "yes" not in asked
    assert {"jobs", "job-level-processes"} <= form
    assert "classifiable-jobs?" not in form
    assert found.completeness == 1.0
    assert found.next is not None
    assert found.next.eads_id == "process/job-shop--unique"
    assert potter.status("process/job-shop") == {"classifiable-jobs?": False}


def test_beside_a_refinement_a_table_supports_it_and_adds_no_row_of_its_own(potter: Potter) -> None:
    routings(potter)
    jobs = [
        {
            "job-id": who,
            "operations": [
                {"operation-id": "operation", "duration": first, "resources": [where]},
                {"operation-id": "recovery", "duration": second},
            ],
        }
        for who, where, first, second in (
            ("Amy", "theatre 1", "40 minutes", "45 minutes"),
            ("Okafor", "theatre 2", "120 minutes", "60 minutes"),
        )
    ]
    found = potter.say(LIST, {"jobs": jobs})
    told = potter.status("process/job-shop--unique")["jobs"]

    assert found.refused == []
    assert [[step["duration"]["value-string"] for step in job["operations"]] for job in told] == [
        ["40", "45"], ["120", "60"],
    ]  # fmt: skip


def test_a_value_that_the_table_beside_it_does_not_have_is_refused(potter: Potter) -> None:
    routings(potter)
    wrong = {"operation-id": "operation", "duration": "45 minutes", "resources": ["theatre 1"]}
    found = potter.say(LIST, {"jobs": [{"job-id": "Amy", "operations": [wrong]}]})

    assert [one.path for one in found.refused] == ["/jobs/amy/operations/operation/duration"]


LASER = """Signs are acrylic and take fifty minutes. Boxes are plywood, an hour and ten. The jewellery is acrylic too,
half an hour. From acrylic to plywood or back I need ten minutes.
We start at nine tomorrow, the 24th of November 2026."""


@pytest.fixture
def laser(tmp_path: Path) -> Potter:
    """One machine whose jobs are told, with the material that changeovers go by."""
    laser = Potter(tmp_path)
    laser.say("c)")
    change = "From acrylic to plywood or back I need ten minutes"
    families = (("signs", "50 minutes", "acrylic"), ("boxes", "70 minutes", "plywood"),
                ("jewellery", "30 minutes", "acrylic"))  # fmt: skip
    found = laser.say(
        LASER,
        {
            "machine": "laser",
            "families": [{"family-id": name, "duration": long, "group": of} for name, long, of in families],
            "orders": [{"order-id": name, "product": name} for name, *_ in families],
            "changeovers": [
                {"from": one, "to": other, "duration": "10 minutes", "quote": change}
                for one, other in (("acrylic", "plywood"), ("plywood", "acrylic"))
            ],
            "origin": "2026-11-24T09:00",
        },
    )
    assert [one.path for one in found.refused] == ["/machine"]  # they never named it
    laser.say("A laser, it is.", {"machine": "laser"})
    return laser


def schedule(potter: Potter) -> list[str]:
    """The jobs in the order in which they start, and when the last one ends."""
    model = Modeller(Casefile(potter.projects)).model("p")
    found = solve(model, seconds=20, seed=0).schedule
    assert found is not None
    placed = sorted(found.placed, key=lambda one: one.start)
    return [*(model.jobs[model.tasks[one.task].job].name for one in placed), found.clock.at(found.end)]


def test_changeovers_go_by_the_group_of_a_kind_of_job(laser: Potter) -> None:
    found = schedule(laser)

    assert found[-1] == "2026-11-24 11:40"  # 50 + 30 + 10 + 70 minutes
    assert abs(found.index("signs") - found.index("jewellery")) == 1


def test_what_goes_last_goes_after_any_other(laser: Potter) -> None:
    last = {"precedences": [{"before": "any", "after": "jewellery", "quote": "The jewellery goes last"}]}
    laser.say("The jewellery goes last.", last)

    assert schedule(laser)[-2] == "jewellery"


def test_a_rule_that_a_field_may_hold_comes_back_with_the_field(laser: Potter) -> None:
    rule = {"rule": "The jewellery goes last", "quote": "The jewellery goes last"}
    found = laser.say("The jewellery goes last.", {"rules": [rule]})

    assert found.commit_notes == "2 values recorded; 1 rule in words alone"
    assert found.fields_for_rules == ["The jewellery goes last: data/orders /precedences"]


def test_the_hours_of_a_day_that_is_named_by_its_date_are_those_of_its_weekday(laser: Potter) -> None:
    hours = {"resource": "laser", "days": ["Tuesday"], "start": "09:00", "end": "17:00"}
    wrong = hours | {"days": ["Friday"]}

    assert [one.path.split("/")[-1] for one in laser.say("Nine to five on the 24th of November 2026.",
            {"working-hours": [wrong]}).refused] == ["days"]  # fmt: skip
    assert laser.say("Nine to five on the 24th of November 2026.", {"working-hours": [hours]}).refused == []


def test_work_that_is_longer_than_a_working_day_is_said_to_go_on_outside_it(potter: Potter) -> None:
    potter.say(
        "Throwing takes two days at the wheel.",
        {"subprocesses": [{"process-id": "throwing", "duration": "2 days", "resources": ["wheel"]}]},
    )
    potter.say("mugs", {"orders": [{"order-id": "mugs", "product": "mugs"}]})
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    potter.say(
        "One wheel. Monday to Friday, eight to four.",
        {
            "resources": [{"resource-id": "wheel", "count": 1}],
            "working-hours": [{"resource": "all", "days": days, "start": "08:00", "end": "16:00"}],
        },
    )

    assert Modeller(Casefile(potter.projects)).model("p").notes[-1].endswith("longer than any working day: throwing")


@pytest.mark.parametrize("words", ["Every mug goes through the same steps.", "One wheel, one kiln, the same for all."])
def test_a_no_that_nobody_needs_is_not_asked_for(tmp_path: Path, words: str) -> None:
    kind = {"principal-problem-type": "FLOW-SHOP", "quote": words.rstrip("."), "cyclical?": False, "continuous?": False}
    found = Potter(tmp_path).say(words, kind)

    assert [one.path for one in found.refused] == ["/cyclical?", "/continuous?"]
    assert [one.why for one in found.refused] == [
        "the words say neither yes nor no to it: leave it out, nobody needs it", "as /cyclical?",
    ]  # fmt: skip


def test_a_step_that_some_products_do_not_have_may_be_left_out(potter: Potter) -> None:
    found = potter.say(
        "Glazing takes 10 minutes at the bench, firing 8 hours in the kiln. Raw bowls have no glazing.",
        {
            "subprocesses": [
                {"process-id": "glazing", "duration": "10 minutes", "resources": ["bench"], "optional?": True},
                {"process-id": "firing", "duration": "8 hours", "resources": ["kiln"]},
            ]
        },
    )

    assert found.refused == []
    assert potter.status(STEPS)["subprocesses"][0]["optional?"] is True


def test_a_step_that_nobody_has_is_no_step_and_not_asked_about(potter: Potter) -> None:
    found = potter.say(
        "Throwing takes 20 minutes at the wheel, firing 8 hours in the kiln. We don't glaze.",
        {
            "subprocesses": [
                {"process-id": "throwing", "duration": "20 minutes", "resources": ["wheel"]},
                {"process-id": "firing", "duration": "8 hours", "resources": ["kiln"]},
                {"process-id": "glaze", "optional?": True},
            ]
        },
    )

    assert [(one.path, one.why) for one in found.refused] == [
        ("/subprocesses/glaze/process-id", "the answer says that there is none")
    ]
    assert found.next is not None
    assert found.next.eads_id == "data/orders"


def test_a_corrected_kind_brings_the_steps_along(tmp_path: Path) -> None:
    potter = Potter(tmp_path)
    potter.say("a)")
    potter.say(
        WORDS + " Glazing takes 10 minutes.",
        {"subprocesses": [
            {"process-id": "throwing", "duration": "20 minutes"},
            {"process-id": "glazing", "duration": "10 minutes"}]},
    )  # fmt: skip
    done = potter.tools.correct_answer("p", KIND, "/principal-problem-type", "PROJECT-SCHEDULING", answer="A project.")
    status = potter.status("process/project")
    again = potter.tools.correct_answer("p", KIND, "/principal-problem-type", "FLOW-SHOP", answer="No, all the same.")

    assert done.next is not None
    assert "Carried over from process/flow-shop: activities" in done.next.do
    assert [(one["activity-id"], one["duration"]["value-string"]) for one in status["activities"]] == [
        ("throwing", "20"), ("glazing", "10"),
    ]  # fmt: skip
    assert again.next is not None
    assert "Carried over" not in again.next.do
    assert len(potter.status(STEPS)["subprocesses"]) == 2


def test_a_rule_told_of_one_kind_of_problem_stands_beside_a_model_of_another(potter: Potter) -> None:
    rule = {"rule": "Amy is never glazed alone", "quote": "Amy is never glazed alone"}
    potter.say(f"{WORDS} Glazing takes 10 minutes. Amy is never glazed alone.", {**MUGS, "rules": [rule]})
    potter.tools.correct_answer("p", KIND, "/principal-problem-type", "JOB-SHOP", answer="Each job has its own steps.")

    assert [one.value for one in potter.scr().unmodelled] == ["Amy is never glazed alone"]


def test_a_rule_that_was_carried_over_is_one_rule_and_goes_with_its_row(tmp_path: Path) -> None:
    potter = Potter(tmp_path)
    potter.say("a)")
    rule = {"rule": "glazing is never done alone", "quote": "Glazing is never done alone"}
    steps = [{"process-id": "glazing", "duration": "10 minutes"}]
    potter.say("Glazing takes 10 minutes. Glazing is never done alone.", {"subprocesses": steps, "rules": [rule]})
    potter.tools.correct_answer("p", KIND, "/principal-problem-type", "PROJECT-SCHEDULING", answer="A project.")
    both = [one.value for one in potter.scr().unmodelled]
    potter.tools.correct_answer("p", "process/project", "/rules", None, answer="That rule no longer holds.")

    assert both == ["glazing is never done alone"]
    assert potter.scr().unmodelled == ()


def test_a_kind_that_has_no_place_for_what_was_told_says_so(tmp_path: Path) -> None:
    laser = Potter(tmp_path)
    laser.say("c)")
    laser.say(LASER, {"families": [{"family-id": "signs", "duration": "50 minutes"}]})
    done = laser.tools.correct_answer("p", KIND, "/principal-problem-type", "FLOW-SHOP", answer="The same for all.")

    assert done.next is not None
    assert "Of process/single-machine this has no place for: families" in done.next.do
