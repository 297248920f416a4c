"""What [auth.login] must say, and what it changes."""

from pathlib import Path

import httpx2
import pytest
from stable import SECRET, login_table, place_with, stable_in
from walking import REDIRECT, Person, Program, call_of, register

from live import in_here
from packhorse import PackError
from packhorse.settings import load

LOGIN = login_table("https://provider.example")


def loaded(folder: Path, auth: str, login: str = LOGIN, **environ: str):
    path = folder / "packhorse.toml"
    path.write_text(f"[auth]\n{auth}\n{login}\n")
    return load(path, environ=environ)


@pytest.mark.parametrize(
    ("auth", "login", "message"),
    [
        ('secret = "{}"', LOGIN, "needs `resource`"),
        ('secret = "{}"\nresource = "http://tools.example/mcp"', LOGIN, "starts with https://"),
        ('secret = "{}"\nresource = "http://10.0.0.7/mcp"', LOGIN, "starts with https://"),
        ('secret = "{}"\nresource = "https://t.example/mcp"', LOGIN.replace("https://prov", "http://prov"), "https://"),
        ('secret = "{}"\nresource = "https://t.example/mcp"', LOGIN.replace("allow", "allowed"), "login.allow"),
        ('secret = "{}"\nresource = "https://t.example/mcp"', LOGIN.replace('["*@example.org"]', "[]"), "login.allow"),
        (
            'secret = "{}"\nresource = "https://t.example/mcp"',
            LOGIN.replace("*@", "@"),
            "login.allow: '@example.org' is nobody's address; all addresses of a domain are '*@example.org'",
        ),
        (
            'secret = "{}"\nresource = "https://t.example/mcp"',
            LOGIN.replace('["*@example.org"]', '"*@example.org"'),
            'login.allow: write a list, as in ["one", "two"]',
        ),
        (
            'secret = "{}"\nresource = "https://t.example/mcp"',
            f'{LOGIN}\n[auth.login.roles]\n"ada@example.org" = "ADMIN"',
            'login.roles."ada@example.org": write a list',
        ),
        (
            'secret = "{}"\nresource = "https://t.example/mcp"',
            f'{LOGIN}\n[auth.login.roles]\n"@example.org" = ["ADMIN"]',
            "login.roles: '@example.org' is nobody's address",
        ),
    ],
)
def test_a_table_that_is_not_safe_is_refused(tmp_path, auth, login, message):
    with pytest.raises(PackError) as refused:
        loaded(tmp_path, auth.format(SECRET), login)

    assert message in str(refused.value)
    assert SECRET not in str(refused.value)


def test_the_providers_secret_comes_from_the_environment(tmp_path):
    auth = f'secret = "{SECRET}"\nresource = "https://tools.example/mcp"'
    given = {"PACKHORSE_AUTH_LOGIN_CLIENT_SECRET": "from-the-environment", "PACKHORSE_AUTH_LOGIN_ALLOW": "a@b.c, d@e.f"}

    login = loaded(tmp_path, auth, **given).auth.login

    assert login is not None
    assert login.client_secret is not None
    assert login.client_secret.get_secret_value() == "from-the-environment"
    assert login.allow == ("a@b.c", "d@e.f")
    whole = '{"issuer": "https://p.example", "client_id": "c", "allow": ["*"]}'
    assert loaded(tmp_path, auth, login="", PACKHORSE_AUTH_LOGIN=whole).auth.login.allow == ("*",)
    with pytest.raises(PackError, match="PACKHORSE_AUTH_LOGIN_SECRET is no setting"):
        loaded(tmp_path, auth, PACKHORSE_AUTH_LOGIN_SECRET="x")


@pytest.fixture
def run(monkeypatch, capfd):
    return in_here(monkeypatch, capfd)


def test_a_server_without_a_secret_for_its_tokens_does_not_start(run, tmp_path, provider):
    bench = stable_in(tmp_path, provider, 8000)
    config = bench.folder / "packhorse.toml"
    config.write_text(config.read_text().replace(f'secret = "{SECRET}"', ""))

    assert "[auth.login] needs a `secret`" in run(bench, "serve", "--transport", "http").stderr


def test_check_says_whether_the_provider_can_be_used(run, tmp_path, provider):
    good = run(stable_in(tmp_path / "good", provider, 8000), "check", "stable").stdout
    bad = run(stable_in(tmp_path / "bad", f"{provider}/", 8000), "check", "stable").stdout

    open_client = stable_in(tmp_path / "open", provider, 8000)
    config = open_client.folder / "packhorse.toml"
    config.write_text("".join(line for line in config.open() if not line.startswith("client_secret")))
    without = run(open_client, "check", "stable").stdout

    assert "LOOK  sign-in: [auth.login] has no client_secret" in without
    assert "no client_secret" not in good
    assert f"{provider} answers; the redirect URI to register there: http://127.0.0.1:8000/signin/callback" in good
    assert "its metadata is of another issuer" in bad


def test_a_server_that_signs_nobody_in_does_not_start(run, tmp_path, provider):
    bench = stable_in(tmp_path, provider, 8000)
    config = bench.folder / "packhorse.toml"
    config.write_text(config.read_text().replace("[server]", '[server]\nwithout = ["login"]'))

    assert "remove 'login' from the setting `without`" in run(bench, "serve", "--transport", "http").stderr


def test_several_replicas_need_a_database_to_share_who_is_signed_in(run, tmp_path, provider):
    bench = stable_in(tmp_path, provider, 8000)

    shared = {"PACKHORSE_SERVER_STATE_KEY": SECRET, "PACKHORSE_SERVER_REPLICAS": "2"}
    refused = run(bench, "serve", "stable", "--transport", "http", **shared)

    assert "must share one PostgreSQL database" in refused.stderr


@pytest.fixture(scope="module")
def narrow(tmp_path_factory, provider):
    """A host with a limit by address, a client of its own, and roles that ask for a sign-in each day."""
    client = (
        '[[auth.login.clients]]\nclient_id = "reports"\nclient_secret = "a-secret-of-the-reports-of-32-bytes"\n'
        f'redirect_uris = ["{REDIRECT}"]\nname = "Monthly reports"\n'
    )
    folder = tmp_path_factory.mktemp("narrow")
    with place_with(folder, provider, client, requests_by_address="40/hour", required=False) as made:
        yield made


def test_a_client_that_is_written_down_signs_people_in(narrow):
    reports = Program(narrow.address, "reports", "a-secret-of-the-reports-of-32-bytes")
    person = Person(narrow.address)
    page = person.asked(reports)
    assert "«Monthly reports»" in page.text
    assert "Set up by the operator" in page.text

    tokens = person.tokens(reports)

    assert reports.renewed(tokens["refresh_token"]).status_code == 200
    assert reports.renewed(tokens["refresh_token"], client_secret="wrong").status_code == 401


def test_clients_are_asked_to_sign_in_even_for_what_is_public_unless_the_settings_say_otherwise(place, narrow):
    asked = call_of("hours", {})

    refused, answered = (httpx2.post(one.served.url, **asked) for one in (place, narrow))

    assert refused.status_code == 401
    assert "oauth-protected-resource/mcp" in refused.headers["www-authenticate"]
    assert "from 8 to 18" in answered.text


def test_an_address_may_ask_so_often_and_no_more(narrow):
    answers = [register(narrow.address, redirect_uris=[REDIRECT]) for _ in range(41)]

    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    for path in ("/authorize", "/signin/consent", "/signin/callback"):
        assert httpx2.get(f"{narrow.address}{path}").status_code == 429
    assert httpx2.post(f"{narrow.address}/token").status_code == 429
    assert httpx2.get(f"{narrow.address}/.well-known/oauth-authorization-server").status_code == 200
    assert httpx2.get(f"{narrow.address}/readyz").status_code == 200


def test_what_clients_read_first_names_one_issuer(place):
    resource = httpx2.get(f"{place.address}/.well-known/oauth-protected-resource/mcp").json()
    described = httpx2.get(f"{place.address}/.well-known/oauth-authorization-server").json()

    assert resource["authorization_servers"] == [described["issuer"]] == [place.address]
    assert resource["resource"] == place.served.url
    assert described["code_challenge_methods_supported"] == ["S256"]
    assert described["client_id_metadata_document_supported"] is True
    assert described["authorization_response_iss_parameter_supported"] is True
    assert "none" in described["token_endpoint_auth_methods_supported"]
