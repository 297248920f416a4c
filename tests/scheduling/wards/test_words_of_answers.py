"""What an answer says of a roster that is not lawful."""

import pytest

from packhorse_scheduling.convert.wards.answers import summary_from


@pytest.mark.parametrize("status", ["short", "broken"])
def test_a_roster_that_is_not_lawful_names_no_bound_and_is_not_called_the_cheapest(status):
    body = {"objective": 77, "bound": 60015, "gap": 0.0, "proven": True, "status": status, "short": 1}
    words = summary_from({**body, "broken_count": 1, "cpu_seconds": 30.0})
    assert "60015" not in words
    assert "a cheaper one may exist" in words
