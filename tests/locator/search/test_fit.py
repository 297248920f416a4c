"""Fitting the confidence."""

import json

import numpy as np
import pytest

from packhorse_locator.domain.names.confidence import shares
from packhorse_locator.domain.names.evidence import FEATURES
from packhorse_locator.search.benchmark import calibration_error
from packhorse_locator.search.fit import Case, fit
from packhorse_locator.search.fitted import model_from, model_text, shipped_model


def drawn(count: int, slope: float, bias: float) -> list[Case]:
    """Queries with two candidates whose true log-odds are known."""
    random = np.random.default_rng(11)
    cases = []
    for _ in range(count):
        features = np.zeros((2, len(FEATURES)))
        features[:, 0] = random.normal(size=2)
        scores = slope * features[:, 0] + bias
        chance = [*shares(scores.tolist())]
        pick = random.choice(3, p=[*chance, 1 - sum(chance)])
        cases.append(Case(features, np.array([pick == 0, pick == 1]), present=pick < 2))
    return cases


def test_the_weights_that_made_the_labels_are_found_again():
    model = fit(drawn(4_000, 2.0, -0.5), "test", ridge=0.01)
    assert model.weights[0] == pytest.approx(2.0, abs=0.2)
    assert model.bias == pytest.approx(-0.5, abs=0.2)


def test_evidence_that_never_varies_gets_no_weight():
    assert set(fit(drawn(200, 1.0, 0.0), "test").weights[1:]) == {0.0}


def test_a_heavier_ridge_makes_smaller_weights():
    cases = drawn(300, 2.0, 0.0)
    assert abs(fit(cases, "", ridge=100).weights[0]) < abs(fit(cases, "", ridge=0.1).weights[0])


def test_a_stored_model_comes_back_the_same():
    model = fit(drawn(50, 1.0, 0.0), "by hand")
    again = model_from(model_text(model))
    assert again.weights == pytest.approx(model.weights, abs=1e-6)
    assert again.provenance == "by hand"


def test_a_stored_model_of_other_evidence_is_refused():
    content = json.loads(model_text(shipped_model()))
    content["weights"]["invented"] = 1.0
    with pytest.raises(ValueError, match="other evidence"):
        model_from(json.dumps(content))


def test_the_shipped_model_says_what_it_was_fitted_on():
    assert "invented persons" in shipped_model().provenance


def test_a_calibrated_forecast_has_no_error_and_a_boastful_one_has():
    assert calibration_error([0.75] * 4, [True, True, True, False]) == 0.0
    assert calibration_error([1.0] * 4, [True, True, False, False]) == 0.5
