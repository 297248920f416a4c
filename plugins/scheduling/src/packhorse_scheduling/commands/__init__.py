"""``packhorse scheduling ...``: what a coordinator does at a terminal."""

from collections.abc import Sequence

import click

from packhorse import Host
from packhorse_scheduling.commands.changes import change_commands
from packhorse_scheduling.commands.filing import filing_commands
from packhorse_scheduling.commands.inbox import inbox_command, wishes_command
from packhorse_scheduling.commands.policies import policy_command
from packhorse_scheduling.commands.reading import read_command
from packhorse_scheduling.commands.rosters import roster_commands
from packhorse_scheduling.commands.shifts import roster_command
from packhorse_scheduling.commands.swaps import swap_command
from packhorse_scheduling.service import RosterDesk


def commands(host: Host) -> Sequence[click.Command]:
    """The commands of the pack."""
    desk = RosterDesk(host)
    return [
        *filing_commands(desk),
        read_command(),
        *roster_commands(desk),
        *change_commands(desk),
        swap_command(desk),
        inbox_command(desk),
        wishes_command(desk),
        policy_command(desk),
        roster_command(),
    ]
