"""The audit record as an observer of calls: nothing is changed that it cannot write down first."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from packhorse.audit.masking import Mask
from packhorse.contract.clock import Clock
from packhorse.contract.observers import ObservedCall, Observer, Outcome
from packhorse.errors import AuditUnavailable, PackError, PackhorseError
from packhorse.settings import Settings

if TYPE_CHECKING:
    from packhorse.audit.log import AuditLog

logger = logging.getLogger("packhorse.audit")


class Audit(Observer):
    """Writes calls into the record that [audit] describes, from `open` to `close`."""

    essential = True

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._begun: dict[ObservedCall, str] = {}
        self.log: AuditLog | None = None
        self.is_lost = False
        """Whether no record could be opened, so that nothing may be changed."""

    @property
    def is_open(self) -> bool:
        return self.log is not None or self.is_lost

    @property
    def available(self) -> bool:
        return self.log.available if self.log is not None else not self.is_lost

    def open(self, deployment: Any) -> None:
        if deployment.catalogue.entries:
            self.open_masked(deployment.mask())

    def open_masked(self, mask: Mask) -> None:
        """Open the record, or stand in for it.

        One that the deployer asked for must open. Where [audit] says nothing,
        what only reads is served without it; what may change something is
        refused.

        Raises:
            PackError: it cannot be opened, and [audit] asks for it.
        """
        from packhorse.audit.log import AuditLog

        audit = self._settings.audit
        try:
            self.log = AuditLog(
                self._settings.audit_path,
                anchor=audit.anchor,
                key=audit.secret,
                full_sync=audit.full_sync,
                clock=self._clock,
                mask=mask,
            )
        except PackhorseError as exc:
            if audit.model_fields_set:
                raise PackError(f"the audit record cannot be opened: {exc}") from exc
            logger.error("%s; calls that may change something are refused until it can be written", exc)  # noqa: TRY400 - said in words
            self.is_lost = True

    def close(self) -> None:
        self.is_lost = False
        if self.log is not None:
            self.log.close()
            self.log = None

    def flush(self) -> None:
        if self.log is not None:
            self.log.flush()

    def together(
        self, begun: Sequence[ObservedCall], ended: Sequence[tuple[ObservedCall, Outcome]]
    ) -> Mapping[ObservedCall, Exception]:
        if self.is_lost:
            return dict.fromkeys(begun, AuditUnavailable())
        if self.log is None:
            return {}
        for call, outcome in ended:
            if call not in self._begun:
                self.ends(call, outcome)
        ends = [(self._begun.pop(call), outcome) for call, outcome in ended if call in self._begun]
        rows = self.log.write(begun, ends)
        failures: dict[ObservedCall, Exception] = {}
        for call, row in zip(begun, rows, strict=True):
            if row is None:
                failures[call] = AuditUnavailable()
            else:
                self._begun[call] = row
        return failures

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.log is None or call.pack is None:  # of what is not offered, the name is the caller's own text
            return
        self.log.note(call, outcome)

    def refused(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.log is not None:
            self.log.note(call, outcome)

    def job_ended(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.log is not None:
            self.log.note(call, outcome)
            self.log.flush()

    def noted(self, call: ObservedCall) -> None:
        self.job_ended(call, Outcome("ok"))
