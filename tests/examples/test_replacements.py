"""The host's own record and tokens replaced by two small packs: installed from their folders, called over a pipe."""

import hmac
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

pytestmark = pytest.mark.anyio
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = ("badges", "notebook")
SECRET = "any words will do here"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert uv, "uv installs the examples; the dependency group test has it"
    projects = [str(EXAMPLES / f"packhorse-{name}") for name in NAMES]
    subprocess.run([uv, "pip", "install", "--quiet", "--no-deps", "--target", str(folder), *projects], check=True)
    return folder


@pytest.fixture
def serve(installed, tmp_path):
    """The command of a server without our record and tokens, as the caller with a badge."""
    config = tmp_path / "packhorse.toml"
    config.write_text(
        f"""
[server]
packs = ["moon", "notebook", "badges"]
without = ["audit", "tokens"]
data_dir = {json.dumps(str(tmp_path / "data"))}

[auth.roles]
ASTRONOMER = ["age"]

[packs.badges]
secret = {json.dumps(SECRET)}
""",
        "utf-8",
    )

    def command(badge):
        env = {**os.environ, "PYTHONPATH": str(installed), "PACKHORSE_TOKEN": badge}
        arguments = ["-m", "packhorse", "serve", "--config", str(config)]
        return StdioServerParameters(command=sys.executable, args=arguments, env=env)

    return command


def badge(holder):
    signature = hmac.new(SECRET.encode(), f"badge.{holder}".encode(), "sha256").hexdigest()
    return f"badge.{holder}.{signature}"


async def test_a_badge_is_known_and_the_call_stands_in_the_notebook(serve, tmp_path):
    async with Client(stdio_client(serve(badge("ada.ASTRONOMER")))) as client:
        reply = await client.call_tool("age", {"day": "2000-01-21"})
    lines = [json.loads(line) for line in (tmp_path / "data/notebook/calls.jsonl").read_text("utf-8").splitlines()]

    assert not reply.is_error
    assert [(line["step"], line["name"]) for line in lines] == [("begins", "age"), ("ok", "age")]
    assert lines[0]["request"] == lines[1]["request"]
    assert len(lines[0]["caller"]) == 16
    assert not list((tmp_path / "data").glob("audit*"))


async def test_who_has_another_role_sees_nothing_of_it(serve):
    async with Client(stdio_client(serve(badge("bob.CLERK")))) as client:
        assert (await client.list_tools()).tools == []


def test_a_badge_that_was_not_signed_here_stops_the_start(serve):
    wanted = serve("badge.ada.ASTRONOMER.0f")
    done = subprocess.run(
        [wanted.command, *wanted.args], env=wanted.env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )

    assert done.returncode == 1
    assert "This badge was not signed here." in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_each_is_at_most_thirty_lines(name):
    file = EXAMPLES / f"packhorse-{name}" / "src" / f"packhorse_{name}" / "__init__.py"
    assert len(file.read_text("utf-8").splitlines()) <= 30
