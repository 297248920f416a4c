import json
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pai_strategies import AGENTS, FACTS, TOOLS, asks, chains, either

from packhorse_pai.domain.cedar import cedar
from packhorse_pai.domain.decision import Ask, Effect, Rule, decide, decide_spawn, needs_approval, proper_parents
from packhorse_pai.domain.policy import HostTool, Limits, Policy
from packhorse_pai.domain.sources import Precondition

READ, CHANGE, SWAP = "read_it", "change_it", "swap_it"


@pytest.fixture
def policy():
    """A chief that starts a lead that starts a worker; the worker holds tools that the others only pass on."""
    held = frozenset({READ, CHANGE, SWAP})
    return Policy(
        use={"CHIEF": frozenset(), "LEAD": frozenset({READ}), "WORKER": held | {PEOPLES}},
        delegate=dict.fromkeys(("CHIEF", "LEAD", "WORKER"), held | {PEOPLES}),
        spawn={"CHIEF": frozenset({"LEAD"}), "LEAD": frozenset({"WORKER"}), "WORKER": frozenset()},
        exposed=frozenset({"CHIEF", "LEAD", "WORKER"}),
        preconditions={CHANGE: (Precondition(("backup", "validated"), ("nothing_yet",)),)},
        approvals=frozenset({SWAP}),
        limits={name: Limits() for name in ("CHIEF", "LEAD", "WORKER")},
        tools={name: HostTool(name, read_only=name == READ) for name in held} | {PEOPLES: OF_PEOPLE},
    )


PEOPLES = "answer_request"
OF_PEOPLE = HostTool(PEOPLES, input_schema={"type": "object", "x-packhorse-person": True})
CHAIN = ("WORKER", "LEAD", "CHIEF")
BACKED = frozenset({"backup", "validated"})


def rules_of(decision):
    return {reason.rule for reason in decision.reasons}


@pytest.mark.parametrize(
    ("ask", "effect", "rule"),
    [
        pytest.param(Ask(("WORKER",), READ), "allow", Rule.GRANTED, id="own tool"),
        pytest.param(Ask(CHAIN, READ), "allow", Rule.GRANTED, id="passed on by both above"),
        pytest.param(Ask(("LEAD",), CHANGE), "deny", Rule.NOT_GRANTED, id="may pass on and not use"),
        pytest.param(Ask((), READ), "deny", Rule.NO_AGENT, id="nobody acting"),
        pytest.param(Ask(("STRANGER",), READ), "deny", Rule.UNKNOWN_AGENT, id="no card"),
        pytest.param(Ask(("WORKER", "STRANGER"), READ), "deny", Rule.UNKNOWN_AGENT, id="no card above"),
        pytest.param(Ask(("worker",), READ), "deny", Rule.UNKNOWN_AGENT, id="another case"),
        pytest.param(Ask(("WORKER",), "READ_IT"), "deny", Rule.UNKNOWN_TOOL, id="tool in another case"),
        pytest.param(Ask(("WORKER",), "pai.read_it"), "deny", Rule.UNKNOWN_TOOL, id="tool in a namespace"),
        pytest.param(Ask(("WORKER",), "re\u0430d_it"), "deny", Rule.UNKNOWN_TOOL, id="homoglyph"),
        pytest.param(Ask(("WORKER",), "read_it "), "deny", Rule.UNKNOWN_TOOL, id="trailing space"),
        pytest.param(Ask(("WORKER", "CHIEF"), READ), "deny", Rule.NO_EDGE, id="edge left out"),
        pytest.param(Ask(("LEAD", "WORKER"), READ), "deny", Rule.NO_EDGE, id="edge the wrong way"),
        pytest.param(Ask(("WORKER", "LEAD", "WORKER"), READ), "deny", Rule.CYCLE, id="twice in the chain"),
        pytest.param(Ask(("WORKER",), READ, stopped=True), "deny", Rule.STOPPED, id="kill switch"),
        pytest.param(Ask(("WORKER",), "decide_approval"), "deny", Rule.NEVER_AN_AGENT, id="a person's tool"),
        pytest.param(Ask(("WORKER",), "list_pending_approvals"), "deny", Rule.NEVER_AN_AGENT, id="a person's list"),
        pytest.param(Ask(("WORKER",), "invoke_agent"), "deny", Rule.NEVER_AN_AGENT, id="spawning is no tool"),
        pytest.param(Ask(("WORKER",), PEOPLES), "deny", Rule.NEVER_AN_AGENT, id="a tool that only people may call"),
        pytest.param(Ask(("WORKER",), CHANGE), "deny", Rule.PRECONDITION, id="nothing seen yet"),
        pytest.param(Ask(("WORKER",), CHANGE, frozenset({"backup"})), "deny", Rule.PRECONDITION, id="half seen"),
        pytest.param(Ask(("WORKER",), CHANGE, BACKED), "allow", Rule.GRANTED, id="all seen"),
        pytest.param(Ask(("WORKER",), CHANGE, frozenset({"nothing_yet"})), "allow", Rule.GRANTED, id="lifted"),
        pytest.param(Ask(("WORKER",), SWAP), "needs_approval", Rule.APPROVAL, id="approval by policy"),
        pytest.param(Ask(("WORKER",), SWAP, approved=True), "allow", Rule.APPROVED, id="approved"),
        pytest.param(Ask(("WORKER",), CHANGE, BACKED, supervised=True), "needs_approval", Rule.APPROVAL, id="watched"),
        pytest.param(Ask(("WORKER",), READ, supervised=True), "allow", Rule.GRANTED, id="watched and only reading"),
        pytest.param(Ask(("LEAD",), SWAP, approved=True), "deny", Rule.NOT_GRANTED, id="approval grants nothing"),
        pytest.param(Ask(("WORKER",), SWAP, stopped=True, approved=True), "deny", Rule.STOPPED, id="approved, stopped"),
    ],
)
def test_a_call_is_decided(policy, ask, effect, rule):
    decision = decide(policy, ask)

    assert decision.effect == effect
    assert rule in rules_of(decision)
    assert decision.allowed == (effect == "allow")
    assert decision.text


def test_every_reason_against_is_told_and_none_besides(policy):
    decision = decide(policy, Ask(("LEAD", "STRANGER"), CHANGE, stopped=True))

    assert rules_of(decision) == {
        Rule.STOPPED,
        Rule.UNKNOWN_AGENT,
        Rule.NO_EDGE,
        Rule.NOT_GRANTED,
        Rule.NOT_DELEGATED,
        Rule.PRECONDITION,
    }
    assert "LEAD is not granted change_it." in decision.text
    assert "change_it needs first: backup, validated." in decision.text
    assert decision.text.startswith("All agents are stopped")


def test_an_agent_above_that_may_not_pass_a_tool_on_takes_it_from_all_below(policy):
    narrowed = evolve(policy, delegate={**policy.delegate, "CHIEF": frozenset({READ})})

    assert rules_of(decide(narrowed, Ask(CHAIN, SWAP))) == {Rule.NOT_DELEGATED}
    assert decide(narrowed, Ask(CHAIN, READ)).allowed
    assert decide(narrowed, Ask(CHAIN[:2], SWAP)).effect is Effect.NEEDS_APPROVAL


@pytest.mark.parametrize("where", CHAIN)
def test_a_forbidden_tool_is_forbidden_to_all_below(policy, where):
    forbidding = evolve(policy, forbids=frozenset({(where, READ)}))

    assert rules_of(decide(forbidding, Ask(CHAIN, READ))) == {Rule.FORBIDDEN}


def test_the_outermost_agent_must_be_one_that_a_person_may_invoke(policy):
    hidden = evolve(policy, exposed=frozenset({"CHIEF"}))

    assert rules_of(decide(hidden, Ask(("WORKER",), READ))) == {Rule.NOT_EXPOSED}
    assert decide(hidden, Ask(CHAIN, READ)).allowed
    assert rules_of(decide_spawn(hidden, (), "WORKER")) == {Rule.NOT_EXPOSED}
    assert decide_spawn(hidden, ("LEAD", "CHIEF"), "WORKER").allowed


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_outermost_agents_depth_bounds_the_chain(policy, depth):
    shallow = evolve(policy, limits={**policy.limits, "CHIEF": Limits(depth=depth)})

    for length in (1, 2, 3):
        chain = CHAIN[-length:]
        assert (Rule.TOO_DEEP in rules_of(decide(shallow, Ask(chain, READ)))) == (length > depth)
        assert (Rule.TOO_DEEP in rules_of(decide_spawn(shallow, chain, "WORKER"))) == (length >= depth)


def test_four_agents_are_the_most_in_a_chain_whatever_a_card_says():
    names = ("E", "D", "C", "B", "A")
    policy = Policy(
        use={"E": frozenset({READ}), "D": frozenset({READ})},
        delegate=dict.fromkeys(names, frozenset({READ})),
        spawn={above: frozenset({below}) for below, above in pairwise(names)},
        exposed=frozenset({"A"}),
        limits={name: Limits(depth=9) for name in names},
        tools={READ: HostTool(READ, read_only=True)},
    )
    assert decide(policy, Ask(names[1:], READ)).allowed
    assert rules_of(decide(policy, Ask(names, READ))) == {Rule.TOO_DEEP}
    assert rules_of(decide_spawn(policy, names[1:], "E")) == {Rule.TOO_DEEP}
    assert decide_spawn(policy, names[2:], "D").allowed


@pytest.mark.parametrize(
    ("chain", "child", "rules"),
    [
        ((), "WORKER", {Rule.EDGE}),
        ((), "STRANGER", {Rule.UNKNOWN_AGENT}),
        ((), "../WORKER", {Rule.UNKNOWN_AGENT}),
        ((), "", {Rule.UNKNOWN_AGENT}),
        (("LEAD",), "WORKER", {Rule.EDGE}),
        (("CHIEF",), "WORKER", {Rule.NO_EDGE}),
        (("WORKER",), "LEAD", {Rule.NO_EDGE}),
        (("LEAD", "CHIEF"), "CHIEF", {Rule.CYCLE}),
        (("LEAD", "WORKER"), "WORKER", {Rule.CYCLE, Rule.NO_EDGE}),
        (("LEAD", "STRANGER"), "WORKER", {Rule.UNKNOWN_AGENT, Rule.NO_EDGE}),
    ],
)
def test_starting_an_agent_is_decided(policy, chain, child, rules):
    decision = decide_spawn(policy, chain, child)

    assert rules_of(decision) == rules
    assert decision.allowed == (rules == {Rule.EDGE})
    assert rules_of(decide_spawn(policy, chain, child, stopped=True)) == rules - {Rule.EDGE} | {Rule.STOPPED}


def test_the_words_say_who_and_what(policy):
    assert decide_spawn(policy, (), "WORKER").text == "A person may start WORKER."
    assert decide_spawn(policy, ("LEAD",), "WORKER").text == "LEAD may start WORKER."
    assert decide_spawn(policy, ("CHIEF",), "WORKER").text == "CHIEF may not spawn WORKER."
    assert decide(policy, Ask(("WORKER",), SWAP)).text == "A person must approve swap_it."
    assert decide(policy, Ask(("WORKER",), SWAP, approved=True)).text == "A person approved this call of swap_it."
    assert decide(policy, Ask(("WORKER",), READ)).text == "WORKER is granted read_it."


def test_rules_and_effects_are_words_fit_for_a_record_and_a_metric():
    assert [rule.value for rule in Rule] == [rule.name.lower() for rule in Rule]
    assert [effect.value for effect in Effect] == [effect.name.lower() for effect in Effect]


def test_the_proper_parents_of_an_agent_are_those_with_an_edge(policy):
    assert proper_parents(policy, "WORKER") == ("LEAD",)
    assert proper_parents(policy, "CHIEF") == ()


def test_a_supervised_call_of_an_unknown_tool_counts_as_a_change(policy):
    assert needs_approval(policy, Ask(("WORKER",), "unknown", supervised=True))
    assert not needs_approval(policy, Ask(("WORKER",), "unknown"))


# --- laws ---


@given(either, asks)
def test_a_verdict_always_has_a_reason_and_an_allow_only_good_ones(policy, ask):
    decision = decide(policy, ask)
    assert decision.reasons
    good = {Rule.GRANTED, Rule.APPROVED}
    assert (rules_of(decision) <= good) == decision.allowed


@given(either, asks)
def test_an_allow_has_a_grant_an_edge_for_each_link_and_leave_of_each_above(policy, ask):
    if not decide(policy, ask).allowed:
        return
    assert ask.tool in policy.use[ask.chain[0]]
    assert ask.tool in policy.tools
    assert len(set(ask.chain)) == len(ask.chain) <= 4
    assert ask.chain[-1] in policy.exposed
    assert all(below in policy.spawn[above] for below, above in pairwise(ask.chain))
    assert all(ask.tool in policy.delegate[above] for above in ask.chain[1:])
    assert not ask.stopped


RANK = {Effect.DENY: 0, Effect.NEEDS_APPROVAL: 1, Effect.ALLOW: 2}


@given(either, asks, st.randoms(use_true_random=False))
def test_taking_a_right_away_or_forbidding_never_lets_more_through(policy, ask, chance):
    def fewer(table):
        return {key: frozenset(name for name in names if chance.random() < 0.7) for key, names in table.items()}

    less = evolve(
        policy,
        use=fewer(policy.use),
        delegate=fewer(policy.delegate),
        spawn=fewer(policy.spawn),
        exposed=frozenset(name for name in policy.exposed if chance.random() < 0.8),
        forbids=policy.forbids | {(chance.choice(AGENTS), chance.choice(TOOLS))},
        approvals=policy.approvals | {chance.choice(TOOLS)},
        tools={name: tool for name, tool in policy.tools.items() if chance.random() < 0.9},
    )
    assert RANK[decide(less, ask).effect] <= RANK[decide(policy, ask).effect]


@given(either, asks)
def test_losing_an_approval_or_a_fact_or_stopping_never_lets_more_through(policy, ask):
    now = RANK[decide(policy, ask).effect]
    assert RANK[decide(policy, evolve(ask, approved=False)).effect] <= now
    assert RANK[decide(policy, evolve(ask, stopped=True)).effect] <= now
    assert RANK[decide(policy, evolve(ask, supervised=True)).effect] <= now
    for fact in FACTS:
        assert RANK[decide(policy, evolve(ask, facts=ask.facts - {fact})).effect] <= now


@given(either, chains, st.sampled_from((*AGENTS, "STRANGER")))
def test_an_allowed_start_gives_a_chain_that_the_decision_takes(policy, chain, child):
    if not decide_spawn(policy, chain, child).allowed:
        return
    below = (child, *chain)
    against = rules_of(decide(policy, Ask(below, "ghost_it")))
    assert against.isdisjoint({Rule.NO_EDGE, Rule.CYCLE, Rule.TOO_DEEP, Rule.NOT_EXPOSED, Rule.UNKNOWN_AGENT})


# --- the oracle ---


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(either, st.lists(asks, min_size=8, max_size=8))
def test_the_decision_is_cedars(policy, questions):
    differing = [ask for ask in questions if cedar_allows(policy, [ask]) != [decide(policy, ask).allowed]]
    assert differing == []


def cedar_allows(policy, questions):
    """What Cedar says of each: every hop's answer is Allow. Names without cards, cycles and depth are no rights."""
    cedarpy = pytest.importorskip("cedarpy")
    text = cedar(policy)
    hops, owners = [], []
    for index, ask in enumerate(questions):
        for principal, action, resource in hops_of(ask):
            context = {
                "facts": sorted(ask.facts),
                "stopped": ask.stopped,
                "supervised": ask.supervised,
                "approved": ask.approved,
            }
            hops.append({"principal": principal, "action": action, "resource": resource, "context": context})
            owners.append(index)
    answers = cedarpy.is_authorized_batch(hops, text, "[]") if hops else []
    allowed = [bool(ask.chain) for ask in questions]
    for index, answer in zip(owners, answers, strict=True):
        assert not answer.diagnostics.errors
        allowed[index] &= answer.allowed
    return [
        verdict
        and all(agent in policy.limits for agent in ask.chain)
        and len(set(ask.chain)) == len(ask.chain) <= min(4, policy.limits[ask.chain[-1]].depth)
        for verdict, ask in zip(allowed, questions, strict=True)
    ]


def hops_of(ask):
    if not ask.chain:
        return
    tool = f"Tool::{json.dumps(ask.tool)}"
    yield f'Agent::"{ask.chain[0]}"', 'Action::"use"', tool
    for below, above in pairwise(ask.chain):
        yield f'Agent::"{above}"', 'Action::"spawn"', f'Agent::"{below}"'
        yield f'Agent::"{above}"', 'Action::"delegate"', tool
    yield 'Person::"somebody"', 'Action::"invoke"', f'Agent::"{ask.chain[-1]}"'


def test_the_export_names_the_policy_it_is_of(policy):
    assert policy.digest in cedar(policy).splitlines()[0]
