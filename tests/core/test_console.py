"""The console: who sees what, that every form needs its token, and that no text of a stranger becomes a part of it."""

import csv
import io
import json
import re
import sys
import threading
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import anyio
import anyio.to_thread
import httpx2
import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from packhorse import (
    Approvals,
    Context,
    Example,
    Host,
    Pack,
    Principal,
    Reply,
    Resource,
    Text,
    Tool,
    UserError,
    Waiting,
)
from packhorse.compose.deployment import compose
from packhorse.console.site import LINK, Site
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import Found
from packhorse.door.execution import Requester
from packhorse.http.app import Service
from packhorse.jobs import Work
from packhorse.login.sessions import HOURS
from packhorse.settings import AuditSettings, AuthSettings, IssuerSettings, ServerSettings, Settings
from packhorse.tokens.local import issuers_of
from packhorse.tokens.mint import mint
from seeds import pack_of

pytestmark = pytest.mark.anyio

HOST = "http://127.0.0.1"
AUTH = AuthSettings(secret="s" * 32, resource=f"{HOST}/mcp")
ADA = Principal("human", "ada", claims={"iss": "packhorse"})
HOSTILE = "<script>alert(1)</script>\" onload='x' &amp;"
PAGES = ("", "/tools/measure", "/approvals", "/calls", "/record", "/mounts", "/health")
FORMS = ("", "/tools/measure", "/approvals", "/calls", "/record", "/mounts")


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Sea:
    """A pack whose tools are called, and what waits for people there."""

    def __init__(self):
        self.dives, self.decisions, self.version = [], [], "7"
        self.waits = {"a-1": "Ada dives to 30 m."}

    def measure(self, depth_m: float, unit: str = "m", deep: bool = False) -> dict:
        """Measure the sea at a depth, in metres below the surface."""
        if depth_m > 1000:
            raise UserError(f"{depth_m} m is below the ground here; ask for less.", code="TOO_DEEP")
        return {"summary": f"It is {depth_m:g} {unit} {'deep' if deep else 'down'}.", "note": HOSTILE}

    def dive(self, person: str) -> str:
        """Send a person down, after everybody has agreed to it."""
        self.dives.append(person)
        return f"{person} dives"

    def survey(self) -> Work:
        """Survey the sea, for as long as it takes."""
        return Work("math:sqrt", {"x": 4})

    async def wait(self) -> str:
        """Wait for a calm sea, which never comes."""
        await anyio.sleep_forever()

    def pending(self, person: Context | None) -> list[Waiting]:
        until = datetime(2030, 1, 1, tzinfo=UTC)
        mine = self.waits if person is None or person.principal.subject != "bob" else {}
        return [Waiting(one, f"diver: {words}", words, until) for one, words in mine.items()]

    def elsewhere(self, person: Context) -> str:
        return "1 call of yours waits for somebody else." if person.principal.subject == "bob" else ""

    def decide(self, person: Context, one: str, approve: bool, reason: str | None) -> None:
        self.decisions.append((person.principal.kind, one, approve, reason))
        del self.waits[one]

    def module(self, **more):
        tools = [
            Tool(fn=self.measure, public=True, read_only=True, title="Depth", examples=[Example({"depth_m": 12.5})]),
            Tool(fn=self.dive, roles=["MASTER"], preview=lambda ctx, given: f"{given['person']} would dive.",
                 version=lambda ctx, given: self.version),
            Tool(fn=self.wait, public=True, read_only=True),
        ]  # fmt: skip
        return pack_of(
            **{"tools": tools, "resources": [Resource(uri="sea://log", fn=lambda: "", public=True)], **more},
            pack=Pack(title="The sea"),
            approvals=[Approvals(self.pending, lambda one: f"In full: {self.waits[one]}", self.decide, self.elsewhere)],
        )


class Open:
    """An open console: the deployment, a client, and who has signed in there."""

    def __init__(self, deployment, http, sea, clock):
        self.deployment, self.http, self.sea, self.clock = deployment, http, sea, clock
        (self.site,) = [one for one in deployment.catalogue.observers if isinstance(one, Site)] or [None]

    async def page(self, path="", **options):
        return Reading((await self.http.get(f"/console{path}", **options)).text)

    async def post(self, path, form=None, *, token=None, **options):
        """A form of a page, with the token that the reader's pages have."""
        if token is None:
            (tool, *_) = self.deployment.catalogue.tools
            token = (await self.page(f"/tools/{tool}", **options)).token
        options["headers"] = {**options.get("headers", {}), "Origin": HOST}
        return await self.http.post(f"/console{path}", data={"token": token, **(form or {})}, **options)

    def link(self):
        return f"/console/enter/{self.site.tickets.issue(LINK, timedelta(minutes=10))}"

    async def sign_in(self):
        link = self.link()
        token = Reading((await self.http.get(link)).text).token
        return await self.http.post(link, data={"token": token}, headers={"Origin": HOST})


@asynccontextmanager
async def console(folder, *, auth=None, audit=None, server=None, **more):
    sea = Sea()
    settings = Settings(
        server=ServerSettings(data_dir=folder, **{"name": "harbour", "transport": "http", **(server or {})}),
        **({"auth": auth} if auth else {}),
        **({"audit": audit} if audit else {}),
    )

    class Clock:
        ahead = timedelta()

        def __call__(self):
            return datetime.now(UTC) + self.ahead

    clock, found = Clock(), [Found("sea", "seed", "packhorse-sea", "1.2.3")]
    deployment = compose(settings, found, modules={"sea": sea.module(**more)}, clock=clock)
    transport = httpx2.ASGITransport(Service(deployment).app)
    with deployment.running():
        async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
            yield Open(deployment, http, sea, clock)


def bearer(*roles, subject="ada"):
    (issuer,) = issuers_of(AUTH)
    return {"Authorization": f"Bearer {mint(issuer, subject, roles)}"}


class Reading(HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self.tokens = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if ("name", "token") in attrs:
            self.tokens.append(dict(attrs)["value"])

    def handle_data(self, data):
        if self.tags[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    @property
    def token(self):
        return self.tokens[0] if self.tokens else ""


# --- who may see it ---


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        pytest.param({}, True, id="on this machine by itself"),
        pytest.param({"console": False}, False, id="unless it is switched off"),
        pytest.param({"host": "0.0.0.0", "allow_anonymous": True}, False, id="not on a public address"),
        pytest.param({"host": "0.0.0.0", "allow_anonymous": True, "console": True}, True, id="unless it is asked for"),
        pytest.param({"transport": "sse"}, True, id="with the older transport too"),
        pytest.param({"allowed_hosts": ["packs.example"]}, False, id="not behind a proxy, by the name it serves"),
        pytest.param({"trusted_proxies": ["10.0.0.0/8"]}, False, id="not behind a proxy, by its address"),
        pytest.param({"allowed_hosts": ["packs.example"], "console": True}, True, id="behind one if it is asked for"),
    ],
)
async def test_it_is_off_by_default_where_others_can_reach_it(tmp_path, server, shown):
    async with console(tmp_path, server=server) as opened:
        for path in PAGES:
            assert (await opened.http.get(f"/console{path}")).status_code == (200 if shown else 404), path
        assert (await opened.http.get("/")).status_code == (303 if shown else 404)


async def test_a_path_of_the_protocols_own_goes_before_the_way_to_it(tmp_path):
    async with console(tmp_path, server={"paths": ("/",)}) as opened:
        assert "/" not in opened.deployment.catalogue.routes
        assert (await opened.http.get("/console")).status_code == 200


async def test_behind_a_proxy_it_is_there_for_those_who_sign_in_and_its_forms_are_taken(tmp_path):
    auth = AuthSettings(secret="s" * 32, resource="https://packs.example/mcp")
    (issuer,) = issuers_of(auth)
    known = {"Host": "packs.example", "Authorization": f"Bearer {mint(issuer, 'ada', ['MASTER'])}"}
    async with console(tmp_path, auth=auth, server={"allowed_hosts": ["packs.example"]}) as opened:
        assert (await opened.http.get("/console", headers={"Host": "packs.example"})).status_code == 401
        token = (await opened.page("/tools/measure", headers=known)).token
        form = {"token": token, "argument.depth_m": "3", "do": "call"}
        for origin, status in (("https://packs.example", 200), ("https://evil.example", 403)):
            answer = await opened.http.post("/console/tools/measure", data=form, headers={**known, "Origin": origin})
            assert answer.status_code == status


async def test_behind_authentication_a_browser_is_asked_to_sign_in(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        for path in PAGES:
            answer = await opened.http.get(f"/console{path}")
            assert answer.status_code == 401
            assert "measure" not in answer.text
            assert any(one.startswith("Basic realm=") for one in answer.headers.get_list("www-authenticate"))
        (issuer,) = issuers_of(AUTH)
        token = mint(issuer, "ada", ["MASTER"])
        assert (await opened.http.get("/console", auth=("anybody", token))).status_code == 200
        assert (await opened.http.get("/console", auth=("anybody", "bad"))).status_code == 401


async def test_pages_leave_the_protocol_to_those_who_sign_in(tmp_path):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with console(tmp_path, auth=AUTH, tools=[Tool(fn=Sea().dive, roles=["MASTER"])], resources=[]) as opened:
        assert (await opened.http.post("/mcp", json=call)).status_code == 401
        assert (await opened.http.get(opened.link())).status_code == 200


async def test_a_reader_sees_only_tools_that_they_may_use(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        deckhand = await opened.page(headers=bearer("DECKHAND"))
        assert ("measure" in deckhand.text, "dive" in deckhand.text) == (True, False)
        assert (await opened.http.get("/console/tools/dive", headers=bearer("DECKHAND"))).status_code == 404
        assert (await opened.post("/tools/dive", headers=bearer("DECKHAND"))).status_code == 404
        assert "dive" in (await opened.page(headers=bearer("MASTER"))).text


# --- a link that works once ---


async def test_a_link_opens_a_session_once_and_looking_does_not(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        link = opened.link()
        for _ in range(2):
            page = await opened.http.get(link)
            assert (page.status_code, "set-cookie" in page.headers) == (200, False)
        form = {"token": Reading(page.text).token}
        done = await opened.http.post(link, data=form)
        assert (done.status_code, done.headers["location"]) == (303, "/console")
        for words in ("HttpOnly", "SameSite=Strict", "Path=/"):
            assert words in done.headers["set-cookie"]
        assert (await opened.http.post(link, data=form)).status_code == 422
        assert (await opened.http.get(link)).status_code == 422
        assert "dive" in (await opened.page()).text, "the operator may use every tool"


async def test_a_session_is_no_key_to_the_protocol_itself(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        await opened.sign_in()
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "dive", "arguments": {}}}
        assert (await opened.http.post("/mcp", json=call)).status_code == 401
        cookie = next(iter(opened.http.cookies.values()))
        headers = {"Authorization": f"Bearer {cookie}"}
        assert (await opened.http.post("/mcp", json=call, headers=headers)).status_code == 401


@pytest.mark.parametrize(("hours", "status"), [(HOURS - 1, 200), (HOURS + 1, 401)])
async def test_a_session_lasts_for_hours(tmp_path, hours, status):
    async with console(tmp_path, auth=AUTH) as opened:
        await opened.sign_in()
        opened.clock.ahead = timedelta(hours=hours)
        assert (await opened.http.get("/console")).status_code == status


async def test_who_signs_out_is_out_in_every_browser_that_has_the_cookie(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        await opened.sign_in()
        (name, kept), *_ = opened.http.cookies.items()
        assert (await opened.post("")).status_code == 200
        assert not opened.http.cookies
        opened.http.cookies.set(name, kept)
        assert (await opened.http.get("/console")).status_code == 401


async def test_the_store_holds_no_secret_that_works(tmp_path):
    async with console(tmp_path) as opened:
        link = opened.link()
        await opened.sign_in()
        secrets = [link.rpartition("/")[2], next(iter(opened.http.cookies.values()))]
    files = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    assert not [one for one in secrets if one.encode() in files]


# --- forms ---


@pytest.mark.parametrize("token", [None, "", "0" * 64, "another's"])
async def test_every_form_without_its_token_is_refused(tmp_path, token):
    async with console(tmp_path, auth=AUTH) as opened:
        another = (await opened.page(headers=bearer("ADMIN", subject="eve"))).token
        await opened.sign_in()
        form = {"do": "call", "decision": "approve", "pack": "sea", "approval": "a-1", "argument.depth_m": "1"}
        if token is not None:
            form["token"] = another if token == "another's" else token
        link = opened.link()
        for path in (*(f"/console{path}" for path in FORMS), link):
            assert (await opened.http.post(path, data=form)).status_code == 403, path
        assert opened.sea.decisions == []
        assert (await opened.http.get("/console")).status_code == 200, "the session goes on"
        assert opened.site.is_link(link.rpartition("/")[2])


async def test_every_form_of_another_origin_is_refused(tmp_path):
    async with console(tmp_path) as opened:
        await opened.sign_in()
        for path in FORMS:
            form = {"token": (await opened.page(path)).token}
            answer = await opened.http.post(f"/console{path}", data=form, headers={"Origin": "https://evil.example"})
            assert answer.status_code == 403


async def test_a_tool_is_called_through_the_same_door_as_by_everybody(tmp_path):
    async with console(tmp_path) as opened:
        form = {"argument.depth_m": "2.5", "argument.unit": "fathoms", "argument.deep": "true", "do": "call"}
        page = Reading((await opened.post("/tools/measure", form)).text)
        assert "It is 2.5 fathoms deep." in page.text
        record = await opened.page("/record?name=measure")
        assert "measure" in record.text
        assert "fathoms" not in record.text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"argument.depth_m": "2000"}, "Refused (TOO_DEEP) 2000.0 m is below the ground"),
        ({"argument.depth_m": "deep"}, "Refused (INVALID_ARGUMENTS)"),
        ({}, "Refused (INVALID_ARGUMENTS)"),
    ],
)
async def test_a_refusal_stands_on_the_page_with_what_was_typed(tmp_path, typed, words):
    async with console(tmp_path) as opened:
        page = Reading((await opened.post("/tools/measure", {**typed, "argument.unit": "ells", "do": "call"})).text)
    assert words in page.text
    assert ("value", "ells") in page.attributes


async def test_an_example_fills_the_form(tmp_path):
    async with console(tmp_path) as opened:
        page = await opened.page("/tools/measure?example=0")
    assert ("value", "12.5") in page.attributes


async def test_what_may_change_something_needs_a_tick_and_holds_for_what_was_previewed(tmp_path):
    async with console(tmp_path) as opened:
        await opened.sign_in()
        ada = {"argument.person": "ada"}
        assert "tick the box first" in (await opened.post("/tools/dive", {**ada, "do": "call"})).text
        seen = Reading((await opened.post("/tools/dive", {**ada, "do": "preview"})).text)
        assert "ada would dive." in seen.text
        fields = {name: value for name, value in _inputs(seen) if name in ("version", "previewed")}
        assert fields["version"] == "7"
        sure = {**fields, "sure": "yes", "do": "call"}
        other = await opened.post("/tools/dive", {**sure, "argument.person": "eve"})
        assert "has changed since the preview" in other.text
        assert opened.sea.dives == []
        assert "ada dives" in (await opened.post("/tools/dive", {**sure, **ada})).text
        assert opened.sea.dives == ["ada"]


def _inputs(page):
    """Names and values of the fields that have both, side by side."""
    pairs = zip(page.attributes, page.attributes[1:], strict=False)
    return [(name, value) for (kind, name), (after, value) in pairs if (kind, after) == ("name", "value")]


# --- approvals ---


async def test_a_person_decides_on_the_page_with_a_reason(tmp_path):
    async with console(tmp_path) as opened:
        await opened.sign_in()
        page = await opened.page("/approvals")
        assert "In full: Ada dives to 30 m." in page.text
        assert "1 waiting" in page.text
        form = {"pack": "sea", "approval": "a-1", "decision": "approve", "reason": "calm"}
        done = Reading((await opened.post("/approvals", form)).text)
        assert "Approved: diver: Ada dives to 30 m." in done.text
        assert opened.sea.decisions == [("local", "a-1", True, "calm")]
        again = Reading((await opened.post("/approvals", form)).text)
        assert "does not wait for your decision" in again.text
        assert len(opened.sea.decisions) == 1


async def test_what_does_not_wait_for_this_person_is_neither_shown_nor_decided(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        bob = bearer("MASTER", subject="bob")
        page = (await opened.page("/approvals", headers=bob)).text
        assert "Nothing waits for your decision" in page
        assert "1 call of yours waits for somebody else." in page
        form = {"pack": "sea", "approval": "a-1", "decision": "deny"}
        await opened.post("/approvals", form, headers=bob)
        assert opened.sea.decisions == []


async def test_who_is_no_person_decides_nothing(tmp_path):
    machine = IssuerSettings(issuer="robots", secret="r" * 32, kind="system", audience="packhorse")
    claims = {"iss": "robots", "sub": "crane", "aud": "packhorse", "role": "ADMIN", "iat": 0, "exp": 4_000_000_000}
    robot = {"Authorization": f"Bearer {jwt.encode(claims, 'r' * 32, 'HS256')}"}
    form = {"pack": "sea", "approval": "a-1", "decision": "approve"}
    for auth, headers in (
        (None, {}),
        (AuthSettings(issuers=(machine,)), robot),
    ):  # anonymous: any program of this machine
        async with console(tmp_path, auth=auth) as opened:
            assert "30 m" not in (await opened.page("/approvals", headers=headers)).text
            assert (await opened.post("/approvals", form, headers=headers)).status_code == 403
            assert opened.sea.decisions == []


# --- calls and jobs ---


async def test_a_call_under_way_is_seen_and_ended_and_its_caller_hears_so(tmp_path):
    heard = []

    async def wait(opened):
        try:
            await opened.deployment.dispatcher.call_tool(Requester(ADA), "wait", {})
        except UserError as exc:
            heard.append(exc.code)

    async with console(tmp_path) as opened, anyio.create_task_group() as tasks:
        tasks.start_soon(wait, opened)
        await anyio.wait_all_tasks_blocked()
        seen = await opened.page("/calls")
        assert "human ada" in seen.text
        (running,) = opened.deployment.dispatcher.runner.running.values()
        form = {"call": running.request.id}
        assert "not yours to end" in (await opened.post("/calls", form)).text  # nobody has signed in
        await opened.sign_in()
        assert "Ended: wait." in (await opened.post("/calls", form)).text
        assert "is not running any more" in (await opened.post("/calls", form)).text
    assert heard == ["CANCELLED"]


async def test_another_callers_call_is_neither_seen_nor_ended(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened, anyio.create_task_group() as tasks:
        tasks.start_soon(opened.deployment.dispatcher.call_tool, Requester(ADA), "wait", {})
        await anyio.wait_all_tasks_blocked()
        (running,) = opened.deployment.dispatcher.runner.running.values()
        assert "wait" not in (await opened.page("/calls", headers=bearer("MASTER", subject="bob"))).text.split()
        form = {"call": running.request.id}
        assert "not yours" in (await opened.post("/calls", form, headers=bearer("MASTER", subject="bob"))).text
        assert "wait" in (await opened.page("/calls", headers=bearer("MASTER"))).text.split()
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("auth", "caller", "roles", "whole"),
    [
        pytest.param(None, ANONYMOUS, (), False, id="a stranger's, where nobody signs in"),
        pytest.param(AUTH, ADA, ("DECKHAND",), True, id="one's own"),
    ],
)
async def test_the_id_that_lets_one_end_a_job_is_shown_to_its_owner_alone(tmp_path, auth, caller, roles, whole):
    pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")
    headers = bearer(*roles) if roles else {}
    async with console(tmp_path, auth=auth, tools=[Tool(fn=Sea().survey, job=True, public=True)]) as opened:
        reply = await opened.deployment.dispatcher.call_tool(Requester(caller), "survey", {})
        job = reply.structured["job_id"]
        page = await opened.page("/calls", headers=headers)
        assert job[:8] in page.text
        assert (job in page.text) == whole
        refused = (await opened.post("/calls", {"job": job}, headers={})) if not whole else None
        assert refused is None or "not yours to end" in refused.text


# --- the record ---


async def test_a_reader_sees_their_own_calls_and_an_admin_everybodys(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        for subject in ("ada", "bob"):
            who = Principal("human", subject, claims={"iss": "packhorse"})
            with pytest.raises(UserError):
                await opened.deployment.dispatcher.call_tool(Requester(who), "measure", {"depth_m": 7001.25})
        own = (await opened.page("/record", headers=bearer("DECKHAND"))).text
        every = (await opened.page("/record", headers=bearer("ADMIN", subject="eve"))).text
        found = (await opened.page("/record?caller=bob&outcome=refused&name=deep", headers=bearer("ADMIN"))).text
    assert ("human ada" in own, "human bob" in own) == (True, False)
    assert ("human ada" in every, "human bob" in every) == (True, True)
    assert ("human ada" in found, "human bob" in found) == (False, True)
    assert "7001.25" not in own + every


async def test_what_is_looked_for_is_exported_as_a_table_with_no_more_than_the_reader_sees(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        for subject, depth in (("ada", 1), ("ada", 2000), ("bob", 3), ("=HYPERLINK(1)", 4)):
            with suppress(UserError):
                who = Principal("human", subject, claims={"iss": "packhorse"})
                await opened.deployment.dispatcher.call_tool(Requester(who), "measure", {"depth_m": depth})
        page = await opened.page("/record?name=measure&outcome=ok", headers=bearer("ADMIN"))
        assert ("href", "/console/record?name=measure&outcome=ok&table=csv") in page.attributes
        tables = {}
        for role in ("ADMIN", "DECKHAND"):
            answer = await opened.http.get("/console/record?name=measure&outcome=ok&table=csv", headers=bearer(role))
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
            assert re.fullmatch(r'attachment; filename="record-\d+-to-\d+\.csv"', answer.headers["content-disposition"])
            tables[role] = list(csv.DictReader(io.StringIO(answer.text)))
        assert (await opened.http.get("/console/record?table=csv")).status_code == 401
    assert [row["subject"] for row in tables["ADMIN"]] == ["'=HYPERLINK(1)", "bob", "ada"]
    assert [row["subject"] for row in tables["DECKHAND"]] == ["ada"]
    assert {"seq", "time", "name", "status", "code", "ms", "request_id"} <= tables["ADMIN"][0].keys()


async def test_older_calls_are_a_page_further(tmp_path):
    async with console(tmp_path) as opened:
        for depth in range(70):
            await opened.deployment.dispatcher.call_tool(Requester(ADA), "measure", {"depth_m": depth})
        first = await opened.page("/record?name=measure")
        (older,) = [value for name, value in first.attributes if name == "href" and "below=" in str(value)]
        second = Reading((await opened.http.get(older)).text)
    assert (first.text.count("human ada"), second.text.count("human ada")) == (50, 20)


async def test_every_row_is_checked_by_the_operator_alone(tmp_path):
    async with console(tmp_path) as opened:
        assert (await opened.post("/record")).status_code == 403
        await opened.sign_in()
        await opened.post("/record")
        with anyio.fail_after(60):
            text = "rows checked"
            while "rows checked" in text:
                text = Reading((await opened.http.get("/console/parts/record")).text).text
        assert re.search(r"all \d+ unchanged", text)


async def test_without_a_record_the_page_says_so(tmp_path):
    async with console(tmp_path, audit=AuditSettings(enabled=False)) as opened:
        assert "Audit record off" in (await opened.page("/health")).text
        assert "No call is recorded here" in (await opened.page("/record")).text


# --- health and mounts ---


async def test_health_is_what_readyz_says(tmp_path):
    async with console(tmp_path) as opened:
        assert "Ready no" in (await opened.page("/health")).text
        assert opened.deployment.hosts["sea"].approvals_at() == ""
        opened.deployment.listening.set()
        after = await opened.page("/health")
    assert "Ready yes" in after.text
    assert opened.deployment.hosts["sea"].approvals_at() == "http://127.0.0.1:8000/console/approvals"
    assert "sea 1.2.3 served The sea: 3 tools, 1 resource" in after.text


async def test_a_pack_that_is_not_served_is_named_with_its_reason(tmp_path):
    found = [Found("sea", "seed", "packhorse-sea", "1"), Found("lost", "no_such_module_here", "packhorse-lost", "9")]
    settings = Settings(server=ServerSettings(data_dir=tmp_path, transport="http"))
    deployment = compose(settings, found, modules={"sea": Sea().module()})
    transport = httpx2.ASGITransport(Service(deployment).app)
    with deployment.running():
        async with httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
            page = Reading((await http.get("/console/health")).text)
    assert "lost 9 not served ModuleNotFoundError" in page.text


async def test_mounted_servers_are_shown_and_asked_by_the_operator_alone(tmp_path):
    folder = tmp_path / "packhorse-mounts"
    folder.mkdir()
    tool = {"name": "add", "description": HOSTILE, "inputSchema": {"type": "object"}}
    mount = {"command": [sys.executable, "-c", ""], "prefix": "n_", "public": True, "tools": [tool], "server": HOSTILE}
    (folder / "notes.json").write_text(json.dumps(mount))
    async with console(tmp_path) as opened:
        page = await opened.page("/mounts")
        assert "n_add" in page.text
        assert "script" not in page.tags[page.tags.index("main") :]
        assert (await opened.post("/mounts", {"mount": "notes"})).status_code == 403
        await opened.sign_in()
        answer = await opened.post("/mounts", {"mount": "notes"})
        assert "it ended before it answered" in Reading(answer.text).text


# --- that it is only a page ---


async def test_it_loads_nothing_but_its_script_and_is_kept_and_framed_by_nobody(tmp_path):
    async with console(tmp_path) as opened:
        for path in PAGES:
            answer = await opened.http.get(f"/console{path}")
            policy = answer.headers["content-security-policy"]
            for words in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
                assert words in policy
            assert "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-store"
            page = Reading(answer.text)
            assert not {"link", "img", "iframe", "object", "embed"} & set(page.tags)
            assert page.tags.count("script") == 1
            assert [value for name, value in page.attributes if name == "src"] == ["/console/console.js"]
            assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]
        script = await opened.http.get("/console/console.js")
        assert script.headers["content-type"].startswith("text/javascript")


async def test_an_open_page_fills_no_record(tmp_path):
    async with console(tmp_path) as opened:
        for part in ("calls", "approvals", "record", "health"):
            assert (await opened.http.get(f"/console/parts/{part}")).status_code == 200
        assert (await opened.http.get("/console/parts/none")).status_code == 404
        record = await opened.page("/record?pages=yes")
    assert "parts" not in record.text


async def test_parts_of_pages_are_for_those_who_may_see_the_pages(tmp_path):
    async with console(tmp_path, auth=AUTH) as opened:
        for part in ("calls", "approvals", "record", "health"):
            assert (await opened.http.get(f"/console/parts/{part}")).status_code == 401


@pytest.mark.parametrize("text", [HOSTILE, "</title><script>", "</style>", "]]>", "<!--", "'\"", "{{ 7 * 7 }}"])
async def test_no_text_of_a_tool_or_an_answer_becomes_a_part_of_the_page(tmp_path, text):
    def say() -> Reply[dict]:
        return Reply({"said": text}, (Text(text),))

    def tool(words):
        return Tool(fn=say, name="say", public=True, read_only=True, title=words, description=f"Say {words}.")

    made = []
    for words in ("x", text):
        async with console(tmp_path / str(len(made)), tools=[tool(words)]) as opened:
            made.append([await opened.page(), Reading((await opened.post("/tools/say", {"do": "call"})).text)])
    for plain, hostile in zip(*made, strict=True):
        assert hostile.tags == plain.tags
        assert [name for name, _ in hostile.attributes] == [name for name, _ in plain.attributes]


@given(st.text(max_size=40))
def test_whatever_is_shown_stays_text(text):
    templates = Site(Host("packhorse", data_dir=Path(), settings=Settings())).templates
    plain, other = (
        Reading(templates.get_template("left.html").render(title=one, provider=one)).tags for one in ("x", text)
    )
    assert plain == other


# --- that calls wait for no page ---


async def test_a_page_is_made_for_one_at_a_time_and_those_who_would_wait_long_must_come_back(tmp_path, monkeypatch):
    release = threading.Event()
    answers = []

    async with console(tmp_path) as opened:
        made = opened.site.page
        monkeypatch.setattr(opened.site, "page", lambda *given, **more: release.wait() and made(*given, **more))

        async def read():
            answers.append(await opened.http.get("/console/health"))

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


# --- the command ---


def test_no_link_is_written_where_no_person_is(tmp_path):
    from tests.core.live import Bench

    made = Bench(tmp_path).run("console", "--print")
    assert (made.returncode, made.stdout) == (1, "")
    assert "run this at a terminal" in made.stderr
