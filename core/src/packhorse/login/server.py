"""The authorization server behind the SDK's routes: what a client may ask for, and the tokens that it gets."""

import logging
import re
import secrets
from datetime import timedelta
from typing import Any

import anyio.to_thread
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl

from packhorse.contract.host import Host
from packhorse.contract.principal import Principal
from packhorse.errors import PackError
from packhorse.login.clients import Clients, LoginClientInfo
from packhorse.login.grants import Grant, Grants, text_of
from packhorse.login.people import People
from packhorse.settings import AuthSettings, LoginSettings
from packhorse.settings.security import MAKE_ONE
from packhorse.store.sealing import Seal
from packhorse.tokens import mint
from packhorse.tokens.local import issuers_of

ACCESS_SECONDS = 900
"""How long a token holds. Nothing is looked up while it does: so also how long a revoked sign-in may still call."""

CODE_SECONDS = 60
"""RFC 6749, section 4.1.2, recommends 10 minutes at most; a client comes for its token at once."""

CONSENT_SECONDS = 600
"""How long a person may take to agree, and then to sign in."""

logger = logging.getLogger("packhorse.login")

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")  # SHA-256 in base64url (RFC 7636, section 4.2)
_DAY = 1


class Code(AuthorizationCode):
    """A code, and the family of the tokens that come from it."""

    family: str


class Renewal(RefreshToken):
    """A refresh token, and the sign-in that it belongs to."""

    grant: Grant


class LoginServer(OAuthAuthorizationServerProvider[Code, Renewal, AccessToken]):
    """What [auth.login] gives to clients."""

    def __init__(self, host: Host, login: LoginSettings) -> None:
        auth: AuthSettings = host.settings.auth
        self.login = login
        if auth.secret is None:
            raise PackError(f"[auth.login] needs a `secret` under [auth], which signs the tokens: give one, {MAKE_ONE}")
        self.origin = auth.origin
        self.seal = Seal(auth.secret.get_secret_value().encode(), host.clock)
        self.clients = Clients(auth.origin, login.clients, self.seal, host.clock)
        self.grants = Grants(host.settings, host.clock)
        self.people = People(login)
        self._resource = auth.resource or ""
        self._issuer = issuers_of(auth)[0]
        self._clock = host.clock
        self._pseudonym = host.pseudonym

    async def get_client(self, client_id: str) -> LoginClientInfo | None:
        return await self.clients.find(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.clients.register(client_info)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """The page on which the person agrees, or does not."""
        if not _CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "code_challenge must be of the method S256")
        if params.resource is not None and params.resource.rstrip("/") != self._resource.rstrip("/"):
            raise AuthorizeError("invalid_target", f"this server gives tokens for {self._resource} alone")
        request = {
            "client": client.client_id,
            "redirect": str(params.redirect_uri),
            "explicit": params.redirect_uri_provided_explicitly,
            "state": params.state,
            "challenge": params.code_challenge,
            "scopes": params.scopes or [],
        }
        return f"{self.origin}/signin/consent?t={self.seal.close('consent', request)}"

    def code(self, request: dict[str, Any], subject: str) -> str:
        """A code for a person who has signed in, as an answer to a client's request."""
        return self.seal.close("code", {**request, "subject": subject, "family": secrets.token_urlsafe(16)})

    async def load_authorization_code(self, client: OAuthClientInformationFull, authorization_code: str) -> Code | None:
        value = self.seal.open("code", authorization_code, CODE_SECONDS)
        if value is None or value["client"] != client.client_id:
            return None
        return Code(
            code=authorization_code,
            scopes=value["scopes"],
            expires_at=float("inf"),  # the seal has an end of its own
            client_id=value["client"],
            code_challenge=value["challenge"],
            redirect_uri=AnyUrl(value["redirect"]),
            redirect_uri_provided_explicitly=value["explicit"],
            subject=value["subject"],
            family=value["family"],
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: Code
    ) -> OAuthToken:
        subject = authorization_code.subject or ""
        now = self._clock()
        days = _DAY if self.people.sign_in_daily(subject) else self.login.keep_days
        grant = Grant(
            family=authorization_code.family,
            client=client.client_id,
            name=client.client_name or "",
            subject=subject,
            scopes=" ".join(authorization_code.scopes),
            since=text_of(now),
            until=text_of(now + timedelta(days=days)),
        )
        refresh = await anyio.to_thread.run_sync(self.grants.begin, grant, CODE_SECONDS)
        if refresh is None:
            logger.warning("a code was used twice: the sign-in that it gave has ended", extra=self._of(grant.subject))
            raise TokenError("invalid_grant", "this code was used before")
        self.say_signed_in(grant)
        return self._token(grant, refresh)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> Renewal | None:
        grant = await anyio.to_thread.run_sync(self.grants.find, refresh_token)
        if grant is None or grant.client != client.client_id:
            return None
        return Renewal(token=refresh_token, client_id=grant.client, scopes=grant.scopes.split(), grant=grant)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: Renewal, scopes: list[str]
    ) -> OAuthToken:
        grant = refresh_token.grant
        if not self.people.may_sign_in(grant.subject) or self._outlasts_a_day(grant):
            await anyio.to_thread.run_sync(self.grants.end, grant.family)
            raise TokenError("invalid_grant", "this person must sign in again")
        refresh = await anyio.to_thread.run_sync(self.grants.rotate, refresh_token.token, grant)
        if refresh is None:
            logger.warning("a refresh token was used twice: its sign-in has ended", extra=self._of(grant.subject))
            raise TokenError("invalid_grant", "this refresh token was used before; its sign-in has ended")
        return self._token(grant, refresh)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return None  # tokens are verified by their signature, and nobody takes one back

    async def revoke_token(self, token: AccessToken | Renewal) -> None:
        if isinstance(token, Renewal):
            await anyio.to_thread.run_sync(self.grants.end, token.grant.family)

    def say_signed_in(self, grant: Grant) -> None:
        logger.info("signed in, with the client %r", grant.name, extra=self._of(grant.subject))

    def say_turned_away(self, subject: str, reason: str) -> None:
        """Write it into the log, where people have no names; the record has them."""
        words = "not signed in: %s. Who it was is in the record: packhorse audit tail"
        logger.info(words, reason, extra=self._of(subject))

    def _outlasts_a_day(self, grant: Grant) -> bool:
        """Whether somebody whose role asks for a sign-in each day, perhaps since yesterday only, has an older one."""
        is_old = grant.since < text_of(self._clock() - timedelta(days=_DAY))
        return is_old and self.people.sign_in_daily(grant.subject)

    def person(self, subject: str) -> Principal:
        """A person as their calls name them."""
        return Principal("human", subject, claims={"iss": self._issuer.iss})

    def _of(self, subject: str) -> dict[str, str | None]:
        """Who, for the log, as calls of the same person are named there."""
        return {"subject": self._pseudonym(self.person(subject))}

    def _token(self, grant: Grant, refresh: str) -> OAuthToken:
        roles = self.people.roles_of(grant.subject)
        access = mint(self._issuer, grant.subject, roles, ACCESS_SECONDS, self._clock)
        return OAuthToken(
            access_token=access, expires_in=ACCESS_SECONDS, scope=grant.scopes or None, refresh_token=refresh
        )
