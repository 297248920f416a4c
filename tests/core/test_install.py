"""``packhorse install CLIENT`` and ``uninstall CLIENT``: other people's files, as their makers' documents show them."""

import json
import stat
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from tests.core.live import Bench

from packhorse.errors import UserError
from packhorse.publish import tomltext
from packhorse.publish.clients import CLIENTS, Client
from packhorse.publish.edits import apply
from packhorse.publish.install_commands import install, uninstall
from packhorse.publish.wanted import Entry, entries, remote

GOLDEN = Path(__file__).parent / "golden" / "clients"
NOW = datetime(2026, 11, 24, tzinfo=UTC)
EACH = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
WEATHER = entries(
    ["weather"],
    installed=(),
    interpreter="/opt/venv/bin/python",
    files={"weather": "/home/ada/weather.py"},
    reload=True,
    env={"TZ": "UTC"},
)


def golden(client: Client, when: str) -> str:
    return (GOLDEN / f"{client.name}.{when}{Path(client.project).suffix}").read_text()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A home folder and a project in it, with a pack of one file."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "weather.py").write_text('def now() -> str:\n    """Say how it is."""\n    return "fine"\n')
    for name in ("CODEX_HOME", "XDG_CONFIG_HOME", "PACKHORSE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.chdir(folder)
    return folder


def run(command, *args: str) -> Result:
    return CliRunner().invoke(command, args)


@EACH
def test_an_entry_looks_as_the_client_s_documents_show_it_and_the_rest_stays(client, tmp_path):
    file = tmp_path / client.project
    file.parent.mkdir(exist_ok=True)
    file.write_text(golden(client, "before"))

    apply([client.plan_install(file, WEATHER)], NOW)

    assert file.read_text() == golden(client, "after")
    assert not client.plan_install(file, WEATHER).changed


@EACH
def test_uninstalling_gives_back_the_file_that_was(client, tmp_path):
    file = tmp_path / client.project
    file.parent.mkdir(exist_ok=True)
    file.write_text(golden(client, "after"))

    apply([client.plan_remove(file)], NOW)

    assert file.read_text() == golden(client, "before")


WIKI = "https://wiki.example.org/mcp"
TOKENS = {name: None if name == "vscode" else "WIKI_TOKEN" for name in CLIENTS}


@EACH
def test_a_server_that_runs_already_looks_as_the_client_s_documents_show_it_and_can_be_taken_out(client, tmp_path):
    file = tmp_path / client.project
    file.parent.mkdir(exist_ok=True)
    file.write_text(golden(client, "before"))
    wiki = [remote(WIKI, name="wiki", token_variable=TOKENS[client.name])]

    apply([client.plan_install(file, wiki)], NOW)
    assert file.read_text() == golden(client, "remote")
    assert not client.plan_install(file, wiki).changed
    with pytest.raises(UserError, match="another server"):
        client.plan_remove(file, ["wiki"])
    with pytest.raises(UserError, match="another server"):
        client.plan_install(file, [remote("https://else.example.org/mcp", name="wiki")])

    apply([client.plan_remove(file, url=WIKI)], NOW)
    assert file.read_text() == golden(client, "before")


@EACH
def test_an_entry_that_started_a_program_becomes_one_of_a_server_that_runs_already(client, tmp_path):
    file = tmp_path / client.project
    file.parent.mkdir(exist_ok=True)
    file.write_text(golden(client, "after"))

    apply([client.plan_install(file, [remote(WIKI, name="weather")])], NOW)

    load = tomllib.loads if file.suffix == ".toml" else json.loads
    typed = {"type": "http"} if client.typed else {}
    assert load(file.read_text())[client.servers]["weather"] == {**typed, client.address: WIKI}


def test_a_token_is_named_by_its_variable_and_never_stored():
    for url in ("wiki.example.org", "ftp://wiki.example.org/mcp", "https://ada:secret@wiki.example.org/mcp"):
        with pytest.raises(UserError, match="URL of a server") as refused:
            remote(url)
        assert "secret" not in str(refused.value)
    with pytest.raises(UserError, match="not the token itself") as refused:
        remote(WIKI, token_variable="eyJ-secret")
    assert "eyJ" not in str(refused.value)
    with pytest.raises(UserError, match="VS Code reads no token"):
        CLIENTS["vscode"].member(remote(WIKI, token_variable="T"))


@EACH
def test_one_command_puts_a_running_server_into_a_client_and_another_takes_it_out(client, here):
    done = run(install, client.name, "--url", WIKI, "--one-entry", "wiki", "--scope", "project")

    assert done.exit_code == 0, done.output
    assert WIKI in (here / client.project).read_text()
    assert run(uninstall, client.name, "--url", WIKI, "--scope", "project").exit_code == 0
    assert not (here / client.project).exists()
    assert run(install, client.name, "weather.py", "--url", WIKI).exit_code == 2
    assert run(install, client.name, "weather.py", "--token-env", "T").exit_code == 2


@EACH
def test_who_uninstalls_a_server_that_is_not_there_hears_its_url(client, here):
    run(install, client.name, "weather.py", "--scope", "project")
    said = run(uninstall, client.name, "--url", "http://nowhere/mcp", "--scope", "project").output

    assert "No entry here has the URL http://nowhere/mcp." in said
    assert "starts packhorse" not in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["broken.py"], "line 1: f has no docstring"),
        (["weather.py", "--separate", "--one-entry", "n"], "--separate or --one-entry"),
        (["--url", "foo"], "'foo' is not the URL of a server"),
    ],
)
def test_what_no_client_could_use_is_not_installed(here, arguments, says):
    (here / "broken.py").write_text("def f() -> str:\n    return ''\n")
    ran = run(install, "cursor", *arguments)

    assert ran.exit_code != 0
    assert says in f"{ran.output} {ran.exception}"
    assert not (here.parent / ".cursor").exists()


def test_an_update_keeps_the_keys_that_somebody_added_to_an_entry(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(golden(CLIENTS["codex"], "after").replace("[mcp_servers.weather.env]", "tool_timeout_sec = 5\n\\g"))
    file.write_text(file.read_text().replace("\\g", "[mcp_servers.weather.env]"))
    moved = Entry("weather", "/new/python", WEATHER[0].args, {"B": "2"})

    apply([CLIENTS["codex"].plan_install(file, [moved])], NOW)

    table = tomllib.loads(file.read_text())["mcp_servers"]["weather"]
    assert (table["command"], table["tool_timeout_sec"], table["env"]) == ("/new/python", 5, {"TZ": "UTC", "B": "2"})


@EACH
def test_a_file_of_one_s_own_is_put_into_a_client_by_one_command(client, here):
    told = run(install, client.name, "./weather.py", "--reload", "--json")

    assert told.exit_code == 0, told.output
    (file,) = json.loads(told.stdout)["files"]
    assert str(here / "weather.py") in Path(file["path"]).read_text()
    assert stat.S_IMODE(Path(file["path"]).stat().st_mode) == 0o600
    assert Path(file["path"]).is_relative_to(here) is (client.usual == "project")

    assert run(uninstall, client.name).exit_code == 0
    assert not Path(file["path"]).exists()


def arguments(client: Client, here: Path, entry: str) -> list[str]:
    """What an entry of the project's file starts after ``serve``, without the folder."""
    load = tomllib.loads if client.project.endswith(".toml") else json.loads
    args = load((here / client.project).read_text())[client.servers][entry]["args"]
    return [word.removeprefix(f"{here}/") for word in args[args.index("serve") + 1 :]]


@EACH
@pytest.mark.parametrize(
    ("installed", "uninstalled", "left"),
    [
        (["weather.py"], ["./weather.py"], None),
        (["weather.py", "tides.py"], ["weather.py", "tides.py"], None),
        (["weather.py", "tides.py"], ["tides.py", "weather.py"], None),
        (["weather.py", "tides.py"], ["packhorse"], None),
        (["weather.py", "tides.py"], ["weather"], "packhorse"),
        (["weather.py", "tides.py"], ["weather.py"], "packhorse"),
    ],
    ids=["a file", "two that share an entry", "in another order", "the entry", "another name", "one of two"],
)
def test_uninstalling_takes_what_installing_took(client, here, installed, uninstalled, left):
    (here / "tides.py").write_text((here / "weather.py").read_text().replace("now", "tide"))
    run(install, client.name, *installed, "--scope", "project")
    said = run(uninstall, client.name, *uninstalled, "--scope", "project").output

    if left is None:
        assert not (here / client.project).exists(), said
    else:
        assert arguments(client, here, left) == ["weather.py", "tides.py"]
        assert f"Not in the file: {uninstalled[0]}" in said


@EACH
def test_who_uninstalls_one_of_several_packs_hears_which_entry_serves_it(client, tmp_path):
    file = tmp_path / Path(client.project).name
    apply([client.plan_install(file, entries(["ebb", "flow"], installed=("ebb", "flow"), interpreter="/p"))], NOW)

    edit = client.plan_remove(file, ["ebb"])
    assert (edit.changed, edit.changes) == (False, {"ebb": "absent"})
    assert edit.notes == ("ebb is served by the entry packhorse, with others: name packhorse to remove it",)
    assert client.plan_remove(file, ["flow", "ebb"]).changes == {"packhorse": "removed"}
    assert client.plan_remove(file).changes == {"packhorse": "removed"}


@EACH
@pytest.mark.parametrize(
    ("first", "again", "then"),
    [
        (["--reload"], [], ["--reload"]),
        (["--reload"], ["--no-reload"], []),
        ([], ["--reload"], ["--reload"]),
        (["--reload"], ["--config", "p.toml"], ["--reload", "--config", "p.toml"]),
    ],
    ids=["stays", "is taken out", "is put in", "stays where the rest changes"],
)
def test_installing_again_keeps_the_reload_that_it_says_nothing_of(client, here, first, again, then):
    (here / "p.toml").touch()
    for options in (first, again):
        run(install, client.name, "weather.py", "--scope", "project", *options)

    assert arguments(client, here, "weather") == ["weather.py", *then]


@EACH
def test_an_entry_that_is_replaced_is_shown(client, tmp_path):
    file = tmp_path / Path(client.project).name
    apply([client.plan_install(file, WEATHER)], NOW)
    (pack,) = entries(["weather"], installed=("weather",), interpreter="/opt/venv/bin/python")
    edit = client.plan_install(file, [pack])

    assert edit.changes == {"weather": "updated"}
    assert edit.notes == (
        "weather started this before: /opt/venv/bin/python -P -m packhorse serve /home/ada/weather.py --reload",
    )
    apply([edit], NOW)
    assert "--reload" not in file.read_text()


@EACH
def test_a_file_of_ours_alone_leaves_nothing_behind(client, here):
    for options in ([], ["--reload"], ["--no-reload"]):
        run(install, client.name, "weather.py", "--scope", "project", *options)
    gone = run(uninstall, client.name, "--scope", "project").output

    assert "Nothing else was in the file: it is deleted." in gone
    assert [path.name for path in (here / client.project).parent.glob("*mcp*")] == []
    assert list(here.rglob("*.bak")) == []


@EACH
def test_a_file_of_others_is_copied_once_for_each_content(client, tmp_path):
    file = tmp_path / client.project
    file.parent.mkdir(exist_ok=True)
    file.write_text(golden(client, "before"))
    for _ in range(3):
        apply([client.plan_install(file, WEATHER)], NOW)
        apply([client.plan_remove(file)], NOW)

    assert file.read_text() == golden(client, "before")
    assert sorted(copy.read_text() for copy in file.parent.glob("*.bak")) == sorted(
        [golden(client, "before"), golden(client, "after")]
    )


def test_several_packs_share_one_server_unless_each_is_to_have_its_own(here):
    (here / "tides.py").write_text((here / "weather.py").read_text())
    run(install, "cursor", "weather.py", "tides.py")
    run(install, "gemini", "weather.py", "tides.py", "--separate")

    assert list(json.loads((here.parent / ".cursor/mcp.json").read_text())["mcpServers"]) == ["packhorse"]
    assert list(json.loads((here.parent / ".gemini/settings.json").read_text())["mcpServers"]) == ["weather", "tides"]


def test_claude_code_itself_changes_the_list_of_all_projects(here, monkeypatch):
    missing = run(install, "claude-code", "weather.py", "--scope", "user")
    program = here / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nfor word; do echo "$word"; done >> {here}/words\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    done = run(install, "claude-code", "weather.py", "--env", "TZ=UTC", "--scope", "user")
    listed = {"mcpServers": {"weather": {"command": "packhorse", "args": ["serve", str(here / "weather.py")]}}}
    (here.parent / ".claude.json").write_text(json.dumps(listed))
    gone = run(uninstall, "claude-code", "./weather.py", "--scope", "user")

    assert isinstance(missing.exception, UserError)
    assert (done.exit_code, gone.exit_code) == (0, 0)
    python = str(Path(sys.executable).absolute())
    assert (here / "words").read_text().split() == [
        *("mcp", "add", "--scope", "user", "--env", "TZ=UTC", "weather", "--", python, "-P", "-m", "packhorse"),
        *("serve", str(here / "weather.py"), "mcp", "remove", "--scope", "user", "weather"),
    ]

    shown = run(install, "claude-code", "--url", WIKI, "--token-env", "T", "--scope", "user", "--dry-run").output
    assert shown == (
        f"claude mcp add --scope user --transport http packhorse {WIKI} --header 'Authorization: Bearer ${{T}}'\n"
    )


def test_what_is_installed_starts_the_server(here):
    run(install, "cursor", "weather.py")
    entry = json.loads((here.parent / ".cursor/mcp.json").read_text())["mcpServers"]["weather"]
    bench = Bench(here)

    assert bench.run(*["tools", entry["args"][-1]]).stdout.startswith("now ()")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("a = ", "Invalid value", id="no TOML"),
        pytest.param('mcp_servers = {x = {command = "y"}}\n', "Nothing was changed", id="an inline table"),
        pytest.param(
            'a = """\n[mcp_servers.weather]\n"""\n[mcp_servers]\nweather.command = "packhorse"\n',
            "Nothing was changed",
            id="odd",
        ),
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_refused(text, words, tmp_path):
    (tmp_path / "config.toml").write_text(text)

    with pytest.raises(UserError, match=words):
        CLIENTS["codex"].plan_install(tmp_path / "config.toml", WEATHER)
    assert (tmp_path / "config.toml").read_text() == text


KEYS = st.text(st.sampled_from('ab-_. "é'), min_size=1, max_size=4)
VALUES = st.text(max_size=5) | st.booleans() | st.integers(-9, 9) | st.lists(st.text(max_size=3), max_size=2)


@given(
    st.lists(st.tuples(KEYS, st.dictionaries(KEYS, VALUES, max_size=3)), max_size=3, unique_by=lambda one: one[0]),
    KEYS,
    st.dictionaries(KEYS, VALUES | st.dictionaries(KEYS, st.text(max_size=3), max_size=2), max_size=3),
)
def test_a_table_put_in_and_taken_out_leaves_the_text_as_it_was(others, name, table):
    text = ""
    for other, values in others:
        if other != name:
            text = tomltext.put(text, ("servers", other), values)

    put = tomltext.put(text, ("servers", name), table)

    assert tomllib.loads(put)["servers"][name] == table
    assert tomltext.drop(put, ("servers", name)) == text
