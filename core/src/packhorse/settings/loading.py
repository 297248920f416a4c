"""From one TOML file, overridden by environment variables, to one frozen value."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from packhorse.contract.packs import HOSTS_OWN_SETTINGS
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings.checking import checked, instead
from packhorse.settings.security import AuditSettings, AuthSettings, LoginSettings
from packhorse.settings.tables import JobSettings, PackTable, ServerSettings, Settings, user_folder

CONFIG_VARIABLE = "PACKHORSE_CONFIG"
RELOADING_VARIABLE = "PACKHORSE_RELOADING"
"""What ``serve --reload`` sets for the servers that it starts."""
_PACKS_PREFIX = "PACKHORSE_PACKS_"

HOSTS_OWN_TABLES: Mapping[str, type[BaseModel]] = {
    "server": ServerSettings,
    "auth": AuthSettings,
    "audit": AuditSettings,
    "jobs": JobSettings,
}
"""The tables besides [packs.<name>]; each key is also a variable PACKHORSE_<TABLE>_<KEY>."""

ALIASES = {
    "MCP_SERVER_NAME": ("server", "name"),
    "MCP_SERVER_VERSION": ("server", "version"),
    "MCP_SERVER_HOST": ("server", "host"),
    "MCP_SERVER_PORT": ("server", "port"),
    "MCP_TRANSPORT": ("server", "transport"),
    "LOG_LEVEL": ("server", "log_level"),
    "LOG_FORMAT": ("server", "log_format"),
    "JWT_SECRET_KEY": ("auth", "secret"),
}
"""Names that the packs' specifications use for the host's own settings."""


def usual_file(environ: Mapping[str, str] | None = None) -> Path:
    """The packhorse.toml in the user's configuration folder, which need not be there."""
    return user_folder("config", environ=os.environ if environ is None else environ) / "packhorse.toml"


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
    usual = usual_file(environ)
    source = chosen or (usual if usual.is_file() else None)
    table = _read(source) if source else {}
    unknown = set(table) - {*HOSTS_OWN_TABLES, "packs"}
    if unknown:
        named = ", ".join(f"[{name}]" for name in HOSTS_OWN_TABLES)
        table_name = sorted(unknown)[0]
        near = did_you_mean(table_name, [*HOSTS_OWN_TABLES, "packs"])
        raise PackError(
            f"{source}: unknown table {table_name!r}.{near} A configuration file may have the tables "
            f"{named} and [packs.<name>]"
        )
    own = {name: _section(table, name, source) for name in HOSTS_OWN_TABLES}
    packs = {name: dict(value) for name, value in _section(table, "packs", source).items()}
    variables = _overlay(own, packs, environ, [*packs, *installed])
    where = str(source) if source else "the environment"
    tables = {
        name: checked(
            PackTable,
            {
                **{key: value for key, value in keys.items() if key in HOSTS_OWN_SETTINGS},
                "own": {key: value for key, value in keys.items() if key not in HOSTS_OWN_SETTINGS},
            },
            f"{where} [packs.{name}]",
        )
        for name, keys in packs.items()
    }
    made = {
        name: checked(model, own[name], f"{where} [{name}]", variables.get(name), HOSTS_OWN_TABLES)
        for name, model in HOSTS_OWN_TABLES.items()
    }
    return Settings(**made, packs=tables, source=source)


def _read(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text("utf-8-sig"))  # Windows' editors write a byte order mark
    except FileNotFoundError as exc:
        raise PackError(
            f"there is no configuration file {source}: give another with --config, or leave --config out"
        ) from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise PackError(f"the configuration file {source} cannot be read ({type(exc).__name__})") from exc
    except tomllib.TOMLDecodeError as exc:
        raise PackError(f"{source} is not valid TOML: {exc}") from exc


def _section(table: Mapping[str, Any], name: str, source: Path | None) -> dict[str, Any]:
    section = table.get(name, {})
    if not isinstance(section, dict) or (name == "packs" and any(not isinstance(v, dict) for v in section.values())):
        raise PackError(f"{source}: [{name}] must be a table" + (" of tables" if name == "packs" else ""))
    return dict(section)


def _overlay(
    own: Mapping[str, dict[str, Any]],
    packs: dict[str, dict[str, Any]],
    environ: Mapping[str, str],
    names: Iterable[str],
) -> Mapping[str, Mapping[str, str]]:
    """Write the environment over the tables; by table, which variable each key came from."""
    variables: dict[str, dict[str, str]] = {}
    known = {
        _variable(table, key): (table, key) for table, model in HOSTS_OWN_TABLES.items() for key in model.model_fields
    }
    for variable, (table, key) in [*ALIASES.items(), *known.items()]:
        if variable in environ:
            own[table][key] = _value(HOSTS_OWN_TABLES[table], key, environ[variable])
            variables.setdefault(table, {})[key] = variable
    for key in LoginSettings.model_fields:  # most of that table is in the file, and its secret is not
        variable = _variable("auth_login", key)
        if variable in environ:
            known[variable] = ("auth", "login")
            value = _value(LoginSettings, key, environ[variable])
            own["auth"]["login"] = {**own["auth"].get("login", {}), key: value}
            variables.setdefault("auth", {})["login"] = variable
    prefixes = tuple(_variable(table, "") for table in HOSTS_OWN_TABLES)
    for variable in environ:
        if variable.startswith(prefixes) and variable not in known:
            raise PackError(f"{variable} is no setting of packhorse{_instead(variable)}")
    # The longest name first, so that a setting of pack a_b is not taken for one of pack a.
    named = {f"{_PACKS_PREFIX}{name.upper().replace('-', '_')}_": name for name in names}
    for variable, text in environ.items():
        prefix = max((prefix for prefix in named if variable.startswith(prefix)), key=len, default=None)
        if prefix is not None:
            key = variable.removeprefix(prefix).lower()
            packs.setdefault(named[prefix], {})[key] = _value(PackTable, key, text)
    return variables


def _instead(variable: str) -> str:
    """The variable that was probably meant: of the same table, or of the one that has its key."""
    table = next(name for name in HOSTS_OWN_TABLES if variable.startswith(_variable(name, "")))
    key = variable.removeprefix(_variable(table, "")).lower()
    model = HOSTS_OWN_TABLES[table]
    if near := did_you_mean(key, model.model_fields):
        _, meant, _ = near.split("'")
        return f". Did you mean {_variable(table, meant)!r}?"
    for other in HOSTS_OWN_TABLES:
        if key in HOSTS_OWN_TABLES[other].model_fields:
            return f". Did you mean {_variable(other, key)!r}?"
    return f": [{table}] has no key {key!r}{instead(key, model, HOSTS_OWN_TABLES)}"


def _variable(table: str, key: str) -> str:
    return f"PACKHORSE_{table.upper()}_{key.upper()}"


def _value(model: type[BaseModel], key: str, text: str) -> Any:
    """A list from JSON or from commas; other text as it stands, for the model to read."""
    field = model.model_fields.get(key)
    if (field is None or "tuple" in str(field.annotation) or key == "login") and text.lstrip().startswith(("[", "{")):
        try:
            return json.loads(text)
        except ValueError:
            return text
    if field is not None and "tuple" in str(field.annotation):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text
