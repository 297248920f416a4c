"""The six tools as a client meets them."""

import re
from contextlib import ExitStack
from datetime import date

import pytest
from jsonschema import Draft202012Validator
from tests.locator.factories import ADVOCATE, FAMILY, NOVEMBER, SHARED, error_of

from packhorse import UserError
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack
from packhorse_locator.models import published
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader
from packhorse_locator.service.seats import Seats

SPECIFICATION = SHARED.parent / "spec" / "locator.md"
NAME = {"first_name": "Juan", "last_name": "Perez"}
REFUSALS = [
    ("search_by_name", {**NAME, "first_name": "Ju*"}, "INVALID_NAME_FORMAT"),
    ("search_by_name", {**NAME, "first_name": 7}, "INVALID_NAME_FORMAT"),
    ("search_by_name", {**NAME, "middle_name": "x=1"}, "INVALID_NAME_FORMAT"),
    ("search_by_name", {**NAME, "last_name": ""}, "NAME_TOO_SHORT"),
    ("search_by_name", {**NAME, "last_name": "P"}, "NAME_TOO_SHORT"),
    ("search_by_name", {"first_name": "FNU", "last_name": "LNU"}, "NAME_TOO_SHORT"),
    ("search_by_name", {**NAME, "last_name": "P" * 51}, "NAME_TOO_LONG"),
    ("search_by_name", {**NAME, "confidence_threshold": 1.01}, "CONFIDENCE_OUT_OF_RANGE"),
    ("search_by_name", {**NAME, "confidence_threshold": -0.1}, "CONFIDENCE_OUT_OF_RANGE"),
    ("search_by_alien_number", {"alien_number": "A1234567"}, "INVALID_ALIEN_NUMBER"),
    ("search_by_alien_number", {"alien_number": "A1234567890"}, "INVALID_ALIEN_NUMBER"),
    ("search_by_alien_number", {"alien_number": "A000000001"}, "VALIDATION_FAILED"),
    (
        "search_by_alien_number",
        {"alien_number": "A000000001", "validate_format": False},
        "ALIEN_NUMBER_NOT_FOUND",
    ),
    ("search_by_alien_number", {"alien_number": "A999000999"}, "ALIEN_NUMBER_NOT_FOUND"),
    ("search_by_facility", {"facility_name": "Chateau d'If"}, "FACILITY_NOT_FOUND"),
    ("search_by_facility", {"city": "Nowhere", "state": "TX"}, "FACILITY_NOT_FOUND"),
    ("search_by_facility", {"city": "Miami", "state": "fl"}, "INVALID_STATE_CODE"),
    ("search_by_facility", {"city": "Miami", "state": "QQ"}, "INVALID_STATE_CODE"),
    ("search_by_facility", {"zip_code": "3319"}, "INVALID_ZIP_CODE"),
    ("search_by_facility", {"facility_name": "Florence"}, "LOCATION_AMBIGUOUS"),
    ("bulk_search", {"searches": [{"type": "name", **NAME}] * 11}, "TOO_MANY_SEARCHES"),
    ("bulk_search", {"searches": [{"type": "photo"}]}, "INVALID_SEARCH_TYPE"),
    ("bulk_search", {"searches": [{"type": "name", **NAME}], "max_concurrent": 6}, "CONCURRENT_LIMIT_EXCEEDED"),
    ("get_facility_info", {"facility_id": "QQQ"}, "FACILITY_NOT_FOUND"),
    ("get_facility_info", {"facility_name": "Florence"}, "LOCATION_AMBIGUOUS"),
    ("parse_natural_query", {"query": "good morning"}, "PARSE_FAILED"),
    ("parse_natural_query", {"query": "Show me detainees in Texas"}, "AMBIGUOUS_QUERY"),
    ("parse_natural_query", {"query": "find Juan Perez", "confidence_threshold": 1}, "CONFIDENCE_TOO_LOW"),
    ("parse_natural_query", {"query": "finde Juan Perez", "language": "de"}, "UNSUPPORTED_LANGUAGE"),
    ("parse_natural_query", {"query": "finde Juan Perez", "language": "deutsch"}, "UNSUPPORTED_LANGUAGE"),
]

pytestmark = pytest.mark.anyio

SIX = {
    "search_by_name": published.SCHEMAS["search_by_name"],
    "search_by_alien_number": published.SCHEMAS["search_by_alien_number"],
    "search_by_facility": published.SCHEMAS["search_by_facility"],
    "bulk_search": published.SCHEMAS["bulk_search"],
    "get_facility_info": published.SCHEMAS["get_facility_info"],
    "parse_natural_query": published.SCHEMAS["parse_natural_query"],
}


async def test_the_six_tools_are_offered_with_the_published_schemas(client):
    async with client() as caller:
        tools = {tool.name: tool for tool in (await caller.list_tools()).tools}

    for name, schema in SIX.items():
        assert tools[name].input_schema == schema
        assert tools[name].annotations.read_only_hint


@pytest.mark.parametrize("name", SIX)
async def test_every_example_and_default_of_a_schema_is_accepted_by_it(name):
    for argument, declared in SIX[name]["properties"].items():
        for value in [*declared.get("examples", ()), *([declared["default"]] if "default" in declared else ())]:
            assert Draft202012Validator(declared).is_valid(value), f"{argument}: {value}"


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSALS)
async def test_every_refusal_has_the_specified_code_and_says_how_to_go_on(client, tool, arguments, code):
    async with client() as caller:
        reply = await caller.call_tool(tool, arguments)

    error = error_of(reply)
    assert error["code"] == code
    assert reply.content[0].text.startswith("Error: ")
    assert len(error["message"]) > 30


@pytest.mark.skipif(not SPECIFICATION.exists(), reason=f"no specification at {SPECIFICATION}")
def test_every_code_of_the_specification_is_reached_here():
    specified = set(re.findall(r"^- `([A-Z_]+)`:", SPECIFICATION.read_text(encoding="utf-8"), re.MULTILINE))
    # The next test reaches the one that needs a deployment of its own.
    assert specified == {code for _, _, code in REFUSALS} | {"BATCH_TIMEOUT"}


async def test_a_batch_that_is_not_done_in_time_is_refused(client):
    async with client(batch_timeout_seconds=0.0001) as caller:
        reply = await caller.call_tool("bulk_search", {"searches": [{"type": "name", **NAME}]})

    assert error_of(reply)["code"] == "BATCH_TIMEOUT"


async def test_a_town_without_its_state_is_told_what_lacks(client):
    async with client() as caller:
        alone = await caller.call_tool("search_by_facility", {"city": "Lumpkin"})
        untyped = await caller.call_tool("bulk_search", {"searches": [NAME]})

    assert "state" in error_of(alone)["message"]
    assert "city, state" not in error_of(alone)["message"]
    assert "type" in error_of(untyped)["message"]
    assert not any(name in error_of(untyped)["message"] for name in ("alien_number", "facility_name"))


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        pytest.param("Olena", "Kovalenko", "OLENA KOVALENKO", id="as written"),
        pytest.param(
            "\u041e\u043b\u0435\u043d\u0430",
            "\u041a\u043e\u0432\u0430\u043b\u0435\u043d\u043a\u043e",
            "OLENA KOVALENKO",
            id="Cyrillic",
        ),
        pytest.param("Jose Guadalupe", "Hernandes Marques", "JOSE GUADALUPE HERNANDEZ MARQUEZ", id="misspelt"),
        pytest.param("Sean", "OConnor", "SEAN O'CONNOR", id="no apostrophe"),
        pytest.param("FNU", "Noorullah", "NOORULLAH", id="one name only"),
        pytest.param("Mohamed", "al Rashid", "Mohammed AL-RASHID", id="particle apart"),
        pytest.param("Yokasta", "Bautista-Paulino", "YOKASTA BAUTISTA PAULINO", id="hyphen"),
    ],
)
async def test_a_person_is_found_however_the_name_was_written(client, first, last, found):
    async with client() as caller:
        reply = await caller.call_tool(
            "search_by_name", {"first_name": first, "last_name": last, "confidence_threshold": 0.2}
        )

    best = reply.structured_content["results"][0]
    assert best["name"] == f"«{found}»"
    assert 0.2 <= best["confidence_score"] <= 1
    assert best["match_details"]["homonyms"] == 1
    assert 0 < best["match_details"]["name_similarity"] <= 1


async def test_people_of_one_name_are_told_apart_by_country_and_year(client):
    asked = {"first_name": "Maria", "last_name": "Gonzalez", "confidence_threshold": 0.3}
    async with client() as caller:
        several = (await caller.call_tool("search_by_name", asked)).structured_content
        told = (
            await caller.call_tool("search_by_name", {**asked, "country_of_birth": "Venezuela", "birth_year": 1993})
        ).structured_content

    assert several["ask_for"] == ["country_of_birth", "birth_year"]
    assert [one["match_details"]["homonyms"] for one in several["results"][:2]] == [2, 2]
    assert told["results"][0]["country_of_birth"] == "«Venezuela»"
    assert "ask_for" not in told


@pytest.mark.parametrize(
    ("switch", "typed"),
    [
        ("phonetic_matching", ("Jose Guadalupe", "Ernandes Markes")),
        ("fuzzy_match", ("Jose Guadalxpe", "Hernandxz Marquxz")),
        ("cultural_variants", ("Pepe Lupe", "Hernandez Marquez")),
    ],
)
async def test_each_switch_turns_its_channel_off(client, switch, typed):
    asked = {"first_name": typed[0], "last_name": typed[1], "confidence_threshold": 0}
    async with client() as caller:
        on = (await caller.call_tool("search_by_name", asked)).structured_content
        off = (await caller.call_tool("search_by_name", {**asked, switch: False})).structured_content

    def score(answer):
        sought = [one["confidence_score"] for one in answer["results"] if one["name"].startswith("«JOSE GUADALUPE")]
        return sought[0] if sought else 0

    assert score(off) < score(on)


async def test_an_empty_answer_says_once_what_that_means_and_where_more_stands_in_four_languages(client):
    async with client() as caller:
        reply = await caller.call_tool("search_by_name", {"first_name": "Zebulon", "last_name": "Quackenbush"})
        by_number = await caller.call_tool("search_by_alien_number", {"alien_number": "A999000999"})
        pages = [
            (await caller.read_resource(f"guidance://{language}/{topic}")).contents[0].text
            for language in ("en", "es", "pt", "ht")
            for topic in ("found", "not-found")
        ]

    for said in (reply.structured_content["summary"], reply.content[0].text, by_number.content[0].text):
        assert said.count("The person may still be detained.") == 1
        assert "guidance://en/not-found" in said
    assert len(set(pages)) == 8
    assert all(page.count("\n") >= 3 for page in pages)


async def test_history_names_the_facilities_and_dates(client):
    async with client() as caller:
        reply = await caller.call_tool("search_by_alien_number", {"alien_number": "900100158", "include_history": True})

    (one,) = reply.structured_content["results"]
    assert one["transfer_history"] == [{"facility_name": "«Winn Correctional Center»", "transfer_date": "2026-09-27"}]
    assert one["alien_number"] == "A900100158"


async def test_every_figure_of_a_facility_has_its_date_and_nothing_is_guessed(client):
    async with client() as caller:
        reply = await caller.call_tool(
            "get_facility_info", {"facility_id": "STWRTGA", "include_services": True, "include_visitation": True}
        )

    answer = reply.structured_content
    assert answer["facility"]["capacity"] == {
        "total_capacity": 1966,
        "total_capacity_as_of": "2017",
        "total_capacity_is": "beds or contract capacity, FOIA-derived list of November 2017",
        "current_population": 2010,
        "average_daily_population": 2009.6,
        "current_population_as_of": "2026-07-20",
        "current_population_is": "average daily population of the fiscal year so far",
        "last_updated": "2026-07-20T00:00:00Z",
    }
    assert answer["not_known"] == ["occupancy_rate", "services", "visitation"]
    assert answer["facility"]["type"] == "contract_facility"
    assert "as of 2017" in reply.content[0].text
    assert "as of 2026-07-20" in reply.content[0].text


async def test_a_place_is_narrowed_by_type_and_by_name_and_town(client):
    async with client() as caller:
        of_type = await caller.call_tool(
            "search_by_facility", {"city": "Florence", "state": "AZ", "facility_type": "processing_center"}
        )
        in_town = await caller.call_tool(
            "search_by_facility", {"facility_name": "Florence Service Processing Center", "zip_code": "85132-0001"}
        )

    for reply in (of_type, in_town):
        assert [one["facility_id"] for one in reply.structured_content["facilities"]] == ["FLO"]


async def test_candidates_come_with_an_ambiguous_place(client):
    async with client() as caller:
        reply = await caller.call_tool("search_by_facility", {"facility_name": "Florence"})

    candidates = error_of(reply)["details"]["candidates"]
    assert {one["facility_id"] for one in candidates} == {"FLO", "FSF"}


async def test_a_batch_keeps_its_order_and_each_search_its_own_end(client):
    searches = [
        {"id": "who", "type": "name", "first_name": "Olena", "last_name": "Kovalenko"},
        {"type": "alien_number", "alien_number": "A999000999"},
        {"id": "bad", "type": "name", "first_name": "O*", "last_name": "Kovalenko"},
        {"id": "where", "type": "facility", "city": "Miami", "state": "FL"},
    ]
    async with client() as caller:
        reply = await caller.call_tool("bulk_search", {"searches": searches, "max_concurrent": 5})

    answer = reply.structured_content
    assert [(one["id"], one["status"], one.get("error_code")) for one in answer["results"]] == [
        ("who", "success", None),
        ("2", "error", "ALIEN_NUMBER_NOT_FOUND"),
        ("bad", "error", "INVALID_NAME_FORMAT"),
        ("where", "success", None),
    ]
    summary = answer["summary"]
    assert (summary["total_searches"], summary["successful_searches"], summary["failed_searches"]) == (4, 2, 2)
    assert summary["not_found"] == 1
    assert all("processing_time_ms" in one for one in answer["results"])


async def test_nobody_found_never_stops_a_batch_and_a_refusal_does(client):
    nobody = {"type": "alien_number", "alien_number": "A999000999"}
    bad = {"type": "name", "first_name": "O*", "last_name": "Kovalenko"}
    good = {"type": "name", "first_name": "Olena", "last_name": "Kovalenko"}
    ordered = {"max_concurrent": 1, "stop_on_error": True}
    async with client() as caller:
        on = await caller.call_tool("bulk_search", {"searches": [nobody, good], **ordered})
        stopped = await caller.call_tool("bulk_search", {"searches": [bad, good], **ordered})

    assert [one["status"] for one in on.structured_content["results"]] == ["error", "success"]
    assert [one["error_code"] for one in stopped.structured_content["results"]] == ["INVALID_NAME_FORMAT", "NOT_RUN"]


async def test_a_batch_s_search_refuses_what_its_tool_refuses(client):
    async with client() as caller:
        reply = await caller.call_tool("bulk_search", {"searches": [{"type": "name", **NAME, "shoe_size": 44}]})

    (one,) = reply.structured_content["results"]
    assert one["status"] == "error"
    assert "shoe_size" in one["error"]


async def test_the_demo_finds_the_son_with_the_facility_s_telephone(client):
    scene = pack.pack.demo
    async with client() as caller:
        answers = [(await caller.call_tool(tool, dict(given))).structured_content for tool, given in scene.calls]
    lines = scene.tell(answers)

    assert "JOSE GUADALUPE HERNANDEZ MARQUEZ" in lines[1]
    assert "(229) 838-5000" in lines[2]


async def test_each_search_of_a_batch_counts_against_its_own_tool_s_limit(tmp_path):
    deployment = deployment_for(
        data_dir=tmp_path,
        tables={"locator": PackTable(limits={"search_by_name": "2/hour"})},
        clock=NOVEMBER,
        locator=pack,
    )
    searches = [{"type": "name", "first_name": "Olena", "last_name": "Kovalenko"}] * 3
    async with connected(deployment, principal=FAMILY) as caller:
        reply = await caller.call_tool("bulk_search", {"searches": searches, "max_concurrent": 1})

    statuses = [one["status"] for one in reply.structured_content["results"]]
    assert statuses == ["success", "success", "error"]
    assert reply.structured_content["results"][2]["error_code"] == "RATE_LIMITED"


async def test_a_client_may_have_ten_searches_running_and_no_more():
    seats = Seats()
    with ExitStack() as taken:
        for _ in range(10):
            taken.enter_context(seats.taken(FAMILY))
        with pytest.raises(UserError) as caught:
            taken.enter_context(seats.taken(FAMILY))
        taken.enter_context(seats.taken(ADVOCATE))
    with seats.taken(FAMILY):
        pass

    assert caught.value.code == "CONCURRENT_LIMIT_EXCEEDED"


async def test_a_kept_answer_is_not_given_after_the_data_have_changed(client, registry, people_file, row):
    asked = {"alien_number": "A900200300"}
    async with client() as caller:
        before = await caller.call_tool("search_by_alien_number", asked)
        named = [await caller.call_tool("search_by_name", NAME) for _ in range(2)]
        with registry.opened() as store:
            Loader(store, NOVEMBER()).people(TableFile(people_file(row()), {}), "county", date(2026, 11, 1))
        after = await caller.call_tool("search_by_alien_number", asked)
        fresh = await caller.call_tool("search_by_name", NAME)

    assert error_of(before)["code"] == "ALIEN_NUMBER_NOT_FOUND"
    assert after.structured_content["results"][0]["name"] == "«Ana Quispe Mamani»"
    days = [reply.structured_content["search_metadata"]["data_as_of"] for reply in [*named, fresh]]
    assert days[0] == days[1] != days[2]
