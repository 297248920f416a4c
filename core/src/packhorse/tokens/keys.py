"""The keys that an issuer's tokens are verified with: its secret, or the set that it publishes (RFC 7517)."""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from packhorse.contract.clock import Clock
from packhorse.schema.strict_json import strictly
from packhorse.tokens.fetch import Fetch, FetchError
from packhorse.tokens.issuer import Algorithm, Issuer
from packhorse.tokens.refusals import unavailable

if TYPE_CHECKING:
    from jwt import PyJWK

logger = logging.getLogger("packhorse.tokens")

FRESH_SECONDS = 3_600
"""How long a fetched set is taken as it is; so also the time until a withdrawn key is no longer believed."""

STALE_SECONDS = 86_400
"""How old a set may grow while its address does not answer; older, every token of the issuer is refused."""

ASK_AGAIN_SECONDS = 60
"""The least time between two fetches while there are keys: an unknown `kid` costs its sender nothing."""

RETRY_SECONDS = 10
"""The same while there are none."""

KEYS = 100
"""How many keys of a set are looked at."""

_RSA_BITS = range(2_048, 16_385)  # NIST SP 800-131A, revision 2, table 2; OpenSSL verifies none above 16384
_MEMBERS = {"RSA": ("n", "e"), "EC": ("crv", "x", "y")}
_FAMILY: Mapping[str, str] = {"RS256": "RSA", "ES256": "EC"}  # RFC 7518, sections 3.3 and 3.4 (P-256)


class Keys(Protocol):
    """Where a verifier finds an issuer's key. ``mark`` changes whenever a key may have been withdrawn."""

    mark: int

    def settled(self, now: float) -> bool:
        """Whether what was verified under the present mark still stands, without another look."""

    async def find(self, kid: str | None) -> "bytes | PyJWK | None":
        """The key that a token names, or None when the issuer has no such key.

        Raises:
            RequestError: the issuer's keys cannot be had.
        """


class Secret:
    """The one key of an issuer that signs with a secret, whatever a token calls it."""

    mark = 0

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def settled(self, now: float) -> bool:
        return True

    async def find(self, kid: str | None) -> bytes:
        return self._secret


class Published:
    """The keys of an issuer that publishes them, fetched when needed and kept.

    Callers that need a fetch at the same time share one. It is finished even
    if they go away, so that coming and going cannot be made to cause more.
    """

    def __init__(self, issuer: Issuer, fetch: Fetch, clock: Clock) -> None:
        import anyio

        self.mark = 0
        self._issuer = issuer
        self._fetch = fetch
        self._clock = clock
        self._lock = anyio.Lock()
        self._keys: list[tuple[str | None, PyJWK]] = []
        self._members: list[Mapping[str, Any]] = []
        self._fetched_at: float | None = None
        self._asked_at: float | None = None
        self._asked = 0

    def settled(self, now: float) -> bool:
        return self._usable(now) and (self._fresh(now) or not self._may_ask(now))

    async def find(self, kid: str | None) -> "PyJWK | None":
        now = self._now()
        if not self._fresh(now) and self._may_ask(now):
            await self._ask()
        key = self._pick(kid)
        if key is None and self._may_ask(self._now()):
            await self._ask()
            key = self._pick(kid)
        now = self._now()
        if not self._usable(now):
            raise unavailable(RETRY_SECONDS - max(0.0, now - (self._asked_at or now)))
        return key

    def _pick(self, kid: str | None) -> "PyJWK | None":
        """The one key that is meant; None where two could be."""
        named = [key for name, key in self._keys if kid is None or name == kid]
        return named[0] if len(named) == 1 else None

    def _now(self) -> float:
        return self._clock().timestamp()

    # Ages below 0 (the clock was set back) count as too old: better one fetch too many than none until it catches up.

    def _fresh(self, now: float) -> bool:
        return self._fetched_at is not None and 0 <= now - self._fetched_at < FRESH_SECONDS

    def _usable(self, now: float) -> bool:
        return self._fetched_at is not None and now - self._fetched_at < STALE_SECONDS

    def _may_ask(self, now: float) -> bool:
        pause = ASK_AGAIN_SECONDS if self._usable(now) else RETRY_SECONDS
        return self._asked_at is None or not 0 <= now - self._asked_at < pause

    async def _ask(self) -> None:
        import anyio

        asked = self._asked
        async with self._lock:
            if self._asked != asked:
                return  # somebody else has asked while we waited
            with anyio.CancelScope(shield=True):  # the fetch has a time limit of its own
                try:
                    document = await self._fetch(self._issuer.jwks_url or "", private=self._issuer.private_network)
                    members = members_of(document)
                except FetchError as exc:
                    logger.warning("The keys of issuer %r cannot be fetched: %s.", self._issuer.iss, exc)
                else:
                    self._take(members)
                finally:
                    self._asked += 1
                    self._asked_at = self._now()

    def _take(self, members: list[Mapping[str, Any]]) -> None:
        self._fetched_at = self._now()
        if members == self._members:
            return
        self._members = members
        self._keys = signing_keys(members, self._issuer.algorithm)
        self.mark += 1
        if not self._keys:
            logger.warning("Issuer %r publishes no key for %s.", self._issuer.iss, self._issuer.algorithm)


def members_of(document: bytes) -> list[Mapping[str, Any]]:
    """The members of a key set, whatever they are for.

    Raises:
        FetchError: it is not a key set.
    """
    _, value = strictly(document)
    keys = value.get("keys") if isinstance(value, dict) else None
    if not isinstance(keys, list):
        raise FetchError("what it answers is not a key set")
    return [key for key in keys[:KEYS] if isinstance(key, dict)]


def signing_keys(members: list[Mapping[str, Any]], algorithm: Algorithm) -> "list[tuple[str | None, PyJWK]]":
    """The public keys among ``members`` that verify ``algorithm``, each with its ``kid``.

    Left out are keys for another use or algorithm, of another curve, too short
    or too long, malformed, or published with their private part.
    """
    found = []
    for member in members:
        key = _signing_key(member, algorithm)
        if key is not None:
            kid = member.get("kid")
            found.append((kid if isinstance(kid, str) else None, key))
    return found


def _signing_key(member: Mapping[str, Any], algorithm: Algorithm) -> "PyJWK | None":
    import jwt

    family = _FAMILY[algorithm]
    operations = member.get("key_ops", ["verify"])
    if (
        member.get("kty") != family
        or member.get("use", "sig") != "sig"
        or member.get("alg", algorithm) != algorithm
        or member.get("crv", "P-256") != "P-256"
        or not isinstance(operations, list)
        or "verify" not in operations
        or "d" in member
    ):
        return None
    public = {name: member.get(name) for name in _MEMBERS[family]}
    if not all(isinstance(value, str) for value in public.values()):
        return None
    try:
        key = jwt.PyJWK({"kty": family, **public}, algorithm)
    except (jwt.PyJWTError, ValueError):
        return None
    return key if family == "EC" or key.key.key_size in _RSA_BITS else None
