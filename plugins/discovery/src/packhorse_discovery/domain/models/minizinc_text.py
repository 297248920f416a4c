"""Pieces of MiniZinc text: literals, comments, arrays."""

from collections.abc import Iterable, Sequence

from packhorse_discovery.domain.models.source import Amount, one_line

LONGEST_NAME = 80


def string(text: str) -> str:
    """A string literal. A backslash with a parenthesis would insert a value, so backslashes are doubled."""
    flat = one_line(text, LONGEST_NAME)
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'


def comment(text: str) -> str:
    """``text`` behind a comment sign, on one line."""
    return f"% {one_line(text, 600)}"


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Comment lines."""
    return [comment(line) for line in lines]


def parameter(name: str, amount: Amount, what: str) -> str:
    """``int: name = value;`` with where the value comes from."""
    return f"int: {name} = {amount.value};  {comment(f'{what}; {amount.source.words}')}"


def numbers(name: str, amounts: Sequence[Amount], labels: Sequence[str]) -> list[str]:
    """An array of sourced numbers, one on each line."""
    lines = [f"array[1..{len(amounts)}] of int: {name} = ["]
    for number, (amount, label) in enumerate(zip(amounts, labels, strict=True), start=1):
        lines.append(f"  {amount.value},  {comment(f'{number} {label}: {amount.source.words}')}")
    return [*lines, "];"]


def strings(name: str, texts: Sequence[str]) -> list[str]:
    """An array of strings, one on each line."""
    return [f"array[1..{len(texts)}] of string: {name} = [", *(f"  {string(text)}," for text in texts), "];"]


def indices(name: str, zero_based: Sequence[int]) -> str:
    """An array of indices into another array, which count from 1 in MiniZinc. They are no data of their own."""
    inside = ", ".join(str(index + 1) for index in zero_based)
    return f"array[1..{len(zero_based)}] of int: {name} = [{inside}];"
