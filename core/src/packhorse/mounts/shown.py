"""Mounts as a person at a terminal reads them."""

from collections.abc import Iterator
from textwrap import shorten

from packhorse.mounts.accepted import KEYS, KINDS, Mount
from packhorse.mounts.judged import Judge

_WIDTH = 90


def offers_of(name: str, mount: Mount) -> Iterator[str]:
    """A line for each accepted offer that is wanted."""
    judge = Judge()
    for kind in KINDS:
        for item, fault in judge.judged(name, mount, kind):
            key = item[KEYS[kind]]
            if fault is not None:
                yield f"not served: {kind} {key!a}: {fault}"
                continue
            words = shorten(item.get("description") or "", _WIDTH, placeholder=" ...")
            if kind == "tool":
                yield f"{mount.served(key)} ({'reads' if mount.reads(key) else 'may change something'}): {words}"
            else:
                yield f"{kind} {mount.served(key) if kind == 'prompt' else key}: {words}"


def counted(mount: Mount) -> str:
    """How much of each kind is wanted: 14 tools, 1 prompt."""
    counts = [(kind, sum(mount.wants(item[KEYS[kind]]) for item in items)) for kind, items in mount.offers.items()]
    return ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts if count) or "nothing"


def served_of(name: str, mount: Mount) -> list[str]:
    """The names of what is served: tools, URIs, templates, prompts."""
    judge = Judge()
    return [
        mount.served(item[KEYS[kind]]) if kind in ("tool", "prompt") else item[KEYS[kind]]
        for kind in KINDS
        for item, fault in judge.judged(name, mount, kind)
        if fault is None
    ]
