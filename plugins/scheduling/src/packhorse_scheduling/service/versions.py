"""Which state of the data a call acts on, as text to compare; and whether it is still that one."""

from typing import TYPE_CHECKING

from packhorse import UserError, expected_version
from packhorse_scheduling.errors import CONSTRAINT

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.roster import Schedule
    from packhorse_scheduling.store import Rosters

NONE_YET = "no schedule"
"""The version where nothing is published."""


def version_of(schedule: "Schedule | None") -> str:
    """A schedule's id and number, and its programme, which leave recorded since has changed."""
    return NONE_YET if schedule is None else f"{schedule.id} v{schedule.version} of {schedule.programme}"


def replaced(rosters: "Rosters") -> str:
    """What publishing replaces: the version in force, and the programme imported last, by which the draft is judged."""
    return f"{version_of(rosters.published())}, programme {rosters.newest_programme_id()}"


def check_expected(schedule: "Schedule | None") -> None:
    """Let pass a write to the state that the call was judged on; ask in the transaction that writes.

    Raises:
        UserError: it was judged on another; nothing is written.
    """
    check_version(version_of(schedule))


def check_version(version: str) -> None:
    """The same, for a version that is more than a schedule's own."""
    meant = expected_version()
    if meant is not None and meant != version:
        raise UserError(
            "Another change was made at the same moment, so nothing was written. Look at the schedule again.",
            code="STALE",
            jsonrpc_code=CONSTRAINT,
        )
