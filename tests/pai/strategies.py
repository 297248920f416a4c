"""Random policies and requests, small enough that every rule is met often."""

from hypothesis import strategies as st

from packhorse_pai.domain.decision import Ask
from packhorse_pai.domain.policy import HostTool, Limits, Policy
from packhorse_pai.domain.sources import Precondition

AGENTS = ("A", "B", "C", "D", "E")
TOOLS = ("read_it", "change_it", "swap_it", "ghost_it")
FACTS = ("backup", "validated", "nothing_yet")

agents = st.sampled_from(AGENTS)
tools = st.sampled_from(TOOLS)
some_tools = st.frozensets(tools)
some_agents = st.frozensets(agents)
some_facts = st.frozensets(st.sampled_from(FACTS))
rules = st.builds(
    Precondition,
    some_facts.map(lambda names: tuple(sorted(names))),
    some_facts.map(lambda names: tuple(sorted(names))),
)
policies = st.builds(
    Policy,
    use=st.dictionaries(agents, some_tools),
    delegate=st.dictionaries(agents, some_tools),
    spawn=st.dictionaries(agents, some_agents),
    forbids=st.frozensets(st.tuples(agents, tools), max_size=2),
    exposed=some_agents,
    preconditions=st.dictionaries(tools, st.lists(rules, max_size=2).map(tuple), max_size=2),
    approvals=some_tools,
    limits=st.dictionaries(agents, st.builds(Limits, depth=st.integers(1, 4)), min_size=2),
    tools=st.frozensets(st.sampled_from(TOOLS[:3])).map(
        lambda names: {name: HostTool(name, read_only=name == "read_it") for name in names}
    ),
)
generous = st.builds(
    Policy,
    use=st.just(dict.fromkeys(AGENTS, frozenset(TOOLS))),
    delegate=st.just(dict.fromkeys(AGENTS, frozenset(TOOLS))),
    spawn=st.just(dict.fromkeys(AGENTS, frozenset(AGENTS))),
    forbids=st.frozensets(st.tuples(agents, tools), max_size=1),
    exposed=st.just(frozenset(AGENTS)),
    preconditions=st.dictionaries(tools, st.lists(rules, max_size=2).map(tuple), max_size=1),
    approvals=some_tools,
    limits=st.just({agent: Limits() for agent in AGENTS}),
    tools=st.just({name: HostTool(name, read_only=name == "read_it") for name in TOOLS[:3]}),
)
either = policies | generous
chains = st.lists(st.sampled_from((*AGENTS, "STRANGER")), max_size=5).map(tuple)
asks = st.builds(
    Ask,
    chain=chains,
    tool=st.sampled_from((*TOOLS, "decide_approval")),
    facts=some_facts,
    stopped=st.sampled_from((False, False, False, True)),
    supervised=st.booleans(),
    approved=st.booleans(),
)
