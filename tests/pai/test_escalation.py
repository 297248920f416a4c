"""What of an answer or a refusal is an event."""

import pytest

from packhorse_pai.domain.escalation import events_from
from packhorse_pai.domain.sources import EventRule


@pytest.mark.parametrize(
    ("equals", "value", "is_event"),
    [
        ("open", "open", True),
        ("open", "Open", False),
        (2, 2, True),
        (2, 2.0, True),
        (1, True, False),
        (True, 1, False),
        (False, False, True),
        ("2", 2, False),
        (0, None, False),
    ],
)
def test_an_answer_with_exactly_the_value_of_a_rule_is_an_event(equals, value, is_event):
    rule = EventRule("seen", "look", path="found.state", equals=equals)
    assert bool(events_from([rule], "look", {"found": {"state": value}}, None)) is is_event
