"""What outlives a call: runs and their steps, approvals, facts, escalations, attempts, the kill switch."""

from packhorse_pai.store.approvals import Approval, ApprovalRows
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse_pai.store.runs import RunRows
from packhorse_pai.store.trail import TrailRows

__all__ = ["MIGRATIONS", "Approval", "Records"]


class Records(RunRows, ApprovalRows, TrailRows):
    """The pack's rows."""
