"""Questions a tool may put to its caller, in either protocol era.

A parameter annotated ``Annotated[T, Resolve(fn)]`` is filled by running ``fn``
before the tool. ``fn`` may take the `Context`, tool arguments by name and
other resolved parameters; it returns a value, or one of the questions here,
whose answer is then injected. A tool that wants to hold the rounds itself
returns `InputRequired` and reads `Context.answers` when it is called again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from packhorse.contract.content import Message

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
class Form:
    """Ask the person, by a flat JSON schema that comes from elsewhere. Only an `InputRequired` may hold it."""

    message: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SampleTool:
    """A tool that the client's model may wish for. It is not called: the asker decides about each wish."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolWish:
    """A call that a model wishes for; ``id`` is the model's own and joins it with its `ToolAnswer`."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What became of a wish, as the model reads it."""

    id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation about tools: the model's words and wishes, or the answers to all its last wishes."""

    role: Literal["user", "assistant"]
    text: str = ""
    wishes: Sequence[ToolWish] = ()
    answers: Sequence[ToolAnswer] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """Ask the client's language model. The answer is a `Sampled`.

    With ``tools`` the client must have declared that it samples with tools:
    ask ``ctx.can_ask(sample)`` with the question itself.
    """

    messages: Sequence[Message | Turn | str]
    max_tokens: int
    system_prompt: str | None = None
    temperature: float | None = None
    tools: Sequence[SampleTool] = ()


@dataclass(frozen=True, slots=True)
class ListRoots:
    """Ask which folders the client has open. The answer is `Roots`."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What the client's model said, and the calls that it wishes for where it was given tools."""

    text: str
    model: str
    stop_reason: str | None = None
    wishes: Sequence[ToolWish] = ()


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


Question = Elicit[Any] | Form | Sample | ListRoots
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
