"""OpenTelemetry spans, as a pack."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.contract.offers import Pack
from packhorse.traces.spans import recording, span

pack = Pack(title="Traces of calls")


class Traces(Observer):
    """Puts a span around each call, where somebody records spans."""

    def __init__(self) -> None:
        self._spans: dict[ObservedCall, AbstractContextManager[None]] = {}

    def arrives(self, call: ObservedCall) -> None:
        if not recording():
            return
        traced = self._spans[call] = span(
            f"dispatch {call.kind} {call.name}",
            {
                "packhorse.kind": call.kind,
                "packhorse.name": call.name,
                "packhorse.pack": call.pack or UNKNOWN,
                "packhorse.principal.kind": call.principal.kind,
                "packhorse.request_id": call.request_id or "",
            },
        )
        traced.__enter__()

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        if self._spans and (traced := self._spans.pop(call, None)) is not None:
            error = outcome.error
            traced.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)


@hookimpl
def register_observers() -> Sequence[Traces]:
    """What puts spans around calls."""
    return [Traces()]
