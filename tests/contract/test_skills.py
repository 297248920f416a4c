"""The skills of our packs: each names only what its pack really offers, and shows only calls that fit."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from jsonschema import Draft202012Validator

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import ServerSettings, Settings
from packhorse.testing import connected

OURS = ("circadian", "discovery", "locator", "pai", "scheduling")
MOST_LINES = 160
"""Of a SKILL.md: all of it stays in the model's context while it works (Agent Skills advises below 500)."""

_FENCE = re.compile(r"^(?P<indent> *)```(?P<label>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_CODED = re.compile(r"\b(?:[A-Z][A-Z0-9_]{2,}|[a-z0-9]+(?:_[a-z0-9]+)+)\b")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+")
_RUN = {
    "circadian": None,
    "locator": None,
    "discovery": {"start_interview"},
    "pai": {"list_agents", "explain_access"},
    "scheduling": set(),
}
"""Of which packs the calls are made as they stand (None: all): the others' speak of what a person has told first."""


def served(pack, folder):
    settings = Settings(server=ServerSettings(data_dir=folder, strict=True))
    installed = packs.choose(packs.find(), [pack] if pack != "pai" else ["pai", "scheduling"])
    return compose(settings, installed)


@pytest.fixture
def deployment(request, tmp_path):
    return served(request.param, tmp_path)


def each_pack(test):
    return pytest.mark.parametrize("deployment", OURS, indirect=True)(test)


def own_skills(deployment):
    first = deployment.catalogue.packs[0].found.name
    return [skill for skill in deployment.catalogue.skills if skill.pack == first]


def pages(deployment) -> Iterator[tuple[str, str]]:
    for skill in own_skills(deployment):
        for file in skill.files:
            if file.mime_type == "text/markdown":
                yield file.uri, file.text


def calls(text) -> list[dict]:
    shown = [json.loads(block["body"]) for block in _FENCE.finditer(text) if block["label"] == "json"]
    return [call for call in shown if "tool" in call]


def coded(text: str) -> Iterator[str]:
    yield from _CODED.findall(text)
    yield from _SPAN.findall(text)


def words(value) -> Iterator[str]:
    """Every name and value in a schema, and what its descriptions write like code."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key == "description":
                yield from coded(str(item))
            else:
                yield from words(item)
    elif isinstance(value, list):
        for item in value:
            yield from words(item)
    elif isinstance(value, str):
        yield value


def vocabulary(deployment) -> set[str]:
    """What a skill of these packs may name."""
    known = set(deployment.catalogue.prompts)
    for name, entry in deployment.catalogue.tools.items():
        known |= {name, *words(entry.arguments.schema), *words(entry.answers.schema)}
        known |= {*coded(entry.description), *entry.offer.refusals.values()}
        known |= {example.refused for example in entry.offer.examples if example.refused}
    return known


@each_pack
def test_every_pack_brings_a_skill_with_words_for_when_to_use_it(deployment):
    skills = own_skills(deployment)
    assert skills
    for skill in skills:
        assert "Use it when" in skill.frontmatter["description"]
        assert len(skill.files[0].text.splitlines()) <= MOST_LINES


@each_pack
def test_a_skill_names_only_what_is_offered(deployment):
    known, resources = vocabulary(deployment), list(deployment.catalogue.resources)
    unknown = []
    for uri, text in pages(deployment):
        for span in _SPAN.findall(_FENCE.sub("", text)):
            if "://" in span:
                if not any(span.partition("{")[0] == one.partition("{")[0] for one in resources):
                    unknown.append((uri, span))
            elif not (span in known or span in available_timezones() or _ID.fullmatch(span)):
                unknown.append((uri, span))
    assert unknown == []


@each_pack
def test_a_skill_refers_to_files_that_it_has(deployment):
    for skill in own_skills(deployment):
        for file in skill.files:
            if file.mime_type == "text/markdown":
                folder = file.uri.rpartition("/")[0]
                for target in re.findall(r"\]\(([^)#]+)\)", file.text):
                    assert f"{folder}/{target}" in {one.uri for one in skill.files}, f"{file.uri}: {target}"


@each_pack
def test_every_call_that_a_skill_shows_fits_the_tool(deployment):
    shown = [(uri, call) for uri, text in pages(deployment) for call in calls(text)]
    assert shown
    for uri, call in shown:
        entry = deployment.catalogue.tools.get(call["tool"])
        assert entry is not None, f"{uri} calls {call['tool']}"
        faults = [
            fault.message for fault in Draft202012Validator(entry.arguments.schema).iter_errors(call["arguments"])
        ]
        assert faults == [], f"{uri}: {call}"
        entry.arguments.bind(call["arguments"])


@pytest.mark.anyio
@each_pack
async def test_calls_that_need_nothing_told_before_are_answered(deployment):
    allowed = _RUN[deployment.catalogue.packs[0].found.name]
    async with connected(deployment) as client:
        for uri, text in pages(deployment):
            for call in calls(text):
                if allowed is None or call["tool"] in allowed:
                    reply = await client.call_tool(call["tool"], call["arguments"])
                    assert not reply.is_error, f"{uri}: {reply.content[0].text}"


@each_pack
def test_the_tools_that_do_the_main_job_are_all_taught(deployment):
    """A tool that no skill mentions is one that an assistant has to find by itself."""
    text = "\n".join(text for _, text in pages(deployment))
    first = deployment.catalogue.packs[0].found.name
    own = [name for name, entry in deployment.catalogue.tools.items() if entry.pack == first]
    left_out = [name for name in own if f"`{name}`" not in text and f'"tool": "{name}"' not in text]
    assert len(left_out) <= len(own) // 3, left_out


def test_a_word_that_nothing_offers_is_found(tmp_path):
    known = vocabulary(served("circadian", tmp_path))
    assert {"get_adaptation_plan", "origin_timezone", "INVALID_TIMEZONE", "owl"} <= known
    assert "make_adaptation_plan" not in known


def test_skills_lie_in_the_packages_and_hold_no_code():
    root = Path(__file__).parents[2] / "plugins"
    for pack in OURS:
        folder = root / pack / "src" / f"packhorse_{pack}" / "skills"
        assert [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md"] == []
