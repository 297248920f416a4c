"""A view and an answer as a client gets them from the host: listed, called, read."""

from dataclasses import dataclass
from typing import Any

from mcp.client.client import Client

MIME_TYPE = "text/html;profile=mcp-app"


@dataclass(frozen=True)
class Served:
    """The page of a tool's view, and what the tool answered."""

    html: str
    arguments: dict[str, Any]
    result: dict[str, Any]


async def served(client: Client, tool: str, arguments: dict[str, Any]) -> Served:
    listed = next(one for one in (await client.list_tools()).tools if one.name == tool)
    uri = listed.meta["ui"]["resourceUri"]
    (contents,) = (await client.read_resource(uri)).contents
    assert contents.mime_type == MIME_TYPE
    result = await client.call_tool(tool, arguments)
    return Served(contents.text, arguments, result.model_dump(by_alias=True, mode="json", exclude_none=True))
