"""Refusals in one shape: the argument, what is wrong with it, and what to do next."""

from packhorse import UserError


def refusal(code: str, argument: str, words: str) -> UserError:
    """A refusal that names ``argument``; ``words`` go on from it: "names no project: call start_interview first"."""
    return UserError(f"`{argument}` {words}.", code=code, details={"argument": argument})


def unknown_project(name: str, *, to_erase: bool = False) -> UserError:
    """The caller has no project of this name; who wants ``to_erase`` it need not begin it first."""
    cure = "" if to_erase else " To begin a project, call start_interview."
    return UserError(
        f"You have no project {name!r}.{cure}",
        code="PROJECT_UNKNOWN",
        details={"argument": "project_id"},
    )
