"""Programmes come back as they went in; one schedule is published, whatever happens."""

from datetime import UTC, date, datetime

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse import Host, UserError
from packhorse.testing import fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.programme.calendar import Year, academic_year
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.roster.plan import Stay
from packhorse_scheduling.domain.roster.roster import Schedule
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.store import document_of, programme_of
from roster_factories import MONDAY, cells, programme, resident

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def host(tmp_path):
    clock = fixed_clock("2026-06-01T00:00:00Z")
    return Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations, clock=clock)


@pytest.fixture
def desk(host):
    return RosterDesk(host)


def kept(desk, rows, **changed):
    """A draft of these cells in the store; its id."""
    made = desk.import_programme(programme())
    with desk.rosters() as rosters:
        values = {
            "id": desk.host.new_id(), "version": rosters.next_version(), "programme": made, "status": "draft",
            "compliance": "COMPLIANT", "created_at": NOW, "created_by": None, "cells": tuple(rows),
        }  # fmt: skip
        schedule = Schedule(**{**values, **changed})
        rosters.save_schedule(schedule)
    return schedule.id


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), residents=st.integers(6, 40), tightness=st.sampled_from([0.0, 0.5, 1.0]))
def test_import_of_an_export_is_identity(seed, residents, tightness):
    made = sample(Shape(seed=seed, residents=residents, tightness=tightness))
    assert made.faults() == []
    assert programme_of(document_of(made)) == made


def test_a_version_keeps_its_rotation_plan_and_one_made_from_it_stands_on_the_same(desk):
    plan = (Stay("R1", MONDAY, date(2026, 8, 2), "WARD", "locked"), Stay("R1", date(2026, 8, 3), date(2026, 8, 4), "X"))
    first = kept(desk, cells(("R1", 0, "A", "DAY")), plan=plan)
    second = kept(desk, cells(("R1", 0, "P", "DAY")), parent=first)
    third = kept(desk, cells(("R1", 1, "P", "DAY")), parent=second)
    assert desk.opened(first).schedule.plan == plan
    assert desk.opened(third).schedule.plan == plan
    assert desk.opened(third).kernel.plan == plan
    assert desk.opened(kept(desk, cells(("R1", 2, "P", "DAY")))).schedule.plan == ()


def test_a_schedule_comes_back_as_it_went_in(desk):
    rows = cells(("R1", 0, "AP", "DAY"))
    opened = desk.opened(kept(desk, rows))
    assert list(opened.schedule.cells) == rows
    assert opened.kernel.cells_of(opened.grid) == rows


def test_publishing_supersedes_what_was_published(desk):
    first, second = kept(desk, cells(("R1", 0, "A", "DAY"))), kept(desk, cells(("R1", 1, "A", "DAY")))
    desk.publish(first, "somebody")
    assert desk.publish(second, "somebody").schedule.status == "published"
    assert desk.current().schedule.id == second
    assert desk.opened(first).schedule.status == "superseded"


def test_a_draft_that_breaks_a_rule_cannot_be_published_and_what_was_stays(desk):
    good = kept(desk, cells(("R1", 0, "A", "DAY")))
    desk.publish(good, None)
    bad = kept(desk, cells(("R1", 3, "P", "CALL")))
    with pytest.raises(UserError, match="adds 1 violation,") as refused:
        desk.publish(bad, None)
    assert refused.value.jsonrpc_code == -32004
    assert desk.current().schedule.id == good


def test_a_draft_marked_violations_cannot_be_published(desk):
    with pytest.raises(UserError, match="cannot be published"):
        desk.publish(kept(desk, (), compliance="VIOLATIONS"), None)


def test_a_failure_while_publishing_leaves_the_published_schedule(desk):
    first, second = kept(desk, cells(("R1", 0, "A", "DAY"))), kept(desk, ())
    desk.publish(first, None)

    def cut_short():
        with desk.rosters() as rosters, rosters.store.tx():
            rosters.publish(second)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        cut_short()
    assert desk.current().schedule.id == first


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        pytest.param({"people": (resident("R1"), resident("R1"))}, "used twice", id="two of one key"),
        pytest.param({"demands": (Demand("NOWHERE", "RESIDENT", 1, 1),)}, "unknown service", id="no such service"),
        pytest.param(
            {"leaves": (Leave("R1", MONDAY, MONDAY), Leave("R1", MONDAY, MONDAY))}, "overlaps", id="leave twice"
        ),
        pytest.param({"leaves": (Leave("R9", MONDAY, MONDAY),)}, "unknown person", id="leave of nobody"),
        pytest.param({"locks": (Lock("R1", date(2020, 1, 1), "AM", "DAY"),)}, "outside", id="a lock in the past"),
        pytest.param({"people": tuple(resident(f"R{n}") for n in range(10_000))}, "more than 500", id="10,000 people"),
    ],
)
def test_a_programme_that_contradicts_itself_is_refused_and_not_kept(desk, changed, says):
    with pytest.raises(UserError, match=says) as refused:
        desk.import_programme(evolve(programme(), **changed))
    assert refused.value.jsonrpc_code == -32003
    with desk.rosters() as rosters:
        assert rosters.newest_programme() is None


@pytest.mark.parametrize(
    ("year", "blocks"), [pytest.param("2026-2027", 730, id="365 days"), pytest.param("2027-2028", 732, id="leap")]
)
def test_a_year_has_two_blocks_a_day(year, blocks):
    made = academic_year(year)
    assert len(made.blocks) == blocks
    assert made.name == year
    assert len(made.periods()) == 13
    assert made.periods()[-1][1] == blocks // 2


def test_ids_of_blocks_are_the_same_in_every_run():
    assert Year(MONDAY, MONDAY).blocks[0].id == "2b2a110c-9ca3-5dc9-b1fe-4abc6a322af2"
    assert Year(MONDAY, MONDAY).blocks[0].id == academic_year("2026-2027").blocks[10].id


@pytest.mark.parametrize("text", ["2026", "2026-2028", "abcd-efgh"])
def test_what_is_no_academic_year_is_refused(text):
    with pytest.raises(ValueError, match="no academic year"):
        academic_year(text)


def test_twenty_years_are_no_programme():
    with pytest.raises(ValueError, match="more than 731"):
        Year(date(2026, 7, 1), date(2046, 6, 30))


def test_the_terminal_makes_and_imports_the_same_programme_from_the_same_seed(host, tmp_path):
    by_name = {command.name: command for command in commands(host)}
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        made = CliRunner().invoke(by_name["sample"], ["--seed", "4", "--out", str(file)])
        assert made.exit_code == 0, made.output
    assert files[0].read_text() == files[1].read_text()
    imported = CliRunner().invoke(by_name["import"], [str(files[0])])
    assert imported.exit_code == 0, imported.output
    assert "20 people, 365 days" in imported.output
    assert RosterDesk(host).programme()[1] == sample(Shape(seed=4))


def test_the_terminal_refuses_what_is_no_programme(host, tmp_path):
    by_name = {command.name: command for command in commands(host)}
    (tmp_path / "bad.json").write_text('{"name": 1}')
    refused = CliRunner().invoke(by_name["import"], [str(tmp_path / "bad.json")])
    assert refused.exit_code == 1
    assert "Traceback" not in refused.output


def test_the_terminal_refuses_a_shape_out_of_range(host):
    by_name = {command.name: command for command in commands(host)}
    refused = CliRunner().invoke(by_name["sample"], ["--residents", "3"])
    assert refused.exit_code == 1
    assert "from 6 to 200" in refused.output
