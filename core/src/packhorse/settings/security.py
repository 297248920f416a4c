"""``[auth]`` and ``[audit]``: who may call, and what is on record."""

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

KEY_BYTES = 32
MAKE_ONE = "for example from: openssl rand -hex 32"

PUBLISHED = frozenset(
    {
        "your-secret-key-minimum-32-characters",  # the scheduling specification, appendix A
        "6f0c1d9be2a74c53889b0e4d7a1f2c36",  # this project's own pages, up to 0.1.0, as the next three
        "7d1e0a4c5b9f4f6e8a3c2d1b0e9f8a7c",
        "the same in every process, made with openssl rand -hex 32",
        "32 characters or more, at random",
    }
)
"""Secrets that stand, or stood, in a published document: everybody has them."""


def is_loopback(host: str) -> bool:
    """Whether an address, or a host as a URL has it, can be reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_server_url(url: str) -> bool:
    """Whether a URL can be that of a server: http or https, and a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def own_secret(value: SecretStr | None) -> SecretStr | None:
    """A secret of at least 32 bytes that no document prints; None stays None."""
    if value is None:
        return None
    secret = value.get_secret_value()
    if secret in PUBLISHED:
        raise ValueError(f"this one is printed in a published document: give your own, {MAKE_ONE}")
    if len(secret.encode()) < KEY_BYTES:
        raise ValueError(f"give at least {KEY_BYTES} bytes, {MAKE_ONE}")
    return value


class IssuerSettings(BaseModel):
    """``[[auth.issuers]]``: somebody else who may sign tokens for this server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: str = Field(min_length=1, description="Its name: exactly what its tokens carry as `iss`.")
    audience: str | None = Field(
        None, description="The `aud` that its tokens must have. Default: `audience` or `resource` under [auth]."
    )
    jwks_url: str | None = Field(None, description="Where it publishes its keys: https, or this machine.")
    secret: SecretStr | None = Field(None, description="The HS256 secret shared with it, instead of a jwks_url.")
    algorithm: Literal["HS256", "RS256", "ES256"] | None = Field(
        None, description="The algorithm that it signs with. Default: RS256 with a jwks_url, HS256 with a secret."
    )
    role_claims: tuple[str, ...] = Field(("role", "roles"), description="Claims that name roles.")
    scope_claims: tuple[str, ...] = Field(("scope", "scp"), description="Claims that name scopes.")
    kind: Literal["human", "system"] = Field("human", description="What its subjects are.")
    private_network: bool = Field(False, description="Whether jwks_url may be at an address that is not public.")

    _secret_is_own = field_validator("secret")(own_secret)


def _of_provider(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
        raise ValueError("write an address that starts with https:// (http:// is for this machine alone)")
    return value


class LoginClient(BaseModel):
    """``[[auth.login.clients]]``: a client that cannot register itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    client_id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="The id that the client is given.")
    client_secret: SecretStr | None = Field(None, description="Its secret. Default: it has none, and PKCE alone.")
    redirect_uris: tuple[str, ...] = Field(min_length=1, description="Where its answers may go.")
    name: str = Field("", max_length=60, description="What people read before they agree. Default: its client_id.")

    _secret_is_own = field_validator("client_secret")(own_secret)


class LoginSettings(BaseModel):
    """``[auth.login]``: people sign in at an OpenID provider, and their clients get tokens of this server's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: str = Field(description="The provider, as it writes itself in `iss`: https, or this machine.")
    client_id: str = Field(min_length=1, description="The id under which this server is registered there.")
    client_secret: SecretStr | None = Field(
        None, min_length=1, description="Its secret there. Default: it has none, and PKCE alone."
    )
    scopes: tuple[str, ...] = Field(("openid", "email"), description="What it asks of the provider.")
    subject_claim: str = Field(
        "email",
        min_length=1,
        description="The claim of the ID token that is a person's `sub` here; an email must be verified.",
    )
    allow: tuple[str, ...] = Field(
        min_length=1, description="Who may sign in, by their `sub`: '*@example.org', or '*' for all of the provider's."
    )
    roles: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Roles by `sub` or pattern; looked up again at every renewal.",
    )
    required: bool = Field(
        True,
        description="Whether callers without a token must sign in for what is public too: most clients offer to sign in"
        " only when they are refused.",
    )
    keep_days: int = Field(
        30, ge=1, le=365, description="How long a client may renew its tokens before the person signs in again."
    )
    daily_roles: tuple[str, ...] = Field(("ADMIN",), description="Roles whose holders sign in again each day.")
    requests_by_address: str = Field(
        "120/minute", description="Requests for signing in that one address may make; 'none' for any number."
    )
    private_network: bool = Field(False, description="Whether the provider may be at an address that is not public.")
    clients: tuple[LoginClient, ...] = Field((), description="Clients that cannot register themselves.")

    _is_address = field_validator("issuer")(_of_provider)

    @field_validator("allow", "roles")
    @classmethod
    def _names_people(cls, value: Any) -> Any:
        for pattern in value:
            if pattern.startswith("@"):
                raise ValueError(f"{pattern!r} is nobody's address; all addresses of a domain are '*{pattern}'")
        return value


class AuthSettings(BaseModel):
    """``[auth]``: who may sign tokens, and what their roles may use. Without a secret or issuers, nobody signs in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    secret: SecretStr | None = Field(None, description="Signs this server's own tokens (HS256); at least 32 bytes.")
    issuer: str = Field("packhorse", min_length=1, description="The `iss` of its own tokens.")
    audience: str | None = Field(
        None, min_length=1, description="The `aud` that tokens must have. Default: the resource, or 'packhorse'."
    )
    resource: str | None = Field(
        None, pattern=r"^https?://[^\s#?]+$", description="The URL by which clients know this server's endpoint."
    )
    issuers: tuple[IssuerSettings, ...] = Field((), description="Others who may sign tokens.")
    roles: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="By role, the tools, prompts and resource URIs that it may use, and that no other role may.",
    )
    leeway_seconds: float = Field(0, ge=0, le=30, description="How far an issuer's clock may differ.")
    login: LoginSettings | None = Field(None, description="Where people sign in, in a table of its own.")
    failures_by_address: str = Field(
        "30/minute", description="Bad tokens that one address may show before it must wait; 'none' for any number."
    )

    _secret_is_own = field_validator("secret")(own_secret)

    @model_validator(mode="after")
    def _tokens_stay_private(self) -> Self:
        if self.login is None:
            return self
        parts = urlsplit(self.resource or "")
        if not parts.hostname:
            raise ValueError(
                "login needs `resource` under [auth]: the URL by which clients reach this server, such as"
                " https://tools.example.org/mcp, or http://127.0.0.1:8000/mcp on this machine alone"
            )
        if parts.scheme != "https" and not is_loopback(parts.hostname):
            raise ValueError(
                "login needs a `resource` that starts with https://: over http anybody on the way could read tokens"
            )
        return self

    @property
    def origin(self) -> str:
        """Scheme, host and port of ``resource``: the name of this server where it signs people in."""
        parts = urlsplit(self.resource or "")
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def configured(self) -> bool:
        return self.secret is not None or bool(self.issuers)


class AuditSettings(BaseModel):
    """``[audit]``: the record of what was done."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(True, description="Whether calls are recorded.")
    path: Path | None = Field(None, description="The record's file. Default: audit.sqlite3 in the data folder.")
    anchor: Path | None = Field(None, description="The file of its newest hash. Default: a file beside the record.")
    key: SecretStr | None = Field(
        None,
        description="Seals the record, so that nobody who can only write the file can forge it; at least 32 bytes.",
    )
    full_sync: bool = Field(False, description="Whether each row is forced to the disk: for power cuts, and slow.")

    _key_is_own = field_validator("key")(own_secret)

    @property
    def secret(self) -> bytes | None:
        """The ``key`` itself."""
        return self.key.get_secret_value().encode() if self.key else None

    @field_validator("path", "anchor")
    @classmethod
    def _of_home(cls, value: Path | None) -> Path | None:
        return value.expanduser() if value else None
