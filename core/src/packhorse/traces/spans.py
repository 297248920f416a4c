"""One OpenTelemetry span a dispatch, made where somebody records them.

Recording is the deployer's: an SDK, configured by the standard environment
variables. A span says what was called and how it ended, and nothing of the
caller but its kind, of the arguments and of an exception's words.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING

from packhorse.errors import RequestError, UserError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer, TracerProvider

ATTRIBUTES = frozenset(
    {
        "packhorse.kind",
        "packhorse.name",
        "packhorse.pack",
        "packhorse.principal.kind",
        "packhorse.request_id",
    }
)
"""What a span may say. Anything else is left out, so that no caller of `span` can give away more."""

_SCOPE = "packhorse"
_NOTHING = nullcontext()
_NAMED = "OTEL_PYTHON_TRACER_PROVIDER" in os.environ


def span(
    name: str, attributes: Mapping[str, str], provider: "TracerProvider | None" = None
) -> AbstractContextManager[None]:
    """A span around the block, under the one that is current; nothing where nobody records.

    An exception that leaves the block gives it the status ERROR and
    ``error.type``: the code of a refusal, else the exception's kind.
    ``provider`` is the process's own when None.
    """
    tracer = _tracer(provider)
    return _NOTHING if tracer is None else _recorded(tracer, name, attributes)


def recording() -> bool:
    """Whether anybody records: what a span says need not be put together otherwise."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None or (getattr(trace, "_TRACER_PROVIDER", trace) is None and not _NAMED):
        # Seen without asking for the provider: while there is none, that looks into the environment every time.
        return False
    return _tracer(None) is not None


def _tracer(provider: "TracerProvider | None") -> "Tracer | None":
    if provider is None:
        # A recorder has imported it.
        trace = sys.modules.get("opentelemetry.trace")
        if trace is None:
            return None
        provider = trace.get_tracer_provider()
        if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
            return None
    return _tracer_of(provider)


@lru_cache(maxsize=4)  # the SDK takes a third of a whole span's time to make one
def _tracer_of(provider: "TracerProvider") -> "Tracer":
    return provider.get_tracer(_SCOPE)


@contextmanager
def _recorded(tracer: "Tracer", name: str, attributes: Mapping[str, str]) -> Iterator[None]:
    from opentelemetry.trace import StatusCode

    kept = {key: value for key, value in attributes.items() if key in ATTRIBUTES}
    # Recorded by the API's own hand, an exception would bring its words and its whole traceback.
    with tracer.start_as_current_span(
        name, attributes=kept, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except Exception as exc:
            current.set_attribute("error.type", _word(exc))
            current.set_status(StatusCode.ERROR)
            raise


def _word(exc: Exception) -> str:
    if isinstance(exc, UserError):
        return exc.code
    if isinstance(exc, RequestError):
        return exc.error_type
    return type(exc).__qualname__
