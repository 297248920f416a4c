"""One thing that lint has to say, and what it must know of the host to say it."""

import difflib
from collections.abc import Iterable

from attrs import frozen

from packhorse_pai.domain.policy import HostTool, Policy
from packhorse_pai.domain.seen import Kinds

_CLOSE = 0.8
"""How like an offered tool's name another must be to be taken for it misspelt."""


@frozen
class Finding:
    """One thing to look at: its kind, whom and what it is about, and in words why.

    ``grant`` counts from 0 among the grants of the tool in one layer; ``alternative`` among those of the argument;
    ``step`` counts from 1 in ``task``.
    """

    kind: str
    agent: str
    text: str
    tool: str = ""
    argument: str = ""
    grant: int | None = None
    alternative: int | None = None
    task: str = ""
    step: int | None = None

    @property
    def subject(self) -> str:
        """The agent, and the task, its step and the tool where there are any."""
        step = "" if self.step is None else f"step {self.step}"
        task = ", ".join(part for part in (self.task, step) if part)
        return ": ".join(part for part in (self.agent, task, self.tool) if part)

    @property
    def place(self) -> str:
        """The same, and the argument where it is about one."""
        return f"{self.subject}: args.{self.argument}" if self.argument else self.subject


def meant(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Which of the known names may be meant, as the end of a sentence; ``otherwise`` where none is like it."""
    close = difflib.get_close_matches(name, list(known), 1, _CLOSE)
    return f": did you mean {close[0]}?" if close else otherwise


def offered_by_none(tool: str, policy: Policy) -> str:
    """That no pack at hand offers a tool, and which one may be meant."""
    cure = meant(tool, policy.tools, ": is its pack among the `packs` of this server?")
    return f"{tool} is offered by none of the packs at hand{cure}"


def kinds_of(tools: Iterable[HostTool]) -> Kinds:
    """The kinds of things that some tools answer."""
    return Kinds.of((tool.output_schema, tool.read_only, tool.input_schema.get("required", ())) for tool in tools)
