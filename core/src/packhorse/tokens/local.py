"""The issuer that a deployment is to itself, from its settings or the scheduling specification's own variables."""

import os
from collections.abc import Mapping

from packhorse.errors import PackError
from packhorse.settings import AuthSettings, IssuerSettings
from packhorse.tokens.issuer import MAKE_A_SECRET, Issuer, check

SECRET_VARIABLE = "JWT_SECRET_KEY"  # noqa: S105 - the name of one
ALGORITHM_VARIABLE = "JWT_ALGORITHM"

NAME = "packhorse"
"""The local issuer's ``iss`` and ``aud`` unless the deployer names them."""


def local_issuer(auth: AuthSettings, environ: Mapping[str, str] = os.environ) -> Issuer:
    """The local issuer, checked.

    Without a ``secret`` under [auth], JWT_SECRET_KEY is it.

    Raises:
        PackError: there is no secret, or it would prove nothing.
    """
    secret = auth.secret.get_secret_value() if auth.secret else environ.get(SECRET_VARIABLE)
    if not secret:
        raise PackError(
            f"there is no secret for signing tokens: set `secret` under [auth], or {SECRET_VARIABLE}; {MAKE_A_SECRET}"
        )
    algorithm = environ.get(ALGORITHM_VARIABLE, "HS256")
    if algorithm != "HS256":
        raise PackError(
            f"{ALGORITHM_VARIABLE} is {algorithm[:20]!r}, but tokens signed with a secret use HS256: set"
            f" {ALGORITHM_VARIABLE} to HS256, or unset it"
        )
    issuer = Issuer(
        iss=auth.issuer,
        audience=auth.audience or auth.resource or NAME,
        secret=secret.encode("utf-8"),
        local=True,
    )
    check(issuer)
    return issuer


def issuers_of(auth: AuthSettings) -> list[Issuer]:
    """The issuers that the settings name, the local one first.

    Raises:
        PackError: one of them would prove nothing.
    """
    audience = auth.audience or auth.resource
    for given in auth.issuers:
        if given.audience is None and audience is None:
            raise PackError(
                f"issuer {given.issuer!r}: set `resource` or `audience` under [auth], so that packhorse knows"
                " which `aud` its tokens must have"
            )
    local = [local_issuer(auth.model_copy(update={"audience": audience}))] if auth.secret is not None else []
    return [*local, *(_issuer(given, audience) for given in auth.issuers)]


def _issuer(given: IssuerSettings, audience: str | None) -> Issuer:
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
