import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_pai.domain.compliance import recommendations, score
from packhorse_pai.domain.expressions import condition
from packhorse_pai.domain.moves import Denied, Done, Escalate, Fail, Finish, Noted, Refused, Spawn, UseTool
from packhorse_pai.domain.playbooks import (
    Mission,
    checked,
    playbook_from,
    unread,
)
from packhorse_pai.domain.playing import academic_year, advance
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.service.library import Library

VALUES = {"a": 1, "b": {"c": "x", "list": [1, 2], "yes": True, "none": None}, "text": "hay needle hay"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a is 1", True),
        ("a is 1.0", True),
        ("not a is 1", False),
        ("a < 2 and a > 0", True),
        ("a > 1", False),
        ("not a > 1 and b.c is 'x'", True),
        ("not a is 2", True),
        ("b.c is 'x'", True),
        ("b.c is 'x and y'", False),
        ("b.c exists", True),
        ("b.none exists", False),
        ("not b.nothing.at.all exists", True),
        ("b.nothing is null", True),
        ("b.yes", True),
        ("not b.yes", False),
        ("a", False),
        ("b.yes is 1", False),
        ("b.yes < 2", False),
        ("text > 0", False),
        ("b.list > 1", False),
        ("a is -1", False),
    ],
)
def test_a_condition_is_true_or_false(text, expected):
    assert condition(text)(VALUES) is expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a is",
        "a is 1 b",
        "a is 1 and",
        "a is 1 or b",
        "(a is 1)",
        "a == 1",
        "__import__('os')",
        "a.b()",
        "a + 1 is 2",
        "a[0]",
        "not",
        "and",
        "x" * 501,
        "a is 'open",
    ],
)
def test_what_is_not_of_the_grammar_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        condition(text)


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_a_value_error(text):
    try:
        found = condition(text)
    except ValueError:
        return
    assert found(VALUES) in (True, False)


def test_a_condition_tells_what_it_reads():
    assert condition("a is 1 and b.list exists and not c").paths == {"a", "b.list", "c"}


def book(*steps, **more):
    return playbook_from({"playbook": "p", "agent": "PORTER", **more, "steps": list(steps)})


def play(playbook, outcomes=(), context=None, constraints=()):
    return advance(playbook, Mission("Carry it", context or {}, constraints), outcomes)


CARRY = {"call": "carry", "save": "carried", "args": {"what": {"ref": "context.what"}, "how": "gently"}}


def test_a_step_is_a_move_and_its_outcome_can_be_referred_to():
    playbook = book(CARRY, {"result": {"weight": {"ref": "steps.carried.kg"}, "n": {"count": "steps.carried.of"}}})

    assert play(playbook, (), {"what": "box"}) == UseTool("carry", {"what": "box", "how": "gently"})
    assert play(playbook, (Done({"kg": 3, "of": [1, 2]}),)) == Finish({"weight": 3, "n": 2})


def test_an_argument_that_is_not_there_is_left_out():
    assert play(book(CARRY)) == UseTool("carry", {"how": "gently"})


def test_a_refusal_ends_the_play_with_the_tools_own_code():
    assert play(book(CARRY), (Refused("TOO_HEAVY", "It is."),)) == Fail("TOO_HEAVY", "It is.")
    assert play(book(CARRY), (Denied("not_granted", "No."),)) == Fail("not_granted", "No.")


def test_an_optional_steps_refusal_is_nothing():
    playbook = book({**CARRY, "optional": True}, {"result": {"kg": {"ref": "steps.carried.kg", "default": 0}}})
    assert play(playbook, (Refused("TOO_HEAVY", "It is."),)) == Finish({"kg": 0})


def test_a_step_with_a_condition_is_taken_where_it_holds():
    playbook = book({**CARRY, "when": "context.what exists"}, {"fail": "NOTHING", "message": "Nothing to carry."})
    assert play(playbook) == Fail("NOTHING", "Nothing to carry.")
    assert isinstance(play(playbook, (), {"what": "box"}), UseTool)


def test_a_requirement_that_fails_is_an_event_and_the_play_goes_on():
    playbook = book({"require": "context.what exists", "trigger": "no_load", "reason": "nothing"}, {"result": {}})
    assert play(playbook) == Escalate("no_load", "nothing")
    assert play(playbook, (Noted(),)) == Finish({})
    assert play(playbook, (), {"what": 1}) == Finish({})


def test_a_loop_is_bounded():
    playbook = book(
        {
            "each": "context.loads",
            "as": "load",
            "limit": 2,
            "do": [{"call": "carry", "args": {"what": {"ref": "load"}}}],
        },
        {"result": {}},
    )
    context = {"loads": ["a", "b", "c"]}
    moves = [play(playbook, (Done(),) * done, context) for done in range(3)]
    assert moves == [UseTool("carry", {"what": "a"}), UseTool("carry", {"what": "b"}), Finish({})]


def test_another_agent_is_started_with_a_mission_of_the_playbook_alone():
    playbook = book(
        {"spawn": "HELPER", "mission": "help", "task": "help_out", "context": {"what": {"ref": "context.what"}}}
    )
    assert play(playbook, (), {"what": "box"}) == Spawn("HELPER", "help", {"what": "box"}, "help_out")


def test_the_same_inputs_and_outcomes_give_the_same_moves():
    playbook = book(CARRY, {**CARRY, "save": "again"}, {"result": {"both": {"ref": "steps.again"}}})
    outcomes = (Done({"kg": 1}), Done({"kg": 2}))
    assert [play(playbook, outcomes[:n]) for n in (0, 1, 2)] == [play(playbook, outcomes[:n]) for n in (0, 1, 2)]


def test_a_playbook_says_what_its_context_lacks():
    assert play(book(CARRY, needs=["what"])) == Fail(
        "CONTEXT_MISSING", "The playbook p needs these keys in `context`: what."
    )


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"call": "carry", "spawn": "X", "mission": "m"}, "a step must be one of"),
        ({"cal": "carry"}, "a step must be one of"),
        ({"call": "carry", "argz": {}}, "'argz' is not known"),
        ({"call": "os.system"}, "not the name of a tool"),
        ({"call": "{tool}"}, "not the name of a tool"),
        ({"spawn": "../X", "mission": "m"}, "needs an agent"),
        ({"each": "context.x", "do": []}, "limit of 1 to 50"),
        ({"each": "context.x", "limit": 51, "do": []}, "limit of 1 to 50"),
        ({"call": "carry", "args": {"x": {"ref": "secrets.key"}}}, "must begin with one of"),
        ({"result": {"x": {"ref": "steps.later.y"}}}, "not saved by an earlier step"),
        ({"require": "x is", "trigger": "t"}, "cannot be read from letter 3: write PATH, PATH exists"),
        ({"require": "x and y == 'a'", "trigger": "t"}, "cannot be read from letter 9"),
        ({"require": "len(x) > 1", "trigger": "t"}, "cannot be read from letter 4"),
        ({"require": "context.x", "trigger": "Not A Word"}, "is a name of small letters, digits"),
    ],
)
def test_a_playbook_that_this_format_does_not_have_is_refused(step, words):
    with pytest.raises(ValueError, match=words):
        book(step)


def test_constraints_that_no_step_keeps_are_known():
    playbook = book(CARRY, constraints={"Go slowly": "slow"})
    mission = Mission("Carry", {}, ("go  SLOWLY.", "Wear gloves"))
    assert unread(playbook, mission) == ("the constraint 'Wear gloves'",)
    assert unread(playbook, Mission("Carry", {"what": "box", "mood": "blue"})) == ("context.mood",)


def test_every_shipped_playbook_asks_for_nothing_its_agent_does_not_have():
    library = Library.opened()
    granted = {tool for source in library.sources for tools in source.uses.values() for tool in tools}
    policy = library.compiled({name: HostTool(name) for name in granted}).policy
    assert {one.name: checked(one, policy) for one in library.playbooks if checked(one, policy)} == {}
    assert len(library.playbooks) >= 9


def test_a_playbook_that_asks_for_more_than_its_agent_has_is_not_used():
    library = Library.opened()
    policy = library.compiled({}).policy
    greedy = playbook_from({"playbook": "g", "agent": "COMPLIANCE_AUDITOR", "steps": [{"call": "execute_swap"}]})
    sly = playbook_from({"playbook": "s", "agent": "SCHEDULER", "steps": [{"call": "decide_approval"}]})
    far = playbook_from(
        {"playbook": "f", "agent": "SCHEDULER", "steps": [{"spawn": "SWAP_MANAGER", "mission": "m", "task": "t"}]}
    )
    assert checked(greedy, policy) == ("COMPLIANCE_AUDITOR is not granted execute_swap",)
    assert checked(sly, policy) == ("SCHEDULER is not granted decide_approval",)
    assert checked(far, policy) == ("SCHEDULER may not spawn SWAP_MANAGER",)


@pytest.mark.parametrize(
    ("start", "year"),
    [
        ("2025-02-03", "2024-2025"),
        ("2025-06-30", "2024-2025"),
        ("2025-07-01", "2025-2026"),
        ("soon", None),
        (None, None),
    ],
)
def test_an_academic_year_begins_on_the_first_of_july(start, year):
    assert academic_year(start) == year


def test_the_score_is_the_share_of_checked_rules_that_nobody_breaks():
    validation = {
        "rules_checked": ["80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO"],
        "violations": [{"rule": "80_HOUR_RULE"}, {"rule": "80_HOUR_RULE"}],
    }
    assert score(validation) == 66.7
    assert len(recommendations(validation)) == 1
    assert "80 hours" in recommendations(validation)[0]


@pytest.mark.parametrize("validation", [None, {}, {"rules_checked": []}, {"rules_checked": ["ALL"]}])
def test_there_is_no_score_for_what_was_not_checked(validation):
    assert score(validation) is None
