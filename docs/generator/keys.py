"""The page about settings, and a packhorse.toml with every key."""

import json
from typing import Any

from generator.markdown import code, page, table
from generator.schemas import keys_table

from packhorse import settings

# What the keys without a default might be.
_MIGHT_BE = {
    "version": "1.0.0",
    "instructions": "Ask about one journey at a time.",
    "packs": ["circadian"],
    "mounts": ["files"],
    "state_key": "from: openssl rand -hex 32",
    "data_dir": "/var/lib/packhorse",
    "distributions": ["packhorse-circadian"],
    "lock": "/etc/packhorse/packhorse.lock",
    "log_format": "json",
    "metrics": True,
    "console": True,
    "database": "postgresql://packhorse@localhost/packhorse",
}


def _might_be(key: str) -> Any:
    if key not in _MIGHT_BE:
        raise LookupError(f"the setting {key} has no default: give it an example in docs/generator/keys.py, _MIGHT_BE")
    return _MIGHT_BE[key]


def settings_page() -> str:
    """Every key of packhorse.toml, with its variable."""
    taken = settings.PackTable.model_json_schema()
    del taken["properties"]["own"]
    also = {place: f"`{variable}`" for variable, place in settings.ALIASES.items()}
    schemas = {name: model.model_json_schema() for name, model in settings.HOSTS_OWN_TABLES.items()}
    variables = [
        [f"`[{name}] {key}`", f"`PACKHORSE_{name.upper()}_{key.upper()}`", also.get((name, key), "")]
        for name, schema in schemas.items()
        for key in schema["properties"]
    ]
    variables += [
        [f"`[auth.login] {key}`", f"`PACKHORSE_AUTH_LOGIN_{key.upper()}`", ""]
        for key in settings.LoginSettings.model_fields
    ]
    tables = [part for name, schema in schemas.items() for part in (f"## [{name}]", keys_table(schema))]
    return page(
        "Settings",
        "The keys of `packhorse.toml`. [Serving](../serving.md#settings) says where the file is looked for, and shows"
        " one with every key of `[server]`.",
        *tables,
        "## [[auth.issuers]]",
        keys_table(settings.IssuerSettings.model_json_schema()),
        "## [auth.login]",
        "[Signing in](../sign-in.md) shows how it is used.",
        keys_table(settings.LoginSettings.model_json_schema()),
        "## [[auth.login.clients]]",
        keys_table(settings.LoginClient.model_json_schema()),
        "## [packs.NAME]",
        "How a deployment takes the pack called NAME. Every other key of such a table is the pack's own: see"
        " [Packs](packs.md).",
        keys_table(taken),
        "## Environment variables",
        "A variable wins over the file. A list is written with commas, or as JSON, and a table as JSON. A key of a"
        " pack is `PACKHORSE_PACKS_<NAME>_<KEY>`, with `_` for every `-` of the name. Two more variables are no"
        f" settings: `{settings.CONFIG_VARIABLE}` names the file, and `PACKHORSE_TOKEN` is the credential of a client"
        " on stdio.",
        table(["key", "variable", "or"], variables),
    )


def configuration() -> str:
    """A packhorse.toml with every key of [server]; those that have no default are comments."""
    lines = ["[server]"]
    for key, value in settings.ServerSettings.model_json_schema()["properties"].items():
        lines.append(f"# {value['description']}")
        default = value.get("default")
        lines.append(f"# {key} = {_toml(_might_be(key))}" if default is None else f"{key} = {_toml(default)}")
    return code("\n".join(lines), "toml")


def _toml(value: Any) -> str:
    """Text, numbers, truth values and lists of them are written in TOML as in JSON."""
    return json.dumps(value)
