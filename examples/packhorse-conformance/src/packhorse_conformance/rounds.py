"""Tools that ask in rounds they hold together themselves (SEP-2322).

Each is called again from the top with the latest answers, and asks again when
the one it needs is missing or is not of the form it asked for.
"""

from collections.abc import Callable, Sequence
from typing import Any

from packhorse import (
    Accepted,
    Cancelled,
    Context,
    Declined,
    Elicit,
    InputRequired,
    ListRoots,
    Root,
    Roots,
    Sample,
    Sampled,
    Text,
    UserError,
)
from packhorse_conformance.models import Colour, Confirmation, Name

NAME = Elicit("What is your name?", Name)


def test_input_required_result_elicitation(ctx: Context) -> Text | InputRequired:
    """Ask for a name and greet it."""
    match answer(ctx, "user_name"):
        case Accepted(data={"name": str(name)}):
            return Text(f"Hello, {name}!")
    return InputRequired({"user_name": NAME})


def test_input_required_result_sampling(ctx: Context) -> Text | InputRequired:
    """Ask the client's language model for a capital and repeat its answer."""
    match answer(ctx, "capital_question"):
        case Sampled(text=text):
            return Text(text)
    return InputRequired({"capital_question": Sample(["What is the capital of France?"], max_tokens=100)})


def test_input_required_result_list_roots(ctx: Context) -> Text | InputRequired:
    """Ask which folders the client has open and list them."""
    match answer(ctx, "client_roots"):
        case Roots(roots=roots):
            return Text(f"Roots: {_listed(roots)}")
    return InputRequired({"client_roots": ListRoots()})


def test_input_required_result_request_state(ctx: Context) -> Text | InputRequired:
    """Ask for a confirmation, and check that the state handed out with the question came back."""
    match answer(ctx, "confirm"):
        case Accepted():
            _expect_state(ctx, "awaiting confirmation")
            return Text("state-ok: the state came back as it was sent")
    return InputRequired({"confirm": Elicit("Please confirm", Confirmation)}, state="awaiting confirmation")


def test_input_required_result_tampered_state(ctx: Context) -> Text | InputRequired:
    """Ask for a confirmation whose state a client may not alter."""
    match answer(ctx, "confirm"):
        case Accepted():
            _expect_state(ctx, "sealed")
            return Text("The state was not tampered with")
    return InputRequired({"confirm": Elicit("Please confirm", Confirmation)}, state="sealed")


def test_input_required_result_multiple_inputs(ctx: Context) -> Text | InputRequired:
    """Ask the person, the client's language model and the client itself at once, and put the answers together."""
    match answer(ctx, "user_name"), answer(ctx, "greeting"), answer(ctx, "client_roots"):
        case Accepted(data={"name": str(name)}), Sampled(text=greeting), Roots(roots=roots):
            return Text(f"{greeting} {name}, your roots are {_listed(roots)}")
    return InputRequired(
        {
            "user_name": NAME,
            "greeting": Sample(["Generate a greeting"], max_tokens=50),
            "client_roots": ListRoots(),
        },
        state="three questions",
    )


def test_input_required_result_multi_round(ctx: Context) -> Text | InputRequired:
    """Ask for a name, then for a colour, carrying the name from one round to the next in the state."""
    match answer(ctx, "step2"):
        case Accepted(data={"color": str(color)}):
            return Text(f"{ctx.state} likes {color}")
    match answer(ctx, "step1"):
        case Accepted(data={"name": str(name)}):
            return InputRequired({"step2": Elicit("Step 2: What is your favorite color?", Colour)}, state=name)
    return InputRequired({"step1": Elicit("Step 1: What is your name?", Name)}, state="nameless")


def test_input_required_result_capabilities(ctx: Context) -> Text | InputRequired:
    """Ask everything that this client says it can answer, and nothing else."""
    everything: dict[str, Elicit[Name] | Sample | ListRoots] = {
        "user_name": NAME,
        "greeting": Sample(["Generate a greeting"], max_tokens=50),
        "client_roots": ListRoots(),
    }
    questions = {key: question for key, question in everything.items() if ctx.can_ask(type(question))}
    if questions.keys() <= ctx.answers.keys():
        return Text(f"Answered: {', '.join(questions) or 'nothing, for this client answers no questions'}")
    return InputRequired(questions)


def test_streaming_elicitation(ctx: Context) -> Text | InputRequired:
    """Ask for a name over a response stream, which must carry no request of its own."""
    return test_input_required_result_elicitation(ctx)


def answer(ctx: Context, key: str) -> Accepted[Any] | Sampled | Roots | None:
    """The client's answer to one question; None when it was not asked yet.

    Raises:
        UserError: the person would not say; asking again would only go round in circles.
    """
    outcome = ctx.answers.get(key)
    if isinstance(outcome, Declined | Cancelled):
        raise UserError("The question was not answered, so there is nothing to go on. Call again to be asked again.")
    return outcome


def _listed(roots: Sequence[Root]) -> str:
    return ", ".join(root.uri for root in roots) or "none"


def _expect_state(ctx: Context, state: str) -> None:
    if ctx.state != state:
        raise UserError("The answer came without the state of its question: send requestState back as it was given.")


TOOLS: Sequence[Callable[..., Any]] = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
    test_streaming_elicitation,
)
