"""What an agent may want to do next, and what came of it. The vocabulary that all runtimes share."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen


@frozen
class UseTool:
    """Call a tool of the host."""

    tool: str
    arguments: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class Spawn:
    """Start another agent and wait for its result."""

    agent: str
    mission: str
    context: Mapping[str, Any] = field(factory=dict, hash=False)
    task: str | None = None


@frozen
class Escalate:
    """Tell the card's target of a typed event, and go on."""

    event: str
    reason: str


@frozen
class Offer:
    """A tool as a model is shown it."""

    name: str
    description: str
    input_schema: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class Wish:
    """A call that a model wants; ``id`` is its own, and joins the wish with its answer."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class WishAnswer:
    """What became of a wish, as the model hears it."""

    id: str
    of: str
    body: Mapping[str, Any] = field(factory=dict, hash=False)
    failed: bool = False


@frozen
class Turn:
    """One turn of the transcript: words, and the model's wishes or the answers to all of them."""

    role: Literal["user", "assistant"]
    text: str = ""
    wishes: tuple[Wish, ...] = ()
    answers: tuple[WishAnswer, ...] = ()


@frozen
class AskModel:
    """Ask the model for its next turn; ``turns`` are oldest first."""

    system: str
    turns: tuple[Turn, ...]
    offers: tuple[Offer, ...] = ()
    most_tokens: int = 2000


@frozen
class Finish:
    """Done, with a result."""

    result: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class Fail:
    """Not done. ``code`` is one word for programs."""

    code: str
    message: str


Move = UseTool | Spawn | Escalate | AskModel | Finish | Fail


@frozen
class Done:
    """The tool or the agent answered."""

    output: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class Refused:
    """The tool refused, with its own code."""

    code: str
    message: str


@frozen
class Denied:
    """The call was not allowed; nothing ran. ``rule`` is why."""

    rule: str
    message: str


@frozen
class Said:
    """The model's turn. ``native`` says that it had tools to wish for, and so needs no form for its words."""

    text: str
    wishes: tuple[Wish, ...] = ()
    native: bool = False


@frozen
class Noted:
    """An escalation was recorded."""


Outcome = Done | Refused | Denied | Said | Noted
