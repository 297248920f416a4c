"""What an observer hears: that a call arrives, begins to take effect, ends or is refused, and that a job ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from packhorse.contract.principal import Principal

UNKNOWN = "unknown"
"""The name and the pack of a call of something that is not offered: what the caller wrote is the caller's own text."""

OutcomeWord = Literal["ok", "asked", "refused", "denied", "limited", "timeout", "cancelled", "failed"]


@dataclass(eq=False, slots=True)
class ObservedCall:
    """One call: the same object from its arrival to its end, so that an observer can keep something by it.

    ``kind`` is tool, resource, prompt, route, completion, job or decision; of a refusal
    at the door auth or door, and the name is then the kind of error. ``offer``
    is what sort of offer the name is of. ``uri`` is a resource's as it is
    offered: of a template the template, never what was asked for.
    ``effectful``: the call may change something. ``arguments`` are a tool's,
    not validated yet, by ``schema``: what a caller wrote may be personal.
    ``job`` is the id of a job that ended. ``count`` is how many refusals of
    one caller this stands for. ``facts`` are the host's own words on what a
    person did outside of any call, and that person's reason.
    """

    kind: str
    name: str
    principal: Principal
    request_id: str | None
    pack: str | None = None
    address: str | None = None
    offer: str = ""
    uri: str | None = None
    effectful: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False)
    schema: Mapping[str, Any] | None = field(default=None, repr=False)
    job: str | None = None
    count: int = 1
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Outcome:
    """How a call ended.

    Answered; answered with a question; refused, and the caller can correct it;
    not for this caller; over a limit; out of time; its caller gone; by a bug.

    ``code`` is the refusal's own word, ``error`` the exception where there is one.
    """

    word: OutcomeWord
    code: str | None = None
    seconds: float = 0
    error: BaseException | None = field(default=None, repr=False)


class Observer:
    """Hears of every call. Override what is needed; what is not overridden costs a call nothing.

    All but `begins` must be quick, for they run on the event loop: of a call
    that has begun, an observer with a `begins` hears of the end in a worker
    thread too, and so is every observer of the end of a job. An exception is
    logged, and the call goes on; one from `begins` of an ``essential``
    observer stops the call before it takes effect.
    """

    essential: ClassVar[bool] = False
    groups_refusals: ClassVar[bool] = True
    """Whether refusals that one caller repeats are reported together, with their count."""

    @property
    def is_open(self) -> bool:
        """Whether it takes calls: a record need not be there while nothing is served."""
        return True

    @property
    def available(self) -> bool:
        """Whether calls can be observed now; a server is not ready while its essential observers are not."""
        return True

    def open(self, deployment: Any) -> None:
        """Get ready, before any call: the deployment is about to serve. A `PackError` stops the start."""

    def close(self) -> None:
        """Write what waits: no call follows."""

    def flush(self) -> None:
        """Write what waits, now."""

    def arrives(self, call: ObservedCall) -> None:
        """A call has come to the door; nothing of it has been checked."""

    def begins(self, call: ObservedCall) -> None:
        """A call that may change something has been admitted, and is about to take effect. In a worker thread."""

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        """A call has ended: answered, failed or refused (`Outcome` says which)."""

    def together(
        self, begun: Sequence[ObservedCall], ended: Sequence[tuple[ObservedCall, Outcome]]
    ) -> Mapping[ObservedCall, Exception]:
        """Calls that begin and calls that end at the same time; returns what went wrong, by call. In a worker thread.

        As `begins` and `ends` of each, unless it is overridden to write them in one piece.
        """
        failures: dict[ObservedCall, Exception] = {}
        for call, outcome in [*ended, *((call, None) for call in begun)]:
            try:
                self.begins(call) if outcome is None else self.ends(call, outcome)
            except Exception as exc:
                # Whatever an observer may raise concerns the one call.
                failures[call] = exc
        return failures

    def refused(self, call: ObservedCall, outcome: Outcome) -> None:
        """A request was refused before it became a call; as `ends` unless it is overridden."""
        self.ends(call, outcome)

    def noted(self, call: ObservedCall) -> None:
        """A person has decided something outside of any call; as `ends` unless it is overridden."""
        self.ends(call, Outcome("ok"))

    def job_ended(self, call: ObservedCall, outcome: Outcome) -> None:
        """A job has ended, under the request id of the call that started it; as `ends` unless it is overridden."""
        self.ends(call, outcome)
