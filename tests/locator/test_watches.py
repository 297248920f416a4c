"""What advocates have beside a search."""

from datetime import date

import pytest
from tests.locator.factories import ADVOCATE, COLLEAGUE, NOVEMBER

from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader

pytestmark = pytest.mark.anyio


@pytest.fixture
def load(empty, people_file):
    def run(*rows, day=1, **options):
        with empty.opened() as store:
            file = TableFile(people_file(*rows), {})
            Loader(store, NOVEMBER()).people(file, "county", date(2026, 11, day), **options)

    return run


async def review(caller):
    return (await caller.call_tool("review_watches", {})).structured_content


async def test_a_watch_tells_of_a_transfer_once(client, load, row):
    load(row())
    async with client(ADVOCATE, sample=False) as caller:
        watch = (await caller.call_tool("watch_person", {"record_id": "P1"})).structured_content
        before = await review(caller)
        load(row(facility_id="STWRTGA"), day=2)
        moved = await review(caller)
        after = await review(caller)

    assert before["changed"] == 0
    (report,) = moved["watches"]
    assert (report["watch_id"], report["change"]) == (watch["watch_id"], "moved")
    assert report["history"][-1]["transfer_date"] == "2026-11-02"
    assert after["changed"] == 0


async def test_a_watch_tells_of_a_release_and_of_who_is_gone(client, load, row):
    load(row(), row(record_id="P2"))
    async with client(ADVOCATE, sample=False) as caller:
        for record in ("P1", "P2"):
            await caller.call_tool("watch_person", {"record_id": record})
        load(row(status="RELEASED"), day=2, replace=True)
        reports = (await review(caller))["watches"]

    assert sorted((one["change"], one.get("status")) for one in reports) == [("gone", None), ("status", "RELEASED")]


async def test_watches_are_their_owner_s_alone(client, load, row):
    load(row())
    async with client(ADVOCATE, sample=False) as caller:
        mine = (await caller.call_tool("watch_person", {"record_id": "P1"})).structured_content
        again = (await caller.call_tool("watch_person", {"record_id": "county/P1"})).structured_content
    async with client(COLLEAGUE, sample=False) as caller:
        theirs = await review(caller)
        taken = (await caller.call_tool("stop_watching", {"watch_id": mine["watch_id"]})).structured_content
    async with client(ADVOCATE, sample=False) as caller:
        ended = (await caller.call_tool("stop_watching", {"watch_id": mine["watch_id"]})).structured_content
        left = await review(caller)

    assert again["watch_id"] == mine["watch_id"]
    assert theirs["watches"] == []
    assert not taken["ended"]
    assert ended["ended"]
    assert left["watches"] == []


@pytest.mark.parametrize(
    ("language", "title", "warning"),
    [
        ("en", "# Record of a search", "an invented sample"),
        ("es", "# Constancia de una b\u00fasqueda", "una muestra inventada"),
    ],
)
async def test_a_search_is_put_on_a_dated_page(client, language, title, warning):
    async with client(ADVOCATE) as caller:
        reply = await caller.call_tool(
            "print_search_record", {"first_name": "Olena", "last_name": "Kovalenko", "language": language}
        )

    page = reply.structured_content["page"]
    assert page.startswith(title)
    assert warning in page
    assert "2026-11-01T12:00:00Z" in page
    assert "sample 2026-10-31" in page
    assert "| «OLENA KOVALENKO» |" in page
    assert "A900100059" not in page
    assert reply.content[1].resource.mime_type == "text/markdown"


async def test_a_page_says_so_when_nobody_was_found_and_marks_do_nothing(client):
    async with client(ADVOCATE) as caller:
        reply = await caller.call_tool(
            "print_search_record", {"first_name": "Zebulon", "last_name": "Quackenbush", "country_of_birth": "Haiti"}
        )

    assert "Nobody was found." in reply.structured_content["page"]
    assert "1-888-351-4024" in reply.structured_content["page"]
