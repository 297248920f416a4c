import json
import os
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from attrs import evolve

from packhorse import Host, UserError
from packhorse_pai.domain.digests import action_digest
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse_pai.store.records import Records

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MOMENT = timedelta(microseconds=1)
CALL = {
    "tool": "execute_swap",
    "tool_digest": "t1",
    "arguments": {"swap_id": "s", "people": ["a", "b"], "count": 1},
    "chain": ("SWAP_MANAGER", "COORD_ENGINE"),
    "owner": "human:issuer:ann",
    "policy": "p1",
}


class Time:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def host(tmp_path, time):
    return Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=time, settings=PaiSettings())


@pytest.fixture
def records(host):
    found = Records(host)
    found.add_run(run_row("run-1"))
    found.add_run(run_row("run-2"))
    return found


def run_row(identity):
    return {
        "id": identity, "root": identity, "parent": None, "parent_step": None, "agent": "SWAP_MANAGER", "chain": "[]",
        "owner": CALL["owner"], "mission": "m", "context": "{}", "constraints": "[]", "supervised": 1, "reading": 0,
        "spawning": 1, "mind": "playbook", "used": "{}", "seconds": 0, "status": "awaiting_approval", "log": "[]",
        "policy": "p1", "started": "x", "ended": None,
    }  # fmt: skip


def approval(identity="a-1", run="run-1", **changed):
    return evolve(
        Approval(
            id=identity,
            run=run,
            agent="SWAP_MANAGER",
            chain=CALL["chain"],
            tool=CALL["tool"],
            arguments=CALL["arguments"],
            tool_digest="t1",
            policy_digest="p1",
            action_digest=action_digest(**CALL),
            owner=CALL["owner"],
            requested_at=NOON,
            expires_at=NOON + DAY,
            state="pending",
        ),
        **changed,
    )


def asked(records, **changed):
    return records.ask(approval(**changed))


def approve(records, identity="a-1", now=NOON):
    return records.decide(identity, approve=True, by="bob", comment=None, now=now)


def consume(records, run="run-1", action=None, policy="p1", tool="t1", now=NOON):
    return records.consume(run, action or action_digest(**CALL), policy, tool, now)


@pytest.mark.parametrize(
    "changed",
    [
        {"tool": "execute_swaps"},
        {"tool_digest": "t2"},
        {"arguments": {**CALL["arguments"], "count": 2}},
        {"arguments": {**CALL["arguments"], "count": True}},
        {"arguments": {**CALL["arguments"], "count": "1"}},
        {"arguments": {**CALL["arguments"], "people": ["b", "a"]}},
        {"arguments": {**CALL["arguments"], "more": None}},
        {"chain": ("SWAP_MANAGER",)},
        {"chain": ("COORD_ENGINE", "SWAP_MANAGER")},
        {"owner": "human:issuer:eve"},
        {"policy": "p2"},
    ],
    ids=lambda changed: json.dumps(changed)[:60],
)
def test_any_change_of_the_call_makes_it_another_action(changed):
    assert action_digest(**{**CALL, **changed}) != action_digest(**CALL)


def test_the_order_of_argument_names_does_not_make_it_another_action():
    turned = dict(reversed(CALL["arguments"].items()))
    assert action_digest(**{**CALL, "arguments": turned}) == action_digest(**CALL)


def test_arguments_that_json_cannot_say_have_no_digest():
    for value in (float("nan"), float("inf"), {1: 2}, object()):
        with pytest.raises(ValueError, match="no JSON text"):
            action_digest(**{**CALL, "arguments": {"x": value}})


def test_an_approval_is_kept_as_it_was_asked(records):
    assert asked(records) == approval()
    assert records.approval("a-1", NOON) == approval()
    assert records.approvals(NOON) == [approval()]
    assert records.approvals(NOON, run="run-2") == []
    assert records.approval("a-2", NOON) is None


def test_the_decision_says_who_when_and_why(records):
    asked(records)
    assert records.decide("a-1", approve=False, by="bob", comment="no", now=NOON + MOMENT)
    expected = approval(state="denied", decided_by="bob", decided_at=NOON + MOMENT, comment="no")
    assert records.approval("a-1", NOON + MOMENT) == expected
    assert records.approvals(NOON + MOMENT) == []


@pytest.mark.parametrize("approve", [True, False])
def test_a_decision_has_one_line_of_the_trail_with_who_which_and_why(records, approve):
    asked(records)
    for by in ("human:issuer:bob", "human:issuer:eve"):  # the second comes too late, and decides nothing
        records.decide("a-1", approve=approve, by=by, comment="as agreed", now=NOON)
    (line,) = records.attempts("run-1")
    assert {key: line[key] for key in ("kind", "verdict", "approval", "caller", "said", "agent", "tool", "run")} == {
        "kind": "decision",
        "verdict": "approved" if approve else "denied",
        "approval": "a-1",
        "caller": "human:issuer:bob",
        "said": "as agreed",
        "agent": "SWAP_MANAGER",
        "tool": "execute_swap",
        "run": "run-1",
    }


def test_of_a_long_trail_the_latest_lines_are_shown(records):
    for number in range(3):
        asked(records, identity=f"a-{number}", run=f"run-{1 + number % 2}", action_digest=str(number))
        approve(records, f"a-{number}", now=NOON + number * MOMENT)
    assert [line["approval"] for line in records.attempts(most=2)] == ["a-1", "a-2"]


def test_an_approved_call_is_used_once(records):
    asked(records)
    assert approve(records)
    assert consume(records)
    assert not consume(records)
    assert records.approval("a-1", NOON).state == "consumed"


def test_a_pending_or_denied_one_is_not_used(records):
    asked(records)
    assert not consume(records)
    assert records.decide("a-1", approve=False, by="bob", comment=None, now=NOON)
    assert not consume(records)


@pytest.mark.parametrize(
    "other",
    [{"run": "run-2"}, {"action": "other"}, {"policy": "p2"}, {"tool": "t2"}],
    ids=["another run", "another action", "another policy", "a changed tool"],
)
def test_an_approval_is_used_for_nothing_else(records, other):
    asked(records)
    approve(records)
    assert not consume(records, **other)
    assert consume(records)


@pytest.mark.parametrize(
    ("after", "holds"),
    [(timedelta(0), True), (DAY - MOMENT, True), (DAY, False), (2 * DAY, False), (-MOMENT, False)],
    ids=["at once", "last moment", "expired", "long expired", "clock set back"],
)
def test_an_approval_holds_until_it_expires(records, after, holds):
    asked(records)
    approve(records)
    assert (records.approval("a-1", NOON + after).state == "approved") == holds
    assert consume(records, now=NOON + after) == holds


@pytest.mark.parametrize(("after", "decidable"), [(DAY - MOMENT, True), (DAY, False), (-MOMENT, False)])
def test_what_expired_cannot_be_decided(records, after, decidable):
    asked(records)
    assert (len(records.approvals(NOON + after)) == 1) == decidable
    assert approve(records, now=NOON + after) == decidable


def test_an_approval_that_ran_out_says_so_and_an_unknown_one_is_none(records):
    asked(records)
    assert records.approval("a-1", NOON + DAY).state == "expired"
    assert records.approval("a-9", NOON) is None
    assert records.standing("run-1", "no such action", NOON) is None


def test_a_decision_is_made_once(records):
    asked(records)
    assert approve(records)
    assert not approve(records)
    assert not records.decide("a-1", approve=False, by="eve", comment=None, now=NOON)
    assert records.approval("a-1", NOON).decided_by == "bob"


def test_one_question_waits_for_one_call_and_a_new_one_follows_an_expired_one(records):
    assert asked(records).id == "a-1"
    assert asked(records, identity="a-2").id == "a-1"
    late = {"requested_at": NOON + DAY, "expires_at": NOON + 2 * DAY}
    assert asked(records, identity="a-3", **late).id == "a-3"
    assert records.standing("run-1", action_digest(**CALL), NOON + DAY).id == "a-3"
    assert not approve(records, "a-1", NOON + DAY)


def test_a_second_question_after_use_is_a_new_one(records):
    asked(records)
    approve(records)
    consume(records)
    assert asked(records, identity="a-2").id == "a-2"
    assert not consume(records)


def test_another_runs_question_is_its_own(records):
    asked(records)
    assert asked(records, identity="a-2", run="run-2").id == "a-2"
    approve(records, "a-2")
    assert not consume(records)
    assert consume(records, run="run-2")


def test_an_approval_survives_a_restart(records, host, tmp_path, time):
    asked(records)
    approve(records)
    again = Records(Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=time))
    assert consume(again)
    assert not consume(records)


def test_of_many_at_once_exactly_one_uses_an_approval(records):
    races, racers = int(os.environ.get("PACKHORSE_PAI_RACES", "40")), 4
    for race in range(races):
        asked(records, identity=f"a-{race}")
        approve(records, f"a-{race}")
        start, won = threading.Barrier(racers), []

        def run(start=start, won=won):
            start.wait()
            won.append(consume(records))

        threads = [threading.Thread(target=run) for _ in range(racers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(won) == [False] * (racers - 1) + [True]


def test_asking_says_that_one_that_ran_out_did(records, host):
    asked(records)
    asked(records, identity="a-2", requested_at=NOON + DAY, expires_at=NOON + 2 * DAY)
    with host.store() as store:
        (row,) = store.query("SELECT state, comment FROM approvals WHERE id = 'a-1'")
    assert (row["state"], row["comment"]) == ("denied", "expired")


def test_of_two_deciders_one_decides(records):
    asked(records)
    verdicts = {}

    def decide(approve):
        verdicts[approve] = records.decide("a-1", approve=approve, by=str(approve), comment=None, now=NOON)

    threads = [threading.Thread(target=decide, args=(approve,)) for approve in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(verdicts.values()) == [False, True]
    assert records.approval("a-1", NOON).decided_by == str(verdicts[True])


def test_texts_of_instants_are_in_the_order_of_time(records, host):
    instants = [NOON, NOON + MOMENT, NOON + timedelta(seconds=1), NOON + timedelta(seconds=1, microseconds=5)]
    for early, late in combinations(instants, 2):
        records.add_run(run_row(f"run-{early}-{late}"))
        asked(records, identity=f"a-{early}-{late}", run=f"run-{early}-{late}", expires_at=late, requested_at=NOON)
        approve(records, f"a-{early}-{late}")
        assert consume(records, run=f"run-{early}-{late}", now=early) == (early < late)


def test_the_table_itself_holds_no_other_state(records, host):
    asked(records)
    with host.store() as store, pytest.raises(sqlite3.IntegrityError):
        store.execute("UPDATE approvals SET state = 'granted'")


def test_the_desk_says_why_a_decision_is_not_taken(records, host, time):
    desk = AgentService(host)
    with pytest.raises(UserError, match="no approval with this id") as unknown:
        desk.approving.decide("a-1", approve=True, by="bob")
    assert unknown.value.code == "UNKNOWN_APPROVAL"
    asked(records)
    assert desk.approving.decide("a-1", approve=True, by="bob").id == "a-1"
    with pytest.raises(UserError, match="already approved") as twice:
        desk.approving.decide("a-1", approve=True, by="bob")
    assert twice.value.code == "NOT_PENDING"


def test_without_four_eyes_the_starter_may_decide(records, tmp_path, time):
    settings = PaiSettings(four_eyes=False)
    host = Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=time, settings=settings)
    asked(records)
    assert AgentService(host).approving.decide("a-1", approve=True, by=CALL["owner"]).id == "a-1"


def test_with_four_eyes_the_starter_decides_nothing(records, tmp_path, time):
    settings = PaiSettings(four_eyes=True)
    desk = AgentService(Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=time, settings=settings))
    asked(records)
    with pytest.raises(UserError, match="second person") as refused:
        desk.approving.decide("a-1", approve=True, by=CALL["owner"])
    assert refused.value.code == "FOUR_EYES"
    assert desk.approving.decide("a-1", approve=True, by="human:issuer:bob").state == "pending"


def test_a_waiting_run_is_taken_up_by_one(records):
    assert [records.claim_run("run-1", NOON), records.claim_run("run-1", NOON)] == [True, False]
    assert not records.claim_run("run-3", NOON)
    records.save_run("run-1", status="completed")
    assert not records.claim_run("run-1", NOON)
    records.save_run("run-1", status="suspended")
    assert records.claim_run("run-1", NOON)


def test_the_kill_switch_is_in_the_store(records, host):
    assert not records.stopped()
    records.stop("bob", NOON)
    records.stop("bob", NOON)
    assert Records(host).stopped()
    records.start()
    assert not records.stopped()


def test_the_digest_of_an_action_stays_what_it_was_for_rows_that_outlive_an_upgrade():
    assert action_digest(**CALL) == "daace4b2ead0ffdcd18b86717873252bd04cca7e2696bdd0dbdfd38f862808c0"


def test_decisions_are_counted(records, host):
    desk = AgentService(host)
    for identity, approve in (("a-1", True), ("a-2", False)):
        asked(records, identity=identity, run=f"run-{identity[-1]}")
        desk.approving.decide(identity, approve=approve, by="bob")
    (counted,) = [figure.values for figure in desk.figures() if figure.name == "approvals"]
    assert counted == {("approved",): 1, ("denied",): 1}
