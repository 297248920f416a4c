"""A session that touches every pack and ends a job.

``python every_pack.py FOLDER`` plays it with the packhorse of that Python. With
``--leave-a-job`` the server is killed while a second job runs, as a crash
would leave the data.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

PACKS = ("circadian", "discovery", "locator", "pai", "scheduling")

CALLS = (
    ("search_by_name", {"first_name": "Jose Guadalupe", "last_name": "Hernandes Marques"}),
    ("watch_person", {"record_id": "S0011"}),
    ("snapshot_schedule", {"label": "before the winter"}),
)
"""Beside the scenes: calls that leave something in the stores."""

JOB = (
    "invoke_agent",
    {"agent_name": "COMPLIANCE_AUDITOR", "mission": "Audit the roster", "task": "audit", "background": True},
)
LONG_JOB = ("generate_schedule", {"academic_year": "2026-2027", "start_date": "2026-07-06", "end_date": "2026-08-02"})


class Server:
    """A server of every installed pack over standard input and output, spoken to in lines of JSON."""

    def __init__(self, folder: Path, umask: int = -1, **environment: str) -> None:
        config = folder.with_name(f"{folder.name}.config") / "packhorse"
        config.mkdir(parents=True, exist_ok=True)
        (config / "packhorse.toml").write_text('[packs.scheduling.limits]\ngenerate_schedule = "none"\n')
        own = {key: value for key, value in os.environ.items() if not key.startswith(("PACKHORSE_", "XDG_"))}
        self._log = (folder.parent / f"{folder.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "packhorse", "serve", *PACKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={
                **own,
                "XDG_CONFIG_HOME": str(config.parent),
                "PACKHORSE_SERVER_DATA_DIR": str(folder),
                **environment,
            },
            start_new_session=True,
            umask=umask,
            text=True,
        )
        self._number = 0
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.ask("initialize", about)
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict) -> dict:
        """The structured answer of a tool; one that is refused ends the session."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise AssertionError(f"{tool}: {answer['content'][0]['text']}")
        return answer.get("structuredContent") or json.loads(answer["content"][0]["text"])

    def ask(self, method: str, params: dict) -> dict:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise AssertionError(f"{method} {params}: {message['error']}")
                return message["result"]
        raise AssertionError("the server ended")

    def _send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def end_of(self, handle: dict) -> dict:
        """The status of a job once it has ended."""
        while True:
            status = self.call("job_status", {"job_id": handle["job_id"]})
            if status["status"] in ("completed", "failed", "cancelled"):
                return status
            self.ask("tools/call", {"name": "job_result", "arguments": {"job_id": handle["job_id"], "wait_seconds": 5}})

    def result_of(self, handle: dict) -> dict:
        """What a job came to."""
        status = self.end_of(handle)
        assert status["status"] == "completed", status
        return self.call("job_result", {"job_id": handle["job_id"]})

    def kill(self) -> None:
        """End it and its jobs as a crash would."""
        children = subprocess.run(
            ["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True
        ).stdout.split()
        for process in (self.process.pid, *map(int, children)):
            os.kill(process, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.close()
        self.process.stdout.close()
        self._log.close()


def play(folder: Path, *, leave_a_job: bool = False, umask: int = -1, **environment: str) -> dict:
    """Play the scenes, the calls and the job on the data in ``folder``; what came of them, by name."""
    deployment = prepared(folder)
    came = {}
    with Server(folder, umask, **environment) as server:
        for pack in deployment.catalogue.packs:
            for tool, arguments in pack.pack.demo.calls if pack.pack.demo else ():
                server.call(tool, dict(arguments))
        for tool, arguments in CALLS:
            came[tool] = server.call(tool, arguments)
        tool, arguments = JOB
        handle = server.call(tool, arguments)
        came["job"] = {"job_id": handle["job_id"], **server.result_of(handle)}
        if leave_a_job:
            tool, arguments = LONG_JOB
            came["left"] = server.call(tool, arguments)
            while server.call("job_status", {"job_id": came["left"]["job_id"]})["status"] != "working":
                pass
            server.kill()
    return came


def deployment_on(folder: Path):
    """The deployment of the five packs on ``folder``."""
    from packhorse.compose import packs
    from packhorse.compose.deployment import compose
    from packhorse.settings import ServerSettings, Settings

    return compose(Settings(server=ServerSettings(data_dir=folder, packs=PACKS)), packs.find())


def prepared(folder: Path):
    """That deployment, with the sample data of its scenes."""
    from packhorse.client.demo import prepare, scenes_of

    folder.mkdir(parents=True, exist_ok=True)
    deployment = deployment_on(folder)
    for name, scene in scenes_of(deployment):
        prepare(deployment, name, scene)
    return deployment


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--leave-a-job", action="store_true")
    given = options.parse_args()
    print(json.dumps(play(given.folder.absolute(), leave_a_job=given.leave_a_job), indent=1))
