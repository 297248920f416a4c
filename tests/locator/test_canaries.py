"""Canary persons: found by who asks for them, and written down nowhere else."""

import json
import logging
from datetime import date

import httpx2
import pytest
from mcp import MCPError
from tests.locator.factories import ADVOCATE, FAMILY, NOBODY, NOVEMBER, error_of

from packhorse.http.app import Service
from packhorse.settings import ServerSettings
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader

pytestmark = pytest.mark.anyio

HOST = "http://127.0.0.1"
NAME, FAMILY_NAME, COUNTRY, NUMBER = "Xochicanary", "Tzicanario", "Canarilandia", "A987123654"
CANARIES = (NAME, FAMILY_NAME, COUNTRY, NUMBER, NUMBER[1:], "987-123-654")
PERSON = {"first_name": NAME, "last_name": FAMILY_NAME, "country_of_birth": COUNTRY}
CALLS = [
    ("search_by_name", {**PERSON, "confidence_threshold": 0.1}),
    ("search_by_name", {**PERSON, "middle_name": NAME, "birth_year": 1990}),
    ("search_by_name", {**PERSON, "first_name": f"{NAME}*"}),
    ("search_by_alien_number", {"alien_number": NUMBER, "include_history": True}),
    ("search_by_alien_number", {"alien_number": f"{NUMBER}7"}),
    ("search_by_facility", {"facility_name": NAME}),
    ("search_by_facility", {"city": FAMILY_NAME, "state": "TX"}),
    ("get_facility_info", {"facility_name": f"{NAME} {NUMBER}"}),
    ("parse_natural_query", {"query": f"find {NAME} {FAMILY_NAME} from {COUNTRY}, A# 987-123-654"}),
    ("parse_natural_query", {"query": f"busco a {NAME} {FAMILY_NAME}", "language": "es", "auto_execute": True}),
    ("parse_natural_query", {"query": f"{NAME} %%"}),
    (
        "bulk_search",
        {
            "searches": [
                {"id": NAME, "type": "name", "first_name": NAME, "last_name": FAMILY_NAME},
                {"id": NUMBER, "type": "alien_number", "alien_number": NUMBER},
                {"type": "facility", "facility_name": NAME},
                {"type": "name", "first_name": f"{NAME}%", "last_name": FAMILY_NAME},
            ]
        },
    ),
    ("print_search_record", {**PERSON, "language": "es"}),
    ("watch_person", {"record_id": "CANARY-77"}),
    ("watch_person", {"record_id": NAME}),
    ("review_watches", {}),
    ("stop_watching", {"watch_id": NAME}),
    (NAME, {FAMILY_NAME: NUMBER}),
]


def hidden_in(text: str) -> list[str]:
    """Which canaries a text holds."""
    folded = text.casefold()
    return [canary for canary in CANARIES if canary.casefold() in folded]


@pytest.fixture
def deployment(tmp_path, registry, people_file, row):
    path = people_file(row(record_id="CANARY-77", alien_number=NUMBER, **PERSON), row(record_id="P2"))
    with registry.opened() as store:
        Loader(store, NOVEMBER()).people(TableFile(path, {}), "county", date(2026, 11, 1))
    return deployment_for(
        data_dir=tmp_path / "data",
        server=ServerSettings(transport="http", metrics=True, strict=True),
        clock=NOVEMBER,
        locator=pack,
    )


@pytest.mark.parametrize("who", [NOBODY, FAMILY, ADVOCATE], ids=["anonymous", "family", "advocate"])
async def test_it_is_found_and_is_in_no_log_no_metric_and_no_row_of_the_record(deployment, tmp_path, who, caplog):
    pytest.importorskip("prometheus_client", reason="packhorse[metrics] is not installed")
    service = Service(deployment)
    found, ended = [], 0
    with caplog.at_level(logging.DEBUG):
        async with connected(deployment, principal=who) as caller:
            offered = {tool.name for tool in (await caller.list_tools()).tools}
            for tool, arguments in CALLS:
                if tool not in offered:  # asked for all the same; the protocol itself refuses
                    with pytest.raises(MCPError):
                        await caller.call_tool(tool, arguments)
                    continue
                reply = await caller.call_tool(tool, arguments)
                ended += 1
                found.append(json.dumps(reply.structured_content, ensure_ascii=False))
                if reply.is_error:
                    told = json.dumps(error_of(reply), ensure_ascii=False) + reply.content[0].text
                    assert hidden_in(told) == [], tool
            pages = [str(await caller.read_resource(f"locator://{page}")) for page in ("health", "freshness")]
            await caller.get_prompt("find_family_member", {"name": NAME, "language": "es"})
            async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
                metrics = (await http.get("/metrics")).text
    record = b"".join(path.read_bytes() for path in (tmp_path / "data").glob("audit*"))
    logs = "\n".join(
        json.dumps(line.__dict__, default=str) for line in caplog.records if line.name.startswith("packhorse")
    )

    assert service.app
    assert ended >= 12
    assert any(NAME in text for text in found)
    assert 'name="search_by_name"' in metrics
    assert 'packhorse_locator_work_total{outcome="answered",tool="search_by_name"}' in metrics
    assert 'packhorse_locator_disk_bytes{file="index"}' in metrics
    assert b"search_by_name" in record
    assert hidden_in(metrics) == []
    assert hidden_in(record.decode("utf-8", "replace")) == []
    assert hidden_in(record.decode("utf-16-le", "replace")) == []
    assert hidden_in(logs) == []
    assert hidden_in("".join(pages)) == []
