"""The local issuer: from the settings, else from the variables of the scheduling specification."""

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import SecretStr
from signing import SECRET

from packhorse.errors import PackError
from packhorse.tokens import Issuer, local_issuer


@dataclass
class Auth:
    secret: Any = None
    issuer: str | None = None
    audience: str | None = None


PLAIN = SECRET.decode()


@pytest.mark.parametrize(
    ("auth", "environ"),
    [
        pytest.param(None, {"JWT_SECRET_KEY": PLAIN}, id="from the environment"),
        pytest.param(Auth(), {"JWT_SECRET_KEY": PLAIN, "JWT_ALGORITHM": "HS256"}, id="from it, beside empty settings"),
        pytest.param(Auth(PLAIN), {}, id="from the settings"),
        pytest.param(Auth(SecretStr(PLAIN)), {"JWT_SECRET_KEY": "x" * 40}, id="from the settings first"),
    ],
)
def test_the_secret_is_found(auth, environ):
    assert local_issuer(auth, environ) == Issuer(iss="packhorse", audience="packhorse", secret=SECRET, local=True)


def test_its_names_are_the_deployer_s():
    issuer = local_issuer(Auth(PLAIN, "https://roster.example", "https://roster.example/mcp"), {})
    assert (issuer.iss, issuer.audience) == ("https://roster.example", "https://roster.example/mcp")


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        pytest.param({}, "openssl rand -hex 32", id="none"),
        pytest.param({"JWT_SECRET_KEY": ""}, "there is no secret", id="an empty one"),
        pytest.param({"JWT_SECRET_KEY": "canary-8"}, "8 bytes and needs at least 32", id="a short one"),
        pytest.param({"JWT_SECRET_KEY": PLAIN, "JWT_ALGORITHM": "RS256"}, "JWT_ALGORITHM is 'RS256'", id="for RS256"),
        pytest.param({"JWT_SECRET_KEY": PLAIN, "JWT_ALGORITHM": "none"}, "JWT_ALGORITHM is 'none'", id="for none"),
    ],
)
def test_without_a_good_secret_there_is_no_local_issuer(environ, words):
    with pytest.raises(PackError, match=words) as caught:
        local_issuer(None, environ)
    assert "canary" not in str(caught.value)
