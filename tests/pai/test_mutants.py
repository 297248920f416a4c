"""Lint on policies with one seeded fault each: every fault is found, every finding is proved by calls."""

import random

import pytest
from attrs import evolve
from pai_mutants import GIVEN, cards, mutants, sound_houses, tools

from packhorse_pai.domain.cards import parse
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.decision import decide_spawn
from packhorse_pai.domain.grants import Grant, Layer, Rule, Verdict, World, judge
from packhorse_pai.domain.linting import findings
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.domain.seen import Record, Seen
from packhorse_pai.domain.words import Words

KINDS = {
    "never fires": "never_fires", "always holds": "always_holds", "shadowed": "shadowed",
    "missing tool": "no_such_tool", "nobody can invoke": "unreachable", "widened child": "widened",
}  # fmt: skip
HOST = {name: HostTool(name, only, input_schema=i, output_schema=o) for name, (i, o, only) in tools().items()}
TEXTS = (
    "north", "red", "blue", "green", "south", "jade", "teal", "a long sentence", "first class", "with thanks", "whale",
    "ann@example.org", "see https://evil.example", "7", "9000", "i1", "m1", "2026-03-04", "x", "", "x" * 150,
)  # fmt: skip
VERBS = [
    "hold",
    "book",
    "send",
    "notice",
    "lend",
    "item",
    "waive",
    "fee",
    "move",
    "stock",
    "please",
    "reserve",
    "urgently",
    "today",
]
NUMBERS = (0, 1, 2, 3, 5, 7, 9, 12, 14, 20, 21, 28, 30, 40, 41, 50, 90, 500)


def policy_of(house):
    readings = {name: parse(text, stem=name) for name, text in cards(house).items()}
    assert not any(reading.grave for reading in readings.values())
    return compile_policy(readings, [], HOST).policy


def values(tool, argument):
    """Values of an argument that its schema allows."""
    about = GIVEN[tool][0].get(argument, {}) if tool in GIVEN else {}
    if "enum" in about:
        return list(about["enum"])
    if about.get("type") == "boolean":
        return [True, False]
    if about.get("type") in ("integer", "number"):
        return [n for n in NUMBERS if about.get("minimum", n) <= n <= about.get("maximum", n)]
    return [text for text in TEXTS if len(text) <= about.get("maxLength", 999)]


def worlds(chance):
    """What clauses look at: most values stand in the mission, and things that the tools answer were seen."""
    seen = Seen()
    kinds = ("item", "member", "branch", "hold", "notice", "loan", "waiver", "move")
    seen.add([Record(kind, key, ("north",)) for kind in kinds for key in ("i1", "m1", "north", "7")], made=True)
    seen.values |= {*TEXTS, *map(str, NUMBERS)}
    mine = {"address": frozenset({"ann@example.org"})}
    said = " ".join(f"'{text}' {text}" for text in chance.sample(TEXTS, chance.randint(3, len(TEXTS))))
    numbers = " ".join(str(number) for number in chance.sample(NUMBERS, chance.randint(0, len(NUMBERS))))
    verbs = " ".join(chance.sample(VERBS, 9))
    return World(Words(f"{verbs} {said} {numbers}"), chance.random() < 0.9, seen, mine)


def calls(chance, tool, how_many=60):
    """Calls of a tool that its schema allows, each in a world of its own."""
    properties, required, _ = GIVEN[tool]
    for _ in range(how_many):
        names = [name for name in properties if name in required or chance.random() < 0.6]
        yield {name: chance.choice(values(tool, name)) for name in names}, worlds(chance)


def prove(found, policy, chance):
    """A finding, shown by calls."""
    written = [layer for layer in policy.grants.get(found.agent, ())[1:] if found.tool in layer.grants]
    grants = written[0].grants[found.tool] if written else ()
    grant = grants[found.grant] if found.grant is not None else None
    match found.kind:
        case "no_such_tool":
            assert found.tool not in policy.tools
        case "unreachable":
            chains = [(), *((above,) for above in policy.exposed)]
            assert not any(decide_spawn(policy, chain, found.agent).allowed for chain in chains)
        case "never_fires" if found.alternative is not None:
            rule = Rule((grant.arguments[found.argument].alternatives[found.alternative],))
            assert Verdict.ALLOW not in verdicts(rule, found, chance)
        case "never_fires":
            alone = Layer.of([grant])
            made = [
                judge([alone], found.tool, call, world).verdict
                for call, world in calls(chance, found.tool)
                if found.argument in ("", *call, *GIVEN[found.tool][1])
            ]
            assert Verdict.ALLOW not in made
        case "always_holds" if not found.argument:
            made = list(calls(chance, found.tool))
            shorter = [evolve(grant, when=grant.when[:at] + grant.when[at + 1 :]) for at in range(len(grant.when))]
            outcomes = [
                [judge([Layer.of([one])], found.tool, call, world).verdict for call, world in made]
                for one in (grant, *shorter)
            ]
            assert outcomes[0] in outcomes[1:]
        case "always_holds" if found.alternative is None:
            rule = grant.arguments[found.argument]
            assert all(len(way) == 1 for way in rule.alternatives)
            assert set(verdicts(rule, found, chance)) == {Verdict.ALLOW}
        case "always_holds":
            way = grant.arguments[found.argument].alternatives[found.alternative]
            assert any(set(verdicts(Rule(((clause,),)), found, chance)) == {Verdict.ALLOW} for clause in way)
        case "shadowed" if found.alternative is not None:
            whole = grant.arguments[found.argument]
            others = tuple(one for at, one in enumerate(whole.alternatives) if at != found.alternative)
            seed = chance.random()
            without = verdicts(Rule(others, whole.otherwise), found, random.Random(seed))
            assert verdicts(whole, found, random.Random(seed)) == without
        case "shadowed":
            rest = Layer.of([one for at, one in enumerate(grants) if at != found.grant], whole=False)
            for call, world in calls(chance, found.tool):
                both, fewer = (judge([one], found.tool, call, world).verdict for one in (written[0], rest))
                assert both == fewer
        case "widened":
            raised = []
            for parent in (one for one, children in policy.spawn.items() if found.agent in children):
                above = [layer for layer in policy.grants[parent][1:] if found.tool in layer.grants]
                tried = calls(chance, found.tool, 600)
                raised.append(
                    any(
                        judge(written, found.tool, call, world).verdict
                        > judge([*written, *above], found.tool, call, world).verdict
                        for call, world in tried
                    )
                )
            assert raised
            assert all(raised)
        case other:
            raise AssertionError(other)


def verdicts(rule, found, chance):
    """The verdicts of a rule alone on all values that the schema allows, in several worlds."""
    layer = Layer.of([Grant(found.tool, {found.argument: rule})])
    places = [worlds(chance) for _ in range(4)]
    return [
        judge([layer], found.tool, {found.argument: value}, world).verdict
        for value in values(found.tool, found.argument) for world in places
    ]  # fmt: skip


def test_each_of_500_seeded_faults_is_found_and_each_finding_is_proved_by_calls():
    chance, missed, proved = random.Random(3), [], 0
    for house, fault in mutants(500):
        policy = policy_of(house)
        found = list(findings(policy, sorted(house)))
        if not any(
            (one.kind, one.agent, one.tool) == (KINDS[fault.kind], fault.agent, fault.tool)
            and fault.argument in ("", one.argument)
            for one in found
        ):
            missed.append(fault)
        for one in found:
            prove(one, policy, chance)
            proved += 1
    assert missed == []
    assert proved >= 500


def test_nothing_is_found_in_a_sound_policy():
    for house in sound_houses(200):
        assert list(findings(policy_of(house), sorted(house))) == []


@pytest.mark.parametrize("flag", [True, False])
def test_a_rule_that_a_flag_equals_something_holds_for_it(flag):
    (house, _) = next(pair for pair in mutants(500) if pair[1].maker == "both_flags")
    agent, grant = next((a, g) for a, one in house.items() for g in one.grants if "urgent" in g["args"])
    grant["args"], house = {"recipient": ["free"], "urgent": [{"equals": flag}]}, {agent: house[agent]}
    grant.pop("when", None)
    layers = policy_of(house).grants[agent][1:]
    world = World(Words("send notice please"), True)
    call = {"recipient": "ann", "urgent": flag}
    assert judge(layers, grant["tool"], call, world).verdict is Verdict.ALLOW
    assert judge(layers, grant["tool"], {**call, "urgent": not flag}, world).verdict is not Verdict.ALLOW
