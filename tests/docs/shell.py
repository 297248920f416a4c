"""A terminal for console blocks: one bash, in which what is exported or left running stays, as in a reader's own."""

import os
import re
import secrets
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 300
"""When a command that does not end is given up: far above what any takes."""

_COMPLAINT = re.compile(r"^(Error|Usage|WRONG)\b", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One command of a console block and what the page says that it prints."""

    command: str
    printed: str


@dataclass(frozen=True)
class Done:
    """What a command really printed, both streams together, and its exit status."""

    printed: str
    status: int


def steps_of(block: str) -> Iterator[Step]:
    """The commands of a block: lines after ``$ ``, continued by a backslash at their end; the rest is what they print.

    Raises:
        ValueError: the block does not begin with a command.
    """
    command: list[str] = []
    printed: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield Step("\n".join(command), "\n".join(printed))
            command, printed = [line[2:]], []
        elif not command:
            raise ValueError("a console block begins with a command, after '$ '")
        elif command[-1].endswith("\\"):
            command.append(line)
        else:
            printed.append(line)
    if command:
        yield Step("\n".join(command), "\n".join(printed))


def difference(step: Step, done: Done) -> str | None:
    """How what was printed differs from the page; None where it does not.

    ``...`` stands for any text within a line, and alone on a line for any
    lines; columns may be as wide as they like. A command must succeed, unless the page shows its complaint.
    """
    shown = step.printed.strip()
    if done.status != 0 and not _COMPLAINT.search(shown):
        return f"$ {step.command}\nended with status {done.status} and printed:\n{done.printed}"
    pattern = "".join(_pattern(line) for line in _lines(shown))
    real = "".join(f"{line}\n" for line in _lines(done.printed.strip()))
    if re.fullmatch(pattern, real):
        return None
    return f"$ {step.command}\nprinted (status {done.status}):\n{real}\nbut the page shows:\n{shown}\n"


def _lines(text: str) -> list[str]:
    """Lines without what nobody sees: spaces at the end, and how many stand between two columns."""
    return [re.sub(r"(?<=\S) {2,}", "  ", line.rstrip()) for line in text.splitlines()]


def _pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    return r"[^\n]*".join(re.escape(part) for part in line.split("...")) + r"\n"


class Shell:
    """One bash in ``folder``. Close it: everything that it started ends with it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=dict(environment),
            text=True,
            start_new_session=True,
        )

    def run(self, command: str) -> Done:
        """Run a command to its end."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        mark = f"end-{secrets.token_hex(8)}"
        # Its input is empty: it must not read the commands that follow.
        self._bash.stdin.write(f"eval {shlex.quote(command)} </dev/null\nprintf '\\n{mark} %s\\n' $?\n")
        self._bash.stdin.flush()
        patience = threading.Timer(PATIENCE_SECONDS, self.close)
        patience.start()
        lines = []
        try:
            for line in self._bash.stdout:
                if line.startswith(mark):
                    return Done("".join(lines).removesuffix("\n"), int(line.split()[1]))
                lines.append(line)
        finally:
            patience.cancel()
        raise AssertionError(f"$ {command}\ndid not end; it printed:\n{''.join(lines)}")

    def close(self) -> None:
        """End the shell, and whatever it left running."""
        if self._bash.poll() is None:
            os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.communicate()
