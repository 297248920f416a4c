"""What answers say, in the caller's language: short sentences, and the long guidance behind its resources."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

Spoken = Literal["en", "es"]
"""Languages of answers; guidance has four."""

GUIDANCE_LANGUAGES = ("en", "es", "pt", "ht")
TOPICS = ("found", "not-found")


@cache
def _data(name: str) -> Mapping[str, Any]:
    text = (resources.files("packhorse_locator") / "data" / name).read_text(encoding="utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


def say(language: Spoken, key: str, **values: object) -> str:
    """One of the sentences of ``data/answers.json``, filled."""
    text: str = _data("answers.json")[language][key]
    return text.format(**values)


def guidance(language: str, topic: str) -> list[str] | None:
    """What to do once somebody is found, or what it means that nobody was; None for a language or topic not known."""
    words = _data("guidance.json").get(language)
    if words is None or topic not in TOPICS:
        return None
    return (
        list(words["when_found"]) if topic == "found" else [words["meaning"], *words["reasons"], *words["next_steps"]]
    )


def spoken(language: str) -> Spoken:
    """The language of an answer, from a tag such as es-MX."""
    return "es" if language.partition("-")[0].lower() == "es" else "en"
