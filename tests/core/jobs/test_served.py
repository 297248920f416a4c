"""A server whose tools start jobs, as its operator sees it: the queue in the metrics, each end on record and logged.

The jobs are real, in processes of their own, one at a time.
"""

import json

import httpx2
import pytest
from tests.core.live import Bench, wait_for
from tests.core.replicas.asking import call
from tests.core.seeds import install

from packhorse.audit import rows

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")
pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: there are no metrics to look at")

from prometheus_client.parser import text_string_to_metric_families

CANARY = "quagga"
HOWS = ("give", "refuse", "stumble", "give")
SEED = '''
import time
from pathlib import Path

from packhorse import *
from packhorse.jobs import Running, Work


def toil(how: str, folder: str) -> Work:
    """Toil until there is a file named go."""
    return Work("seeded_toil:work", {"how": how, "folder": folder})


def work(job: Running, how: str, folder: str):
    while not (Path(folder) / "go").exists():
        time.sleep(0.05)
    if how == "refuse":
        raise UserError("There is nothing to toil at.", code="NOTHING_TO_DO")
    if how == "stumble":
        raise ValueError("quagga")
    return {"how": how}


@hookimpl
def register_tools():
    return [Tool(fn=toil, job=True)]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "toil", SEED)
    made.configure("[jobs]\nat_a_time = 1")
    return made


def figures(address: str) -> dict[tuple[str, ...], float]:
    """What /metrics has of jobs, by name, tool and outcome."""
    text = httpx2.get(f"{address}/metrics").text
    return {
        (sample.name, *(sample.labels[label] for label in ("tool", "outcome") if label in sample.labels)): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if "job" in sample.name or "queue" in sample.name
    }


def test_an_operator_sees_what_waits_and_how_each_job_ended(bench):
    with bench.serving("toil") as served:
        assert figures(served.address)["packhorse_queue_depth",] == 0
        started = [
            call(served.url, "toil", how=how, folder=str(bench.folder))["structuredContent"]["job_id"] for how in HOWS
        ]
        wait_for(lambda: figures(served.address)["packhorse_queue_depth",] == 3, "one to run, and three to wait")
        assert figures(served.address)["packhorse_oldest_job_seconds",] > 0

        (bench.folder / "go").touch()

        def ends() -> dict[str, str]:
            found = [call(served.url, "job_status", job_id=job)["structuredContent"] for job in started]
            return {one["job_id"]: (one["status"], one.get("reason")) for one in found}

        wait_for(lambda: all(status in ("completed", "failed") for status, _ in ends().values()), "four ends")
        ended = list(ends().values())
        told = figures(served.address)
        read = call(served.url, "job_status", job_id=started[0])["structuredContent"]
        assert served.stop() == 0

    assert (told["packhorse_queue_depth",], told["packhorse_oldest_job_seconds",]) == (0, 0)
    assert {how: told["packhorse_jobs_total", "toil", how] for how in ("ok", "refused", "failed")} == {
        "ok": 2,
        "refused": 1,
        "failed": 1,
    }
    assert ended[0] == ended[3] == ("completed", None)
    assert ended[1] == ("failed", "There is nothing to toil at. [NOTHING_TO_DO]")
    assert all(read[at].endswith("Z") for at in ("created_at", "updated_at", "finished_at"))

    # On record: each end beside the call that started it, under one request id.
    kept = list(rows(bench.folder / "data" / "audit.sqlite3"))
    calls = [row["body"] for row in kept if row["body"].get("call", {}).get("name") == "toil"]
    begun = [row["call"]["request_id"] for row in calls if row["call"]["kind"] == "tool"]
    ends_on_record = {
        row["call"]["request_id"]: (row["outcome"]["status"], row["outcome"].get("code"))
        for row in calls
        if row["call"]["kind"] == "job"
    }
    assert [ends_on_record[rid] for rid in begun] == [
        ("ok", None),
        ("refused", "NOTHING_TO_DO"),
        ("failed", "INTERNAL_ERROR"),
        ("ok", None),
    ]
    assert all(row["body"]["time"].endswith("Z") for row in kept)

    # In the log: a line an end, and the bug by type and frames under the id that its caller was given.
    log = bench.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    ends_in_log = [line for line in lines if line["logger"] == "packhorse.calls" and line["message"] == "job"]
    assert [line["request_id"] for line in ends_in_log] == begun
    assert [line["outcome"] for line in ends_in_log] == ["ok", "refused", "failed", "ok"]
    (bug,) = [line for line in lines if line["level"] == "error"]
    assert (bug["job"], bug["tool"], bug["request_id"]) == (started[2], "toil", begun[2])
    assert bug["exception"][0]["type"] == "ValueError"
    assert begun[2] in ended[2][1]
    assert CANARY not in log
