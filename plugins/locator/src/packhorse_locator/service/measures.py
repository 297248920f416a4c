"""The pack's own figures beside the host's: what was worked out, how long it took, what it occupies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packhorse import Measure

if TYPE_CHECKING:
    from packhorse_locator.service.locator import Locator


def measures_of(locator: Locator) -> list[Measure]:
    """Counters and gauges; their labels are names of tools and of configured sources alone."""
    registry, remote = locator.registry, locator.remote
    work, memory = locator.telemetry.work(), remote.memory()
    outcomes = ("answered", "refused", "failed")
    return [
        Measure(
            "work",
            "Calls that were worked out, by outcome; answers from the host's cache are not among them.",
            ("tool", "outcome"),
            {(one.tool, outcome): getattr(one, outcome) for one in work for outcome in outcomes},
        ),
        Measure(
            "beyond_threshold",
            "Calls that took longer than the specification allows.",
            ("tool",),
            {(one.tool,): one.beyond for one in work},
        ),
        Measure(
            "source_questions",
            "Questions to outside sources, by whether the source had been asked the same before.",
            ("outcome",),
            {("hit",): memory["hits"], ("miss",): memory["misses"]},
        ),
        Measure(
            "source_width",
            "Questions that a source is asked at a time.",
            ("source",),
            {(name,): width for name, width in remote.widths().items()},
            counter=False,
        ),
        Measure(
            "disk_bytes",
            "Size of the files of the registry and of the name index.",
            ("file",),
            {("store",): registry.disk_bytes("store.sqlite3*"), ("index",): registry.disk_bytes("names/*")},
            counter=False,
            common=True,
        ),
    ]
