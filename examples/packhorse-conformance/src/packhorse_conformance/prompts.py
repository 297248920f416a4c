"""The suite's prompts."""

from collections.abc import Callable, Sequence
from typing import Any

from packhorse import Accepted, Context, Elicit, Embedded, Image, InputRequired, Message, Prompt
from packhorse_conformance.media import red_dot
from packhorse_conformance.models import Background
from packhorse_conformance.rounds import answer


def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt that repeats its two arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803 - the suite's own name
    """A prompt that carries a resource."""
    return [
        Message(Embedded(resourceUri, "Embedded resource content for testing.", "text/plain")),
        Message("Please process the embedded resource above."),
    ]


def test_prompt_with_image() -> list[Message]:
    """A prompt that carries a picture."""
    return [Message(Image(red_dot(), "image/png")), Message("Please analyze the image above.")]


def test_input_required_result_prompt(ctx: Context) -> str | InputRequired:
    """A prompt that asks the person for its context first (SEP-2322)."""
    match answer(ctx, "user_context"):
        case Accepted(data={"context": str(context)}):
            return f"Use the following context: {context}"
    return InputRequired({"user_context": Elicit("What context should the prompt use?", Background)})


def _words(typed: str) -> Sequence[str]:
    return [word for word in ("paris", "park", "party", "test", "testing") if word.startswith(typed)]


PROMPTS: Sequence[Prompt | Callable[..., Any]] = (
    test_simple_prompt,
    Prompt(
        fn=test_prompt_with_arguments,
        arguments={"arg1": "First test argument", "arg2": "Second test argument"},
        complete={"arg1": _words, "arg2": _words},
    ),
    Prompt(
        fn=test_prompt_with_embedded_resource,
        arguments={"resourceUri": "URI of the resource to embed"},
    ),
    test_prompt_with_image,
    test_input_required_result_prompt,
)
