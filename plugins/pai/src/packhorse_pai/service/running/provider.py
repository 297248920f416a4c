"""A provider's model, through pydantic-ai: installed with packhorse-pai[models], imported at the first question."""

import importlib
import json
from collections.abc import Mapping
from typing import Any

from packhorse import UserError
from packhorse_pai.domain.conversation import paired
from packhorse_pai.domain.moves import AskModel, Said, Turn, Wish

DEFAULT = "default"
"""The key of the model for cards whose own word for one is not in the table."""


class Provider:
    """Asks the model that a deployer chose for the word on an agent's card, such as ``sonnet``.

    It is given tools to wish for; it calls none. Keys are the library's own
    affair: they stay in the environment, and no prompt holds them.
    """

    def __init__(self, models: Mapping[str, str]) -> None:
        self._models = models

    async def reply(self, word: str, ask: AskModel) -> Said:
        """The model's turn.

        Raises:
            UserError: no model is configured or installed, or it could not be reached.
        """
        name = self._models.get(
            word.split(maxsplit=1)[0].lower() if word.split() else DEFAULT, self._models.get(DEFAULT)
        )
        if name is None:
            raise UserError(
                'No model is set for this agent. Set one: default = "provider:model" under [packs.pai.models].',
                code="NEEDS_MODEL",
            )
        try:
            library = {part: importlib.import_module(f"pydantic_ai.{part}") for part in _PARTS}
        except ImportError as exc:
            raise UserError(
                'runtime = "model" needs pydantic-ai. Install packhorse-pai[models] and the package of the provider.',
                code="NEEDS_MODEL",
            ) from exc
        messages = [message for turn in paired(ask.turns) for message in _messages(library["messages"], turn)]
        messages[0].parts.insert(0, library["messages"].SystemPromptPart(content=ask.system))
        offers = [
            library["tools"].ToolDefinition(
                name=one.name, description=one.description, parameters_json_schema=dict(one.input_schema)
            )
            for one in ask.offers
        ]
        try:
            answer = await library["direct"].model_request(
                name,
                messages,
                model_settings={"max_tokens": ask.most_tokens},
                model_request_parameters=library["models"].ModelRequestParameters(function_tools=offers),
            )
        except Exception as exc:
            # Whatever the library and its transport raise may repeat the prompt: only its kind is passed on.
            raise UserError(
                f"The model {name} gave no answer ({type(exc).__name__}). Check its key and address, then try again.",
                code="MODEL_UNAVAILABLE",
            ) from None
        return _said(library["messages"], answer)


_PARTS = ("direct", "messages", "models", "tools")


def _messages(kinds: Any, turn: Turn) -> list[Any]:
    if turn.role == "assistant":
        parts = [kinds.TextPart(content=turn.text)] if turn.text else []
        parts += [
            kinds.ToolCallPart(tool_name=one.tool, args=dict(one.arguments), tool_call_id=one.id) for one in turn.wishes
        ]
        return [kinds.ModelResponse(parts=parts)]
    if turn.answers:
        returns = [
            kinds.ToolReturnPart(tool_name=one.of, content=dict(one.body), tool_call_id=one.id) for one in turn.answers
        ]
        return [kinds.ModelRequest(parts=returns)]
    return [kinds.ModelRequest(parts=[kinds.UserPromptPart(content=turn.text)])]


def _said(kinds: Any, answer: Any) -> Said:
    texts = [part.content for part in answer.parts if isinstance(part, kinds.TextPart)]
    wishes = [
        Wish(part.tool_call_id, part.tool_name, _arguments(part))
        for part in answer.parts
        if isinstance(part, kinds.ToolCallPart)
    ]
    return Said("\n".join(texts), tuple(wishes), native=True)


def _arguments(part: Any) -> dict[str, Any]:
    """A wish's arguments; what is no JSON object becomes one that no tool takes."""
    try:
        found = json.loads(part.args) if isinstance(part.args, str) else part.args
    except (ValueError, RecursionError):
        found = None
    return dict(found) if isinstance(found, Mapping) else {"unreadable": str(part.args)[:200]}
