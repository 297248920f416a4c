"""The host's audit record: who called what, when, and how it ended; and proof that nobody changed it since."""

from packhorse.audit.allow import allowed
from packhorse.audit.extract import export, rows, tail
from packhorse.audit.keys import Keys
from packhorse.audit.log import AuditLog, anchor_of
from packhorse.audit.masking import Mask
from packhorse.audit.record import AuditTampered
from packhorse.audit.report import Report, verify
from packhorse.audit.retention import Pruned, prune
from packhorse.errors import AuditUnavailable

__all__ = [
    "AuditLog",
    "AuditTampered",
    "AuditUnavailable",
    "Keys",
    "Mask",
    "Pruned",
    "Report",
    "allowed",
    "anchor_of",
    "export",
    "prune",
    "rows",
    "tail",
    "verify",
]
