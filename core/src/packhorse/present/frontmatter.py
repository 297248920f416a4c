"""The YAML at the beginning of a SKILL.md: texts, lists of texts, and names with texts, as Agent Skills has them.

A bare word that some reader of YAML takes for a number, a date or a truth is
refused: in quotes it is the same text for every reader.
"""

import re
from typing import Any

_BLOCK = re.compile(r"\A---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)

# A line that needs no YAML to be read: loading that costs as much as half a pack does.
_PLAIN = re.compile(r"([a-z][a-z0-9-]*): ([A-Za-z](?:[^\s:#]|:(?=\S)|#| (?=[^ #]))*)")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def frontmatter(text: str) -> dict[str, Any]:
    """The fields between the two lines of dashes, in their order.

    Raises:
        ValueError: there are none, or one is no text; the message is for the file's author.
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
        node = yaml.compose(block, Loader=yaml.SafeLoader)
    except yaml.YAMLError as exc:
        raise ValueError("its fields are not valid YAML: " + " ".join(str(exc).split())) from exc
    fields = _value(node, "the block")
    if not isinstance(fields, dict):
        raise ValueError("its fields are not names with values")  # noqa: TRY004 - of the file, not of a caller
    return fields


def _value(node: Any, where: str, depth: int = 0) -> Any:
    if depth > 3:
        raise ValueError(f"its fields are nested too deeply below {where}")
    kind = node.tag.rpartition(":")[2] if node is not None else ""
    if kind == "map":
        fields: dict[str, Any] = {}
        for key, value in node.value:
            name = _value(key, where, depth + 1)
            if not isinstance(name, str) or name in fields:
                raise ValueError(f"its fields have a name twice, or one that is no text, in {where}: {name!r}")
            fields[name] = _value(value, name, depth + 1)
        return fields
    if kind == "seq":
        return [_value(item, where, depth + 1) for item in node.value]
    if kind != "str" or not _is_text(node.value):
        raise ValueError(f"its fields must be texts, and {where!r} is none to every reader of YAML: put it in quotes")
    return node.value


def _is_text(value: str) -> bool:
    return value.encode("utf-8", "replace").decode() == value  # half a character is none
