"""The issuer that a deployment is to itself, from its settings or the scheduling specification's own variables."""

import os
from collections.abc import Mapping
from typing import Any

from packhorse.errors import PackError
from packhorse.tokens.issuer import MAKE_A_SECRET, Issuer, check

SECRET_VARIABLE = "JWT_SECRET_KEY"  # noqa: S105 - the name of one
ALGORITHM_VARIABLE = "JWT_ALGORITHM"

NAME = "packhorse"
"""The local issuer's ``iss`` and ``aud`` unless the deployer names them."""


def local_issuer(auth: Any = None, environ: Mapping[str, str] = os.environ) -> Issuer:
    """The local issuer, checked.

    ``auth`` is what the settings hold under ``[auth]``, if anything: its
    ``secret`` (plain or as pydantic keeps secrets), ``issuer`` and ``audience``.
    Without a secret there, JWT_SECRET_KEY is it.

    Raises:
        PackError: there is no secret, or it would prove nothing.
    """
    secret = _plain(getattr(auth, "secret", None)) or environ.get(SECRET_VARIABLE)
    if not secret:
        raise PackError(
            f"there is no secret to sign with: set `secret` under [auth], or {SECRET_VARIABLE}; {MAKE_A_SECRET}"
        )
    algorithm = environ.get(ALGORITHM_VARIABLE, "HS256")
    if algorithm != "HS256":
        raise PackError(f"{ALGORITHM_VARIABLE} is {algorithm[:20]!r}; a secret signs with HS256")
    issuer = Issuer(
        iss=getattr(auth, "issuer", None) or NAME,
        audience=getattr(auth, "audience", None) or getattr(auth, "resource", None) or NAME,
        secret=secret.encode("utf-8"),
        local=True,
    )
    check(issuer)
    return issuer


def _plain(secret: Any) -> str | None:
    reveal = getattr(secret, "get_secret_value", None)
    value = reveal() if reveal else secret
    return value if isinstance(value, str) else None
