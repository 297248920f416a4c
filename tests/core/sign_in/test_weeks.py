"""Sign-ins over days and restarts: roles that change, people who leave, tokens that end; on SQLite and PostgreSQL."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.auth.provider import TokenError
from pydantic import SecretStr

from packhorse.contract.host import Host
from packhorse.login.grants import Grant, Grants
from packhorse.login.server import ACCESS_SECONDS, LoginServer
from packhorse.settings import AuthSettings, LoginClient, LoginSettings, ServerSettings, Settings
from packhorse.store.sealing import Seal
from packhorse.tokens.compact import read

BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
REPORTS = LoginClient(client_id="reports", redirect_uris=("https://reports.example/cb",))


class Weeks:
    """A host that people sign in to, and a clock to move."""

    def __init__(self, folder, **login):
        self.now = BEGIN
        self.folder = folder
        self.server = self.restarted(**login)

    def restarted(self, secret="0123456789abcdef-canary-of-sign-in", **login):
        """The server with other settings, on the same data."""
        given = {
            "issuer": "https://provider.example",
            "client_id": "packhorse",
            "allow": ("*@example.org",),
            "roles": {"ada@*": ("ADMIN",), "bob@*": ("FACULTY",)},
            "clients": (REPORTS,),
            **login,
        }
        auth = AuthSettings(
            secret=SecretStr(secret), resource="https://tools.example/mcp", login=LoginSettings(**given)
        )
        settings = Settings(server=ServerSettings(data_dir=self.folder), auth=auth)
        host = Host("packhorse", data_dir=self.folder, settings=settings, clock=lambda: self.now)
        self.server = LoginServer(host, auth.login)
        return self.server

    def signed_in(self, subject):
        async def exchange():
            client = await self.server.get_client("reports")
            request = {"client": "reports", "redirect": "https://reports.example/cb", "explicit": True,
                       "challenge": "x" * 43, "scopes": []}  # fmt: skip
            code = await self.server.load_authorization_code(client, self.server.code(request, subject))
            return await self.server.exchange_authorization_code(client, code)

        return anyio.run(exchange)

    def renewed(self, refresh):
        async def exchange():
            client = await self.server.get_client("reports")
            token = await self.server.load_refresh_token(client, refresh)
            if token is None:
                raise TokenError("invalid_grant")
            return await self.server.exchange_refresh_token(client, token, [])

        return anyio.run(exchange)


@pytest.fixture
def weeks(tmp_path):
    return Weeks(tmp_path)


def roles_in(tokens):
    claims = read(tokens.access_token).claims
    return {claims[name] if name == "role" else tuple(claims[name]) for name in ("role", "roles") if name in claims}


def test_a_client_renews_for_thirty_days_and_a_month_is_the_end(weeks):
    tokens = weeks.signed_in("bob@example.org")
    for _ in range(29):
        weeks.now += timedelta(days=1)
        tokens = weeks.renewed(tokens.refresh_token)
    weeks.now += timedelta(days=1, seconds=1)

    with pytest.raises(TokenError):
        weeks.renewed(tokens.refresh_token)


def test_an_administrator_signs_in_again_each_day(weeks):
    tokens = weeks.renewed(weeks.signed_in("ada@example.org").refresh_token)
    weeks.now += timedelta(days=1, seconds=1)

    with pytest.raises(TokenError):
        weeks.renewed(tokens.refresh_token)


def test_whoever_becomes_an_administrator_signs_in_anew_where_the_sign_in_is_older_than_a_day(weeks):
    tokens = weeks.signed_in("bob@example.org")
    weeks.now += timedelta(days=3)
    weeks.restarted(roles={"bob@*": ("ADMIN",)})

    with pytest.raises(TokenError):
        weeks.renewed(tokens.refresh_token)


def test_a_role_that_was_taken_away_is_gone_at_the_next_renewal(weeks):
    tokens = weeks.signed_in("bob@example.org")
    assert roles_in(tokens) == {"FACULTY"}
    weeks.restarted(roles={})

    assert roles_in(weeks.renewed(tokens.refresh_token)) == set()


def test_whoever_is_not_allowed_any_more_gets_no_new_token_and_is_signed_out(weeks):
    tokens = weeks.signed_in("bob@example.org")
    weeks.restarted(allow=("ada@example.org",))
    with pytest.raises(TokenError):
        weeks.renewed(tokens.refresh_token)
    weeks.restarted()

    with pytest.raises(TokenError):
        weeks.renewed(tokens.refresh_token)


def test_a_new_secret_ends_no_sign_in_but_all_that_was_sealed(weeks):
    tokens = weeks.signed_in("bob@example.org")
    sealed = weeks.server.seal.close("code", {"a": 1})
    weeks.restarted(secret="fedcba9876543210-canary-of-sign-in")

    assert weeks.server.seal.open("code", sealed, 60) is None
    assert weeks.renewed(tokens.refresh_token).expires_in == ACCESS_SECONDS


def test_what_is_sealed_for_one_purpose_is_nothing_for_another_and_ends():
    now = BEGIN
    seal = Seal(b"x" * 32, lambda: now)
    text = seal.close("state", {"a": 1})

    assert seal.open("state", text, 60) == {"a": 1}
    assert seal.open("code", text, 60) is None
    assert seal.open("state", text[:-2], 60) is None
    assert seal.open("state", "\ud800", 60) is None
    now += timedelta(seconds=61)
    assert seal.open("state", text, 60) is None


@given(st.dictionaries(st.text(), st.text(max_size=60), max_size=4), st.data())
def test_what_was_sealed_is_read_again_and_nothing_else_is(value, data):
    seal = Seal(b"x" * 32, lambda: BEGIN)
    text = seal.close("state", value)
    place = data.draw(st.integers(0, len(text) - 2))  # the last letter holds bits that stand for nothing
    letter = data.draw(st.sampled_from("Aa0_-=!\u0430").filter(lambda one: one != text[place]))

    assert seal.open("state", text, 60) == value
    assert seal.open("state", text[:place] + letter + text[place + 1 :], 60) is None
    assert seal.open("state", text[:place], 60) is None


@pytest.fixture(params=["sqlite", "postgres"])
def grants(request, tmp_path):
    server = ServerSettings(data_dir=tmp_path)
    if request.param == "postgres":
        server = ServerSettings(data_dir=tmp_path, database=SecretStr(request.getfixturevalue("new_database")()))
    return Grants(Settings(server=server))


GRANT = Grant("f", "reports", "Reports", "ada@example.org", "", "2026-03-02T08:00:00Z", "2999-01-01T00:00:00Z")


def test_a_code_is_exchanged_once_whatever_keeps_it(grants):
    first = grants.begin(GRANT, 60)
    assert first is not None

    assert grants.begin(GRANT, 60) is None
    assert grants.find(first) is None


def test_a_refresh_token_is_replaced_once_whatever_keeps_it(grants):
    first = grants.begin(GRANT, 60)
    second = grants.rotate(first, GRANT)
    assert grants.find(second) == GRANT

    assert grants.rotate(first, GRANT) is None
    assert grants.find(second) is None


def test_a_person_is_signed_out_everywhere_whatever_keeps_it(grants):
    tokens = [grants.begin(replace(GRANT, family=str(n)), 60) for n in range(2)]
    assert len(grants.present()) == 2

    assert grants.end_all_of("ada@example.org") == 2
    assert [grants.find(token) for token in tokens] == [None, None]
    assert grants.first_use("state", 60)
    assert not grants.first_use("state", 60)
