"""One span a dispatch: what it says, what it never says, and nothing where nobody records."""

import pytest

from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.contract.principal import Principal
from packhorse.errors import AUTHORIZATION, RequestError, UserError
from packhorse.traces.pack import Traces

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed: no span can be looked at")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

CANARY = "canary-4b7f1c"
SAID = {
    "packhorse.kind": "tool",
    "packhorse.name": "age",
    "packhorse.pack": "moon",
    "packhorse.principal.kind": "human",
    "packhorse.request_id": "r-1",
}


def call():
    caller = Principal("human", CANARY, claims={"iss": CANARY})
    return ObservedCall("tool", "age", caller, "r-1", pack="moon", arguments={"years": CANARY})


@pytest.fixture
def recorder():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("packhorse")
    yield tracer, Traces(lambda: tracer), exporter
    provider.shutdown()


@pytest.mark.parametrize(
    ("raised", "word"),
    [
        pytest.param(None, None, id="an answer"),
        pytest.param(UserError(f"no {CANARY}", code="NAME_TOO_LONG"), "NAME_TOO_LONG", id="a refusal"),
        pytest.param(RequestError(AUTHORIZATION, "authorization", CANARY), "authorization", id="a denial"),
        pytest.param(KeyError(CANARY), "KeyError", id="a bug"),
    ],
)
def test_a_call_leaves_one_span_that_says_how_it_ended_and_nothing_more(recorder, raised, word):
    _, traces, exporter = recorder
    traces.arrives(age := call())
    traces.ends(age, Outcome("failed" if raised else "ok", error=raised))

    (made,) = exporter.get_finished_spans()
    assert made.name == "dispatch tool age"
    assert made.status.status_code is (StatusCode.ERROR if raised else StatusCode.UNSET)
    assert dict(made.attributes) == SAID | ({"error.type": word} if word else {})
    assert not made.events
    assert CANARY not in made.to_json()


def test_a_span_stands_under_the_one_that_is_current(recorder):
    tracer, traces, exporter = recorder
    outer, inner = call(), call()
    with tracer.start_as_current_span("tools/call age"):
        traces.arrives(outer)
        traces.arrives(inner)
        traces.ends(inner, Outcome("ok"))
        traces.ends(outer, Outcome("ok"))

    lowest, middle, top = exporter.get_finished_spans()
    assert (top.parent, middle.parent, lowest.parent) == (None, top.context, middle.context)


def test_where_nobody_records_nothing_is_kept():
    traces = Traces()
    traces.arrives(call())
    assert not traces._open
