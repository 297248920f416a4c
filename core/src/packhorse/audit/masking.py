"""Takes secrets and personal data out of free text, before anything writes it down."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from packhorse.audit.patterns import BUILT_IN, SECRET_NAME, compiled

TEXT_LIMIT = 65_536
"""Characters of a text that are looked at and kept: what was not looked at is not written."""

_TAIL = 1024  # of a text cut short: where to look for a blank, so that no half of a token is left over
_DEPTH = 64
_WORDS_KEPT = 1024
_OWN_ID = re.compile(r"[0-9a-f]{16}")  # `packhorse.contract.clock.request_id`
_DIGITS = 6  # numbers with fewer are nobody's number


class Mask:
    r"""Finds bearer tokens, JWTs, private keys, ``password=...`` and its like, e-mail addresses, and packs' patterns.

    ``patterns`` are the packs' own: a name and a regular expression, such as
    ``{"a-number": r"\bA[- ]?\d{8,9}\b"}``. What is found is replaced by
    ``[token]``, ``[secret]``, ``[key]``, ``[e-mail]`` or ``[<name>]``. A person's
    name, or a secret that looks like any other word, cannot be found so: text
    from callers belongs in no message in the first place.

    Raises:
        PackError: a pattern that is wrong or too long.
    """

    def __init__(self, patterns: Mapping[str, str] | None = None) -> None:
        own = tuple((compiled(name, pattern), f"[{name}]") for name, pattern in (patterns or {}).items())
        self._patterns = BUILT_IN + own
        self._words = lru_cache(_WORDS_KEPT)(self.text)

    def text(self, text: str) -> str:
        """``text`` without what was found in it, and cut at `TEXT_LIMIT` characters, which is then said."""
        left_out = ""
        if len(text) > TEXT_LIMIT:
            kept = text[:TEXT_LIMIT]
            blank = max(kept.rfind(" ", TEXT_LIMIT - _TAIL), kept.rfind("\n", TEXT_LIMIT - _TAIL))
            kept = kept[:blank] if blank >= 0 else kept[: TEXT_LIMIT - _TAIL]
            left_out = f" [{len(text) - len(kept)} more characters]"
            text = kept
        for pattern, mark in self._patterns:
            text = pattern.sub(mark, text)
        return text + left_out

    def word(self, text: str) -> str:
        """As `text`, for names and codes, of which there are few; and ids of the host's own make stay as they are."""
        return text if _OWN_ID.fullmatch(text) else self._words(text)

    def value(self, value: Any) -> Any:
        """A JSON value with every text in it masked, and with nothing left under a name such as ``password``.

        Numbers of six digits and more are looked at as text. What is no JSON
        is named by its type alone.
        """
        return self._value(value, 0)

    def _value(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._number(value)
        if depth == _DEPTH:
            return "[nested too deeply]"
        if isinstance(value, Mapping):
            return {
                self.text(str(key)): "[secret]"
                if item is not None and SECRET_NAME.search(str(key))
                else self._value(item, depth + 1)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple | set | frozenset):
            return [self._value(item, depth + 1) for item in value]
        return f"[{type(value).__name__}]"

    def _number(self, value: float) -> Any:
        try:
            text = str(value)
        except ValueError:
            return "[number]"  # of more digits than Python converts
        if len(text) < _DIGITS:
            return value
        masked = self.text(text)
        return value if masked == text else masked
