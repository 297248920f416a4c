"""The local issuer: from the settings, else from the variables of the scheduling specification."""

import pytest
from signing import SECRET

from packhorse.errors import PackError
from packhorse.settings import AuthSettings
from packhorse.tokens import Issuer, local_issuer

PLAIN = SECRET.decode()


@pytest.mark.parametrize(
    ("auth", "environ"),
    [
        pytest.param(AuthSettings(), {"JWT_SECRET_KEY": PLAIN}, id="from the environment"),
        pytest.param(
            AuthSettings(), {"JWT_SECRET_KEY": PLAIN, "JWT_ALGORITHM": "HS256"}, id="from it, beside empty settings"
        ),
        pytest.param(AuthSettings(secret=PLAIN), {"JWT_SECRET_KEY": "x" * 40}, id="from the settings first"),
    ],
)
def test_the_secret_is_found(auth, environ):
    assert local_issuer(auth, environ) == Issuer(iss="packhorse", audience="packhorse", secret=SECRET, local=True)


def test_its_names_are_the_deployer_s():
    issuer = local_issuer(
        AuthSettings(secret=PLAIN, issuer="https://roster.example", audience="https://roster.example/mcp"), {}
    )
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
        local_issuer(AuthSettings(), environ)
    assert "canary" not in str(caught.value)
