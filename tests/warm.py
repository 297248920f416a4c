"""Processes of packhorse that start in a third of the time: forked from one that has imported the libraries.

Two thirds of a start go into the modules of the protocol's SDK and of pydantic. `python -m packhorse`, as tests start
it with `subprocess`, asyncio or the SDK's client, the process of a job, as an engine in the test process starts it, and
a script of the tests are still children of the test process with their own standard streams, environment, folder and
limits, and import packhorse themselves. A start that asks for more than these, and every start on another system than
Linux, is an ordinary one.
"""

import ctypes
import gc
import importlib
import io
import json
import os
import resource
import runpy
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

LIBRARIES = ("mcp", "pydantic", "uvicorn", "starlette.applications", "pluggy", "packaging.requirements", "http.client")
"""What every server imports, whatever it serves."""

MOST_BYTES = 200_000
"""Of one start's arguments and environment: below what a packet between two sockets holds."""

JOB = ["-P", "-m", "packhorse.jobs.child"]
TESTS = str(Path(__file__).parent)
LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")
PR_SET_CHILD_SUBREAPER = 36


class Nursery:
    """The process whose forks are the processes under test."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        command = [sys.executable, __file__, str(theirs.fileno())]
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
        self.socket, self.lock = ours, threading.Lock()
        self.limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        theirs.close()

    def start(self, order: bytes, streams: list[int]) -> int:
        """The number of a process that is a child of this one."""
        with self.lock, adopting():
            socket.send_fds(self.socket, [order], streams)
            return int(self.socket.recv(100))


@cache
def nursery() -> Nursery:
    return Nursery()


@contextmanager
def adopting() -> Iterator[None]:
    """Meanwhile a process whose parent has ended becomes a child of this one, and not of the system's first."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


class Popen(subprocess.Popen):
    """`subprocess.Popen`, which takes a start of packhorse to the nursery where it can."""

    # What CPython's calls once it has made the pipes; its arguments are the same from 3.11 to 3.14.
    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest):
        streams, (_, gid, gids, uid, umask, new_session, group) = rest[3:9], rest[9:]
        order = None
        if not (executable or preexec_fn or pass_fds or rest[2] or group >= 0 or umask >= 0 or not close_fds):
            order = order_of(args, cwd, os.environ if env is None else env, new_session)
        if order is None or gid is not None or gids is not None or uid is not None:
            super()._execute_child(args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest)
            return
        stdin, _, _, stdout, _, stderr = streams
        given = [own if fd == -1 else fd for own, fd in enumerate((stdin, stdout, stderr))]
        self.args = args
        try:
            self.pid = nursery().start(order, given)
            self._child_created = True
        finally:
            self._close_pipe_fds(*streams)


def order_of(args, cwd, env, new_session) -> bytes | None:
    """What the nursery must know of a start; None where it is one for `subprocess` itself."""
    if not isinstance(args, list | tuple):  # asyncio gives a tuple
        return None
    args = [os.fspath(arg) for arg in args]
    script = args[:1] == [sys.executable] and len(args) > 1 and args[1].endswith(".py") and args[1].startswith(TESTS)
    if not script and args[:3] != [sys.executable, "-m", "packhorse"] and args != [sys.executable, *JOB]:
        return None
    env = {os.fsdecode(key): os.fsdecode(value) for key, value in env.items()}
    if env.get("PYTHONHASHSEED") == "random":
        del env["PYTHONHASHSEED"]  # as it is by default
    if any(key.startswith("PYTHON") and key != "PYTHONPATH" for key in env):
        return None
    if locale_of(env) != locale_of(os.environ):
        return None
    mask = os.umask(0o77)
    os.umask(mask)
    order = json.dumps(
        {
            "arguments": args,
            "folder": os.fspath(Path.cwd() / (cwd or "")),
            "environment": env,
            "mask": mask,
            "files": resource.getrlimit(resource.RLIMIT_NOFILE),
            "session": new_session,
        }
    ).encode()
    return order if len(order) <= MOST_BYTES else None


def locale_of(env) -> str:
    """That of texts; Python takes C.UTF-8 where none is named."""
    return next((env[key] for key in LOCALE if env.get(key)), "C.UTF-8")


# From here on, the nursery's own process.


def keep(control: socket.socket) -> str:
    """Fork as ordered; the module or script to run in a process that was ordered, none once nobody can order more."""
    while True:
        message, streams, _, _ = socket.recv_fds(control, MOST_BYTES, 3)
        if not message:
            return ""
        reading, writing = os.pipe()
        between = os.fork()
        if not between:
            number = os.fork()
            if not number:
                return become(json.loads(message), streams)
            os.write(writing, str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)  # only now has the new process another parent
        control.send(os.read(reading, 100))
        for number in (reading, writing, *streams):
            os.close(number)


def become(order, streams) -> str:
    """Take the streams, environment, folder and limits that were ordered; the module's name or the script's path."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    resource.setrlimit(resource.RLIMIT_NOFILE, order["files"])
    os.umask(order["mask"])
    if order["session"]:
        os.setsid()
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    sys.orig_argv = order["arguments"]
    _, *arguments = order["arguments"]
    added = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if arguments[0].endswith(".py"):
        what, sys.argv, added = arguments[0], arguments, [str(Path(arguments[0]).parent), *added]
    elif arguments == JOB:
        what, sys.argv = JOB[-1], ["-m"]
    else:
        what, sys.argv, added = "packhorse", ["-m", *arguments[2:]], [order["folder"], *added]
    sys.path[:0] = added
    importlib.invalidate_caches()
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        old = getattr(sys, name)
        raw = io.FileIO(number, "r" if name == "stdin" else "w", closefd=False)
        buffered = io.BufferedReader(raw) if name == "stdin" else io.BufferedWriter(raw)
        lines = name == "stderr" or raw.isatty()
        new = io.TextIOWrapper(buffered, old.encoding, old.errors, line_buffering=lines)
        new.mode = raw.mode
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    return what


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file, of which the processes know nothing
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.collect()
    gc.freeze()
    what = keep(socket.socket(fileno=int(sys.argv[1])))
    if what.endswith(".py"):
        runpy.run_path(what, run_name="__main__")
    elif what:
        runpy.run_module(what, run_name="__main__", alter_sys=True)
