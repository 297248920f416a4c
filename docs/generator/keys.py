"""The page about settings, and a packhorse.toml with every key."""

import json
from typing import Any

from generator.markdown import code, page, table
from generator.schemas import keys_table

from packhorse import settings

# What the keys without a default might be.
_MIGHT_BE = {
    "instructions": "Ask about one journey at a time.",
    "packs": ["circadian"],
    "state_key": "32 characters or more, at random",
    "data_dir": "/var/lib/packhorse",
}


def settings_page() -> str:
    """Every key of packhorse.toml, with its variable."""
    server = settings.ServerSettings.model_json_schema()
    taken = settings.PackTable.model_json_schema()
    del taken["properties"]["own"]
    also = {key: f"`{variable}`" for variable, key in settings._ALIASES.items()}  # noqa: SLF001 - it is listed nowhere else
    variables = [[f"`{key}`", f"`PACKHORSE_SERVER_{key.upper()}`", also.get(key, "")] for key in server["properties"]]
    return page(
        "Settings",
        "The keys of `packhorse.toml`. [Serving](../serving.md#settings) says where the file is looked for, and shows"
        " one with every key.",
        "## [server]",
        keys_table(server),
        "## [packs.NAME]",
        "How a deployment takes the pack called NAME. Every other key of such a table is the pack's own: see"
        " [Packs](packs.md).",
        keys_table(taken),
        "## Environment variables",
        "A variable wins over the file. A list is written with commas, or as JSON. A key of a pack is"
        " `PACKHORSE_PACKS_<NAME>_<KEY>`, with `_` for every `-` of the name. Two more variables are no settings:"
        f" `{settings.CONFIG_VARIABLE}` names the file, and `PACKHORSE_TOKEN` is the credential of a client on stdio,"
        " for packs that verify one.",
        table(["key", "variable", "or"], variables),
    )


def configuration() -> str:
    """A packhorse.toml with every key of [server]; those that have no default are comments."""
    lines = ["[server]"]
    for key, value in settings.ServerSettings.model_json_schema()["properties"].items():
        lines.append(f"# {value['description']}")
        default = value.get("default")
        lines.append(f"# {key} = {_toml(_MIGHT_BE[key])}" if default is None else f"{key} = {_toml(default)}")
    return code("\n".join(lines), "toml")


def _toml(value: Any) -> str:
    """Text, numbers, truth values and lists of them are written in TOML as in JSON."""
    return json.dumps(value)
