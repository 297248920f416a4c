"""How a token is refused: in words for the caller, without anything that the token contains."""

from datetime import UTC, datetime

from packhorse.contract.clock import utc_text
from packhorse.errors import AUTHENTICATION, RequestError

RENEW = "packhorse token --refresh"


def invalid(why: str) -> RequestError:
    """A token that does not hold, and that no waiting or renewing will mend."""
    return RequestError(
        AUTHENTICATION, "invalid_token", f"Authentication failed: {why}.", details={"reason": f"Invalid token: {why}"}
    )


def expired(iss: str, expired_at: float, *, renewable: bool, local: bool) -> RequestError:
    """A token that held until ``expired_at`` (Unix seconds): for who holds it, and for renewing it."""
    when = utc_text(datetime.fromtimestamp(expired_at, UTC), "seconds")
    if renewable:
        cure = f"Renew it with '{RENEW}'."
    elif local:
        cure = "It is too old to renew; get a new one with 'packhorse token'."
    else:
        cure = "Get a new one from its issuer."
    return RequestError(
        AUTHENTICATION,
        "expired_token",
        f"Authentication failed: the token expired at {when}. {cure}",
        details={"reason": "Token expired", "expired_at": when, "renewable": renewable, "issuer": iss},
    )


def unavailable(retry_after_seconds: float) -> RequestError:
    """The issuer's keys cannot be had now, so that nothing can be said about its tokens."""
    seconds = max(1, round(retry_after_seconds))
    return RequestError(
        AUTHENTICATION,
        "keys_unavailable",
        f"Authentication failed: the issuer's keys cannot be fetched at the moment. Try again in {seconds} s.",
        details={"reason": "Issuer's keys unavailable", "retry_after_seconds": seconds},
    )
