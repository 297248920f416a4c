"""Several workers behind one address: whichever is asked for the metrics answers for all of them."""

import os
import signal

import httpx2
import pytest
from tests.core.live import Bench, wait_for
from tests.core.replicas.asking import call
from tests.core.seeds import install

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: there are no metrics to look at")

from prometheus_client.parser import text_string_to_metric_families

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="no workers on this system")

LOOKS = 8
SEED = '''
import os
from packhorse import *

asked = 0


def process() -> int:
    """Say which process answers."""
    global asked
    asked += 1
    return os.getpid()


def measures(host):
    return [
        Measure("asked", "Questions.", (), {(): asked}),
        Measure("processes", "Processes, added up.", (), {(): 1}, counter=False),
        Measure("pages", "What all share.", ("book",), {("one",): 7}, counter=False, common=True),
    ]


pack = Pack("Seed", measures=measures)


@hookimpl
def register_tools():
    return [process]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED)
    made.configure(workers=2, state_key="k" * 32, metrics=True)
    return made


def figures(address: str) -> dict[str, float]:
    """What /metrics says now: a new connection for each look, so that any worker may answer."""
    text = httpx2.get(f"{address}/metrics", headers={"Connection": "close"}).text
    return {
        " ".join(
            (sample.name, *(sample.labels[label] for label in ("name", "outcome", "book") if label in sample.labels))
        ): (sample.value)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.labels.get("kind", "tool") == "tool"
    }


def test_each_look_counts_the_calls_of_every_worker_also_of_one_that_was_replaced(bench):
    with bench.serving("seed") as served:
        answered: list[int] = []

        def both_answered() -> bool:
            answered.append(int(call(served.url, "process")["structuredContent"]["result"]))
            return len(set(answered)) == 2

        def counts() -> set[float]:
            return {figures(served.address)["packhorse_calls_total process ok"] for _ in range(LOOKS)}

        wait_for(both_answered, "an answer of each worker")
        calls = len(answered)
        assert counts() == {calls}
        assert figures(served.address)["packhorse_call_seconds_count process"] == calls
        # A pack's own figures come every few seconds: added up, or the same for all.
        wait_for(lambda: figures(served.address).get("packhorse_seed_asked_total") == calls, "the pack's counts")
        wait_for(lambda: figures(served.address)["packhorse_seed_processes"] == 2, "both workers")
        assert figures(served.address)["packhorse_seed_pages one"] == 7

        os.kill(answered[0], signal.SIGKILL)
        served.wait_for_log("was ended by SIGKILL")
        wait_for(lambda: figures(served.address)["packhorse_seed_processes"] == 2, "the successor's figures")
        call(served.url, "process")
        assert counts() == {calls + 1}
        assert figures(served.address)["packhorse_seed_asked_total"] >= calls
        assert served.stop() == 0
