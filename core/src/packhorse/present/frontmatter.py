"""The YAML at the beginning of a Markdown file, as JSON: what a reader in any other language makes of it.

YAML 1.2's core schema (chapter 10.3) decides what a bare word is: ``yes`` is a
text and ``1.10`` a number. PyYAML knows the older rules, by which dates are
dates and ``010`` is eight; it reads here under the newer ones.
"""

import json
import re
from functools import cache
from typing import Any, ClassVar

_BLOCK = re.compile(r"\A---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)

# A line that needs no YAML to be read: loading that costs as much as half a pack does.
_PLAIN = re.compile(r"([a-z][a-z0-9-]*): ([A-Za-z](?:[^\s:#]|:(?=\S)|#| (?=[^ #]))*)")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def frontmatter(text: str) -> dict[str, Any]:
    """The fields between the two lines of dashes, in their order.

    Raises:
        ValueError: there are none, or they are not YAML that JSON can say; the message is for the file's author.
    """
    found = _BLOCK.match(text)
    if found is None:
        raise ValueError("it does not begin with a line '---', its fields, and another line '---'")
    block = found[1]
    plain = _plainly(block)
    return _by_yaml(block) if plain is None else plain


def _plainly(block: str) -> dict[str, Any] | None:
    """The fields where each is one line of plain words; None where YAML has to be asked."""
    fields: dict[str, Any] = {}
    for line in block.replace("\r\n", "\n").split("\n"):
        matched = _PLAIN.fullmatch(line)
        if matched is None or not line.isprintable() or matched[1] in {*_WORDS, *fields}:
            return None
        if matched[2].lower() in _WORDS:
            return None
        fields[matched[1]] = matched[2]
    return fields


def _by_yaml(block: str) -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]

    try:
        fields = yaml.load(block, Loader=_loader())  # noqa: S506  # a safe loader with fewer rules
    except yaml.YAMLError as exc:
        raise ValueError("its fields are not valid YAML: " + " ".join(str(exc).split())) from exc
    if not isinstance(fields, dict):
        raise ValueError("its fields are no mapping of names to values")  # noqa: TRY004 - of the file, not of a caller
    try:
        json.dumps(fields, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError) as exc:
        raise ValueError("one of its fields is nothing that JSON can say") from exc
    return fields


@cache
def _loader() -> Any:
    import yaml

    class Core(yaml.SafeLoader):  # type: ignore[misc]
        """Reads by the core schema of YAML 1.2."""

        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            names = [self.construct_object(key, deep=True) for key, _ in node.value]
            for name in names:
                if not isinstance(name, str):
                    raise yaml.constructor.ConstructorError(None, None, f"the name {name!r} is no text")
                if names.count(name) > 1:
                    raise yaml.constructor.ConstructorError(None, None, f"the name {name!r} stands twice")
            made: dict[Any, Any] = super().construct_mapping(node, deep)
            return made

    def number(loader: Any, node: Any) -> int:
        text = loader.construct_scalar(node)
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)

    tags = "tag:yaml.org,2002:"
    for name, pattern, firsts in (
        ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
        ("null", r"(?:~|null|Null|NULL|)\Z", ["~", "n", "N", ""]),
        ("int", r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z", "-+0123456789"),
        ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z", "-+.0123456789"),
        ("float", r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z", "-+."),
    ):
        Core.add_implicit_resolver(tags + name, re.compile(pattern), list(firsts))
    Core.add_constructor(tags + "int", number)
    return Core
