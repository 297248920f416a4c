"""Units of a formulation: products of powers of names, compared and never converted."""

import re
from collections.abc import Iterable

Unit = tuple[tuple[str, int], ...] | None
"""Powers by name, sorted. None is a unit that nobody stated; () is a bare number, which fits any unit."""

BARE: Unit = ()

_SAME = {
    "$": "dollar", "usd": "dollar", "€": "euro", "eur": "euro", "£": "pound sterling", "gbp": "pound sterling",
    "h": "hour", "hr": "hour", "min": "minute", "sec": "second", "wk": "week", "mo": "month", "yr": "year",
    "kg": "kilogram", "kilo": "kilogram", "g": "gram", "gm": "gram", "mg": "milligram", "lb": "pound",
    "ounce": "oz", "km": "kilometre", "kilometer": "kilometre", "m": "metre", "meter": "metre",
    "mile": "mile", "l": "litre", "liter": "litre", "ml": "millilitre", "milliliter": "millilitre",
    "people": "person", "men": "man", "women": "woman", "feet": "foot", "ft": "foot", "acre": "acre",
    "%": "", "percent": "", "1": "", "": "",
}  # fmt: skip


def name_of(word: str) -> str:
    """A unit's name in one spelling: singular, without its abbreviation."""
    word = " ".join(word.casefold().split())
    if word in _SAME:
        return _SAME[word]
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif re.search(r"(ss|x|ch|sh)es$", word):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return _SAME.get(word, word)


def unit_of(text: str) -> Unit:
    """The unit in words such as "glue/bridge", "dollar per hour", "worker*hour"; None for no words."""
    if not text.strip():
        return None
    powers: dict[str, int] = {}
    for at, part in enumerate(re.split(r"/|\bper\b", text)):
        for word in part.split("*"):
            if name := name_of(word):
                powers[name] = powers.get(name, 0) + (-1 if at else 1)
    return _sorted(powers)


def times(one: Unit, other: Unit, sign: int = 1) -> Unit:
    """The unit of a product, or of a quotient with ``sign`` -1."""
    if one is None or other is None:
        return None
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + sign * power
    return _sorted(powers)


def joined(one: Unit, other: Unit) -> Unit:
    """The unit of a sum.

    Raises:
        ValueError: the two are different units.
    """
    if one == other or other == BARE:
        return one
    if one == BARE:
        return other
    if one is None or other is None:
        return None
    raise ValueError(f"{shown(one)} and {shown(other)}")


def shown(unit: Unit) -> str:
    """The unit in words; empty for none."""
    above = [_power(name, power) for name, power in unit or () if power > 0]
    below = [_power(name, -power) for name, power in unit or () if power < 0]
    return "/".join(["*".join(above) or "1", *below]) if above or below else ""


def words_of(text: str) -> Iterable[str]:
    """The names in a unit as they were written."""
    return [word.strip() for word in re.split(r"/|\*|\bper\b", text) if name_of(word)]


def _power(name: str, power: int) -> str:
    return "*".join([name] * power)


def _sorted(powers: dict[str, int]) -> Unit:
    return tuple(sorted((name, power) for name, power in powers.items() if power))
