"""The commands of ``packhorse locator``."""

import json

import pytest

from packhorse import cli


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PACKHORSE_SERVER_DATA_DIR", str(tmp_path / "data"))

    def call(*arguments):
        status = cli.run(["locator", *map(str, arguments)])
        out = capsys.readouterr()
        return status, out.out, out.err

    return call


def test_people_and_facilities_come_in_and_are_counted(run, people_file, row, tmp_path):
    path = people_file(row(), row(record_id="P2", birth_year="x"))
    status, out, _ = run("import", path, "--source", "county", "--as-of", "2026-11-01", "--json")
    loaded = json.loads(out)
    listed = tmp_path / "facilities.csv"
    listed.write_text("facility_id,name,city,state\nKRO,Krome,Miami,FL\n")
    run("import-facilities", listed, "--as-of", "2026-07-25")
    stats = json.loads(run("stats", "--json")[1])

    assert status == 0
    assert (loaded["accepted"], loaded["rejected"], loaded["indexed"]) == (1, 1, 1)
    assert loaded["reasons"] == [{"line": 3, "reason": "birth_year must be four digits"}]
    assert (stats["people"], stats["facilities"], stats["index"]["records"]) == (1, 1, 1)
    assert stats["index"]["current"]


def test_for_a_person_it_is_said_in_sentences(run, people_file, row):
    path = people_file(row(), row(record_id="P2", birth_year="x"))
    _, out, _ = run("import", path, "--source", "county", "--as-of", "2026-11-01")
    _, stats, _ = run("stats")
    _, index, _ = run("index")

    assert "1 people loaded from county, data of 2026-11-01." in out
    assert "line 3: birth_year must be four digits" in out
    assert "people from county: data of 2026-11-01" in stats
    assert "1 records and" in index


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--source", "sample"], "--source", id="the sample's own name"),
        pytest.param(["--source", "a/b"], "--source", id="a slash"),
        pytest.param(["--source", "x", "--map", "nonsense"], "FIELD=COLUMN", id="half a mapping"),
        pytest.param(["--source", "x", "--strict"], "Nothing was loaded", id="strict"),
    ],
)
def test_a_wrong_call_is_refused_with_the_cure(run, people_file, row, arguments, words):
    path = people_file(row(), row(record_id="P2", birth_year="x"))
    status, _, err = run("import", path, *arguments)

    assert status == 1
    assert words in err


def test_the_bench_prints_its_figures(run, shared, tmp_path):
    records = (shared / "names_bench" / "records.csv").read_text().splitlines()[:151]
    ids = {line.partition(",")[0] for line in records}
    queries = (shared / "names_bench" / "queries.csv").read_text().splitlines()
    asked = [line for line in queries[1:] if not ids.isdisjoint(line.split(","))] + queries[-20:]
    (tmp_path / "records.csv").write_text("\n".join(records))
    (tmp_path / "queries.csv").write_text("\n".join([queries[0], *asked]))
    status, out, _ = run("bench", tmp_path, "--json")
    _, table, _ = run("bench", tmp_path)
    figures = json.loads(out)

    assert status == 0
    assert figures["records"] == 150
    assert figures["shipped"]["recall_5"] > 0.9
    assert "as shipped" in table


def test_a_folder_without_a_bench_is_refused(run, tmp_path):
    status, _, err = run("bench", tmp_path)

    assert status == 1
    assert "records.csv" in err
