"""An MCP bundle (``.mcpb``): a pack that Claude Desktop and others install with a double click.

The format is that of the manifest's version 0.4 (modelcontextprotocol/mcpb,
MANIFEST.md) with a server of type ``uv``: the app's uv makes an environment
from the bundle's pyproject.toml. The pack and the host travel in the bundle as
wheels, because their names need not be on an index; what they depend on comes
from one, in the build for the person's own machine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from importlib import metadata
from importlib.resources import files
from string import Template
from typing import Any

from packhorse.compose.packs import PROJECT
from packhorse.errors import PackError
from packhorse.publish.about import About, Field, Kind
from packhorse.publish.wheels import Wheel, archive, wheel_of

MANIFEST_VERSION = "0.4"
ENTRY_POINT = "server.py"
ICON = "icon.png"
PLATFORMS = ("darwin", "win32", "linux")

_TYPES: Mapping[Kind, str] = {
    "text": "string",
    "number": "number",
    "boolean": "boolean",
    "file": "file",
    "folder": "directory",
}
_LINKS = ("homepage", "documentation", "support")


def wheels_for(about: About) -> tuple[Wheel, ...]:
    """The host's wheel and the pack's own.

    Raises:
        PackError: one has compiled parts, which would run on machines like this one alone.
    """
    wheels = tuple(wheel_of(metadata.distribution(name)) for name in dict.fromkeys((PROJECT, about.distribution)))
    for wheel in wheels:
        if not wheel.runs_anywhere:
            raise PackError(
                f"{wheel.distribution} has parts compiled for this kind of machine ({wheel.name}), but a bundle"
                " must run on every kind. Move these parts into a distribution that is on a package index, and name"
                " that as a dependency."
            )
    return wheels


def bundle(about: About, wheels: Sequence[Wheel], author: str | None = None) -> bytes:
    """The bundle's bytes: the same for the same pack and host."""
    contents = {
        "manifest.json": json.dumps(manifest(about, author), ensure_ascii=False, indent=2) + "\n",
        "pyproject.toml": project(about, wheels),
        ENTRY_POINT: Template((files("packhorse") / "templates" / "bundle_server.txt").read_text("utf-8")).substitute(
            pack=about.pack
        ),
    }
    if about.readme:
        contents["README.md"] = for_desktop(about.readme) + "\n"
    return archive(
        {path: text.encode() for path, text in contents.items()}
        | {ICON: (files("packhorse") / "templates" / ICON).read_bytes()}
        | {f"wheels/{wheel.name}": wheel.content for wheel in wheels}
    )


def manifest(about: About, author: str | None = None) -> dict[str, Any]:
    """``manifest.json``. ``author`` takes the place of the one in the pack's metadata."""
    by = {"name": author} if author else {"name": about.author} | ({"email": about.email} if about.email else {})
    lists = [field for field in about.fields if field.several]
    made: dict[str, Any] = {
        "manifest_version": MANIFEST_VERSION,
        "name": about.distribution,
        "display_name": about.title,
        "version": about.version,
        "description": about.summary,
        "long_description": for_desktop(about.readme) if about.readme else None,
        "author": by,
        "icon": ICON,
        "repository": {"type": "git", "url": about.urls["repository"]} if "repository" in about.urls else None,
        **{link: about.urls.get(link) for link in _LINKS},
        "server": {
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                # A list cannot be put into a variable: the app puts its values into the arguments, one each.
                "args": ["run", "--directory", "${__dirname}", ENTRY_POINT]
                + [word for field in lists for word in (f"--list={field.variable}", _filled(field))],
                "env": {field.variable: _filled(field) for field in about.fields if not field.several},
            },
        },
        "tools": [{"name": name, "description": text} for name, text in (about.tools or {}).items()] or None,
        # The deployer's own packhorse.toml may add to what is listed here, or take from it.
        "tools_generated": True,
        "prompts_generated": True,
        "keywords": list(about.keywords) or None,
        "license": about.license,
        "compatibility": {
            "platforms": list(PLATFORMS),
            # A range as npm writes it: its parts stand side by side, without commas.
            "runtimes": {"python": " ".join(part.strip() for part in about.requires_python.split(","))},
        },
        "user_config": {field.key: _asked(field) for field in about.fields} or None,
    }
    return {key: value for key, value in made.items() if value is not None}


def project(about: About, wheels: Sequence[Wheel]) -> str:
    """``pyproject.toml``: what uv installs, with our own wheels taken from the bundle and from nowhere else."""
    needed = [f"{wheel.distribution}=={wheel.version}" for wheel in wheels]
    sources = "\n".join(f'{wheel.distribution} = {{ path = "wheels/{wheel.name}" }}' for wheel in wheels)
    return f"""\
[project]
name = "{re.sub(r"[-_.]+", "-", about.distribution).lower()}-bundle"
version = "{about.version}"
requires-python = "{about.requires_python}"
dependencies = {json.dumps(needed)}

[tool.uv]
package = false

[tool.uv.sources]
{sources}
"""


def _filled(field: Field) -> str:
    return f"${{user_config.{field.key}}}"


def _asked(field: Field) -> dict[str, Any]:
    """One of the fields that the app shows before it starts the server."""
    asked: dict[str, Any] = {
        "type": _TYPES[field.kind],
        "title": field.title,
        "description": field.description,
        "required": field.required,
    }
    if field.several:
        asked["multiple"] = True
    if field.secret:
        asked["sensitive"] = True
    if field.default is not None:
        asked["default"] = (
            field.default if isinstance(field.default, list | str | bool | int | float) else json.dumps(field.default)
        )
    if field.kind == "number":
        asked |= {name: value for name, value in (("min", field.least), ("max", field.most)) if value is not None}
    return asked


_FENCED = re.compile(r"^(```|~~~).*?^\1[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}\S.*\n)+\n?")
_IMAGE = re.compile(r"!\[[^\]]*\]\((?!https?://)[^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?://|mailto:|#)[^)]*\)")
_LIMITS = re.compile(r"^(what (it|this pack) does not|limits|limitations|not)\b", re.IGNORECASE)


def for_desktop(readme: str) -> str:
    """The parts of a Markdown text that somebody who only has the bundle can use."""
    text = _INDENTED.sub("", _FENCED.sub("", f"{readme.strip()}\n"))
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    introduction, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    kept = [introduction, *(f"## {section}" for section in sections if _LIMITS.match(section))]
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip()
