"""Signed tokens: who issues them, what makes one hold, and how to make one for trying out.

Importing this loads neither PyJWT nor an HTTP client: they load with the first
issuer that is put to use.
"""

from packhorse.tokens.issuer import Issuer, check, weaknesses
from packhorse.tokens.local import local_issuer
from packhorse.tokens.mint import mint, refresh
from packhorse.tokens.verify import Tokens

__all__ = ["Issuer", "Tokens", "check", "local_issuer", "mint", "refresh", "weaknesses"]
