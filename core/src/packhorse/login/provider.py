"""The way to the provider and back: a person signs in there, and who it is comes back in an ID token.

OpenID Connect Core 1.0, section 3.1, with PKCE (RFC 7636). The provider's
tokens are dropped here: none of them can be passed on to anybody.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from packhorse.contract.clock import Clock
from packhorse.errors import RequestError
from packhorse.schema.strict_json import strictly
from packhorse.settings import LoginSettings
from packhorse.settings.security import is_loopback
from packhorse.tokens import claims as claims_of
from packhorse.tokens.compact import read
from packhorse.tokens.fetch import FetchError, document_at
from packhorse.tokens.issuer import Algorithm, Issuer
from packhorse.tokens.verify import LEEWAY_SECONDS, Tokens

METADATA = "/.well-known/openid-configuration"
CALLBACK = "/signin/callback"
"""The path to which it sends people back."""

METADATA_SECONDS = 3_600
_ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_ALGORITHMS: tuple[Algorithm, ...] = ("RS256", "ES256")


class ProviderError(Exception):
    """The provider, or its answer, cannot be used; the message is for the log."""


class NotNamedError(Exception):
    """The provider does not say reliably who signed in, or that person may not; the message is for them.

    ``account`` is whom the provider named, ``code`` and ``reason`` say to the operator why that does not do.
    """

    def __init__(self, message: str, *, account: str = "", code: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.account = account
        self.code = code
        self.reason = reason


class Provider:
    """The provider of [auth.login]. ``callback`` is where it sends people back to; for one event loop."""

    def __init__(self, login: LoginSettings, callback: str, clock: Clock) -> None:
        self._login = login
        self._callback = callback
        self._clock = clock
        self._metadata: Mapping[str, Any] = {}
        self._fetched_at = 0.0
        self._tokens: dict[tuple[str, Algorithm], Tokens] = {}

    async def address(self, *, state: str, nonce: str, verifier: str) -> str:
        """Where a person signs in.

        Raises:
            ProviderError: the provider's metadata cannot be had.
        """
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": self._login.client_id,
            "redirect_uri": self._callback,
            "scope": " ".join(self._login.scopes),
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        endpoint = (await self.described())["authorization_endpoint"]
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"

    async def check_issuer(self, iss: str | None) -> None:
        """Look whether an answer is this provider's (RFC 9207).

        Raises:
            ProviderError: it is another's, or does not say where it should.
        """
        needed = (await self.described()).get("authorization_response_iss_parameter_supported") is True
        if iss != self._login.issuer and (iss is not None or needed):
            raise ProviderError("the answer's `iss` is not the provider's")

    async def subject(self, code: str, *, nonce: str, verifier: str) -> str:
        """Who signed in: the claim that is a person's `sub` here.

        Raises:
            ProviderError: the code or the ID token does not hold.
            NotNamedError: the claim is missing, or not verified.
        """
        metadata = await self.described()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._callback,
            "client_id": self._login.client_id,
            "code_verifier": verifier,
        }
        basic = None
        if self._login.client_secret is not None:
            secret = self._login.client_secret.get_secret_value()
            # Discovery 1.0, section 3: without the member it is client_secret_basic.
            methods = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
            if "client_secret_post" in methods:
                form["client_secret"] = secret
            else:
                form.pop("client_id")
                basic = (_quoted(self._login.client_id), _quoted(secret))
        answer = await self._document(metadata["token_endpoint"], form=form, basic=basic)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderError("its answer has no ID token")
        try:
            claims = await self._claims(token, metadata["jwks_uri"], nonce)
            return self._named(claims)
        except RequestError as exc:
            raise ProviderError(f"its ID token does not hold: {exc.message}") from exc

    async def _claims(self, token: str, jwks_uri: str, nonce: str) -> Mapping[str, Any]:
        signed = read(token).alg
        algorithm = next((name for name in _ALGORITHMS if name == signed), None)
        if algorithm is None:
            raise ProviderError(f"its ID token is signed with {signed[:20]!r}; {' and '.join(_ALGORITHMS)} are taken")
        claims = (await self._tokens_of(jwks_uri, algorithm).verify(token)).claims
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderError("its ID token is of another sign-in")
        if claims.get("azp", self._login.client_id) != self._login.client_id:
            raise ProviderError("its ID token is for another client")
        return claims

    def _tokens_of(self, jwks_uri: str, algorithm: Algorithm) -> Tokens:
        if (jwks_uri, algorithm) not in self._tokens:
            issuer = Issuer(
                iss=self._login.issuer,
                audience=self._login.client_id,
                jwks_url=jwks_uri,
                algorithm=algorithm,
                role_claims=(),  # of the provider's own kind: roles are given by name here
                scope_claims=(),
                private_network=self._login.private_network,
            )
            tokens = Tokens([issuer], clock=self._clock, leeway_seconds=LEEWAY_SECONDS)
            self._tokens[jwks_uri, algorithm] = tokens
        return self._tokens[jwks_uri, algorithm]

    def _named(self, claims: Mapping[str, Any]) -> str:
        name = self._login.subject_claim
        subject = claims.get(name)
        if not isinstance(subject, str) or not 0 < len(subject) <= claims_of.SUBJECT_CHARACTERS:
            raise NotNamedError(f"The provider does not say who you are: its answer has no claim {name!r}.")
        if not subject.isprintable():
            raise NotNamedError("The provider's name for you has characters that cannot be printed.")
        if name != "email":
            return subject
        if claims.get("email_verified") not in (True, "true"):  # some providers write it as text
            raise NotNamedError(
                "The provider has not verified your email address.",
                account=subject.lower(),
                code="sign_in_not_verified",
                reason="the provider has not verified this email address",
            )
        return subject.lower()  # which of two spellings a provider gives can change; mail goes to one person

    async def described(self) -> Mapping[str, Any]:
        """The provider's metadata (OpenID Connect Discovery 1.0), kept for an hour.

        Raises:
            ProviderError: it cannot be had, or is not this provider's.
        """
        now = self._clock().timestamp()
        if self._metadata and 0 <= now - self._fetched_at < METADATA_SECONDS:
            return self._metadata
        found = await self._document(self._login.issuer.rstrip("/") + METADATA)
        if found.get("issuer") != self._login.issuer:
            raise ProviderError("its metadata is of another issuer: write `issuer` under [auth.login] as it does")
        for name in _ADDRESSES:
            parts = urlsplit(str(found.get(name, "")))
            if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
                raise ProviderError(f"its metadata has no {name} that starts with https://")
        self._metadata, self._fetched_at = found, now
        return found

    async def _document(
        self, url: str, *, form: Mapping[str, str] | None = None, basic: tuple[str, str] | None = None
    ) -> dict[str, Any]:
        try:
            body = await document_at(url, private=self._login.private_network, form=form, basic=basic)
        except FetchError as exc:
            raise ProviderError(f"{urlsplit(url).path} of the provider cannot be used: {exc}") from exc
        _, value = strictly(body)
        if not isinstance(value, dict):
            raise ProviderError(f"{urlsplit(url).path} of the provider did not answer with a JSON object")
        return value


def _quoted(text: str) -> str:
    return urlencode({"": text})[1:]  # RFC 6749, section 2.3.1
