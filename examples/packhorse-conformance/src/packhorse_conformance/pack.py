"""The table of contents of the pack."""

from collections.abc import Callable, Iterable
from typing import Any

from packhorse import Pack, Prompt, Resource, Tool, hookimpl
from packhorse_conformance import answers, notices, prompts, questions, resources, rounds, work

pack = Pack(title="MCP conformance fixtures")


@hookimpl
def register_tools() -> Iterable[Tool | Callable[..., Any]]:
    return [*answers.TOOLS, *notices.TOOLS, *questions.TOOLS, *rounds.TOOLS, *work.TOOLS]


@hookimpl
def register_resources() -> Iterable[Resource]:
    return resources.RESOURCES


@hookimpl
def register_prompts() -> Iterable[Prompt | Callable[..., Any]]:
    return prompts.PROMPTS
