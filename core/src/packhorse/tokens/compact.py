"""A token's text (JWS compact serialisation, RFC 7515), read strictly and before anything in it is believed.

Two readers of one token must not see two tokens: so no padding, no duplicate
keys, no numbers that JSON lacks.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from packhorse.schema.strict_json import strictly
from packhorse.tokens.refusals import invalid

MAX_CHARACTERS = 16_384
"""Above any token in use (an HTTP server's whole header is commonly 8 to 16 KiB), below what is work to parse."""

_SHAPE = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+")
# RFC 7519, section 5.1, and RFC 9068, section 2.1. Another type is a token for another purpose (RFC 8725, 3.11).
_TYPES = ("jwt", "at+jwt", "application/jwt", "application/at+jwt")


@dataclass(frozen=True, slots=True)
class Compact:
    """A token taken apart. Nothing of it is verified; of its header, only ``alg`` and ``kid`` are ever looked at."""

    text: str = field(repr=False)
    alg: str
    kid: str | None
    claims: Mapping[str, Any] = field(repr=False)


def read(token: str) -> Compact:
    """Take a token apart.

    Raises:
        RequestError: it is not a signed token, or asks for what is not understood here.
    """
    if len(token) > MAX_CHARACTERS:
        raise invalid(f"the token is longer than {MAX_CHARACTERS:,} characters")
    shape = _SHAPE.fullmatch(token)
    # Looked at first: an extension may be why the rest has another shape (RFC 7797 leaves the claims unencoded).
    header = _mapping(token.partition(".")[0])
    if header is not None and "crit" in header:
        raise invalid("the token marks a header parameter as critical, and none is understood here")
    if shape is None:
        raise invalid("the credential is not a signed token of three parts")
    claims = _mapping(shape[2])
    if header is None or claims is None:
        raise invalid("the token's header or claims are not a JSON object")
    kind = header.get("typ", "JWT")
    if not isinstance(kind, str) or kind.lower() not in _TYPES:
        raise invalid("the token is of another type than JWT or at+jwt")
    alg, kid = header.get("alg"), header.get("kid")
    if not isinstance(alg, str) or not (kid is None or isinstance(kid, str)):
        raise invalid("the token's `alg` and `kid` must be text")
    return Compact(token, alg, kid, claims)


def _mapping(part: str) -> dict[str, Any] | None:
    try:
        _, value = strictly(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
