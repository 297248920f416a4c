"""Files into the registry."""

import json
import sqlite3
from contextlib import closing
from datetime import date

import pytest
from tests.locator.factories import NOVEMBER

from packhorse import UserError
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader
from packhorse_locator.store import facilities, people, sources

TODAY = date(2026, 11, 1)


@pytest.fixture
def store(host):
    with host.store() as opened:
        yield opened


@pytest.fixture
def load(store):
    def run(path, *, source="county", as_of=TODAY, columns=None, **options):
        file = TableFile(path, columns or {}, options.pop("kind", None), options.pop("table", None))
        return Loader(store, NOVEMBER()).people(file, source, as_of, **options)

    return run


def test_rows_come_in_and_are_dated(load, store, people_file, row):
    loaded = load(people_file(row(), row(record_id="P2", alien_number="A900200301")))

    assert (loaded.accepted, loaded.rejected) == (2, 0)
    stamp = sources.stamps(store)[0]
    assert (stamp.name, stamp.as_of, stamp.loaded_at, stamp.accepted) == ("county", TODAY, NOVEMBER(), 2)


def test_the_same_record_again_is_updated_and_not_doubled(load, store, people_file, row):
    load(people_file(row()))
    load(people_file(row(status="released")))

    (one,) = people.everyone(store)
    assert (one.status, one.record_id, one.key) == ("RELEASED", "P1", "county/P1")


def test_two_sources_may_use_one_id(load, store, people_file, row):
    load(people_file(row()))
    load(people_file(row(first_name="Eva")), source="clinic")

    assert {one.key: one.first for one in people.everyone(store)} == {"county/P1": "Ana", "clinic/P1": "Eva"}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        pytest.param({"record_id": ""}, "record_id", id="no id"),
        pytest.param({"first_name": "FNU", "last_name": "LNU"}, "both empty", id="no name at all"),
        pytest.param({"last_name": "x" * 101}, "100 characters", id="endless name"),
        pytest.param({"birth_year": "19"}, "four digits", id="two-digit year"),
        pytest.param({"birth_year": "2009"}, "under 18", id="a child"),
        pytest.param({"birth_year": "2008"}, "under 18", id="perhaps still a child"),
        pytest.param({"booking_date": "yesterday"}, "booking_date", id="no date"),
        pytest.param({"alien_number": "1234567890"}, "7 to 9 digits", id="ten digits"),
        pytest.param({"alien_number": "A000000012"}, "below the first", id="a number never issued"),
        pytest.param({"facility_id": "../etc"}, "facility_id", id="no facility code"),
        pytest.param({"status": "<b>"}, "status", id="no status"),
    ],
)
def test_a_row_that_cannot_be_taken_is_told_by_line_and_reason(load, store, people_file, row, changed, reason):
    loaded = load(people_file(row(), row(record_id="P2", **changed) if "record_id" not in changed else row(**changed)))

    (rejected,) = loaded.reasons
    assert rejected.line == 3
    assert reason in rejected.reason
    assert [one.record_id for one in people.everyone(store)] == ["P1"]


def test_a_reason_never_repeats_the_row(load, people_file, row):
    secret = row(record_id="P2", alien_number="987654321012", booking_date="canary-date", status="<canary>")
    loaded = load(people_file(row(), secret))

    assert not any(word in loaded.reasons[0].reason for word in ("987654321012", "canary"))


def test_whoever_turns_out_to_be_under_18_is_dropped(load, store, people_file, row):
    load(people_file(row(), row(record_id="P2")))
    load(people_file(row(birth_year="2010"), row(record_id="P2")))

    assert [one.record_id for one in people.everyone(store)] == ["P2"]


def test_a_date_of_birth_is_read_for_its_year_alone(load, store, people_file, row):
    fields = row(date_of_birth="1985-03-04")
    del fields["birth_year"]
    load(people_file(fields))

    (one,) = people.everyone(store)
    assert one.birth_year == 1985
    assert "1985-03-04" not in str(store.query("SELECT * FROM people"))


def test_with_replace_those_who_left_the_file_leave_the_registry(load, store, people_file, row):
    load(people_file(row(), row(record_id="P2")))
    loaded = load(people_file(row()), replace=True)

    assert loaded.removed == 1
    assert [one.record_id for one in people.everyone(store)] == ["P1"]


def test_with_strict_one_bad_row_keeps_everything_out(load, store, people_file, row):
    with pytest.raises(UserError) as caught:
        load(people_file(row(), row(record_id="P2", birth_year="19")), strict=True)

    assert caught.value.code == "ROWS_REJECTED"
    assert (people.count(store), people.changes(store), sources.stamps(store)) == (0, 0, [])


def test_a_file_that_breaks_in_the_middle_leaves_nothing(load, store, tmp_path, people_file, row):
    path = people_file(*(row(record_id=f"P{number}") for number in range(5000)))
    with path.open("ab") as file:
        file.write(b"P9999,Ana,,\xff\xfe,Peru,1990,,,,\n")

    with pytest.raises(UserError) as caught:
        load(path)

    assert caught.value.code == "BAD_FILE"
    assert (people.count(store), people.changes(store)) == (0, 0)


def test_a_short_line_is_rejected_and_the_rest_stands(load, people_file, row):
    path = people_file(row())
    with path.open("a") as file:
        file.write("P2,Ana\n")
    loaded = load(path)

    assert (loaded.accepted, loaded.reasons[0].line, loaded.reasons[0].reason) == (
        1,
        3,
        "has 2 fields, but the header has 10",
    )


def test_columns_under_other_names_are_mapped(load, store, tmp_path):
    path = tmp_path / "lista.csv"
    path.write_text("folio;x\n".replace(";", ",") + "7,y\n")
    path.write_text("folio,nombres,apellidos,nacido\n7,Ana,Quispe,1990\n")
    load(
        path,
        columns={"record_id": "folio", "first_name": "nombres", "last_name": "apellidos", "birth_year": "nacido"},
    )

    (one,) = people.everyone(store)
    assert (one.record_id, one.first, one.last, one.birth_year) == ("7", "Ana", "Quispe", 1990)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        pytest.param({}, "--map record_id=COLUMN", id="a column is missing"),
        pytest.param({"record_id": "nope"}, "'nope'", id="a mapped column is missing"),
        pytest.param({"shoe_size": "folio"}, "has no field shoe_size", id="not one of ours"),
    ],
)
def test_a_wrong_mapping_is_refused_with_the_cure(load, tmp_path, columns, words):
    path = tmp_path / "lista.csv"
    path.write_text("folio,first_name,last_name\n7,Ana,Quispe\n")

    with pytest.raises(UserError) as caught:
        load(path, columns=columns)

    assert caught.value.code == "BAD_MAPPING"
    assert words in caught.value.message


def test_json_lines_are_read_and_bad_ones_rejected(load, tmp_path, row):
    path = tmp_path / "people.jsonl"
    lines = [json.dumps(row()), "{broken", "[]", json.dumps({"record_id": "P3"}), json.dumps(row(record_id="P4"))]
    path.write_text("\n".join(lines))
    loaded = load(path)

    assert loaded.accepted == 2
    assert [(one.line, one.reason) for one in loaded.reasons] == [
        (2, "is not JSON"),
        (3, "is not a JSON object"),
        (4, "has no first_name"),
    ]


def test_a_sqlite_table_is_read_by_its_name_alone(load, store, tmp_path, row):
    path = tmp_path / "county.db"
    fields = row()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f'CREATE TABLE "the people" ({", ".join(fields)})')
        connection.execute(f'INSERT INTO "the people" VALUES ({", ".join("?" * len(fields))})', list(fields.values()))
        connection.execute('CREATE VIEW "held now" AS SELECT * FROM "the people"')
        connection.commit()

    with pytest.raises(UserError) as caught:
        load(path, table='x"; DROP TABLE "the people')
    loaded = load(path, table="the people")
    assert load(path, table="held now").accepted == 1

    assert "the people" in caught.value.message
    assert loaded.accepted == 1


def test_a_move_is_kept_as_a_stay_and_counted(load, store, people_file, row):
    load(people_file(row()))
    loaded = load(people_file(row(facility_id="STWRTGA", transfer_reason="bed space")), as_of=date(2026, 10, 30))

    stays = [(stay.facility_id, stay.since.isoformat(), stay.reason) for stay in people.stays_of(store, "county/P1")]
    assert loaded.moved == 1
    assert stays == [("KRO", "2026-10-10", None), ("STWRTGA", "2026-10-30", "bed space")]


def test_the_first_import_takes_the_invented_sample_away(registry, people_file, row):
    with registry.opened() as store:
        assert people.count(store) == 32
        Loader(store, NOVEMBER()).people(TableFile(people_file(row()), {}), "county", TODAY)

        assert [one.source for one in people.everyone(store)] == ["county"]
        assert [stamp.name for stamp in sources.stamps(store) if stamp.kind == "people"] == ["county"]


def test_the_shared_lists_come_in_whole(host, shared):
    with host.store() as store:
        loader = Loader(store, NOVEMBER())
        loaded = loader.people(TableFile(shared / "names_bench" / "records.csv", {}), "bench", TODAY)
        listed = loader.facilities(TableFile(shared / "facilities.csv", {}), "roster", date(2026, 7, 25))

        assert (loaded.accepted, loaded.rejected) == (10_000, 0)
        # Two rows of the list say of a facility without a code what another row says already.
        assert (listed.accepted, listed.rejected) == (1_585, 2)
        assert facilities.count(store) == 1_585
