"""One client's pipe, and one server after another behind it: for an author who edits while a client is connected.

The client notices nothing but that lists changed. A new server is started
first, hears what the client said when it connected, and takes over once it
answers; one that does not is given up, and the old one goes on. Calls that the
old one was answering it may still answer.
"""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

import mcp_types as wire
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp_types.version import LATEST_MODERN_VERSION

logger = logging.getLogger("packhorse.reload")

LOOK_SECONDS = 0.4
START_SECONDS = 60
"""How long a new server may take to answer."""

END_SECONDS = 15
"""How long an old one may take to answer what it was asked before."""

_OWN = "packhorse-reload-"
"""How the ids of our own requests begin, which the client never sees answered."""

_LISTS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}

_RESTARTED = {"code": -32603, "message": "The server was started again after an edit before it answered. Call again."}

Message = dict[str, Any]


class _Server:
    """One process that serves, and what is open with it."""

    def __init__(self, command: Sequence[str], told: "Callable[[_Server, bytes], None]") -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        self.asked: set[Any] = set()
        """Requests of the client that it has not answered."""
        self.asking: set[Any] = set()
        """Its own requests to the client."""
        self.hidden: set[Any] = set()
        """Requests whose answers are not for the client."""
        self.answered = threading.Event()
        """Its first answer came, or it ended."""
        self._told = told
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, line: bytes) -> None:
        pipe = self.process.stdin
        try:
            if pipe is not None and not pipe.closed:
                pipe.write(line)
                pipe.flush()
        except OSError:
            pass  # it has ended, which its reader notices

    def close(self, seconds: float) -> None:
        """Let it answer what it was asked, and end."""
        try:
            if self.process.stdin is not None:
                self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._reader.join(seconds)

    def _read(self) -> None:
        if self.process.stdout is not None:
            for line in self.process.stdout:
                self._told(self, line)
        self.answered.set()


class Relay:
    """Between the client on standard input and output and the servers that ``command`` starts."""

    def __init__(self, command: Sequence[str], changed: Callable[[], bool], answers: BinaryIO) -> None:
        self._command = command
        self._changed = changed
        self._answers = answers
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._opening: list[bytes] = []
        """How a handshake-era client connected: initialize, then initialized and the level of its log."""
        self._modern = False
        self._listening: dict[Any, tuple[bytes, Message]] = {}
        self._subscribed: dict[Any, bytes] = {}
        self._acknowledged: set[Any] = set()
        """Streams that the client knows to be open: a second server says so again."""
        self._server = _Server(command, self._from_server)

    def run(self) -> int:
        """Serve until the client or the server ends; the server's exit status."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: self._ended.set())
        threading.Thread(target=self._read_client, daemon=True).start()
        while not self._ended.wait(LOOK_SECONDS):
            if self._server.process.poll() is not None:
                break
            if self._changed():
                self._replace()
        self._server.close(END_SECONDS)
        return self._server.process.returncode or 0

    # --- the client ---

    def _read_client(self) -> None:
        for line in sys.stdin.buffer:
            with self._lock:
                self._from_client(line)
        self._ended.set()

    def _from_client(self, line: bytes) -> None:
        message = _object(line)
        method, request = message.get("method"), _key(message.get("id"))
        params = _params(message)
        if method is None:
            if request not in self._server.asking:
                return  # an answer to a server that is gone
            self._server.asking.discard(request)
        elif method == "initialize":
            self._opening = [line]
        elif method in ("notifications/initialized", "logging/setLevel"):
            self._opening.append(line)
        elif method == "subscriptions/listen":
            self._listening[request] = (line, params.get("notifications") or {})
        elif method == "resources/subscribe":
            self._subscribed[params.get("uri")] = line
        elif method == "resources/unsubscribe":
            self._subscribed.pop(params.get("uri"), None)
        elif method == "notifications/cancelled":
            self._forget(_key(params.get("requestId")))
        self._modern = self._modern or wire.PROTOCOL_VERSION_META_KEY in (params.get("_meta") or {})
        if method is not None and request is not None:
            self._server.asked.add(request)
        self._server.send(line)

    def _forget(self, request: Any) -> None:
        self._server.asked.discard(request)
        self._listening.pop(request, None)
        self._acknowledged.discard(request)

    def _say(self, line: bytes) -> None:
        try:
            self._answers.write(line)
            self._answers.flush()
        except OSError:
            self._ended.set()

    # --- the servers ---

    def _from_server(self, server: _Server, line: bytes) -> None:
        message = _object(line)
        method, request = message.get("method"), _key(message.get("id"))
        with self._lock:
            if method is None:
                server.answered.set()
                if request in server.hidden:
                    server.hidden.discard(request)
                elif request in server.asked:
                    server.asked.discard(request)
                    if server is self._server:
                        self._listening.pop(request, None)
                    self._say(line)
                elif server is self._server:
                    self._say(line)
                return
            if server is not self._server:
                return
            if method == "notifications/subscriptions/acknowledged":
                stream = _key((_params(message).get("_meta") or {}).get(SUBSCRIPTION_ID_META_KEY))
                if stream in self._acknowledged:
                    return
                self._acknowledged.add(stream)
            if request is not None:
                server.asking.add(request)
            self._say(line)

    def _replace(self) -> None:
        """Start a new server; the client is its own once it answers."""
        new = _Server(self._command, self._from_server)
        with self._lock:
            if self._opening or self._modern:
                self._greet(new)
            else:
                new.answered.set()  # nothing has been said to any server yet
        until = time.monotonic() + START_SECONDS
        while not new.answered.wait(LOOK_SECONDS) and time.monotonic() < until and not self._ended.is_set():
            pass
        if not new.answered.is_set() or new.hidden or new.process.poll() is not None:
            new.process.kill()
            logger.error("the server does not start with this edit; the one from before it goes on")
            return
        with self._lock:
            old, self._server = self._server, new
            for line in self._opening[1:]:
                self._replay(line)
            for line in self._subscribed.values():
                self._replay(line)
            for request, (line, _) in self._listening.items():
                old.asked.discard(request)  # its streams go on with the new server
                new.asked.add(request)
                new.send(line)
            self._tell_of_lists()
        logger.info("the edit is served")
        threading.Thread(target=self._retire, args=(old,)).start()

    def _greet(self, new: _Server) -> None:
        if self._opening:
            new.hidden.add(_key(_object(self._opening[0]).get("id")))
            new.send(self._opening[0])
            return
        meta = {
            wire.PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
            wire.CLIENT_INFO_META_KEY: {"name": "packhorse-reload", "version": "0"},
            wire.CLIENT_CAPABILITIES_META_KEY: {},
        }
        request = f"{_OWN}discover"
        new.hidden.add(request)
        new.send(_line({"jsonrpc": "2.0", "id": request, "method": "server/discover", "params": {"_meta": meta}}))

    def _replay(self, line: bytes) -> None:
        message = _object(line)
        if "id" in message:
            message["id"] = f"{_OWN}{len(self._server.hidden)}"
            self._server.hidden.add(message["id"])
        self._server.send(_line(message))

    def _tell_of_lists(self) -> None:
        for kind, wanted in _LISTS.items():
            notice = {"jsonrpc": "2.0", "method": f"notifications/{kind}/list_changed"}
            if self._opening:
                self._say(_line(notice))
            for request, (_, asked) in self._listening.items():
                if asked.get(wanted):
                    self._say(_line({**notice, "params": {"_meta": {SUBSCRIPTION_ID_META_KEY: request}}}))

    def _retire(self, old: _Server) -> None:
        old.close(END_SECONDS)
        with self._lock:
            for request in old.asked:
                self._say(_line({"jsonrpc": "2.0", "id": request, "error": _RESTARTED}))


def _object(line: bytes) -> Message:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _params(message: Message) -> Message:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def _key(request: Any) -> Any:
    return request if isinstance(request, str | int) else None


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def serve(command: Sequence[str], changed: Callable[[], bool]) -> int:
    """Serve the client on standard input and output; the exit status of the last server.

    What is written by others in this process goes to standard error.
    """
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        return Relay(command, changed, answers).run()
