"""The pack's rows, in one."""

from packhorse_pai.store.approvals import ApprovalRows
from packhorse_pai.store.runs import RunRows
from packhorse_pai.store.trail import TrailRows


class Records(RunRows, ApprovalRows, TrailRows):
    """What outlives a call."""
