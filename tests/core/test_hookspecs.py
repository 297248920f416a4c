"""The contract: small enough to be read in one sitting, and complete."""

import inspect

import pluggy
import pytest

from packhorse.contract import hookspecs

HOOKS = {name: hook for name, hook in vars(hookspecs).items() if hasattr(hook, "packhorse_spec")}


def test_there_are_eight_hooks():
    assert list(HOOKS) == [
        "register_tools",
        "register_resources",
        "register_prompts",
        "register_auth",
        "register_routes",
        "register_approvals",
        "register_observers",
        "register_commands",
    ]


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_takes_the_host_and_is_typed(name):
    signature = inspect.signature(HOOKS[name])

    assert list(signature.parameters) == ["host"]
    assert signature.parameters["host"].annotation == "Host"
    assert signature.return_annotation.startswith("Iterable[")
    assert HOOKS[name](None) is None, "a hook of the contract has no body"


def test_the_marker_for_packs_is_that_of_the_contract():
    manager = pluggy.PluginManager("packhorse")
    manager.add_hookspecs(hookspecs)

    class Moon:
        @hookspecs.hookimpl
        def register_tools(self):
            return ["age"]

    manager.register(Moon())
    manager.check_pending()

    assert manager.hook.register_tools(host=None) == [["age"]]
