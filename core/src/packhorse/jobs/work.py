"""The nouns: what is to be done, whose it is, and how far it has come."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from packhorse.contract.principal import Principal
from packhorse.errors import PackError

Status = Literal["queued", "working", "input_required", "completed", "failed", "cancelled"]

FINISHED: frozenset[Status] = frozenset({"completed", "failed", "cancelled"})

LEAST_URGENT = 100
"""Priorities go from 1, which runs first, to this."""

_NAMED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


@dataclass(frozen=True, slots=True)
class Work:
    """What a ``Tool(job=True)`` returns: the function to run in a child process, and its arguments.

    ``run`` is ``module:qualname`` of a function that the child can import;
    ``arguments`` are JSON, and its keyword arguments. It may run more than
    once (a machine can die between its last line and the note of its result),
    so what it changes it changes idempotently, by ``Running.job_id``.

    The same ``key`` from the same caller for the same tool is the same job,
    until that failed or was cancelled. ``priority`` 1 runs first.
    ``memory_mb`` is the child's address space and ``seconds`` its time (None:
    the deployment's). ``needs_tasks`` refuses clients that do not speak the tasks
    extension: work that asks questions has no other way to its caller.
    ``handle`` says the job's handle in the tool's own words: it is given what
    `packhorse.jobs.handle.handle_of` says, and its answer must fit the tool's
    ``output_schema``.
    """

    run: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    priority: int = 50
    memory_mb: int | None = None
    seconds: float | None = None
    needs_tasks: bool = False
    handle: Callable[[Mapping[str, Any]], Any] | None = None

    def __post_init__(self) -> None:
        if not _NAMED.fullmatch(self.run):
            raise PackError(f"Work: the parameter `run` must have the form module:qualname, not {self.run[:100]!r}")
        if not 1 <= self.priority <= LEAST_URGENT:
            raise PackError(f"Work {self.run!r}: priority must be from 1 (first) to {LEAST_URGENT}")
        if self.memory_mb is not None and self.memory_mb < 1:
            raise PackError(f"Work {self.run!r}: memory_mb must be at least 1")
        if self.seconds is not None and not self.seconds > 0:
            raise PackError(f"Work {self.run!r}: seconds must be above 0")
        try:
            json.dumps(self.arguments, allow_nan=False)
        except (TypeError, ValueError) as exc:
            raise PackError(f"Work {self.run!r}: its arguments are not JSON ({exc})") from exc


@dataclass(frozen=True, slots=True)
class Owner:
    """Who may look at a job: its creator, by issuer and verified subject, and those who ``sees_all``."""

    issuer: str
    subject: str
    sees_all: bool = field(default=False, compare=False)

    @property
    def is_known(self) -> bool:
        """Whether this is one caller, or the machine's own, and not any stranger."""
        return bool(self.subject) or self.issuer.startswith("local:")

    @classmethod
    def of(cls, principal: Principal, admins: frozenset[str] = frozenset({"ADMIN"})) -> Self:
        """The caller as an owner: of an agent's jobs, whom it works for.

        Callers without a verified subject share one; their job's id is their secret.
        """
        issuer = f"{(principal.acts_for or principal).kind}:{principal.claims.get('iss', '')}"
        return cls(issuer, principal.subject or "", principal.has_any(admins))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is, in units of the work's own."""

    done: float
    total: float | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job as the ledger has it. Instants are ISO 8601 in UTC; ``request_id`` is of the call that started it."""

    id: str
    tool: str
    run: str
    arguments: Mapping[str, Any]
    owner: Owner
    key: str
    priority: int
    memory_mb: int | None
    seconds: float | None
    status: Status
    epoch: int
    executor: str | None
    cancelling: bool
    progress: Progress | None
    questions: Mapping[str, Any]
    answers: Mapping[str, Any]
    result: Any
    error: Mapping[str, Any] | None
    created_at: str
    updated_at: str
    finished_at: str | None
    request_id: str | None = None

    @property
    def is_finished(self) -> bool:
        return self.status in FINISHED


Ended = Callable[[Job], None]
"""Told of a job that has ended, once, by the process that ended it."""
