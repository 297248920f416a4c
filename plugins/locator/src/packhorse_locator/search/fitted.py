"""What is shipped with the search: the confidence, tied to the evidence it was fitted on, and families of names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from packhorse_locator.domain.names.confidence import Model
from packhorse_locator.domain.names.evidence import FEATURES
from packhorse_locator.domain.names.families import Kin, kinship_of

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


@cache
def shipped_families() -> Mapping[str, Mapping[str, Kin]]:
    """Each word of ``data/families.txt`` with the words that it may stand for."""
    text = (files("packhorse_locator") / "data" / "families.txt").read_text("utf-8")
    return kinship_of(text.splitlines())


def kin_of(word: str) -> Mapping[str, Kin]:
    """Words that the table lets stand for this one."""
    return shipped_families().get(word, {})
