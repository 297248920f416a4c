"""Tools that start jobs (SEP-2663): what the tools return, and what then runs in a process of its own."""

import time
from collections.abc import Sequence
from typing import Any

from packhorse import Accepted, Context, Elicit, InputRequired, RequestError, Text, Tool, UserError
from packhorse.jobs import Running, Work
from packhorse_conformance.models import Consent
from packhorse_conformance.rounds import NAME, answer

STEP_SECONDS = 0.1


def greet(name: str) -> Text:
    """Say hello at once."""
    return Text(f"Hello, {name}!")


def slow_compute(seconds: float, label: str = "") -> Work:
    """Take a number of seconds, and say that it is done."""
    return Work(f"{__name__}:take_time", {"seconds": seconds, "label": label})


def failing_job() -> Work:
    """Begin, and refuse after a second."""
    return Work(f"{__name__}:refuse", needs_tasks=True)


def protocol_error_job() -> Work:
    """Begin, and end in an error of the protocol."""
    return Work(f"{__name__}:end_in_error")


def confirm_delete(filename: str) -> Work:
    """Ask whether to delete a file, and say what was answered. Nothing is deleted."""
    return Work(f"{__name__}:confirm", {"filename": filename}, needs_tasks=True)


def multi_input() -> Work:
    """Ask two questions at once."""
    return Work(f"{__name__}:ask_twice", needs_tasks=True)


def test_tool_with_task(ctx: Context) -> Work | InputRequired:
    """Ask for a name at once, and greet it in a job."""
    match answer(ctx, "user_name"):
        case Accepted(data={"name": str(name)}):
            return Work(f"{__name__}:welcome", {"name": name}, needs_tasks=True)
    return InputRequired({"user_name": NAME})


def take_time(job: Running, seconds: float, label: str) -> dict[str, Any]:
    """What `slow_compute` starts."""
    steps = max(1, round(seconds / STEP_SECONDS))
    for step in range(steps):
        job.report_progress(step, steps)
        time.sleep(seconds / steps)
    return {"done": label}


def refuse(job: Running) -> None:
    """What `failing_job` starts."""
    time.sleep(1)
    raise UserError("This job always fails.", code="ALWAYS_FAILS")


def end_in_error(job: Running) -> None:
    """What `protocol_error_job` starts."""
    raise RequestError(-32603, "always_fails", "This job always ends in an error.")


def confirm(job: Running, filename: str) -> dict[str, Any]:
    """What `confirm_delete` starts."""
    answered = job.ask({"confirm": Elicit(f"Delete {filename}?", Consent)})["confirm"]
    return {"filename": filename, "deleted": False, "answer": type(answered).__name__}


def ask_twice(job: Running) -> dict[str, Any]:
    """What `multi_input` starts."""
    answered = job.ask({"first": Elicit("First?", Consent), "second": Elicit("Second?", Consent)})
    return {key: type(outcome).__name__ for key, outcome in answered.items()}


def welcome(job: Running, name: str) -> dict[str, Any]:
    """What `test_tool_with_task` starts."""
    return {"greeting": f"Hello, {name}!"}


TOOLS: Sequence[Any] = (
    greet,
    *(
        Tool(fn=start, job=True)
        for start in (
            slow_compute,
            failing_job,
            protocol_error_job,
            confirm_delete,
            multi_input,
            test_tool_with_task,
        )
    ),
)
