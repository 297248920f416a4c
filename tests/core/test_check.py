"""`packhorse check` against deployments that are wrong in one way each: that is named, with its cure, and only that."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import pytest
from tests.core.live import STOP_SECONDS, Bench, Run
from tests.core.seeds import install
from tests.core.tokens.signing import Published, Publisher

TIDE = '''
from packhorse import *


def tide(port: str) -> str:
    """Tell the height of the tide at a port now."""
    return port


@hookimpl
def register_tools():
    return [Tool(fn=tide{more})]


pack = Pack(title="Tides", migrations=["CREATE TABLE t (id TEXT)"])
'''
SECRET = "correct horse battery staple, and 4711 more"


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "tides", TIDE.format(more=""))
    return made


def sound(bench: Bench, text: str = "", **server: Any) -> None:
    bench.configure(text, **{"packs": ["tides"], **server})
    (bench.folder / "packhorse.toml").chmod(0o600)


def wrong(run: Run, bench: Bench, **env: str) -> list[dict[str, str]]:
    ran = run(bench, "check", "--json", **env)
    assert "Traceback" not in ran.stderr
    found = json.loads(ran.stdout)
    faults = [one for one in found["findings"] if one["cure"]]
    assert (ran.returncode, found["ok"]) == ((1, False) if faults else (0, True))
    return faults


@dataclass(frozen=True)
class Seed:
    """One misconfiguration: how it comes about, and the words by which it and its cure are told."""

    named: str
    found: str
    cure: str
    text: str = ""
    server: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    before: Callable[[Bench], None] = lambda bench: None
    needs: str = ""


def twin(bench: Bench) -> None:
    install(bench.packs, "currents", TIDE.format(more=""))


def lame(bench: Bench) -> None:
    install(bench.packs, "lame", "raise RuntimeError('no chart')")


def stale(bench: Bench) -> None:
    install(bench.packs, "stale", TIDE.format(more=", name='old'"), requires="packhorse>=9")


def unskilled(bench: Bench) -> None:
    module = install(bench.packs, "taught", "")
    (bench.packs / f"{module}.py").unlink()
    package = bench.packs / module
    (package / "skills" / "tell-the-tide").mkdir(parents=True)
    (package / "__init__.py").write_text(TIDE.format(more=", name='told'"))
    (package / "skills" / "tell-the-tide" / "SKILL.md").write_text("# no fields\n")


def newer(bench: Bench) -> None:
    path = bench.folder / "data" / "tides" / "store.sqlite3"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=7")


def spoilt(bench: Bench) -> None:
    path = bench.folder / "data" / "tides" / "store.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is no database, and much longer than the header of one would be" * 9)


def blocked(bench: Bench) -> None:
    (bench.folder / "data").write_text("a file where a folder should be")


def opened(bench: Bench) -> None:
    (bench.folder / "packhorse.toml").chmod(0o644)


def app(bench: Bench, text: str) -> None:
    file = bench.folder / ".config" / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)


def entry(command: str, *serve: str) -> Callable[[Bench], None]:
    server = {"command": command, "args": ["-P", "-m", "packhorse", "serve", *serve]}
    other = {"command": "/no/such/thing", "args": []}  # somebody else's, and none of our business
    return lambda bench: app(bench, json.dumps({"mcpServers": {"gone": server, "other": other}}))


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the place of Claude Desktop's file is another here")
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have no modes here")

SEEDS = {
    "no TOML": Seed("configuration", "not valid TOML", "at line", text="[auth"),
    "a misspelt key": Seed("configuration", "unknown key 'prot'", "Did you mean 'port'", server={"prot": 1}),
    "a value of a wrong kind": Seed("configuration", "port", "Correct it", server={"port": "high"}),
    "a misspelt variable": Seed(
        "configuration", "PACKHORSE_SERVER_PROT", "Did you mean", env={"PACKHORSE_SERVER_PROT": "1"}
    ),
    "no such file": Seed(
        "configuration", "there is no configuration file", "--config", env={"PACKHORSE_CONFIG": "/no/such.toml"}
    ),
    "a short secret": Seed("configuration", "32 bytes", "openssl rand", text='[auth]\nsecret = "short"'),
    "a secret that our pages printed": Seed(
        "configuration", "published document", "openssl rand",
        text='[auth]\nsecret = "6f0c1d9be2a74c53889b0e4d7a1f2c36"\n[auth.roles]\nPILOT = ["tide"]',
    ),
    "a secret that is guessed": Seed(
        "secret", "secret", "Change the secret", text=f'[auth]\nsecret = "{"a" * 40}"\n[auth.roles]\nPILOT = ["tide"]'
    ),
    "nobody can sign in": Seed("deployment", "nobody can sign in", "set `secret`", text='[auth]\nissuer = "me"'),
    "a tool for nobody": Seed("deployment", "'tide'", "[auth.roles]", text=f'[auth]\nsecret = "{SECRET}"'),
    "a role for no tool": Seed(
        "deployment", "'tied'", "tide", text=f'[auth]\nsecret = "{SECRET}"\nroles = {{P = ["tied"]}}'
    ),
    "roles the wrong way round": Seed(
        "deployment", "'PILOT'", "A role stands before",
        text=f'[auth]\nsecret = "{SECRET}"\nroles = {{tide = ["PILOT"]}}',
    ),
    "a pack to serve that is absent": Seed(
        "deployment", "no pack 'sextant'", "install the distribution", server={"packs": ["tides", "sextant"]}
    ),
    "a table of a pack that is absent": Seed(
        "deployment", "[packs.sextant]", "Installed packs:", text='[packs.sextant]\nprefix = "m_"'
    ),
    "an exclusion of nothing": Seed(
        "deployment", "'tied'", "tide", text='[packs.tides]\nexclude = ["tied"]'
    ),
    "a setting that the pack has not": Seed(
        "deployment", "'colour'", "no settings of its own", text='[packs.tides]\ncolour = "red"'
    ),
    "a limit in other words": Seed(
        "pack tides", "'often'", "30 per minute", text='[packs.tides]\nlimits = {tide = "often"}'
    ),
    "two packs that clash": Seed(
        "deployment", "both offer a tool 'tide'", "prefix", server={"packs": ["tides", "currents"]}, before=twin
    ),
    "a broken pack": Seed("pack lame", "no chart", "packhorse-lame", server={"packs": ["tides", "lame"]}, before=lame),
    "a pack for another core": Seed(
        "pack stale", "needs packhorse >=9", "packhorse-stale", server={"packs": ["tides", "stale"]}, before=stale
    ),
    "a skill without fields": Seed(
        "pack taught", "SKILL.md", "packhorse-taught", server={"packs": ["tides", "taught"]}, before=unskilled
    ),
    "open to the network": Seed(
        "transport", "serve anybody", "listen on 127.0.0.1", server={"transport": "http", "host": "0.0.0.0", "port": 0}
    ),
    "a proxy that is none": Seed(
        "transport", "trusted proxy", "10.0.0.0/8",
        server={"transport": "http", "port": 0, "trusted_proxies": ["banana"]},
    ),
    "replicas without a key": Seed("deployment", "state_key", "openssl rand", server={"replicas": 2}),
    "a lock that is not there": Seed(
        "deployment", "there is no lock file", "packhorse lock", server={"lock": "/no/such.lock"}
    ),
    "no place for data": Seed("data", "cannot be written", "data_dir", before=blocked),
    "a store of a newer version": Seed("store of tides", "newer version", "packhorse-tides", before=newer),
    "a store that is no database": Seed("store of tides", "not a database", "a copy that is whole", before=spoilt),
    "a token that nobody checks": Seed("token", "nothing checks", "Unset", env={"PACKHORSE_TOKEN": "abc"}),
    "a token that does not hold": Seed(
        "token", "is not valid", "packhorse token", env={"PACKHORSE_TOKEN": "a.b.c"},
        text=f'[auth]\nsecret = "{SECRET}"\nroles = {{P = ["tide"]}}',
    ),
    "a database that does not answer": Seed(
        "database", "cannot be reached", "Start it", needs="psycopg",
        server={"database": "postgresql://nobody:hidden-word@127.0.0.1:1/none"},
    ),
    "a secret that others may read": Seed(
        "file mode", "auth.secret", "chmod 600", before=opened,
        text=f'[auth]\nsecret = "{SECRET}"\nroles = {{P = ["tide"]}}',
    ),
    "no JSON in the app's file": Seed(
        "desktop", "cannot be read as JSON", "Correct that file", before=lambda bench: app(bench, "{")
    ),
    "an entry without its Python": Seed(
        "desktop", "/no/such/python", "desktop remove gone", before=entry("/no/such/python", "tides")
    ),
    "an entry for a pack that is gone": Seed(
        "desktop", "which is not installed", "desktop remove gone", before=entry(sys.executable, "gone")
    ),
    "an entry without its configuration": Seed(
        "desktop", "/no/such.toml", "desktop remove gone",
        before=entry(sys.executable, "tides", "--config", "/no/such.toml"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[LINUX] if seed.named == "desktop" else [POSIX] if seed.named == "file mode" else [])
        for name, seed in SEEDS.items()
    ],
)
def test_a_misconfiguration_is_named_with_its_cure(run, bench, name):
    seed = SEEDS[name]
    if seed.needs and find_spec(seed.needs) is None:
        pytest.skip(f"{seed.needs} is not installed")
    sound(bench, seed.text, **seed.server)
    seed.before(bench)
    (fault,) = wrong(run, bench, **seed.env)

    assert fault["subject"] == seed.named
    assert seed.found in fault["found"]
    assert seed.cure in f"{fault['found']} {fault['cure']}"
    assert "hidden-word" not in json.dumps(fault)
    assert SECRET not in json.dumps(fault)


@POSIX
def test_data_that_an_older_version_left_open_is_no_fault_and_the_next_start_closes_it(run, bench):
    sound(bench)
    assert run(bench, "call", "tide", '{"port": "Brest"}').returncode == 0
    record = bench.folder / "data" / "audit.sqlite3"
    record.chmod(0o644)

    assert wrong(run, bench) == []
    assert f"the next start closes {record}" in run(bench, "check").stdout
    assert run(bench, "call", "tide", '{"port": "Brest"}').returncode == 0
    assert record.stat().st_mode & 0o077 == 0


@POSIX
def test_a_data_folder_that_others_use_and_may_change_is_wrong(run, bench):
    sound(bench)
    (bench.folder / "data").mkdir()
    (bench.folder / "data" / "photo.jpg").write_bytes(b"somebody else's")
    (bench.folder / "data").chmod(0o777)
    (fault,) = wrong(run, bench)

    assert fault["subject"] == "data"
    assert "others than packhorse keep something" in fault["found"]
    assert "chmod go-w" in fault["cure"]


@pytest.mark.parametrize("file", ["jobs.sqlite3", "queue.sqlite3"])
def test_a_damaged_file_of_the_jobs_is_named_with_its_path(run, bench, file):
    sound(bench)
    path = bench.folder / "data" / "packhorse-jobs" / file
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, and longer than a header" * 9)
    (fault,) = wrong(run, bench)

    assert fault["subject"] == "jobs"
    assert str(path) in fault["found"]
    assert "store restore" in fault["cure"]


def test_damage_in_the_middle_of_a_store_is_found(run, bench):
    sound(bench)
    path = bench.folder / "data" / "tides" / "store.sqlite3"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (id TEXT PRIMARY KEY)")
        connection.executemany("INSERT INTO t VALUES (?)", [(f"{number:0200}",) for number in range(200)])
        connection.execute("PRAGMA user_version=1")
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 4096)
    (fault,) = wrong(run, bench)

    assert (fault["subject"], fault["found"].startswith(f"{path} is damaged")) == ("store of tides", True)


@pytest.mark.parametrize(
    ("url", "said", "found", "cure"),
    [
        pytest.param("https://10.0.0.5/jwks", b"", "not public", "private_network", id="a private address"),
        pytest.param("http://127.0.0.1:1/jwks", b"", "connection failed", "reaches jwks_url", id="nobody answers"),
        pytest.param("{here}", b"<html>", "not a key set", "key set", id="something else answers"),
        pytest.param("{here}", b'{"keys": []}', "no key for RS256", "algorithm", id="no key of that kind"),
    ],
)
def test_keys_that_cannot_be_had_are_named_before_the_first_token(run, bench, url, said, found, cure):
    with Publisher() as server:
        server.pages["/jwks"] = Published(said)
        given = url.format(here=server.url("/jwks"))
        sound(
            bench,
            '[auth]\naudience = "me"\nroles = {P = ["tide"]}\n[[auth.issuers]]\nissuer = "https://login.example"\n'
            f'jwks_url = "{given}"',
        )
        (fault,) = wrong(run, bench)

    assert fault["subject"] == "keys"
    assert found in fault["found"]
    assert "https://login.example" in fault["found"]
    assert cure in fault["cure"]


@pytest.mark.parametrize(
    ("text", "server"),
    [
        pytest.param("", {}, id="as small as can be"),
        pytest.param("", {"transport": "http", "port": 0, "metrics": False}, id="over HTTP"),
        pytest.param(
            f'[auth]\nsecret = "{SECRET}"\n[auth.roles]\nPILOT = ["tide"]\n[audit]\nkey = "{SECRET[::-1]}"\n'
            '[packs.tides]\nprefix = ""\nlimits = {tide = "30/hour"}',
            {"transport": "http", "port": 0, "name": "harbour", "host": "0.0.0.0", "state_key": SECRET},
            id="with everything that has to do with callers",
        ),
    ],
)
def test_on_a_sound_deployment_nothing_is_found(run, bench, text, server):
    sound(bench, text, **server)
    ours = {"command": sys.executable, "args": ["-m", "packhorse", "serve", "tides"]}
    app(bench, json.dumps({"mcpServers": {"tides": ours}}))
    assert run(bench, "call", "tide", '{"port": "Brest"}').returncode == 0

    assert wrong(run, bench) == []


@pytest.mark.parametrize(("said", "faults"), [(b"another", ["port"]), (b"ok\n", [])])
def test_a_port_is_free_or_a_server_of_packhorse_has_it(run, bench, said, faults):
    with Publisher() as server:
        server.pages["/healthz"] = Published(said)
        sound(bench, transport="http", port=server.port)
        found = wrong(run, bench)

    assert [one["subject"] for one in found] == faults


def test_a_free_port_is_no_fault(run, bench):
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    sound(bench, transport="http", port=port)

    assert wrong(run, bench) == []


def test_several_faults_are_found_in_one_go(run, bench):
    newer(bench)
    lame(bench)
    sound(bench, packs=["tides", "lame"])
    found = wrong(run, bench, PACKHORSE_TOKEN="abc")

    assert [one["subject"] for one in found] == ["pack lame", "token", "store of tides"]


def test_looking_changes_nothing(run, bench):
    sound(bench)
    newer(bench)
    before = {path: path.read_bytes() for path in bench.folder.rglob("*") if path.is_file()}
    wrong(run, bench)

    after = {path: path.read_bytes() for path in bench.folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert after == {path: raw for path, raw in before.items() if path.suffix != ".pyc"}


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
@pytest.mark.parametrize(
    ("env", "terminal", "coloured"),
    [
        pytest.param({}, True, True, id="a terminal"),
        pytest.param({"NO_COLOR": "1"}, True, False, id="a terminal of somebody who wants none"),
        pytest.param({}, False, False, id="a pipe"),
    ],
)
def test_colour_is_for_a_terminal_alone(bench, env, terminal, coloured):
    sound(bench)
    environment = {key: value for key, value in bench.environment().items() if key != "NO_COLOR"} | env
    if terminal:
        ours, theirs = os.openpty()
        process = subprocess.Popen(bench.command("check"), env=environment, stdout=theirs, cwd=bench.folder)
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the end of a terminal is an error on Linux
            while read := os.read(ours, 4096):
                said += read
        os.close(ours)
        assert process.wait(STOP_SECONDS) == 0
    else:
        said = bench.run("check", env=env).stdout.encode()

    assert b"Nothing is wrong." in said
    assert (b"\x1b[" in said) is coloured
