"""Looking for calls in a record: each once, with its outcome, from any row on."""

import pytest
from tests.core.audit.factories import OK, begin, edited, end, event, opened, recorded

from packhorse.audit.browse import OPEN, calls
from packhorse.contract.observers import Outcome
from packhorse.errors import PackError

REFUSED = Outcome("refused", "TOO_MANY", 0.002)


def all_of(file, **options):
    return calls(file, lambda call: True, **{"count": 100, **options})


def test_each_call_is_there_once_newest_first_with_its_outcome(file):
    with opened(file) as log:
        first, second = begin(log, event("first")), begin(log, event("second"))
        end(log, first, REFUSED)
        log.note(event("third", effectful=False), OK)
        end(log, second, OK)
    found = all_of(file)
    assert [(call.name, call.status, call.code) for call in found.calls] == [
        ("third", "ok", ""), ("second", "ok", ""), ("first", "refused", "TOO_MANY"),
    ]  # fmt: skip
    assert {call.caller for call in found.calls} == {"human carla"}
    assert found.older is None


def test_a_call_whose_end_is_not_on_record_says_so(file):
    with opened(file) as log:
        begin(log, event("cut off"))
    (call,) = all_of(file).calls
    assert (call.status, call.milliseconds) == (OPEN, None)


@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_page_by_page_the_same_calls_come_as_at_once(file, count):
    """Also where a page ends between a call's two rows."""
    recorded(file, 7)
    found, below = [], None
    while True:
        leaf = all_of(file, count=count, below=below)
        found += leaf.calls
        below = leaf.older
        if below is None:
            break
    assert found == all_of(file).calls
    assert [call.name for call in found] == [f"tool_{number}" for number in range(6, -1, -1)]
    assert {call.status for call in found} == {"ok"}


def test_only_what_is_wanted_is_given(file):
    recorded(file, 7)
    assert [call.name for call in calls(file, lambda call: call.name > "tool_4", count=100).calls] == [
        "tool_6",
        "tool_5",
    ]


def test_a_row_that_somebody_spoilt_is_passed_over(file):
    recorded(file, 2)
    edited(file, "UPDATE entry SET body = '{' WHERE seq = 1")
    assert [call.name for call in all_of(file).calls] == ["tool_1"]


def test_what_is_no_record_is_refused(tmp_path):
    with pytest.raises(PackError, match="there is no audit record"):
        all_of(tmp_path / "none")
    (tmp_path / "text").write_text("not a database, but a text that is long enough" * 40)
    with pytest.raises(PackError, match="verify"):
        all_of(tmp_path / "text")
