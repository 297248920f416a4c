"""Asking the person, the client's model and the client itself, in both protocol eras."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.to_thread
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field
from tests.core.seeds import client_of, pack_of

from packhorse import (
    Accepted,
    Cancelled,
    Context,
    Declined,
    Elicit,
    InputRequired,
    ListRoots,
    Message,
    PackError,
    Principal,
    Prompt,
    Resolve,
    Resource,
    Roots,
    Sample,
    Sampled,
    Tool,
    UserError,
)
from packhorse.contract.principal import LOCAL
from packhorse.testing import Protocol, connected, deployment_for
from packhorse.wire import questions
from packhorse.wire.adapter import Adapter

pytestmark = pytest.mark.anyio

CANARY = "canary-81c4"
MODERN = "2026-07-28"
LACKS = -32021


class Answering:
    """A client's callbacks, which answer from a script and remember what they were asked."""

    def __init__(
        self,
        *forms: Mapping[str, Any] | str | wire.ErrorData,
        says: Any = "Paris",
        roots: tuple[str, ...] = ("file:///srv",),
    ) -> None:
        self._forms = list(forms)
        self._says = says
        self._roots = roots
        self.asked: list[Any] = []

    async def elicit(self, ctx: Any, params: Any) -> wire.ElicitResult | wire.ErrorData:
        self.asked.append(params)
        form = self._forms.pop(0)
        if isinstance(form, wire.ErrorData):
            return form
        if isinstance(form, str):
            return wire.ElicitResult(action=form)
        return wire.ElicitResult(action="accept", content=dict(form))

    async def sample(self, ctx: Any, params: Any) -> wire.CreateMessageResult | wire.ErrorData:
        self.asked.append(params)
        if isinstance(self._says, wire.ErrorData):
            return self._says
        content = wire.TextContent(type="text", text=self._says) if isinstance(self._says, str) else self._says
        return wire.CreateMessageResult(role="assistant", content=content, model="m-1", stop_reason="endTurn")

    async def roots(self, ctx: Any) -> wire.ListRootsResult:
        self.asked.append("roots")
        return wire.ListRootsResult(roots=[wire.Root(uri=uri, name="srv") for uri in self._roots])

    def options(self, *kinds: str) -> dict[str, Any]:
        callbacks = {
            "elicit": ("elicitation_callback", self.elicit),
            "sample": ("sampling_callback", self.sample),
            "roots": ("list_roots_callback", self.roots),
        }
        return dict(callbacks[kind] for kind in kinds or callbacks)


class Confirm(BaseModel):
    """A form of one box."""

    sure: bool = Field(description="Really?")


async def call(
    folder: Path, protocol: Protocol, tool: Callable[..., Any], client: Mapping[str, Any], **arguments: Any
) -> wire.CallToolResult:
    async with client_of(folder, protocol=protocol, tools=[tool], client=client) as opened:
        return await opened.call_tool(tool.__name__, arguments)


def code_of(reply: wire.CallToolResult) -> str:
    assert reply.is_error
    assert reply.meta is not None
    code: str = reply.meta["packhorse/error"]["code"]
    return code


# --- Resolve ---


def ask_to_delete(name: str) -> Elicit[Confirm]:
    return Elicit(f"Delete {name}?", Confirm)


def delete(name: str, answer: Annotated[Confirm, Resolve(ask_to_delete)]) -> str:
    """Delete a roster by its name, once the person has agreed."""
    return f"{name}: {answer.sure}"


def weigh(name: str, answer: Annotated[Accepted[Confirm] | Declined | Cancelled, Resolve(ask_to_delete)]) -> str:
    """Delete a roster by its name, or say how the person declined."""
    match answer:
        case Accepted(data=Confirm(sure=sure)):
            return f"accepted {sure}"
        case Declined():
            return "declined"
    return "cancelled"


async def test_a_person_is_asked_before_the_tool_runs(tmp_path, protocol):
    person = Answering({"sure": True})
    reply = await call(tmp_path, protocol, delete, person.options(), name="May")

    assert reply.structured_content == {"result": "May: True"}
    (form,) = person.asked
    assert form.message == "Delete May?"
    assert form.requested_schema["properties"] == {
        "sure": {"type": "boolean", "title": "Sure", "description": "Really?"}
    }
    assert form.requested_schema["required"] == ["sure"]


async def test_what_is_asked_for_is_no_argument_of_the_tool(tmp_path, protocol):
    async with client_of(tmp_path, protocol=protocol, tools=[delete]) as client:
        (listed,) = (await client.list_tools()).tools
        reply = await client.call_tool("delete", {"name": "May", "answer": {"sure": True}})

    assert list(listed.input_schema["properties"]) == ["name"]
    assert code_of(reply) == "INVALID_ARGUMENTS"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("decline", id="declined"),
        pytest.param("cancel", id="cancelled"),
        pytest.param({"sure": "perhaps"}, id="of the wrong kind"),
        pytest.param({}, id="left empty"),
    ],
)
async def test_an_answer_that_is_none_ends_the_call_and_nothing_is_done(tmp_path, protocol, answer):
    ran: list[str] = []

    def act(name: str, answer: Annotated[Confirm, Resolve(ask_to_delete)]) -> str:
        """Act on a roster, once the person has agreed."""
        ran.append(name)
        return name

    reply = await call(tmp_path, protocol, act, Answering(answer).options(), name="May")

    assert code_of(reply) == "NO_ANSWER"
    assert ran == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param({"sure": False}, "accepted False", id="accepted"),
        pytest.param("decline", "declined", id="declined"),
        pytest.param("cancel", "cancelled", id="cancelled"),
    ],
)
async def test_a_tool_that_takes_the_outcome_is_told_of_every_one(tmp_path, protocol, answer, said):
    reply = await call(tmp_path, protocol, weigh, Answering(answer).options(), name="May")

    assert reply.structured_content == {"result": said}


async def test_a_resolver_that_knows_the_answer_asks_nobody(tmp_path, protocol):
    async def known(name: str, ctx: Context) -> Confirm | Elicit[Confirm]:
        return Confirm(sure=ctx.principal.kind == "local") if name == "May" else Elicit("?", Confirm)

    def act(name: str, answer: Annotated[Confirm, Resolve(known)]) -> bool:
        """Act on a roster, asking only where that is needed."""
        return answer.sure

    person = Answering()
    reply = await call(tmp_path, protocol, act, person.options(), name="May")

    assert reply.structured_content == {"result": True}
    assert person.asked == []


async def test_the_clients_model_is_asked_as_it_was_worded(tmp_path, protocol):
    def capital(country: str) -> Sample:
        return Sample(
            [Message(f"The capital of {country}?"), Message("Let me think.", "assistant"), "Well?"],
            max_tokens=20,
            system_prompt="Be brief.",
            temperature=0.5,
        )

    def guess(country: str, said: Annotated[Sampled, Resolve(capital)]) -> str:
        """Guess a country's capital with the help of the client's model."""
        return f"{said.text} by {said.model}, {said.stop_reason}"

    model = Answering()
    reply = await call(tmp_path, protocol, guess, model.options(), country="France")

    assert reply.structured_content == {"result": "Paris by m-1, endTurn"}
    (asked,) = model.asked
    assert [(turn.role, turn.content.text) for turn in asked.messages] == [
        ("user", "The capital of France?"),
        ("assistant", "Let me think."),
        ("user", "Well?"),
    ]
    assert (asked.max_tokens, asked.system_prompt, asked.temperature) == (20, "Be brief.", 0.5)


async def test_a_model_that_answers_with_a_picture_has_not_answered(tmp_path, protocol):
    def ask() -> Sample:
        return Sample(["Draw a cat."], max_tokens=10)

    def guess(said: Annotated[Sampled, Resolve(ask)]) -> str:
        """Guess something with the help of the client's model."""
        return said.text

    picture = wire.ImageContent(type="image", data="AA==", mime_type="image/png")
    reply = await call(tmp_path, protocol, guess, Answering(says=picture).options())

    assert code_of(reply) == "NO_ANSWER"


async def test_the_clients_folders_are_listed(tmp_path, protocol):
    def folders() -> ListRoots:
        return ListRoots()

    def where(roots: Annotated[Roots, Resolve(folders)]) -> list[str]:
        """Say which folders the client has open."""
        return [f"{root.name}={root.uri}" for root in roots.roots]

    reply = await call(tmp_path, protocol, where, Answering(roots=("file:///a", "file:///b")).options())

    assert reply.structured_content == {"result": ["srv=file:///a", "srv=file:///b"]}


class Name(BaseModel):
    name: str


class Reason(BaseModel):
    reason: str


def ask_name() -> Elicit[Name]:
    return Elicit("Who?", Name)


def ask_reason(name: Annotated[Name, Resolve(ask_name)], day: str, ctx: Context) -> Elicit[Reason]:
    return Elicit(f"Why does {name.name} want {day}, {ctx.principal.kind}?", Reason)


async def greeting(name: Annotated[Name, Resolve(ask_name)], reason: Annotated[Reason, Resolve(ask_reason)]) -> Sample:
    await anyio.lowlevel.checkpoint()
    return Sample([f"Greet {name.name}, who wants it because {reason.reason}."], max_tokens=10)


def grant(
    day: str,
    said: Annotated[Sampled, Resolve(greeting)],
    name: Annotated[Name, Resolve(ask_name)],
    reason: Annotated[Accepted[Reason] | Declined | Cancelled, Resolve(ask_reason)],
    ctx: Context,
) -> str:
    """Grant a day off, having asked who wants it and why."""
    why = reason.data.reason if isinstance(reason, Accepted) else "nothing"
    return f"{day}: {name.name}, {why}; {said.text}; {ctx.principal.kind}"


async def test_questions_may_rest_on_answers_and_each_is_asked_once(tmp_path, protocol):
    client = Answering({"name": "Ada"}, {"reason": "rest"}, says="Hello Ada")
    reply = await call(tmp_path, protocol, grant, client.options(), day="Monday")

    assert reply.structured_content == {"result": "Monday: Ada, rest; Hello Ada; local"}
    who, why, hello = client.asked
    assert (who.message, why.message) == ("Who?", "Why does Ada want Monday, local?")
    assert hello.messages[0].content.text == "Greet Ada, who wants it because rest."


async def test_a_resolver_may_be_a_method_of_the_packs_own_value(tmp_path, protocol):
    class Desk:
        def __init__(self, word: str) -> None:
            self.word = word

        def ask(self) -> Elicit[Name]:
            return Elicit(self.word, Name)

    first, second = Desk("first?"), Desk("second?")

    def both(
        one: Annotated[Name, Resolve(first.ask)],
        two: Annotated[Name, Resolve(second.ask)],
        again: Annotated[Name, Resolve(first.ask)],
    ) -> list[str]:
        """Ask at both desks, and once more at the first."""
        return [one.name, two.name, again.name]

    client = Answering({"name": "a"}, {"name": "b"})
    reply = await call(tmp_path, protocol, both, client.options())

    assert reply.structured_content == {"result": ["a", "b", "a"]}
    assert [form.message for form in client.asked] == ["first?", "second?"]


async def test_a_resolver_may_refuse(tmp_path, protocol):
    def refuse() -> Elicit[Name]:
        raise UserError("Not on Sundays; ask on Monday.", code="SUNDAY")

    def act(name: Annotated[Name, Resolve(refuse)]) -> str:
        """Act for somebody, on any day but one."""
        return name.name

    assert code_of(await call(tmp_path, protocol, act, Answering().options())) == "SUNDAY"


async def test_a_resolver_that_crashes_is_a_masked_bug(tmp_path, protocol, caplog):
    def crash() -> Elicit[Name]:
        raise RuntimeError(CANARY)

    def act(name: Annotated[Name, Resolve(crash)]) -> str:
        """Act for somebody, if only it could be asked who."""
        return name.name

    reply = await call(tmp_path, protocol, act, Answering().options())

    assert code_of(reply) == "INTERNAL_ERROR"
    assert CANARY not in reply.model_dump_json()
    assert CANARY in caplog.text


async def test_a_resolver_that_hangs_in_a_thread_does_not_keep_its_call(tmp_path, protocol):
    begun, release = threading.Event(), threading.Event()

    def hang() -> Elicit[Name]:
        begun.set()
        release.wait(60)
        return ask_name()

    def act(name: Annotated[Name, Resolve(hang)]) -> str:
        """Act for somebody, once it is known whom to ask."""
        return name.name

    adapter = Adapter(deployment_for(data_dir=tmp_path, seed=pack_of(tools=[act])), lambda ctx: LOCAL)
    mode = protocol if protocol == MODERN else "legacy"
    replies: list[wire.CallToolResult] = []
    try:
        async with Client(adapter.server, mode=mode, **Answering().options()) as client:

            async def call() -> None:
                replies.append(await client.call_tool("act"))

            with anyio.fail_after(90):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(call)
                    await anyio.to_thread.run_sync(begun.wait, 90)
                    adapter.under_way.give_up()
    finally:
        release.set()

    assert [code_of(reply) for reply in replies] == ["STOPPING"]


# --- clients that cannot, or will not ---


def sampler() -> Sample:
    return Sample(["?"], max_tokens=1)


def lister() -> ListRoots:
    return ListRoots()


def resolving(ask: Callable[[], Any], kind: Any) -> Callable[..., str]:
    """A tool that has its question answered before it runs."""

    def resolves(answer: Annotated[kind, Resolve(ask)]) -> str:
        """Answer, once the client has answered."""
        return "asked"

    return resolves


def in_a_round(ask: Callable[[], Any]) -> Callable[..., Any]:
    """A tool that asks in a round of its own."""

    def rounds(ctx: Context) -> str | InputRequired:
        """Answer, in the round after the one that asks."""
        return "asked" if ctx.answers else InputRequired({"answer": ask()})

    return rounds


FORM, MODEL, FOLDERS = {"elicitation": {"form": {}}}, {"sampling": {}}, {"roots": {}}
NEEDS = [
    pytest.param(resolving(ask_name, Name), FORM, "elicit", id="a form"),
    pytest.param(resolving(sampler, Sampled), MODEL, "sample", id="a model"),
    pytest.param(resolving(lister, Roots), FOLDERS, "roots", id="folders"),
    pytest.param(in_a_round(ask_name), FORM, "elicit", id="a form in a round"),
    pytest.param(in_a_round(sampler), MODEL, "sample", id="a model in a round"),
    pytest.param(in_a_round(lister), FOLDERS, "roots", id="folders in a round"),
]


@pytest.mark.parametrize(("tool", "needed", "kind"), NEEDS)
async def test_a_client_that_cannot_be_asked_hears_what_it_lacks_and_one_that_can_is_asked(
    tmp_path, protocol, tool, needed, kind
):
    others = [other for other in ("elicit", "sample", "roots") if other != kind]
    with pytest.raises(MCPError) as caught:
        await call(tmp_path, protocol, tool, Answering().options(*others))

    assert caught.value.error.code == LACKS
    data = caught.value.error.data
    assert data["requiredCapabilities"] == needed
    assert data["error_type"] == "client_cannot"
    assert "client" in caught.value.error.message
    assert tool.__name__ not in caught.value.error.message

    able = Answering({"name": "Ada"})
    assert not (await call(tmp_path, protocol, tool, able.options(kind))).is_error
    assert len(able.asked) == 1


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        pytest.param(["elicit"], [True, False, False], id="forms"),
        pytest.param(["sample"], [False, True, False], id="a model"),
        pytest.param(["roots"], [False, False, True], id="folders"),
        pytest.param([], [True, True, True], id="everything"),
    ],
)
async def test_a_tool_may_look_before_it_asks(tmp_path, protocol, kinds, expected):
    def look(ctx: Context) -> list[bool]:
        """Look at what this client can be asked."""
        return [ctx.can_ask(question) for question in (Elicit, Sample, ListRoots)]

    reply = await call(tmp_path, protocol, look, Answering().options(*kinds))

    assert reply.structured_content == {"result": expected}


@pytest.mark.parametrize(
    ("declared", "can"),
    [
        pytest.param({"elicitation": {}}, True, id="a bare declaration means forms"),
        pytest.param({"elicitation": {"form": {}}}, True, id="forms"),
        pytest.param({"elicitation": {"url": {}}}, False, id="addresses alone"),
        pytest.param({"elicitation": {"form": {}, "url": {}}}, True, id="both"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_a_form_needs_a_client_that_shows_forms(declared, can):
    assert questions.can_ask(wire.ClientCapabilities.model_validate(declared), Elicit) is can


def test_a_client_that_said_nothing_cannot_be_asked():
    assert not questions.can_ask(None, Sample)


@pytest.mark.parametrize("tool", [resolving(ask_name, Name), in_a_round(ask_name)], ids=["resolved", "in a round"])
async def test_a_client_that_answers_with_an_error_ends_the_call(tmp_path, protocol, tool):
    error = wire.ErrorData(code=-1, message="The person has gone home")
    with pytest.raises(MCPError) as caught:
        await call(tmp_path, protocol, tool, Answering(error).options())

    assert caught.value.error.code == -1


# --- rounds ---


class Colour(BaseModel):
    colour: str


def paint(wall: str, ctx: Context) -> str | InputRequired:
    """Paint a wall, asking first for a name and then for a colour."""
    match ctx.answers.get("colour"):
        case Accepted(data={"colour": str(colour)}):
            return f"{wall}: {ctx.state} likes {colour}"
    match ctx.answers.get("name"):
        case Accepted(data={"name": str(name)}):
            return InputRequired({"colour": Elicit("Which colour?", Colour)}, state=name)
        case Declined() | Cancelled():
            raise UserError("Nobody wants it painted.", code="NOBODY")
    assert ctx.state is None
    return InputRequired({"name": Elicit("Who?", Name)}, state="nameless")


async def test_a_tool_may_ask_in_rounds_that_share_a_state(tmp_path, protocol):
    client = Answering({"name": "Ada"}, {"colour": "blue"})
    reply = await call(tmp_path, protocol, paint, client.options(), wall="north")

    assert reply.content[0].text == "north: Ada likes blue"
    assert [form.message for form in client.asked] == ["Who?", "Which colour?"]


@pytest.mark.parametrize("answer", ["decline", "cancel"])
async def test_a_round_hears_that_nobody_answers(tmp_path, protocol, answer):
    reply = await call(tmp_path, protocol, paint, Answering(answer).options(), wall="north")

    assert code_of(reply) == "NOBODY"


async def test_one_round_may_ask_several_things_of_several_kinds(tmp_path, protocol):
    def gather(ctx: Context) -> str | InputRequired:
        """Gather a name, a greeting and the open folders at once."""
        match ctx.answers.get("name"), ctx.answers.get("said"), ctx.answers.get("roots"):
            case Accepted(data={"name": name}), Sampled(text=said), Roots(roots=roots):
                return f"{said} {name}, {len(roots)}"
        return InputRequired({"name": Elicit("Who?", Name), "said": sampler(), "roots": lister()})

    reply = await call(tmp_path, protocol, gather, Answering({"name": "Ada"}, says="Hello").options())

    assert reply.content[0].text == "Hello Ada, 1"


def plan(name: Annotated[Name, Resolve(ask_name)]) -> str:
    return f"Brief {name.name}"


def brief(ctx: Context) -> str | InputRequired:
    match ctx.answers.get("name"):
        case Accepted(data={"name": name}):
            return f"Brief {name}"
    return InputRequired({"name": Elicit("Who?", Name)})


@pytest.mark.parametrize("fn", [plan, brief], ids=["before they run", "in rounds"])
async def test_a_prompt_and_a_resource_may_ask(tmp_path, protocol, fn):
    offers: dict[str, Any] = {"prompts": [Prompt(fn=fn)], "resources": [Resource(uri="seed://brief", fn=fn)]}
    client = Answering({"name": "Ada"}, {"name": "Bo"})
    async with client_of(tmp_path, protocol=protocol, client=client.options(), **offers) as opened:
        prompt = await opened.get_prompt(fn.__name__)
        (read,) = (await opened.read_resource("seed://brief")).contents

    assert prompt.messages[0].content.text == "Brief Ada"
    assert read.text == "Brief Bo"


async def test_a_tool_that_never_stops_asking_is_given_up(tmp_path):
    def pester(ctx: Context) -> str | InputRequired:
        """Ask for a name, again and again."""
        return InputRequired({"name": Elicit("Who?", Name)})

    client = Answering(*[{"name": "Ada"}] * 20)
    reply = await call(tmp_path, "2025-11-25", pester, client.options())

    assert code_of(reply) == "TOO_MANY_ROUNDS"
    assert len(client.asked) == 10


class Nested(BaseModel):
    inner: Name


async def test_a_question_that_cannot_be_put_is_a_masked_bug(tmp_path, protocol, caplog):
    def ask(ctx: Context) -> str | InputRequired:
        """Ask with a form that no client can show."""
        return InputRequired({"nested": Elicit("?", Nested)})

    reply = await call(tmp_path, protocol, ask, Answering().options())

    assert code_of(reply) == "INTERNAL_ERROR"
    assert "Traceback" in caplog.text


async def test_asking_for_nothing_is_a_masked_bug(tmp_path, caplog):
    def ask(ctx: Context) -> str | InputRequired:
        """Ask for nothing at all, and carry no state."""
        return InputRequired({})

    reply = await call(tmp_path, MODERN, ask, Answering().options())

    assert code_of(reply) == "INTERNAL_ERROR"


# --- state on its way through the client ---


async def first_round(session: Any, wall: str = "north") -> wire.InputRequiredResult:
    asked = await session.call_tool("paint", {"wall": wall}, allow_input_required=True)
    assert isinstance(asked, wire.InputRequiredResult)
    return asked


NAMED = {"name": wire.ElicitResult(action="accept", content={"name": "Ada"})}


def tampered(state: str) -> str:
    return state[:-4] + ("AAAA" if state[-4:] != "AAAA" else "BBBB")


@pytest.mark.parametrize(
    ("change", "wall"),
    [
        pytest.param(tampered, "north", id="altered"),
        pytest.param(lambda state: state[:20], "north", id="cut short"),
        pytest.param(lambda state: "v1.AAAA", "north", id="made up"),
        pytest.param(lambda state: "nameless", "north", id="in clear"),
        pytest.param(lambda state: state, "south", id="of a call with other arguments"),
    ],
)
async def test_a_state_that_was_tampered_with_is_refused(tmp_path, change, wall):
    async with client_of(tmp_path, tools=[paint], client=Answering().options()) as client:
        asked = await first_round(client.session)
        assert asked.request_state is not None
        assert "nameless" not in asked.request_state
        with pytest.raises(MCPError) as caught:
            await client.session.call_tool(
                "paint", {"wall": wall}, input_responses=NAMED, request_state=change(asked.request_state)
            )

    assert caught.value.error.code == -32602


async def test_a_state_belongs_to_the_caller_it_was_given_to(tmp_path):
    def person(name: str, issuer: str = "a") -> Principal:
        return Principal("human", name, claims={"iss": issuer})

    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[paint]))
    caller = [person("ada")]
    adapter = Adapter(deployment, lambda ctx: caller[0])
    async with Client(adapter.server, mode=MODERN, **Answering().options()) as client:
        asked = await first_round(client.session)
        for other in (person("bo"), person("ada", "b"), Principal("agent", "ada", claims={"iss": "a"}), LOCAL):
            caller[0] = other
            with pytest.raises(MCPError):
                await client.session.call_tool(
                    "paint", {"wall": "north"}, input_responses=NAMED, request_state=asked.request_state
                )
        caller[0] = person("ada")
        again = await client.session.call_tool(
            "paint",
            {"wall": "north"},
            input_responses=NAMED,
            request_state=asked.request_state,
            allow_input_required=True,
        )

    assert isinstance(again, wire.InputRequiredResult)
    assert again.input_requests is not None
    assert list(again.input_requests) == ["colour"]


@pytest.mark.parametrize(
    ("same", "taken"), [pytest.param(True, True, id="the same key"), pytest.param(False, False, id="another key")]
)
async def test_a_state_passes_between_processes_that_share_a_key(tmp_path, same, taken):
    def serving(key: str) -> Any:
        return client_of(tmp_path, tools=[paint], server={"state_key": key}, client=Answering().options())

    async with serving("k" * 32) as client:
        state = (await first_round(client.session)).request_state
    async with serving(("k" if same else "l") * 32) as client:
        try:
            await client.session.call_tool(
                "paint", {"wall": "north"}, input_responses=NAMED, request_state=state, allow_input_required=True
            )
        except MCPError:
            assert not taken
        else:
            assert taken


# --- what a pack may not write ---


def test_a_circle_of_questions_stops_the_start_by_name(tmp_path):
    def first() -> Elicit[Name]:
        return ask_name()

    def second(name: Annotated[Name, Resolve(first)]) -> Elicit[Name]:
        return ask_name()

    first.__annotations__ = {"name": Annotated[Name, Resolve(second)]}
    first.__signature__ = __import__("inspect").signature(second)

    def act(name: Annotated[Name, Resolve(second)]) -> str:
        """Act for somebody, whom nobody can name."""
        return name.name

    with pytest.raises(PackError, match="'act' of pack 'seed'"):
        Adapter(deployment_for(data_dir=tmp_path, seed=pack_of(tools=[act])), lambda ctx: LOCAL)


def test_a_question_about_an_argument_that_is_not_there_stops_the_start_by_name(tmp_path):
    def act(answer: Annotated[Confirm, Resolve(ask_to_delete)]) -> bool:
        """Delete something whose name was not asked for."""
        return answer.sure

    with pytest.raises(PackError, match=r"'act' of pack 'seed'.*'name'"):
        Adapter(deployment_for(data_dir=tmp_path, seed=pack_of(tools=[act])), lambda ctx: LOCAL)


def test_two_ways_of_asking_in_one_tool_stop_the_start_by_name(tmp_path):
    def act(name: Annotated[Name, Resolve(ask_name)], ctx: Context) -> str | InputRequired:
        """Ask in both ways at once, which one state cannot carry."""
        return InputRequired({"name": ask_name()})

    with pytest.raises(PackError, match=r"'act' of pack 'seed'.*one of the two"):
        Adapter(deployment_for(data_dir=tmp_path, seed=pack_of(tools=[Tool(fn=act)])), lambda ctx: LOCAL)


async def test_a_tool_of_a_tool_cannot_ask(tmp_path, protocol):
    async def relay(ctx: Context) -> str:
        """Call a tool that would have to ask somebody."""
        reply = await ctx.call("resolves", {})
        return str(reply.structured)

    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[resolving(ask_name, Name), relay]))
    async with connected(deployment, protocol=protocol, **Answering().options()) as client:
        reply = await client.call_tool("relay")

    assert code_of(reply) == "NEEDS_CLIENT"
