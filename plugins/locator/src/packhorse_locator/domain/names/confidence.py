"""From evidence to the probability that a record has the searched name."""

from collections.abc import Sequence
from math import exp

from attrs import frozen

from packhorse_locator.domain.names.evidence import FEATURES

SURNAME_ONLY_MOST = 0.79
"""A query without a given name never reaches the default threshold against a record that has one: too many share it."""


@frozen
class Model:
    """Fitted weights, and where they come from.

    Attributes:
        weights: One a feature, in the order of ``FEATURES``.
        bias: Log-odds of a candidate without any evidence against nobody.
        present: Share of queries in the fitted data whose person was in the registry.
        provenance: What it was fitted on, when and how, in one line.
    """

    weights: tuple[float, ...]
    bias: float
    present: float
    provenance: str

    def __attrs_post_init__(self) -> None:
        """A model of other features is no model."""
        if len(self.weights) != len(FEATURES):
            raise ValueError(f"{len(self.weights)} weights for {len(FEATURES)} features: fit the model again")

    def score(self, features: Sequence[float]) -> float:
        """Log-odds of the record's name against nobody."""
        return self.bias + sum(w * f for w, f in zip(self.weights, features, strict=True))


def shares(scores: Sequence[float]) -> list[float]:
    """The probability of each name, given all of them and nobody: one of them is right, or none is.

    Args:
        scores: Log-odds of distinct names against nobody.
    """
    top = max([0.0, *scores])
    parts = [exp(score - top) for score in scores]
    whole = exp(-top) + sum(parts)
    return [part / whole for part in parts]
