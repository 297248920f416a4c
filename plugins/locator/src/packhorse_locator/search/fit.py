"""Fitting the confidence: which weights make the right names likely.

The model is a conditional logit with an alternative *nobody* whose log-odds are 0 (McFadden 1974): of the candidates
of a query at most one name is right. Weights minimise the negative log-likelihood plus a ridge on scaled features.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from packhorse_locator.domain.names.confidence import Model
from packhorse_locator.domain.names.evidence import FEATURES
from packhorse_locator.search.ranking import MOST_RIVALS

Floats = NDArray[np.float64]
RIDGE = 2.0
"""Penalty on squared weights of features scaled to unit deviation (recipe, section 4)."""
STEPS = 25
SETTLED = 1e-6
SHORTEST = 1e-4


@frozen(eq=False)
class Case:
    """A labelled query.

    Attributes:
        features: One row a candidate name, best rough worth first.
        right: Which of them have the searched name; none for an absent person or one that was not retrieved.
        weight: How many cases it counts for.
        present: Whether the person is in the registry.
    """

    features: Floats
    right: NDArray[np.bool_]
    weight: float = 1.0
    present: bool = True


def fit(cases: Sequence[Case], provenance: str, *, ridge: float = RIDGE) -> Model:
    """The weights that make the labels of these cases most likely.

    Newton's method on the convex part, each step halved until it gains; it stops when a step gains less than
    ``SETTLED`` of the loss.
    """
    rows = max(1, min(MOST_RIVALS, max(len(c.features) for c in cases)))
    wide = np.zeros((len(cases), rows, len(FEATURES)))
    open_ = np.zeros((len(cases), rows), np.bool_)
    right = np.zeros((len(cases), rows), np.bool_)
    for number, case in enumerate(cases):
        size = min(rows, len(case.features))
        wide[number, :size] = case.features[:size]
        open_[number, :size] = True
        right[number, :size] = case.right[:size]
    scale = wide[open_].std(axis=0)
    scale[scale == 0] = 1.0
    wide /= scale
    wide = np.concatenate([wide, np.ones((*wide.shape[:2], 1))], axis=2)
    weight = np.array([case.weight for case in cases])
    penalty = np.append(np.full(len(FEATURES), ridge), 1e-3)
    found = newton(wide, open_, right, weight, penalty)
    present = sum(case.weight for case in cases if case.present) / weight.sum()
    return Model(tuple((found[:-1] / scale).tolist()), float(found[-1]), float(present), provenance)


def newton(wide: Floats, open_: NDArray[np.bool_], right: NDArray[np.bool_], weight: Floats, penalty: Floats) -> Floats:
    """Minimise the loss; see ``fit``."""
    found = np.zeros(wide.shape[2])
    flat = wide.reshape(-1, wide.shape[2])
    hit = right.any(axis=1)

    def at(point: Floats) -> tuple[float, Floats, Floats]:
        """Loss, share of each candidate, and the shares that the labels ask for."""
        scores = np.where(open_, wide @ point, -np.inf)
        top = np.maximum(scores.max(axis=1), 0.0)
        parts = np.exp(scores - top[:, None])
        nobody = np.exp(-top)
        whole = nobody + parts.sum(axis=1)
        good = np.maximum(np.where(hit, np.where(right, parts, 0).sum(axis=1), nobody), 1e-300)
        loss = float(-(weight * np.log(good / whole)).sum() + 0.5 * (penalty * point**2).sum())
        return loss, parts / whole[:, None], np.where(right, parts, 0) / np.where(hit, good, 1.0)[:, None]

    loss, share, wanted = at(found)
    for _ in range(STEPS):
        mean = np.einsum("qc,qcf->qf", share, wide)
        slope = np.einsum("qc,qcf->f", (share - wanted) * weight[:, None], wide) + penalty * found
        curve = (flat * (share * weight[:, None]).reshape(-1, 1)).T @ flat - (mean * weight[:, None]).T @ mean
        step = np.linalg.solve(curve + np.diag(penalty), slope)
        stride = 1.0
        while (tried := at(found - stride * step))[0] >= loss and stride > SHORTEST:
            stride /= 2
        gained = loss - tried[0]
        if gained <= 0:
            break
        found = found - stride * step
        loss, share, wanted = tried
        if gained < SETTLED * abs(loss):
            break
    return found
