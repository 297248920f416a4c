"""``packhorse token``: a token that a shell can take, with a word about what it is for."""

import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from signing import OTHER_SECRET, SECRET, claims_of, hs

from packhorse.errors import PackError, RequestError, UserError
from packhorse.settings import AuthSettings
from packhorse.tokens import Tokens, local_issuer
from packhorse.tokens.commands import token as command
from packhorse.tokens.compact import read

pytestmark = pytest.mark.anyio

NOW = int(datetime.now(UTC).timestamp())


@pytest.fixture
def secret(monkeypatch):
    monkeypatch.setenv("JWT_SECRET_KEY", SECRET.decode())
    for name in ("JWT_ALGORITHM", "JWT_EXPIRE_MINUTES"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments, given=None):
    return CliRunner().invoke(command, arguments, input=given)


def ours(now=NOW, **changes):
    return claims_of(**{"aud": "packhorse", "iat": now - 60, "exp": now + 600, **changes})


async def test_it_prints_a_token_alone_and_says_beside_it_what_it_is_for(secret):
    done = run("--sub", "ada", "--role", "COORDINATOR", "--role", "ADMIN", "--ttl", "2h")

    assert done.exit_code == 0
    printed = done.stdout.removesuffix("\n")
    principal = await Tokens([local_issuer(AuthSettings())]).verify(printed)
    assert (principal.subject, principal.roles) == ("ada", {"COORDINATOR", "ADMIN"})
    assert principal.claims["exp"] - principal.claims["iat"] == 7_200
    assert "is for testing" in done.stderr
    assert "ada" in done.stderr
    assert SECRET.decode() not in done.output


def test_for_programs_it_prints_json(secret):
    done = run("--sub", "ada", "--json", "--audience", "https://a.example")
    shown = json.loads(done.stdout)
    assert set(shown) == {"token", "token_type", "expires_at", "claims", "note"}
    assert shown["token_type"] == "Bearer"
    assert shown["claims"] == read(shown["token"]).claims
    assert shown["claims"]["aud"] == "https://a.example"
    assert datetime.fromisoformat(shown["expires_at"]).timestamp() == shown["claims"]["exp"]
    assert "is for testing" in shown["note"]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [(("--ttl", "45s"), 45), (("--ttl", "30m"), 1_800), (("--ttl", "24h"), 86_400), ((), 1_800)],
    ids=["seconds", "minutes", "hours", "nothing"],
)
def test_a_life_is_a_number_with_its_unit(secret, said, seconds):
    claims = read(run("--sub", "ada", *said).stdout.strip()).claims
    assert claims["exp"] - claims["iat"] == seconds


def test_the_specification_s_variable_gives_the_usual_life(secret, monkeypatch):
    monkeypatch.setenv("JWT_EXPIRE_MINUTES", "5")
    claims = read(run("--sub", "ada").stdout.strip()).claims
    assert claims["exp"] - claims["iat"] == 300


@pytest.mark.parametrize("life", ["", "30", "m", "-5m", "1d", "1.5h", "5m5s", "٣m", "9999999s"])
def test_a_life_without_number_or_unit_is_refused(secret, life):
    done = run("--sub", "ada", "--ttl", life)
    assert done.exit_code == 2
    assert "such as 45s, 30m or 2h" in done.stderr


@pytest.mark.parametrize("way", ["argument", "standard input"])
def test_a_token_is_renewed(secret, way):
    now = int(datetime.now(UTC).timestamp())  # the suite may have begun half an hour ago
    old = hs(ours(now, role="ADMIN"))
    done = run("--refresh", old) if way == "argument" else run("--refresh", "-", given=f"{old}\n")
    claims = read(done.stdout.strip()).claims
    assert (claims["sub"], claims["role"], claims["exp"] - claims["iat"]) == ("user_id_123", "ADMIN", 660)
    assert claims["iat"] >= now


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        pytest.param(["--refresh", hs(ours(exp=NOW - 1000))], RequestError, "too old to renew", id="too old"),
        pytest.param(["--refresh", hs(ours(), OTHER_SECRET)], RequestError, "signature", id="of another secret"),
        pytest.param(["--refresh", "x"], RequestError, "three parts", id="no token"),
        pytest.param(["--sub", "ada", "--ttl", "25h"], UserError, "86400 s", id="a life above a day"),
        pytest.param(["--sub", ""], UserError, "1 to 255", id="nobody"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(secret, arguments, error, words):
    done = run(*arguments)
    assert isinstance(done.exception, error)
    assert words in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="nothing said"),
        pytest.param(["--sub", "ada", "--refresh", "x"], id="both said"),
        pytest.param(["--refresh", "x", "--role", "ADMIN"], id="more roles for an old token"),
        pytest.param(["--refresh", "x", "--ttl", "24h"], id="a longer life for an old token"),
        pytest.param(["--refresh", "x", "--audience", "y"], id="another server for an old token"),
    ],
)
def test_a_token_is_made_or_renewed_and_what_it_says_is_not_changed(secret, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert "--refresh" in done.stderr or "renewed token keeps" in done.stderr


def test_without_a_secret_it_says_how_to_make_one(monkeypatch):
    monkeypatch.delenv("JWT_SECRET_KEY", raising=False)
    done = run("--sub", "ada")
    assert isinstance(done.exception, PackError)
    assert "openssl rand -hex 32" in str(done.exception)
