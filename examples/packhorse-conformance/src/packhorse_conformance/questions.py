"""Tools that have a parameter filled by asking the client, in either protocol era."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel

from packhorse import Accepted, Cancelled, Declined, Elicit, Resolve, Sample, Sampled, Text
from packhorse_conformance.models import Choices, Contact, Defaults


def _ask_model(prompt: str) -> Sample:
    return Sample([prompt], max_tokens=100)


def test_sampling(prompt: str, reply: Annotated[Sampled, Resolve(_ask_model)]) -> Text:
    """Put a prompt to the client's language model and repeat what it said."""
    return Text(f"LLM response: {reply.text}")


def _ask_anything() -> Sample:
    return Sample(["Say anything."], max_tokens=10)


def test_missing_capability(reply: Annotated[Sampled, Resolve(_ask_anything)]) -> Text:
    """Need the client's language model, so that a client without one is told what it lacks."""
    return Text(f"The client can sample: {reply.text}")


def _ask_contact(message: str) -> Elicit[Contact]:
    return Elicit(message, Contact)


def test_elicitation(
    message: str, contact: Annotated[Accepted[Contact] | Declined | Cancelled, Resolve(_ask_contact)]
) -> Text:
    """Ask the person for a name and an address with this message, and say what came back."""
    return Text(f"User response: {_said(contact)}")


def _ask_defaults() -> Elicit[Defaults]:
    return Elicit("Please review and update the form fields with defaults", Defaults)


def test_elicitation_sep1034_defaults(
    form: Annotated[Accepted[Defaults] | Declined | Cancelled, Resolve(_ask_defaults)],
) -> Text:
    """Ask the person to confirm a form that comes filled in (SEP-1034)."""
    return Text(f"Elicitation completed: {_said(form)}")


def _ask_choices() -> Elicit[Choices]:
    return Elicit("Please select options from the enum fields", Choices)


def test_elicitation_sep1330_enums(
    form: Annotated[Accepted[Choices] | Declined | Cancelled, Resolve(_ask_choices)],
) -> Text:
    """Ask the person to choose, in each way that a form can offer a choice (SEP-1330)."""
    return Text(f"Elicitation completed: {_said(form)}")


def _said(outcome: Accepted[Any] | Declined | Cancelled) -> str:
    match outcome:
        case Accepted(data=BaseModel() as form):
            return f"action=accept, content={form.model_dump_json(by_alias=True)}"
        case Declined():
            return "action=decline, content={}"
        case _:
            return "action=cancel, content={}"


TOOLS: Sequence[Callable[..., Any]] = (
    test_sampling,
    test_missing_capability,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)
