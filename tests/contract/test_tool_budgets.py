"""What tools may cost a model, and which of them are for experts.

Without a tokenizer, characters stand for tokens: slim tools have 4.3 of them a token in the o200k vocabulary (measured
over the five packs by ``python benchmarks/tools.py tokens``, which counts exactly).
"""

import json
import re
import statistics
from functools import cache
from pathlib import Path

import anyio
import pytest
from tests.contract.sample_answers import answers

from packhorse import Principal
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import ServerSettings, Settings
from packhorse.testing import connected

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ("circadian", "discovery", "locator", "pai", "scheduling")
CHARACTERS_A_TOKEN = 4.3
PACK, SCHEDULING, TOOL, ANSWER = 3_000, 3_800, 500, 1_700
MOST_EXPERTS = 16
MOST_WORDS = 60

MEDIAN_ANSWER = 500
# 3.3 characters a token overstate: list_agents has 672 by o200k, of 800.
SMALLER_ANSWERS = {"bulk_search": 1_500, "list_agents": 850}


@cache
def served(pack: str):
    settings = Settings(server=ServerSettings(strict=True))
    return compose(settings, packs.choose(packs.find(), [pack]))


async def listed(pack: str, principal: Principal | None = None) -> dict[str, float]:
    given = {} if principal is None else {"principal": principal}
    async with connected(served(pack), **given) as client:
        tools = (await client.list_tools()).tools
    return {
        tool.name: len(
            json.dumps([tool.name, tool.description, tool.input_schema], ensure_ascii=False, separators=(",", ":"))
        )
        / CHARACTERS_A_TOKEN
        for tool in tools
        if served(pack).catalogue.tools[tool.name].pack == pack
    }


@pytest.mark.parametrize("pack", HOUSE)
def test_a_pack_and_each_of_its_tools_stay_within_their_tokens(pack):
    tokens = anyio.run(listed, pack)
    assert {name for name, count in tokens.items() if count > TOOL} == set()
    assert sum(tokens.values()) <= (SCHEDULING * 1.05 if pack == "scheduling" else PACK), tokens


def test_a_resident_sees_at_most_twelve_tools_of_scheduling():
    tokens = anyio.run(listed, "scheduling", Principal("human", "r", frozenset({"RESIDENT"})))
    assert 5 <= len(tokens) <= 12


def experts() -> list[str]:
    entries = [entry for pack in HOUSE for entry in served(pack).catalogue.tools.values()]
    return list(dict.fromkeys(entry.name for entry in entries if entry.offer.level == "expert"))


def test_each_tool_for_experts_says_in_the_documentation_who_asks_for_it():
    page = (ROOT / "docs" / "many-tools.md").read_text("utf-8")
    documented = re.findall(r"^\| `(\w+)` \| an? ", page, re.MULTILINE)
    assert sorted(documented) == sorted(experts())
    assert len(documented) <= MOST_EXPERTS


def test_no_tool_for_experts_stands_in_a_skill_or_a_prompt():
    texts = [*ROOT.glob("plugins/*/src/*/skills/**/*.md"), *ROOT.glob("plugins/*/src/*/prompts.py")]
    found = [(path.name, name) for path in texts for name in experts() if re.search(rf"\b{name}\b", path.read_text())]
    assert found == []


@pytest.mark.parametrize("pack", HOUSE)
def test_every_tool_has_search_words_and_every_pack_instructions(pack):
    catalogue = served(pack).catalogue
    assert [name for name, entry in catalogue.tools.items() if not entry.offer.words] == []
    assert all(one.pack.instructions for one in catalogue.packs)


@cache
def sample_sizes(pack: str) -> dict[str, float]:
    """Tokens of each tool's last sample answer, about: the demonstration may ask in full."""
    sizes = {}
    for tool, text, structured in anyio.run(answers, pack):
        assert structured is not None, f"{tool} refused: {text}"
        data = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        sizes[tool] = max(len(text), len(data)) / 3.3
    return sizes


@pytest.mark.parametrize("pack", HOUSE)
def test_a_sample_answer_stays_within_its_tokens_in_either_channel(pack):
    sizes = sample_sizes(pack)
    assert {tool: size for tool, size in sizes.items() if size > SMALLER_ANSWERS.get(tool, ANSWER)} == {}
    if pack != "scheduling":  # the others of its tools answer in tests/scheduling/test_sizes.py
        own = {name for name, entry in served(pack).catalogue.tools.items() if entry.pack == pack}
        assert own - sizes.keys() == set()


def test_half_of_the_sample_answers_are_short():
    assert statistics.median(size for pack in HOUSE for size in sample_sizes(pack).values()) <= MEDIAN_ANSWER
