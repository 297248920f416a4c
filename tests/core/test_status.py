"""The status page: what it shows to whom, that nothing on it is taken for HTML, and that nothing of it runs."""

import base64
import re
import sys
import threading
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path

import anyio
import anyio.to_thread
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from packhorse import Pack, Principal, Resource, Tool, UserError
from packhorse.compose.deployment import compose
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import Found
from packhorse.door.execution import Requester
from packhorse.http.app import Service
from packhorse.jobs import Work
from packhorse.settings import AuditSettings, AuthSettings, ServerSettings, Settings
from packhorse.status import facts
from packhorse.status import page as statuspage
from packhorse.status.page import Job, Refusal, Sign, Status
from packhorse.tokens.local import issuers_of
from packhorse.tokens.mint import mint
from seeds import pack_of

pytestmark = pytest.mark.anyio

HOST = "http://127.0.0.1"
AUTH = AuthSettings(secret="s" * 32, resource=f"{HOST}/mcp")
ADA = Principal("human", "ada", claims={"iss": "packhorse"})
HOSTILE = "<script>alert(1)</script>\" onload='x' &amp;"


@pytest.fixture
def anyio_backend():
    return "asyncio"


def measure(depth_m: float) -> float:
    """Measure the sea at a depth, in metres below the surface."""
    raise UserError(f"{depth_m} m is below the ground here; ask for less.", code="TOO_DEEP")


def dive(person: str) -> str:
    """Send a person down, after everybody has agreed to it."""
    return person


def logbook() -> str:
    """What was measured so far."""
    return ""


def survey() -> Work:
    """Survey the sea, for as long as it takes."""
    return Work("math:sqrt", {"x": 4})


def service_of(folder, *, auth=None, audit=None, server=None, pack=None, tools=None):
    module = pack_of(
        tools=tools or [Tool(fn=measure, public=True, read_only=True, title="Depth"), Tool(fn=dive, roles=["MASTER"])],
        resources=[Resource(uri="sea://log", fn=logbook, public=True)],
        pack=pack or Pack(title="The sea"),
    )
    settings = Settings(
        server=ServerSettings(data_dir=folder, **{"name": "harbour", "transport": "http", **(server or {})}),
        **({"auth": auth} if auth else {}),
        **({"audit": audit} if audit else {}),
    )
    found = [Found("sea", module.__name__, "packhorse-sea", "1.2.3")]
    deployment = compose(settings, found, modules={"sea": module})
    return deployment, Service(deployment)


@asynccontextmanager
async def open_page(folder, **options):
    deployment, service = service_of(folder, **options)
    transport = httpx2.ASGITransport(service.app)
    with deployment.running():
        async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
            yield deployment, http


def token(*roles, subject="ada"):
    (issuer,) = issuers_of(AUTH)
    return mint(issuer, subject, roles)


def bearer(*roles, subject="ada"):
    return {"Authorization": f"Bearer {token(*roles, subject=subject)}"}


class Reading(HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


# --- what it says ---


async def test_it_says_what_is_served_with_versions_and_schemas(tmp_path):
    async with open_page(tmp_path) as (_, http):
        answer = await http.get("/")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    page = Reading(answer.text)
    assert "harbour" in page.text
    assert "1.2.3" in page.text
    assert "The sea: 2 tools, 1 resource" in page.text
    assert "Measure the sea at a depth" in page.text
    assert '"depth_m"' in page.text


async def test_refused_calls_are_shown_without_their_arguments(tmp_path):
    async with open_page(tmp_path) as (deployment, http):
        for depth in (7001.25, 7002.5):
            with pytest.raises(UserError):
                await deployment.dispatcher.call_tool(
                    Requester(Principal("human", "ada")), "measure", {"depth_m": depth}
                )
        deployment.dispatcher.accounts.record.flush()
        page = Reading((await http.get("/")).text)

    assert page.text.count("TOO_DEEP") == 2
    assert "human ada" in page.text
    assert not [depth for depth in ("7001.25", "7002.5") if depth in page.text]


async def test_a_pack_that_is_not_served_is_named_with_its_reason(tmp_path):
    module = pack_of(tools=[measure])
    found = [Found("sea", "seed", "packhorse-sea", "1"), Found("lost", "no_such_module_here", "packhorse-lost", "9")]
    settings = Settings(server=ServerSettings(data_dir=tmp_path, transport="http"))
    deployment = compose(settings, found, modules={"sea": module})
    transport = httpx2.ASGITransport(Service(deployment).app)
    with deployment.running():
        async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
            page = Reading((await http.get("/")).text)

    assert "lost 9 not served ModuleNotFoundError" in page.text


async def test_health_is_what_readyz_says(tmp_path):
    async with open_page(tmp_path) as (deployment, http):
        before = Reading((await http.get("/")).text).text
        assert (await http.get("/readyz")).status_code == 503
        deployment.listening.set()
        after = Reading((await http.get("/")).text).text
        assert (await http.get("/readyz")).status_code == 200

    assert "Ready not ready" in before
    assert "Ready ready" in after
    assert "Audit record on" in before
    assert deployment.jobs is None
    assert "No tool here starts jobs." in before


async def test_without_a_record_the_page_says_so(tmp_path):
    async with open_page(tmp_path, audit=AuditSettings(enabled=False)) as (_, http):
        page = Reading((await http.get("/")).text).text

    assert "Audit record off" in page
    assert "No call is recorded here" in page


# --- who may see it ---


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        pytest.param({}, True, id="on this machine by itself"),
        pytest.param({"status": False}, False, id="unless it is switched off"),
        pytest.param({"host": "0.0.0.0", "allow_anonymous": True}, False, id="not on a public address"),
        pytest.param({"host": "0.0.0.0", "allow_anonymous": True, "status": True}, True, id="unless it is asked for"),
        pytest.param({"transport": "sse"}, True, id="with the older transport too"),
        pytest.param({"allowed_hosts": ["packs.example"]}, False, id="not behind a proxy, by the name it serves"),
        pytest.param({"trusted_proxies": ["10.0.0.0/8"]}, False, id="not behind a proxy, by its address"),
        pytest.param({"allowed_hosts": ["packs.example"], "status": True}, True, id="behind one if it is asked for"),
    ],
)
async def test_it_is_off_by_default_where_others_can_reach_it(tmp_path, server, shown):
    async with open_page(tmp_path, server=server) as (_, http):
        assert (await http.get("/")).status_code == (200 if shown else 404)


async def test_behind_a_proxy_it_is_there_for_those_who_sign_in(tmp_path):
    async with open_page(tmp_path, auth=AUTH, server={"allowed_hosts": ["packs.example"]}) as (_, http):
        unknown = await http.get("/", headers={"Host": "packs.example"})
        known = await http.get("/", headers={"Host": "packs.example", **bearer("MASTER")})

    assert (unknown.status_code, known.status_code) == (401, 200)


@pytest.mark.parametrize(
    ("server", "status"),
    [
        pytest.param({}, 200, id="on this machine by themselves"),
        pytest.param({"allowed_hosts": ["packs.example"]}, 404, id="not behind a proxy, by the name it serves"),
        pytest.param({"trusted_proxies": ["10.0.0.0/8"]}, 404, id="not behind a proxy, by its address"),
        pytest.param({"allowed_hosts": ["packs.example"], "metrics": True}, 200, id="behind one if asked for"),
    ],
)
async def test_figures_are_off_by_default_where_others_can_reach_them(tmp_path, server, status):
    pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: there are no metrics")
    async with open_page(tmp_path, server=server) as (_, http):
        assert (await http.get("/metrics")).status_code == status


async def test_a_path_of_the_protocols_own_goes_before_it(tmp_path):
    _, service = service_of(tmp_path, server={"paths": ("/",)})
    assert "/" in service.app._endpoints


async def test_another_host_is_not_answered(tmp_path):
    async with open_page(tmp_path) as (_, http):
        assert (await http.get("/", headers={"Host": "evil.example"})).status_code == 421


async def test_it_is_only_read(tmp_path):
    async with open_page(tmp_path) as (_, http):
        assert (await http.post("/", json={})).status_code == 405
        assert (await http.head("/")).status_code == 200


async def test_behind_authentication_a_browser_is_asked_to_sign_in(tmp_path):
    async with open_page(tmp_path, auth=AUTH) as (_, http):
        answer = await http.get("/")

    assert answer.status_code == 401
    assert "measure" not in answer.text
    assert any(one.startswith("Basic realm=") for one in answer.headers.get_list("www-authenticate"))


@pytest.mark.parametrize("shown", ["bad", ""])
async def test_a_bad_token_is_asked_for_again(tmp_path, shown):
    async with open_page(tmp_path, auth=AUTH) as (_, http):
        answer = await http.get("/", auth=("ada", shown))

    assert answer.status_code == 401
    kinds = [one.partition(" ")[0] for one in answer.headers.get_list("www-authenticate")]
    assert kinds == ["Bearer", "Basic"]


async def test_a_token_is_taken_as_a_password_and_as_a_bearer_token(tmp_path):
    async with open_page(tmp_path, auth=AUTH) as (_, http):
        by_password = await http.get("/", auth=("anybody", token("MASTER")))
        by_token = await http.get("/", headers=bearer("MASTER"))
        broken = await http.get("/", headers={"Authorization": "Basic !"})

    assert (by_password.status_code, by_token.status_code, broken.status_code) == (200, 200, 401)
    for answer in (by_password, by_token):
        assert "Send a person down" in answer.text


async def test_a_password_is_no_key_to_the_protocol_itself(tmp_path):
    async with open_page(tmp_path, auth=AUTH) as (_, http):
        answer = await http.post("/mcp", auth=("anybody", token("MASTER")), json={"jsonrpc": "2.0"})

    assert answer.status_code == 401
    assert "Basic" not in answer.headers["www-authenticate"]


async def test_a_reader_sees_only_tools_that_they_may_use(tmp_path):
    async with open_page(tmp_path, auth=AUTH) as (_, http):
        answer = await http.get("/", headers=bearer("DECKHAND"))

    assert "Measure the sea" in answer.text
    assert "Send a person down" not in answer.text
    assert "The sea: 1 tool, 1 resource" in Reading(answer.text).text


async def test_a_reader_sees_their_own_refusals_and_an_admin_everybodys(tmp_path):
    async with open_page(tmp_path, auth=AUTH) as (deployment, http):
        for subject in ("ada", "bob"):
            who = Principal("human", subject, claims={"iss": "packhorse"})
            with pytest.raises(UserError):
                await deployment.dispatcher.call_tool(Requester(who), "measure", {"depth_m": 1})
        deployment.dispatcher.accounts.record.flush()
        own = Reading((await http.get("/", headers=bearer("DECKHAND"))).text).text
        every = Reading((await http.get("/", headers=bearer("ADMIN", subject="eve"))).text).text

    assert ("human ada" in own, "human bob" in own) == (True, False)
    assert ("human ada" in every, "human bob" in every) == (True, True)


@pytest.mark.parametrize(
    ("auth", "caller", "roles", "whole"),
    [
        pytest.param(None, ANONYMOUS, (), False, id="a stranger's, where nobody signs in"),
        pytest.param(AUTH, ADA, ("DECKHAND",), True, id="one's own"),
    ],
)
async def test_the_id_that_lets_one_end_a_job_is_shown_to_its_owner_alone(tmp_path, auth, caller, roles, whole):
    pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")
    tools = [Tool(fn=survey, job=True, public=True)]
    async with open_page(tmp_path, auth=auth, tools=tools) as (deployment, http):
        reply = await deployment.dispatcher.call_tool(Requester(caller), "survey", {})
        page = Reading((await http.get("/", headers=bearer(*roles) if roles else {})).text).text

    job_id = reply.structured["job_id"]
    assert job_id[:8] in page
    assert (job_id in page) == whole


# --- that it is only a page ---


async def test_it_loads_nothing_and_is_kept_and_framed_by_nobody(tmp_path):
    async with open_page(tmp_path) as (_, http):
        answer = await http.get("/")

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    page = Reading(answer.text)
    assert not {"script", "link", "img", "iframe", "form", "object", "embed"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "style")]
    digests = re.findall(r"'sha256-([^']+)'", policy)
    assert base64.b64decode(digests[0])
    assert all(value.startswith("#") for name, value in page.attributes if name == "href")


def told(text):
    return Status(
        name=text,
        version=text,
        reader=text,
        made_at=text,
        signs=[Sign(text, text, "good", text)],
        packs=[statuspage.Pack(text, text, text, text), statuspage.Pack(text, text, text, text, fault=text)],
        tools=[statuspage.Tool(text, text, text, text, [text], {"description": text}, {text: text})],
        jobs=[Job(text, text, text, text, text, text)],
        refusals=[Refusal(text, text, text, text, text, text)],
        missing={},
    )


@pytest.mark.parametrize("text", [HOSTILE, "</title><script>", "</style>", "]]>", "<!--", "'\""])
def test_no_text_becomes_a_part_of_the_page(text):
    plain, hostile = Reading(statuspage.page(told("x"))), Reading(statuspage.page(told(text)))

    assert hostile.tags == plain.tags
    assert [name for name, _ in hostile.attributes] == [name for name, _ in plain.attributes]


@given(st.text(max_size=40))
def test_whatever_is_told_stays_text(text):
    assert Reading(statuspage.page(told(text))).tags == Reading(statuspage.page(told("x"))).tags


def test_what_is_missing_is_said_in_words():
    empty = Status("n", "v", "r", "t", [], [], [], None, None, {"jobs": "No jobs here.", "refusals": "No record."})
    text = Reading(statuspage.page(empty)).text
    for words in ("No jobs here.", "No record.", "No packs are served.", "no tools for this caller"):
        assert words in text


async def test_the_page_does_not_keep_calls_waiting(tmp_path):
    async with open_page(tmp_path) as (_, http), anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(http.get, "/")
        assert (await http.get("/healthz")).status_code == 200


async def test_the_page_is_made_for_one_at_a_time_and_those_who_would_wait_long_are_told_to_come_back(
    tmp_path, monkeypatch
):
    release = threading.Event()
    monkeypatch.setattr(facts, "page", lambda status: release.wait() and "made")
    answers = []

    async with open_page(tmp_path) as (_, http):

        async def read():
            answers.append(await http.get("/"))

        async with anyio.create_task_group() as tasks:
            try:
                for _ in range(8):
                    tasks.start_soon(read)
                await anyio.wait_all_tasks_blocked()
                at_once = [answer.status_code for answer in answers]
                threads = anyio.to_thread.current_default_thread_limiter().borrowed_tokens
            finally:
                release.set()

    assert at_once == [503] * 3
    assert threads == 0  # those that calls run in
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [503] * 3
    assert {answer.headers.get("retry-after") for answer in answers if answer.status_code == 503} == {"1"}
