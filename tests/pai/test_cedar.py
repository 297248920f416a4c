"""Grants as Cedar policies decide as the pack does, lists element by element. Needs the wheel ``cedarpy``."""

import os
import random

import pytest

from packhorse_pai.domain.cedar import call_context, layer_statements
from packhorse_pai.domain.grants import Layer, Verdict, World, judge
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.seen import Record, Seen
from packhorse_pai.domain.words import Words

cedarpy = pytest.importorskip("cedarpy", reason="the wheel cedarpy is not installed")

CALLS = int(os.environ.get("PACKHORSE_PAI_CASES", "400"))
WORDS = (
    "pay",
    "send",
    "rent",
    "ann@example.org",
    "bob",
    "5",
    "2026-03-04",
    "'all clear'",
    "minutes",
    "https://x.org/a",
)
VALUES = (
    "ann@example.org", "bob", "BOB", "eve", "all clear", "see https://x.org/a", "see https://evil.org", "f1", "f2",
    "m9", "2026-03-04", "2031-01-01", 5, 5.0, 5.004, 7, -1, 0, 250.005, True, False, "minutes", "",
    {"a": "evil.org"}, ["bob"], ["ann@example.org", "bob"], ["bob", "eve@evil.org"], [],
)  # fmt: skip
CLAUSES = (
    "named", "quoted", "dated", "links", "grounded", "seen", "free", {"most": 5}, {"most": 250}, {"short": 4},
    {"short": 14},
    {"equals": "bob"}, {"equals": 5}, {"equals": True}, {"in": ["bob", "eve", 7]}, {"in": []}, {"mine": "address"},
    {"anchored": "id:file"}, {"made": "id:file"}, {"links": True, "short": 9}, {"named": True, "most": 6},
)  # fmt: skip


def grant(draw):
    names = draw.sample(("to", "amount", "note", "when"), draw.randint(1, 4))
    rules = {name: draw.sample(CLAUSES, draw.randint(0, 3)) for name in names}
    asks = {"else": draw.choice(("ask", "deny"))}
    given = {
        "tool": "pay",
        "args": rules,
        "when": [draw.sample(WORDS[:4], 2) for _ in range(draw.randrange(3))],
        **asks,
    }
    return grant_from({**given, "required": draw.sample(names, draw.randrange(2))})


def world(draw):
    seen = Seen()
    seen.add([Record("file", "f1", ("minutes",)), Record("file", "f2", ("ledger",))])
    seen.add([Record("file", "m9", ("new",))], made=True)
    text = " ".join(draw.sample(WORDS, draw.randint(2, 9)))
    return World(Words(text), draw.random() < 0.6, seen, {"address": frozenset({"ann@example.org"})})


def elements(arguments):
    """The calls that a call with lists is asked as: each element with the first of the other lists."""
    lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
    if not lists:
        return [arguments]
    firsts = {name: value[0] if value else None for name, value in lists.items()}
    plain = {name: value for name, value in arguments.items() if name not in lists}
    return [{**plain, **firsts, name: one} for name, value in lists.items() for one in value]


def by_cedar(layers, arguments, place):
    lowest = Verdict.ALLOW
    for number, layer in enumerate(layers):
        text = "\n".join(layer_statements(f"A/{number}", layer))
        for call in elements(arguments):
            request = {
                "principal": f'Layer::"A/{number}"',
                "resource": 'Tool::"pay"',
                "context": call_context(call, place, [layer]),
            }
            asked = [
                cedarpy.is_authorized({**request, "action": f'Action::"{action}"'}, text, "[]")
                for action in ("allow", "ask")
            ]
            assert not any(one.diagnostics.errors for one in asked), [one.diagnostics.errors for one in asked]
            level = Verdict.ALLOW if asked[0].allowed else Verdict.ASK if asked[1].allowed else Verdict.DENY
            lowest = min(lowest, level)
    return lowest


def test_cedar_decides_on_arguments_as_the_pack_does():
    draw, counted = random.Random(5), dict.fromkeys(Verdict, 0)
    for _ in range(CALLS):
        layers = [Layer.of([grant(draw) for _ in range(draw.randint(1, 2))]) for _ in range(draw.randint(1, 2))]
        names = draw.sample(("to", "amount", "note", "when"), draw.randint(1, 3))
        # With two grants of a tool each element could be another's: one list, and one grant, where there is one.
        arguments = {name: draw.choice(VALUES) for name in names}
        if any(isinstance(value, list) for value in arguments.values()):
            layers = [Layer.of([grant(draw)]) for _ in layers]
            lists = [name for name, value in arguments.items() if isinstance(value, list)]
            arguments = {name: value for name, value in arguments.items() if name not in lists[1:]}
            if not arguments[lists[0]]:
                arguments[lists[0]] = ["bob"]
        place = world(draw)
        ours = judge(layers, "pay", arguments, place).verdict
        counted[ours] += 1
        assert by_cedar(layers, arguments, place) == ours, (layers, arguments, place.mission.text, place.by_person)
    print({verdict.name: count for verdict, count in counted.items()})
    assert all(counted.values())
