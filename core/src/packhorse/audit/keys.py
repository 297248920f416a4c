"""The seals of an audit record: HMAC-SHA256 where the deployer gives a key, SHA-256 where not."""

import hashlib
import hmac
import secrets
from typing import Literal

from packhorse.errors import PackError

KEY_BYTES = 32
"""The shortest key: as long as the hash, below which RFC 2104 (section 3) sees the strength decrease."""

Purpose = Literal["chain", "checkpoint", "anchor", "check"]
_PURPOSES: tuple[Purpose, ...] = ("chain", "checkpoint", "anchor", "check")
_DIGEST_HEX = 32  # 128 bits: RFC 2104, section 5, allows half of the hash and no less than 80 bits


class Keys:
    """Seals for each purpose, so that what was sealed for one is never taken for another.

    With ``secret``, a key for each purpose is derived as RFC 5869 (HKDF, with
    an empty salt) says. Without, a seal shows damage and careless edits, but
    those who can write the files can also write the seals again.
    """

    __slots__ = ("_digest_key", "_purposes", "keyed")

    def __init__(self, secret: bytes | None) -> None:
        if secret is not None and len(secret) < KEY_BYTES:
            raise PackError(
                f"the audit key has {len(secret)} bytes; give at least {KEY_BYTES}, for example from:"
                " openssl rand -hex 32"
            )
        self.keyed = secret is not None
        if secret is None:
            self._purposes = {purpose: b"packhorse audit " + purpose.encode() + b"\x00" for purpose in _PURPOSES}
            # Nothing else could keep a nine-digit number from being found by trying them all.
            self._digest_key = secrets.token_bytes(KEY_BYTES)
        else:
            self._purposes = {purpose: _derived(secret, purpose) for purpose in _PURPOSES}
            self._digest_key = _derived(secret, "digest")

    def seal(self, purpose: Purpose, message: bytes) -> bytes:
        """32 bytes that stand for ``message``."""
        if self.keyed:
            return hmac.digest(self._purposes[purpose], message, "sha256")
        return hashlib.sha256(self._purposes[purpose] + message).digest()

    def fits(self, purpose: Purpose, message: bytes, seal: object) -> bool:
        return isinstance(seal, bytes) and hmac.compare_digest(self.seal(purpose, message), seal)

    def digest(self, message: bytes) -> str:
        """128 bits, in hex, by which an argument can be recognised and not guessed.

        With a key, equal values have equal digests for as long as the key is
        in use. Without, only within one run: the key is made up and forgotten.
        """
        return hmac.digest(self._digest_key, message, "sha256").hex()[:_DIGEST_HEX]

    @property
    def check(self) -> str:
        """Tells one key from another, and nothing about either."""
        return self.seal("check", b"").hex()[:_DIGEST_HEX]


def _derived(secret: bytes, purpose: str) -> bytes:
    extracted = hmac.digest(b"\x00" * 32, secret, "sha256")
    return hmac.digest(extracted, b"packhorse audit " + purpose.encode() + b"\x01", "sha256")
