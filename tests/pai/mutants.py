"""Policies with one fault each, seeded by what the clauses mean and by nothing of the analysis that looks for them.

A house is a set of agents that a host serves: their grants as plain TOML data, who starts whom, and whom a person may
invoke. Each sound house is without fault; each maker takes one and puts in one fault, of which it says where it is.
"""

import copy
import json
import random

from attrs import define, field, frozen

NUMBER = {"type": "integer", "minimum": 0, "maximum": 500}
TEXT = {"type": "string"}
GIVEN = {
    "hold_book": ({"title": TEXT, "copies": NUMBER, "shelf": {"enum": ["red", "blue", "green"]}}, ["title"], "hold"),
    "send_notice": (
        {"recipient": TEXT, "body": {**TEXT, "maxLength": 200}, "urgent": {"type": "boolean"}}, ["recipient"], "notice"
    ),
    "lend_item": ({"item_id": TEXT, "days": NUMBER, "branch": {"enum": ["north", "south"]}}, ["item_id"], "loan"),
    "waive_fee": (
        {"member_id": TEXT, "amount": {"type": "number", "minimum": 0, "maximum": 90}, "note": TEXT},
        ["member_id", "amount"], "waiver",
    ),
    "move_stock": ({"from_branch": TEXT, "on_date": TEXT, "count": {"type": "integer"}}, ["from_branch"], "move"),
}  # fmt: skip
"""Tools that change something: properties, what must be given, and of what kind of thing the answer has the id."""
READ = {"find_item": "item", "find_member": "member", "list_branches": "branch"}
"""Tools that only read, and the kind of thing that they answer."""


@define
class Agent:
    """One agent's file, as data."""

    grants: list = field(factory=list)
    reads: list = field(factory=list)
    starts: list = field(factory=list)
    exposed: bool = True


@frozen
class Fault:
    """What was put in: its kind, and where."""

    kind: str
    maker: str
    agent: str
    tool: str = ""
    argument: str = ""


def tools():
    """name -> (input schema, output schema, whether it only reads)."""
    found = {
        name: ({"type": "object", "properties": properties, "required": required}, answer(kind), False)
        for name, (properties, required, kind) in GIVEN.items()
    }
    query = {"type": "object", "properties": {"query": TEXT}, "required": []}
    return {**found, **{name: (query, answer(kind), True) for name, kind in READ.items()}}


def answer(kind):
    """The schema of an answer that has one thing's id and name."""
    properties = {
        "id": {"type": "string", "x-packhorse-id": kind},
        "name": {"type": "string", "x-packhorse-name": True},
    }
    return {"type": "object", "properties": properties}


def grant_of(chance, tool):
    """A sound grant of a tool: each rule can hold and can fail, and none covers another."""
    ways = {
        "title": [["named"], ["quoted"], [{"links": True, "short": 60}], [{"grounded": True}]],
        "copies": [["named"], [{"most": 3}], ["named", {"most": 2}]],
        "shelf": [["named"], [{"in": ["red", "blue"]}], [{"equals": "green"}, "named"]],
        "recipient": [["named"], ["named", {"mine": "address"}], [{"mine": "address"}]],
        "body": [["links"], ["quoted"], [{"links": True, "short": 120}]],
        "urgent": [[{"equals": False}], [{"equals": True}]],
        "item_id": [[{"anchored": "id:item"}]],
        "days": [[{"most": 28}], ["named"], [{"in": [7, 14]}]],
        "branch": [["named"], [{"equals": "north"}]],
        "member_id": [[{"anchored": "id:member"}]],
        "amount": [["named"], [{"most": 20}], ["named", {"most": 5}]],
        "note": [["links"], [{"short": 40, "links": True}], ["quoted"]],
        "from_branch": [["named"], [{"in": ["north", "south"]}]],
        "on_date": [["dated"]],
        "count": [["named"], [{"most": 12}]],
    }  # fmt: skip
    properties, required, _ = GIVEN[tool]
    names = [name for name in properties if name in required or chance.random() < 0.8]
    grant = {"tool": tool, "args": {name: copy.deepcopy(chance.choice(ways[name])) for name in names}}
    if chance.random() < 0.5:
        grant["when"] = [chance.sample([*tool.split("_"), "please", "reserve", "arrange"], 2)]
    if chance.random() < 0.5:
        grant["else"] = "ask"
    return grant


def sound(chance):
    """A house without a fault: an agent that a person invokes, sometimes with one below it, and another beside."""
    first = chance.sample(sorted(GIVEN), chance.randint(2, 4))
    house = {"CLERK": Agent([grant_of(chance, tool) for tool in first], list(READ))}
    if chance.random() < 0.5:
        below = chance.sample([tool for tool in sorted(GIVEN) if tool not in first], 1)
        house["RUNNER"] = Agent([grant_of(chance, tool) for tool in below], list(READ), exposed=False)
        house["CLERK"].starts.append("RUNNER")
    if chance.random() < 0.5:
        house["PORTER"] = Agent([grant_of(chance, chance.choice(sorted(GIVEN)))], list(READ))
    return house


def _place(chance, house, fits):
    """A random agent, grant and argument whose (tool, name, schema) fit; None where there is none."""
    places = [
        (agent, grant, name)
        for agent, one in house.items()
        for grant in one.grants
        for name in grant["args"]
        if fits(grant["tool"], name, GIVEN[grant["tool"]][0].get(name, {}))
    ]
    return chance.choice(places) if places else None


def _ruled(kind, rule, fits):
    """A maker that gives an argument that fits another rule."""

    def make(chance, house):
        if (place := _place(chance, house, fits)) is None:
            return None
        agent, grant, name = place
        grant["args"][name] = rule(chance, grant["args"][name], GIVEN[grant["tool"]][0][name])
        return kind, agent, grant["tool"], name

    return make


def _is(kind):
    return lambda tool, name, about: about.get("type") == kind


def _number(tool, name, about):
    return about.get("type") in ("integer", "number")


def _enum(tool, name, about):
    return "enum" in about


def _text(tool, name, about):
    return about.get("type") == "string" and "maxLength" not in about


def _text_or_number(tool, name, about):
    return _text(tool, name, about) or _number(tool, name, about)


def _flag(tool, name, about):
    return about.get("type") == "boolean"


def _bounded(tool, name, about):
    return "maximum" in about


NEVER, ALWAYS, SHADOWED = "never fires", "always holds", "shadowed"
MISSING, UNREACHED, WIDENED = "missing tool", "nobody can invoke", "widened child"


def misspelt_tool(chance, house):
    agent = chance.choice(sorted(house))
    grant = chance.choice(house[agent].grants)
    grant["tool"] = chance.choice((grant["tool"] + "s", grant["tool"].upper(), grant["tool"].replace("_", "-")))
    return MISSING, agent, grant["tool"], ""


def misspelt_reading(chance, house):
    agent = chance.choice(sorted(house))
    house[agent].reads.append("find_shelf")
    return MISSING, agent, "find_shelf", ""


def misspelt_argument(chance, house):
    agent, grant, name = _place(chance, house, lambda *_: True)
    wrong = name + chance.choice(("s", "_", "1"))
    grant["args"][wrong] = grant["args"][name]
    return NEVER, agent, grant["tool"], wrong


def unruled_requirement(chance, house):
    agent, grant, name = _place(chance, house, lambda tool, name, about: name in GIVEN[tool][1])
    del grant["args"][name]
    return NEVER, agent, grant["tool"], name


def wordless(chance, house):
    agent = chance.choice(sorted(house))
    grant = chance.choice(house[agent].grants)
    grant["when"] = [*grant.get("when", []), []]
    return NEVER, agent, grant["tool"], ""


def words_of_two(chance, house):
    agent = chance.choice(sorted(house))
    grant = chance.choice(house[agent].grants)
    grant["when"] = [["send out", "hand-over"], *grant.get("when", [])]
    return NEVER, agent, grant["tool"], ""


def never_required(chance, house):
    """What must be given by the grant has no rule, and so must be absent."""
    agent = chance.choice(sorted(house))
    grant = chance.choice(house[agent].grants)
    optional = [name for name in GIVEN[grant["tool"]][0] if name not in GIVEN[grant["tool"]][1]]
    name = chance.choice(optional)
    grant["args"].pop(name, None)
    grant["required"] = [name]
    return NEVER, agent, grant["tool"], name


def copied(chance, house):
    agent = chance.choice(sorted(house))
    house[agent].grants.append(copy.deepcopy(chance.choice(house[agent].grants)))
    return SHADOWED, agent, house[agent].grants[-1]["tool"], ""


def narrower_copy(chance, house):
    """A second grant of a tool, with a word, a clause or a bound more, or with an argument or an alternative less."""
    agent = chance.choice(sorted(house))
    first = chance.choice(house[agent].grants)
    second = copy.deepcopy(first)
    required = GIVEN[first["tool"]][1]
    optional = [name for name in second["args"] if name not in required]
    ways = ["word", "clause"]
    if optional:
        ways.append("argument")
    several = [name for name, rule in second["args"].items() if len(rule) > 1]
    if several:
        ways.append("alternative")
    if first.get("else") == "ask":
        ways.append("else")
    if first.get("when"):
        ways.append("fewer words")
    match chance.choice(ways):
        case "word":
            second["when"] = [*second.get("when", []), ["urgently", "today"]]
        case "fewer words":
            second["when"] = [second["when"][0][:1]]
        case "clause":
            name = chance.choice(sorted(second["args"]))
            second["args"][name] = [
                {**({one: True} if isinstance(one, str) else one), "seen": True} for one in second["args"][name]
            ]
        case "argument":
            del second["args"][chance.choice(optional)]
        case "alternative":
            second["args"][chance.choice(several)].pop()
        case "else":
            second["else"] = "deny"
    house[agent].grants.insert(chance.choice((0, len(house[agent].grants))), second)
    return SHADOWED, agent, first["tool"], ""


def narrower_values(chance, house):
    """A second grant of a tool whose bound is lower, whose list is shorter, or whose value is of the list."""
    agent = chance.choice(sorted(house))
    tool, name, wide, narrow = chance.choice([
        ("hold_book", "copies", {"most": 9}, {"most": 4}), ("lend_item", "days", {"in": [7, 14, 21]}, {"in": [7, 21]}),
        ("lend_item", "days", {"in": [7, 14]}, {"equals": 14}), ("waive_fee", "note", {"short": 50}, {"short": 20}),
        ("lend_item", "days", {"most": 21}, {"equals": 14}), ("lend_item", "days", {"most": 21}, {"in": [7, 14]}),
        ("waive_fee", "note", {"short": 50}, {"equals": "with thanks"}),
    ])  # fmt: skip
    house[agent].grants = [one for one in house[agent].grants if one["tool"] != tool]
    grant = grant_of(chance, tool)
    house[agent].grants += [
        {**grant, "args": {**grant["args"], name: [wide]}}, {**grant, "args": {**grant["args"], name: [narrow]}},
    ]  # fmt: skip
    return SHADOWED, agent, tool, ""


def shadowed_alternative(chance, house):
    """An alternative that holds only where another of the same argument does."""
    agent, grant, name = _place(
        chance, house, lambda tool, name, about: _text(tool, name, about) or _number(tool, name, about)
    )
    first = grant["args"][name][0]
    first = {first: True} if isinstance(first, str) else first
    grant["args"][name] = [*grant["args"][name], {**first, "seen": True}]
    return SHADOWED, agent, grant["tool"], name


def orphaned(chance, house):
    house["STOKER"] = Agent([grant_of(chance, chance.choice(sorted(GIVEN)))], list(READ), exposed=False)
    return UNREACHED, "STOKER", "", ""


def ring(chance, house):
    """Two that start one another, and that nobody else starts."""
    for name, other in (("STOKER", "PILOT"), ("PILOT", "STOKER")):
        tool = chance.choice(sorted(GIVEN))
        house[name] = Agent([grant_of(chance, tool)], list(READ), [other], exposed=False)
    return UNREACHED, chance.choice(("STOKER", "PILOT")), "", ""


def below_an_orphan(chance, house):
    house["STOKER"] = Agent([], list(READ), ["PILOT"], exposed=False)
    house["PILOT"] = Agent([grant_of(chance, chance.choice(sorted(GIVEN)))], list(READ), exposed=False)
    return UNREACHED, "PILOT", "", ""


def widened(chance, house):
    """One below, who has no other above, may do by its own file what the one above it may never."""
    tool = chance.choice(sorted(GIVEN))
    grant = grant_of(chance, tool)
    narrow = copy.deepcopy(grant)
    wide = copy.deepcopy(grant)
    name, low, high = {
        "hold_book": ("copies", {"most": 2}, {"most": 40}),
        "send_notice": ("urgent", {"equals": False}, {"free": True}),
        "lend_item": ("branch", {"equals": "north"}, {"in": ["north", "south"]}),
        "waive_fee": ("amount", {"most": 5}, {"most": 50}), "move_stock": ("count", {"in": [1]}, {"most": 12}),
    }[tool]  # fmt: skip
    narrow["args"][name], wide["args"][name] = [low], [high]
    house["CLERK"].grants = [one for one in house["CLERK"].grants if one["tool"] != tool] + [narrow]
    house["HELPER"] = Agent([wide], list(READ), exposed=False)
    house["CLERK"].starts.append("HELPER")
    return WIDENED, "HELPER", tool, name


def widened_by_an_argument(chance, house):
    """One below may give an argument that the one above must leave out."""
    tool = chance.choice(sorted(GIVEN))
    grant = grant_of(chance, tool)
    name = next(name for name in GIVEN[tool][0] if name not in GIVEN[tool][1])
    grant["args"].setdefault(name, ["named"])
    narrow = copy.deepcopy(grant)
    del narrow["args"][name]
    house["CLERK"].grants = [one for one in house["CLERK"].grants if one["tool"] != tool] + [narrow]
    house["HELPER"] = Agent([grant], list(READ), exposed=False)
    house["CLERK"].starts.append("HELPER")
    return WIDENED, "HELPER", tool, name


def _constant(*rule):
    return lambda chance, before, about: copy.deepcopy(list(rule))


MAKERS = {
    "misspelt_tool": misspelt_tool,
    "misspelt_reading": misspelt_reading,
    "misspelt_argument": misspelt_argument,
    "unruled_requirement": unruled_requirement,
    "no_alternative": _ruled(NEVER, _constant(), lambda *_: True),
    "empty_list": _ruled(NEVER, _constant({"in": []}), lambda *_: True),
    "equal_outside_its_list": _ruled(NEVER, _constant({"equals": "jade", "in": ["teal", "plum"]}), _text),
    "two_numbers": _ruled(NEVER, _constant({"equals": 7, "most": 5}), _number),
    "list_above_its_bound": _ruled(NEVER, _constant({"in": [30, 40], "most": 9}), _number),
    "equal_outside_the_enum": _ruled(NEVER, _constant({"equals": "mauve"}), _enum),
    "list_outside_the_enum": _ruled(NEVER, _constant({"in": ["mauve", "ochre"]}), _enum),
    "bound_on_a_text": _ruled(NEVER, _constant({"most": 9}), _text),
    "bound_below_nothing": _ruled(NEVER, _constant({"most": -1}), _number),
    "bound_on_a_flag": _ruled(NEVER, _constant({"most": 1}), _flag),
    "text_for_a_number": _ruled(NEVER, _constant({"equals": "7"}), _number),
    "number_for_a_text": _ruled(NEVER, _constant({"in": [7, 8]}), _text),
    "beyond_the_maximum": _ruled(NEVER, _constant({"equals": 9000}), _bounded),
    "longer_than_short": _ruled(NEVER, _constant({"equals": "a long sentence", "short": 4}), _text),
    "list_longer_than_short": _ruled(NEVER, _constant({"in": ["first class", "second class"], "short": 5}), _text),
    "quoted_number": _ruled(NEVER, _constant("quoted"), _number),
    "dated_number": _ruled(NEVER, _constant("dated"), _number),
    "grounded_flag": _ruled(NEVER, _constant("grounded"), _flag),
    "named_flag": _ruled(NEVER, _constant("named"), _flag),
    "my_number": _ruled(NEVER, _constant({"mine": "address"}), _number),
    "set_of_nobody": _ruled(NEVER, _constant({"mine": "payees_of_the_moon"}), _text),
    "anchored_to_nothing": _ruled(NEVER, _constant({"anchored": "id:whale"}), _text),
    "anchored_flag": _ruled(NEVER, _constant({"anchored": "id:item"}), _flag),
    "made_by_nothing": _ruled(NEVER, _constant({"made": "id:whale"}), _text),
    "longer_than_the_schema": _ruled(
        NEVER, lambda chance, before, about: [{"equals": "x" * (about["maxLength"] + 1)}],
        lambda tool, name, about: "maxLength" in about,
    ),
    "wordless": wordless,
    "words_of_two": words_of_two,
    "never_required": never_required,
    "free_beside": _ruled(ALWAYS, lambda chance, before, about: ["named", "free"], _text_or_number),
    "whole_enum": _ruled(ALWAYS, lambda chance, before, about: ["named", {"in": list(about["enum"])}], _enum),
    "both_flags": _ruled(ALWAYS, _constant({"in": [True, False]}, {"equals": True}), _flag),
    "bound_at_the_maximum": _ruled(
        ALWAYS, lambda chance, before, about: ["named", {"most": about["maximum"] + chance.randint(0, 5)}], _bounded
    ),
    "short_at_the_schemas_length": _ruled(
        ALWAYS, lambda chance, before, about: ["quoted", {"short": about["maxLength"] + chance.randint(0, 5)}],
        lambda tool, name, about: "maxLength" in about,
    ),
    "free_recipient": _ruled(ALWAYS, _constant("free"), lambda tool, name, about: name == "recipient"),
    "copied": copied,
    "narrower_copy": narrower_copy,
    "narrower_values": narrower_values,
    "shadowed_alternative": shadowed_alternative,
    "orphaned": orphaned,
    "ring": ring,
    "below_an_orphan": below_an_orphan,
    "widened": widened,
    "widened_by_an_argument": widened_by_an_argument,
}  # fmt: skip


def mutants(how_many, seed=1):
    """(house, fault) so many times, all makers in turn."""
    made, number = [], 0
    while len(made) < how_many:
        chance = random.Random(f"{seed}-{number}")  # no secret
        maker = list(MAKERS)[number % len(MAKERS)]
        number += 1
        house = sound(chance)
        put = MAKERS[maker](chance, house)
        if put is not None:
            made.append((house, Fault(put[0], maker, *put[1:])))
    return made


def sound_houses(how_many, seed=1):
    """So many houses without a fault."""
    return [sound(random.Random(f"sound-{seed}-{number}")) for number in range(how_many)]  # no secret


CARD = """# {name} Identity Card

## Identity
- **Role:** Works
- **Tier:** Specialist
- **Model:** haiku
- **Exposed:** {exposed}

## Chain of Command
- **Reports To:** Human
- **Can Spawn:** {starts}
- **Escalate To:** Human

## Standing Orders
1. Work

## Escalation Triggers
- Doubt

## Key Constraints
- None

## Tools
{tools}

```toml
{grants}
```

## One-Line Charter
"Works."
"""


def toml(value):
    """A value as TOML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def cards(house):
    """name -> text of the card."""
    found = {}
    for name, agent in house.items():
        grants = [
            "\n".join(["[[grant]]", *(f"{json.dumps(key)} = {toml(value)}" for key, value in grant.items())])
            for grant in agent.grants
        ]
        found[name] = CARD.format(
            name=name,
            exposed="yes" if agent.exposed else "no",
            starts=", ".join(agent.starts) or "None (terminal)",
            tools="\n".join(f"- {tool}" for tool in dict.fromkeys(agent.reads)),
            grants="\n\n".join(grants),
        )
    return found
