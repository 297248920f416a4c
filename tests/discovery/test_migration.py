"""A running pursuit under a newer version of its schema."""

import copy
import json
from pathlib import Path
from typing import Any

from packhorse.contract.host import Host
from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.structure import Mark, Structure
from packhorse_discovery.domain.schema import loading
from packhorse_discovery.domain.schema.migration import migrated
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.library import library
from packhorse_discovery.store.tables import MIGRATIONS
from packhorse_discovery.tools import InterviewTools

FIRST: dict[str, Any] = {
    "format": "packhorse-eads/1",
    "version": "1.0.0",
    "title": "Ferries",
    "interview-objective": "Which ferries run.",
    "EADS": {"EADS-id": "resources/ferries", "harbour": "Oslo", "fleet": [{"ferry-id": "Aurora", "seats": 40}]},
}


def version(number: str, body: dict[str, Any], **more: Any) -> Any:
    document = {**copy.deepcopy(FIRST), "version": number, **more}
    document["EADS"] = {"EADS-id": "resources/ferries", **body}
    return loading.load(document)


OLD = loading.load(FIRST)
SAID, _ = merge(Structure(), [Proposal("/harbour", "Bergen"), Proposal("/fleet/borealis/seats", 60)], OLD, mark=Mark())


def test_a_minor_version_keeps_everything_and_opens_what_is_new() -> None:
    newer = version("1.1.0", {"harbour": "Oslo", "captain": "Ann", "fleet": [{"ferry-id": "Aurora", "seats": 40}]})

    assert migrated(SAID, OLD, newer) == SAID


def test_a_major_version_moves_values_by_its_migrations() -> None:
    newer = version(
        "2.0.0",
        {"ferries": [{"ferry-id": "Aurora", "seats": 40}]},
        migrations=[{"from": "1", "rename": {"/fleet": "/ferries"}, "drop": ["/harbour"]}],
    )
    moved = migrated(SAID, OLD, newer)

    assert moved is not None
    assert moved.get("/ferries/borealis/seats") == 60
    assert moved.get("/harbour") is None


def test_without_a_way_the_pursuit_stays_where_it_is() -> None:
    assert migrated(SAID, OLD, version("2.0.0", {"ferries": [{"ferry-id": "Aurora"}]})) is None
    assert migrated(SAID, OLD, OLD) is None
    assert migrated(SAID, version("1.2.0", FIRST["EADS"]), OLD) is None


def test_an_interview_taken_up_again_goes_on_under_the_newer_schema(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    host = Host(
        "discovery", data_dir=tmp_path, settings=DiscoverySettings(eads_path=[folder]), migrations=MIGRATIONS
    )  # fmt: skip
    tools = InterviewTools(host)
    (folder / "ferries.json").write_text(json.dumps(FIRST))
    library.cache_clear()
    tools.start_interview("p")
    tools.start_eads_pursuit("p", "resources/ferries")
    newer = {**copy.deepcopy(FIRST), "version": "1.1.0"}
    newer["EADS"]["captain"] = "Ann"
    (folder / "ferries.json").write_text(json.dumps(newer))
    library.cache_clear()

    begun = tools.start_eads_pursuit("p", "resources/ferries")
    library.cache_clear()

    assert begun.eads_instructions.version == "1.1.0"
    assert "/captain" in tools.get_eads_status("p", "resources/ferries").remaining_fields
