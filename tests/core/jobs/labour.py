"""Functions that tests have run as jobs, in processes of their own."""

import logging
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import attrs
from pydantic import BaseModel

from packhorse import Accepted, Elicit, Image, Link, Pack, Reply, RequestError, Text, UserError


class Consent(BaseModel):
    confirm: bool


def add(job, a, b):
    job.report_progress(1, 2, "half of it")
    print("a line that is no message")
    return {"sum": a + b}


def mark(job, number, folder, seconds):
    """Leave a line when it begins and one when it ends, having worked in between."""
    _line(folder, f"begin {number}")
    _work(seconds)
    _line(folder, f"end {number}")
    return {"number": number}


def work_for_ever(job, folder):
    _line(folder, "begin")
    while True:
        job.report_progress(0)


def ignore_the_signal(job, folder):
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    work_for_ever(job, folder)


def solve(job, folder):
    """Look for what is not there: a market split problem (Cornuejols and Dawande 1998), which no solver is quick at."""
    import os
    import random

    from ortools.sat.python import cp_model

    chance, model = random.Random(2026), cp_model.CpModel()
    chosen = [model.new_bool_var(str(number)) for number in range(50)]
    for _ in range(6):
        weights = [chance.randrange(100) for _ in chosen]
        model.add(sum(weight * one for weight, one in zip(weights, chosen, strict=True)) == sum(weights) // 2)
    _line(folder, f"pid {os.getpid()}")
    return cp_model.CpSolver().solve(model)


def start_another(job, folder):
    """Start a process of its own, and wait for it."""
    script = f"import pathlib, time; pathlib.Path({str(Path(folder) / 'beats')!r}).write_text('x'); time.sleep(600)"
    other = subprocess.Popen([sys.executable, "-c", script])
    _line(folder, f"pid {other.pid}")
    other.wait()


def note(job, text):
    """Keep a line in the pack's own store, once for each job."""
    with job.host.store() as store:
        store.execute("INSERT INTO notes (id, text) VALUES (:id, :text)", id=job.job_id, text=text)
    return {"pack": job.host.pack, "greeting": job.host.settings.greeting}


class Greeting(BaseModel):
    greeting: str


pack = Pack("Labour", settings=Greeting, migrations=["CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)"])


def refuse(job):
    raise UserError("There are no people to plan for.", code="NO_PEOPLE", details={"people": 0})


def break_protocol(job):
    raise RequestError(-32603, "boom", "It went up in smoke.")


def stumble(job, secret):
    raise ValueError(secret)


def log_something(job, secret):
    logger = logging.getLogger("packhorse_labour")
    logger.info("the work goes on")
    try:
        stumble(job, secret)
    except ValueError:
        logger.exception("the work stumbled")


@dataclass
class Point:
    number: int
    day: date


@attrs.frozen
class Place:
    name: str
    point: Point


def give(job, kind):
    """Return what a tool may return."""
    point = Point(7, date(2026, 1, 31))
    return {
        "model": Consent(confirm=True),
        "dataclass": point,
        "attrs": Place("ada", point),
        "list": [Consent(confirm=True)],
        "text": "plain",
        "image": Image(b"\x89PNG"),
        "reply": Reply(Consent(confirm=True), [Text("Yes."), Link("a://b", "b")], {"key": 1}),
        "object": object(),
    }[kind]


def hoard(job):
    return len([bytes(2**20) for _ in range(2000)])


def die(job):
    import os

    os.abort()


def flood(job):
    return "x" * (17 * 2**20)


def environment(job):
    import os

    return sorted(os.environ)


def ask(job, folder):
    _line(folder, "asking")
    answers = job.ask({"sure": Elicit("Delete it?", Consent), "really": Elicit("Really?", Consent)})
    return [
        outcome.data.confirm if isinstance(outcome, Accepted) else type(outcome).__name__
        for outcome in (answers["sure"], answers["really"])
    ]


def lines(folder: Path) -> list[str]:
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def _line(folder: Any, text: str) -> None:
    with (Path(folder) / "log").open("a") as log:
        log.write(f"{text}\n")


def _work(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        sum(range(1000))
