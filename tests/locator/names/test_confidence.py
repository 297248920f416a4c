"""From evidence to probability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_locator.domain.names.confidence import Model, shares
from packhorse_locator.domain.names.evidence import FEATURES

SCORES = st.lists(st.floats(-60, 60), max_size=12)


@given(SCORES)
def test_shares_are_probabilities_that_leave_room_for_nobody(scores):
    found = shares(scores)
    assert all(0 <= share <= 1 for share in found)
    assert sum(found) <= 1 + 1e-9


@given(SCORES)
def test_a_better_score_never_has_a_smaller_share(scores):
    ordered = shares(sorted(scores))
    assert ordered == sorted(ordered)


def test_even_odds_against_nobody_are_one_half():
    assert shares([0.0]) == [0.5]


def test_two_equal_names_share_what_one_would_have():
    one, other = shares([30.0, 30.0])
    assert one == other == pytest.approx(0.5)


def test_a_huge_score_does_not_overflow():
    assert shares([5_000.0, -5_000.0]) == [1.0, 0.0]


def test_a_model_of_other_features_is_refused():
    with pytest.raises(ValueError, match="fit the model again"):
        Model((1.0,), 0.0, 0.8, "")


def test_a_score_is_the_weighted_sum_of_the_evidence():
    model = Model(tuple(float(n) for n in range(len(FEATURES))), -1.0, 0.8, "")
    features = [0.0] * len(FEATURES)
    features[3] = 2.0
    assert model.score(features) == 5.0
