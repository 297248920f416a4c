"""Verifying tokens: whose they are, whether they hold, and who shows them."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from packhorse.contract.clock import Clock, system_clock
from packhorse.contract.principal import Principal
from packhorse.errors import PackError
from packhorse.tokens import claims as claims_of
from packhorse.tokens.compact import MAX_CHARACTERS, Compact, read
from packhorse.tokens.fetch import Fetch, document_at
from packhorse.tokens.issuer import Issuer, check_all
from packhorse.tokens.keys import Keys, Published, Secret
from packhorse.tokens.mint import GRACE_SECONDS
from packhorse.tokens.refusals import expired, invalid
from packhorse.tokens.signature import proven

LEEWAY_SECONDS = 30
"""The most that clocks may differ."""

REMEMBERED = 4_096
"""How many verified tokens are remembered; one takes about 2 KiB."""


@dataclass(frozen=True, slots=True)
class _Verified:
    """A token that held, and what must be so for it to hold still."""

    principal: Principal
    since: float
    until: float
    whole: bool
    keys: Keys
    mark: int

    def holds(self, now: float, *, lenient: bool) -> bool:
        return (
            self.since <= now < self.until
            and (self.whole or lenient)
            and self.keys.mark == self.mark
            and self.keys.settled(now)
        )


class Tokens:
    """Verifies tokens of the configured issuers; for one event loop.

    A verified token is remembered by its SHA-256 until it expires (or its key
    is withdrawn), so that a signature is paid for once. Its times are looked
    at on every use.
    """

    def __init__(
        self,
        issuers: Sequence[Issuer],
        *,
        clock: Clock = system_clock,
        fetch: Fetch = document_at,
        leeway_seconds: float = 0,
        remember: int = REMEMBERED,
    ) -> None:
        """Take the issuers on.

        ``leeway_seconds``, from 0 to 30, is how far an issuer's clock may
        differ; ``remember`` how many tokens are remembered at most.

        Raises:
            PackError: an issuer whose tokens would prove nothing.
        """
        check_all(issuers)
        if not 0 <= leeway_seconds <= LEEWAY_SECONDS:
            raise PackError(f"leeway_seconds is {leeway_seconds:g}; it must be from 0 to {LEEWAY_SECONDS}")
        self._issuers = {issuer.iss: issuer for issuer in issuers}
        self._local = next((issuer for issuer in issuers if issuer.local), None)
        self._keys = {issuer.iss: _keys_of(issuer, fetch, clock) for issuer in issuers}
        self._clock = clock
        self._leeway = leeway_seconds
        self._remember = remember
        self._known: OrderedDict[bytes, _Verified] = OrderedDict()

    async def verify(self, token: str, *, lenient: bool = False) -> Principal:
        """Who shows this token.

        ``lenient`` is for stdio and loopback, where the local issuer's token may
        carry neither ``iss`` nor ``aud``, as the scheduling specification's does.

        Raises:
            RequestError: -32000 with ``invalid_token``; with ``expired_token``
                and, in its details, ``expired_at`` and whether it is ``renewable``;
                or with ``keys_unavailable`` and ``retry_after_seconds``.
        """
        if len(token) > MAX_CHARACTERS:
            raise invalid(f"the token is longer than {MAX_CHARACTERS:,} characters")
        digest = _digest(token)
        known = self._known.get(digest)
        if known is not None and known.holds(self._now(), lenient=lenient):
            self._known.move_to_end(digest)
            return known.principal
        self._known.pop(digest, None)
        verified = await self._verified(read(token), lenient=lenient)
        self._known[digest] = verified
        if len(self._known) > self._remember:
            self._known.popitem(last=False)
        return verified.principal

    async def _verified(self, token: Compact, *, lenient: bool) -> _Verified:
        whole = not (lenient and self._local and claims_of.is_specification_token(token.claims))
        issuer = self._issuer_of(token) if whole else self._local
        if issuer is None:
            raise invalid("this server does not know the token's issuer")
        if token.alg != issuer.algorithm:
            raise invalid(f"tokens of this issuer are signed with {issuer.algorithm}")
        keys = self._keys[issuer.iss]
        key = await keys.find(token.kid)
        mark = keys.mark
        if key is None:
            raise invalid("the issuer does not publish the token's key")
        claims = proven(
            token,
            key,
            issuer,
            require=claims_of.WHOLE if whole else claims_of.SPECIFICATION,
            audience=issuer.audience if whole else None,
        )
        principal = claims_of.principal_from(claims, issuer)
        since, until = claims_of.hold_between(claims, self._leeway)
        now = self._now()
        if now >= until:
            ended = until - self._leeway
            renewable = issuer.local and now - ended <= GRACE_SECONDS
            raise expired(issuer.iss, ended, renewable=renewable, local=issuer.local)
        if now < since:
            raise invalid("the token is not valid yet; the clocks of its issuer and of this server may differ")
        return _Verified(principal, since, until, whole, keys, mark)

    def _issuer_of(self, token: Compact) -> Issuer | None:
        """Whose token it says it is: enough to choose the key that must then prove it."""
        name = token.claims.get("iss")
        if name is None:
            raise invalid("the token lacks the claim `iss`")
        return self._issuers.get(name) if isinstance(name, str) else None

    def _now(self) -> float:
        return self._clock().timestamp()


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def _keys_of(issuer: Issuer, fetch: Fetch, clock: Clock) -> Keys:
    return Published(issuer, fetch, clock) if issuer.secret is None else Secret(issuer.secret)
