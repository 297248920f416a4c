"""Where other clients keep their list of servers, and how an entry looks there.

Sources: Claude Code, code.claude.com/docs (``.mcp.json`` of a project; its own
file of a user is written by ``claude mcp add`` alone); Cursor,
cursor.com/docs/mcp; VS Code, code.visualstudio.com "MCP configuration
reference" (``servers``, ``type`` required); Codex, developers.openai.com/codex/mcp
(``[mcp_servers.NAME]`` of config.toml); Gemini CLI, docs/tools/mcp-server.md of
google-gemini/gemini-cli.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from packhorse.errors import UserError
from packhorse.publish import desktop, rewrite, tomltext
from packhorse.publish.desktop import Change, Edit, Entry

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
    """Whether an entry says that it is of type stdio."""
    usual: Scope = "user"

    def path(self, scope: Scope, env: Mapping[str, str], home: Path, folder: Path) -> Path:
        """The file of a scope."""
        if scope == "project":
            return folder / self.project
        match self.name:
            case "vscode":
                return _code_folder(env, home) / "mcp.json"
            case "codex":
                return Path(env.get("CODEX_HOME") or home / ".codex") / "config.toml"
            case _:
                return home / self.project

    def plan_install(self, path: Path, wanted: Iterable[Entry]) -> Edit:
        """As `desktop.plan_install`, in this client's way."""
        if path.suffix != ".toml":
            return desktop.plan_install(path, wanted, servers=self.servers, typed=self.typed)
        before, text = _toml(path)
        changes: dict[str, Change] = {}
        try:
            for entry in wanted:
                old = tomltext.read(text).get(self.servers, {}).get(entry.name)
                if old is not None:
                    desktop.check_ours(path, entry.name, old)
                new = {**(old or {}), **entry.as_json()}
                if env := {**(old or {}).get("env", {}), **entry.env}:
                    new["env"] = env
                changes[entry.name] = "added" if old is None else "unchanged" if new == old else "updated"
                if new != old:
                    text = tomltext.put(text, self.servers, entry.name, new)
        except tomltext.TomlError as exc:
            raise _unfit(path, exc) from exc
        return Edit(path, before, before if text == _decoded(before) else text.encode(), changes)

    def plan_remove(self, path: Path, names: Sequence[str] = ()) -> Edit:
        """As `desktop.plan_remove`, in this client's way."""
        if path.suffix != ".toml":
            return desktop.plan_remove(path, names, servers=self.servers)
        before, text = _toml(path)
        changes: dict[str, Change] = {}
        try:
            servers = tomltext.read(text).get(self.servers, {})
            for name in dict.fromkeys(names or [name for name, one in servers.items() if desktop.is_ours(one)]):
                if name in servers:
                    desktop.check_ours(path, name, servers[name])
                changes[name] = "removed" if name in servers else "absent"
                text = tomltext.drop(text, self.servers, name)
        except tomltext.TomlError as exc:
            raise _unfit(path, exc) from exc
        return Edit(path, before, before if text == _decoded(before) else text.encode(), changes)


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code", "Claude Code", ".mcp.json", "Start claude in this folder, and approve the server.",
            typed=True, usual="project",
        ),
        Client("cursor", "Cursor", ".cursor/mcp.json", "Restart Cursor, and switch the server on under MCPs."),
        Client(
            "vscode", "VS Code", ".vscode/mcp.json", "Start the server in VS Code: 'MCP: List Servers'.",
            servers="servers", typed=True,
        ),
        Client("codex", "Codex", ".codex/config.toml", "Start codex again.", servers="mcp_servers"),
        Client("gemini", "Gemini CLI", ".gemini/settings.json", "Start gemini again."),
    )
}  # fmt: skip


def claude_command(entry: Entry) -> list[str]:
    """What puts an entry into Claude Code's list for all of a user's projects; it writes that file itself."""
    env = [word for name, value in entry.env.items() for word in ("--env", f"{name}={value}")]
    return ["claude", "mcp", "add", "--scope", "user", *env, entry.name, "--", entry.command, *entry.args]


def _code_folder(env: Mapping[str, str], home: Path) -> Path:
    """VS Code's default profile (its documentation of settings names the three places)."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Code" / "User"
    if sys.platform == "win32":
        return Path(env.get("APPDATA") or home / "AppData" / "Roaming") / "Code" / "User"
    return Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "Code" / "User"


def _toml(path: Path) -> tuple[bytes | None, str]:
    before = rewrite.read(path)
    return before, _decoded(before)


def _decoded(content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as exc:
        raise UserError("The file is not UTF-8; save it as UTF-8.", code="DESKTOP_CONFIG_INVALID") from exc


def _unfit(path: Path, fault: tomltext.TomlError) -> UserError:
    return UserError(
        f"{path}: {fault} Nothing was changed. Correct the file, or put the entry in by hand.",
        code="DESKTOP_CONFIG_INVALID",
        details={"path": str(path)},
    )
