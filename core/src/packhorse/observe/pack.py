"""One line of the log for each call and each job's end, as a pack."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.observers import ObservedCall, Observer, Outcome
from packhorse.contract.packs import Pack
from packhorse.contract.principal import Principal

logger = logging.getLogger("packhorse.calls")


class CallLines(Observer):
    """Logs what was called, whose call it was, how it ended and how long it took. Nothing that it was given.

    At level info; of a call that ran out of time at level warning, because what it did is not known.
    """

    def __init__(self, pseudonym: Callable[[Principal], str | None]) -> None:
        self._pseudonym = pseudonym

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        level = logging.WARNING if outcome.word == "timeout" else logging.INFO
        if not logger.isEnabledFor(level):
            return
        line: dict[str, Any] = {
            call.offer: call.name,
            "principal": call.principal.kind,
            "outcome": outcome.word,
            "ms": round(outcome.seconds * 1000, 1),
            "request_id": call.request_id,
        }
        subject = self._pseudonym(call.principal)
        known = (("pack", call.pack), ("job", call.job), ("subject", subject), ("code", outcome.code))
        line |= {name: value for name, value in known if value is not None}
        if call.count > 1:
            line["count"] = call.count
        # Made without a look for the calling line, which would take longer than all the rest.
        logger.handle(logger.makeRecord(logger.name, level, "", 0, "%s", (call.kind,), None, extra=line))

    def refused(self, call: ObservedCall, outcome: Outcome) -> None:
        if call.pack is not None:  # those of no offer are in the record, and counted
            self.ends(call, outcome)


pack = Pack(title="A line of the log for each call")


@hookimpl
def register_observers(host: Host) -> Sequence[CallLines]:
    """What logs calls."""
    return [CallLines(host.pseudonym)]
