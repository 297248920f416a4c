"""What to say beside an answer, in four languages: what it means that nobody was found, and what to do next."""

import json
from functools import cache
from importlib import resources
from typing import Any

from packhorse_locator.models.answers import Guidance, Language

LANGUAGES: tuple[Language, ...] = ("en", "es", "pt", "ht")


SPOKEN: tuple[Language, ...] = ("en", "es")
"""Languages of the next steps in words; all four are in the data."""


@cache
def _words() -> dict[Language, dict[str, Any]]:
    text = (resources.files("packhorse_locator") / "data" / "guidance.json").read_text(encoding="utf-8")
    words: dict[Language, dict[str, Any]] = json.loads(text)
    return words


def next_steps() -> dict[Language, list[str]]:
    """What to do once somebody is found, by language."""
    return {language: _words()[language]["when_found"] for language in LANGUAGES}


def next_steps_text() -> str:
    """The same as lines, one a step."""
    return "\n".join(f"- {line}" for language in SPOKEN for line in next_steps()[language])


@cache
def guidance() -> dict[Language, Guidance]:
    """What it means that nobody was found, by language."""
    loaded = _words()
    return {
        language: Guidance(
            meaning=loaded[language]["meaning"],
            reasons=loaded[language]["reasons"],
            next_steps=loaded[language]["next_steps"],
        )
        for language in LANGUAGES
    }


def guidance_text(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """The same as paragraphs, one a language."""
    found = guidance()
    return "\n\n".join(
        "\n".join(
            [found[one]["meaning"], *(f"- {line}" for line in (*found[one]["reasons"], *found[one]["next_steps"]))]
        )
        for one in languages
    )
