"""A person decides on an agent's call in a real browser, which the server over stdio opens by itself."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("packhorse_pai", reason="the pai pack is not installed")
pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed")

DAYS = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30", "async": False}


class Server:
    """A server over stdio, as a desktop client starts it: lines of JSON-RPC in and out."""

    def __init__(self, folder, environ):
        packhorse = [sys.executable, "-m", "packhorse"]
        self.count = 0
        self.process = subprocess.Popen(
            [*packhorse, "serve", "pai", "scheduling", "--config", str(folder / "packhorse.toml")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, text=True,
        )  # fmt: skip
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.count:
                return answer["result"]

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]


@pytest.fixture
def server(tmp_path):
    """A server with the sample programme, and the pipe into which its browser writes addresses."""
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > {opened}\n')
    browser.chmod(0o755)
    (tmp_path / "packhorse.toml").write_text(f'[server]\ndata_dir = "{tmp_path / "data"}"\n')
    environ = {**os.environ, "BROWSER": str(browser), "PACKHORSE_CONFIG": str(tmp_path / "packhorse.toml")}
    packhorse = [sys.executable, "-m", "packhorse", "scheduling"]
    sample = tmp_path / "sample.json"
    subprocess.run([*packhorse, "sample", "--out", str(sample)], check=True, env=environ, capture_output=True)
    subprocess.run([*packhorse, "import", str(sample)], check=True, env=environ, capture_output=True)
    made = Server(tmp_path, environ)
    with made.process:  # its pipes are closed at the end, and the server ends with its input
        yield made, opened


def test_a_person_decides_in_the_browser_that_the_server_opened(server, chromium):
    made, opened = server
    run = made.call("invoke_scheduler_agent", {"mission": "Generate the year 2026-2027"})["goal_id"]
    act = {"run_id": run, "tool": "generate_schedule", "arguments": DAYS}
    waiting = made.call("act_as_agent", act)
    assert waiting["status"] == "waiting", waiting
    url = opened.read_text().strip()
    assert url.startswith("http://127.0.0.1:")
    assert url.rsplit("/", 1)[-1] not in json.dumps(waiting)

    page = chromium.page()
    page.call("Page.navigate", url=url)
    page.loaded()
    shown = "document.body.innerText"
    assert waiting["approval"] in page.evaluate(shown)
    assert "A draft is made for 2026-07-01 to 2027-06-30" in page.evaluate(shown)
    assert made.call("act_as_agent", act)["status"] == "waiting", "looking decides nothing"
    choice = f'document.querySelector(\'input[name="{waiting["approval"]}"][value="no"]\').click()'
    page.evaluate(f"{choice}; document.querySelector('button').click()")
    page.loaded()
    assert "Denied" in page.evaluate(shown)
    assert made.call("act_as_agent", act)["rule"] == "approval"
