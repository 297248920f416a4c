"""What holds whatever happens in whatever order: agents start, call, wait, are approved, denied and stopped.

The machine here is the gate's; of the design's fifteen invariants it and its
neighbours hold:

- P1 a body runs after exactly one allow: here and, with real bodies, ``test_campaign``
- P2, P4, P6 no allow without grant, delegation, card and edge; no cycle, no more spawns than the tree has: here
- P3 taking a right away lets nothing more through: here at each step, and ``test_decision``
- P5 no account is overdrawn, at the same moment neither: here, ``test_gate``
- P7 an approval is used once, for its call, in its time: here, ``test_approvals``
- P8 a crash at any write leaves at most one effect: ``test_crashes``
- P9 the record shows any change: ``tests/core/audit/test_report``; that agents are in it: ``test_usage``
- P10 Cedar decides the same: ``test_decision``; P11 cards come back from their text: ``test_cards``
- P12 no canary in a sink: ``test_usage``, ``test_attacks``; P13 both protocols: ``test_runtimes``
- P14 a playbook's moves depend on nothing else: ``test_playbooks``
- P15 the order of rows and cards is nothing: ``test_governance``
"""

import shutil
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from packhorse import Call, Foresight, Host, Principal
from packhorse_pai.domain.budgets import Ledger, child_limits
from packhorse_pai.domain.decision import Ask, decide
from packhorse_pai.domain.facts import proved
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, HostTool, Limits
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.service.running.runs import Run
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.migrations import MIGRATIONS

TOOLS = (
    "validate_schedule", "generate_schedule", "detect_conflicts", "execute_swap", "run_contingency_analysis",
    "snapshot_schedule", "forbidden_tool",
)  # fmt: skip
READING = {"validate_schedule", "detect_conflicts", "run_contingency_analysis"}
AGENTS = ("COORD_ENGINE", "ARCHITECT", "SCHEDULER", "SWAP_MANAGER", "COMPLIANCE_AUDITOR", "QA_TESTER", "STRANGER")
ANN = Principal("human", "ann", frozenset({"COORDINATOR"}))


class Agents(RuleBasedStateMachine):
    runs = Bundle("runs")
    ended = Bundle("ended")
    waiting = Bundle("waiting")

    @initialize(supervised=st.booleans())
    def open(self, supervised):
        self.folder = Path(tempfile.mkdtemp())
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        host = Host("pai", data_dir=self.folder, migrations=MIGRATIONS, clock=lambda: self.now, settings=PaiSettings())
        self.desk = AgentService(host)
        self.policy = self.desk.library.compiled({name: HostTool(name, name in READING) for name in TOOLS}).policy
        self.supervised = supervised
        self.stopped = False
        self.serial = 0
        self.data = 1
        self.allowed = []  # (run, tool, action) of every body that ran
        self.granted = Counter()  # approvals by action
        self.all_runs = []

    def teardown(self):
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def _begin(self, agent, parent):
        self.serial += 1
        chain = (agent, *(parent[0].chain if parent else ()))
        own = self.policy.limits.get(agent, Limits())
        above = parent[0].ledgers if parent else ()
        run = Run(
            id=f"run-{self.serial}",
            agent=agent,
            card=self.desk.library.readings["SCHEDULER"].card,
            chain=chain,
            person=ANN,
            owner="human::ann",
            mission=Mission("m"),
            policy=self.policy,
            ledger=Ledger(agent, child_limits(own, above, self.now), self.now),
            driver="playbook",
            parent=parent[0] if parent else None,
            supervised=self.supervised,
        )
        self.desk.records.add_run(_row(run))
        self.desk.checker.enter(run)
        self.all_runs.append(run)
        return run, (parent[1] if parent else ANN).agent(agent, run=run.id)

    @rule(target=runs, agent=st.sampled_from(AGENTS))
    def a_person_invokes(self, agent):
        # Also strangers: the gate must hold even where the engine would have refused to begin.
        return self._begin(agent, None)

    @rule(target=runs, parent=runs, child=st.sampled_from(AGENTS), by=st.sampled_from(sorted(SPAWN_TOOLS)))
    def an_agent_starts_another(self, parent, child, by):
        run, principal = parent
        named = {"agent_name": child, "coordinator_name": child}
        verdict = self.desk.judge(principal, Call(by, "pai", named))
        started = SPAWN_TOOLS[by] or child
        if verdict is not None:
            return parent
        assert not self.stopped
        assert run in [one for one in self.all_runs if self.desk.checker.find(one.id) is one]
        assert started in self.policy.spawn[run.agent]
        assert started not in run.chain
        assert len(run.chain) < 4
        return self._begin(started, parent)

    @rule(
        worker=runs,
        tool=st.sampled_from((*TOOLS, *sorted(NEVER), "Validate_schedule")),
        schedule=st.sampled_from(("s-1", "s-2", None)),
    )
    def an_agent_calls(self, worker, tool, schedule):
        run, principal = worker
        run.wanted = None
        arguments = {"schedule_id": schedule} if schedule else {}
        version = f"{schedule or 'current'} v{self.data}"
        run.foreseen = (tool, Foresight(version=version))
        action = self.desk.checker.action(run, tool, arguments)
        held = self.desk.records.facts(run.root, version)
        less = evolve(
            self.policy,
            use={agent: tools - {tool} for agent, tools in self.policy.use.items()},
            forbids=self.policy.forbids | {(run.agent, tool)},
        )
        assert not decide(less, Ask(run.chain, tool, approved=True)).allowed
        verdict = self.desk.judge(principal, Call(tool, "wards", arguments))
        if verdict is not None:
            return
        assert self.desk.checker.find(run.id) is run
        assert not self.stopped
        assert tool not in NEVER
        assert tool in self.policy.use[run.agent]
        assert all(tool in self.policy.delegate[above] for above in run.chain[1:])
        assert run.chain[-1] in self.policy.exposed
        if tool == "execute_swap":
            assert {"backup_verified", "validate_called"} <= held
        if self.supervised and tool not in READING:
            self.granted[action] -= 1
            assert self.granted[action] >= 0
        self.allowed.append((run, tool, action))
        self.desk.records.add_facts(run.root, proved(self.policy.facts, tool, {"is_valid": True}, None), version)
        if tool not in READING:
            self.data += 1

    @rule(worker=runs, schedule=st.sampled_from(("s-1", "s-2", None)))
    def the_host_takes_a_backup(self, worker, schedule):
        kinds = proved(self.policy.facts, "snapshot_schedule", {}, None, by_host=True)
        self.desk.records.add_facts(worker[0].root, kinds, f"{schedule or 'current'} v{self.data}")

    @rule()
    def somebody_changes_the_data(self):
        self.data += 1

    @rule(target=waiting, worker=runs)
    def an_agent_asks_for_what_it_wanted(self, worker):
        run = worker[0]
        if run.wanted is None:
            return None
        self.serial += 1
        return self.desk.records.ask(
            Approval(
                id=f"a-{self.serial}",
                run=run.id,
                agent=run.agent,
                chain=run.chain,
                tool=run.wanted.tool,
                arguments=run.wanted.arguments,
                tool_digest=self.policy.tools[run.wanted.tool].digest,
                policy_digest=self.policy.digest,
                action_digest=run.wanted.action,
                owner=run.owner,
                requested_at=self.now,
                expires_at=self.now + timedelta(hours=24),
                state="pending",
            )
        )

    @rule(approval=waiting, approve=st.booleans())
    def a_person_decides(self, approval, approve):
        if approval is None:
            return
        done = self.desk.records.decide(approval.id, approve=approve, by="bob", comment=None, now=self.now)
        if done and approve:
            self.granted[approval.action_digest] += 1

    @rule(worker=runs, how_many=st.integers(2, 6))
    def an_agent_calls_many_times_at_once(self, worker, how_many):
        run, principal = worker
        left = min(ledger.left("calls") for ledger in run.ledgers)
        with ThreadPoolExecutor(how_many) as pool:
            call = Call("validate_schedule", "wards", {})
            verdicts = list(pool.map(lambda _: self.desk.judge(principal, call), range(how_many)))
        assert verdicts.count(None) <= left

    @invariant()
    def a_tree_has_no_more_runs_than_its_spawns(self):
        for run in getattr(self, "all_runs", ()):
            below = [one for one in self.all_runs if one is not run and run in list(one.line)]
            assert len(below) <= run.ledger.limits.spawns
            assert len(set(run.chain)) == len(run.chain) <= 4 or run.parent is None

    @rule(minutes=st.sampled_from((1, 4, 90, 60 * 25)))
    def time_passes(self, minutes):
        self.now += timedelta(minutes=minutes)

    @rule()
    def somebody_stops_or_starts_all(self):
        self.stopped = not self.stopped
        if self.stopped:
            self.desk.records.stop("bob", self.now)
        else:
            self.desk.records.start()

    @rule(target=ended, worker=consumes(runs))
    def a_run_ends(self, worker):
        self.desk.checker.leave(worker[0])
        return worker

    @rule(worker=ended, tool=st.sampled_from(TOOLS))
    def nothing_is_called_in_the_name_of_a_run_that_ended(self, worker, tool):
        assert self.desk.judge(worker[1], Call(tool, "wards", {})) is not None

    @invariant()
    def no_account_is_overdrawn(self):
        for run in getattr(self, "all_runs", ()):
            for kind, used in run.ledger.used.items():
                assert used <= max(0, getattr(run.ledger.limits, kind))

    @invariant()
    def a_run_has_used_at_least_what_those_below_it_used(self):
        for run in getattr(self, "all_runs", ()):
            if run.parent is not None:
                below = [one for one in self.all_runs if one.parent is run.parent]
                assert run.parent.ledger.used["calls"] >= sum(one.ledger.used["calls"] for one in below)


def _row(run):
    return {
        "id": run.id, "root": run.root, "parent": None, "parent_step": None, "agent": run.agent, "chain": "[]",
        "owner": run.owner, "mission": "m", "context": "{}", "constraints": "[]", "supervised": 0, "reading": 0,
        "spawning": 1, "mind": "playbook", "used": "{}", "seconds": 0, "status": "running", "log": "[]",
        "policy": "p", "started": "x", "ended": None,
    }  # fmt: skip


TestAgents = Agents.TestCase
TestAgents.settings = settings(
    max_examples=20, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
