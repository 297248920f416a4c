"""Conversation starters, in English and Spanish: ``data/prompts.json``."""

import json
from functools import cache
from importlib.resources import files

from packhorse import Message, UserError
from packhorse_locator.domain.plain import datum

LANGUAGES = ("en", "es")
ARGUMENTS = {
    "name": "The person's name as you would write it; may be left out.",
    "language": "en or es; en when left out.",
}


def find_family_member(name: str = "", language: str = "en") -> list[Message]:
    """Help somebody look for a family member in immigration detention, in English or Spanish."""
    return [Message(_filled("family", name, language))]


def attorney_intake(name: str = "", language: str = "en") -> list[Message]:
    """Take in a detained client: find the record, the facility and the dates, and put the search on file."""
    return [Message(_filled("intake", name, language))]


def languages(typed: str) -> list[str]:
    """Languages that begin as typed."""
    return [language for language in LANGUAGES if language.startswith(typed)]


@cache
def _words() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = json.loads(
        files("packhorse_locator").joinpath("data", "prompts.json").read_text("utf-8")
    )
    return words


def _filled(prompt: str, name: str, language: str) -> str:
    found = _words()[prompt].get(language.partition("-")[0].lower())
    if found is None:
        raise UserError("`language` must be en or es.", code="UNSUPPORTED_LANGUAGE")
    return found.replace("{who}", f", {datum(name, 100)}," if name.strip() else "")
