"""Remote sources: tools of other packs, with retries, a breaker, kept answers and partial results."""

import threading
from datetime import timedelta
from types import ModuleType

import anyio
import anyio.to_thread
import pytest
from mcp import MCPError
from tests.locator.factories import ADVOCATE, NOBODY, everything_in

from packhorse import Context, Tool, UserError, hookimpl
from packhorse.contract.principal import LOCAL
from packhorse_locator.service.remote import RemoteSources, _answer_from
from packhorse_locator.service.sources import Breaker, Retry, Transient
from packhorse_locator.store import people

pytestmark = pytest.mark.anyio

RECORDS = {
    "as_of": "2026-11-01",
    "records": [
        {
            "record_id": "K7",
            "first_name": "Itzel",
            "last_name": "Tuyuc Xicay",
            "birth_year": 1994,
            "alien_number": "A900300400",
            "facility_id": "KRO",
        }
    ],
}
# In a registry of one record nothing is rare, and no agreement proves much: hence the low threshold.
ITZEL = {"first_name": "Itzel", "last_name": "Tuyuc Xicay", "confidence_threshold": 0.1}


class County:
    """A third-party pack whose one tool answers, fails or hangs as told."""

    def __init__(self):
        self.mood = "up"
        self.asked = []
        self.callers = []
        self.records = RECORDS
        self.hanging = threading.Event()
        self.begun = threading.Event()

    def module(self):
        made = ModuleType("county_pack")
        county = self

        def county_records(
            first_name: str | None = None,
            last_name: str | None = None,
            alien_number: str | None = None,
            country_of_birth: str | None = None,
            birth_year: int | None = None,
            *,
            ctx: Context,
        ) -> dict[str, object]:
            """Records of the county's own list that may be of this person, for the locator pack."""
            county.callers.append((ctx.principal.kind, ctx.principal.subject))
            county.asked.append((first_name, last_name, alien_number))
            county.begun.set()
            if county.mood == "down":
                raise UserError("The county is away.", code="SOURCE_DOWN")
            if county.mood == "refuses":
                raise UserError("Not like that.", code="NO")
            if county.mood == "babbles":
                return {"people": []}
            if county.mood == "hangs":
                county.hanging.wait(90)
            return county.records

        @hookimpl
        def register_tools():
            return [Tool(fn=county_records, public=True)]

        made.register_tools = register_tools
        return {"county": made}


@pytest.fixture
def county():
    made = County()
    yield made
    made.hanging.set()


async def search(caller, **asked):
    reply = await caller.call_tool("search_by_name", {**ITZEL, **asked})
    assert not reply.is_error, reply.content
    return reply.structured_content


async def test_a_source_s_records_are_found_like_the_registry_s_own(client, county):
    async with client(beside=county.module(), sources=["county_records"]) as caller:
        answer = await search(caller)

    assert [one["name"] for one in answer["results"]] == ["«Itzel Tuyuc Xicay»"]
    assert answer["results"][0]["source"] == "«county_records»"
    assert "partial" not in answer["search_metadata"]
    assert answer["search_metadata"]["sources"][0]["state"] == "answered"
    assert "sample_data" not in answer["search_metadata"]


async def test_the_same_question_is_not_asked_twice_within_the_hour(client, county):
    async with client(beside=county.module(), sources=["county_records"]) as caller:
        await search(caller)
        await search(caller)
        await search(caller, last_name="Tuyuc")

    assert county.asked == [("Itzel", "Tuyuc Xicay", None), ("Itzel", "Tuyuc", None)]


async def test_a_number_is_asked_as_a_number(client, county):
    async with client(beside=county.module(), sources=["county_records"]) as caller:
        reply = await caller.call_tool("search_by_alien_number", {"alien_number": "900300400"})

    assert county.asked == [(None, None, "A900300400")]
    assert reply.structured_content["results"][0]["name"] == "«Itzel Tuyuc Xicay»"


@pytest.mark.parametrize("mood", ["down", "refuses", "babbles", "hangs"])
async def test_a_source_that_gives_nothing_leaves_a_partial_answer_that_says_so(client, county, mood):
    county.mood = mood
    async with client(beside=county.module(), sources=["county_records"], source_timeout_seconds=0.3) as caller:
        answer = await search(caller)
        reply = await caller.call_tool("search_by_name", ITZEL)

    assert answer["results"] == []
    assert answer["search_metadata"]["partial"] is True
    assert answer["search_metadata"]["sources"] == [{"name": "county_records", "state": "missing"}]
    assert "partial result" in reply.content[0].text
    assert "The person may still be detained" in reply.content[0].text


async def test_while_a_source_fails_its_earlier_records_are_told_as_kept(client, county):
    async with client(beside=county.module(), sources=["county_records"]) as caller:
        await search(caller)
        county.mood = "down"
        answer = await search(caller, birth_year=1994)

    assert [one["name"] for one in answer["results"]] == ["«Itzel Tuyuc Xicay»"]
    (part,) = answer["search_metadata"]["sources"]
    assert part["state"] == "kept"
    assert part["as_of"] == "2026-11-01"
    assert answer["search_metadata"]["partial"] is True


async def test_records_that_a_source_gave_long_ago_are_not_kept(registry):
    source = Fragile()
    source.fails = False
    remote = RemoteSources(registry, [source], keep=timedelta(0))
    await remote.ask(ITZEL, None)
    later = {"as_of": "2026-11-09", "records": [{**RECORDS["records"][0], "record_id": "K8"}]}
    source.answer = later
    await remote.ask(ITZEL, None)

    with registry.opened() as store:
        kept = [one.record_id for one in people.everyone(store) if one.source == "fragile"]
    assert kept == ["K8"]


class Fragile:
    """A source that can be told to fail; counts what it was asked."""

    name = "fragile"

    def __init__(self):
        self.fails = True
        self.answer = RECORDS
        self.asked = 0
        self.begun = anyio.Event()
        self.gate = None

    async def find(self, question, ctx):
        self.asked += 1
        if self.gate is not None:
            self.begun.set()
            await self.gate.wait()
        if self.fails:
            raise Transient("away")
        return _answer_from(self.answer)


async def test_the_breaker_opens_leaves_the_source_alone_and_closes_when_it_answers(registry):
    source, seconds = Fragile(), [0.0]
    remote = RemoteSources(
        registry,
        [source],
        keep=timedelta(hours=1),
        retry=Retry(attempts=3, first_seconds=0, jitter_seconds=0),
        breaker=Breaker(failures=3, open_seconds=30),
        monotonic=lambda: seconds[0],
    )
    question = {"first_name": "Itzel", "last_name": "Tuyuc"}

    (first,) = await remote.ask(question, None)
    assert (first.state, source.asked, remote.states()) == ("missing", 3, {"fragile": "down"})
    (second,) = await remote.ask(question, None)
    assert (second.state, source.asked) == ("missing", 3)

    source.fails, seconds[0] = False, 31.0
    (third,) = await remote.ask(question, None)

    assert (third.state, source.asked, remote.states()) == ("answered", 4, {"fragile": "up"})


async def test_a_hanging_source_does_not_hold_other_calls_up(client, county):
    county.mood = "hangs"
    done = []
    async with client(beside=county.module(), sources=["county_records"], source_timeout_seconds=6) as caller:

        async def slow():
            await search(caller)
            done.append("slow")

        async with anyio.create_task_group() as group:
            group.start_soon(slow)
            with anyio.fail_after(90):
                await anyio.to_thread.run_sync(county.begun.wait)
            reply = await caller.call_tool("get_facility_info", {"facility_id": "QQQ"})
            done.append("quick")
            county.hanging.set()

    assert reply.is_error
    assert done == ["quick", "slow"]


@pytest.mark.parametrize("answer", [[], {"records": {}}, {"records": []}])
def test_an_answer_of_another_shape_is_no_answer(answer):
    with pytest.raises(ValueError, match=r"source|record|isoformat"):
        _answer_from(answer)


async def test_one_record_of_another_shape_leaves_the_others_in_the_answer():
    answer = _answer_from({"records": [1, *RECORDS["records"]], "as_of": "2026-11-01"})

    assert [row.get("record_id") for row in answer.rows] == [None, "K7"]


async def test_a_source_s_tool_is_hidden_and_what_it_gives_is_masked_suppressed_and_of_adults(client, county, tmp_path):
    records = [
        RECORDS["records"][0],
        {"record_id": "K8", "first_name": "Kid", "last_name": "Noage", "facility_id": "KRO"},
        {"record_id": "K9", "first_name": "Kid", "last_name": "Young", "birth_year": 2010},
        {"record_id": "K10", "first_name": "Kid", "last_name": "Hidden", "birth_year": 1990},
    ]
    county.records = {"as_of": "2026-10-20", "records": records}
    listed = tmp_path / "hidden.txt"
    listed.write_text("K10\n")
    shown = {}
    for who in (LOCAL, NOBODY, ADVOCATE):
        settings = {"sources": ["county_records"], "suppression_file": str(listed), "keep_without_birth_date": True}
        async with client(who, beside=county.module(), **settings) as caller:
            assert "county_records" not in {tool.name for tool in (await caller.list_tools()).tools}
            with pytest.raises(MCPError):
                await caller.call_tool("county_records", {"first_name": "Itzel", "last_name": "Tuyuc Xicay"})
            shown[who.kind, who.subject] = [
                everything_in(await caller.call_tool("search_by_name", {**ITZEL, **asked}))
                for asked in (
                    {},
                    {"first_name": "Kid", "last_name": "Noage"},
                    {"first_name": "Kid", "last_name": "Hidden"},
                )
            ]

    assert set(county.callers) == {("pack", "pack:locator")}
    for texts in shown.values():
        assert "Itzel Tuyuc Xicay" in texts[0]
        assert "900300400" not in texts[0]
        assert '"as_of": "2026-10-20"' in texts[0]
        for text in texts:
            assert not any(name in text for name in ("Kid Noage»", "Kid Young»", "Kid Hidden»"))


async def test_a_source_that_never_answered_a_question_is_missing_and_not_kept(client, county):
    async with client(beside=county.module(), sources=["county_records"]) as caller:
        await search(caller)
        county.mood = "down"
        answer = await search(caller, first_name="Zebulon", last_name="Quackenbush")

    assert answer["results"] == []
    assert answer["search_metadata"]["sources"] == [{"name": "county_records", "state": "missing"}]


async def test_a_slowed_source_is_not_asked_a_second_question_and_counts_as_missing_for_it(registry):
    source = Fragile()
    source.fails = False
    remote = RemoteSources(
        registry, [source], keep=timedelta(hours=1), retry=Retry(attempts=1), breaker=Breaker(failures=99)
    )
    await remote.ask({"first_name": "Itzel", "last_name": "Tuyuc"}, None)
    source.fails = True
    for last in ("Xicay", "Caal", "Choc", "Ixcoy"):
        await remote.ask({"first_name": "Itzel", "last_name": last}, None)
    assert remote.widths() == {"fragile": 1}
    source.fails, source.gate, states = False, anyio.Event(), []

    async def first() -> None:
        states.extend(await remote.ask({"first_name": "Ana", "last_name": "Caal"}, None))

    async with anyio.create_task_group() as group:
        group.start_soon(first)
        await source.begun.wait()
        (second,) = await remote.ask({"first_name": "Ana", "last_name": "Choc"}, None)
        source.gate.set()

    assert (second.state, source.asked) == ("missing", 6)
    assert [one.state for one in states] == ["answered"]
    assert remote.widths() == {"fragile": 2}
    assert remote.memory() == {"hits": 0, "misses": 7, "hit_ratio": 0.0}


async def test_a_batch_whose_time_ends_gives_the_answers_of_finished_searches(client, county):
    county.mood = "hangs"
    async with client(
        beside=county.module(), sources=["county_records"], source_timeout_seconds=60, batch_timeout_seconds=4
    ) as caller:
        searches = [
            {"type": "facility", "city": "Miami", "state": "FL"},
            {"type": "name", "first_name": "Itzel", "last_name": "Tuyuc"},
        ]
        await caller.call_tool("search_by_facility", {"city": "Miami", "state": "FL"})  # loads what is loaded once
        reply = await caller.call_tool("bulk_search", {"searches": searches})
        county.hanging.set()

    assert [one["error_code"] for one in reply.structured_content["results"]] == ["FACILITY_NOT_FOUND", "TIMEOUT"]
