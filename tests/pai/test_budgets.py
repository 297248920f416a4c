from datetime import UTC, datetime, timedelta

import pytest

from packhorse_pai.domain.budgets import Ledger, Pace, child_limits, reserve
from packhorse_pai.domain.facts import at_path, proved
from packhorse_pai.domain.policy import Limits
from packhorse_pai.domain.sources import FactRule

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ledger(name="A", **limits):
    return Ledger(name, Limits(**limits), NOON)


def test_a_use_counts_for_all_above_or_for_none():
    child, chief = ledger("CHILD", calls=5), ledger("CHIEF", calls=2)
    assert [reserve((child, chief), {"calls": 1}, NOON) for _ in range(3)] == [
        None,
        None,
        "CHIEF has used its 2 calls.",
    ]
    assert (child.used["calls"], chief.used["calls"]) == (2, 2)


def test_what_is_left_is_never_below_none():
    one = ledger(calls=1)
    one.used["calls"] = 3
    assert one.left("calls") == 0


@pytest.mark.parametrize(("after", "left"), [(0, 300), (299, 1), (300, 0), (400, 0), (-50, 300)])
def test_wall_time_runs_out_and_a_clock_set_back_gives_no_more(after, left):
    one, now = ledger(seconds=300), NOON + timedelta(seconds=after)
    assert one.seconds_left(now) == left
    assert (reserve((one,), {"calls": 1}, now) is None) == (left > 0)


def test_a_child_has_no_more_than_is_left_above():
    chief = ledger("CHIEF", calls=10, spawns=1, turns=50, depth=2)
    chief.used["calls"] = 7
    limits = child_limits(Limits(calls=40, spawns=20, turns=5), (chief,), NOON + timedelta(seconds=100))
    assert limits == Limits(calls=3, spawns=1, turns=5, seconds=200, depth=2, tokens=200_000)


@pytest.mark.parametrize(("rate", "seconds"), [("2/second", 1), ("2/minute", 60), ("2/hour", 3600), ("2/day", 86_400)])
def test_a_rate_is_a_window_that_moves(rate, seconds):
    pace, later = Pace(rate), timedelta(seconds=seconds)
    assert [pace.take(NOON), pace.take(NOON + later / 2), pace.take(NOON + later / 2)] == [True, True, False]
    assert [pace.take(NOON + later), pace.take(NOON + later)] == [True, False]


RULE = FactRule("seen", "look")


@pytest.mark.parametrize(
    ("rule", "output", "refusal", "kinds"),
    [
        (RULE, {}, None, ("seen",)),
        (RULE, {}, "BROKEN", ()),
        (RULE, None, None, ()),
        (FactRule("seen", "look", when="ok"), {"ok": True}, None, ("seen",)),
        (FactRule("seen", "look", when="ok"), {"ok": "yes"}, None, ()),
        (FactRule("none", "look", refusal="EMPTY"), None, "EMPTY", ("none",)),
        (FactRule("none", "look", refusal="EMPTY"), {}, None, ()),
        (FactRule("seen", "listen"), {}, None, ()),
        (FactRule("seen", "look", provided=True), {}, None, ()),
    ],
)
def test_only_a_validated_output_or_a_typed_refusal_proves(rule, output, refusal, kinds):
    assert proved([rule], "look", output, refusal) == kinds


def test_what_the_host_provides_counts_only_of_its_own_calls():
    rules = [FactRule("own", "look", provided=True), FactRule("seen", "look")]
    assert proved(rules, "look", {}, None, by_host=True) == ("own",)


def test_a_path_that_is_not_there_is_nothing():
    assert at_path({"a": {"b": 1}}, "a.b") == 1
    assert at_path({"a": [1]}, "a.0") is None
    assert at_path(None, "a") is None
