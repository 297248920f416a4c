"""The one door: who gets through, in which order, and what comes out."""

import asyncio
import logging
import re
import threading
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import pytest
from pydantic import AfterValidator, BaseModel, Field, StringConstraints, field_validator

from packhorse import (
    Call,
    Context,
    Elicit,
    Embedded,
    Guard,
    Image,
    InputRequired,
    Principal,
    Reply,
    RequestError,
    Resource,
    Text,
    Tool,
    UserError,
    Verifier,
)
from packhorse.compose.deployment import Deployment
from packhorse.contract.principal import ANONYMOUS, LOCAL
from packhorse.door.execution import Requester
from packhorse.door.shares import holder_of
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, INTERNAL, INVALID_PARAMS, RESOURCE_NOT_FOUND

pytestmark = pytest.mark.anyio

ADMIN = Principal("human", "p-admin", frozenset({"ADMIN"}))
FACULTY = Principal("human", "p-7", frozenset({"FACULTY"}))
NAMELESS = Principal("system", None, frozenset())

PATIENCE = 90
"""Seconds after which a test that waits for a thread gives up: far above what a busy machine needs."""


async def call(deployment: Deployment, name: str, principal: Principal = LOCAL, /, **arguments: Any) -> Any:
    return await deployment.dispatcher.call_tool(Requester(principal), name, arguments)


async def refusal(deployment: Deployment, name: str, principal: Principal = LOCAL, /, **arguments: Any) -> UserError:
    with pytest.raises(UserError) as refused:
        await call(deployment, name, principal, **arguments)
    return refused.value


async def denial(deployment: Deployment, name: str, principal: Principal = LOCAL, /, **arguments: Any) -> RequestError:
    with pytest.raises(RequestError) as denied:
        await call(deployment, name, principal, **arguments)
    return denied.value


async def until(true: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE):
        while not true():
            await anyio.lowlevel.checkpoint()


def free(deployment: Deployment) -> bool:
    dispatcher = deployment.dispatcher
    return dispatcher.calls.used == 0 and all(slots.used == 0 for slots in dispatcher._capacity.of_tools.values())


def double(n: int) -> int:
    """Twice as much."""
    return 2 * n


def nobody(credential: str) -> None: ...


@pytest.fixture
def serve(make_pack, deploy):
    """A deployment of one pack, ``desk``, that offers these tools; ``auth`` is what its register_auth returns."""

    def make(*tools: Any, server: dict[str, Any] | None = None, prefix: str = "", **hooks: Any) -> Deployment:
        module: ModuleType = make_pack(tools=list(tools), **hooks)
        deployment: Deployment = deploy(server=server, tables={"desk": {"prefix": prefix}}, desk=module)
        assert deployment.catalogue.broken == ()
        return deployment

    return make


# --- a call that goes well ---


async def test_a_plain_function_runs_in_a_thread_and_an_async_one_on_the_loop(serve):
    def here() -> int:
        """Which thread."""
        return threading.get_ident()

    async def there() -> int:
        """Which thread."""
        return threading.get_ident()

    deployment = serve(here, there)

    assert (await call(deployment, "there")).structured["result"] == threading.get_ident()
    assert (await call(deployment, "here")).structured["result"] != threading.get_ident()


async def test_a_tool_that_asks_for_the_context_gets_it(serve):
    seen: list[Context] = []

    def look(ctx: Context) -> str:
        """Look."""
        seen.append(ctx)
        return ctx.request_id

    deployment = serve(look)
    reply = await deployment.dispatcher.call_tool(Requester(ADMIN, "r-1"), "look", {})

    assert (reply.structured, seen[0].principal) == ({"result": "r-1"}, ADMIN)
    assert (seen[0].answers, seen[0].state, seen[0].can_ask(Elicit)) == ({}, None, False)


async def test_without_a_client_what_would_reach_it_does_nothing(serve):
    async def tell(ctx: Context) -> str:
        """Tell."""
        await ctx.report_progress(1, 2, "half")
        await ctx.log("info", "x")
        await ctx.notify_changed("tools")
        await ctx.notify_resource_updated("a://b")
        await ctx.close_stream()
        return "told"

    assert (await call(serve(tell), "tell")).structured == {"result": "told"}


async def test_a_plain_function_can_wait_for_what_is_async(serve):
    def tell(ctx: Context) -> int:
        """Tell."""
        ctx.wait(ctx.report_progress, 1, 2)
        return int(ctx.wait(ctx.call, "double", {"n": 4}).structured["result"])

    assert (await call(serve(tell, double), "tell")).structured == {"result": 8}


# --- the order of the checks ---


async def test_each_check_comes_before_the_next(serve):
    judged: list[str] = []
    ran: list[int] = []

    def judge(principal: Principal, asked: Call) -> str:
        judged.append(asked.tool)
        return "Not on a Saturday."

    async def held(n: int) -> int:
        """Held."""
        ran.append(n)
        return n

    deployment = serve(Tool(fn=held, roles=["ADMIN"], concurrency=1), auth=[Verifier(nobody), Guard(judge)])
    slots = deployment.dispatcher._capacity.of_tools["held"]

    absent = await denial(deployment, "hodl", ANONYMOUS, x=1)
    assert (absent.code, absent.error_type, "hodl" in absent.message) == (INVALID_PARAMS, "unknown_tool", False)
    slots.take(holder_of(LOCAL))
    assert (await denial(deployment, "held", ANONYMOUS, x=1)).error_type == "authentication"
    assert (await refusal(deployment, "held", ADMIN, x=1)).code == "BUSY"
    slots.give(holder_of(LOCAL))
    assert (await refusal(deployment, "held", ADMIN, x=1)).code == "INVALID_ARGUMENTS"
    assert judged == []
    assert (await denial(deployment, "held", ADMIN, n=1)).message == "Not on a Saturday."
    assert (judged, ran) == (["held"], [])


# --- who may do what ---

OPEN = Tool(fn=double, name="open")
PUBLIC = Tool(fn=double, name="public", public=True)
ADMINS = Tool(fn=double, name="admins", roles=["ADMIN"])
SEVERAL = Tool(fn=double, name="several", roles=["ADMIN", "FACULTY"])


@pytest.mark.parametrize(
    ("principal", "with_auth", "without_auth"),
    [
        pytest.param(LOCAL, "public admins several", "open public admins several", id="local"),
        pytest.param(ANONYMOUS, "public", "open public", id="anonymous"),
        pytest.param(ADMIN, "public admins several", "open public admins several", id="an admin"),
        pytest.param(FACULTY, "public several", "open public several", id="faculty"),
        pytest.param(NAMELESS, "public", "open public", id="a system without roles"),
        pytest.param(Principal("human", "x", frozenset({"admin", "ADMIN "})), "public", "open public", id="nearly"),
    ],
)
async def test_what_a_caller_sees_is_what_a_caller_may_call(serve, principal, with_auth, without_auth):
    for deployment, expected in (
        (serve(PUBLIC, ADMINS, SEVERAL, auth=[Verifier(nobody)]), with_auth),
        (serve(OPEN, PUBLIC, ADMINS, SEVERAL), without_auth),
    ):
        dispatcher = deployment.dispatcher
        tools = deployment.catalogue.tools
        seen = [name for name, entry in tools.items() if dispatcher.visible(principal, entry.offer)]
        usable = [name for name in tools if await may_call(deployment, name, principal)]

        assert seen == usable == expected.split()
        assert free(deployment)


async def may_call(deployment: Deployment, name: str, principal: Principal) -> bool:
    try:
        await call(deployment, name, principal, n=1)
    except RequestError as error:
        known = principal.kind != "anonymous" or not deployment.dispatcher.authenticated
        if error.code != (AUTHORIZATION if known else AUTHENTICATION):
            raise
        return False
    return True


async def test_with_authentication_an_offer_for_nobody_is_for_nobody_but_the_local_one(serve):
    deployment = serve(PUBLIC, auth=[Verifier(nobody)])
    dispatcher = deployment.dispatcher

    assert not dispatcher.visible(ADMIN, OPEN)
    assert dispatcher.visible(LOCAL, OPEN)


def profile(person_id: str, extra: str = "") -> str:
    """Somebody's profile."""
    return person_id


SELF = Tool(fn=profile, roles=["ADMIN"], self_argument="person_id")


@pytest.mark.parametrize(
    ("principal", "person_id", "allowed"),
    [
        pytest.param(FACULTY, "p-7", True, id="oneself"),
        pytest.param(FACULTY, "p-8", False, id="somebody else"),
        pytest.param(FACULTY, "P-7", False, id="oneself in capitals"),
        pytest.param(FACULTY, " p-7", False, id="oneself with a space"),
        pytest.param(FACULTY, "", False, id="nobody"),
        pytest.param(Principal("human", "p-7"), "p-7", True, id="oneself without any role"),
        pytest.param(Principal("human", "p-7", frozenset({"admin"})), "p-8", False, id="a role in small letters"),
        pytest.param(ADMIN, "p-8", True, id="a holder of the role"),
        pytest.param(LOCAL, "p-8", True, id="the local one"),
        pytest.param(ANONYMOUS, "p-7", False, id="anonymous"),
        pytest.param(NAMELESS, "None", False, id="without a subject"),
        pytest.param(
            Principal("human", "p-9", claims={"sub": "p-7", "person_id": "p-7"}), "p-7", False, id="by claim alone"
        ),
    ],
)
async def test_oneself_is_the_verified_subject_and_nothing_else(serve, principal, person_id, allowed):
    deployment = serve(SELF, auth=[Verifier(nobody)])

    if allowed:
        assert (await call(deployment, "profile", principal, person_id=person_id)).structured == {"result": person_id}
    else:
        expected = AUTHENTICATION if principal is ANONYMOUS else AUTHORIZATION
        assert (await denial(deployment, "profile", principal, person_id=person_id)).code == expected
    assert free(deployment)


async def test_oneself_is_judged_by_what_the_tool_will_get(serve):
    other = uuid.UUID("123e4567-e89b-42d3-a456-426614174000")

    def cut(person_id: Annotated[str, AfterValidator(lambda text: text[:3])]) -> str:
        """Somebody's profile."""
        return person_id

    def by_uuid(person_id: uuid.UUID = other) -> str:
        """Somebody's profile."""
        return str(person_id)

    class Question(BaseModel):
        person_id: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(alias="personId")

    def asked(question: Question) -> str:
        """Somebody's profile."""
        return question.person_id

    deployment = serve(
        Tool(fn=cut, roles=["ADMIN"], self_argument="person_id"),
        Tool(fn=by_uuid, roles=["ADMIN"], self_argument="person_id"),
        Tool(fn=asked, roles=["ADMIN"], self_argument="personId"),
        auth=[Verifier(nobody)],
    )
    somebody = Principal("human", str(other))

    assert (await call(deployment, "cut", FACULTY, person_id="p-7 and more")).structured == {"result": "p-7"}
    await denial(deployment, "cut", Principal("human", "p-7 and more"), person_id="p-7 and more")
    assert (await call(deployment, "by_uuid", somebody, person_id=str(other).upper())).structured["result"] == str(
        other
    )
    assert (await call(deployment, "by_uuid", somebody)).structured["result"] == str(other)
    await denial(deployment, "by_uuid", FACULTY)
    assert (await call(deployment, "asked", FACULTY, personId=" p-7 ")).structured == {"result": "p-7"}


# --- guards ---


async def test_a_guard_judges_the_validated_arguments_with_their_defaults(serve):
    seen: list[tuple[Principal, Call]] = []

    def plan(days: int, tags: list[str], more: dict[str, Any] | None = None, limit: int = 3) -> int:
        """Plan."""
        return days

    judge = Guard(lambda principal, asked: seen.append((principal, asked)))
    deployment = serve(plan, auth=[judge, Guard(allow), Guard(allow_later)])
    assert (await call(deployment, "plan", ADMIN, days=2.0, tags=["a"], more={"b": [1]})).structured == {"result": 2}

    assert seen == [
        (
            ADMIN,
            Call(
                "plan",
                "desk",
                {"days": 2, "tags": ("a",), "more": {"b": (1,)}, "limit": 3},
                defaulted=frozenset({"limit"}),
            ),
        )
    ]
    assert type(seen[0][1].arguments["days"]) is int


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda asked: asked.arguments.update(n=9), id="the arguments"),
        pytest.param(lambda asked: asked.arguments["more"].update(b=9), id="within them"),
        pytest.param(lambda asked: asked.arguments["more"]["b"].append(9), id="deep within them"),
        pytest.param(lambda asked: setattr(asked, "tool", "x"), id="the call"),
    ],
)
async def test_a_guard_that_tries_to_change_them_denies(serve, change):
    ran: list[Any] = []

    def plan(more: dict[str, Any]) -> int:
        """Plan."""
        ran.append(more)
        return 1

    deployment = serve(plan, auth=[Guard(lambda principal, asked: change(asked))])

    await denial(deployment, "plan", more={"b": [1]})
    assert ran == []


async def allow_later(principal: Principal, asked: Call) -> None: ...


async def deny_later(principal: Principal, asked: Call) -> str:
    return "Not now."


def allow(principal: Principal, asked: Call) -> None: ...


def deny(principal: Principal, asked: Call) -> str:
    return "Not ever."


def break_(principal: Principal, asked: Call) -> None:
    raise ValueError("CANARY")


async def cancel(principal: Principal, asked: Call) -> None:
    await cancel_itself("x")


@pytest.mark.parametrize(
    ("judges", "reason"),
    [
        pytest.param([allow, deny], "Not ever.", id="any denial wins"),
        pytest.param([deny, allow], "Not ever.", id="in any order"),
        pytest.param([allow_later, deny_later], "Not now.", id="async too"),
        pytest.param([allow, break_], "A guard of this server could not decide.", id="one that breaks denies"),
        pytest.param([cancel], "A guard of this server could not decide.", id="one that cancels itself denies"),
        pytest.param([lambda principal, asked: ""], "This caller may not use that.", id="without words"),
        pytest.param([lambda principal, asked: False], "This caller may not use that.", id="with neither"),
        pytest.param([lambda principal, asked: True], "This caller may not use that.", id="with yes, which is no"),
    ],
)
async def test_any_guard_can_deny(serve, judges, reason):
    error = await denial(serve(double, auth=[Guard(judge) for judge in judges]), "double", n=1)

    assert (error.code, error.error_type, error.message) == (AUTHORIZATION, "authorization", reason)


@pytest.mark.parametrize(
    ("bars", "reason"),
    [
        (deny, "Not ever."),
        (lambda principal, asked: f"{asked.tool}{dict(asked.arguments)}", "double{}"),
        (break_, "A guard of this server could not decide."),
        (lambda principal, asked: True, "This caller may not use that."),
    ],
)
async def test_whom_a_guard_bars_hears_nothing_of_the_arguments(serve, bars, reason):
    for arguments in ({"n": 1}, {"n": "x"}, {"no_such": 1}, {}):
        error = await denial(serve(double, auth=[Guard(allow, bars=bars)]), "double", **arguments)
        assert (error.code, error.message) == (AUTHORIZATION, reason)


async def test_a_prefix_does_not_lift_a_guard(serve):
    await denial(serve(double, auth=[Guard(deny, tools=["double"])], prefix="d_"), "d_double", n=1)


async def test_guards_of_every_pack_judge_every_tool(make_pack, deploy):
    deployment = deploy(keeper=make_pack(auth=[Guard(deny)]), desk=make_pack(tools=[double]))

    await denial(deployment, "double", n=1)


async def test_a_guard_that_never_decides_denies(serve):
    async def ponder(principal: Principal, asked: Call) -> str | None:
        await anyio.sleep_forever()
        return None

    deployment = serve(double, auth=[Guard(ponder)], server={"timeout_seconds": 0.01})

    assert (await denial(deployment, "double", n=1)).message == "A guard of this server could not decide."
    assert free(deployment)


async def test_what_cannot_be_judged_is_not_run(serve):
    class Odd:
        def __str__(self) -> str:
            raise ValueError("CANARY")

    def take(thing: Annotated[str, AfterValidator(lambda text: Odd())]) -> str:
        """Take."""
        return "taken"

    deployment = serve(take, auth=[Guard(allow)])

    assert (await refusal(deployment, "take", thing="x")).code == "INTERNAL_ERROR"


# --- refusals and bugs ---


@pytest.mark.parametrize(
    "error",
    [UserError("Gone.", code="GONE"), RequestError(RESOURCE_NOT_FOUND, "gone", "Gone.")],
    ids=["user", "request"],
)
async def test_so_does_one_from_within_a_task_group(serve, error):
    async def find() -> str:
        """Find."""

        async def look() -> None:
            raise error

        async with anyio.create_task_group() as group:
            group.start_soon(look)
        return ""

    with pytest.raises(type(error)) as raised:
        await call(serve(find), "find")
    assert raised.value is error


CANARY = "CANARY-4711"


def raise_value(text: str) -> str:
    """Raise."""
    raise ValueError(text)


async def raise_later(text: str) -> str:
    """Raise."""
    raise KeyError(text)


def leave(text: str) -> str:
    """Leave."""
    raise SystemExit(text)


async def cancel_itself(text: str) -> str:
    """Wait for what was cancelled."""
    task = asyncio.ensure_future(anyio.sleep_forever())
    task.cancel(text)
    await task
    return ""


def stop(text: str) -> str:
    """Stop."""
    raise StopIteration(text)


def break_promise(text: str) -> int:
    """Answer with something else."""
    return text


async def raise_two(text: str) -> str:
    """Raise two."""
    raise ExceptionGroup(text, [UserError(text), ValueError(text)])


class Checked(BaseModel):
    text: str

    @field_validator("text")
    @classmethod
    def _look_up(cls, text: str) -> str:
        raise LookupError(text)


def look_up(checked: Checked) -> str:
    """Look up."""
    return ""


@pytest.mark.parametrize(
    "tool",
    [raise_value, raise_later, leave, cancel_itself, stop, break_promise, raise_two, look_up],
    ids=lambda tool: tool.__name__,
)
async def test_a_bug_is_masked_and_logged_under_its_request(serve, caplog, tool):
    deployment = serve(tool)

    with pytest.raises(UserError) as refused:
        await deployment.dispatcher.call_tool(Requester(LOCAL, "r-1"), tool.__name__, {"text": CANARY})
    said = refused.value
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]

    assert (said.code, said.jsonrpc_code) == ("INTERNAL_ERROR", INTERNAL)
    assert CANARY not in f"{said} {said.details}"
    assert "r-1" in said.message
    assert record.request_id == "r-1"
    assert record.exc_info is not None
    assert CANARY not in record.getMessage()
    assert free(deployment)


# --- time ---


async def test_an_async_tool_is_cancelled_when_its_time_is_up(serve):
    ended = anyio.Event()

    async def linger() -> str:
        """Linger."""
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return ""

    deployment = serve(Tool(fn=linger, timeout=0.01, concurrency=1))
    said = await refusal(deployment, "linger")

    assert (said.code, said.details) == ("TIMEOUT", {"timeout_seconds": 0.01})
    assert "it may or may not have taken effect" in said.message
    assert ended.is_set()
    assert free(deployment)


async def test_a_thread_that_outlives_its_call_keeps_its_tools_place_and_counts_against_its_pack(serve):
    begun, go, saw = threading.Event(), threading.Event(), threading.Event()

    def linger(ctx: Context) -> str:
        """Linger."""
        begun.set()
        go.wait(PATIENCE)
        if ctx.cancelled:
            saw.set()
        return ""

    deployment = serve(Tool(fn=linger, timeout=0.01, concurrency=1), double, server={"concurrency": 2})
    try:
        # On a busy machine the time may be up before a thread has begun: then nothing runs, and the slot is free.
        # Or it has, and has not said so yet.
        while not begun.is_set():
            assert (await refusal(deployment, "linger")).code in ("TIMEOUT", "BUSY")
        assert (await refusal(deployment, "linger")).code == "BUSY"
        await until(lambda: deployment.dispatcher.calls.used == 0)
        assert deployment.dispatcher.overdue.counts() == {"desk": 1}
        assert (await call(deployment, "double", n=1)).structured == {"result": 2}
    finally:
        go.set()

    await until(lambda: free(deployment) and not deployment.dispatcher.overdue.counts())
    assert saw.is_set()


async def test_a_pack_whose_threads_do_not_end_is_unwell_and_the_others_serve_until_they_do(make_pack, deploy):
    go = threading.Event()

    def hang() -> str:
        """Hang."""
        go.wait(PATIENCE)
        return ""

    deployment = deploy(
        sick=make_pack(tools=[Tool(fn=hang, timeout=0.1), Tool(fn=double, name="again")]),
        desk=make_pack(tools=[double], name="other_pack"),
        server={"overdue_threads": 2, "concurrency": 2},
    )
    try:
        while deployment.dispatcher.overdue.of("sick") < 2:
            assert (await refusal(deployment, "hang")).code == "TIMEOUT"
            # Its thread either never began or is overdue from here on.
            await until(lambda: deployment.dispatcher.calls.used == 0)
        for tool, arguments in (("hang", {}), ("again", {"n": 1})):
            said = await refusal(deployment, tool, **arguments)
            assert (said.code, said.details) == ("PACK_UNWELL", {"pack": "sick", "overdue_threads": 2})
        assert deployment.dispatcher.overdue.unwell == ["sick"]
        assert (await call(deployment, "double", n=1)).structured == {"result": 2}
    finally:
        go.set()

    await until(lambda: not deployment.dispatcher.overdue.counts())
    assert (await call(deployment, "again", n=1)).structured == {"result": 2}


async def test_a_thread_whose_caller_went_away_is_overdue_once_its_time_is_up(serve):
    begun, go = threading.Event(), threading.Event()

    def hang() -> str:
        """Hang."""
        begun.set()
        go.wait(PATIENCE)
        return ""

    deployment = serve(Tool(fn=hang, timeout=2))  # time enough for a thread to begin on a busy machine
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(call, deployment, "hang")
            await until(begun.is_set)
            group.cancel_scope.cancel()
        await until(lambda: deployment.dispatcher.overdue.of("desk") == 1)
        assert free(deployment)
    finally:
        go.set()

    await until(lambda: not deployment.dispatcher.overdue.counts())


async def test_no_caller_can_hold_every_call_and_one_who_signed_in_finds_a_reserve(serve):
    go = anyio.Event()

    async def hold() -> str:
        """Hold."""
        await go.wait()
        return "held"

    known = Principal("human", "ada", claims={"iss": "packhorse"})
    deployment = serve(
        Tool(fn=hold, public=True),
        Tool(fn=double, public=True),
        auth=[Verifier(lambda credential: None)],
        server={"concurrency": 16},
    )
    ends: list[UserError] = []

    async def held(address: str) -> None:
        try:
            await deployment.dispatcher.call_tool(Requester(ANONYMOUS, address=address), "hold", {})
        except UserError as said:
            ends.append(said)

    async with anyio.create_task_group() as group:
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
            for _ in range(16):
                group.start_soon(held, address)
        await until(lambda: len(ends) == 48 - deployment.dispatcher.calls.used)
        assert deployment.dispatcher.calls.used <= 12, "a quarter is kept for callers who have signed in"
        reply = await deployment.dispatcher.call_tool(Requester(known, address="192.0.2.1"), "double", {"n": 1})
        go.set()

    assert reply.structured == {"result": 2}
    assert any("of yours, the maximum for one caller" in end.message for end in ends)
    assert all(re.findall(r"\d+", end.message) == [str(end.details["limit"])] for end in ends), "one number, said twice"


async def test_a_timeout_of_the_tools_own_is_a_bug_like_any_other(serve):
    async def linger() -> str:
        """Linger."""
        with anyio.fail_after(0.01):
            await anyio.sleep_forever()
        return ""

    assert (await refusal(serve(linger), "linger")).code == "INTERNAL_ERROR"


async def test_a_caller_that_went_away_before_has_nothing_run(serve):
    ran: list[int] = []

    def work() -> str:
        """Work."""
        ran.append(1)
        return ""

    deployment = serve(Tool(fn=work, concurrency=1))
    with anyio.CancelScope() as scope:
        scope.cancel()
        await call(deployment, "work")

    assert scope.cancelled_caught
    assert ran == []
    assert free(deployment)


# --- how many at a time ---


@pytest.mark.parametrize(
    ("options", "server", "who"),
    [
        pytest.param({"concurrency": 1}, {}, "This tool", id="of a tool"),
        pytest.param({}, {"concurrency": 1}, "This server", id="of the deployment"),
        pytest.param({"concurrency": 5}, {"concurrency": 1}, "This server", id="of both"),
    ],
)
async def test_calls_beyond_the_limit_are_refused_and_not_queued(serve, options, server, who):
    begun, go = anyio.Event(), anyio.Event()

    async def hold() -> str:
        """Hold."""
        begun.set()
        await go.wait()
        return "held"

    deployment = serve(Tool(fn=hold, **options), server=server)
    async with anyio.create_task_group() as group:
        group.start_soon(call, deployment, "hold")
        await begun.wait()
        said = await refusal(deployment, "hold")
        go.set()

    assert (said.code, said.jsonrpc_code, said.details) == ("BUSY", INTERNAL, {"limit": 1})
    assert said.message.startswith(f"{who} is already running 1 call, the maximum.")
    assert free(deployment)
    assert (await call(deployment, "hold")).structured == {"result": "held"}


# --- how much ---


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        pytest.param("x" * 2000, 2000, id="text"),
        pytest.param("é" * 1000, 2000, id="bytes, not letters"),
        pytest.param(Image(b"x" * 1500), 2000, id="a picture, in base 64"),
        pytest.param(Reply(None, [Text("x" * 1000), Text("x" * 1000)]), 2000, id="several pieces"),
        pytest.param(Reply(None, [Embedded("a://b", "x" * 2000)]), 2000, id="a resource"),
    ],
)
async def test_an_answer_that_is_too_large_is_refused_and_never_cut(serve, answer, size):
    def give() -> Any:
        """Give."""
        return answer

    deployment = serve(give, server={"answer_limit_bytes": 1024})
    said = await refusal(deployment, "give")

    assert (said.code, said.details) == ("ANSWER_TOO_LARGE", {"limit_bytes": 1024, "size_bytes": size})
    assert (await call(serve(give, server={"answer_limit_bytes": size}), "give")).content


async def test_data_beside_a_resource_counts_too(serve):
    class Page(BaseModel):
        text: str

    def give() -> Reply[Page]:
        """Give."""
        return Reply(Page(text="x" * 2000), [Embedded("a://b", "short")])

    def told() -> Reply[Page]:
        """Tell."""
        return Reply(Page(text="x" * 2000), [Text("short")], in_words=True)

    for fn in (give, told):
        server = serve(fn, server={"answer_limit_bytes": 1024})
        assert (await refusal(server, fn.__name__)).code == "ANSWER_TOO_LARGE"


# --- a tool that calls another ---


async def relay(ctx: Context, tool: str, arguments: dict[str, Any]) -> Any:
    """Call another tool."""
    return (await ctx.call(tool, arguments)).structured


async def test_another_tool_is_called_through_the_same_door(serve):
    deployment = serve(relay, double)

    assert (await call(deployment, "relay", tool="double", arguments={"n": 2})).content == (Text('{"result":4}'),)
    assert (await refusal(deployment, "relay", tool="double", arguments={"n": "x"})).code == "INVALID_ARGUMENTS"
    assert (await denial(deployment, "relay", tool="dobule", arguments={})).error_type == "unknown_tool"
    assert free(deployment)


async def test_as_the_same_principal_and_under_the_same_request(serve):
    seen: list[Context] = []

    def look(ctx: Context) -> str:
        """Look."""
        seen.append(ctx)
        return ""

    deployment = serve(Tool(fn=relay, public=True), Tool(fn=look, roles=["FACULTY"]), auth=[Verifier(nobody)])
    await deployment.dispatcher.call_tool(Requester(FACULTY, "r-1"), "relay", {"tool": "look", "arguments": {}})

    assert [(ctx.principal, ctx.request_id) for ctx in seen] == [(FACULTY, "r-1")]


async def test_a_caller_cannot_do_through_a_tool_what_they_may_not_do(serve):
    deployment = serve(Tool(fn=relay, public=True), ADMINS, SELF, auth=[Verifier(nobody)])

    assert (await denial(deployment, "relay", ANONYMOUS, tool="admins", arguments={"n": 1})).code == AUTHENTICATION
    assert (await denial(deployment, "relay", FACULTY, tool="profile", arguments={"person_id": "x"})).code == (
        AUTHORIZATION
    )
    await call(deployment, "relay", FACULTY, tool="profile", arguments={"person_id": "p-7"})


async def test_guards_judge_such_calls_too_and_a_guard_is_for_its_tools_alone(serve):
    deployment = serve(relay, double, OPEN, auth=[Guard(deny, tools=["double"])])

    assert (await call(deployment, "relay", tool="open", arguments={"n": 1})).content == (Text('{"result":2}'),)
    assert (await denial(deployment, "relay", tool="double", arguments={"n": 1})).message == "Not ever."


async def test_a_pack_calls_its_own_tools_by_its_own_names_and_others_by_theirs(make_pack, deploy):
    def triple(n: int) -> int:
        """Thrice as much."""
        return 3 * n

    other = Tool(fn=triple, name="double")
    tables = {"desk": {"prefix": "d_"}}
    deployment = deploy(tables=tables, desk=make_pack(tools=[relay, double]), more=make_pack(tools=[other, triple]))

    async def through(tool: str) -> Any:
        return (await call(deployment, "d_relay", tool=tool, arguments={"n": 1})).content[0].text

    assert await through("double") == '{"result":2}'
    assert await through("d_double") == '{"result":2}'
    assert await through("triple") == '{"result":3}'


async def test_tools_that_call_one_another_for_ever_are_refused_in_the_end(serve):
    async def again(ctx: Context) -> str:
        """Again."""
        await ctx.call("again", {})
        return ""

    deployment = serve(again, server={"concurrency": 5})

    assert (await refusal(deployment, "again")).code == "BUSY"
    assert free(deployment)


async def test_a_tool_that_asks_cannot_be_called_so(serve):
    def ask() -> str | InputRequired:
        """Ask."""
        return InputRequired({})

    assert "asks questions" in (await refusal(serve(relay, ask), "relay", tool="ask", arguments={})).message


# --- resources ---


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("x" * 2000, id="text"),
        pytest.param(b"x" * 2000, id="bytes"),
        pytest.param({"a": ["x" * 2000]}, id="JSON"),
        pytest.param([{"a": "x" * 1000}, {"a": "x" * 1000}], id="a list"),
        pytest.param(Text("x" * 2000), id="content"),
        pytest.param([Text("x" * 1000), Text("x" * 1000)], id="contents"),
    ],
)
async def test_a_resource_that_is_too_large_is_refused(serve, body):
    resource = Resource(uri="big://one", fn=lambda: body, name="big")
    dispatcher = serve(resources=[resource], server={"answer_limit_bytes": 1024}).dispatcher

    with pytest.raises(UserError) as refused:
        await dispatcher.read(Requester(LOCAL), "big://one", lambda entry, uri: None)
    assert refused.value.code == "ANSWER_TOO_LARGE"


# --- prompts ---


def _broken_type(text: str) -> str:
    raise LookupError(text)


def odd(word: Annotated[str, AfterValidator(_broken_type)]) -> str:
    """Take something odd."""
    return word


async def test_a_type_that_breaks_is_a_bug_of_its_pack(serve):
    deployment = serve(prompts=[odd], resources=[Resource(uri="odd://{day}", fn=lambda day: day, name="odd")])

    with pytest.raises(UserError) as refused:
        await deployment.dispatcher.render(Requester(LOCAL), "odd", {"word": CANARY})
    assert refused.value.code == "INTERNAL_ERROR"
    assert CANARY not in refused.value.message
