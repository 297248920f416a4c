"""The child process of one job: ``python -m packhorse.jobs.child``, which takes its order as lines of JSON.

Standard input brings the order and the answers; when it ends, nobody wants the
result any more, and this process ends too. Standard output carries what the
function says and what is logged here, which the executor writes as it writes
its own lines; the function's own prints go to standard error.
"""

import importlib
import json
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NoReturn

from packhorse.errors import RequestError, UserError
from packhorse.jobs.results import kept, refused
from packhorse.jobs.running import Running
from packhorse.observe import logs
from packhorse.observe.log_lines import described
from packhorse.observe.pipes import claim

RESULT_LIMIT_BYTES = 16 * 2**20
"""The largest result of a job."""


def main() -> None:
    """Do what the first line says, and end."""
    pipes = claim()  # out of the way of whatever the function reads and prints
    orders, reports = os.fdopen(pipes.requests, "rb"), os.fdopen(pipes.answers, "wb")
    order = json.loads(orders.readline())
    answers: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders, answers), daemon=True).start()
    writing = threading.Lock()

    def send(message: Mapping[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False).encode() + b"\n"
        with writing:
            reports.write(line)
            reports.flush()

    logs.hand_over(lambda record: send({"log": record}), order.get("log_level", logging.WARNING))
    sys.path[:] = order["path"]
    _limit(order["memory_mb"])
    send(_outcome(order, Running(order["job_id"], send, answers.get, described=order["host"])))
    reports.flush()
    # Threads and finalisers of the work have nothing to add any more, and may hang.
    os._exit(0)


def _outcome(order: Mapping[str, Any], running: Running) -> Mapping[str, Any]:
    try:
        result = kept(_named(order["run"])(running, **order["arguments"]))
        size = len(json.dumps(result, allow_nan=False).encode())
        if size > RESULT_LIMIT_BYTES:
            return refused(
                UserError(
                    f"The result would have {size:,} bytes; the limit for a job is {RESULT_LIMIT_BYTES:,}. Ask for"
                    " less at a time.",
                    code="ANSWER_TOO_LARGE",
                )
            )
    except UserError as refusal:
        return refused(refusal)
    except RequestError as error:
        return {"error": {"code": error.code, "message": error.message, "data": {"error_type": error.error_type}}}
    except MemoryError:
        return {"out_of_memory": True}
    except BaseException as exc:
        # Whatever the work may raise is a bug there: its type and frames go to the log, and nothing to the caller.
        return {"bug": described(exc)}
    return {"result": result}


def _named(run: str) -> Callable[..., Any]:
    module, _, path = run.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    function: Callable[..., Any] = found
    return function


def _limit(memory_mb: int | None) -> None:
    """Bound the address space. Windows has no such limit for a process to set on itself."""
    if memory_mb is not None and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 2**20, memory_mb * 2**20))


def _listen(orders: BinaryIO, answers: "queue.SimpleQueue[Mapping[str, Any]]") -> NoReturn:
    for line in orders:
        answers.put(json.loads(line)["answers"])
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)  # with whatever the work has started
    os._exit(1)


if __name__ == "__main__":
    main()
