"""Values that are sealed: what the host gives out and takes back, and secrets that it keeps for callers."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

_TEXT = re.compile(r"[A-Za-z0-9_-]+")


class Seal:
    """Seals values with keys derived from one secret, a key for each purpose: one purpose's text is no other's."""

    def __init__(self, secret: bytes, clock: Callable[[], datetime]) -> None:
        self._secret = secret
        self._clock = clock

    def close(self, purpose: str, value: Mapping[str, Any]) -> str:
        """The value as text that can stand in a URL."""
        body = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
        return self._box(purpose).encrypt_at_time(body, self._now()).decode().rstrip("=")

    def open(self, purpose: str, text: str, seconds: int | None = None) -> dict[str, Any] | None:
        """The value again; None where the text is not ours, is for another purpose, or is older than ``seconds``.

        Without ``seconds`` it opens at any age.

        Base64 has several texts for one value: what may be used once is known by something inside, not by its text.
        """
        if not _TEXT.fullmatch(text):
            return None
        padded = text.encode() + b"=" * (-len(text) % 4)
        box = self._box(purpose)
        try:
            body = box.decrypt(padded) if seconds is None else box.decrypt_at_time(padded, seconds, self._now())
        except InvalidToken:
            return None
        value: dict[str, Any] = json.loads(body)
        return value

    def mark(self, purpose: str, text: str) -> str:
        """A text that only this deployment can make of ``text`` (HMAC-SHA256, in hex)."""
        return hmac.new(self._key(purpose), text.encode(), hashlib.sha256).hexdigest()

    def _box(self, purpose: str) -> Fernet:
        return Fernet(base64.urlsafe_b64encode(self._key(purpose)))

    def _key(self, purpose: str) -> bytes:
        return hmac.new(self._secret, b"packhorse: " + purpose.encode(), hashlib.sha256).digest()

    def _now(self) -> int:
        return int(self._clock().timestamp())
