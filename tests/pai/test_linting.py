"""What lint finds in grants, and that calls prove it."""

import os
import random

import pytest

from packhorse_pai.domain.grants import Layer, Verdict, World, judge
from packhorse_pai.domain.grants_toml import grant_from
from packhorse_pai.domain.linting import findings
from packhorse_pai.domain.policy import HostTool, Limits, Policy
from packhorse_pai.domain.words import Words

SCHEMA = {"pay": {"properties": {"to": {}, "amount": {}, "note": {}}, "required": ["to"]}}
WORDS = ("pay", "send", "ann", "bob", "5", "rent")


def policy_of(*grants, exposed=("A",)):
    layer = Layer.of([grant_from({"tool": "pay", **one}) for one in grants], whole=False)
    return Policy(
        use={"A": frozenset({"pay"})},
        grants={"A": (Layer(whole=False), layer)},
        exposed=frozenset(exposed),
        limits={"A": Limits()},
        tools={name: HostTool(name, input_schema=schema) for name, schema in SCHEMA.items()},
    )


def kinds(policy):
    return {one.kind for one in findings(policy, ["A"])}


SIZED = {
    "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
    "day": {"type": "string", "format": "date"},
    "kind": {"enum": ["a", "b"]},
    "at": {"type": "string", "format": "date-time"},
    "mail": {"type": "string", "pattern": "^[^ ]+$"},
    "note": {"type": "string", "maxLength": 40},
    "ref": {"type": "string", "format": "uuid", "minLength": 1, "maxLength": 40},
    "key": {"type": "string", "format": "uuid", "maxLength": 36},
    "price": {"type": "string", "pattern": r"^[0-9]\$"},
}


@pytest.mark.parametrize(
    ("rule", "more", "kind"),
    [
        ({"code": [{"equals": "Texas"}]}, {}, "never_fires"),
        ({"code": [{"equals": "tx"}]}, {}, None),
        ({"code": [{"short": 1}]}, {}, "never_fires"),
        ({"code": [{"short": 2}]}, {}, "always_holds"),
        ({"price": [{"short": 2}]}, {}, None),
        ({"day": [{"equals": "3 May"}]}, {}, "never_fires"),
        ({"day": [{"equals": "2026-05-03"}]}, {}, None),
        ({"day": [{"short": 9}]}, {}, "never_fires"),
        ({"kind": [{"in": ["a", "c"]}]}, {}, "never_fires"),
        ({"day": [{"in": ["2026-05-03", "2026-05-04"]}]}, {}, None),
        ({"day": [{"in": ["2026-05-03", "2026-05-03"]}]}, {}, "never_fires"),
        ({"day": [{"equals": "2026-05-03", "short": 20}]}, {}, "always_holds"),
        ({"day": ["free", {"else": "ask"}]}, {}, "never_fires"),
        ({"day": ["free"]}, {"else": "ask"}, "never_fires"),
        ({"day": ["named"]}, {"else": "ask"}, None),
        ({"day": ["free", {"else": "deny"}]}, {}, "never_fires"),
        ({"day": ["named", {"else": "deny"}]}, {"else": "ask"}, None),
        ({"day": [{"mine": "address"}]}, {}, "never_fires"),
        ({"at": [{"mine": "address"}]}, {}, "never_fires"),
        ({"code": [{"mine": "address"}]}, {}, "never_fires"),
        ({"kind": [{"mine": "address"}]}, {}, "never_fires"),
        ({"mail": [{"mine": "address"}]}, {}, None),
        ({"note": [{"mine": "address"}]}, {}, None),
        ({"ref": [{"short": 30}]}, {}, None),
        ({"ref": [{"short": 36}]}, {}, None),
        ({"key": [{"short": 30}]}, {}, "never_fires"),
        ({"code": ["named"]}, {"required": ["code"]}, "no_effect"),
        ({"day": ["named"]}, {"required": ["day"]}, None),
    ],
)
def test_patterns_formats_and_neighbours_are_read_as_bounds_are(rule, more, kind):
    layer = Layer.of([grant_from({"tool": "file", "args": rule, **more})], whole=False)
    policy = Policy(
        use={"A": frozenset({"file"})},
        grants={"A": (Layer(whole=False), layer)},
        exposed=frozenset("A"),
        limits={"A": Limits()},
        tools={"file": HostTool("file", input_schema={"properties": SIZED, "required": [*rule] * ("code" in rule)})},
    )
    assert kinds(policy) == ({kind} if kind else set())


def random_grant(draw):
    clauses = ["named", {"most": draw.choice((5, 10))}, {"short": draw.choice((3, 9))}, "free", {"in": ["ann", "bob"]}]
    clauses += [{"equals": "ann"}, {"named": True, "short": 9}, "quoted"]
    names = draw.sample(("to", "amount", "note"), draw.randrange(1, 4))
    arguments = {name: draw.sample(clauses, draw.randrange(1, 3)) for name in {"to", *names}}
    return {
        "args": arguments,
        "when": [draw.sample(WORDS, 2) for _ in range(draw.randrange(2))],
        "else": draw.choice(("ask", "deny")),
    }


def random_call(draw):
    values = ("ann", "bob", "eve", "bo", 5, 7, -1, True, None)
    return {name: draw.choice(values) for name in draw.sample(("to", "amount", "note"), draw.randrange(1, 4))}


def test_a_shadowed_grant_changes_no_verdict_of_any_call():
    draw, shadowed, calls = random.Random(7), 0, 0
    while shadowed < 60:
        rows = [random_grant(draw), random_grant(draw)]
        if draw.random() < 0.5:
            rows[1] = {**rows[0], "when": [*rows[0]["when"], draw.sample(WORDS, 1)]}
        if not any(
            (one.kind, one.grant, one.argument) == ("shadowed", 1, "") for one in findings(policy_of(*rows), ["A"])
        ):
            continue
        shadowed += 1
        both, first = (
            Layer.of([grant_from({"tool": "pay", **one}) for one in some], whole=False) for some in (rows, rows[:1])
        )
        for _ in range(200):
            calls += 1
            text = " ".join(draw.sample(WORDS, 3))
            world, call = World(Words(text), draw.random() < 0.5), random_call(draw)
            assert judge([both], "pay", call, world).verdict == judge([first], "pay", call, world).verdict
    assert calls == 12_000


def test_whatever_narrows_never_raises_a_verdict():
    """Remove a grant, an alternative, a rule; add a clause, a word, a layer: no rise."""
    draw = random.Random(11)
    for _ in range(int(os.environ.get("PACKHORSE_PAI_CASES", "20000"))):
        row, text = random_grant(draw), " ".join(draw.sample(WORDS, 3))
        world, call = World(Words(text), draw.random() < 0.5), random_call(draw)
        before = judge([Layer.of([grant_from({"tool": "pay", **row})])], "pay", call, world).verdict
        narrowed = {**row, "args": dict(row["args"])}
        name = draw.choice(sorted(narrowed["args"]))
        match draw.randrange(5):
            case 0:
                narrowed["args"].pop(name)
            case 1:
                narrowed["args"][name] = narrowed["args"][name][:-1]
            case 2:
                narrowed["when"] = [*row["when"], ["rent"]]
            case 3:
                narrowed["else"] = "deny"
            case _:
                narrowed["args"][name] = [
                    {"short": 4, **({one: True} if isinstance(one, str) else one)} for one in narrowed["args"][name]
                ]
        after = judge([Layer.of([grant_from({"tool": "pay", **narrowed})])], "pay", call, world).verdict
        assert after <= before, (row, narrowed, call, text)
        other = Layer.of([grant_from({"tool": "pay", **random_grant(draw)})])
        twice = judge([Layer.of([grant_from({"tool": "pay", **row})]), other], "pay", call, world).verdict
        assert twice <= before


def test_a_mission_that_a_client_wrote_allows_nothing_that_hangs_on_its_words():
    grant = grant_from({"tool": "pay", "args": {"to": ["named"]}, "when": [["pay"]], "else": "ask"})
    call = {"to": "ann"}
    assert judge([Layer.of([grant])], "pay", call, World(Words("pay ann"), True)).verdict is Verdict.ALLOW
    assert judge([Layer.of([grant])], "pay", call, World(Words("pay ann"), False)).verdict is Verdict.ASK
