"""The things in a list that is sorted under headings: "- **Cutting:** band saws, cold saws" has two."""

import re

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.segments import Item, items

_COUNTED = re.compile(
    rf"^(?:(?:just|only|exactly|about)\s+)?(?:the\s+(?=one\b))?(?P<count>\d+|{counting.WORDS})\s*(?:x|"
    rf"\u00d7)?\s+(?P<name>[^\d\s].*)$",
    re.IGNORECASE,
)
_COUNT_AFTER = re.compile(
    rf"^(?P<name>[^\d:(]+?)\s*(?:[:=(\u00d7]|\bx|\s[-\u2013]\s|\s(?=\d))\s*(?:just\s+|only\s+|x\s*)?"
    rf"(?P<count>\d+|{counting.WORDS})(?:\s*x)?\b\s*\)?(?:\s+of\s+(?:them|those))?$",
    re.IGNORECASE,
)


def has_headings(text: str) -> bool:
    """Whether some items of a list stand under others."""
    return any(one.depth for one in items(text))


def things(text: str) -> list[Item]:
    """The things of a list, with what is said of each; a heading is none of them."""
    every = items(text)
    found: list[Item] = []
    for place, item in enumerate(every):
        if place + 1 < len(every) and every[place + 1].depth > item.depth:
            continue  # a heading of the items below it
        parts = [part.strip(" .") for part in re.split(r"[,;](?![^()]*\))", item.rest) if part.strip(" .")]
        if item.labelled and len(parts) >= 2 and all(len(part.split()) <= 7 for part in parts):
            found += [_thing(part) for part in parts]
        elif item.rest and not item.labelled:
            found += [_thing(part) for part in re.split(r"\s\+\s", item.label)][:-1]
            found.append(Item(_thing(re.split(r"\s\+\s", item.label)[-1]).label, item.rest, item.depth))
        else:
            found.append(item if item.rest else _thing(item.label))
    return found


def _thing(part: str) -> Item:
    """A thing with its number beside it, in whichever order: "pallet jacks (2)", "2 pallet jacks"."""
    match = _COUNTED.match(part) or _COUNT_AFTER.match(part)
    return Item(match["name"], f"{counting.count(match['count'])} pieces") if match else Item(part, "")
