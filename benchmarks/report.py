"""The measured figures as a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import calls
import starts
from spread import Spread, ratio


@dataclass(frozen=True)
class Bar:
    """A promise: the median of ours / peer, pair by pair, is at most ``limit``."""

    what: str
    limit: float
    ours: Sequence[float]
    peer: Sequence[float]

    def row(self) -> list[str]:
        """The bar, what was measured and the verdict."""
        measured = ratio(self.ours, self.peer)
        verdict = "met" if measured.median <= self.limit else "**not met**"
        return [self.what, f"<= {self.limit:.2f}", measured.shown(2), verdict]


_HEAD = """# How fast the host starts and answers

This part, to what each layer costs, is written by `python benchmarks/host.py`, which needs `uv` and builds its own
environments from this checkout; `tox -e bench` runs one round of few calls and writes nothing.

Every figure is a median with its quartiles: `median (lower to upper)`. A ratio is the median, with quartiles, of the
pairwise ratios: ours over the SDK's `MCPServer` in the same round, so that what other programs did to both cancels out.
Below 1 we are faster. A verdict goes by the median ratio. Every side logs warnings only. The peers have their defaults
and no authentication. packhorse calls tools with everything on: a limit on every tool, the audit record and metrics,
and over HTTP a token on every call.
"""

_STARTS = """
From spawning the process to its answer to `initialize` over stdio, everything installed from wheels and compiled.
packhorse is started as a desktop entry does it: `python -m packhorse serve`. Processor time is user and system time of
the child's whole life, its end included. packhorse turns the garbage collector off while it imports, and exempts what
it has imported, which saves time in the end of the process too. The second row gives the bare server the same
treatment: what the host costs beyond that is the difference between it and the rows of packhorse. "The five packs'
tools" is the bare server that imports the same packs and offers the same functions, without their resources and
prompts: a pack's own modules and schemas take their time under any host.
"""

_IN_PROCESS = f"""
The SDK's `Client` and the server in one process, in both eras; {calls.IN_PROCESS[0].calls} calls a batch, one after the
other. The plain function is `add(a, b)`, which runs in a worker thread on every side; the async one is `echo(text)`.
Processor time is of client and server together.
"""

_HTTP = f"""
Over real connections to a uvicorn process each, revision 2026-07-28, keep-alive, {calls.HTTP[0].calls} calls a batch.
With 8 connections p50 is mostly waiting: the eight share the one process. Processor time is the server's, for one call.
`MCPServer` is served as its own `streamable_http_app()`, FastMCP as its `http_app()`, packhorse by `packhorse serve`.

Where packhorse saves what its checks cost: a tool that takes no `Context` cannot report anything before it answers, so
no stream, second task and timer are kept ready for its call; it makes no OpenTelemetry span while nobody records, walks
a tool's schema for headers only if it declares any, has no router before the endpoint, and lets the garbage collector
look less often.
"""


_LAYERS = """
p50 of the calls above in microseconds, with nothing on, and what each layer adds to it: the median of the differences,
round by round. `auth` verifies a token, remembered after its first use; `limits` counts each call in a moving window of
an hour; `audit` records each call, in batches off the path; `metrics` counts for Prometheus.
"""


def written(
    facts: Mapping[str, str],
    started: Mapping[str, Sequence[starts.Start]],
    called: calls.Taken,
    served: calls.Taken,
    bars: Sequence[Bar],
) -> str:
    """The host's part of the page."""
    parts = [
        _HEAD,
        "\n".join(f"* {name}: {value}" for name, value in facts.items()) + "\n",
        "## Bars\n",
        _table(["bar", "limit", "measured ratio to MCPServer", "verdict"], [bar.row() for bar in bars]),
        "## Cold start",
        _STARTS,
        _start_table(started),
        "## Tool calls in process",
        _IN_PROCESS,
        _call_table(called),
        "## Tool calls over HTTP",
        _HTTP,
        _call_table(served),
        "## What each layer costs",
        _LAYERS,
        _layer_table(served),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _start_table(taken: Mapping[str, Sequence[starts.Start]]) -> str:
    peer = taken[starts.SDK]
    rows = [
        [
            name,
            Spread.of([one.cpu for one in mine]).shown(0),
            ratio([one.cpu for one in mine], [one.cpu for one in peer]).shown(2),
            Spread.of([one.wall for one in mine]).shown(0),
            ratio([one.wall for one in mine], [one.wall for one in peer]).shown(2),
        ]
        for name, mine in taken.items()
    ]
    return _table(["server", "processor ms", "ratio", "wall ms", "ratio"], rows)


def _call_table(taken: calls.Taken) -> str:
    rows = []
    for (case, side), mine in taken.items():
        peer = taken[case, calls.SDK]
        times = [[one.cpu for one in batches if one.cpu is not None] for batches in (mine, peer)]
        known = len(times[0]) == len(times[1]) == len(mine)
        rows.append(
            [
                case.named,
                side,
                Spread.of([one.wall for one in mine]).shown(3),
                ratio([one.wall for one in mine], [one.wall for one in peer]).shown(2),
                Spread.of(times[0]).shown(3) if known else "unknown",
                ratio(*times).shown(2) if known else "unknown",
            ]
        )
    return _table(["call", "server", "p50 ms", "ratio", "processor ms", "ratio"], rows)


def _layer_table(taken: calls.Taken) -> str:
    head = ["call", *(name.removeprefix("packhorse, ") for name in calls.LAYERS)]
    rows = []
    for case in dict.fromkeys(case for case, _ in taken):
        bare = [one.wall * 1000 for one in taken[case, calls.BARE]]
        added = [
            Spread.of([one.wall * 1000 - less for one, less in zip(taken[case, name], bare, strict=True)]).shown(0)
            for name in calls.LAYERS
            if name != calls.BARE
        ]
        rows.append([case.named, Spread.of(bare).shown(0), *(f"+ {one}" for one in added)])
    return _table([head[0], head[1], *head[2:-1], "all together"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
