"""Who sees what."""

import json
import logging
from datetime import date

import pytest
from tests.locator.factories import ADVOCATE, FAMILY, NOBODY, NOVEMBER, error_of, everything_in

from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader

pytestmark = pytest.mark.anyio

MARIA = {"first_name": "Maria", "last_name": "Gonzalez", "confidence_threshold": 0.1}


@pytest.mark.parametrize(
    ("who", "sees"), [(NOBODY, False), (FAMILY, False), (ADVOCATE, True)], ids=lambda one: str(one)[:30]
)
async def test_record_ids_are_for_advocates_alone(client, who, sees):
    async with client(who) as caller:
        named = await caller.call_tool("search_by_name", MARIA)
        numbered = await caller.call_tool("search_by_alien_number", {"alien_number": "A900100110"})

    for reply in (named, numbered):
        assert reply.structured_content["results"]
        assert all(("record_id" in one) == sees for one in reply.structured_content["results"])


@pytest.mark.parametrize("who", [NOBODY, ADVOCATE], ids=["anonymous", "advocate"])
async def test_an_a_number_is_masked_unless_the_caller_brought_it(client, who):
    async with client(who) as caller:
        named = await caller.call_tool("search_by_name", MARIA)
        numbered = await caller.call_tool("search_by_alien_number", {"alien_number": "A900100110"})

    assert "900100110" not in everything_in(named)
    assert {one["alien_number"] for one in named.structured_content["results"]} >= {"A******110", "A******103"}
    assert numbered.structured_content["results"][0]["alien_number"] == "A900100110"


async def test_no_year_of_birth_is_ever_told(client):
    async with client(ADVOCATE) as caller:
        replies = [
            await caller.call_tool("search_by_name", MARIA),
            await caller.call_tool("search_by_alien_number", {"alien_number": "A900100110"}),
            await caller.call_tool("search_by_facility", {"facility_name": "Krome North Service Processing Center"}),
            await caller.call_tool("print_search_record", {"first_name": "Maria", "last_name": "Gonzalez"}),
        ]

    assert not any("1993" in everything_in(reply) for reply in replies)


async def test_at_most_five_people_are_told_and_there_is_no_next_page(client, people_file, row, registry):
    path = people_file(*(row(record_id=f"P{number}", alien_number="") for number in range(40)))
    with registry.opened() as store:
        Loader(store, NOVEMBER()).people(TableFile(path, {}), "county", date(2026, 11, 1))
    async with client(ADVOCATE) as caller:
        reply = await caller.call_tool(
            "search_by_name", {"first_name": "Ana", "last_name": "Quispe Mamani", "confidence_threshold": 0}
        )
        tools = (await caller.list_tools()).tools

    results = reply.structured_content["results"]
    assert len(results) == 5
    assert {one["match_details"]["homonyms"] for one in results} == {40}
    assert reply.structured_content["ask_for"] == ["country_of_birth", "birth_year"]
    paging = {"page", "offset", "cursor", "limit", "skip"}
    assert not any(paging & set(tool.input_schema.get("properties", {})) for tool in tools)


@pytest.mark.parametrize("who", [NOBODY, FAMILY], ids=["anonymous", "family"])
async def test_who_is_at_a_facility_is_counted_and_not_listed_for_most(client, who):
    async with client(who) as caller:
        reply = await caller.call_tool("search_by_facility", {"facility_name": "krome"})

    answer = reply.structured_content
    assert answer["facilities"][0]["people"] == 3
    assert "results" not in answer
    assert "advocates" in answer["summary"]
    assert "GONZALEZ" not in everything_in(reply)


async def test_advocates_see_the_newest_at_a_facility_and_that_is_logged_without_names(client, caplog):
    with caplog.at_level(logging.INFO, logger="packhorse"):
        async with client(ADVOCATE) as caller:
            reply = await caller.call_tool("search_by_facility", {"facility_name": "krome"})

    days = [one["booking_date"] for one in reply.structured_content["results"]]
    assert days == sorted(days, reverse=True)
    (line,) = [record for record in caplog.records if "were listed" in record.getMessage()]
    (call,) = [record for record in caplog.records if record.name == "packhorse.calls"]
    assert (line.subject, line.request_id, line.people) == (call.subject, call.request_id, 3)
    assert "advocate-1" not in str(vars(line))
    assert "GONZALEZ" not in line.getMessage()


async def test_tools_for_advocates_are_hidden_from_others(client):
    async with client(NOBODY) as caller:
        shown = {tool.name for tool in (await caller.list_tools()).tools}
    async with client(ADVOCATE) as caller:
        more = {tool.name for tool in (await caller.list_tools()).tools}

    assert more - shown == {"watch_person", "review_watches", "stop_watching", "print_search_record"}


async def test_a_suppressed_person_cannot_be_told_from_one_who_is_not_there(client, tmp_path):
    listed = tmp_path / "hidden.txt"
    listed.write_text("A900100110\n")
    number = {"alien_number": "A900100110"}
    async with client(ADVOCATE, suppression_file=str(listed)) as caller:
        named = await caller.call_tool("search_by_name", MARIA)
        hidden = await caller.call_tool("search_by_alien_number", number)
        absent = await caller.call_tool("search_by_alien_number", {"alien_number": "A999000110"})
        place = await caller.call_tool("search_by_facility", {"facility_name": "krome"})
        watch = await caller.call_tool("watch_person", {"record_id": "S0011"})

    assert [one["country_of_birth"] for one in named.structured_content["results"]] == ["«Colombia»"]
    assert named.structured_content["results"][0]["match_details"]["homonyms"] == 1
    assert error_of(hidden)["message"] == error_of(absent)["message"]
    assert place.structured_content["facilities"][0]["people"] == 2
    assert error_of(watch)["code"] == "RECORD_NOT_FOUND"


async def test_nobody_in_a_juvenile_facility_is_shown_or_counted(client, host, registry, people_file, row, tmp_path):
    listed = tmp_path / "facilities.csv"
    listed.write_text("facility_id,name,city,state,facility_kind\nJUV,Sunny Juvenile Hall,Reno,NV,juvenile\n")
    path = people_file(row(facility_id="JUV"))
    with registry.opened() as store:
        loader = Loader(store, NOVEMBER())
        loader.facilities(TableFile(listed, {}), "list", date(2026, 11, 1))
        loader.people(TableFile(path, {}), "county", date(2026, 11, 1))
    async with client(ADVOCATE) as caller:
        named = await caller.call_tool("search_by_name", {"first_name": "Ana", "last_name": "Quispe Mamani"})
        numbered = await caller.call_tool("search_by_alien_number", {"alien_number": "A900200300"})
        place = await caller.call_tool("search_by_facility", {"facility_name": "Sunny Juvenile Hall"})

    assert named.structured_content["results"] == []
    assert error_of(numbered)["code"] == "ALIEN_NUMBER_NOT_FOUND"
    assert place.structured_content["results"] == []
    assert "people" not in place.structured_content["facilities"][0]


async def test_a_canary_never_reaches_logs_or_refusals(client, caplog):
    canary, number = "Xochicanary", "A987123654"
    with caplog.at_level(logging.DEBUG):
        async with client(NOBODY) as caller:
            replies = [
                await caller.call_tool("search_by_name", {"first_name": canary, "last_name": canary}),
                await caller.call_tool("search_by_name", {"first_name": f"{canary}*", "last_name": canary}),
                await caller.call_tool("search_by_alien_number", {"alien_number": number}),
                await caller.call_tool("parse_natural_query", {"query": f"{canary} %%"}),
                await caller.call_tool(
                    "bulk_search", {"searches": [{"type": "name", "first_name": canary, "last_name": f"{canary}%"}]}
                ),
            ]
            health = await caller.read_resource("locator://health")

    ours = "\n".join(
        json.dumps(record.__dict__, default=str) for record in caplog.records if record.name.startswith("packhorse")
    )
    assert canary not in ours
    assert number not in ours
    for reply in replies:
        assert canary not in everything_in(reply)
        assert number not in everything_in(reply)
    assert canary not in str(health)


async def test_while_the_list_cannot_be_read_every_tool_refuses_and_says_why(client, tmp_path):
    async with client(ADVOCATE, suppression_file=str(tmp_path / "gone.txt")) as caller:
        replies = [
            await caller.call_tool("search_by_name", MARIA),
            await caller.call_tool("search_by_alien_number", {"alien_number": "A900100110"}),
            await caller.call_tool("search_by_facility", {"facility_name": "krome"}),
            await caller.call_tool("review_watches", {}),
        ]

    assert [error_of(reply)["code"] for reply in replies] == ["REGISTRY_UNAVAILABLE"] * 4
    assert not any("gone.txt" in everything_in(reply) for reply in replies)
