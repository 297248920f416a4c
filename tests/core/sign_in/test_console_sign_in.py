"""A person opens the console in a browser that is on no machine of the server's, and signs in at the provider."""

import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from pydantic import SecretStr
from stable import SECRET, STABLE, place_with
from walking import Person, Program, call_of, fields_of, query_of

from packhorse.compose.deployment import compose
from packhorse.http.app import Service
from packhorse.settings import AuthSettings, LoginSettings, ServerSettings, Settings

pytestmark = pytest.mark.wire

DEAL = '''

WAITS, DONE = {}, []


def sell(horse: str, ctx: Context) -> str:
    """Ask for a horse to be sold."""
    WAITS[horse] = ctx.principal.subject
    return f"{horse} waits for somebody else's word"


def sold() -> list[str]:
    """Say who decided on which sale."""
    return DONE


def pending(ctx: Context | None) -> list[Waiting]:
    until = datetime(2090, 1, 1, tzinfo=UTC)
    mine = {horse: asked for horse, asked in WAITS.items() if ctx is None or ctx.principal.subject != asked}
    return [Waiting(horse, f"sell {horse}", f"asked by {asked}", until) for horse, asked in mine.items()]


def decide(ctx: Context, horse: str, approve: bool, reason: str | None) -> None:
    del WAITS[horse]
    DONE.append(f"{ctx.principal.kind} {ctx.principal.subject}: {horse} {approve}")


@hookimpl
def register_approvals():
    return [Approvals(pending, lambda horse: f"{horse} would be gone.", decide)]
'''
MORE = "        Tool(fn=sell, roles=['AUTHENTICATED']), Tool(fn=sold, public=True),\n"
SELLER = (
    "from datetime import UTC, datetime\n" + STABLE.replace("        Tool(fn=whoami,", MORE + "Tool(fn=whoami,") + DEAL
)


class Visitor(Person):
    """A person with a browser on the console."""

    def console(self, path: str = "") -> httpx2.Response:
        return self.browser.get(f"{self.address}/console{path}")

    def asked_in(self, path: str = "") -> httpx2.Response:
        """The page on which to sign in, where the console sends a browser that has not."""
        leaving = self.console(path)
        assert (leaving.status_code, leaving.headers["location"].partition("?")[0]) == (303, "/signin")
        return self.browser.get(f"{self.address}{leaving.headers['location']}")

    def returning(self, path: str = "") -> str:
        """The address of the provider's answer."""
        return self.at_provider(self.agreed(self.asked_in(path)))

    def signed_in_here(self, path: str = "") -> httpx2.Response:
        arrived = self.back(self.returning(path))
        assert arrived.status_code == 200, arrived.text
        return arrived

    def signed_in_again(self) -> None:
        """As a second tab does, which was sent to sign in before the first had."""
        page = self.browser.get(f"{self.address}/signin?to=/console")
        assert self.back(self.at_provider(self.agreed(page))).status_code == 200

    def post(self, path: str, **form: str) -> httpx2.Response:
        token = fields_of(self.console("/approvals").text)["token"]
        headers = {"Origin": self.address, "Sec-Fetch-Site": "same-origin"}
        return self.browser.post(f"{self.address}/console{path}", data={"token": token, **form}, headers=headers)

    @property
    def session(self) -> tuple[str, str]:
        ((name, value),) = [(name, value) for name, value in self.browser.cookies.items() if "signin" not in name]
        return name, value


def test_a_browser_is_sent_to_the_provider_and_comes_back_to_the_page_that_it_asked_for(place):
    ada = Visitor(place.address)
    page = ada.asked_in("/record?name=saddle")
    assert (page.status_code, "Sign in to packhorse" in page.text) == (200, True)

    leaving = ada.agreed(page)
    asked = query_of(leaving.headers["location"])
    assert leaving.headers["location"].startswith(place.provider)
    assert asked["code_challenge_method"] == "S256"
    assert {"state", "nonce", "code_challenge"} <= asked.keys()
    arrived = ada.back(ada.at_provider(leaving))

    # No redirect: a browser takes no cookie that is Strict along on one that began at the provider.
    assert (arrived.status_code, arrived.headers["refresh"]) == (200, "0; url=/console/record?name=saddle")
    assert 'href="/console/record?name=saddle"' in arrived.text
    shown = ada.console()
    assert shown.status_code == 200
    assert "ada@example.org" in shown.text
    assert ">Sign out<" in shown.text


@pytest.mark.parametrize(
    ("asked", "to"),
    [
        ("/record?caller=ada@example.org&name=a%20b,c", "/console/record?caller=ada@example.org&amp;name=a%20b,c"),
        ("/record?name='>;", "/console/record"),
    ],
)
def test_a_query_comes_back_as_it_was_asked_or_not_at_all(place, asked, to):
    assert f'href="{to}"' in Visitor(place.address).signed_in_here(asked).text


def test_the_sessions_cookie_is_out_of_reach_of_scripts_and_other_sites(place):
    cookie = Visitor(place.address).signed_in_here().headers["set-cookie"]

    for words in ("; HttpOnly", "; SameSite=Strict", "; Path=/;", "; Max-Age=28800"):
        assert words in cookie


def test_roles_decide_what_a_person_sees_and_does(place):
    ada, bob = Visitor(place.address), Visitor(place.address, "bob@example.org")
    ada.signed_in_here()
    bob.signed_in_here()

    assert ("saddle" in ada.console().text, "saddle" in bob.console().text) == (True, False)
    assert (ada.console("/tools/saddle").status_code, bob.console("/tools/saddle").status_code) == (200, 404)
    assert bob.post("/tools/saddle", **{"argument.horse": "Bess", "do": "call"}).status_code == 404
    called = ada.post("/tools/saddle", **{"argument.horse": "Bess", "do": "call"})
    assert "Bess is saddled" in called.text
    who = ada.post("/tools/whoami", do="call").text
    assert "ada@example.org" in who
    assert "ADMIN" in who
    assert bob.post("/record").status_code == 403


def test_a_session_is_a_key_to_pages_alone(place):
    ada = Visitor(place.address)
    ada.signed_in_here()
    _, secret = ada.session

    for token in (None, secret):
        answer = ada.browser.post(place.served.url, **call_of("saddle", {"horse": "Bess"}, token))
        assert answer.status_code == 401
    for client in ("", "Console"):
        assert Program(place.address, client).renewed(secret).status_code == 401


def test_every_form_without_the_token_of_this_sign_in_is_refused(place):
    ada, bob = Visitor(place.address), Visitor(place.address, "bob@example.org")
    ada.signed_in_here()
    before = fields_of(ada.console("/approvals").text)["token"]
    bob.signed_in_here()
    bobs = fields_of(bob.console("/approvals").text)["token"]
    ada.signed_in_again()

    for token in ("", "0" * 64, bobs, before):
        for path in ("", "/tools/saddle", "/approvals", "/calls", "/record"):
            assert ada.browser.post(f"{place.address}/console{path}", data={"token": token}).status_code == 403


def test_each_sign_in_has_a_new_session_and_ends_the_one_before_in_that_browser(place):
    ada = Visitor(place.address)
    ada.signed_in_here()
    name, first = ada.session
    ada.signed_in_again()
    assert ada.session[1] != first

    other = Visitor(place.address)
    other.browser.cookies.set(name, first)
    assert other.console().status_code == 303


def test_a_session_that_somebody_set_before_the_sign_in_is_not_the_one_after(place):
    """Session fixation (CWE-384)."""
    ada = Visitor(place.address)
    ada.signed_in_here()
    name, _ = ada.session
    victim = Visitor(place.address, "bob@example.org")
    victim.browser.cookies.set(name, "A" * 43)
    victim.signed_in_here()

    attacker = Visitor(place.address)
    attacker.browser.cookies.set(name, "A" * 43)
    assert attacker.console().status_code == 303
    assert "bob@example.org" in victim.console().text


def test_who_signs_out_is_out_in_every_browser_that_has_the_cookie(place):
    ada = Visitor(place.address)
    ada.signed_in_here()
    name, kept = ada.session

    left = ada.post("")
    assert f"This browser is signed out here, and still signed in at {place.provider.partition('//')[2]}" in left.text
    ada.browser.cookies.set(name, kept)
    assert ada.console().status_code == 303


def test_the_operator_ends_a_session_at_the_terminal(place):
    cleo = Visitor(place.address, "cleo@example.org")
    cleo.signed_in_here()

    assert re.search(r"cleo@example.org +Console +since", place.bench.run("sign-ins").stdout)
    assert "1 sign-in of cleo@example.org ended" in place.bench.run("sign-ins", "--revoke", "cleo@example.org").stdout
    assert cleo.console().status_code == 303
    assert cleo.browser.post(f"{place.address}/console/approvals", data={"token": "x"}).status_code == 303


def test_what_an_open_page_asks_for_is_refused_and_led_nowhere(place):
    for path in ("/parts/health", "/console.js"):
        answer = Visitor(place.address).console(path)
        assert answer.status_code == 401
        assert not [one for one in answer.headers.get_list("www-authenticate") if one.startswith("Basic")]


def test_a_program_with_a_token_gets_the_page_and_one_with_a_bad_token_is_refused(place):
    token = Person(place.address).tokens(Program.registered(place.address))["access_token"]

    assert httpx2.get(f"{place.address}/console", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert httpx2.get(f"{place.address}/console", auth=("any", token)).status_code == 200
    assert httpx2.get(f"{place.address}/console", auth=("any", "bad")).status_code == 401


@pytest.mark.parametrize(
    "to",
    ["", "https://evil.example", "//evil.example", "/\\evil.example", "/console\r\nX: y", "javascript:alert(1)",
     "/%5cevil.example/..//x", "/console#x", "/" + "x" * 2000],
)  # fmt: skip
def test_a_sign_in_leads_to_pages_of_this_server_alone(place, to):
    answer = Visitor(place.address).browser.get(f"{place.address}/signin", params={"to": to})

    assert answer.status_code == 400
    assert "location" not in answer.headers


def test_an_attacker_who_begins_in_his_browser_gets_nothing_when_the_victim_signs_in(place):
    """CVE-2026-27124, for a session in place of a code; and no victim gets an attacker's session."""
    attacker, victim = Visitor(place.address), Visitor(place.address, "bob@example.org")
    begun = attacker.agreed(attacker.asked_in())

    answer = victim.back(victim.at_provider(begun))
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers

    own = attacker.returning()
    assert victim.back(own).status_code == 403
    assert victim.console().status_code == 303


def test_a_page_of_another_site_begins_no_sign_in(place):
    ada = Visitor(place.address)
    page = ada.asked_in()

    assert ada.agreed(page, csrf="0" * 64).status_code == 403
    ada.browser.headers["Sec-Fetch-Site"] = "cross-site"
    assert ada.agreed(page).status_code == 403
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("changed", [r"state=[^&]*", None])
def test_an_answer_of_the_provider_opens_one_session(place, changed):
    ada = Visitor(place.address)
    returning = ada.returning()
    if changed is None:
        assert ada.back(returning).status_code == 200
    again = ada.back(re.sub(changed, "state=forged", returning) if changed else returning)

    assert again.status_code == 403
    assert "set-cookie" not in again.headers


@pytest.mark.parametrize(
    ("email", "status", "words"),
    [
        ("eve@elsewhere.example", 403, "You may not sign in to this server"),
        ("nonce@example.org", 503, "The provider cannot be used at the moment"),
        ("signature@example.org", 503, "The provider cannot be used at the moment"),
        ("unverified@example.org", 403, "has not verified your email address"),
    ],
)
def test_who_does_not_get_in_reads_why_and_has_no_session(place, email, status, words):
    eve = Visitor(place.address, email)
    answer = eve.back(eve.returning())

    assert answer.status_code == status
    assert words in answer.text
    assert 'href="/console"' in answer.text
    assert "set-cookie" not in answer.headers
    assert eve.console().status_code == 303


def test_an_answer_for_a_client_opens_no_session_and_one_for_a_browser_gives_no_code(place):
    ada = Visitor(place.address)
    program = Program.registered(place.address)
    assert "code" in ada.signed_in(program)
    assert ada.console().status_code == 303

    arrived = ada.signed_in_here()
    assert "location" not in arrived.headers
    assert "code=" not in arrived.text


def test_nothing_that_opens_a_session_is_written_down(place):
    ada = Visitor(place.address)
    returning = ada.returning()
    ada.back(returning)
    files = [path for path in (place.bench.folder / "data").rglob("*") if path.is_file()]
    written = b"".join(path.read_bytes() for path in files) + place.bench.log.read_bytes()

    for secret in (ada.session[1], query_of(returning)["code"], query_of(returning)["state"]):
        assert secret.encode() not in written


def test_the_person_who_asked_does_not_decide_and_the_record_says_who_did(tmp_path, provider):
    from seeds import install

    install(tmp_path / "packs", "stable", SELLER)
    with place_with(tmp_path, provider) as place:
        token = Person(place.address, "bob@example.org").tokens(Program.registered(place.address))["access_token"]
        asked = httpx2.post(place.served.url, **call_of("sell", {"horse": "Bess"}, token))
        assert "waits for somebody else" in asked.text
        bob, cleo = Visitor(place.address, "bob@example.org"), Visitor(place.address, "cleo@example.org")
        bob.signed_in_here()
        cleo.signed_in_here("/approvals")

        form = {"pack": "stable", "approval": "Bess", "decision": "approve"}
        assert "Nothing waits for your decision" in bob.console("/approvals").text
        assert "does not wait for your decision" in bob.post("/approvals", **form).text
        assert "Bess would be gone." in cleo.console("/approvals").text
        assert "Approved: sell Bess" in cleo.post("/approvals", **form).text
        assert "human cleo@example.org: Bess True" in cleo.post("/tools/sold", do="call", sure="yes").text
        ada = Visitor(place.address)
        ada.signed_in_here()
        assert "human cleo@example.org" in ada.console("/record?pages=yes&name=approvals").text


# --- behind a proxy, with time and settings moved ---

PUBLIC = "https://tools.example.org"


@asynccontextmanager
async def behind_proxy(folder, provider, **login):
    """The host as a proxy asks it, and a browser of whom it asks for; `login` changes [auth.login]."""
    given = {"issuer": provider, "client_id": "packhorse", "client_secret": SecretStr("at-the-provider-it-is-known"),
             "allow": ("*@example.org",), "roles": {"ada@*": ("ADMIN",)}, **login}  # fmt: skip
    settings = Settings(
        server=ServerSettings(data_dir=folder, transport="http", allowed_hosts=("tools.example.org",)),
        auth=AuthSettings(secret=SecretStr(SECRET), resource=f"{PUBLIC}/mcp", login=LoginSettings(**given)),
    )

    class Clock:
        ahead = timedelta()

        def __call__(self):
            return datetime.now(UTC) + self.ahead

    clock = Clock()
    deployment = compose(settings, [], clock=clock)
    transport = httpx2.ASGITransport(Service(deployment).app)
    with deployment.running():
        async with httpx2.AsyncClient(transport=transport, base_url=PUBLIC) as browser:
            yield browser, clock


async def sign_in(browser, email="ada@example.org"):
    page = await browser.get((await browser.get("/console")).headers["location"])
    leaving = await browser.post("/signin/consent", data={**fields_of(page.text), "answer": "yes"})
    async with httpx2.AsyncClient() as elsewhere:
        returning = await elsewhere.post(leaving.headers["location"], data={"sub": email})
    return await browser.get(returning.headers["location"])


@pytest.mark.anyio
async def test_over_https_the_cookie_is_for_this_host_and_https_alone(tmp_path, provider):
    async with behind_proxy(tmp_path, provider) as (browser, _):
        arrived = await sign_in(browser)
        assert arrived.headers["set-cookie"].startswith("__Host-packhorse-")
        assert arrived.headers["set-cookie"].endswith("; Secure")
        assert "ada@example.org" in (await browser.get("/console")).text


@pytest.mark.anyio
@pytest.mark.parametrize(("hours", "status"), [(7, 200), (9, 303)])
async def test_a_session_lasts_for_hours(tmp_path, provider, hours, status):
    async with behind_proxy(tmp_path, provider) as (browser, clock):
        await sign_in(browser)
        clock.ahead = timedelta(hours=hours)
        assert (await browser.get("/console")).status_code == status


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "status", "checks"), [({"allow": ("bob@*",)}, 303, None), ({"roles": {}}, 200, 403), ({}, 200, 200)]
)
async def test_settings_that_have_changed_hold_for_sessions_that_are_open(tmp_path, provider, changed, status, checks):
    async with behind_proxy(tmp_path, provider) as (browser, _):
        await sign_in(browser)
        cookies = dict(browser.cookies)
    async with behind_proxy(tmp_path, provider, **changed) as (browser, _):
        browser.cookies.update(cookies)
        page = await browser.get("/console/record")
        assert page.status_code == status
        if checks is not None:
            form = {"token": fields_of(page.text)["token"]}
            answer = await browser.post("/console/record", data=form, headers={"Origin": PUBLIC})
            assert answer.status_code == checks


@pytest.fixture
def anyio_backend():
    return "asyncio"
