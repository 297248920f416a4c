"""The log: its lines, the request they belong to, and what is never in them."""

import io
import json
import logging
import sqlite3
import subprocess
import sys
import threading
import unicodedata
import warnings

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.errors import PackError
from packhorse.observe import log_lines, logs

CANARY = "canary-4b7f1c"
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
ours = logging.getLogger("packhorse.dispatch")


pytestmark = [pytest.mark.usefixtures("logging_as_it_was"), pytest.mark.python]


class Log:
    """A log to read."""

    def __init__(self, level="info", **choices):
        self.stream = io.StringIO()
        logs.configure(level, stream=self.stream, **{"json": True, **choices})

    @property
    def text(self):
        return self.stream.getvalue()

    @property
    def entries(self):
        return [json.loads(line) for line in self.text.splitlines()]


def raising(exc):
    raise exc


def caught(exc):
    """The exception as it is where somebody has raised it."""
    try:
        raising(exc)
    except type(exc) as raised:
        return raised


def test_a_line_is_one_json_object_with_the_time_in_utc():
    log = Log()
    record = ours.makeRecord(ours.name, logging.INFO, "dispatch.py", 1, "denied %s", ("age",), None)
    record.created = 1767225600.1239
    record.tool, record.pack, record.outcome, record.ms = "age", "moon", "denied", 1.5
    record.request_id = "00ff"
    ours.handle(record)

    assert log.entries == [
        {
            "time": "2026-01-01T00:00:00.123Z",
            "level": "info",
            "logger": "packhorse.dispatch",
            "message": "denied age",
            "request_id": "00ff",
            "tool": "age",
            "pack": "moon",
            "outcome": "denied",
            "ms": 1.5,
        }
    ]


@given(st.text(max_size=300))
def test_any_message_is_one_line_and_can_be_read_back(message):
    log = Log()

    ours.info("%s", message)

    (line,) = log.text.splitlines()
    assert log.text == line + "\n"
    assert json.loads(line)["message"] == message


@given(st.text(max_size=300))
def test_no_message_can_look_like_a_second_line_on_a_terminal(message):
    log = Log(json=False)

    ours.info("%s", message)

    assert len(log.text.splitlines()) == 1
    assert not any(
        unicodedata.category(c) in ("Cc", "Cs") or unicodedata.bidirectional(c) in TURNING for c in log.text[:-1]
    )


def test_a_terminal_gets_text():
    log = Log(json=False)
    record = ours.makeRecord(ours.name, logging.WARNING, "", 1, "slow", (), (KeyError, caught(KeyError(CANARY)), None))
    record.created, record.request_id, record.tool = 1767225600.5, "00ff", "age"

    ours.handle(record)

    first, kind, *frames = log.text.splitlines()
    assert first == "2026-01-01T00:00:00.500Z WARNING packhorse.dispatch: slow tool=age [request 00ff]"
    assert kind == "  KeyError"
    assert [frame.split()[-1] for frame in frames] == ["caught", "raising"]


@pytest.mark.anyio
async def test_every_line_inside_a_call_carries_its_request_also_from_its_threads_and_tasks():
    log = Log()

    async def call(request):
        logs.request_id_var.set(request)
        await anyio.lowlevel.checkpoint()
        await anyio.to_thread.run_sync(logging.getLogger("moon").warning, request)
        ours.info(request)

    async with anyio.create_task_group() as tasks:
        for request in ("00aa", "00bb"):
            tasks.start_soon(call, request)
    ours.info("outside")

    assert sorted((entry["message"], entry.get("request_id")) for entry in log.entries) == [
        ("00aa", "00aa"),
        ("00aa", "00aa"),
        ("00bb", "00bb"),
        ("00bb", "00bb"),
        ("outside", None),
    ]


def test_a_record_that_names_its_request_keeps_it():
    log = Log()
    token = logs.request_id_var.set("00aa")

    ours.info("x", extra={"request_id": "00bb"})

    logs.request_id_var.reset(token)
    assert log.entries[0]["request_id"] == "00bb"


def chained():
    exc = caught(RuntimeError(f"while {CANARY}"))
    exc.__cause__ = caught(ValueError(CANARY))
    return exc


def underway():
    exc = caught(RuntimeError("x"))
    exc.__context__ = caught(ValueError(CANARY))
    return exc


def noted():
    exc = caught(ValueError("x"))
    exc.add_note(CANARY)
    return exc


@pytest.mark.parametrize("json", [pytest.param(True, id="json"), pytest.param(False, id="text")])
@pytest.mark.parametrize(
    "exc",
    [
        pytest.param(caught(ValueError(CANARY)), id="its words"),
        pytest.param(chained(), id="its cause"),
        pytest.param(underway(), id="what was being handled"),
        pytest.param(noted(), id="its notes"),
        pytest.param(caught(ExceptionGroup(CANARY, [ValueError(CANARY), chained()])), id="a group"),
        pytest.param(caught(OSError(2, CANARY, CANARY)), id="a file's name"),
        pytest.param(caught(UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY)), id="bytes that were read"),
    ],
)
def test_an_exceptions_words_are_in_no_line(exc, json):
    log = Log(json=json)

    ours.error("%s failed", "age", exc_info=exc)

    assert "age failed" in log.text
    assert type(exc).__name__ in log.text
    assert "raising" in log.text or "caught" in log.text
    assert CANARY not in log.text


def test_an_exception_is_its_kind_and_frames_with_its_cause_first():
    log = Log()

    ours.error("x", exc_info=chained())

    cause, last = log.entries[0]["exception"]
    assert (cause["type"], last["type"]) == ("ValueError", "RuntimeError")
    assert [frame.split(" ")[1] for frame in cause["frames"]] == ["caught", "raising"]
    assert all(frame.split(":")[0].endswith("test_logs") for frame in cause["frames"])
    assert cause.keys() == {"type", "frames"}


def test_an_exception_that_was_hidden_on_purpose_stays_hidden():
    exc = underway()
    exc.__suppress_context__ = True
    log = Log()

    ours.error("x", exc_info=exc)

    assert [told["type"] for told in log.entries[0]["exception"]] == ["RuntimeError"]


def test_a_runaway_recursion_is_told_by_both_its_ends():
    def deeper(n):
        return deeper(n - 1) if n else raising(ValueError())

    log = Log()
    try:
        deeper(200)
    except ValueError:
        ours.exception("x")

    frames = log.entries[0]["exception"][0]["frames"]
    assert len(frames) == log_lines.FIRST_FRAMES + 1 + log_lines.LAST_FRAMES
    assert frames[0].endswith("told_by_both_its_ends")
    assert frames[-1].endswith("raising")


def test_a_chain_that_bites_its_tail_ends():
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    log = Log()

    ours.error("x", exc_info=one)

    assert [told["type"] for told in log.entries[0]["exception"]] == ["KeyError", "ValueError"]


def test_the_systems_own_word_for_a_failure_is_told():
    log = Log()
    with sqlite3.connect(":memory:") as database, pytest.raises(sqlite3.OperationalError) as refused:
        database.execute(f"select '{CANARY}' from nowhere")
    database.close()

    ours.error("x", exc_info=caught(ConnectionRefusedError(111, CANARY)))
    ours.error("x", exc_info=refused.value)

    assert [entry["exception"][0]["detail"] for entry in log.entries] == ["ECONNREFUSED", "SQLITE_ERROR"]


def test_a_deployers_mistake_is_told_in_its_words_masked_all_the_same():
    log = Log(mask=lambda text: text.replace(CANARY, "***"))

    ours.error("x", exc_info=caught(PackError(f"[packs.moon] has {CANARY}")))

    assert log.entries[0]["exception"][0]["text"] == "[packs.moon] has ***"


@pytest.mark.parametrize("json", [pytest.param(True, id="json"), pytest.param(False, id="text")])
def test_the_mask_goes_over_messages_their_values_and_fields(json):
    log = Log(json=json, mask=lambda text: text.replace(CANARY, "***"))

    ours.info(f"a {CANARY}")
    ours.info("b %s %r", CANARY, {"name": CANARY})
    ours.info("c", extra={"subject": CANARY, "request_id": CANARY, "tool": CANARY})

    assert log.text.count("***") == 6
    assert CANARY not in log.text


def test_a_field_that_is_not_known_is_left_out():
    log = Log()

    ours.info("x", extra={"arguments": {"name": CANARY}, "result": CANARY, "tool": [CANARY], "ms": float("nan")})

    assert log.entries[0].keys() == {"time", "level", "logger", "message"}


def test_where_the_mask_fails_nothing_is_shown():
    log = Log(mask=lambda text: raising(ValueError(text)))

    ours.info("a %s", CANARY)

    assert log.entries[0]["message"] == log_lines.WITHHELD


def test_a_text_is_cut_after_it_was_masked():
    edge = "x" * (log_lines.LONGEST_TEXT - 5)
    log = Log(mask=lambda text: text.replace(CANARY, "***"))

    ours.info("%s", edge + CANARY + "x" * 10_000)

    message = log.entries[0]["message"]
    assert len(message) == log_lines.LONGEST_TEXT
    assert message.endswith("***x…")


class Unprintable:
    def __str__(self):
        raise ValueError(CANARY)

    __repr__ = __str__


@pytest.mark.parametrize(
    ("message", "values"),
    [
        pytest.param("%d in all", (CANARY,), id="a value of another kind"),
        pytest.param("%s and %s", (CANARY,), id="a value too few"),
        pytest.param("%s", (Unprintable(),), id="a value that cannot be written"),
        pytest.param(Unprintable(), (), id="a message that cannot be written"),
    ],
)
def test_a_record_that_does_not_fit_is_still_a_line_and_shows_no_value(message, values, capsys):
    log = Log()

    ours.info(message, *values)

    assert log.entries[0]["message"].endswith("[its values do not fit]")
    assert CANARY not in log.text
    assert capsys.readouterr().err == ""


def test_a_log_that_cannot_be_written_stops_nobody(capsys):
    log = Log()
    log.stream.close()

    ours.info("a %s", CANARY)

    assert capsys.readouterr() == ("", "")


def test_the_last_configuration_holds():
    first = Log()
    second = Log("warning")

    ours.info("a")
    ours.warning("b")

    assert first.text == ""
    assert [entry["message"] for entry in second.entries] == ["b"]


@pytest.mark.parametrize("name", logs.OWN_HANDLERS)
def test_a_server_that_brought_its_own_handlers_writes_through_ours(name):
    past = io.StringIO()
    logging.getLogger(name).addHandler(logging.StreamHandler(past))
    logging.getLogger(name).propagate = False
    log = Log(mask=lambda text: text.replace(CANARY, "***"))

    logging.getLogger(name).error("a %s", CANARY)

    assert past.getvalue() == ""
    assert log.entries[0]["message"] == "a ***"


@pytest.mark.parametrize(
    ("name", "level", "heard"),
    [
        pytest.param("packhorse.dispatch", "debug", True, id="the host's debug"),
        pytest.param("packhorse_locator.service", "debug", True, id="a pack's debug"),
        pytest.param("hpack", "debug", False, id="a library's debug"),
        pytest.param("moon", "info", True, id="a pack of another name"),
        pytest.param("httpx", "info", False, id="addresses with their queries"),
        pytest.param("mcp.server.streamable_http", "info", False, id="the SDK's news"),
        pytest.param("mcp.server.streamable_http", "warning", True, id="the SDK's warnings"),
        pytest.param("uvicorn.access", "info", False, id="access lines"),
        pytest.param("uvicorn.error", "info", True, id="the HTTP server's news"),
    ],
)
def test_at_debug_libraries_that_repeat_messages_stay_quiet(name, level, heard):
    log = Log("debug")

    getattr(logging.getLogger(name), level)(CANARY)

    assert bool(log.text) is heard


def test_what_the_event_loop_says_of_a_failed_task_ends_before_its_exceptions_words():
    log = Log()

    logging.getLogger("asyncio").error(
        f"Task exception was never retrieved\nfuture: <Task finished exception=ValueError({CANARY!r})>",
        exc_info=caught(ValueError(CANARY)),
    )

    assert log.entries[0]["message"] == "Task exception was never retrieved"
    assert CANARY not in log.text


def test_a_warning_is_a_line_that_names_its_kind_and_place(capsys):
    log = Log()
    warnings.simplefilter("always")

    warnings.warn(f"expected int, got {CANARY}", UserWarning, stacklevel=1)

    assert log.entries[0]["message"].startswith("UserWarning at ")
    assert CANARY not in log.text + "".join(capsys.readouterr())


def test_an_exception_that_ends_a_thread_is_a_line(capsys):
    log = Log()

    thread = threading.Thread(target=raising, args=(ValueError(CANARY),))
    thread.start()
    thread.join()

    assert (log.entries[0]["level"], log.entries[0]["exception"][0]["type"]) == ("error", "ValueError")
    assert CANARY not in log.text + "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "exc", [pytest.param("ValueError", id="a bug"), pytest.param("KeyboardInterrupt", id="stopped")]
)
def test_an_exception_that_ends_the_process_is_a_line_unless_it_was_stopped(exc):
    program = f"from packhorse.observe import logs; logs.configure('info', json=True); raise {exc}('{CANARY}')"

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert ended.returncode != 0
    if exc == "ValueError":
        assert json.loads(ended.stderr)["level"] == "critical"
        assert CANARY not in ended.stderr
    else:
        assert "KeyboardInterrupt" in ended.stderr
