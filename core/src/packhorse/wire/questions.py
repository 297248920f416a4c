"""Our questions to the client, carried by the SDK's era-neutral resolver or by rounds of input."""

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

import anyio.to_thread
import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.server.elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    render_elicitation_schema,
)
from mcp.server.mcpserver import Context as SdkContext
from mcp.server.mcpserver import resolve as sdk
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import PrivateAttr, ValidationError

from packhorse.contract.content import Message, Text
from packhorse.contract.context import Context
from packhorse.contract.questions import (
    Accepted,
    Cancelled,
    Declined,
    Elicit,
    Form,
    InputRequired,
    ListRoots,
    Outcome,
    Question,
    Root,
    Roots,
    Sample,
    Sampled,
    ToolWish,
    Turn,
)
from packhorse.door.catalogue import Entry
from packhorse.errors import PackError, RequestError, UserError
from packhorse.schema.parameters import is_async, marker_of, parameters_of
from packhorse.wire.content import block

_CANNOT = "This needs a client that can answer questions during a call. This client did not declare that it can."


class _Asking(SdkContext[Any, Any]):
    """The SDK's context, carrying ours to the resolvers that ask for one."""

    _ours: Context = PrivateAttr()

    @property
    def ours(self) -> Context:
        return self._ours

    def __init__(self, ours: Context, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ours = ours


class Plan:
    """One function's resolved parameters, translated once for the SDK's resolver."""

    def __init__(self, entry: Entry) -> None:
        seen: dict[Any, Callable[..., Any]] = {}
        self._resolved = {
            name: (sdk.Resolve(_translated(_marker(annotation).fn, seen)), _wants_outcome(annotation))
            for name, annotation in entry.parameters.resolved.items()
        }
        if InputRequired in (entry.parameters.returns, *get_args(entry.parameters.returns)):
            raise PackError(
                f"{entry.name!r} of pack {entry.pack!r} uses both resolved parameters and InputRequired: use only"
                " one of the two, because a client remembers the state of one"
            )
        try:
            self._plans = sdk.build_resolver_plans(self._resolved, set(entry.parameters.plain))
        except Exception as exc:
            # The SDK names a cycle or an unknown parameter here, in its own exception classes.
            raise PackError(f"{entry.name!r} of pack {entry.pack!r}: {exc}") from exc

    async def fill(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: wire.InputResponseRequestParams | None,
        arguments: Mapping[str, Any],
        ours: Context,
    ) -> Mapping[str, Any] | wire.InputRequiredResult:
        """The resolved parameters' values, or the questions to send first."""
        asking = _Asking(ours, request_context=ctx, input_params=params)
        try:
            filled = await sdk.resolve_arguments(self._resolved, self._plans, arguments, asking)
        except ToolError as exc:
            raise _no_answer() from exc
        except MCPError as exc:
            raise as_request_error(exc) from exc
        if isinstance(filled, wire.InputRequiredResult):
            return filled
        return {name: _ours_of(value) for name, value in filled.items()}


def as_request_error(exc: MCPError) -> RequestError:
    """The SDK's own protocol error, as ours: its number and data, without the names of our functions."""
    code, data = exc.error.code, exc.error.data
    lacks = code == wire.MISSING_REQUIRED_CLIENT_CAPABILITY
    message = _CANNOT if lacks else "The client answered a question of this call with an error, so nothing was done."
    return RequestError(code, "client_cannot", message, details=data if isinstance(data, Mapping) else None)


def require(capabilities: wire.ClientCapabilities | None, asked: Iterable[Question]) -> None:
    """Make sure that the client can be asked all of it.

    Raises:
        RequestError: -32021, naming the capabilities that the client would need.
    """
    lacking = [
        question
        for question in asked
        if not can_ask(capabilities, question if isinstance(question, Sample) else type(question))
    ]
    if not lacking:
        return
    needed: dict[str, Any] = {}
    for question in lacking:
        match question:
            case Elicit() | Form():
                needed["elicitation"] = {"form": {}}
            case Sample():
                needed["sampling"] = {"tools": {}} if question.tools else {}
            case ListRoots():
                needed["roots"] = {}
    raise RequestError(
        wire.MISSING_REQUIRED_CLIENT_CAPABILITY, "client_cannot", _CANNOT, details={"requiredCapabilities": needed}
    )


def _no_answer() -> UserError:
    return UserError(
        "A question of this tool was declined, was cancelled or got an answer of the wrong kind, so nothing was"
        " done. To be asked again, call again.",
        code="NO_ANSWER",
    )


def request_for(question: Question) -> wire.InputRequest:
    """A question as the protocol's request."""
    match question:
        case Elicit(message, schema):
            rendered = render_elicitation_schema(schema)
            return wire.ElicitRequest(params=wire.ElicitRequestFormParams(message=message, requested_schema=rendered))
        case Form(message, form):
            params = wire.ElicitRequestFormParams(message=message, requested_schema=dict(form))
            return wire.ElicitRequest(params=params)
        case Sample():
            return wire.CreateMessageRequest(params=_sampling(question).params)
        case ListRoots():
            return wire.ListRootsRequest()
    raise TypeError(f"{type(question).__name__} is no question")


def outcome_of(answer: Any) -> Outcome:
    """The protocol's answer to a question, as ours. A form's content is not yet checked against its schema."""
    match answer:
        case wire.ElicitResult(action="accept"):
            return Accepted(dict(answer.content or {}))
        case wire.ElicitResult(action="decline"):
            return Declined()
        case wire.ElicitResult():
            return Cancelled()
        case _:
            converted: Outcome = _ours_of(answer)
            return converted


def can_ask(capabilities: wire.ClientCapabilities | None, question: type[Any] | Sample) -> bool:
    """Whether a client with these capabilities answers such a question."""
    if capabilities is None:
        return False
    if isinstance(question, Sample):
        sampling = capabilities.sampling
        return sampling is not None and (not question.tools or sampling.tools is not None)
    if issubclass(question, Elicit | Form):
        # A bare declaration, from before there were modes, means forms; one of URLs alone does not.
        elicitation = capabilities.elicitation
        return elicitation is not None and (elicitation.form is not None or elicitation.url is None)
    if issubclass(question, Sample):
        return capabilities.sampling is not None
    return capabilities.roots is not None


async def ask_now(ctx: ServerRequestContext[Any, Any], required: InputRequired) -> Mapping[str, Outcome]:
    """Ask a handshake-era client over its back-channel, one question after the other."""
    require(ctx.session.client_capabilities, required.questions.values())
    answers: dict[str, Outcome] = {}
    for key, question in required.questions.items():
        kinds: Mapping[type[Any], type[Any]] = {
            Elicit: wire.ElicitResult,
            Form: wire.ElicitResult,
            Sample: wire.CreateMessageResultWithTools
            if isinstance(question, Sample) and question.tools
            else wire.CreateMessageResult,
            ListRoots: wire.ListRootsResult,
        }
        try:
            answer = await ctx.session.send_request(
                request_for(question),
                kinds[type(question)],
                metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
            )
        except MCPError as exc:
            raise as_request_error(exc) from exc
        except ValidationError as exc:
            raise _no_answer() from exc
        answers[key] = outcome_of(answer)
    return answers


def _marker(annotation: Any) -> Any:
    marker = marker_of(annotation)
    if marker is None:
        raise TypeError(f"{annotation!r} has no Resolve")
    return marker


def _wants_outcome(annotation: Any) -> bool:
    """Whether the parameter takes the outcome (accepted, declined, cancelled) instead of the bare answer."""
    kind = get_args(annotation)[0]
    arms = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    return any((get_origin(arm) or arm) in (Accepted, Declined, Cancelled) for arm in arms)


def _translated(fn: Callable[..., Any], seen: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """``fn`` with the SDK's types on its outside: same name, so that its question keeps its key between rounds."""
    identity = (getattr(fn, "__func__", fn), id(getattr(fn, "__self__", None)))
    if identity in seen:
        return seen[identity]
    parameters = parameters_of(fn)
    runs_on_loop = is_async(fn)

    async def asked(**given: Any) -> Any:
        bound = {name: value.ours if name == parameters.context else _ours_of(value) for name, value in given.items()}
        if runs_on_loop:
            return _theirs_of(await fn(**bound))
        return _theirs_of(await anyio.to_thread.run_sync(lambda: fn(**bound), abandon_on_cancel=True))

    seen[identity] = asked
    annotations: dict[str, Any] = dict.fromkeys(parameters.plain, Any)
    if parameters.context:
        annotations[parameters.context] = SdkContext
    for name, annotation in parameters.resolved.items():
        kind: Any = sdk.ElicitationResult if _wants_outcome(annotation) else Any
        annotations[name] = Annotated[kind, sdk.Resolve(_translated(_marker(annotation).fn, seen))]
    asked.__annotations__ = annotations
    asked.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect.signature looks for
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in annotations]
    )
    asked.__module__ = getattr(fn, "__module__", None) or type(fn).__module__
    asked.__qualname__ = getattr(fn, "__qualname__", None) or type(fn).__qualname__
    return asked


def _theirs_of(value: Any) -> Any:
    match value:
        case Elicit(message, schema):
            return sdk.Elicit(message, schema)
        case Sample():
            return _sampling(value)
        case ListRoots():
            return sdk.ListRoots()
        case _:
            return value


def _sampling(question: Sample) -> sdk.Sample:
    return sdk.Sample(
        [_turn(message) for message in question.messages],
        max_tokens=question.max_tokens,
        system_prompt=question.system_prompt,
        temperature=question.temperature,
        tools=[
            wire.Tool(name=tool.name, description=tool.description, input_schema=dict(tool.input_schema))
            for tool in question.tools
        ]
        or None,
    )


def _turn(given: Message | Turn | str) -> wire.SamplingMessage:
    if isinstance(given, Turn):
        return wire.SamplingMessage(role=given.role, content=typing.cast("Any", _blocks(given)))
    message = given if isinstance(given, Message) else Message(given)
    content = Text(message.content) if isinstance(message.content, str) else message.content
    return wire.SamplingMessage(role=message.role, content=typing.cast("Any", block(content)))


def _blocks(turn: Turn) -> list[Any]:
    # The protocol wants answers to wishes to stand alone in their message.
    words = [wire.TextContent(text=turn.text)] if turn.text and not turn.answers else []
    wishes = [wire.ToolUseContent(id=wish.id, name=wish.name, input=dict(wish.arguments)) for wish in turn.wishes]
    answers = [
        wire.ToolResultContent(
            tool_use_id=answer.id, content=[wire.TextContent(text=answer.text)], is_error=answer.is_error
        )
        for answer in turn.answers
    ]
    return [*words, *wishes, *answers]


def _ours_of(value: Any) -> Any:
    match value:
        case AcceptedElicitation():
            return Accepted(_ours_of(value.data))
        case DeclinedElicitation():
            return Declined()
        case CancelledElicitation():
            return Cancelled()
        case wire.CreateMessageResult():
            return _sampled([value.content], value)
        case wire.CreateMessageResultWithTools():
            return _sampled(value.content if isinstance(value.content, list) else [value.content], value)
        case wire.ListRootsResult():
            return Roots(tuple(Root(str(root.uri), root.name) for root in value.roots))
        case _:
            return value


def _sampled(blocks: Sequence[Any], answer: wire.CreateMessageResult | wire.CreateMessageResultWithTools) -> Sampled:
    texts = [block.text for block in blocks if isinstance(block, wire.TextContent)]
    wishes = [ToolWish(one.id, one.name, one.input) for one in blocks if isinstance(one, wire.ToolUseContent)]
    if len(texts) + len(wishes) != len(blocks):
        raise UserError(
            "The client's model gave an answer that is neither text nor a call; ask it again.", code="NO_ANSWER"
        )
    return Sampled("\n".join(texts), answer.model, answer.stop_reason, tuple(wishes))
