"""How the registry is: what it holds, how fresh it is, whether its parts agree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from attrs import asdict

from packhorse_locator.store import facilities, people, sources

if TYPE_CHECKING:
    from packhorse_locator.domain.freshness import Stamp
    from packhorse_locator.service.registry import Registry
    from packhorse_locator.service.remote import RemoteSources
    from packhorse_locator.service.telemetry import Telemetry


def health_of(
    registry: Registry, remote: RemoteSources | None = None, telemetry: Telemetry | None = None
) -> dict[str, Any]:
    """Counts, freshness, times, and the state of store, index and remote sources; nothing about anybody."""
    with registry.opened() as store:
        fresh = freshness_of(registry, sources.stamps(store))
        counted: dict[str, Any] = {
            "people": people.count(store),
            "facilities": facilities.count(store),
            "data_version": str(people.changes(store)),
            "sources": fresh,
        }
        state = registry.state(store)
    index = registry.index_stats()
    stale = [one["name"] for one in fresh if one["stale"]]
    states = remote.states() if remote is not None else {}
    down = [name for name, how in states.items() if how != "up"]
    work = telemetry.work() if telemetry is not None else []
    slow = [one.tool for one in work if one.is_slow]
    current = str(index.sequence) == counted["data_version"]
    return {
        "status": "degraded" if stale or down or slow or not current else "ok",
        **counted,
        "sample_data": state.is_sample,
        "stale_sources": stale,
        "remote_sources": states,
        "questions_at_once": remote.widths() if remote is not None else {},
        "source_memory": remote.memory() if remote is not None else {},
        "slow_tools": slow,
        "work": [asdict(one) for one in work],
        "resources": {
            "store_bytes": registry.disk_bytes("store.sqlite3*"),
            "index_bytes": index.record_bytes + index.vocabulary_bytes,
            **_memory(),
        },
        "index": {
            "records": index.records,
            "vocabulary": index.vocabulary,
            "bytes_a_record": round(index.record_bytes / index.records, 1) if index.records else 0,
            "vocabulary_bytes": index.vocabulary_bytes,
            "current": current,
            "model": index.model,
        },
        "suppression_list": "kept" if registry.suppression.path is not None else "none",
    }


def freshness_of(registry: Registry, stamps: list[Stamp]) -> list[dict[str, Any]]:
    """Every source: what it gave, when, how old that is, and whether the deployer would call it stale."""
    today = registry.today()
    return [
        {
            "name": stamp.name,
            "kind": stamp.kind,
            "as_of": stamp.as_of.isoformat(),
            "age_days": stamp.age_days(today),
            "stale": registry.is_stale(stamp),
            "loaded_at": stamp.loaded_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "accepted": stamp.accepted,
            "rejected": stamp.rejected,
            "remote": stamp.remote,
        }
        for stamp in stamps
    ]


def _memory() -> dict[str, int]:
    """The most memory that this process has had, where the system tells: kilobytes on Linux, bytes on macOS."""
    try:
        import resource
    except ImportError:  # Windows
        return {}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"peak_process_bytes": most if sys.platform == "darwin" else most * 1024}
