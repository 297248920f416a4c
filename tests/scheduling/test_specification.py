"""The binding specification, read from its own text: every schema, role, limit and code against live answers."""

import json
import re
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from jsonschema import Draft7Validator, FormatChecker

from live_http import SECRET, bearing, deployed, serving, token
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.testing import connected, deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.service import RosterDesk
from spec_schemas import SPECIFICATION, schema_of
from wire import NOW, call, desk_in, read

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-5000-8000-000000000000"
TOOLS = (
    "validate_schedule", "check_swap_feasibility", "analyze_contingency", "suggest_resolution", "generate_schedule"
)  # fmt: skip
PAGES = {
    "schedule://current": "schedule://current",
    "schedule://person/{id}": "schedule://person/{person}",
    "schedule://blocks": "schedule://blocks",
    "resilience://health": "resilience://health",
    "analytics://fairness": "analytics://fairness",
    "analytics://workload": "analytics://workload",
}


def body_schema(heading, part):
    """The schema, with the one reference into another resource's put in its place."""
    made = schema_of(heading, part)
    text = json.dumps(made)
    if "schedule://current#/definitions/Assignment" in text:
        made["definitions"] = schema_of("schedule://current", "Response Schema")["definitions"]
        made = json.loads(json.dumps(made).replace("schedule://current#/definitions", "#/definitions"))
    return made


def check(body, heading, part):
    Draft7Validator(body_schema(heading, part), format_checker=FormatChecker()).validate(body)


def text_of_specification():
    if not SPECIFICATION.exists():
        pytest.skip(f"{SPECIFICATION} is not here")
    return SPECIFICATION.read_text()


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    """A deployment with a whole sample year imported, and nothing made of it."""
    folder = tmp_path_factory.mktemp("year")
    deployment = deployment_for(data_dir=folder, clock=NOW, scheduling=pack)
    desk_in(folder).import_programme(sample(Shape()))
    return deployment


# --- resources ---


@pytest.mark.parametrize("heading", PAGES)
async def test_the_body_of_a_page_is_the_specification_s(served, small, heading):
    if heading == "schedule://blocks":
        return  # a year's, below
    uri = PAGES[heading].replace("{person}", small.people[0].id)
    check(await read(served[0], uri), heading, "Response Schema")


async def test_blocks_of_a_year_are_the_specification_s(year):
    page = await read(year, "schedule://blocks")
    check(page, "schedule://blocks", "Response Schema")
    assert page["total_blocks"] == len(page["blocks"]) == 730


async def test_a_leap_year_has_its_true_count(tmp_path):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    desk_in(tmp_path).import_programme(sample(Shape(start_year=2027)))
    page = await read(deployment, "schedule://blocks")
    assert page["total_blocks"] == len(page["blocks"]) == 732
    schema = body_schema("schedule://blocks", "Response Schema")
    del schema["properties"]["total_blocks"]["const"]  # the one place where we leave the letter
    Draft7Validator(schema, format_checker=FormatChecker()).validate(page)


@pytest.mark.parametrize("heading", [heading for heading in PAGES if "{" not in heading])
async def test_a_page_is_listed_as_the_specification_names_it(served, heading):
    async with connected(served[0]) as client:
        listed = {str(one.uri): one for one in (await client.list_resources()).resources}
    one = listed[heading]
    entry = {"uri": str(one.uri), "name": one.name, "description": one.description, "mimeType": one.mime_type}
    check(entry, heading, "JSON Schema")


async def test_a_person_s_page_is_listed_as_a_template(served):
    async with connected(served[0]) as client:
        templates = (await client.list_resource_templates()).resource_templates
    found = next(one for one in templates if one.uri_template == "schedule://person/{id}")
    assert found.mime_type == "application/json"
    assert found.description


# --- tools ---


def slots(served, small):
    person, day, half, _ = served[1].current().schedule.cells[0]
    block = next(one.id for one in small.year.blocks if (one.day, one.session) == (day, ("AM", "PM")[half]))
    return next(one for one in small.people if one.key == person), block


def asked(served, small, tool):
    person, block = slots(served, small)
    other = next(one for one in small.people if one.role == person.role and one.key != person.key)
    return {
        "validate_schedule": {"validation_rules": ["80_HOUR_RULE", "1_IN_7_RULE"], "strict_mode": False},
        "check_swap_feasibility": {
            "swap_type": "ONE_TO_ONE", "requester_id": person.id, "block_ids": [block], "target_person_id": other.id,
            "reason": "Family emergency",
        },
        "analyze_contingency": {"analysis_type": "BOTH", "include_mitigation_strategies": True},
        "suggest_resolution": {
            "conflict_type": "COVERAGE_GAP", "affected_blocks": [block], "max_suggestions": 3,
            "constraints": {"must_maintain_compliance": True, "prefer_minimal_changes": True},
        },
    }[tool]  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS[:-1])
async def test_an_answer_is_the_specification_s_and_carries_its_resource(served, small, tool):
    reply = await call(served[0], tool, asked(served, small, tool))
    assert not reply.is_error, reply.content
    check(reply.structured_content, tool, "Output Schema")
    words, carried = reply.content
    example = text_of_specification().split(f"### {TOOLS.index(tool) + 1}. `{tool}`")[1]
    scheme = re.search(r'"uri": "([a-z]+://[a-z]+)/', example)[1]
    assert words.text
    assert str(carried.resource.uri).startswith(f"{scheme}/")
    assert carried.resource.mime_type == "application/json"
    assert json.loads(carried.resource.text) == reply.structured_content


async def test_a_finished_generation_is_the_specification_s(served):
    check(served[2], "generate_schedule", "Output Schema (Sync Mode - Completed)")


def test_a_started_generation_is_the_specification_s_in_every_state():
    from packhorse_scheduling.convert.jobs import job_from

    handle = {"job_id": "01980000-0000-7000-8000-000000000000", "created_at": "2026-06-15T12:00:00Z"}
    for status in ("queued", "working", "input_required", "completed", "failed", "cancelled"):
        for progress in (None, {"done": 3, "total": 13, "message": "block 3"}, {"done": 1, "total": None}):
            for base in (None, "http://localhost:8000/"):
                body = job_from({**handle, "status": status, "progress": progress}, base)
                check(body, "generate_schedule", "Output Schema (Async Mode)")
    assert body["status_url"].startswith("http://localhost:8000/api/v1/mcp/schedules/generation/jobs/0198")


def plain(schema, root):
    """A published schema with its references followed, and None left out of its kinds."""
    if "$ref" in schema:
        return plain({**root["$defs"][schema["$ref"].rpartition("/")[2]], **{k: v for k, v in schema.items()
                                                                            if k != "$ref"}}, root)  # fmt: skip
    arms = [arm for arm in schema.get("anyOf", []) if arm.get("type") != "null"]
    if len(arms) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return plain({**rest, **arms[0]}, root)
    return schema


def agree(ours, theirs, root, where):
    ours = plain(ours, root)
    if theirs.get("enum"):
        kinds = ours.get("enum") or [ours.get("const")]
        assert set(theirs["enum"]) == set(kinds), where
    elif "type" in theirs:
        assert ours["type"] == theirs["type"], where
    for keyword in ("minimum", "maximum", "maxLength", "minItems", "format", "pattern"):
        if keyword in theirs:
            assert ours.get(keyword) == theirs[keyword], f"{where}: {keyword}"
    if "default" in theirs:
        assert ours.get("default") == theirs["default"], f"{where}: default"
    if theirs.get("type") == "object":
        assert set(theirs.get("required", [])) == set(ours.get("required", [])), where
        assert set(theirs["properties"]) == set(ours["properties"]), where
        for name, inner in theirs["properties"].items():
            agree(ours["properties"][name], inner, root, f"{where}.{name}")
    if theirs.get("type") == "array":
        agree(ours["items"], theirs["items"], root, f"{where}[]")


@pytest.mark.parametrize("tool", TOOLS)
def test_the_arguments_of_a_tool_are_the_specification_s(served, tool):
    published = served[0].catalogue.tools[tool].arguments.schema
    agree(published, schema_of(tool, "Input Schema"), published, tool)


# --- roles ---


def role_table():
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", text_of_specification(), flags=re.MULTILINE)
    every = {"FACULTY", "RESIDENT", "RN", "LPN", "MSA", "COORDINATOR", "ADMIN"}
    found = {}
    for name, words in rows:
        if re.fullmatch(r"(GET|POST)", words.strip()):
            continue
        if "Any authenticated" in words:
            found[name] = every
        else:
            found[name] = {role for role in every if role in words}
    return found


ROLES = ("FACULTY", "RESIDENT", "RN", "LPN", "MSA", "COORDINATOR", "ADMIN")


def test_the_specification_s_role_table_has_eleven_rows():
    assert len(role_table()) == 11


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", [*TOOLS, *PAGES])
async def test_a_role_may_use_what_its_row_says_and_nothing_else(served, small, name, role):
    allowed = role in role_table()[name]
    principal = Principal("human", subject=f"a-{role}", roles=frozenset({role}))
    assert await code_met(served, small, name, principal) == (None if allowed else -32001)
    if name in TOOLS:
        async with connected(served[0], principal=principal) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
        assert (name in listed) == allowed


async def code_met(served, small, name, principal):
    """The code of the protocol's error; None where the caller was let in."""
    async with connected(served[0], principal=principal) as client:
        try:
            if name in TOOLS:
                # Refused for its arguments, or answered: either way it was let in.
                await client.call_tool(name, {"no_such": 1})
            else:
                await client.read_resource(PAGES[name].replace("{person}", small.people[0].id))
        except Exception as exc:
            return getattr(getattr(exc, "error", exc), "code", None)
    return None


@pytest.mark.parametrize("name", [*TOOLS, *PAGES])
async def test_nobody_unknown_may_use_anything(served, small, name):
    assert await code_met(served, small, name, ANONYMOUS) == -32001


async def test_a_verified_caller_without_a_role_reads_what_any_authenticated_user_may(served):
    principal = Principal("human", subject="new-here")
    assert (await read(served[0], "schedule://blocks", principal))["blocks"]
    assert (await read(served[0], "schedule://current", principal))["assignments"]


async def test_a_person_reads_their_own_page_whatever_their_role(tmp_path, served, small):
    from attrs import evolve

    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in small.people)
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    made = desk.import_programme(evolve(small, people=people))
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))
    own = Principal("human", subject=f"sub-{people[0].key}", roles=frozenset({"RESIDENT"}))
    page = await read(deployment, f"schedule://person/{people[0].id}", own)
    check(page, "schedule://person/{id}", "Response Schema")
    for other in (people[1].id, NOBODY):
        with pytest.raises(Exception, match="only their own"):
            await read(deployment, f"schedule://person/{other}", own)


# --- limits ---

LIMITS = {"generate_schedule": (1, 300), "analyze_contingency": (10, 3600), "validate_schedule": (30, 3600)}


def test_the_limits_are_those_written_in_the_specification():
    text = text_of_specification()
    for tool, (calls, seconds) in LIMITS.items():
        said = re.search(rf"`{tool}`: (\d+) requests? per (\d+ minutes|hour)", text)
        assert (int(said[1]), 3600 if said[2] == "hour" else int(said[2].split()[0]) * 60) == (calls, seconds)


@pytest.mark.parametrize("tool", LIMITS)
async def test_a_limit_holds_for_each_caller_and_passes_with_time(tmp_path, tool):
    at = [datetime(2026, 6, 15, tzinfo=UTC)]
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: at[0], scheduling=pack)
    calls, seconds = LIMITS[tool]
    ann, bob = (Principal("human", subject=who, roles=frozenset({"ADMIN"})) for who in ("ann", "bob"))
    for _ in range(calls):
        assert (await call(deployment, tool, {"nothing": 1}, ann)).is_error
    with pytest.raises(Exception, match=r"(?i)at most|too|often|limit") as refused:
        await call(deployment, tool, {"nothing": 1}, ann)
    error = getattr(refused.value, "error", refused.value)
    assert error.code == -32029
    assert 0 < error.data["retry_after_seconds"] <= seconds
    assert (await call(deployment, tool, {"nothing": 1}, bob)).is_error
    at[0] += timedelta(seconds=seconds + 1)
    assert (await call(deployment, tool, {"nothing": 1}, ann)).is_error


# --- codes ---


@pytest.fixture(scope="module")
def live(tmp_path_factory, served, small):
    """The four weeks served over HTTP to callers who sign in."""
    folder = tmp_path_factory.mktemp("live")
    desk = desk_in(folder)
    from attrs import evolve

    made = desk.import_programme(small)
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))
    with serving(deployed(folder)) as address, httpx2.Client(base_url=address, timeout=60) as client:
        yield client


META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "table", "version": "1"},
}


def rpc(live, method, params, headers, *, content=None):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    named = params.get("name") or params.get("uri")
    sent = {
        "Accept": "application/json, text/event-stream", "Content-Type": "application/json", "Mcp-Method": method,
        "MCP-Protocol-Version": "2026-07-28", **({"Mcp-Name": named} if named else {}), **headers,
    }  # fmt: skip
    reply = live.post("/mcp", content=content or json.dumps(body), headers=sent)
    text = reply.text
    if "data: " in text:
        text = [line for line in text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    return reply.status_code, json.loads(text)


def error_of(answer):
    """The code, whichever of the two channels it came by."""
    _, body = answer
    if "error" in body:
        return body["error"]["code"], body["error"].get("data")
    told = body["result"]["_meta"]["packhorse/error"]
    assert body["result"]["isError"] is True
    return told["jsonrpc_code"], told


def as_(role):
    return bearing(role, sub=f"table-{role}")


CODES = [
    pytest.param(-32700, lambda live, small: rpc(live, "tools/list", {}, as_("ADMIN"), content="{"), id="parse error"),
    pytest.param(
        -32600, lambda live, small: rpc(live, "tools/list", {}, as_("ADMIN"), content='{"jsonrpc": "1.0", "id": 1}'),
        id="invalid request",
    ),
    pytest.param(-32601, lambda live, small: rpc(live, "no/such", {}, as_("ADMIN")), id="method not found"),
    pytest.param(-32602, lambda live, small: rpc(live, "tools/call", {"name": "no_such"}, as_("ADMIN")), id="params"),
    pytest.param(
        -32000, lambda live, small: rpc(live, "tools/call", {"name": "validate_schedule", "arguments": {}},
                                        bearing("ADMIN", secret="another secret, and also longer than 32 bytes")),
        id="authentication failed",
    ),
    pytest.param(
        -32001, lambda live, small: rpc(live, "tools/call", {"name": "validate_schedule", "arguments": {}}, as_("RN")),
        id="authorization failed",
    ),
    pytest.param(
        -32002, lambda live, small: rpc(
            live, "tools/call", {"name": "validate_schedule", "arguments": {"schedule_id": NOBODY}}, as_("ADMIN")),
        id="resource not found",
    ),
    pytest.param(
        -32003, lambda live, small: rpc(live, "tools/call", {"name": "check_swap_feasibility", "arguments": {
            "swap_type": "ONE_TO_ONE", "requester_id": small.people[0].id, "block_ids": [small.year.blocks[0].id]}},
            as_("ADMIN")),
        id="validation error",
    ),
    pytest.param(
        -32004, lambda live, small: rpc(live, "tools/call", {"name": "execute_swap", "arguments": {
            "swap_id": live.post_swap(small)}}, as_("ADMIN")),
        id="constraint violation",
    ),
    pytest.param(
        -32005, lambda live, small: rpc(live, "tools/call", {"name": "generate_schedule", "arguments": {
            "academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28", "async": False}},
            as_("ADMIN")),
        id="generation failed",
    ),
]  # fmt: skip


def wanted_swap(live, small, headers):
    """A swap that waits for both answers."""
    for person in small.people:
        for block in small.year.blocks[10:40]:
            asked = {"swap_type": "ABSORB", "requester_id": person.id, "block_ids": [block.id]}
            _, body = rpc(live, "tools/call", {"name": "check_swap_feasibility", "arguments": asked}, headers)
            found = body["result"].get("structuredContent") or {}
            if not found.get("is_feasible"):
                continue
            asked["target_person_id"] = found["suggestions"][0]["candidate_id"]
            _, body = rpc(live, "tools/call", {"name": "request_swap", "arguments": asked}, headers)
            return body["result"]["structuredContent"]["swap_id"]
    raise AssertionError("the sample has no feasible swap")


@pytest.mark.parametrize(("code", "ask"), CODES)
def test_every_code_of_the_table_is_met(live, small, code, ask):
    live.post_swap = lambda small: wanted_swap(live, small, as_("ADMIN"))
    if code == -32005:
        crowd_out(live, small)
    found, data = error_of(ask(live, small))
    assert found == code
    if code <= -32000 and code > -32100:
        assert data["details"] is not None
        assert data["timestamp"]
        assert data["request_id"]


def crowd_out(live, small):
    """Give everybody of a role leave, so that no roster can be made."""
    away = {"start_date": "2026-07-20", "end_date": "2026-07-20"}
    for person in small.people:
        if person.role == "FACULTY":
            asked = {"name": "record_leave", "arguments": {"person_id": person.id, **away}}
            rpc(live, "tools/call", asked, as_("ADMIN"))


async def test_a_store_that_cannot_be_opened_is_told_as_unavailable(tmp_path):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    (tmp_path / "scheduling").mkdir(exist_ok=True)
    (tmp_path / "scheduling" / "store.sqlite3").write_bytes(
        b"this is no database, and long enough to be looked at" * 40
    )
    reply = await call(deployment, "validate_schedule", {})
    assert reply.meta["packhorse/error"]["jsonrpc_code"] == -32006
    assert "sqlite" not in reply.content[0].text.lower()


async def test_a_bug_is_an_internal_error_and_says_nothing_of_itself(tmp_path, monkeypatch):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)

    def broken(self):
        raise RuntimeError("a secret of the ward")

    monkeypatch.setattr(RosterDesk, "current", broken)
    reply = await call(deployment, "validate_schedule", {})
    assert reply.meta["packhorse/error"]["jsonrpc_code"] == -32603
    assert "secret" not in reply.content[0].text


def test_the_table_of_codes_is_covered():
    codes = {int(code) for code in re.findall(r"^\| (-32\d{3}) \|", text_of_specification(), flags=re.MULTILINE)}
    assert codes == {param.values[0] for param in CODES} | {-32603, -32006}


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        pytest.param({}, "bearer token", id="none"),
        pytest.param({"Authorization": "Bearer x.y.z"}, "", id="no token"),
        pytest.param(bearing("ADMIN", at=datetime(2020, 1, 1, tzinfo=UTC)), "", id="an old one"),
        pytest.param({"Authorization": f"Bearer {token('ADMIN', sub=None)}"}, "", id="nobody's"),
        pytest.param({"Authorization": "Basic YTpi"}, "", id="another scheme"),
    ],
)
def test_a_bad_token_is_a_401_that_says_where_to_sign_in(live, headers, why):
    status, body = rpc(live, "tools/call", {"name": "validate_schedule", "arguments": {}}, headers)
    assert status == 401
    assert body["error"]["code"] == -32000
    assert why in body["error"]["message"]
    assert SECRET not in json.dumps(body)


# --- prompts ---


SMALL = {
    "schedule://current": "schedule://people",
    "schedule://person": "show_roster",
    "analytics://workload": "analytics://burnout-risk",
}
"""What a step names in the place of a page of the specification that fills a model's window on a large programme."""


@pytest.mark.parametrize("name", ["review_schedule", "plan_swap", "assess_vulnerability"])
async def test_a_prompt_takes_its_arguments_and_names_its_steps(served, name):
    section = text_of_specification().split(f". `{name}`\n")[1].split("\n### ")[0]
    template = section.split("**Prompt Template:**")[1].split("```")[1]
    given = {"requester_id": NOBODY, "reason": "a wedding"} if name == "plan_swap" else {}
    async with connected(served[0]) as client:
        listed = {one.name: one for one in (await client.list_prompts()).prompts}
        told = (await client.get_prompt(name, given)).messages[0].content.text
    arguments = (
        section.split("**Arguments:**")[1].split("```json")[1].split("```")[0] if "**Arguments:**" in section else "{}"
    )
    assert {one.name for one in listed[name].arguments or ()} == set(json.loads(arguments))
    for step in re.findall(r"[a-z]+://[a-z-]+|\b(?:validate_schedule|suggest_resolution|analyze_contingency|"
                           r"check_swap_feasibility)\b", template):  # fmt: skip
        assert SMALL.get(step, step) in told
