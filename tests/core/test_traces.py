"""One span a dispatch: what it says, what it never says, and nothing where nobody records."""

import pytest

from packhorse.errors import AUTHORIZATION, RequestError, UserError
from packhorse.traces.spans import ATTRIBUTES, span

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed: no span can be looked at")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

CANARY = "canary-4b7f1c"
SAID = {"packhorse.kind": "tool", "packhorse.name": "age", "packhorse.pack": "moon"}


@pytest.fixture
def recorder():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider, exporter
    provider.shutdown()


def test_a_call_that_ends_well_leaves_one_span_without_a_status(recorder):
    provider, exporter = recorder

    with span("dispatch age", SAID, provider):
        pass

    (made,) = exporter.get_finished_spans()
    assert (made.name, dict(made.attributes), made.status.status_code) == ("dispatch age", SAID, StatusCode.UNSET)


def test_a_span_stands_under_the_one_that_is_current(recorder):
    provider, exporter = recorder

    with (
        provider.get_tracer("sdk").start_as_current_span("tools/call age"),
        span("dispatch age", SAID, provider),
        span("dispatch phase", SAID, provider),
    ):
        pass

    inner, middle, outer = exporter.get_finished_spans()
    assert (outer.parent, middle.parent, inner.parent) == (None, outer.context, middle.context)


@pytest.mark.parametrize(
    ("raised", "word"),
    [
        pytest.param(UserError(f"no {CANARY}", code="NAME_TOO_LONG"), "NAME_TOO_LONG", id="a refusal"),
        pytest.param(RequestError(AUTHORIZATION, "authorization", CANARY), "authorization", id="a denial"),
        pytest.param(KeyError(CANARY), "KeyError", id="a bug"),
    ],
)
def test_an_error_sets_the_status_and_its_kind_and_says_nothing_more(recorder, raised, word):
    provider, exporter = recorder

    with pytest.raises(type(raised)) as caught, span("dispatch age", SAID, provider):
        raise raised

    (made,) = exporter.get_finished_spans()
    assert caught.value is raised
    assert made.status.status_code is StatusCode.ERROR
    assert dict(made.attributes) == {**SAID, "error.type": word}
    assert not made.events
    assert CANARY not in made.to_json()


def test_what_a_span_may_not_say_is_left_out(recorder):
    provider, exporter = recorder

    with span("dispatch age", {**SAID, "packhorse.arguments": CANARY, "packhorse.principal.subject": CANARY}, provider):
        pass

    assert dict(exporter.get_finished_spans()[0].attributes) == SAID
    assert not any("argument" in key or "subject" in key for key in ATTRIBUTES)


def test_where_nobody_records_nothing_is_made():
    assert span("dispatch age", SAID) is span("dispatch phase", {})
