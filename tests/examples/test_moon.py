"""The smallest third-party pack: installed from its own folder, found by its entry point, called over the wire."""

from pathlib import Path

import pytest

import packhorse_moon
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import PackTable, ServerSettings, Settings
from packhorse.testing import PROTOCOLS, client_for, connected

pytestmark = pytest.mark.anyio
FOLDER = Path(__file__).resolve().parents[2] / "examples" / "packhorse-moon"


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_age_of_the_moon_is_known(protocol):
    async with client_for(protocol=protocol, moon=packhorse_moon) as client:
        reply = await client.call_tool("age", {"day": "2000-01-21"})

    # The full moon of 21 January 2000 (a total eclipse, 04:40 UT) was 14.6 days old; noon is 7 hours later.
    assert reply.structured_content["result"] == pytest.approx(14.9, abs=0.7)


async def test_a_year_out_of_range_is_refused_with_the_range():
    async with client_for(moon=packhorse_moon) as client:
        reply = await client.call_tool("age", {"day": "1066-10-14"})

    assert reply.is_error
    assert "1900 to 2100" in reply.content[0].text


async def test_a_deployer_can_put_a_prefix_before_its_tool(tmp_path):
    settings = Settings(server=ServerSettings(data_dir=tmp_path), packs={"moon": PackTable(prefix="moon_")})
    deployment = compose(settings, packs.choose(packs.find(), ["moon"]))
    async with connected(deployment) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["moon_age"]


def test_it_is_at_most_forty_lines_with_its_manifest_and_needs_nothing_of_the_protocol():
    files = [FOLDER / "pyproject.toml", FOLDER / "packhorse_moon.py"]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 40
    assert "mcp" not in files[1].read_text("utf-8").replace("MCP client", "")
