"""Who is calling, and what an agent that works for them may do."""

import pytest

from packhorse import AUTHENTICATED, Principal
from packhorse.contract.offers import Tool
from packhorse.contract.principal import ANONYMOUS, LOCAL
from packhorse.door.cache import visibility_class

ADA = Principal("human", "ada", frozenset({"CLERK"}), claims={"iss": "x"})


def look() -> str:
    """Look at something."""
    return ""


@pytest.mark.parametrize(
    ("caller", "role", "held"),
    [
        pytest.param(ADA, "CLERK", True, id="a role of one's own"),
        pytest.param(ADA, "ADMIN", False, id="another role"),
        pytest.param(ADA, AUTHENTICATED, True, id="that everybody has who is known"),
        pytest.param(ANONYMOUS, AUTHENTICATED, False, id="that a stranger has not"),
        pytest.param(LOCAL, "ADMIN", True, id="any, on one's own machine"),
    ],
)
def test_a_role_is_held_by_who_has_it_and_by_an_agent_at_work_for_them(caller, role, held):
    assert caller.has_any(frozenset({role})) is held
    assert caller.agent("helper", run="r").has_any(frozenset({role})) is held
    assert caller.agent("helper", run="r").agent("second", run="r").has_any(frozenset({role})) is held


def test_an_agent_bears_its_callers_name_and_the_chain_of_agents_above_it():
    second = ADA.agent("first", run="r").agent("second", run="r")

    assert (second.kind, second.subject, second.roles, second.claims) == ("agent", "ada", ADA.roles, ADA.claims)
    assert (second.chain, second.run) == (("second", "first"), "r")
    assert second.acts_for is ADA


def test_an_agent_of_a_stranger_is_not_given_what_was_kept_for_an_agent_of_this_machine():
    offer = Tool(fn=look, read_only=True)
    agents = [caller.agent("helper", run="r") for caller in (ANONYMOUS, LOCAL)]

    assert len({visibility_class(agent, offer) for agent in agents}) == 2
