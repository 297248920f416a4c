"""The pack that replicas serve in these tests: a question, a subscription, a limit, a job, notes, and a kept answer."""

WARD = '''
import os
import time
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel

from packhorse import *
from packhorse.jobs import Work


class Name(BaseModel):
    name: str


def ask_name() -> Elicit[Name]:
    return Elicit("Who?", Name)


def greet(name: Annotated[Name, Resolve(ask_name)]) -> str:
    """Greet whoever says the name."""
    return f"Hello {name.name}"


def process() -> int:
    """Say which process answers."""
    return os.getpid()


def echo(text: str) -> str:
    """Give back what was given."""
    return text


def slowly(seconds: float) -> str:
    """Answer after a while."""
    time.sleep(seconds)
    return "slowly"


async def touch(ctx: Context) -> str:
    """Say that the board is not what it was."""
    await ctx.notify_resource_updated("ward://board")
    return "touched"


async def change(ctx: Context) -> str:
    """Say that the tools are not what they were."""
    await ctx.notify_changed("tools")
    return "changed"


def scarce() -> str:
    """Answer, but not often."""
    return "here"


def plan(seconds: float, marks: str) -> Work:
    """Work for a while, in a process of its own."""
    return Work("seeded_ward:work", {"seconds": seconds, "marks": marks})


def work(job, seconds, marks):
    job.report_progress(0, 1)
    time.sleep(seconds)
    with Path(marks).open("a") as file:
        file.write(f"{job.job_id}\\n")
    return {"done": job.job_id}


@hookimpl
def register_tools(host):
    def note(id: str) -> str:
        """Keep a note, once."""
        with host.store() as store, store.tx():
            if store.query("SELECT id FROM notes WHERE id = :id", id=id):
                raise UserError("That note is there already.", code="ALREADY")
            store.execute("INSERT INTO notes (id, process) VALUES (:id, :process)", id=id, process=os.getpid())
        return id

    def notes() -> list[str]:
        """Every note."""
        with host.store() as store:
            return [row["id"] for row in store.query("SELECT id FROM notes ORDER BY id")]

    def how_many() -> int:
        """How many notes there are: an answer that is kept."""
        return len(notes())

    reading = dict(public=True, read_only=True)
    return [
        *(Tool(fn=fn, public=True) for fn in (greet, touch, change, note)),
        *(Tool(fn=fn, **reading) for fn in (process, echo, slowly, notes)),
        Tool(fn=how_many, ttl=3600, **reading),
        Tool(fn=scarce, limit="5/hour", **reading),
        Tool(fn=plan, public=True, job=True),
    ]


@hookimpl
def register_resources():
    return [Resource(uri="ward://board", fn=lambda: "board", name="board", subscribable=True, public=True)]


pack = Pack("Ward", migrations=["CREATE TABLE notes (id TEXT PRIMARY KEY, process INTEGER NOT NULL)"])
'''
