"""Issuers of three kinds, a clock that stands still, and a real server that publishes keys."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from signing import Clockwork, Published, Publisher, ec_key, es_issuer, hs_issuer, jwk, rs_issuer, rsa_key, set_of

from packhorse.tokens import Tokens


@pytest.fixture
def clock():
    return Clockwork()


@pytest.fixture
def publisher():
    """The issuers' own server; each test fills it."""
    with Publisher() as serving:
        yield serving


@pytest.fixture
def attacker():
    """A server that nobody configured: it must hear nothing."""
    with Publisher() as serving:
        yield serving
        assert serving.asked == []


@pytest.fixture
def tokens(clock, publisher):
    """A verifier of a local HS256 issuer, an RS256 issuer with two keys and an ES256 issuer with one."""
    publisher.pages["/rs"] = Published(set_of(jwk(rsa_key(), "rsa-1"), jwk(rsa_key("second"), "rsa-2")))
    publisher.pages["/es"] = Published(set_of(jwk(ec_key(), "ec-1")))
    return Tokens([hs_issuer(), rs_issuer(publisher), es_issuer(publisher)], clock=clock)
