"""Refusals that a caller repeats: the first of a minute one by one, the others counted in one entry."""

from dataclasses import dataclass, field

import pytest
from tests.core.seeds import pack_of

from packhorse.audit import rows
from packhorse.door.repeats import MOST_WINDOWS, ONE_BY_ONE, WINDOW_SECONDS, Repeats
from packhorse.errors import RequestError
from packhorse.testing import deployment_for

FLOOD = 1_000


@dataclass
class Desk:
    """Refuses, at a time that stands still until it is moved, and keeps what was entered."""

    seconds: float = 0
    entered: list[tuple[str | None, str, int]] = field(default_factory=list)
    refused: int = 0

    def __post_init__(self):
        self.repeats = Repeats(lambda: self.seconds)

    def refuse(self, caller="1.1.1.1", kind="method"):
        self.refused += 1

        def enter(caller):
            return lambda request_id, count: self.entered.append((caller, request_id, count))

        return self.repeats.take(caller, kind, f"id-{self.refused}", enter)


def test_every_refusal_of_a_flood_is_counted_once_under_the_id_that_its_caller_has():
    desk = Desk()
    told = [desk.refuse() for _ in range(FLOOD)]
    assert len(desk.entered) == ONE_BY_ONE
    desk.seconds = WINDOW_SECONDS
    desk.repeats.settle()

    assert sum(count for _, _, count in desk.entered) == FLOOD
    assert len(desk.entered) == ONE_BY_ONE + 1
    assert {request_id for _, request_id, _ in desk.entered} == set(told)


def test_the_next_minute_begins_again():
    desk = Desk()
    for _ in range(ONE_BY_ONE + 5):
        desk.refuse()
    desk.seconds = WINDOW_SECONDS
    desk.refuse()

    assert [count for _, _, count in desk.entered[-2:]] == [5, 1]


@pytest.mark.parametrize(
    "other", [pytest.param({"caller": "2.2.2.2"}, id="caller"), pytest.param({"kind": "media_type"}, id="kind")]
)
def test_a_flood_hides_nothing_of_another(other):
    desk = Desk()
    for _ in range(FLOOD):
        desk.refuse()

    assert desk.entered[-1][1] != desk.refuse(**other) == desk.entered[-1][1]


def test_a_flood_from_very_many_addresses_has_few_entries_too():
    desk = Desk()
    for number in range(3 * MOST_WINDOWS):
        desk.refuse(caller=str(number))
    desk.repeats.close()

    assert len(desk.entered) == MOST_WINDOWS + ONE_BY_ONE + 1
    assert desk.entered[-1][0] is None
    assert sum(count for _, _, count in desk.entered) == 3 * MOST_WINDOWS


def test_what_was_counted_is_on_record_when_the_server_has_stopped(tmp_path):
    def nothing() -> None:
        """Do nothing."""

    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[nothing]))
    with deployment.running():
        error = RequestError(-32600, "method", "Method Not Allowed")
        ids = [deployment.dispatcher.accounts.refused_at_the_door(error, str(n), "1.1.1.1") for n in range(FLOOD)]

    calls = [row["body"]["call"] for row in rows(deployment.settings.audit_path)]
    assert len(calls) == ONE_BY_ONE + 1
    assert (calls[-1]["request_id"], calls[-1]["count"]) == (ids[-1], FLOOD - ONE_BY_ONE)
    assert (calls[-1]["name"], calls[-1]["address"]) == ("method", "1.1.1.1")
