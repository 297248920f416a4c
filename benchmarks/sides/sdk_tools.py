"""The bare SDK's server with the tools of the five packs: ``python sdk_tools.py FOLDER``, the packs' data in FOLDER.

What a start costs without the host, when the same modules are imported and
the same functions offered, each with the schemas that the SDK makes of it. It
is given less to do: no resources, prompts, settings or guards, and of answers
the model alone.
"""

import importlib
import inspect
import sys
import typing
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer

from packhorse import Context, Host, Reply
from packhorse.compose.packs import choose, find

PACKS = ("scheduling", "circadian", "locator", "discovery", "pai")


def offered(module: Any, name: str, folder: Path) -> list[Any]:
    """The tools that a pack gives to a host with its default settings."""
    pack = module.pack
    settings = pack.settings() if pack.settings else None
    host = Host(name, data_dir=folder, settings=settings, migrations=pack.migrations)
    hook = module.register_tools
    return hook(host) if inspect.signature(hook).parameters else hook()


def plain(fn: Any) -> Any:
    """The function as the SDK can read it: without what only this host fills in, its answer without our envelope."""
    hints = typing.get_type_hints(fn, include_extras=True)
    returns = hints.pop("return", None)
    parts = typing.get_args(returns) or (returns,)
    data = [typing.get_args(part)[0] if typing.get_origin(part) is Reply else part for part in parts]
    signature = inspect.signature(fn)
    kept = [
        one.replace(annotation=hints.get(one.name, Any))
        for one in signature.parameters.values()
        if one.kind is not one.VAR_KEYWORD and _is_data(hints.get(one.name))
    ]

    async def called(**arguments: Any) -> Any:
        raise NotImplementedError("this server is only started")

    answer = data[0] if inspect.isclass(data[0]) else dict[str, Any]
    called.__signature__ = signature.replace(parameters=kept, return_annotation=answer)
    called.__annotations__ = {one.name: one.annotation for one in kept} | {"return": answer}
    return called


def _is_data(annotation: Any) -> bool:
    """Whether a caller gives it: the host fills in contexts and whatever is marked with a name of its own."""
    if Context in (annotation, *typing.get_args(annotation)):
        return False
    return not any(type(extra).__module__.startswith("packhorse.") for extra in getattr(annotation, "__metadata__", ()))


def main(folder: Path) -> None:
    """Serve them over stdio."""
    server = MCPServer("bench", log_level="WARNING")
    for found in choose(find(), PACKS):
        for offer in offered(importlib.import_module(found.module), found.name, folder):
            fn = getattr(offer, "fn", offer)
            name = getattr(offer, "name", None) or fn.__name__
            server.add_tool(plain(fn), name=name, description=inspect.getdoc(fn))
    server.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
