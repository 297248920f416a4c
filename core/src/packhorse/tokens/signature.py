"""Whether a token was signed by its issuer, for this server. The only place that asks PyJWT to decide."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from packhorse.errors import RequestError
from packhorse.tokens.compact import Compact
from packhorse.tokens.issuer import Issuer
from packhorse.tokens.refusals import invalid

if TYPE_CHECKING:
    from jwt import PyJWK


def proven(
    token: Compact, key: "bytes | PyJWK", issuer: Issuer, *, require: Sequence[str], audience: str | None
) -> Mapping[str, Any]:
    """The token's claims, proven to be its issuer's; when they hold is still to be judged.

    ``key`` is one of the issuer's own. ``require`` are the claims that must be
    there; with ``iss`` among them it must be the issuer's. With an ``audience``
    it must be among the token's, and without one the token must name none.

    Raises:
        RequestError: the signature, issuer or audience is another, or a claim is missing.
    """
    import jwt

    refusal: RequestError
    try:
        claims: Mapping[str, Any] = jwt.decode(
            token.text,
            key,
            algorithms=[issuer.algorithm],
            audience=audience,
            issuer=issuer.iss if "iss" in require else None,
            # PyJWT reads the machine's clock, and ours is an argument: times are judged in `claims`.
            options={
                "require": list(require),
                "verify_exp": False,
                "verify_iat": False,
                "verify_nbf": False,
                "enforce_minimum_key_length": True,
            },
        )
    except jwt.PyJWTError as exc:
        refusal = _refusal(exc, issuer, audience)
    else:
        return claims
    raise refusal  # outside of the handler, so that PyJWT's words, which quote the token, are not kept with it


def _refusal(exc: Exception, issuer: Issuer, audience: str | None) -> RequestError:
    import jwt
    from jwt.exceptions import InvalidSubjectError

    match exc:
        case jwt.MissingRequiredClaimError():
            return invalid(f"the token lacks the claim `{exc.claim}`")
        case jwt.InvalidAudienceError():
            return invalid(f"the token is not for this server, whose audience is {audience}")
        case jwt.InvalidIssuerError():
            return invalid("the token's `iss` claim does not name the issuer whose key signed it")
        case InvalidSubjectError():
            return invalid("the token's `sub` claim must be text")
        case jwt.InvalidAlgorithmError():
            return invalid(f"tokens of this issuer are signed with {issuer.algorithm}")
        case _:
            return invalid("the token's signature is wrong")
