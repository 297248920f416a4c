"""A long run as a job of the host: the run works in the server, through its door; its job looks after it from a child.

So the job's handle, progress, result and cancelling are the host's, and the
calls are judged like any others: a child process has no door to them.
"""

import json
import signal
import time
from importlib.util import find_spec
from typing import Any, NoReturn

from packhorse import UserError
from packhorse.jobs import Running
from packhorse_pai.store.records import Records

LOOK_SECONDS = 0.25
"""How often the run's row is looked at."""

SILENCE_SECONDS = 30
"""How long a run may give no sign of life before its server counts as gone."""


class _Ended(BaseException):  # nothing that handles errors on the way may keep it
    """The host wants this process to end: the job was cancelled."""


def has_jobs() -> bool:
    """Whether the host can run jobs here: packhorse[jobs] is installed."""
    return find_spec("dbos") is not None


def watch(running: Running, *, run: str) -> dict[str, Any]:
    """The job: let the run begin, tell how far it is, and give its result. Cancelled, it cancels the run and all below.

    Raises:
        UserError: the server in which the run worked is gone.
    """
    records = Records(running.host)
    signal.signal(signal.SIGTERM, _end)
    try:
        records.watch(run, "go")
        heard, at = None, time.monotonic()
        while True:
            row = records.run(run)
            if row is None:
                raise UserError("This run no longer exists.", code="UNKNOWN_GOAL")
            running.report_progress(records.steps_below(run), None, f"{row['agent']}: {row['status']}")
            if row["result"] is not None:
                result: dict[str, Any] = json.loads(row["result"])
                return result
            if row["beat"] != heard:
                heard, at = row["beat"], time.monotonic()
            elif time.monotonic() - at > SILENCE_SECONDS:
                raise UserError(
                    f"The server stopped during the run {run}. What the run did is recorded. Start the run again.",
                    code="INTERRUPTED",
                )
            time.sleep(LOOK_SECONDS)
    except _Ended:
        records.watch(run, "cancel")
        raise


def _end(number: int, frame: object) -> NoReturn:
    raise _Ended
