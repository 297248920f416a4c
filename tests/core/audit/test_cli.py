"""``packhorse audit`` as a person or a script at a terminal meets it."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from tests.core.audit.factories import KEY, OK, START, Ticking, edited, event, opened, recorded

from packhorse.audit import rows, verify
from packhorse.audit.commands import Located, audit, located
from packhorse.contract.principal import Principal
from packhorse.errors import PackError


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(KEY + b"\n")
    return path


def run(*args):
    return CliRunner().invoke(audit, [str(arg) for arg in args])


@pytest.fixture
def there(file, key_file):
    recorded(file)
    return ("--file", file, "--key-file", key_file)


def test_a_record_that_holds_is_said_with_its_extent(there, file):
    result = run("verify", *there)
    since, *_, until = (row["body"]["time"] for row in rows(file))
    assert result.output == f"Rows 1 to 10, {since} to {until}: all 10 unchanged.\nNothing is wrong.\n"
    assert result.exit_code == 0


def test_a_record_that_does_not_hold_is_said_and_ends_with_status_1(there, file):
    edited(file, "DELETE FROM entry WHERE seq = 4")
    result = run("verify", *there)
    assert "WRONG (row 4): row 4 is missing: row 5 comes next.\n" in result.output
    assert result.exit_code == 1


def test_verify_prints_its_report_as_json(there):
    report = json.loads(run("verify", "--json", *there).output)
    assert (report["ok"], report["rows"], report["first_bad"]) == (True, 10, None)


def test_a_record_without_a_key_is_said_to_prove_less(file):
    recorded(file, key=None)
    assert "This record has no key" in run("verify", "--file", file).output


def test_a_wrong_key_is_an_error_and_no_verdict(there, key_file):
    key_file.write_text("x" * 40)
    result = run("verify", *there)
    assert isinstance(result.exception, PackError)
    assert "another key" in str(result.exception)


def test_the_tail_has_a_line_for_each_row(there, file):
    lines = run("tail", "-n", 2, *there).output.splitlines()
    last = list(rows(file))[-2:]
    assert lines == [
        f"9  {last[0]['body']['time']}  begin  tool_4  human/carla",
        f"10  {last[1]['body']['time']}  end  ok  of {last[0]['body']['id']}  1.25 ms",
    ]
    assert json.loads(run("tail", "-n", 2, "--json", *there).output) == last


def test_the_tail_names_the_agents_that_acted_and_for_whom(file):
    acting = Principal("human", "carla").agent("COORD_ENGINE", run="r-1").agent("SWAP_MANAGER", run="r-2")
    with opened(file) as log:
        log.note(event("execute_swap", principal=acting), OK)
    assert "agent/carla  SWAP_MANAGER for COORD_ENGINE  " in run("tail", "--file", file).output


def test_the_tail_gives_a_terminal_nothing_to_obey(file):
    with opened(file) as log:
        log.note(event("\x1b[2Jgone\u202e"), OK)
    output = run("tail", "--file", file).output
    assert "\ufffd[2Jgone\ufffd" in output
    assert "\x1b" not in output


def test_an_empty_record_is_said(file):
    recorded(file, calls=0)
    assert run("tail", "--file", file).output == "The record has no rows yet.\n"


def test_export_writes_to_standard_output_or_a_new_file(there, tmp_path):
    printed = run("export", *there).output
    out = tmp_path / "out.jsonl"
    told = json.loads(run("export", "--output", out, "--json", *there).output)
    assert told == {"file": str(out), "format": "jsonl", "rows": 10}
    assert out.read_text() == printed
    again = run("export", "--output", out, *there)
    assert "name a new file" in str(again.exception)
    assert run("export", "--json", *there).exit_code == 2


def test_a_csv_export_begins_with_its_columns(there):
    assert run("export", "--format", "csv", *there).output.startswith("seq,time,type,id,begin,kind,pack,name,")


def test_prune_removes_what_is_older_than_a_day_that_is_named(there, file):
    recorded(file, calls=1, clock=Ticking(datetime.now(UTC) - timedelta(hours=1)))
    result = run("prune", "--keep-days", 3, *there)
    assert result.output.startswith("10 rows removed, 2026-03-01T12:0")
    assert verify(file, key=KEY).rows == 3
    assert run("prune", "--before", "2026-03-01", *there).output == "No row is that old; nothing was removed.\n"
    told = json.loads(run("prune", "--before", "2026-03-01T00:00:00Z", "--json", *there).output)
    assert told == {"rows": 0, "oldest": None, "newest": None}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param([], "Give --before or --keep-days", id="neither"),
        pytest.param(["--before", "2026-01-01", "--keep-days", "3"], "and not both", id="both"),
        pytest.param(["--before", "yesterday"], "2026-01-31", id="no date"),
        pytest.param(["--before", "2026-01-01T10:00"], "time zone", id="an instant without a zone"),
        pytest.param(["--keep-days", "0"], "1<=x", id="nothing kept"),
    ],
)
def test_prune_asks_for_one_clear_limit(there, options, says):
    result = run("prune", *options, *there)
    assert says in result.output
    assert result.exit_code == 2


def test_prune_refuses_a_file_that_is_not_there_rather_than_making_one(file):
    result = run("prune", "--keep-days", 3, "--file", file)
    assert "no audit record" in str(result.exception)
    assert not file.exists()


def test_the_record_is_in_the_data_folder_unless_configured(tmp_path):
    config = tmp_path / "packhorse.toml"
    config.write_text(f'[server]\ndata_dir = "{tmp_path / "data"}"\n')
    assert located(config) == Located(tmp_path / "data" / "audit.sqlite3", None, None)
    recorded(tmp_path / "data" / "audit.sqlite3", key=None)
    assert run("verify", "--config", config).exit_code == 0
    assert START.year == 2026
