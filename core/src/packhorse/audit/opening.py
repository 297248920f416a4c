"""The audit record of a deployment, opened; or what stands in its place where it cannot be."""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from packhorse.contract.clock import Clock
from packhorse.door.call_log import Record
from packhorse.errors import PackError, PackhorseError
from packhorse.settings import Settings

if TYPE_CHECKING:
    from packhorse.audit.masking import Mask
    from packhorse.observe.events import Event, Outcome

logger = logging.getLogger("packhorse.audit")


class Open(Record, Protocol):
    """A record to be closed."""

    def close(self) -> None: ...


def open_record(settings: Settings, clock: Clock, mask: "Mask") -> Open:
    """The record that [audit] describes.

    One that the deployer asked for must open. Where [audit] says nothing, what
    only reads is served without it; what may change something is refused, by
    `Unwritable`.

    Raises:
        PackError: it cannot be opened, and [audit] asks for it.
    """
    from packhorse.audit.log import AuditLog

    audit = settings.audit
    try:
        return AuditLog.open(
            settings.audit_path,
            anchor=audit.anchor,
            key=audit.key.get_secret_value().encode() if audit.key else None,
            full_sync=audit.full_sync,
            clock=clock,
            mask=mask,
        )
    except PackhorseError as exc:
        if audit.model_fields_set:
            raise PackError(f"the audit record cannot be opened: {exc}") from exc
        logger.error("%s; calls that may change something are refused until it can be written", exc)  # noqa: TRY400 - said in words
        return Unwritable()


class Unwritable:
    """Stands where no record could be opened: no call that may change something runs."""

    available = False

    def allowed(self, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    def begin(self, event: "Event") -> str:
        from packhorse.audit.record import AuditUnavailable

        raise AuditUnavailable

    def end(self, event_id: str, outcome: "Outcome") -> None:
        """Nothing was begun."""

    def flush(self) -> None:
        """Nothing waits."""

    def note(self, event: "Event | Callable[[], Event]", outcome: "Outcome") -> None:
        """There is nowhere to write it, which was said when the server started."""

    def close(self) -> None:
        """Nothing is open."""
