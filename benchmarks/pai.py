"""What deciding costs, and whether Cedar decides the same: our policy, cedarpy and casbin in one run.

Run it with ``python benchmarks/pai.py``; it needs ``cedarpy`` and ``casbin``. It prints one line a claim, with the
target, and ends with status 1 where one is not met.
"""

import json
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from packhorse import Call, Host, Principal
from packhorse_pai.domain.budgets import Ledger
from packhorse_pai.domain.cards import Card, Reading
from packhorse_pai.domain.cedar import cedar
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.decision import Ask, decide
from packhorse_pai.domain.deriving import derived
from packhorse_pai.domain.grants import Layer, World, judge
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.names import Agent
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, HostTool, Limits, Policy
from packhorse_pai.domain.seen import Record, Seen
from packhorse_pai.domain.sources import Precondition, Source
from packhorse_pai.domain.words import Words
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.service.running.runs import Run
from packhorse_pai.store.migrations import MIGRATIONS

AGENTS = [f"AGENT_{number}" for number in range(55)]
TOOLS = [f"tool_{number}" for number in range(40)]
FACTS = ("backup", "validated", "nothing_yet")


SHAPES = {
    "send_email": {"recipients": ["ann@example.org"], "subject": "meeting", "body": "word " * 72},
    "send_money": {"recipient": "UK12345678901234567890", "amount": 120.5, "subject": "rent", "date": "2024-05-15"},
    "create_calendar_event": {"title": "meeting", "participants": ["ann@example.org", "x@y.org"], "day": "2024-05-15"},
    "delete_file": {"file_id": "17"},
    "execute_swap": {"swap_id": "s"},
}
"""Five shapes of call: a long text, an amount, a list, an id that was seen, an id that was not."""


ROUNDS = 9
"""Of which the middle one counts: on a machine with other work a round may lose its caches at every turn."""


def verdicts():
    """CPU time of a verdict on arguments, with one layer and with four."""
    implied = [
        derived(tool, {"properties": {key: {} for key in given}}, read_only=False) for tool, given in SHAPES.items()
    ]
    written = [
        grant_from(
            {"tool": tool, "args": {key: ["named", {"links": True, "short": 400}] for key in given}, "else": "ask"}
        )
        for tool, given in SHAPES.items()
    ]
    # A chain of three agents whose grants follow from the tools, as a policy compiles them, and a layer by hand.
    chain = [Layer.of(implied), Layer.of(implied), Layer.of(written), Layer.of(implied)]
    seen = Seen()
    seen.add([Record("file", str(number), (f"report {number}",)) for number in range(200)])
    text = "Send an email to ann@example.org about the meeting on 2024-05-15, pay 120.50 and delete report 17. " * 6
    world = World(Words(text), True, seen)
    for layers, goal in ((1, 20), (4, 40)):
        for tool, given in SHAPES.items():
            p99s = sorted(_p99(chain[:layers], tool, given, world) for _ in range(ROUNDS))
            least, p99 = p99s[0] / 1000, p99s[ROUNDS // 2] / 1000
            said = "met" if p99 <= goal else "missed"
            print(
                f"verdict, {layers} layers, {tool}, p99: {p99:.1f} us CPU, least {least:.1f} (goal <= {goal} us) {said}"
            )


def _p99(layers, tool, given, world):
    """Nanoseconds of CPU that 99 of 100 verdicts stay below, of 4,000."""
    times = []
    for _ in range(4000):
        began = time.process_time_ns()
        judge(layers, tool, given, world)
        times.append(time.process_time_ns() - began)
    return sorted(times)[3960]


def main():
    """Every claim."""
    verdicts()
    chance = random.Random(9)
    readings, sources, tools = large(chance)
    kept = [compiling(readings, sources, tools), deciding(chance, readings, sources, tools)]
    kept += [agreeing(chance, int(sys.argv[1]) if len(sys.argv) > 1 else 10_000), forbidden(chance, 100_000)]
    sys.exit(0 if all(kept) else 1)


def large(chance):
    """55 cards in a tree of four storeys, and a matrix of 40 tools."""
    children = {agent: AGENTS[4 * index + 1 : 4 * index + 5] for index, agent in enumerate(AGENTS)}
    readings = {
        agent: Reading(Card(agent, "r", "Deputy", "m", "Human", ", ".join(children[agent]) or "None", "Human"))
        for agent in AGENTS
    }
    uses = {agent: frozenset(chance.sample(TOOLS, 12)) for agent in AGENTS}
    spawns = {agent: tuple(Agent(child) for child in children[agent]) for agent in AGENTS}
    needs = {tool: Precondition(("backup", "validated"), ("nothing_yet",)) for tool in TOOLS[:5]}
    sources = [Source("matrix", uses=uses, spawns=spawns, preconditions=needs, approvals=frozenset(TOOLS[5:8]))]
    return readings, sources, {tool: HostTool(tool, read_only=number % 2 == 0) for number, tool in enumerate(TOOLS)}


def compiling(readings, sources, tools):
    """The policy of 55 cards and 40 tools."""
    spent = []
    for _ in range(10):
        begun = time.process_time()
        compile_policy(readings, sources, tools)
        spent.append(1000 * (time.process_time() - begun))
    return told("compile 55 cards and a matrix, worst of 10", max(spent), 150, "ms")


def deciding(chance, readings, sources, tools):
    """A call four agents deep; beside it, what Cedar and casbin need for the same five questions."""
    policy = compile_policy(readings, sources, tools).policy
    chains = [chain for agent in AGENTS if len(chain := upwards(agent)) == 4]
    facts = frozenset({"backup", "validated"})
    asks = [Ask(chance.choice(chains), chance.choice(TOOLS), facts) for _ in range(20_000)]
    spent = []
    for ask in asks:
        begun = time.perf_counter_ns()
        decide(policy, ask)
        spent.append((time.perf_counter_ns() - begun) / 1000)
    spent.sort()
    middle = spent[len(spent) // 2]
    met = told("decide at depth 4, 55 agents, 40 tools, p99", spent[int(len(spent) * 0.99)], 20, "us")
    print(f"  p50 {middle:.2f} us")
    peers = {"cedarpy": by_cedar(policy, asks[:20]), "casbin": by_casbin(policy, asks[:20])}
    for name, cost in peers.items():
        print(
            f"  {name}: {cost:.0f} us for the same call, {cost / middle:.0f} times ours"
            if cost
            else f"  {name}: not installed"
        )
    return met


def upwards(agent):
    """An agent and those that started it, nearest first."""
    index, chain = AGENTS.index(agent), [agent]
    while index:
        index = (index - 1) // 4
        chain.append(AGENTS[index])
    return tuple(chain)


def by_cedar(policy, asks):
    """Microseconds for one call, all hops in one batch."""
    try:
        import cedarpy
    except ImportError:
        return None
    text = cedar(policy)
    begun = time.process_time()
    for ask in asks:
        cedarpy.is_authorized_batch(list(hops(ask)), text, "[]")
    return 1e6 * (time.process_time() - begun) / len(asks)


def by_casbin(policy, asks):
    """Microseconds for one call, hop by hop, with grants and edges as its rules."""
    try:
        import casbin
    except ImportError:
        return None
    model = casbin.Model()
    model.load_model_from_text(
        "[request_definition]\nr = sub, act, obj\n[policy_definition]\np = sub, act, obj\n"
        "[policy_effect]\ne = some(where (p.eft == allow))\n"
        "[matchers]\nm = r.sub == p.sub && r.act == p.act && r.obj == p.obj\n"
    )
    enforcer = casbin.Enforcer(model)
    for action, table in (("use", policy.use), ("delegate", policy.delegate), ("spawn", policy.spawn)):
        enforcer.add_policies([[agent, action, name] for agent, names in table.items() for name in names])
    begun = time.process_time()
    for ask in asks:
        enforcer.enforce(ask.chain[0], "use", ask.tool)
        for below, above in pairwise(ask.chain):
            enforcer.enforce(above, "spawn", below)
            enforcer.enforce(above, "delegate", ask.tool)
    return 1e6 * (time.process_time() - begun) / len(asks)


def hops(ask):
    """The questions that Cedar is asked for one call."""
    context = {
        "facts": sorted(ask.facts),
        "stopped": ask.stopped,
        "supervised": ask.supervised,
        "approved": ask.approved,
    }
    tool = f"Tool::{json.dumps(ask.tool)}"
    asked = [(f'Agent::"{ask.chain[0]}"', "use", tool), ('Person::"p"', "invoke", f'Agent::"{ask.chain[-1]}"')]
    for below, above in pairwise(ask.chain):
        asked += [(f'Agent::"{above}"', "spawn", f'Agent::"{below}"'), (f'Agent::"{above}"', "delegate", tool)]
    for principal, action, resource in asked:
        yield {"principal": principal, "action": f'Action::"{action}"', "resource": resource, "context": context}


def agreeing(chance, how_many):
    """Random small policies, ten questions each: ours and Cedar's verdicts must be the same."""
    try:
        import cedarpy
    except ImportError:
        print("equal to Cedar: not run, cedarpy is not installed")
        return False
    differing = done = allowed = 0
    while done < how_many:
        policy = small(chance)
        asks = [ask for ask in (question(chance) for _ in range(10)) if ask.chain]
        asked = [list(hops(ask)) for ask in asks]
        answers = iter(cedarpy.is_authorized_batch([hop for one in asked for hop in one], cedar(policy), "[]"))
        for ask, one in zip(asks, asked, strict=True):
            verdicts = [next(answers).allowed for _ in one]
            verdict = all(verdicts)
            # What Cedar has no word for: names without cards, an agent twice in a chain, and depth.
            chain = ask.chain
            verdict &= all(agent in policy.limits for agent in chain) and len(set(chain)) == len(chain)
            verdict = verdict and len(chain) <= min(4, policy.limits[chain[-1]].depth)
            differing += verdict != decide(policy, ask).allowed
            allowed += verdict
            done += 1
    print(f"  of {done} random requests Cedar allows {allowed}")
    return told("verdicts that differ from Cedar's", differing, 0, "")


def small(chance):
    """A policy in which every rule is met often."""
    agents, tools = AGENTS[:4], TOOLS[:4]

    def some(names, share):
        return frozenset(name for name in names if chance.random() < share)

    share = chance.choice((0.5, 0.9, 1.0))
    return Policy(
        use={agent: some(tools, share) for agent in agents},
        delegate={agent: some(tools, share) for agent in agents},
        spawn={agent: some(agents, share) for agent in agents},
        exposed=some(agents, share),
        forbids=frozenset((chance.choice(agents), chance.choice(tools)) for _ in range(chance.choice((0, 0, 1)))),
        preconditions={
            tool: (Precondition(tuple(sorted(some(FACTS, 0.5))), tuple(sorted(some(FACTS, 0.2)))),)
            for tool in some(tools, 0.3)
        },
        approvals=some(tools, 0.3),
        limits={agent: Limits(depth=chance.randint(1, 4)) for agent in some(agents, 0.95)},
        tools={tool: HostTool(tool, chance.random() < 0.5) for tool in some(tools, 0.9)},
    )


def question(chance):
    """One request, often a good one."""
    return Ask(
        tuple(chance.choice(AGENTS[:4]) for _ in range(chance.choice((1, 1, 2, 3, 4, 5)))),
        chance.choice(TOOLS[:4]),
        frozenset(fact for fact in FACTS if chance.random() < 0.6),
        stopped=chance.random() < 0.05,
        supervised=chance.random() < 0.3,
        approved=chance.random() < 0.6,
    )


def forbidden(chance, how_many):
    """Calls of adversarial agents at the gate. A body "runs" where the gate allows; none may that is not granted."""
    granted = (
        "validate_schedule", "generate_schedule", "detect_conflicts", "execute_swap", "analyze_swap_candidates",
        "run_contingency_analysis", "forbidden_tool", "execute_sacrifice_hierarchy",
    )  # fmt: skip
    wild = ["", "ANY", "*", "validate_schedule ", "Validate_schedule", "v\u0430lidate_schedule", "../execute_swap"]
    ran = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        host = Host("pai", data_dir=Path(folder), migrations=MIGRATIONS, clock=lambda: now, settings=PaiSettings())
        desk = AgentService(host)
        desk.records.stopped()
        policy = desk.library.compiled({name: HostTool(name, name == "validate_schedule") for name in granted}).policy
        ann = Principal("human", "ann", frozenset({"COORDINATOR"}))
        names = [*sorted(policy.agents), "STRANGER"]
        # The store is asked at every call of a real host; here its answers are fixed, and the gate is what is tried.
        desk.records.stopped = lambda: False
        desk.records.facts = lambda root, version: frozenset()
        desk.records.consume = lambda *about: False
        for number in range(how_many):
            chain = tuple(chance.choice(names) for _ in range(chance.choice((1, 1, 1, 2, 3, 5))))
            run = Run(
                id=str(number), agent=chain[0], card=desk.library.readings["SCHEDULER"].card, chain=chain, person=ann,
                owner="human::ann", mission=Mission("m"), policy=policy,
                ledger=Ledger(chain[0], Limits(), now), driver="playbook",
            )  # fmt: skip
            desk.checker.enter(run)
            principal = ann
            for agent in reversed(chain):
                principal = principal.agent(agent, run=run.id)
            tool = chance.choice((*granted, *NEVER, *SPAWN_TOOLS, *wild))
            arguments = {"schedule_id": "s", "agent_name": chance.choice((*names, *wild)), "approved": True}
            if desk.judge(principal, Call(tool, "wards", arguments)) is None:
                ran += 1
                wrong += not legal(policy, chain, tool, arguments)
            desk.checker.leave(run)
    print(f"  {ran} of {how_many} generated calls were allowed")
    return told("forbidden tool bodies executed", wrong, 0, "")


def legal(policy, chain, tool, arguments):
    """The rule written a second time, from the specification: what an allowed call must be."""
    line = all(below in policy.spawn.get(above, ()) for below, above in pairwise(chain))
    line = line and len(set(chain)) == len(chain) <= 4 and chain[-1] in policy.exposed
    if tool in SPAWN_TOOLS:
        child = SPAWN_TOOLS[tool] or arguments["agent_name"]
        return line and child in policy.spawn.get(chain[0], ()) and child not in chain
    waits = tool in policy.approvals or tool in policy.preconditions
    return line and tool in policy.use.get(chain[0], ()) and tool not in NEVER and not waits


def told(what, found, bar, unit):
    """Print one claim; whether it is met."""
    met = found <= bar
    print(f"{what}: {found:.4g} {unit} (target <= {bar} {unit}) {'met' if met else 'NOT MET'}".replace("  ", " "))
    return met


if __name__ == "__main__":
    main()
