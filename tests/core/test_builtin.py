"""Built-in packs: each can be left out, and what must not be served without one stops the start."""

import json
from importlib.util import find_spec

import httpx2
import pytest
from click.testing import CliRunner
from tests.core.seeds import pack_of

from packhorse import Observer, PackError, Principal, Tool, Verifier, hookimpl
from packhorse.cli import cli
from packhorse.cli.check import check
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.http.app import Service
from packhorse.settings import AuditSettings, AuthSettings, ServerSettings, Settings
from packhorse.testing import connected

pytestmark = pytest.mark.anyio

NAMES = [found.name for found in packs.builtin()]
HOST = "http://127.0.0.1:8000"
ADA = Principal("human", "ada")


def look() -> str:
    """Look."""
    return "seen"


def change() -> str:
    """Change something."""
    return "changed"


class Recording(Observer):
    essential = True


def served(folder, *, tools=None, auth=(), observers=(), settings=None, **server):
    module = pack_of(
        tools=tools or [Tool(fn=look, read_only=True, public=True), Tool(fn=change, public=True)], auth=auth
    )
    module.register_observers = hookimpl(lambda: observers)
    chosen = Settings(server=ServerSettings(data_dir=folder, transport="http", **server), **(settings or {}))
    return compose(chosen, [Found("seed", "seed", "packhorse-seed", "1")], modules={"seed": module})


@pytest.mark.parametrize("name", NAMES)
async def test_without_one_of_them_the_others_serve(tmp_path, name):
    deployment = served(tmp_path, without=(name,), observers=[Recording()] if name == "audit" else [])
    service = Service(deployment)
    async with connected(deployment) as client:
        reply = await client.call_tool("change", {})
        transport = httpx2.ASGITransport(service.app)
        async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
            shown = {
                pack: (await http.get(path)).status_code
                for pack, path in (("metrics", "/metrics"), ("console", "/console"))
            }

    assert reply.structured_content == {"result": "changed"}
    assert [pack.found.name for pack in deployment.catalogue.builtin] == [one for one in NAMES if one != name]
    assert deployment.settings.audit_path.exists() is (name != "audit")
    counts = find_spec("prometheus_client") is not None and name != "metrics"
    assert shown == {"metrics": 200 if counts else 404, "console": 404 if name == "console" else 200}


def test_what_changes_something_is_not_served_without_a_record(tmp_path):
    with pytest.raises(PackError, match=r"'change' of pack 'seed' may change data, but nothing records its calls"):
        served(tmp_path, without=("audit",))

    assert served(tmp_path, without=("audit",), tools=[Tool(fn=look, read_only=True)])
    assert served(tmp_path, without=("audit",), settings={"audit": AuditSettings(enabled=False)})
    assert served(tmp_path, without=("audit",), observers=[Recording()])


def test_a_record_that_is_switched_off_needs_no_pack(tmp_path):
    deployment = served(tmp_path, settings={"audit": AuditSettings(enabled=False)})

    assert deployment.dispatcher.accounts.record is None


async def test_tokens_that_nobody_verifies_stop_the_start_unless_a_pack_does(tmp_path):
    auth = {"auth": AuthSettings(secret="0f" * 32)}
    with pytest.raises(PackError, match=r"\[auth\] sets which tokens are accepted, but nothing checks them"):
        served(tmp_path, without=("tokens",), settings=auth)

    deployment = served(tmp_path, without=("tokens",), settings=auth, auth=[Verifier(lambda shown: ADA)])
    assert await deployment.callers().identify("anything") is ADA


def test_a_name_that_is_no_built_in_pack_is_told_with_what_is_near(tmp_path):
    with pytest.raises(PackError, match=r"lists 'audits', but no built-in pack has this name\. Did you mean 'audit'"):
        served(tmp_path, without=("audits",))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "audit"])
def test_check_names_what_is_left_out(tmp_path, name):
    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\npacks = []\ndata_dir = {json.dumps(str(tmp_path))}\nwithout = [{name!r}]\n", "utf-8")
    findings = json.loads(CliRunner().invoke(check, ["--json", "--config", str(config)]).stdout)["findings"]

    assert {"subject": "built-in packs", "found": f"left out: {name}", "cure": "", "look": False} in findings


def test_check_says_that_nothing_is_recorded(tmp_path):
    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\npacks = []\ndata_dir = {json.dumps(str(tmp_path))}\nwithout = ['audit']\n", "utf-8")
    findings = json.loads(CliRunner().invoke(check, ["--json", "--config", str(config)]).stdout)["findings"]

    assert [one["found"] for one in findings if one["subject"] == "audit"] == [
        "nothing is recorded, and nothing changes"
    ]


@pytest.mark.parametrize(
    ("name", "command"), [("audit", "audit"), ("job-tools", "jobs"), ("publish", "bundle"), ("tokens", "token")]
)
def test_the_commands_of_a_pack_go_with_it(tmp_path, monkeypatch, name, command):
    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\nwithout = [{name!r}]\n", "utf-8")
    runner = CliRunner()

    assert runner.invoke(cli, [command, "--help"]).exit_code == 0
    monkeypatch.setenv("PACKHORSE_CONFIG", str(config))
    refused = runner.invoke(cli, [command, "--help"]).exception
    assert f"{command!r} is a command of the built-in pack {name!r}" in str(refused)
    assert runner.invoke(cli, ["packs", "--help"]).exit_code == 0


def test_what_the_command_of_a_pack_says_of_a_wrong_configuration_is_its_own(tmp_path, monkeypatch):
    config = tmp_path / "packhorse.toml"
    config.write_text("[server]\nwithout = 7\n", "utf-8")
    monkeypatch.setenv("PACKHORSE_CONFIG", str(config))

    assert CliRunner().invoke(cli, ["bundle", "--help"]).exit_code == 0
    assert isinstance(CliRunner().invoke(cli, ["token", "--sub", "ada"]).exception, PackError)
