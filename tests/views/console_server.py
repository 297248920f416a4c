"""A server with agents, a roster, a mounted server and a tool that takes its time; and its operator at a terminal."""

import json
import os
import pty
import re
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx2

from packhorse.settings import AuthSettings
from packhorse.tokens.local import issuers_of
from packhorse.tokens.mint import mint

SECRET = "console-tests-" + 32 * "s"

SLOW = '''
    """A pack whose words come from a stranger, and whose calls take long."""
    import threading
    from packhorse import Context, Pack, Tool, hookimpl

    pack = Pack(title="The slow <b>pack</b>")
    HOSTILE = "<img src=x onerror=alert(1)> </textarea><script>alert(2)</script>"

    def wait_long(ctx: Context, seconds: float = 30) -> str:
        """Wait, <script>alert(3)</script> and say so."""
        threading.Event().wait(0.05)
        while not ctx.cancelled and seconds > 0:
            threading.Event().wait(0.05)
            seconds -= 0.05
        return "waited"

    def echo(text: str, times: int = 1, loud: bool = False) -> dict:
        """Say a text again."""
        return {"summary": (text.upper() if loud else text) * times, "words": [HOSTILE]}

    @hookimpl
    def register_tools(host):
        return [
            Tool(fn=wait_long, public=True, read_only=True, timeout=60),
            Tool(fn=echo, public=True, read_only=True),
        ]
'''  # fmt: skip

DAYS = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2027-06-30", "async": True}

MOUNTED = {
    "command": [sys.executable, "-c", "raise SystemExit"],
    "prefix": "notes_",
    "public": True,
    "server": "notes 1.0",
    "tools": [
        {"name": "add", "description": "Add <b>a note</b>.", "inputSchema": {"type": "object", "properties": {}}},
        {"name": "odd\u200b", "description": "Not to be seen.", "inputSchema": {"type": "object"}},
    ],
}


class ConsoleServer:
    """The running server, by its address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        data = folder / "data"
        (data / "packhorse-mounts").mkdir(parents=True)
        (data / "packhorse-mounts" / "notes.json").write_text(json.dumps(MOUNTED))
        (folder / "slow.py").write_text(textwrap.dedent(SLOW))
        packs = json.dumps(["pai", "scheduling", str(folder / "slow.py")])
        (folder / "packhorse.toml").write_text(
            f'[server]\nname = "residency"\ntransport = "http"\nport = 0\ndata_dir = "{data}"\npacks = {packs}\n'
            f'[auth]\nsecret = "{SECRET}"\n'
        )
        self.environ = {**os.environ, "PACKHORSE_CONFIG": str(folder / "packhorse.toml")}
        self.address = ""

    def run(self, *arguments: str) -> str:
        """A command to its end; what it prints."""
        command = [sys.executable, "-m", "packhorse", *arguments]
        return subprocess.run(command, check=True, env=self.environ, capture_output=True, text=True).stdout

    @contextmanager
    def serving(self):
        sample = str(self.folder / "sample.json")
        self.run("scheduling", "sample", "--out", sample)
        self.run("scheduling", "import", sample)
        log = self.folder / "log"
        command = [sys.executable, "-m", "packhorse", "serve"]
        with log.open("wb") as errors, subprocess.Popen(command, env=self.environ, stderr=errors) as process:
            try:
                pause = threading.Event()
                while not (found := re.search(r"listening on (http://[^\s\"]*)", log.read_text())):
                    assert process.poll() is None, log.read_text()
                    pause.wait(0.05)
                self.address = found[1]
                yield self
            finally:
                process.terminate()

    def link(self) -> str:
        """What `packhorse console` prints at a terminal."""
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "packhorse", "console", "--print", "--url", self.address]
        try:
            subprocess.run(command, check=True, env=self.environ, stdout=theirs, stderr=subprocess.PIPE)
            return os.read(ours, 4096).decode().strip()
        finally:
            os.close(ours)
            os.close(theirs)

    def token(self, subject: str, *roles: str) -> str:
        (issuer,) = issuers_of(AuthSettings(secret=SECRET))
        return mint(issuer, subject, roles)

    def agent_waits(self) -> tuple[str, dict, dict]:
        """An agent's run that waits for a person: whose it is, the call that waits, and what the agent was answered."""
        ada = self.token("ada", "COORDINATOR")
        mission = {"mission": "Generate the year 2026-2027"}
        run = self.call(ada, "invoke_scheduler_agent", mission)["structuredContent"]["goal_id"]
        act = {"run_id": run, "tool": "generate_schedule", "arguments": DAYS}
        return ada, act, self.call(ada, "act_as_agent", act)["structuredContent"]

    def call(self, token: str, tool: str, arguments: dict) -> dict:
        """A tool's answer, over the protocol."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        body["params"] = {"name": tool, "arguments": arguments, "_meta": meta}
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        answer = httpx2.post(f"{self.address}/mcp", json=body, headers=headers, timeout=120)
        text = next((line[5:] for line in answer.text.splitlines() if line.startswith("data:")), answer.text)
        return json.loads(text)["result"]
