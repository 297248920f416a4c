"""Names without their accents, services by a word, somebody who leaves for good, and other next steps that fit."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import UserError
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.analytics import stream_from
from packhorse_scheduling.convert.people import page_from, people_from, people_words
from packhorse_scheduling.convert.references import people_named, service_from
from packhorse_scheduling.domain.change.notices import Notice
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.kinds import DEPARTURE
from packhorse_scheduling.domain.programme.requests import Leave, Lock, Preference
from packhorse_scheduling.store import document_of
from roster_factories import MONDAY, SERVICES, cells, programme, resident
from test_rotations import opened_with
from wire import NOW, busy, call, code_of, desk_in, done, leave

JULY_14 = date(2026, 7, 14)
AT = datetime(2026, 7, 14, tzinfo=UTC)


# --- names ---


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Oksendal", "Lars Øksendal"),
        ("orourke", "Siobhán O'Rourke"),
        ("Siobhan O\u2019Rourke", "Siobhán O'Rourke"),
        ("Wisniewski", "Tomasz Wiśniewski"),
        ("Pena", "Joaquín Peña"),
    ],
)
def test_names_are_found_without_accents_and_apostrophes(given, name):
    names = ("Lars Øksendal", "Siobhán O'Rourke", "Tomasz Wiśniewski", "Joaquín Peña")
    people = [evolve(resident(f"R{n}"), name=one) for n, one in enumerate(names)]
    assert [people[p].name for p in people_named(people, given)] == [name]


def test_a_whole_name_with_its_accents_is_no_other_without():
    people = [evolve(resident(key), name=name) for key, name in (("R1", "Jan Müller"), ("R2", "Jan Muller"))]
    assert people_named(people, "Jan Müller") == [0]
    assert people_named(people, "Jan Muller") == [1]


def test_a_service_is_found_by_a_word_of_its_name_and_several_are_named():
    assert SERVICES[service_from(SERVICES, "night")].code == "NIGHT"
    assert SERVICES[service_from(SERVICES, "clinic")].code == "SEEN"
    two = [evolve(SERVICES[0], code=code, name=f"Hospital {code}") for code in ("H1", "H2")]
    with pytest.raises(UserError, match=r"may mean Hospital H1 \(H1\), Hospital H2 \(H2\)"):
        service_from(two, "hospital")


def test_a_year_that_starts_in_june_is_the_academic_year_that_begins_then():
    assert Year(date(2027, 6, 21), date(2028, 6, 18)).name == "2027-2028"
    assert Year(date(2027, 5, 31), date(2028, 5, 28)).name == "2026-2027"


# --- gone for good ---


def leaving(**changed):
    gone = Leave("R2", MONDAY + timedelta(days=4), MONDAY + timedelta(days=13), DEPARTURE)
    return programme(14, leaves=(gone,), **changed)


def test_who_has_gone_for_good_is_listed_so_from_that_day_on():
    made = leaving()
    day = MONDAY + timedelta(days=4)
    assert people_words(people_from(made, [1], day, with_id=False)).endswith(", gone since 2026-07-10)")
    assert "gone" not in people_words(people_from(made, [1], day - timedelta(days=1), with_id=False))
    opened = opened_with(made, (), cells(("R1", 0, "A", "DAY")))
    assert page_from(opened, day)["people"]["gone"] == ["Resident R2 (R2)"]
    assert "gone" not in page_from(opened, MONDAY)["people"]


@pytest.mark.anyio
async def test_a_departure_lasts_to_the_programme_s_end(in_force):
    at, desk = in_force
    _, person = busy(desk, 1, JULY_14)[0]
    made = await done(at(), "record_leave", leave(person, JULY_14, days=1, kind="departure"))
    assert made["end_date"] == desk.current().programme.year.end.isoformat()


def test_a_file_without_somebody_names_every_row_that_still_names_them():
    rows = {
        "leaves": (Leave("R9", MONDAY, MONDAY),),
        "preferences": (Preference("R1", MONDAY), Preference("R9", MONDAY), Preference("R9", MONDAY, "AM")),
        "locks": (Lock("R9", MONDAY, "AM", None),),
    }
    (words,) = programme(14, **rows).faults()
    assert "'R9' is named in leaves, item 1; preferences, item 2, 3; locks, item 1:" in words
    assert "leave of kind departure" in words


# --- next steps ---


@pytest.mark.anyio
async def test_people_are_found_before_anything_is_published(tmp_path, small):
    desk_in(tmp_path).import_programme(small)
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    found = await done(deployment, "find_person", {"name": small.people[0].name})
    assert found["people"][0]["key"] == small.people[0].key


def test_a_dry_run_of_a_first_file_says_what_it_would_import(tmp_path):
    file = tmp_path / "first.json"
    file.write_text(json.dumps(document_of(programme(14))), "utf-8")
    host = desk_in(tmp_path / "data").host
    run = {command.name: command for command in commands(host)}["import"]
    shown = CliRunner().invoke(run, [str(file), "--dry-run"])
    assert shown.exit_code == 0, shown.output
    assert "Would import Small: 3 people, 14 days." in shown.output


@pytest.mark.anyio
async def test_a_free_half_day_is_explained_as_free(in_force):
    at, desk = in_force
    opened = desk.current()
    kernel = opened.kernel
    d = kernel.day_of(JULY_14)
    p, h = next((p, h) for p in range(kernel.P) for h in (0, 1) if opened.grid[p, d, h] < 0 and not kernel.away[p, d])
    asked = {"person_id": opened.programme.people[p].id, "block_id": f"2026-07-14 {('AM', 'PM')[h]}"}
    reply = await call(at(), "explain_assignment", asked)
    assert code_of(reply) == "NOT_FOUND"
    assert f"{opened.programme.people[p].name} is free on {asked['block_id']}" in reply.content[0].text


@pytest.mark.anyio
async def test_a_swap_that_waits_names_who_has_not_answered_and_a_late_take_back_of_days_gone_by_offers_no_swap(
    in_force,
):
    from test_changes import wanted

    at, desk = in_force
    swap, parties = wanted(desk)
    names = {one.key: one.name for one in desk.current().programme.people}
    made = await done(at(), "request_swap", swap)
    reply = await call(at(), "execute_swap", {"swap_id": made["swap_id"]})
    assert all(names[key] in reply.content[0].text for key in parties)
    for key in parties:
        await done(at(), "respond_swap", {"swap_id": made["swap_id"], "accept": True, "person_id": key})
    await done(at(), "execute_swap", {"swap_id": made["swap_id"]})
    late = await call(at(date(2026, 7, 28)), "execute_swap", {"swap_id": made["swap_id"], "take_back": True})
    assert "stays as it was worked" in late.content[0].text
    assert "reverse swap" not in late.content[0].text


def test_the_page_of_violations_keeps_to_its_size_and_counts_what_is_older():
    row = {"rule": "LEAVE_RULE", "message": "x" * 300}
    notices = [Notice(n, AT, "S", "published", (row,) * 40, 0) for n in range(50, 0, -1)]
    body = stream_from(notices, at=AT)
    assert len(json.dumps(body)) / 3.6 < 2_000
    assert body["notices"][0]["new_violation_count"] == 40
    assert body["older"] == 50 - len(body["notices"]) > 0
