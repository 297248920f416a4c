"""Whether somebody records OpenTelemetry spans, and with which tracer.

Recording is the deployer's: an SDK, configured by the standard environment
variables.
"""

import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer, TracerProvider

_NAMED = "OTEL_PYTHON_TRACER_PROVIDER" in os.environ


def recording() -> bool:
    """Whether anybody records: what a span says need not be put together otherwise."""
    return tracer() is not None


def tracer() -> "Tracer | None":
    """The tracer of the process's provider; None where nobody records."""
    trace = sys.modules.get("opentelemetry.trace")  # a recorder has imported it
    if trace is None or (getattr(trace, "_TRACER_PROVIDER", trace) is None and not _NAMED):
        # Seen without asking for the provider: while there is none, that looks into the environment every time.
        return None
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
        return None
    return _tracer_of(provider)


@lru_cache(maxsize=4)  # the SDK takes a third of a whole span's time to make one
def _tracer_of(provider: "TracerProvider") -> "Tracer":
    return provider.get_tracer("packhorse")
