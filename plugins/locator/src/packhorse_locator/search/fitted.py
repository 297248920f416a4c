"""The fitted confidence, as it is shipped: weights beside this file, tied to the evidence they were fitted on."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from packhorse_locator.domain.names.confidence import Model
from packhorse_locator.domain.names.evidence import FEATURES

WEIGHTS = "confidence.json"
CAP_BIAS = 0.5
"""Added to a fitted bias: gives true names back what the cap on contradicted ones takes (chosen on a made bench)."""


def model_from(text: str) -> Model:
    """A model from its file. Raises ``ValueError`` when it was fitted on other evidence."""
    content = json.loads(text)
    if list(content["weights"]) != list(FEATURES):
        raise ValueError("the stored confidence was fitted on other evidence: fit it again")
    return Model(tuple(content["weights"].values()), content["bias"], content["present"], content["provenance"])


def model_text(model: Model) -> str:
    """The file of a model."""
    content = {
        "provenance": model.provenance,
        "present": model.present,
        "bias": round(model.bias, 6),
        "weights": {name: round(weight, 6) for name, weight in zip(FEATURES, model.weights, strict=True)},
    }
    return json.dumps(content, indent=1) + "\n"


@cache
def shipped_model() -> Model:
    """The model that comes with the pack."""
    return model_from(files(__package__ or "").joinpath(WEIGHTS).read_text("utf-8"))
