"""Questions of a mounted server to whoever calls it.

A server of the revision from 2026 on answers with its questions, and nothing is held. An older one asks during the
call, and its question names no call: each of its calls has a connection to itself, and waits here between the rounds.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as wire

from packhorse.contract.context import Context
from packhorse.contract.questions import Accepted, Declined, Form, InputRequired, Outcome
from packhorse.errors import UserError
from packhorse.mounts.connection import Answer
from packhorse.mounts.listing import printable

MOST_WAITING = 8
"""Calls of one caller that may wait for an answer at a time."""

_KEY = "question"

Run = Callable[[Answer, Any], Awaitable[wire.CallToolResult]]
"""Makes a call, given who answers questions and who hears of progress."""


def asked_in(server: str, result: wire.InputRequiredResult) -> InputRequired:
    """The questions of a server's answer, as this host asks them.

    Raises:
        UserError: they are of a kind that is not passed on.
    """
    questions = {
        key: _question(server, request.params if isinstance(request, wire.ElicitRequest) else None)
        for key, request in (result.input_requests or {}).items()
    }
    return InputRequired(questions, result.request_state)


def answers_to(answers: Mapping[str, Outcome]) -> wire.InputResponses | None:
    """A caller's answers, as the server takes them."""
    return {key: _result(outcome) for key, outcome in answers.items()} or None


def _question(server: str, asked: wire.ElicitRequestParams | None) -> Form:
    if not isinstance(asked, wire.ElicitRequestFormParams):
        raise UserError(
            f"The server {server} asked a question without a form. Only forms are passed on.", code="UPSTREAM_QUESTION"
        )
    return Form(f"The server {server} asks: {printable(asked.message)}", dict(asked.requested_schema))


def _result(outcome: Outcome | None) -> wire.ElicitResult:
    match outcome:
        case Accepted(data):
            return wire.ElicitResult(action="accept", content=data)
        case Declined():
            return wire.ElicitResult(action="decline")
        case _:
            return wire.ElicitResult(action="cancel")


class _Call:
    """A call under way at a server that may ask."""

    def __init__(self, owner: str, run: Run) -> None:
        self.owner = owner
        self.context: Context | None = None
        self.asked: asyncio.Queue[tuple[wire.ElicitRequestParams, asyncio.Future[wire.ElicitResult]]] = asyncio.Queue()
        self.waits: asyncio.Future[wire.ElicitResult] | None = None
        self.task = asyncio.ensure_future(run(self._answer, self._progress))

    async def _answer(self, question: wire.ElicitRequestParams) -> wire.ElicitResult:
        answer: asyncio.Future[wire.ElicitResult] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((question, answer))
        return await answer

    async def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        if self.context is not None:
            await self.context.report_progress(progress, total, message)

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


class AskingCalls:
    """The calls of an older server, some of which wait for their caller's answer, at most ``seconds`` each."""

    def __init__(self, server: str, seconds: float) -> None:
        self._server, self._seconds = server, seconds
        self._waiting: dict[str, _Call] = {}

    async def call(self, run: Run, owner: str, ctx: Context) -> wire.CallToolResult | InputRequired:
        """Begin a call, or go on with the one that asked before.

        Raises:
            UserError: as ``run`` raises it; or the call does not wait any more.
        """
        if ctx.state is None:
            return await self._until(_Call(owner, run), ctx)
        call = self._waiting.get(ctx.state)
        if call is None or call.owner != owner or call.waits is None:
            raise UserError(
                f"The server {self._server} no longer waits for this answer, so the call was stopped. Call again.",
                code="QUESTION_OVER",
            )
        del self._waiting[ctx.state]
        call.waits.set_result(_result(ctx.answers.get(_KEY)))
        return await self._until(call, ctx)

    async def close(self) -> None:
        waiting = list(self._waiting.values())
        self._waiting.clear()
        await asyncio.gather(*(call.end() for call in waiting))

    async def _until(self, call: _Call, ctx: Context) -> wire.CallToolResult | InputRequired:
        """The answer of a call, or its next question."""
        call.context = ctx
        asked = asyncio.ensure_future(call.asked.get())
        kept = False
        try:
            await asyncio.wait([call.task, asked], return_when=asyncio.FIRST_COMPLETED)
            if call.task.done():
                return call.task.result()
            question, answer = asked.result()
            required = InputRequired({_KEY: _question(self._server, question)})
            if not ctx.can_ask(Form):
                return required  # the host says which capability the client lacks
            if sum(other.owner == call.owner for other in self._waiting.values()) >= MOST_WAITING:
                raise UserError(
                    f"{MOST_WAITING} of your calls already wait for your answer. First answer one of them.", code="BUSY"
                )
            kept, token, call.waits = True, secrets.token_urlsafe(), answer
            self._waiting[token] = call
            asyncio.get_running_loop().call_later(self._seconds, self._over, token)
            return InputRequired(required.questions, token)
        finally:
            call.context = None
            asked.cancel()
            if not kept and not call.task.done():
                await call.end()

    def _over(self, token: str) -> None:
        if (call := self._waiting.pop(token, None)) is not None:
            call.task.cancel()
