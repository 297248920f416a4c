"""The tables of packhorse.toml, with what each key means and takes."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from packhorse.settings.checking import checked
from packhorse.settings.security import AuditSettings, AuthSettings, is_loopback, own_secret


class JobSettings(BaseModel):
    """``[jobs]``: long-running work, which needs packhorse[jobs]."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at_a_time: int = Field(2, ge=1, description="Jobs that one process works on at a time.")
    at_a_time_overall: int | None = Field(
        None, ge=1, description="Jobs that all processes run at a time. Default: no limit."
    )
    per_caller: int = Field(20, ge=1, description="Jobs that one caller may have waiting or running.")
    memory_mb: int = Field(4096, ge=64, description="The memory of a job's process, unless the job says otherwise.")
    seconds: float = Field(3600, gt=0, description="How long a job may run, unless it says otherwise.")
    keep_days: float = Field(7, gt=0, description="How long a finished job is kept.")


Transport = Literal["stdio", "http", "sse"]

HOSTS_OWN_PATHS = ("/healthz", "/readyz", "/metrics")
"""URL paths that cannot serve the protocol, beside those under /.well-known."""

AUDIT_FILE = "audit.sqlite3"
"""The record's name in the data folder."""

JOBS_FOLDER = "packhorse-jobs"
"""Where jobs are kept in the data folder."""

MOUNTS_FOLDER = "packhorse-mounts"
"""Where mounted servers are written down in the data folder."""

LOGIN_FOLDER = "packhorse-login"
"""Where it is kept who is signed in: in the data folder, or in PostgreSQL a schema of this name."""

# What the specifications, the SDK and other hosts write for one of the values here.
_SAME = {
    "transport": {"streamable-http": "http", "streamable_http": "http"},
    "log_format": {},
    "log_level": {"warn": "warning", "critical": "error", "fatal": "error"},
}


class ServerSettings(BaseModel):
    """``[server]``: what clients see, where it listens, and how much it allows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("packhorse", min_length=1, description="What clients see.")
    version: str | None = Field(
        None,
        min_length=1,
        max_length=40,
        description="The version that clients see. Default: the version of packhorse.",
    )
    instructions: str | None = Field(None, description="Given to every client's model on connecting.")
    packs: tuple[str, ...] | None = Field(None, description="The packs to serve. Default: all installed packs.")
    mounts: tuple[str, ...] | None = Field(
        None, description="The mounted servers to serve. Default: all mounted servers."
    )
    distributions: tuple[str, ...] | None = Field(
        None, description="The distributions whose packs may be imported. Default: all installed distributions."
    )
    without: tuple[str, ...] = Field((), description="Built-in packs to leave out.")
    lock: Path | None = Field(
        None, description="The file that 'packhorse lock' wrote; what differs from it stops the start."
    )
    strict: bool = Field(False, description="Whether one broken pack stops the start.")
    transport: Transport = Field("stdio", description="stdio, http or sse.")
    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    paths: tuple[str, ...] = Field(("/mcp",), min_length=1, description="URL paths that serve the protocol.")
    allowed_hosts: tuple[str, ...] = Field(
        (), description="Host headers to accept besides the address itself; 'name:*' for any port."
    )
    allowed_origins: tuple[str, ...] = Field(
        (), description="Origins of web pages that may call, and read the answers (CORS)."
    )
    allow_anonymous: bool = Field(False, description="Whether to listen beyond this machine without authentication.")
    fenced: bool = Field(False, description="Whether only agents of the pack pai can call tools that change something.")
    body_limit_bytes: int = Field(1_048_576, ge=1024, description="The largest request body.")
    answer_limit_bytes: int = Field(1_048_576, ge=1024, description="The largest answer of a tool or resource.")
    timeout_seconds: float = Field(60, gt=0, description="How long a call may take, unless the tool says otherwise.")
    question_seconds: float = Field(600, gt=0, description="How long a caller may take to answer a tool's question.")
    concurrency: int = Field(64, ge=1, description="Calls at a time; one caller alone may have about half of them.")
    overdue_threads: int = Field(
        8, ge=1, description="Threads of one pack that outlive their calls before its calls are refused."
    )
    max_connections: int = Field(
        2000,
        ge=8,
        description="Open connections, as far as the process has files; one address alone may have about half.",
    )
    header_seconds: float = Field(15, gt=0, description="How long a client may take to send the head of a request.")
    body_seconds: float = Field(30, gt=0, description="How long a client may take to send the body of a request.")
    schemas: Literal["slim", "full"] = Field(
        "slim", description="How tools are described: what a model needs, or everything that calls are checked against."
    )
    tools: Literal["all", "search", "auto"] = Field(
        "all",
        description="Whether every tool is listed, or a search for tools with three entrances to them; auto searches"
        " where the list would be above list_tokens and the client does not search itself.",
    )
    list_tokens: int = Field(
        10_000, ge=0, description="Tokens of tool descriptions, about, that auto still lists to every client."
    )
    searching_clients: tuple[str, ...] = Field(
        ("claude-code", "claude-ai"),
        description="Names of clients that search a list themselves: they are listed everything, with search words.",
    )
    pinned: tuple[str, ...] = Field(
        (), description="Tools that are listed in search too, beside those whose view the client draws."
    )
    level: Literal["normal", "expert"] = Field(
        "normal", description="Whether tools for experts are listed too; they can be called and found either way."
    )
    page_size: int = Field(100, ge=1, le=1000, description="Entries on one page of a list.")
    session_idle_seconds: float = Field(1800, gt=0, description="When an idle session of an older client ends.")
    limits: str = Field("memory", description="Where calls are counted: 'memory', or the address of a Redis.")
    trusted_proxies: tuple[str, ...] = Field(
        (), description="Addresses or networks of proxies whose X-Forwarded-For is believed."
    )
    replicas: int = Field(
        1, ge=1, description="How many processes serve this deployment; more than one count in Redis and share a key."
    )
    workers: int = Field(
        1, ge=1, le=64, description="Processes that serve one address over http; more than one are replicas."
    )
    max_sessions: int = Field(
        1000, ge=1, description="Open sessions of older clients; one caller alone may have about half of them."
    )
    handshakes_by_caller: str = Field(
        "600/minute", description="Sessions that one caller may open; 'none' for any number."
    )
    max_streams: int = Field(
        1000, ge=1, description="Streams on which clients listen; one caller alone may have about half of them."
    )
    resume_events: int = Field(1000, ge=0, description="Messages kept for clients that reconnect; 0 keeps none.")
    shutdown_seconds: int = Field(10, ge=0, description="How long calls may finish after a stop signal.")
    unready_seconds: float = Field(
        0, ge=0, le=300, description="How long calls are taken after a stop signal, for a balancer to see /readyz."
    )
    state_key: SecretStr | None = Field(
        None, description="Seals multi-round state; at least 32 characters, the same in every process."
    )
    database: SecretStr | None = Field(
        None, description="The PostgreSQL database of packs and jobs, postgresql://.... Default: files in data_dir."
    )
    data_dir: Path | None = Field(None, description="Where packs keep their data. Default: the user's data folder.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Of the log on stderr.")
    log_format: Literal["json", "text"] | None = Field(
        None, description="A JSON object a line, or text. Default: text on a terminal, JSON elsewhere."
    )
    metrics: bool | None = Field(
        None, description="Whether /metrics is served. Default: only on this machine, if no proxy is named."
    )
    console: bool | None = Field(
        None,
        description="Whether the console is served at /console. Default: only on this machine, if no proxy is named"
        " or callers sign in.",
    )
    cache_entries: int = Field(1000, ge=1, description="Kept answers of offers that declare a ttl.")
    cache_bytes: int = Field(67_108_864, ge=1024, description="All kept answers together.")

    @property
    def reached_from_here(self) -> bool:
        """Whether callers come from this machine alone: on its own address, with no proxy that brings others."""
        return is_loopback(self.host) and not self.allowed_hosts and not self.trusted_proxies

    @property
    def database_url(self) -> str | None:
        """``database`` itself, which holds a password."""
        return self.database.get_secret_value() if self.database is not None else None

    @property
    def processes(self) -> int:
        """How many processes serve this deployment, as far as is known: replicas, or the workers of one."""
        return max(self.replicas, self.workers)

    @field_validator("transport", "log_level", "log_format", mode="before")
    @classmethod
    def _as_others_write_it(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        return _SAME[info.field_name or ""].get(value.lower(), value.lower())

    @field_validator("database", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value  # a variable can only be emptied, where a file says something else

    @field_validator("data_dir", "lock")
    @classmethod
    def _of_home(cls, value: Path | None) -> Path | None:
        return value.expanduser() if value else None

    @field_validator("paths")
    @classmethod
    def _rooted(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for path in value:
            if not path.startswith("/") or path in HOSTS_OWN_PATHS or path.startswith("/.well-known"):
                raise ValueError(f"{path!r} must start with '/' and must not be a path that packhorse itself uses")
        return value

    _key_is_own = field_validator("state_key")(own_secret)


class PackTable(BaseModel):
    """``[packs.<name>]``: how a deployment takes a pack, and (``own``) the pack's own settings, unread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prefix: str = Field("", pattern=r"^[A-Za-z0-9_.-]{0,32}$", description="Put before each of the pack's names.")
    exclude: tuple[str, ...] = Field((), description="Names and URIs of the pack that are not served.")
    limit_by_address: str | None = Field(
        None, description="Calls of the pack's tools that one address may make over HTTP; 'none' for any number."
    )
    limits: Mapping[str, str] = Field(
        default_factory=dict,
        description="Calls that one caller may make, by the pack's own name of the tool; 'none' for any number.",
    )
    own: Mapping[str, Any] = Field(default_factory=dict)


class Settings(BaseModel):
    """Everything a deployer decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    server: ServerSettings = ServerSettings()
    auth: AuthSettings = AuthSettings()
    audit: AuditSettings = AuditSettings()
    jobs: JobSettings = JobSettings()
    packs: Mapping[str, PackTable] = Field(default_factory=dict)
    source: Path | None = None

    def pack(self, name: str) -> PackTable:
        """The table of one pack; the defaults where the file has none."""
        return self.packs.get(name, PackTable())

    def serving(self, **changes: Any) -> "Settings":
        """These settings with parts of ``[server]`` replaced (from the command line); None leaves a part alone."""
        given = {key: value for key, value in changes.items() if value is not None}
        merged = {**self.server.model_dump(), **given}
        return self.model_copy(update={"server": checked(ServerSettings, merged, "the command line")})

    @property
    def data_dir(self) -> Path:
        """The folder under which each pack has its own."""
        return self.server.data_dir or user_folder("data")

    @property
    def jobs_dir(self) -> Path:
        return self.data_dir / JOBS_FOLDER

    @property
    def mounts_path(self) -> Path:
        """The folder of what was accepted of mounted servers."""
        return self.data_dir / MOUNTS_FOLDER

    @property
    def has_mounts(self) -> bool:
        """Whether there may be mounted servers to serve: without any nothing of them is imported."""
        wanted = self.server.mounts
        return bool(wanted) or (wanted is None and self.mounts_path.is_dir())

    @property
    def mounted(self) -> list[str]:
        """The names of the mounted servers, whether they are served or not."""
        return mounted_in(self.mounts_path)

    @property
    def address(self) -> str:
        """Where browsers find a server over HTTP with these settings."""
        if self.auth.resource is not None:
            return self.auth.origin
        host = self.server.host
        host = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  # compared with, not bound to
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server.port}"

    @property
    def has_console(self) -> bool:
        """Whether there is a console at ``/console``."""
        server = self.server
        if server.transport == "stdio" or "console" in server.without:
            return False
        if server.console is not None:
            return server.console
        return server.reached_from_here or (is_loopback(server.host) and self.auth.configured)

    @property
    def audit_path(self) -> Path:
        return self.audit.path or self.data_dir / AUDIT_FILE


def mounted_in(folder: Path) -> list[str]:
    """The names of the servers that are mounted in a folder."""
    return sorted(file.stem for file in folder.glob("*.json"))


def user_folder(
    kind: Literal["config", "data"], platform: str = sys.platform, environ: Mapping[str, str] | None = None
) -> Path:
    """The user's folder for packhorse's configuration or data, by the platform's own convention.

    A folder that a variable gives relative to the working directory is passed
    over, as the XDG Base Directory Specification (0.8) says.
    """
    environ = os.environ if environ is None else environ
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "packhorse"
    if platform == "win32":
        variable, fallback = ("APPDATA", "AppData/Roaming") if kind == "config" else ("LOCALAPPDATA", "AppData/Local")
    else:
        variable, fallback = ("XDG_CONFIG_HOME", ".config") if kind == "config" else ("XDG_DATA_HOME", ".local/share")
    root = Path(environ.get(variable, ""))
    return (root if root.is_absolute() else home / fallback) / "packhorse"
