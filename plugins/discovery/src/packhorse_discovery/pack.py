"""The hooks of the discovery pack: its table of contents."""

from packhorse import Host, Pack, Tool, hookimpl

pack = Pack(title="Discovery")


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """None yet: the pack is installed, found and served, and offers nothing."""
    return []
