"""What is told is English, names the programme's own numbers, and never rounds what is short up to whole."""

import json

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host
from packhorse.testing import fixed_clock
from packhorse_scheduling import errors, pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.insight import coverage_csv
from packhorse_scheduling.domain.insight.explain import explain
from packhorse_scheduling.domain.insight.wording import (
    counted,
    gathered_words,
    percent,
    requirement_words,
    role_words,
    violation_words,
)
from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
from packhorse_scheduling.domain.programme.requests import Demand
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.imports import import_roster
from roster_factories import cells, programme, resident


@pytest.mark.parametrize(
    ("count", "words", "told"),
    [
        pytest.param(0, ("half-day",), "0 half-days", id="none"),
        pytest.param(1, ("half-day",), "1 half-day", id="one"),
        pytest.param(2, ("half-day",), "2 half-days", id="two"),
        pytest.param(2, ("person", "people"), "2 people", id="of a plural of its own"),
    ],
)
def test_one_of_something_is_no_plural(count, words, told):
    assert counted(count, *words) == told


@pytest.mark.parametrize(
    ("share", "places", "told"),
    [(1, 0, "100%"), (1, 1, "100.0%"), (0.9996, 0, "99%"), (0.99996, 1, "99.9%"), (0.944, 1, "94.4%"), (0, 0, "0%")],
)
def test_only_the_whole_is_called_100_percent(share, places, told):
    assert percent(share, places) == told


def test_roles_are_told_as_nouns():
    assert (role_words("RESIDENT"), role_words("FACULTY", 2), role_words("RN", 0)) == (
        "resident", "faculty members", "RNs"
    )  # fmt: skip


def test_a_violation_names_the_number_of_the_programme_s_own_rule():
    rules = RuleSet(
        weekly_hours=Limit(60, "institution", "ours"), free_days=Limit(8, "institution", "ours"),
        transition_hours=Limit(2, "institution", "ours"),
    )  # fmt: skip
    kernel = Kernel(programme(rules=rules))
    rows = cells(*(("R1", day, "AP", "LONG") for day in range(28)))
    grid = kernel.grid_of(rows)
    told = {one.rule: violation_words(kernel, one) for rule in kernel.rules for one in rule.check(grid)}
    assert "(60 a week, averaged" in told["80_HOUR_RULE"]
    assert "(8 days free in 28," in told["1_IN_7_RULE"]


def test_a_stretch_is_told_by_its_days_and_a_rest_by_when_it_ended():
    kernel = Kernel(programme())
    rows = cells(("R1", 0, "AP", "LONG"), ("R1", 1, "P", "CALL"), ("R1", 2, "A", "CALL"), ("R1", 2, "P", "LONG"))
    grid = kernel.grid_of([*rows, *cells(("R1", 3, "P", "NIGHT"), ("R1", 4, "AP", "LONG"))])
    told = [violation_words(kernel, one) for rule in kernel.rules for one in rule.check(grid) if one.unit == "hours"]
    rests = [words for words in told if " off " in words]
    assert rests
    assert not any(" to " in words for words in rests)
    assert not any("until" in words for words in told)


def test_a_requirement_names_the_number_and_whose_it_is():
    from packhorse_scheduling.domain.solve.guards import Requirement

    rules = RuleSet(weekly_hours=Limit(88, "specialty", "6.20.a"), day_run=Limit(1, "institution", "ours"))
    kernel = Kernel(programme(rules=rules))
    assert requirement_words(kernel, Requirement("80_HOUR_RULE", person=0)) == (
        "88 hours a week for Resident R1 (specialty)"
    )
    assert requirement_words(kernel, Requirement("CONSECUTIVE_DAYS_RULE", person=0)) == (
        "at most 1 day in a row for Resident R1 (institution)"
    )


def test_what_differs_only_by_the_day_is_told_as_one_thing():
    kernel = Kernel(programme(28, (resident(),), (Demand("DAY", "RESIDENT", 2, 2),)))
    found = explain(kernel, 0, 27)
    words = gathered_words(kernel, found.ways[0])
    assert len(words) == 1
    assert words[0].startswith("the minimum of residents on Ward by day on 28 days, 2026-07-06 to 2026-08-02")


@pytest.mark.parametrize(
    ("kind", "given", "next_step"),
    [
        pytest.param("published schedule", "", "publish it with publish_schedule", id="nothing published"),
        pytest.param("programme", "", "Import one", id="nothing imported"),
        pytest.param("swap", "x", "request_swap", id="a swap"),
        pytest.param("person", "x", "find_person", id="a person"),
    ],
)
def test_what_is_not_there_is_told_with_the_step_that_helps(kind, given, next_step):
    words = errors.not_found(kind, given).message
    assert next_step in words
    assert " :" not in words


def test_a_report_s_csv_holds_no_formula():
    body = {"services": [{"rotation_id": "1", "rotation_name": '=HYPERLINK("http://x")', "role": "RESIDENT"}]}
    assert "\n\"'=HYPERLINK" in coverage_csv(body).replace("1,", "\n")


# --- at a terminal ---


@pytest.fixture
def terminal(tmp_path):
    def at(instant):
        host = Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations, clock=fixed_clock(instant))
        by_name = {command.name: command for command in commands(host)}

        def run(name, *arguments):
            done = CliRunner().invoke(by_name[name], list(arguments))
            assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
            return done

        return run, RosterDesk(host)

    return at


def test_a_verdict_is_a_sentence(terminal, served, small):
    run, desk = terminal("2026-06-15T12:00:00Z")
    assert "There is no published schedule. Make a draft with 'packhorse scheduling generate'" in run("validate").output
    desk.import_programme(small)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    last = run("validate").output.splitlines()[-1]
    assert last.startswith("The schedule is valid: no violations and ")
    assert json.loads(run("validate", "--json").output)["is_valid"] is True


def test_candidates_are_looked_for_only_where_there_is_something_to_give(terminal, served, small):
    run, desk = terminal("2026-07-10T12:00:00Z")
    desk.import_programme(small)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    filled = {(key, day, half) for key, day, half, _ in desk.current().schedule.cells}
    past = next(cell for cell in sorted(filled, key=lambda cell: cell[1]) if cell[0].startswith("R"))
    free = next(
        (key, block.day, block.session)
        for key in ("R01", "R02")
        for block in small.year.blocks[40:]
        if (key, block.day, int(block.session == "PM")) not in filled
    )
    for slot, says in (
        (("R01", "2030-01-01", "AM"), "outside the published roster"),
        ((past[0], past[1].isoformat(), ("AM", "PM")[past[2]]), "has passed"),
        ((free[0], free[1].isoformat(), free[2]), "no duty to swap"),
    ):
        told = run("swap", "candidates", *slot)
        assert told.exit_code == 1
        assert says in told.output


def test_another_s_year_is_no_block_of_this_one(terminal, served, small):
    run, desk = terminal("2026-06-15T12:00:00Z")
    made = evolve(small, name="One")
    desk.import_programme(made)
    desk.publish(import_roster(desk, served[1].current().schedule.cells, None).schedule.id, None)
    told = run("swap", "request", "R01", "R02", "2029-08-01", "AM")
    assert "outside the published roster" in told.output
    twice = run("swap", "request", "R01", "R01", "2029-08-01", "AM")
    assert "REQUESTER and TARGET must be two different people." in twice.output


def test_wishes_and_none_together_are_refused_and_no_wish_is_set(terminal, small):
    run, desk = terminal("2026-06-15T12:00:00Z")
    desk.import_programme(small)
    told = run("wishes", small.people[0].key, "2026-12-25", "--none")
    assert (told.exit_code, "cannot be used with WISHES" in told.output) == (2, True), told.output
