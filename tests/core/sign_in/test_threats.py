"""What an attacker tries while somebody signs in, over real HTTP: the table in `docs/sign-in.md`, line by line."""

import json
import re
from pathlib import Path

import httpx2
import pytest
from stable import SECRET, Place, place_with
from walking import REDIRECT, Person, Program, call_of, fields_of, query_of, register

from packhorse.tokens import Issuer, mint

pytestmark = pytest.mark.wire


@pytest.fixture(scope="module")
def scribe(place):
    return Program.registered(place.address)


def called(place: Place, token: str | None, tool: str = "saddle") -> httpx2.Response:
    return httpx2.post(place.served.url, **call_of(tool, {"horse": "Ada"} if tool == "saddle" else {}, token))


def test_somebody_signs_in_and_calls_a_tool_that_needs_a_role(place, scribe):
    tokens = Person(place.address).tokens(scribe)

    assert tokens["token_type"] == "Bearer"
    assert "ada@example.org" in called(place, tokens["access_token"], "whoami").text
    assert "Ada is saddled" in called(place, tokens["access_token"]).text


def test_a_role_missing_is_answered_in_the_protocol_and_not_by_asking_to_sign_in_again(place, scribe):
    answer = called(place, Person(place.address, "bob@example.org").tokens(scribe)["access_token"])

    assert answer.status_code != 403
    assert "www-authenticate" not in answer.headers
    assert answer.json()["error"]["code"] == -32001
    assert answer.json()["error"]["message"].endswith("The caller is bob@example.org here, with no role.")


def test_an_email_is_one_person_however_it_is_spelled(place, scribe):
    tokens = Person(place.address, "Spelled@Example.ORG").tokens(scribe)

    assert "spelled@example.org" in called(place, tokens["access_token"], "whoami").text


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"redirect_uri": "https://evil.example/callback"}, id="redirect elsewhere"),
        pytest.param({"redirect_uri": "http://127.0.0.1:8123/other"}, id="other path on loopback"),
        pytest.param({"redirect_uri": "http://localhost:8123/callback"}, id="other name of loopback"),
        pytest.param({"redirect_uri": "http://127.0.0.1.evil.example:8123/callback"}, id="host that begins alike"),
        pytest.param({"client_id": "nobody"}, id="unknown client"),
        pytest.param({"client_id": "dcr.gAAAAABpforged"}, id="forged client"),
        pytest.param({"client_id": "https://127.0.0.1:1/client.json"}, id="metadata document not found"),
        pytest.param({"client_id": "https://127.0.0.1:1/../client.json"}, id="metadata address with dots"),
        pytest.param({"client_id": "x" * 5000}, id="overlong client"),
        pytest.param({"client_id": None}, id="no client"),
    ],
)
def test_a_request_whose_client_or_address_is_wrong_goes_nowhere(place, scribe, changed):
    answer = Person(place.address).asked(scribe, **changed)

    assert answer.status_code == 400
    assert "location" not in answer.headers


def test_a_program_on_the_persons_machine_may_listen_on_any_port(place, scribe):
    page = Person(place.address).asked(scribe, redirect_uri="http://127.0.0.1:51999/callback")

    assert page.status_code == 200


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://example.org/callback",
        "https://ada@example.org/callback",
        "https://example.org/callback#fragment",
        "scribe://callback",
        f"https://example.org/{'x' * 600}",
    ],
)
def test_an_address_to_which_no_answer_may_go_is_not_registered(place, uri):
    answer = register(place.address, redirect_uris=[uri])

    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")


@pytest.mark.parametrize(
    "uri",
    [
        "cursor://anysphere.cursor-retrieval/oauth/callback",
        "com.example.app:/callback",
        "https://claude.ai/api/mcp/auth_callback",
        "http://[::1]:9/callback",
    ],
)
def test_addresses_of_programs_are_registered(place, uri):
    assert register(place.address, redirect_uris=[uri]).status_code == 201


def test_a_registration_with_too_many_addresses_is_refused(place):
    assert register(place.address, redirect_uris=[f"https://e.example/{n}" for n in range(11)]).status_code == 400
    assert (
        register(place.address, redirect_uris=[f"https://e.example/{n}{'x' * 400}" for n in range(9)]).status_code
        == 400
    )


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        pytest.param({"code_challenge_method": "plain"}, "invalid_request", id="PKCE plain"),
        pytest.param({"code_challenge": None}, "invalid_request", id="no PKCE"),
        pytest.param({"code_challenge": ""}, "invalid_request", id="empty challenge"),
        pytest.param({"response_type": "token"}, "unsupported_response_type", id="implicit flow"),
        pytest.param({"resource": "https://other.example/mcp"}, "invalid_target", id="other resource"),
    ],
)
def test_a_request_that_is_wrong_otherwise_is_answered_at_the_clients_own_address(place, scribe, changed, error):
    answer = Person(place.address).asked(scribe, **changed)

    assert answer.status_code == 302
    assert answer.headers["location"].startswith(REDIRECT)
    assert query_of(answer.headers["location"])["error"] == error


def test_an_attacker_who_agrees_in_his_browser_gets_nothing_when_the_victim_signs_in(place, scribe):
    """CVE-2026-27124."""
    attacker, victim = Person(place.address), Person(place.address, "bob@example.org")
    leaving = attacker.agreed(attacker.asked(scribe))

    answer = victim.back(victim.at_provider(leaving))

    assert answer.status_code == 403
    assert "location" not in answer.headers


def test_consent_is_asked_each_time(place, scribe):
    """GHSA-6x8h-498w-gv8c: a remembered consent is one that somebody else can use."""
    ada = Person(place.address)
    ada.signed_in(scribe)

    page = ada.asked(scribe)

    assert page.status_code == 200
    assert "«Scribe» wants to use" in page.text


def test_a_page_of_another_site_cannot_agree(place, scribe):
    ada = Person(place.address)
    page = ada.asked(scribe)

    assert ada.agreed(page, csrf="").status_code == 403
    assert ada.agreed(page, csrf="0" * 64).status_code == 403
    ada.browser.headers["Sec-Fetch-Site"] = "cross-site"
    assert ada.agreed(page).status_code == 403
    del ada.browser.headers["Sec-Fetch-Site"]
    ada.browser.cookies.clear()
    assert ada.agreed(page).status_code == 403


def test_two_tabs_can_both_agree(place, scribe):
    ada = Person(place.address)
    first = ada.asked(scribe)
    second = ada.asked(scribe)

    assert ada.agreed(first).status_code == 303
    assert ada.agreed(second).status_code == 303


def test_the_page_can_be_framed_by_nobody_and_names_no_form_action(place, scribe):
    page = Person(place.address).asked(scribe)

    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "form-action" not in policy + page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "no-store"
    cookie = page.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_the_page_says_whose_word_the_name_is_and_where_the_answer_goes(place):
    bold = Program.registered(place.address, "https://evil.example/cb", client_name="<b>Claude</b>")
    page = Person(place.address).asked(bold).text

    assert "«&lt;b&gt;Claude&lt;/b&gt;»" in page
    assert "Nobody has checked it" in page
    assert "evil.example" in page


def test_a_name_that_hides_something_is_not_shown(place):
    disguised = Program.registered(place.address, client_name="Cl\u0430ude \u202egnol")

    assert "A program without a name" in Person(place.address).asked(disguised).text


def test_whoever_refuses_sends_the_client_away(place, scribe):
    ada = Person(place.address)

    answer = query_of(ada.agreed(ada.asked(scribe), answer="no").headers["location"])

    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "of-the-client", place.address)


def test_whoever_refuses_at_the_provider_sends_the_client_away(place, scribe):
    ada = Person(place.address)

    state = query_of(ada.agreed(ada.asked(scribe)).headers["location"])["state"]

    answer = ada.back(f"{place.address}/signin/callback?error=access_denied&state={state}")

    assert query_of(answer.headers["location"])["error"] == "access_denied"


def test_the_answer_names_its_issuer_and_carries_the_clients_state(place, scribe):
    answer = Person(place.address).signed_in(scribe)

    assert (answer["iss"], answer["state"]) == (place.address, "of-the-client")


def test_somebody_outside_of_allow_is_turned_away(place, scribe):
    answer = Person(place.address, "eve@elsewhere.example").signed_in(scribe)

    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "of-the-client", place.address)
    assert "code" not in answer


def test_the_operator_finds_who_was_turned_away_and_why(tmp_path, provider):
    with place_with(tmp_path, provider) as place:
        scribe = Program.registered(place.address)
        for name in ("eve", "mallory"):
            Person(place.address, f"{name}@elsewhere.example").signed_in(scribe)
        place.served.stop()
        log = place.bench.log.read_text()
        rows = json.loads(place.bench.run("audit", "tail", "--json").stdout)

    calls = [row["body"]["call"] for row in rows]
    assert [(one["kind"], one["name"], one["principal"]["subject"]) for one in calls[:2]] == [
        ("auth", "sign_in_not_allowed", "eve@elsewhere.example"),
        ("auth", "sign_in_not_verified", "mallory@elsewhere.example"),
    ]
    assert {row["body"]["outcome"]["status"] for row in rows} == {"denied"}
    assert "not signed in: `allow` under [auth.login] does not name them. Who it was is in the record" in log
    assert "not signed in: the provider has not verified this email address. Who it was" in log
    assert "eve@elsewhere" not in log


def test_the_providers_answer_is_taken_once(place, scribe):
    ada = Person(place.address)
    returning = ada.at_provider(ada.agreed(ada.asked(scribe)))
    assert ada.back(returning).status_code == 303

    again = ada.back(returning)

    assert again.status_code == 403
    assert "location" not in again.headers


@pytest.mark.parametrize("state", ["", "forged", None])
def test_an_answer_with_another_state_is_not_taken(place, scribe, state):
    ada = Person(place.address)
    returning = ada.at_provider(ada.agreed(ada.asked(scribe)))

    changed = re.sub(r"state=[^&]*", "" if state is None else f"state={state}", returning)

    assert ada.back(changed).status_code == 403


def test_an_answer_that_names_another_issuer_is_not_taken(place, scribe):
    ada = Person(place.address)
    returning = ada.at_provider(ada.agreed(ada.asked(scribe)))

    answer = query_of(ada.back(f"{returning}&iss=https://mixed-up.example").headers["location"])

    assert "code" not in answer
    assert answer["error"] == "temporarily_unavailable"


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("nonce", "temporarily_unavailable"),
        ("issuer", "temporarily_unavailable"),
        ("audience", "temporarily_unavailable"),
        ("azp", "temporarily_unavailable"),
        ("expired", "temporarily_unavailable"),
        ("future", "temporarily_unavailable"),
        ("signature", "temporarily_unavailable"),
        ("algorithm", "temporarily_unavailable"),
        ("unnamed", "access_denied"),
        ("unverified", "access_denied"),
    ],
)
def test_an_id_token_that_does_not_hold_signs_nobody_in(place, scribe, kind, error):
    answer = Person(place.address, f"{kind}@example.org").signed_in(scribe)

    assert answer["error"] == error
    assert "code" not in answer


def test_a_code_is_taken_once_and_its_second_use_ends_what_the_first_gave(place, scribe):
    code = Person(place.address).signed_in(scribe)["code"]
    first = scribe.token(code)
    assert first.status_code == 200

    assert scribe.token(code).status_code == 400
    assert scribe.renewed(first.json()["refresh_token"]).status_code == 400


@pytest.mark.parametrize("written", ["{}=", "{}!", " {}", "{}\n"])
def test_a_code_or_an_answer_written_otherwise_is_not_another_one(place, scribe, written):
    ada = Person(place.address)
    returning = ada.at_provider(ada.agreed(ada.asked(scribe)))
    state = query_of(returning)["state"]
    arrived = query_of(ada.back(returning).headers["location"])
    assert scribe.token(arrived["code"]).status_code == 200

    again = ada.browser.get(f"{place.address}/signin/callback", params={"state": written.format(state), "code": "x"})

    assert again.status_code == 403
    assert scribe.token(written.format(arrived["code"])).status_code == 400


def test_a_code_is_for_its_client_verifier_and_address_alone(place, scribe):
    code = Person(place.address).signed_in(scribe)["code"]
    other = Program.registered(place.address)

    for answer in (
        scribe.token(code, code_verifier="x" * 43),
        scribe.token(code, redirect_uri="http://127.0.0.1:8123/other"),
        scribe.token(code, redirect_uri=None),
        other.token(code, code_verifier=scribe.verifier),
        scribe.token(code[:-8] + "AAAAAAAA"),
    ):
        assert answer.status_code == 400
    assert scribe.token(code).status_code == 200


def test_a_refresh_token_is_replaced_and_a_stolen_one_ends_the_sign_in(place, scribe):
    first = Person(place.address).tokens(scribe)["refresh_token"]
    second = scribe.renewed(first)
    assert second.status_code == 200
    assert second.json()["refresh_token"] != first

    stolen = scribe.renewed(first)

    assert stolen.status_code == 400
    assert scribe.renewed(second.json()["refresh_token"]).status_code == 400


def test_a_refresh_token_is_for_its_client_alone(place, scribe):
    refresh = Person(place.address).tokens(scribe)["refresh_token"]
    other = Program.registered(place.address)

    assert other.renewed(refresh).status_code == 400
    assert scribe.renewed(refresh).status_code == 200


def test_a_client_gives_its_tokens_back_and_nobody_elses(place, scribe):
    refresh = Person(place.address).tokens(scribe)["refresh_token"]
    other = Program.registered(place.address)

    assert other.revoked(refresh).status_code == 200
    renewed = scribe.renewed(refresh).json()["refresh_token"]
    assert scribe.revoked(renewed).status_code == 200
    assert scribe.renewed(renewed).status_code == 400


def test_a_client_with_a_secret_needs_it(place):
    for method in ("client_secret_post", "client_secret_basic"):
        program = Program.registered(place.address, token_endpoint_auth_method=method)
        code = Person(place.address).signed_in(program)["code"]
        assert program.token(code, client_secret=None).status_code == 401
        assert program.token(code, client_secret="0" * 64).status_code == 401
    program = Program.registered(place.address, token_endpoint_auth_method="client_secret_post")
    assert program.token(Person(place.address).signed_in(program)["code"]).status_code == 200


def test_a_client_that_this_server_does_not_know_hears_so_and_can_register_again(place):
    answer = Program(place.address, "made-elsewhere").token("code")

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


@pytest.mark.parametrize("audience", ["https://other.example/mcp", "packhorse"])
def test_a_token_of_another_resource_of_the_same_issuer_is_refused(place, audience):
    issuer = Issuer(iss="packhorse", audience=audience, secret=SECRET.encode(), local=True)

    assert called(place, mint(issuer, "ada@example.org", ["ADMIN"])).status_code == 401


def test_nothing_of_a_sign_in_is_a_token(place, scribe):
    ada = Person(place.address)
    page = ada.asked(scribe)
    tokens = ada.tokens(scribe)

    for text in (tokens["refresh_token"], fields_of(page.text)["t"], scribe.client_id):
        assert called(place, text).status_code == 401


def test_no_secret_of_a_sign_in_is_written_down(place, scribe):
    ada = Person(place.address)
    answer = ada.signed_in(scribe)
    tokens = scribe.token(answer["code"]).json()
    kept = [path for path in (place.bench.folder / "data").rglob("*") if path.is_file()]

    written = b"".join(Path(path).read_bytes() for path in kept) + place.bench.log.read_bytes()

    for secret in (tokens["access_token"], tokens["refresh_token"], answer["code"], "the-secret-of-packhorse"):
        assert secret.encode() not in written


def test_a_request_for_another_host_is_refused(place):
    answer = httpx2.get(f"{place.address}/.well-known/oauth-authorization-server", headers={"Host": "rebound.example"})

    assert answer.status_code == 421
