"""The issuers whose tokens count here, from the settings."""

from packhorse.errors import PackError
from packhorse.settings import AuthSettings, IssuerSettings
from packhorse.tokens.issuer import Issuer
from packhorse.tokens.local import NAME, local_issuer


def issuers_of(auth: AuthSettings) -> list[Issuer]:
    """The issuers that the settings name, the local one first.

    Raises:
        PackError: one of them would prove nothing.
    """
    audience = auth.audience or auth.resource
    for given in auth.issuers:
        if given.audience is None and audience is None:
            raise PackError(
                f"issuer {given.issuer!r}: say what its tokens must carry as `aud`: resource or audience under [auth]"
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
