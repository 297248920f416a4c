"""One thing that lint has to say, and what it must know of the host to say it."""

import difflib
from collections.abc import Iterable

from attrs import frozen

from packhorse_pai.domain.policy import HostTool, Policy
from packhorse_pai.domain.seen import kinds_in

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


@frozen
class Kinds:
    """Kinds of things whose ids a run of an agent can see, and those that it can make; None where no host is known."""

    seen: frozenset[str] | None
    made: frozenset[str] | None

    @classmethod
    def of(cls, tools: Iterable[HostTool]) -> "Kinds":
        """Those that some tools answer."""
        held = list(tools)
        seen = frozenset[str]().union(*(kinds_in(tool.output_schema) for tool in held))
        made = frozenset[str]().union(*(kinds_in(tool.output_schema, made=True) for tool in held if not tool.read_only))
        return cls(seen, made)
