"""What answers weigh, every copy counted: text and structured data together, four characters to a token."""

import json
from datetime import date

import pytest
from tests.locator.factories import FAMILY, NOBODY, NOVEMBER
from tests.locator.trial import tokens

from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader

pytestmark = pytest.mark.anyio

ONE = {"first_name": "Ana", "last_name": "Quispe Mamani", "confidence_threshold": 0.05}
NONE = {"first_name": "Zebulon", "last_name": "Quackenbush"}


@pytest.fixture
def county(registry, people_file, row):
    """A registry of a county, so that nothing is said of a sample."""
    with registry.opened() as store:
        Loader(store, NOVEMBER()).people(TableFile(people_file(row()), {}), "county", date(2026, 11, 1))


@pytest.mark.parametrize("who", [NOBODY, FAMILY], ids=["anonymous", "signed in"])
async def test_one_hit_no_hit_and_ten_in_bulk_stay_small(client, county, who):
    searches = [{"type": "name", **(ONE if number % 2 else NONE)} for number in range(10)]
    async with client(who) as caller:
        hit = await caller.call_tool("search_by_name", ONE)
        nobody = await caller.call_tool("search_by_name", NONE)
        bulk = await caller.call_tool("bulk_search", {"searches": searches})

    assert len(hit.structured_content["results"]) == 1
    assert nobody.structured_content["results"] == []
    assert tokens(hit) <= 250
    assert tokens(nobody) <= 150
    assert tokens(bulk) <= 1500


async def test_both_copies_of_an_answer_have_what_a_reader_needs(client, county):
    async with client(NOBODY) as caller:
        reply = await caller.call_tool("search_by_name", ONE)

    (text,) = [piece.text for piece in reply.content]
    structured = json.dumps(reply.structured_content, ensure_ascii=False)
    assert next(iter(reply.structured_content)) == "summary"
    for needed in ("«Ana Quispe Mamani»", "IN_CUSTODY", "(305)", "2026-10-10", "guidance://en/found", "2026-11-01"):
        assert needed in text
        assert needed in structured
