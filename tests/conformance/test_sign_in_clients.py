"""Clients of others sign in and call a tool that needs a role: the TypeScript SDK's, and the inspector in both eras."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORE = HERE.parent / "core"
sys.path[:0] = [str(CORE / "sign_in"), str(CORE)]

from stable import Place, place_with, provider_running  # noqa: E402 - of the core's tests

from harness import HarnessError, Node, install  # noqa: E402 - found beside this file

SDK = "1.32.2"
INSPECTOR = "2.12.0"


@pytest.fixture(scope="module")
def node() -> Node:
    try:
        return Node.from_wheel()
    except HarnessError as exc:
        pytest.skip(str(exc))


def fetched(node: Node, package: str, version: str, folder: Path, file: str) -> Path:
    try:
        return install(node, package, version, folder, file)
    except HarnessError as exc:
        pytest.skip(str(exc))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with provider_running() as provider, place_with(tmp_path_factory.mktemp("stable"), provider) as made:
        yield made


def printed(folder: Path, *command: str) -> str:
    """What a client prints, whose person signs in as soon as it asks for that."""
    environment = {
        **os.environ,
        "HOME": str(folder),
        "MCP_AUTO_OPEN_ENABLED": "true",
        "MCP_INSPECTOR_SECRET_STORE": "memory",
        "WALKER": "ada@example.org",
    }
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) as run:
        assert run.stdout is not None
        for line in run.stdout:
            lines.append(line)
            if address := re.search(r"http://127\.0\.0\.1:\d+/authorize\?\S+", line):
                subprocess.run(
                    [sys.executable, CORE / "sign_in" / "browser.py", address[0]], env=environment, check=True
                )
    return "".join(lines)


def test_the_typescript_sdk_signs_in_and_renews_its_token(node: Node, place: Place, tmp_path: Path):
    fetched(node, "@modelcontextprotocol/sdk", SDK, tmp_path, "dist/esm/client/auth.js")
    script = Path(shutil.copy(HERE / "sign_in_client.mjs", tmp_path / SDK))

    shown = printed(tmp_path, str(node.binary), str(script), place.served.url, "saddle", '{"horse": "Ada"}')

    assert "answer Ada is saddled" in shown
    assert "renewed Ada is saddled" in shown


def test_the_inspector_signs_in_in_both_eras(node: Node, place: Place, tmp_path: Path):
    script = fetched(node, "@modelcontextprotocol/inspector", INSPECTOR, tmp_path, "clients/launcher/build/index.js")
    asked = ["--cli", place.served.url, "--method", "tools/call", "--tool-name", "saddle", "--tool-arg", "horse=Ada"]
    for era in ("legacy", "modern"):
        home = tmp_path / era
        home.mkdir()
        options = ["--callback-url", "http://127.0.0.1:0/oauth/callback", "--protocol-era", era]

        shown = printed(home, str(node.binary), str(script), *asked, *options)

        assert "Ada is saddled" in shown
