"""OpenTelemetry spans of calls, as a pack: one a dispatch, made where somebody records them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.contract.packs import Pack
from packhorse.errors import RequestError, UserError
from packhorse.traces import spans

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

pack = Pack(title="Traces of calls")


class Traces(Observer):
    """Puts a span around each call, where somebody records spans.

    A span says what was called and how it ended, and nothing of the caller but
    its kind, of the arguments and of an exception's words.
    """

    def __init__(self, tracer: "Callable[[], Tracer | None]" = spans.tracer) -> None:
        self._tracer = tracer
        self._open: dict[ObservedCall, tuple[AbstractContextManager[Span], Span]] = {}

    def arrives(self, call: ObservedCall) -> None:
        tracer = self._tracer()
        if tracer is None:
            return
        about = {
            "packhorse.kind": call.kind,
            "packhorse.name": call.name,
            "packhorse.pack": call.pack or UNKNOWN,
            "packhorse.principal.kind": call.principal.kind,
            "packhorse.request_id": call.request_id or "",
        }
        # Recorded by the API's own hand, an exception would bring its words and its whole traceback.
        scope = tracer.start_as_current_span(
            f"dispatch {call.kind} {call.name}",
            attributes=about,
            record_exception=False,
            set_status_on_exception=False,
        )
        self._open[call] = scope, scope.__enter__()

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        if not self._open or call not in self._open:
            return
        scope, span = self._open.pop(call)
        if isinstance(outcome.error, Exception):
            from opentelemetry.trace import StatusCode

            span.set_attribute("error.type", _word(outcome.error))
            span.set_status(StatusCode.ERROR)
        scope.__exit__(None, None, None)


def _word(exc: Exception) -> str:
    if isinstance(exc, UserError):
        return exc.code
    if isinstance(exc, RequestError):
        return exc.error_type
    return type(exc).__qualname__


@hookimpl
def register_observers() -> Sequence[Traces]:
    """What puts spans around calls."""
    return [Traces()]
