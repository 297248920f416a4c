"""What an installed pack says about itself: its distribution's metadata, its settings, its tools."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.errors import PackError
from packhorse.schema.places import resolved
from packhorse.settings import ServerSettings, Settings

Kind = Literal["text", "number", "boolean", "file", "folder"]

_KINDS: Mapping[str, Kind] = {"number": "number", "integer": "number", "boolean": "boolean"}
_FORMATS: Mapping[str, Kind] = {"file-path": "file", "directory-path": "folder"}
_JSON = ("object", "array")


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. ``several`` says that it takes a list; ``least`` and ``most`` are inclusive.

    A secret has no default here, whatever the pack has.
    """

    key: str
    variable: str
    title: str
    description: str
    kind: Kind = "text"
    several: bool = False
    secret: bool = False
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


def fields_of(pack: str, model: type[BaseModel] | None) -> tuple[Field, ...]:
    """The fields of a pack's settings model, in its order; none without a model.

    A value that is no text, number, truth or list of those is asked for as
    JSON text: that is what the pack's environment variable takes.
    """
    if model is None:
        return ()
    schema = model.model_json_schema()
    required = schema.get("required", ())
    return tuple(
        _field(pack, key, resolved(schema, node), key in required) for key, node in schema.get("properties", {}).items()
    )


def _field(pack: str, key: str, node: Mapping[str, Any], required: bool) -> Field:
    several = node.get("type") == "array" and node.get("items", {}).get("type") not in (None, *_JSON)
    one = node["items"] if several else node
    title = str(node.get("title") or key.replace("_", " ").capitalize())
    choices = tuple(str(choice) for choice in one.get("enum", ()))
    text = str(node.get("description") or f"{title}.")
    if choices:
        text += f" One of: {', '.join(choices)}."
    if one.get("type") in _JSON or ("type" not in one and not choices):
        text += " As JSON."
    secret = one.get("format") == "password"
    default = None if secret else node.get("default")
    return Field(
        key=key,
        variable=f"PACKHORSE_PACKS_{pack.upper().replace('-', '_')}_{key.upper()}",
        title=title,
        description=text,
        kind=_KINDS.get(one.get("type", ""), _FORMATS.get(one.get("format", ""), "text")),
        several=several,
        secret=secret,
        required=required,
        default=default if default not in ([], {}) else None,
        choices=choices,
        least=one.get("minimum", one.get("exclusiveMinimum")),
        most=one.get("maximum", one.get("exclusiveMaximum")),
    )


@dataclass(frozen=True, slots=True)
class About:
    """One pack. ``tools`` are names with descriptions; None where it cannot be composed without its settings."""

    pack: str
    title: str
    distribution: str
    version: str
    summary: str
    author: str
    email: str | None
    urls: Mapping[str, str]
    """By label as the manifest has it, in lower case: ``repository``, ``homepage``, ``documentation``, ..."""
    readme: str
    license: str | None
    keywords: tuple[str, ...]
    requires_python: str
    scripts: Mapping[str, str]
    fields: tuple[Field, ...]
    tools: Mapping[str, str] | None


def about(name: str) -> About:
    """The pack of this name.

    What the deployer here has set for it does not count: this is for other people.

    Raises:
        PackError: there is no such pack, or it cannot be served.
    """
    (found,) = packs.choose(packs.find(), [name])
    _, loaded, broken = packs.load([found])
    if broken:
        raise PackError(f"pack {name!r} {found.version} cannot be served: {broken[0].reason}")
    pack = loaded[0].pack
    fields = fields_of(name, pack.settings)
    distribution = metadata.distribution(found.distribution)
    about = distribution.metadata
    author, email = _author(about, found.distribution)
    return About(
        pack=name,
        title=pack.title,
        distribution=found.distribution,
        version=found.version,
        summary=_one(about, "Summary") or f"{pack.title}: a pack for the packhorse MCP host.",
        author=author,
        email=email,
        urls=_urls(about),
        readme=str(about.json.get("description", "")).strip(),
        license=_one(about, "License-Expression") or _one(about, "License"),
        keywords=tuple(word.strip() for word in (_one(about, "Keywords") or "").split(",") if word.strip()),
        requires_python=_one(about, "Requires-Python") or ">=3.11",
        scripts={point.name: point.value for point in distribution.entry_points if point.group == "console_scripts"},
        fields=fields,
        tools=None if any(field.required for field in fields) else _tools(found),
    )


def _tools(found: Found) -> Mapping[str, str]:
    with tempfile.TemporaryDirectory(prefix="packhorse-") as folder:
        settings = Settings(server=ServerSettings(data_dir=Path(folder), strict=True))
        tools = compose(settings, [found]).catalogue.tools
        return {name: tool.description for name, tool in tools.items()}


def _author(about: metadata.PackageMetadata, distribution: str) -> tuple[str, str | None]:
    name, address = parseaddr(_one(about, "Author-email") or _one(about, "Maintainer-email") or "")
    author = _one(about, "Author") or name or _one(about, "Maintainer")
    return author or f"The authors of {distribution}", address or None


def _one(about: metadata.PackageMetadata, key: str) -> str | None:
    values = about.get_all(key)
    return values[0] if values else None


def _urls(about: metadata.PackageMetadata) -> Mapping[str, str]:
    pairs = [line.partition(",") for line in about.get_all("Project-URL") or ()]
    urls = {label.strip().lower(): url.strip() for label, _, url in pairs}
    for other, usual in (("source", "repository"), ("source code", "repository"), ("docs", "documentation")):
        if other in urls:
            urls.setdefault(usual, urls[other])
    if page := _one(about, "Home-page"):
        urls.setdefault("homepage", page)
    return urls
