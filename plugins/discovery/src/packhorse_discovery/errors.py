"""Refusals in one shape: the argument, what is wrong with it, and what to do next."""

from packhorse import UserError


def refusal(code: str, argument: str, words: str) -> UserError:
    """A refusal that names ``argument``; ``words`` go on from it: "names no project: call start_interview first"."""
    return UserError(f"{argument} {words}.", code=code, details={"argument": argument})
