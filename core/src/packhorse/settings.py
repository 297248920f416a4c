"""The deployer's choices: one TOML file, overridden by environment variables, into one frozen value."""

import json
import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, ValidationInfo, field_validator

from packhorse.errors import PackError
from packhorse.offers import HOSTS_OWN_SETTINGS

M = TypeVar("M", bound=BaseModel)
Transport = Literal["stdio", "http", "sse"]

CONFIG_VARIABLE = "PACKHORSE_CONFIG"
_SERVER_PREFIX = "PACKHORSE_SERVER_"
_PACKS_PREFIX = "PACKHORSE_PACKS_"

# Names that the packs' specifications use for the host's own settings.
_ALIASES = {
    "MCP_SERVER_NAME": "name",
    "MCP_SERVER_HOST": "host",
    "MCP_SERVER_PORT": "port",
    "MCP_TRANSPORT": "transport",
    "LOG_LEVEL": "log_level",
}

# What the specifications, the SDK and other hosts write for one of the values here.
_SAME = {
    "transport": {"streamable-http": "http", "streamable_http": "http"},
    "log_level": {"warn": "warning", "critical": "error", "fatal": "error"},
}


class ServerSettings(BaseModel):
    """``[server]``: what clients see, where it listens, and how much it allows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("packhorse", min_length=1, description="What clients see.")
    instructions: str | None = Field(None, description="Told to every client's model on connecting.")
    packs: tuple[str, ...] | None = Field(None, description="The packs to serve; every installed one when absent.")
    strict: bool = Field(False, description="Whether one broken pack stops the start.")
    transport: Transport = Field("stdio", description="stdio, http or sse.")
    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    paths: tuple[str, ...] = Field(("/mcp",), min_length=1, description="URL paths that serve the protocol.")
    allowed_hosts: tuple[str, ...] = Field(
        (), description="Host headers to accept besides the address itself; 'name:*' for any port."
    )
    allowed_origins: tuple[str, ...] = Field((), description="Origins of web pages that may call.")
    allow_anonymous: bool = Field(False, description="Whether to listen beyond this machine without authentication.")
    body_limit_bytes: int = Field(1_048_576, ge=1024, description="The largest request body.")
    answer_limit_bytes: int = Field(1_048_576, ge=1024, description="The largest answer of a tool or resource.")
    timeout_seconds: float = Field(60, gt=0, description="How long a call may take, unless the tool says otherwise.")
    concurrency: int = Field(64, ge=1, description="Calls at a time.")
    page_size: int = Field(100, ge=1, le=1000, description="Entries on one page of a list.")
    session_idle_seconds: float = Field(1800, gt=0, description="When an idle session of an older client ends.")
    limits: str = Field("memory", description="Where calls are counted: 'memory', or the address of a Redis.")
    trusted_proxies: tuple[str, ...] = Field(
        (), description="Addresses or networks of proxies whose X-Forwarded-For is believed."
    )
    max_sessions: int = Field(1000, ge=1, description="Open sessions of older clients.")
    resume_events: int = Field(1000, ge=0, description="Messages kept for clients that reconnect; 0 keeps none.")
    shutdown_seconds: int = Field(10, ge=0, description="How long calls may finish after a stop signal.")
    state_key: SecretStr | None = Field(
        None, description="Seals multi-round state; at least 32 characters, the same in every process."
    )
    data_dir: Path | None = Field(None, description="Where packs keep their data; the user's data folder when absent.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Of the log on stderr.")

    @field_validator("transport", "log_level", mode="before")
    @classmethod
    def _as_others_write_it(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        return _SAME[info.field_name or ""].get(value.lower(), value.lower())

    @field_validator("data_dir")
    @classmethod
    def _of_home(cls, value: Path | None) -> Path | None:
        return value.expanduser() if value else None

    @field_validator("paths")
    @classmethod
    def _rooted(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for path in value:
            if not path.startswith("/") or path in ("/healthz", "/readyz"):
                raise ValueError(f"{path!r} must start with '/' and be no path of the host's own")
        return value

    @field_validator("state_key")
    @classmethod
    def _long(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value().encode()) < 32:
            raise ValueError("give at least 32 bytes, for example from: openssl rand -hex 32")
        return value


class PackTable(BaseModel):
    """``[packs.<name>]``: how a deployment takes a pack, and (``own``) the pack's own settings, unread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prefix: str = Field("", pattern=r"^[A-Za-z0-9_.-]{0,32}$", description="Put before each of the pack's names.")
    exclude: tuple[str, ...] = Field((), description="Names and URIs of the pack that are not served.")
    limit_by_address: str | None = Field(
        None, description="Calls of the pack's tools that one address may make over HTTP; 'none' for any number."
    )
    own: Mapping[str, Any] = Field(default_factory=dict)


class Settings(BaseModel):
    """Everything a deployer decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    server: ServerSettings = ServerSettings()
    packs: Mapping[str, PackTable] = Field(default_factory=dict)
    source: Path | None = None

    def pack(self, name: str) -> PackTable:
        """The table of one pack; the defaults where the file has none."""
        return self.packs.get(name, PackTable())

    def serving(self, **changes: Any) -> "Settings":
        """These settings with parts of ``[server]`` replaced (from the command line); None leaves a part alone."""
        given = {key: value for key, value in changes.items() if value is not None}
        merged = {**self.server.model_dump(), **given}
        return self.model_copy(update={"server": _checked(ServerSettings, merged, "the command line")})

    @property
    def data_dir(self) -> Path:
        """The folder under which each pack has its own."""
        return self.server.data_dir or user_folder("data")


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


def load(
    path: Path | None = None, *, environ: Mapping[str, str] | None = None, installed: Iterable[str] = ()
) -> Settings:
    """The settings from ``path``, else from ``PACKHORSE_CONFIG``, else from the user's folder, then the environment.

    A file that was asked for and is absent is an error; the working directory
    is never searched. ``installed`` are the pack names whose variables
    (``PACKHORSE_PACKS_<NAME>_<KEY>``) count.

    Raises:
        PackError: naming the file or variable, the key and what it takes.
    """
    environ = os.environ if environ is None else environ
    chosen = path or (Path(environ[CONFIG_VARIABLE]).expanduser() if environ.get(CONFIG_VARIABLE) else None)
    usual = user_folder("config", environ=environ) / "packhorse.toml"
    source = chosen or (usual if usual.is_file() else None)
    table = _read(source) if source else {}
    unknown = set(table) - {"server", "packs"}
    if unknown:
        raise PackError(f"{source}: unknown table {sorted(unknown)[0]!r}; a file has [server] and [packs.<name>]")
    server = _section(table, "server", source)
    packs = {name: dict(value) for name, value in _section(table, "packs", source).items()}
    variables = _overlay(server, packs, environ, [*packs, *installed])
    where = str(source) if source else "the environment"
    tables = {
        name: _checked(
            PackTable,
            {
                **{key: value for key, value in keys.items() if key in HOSTS_OWN_SETTINGS},
                "own": {key: value for key, value in keys.items() if key not in HOSTS_OWN_SETTINGS},
            },
            f"{where} [packs.{name}]",
        )
        for name, keys in packs.items()
    }
    checked = _checked(ServerSettings, server, f"{where} [server]", variables)
    return Settings(server=checked, packs=tables, source=source)


def _read(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text("utf-8-sig"))  # Windows' editors write a byte order mark
    except FileNotFoundError as exc:
        raise PackError(f"{source}: there is no such configuration file") from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise PackError(f"{source}: the configuration cannot be read ({type(exc).__name__})") from exc
    except tomllib.TOMLDecodeError as exc:
        raise PackError(f"{source}: not valid TOML: {exc}") from exc


def _section(table: Mapping[str, Any], name: str, source: Path | None) -> dict[str, Any]:
    section = table.get(name, {})
    if not isinstance(section, dict) or (name == "packs" and any(not isinstance(v, dict) for v in section.values())):
        raise PackError(f"{source}: [{name}] must be a table" + (" of tables" if name == "packs" else ""))
    return dict(section)


def _overlay(
    server: dict[str, Any], packs: dict[str, dict[str, Any]], environ: Mapping[str, str], names: Iterable[str]
) -> Mapping[str, str]:
    """Write the environment over the tables; which variable each key of ``[server]`` came from."""
    variables: dict[str, str] = {}
    own = {f"{_SERVER_PREFIX}{key.upper()}": key for key in ServerSettings.model_fields}
    for variable, key in [*_ALIASES.items(), *own.items()]:
        if variable in environ:
            server[key] = _value(ServerSettings, key, environ[variable])
            variables[key] = variable
    for variable in environ:
        if variable.startswith(_SERVER_PREFIX) and variable not in own:
            raise PackError(f"{variable} is no setting of packhorse; known are {', '.join(sorted(own))}")
    # The longest name first, so that a setting of pack a_b is not taken for one of pack a.
    prefixes = {f"{_PACKS_PREFIX}{name.upper().replace('-', '_')}_": name for name in names}
    for variable, text in environ.items():
        prefix = max((prefix for prefix in prefixes if variable.startswith(prefix)), key=len, default=None)
        if prefix is not None:
            key = variable.removeprefix(prefix).lower()
            packs.setdefault(prefixes[prefix], {})[key] = _value(PackTable, key, text)
    return variables


def _value(model: type[BaseModel], key: str, text: str) -> Any:
    """A list from JSON or from commas; other text as it stands, for the model to read."""
    field = model.model_fields.get(key)
    if (field is None or "tuple" in str(field.annotation)) and text.lstrip().startswith(("[", "{")):
        try:
            return json.loads(text)
        except ValueError:
            return text
    if field is not None and "tuple" in str(field.annotation):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _checked(model: type[M], values: Mapping[str, Any], where: str, variables: Mapping[str, str] | None = None) -> M:
    try:
        return model.model_validate(dict(values))
    except ValidationError as exc:
        # Without the cause: it shows the values, and one may be a secret.
        raise PackError(f"{where}: " + "; ".join(problems(exc, model, variables))) from None


def problems(exc: ValidationError, model: type[BaseModel], variables: Mapping[str, str] | None = None) -> list[str]:
    """What is wrong with a settings table, a line each, without repeating values (one may be a secret).

    ``variables`` are the keys that came from the environment, and from which variable.
    """
    lines = []
    for error in exc.errors(include_url=False, include_input=False):
        key = ".".join(str(part) for part in error["loc"])
        source = (variables or {}).get(str(error["loc"][0])) if error["loc"] else None
        named = f"{key} (from {source})" if source else key or "the table"
        if error["type"] == "extra_forbidden":
            lines.append(f"unknown key {key!r}; known are {', '.join(sorted(model.model_fields))}")
        else:
            lines.append(f"{named}: {error['msg'].removeprefix('Value error, ')}")
    return lines
