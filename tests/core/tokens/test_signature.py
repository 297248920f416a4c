"""Whether a token is its issuer's: decided by the issuer's algorithm and key, even where nobody looked before."""

import pytest
from signing import AUDIENCE, RS, claims_of, es, hs, hs_issuer, jwk, pem, rs, rs_issuer, rsa_key

from packhorse.errors import RequestError
from packhorse.tokens.claims import WHOLE
from packhorse.tokens.compact import read
from packhorse.tokens.keys import signing_keys
from packhorse.tokens.signature import proven


@pytest.fixture
def key():
    ((_, key),) = signing_keys([jwk(rsa_key(), "rsa-1")], "RS256")
    return key


def prove(token, key, issuer):
    return proven(read(token), key, issuer, require=WHOLE, audience=AUDIENCE)


def test_what_is_its_issuer_s_is_proven(key):
    assert prove(rs(), key, rs_issuer(None)) == claims_of(RS)
    assert prove(hs(), hs_issuer().secret, hs_issuer()) == claims_of()


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(lambda: hs(claims_of(RS), secret=pem(rsa_key())), id="HS256 with the public PEM"),
        pytest.param(lambda: es(claims_of(RS)), id="ES256"),
    ],
)
def test_another_algorithm_than_the_issuer_s_proves_nothing(key, token):
    with pytest.raises(RequestError, match="signed with RS256"):
        prove(token(), key, rs_issuer(None))


def test_an_algorithm_of_the_same_family_proves_nothing():
    with pytest.raises(RequestError, match="signed with HS256"):
        prove(hs(algorithm="HS384"), hs_issuer().secret, hs_issuer())


def test_another_issuer_s_name_proves_nothing(key):
    with pytest.raises(RequestError, match="does not name the issuer"):
        prove(rs(claims_of("https://elsewhere.example")), key, rs_issuer(None))


def test_a_token_for_somebody_proves_nothing_where_no_audience_is_expected():
    with pytest.raises(RequestError, match="not for this server"):
        proven(read(hs()), hs_issuer().secret, hs_issuer(), require=("exp",), audience=None)
