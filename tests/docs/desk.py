"""Where a page's blocks run: a folder, a terminal in it and a Python namespace, one of each per page.

The rules, for whoever writes a page:

- ``python`` blocks run in order, in one namespace; test functions that a
  block defines are run as pytest would.
- ``console`` blocks run for real; see `shell`.
- ``toml`` blocks must load as a packhorse.toml, be a pack's manifest or say under
  ``packhorse`` which file of a pack they are, which the commands after them read;
  ``json`` blocks must parse; one that is saved is there for the commands after it.
- ``js`` blocks are saved as files of a pack, which the blocks after them serve.
- ``text`` blocks are shown and not run. One that holds a command needs the
  words "not run by the tests:" and the reason, in the paragraph before it.
- ``<!-- save: NAME -->`` before a block saves it under that name in the
  folder, and ``<!-- include: PATH -->`` under the name of the file included;
  a manifest that is saved is installed as pip would, without the network.
- 8000 is the port in the pages; a free one takes its place.
"""

import asyncio
import importlib
import inspect
import json
import os
import random
import re
import socket
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

from packhorse import settings
from packhorse.errors import PackError
from shell import Shell, difference, steps_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
PORT = "8000"
NOTED: list[str] = []
"""What ran and what did not, for the summary at the end."""

README_SH = (
    ("pip install --quiet ./core ./plugins/*", "it makes an environment from the network; CI runs this very line"),
    ("tox run", "it runs every test there is, these among them; CI runs this very line"),
)

_LEXER = RawFencedCodeBlockLexer(
    re.compile(r"(?P<label>[^\n]*)$\n", re.MULTILINE), {"label": "label", "source": "source"}
)
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
_NOT_RUN = re.compile(r"not run by the tests: (?P<reason>\w[^.)]*)", re.IGNORECASE)
_UNSAVED = "a manifest on a page is saved, and so installed: write <!-- save: pyproject.toml --> before it"
_NAMED = re.compile(r"<!-- (?:save|include): (?P<path>\S+) -->\n\Z")


class Desk:
    """One page's surroundings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "page"
        self.folder.mkdir()
        self._home = folder / "home"
        (self._home / ".config" / "Claude").mkdir(parents=True)  # a reader's machine has Claude Desktop
        self.played: Counter[str] = Counter()
        self.not_run: list[str] = []
        self._port = _free_port()
        self._shell = Shell(self.folder, self._environment())
        self._modules: set[str] = set()
        self._kinds: Mapping[str, Callable[[Example], str | None]] = {
            "python": self._python,
            "console": self._console,
            "toml": self._toml,
            "json": self._json,
            "js": self._js,
            "mermaid": self._mermaid,
            "text": self._text,
            "sh": self._sh,
        }

    @classmethod
    @contextmanager
    def set_up(cls, folder: Path) -> Iterator["Desk"]:
        """A desk in ``folder``, cleared at the end."""
        desk = cls(folder)
        sys.path.insert(0, str(desk.folder))
        try:
            yield desk
        finally:
            sys.path.remove(str(desk.folder))
            for name in desk._modules:
                sys.modules.pop(name, None)
            desk._shell.close()

    def play(self, page: Path) -> None:
        """Run every block of a page.

        Raises:
            AssertionError: naming the page and line of the first block that does not do what it shows.
        """
        for example in Sybil([self._blocks]).parse(page).examples():
            example.evaluate()
        fences = _FENCE.findall(page.read_text("utf-8"))
        assert self.played.total() * 2 == len(fences), f"{page}: {len(fences)} fences, {self.played.total()} blocks run"

    def _blocks(self, document: Document) -> Iterator[Region]:
        for region in _LEXER(document):
            region.parsed = region.lexemes["source"]
            region.evaluator = self._evaluate
            yield region

    def _evaluate(self, example: Example) -> str | None:
        label = example.region.lexemes["label"].strip()
        run = self._kinds.get(label)
        if run is None:
            return f"a block is labelled one of {', '.join(self._kinds)}; this one is labelled {label!r}"
        self.played[label] += 1
        return run(example)

    # --- one kind each ---

    def _python(self, example: Example) -> str | None:
        saved = self._saved(example)
        if saved is not None:
            self._modules.add(saved.stem)
            with chdir(self.folder):
                importlib.import_module(saved.stem)
            return None
        before = set(example.namespace)
        source = "\n" * (example.line + example.parsed.line_offset) + example.parsed
        exec(compile(source, example.path, "exec", dont_inherit=True), example.namespace)
        for name in set(example.namespace) - before:
            if name.startswith("test_"):
                result = example.namespace[name]()
                if inspect.isawaitable(result):
                    asyncio.run(_awaited(result))
        return None

    def _console(self, example: Example) -> str | None:
        try:
            steps = list(steps_of(example.parsed))
        except ValueError as exc:
            return str(exc)
        for step in steps:
            done = self._shell.run(step.command.replace(PORT, self._port))
            wrong = difference(step, type(done)(done.printed.replace(self._port, PORT), done.status))
            if wrong is not None:
                return wrong
        return None

    def _toml(self, example: Example) -> str | None:
        try:
            parsed = tomllib.loads(example.parsed)
        except tomllib.TOMLDecodeError as exc:
            return f"this is no TOML: {exc}"
        if "project" in parsed:
            return self._manifest(parsed["project"]) if _NAMED.search(_before(example)) else _UNSAVED
        saved = self._saved(example)
        path = saved or self.folder / "block.toml"
        path.write_text(example.parsed.replace(PORT, self._port), "utf-8")
        if "packhorse" in parsed:
            return None if saved else "a file of a pack is saved: write <!-- save: NAME.toml --> before it"
        try:
            settings.load(path, environ={})
        except PackError as exc:
            return f"packhorse does not take this configuration: {exc}"
        return None

    def _json(self, example: Example) -> str | None:
        try:
            json.loads(example.parsed)
        except ValueError as exc:
            return f"this is no JSON: {exc}"
        self._saved(example)
        return None

    def _mermaid(self, example: Example) -> str | None:
        """A picture, which no test can look at: each arrow goes from one of its boxes to another."""
        boxes = set(re.findall(r"^ *(\w+)[\[(]", example.parsed, re.MULTILINE))
        arrows = re.findall(r"^ *(\w+) (?:-->|==>|-\.->) (\w+)$", example.parsed, re.MULTILINE)
        loose = sorted({end for arrow in arrows for end in arrow} - boxes)
        return f"arrows lead to what is no box: {', '.join(loose)}" if loose else None

    def _js(self, example: Example) -> str | None:
        return None if self._saved(example) else "a script is a file of a pack: write <!-- save: NAME.js --> before it"

    def _text(self, example: Example) -> str | None:
        commands = [line for line in example.parsed.splitlines() if line.startswith("$ ")]
        if not commands:
            return None
        above = _before(example).rstrip().rpartition("\n\n")[2]
        told = _NOT_RUN.search(" ".join(above.split()))
        if told is None:
            return "a text block with a command needs 'not run by the tests:' and why, in the paragraph before it"
        self.not_run.append(f"{Path(example.path).name}:{example.line}: {commands[0][2:]} ({told['reason']})")
        return None

    def _sh(self, example: Example) -> str | None:
        for end, reason in README_SH:
            if Path(example.path) == ROOT / "README.md" and end in example.parsed and example.parsed.count("\n") == 1:
                self.not_run.append(f"README.md:{example.line}: {end} ({reason})")
                return None
        return "only README's two one-line commands may be labelled sh, which is not run; label this console"

    # --- around them ---

    def _saved(self, example: Example) -> Path | None:
        """The file that a block is saved as, where the page says so."""
        named = _NAMED.search(_before(example))
        if named is None:
            return None
        path = self.folder / Path(named["path"]).name
        if path.exists():
            raise AssertionError(f"{example.path}:{example.line}: {path.name} is saved twice")
        path.write_text(example.parsed.replace(PORT, self._port), "utf-8")
        return path

    def _manifest(self, project: Mapping[str, Any]) -> str | None:
        """Make a pack's modules, saved before, an installed distribution: what pip would write, in the folder."""
        points = project.get("entry-points", {}).get("packhorse", {})
        if not points:
            return "a manifest on a page has an entry point of a pack"
        for module in points.values():
            if not (self.folder / f"{module}.py").exists():
                return f"the entry point {module} is no module that the page saved before"
        info = self.folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        lines = [f"Name: {project['name']}", f"Version: {project['version']}"]
        lines += [f"Requires-Dist: {needed}" for needed in project.get("dependencies", ())]
        (info / "METADATA").write_text("Metadata-Version: 2.1\n" + "\n".join(lines) + "\n", "utf-8")
        named = "\n".join(f"{name} = {module}" for name, module in points.items())
        (info / "entry_points.txt").write_text(f"[packhorse]\n{named}\n", "utf-8")
        importlib.invalidate_caches()
        return None

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "LOG_LEVEL"))}
        return {
            **kept,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(self.folder),
            "HOME": str(self._home),
            "XDG_CONFIG_HOME": str(self._home / ".config"),
            "XDG_DATA_HOME": str(self._home / ".local" / "share"),
            "PACKHORSE_SERVER_PORT": self._port,
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        }


def _before(example: Example) -> str:
    return example.document.text[: example.start]


async def _awaited(result: Any) -> None:
    await result


def _free_port() -> str:
    """Below the ports that Linux gives out of itself: one of those may be somebody's before the page's server asks."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return str(port)
