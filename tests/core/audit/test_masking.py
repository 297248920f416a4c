"""What is taken out of free text."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.audit import Mask
from packhorse.audit.masking import TEXT_LIMIT
from packhorse.errors import PackError

A_NUMBER = {"a-number": r"\bA[- ]?\d{8,9}\b"}
MASK = Mask(A_NUMBER)
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYXJsYSJ9.c2lnbmVkLWJ5LW5vYm9keQ"


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        pytest.param("Authorization: Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM", id="a bearer token"),
        pytest.param("sent bearer abc-def_123", "abc-def_123", id="a bearer token without its header"),
        pytest.param("Basic dXNlcjpwYXNz was sent", "dXNlcjpwYXNz", id="basic credentials"),
        pytest.param(f"got {JWT}, expired", JWT[20:40], id="a JWT"),
        pytest.param(f"x_{JWT}", JWT[4:20], id="a JWT with something before it"),
        pytest.param("password=hunter2", "hunter2", id="password="),
        pytest.param("PASSWORD : hunter2", "hunter2", id="a colon, capitals, blanks"),
        pytest.param("{'db_password': 'hun,ter2'}", "ter2", id="in the repr of a dict"),
        pytest.param(json.dumps({"passphrase": 'hun"ter2'}), "ter2", id="in JSON, with an escaped quote"),
        pytest.param(json.dumps(json.dumps({"pwd": "hunter2"})), "hunter2", id="in JSON within JSON"),
        pytest.param("password=a,b)c'd&e", "c'd", id="a password of any characters"),
        pytest.param("client_secret => s3cr3t-s3cr3t", "s3cr3t", id="an arrow"),
        pytest.param("run --api-key zx81zx81", "zx81", id="an option on a command line"),
        pytest.param("https://h/p?api_key=zx81&user=2", "zx81", id="in a query"),
        pytest.param("Cookie: a=1; session=zx81zx81", "zx81", id="a cookie"),
        pytest.param("postgresql://app:p@ss@db/rosters", "p@ss", id="a password in a URI"),
        pytest.param("x=" + "0f" * 16, "0f0f", id="32 hex digits under any name"),
        pytest.param("blob: " + "Qk3" * 14, "Qk3", id="long base64 under any name"),
        pytest.param("key ghp_" + "a1" * 18, "a1a1", id="a GitHub token"),
        pytest.param("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7", id="an AWS key id"),
        pytest.param("-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----", "MIIEvQ", id="a private key"),
        pytest.param("-----BEGIN EC PRIVATE KEY-----\\nMIIEvQ", "MIIEvQ", id="a private key without its end"),
        pytest.param("wrote to maria.lopez+x@mail.example.org.", "maria", id="an e-mail address"),
        pytest.param("maría@correo.españa.example", "maría", id="an address in another script"),
        pytest.param("?to=maria%40example.com", "maria", id="an address in a URL"),
        pytest.param('"maria\\u0040example.com"', "maria", id="an address in escaped JSON"),
        pytest.param("no record of A-123456789 here", "123456789", id="a pack's own pattern"),
    ],
)
def test_a_secret_in_free_text_is_masked(said, secret):
    assert secret in said
    assert secret not in MASK.text(said)


@pytest.mark.parametrize(
    "said",
    [
        "plan_trip of pack circadian took 12.5 ms for 10.0.0.1",
        "request 0123456789abcdef failed",
        "id=01a20065-8bb4-73f7-9ee5-7d53d9396d4e",
        'File "/usr/lib/python3.11/site-packages/packhorse/dispatch.py", line 40, in call_tool',
        "the basic understanding of a pallbearer",
        "http://127.0.0.1:8000/mcp?x=1",
        "a path: /var/lib/packhorse/records/of/the/host/audit/and/others",
        "3 people @ 2 sites, A-12 and B-123456789",
    ],
)
def test_ordinary_text_stays_as_it_is(said):
    assert MASK.text(said) == said


@given(st.text(string.ascii_lowercase + " \n\"'{}:,=@.", max_size=60), st.text(" \n,;", max_size=10))
def test_a_secret_is_found_whatever_stands_around_it(before, after):
    token = "Bearer c4n4ry.c4n4ry.c4n4ry"
    masked = MASK.text(f"{before} {token}{after} maria@c4n4ry.example {after}password=c4n4ry")
    assert "c4n4ry" not in masked


@pytest.mark.parametrize("at", [TEXT_LIMIT - 8, TEXT_LIMIT - 3, TEXT_LIMIT + 5])
def test_a_long_text_is_cut_and_leaves_no_half_of_a_secret(at):
    said = "x " * (at // 2) + "maria@example.com" + " y" * 1000
    masked = MASK.text(said)
    assert "maria" not in masked
    assert len(masked) < TEXT_LIMIT + 40
    assert masked.endswith("more characters]")


# Each was seen to grow with the square of the length in some earlier pattern, or could: with 50 kB, that is minutes.
@pytest.mark.parametrize(
    "piece",
    [
        *("a", "1", "é", " ", "\n", "@", ":", "a@", "a.", "a@b.", "%40", "=a", "A-1", "://a:", "eyJ", "ghp_"),
        *("password", "password=", 'password="', "password=\\", "--token-", "bearer ", "authorization:"),
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_fifty_kilobytes_of_anything_are_looked_at(piece):
    said = piece * (50_000 // len(piece))
    assert len(MASK.text(said)) <= len(said) * 2


@pytest.mark.parametrize(
    ("name", "pattern", "why"),
    [
        pytest.param("x", "a" * 201, "200", id="a long one"),
        pytest.param("x", "(a", "regular expression", id="no expression at all"),
        pytest.param("x", "a{0,3}", "empty text", id="one that matches nothing"),
        pytest.param("x", r"\s", "spaces alone", id="one that matches a blank"),
        pytest.param("A number", "a", "name", id="a name with a blank"),
    ],
)
def test_a_pattern_that_is_wrong_is_refused_in_words(name, pattern, why):
    with pytest.raises(PackError, match="personal-data pattern") as caught:
        Mask({name: pattern})
    assert why in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bA[-#: ]{0,3}\d{3}[- ]?\d{3}[- ]?\d{3}\b",
        r"(?i)mrn[ :#]{0,3}\d{6,10}",
        r"\b\d{3}-\d{2}-\d{4}\b",
        "(?:ab|cd)x",
    ],
)
def test_patterns_that_packs_need_are_taken(pattern):
    Mask({"mine": pattern})
