"""Questions a tool may put to its caller, in either protocol era.

A parameter annotated ``Annotated[T, Resolve(fn)]`` is filled by running ``fn``
before the tool. ``fn`` may take the `Context`, tool arguments by name and
other resolved parameters; it returns a value, or one of the questions here,
whose answer is then injected. A tool that wants to hold the rounds itself
returns `InputRequired` and reads `Context.answers` when it is called again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from packhorse.content import Message

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Resolve:
    """Marks a parameter that ``fn`` fills, instead of the caller."""

    fn: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Elicit(Generic[T]):
    """Ask the person. ``schema`` is a flat pydantic model; its fields become a form."""

    message: str
    schema: type[T]


@dataclass(frozen=True, slots=True)
class Sample:
    """Ask the client's language model. The answer is a `Sampled`."""

    messages: Sequence[Message | str]
    max_tokens: int
    system_prompt: str | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class ListRoots:
    """Ask which folders the client has open. The answer is `Roots`."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What the client's model said."""

    text: str
    model: str
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that the client has open, as a ``file://`` URI."""

    uri: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Roots:
    """The client's open folders."""

    roots: tuple[Root, ...]


@dataclass(frozen=True, slots=True)
class Accepted(Generic[T]):
    """The person answered."""

    data: T


@dataclass(frozen=True, slots=True)
class Declined:
    """The person said no."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The person closed the form without an answer."""


Question = Elicit[Any] | Sample | ListRoots
Outcome = Accepted[Any] | Declined | Cancelled | Sampled | Roots


@dataclass(frozen=True, slots=True)
class InputRequired:
    """A tool's or prompt's return value that asks before it can answer.

    The function is called again with the same arguments, `Context.answers`
    (by the keys used here) and `Context.state` (this ``state``, sealed on its
    way through the client).
    """

    questions: Mapping[str, Question]
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Suspended:
    """A call that waits for the client, with the questions as the protocol adapter wrote them."""

    carried: Any
