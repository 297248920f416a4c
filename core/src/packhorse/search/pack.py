"""Search for tools, as a pack; it offers nothing where every tool is listed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    from packhorse.contract.offers import Tool

pack = Pack(title="Search for tools")


@hookimpl
def register_tools(host: Host) -> "Sequence[Tool]":
    """``search_tools``."""
    if host.settings.server.tools == "all":
        return []
    from packhorse.search.offer import search_tool

    return [search_tool()]
