"""The SDK's spans: made where somebody records them, and otherwise not paid for."""

import subprocess
import sys

# A process of its own: a tracer provider can be set once.
RECORDED = """
import contextlib
import types

import anyio
from opentelemetry import trace

from packhorse import hookimpl
from packhorse.testing import client_for

made = []


class Recorder(trace.TracerProvider, trace.Tracer):
    def get_tracer(self, *args, **kwargs):
        return self

    def start_span(self, name, *args, kind=trace.SpanKind.INTERNAL, **kwargs):
        made.append((kind.name, name))
        return trace.INVALID_SPAN

    @contextlib.contextmanager
    def start_as_current_span(self, name, *args, **kwargs):
        yield self.start_span(name, *args, **{key: kwargs[key] for key in kwargs if key == "kind"})


def age(years: int) -> int:
    "Say an age again."
    return years


moon = types.ModuleType("moon")
moon.register_tools = hookimpl(lambda: [age])


async def main():
    async with client_for(moon=moon) as client:
        await client.call_tool("age", {"years": 4})
        trace.set_tracer_provider(Recorder())
        await client.call_tool("age", {"years": 5})


anyio.run(main)
print([name for kind, name in made if kind == "SERVER"])
"""


def test_a_provider_that_is_set_while_serving_gets_the_spans_from_then_on():
    said = subprocess.run([sys.executable, "-c", RECORDED], capture_output=True, text=True, timeout=60)

    assert said.stdout.strip() == "['tools/call age']", said.stderr
