"""Each rule, at its edge: what just passes, and what just breaks it and nothing else."""

import subprocess
import sys
from datetime import timedelta

import pytest

import roster_factories as factories
from packhorse_scheduling.domain.programme.programme import Worked
from packhorse_scheduling.domain.programme.requests import Demand, Leave
from packhorse_scheduling.domain.rules.kernel import Kernel
from roster_factories import MONDAY, cells, faculty, programme, resident


def broken(rows, **changed):
    kernel = Kernel(programme(**changed))
    grid = kernel.grid_of(rows)
    return sorted({violation.rule for rule in kernel.rules for violation in rule.check(grid)})


def worked(days, service="DAY", person="R1"):
    return [row for day in days for row in cells((person, day, "AP", service))]


# Six days on and one off, which every rule of rest bears.
SIX_OF_SEVEN = [day for day in range(56) if day % 7 != 6]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([], [], id="an empty roster breaks nothing where nothing is demanded"),
        pytest.param(worked(SIX_OF_SEVEN), [], id="60 hours and a day off a week"),
        pytest.param(worked(SIX_OF_SEVEN, "LONG"), [], id="72 hours and a day off a week"),
        pytest.param(worked([*SIX_OF_SEVEN[:18], 20]), ["CONSECUTIVE_DAYS_RULE"], id="seven days in a row"),
        pytest.param(
            cells(("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL"), ("R1", 0, "A", "DAY")), [], id="24 hours in house"
        ),
        pytest.param(
            cells(("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL"), ("R1", 0, "A", "LONG")),
            ["24_PLUS_4_RULE"],
            id="25 hours in house",
        ),
        pytest.param(
            cells(("R1", 0, "AP", "DAY"), ("R1", 1, "P", "NIGHT"), ("R1", 2, "AP", "NIGHT"), ("R1", 3, "A", "NIGHT")),
            [],
            id="two nights of float with twelve hours between",
        ),
        pytest.param(
            cells(("R1", 0, "A", "DAY"), ("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL"), ("R1", 1, "P", "DAY")),
            ["14_HOUR_REST_RULE"],
            id="five hours off after 24 in house",
        ),
        pytest.param(
            cells(("R1", 0, "P", "NIGHT"), ("R1", 1, "A", "NIGHT"), ("R1", 1, "P", "DAY")),
            ["8_HOUR_REST_RULE"],
            id="five hours off after a night of float is a warning",
        ),
        pytest.param(cells(("R1", 3, "P", "CALL")), ["WHOLE_NIGHT_RULE"], id="an evening without its morning"),
        pytest.param(cells(("R1", 3, "A", "CALL")), ["WHOLE_NIGHT_RULE"], id="a morning without its evening"),
        pytest.param(cells(("R1", 3, "A", "SEEN")), ["SUPERVISION_RATIO"], id="a resident nobody supervises"),
        pytest.param(cells(("R1", 3, "A", "SEEN"), ("F1", 3, "A", "SEEN")), [], id="a resident with faculty beside"),
        pytest.param(cells(("R1", 3, "A", "SKILL")), ["CREDENTIAL_REQUIREMENTS"], id="no credential"),
    ],
)
def test_a_roster_breaks_exactly(rows, expected):
    assert broken(rows) == expected


def test_above_80_hours_averaged_is_broken_and_80_is_not():
    # 27 long days of 12 hours are 324 hours in 28 days; other rules of rest are broken by it too.
    assert "80_HOUR_RULE" in broken(worked(range(27), "LONG"))
    assert "80_HOUR_RULE" not in broken(worked(range(26), "LONG"))


def test_three_free_days_in_28_break_one_in_seven_and_four_do_not():
    free = {6, 13, 20}
    assert "1_IN_7_RULE" in broken(worked([day for day in range(28) if day not in free]))
    assert "1_IN_7_RULE" not in broken(worked([day for day in range(28) if day not in {*free, 27}]))


def test_leave_counts_neither_as_free_nor_as_time():
    # Three free days in the three weeks that remain; the week of leave is none of them.
    leaves = (Leave("R1", MONDAY, MONDAY + timedelta(days=6)),)
    kept = [day for day in range(7, 28) if day not in {13, 20, 27}]
    assert broken(worked(kept), leaves=leaves) == []
    assert "1_IN_7_RULE" in broken(worked([*kept, 27]), leaves=leaves)
    # 80 hours a week on the three weeks alone.
    assert "80_HOUR_RULE" in broken(worked(range(7, 28), "LONG"), leaves=leaves)


def test_call_every_third_night_passes_and_ten_of_28_do_not():
    def nights(days):
        return [row for day in days for row in cells(("R1", day, "P", "CALL"), ("R1", day + 1, "A", "CALL"))]

    assert "CALL_FREQUENCY_RULE" not in broken(nights(range(0, 27, 3)))
    assert "CALL_FREQUENCY_RULE" in broken(nights([*range(0, 27, 3), 25]))


def test_seven_nights_of_float_in_a_row_are_the_institution_s_limit_broken():
    def nights(count):
        return [row for day in range(count) for row in cells(("R1", day, "P", "NIGHT"), ("R1", day + 1, "A", "NIGHT"))]

    assert "NIGHT_FLOAT_RULE" not in broken(nights(6))
    assert "NIGHT_FLOAT_RULE" in broken(nights(7))


def test_hand_over_may_follow_24_hours_for_four_and_no_longer():
    house = cells(("R1", 0, "A", "DAY"), ("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL"))
    # The night's morning is over at 07:00; a hand-over of its own would be in the same half-day.
    day = factories.Service(
        "STAY", "Call and hand-over", "call", factories.span(0, 11), factories.span(12, 24), overnight=True,
        transition=True,
    )  # fmt: skip
    services = (*factories.SERVICES, day)
    stays = cells(("R1", 0, "A", "DAY"), ("R1", 0, "P", "STAY"), ("R1", 1, "A", "STAY"))
    assert broken(house) == []
    assert broken(stays, services=services) == []  # 07:00 to 11:00 next day: 28 hours
    longer = cells(("R1", 0, "A", "LONG"), ("R1", 0, "P", "STAY"), ("R1", 1, "A", "STAY"))
    assert broken(longer, services=services) == ["24_PLUS_4_RULE"]


def test_a_pgy_1_counts_twice_for_supervision():
    people = (*(resident(f"R{n}", pgy=1) for n in range(3)), resident("S", pgy=3), faculty("F1"))
    two = cells(("R0", 0, "A", "SEEN"), ("R1", 0, "A", "SEEN"), ("F1", 0, "A", "SEEN"))
    assert broken(two, people=people) == []
    assert broken([*two, *cells(("S", 0, "A", "SEEN"))], people=people) == ["SUPERVISION_RATIO"]


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        pytest.param([], ["MINIMUM_STAFFING"], id="nobody"),
        pytest.param(["R1"], [], id="one, as asked"),
        pytest.param(["R1", "R2"], ["MAXIMUM_STAFFING"], id="one too many"),
    ],
)
def test_staffing_is_between_minimum_and_maximum(present, expected):
    demand = Demand("DAY", "RESIDENT", 1, 1, weekdays=frozenset({2}), sessions=("AM",), end=MONDAY + timedelta(days=6))
    rows = [row for key in present for row in cells((key, 2, "A", "DAY"))]
    assert broken(rows, demands=(demand,)) == expected


def test_nobody_works_on_leave():
    leaves = (Leave("R1", MONDAY, MONDAY),)
    assert broken(cells(("R1", 0, "A", "DAY")), leaves=leaves) == ["LEAVE_RULE"]
    assert broken(cells(("R1", 1, "A", "DAY")), leaves=leaves) == []


def test_a_credential_is_good_on_its_last_day_and_not_after():
    people = (resident("R1", credentials={"X": MONDAY}), resident("R2"), faculty())
    assert broken(cells(("R1", 0, "A", "SKILL")), people=people) == []
    assert broken(cells(("R1", 1, "A", "SKILL")), people=people) == ["CREDENTIAL_REQUIREMENTS"]


def test_the_days_before_the_programme_count_towards_its_first_windows():
    history = tuple(Worked("R1", MONDAY - timedelta(days=n), "AM", "DAY") for n in range(1, 7))
    assert broken(cells(("R1", 0, "A", "DAY")), history=history) == ["CONSECUTIVE_DAYS_RULE"]
    assert broken(cells(("R1", 0, "A", "DAY"))) == []


def test_duty_hours_bind_residents_and_not_faculty():
    rules = broken(worked([day for day in range(28) if day % 7 != 6], "LONG", "F1"))
    assert rules == []
    assert broken(cells(("F1", 0, "A", "LONG"), ("F1", 0, "P", "CALL"), ("F1", 1, "A", "CALL"))) == []


def test_no_number_that_the_cpr_does_not_contain_is_called_cpr():
    rules = programme().rules
    assert rules.weekly_hours.authority == rules.free_days.authority == rules.call_every.authority == "CPR"
    assert "CPR" not in {rules.night_run.authority, rules.day_run.authority, rules.faculty_units.authority}


def test_a_night_before_leave_ends_on_its_first_day_and_breaks_no_average():
    night = cells(("R1", 19, "P", "NIGHT"), ("R1", 20, "A", "NIGHT"))
    rest = worked([day for day in range(18) if day % 7 != 6])
    away = Leave("R1", MONDAY + timedelta(days=20), MONDAY + timedelta(days=26))
    assert broken([*rest, *night], leaves=(away,)) == []


def test_a_month_of_leave_has_no_average_though_a_night_ends_in_it():
    away = Leave("R1", MONDAY + timedelta(days=20), MONDAY + timedelta(days=53))
    kernel = Kernel(programme(leaves=(away,)))
    grid = kernel.grid_of(cells(("R1", 19, "P", "NIGHT"), ("R1", 20, "A", "NIGHT")))
    days = [kernel.date_of(one.first) for rule in kernel.rules for one in rule.check(grid) if one.person is not None]
    assert max(days, default=MONDAY) < away.start


def test_a_roster_is_judged_without_a_solver():
    code = (
        "import sys, packhorse_scheduling.convert.warnings, packhorse_scheduling.domain.rules.opened,"
        " packhorse_scheduling.convert.briefly, packhorse_scheduling.service;"
        " print('ortools' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (run.stdout.strip(), run.stderr) == ("False", "")
