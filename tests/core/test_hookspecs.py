"""The contract: small enough to be read in one sitting, and complete."""

import inspect
from pathlib import Path

import pluggy
import pytest

from packhorse.contract import hookspecs

HOOKS = {name: hook for name, hook in vars(hookspecs).items() if hasattr(hook, "packhorse_spec")}


def test_there_are_seven_hooks() -> None:
    assert list(HOOKS) == [
        "register_tools",
        "register_resources",
        "register_prompts",
        "register_auth",
        "register_routes",
        "register_observers",
        "register_commands",
    ]


def test_the_page_can_be_read_in_two_minutes() -> None:
    # 230 words a minute, for code and prose alike.
    assert len(Path(hookspecs.__file__).read_text("utf-8").split()) < 2 * 230


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_says_what_it_returns_when_how_often_and_what_happens_when_two_packs_answer(name: str) -> None:
    said = " ".join(inspect.getdoc(HOOKS[name]).split())  # type: ignore[union-attr]

    assert said.startswith("Return ")
    assert "Called once" in said
    assert "wo packs" in said or "several packs" in said


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_takes_the_host_and_is_typed(name: str) -> None:
    signature = inspect.signature(HOOKS[name])

    assert list(signature.parameters) == ["host"]
    assert signature.parameters["host"].annotation == "Host"
    assert signature.return_annotation.startswith("Iterable[")
    assert HOOKS[name](None) is None, "a hook of the contract has no body"


def test_the_marker_for_packs_is_that_of_the_contract() -> None:
    manager = pluggy.PluginManager("packhorse")
    manager.add_hookspecs(hookspecs)

    class Moon:
        @hookspecs.hookimpl
        def register_tools(self):
            return ["age"]

    manager.register(Moon())
    manager.check_pending()

    assert manager.hook.register_tools(host=None) == [["age"]]
