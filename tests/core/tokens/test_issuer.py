"""Which issuers are taken on, and what is said of those that are not."""

import subprocess
import sys

import pytest
from signing import ec_key, hs_issuer, pem, rs_issuer

from packhorse.errors import PackError
from packhorse.tokens import check, weaknesses


@pytest.mark.parametrize(
    "issuer",
    [
        pytest.param(lambda: hs_issuer(secret=b"0" * 32), id="a secret of 32 bytes"),
        pytest.param(lambda: hs_issuer(secret="ä".encode() * 16), id="of 32 bytes and 16 letters"),
        pytest.param(lambda: rs_issuer(None), id="keys by https"),
        pytest.param(lambda: rs_issuer(None, algorithm="ES256"), id="the same for ES256"),
        *(
            pytest.param(lambda host=host: rs_issuer(None, jwks_url=f"http://{host}/keys?x=1"), id=f"http on {host}")
            for host in ("localhost", "LocalHost:8080", "127.0.0.1:9", "127.8.8.8", "[::1]:9")
        ),
    ],
)
def test_an_issuer_that_can_prove_something_is_taken_on(issuer):
    check(issuer())


@pytest.mark.parametrize(
    ("issuer", "words"),
    [
        pytest.param(lambda: hs_issuer(iss=""), "must not be empty", id="no name"),
        pytest.param(lambda: hs_issuer(audience=""), "must not be empty", id="no audience"),
        pytest.param(lambda: hs_issuer(secret=b"canary-8"), "8 bytes and needs at least 32", id="8 bytes"),
        pytest.param(lambda: hs_issuer(secret=b"c" * 31), "31 bytes and needs at least 32", id="31 bytes"),
        pytest.param(lambda: hs_issuer(secret=b""), "0 bytes and needs at least 32", id="an empty secret"),
        pytest.param(lambda: hs_issuer(secret=pem(ec_key())), "certificate file", id="a public key for a secret"),
        pytest.param(lambda: hs_issuer(secret=None), "either a secret", id="neither secret nor keys"),
        pytest.param(lambda: hs_issuer(jwks_url="https://x.example"), "not both", id="both"),
        pytest.param(lambda: hs_issuer(algorithm="RS256"), "signs with HS256, not with 'RS256'", id="RS256 by secret"),
        *(
            pytest.param(lambda name=name: hs_issuer(algorithm=name), "signs with HS256", id=f"algorithm {name!r}")
            for name in ("", "none", "HS512", "hs256")
        ),
        pytest.param(lambda: rs_issuer(None, algorithm="HS256"), "RS256 or ES256, not with 'HS256'", id="HS256 by URL"),
        pytest.param(lambda: rs_issuer(None, algorithm="PS256"), "RS256 or ES256", id="PS256"),
        pytest.param(lambda: rs_issuer(None, local=True), "signs with a secret", id="a local issuer by URL"),
        *(
            pytest.param(lambda url=url: rs_issuer(None, jwks_url=url), words, id=url or "no address")
            for url, words in [
                ("", "not a URL"),
                ("idp.example/keys", "not a URL"),
                ("https://", "not a URL"),
                ("https://idp.example:99999/", "not a URL"),
                ("https://[::1/", "not a URL"),
                ("https://idp.example/a b", "not a URL"),
                ("https://idp.exämple/", "not a URL"),
                ("http://idp.example/keys", "must start with https"),
                ("http://127.0.0.1.example/keys", "must start with https"),
                ("http://localhost.example/keys", "must start with https"),
                ("http://10.0.0.1/keys", "must start with https"),
                ("http://2130706433/keys", "must start with https"),
                ("file://localhost/etc/keys", "must start with https"),
                ("ftp://localhost/keys", "must start with https"),
                ("https://user:canary-pass@idp.example/", "user name"),
                ("http://idp.example@localhost/", "user name"),
                ("https://idp.example/#x", "fragment"),
            ]
        ),
    ],
)
def test_an_issuer_that_proves_nothing_is_refused_in_words(issuer, words):
    with pytest.raises(PackError, match=words) as caught:
        check(issuer())
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("secret", "weak"),
    [
        pytest.param(b"x" * 32, True, id="one letter"),
        pytest.param(b"0123456789abcdef" * 4, False, id="enough different ones"),
    ],
)
def test_a_secret_that_others_could_guess_is_named_as_weak(secret, weak):
    issuer = hs_issuer(secret=secret)
    check(issuer)
    assert bool(weaknesses(issuer)) is weak
    assert secret.decode() not in "".join(weaknesses(issuer))


def test_an_issuer_without_a_secret_has_none_that_is_weak():
    assert weaknesses(rs_issuer(None)) == ()


def test_the_package_is_cheap_to_import():
    # Not pydantic: the settings that name an issuer have loaded it.
    heavy = "'jwt', 'cryptography', 'httpx2', 'httpcore2', 'anyio', 'mcp', 'mcp_types', 'ssl', 'asyncio'"
    code = f"import sys, packhorse.tokens; print(sorted({{{heavy}}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
