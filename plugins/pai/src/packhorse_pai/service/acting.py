"""What this pack asks the host for, in its own terms: tools, who calls, and the client's model."""

import json
from collections.abc import Sequence

from packhorse import (
    Context,
    Offered,
    Principal,
    RequestError,
    Sample,
    Sampled,
    SampleTool,
    ToolAnswer,
    ToolWish,
    UserError,
)
from packhorse import Turn as Spoken
from packhorse.contract.content import Message
from packhorse.errors import AUTHORIZATION
from packhorse_pai.domain.conversation import in_words, paired
from packhorse_pai.domain.moves import AskModel, Said, Turn, Wish
from packhorse_pai.domain.people import HUMAN, Person
from packhorse_pai.domain.policy import HostTool


def host_tools(tools: Sequence[Offered]) -> dict[str, HostTool]:
    """The same as the policy knows them."""
    return {
        tool.name: HostTool(
            tool.name,
            tool.read_only,
            tool.destructive,
            tool.digest,
            tool.description,
            tool.input_schema,
            tool.output_schema,
            tool.own_name,
            tool.codes,
        )
        for tool in tools
    }


async def is_withheld(ctx: Context, tool: str) -> bool:
    """Whether this host serves a tool that the caller of ``ctx`` may not use."""
    try:
        await ctx.foresee(tool, {})
    except RequestError as exc:
        return exc.code == AUTHORIZATION
    except UserError:
        return False
    return False


def person_of(principal: Principal) -> Principal:
    """The caller that an agent works for; the caller itself where it is none."""
    return principal.acts_for or principal


def owner_of(principal: Principal) -> str:
    """Who that is, as one text: kind, issuer and subject."""
    person = person_of(principal)
    return str(Person(person.kind, str(person.claims.get("iss", "")), person.subject or ""))


def principal_of(person: Person) -> Principal:
    """Who decided, as the host's record names callers: without any right."""
    claims = {"iss": person.issuer} if person.issuer else {}
    return Principal("human" if person.kind == HUMAN else "local", person.subject or None, claims=claims)


def sample_of(ctx: Context, ask: AskModel) -> Sample | None:
    """The question to the client's model: with tools where it takes them, else in words; None where it has no model.

    Only what is asked now crosses the wire; the transcript is kept here.
    """
    if not ctx.can_ask(Sample):
        return None
    native = _native(ask)
    if ctx.can_ask(native):
        return native
    system, turns = in_words(ask)
    messages = [Message(text, "assistant" if role == "assistant" else "user") for role, text in turns]
    return Sample(messages, max_tokens=ask.most_tokens, system_prompt=system)


def said_of(answer: Sampled, *, native: bool) -> Said:
    """The client's model's turn. Wishes come only from one that was given tools."""
    return Said(answer.text, tuple(Wish(one.id, one.name, one.arguments) for one in answer.wishes), native)


def _native(ask: AskModel) -> Sample:
    return Sample(
        [_spoken(turn) for turn in paired(ask.turns)],
        max_tokens=ask.most_tokens,
        system_prompt=ask.system,
        tools=[SampleTool(one.name, one.description, one.input_schema) for one in ask.offers],
    )


def _spoken(turn: Turn) -> Spoken:
    wishes = [ToolWish(wish.id, wish.tool, wish.arguments) for wish in turn.wishes]
    answers = [ToolAnswer(one.id, json.dumps(one.body, default=str), one.failed) for one in turn.answers]
    return Spoken(turn.role, turn.text, wishes, answers)
