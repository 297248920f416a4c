"""Options of ``packhorse mount``: how what a server offers is served."""

import fnmatch
from collections.abc import Sequence
from typing import Any

import click

from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.mounts.accepted import KEYS, Mount
from packhorse.terminal import options

serving_options = options(
    click.option(
        "--only",
        multiple=True,
        metavar="PATTERN",
        help="Serve only what matches PATTERN, such as 'read_*'. A tool or prompt matches by its name without the"
        " prefix, a resource by its URI. Repeatable.",
    ),
    click.option(
        "--read-only",
        multiple=True,
        metavar="PATTERN",
        help="Treat a tool as read-only if its name without the prefix matches PATTERN. Repeatable.",
    ),
    click.option("--public", is_flag=True, help="Serve the tools also to callers without a token."),
    click.option("--role", multiple=True, help="Serve the tools only to callers with this role. Repeatable."),
    click.option("--limit", help="How often a caller may call each tool, such as 30/hour."),
    click.option(
        "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds that a call may take. Default: 30."
    ),
    click.option(
        "--message-bytes",
        type=click.IntRange(min=1024),
        help="The largest message that is accepted from the server, in bytes. Default: 8388608.",
    ),
)
"""What a mount is added with, and what can be set later."""


def chosen(
    *,
    only: Sequence[str],
    read_only: Sequence[str],
    public: bool,
    role: Sequence[str],
    limit: str | None,
    timeout: float | None,
    message_bytes: int | None,
) -> dict[str, Any]:
    """The fields of a mount that these options set.

    Raises:
        PackError: two of them do not go together, or a limit is none.
    """
    if public and role:
        raise PackError("give either --public or --role")
    if limit is not None:
        Limit.parse(limit)
    given: dict[str, Any] = {
        "only": tuple(only),
        "read_only": tuple(read_only),
        "limit": limit,
        "timeout_seconds": timeout,
        "message_bytes": message_bytes,
    }
    who = {"public": public, "roles": tuple(role)} if public or role else {}
    return {field: value for field, value in given.items() if value} | who


def check_matches(mount: Mount) -> None:
    """Check that each pattern of a mount matches something that its server offers.

    Raises:
        PackError: one does not.
    """
    offered = [item[KEYS[kind]] for kind, items in mount.offers.items() for item in items]
    tools = [tool["name"] for tool in mount.tools]
    for option, patterns, names in (("--only", mount.only, offered), ("--read-only", mount.read_only, tools)):
        for pattern in patterns:
            if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
                listed = ", ".join(names) or "nothing"
                raise PackError(f"{option} {pattern!r} matches nothing. The server offers: {listed}")
