"""What most tests make again, and what comes out the same, is made once in a process.

Most tests deploy a whole pack, and half of their time went into compiling the arguments and answers of its tools.
These follow from a function and what its offer says. Functions made inside others are compiled each time.
"""

import inspect
from collections import defaultdict
from dataclasses import fields, replace
from functools import wraps

import pytest

from packhorse.compose import collect, entries
from packhorse.contract.offers import Tool

OF_ONE_HOST = ("fn", "preview", "version")
COMPILED = [field.name for field in fields(Tool) if field.name not in OF_ONE_HOST]

_kept = defaultdict(list)


def tool_entry(pack, prefix, limits, offer):
    """That of the host, which here compiles a function of a module or class once for each way to offer it."""
    inner = inspect.unwrap(offer.fn)
    function = getattr(inner, "__func__", inner)
    if not inspect.isfunction(function) or "<locals>" in function.__qualname__:
        return entries.tool_entry(pack, prefix, limits, offer)
    offered = pack, prefix, dict(limits), [getattr(offer, name) for name in COMPILED]
    known = _kept[function, offer.fn.__code__]  # the code is that of what wraps it
    for before, entry in known:
        if before == offered:
            return replace(entry, offer=offer)
    entry = entries.tool_entry(pack, prefix, limits, offer)
    known.append((offered, entry))
    return entry


def never(test):
    """A test of what is made each time: in it nothing is kept."""

    @wraps(test)
    def tested(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(collect, "tool_entry", entries.tool_entry)
            test(self)

    return tested
