"""Where other clients keep their list of servers, and how an entry looks there.

Sources: Claude Code, code.claude.com/docs (``.mcp.json`` of a project; its own
file of a user is written by ``claude mcp add`` alone); Cursor,
cursor.com/docs/mcp; VS Code, code.visualstudio.com "MCP configuration
reference" (``servers``, ``type`` required); Codex, developers.openai.com/codex/mcp
(``[mcp_servers.NAME]`` of config.toml); Gemini CLI, docs/tools/mcp-server.md of
google-gemini/gemini-cli.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from packhorse.errors import UserError
from packhorse.publish import desktop, edits
from packhorse.publish.edits import Edit
from packhorse.publish.wanted import Entry, Remote

Scope = Literal["user", "project"]


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts servers from a file of its own."""

    name: str
    title: str
    project: str
    """Its file in the folder of a project."""
    again: str
    """What makes it read the file."""
    servers: str = "mcpServers"
    typed: bool = False
    """Whether an entry says of which type it is."""
    usual: Scope = "user"
    address: str = "url"
    """The key of a remote server's address."""
    variable: str | None = None
    """How a value names an environment variable, where the client puts its value in."""

    def path(self, scope: Scope, env: Mapping[str, str], home: Path, folder: Path) -> Path:
        if scope == "project":
            return folder / self.project
        match self.name:
            case "vscode":
                return _code_folder(env, home) / "mcp.json"
            case "codex":
                return Path(env.get("CODEX_HOME") or home / ".codex") / "config.toml"
            case _:
                return home / self.project

    def member(self, entry: Entry | Remote) -> dict[str, Any]:
        """An entry as this client's file has it.

        Raises:
            UserError: the client takes no token from a variable.
        """
        if isinstance(entry, Entry):
            return ({"type": "stdio"} if self.typed else {}) | entry.as_json()
        made: dict[str, Any] = ({"type": "http"} if self.typed else {}) | {self.address: entry.url}
        if entry.token_variable is None:
            return made
        if self.name == "codex":
            return made | {"bearer_token_env_var": entry.token_variable}
        if self.variable is None:
            raise UserError(
                f"{self.title} reads no token from an environment variable: leave out --token-env. It signs in where"
                " the server offers that, and asks for a token that its file names as an input.",
                code="CLIENT_TOKEN",
            )
        return made | {"headers": {"Authorization": f"Bearer {self.variable.format(entry.token_variable)}"}}

    def plan_install(self, path: Path, wanted: Iterable[Entry | Remote]) -> Edit:
        """As `edits.plan_install`, in this client's way."""
        return edits.plan_install(path, wanted, servers=self.servers, member=self.member)

    def plan_remove(self, path: Path, names: Sequence[str] = (), *, url: str | None = None) -> Edit:
        """As `edits.plan_remove`, in this client's way."""
        return edits.plan_remove(path, names, servers=self.servers, url=url)


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code", "Claude Code", ".mcp.json", "Start claude in this folder, and approve the server.",
            typed=True, usual="project", variable="${{{}}}",
        ),
        Client(
            "cursor", "Cursor", ".cursor/mcp.json", "Restart Cursor, and switch the server on under MCPs.",
            variable="${{env:{}}}",
        ),
        Client(
            "vscode", "VS Code", ".vscode/mcp.json", "Start the server in VS Code: 'MCP: List Servers'.",
            servers="servers", typed=True,
        ),
        Client("codex", "Codex", ".codex/config.toml", "Start codex again.", servers="mcp_servers"),
        Client(
            "gemini", "Gemini CLI", ".gemini/settings.json", "Start gemini again.", address="httpUrl", variable="${}",
        ),
    )
}  # fmt: skip


DESKTOP = Client(
    "desktop", "Claude Desktop", desktop.FILE_NAME,
    "Quit and reopen Claude Desktop: it reads this file only when it starts.",
)  # fmt: skip
"""Its files are where `desktop.locations` says, and servers that run already are added in the app alone."""


def claude_command(entry: Entry | Remote) -> list[str]:
    """What puts an entry into Claude Code's list for all of a user's projects; it writes that file itself."""
    if isinstance(entry, Remote):
        headers = CLIENTS["claude-code"].member(entry).get("headers", {})
        named = [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
        return ["claude", "mcp", "add", "--scope", "user", "--transport", "http", entry.name, entry.url, *named]
    env = [word for name, value in entry.env.items() for word in ("--env", f"{name}={value}")]
    return ["claude", "mcp", "add", "--scope", "user", *env, entry.name, "--", entry.command, *entry.args]


def servers_of_claude_code(home: Path) -> Mapping[str, Any]:
    """Its list for all of a user's projects, which is only read; empty where it cannot be."""
    try:
        servers = json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return servers if isinstance(servers, dict) else {}


def _code_folder(env: Mapping[str, str], home: Path) -> Path:
    """VS Code's default profile (its documentation of settings names the three places)."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Code" / "User"
    if sys.platform == "win32":
        return Path(env.get("APPDATA") or home / "AppData" / "Roaming") / "Code" / "User"
    return Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "Code" / "User"
