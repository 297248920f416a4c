"""Who is calling, from the credential they show."""

import logging
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from packhorse.contract.offers import Verifier
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.errors import AUTHENTICATION, PackError, RequestError, UserError
from packhorse.settings import AuthSettings, IssuerSettings

logger = logging.getLogger("packhorse.auth")

if TYPE_CHECKING:
    from packhorse.contract.clock import Clock
    from packhorse.tokens import Issuer, Tokens


class Callers:
    """Tells who shows a credential: the packs' verifiers are asked first, then the tokens of the configured issuers.

    For one event loop.
    """

    def __init__(self, verifiers: Sequence[Verifier], tokens: "Tokens | None" = None) -> None:
        self._verifiers = tuple(verifiers)
        self._tokens = tokens

    async def identify(self, credential: str | None, *, lenient: bool = False) -> Principal:
        """The caller; `ANONYMOUS` without a credential. The first verifier that knows a credential decides.

        ``lenient`` is for stdio and loopback: see `packhorse.tokens.Tokens.verify`.

        Raises:
            RequestError: a credential that is shown and does not hold.
        """
        if credential is None:
            return ANONYMOUS
        for verifier in self._verifiers:
            try:
                verdict = verifier.verify(credential)
                principal = await verdict if isinstance(verdict, Awaitable) else verdict
            except UserError as exc:
                raise RequestError(AUTHENTICATION, "authentication", exc.message) from exc
            except Exception as exc:
                # Whatever a pack's verifier may raise: it has let nobody in.
                logger.exception("a verifier failed")
                raise RequestError(
                    AUTHENTICATION, "authentication", "This server cannot verify credentials at present."
                ) from exc
            if principal is not None:
                return principal
        if self._tokens is not None:
            return await self._tokens.verify(credential, lenient=lenient)
        raise RequestError(AUTHENTICATION, "authentication", "This credential is not one that the server knows.")


def callers(verifiers: Sequence[Verifier], auth: AuthSettings, clock: "Clock") -> Callers:
    """As the deployer configured it.

    Raises:
        PackError: an issuer whose tokens would prove nothing.
    """
    if not auth.configured:
        return Callers(verifiers)
    from packhorse.tokens import Tokens

    return Callers(verifiers, Tokens(issuers_of(auth), clock=clock, leeway_seconds=auth.leeway_seconds))


def issuers_of(auth: AuthSettings) -> list["Issuer"]:
    """The issuers that the settings name, the local one first.

    Raises:
        PackError: one of them would prove nothing.
    """
    from packhorse.tokens import local_issuer

    audience = auth.audience or auth.resource
    for given in auth.issuers:
        if given.audience is None and audience is None:
            raise PackError(
                f"issuer {given.issuer!r}: say what its tokens must carry as `aud`: resource or audience under [auth]"
            )
    local = [local_issuer(auth.model_copy(update={"audience": audience}))] if auth.secret is not None else []
    return [*local, *(_issuer(given, audience) for given in auth.issuers)]


def _issuer(given: IssuerSettings, audience: str | None) -> "Issuer":
    from packhorse.tokens import Issuer
    from packhorse.tokens.local import NAME

    secret = given.secret.get_secret_value().encode() if given.secret else None
    return Issuer(
        iss=given.issuer,
        audience=given.audience or audience or NAME,
        secret=secret,
        jwks_url=given.jwks_url,
        algorithm=given.algorithm or ("HS256" if secret else "RS256"),
        role_claims=given.role_claims,
        scope_claims=given.scope_claims,
        kind=given.kind,
        private_network=given.private_network,
    )
