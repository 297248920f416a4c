"""What is run, how much of it there must be, and what is known not to hold yet.

The one place for versions, counts and exceptions.
"""

from dataclasses import dataclass

from verdict import NO_CHECK, SKIPPED, WARNING, Listed

PACKAGE = "@modelcontextprotocol/conformance"
RELEASED = "0.1.16"
COMING = "0.2.0-alpha.12"


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of the harness. ``scenarios`` is how many it must bring; fewer means that the harness lost some."""

    name: str
    version: str
    options: tuple[str, ...]
    scenarios: int


RUNS = (
    Run(f"{RELEASED} all", RELEASED, ("--suite", "all"), 32),
    Run(f"{COMING} 2025-11-25", COMING, ("--requirements", "2025-11-25"), 33),
    Run(f"{COMING} 2026-07-28", COMING, ("--requirements", "2026-07-28"), 50),
    Run(f"{COMING} all", COMING, ("--suite", "all"), 65),
)

LISTED = (
    Listed(
        "tasks-status-notifications",
        frozenset({SKIPPED, NO_CHECK}),
        "the harness skips it for every server: it waits for a rewrite over subscriptions/listen",
    ),
    Listed(
        "server-sse-polling",
        frozenset({NO_CHECK, WARNING}),
        "this harness only warns: it asks at a protocol version that has no priming events",
        run=f"{RELEASED} all",
    ),
)
"""Each row falls out of date loudly: a listed scenario that holds fully fails the run."""
