"""One fault in a sound folder each, as people make them: lint names it. What is sound, or harmless, is not reported."""

import itertools

import pytest
from attrs import evolve
from pai_mutants import tools

from packhorse_pai.commands.lint import inspected
from packhorse_pai.domain.cards import parse
from packhorse_pai.domain.compiling import compile_policy
from packhorse_pai.domain.decision import decide_spawn
from packhorse_pai.domain.linting_arguments import argument_faults
from packhorse_pai.domain.policy import HostTool
from packhorse_pai.errors import GovernanceError

HOST = {name: HostTool(name, only, input_schema=i, output_schema=o) for name, (i, o, only) in tools().items()}
CARD = """# A_DESK Identity Card

## Identity
- **Role:** Lends
- **Tier:** Specialist
- **Model:** haiku
- **Exposed:** yes

## Chain of Command
- **Reports To:** Human
- **Can Spawn:** None (terminal)
- **Escalate To:** Human

## Standing Orders
1. Lend

## Escalation Triggers
- Doubt

## Key Constraints
- None

## Tools
- find_item
- find_member

```toml
[[grant]]
tool = "lend_item"
when = [["lend", "loan"]]
args.item_id = [{ anchored = "id:item" }]
args.days = [{ most = 28 }]
```

## Limits
- **Calls:** 12

## One-Line Charter
"Lends."
"""
TASK = """playbook = "look"
agent = "A_DESK"
needs = ["query"]

[[steps]]
call = "find_item"
save = "found"
args = { query = { ref = "context.query" } }

[[steps]]
result = { name = { ref = "steps.found.name" } }
"""
MATRIX = """packhorse = "pai matrix"
[use]
A_DESK = ["find_item", "find_member", "lend_item"]
"""
GRANT = '[[grant]]\nagent = "A_DESK"\ntool = "lend_item"\n'
LENDING = '[preconditions.lend_item]\nfacts = ["known"]\n'
READING = GRANT.replace("lend_item", "find_item")
OTHER = CARD.replace("A_DESK", "B_DESK")
STEP = "\n\n[[steps]]\nresult"


def said(folder, files, host=HOST):
    """All that lint says of a folder of cards, and of one of governance files beside it."""
    for name, text in {"cards/A_DESK.identity.md": CARD, "cards/look.toml": TASK, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    governance = folder / "governance" if (folder / "governance").exists() else None
    try:
        _, compiled, found = inspected(folder / "cards", governance, host)
    except GovernanceError as exc:
        return str(exc)
    return "\n".join([*(one.message for one in compiled.conflicts), *(f"{one.place}: {one.text}" for one in found)])


def test_nothing_is_said_of_what_is_sound(tmp_path):
    assert said(tmp_path, {}) == ""
    helped = CARD.replace("Escalate To:** Human", "Escalate To:** SCHEDULER")  # a shipped agent
    assert said(tmp_path, {"cards/A_DESK.identity.md": helped}) == ""
    assert said(tmp_path, {"governance/m.toml": MATRIX, "governance/README.md": "Words.", "cards/NOTES.md": "x"}) == ""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("**Tier:**", "**Teir:**", "the field 'Teir' is unknown"),
        ("Exposed:** yes", "Exposed:** ture", "Exposed is yes or no, and 'ture' counts as no"),
        ("- **Exposed:** yes", "- Exposed: yes", "Identity: 'Exposed: yes' is not read"),
        ("**Calls:** 12", "Calls: 12", "Limits: 'Calls: 12' is not read"),
        ("- **Calls:** 12", "**Calls:** 12", "Limits: '**Calls:** 12' is not read"),
        ("## Limits", "## Limit", "the section 'Limit' is not read: did you mean Limits?"),
        ("**Calls:** 12", "**Calls:** many", "the limit 'Calls' is a whole number, and not 'many'"),
        ("**Calls:** 12", "**Calls:** 12\n- **Calls:** 9", "the limit 'Calls' stands twice"),
        ("**Calls:** 12", "**Minutes:** 5", "there is no limit 'Minutes'"),
        ("**Calls:** 12", "**Calls:** 500", "Calls: 500 has no effect: the tier Specialist gives 20"),
        ("**Calls:** 12", "**Seconds:** 900", "Seconds: 900 has no effect: every agent has 300"),
        ("**Calls:** 12", "**Spawns:** 3", "Spawns: 3 has no effect: it may start nobody"),
        ("**Calls:** 12", "**Depth:** 6", "Depth: 6 has no effect: a chain may have 4"),
        ("**Calls:** 12", "**Calls:** 0", "it has 0 calls, so it can do nothing"),
        ("**Calls:** 12", "**Seconds:** 0", "it has 0 seconds, so it can do nothing"),
        ("**Calls:** 12", "**Turns:** 0", "it has 0 turns"),
        (CARD[CARD.index("- find_item") : CARD.index("## Limits")], "", "it holds no tool and may start nobody"),
        ("**Calls:** 12", "**Rate:** 0/hour", "Rate: 0/hour lets no call through"),
        ("**Calls:** 12", "**Rate:** 5/h", "calls in a time, such as 30/hour, and not '5/h'"),
        ("```toml", "```", "rules under 'Tools' are not read"),
        ("```toml", "~~~toml", "rules under 'Tools' are not read"),
        ("- find_item\n- find_member", "- find_item\n\nfind_member", "find_member is not granted: write it as"),
        ("- find_item\n", "- find_item\n- invoke_agent\n", "no agent can have invoke_agent"),
        ("1. Lend", "Lend", "Standing Orders: it has no list item"),
        ("None (terminal)", "None, B_DESK", "Can Spawn begins with None, so B_DESK is not read"),
        ("Escalate To:** Human", "Escalate To:** nobody", "names nobody"),
        ("- **Reports To:** Human\n", "", "the field 'reports_to' is missing"),
        ('"loan"]', '"Lend"]', "'lend' stands twice in a list under when"),
        ('[["lend", "loan"]]', "[]", "when has no list"),
        ('"loan"', '"l\u043ean"', "letters of two alphabets"),
        ("{ most = 28 }", '{ equals = "7\u200b" }', "some that cannot be seen"),
        ("{ most = 28 }", "{ most = 28 }, {}", "an empty table holds for nothing"),
        ("{ most = 28 }", '{ most = 28, else = "ask" }, { else = "deny" }', "else stands 2 times"),
        ('{ anchored = "id:item" }', '"seen", { anchored = "id:item" }', "another alternative of item_id holds"),
        ('{ anchored = "id:item" }', '"named", "quoted"', "another alternative of item_id holds"),
        ('{ anchored = "id:item" }', '{ equals = " x", named = true }', "no value of item_id can be"),
    ],
)  # fmt: skip
def test_a_fault_of_a_card_is_named(tmp_path, old, new, words):
    assert old in CARD
    assert words in said(tmp_path, {"cards/A_DESK.identity.md": CARD.replace(old, new, 1)})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["query"]', '"query"', "needs is a list of texts"),
        ('["query"]', '["query", "age"]', "no step reads context.age"),
        ('["query"]', '["query", "query"]', "query stands twice under needs"),
        ("steps.found.name", "steps.found.nmae", "nothing ever stands at steps.found.nmae"),
        ('{ ref = "context.query" }', '"context.query"', "is given as this text"),
        ('{ ref = "context.query" }', '{ rfe = "context.query" }', "takes no query that is"),
        ('{ ref = "context.query" }', '["x"]', "takes no query that is ['x']"),
        ('{ ref = "context.query" }', '{ count = "context.rows" }', "takes no query that is of the type number"),
        ('save = "found"', 'save = "found"\nlimit = 3', "a call step does not read 'limit'"),
        ('save = "found"', 'save = "found"\noptional = "no"', "optional is true or false"),
        (STEP, f'\n\n[[steps]]\ncall = "find_item"\nsave = "found"{STEP}', "the first answer is replaced"),
        (STEP, f'\n\n[[steps]]\neach = "steps.found.name"\nlimit = 2\ndo = []{STEP}', "is no list"),
        ("\nresult", '\nwhen = "asked.fast"\nresult', "can never hold"),
        (TASK[TASK.index("[[steps]]") :], "", "it has no steps"),
        ("steps.found.name", "found.name", "look.toml: look, step 2: 'found.name' must begin with one of"),
        ('agent = "A_DESK"', 'agent = "a_desk"', "look.toml: look: agent is an agent's name, of capitals"),
        ('agent = "A_DESK"', 'agent = "a_desk"', "and not 'a_desk'"),
        ('needs = ["query"]', 'needs = ["query"', "look.toml: "),
        ('call = "find_item"', 'call = "find_itm"', "find_itm is offered by none of the packs at hand: did you mean"),
        (STEP, '\n\n[[steps]]\nescalate = "Nobody is there"' + STEP, "step 2: what stands behind escalate is a name"),
        (STEP, '\n\n[[steps]]\nrequire = "context.a exists"' + STEP, "step 2: the trigger of a require step is a name"),
        ("\nresult", '\nspawn = "A_DESK"\nmission = "m"\ntask = "look"\n[[steps]]\nresult', "may not start itself"),
    ],
)
def test_a_fault_of_a_task_is_named(tmp_path, old, new, words):
    assert old in TASK
    assert words in said(tmp_path, {"cards/look.toml": TASK.replace(old, new, 1)})


def test_what_a_card_allows_is_said_beside_the_value_that_it_does_not(tmp_path):
    rule = '[[grant]]\ntool = "find_item"\nargs.query = [{ in = ["oak", "elm"] }, { equals = "ash" }]\n'
    card = CARD.replace("```toml\n", f"```toml\n{rule}")
    task = TASK.replace('{ ref = "context.query" }', '"fir"').replace('["query"]', "[]")
    found = said(tmp_path, {"cards/A_DESK.identity.md": card, "cards/look.toml": task})
    assert "never allows 'fir' as query: only what is one of ['oak', 'elm'] or equal to 'ash'" in found


@pytest.mark.parametrize(
    ("required", "more", "words"),
    [
        ("lost", "", "lost is required, and find_item has no argument of that name"),
        ("lost", "", "look, step 1: find_item: args.lost: the card of its agent never allows this step: lost must be"),
        ("branch", 'args.branch = ["free"]\n', "never allows this step: branch must be given"),
        ("branch", 'args.branch = ["free"]\nelse = "ask"\n', "never allows this step: branch must be given"),
    ],
)
def test_an_argument_that_a_grant_requires_and_a_step_does_not_give_is_named(tmp_path, required, more, words):
    rule = f'[[grant]]\ntool = "find_item"\nrequired = ["{required}"]\nargs.query = ["free"]\n{more}'
    card = CARD.replace("```toml\n", f"```toml\n{rule}")
    assert words in said(tmp_path, {"cards/A_DESK.identity.md": card})


@pytest.mark.parametrize(
    ("more", "told"),
    [("", True), (', { else = "ask" }', False), (', { equals = "fir" }', False)],
)
def test_a_constant_that_always_asks_a_person_is_named_unless_the_rule_itself_says_so(tmp_path, more, told):
    rule = f'[[grant]]\ntool = "find_item"\nelse = "ask"\nargs.query = [{{ equals = "oak" }}{more}]\n'
    card = CARD.replace("```toml\n", f"```toml\n{rule}")
    task = TASK.replace('{ ref = "context.query" }', '"fir"').replace('["query"]', "[]")
    files = {"cards/A_DESK.identity.md": card, "cards/look.toml": task}
    assert ("never allows 'fir' as query without asking a person" in said(tmp_path, files)) == told
    approved = {**files, "governance/m.toml": MATRIX.replace("[use]", 'approval = ["find_item"]\n[use]')}
    assert ("without asking a person" in said(tmp_path, approved)) == told


STOCK = {
    "type": "object",
    "properties": {
        "at": {"$ref": "#/$defs/Place"},
        "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}},
        "either": {"anyOf": [{"$ref": "#/$defs/Place"}, {"$ref": "#/$defs/Row"}]},
    },
    "$defs": {
        "Place": {"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
        "Row": {
            "type": "object",
            "properties": {"on": {"type": "integer"}, "in": {"$ref": "#/$defs/Place"}},
            "required": ["on"],
        },
    },
}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"at": {}}, "needs at.shelf, which"),
        ({"rows": [{"on": 1}, {}]}, "needs rows.1.on, which"),
        ({"rows": [{"on": 1, "in": {}}]}, "needs rows.0.in.shelf, which"),
        ({"either": {"nowhere": 1}}, "takes no either"),
        ({"rows": [{"on": {"ref": "context.on"}, "in": {}}]}, "needs rows.0.in.shelf, which"),
        ({"rows": [{"on": {"ref": "context.on"}, "in": {"shelf": 5}}]}, "takes no rows"),
        ({"at": {"shelf": "a"}, "rows": [{"on": 1, "in": {"shelf": "b"}}], "either": {"on": 2}}, ""),
        ({"at": {"ref": "context.at"}, "rows": [{"ref": "context.row"}], "either": {"shelf": "a"}}, ""),
    ],
)
def test_what_objects_inside_an_argument_need_is_asked_for(arguments, said):
    found = [text for text, _ in argument_faults(arguments, HostTool("stock", input_schema=STOCK))]
    assert (said in found[0] and len(found) == 1) if said else not found


STARTS = """playbook = "ask"
agent = "A_DESK"

[[steps]]
spawn = "B_DESK"
mission = "Look"
task = "look"
context = { query = "fir" }
"""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"B_DESK": '[[grant]]\ntool = "find_item"\nargs.query = [{ equals = "oak" }]\n'},
         "step 1 of the task look of B_DESK: the card of B_DESK never allows 'fir' as query: only what is"),
        ({"A_DESK": '[[grant]]\ntool = "find_item"\nargs.query = [{ equals = "oak" }]\n'},
         "step 1 of the task look of B_DESK: the card of A_DESK never allows 'fir' as query: only what is"),
        ({"B_DESK": '[[grant]]\ntool = "find_item"\nargs.query = [{ equals = "fir" }]\n'}, ""),
        ({"query": "5"}, "step 1 of the task look of B_DESK: find_item takes no query that is 5"),
        ({"matrix": '[delegate]\nA_DESK = ["find_member", "lend_item"]'},
         "B_DESK: look, step 1: find_item: B_DESK runs only below A_DESK, which may not pass find_item on"),
        ({"matrix": '[forbid]\nA_DESK = ["find_item"]'},
         "B_DESK: look, step 1: find_item: B_DESK runs only below A_DESK, which may not pass find_item on"),
        ({"matrix": '[delegate]\nA_DESK = ["find_member", "lend_item"]', "exposed": "yes"},
         "A_DESK: ask, step 1: step 1 of the task look of B_DESK: A_DESK may not pass find_item on"),
        ({"matrix": '[delegate]\nA_DESK = ["find_item", "find_member", "lend_item"]'}, ""),
    ],
)  # fmt: skip
def test_what_a_task_is_given_and_may_do_where_another_agent_starts_it_is_looked_at(tmp_path, changes, words):
    first = CARD.replace("None (terminal)", "B_DESK")
    second = OTHER.replace("Exposed:** yes", f"Exposed:** {changes.get('exposed', 'no')}")
    second = second.replace("Reports To:** Human", "Reports To:** A_DESK")
    cards = {"A_DESK": first, "B_DESK": second}
    files = {
        f"cards/{name}.identity.md": card.replace("```toml\n", f"```toml\n{changes.get(name, '')}")
        for name, card in cards.items()
    }
    files["cards/look.toml"] = TASK.replace("A_DESK", "B_DESK")
    files["cards/ask.toml"] = STARTS.replace('"fir"', changes.get("query", '"fir"'))
    if "matrix" in changes:
        files["governance/m.toml"] = f'packhorse = "pai matrix"\n{changes["matrix"]}\n'
    found = said(tmp_path, files)
    assert words in found if words else found == ""


def test_a_task_that_cannot_be_read_keeps_nothing_else_from_being_found(tmp_path):
    card = CARD.replace("- find_member", "- find_membr")
    broken = {"cards/a.toml": TASK.replace("call", "cal"), "cards/b.toml": TASK.replace("steps.found", "steps.fund")}
    found = said(tmp_path, {"cards/A_DESK.identity.md": card, **broken})
    assert [line.split(":")[0] for line in found.splitlines()] == ["a.toml", "b.toml", "A_DESK"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("b_desk.identity.md", OTHER, "a card's file has its agent's name"),
        ("B_DESK.md", OTHER, "a card's file ends in .identity.md"),
        ("more/B_DESK.identity.md", OTHER, "folders inside this one are not read"),
        ("again.tml", TASK, "again.tml: a task's file ends in .toml"),
        ("B_DESK.identity.md", "", "the first heading must read"),
        ("B_DESK.identity.md", OTHER.replace("Reports To:** Human", "Reports To:** B_DESK"), "reports to B_DESK"),
    ],
)
def test_a_file_that_is_not_read_is_named(tmp_path, name, text, words):
    assert words in said(tmp_path, {f"cards/{name}": text})


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("B_DESK", "A_DESK", {"A_DESK", "B_DESK"}),
        ("B_DESK", "C_DESK", {"A_DESK", "B_DESK", "C_DESK"}),
        ("B_DESK", "Human", set()),
        ("B_DESK", "SCHEDULER", set()),
    ],
)
def test_agents_that_escalate_only_to_one_another_are_named(tmp_path, first, second, told):
    hears = {"A_DESK": first, "B_DESK": second, "C_DESK": "A_DESK"}
    cards = {
        name: CARD.replace("A_DESK", name).replace("Escalate To:** Human", f"Escalate To:** {to}")
        for name, to in hears.items()
    }
    # A superior that is in a ring tells nobody less: a card that names a person tells them.
    cards["B_DESK"] = cards["B_DESK"].replace("Reports To:** Human", "Reports To:** A_DESK")
    found = said(tmp_path, {f"cards/{name}.identity.md": text for name, text in cards.items()})
    rings = [line for line in found.splitlines() if "so it reaches no person" in line]
    if second == "A_DESK":
        told = {*told, "C_DESK"}  # what leads into the ring does not get out of it
    assert {line.split()[1] for line in rings} == told


def test_agents_that_can_never_be_started_where_they_are_named_are_found(tmp_path):
    """A ring: B runs only where A does. One that is not spawnable. And one behind a chain that is full."""
    first = CARD.replace("None (terminal)", "B_DESK")
    second = OTHER.replace("None (terminal)", "A_DESK").replace("Exposed:** yes", "Exposed:** no")
    second = second.replace("Reports To:** Human", "Reports To:** A_DESK")
    found = said(tmp_path, {"cards/A_DESK.identity.md": first, "cards/B_DESK.identity.md": second})
    assert "B_DESK: A_DESK always runs above it, so it can never start A_DESK" in found
    readings = {name: parse(text, stem=name) for name, text in (("A_DESK", first), ("B_DESK", second))}
    policy = compile_policy(readings, [], HOST).policy
    chains = [chain for size in (1, 2) for chain in itertools.permutations(readings, size) if chain[0] == "B_DESK"]
    assert not any(decide_spawn(policy, chain, "A_DESK").allowed for chain in chains)
    asleep = second.replace("- **Exposed:** no", "- **Exposed:** no\n- **Spawnable:** no")
    assert "whose card says that it is not spawnable" in said(
        tmp_path, {"cards/A_DESK.identity.md": first, "cards/B_DESK.identity.md": asleep}
    )
    short = first.replace("**Calls:** 12", "**Depth:** 1")
    found = said(tmp_path, {"cards/A_DESK.identity.md": short, "cards/B_DESK.identity.md": second})
    assert "it is the last agent that its chain may have, so it never starts B_DESK" in found


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('approval = ["lend_itm"]', "approval: lend_itm is offered by none"),
        ('exposed = ["A_DSK"]', "exposed: no agent A_DSK"),
        ('approval = "lend_item"', "approval is a list of tools"),
        ("[turns]\nSpecialst = 3", "there is no tier 'Specialst'"),
        ("[turns]\nSpecialist = 99", "Specialist has 5 already"),
        ('[turns]\nSpecialist = "3"', "turns is a table of whole numbers"),
        ('[forbid]\nA_DESK = ["lend_item"]', "lend_item is forbidden to it"),
        ('[preconditions.lend_item]\nfacts = ["counted"]', "nothing shows counted"),
        ('[preconditions.lend_item]\nfact = ["counted"]', "preconditions is a table by tool"),
        ('[preconditions.lend_item]\nfacts = ["at_branch"]\n[[facts.at_branch]]\ntool = "list_branches"',
         "lend_item needs at_branch first, which list_branches shows: no agent of its run has that"),
        ('[[facts.counted]]\ntool = "find_item"', "no precondition asks for it"),
        ('[[events.lost]]\ntool = "find_item"\npath = "nmae"\nequals = "x"', "find_item never answers nmae"),
        ('[[events.lost]]\ntool = "find_item"', "events.lost needs a refusal, or a path"),
        ('[[events.lost]]\ntool = "find_item"\nrefusal = "not found"', "'not found' is no code of a refusal"),
        (f'{LENDING}unless = ["known"]\n[[facts.known]]\ntool = "find_item"', "known stands under facts and unless"),
        (f'{LENDING}[[facts.known]]\ntool = "find_item"\nprovided = true\narguments = {{ quer = "x" }}',
         "find_item has no argument quer: did you mean query?"),
        (f'{LENDING}[[facts.known]]\ntool = "waive_fee"\nprovided = true\narguments = {{ amount = 1 }}',
         "waive_fee needs member_id, which neither arguments nor lend_item gives"),
        ('[delegate]\nA_DESK = ["lend_item"]', "delegate.A_DESK: it may start nobody, so it passes nothing on"),
        ('observing = ["find_item"]', "observing: find_item only reads, so it needs no approval anyway"),
        ('observing = ["lend_item"]\napproval = ["lend_item"]', "approval names lend_item too, which counts"),
        (f"{GRANT}args.item_id = ['free']\nargs.days = ['free']", "lend_item: m.toml leaves each argument free"),
        (f"{READING}args.query = ['free']", "find_item: m.toml leaves each argument free"),
        ('[[grant]]\nagent = "A_DSK"\ntool = "lend_item"', "grant: no agent A_DSK"),
        ('approval = ["lend_item", "lend_item"]', "approval: lend_item stands twice"),
        (f"{GRANT}args.item_id = ['free']\nargs.days = [{{ equals = 40 }}]",
         "args.days: m.toml and the card allow no value of days in common"),
        (f"{GRANT}args.days = [{{ short = 0 }}]", "args.days: m.toml: no value of days can be of a length up to 0"),
    ],
)  # fmt: skip
def test_a_fault_of_a_governance_file_is_named(tmp_path, more, words):
    head, use = MATRIX.split("\n", 1)
    text = f"{head}\n{use}{more}\n" if more.startswith("[") else f"{head}\n{more}\n{use}"
    assert words in said(tmp_path, {"governance/m.toml": text})


@pytest.mark.parametrize(
    ("changed", "rule", "words"),
    [
        ({}, "above = -1", "every left that find_item answers is above -1"),
        ({}, "above = 0", ""),
        ({"input_schema": {"x-packhorse-person": True}}, "above = 0", "events.few: find_item refuses every agent"),
    ],
)
def test_an_event_that_each_answer_is_or_that_no_run_can_have_is_named(tmp_path, changed, rule, words):
    left = {"type": "object", "properties": {"left": {"type": "integer", "minimum": 0}}, "required": ["left"]}
    host = {**HOST, "find_item": evolve(HOST["find_item"], output_schema=left, **changed)}
    event = f'{MATRIX}[[events.few]]\ntool = "find_item"\npath = "left"\n{rule}\n'
    found = said(tmp_path, {"governance/m.toml": event}, host)
    assert words in found
    assert words or "events.few" not in found


@pytest.mark.parametrize(
    "more",
    [
        f"{GRANT}args.item_id = ['free']\nargs.days = [{{ most = 7 }}]",
        f"{GRANT}args.item_id = ['quoted']\nargs.days = ['free']",
        f"{GRANT}args.item_id = ['free']\nargs.days = [{{ most = 40 }}]",
        f"{GRANT}args.item_id = ['free']",
        f"{GRANT}when = [['loan']]\nargs.item_id = ['free']\nargs.days = ['free']",
        f"{READING}args.query = ['named']",
        'observing = ["lend_item"]',
        'exposed = ["A_DESK"]',
    ],
)
def test_what_a_governance_file_takes_away_is_not_reported(tmp_path, more):
    head, use = MATRIX.split("\n", 1)
    text = f"{head}\n{use}{more}\n" if more.startswith("[") else f"{head}\n{more}\n{use}"
    assert "takes nothing" not in (found := said(tmp_path, {"governance/m.toml": text}))
    assert "m.toml: observing" not in found
    assert "exposed" not in found


PEOPLES = {"type": "object", "properties": {"query": {"type": "string"}}, "x-packhorse-person": True}
IN_PART = {
    "type": "object",
    "properties": {"query": {"type": "string", "x-packhorse-person": True}, "day": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("tool", "changed", "words"),
    [
        ("lend_item", {"input_schema": {**HOST["lend_item"].input_schema, **PEOPLES}}, "lend_item refuses every agent"),
        ("find_item", {"input_schema": PEOPLES}, "find_item refuses every agent: a person must call it"),
        ("find_item", {"input_schema": IN_PART}, "look, step 1: find_item: args.query: find_item takes query from no"),
    ],
    ids=["granted", "listed", "argument"],
)
def test_what_a_tool_takes_from_people_alone_is_named(tmp_path, tool, changed, words):
    assert words in said(tmp_path, {}, {**HOST, tool: evolve(HOST[tool], **changed)})


ITEM = {"item_id": {"type": "string"}}
NAMED = {"item_name": {"type": "string"}}


@pytest.mark.parametrize(
    ("rule", "found", "lent", "words"),
    [
        ('{ made = "id:item" }', {}, ITEM, "no tool of its run makes anything of the kind item"),
        ('{ made = "id:loan" }', {}, {"loan_id": {"type": "string"}}, ""),
        ('{ anchored = "id:item" }', ITEM, {}, "answers an id of the kind item with a name beside it"),
        ('{ anchored = "id:item" }', {**ITEM, **NAMED}, {}, ""),
        ('"seen"', ITEM, {}, ""),
    ],
    ids=["of an id that the call gives", "of another", "nothing answers a name", "the answer has a name", "seen"],
)
def test_a_rule_about_an_id_is_named_that_no_answer_of_the_agents_tools_can_meet(tmp_path, rule, found, lent, words):
    find, other = evolve(HOST["find_item"], output_schema={"properties": found}), HOST["find_member"]
    lend = evolve(HOST["lend_item"], output_schema={"properties": lent})
    host = {**HOST, "find_item": find, "find_member": evolve(other, output_schema={}), "lend_item": lend}
    card = CARD.replace('{ anchored = "id:item" }', rule)
    task = TASK.replace("steps.found.name", "steps.found")
    told = said(tmp_path, {"cards/A_DESK.identity.md": card, "cards/look.toml": task}, host)
    assert words in told if words else told == ""


def test_rules_for_a_tool_that_only_an_agent_below_holds_bind_that_one_and_are_not_called_unread(tmp_path):
    starts = CARD.replace("None (terminal)", "B_DESK").replace(
        CARD[CARD.index("```toml") : CARD.index("## Limits")], ""
    )
    below = OTHER.replace("**Exposed:** yes", "**Exposed:** no").replace("Reports To:** Human", "Reports To:** A_DESK")
    files = {"cards/A_DESK.identity.md": starts, "cards/B_DESK.identity.md": below}
    found = said(
        tmp_path, {**files, "governance/m.toml": f'packhorse = "pai matrix"\n{GRANT}args.item_id = ["free"]\n'}
    )
    assert "rules about it are never read" not in found
    assert "B_DESK: lend_item: args.days: it allows more of days than A_DESK" in found


def test_a_governance_file_may_name_agents_that_are_shipped(tmp_path):
    starts = CARD.replace("None (terminal)", "SCHEDULER")
    names = '[use]\nA_DESK = ["find_item", "find_member", "lend_item"]\nSWAP_MANAGER = ["validate_schedule"]\n'
    matrix = f'packhorse = "pai matrix"\n{names}[spawn]\nA_DESK = ["SCHEDULER"]\nCOORD_ENGINE = ["SCHEDULER"]\n'
    files = {"cards/A_DESK.identity.md": starts, "governance/m.toml": matrix}
    assert said(tmp_path, files) == ""
    passed = {**files, "governance/m.toml": matrix + '[delegate]\nA_DESK = ["waive_fee"]\n'}
    assert "delegate.A_DESK: neither it nor an agent below it has waive_fee" in said(tmp_path, passed)
    wider = {**files, "governance/m.toml": matrix.replace('= ["validate_schedule"]', '= ["find_item"]')}
    assert "use: SWAP_MANAGER does not get find_item" in said(tmp_path, wider)
    wider = {**files, "governance/m.toml": matrix.replace('COORD_ENGINE = ["SCHEDULER"]', 'COORD_ENGINE = ["A_DESK"]')}
    assert "spawn: COORD_ENGINE may not start A_DESK" in said(tmp_path, wider)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("m.toml", "", "nothing of it is read"),
        ("m.toml", MATRIX.replace("pai matrix", "pai matix"), "is no kind of file here"),
        ("m.toml", 'approval = ["lend_item"]', "read only in a file that begins with"),
        ("m.toml", '[forbid]\nA_DESK = ["find_item"]', "m.toml: forbid: read only in a file that begins with"),
        ("m.txt", MATRIX, "so it is not read"),
        ("m.toml", MATRIX.replace("[use]", "[use"), "m.toml: this is no TOML: "),
        ("m.json", "{", "m.json: this is no JSON: "),
        ("m.yaml", "a: [", "m.yaml: this is no YAML: "),
        ("m.toml", MATRIX.replace("[use]", "[usse]"), "m.toml: the key 'usse' is not one of"),
        ("m.md", "| Agent | MCPs |\n|---|---|\n| A_DESK | find_item |\n", "has no column MCP Needed or Can Spawn"),
        ("m.toml", f'{MATRIX}[[grant]]\ntool = "lend_item"', "m.toml: a grant of lend_item does not say whose it is"),
        ("m.toml", f"{MATRIX}{GRANT}args.days = [{{ mst = 3 }}]", "m.toml: a grant of A_DESK: lend_item: args.days:"),
    ],
)
def test_a_governance_file_that_is_not_read_is_named(tmp_path, name, text, words):
    assert words in said(tmp_path, {f"governance/{name}": text})


STRICT = 'tool = "validate_schedule"\nargs.strict_mode = [{ equals = true }]\n'
CHECKED = 'packhorse = "pai matrix"\n[[grant]]\nagent = "COMPLIANCE_AUDITOR"\n'


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ('tool = "find_item"\nargs.query = ["free"]\n', "COMPLIANCE_AUDITOR: find_item: it is not granted find_item"),
        (
            'tool = "validate_schedule"\nargs.strict_mode = [{ equals = "no" }]\n',
            "args.strict_mode: m.toml: no value of strict_mode can be equal to 'no'",
        ),
        (
            STRICT + '[forbid]\nCOMPLIANCE_AUDITOR = ["validate_schedule"]\n',
            "validate_schedule is forbidden to it by a governance file",
        ),
        (STRICT, ""),
    ],
    ids=["not held", "impossible", "forbidden", "closer"],
)
def test_what_a_file_says_of_a_shipped_agent_is_read_too(tmp_path, rules, words):
    schema = {"type": "object", "properties": {"strict_mode": {"type": "boolean"}}}
    host = {**HOST, "validate_schedule": HostTool("validate_schedule", True, input_schema=schema)}
    told = said(tmp_path, {"governance/m.toml": CHECKED + rules}, host)
    assert words in told if words else "COMPLIANCE_AUDITOR" not in told


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ('approval = ["waive_fee"]\n', "approval: no agent holds waive_fee"),
        ('[preconditions.waive_fee]\nfacts = ["found"]\n', "preconditions: no agent holds waive_fee"),
        ('[[facts.found]]\ntool = "waive_fee"\n', "facts.found: no agent holds waive_fee"),
        ('[[facts.found]]\ntool = "list_branches"\nprovided = true\n', ""),
        ('[[events.paid]]\ntool = "waive_fee"\nrefusal = "NOT_FOUND"\n', "events.paid: no agent holds waive_fee"),
        ('approval = ["find_item"]\n', ""),
    ],
    ids=["approval", "precondition", "fact", "what the host calls itself", "event", "held"],
)
def test_a_rule_about_calls_of_a_tool_that_no_agent_holds_is_named(tmp_path, rules, words):
    asked = "" if "[preconditions" in rules else '[preconditions.find_member]\nfacts = ["found"]\n'
    shown = '[[facts.found]]\ntool = "find_item"\n' if "[[facts" not in rules else ""
    matrix = f'packhorse = "pai matrix"\n{rules}{asked}{shown}'
    told = said(tmp_path, {"governance/m.toml": matrix})
    assert words in told if words else "no agent holds" not in told


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("find_member", "find_member needs known first, which find_member shows: before that no agent can call it"),
        ("find_item", ""),
    ],
    ids=["by itself", "by another"],
)
def test_a_fact_that_is_needed_before_the_tool_that_shows_it_is_named(tmp_path, shown, words):
    facts = f'[preconditions.find_member]\nfacts = ["known"]\n[[facts.known]]\ntool = "{shown}"\n'
    told = said(tmp_path, {"governance/m.toml": 'packhorse = "pai matrix"\n' + facts})
    assert words in told if words else "known" not in told


def test_forbidding_what_refuses_every_agent_anyway_is_named(tmp_path):
    host = {**HOST, "waive_fee": evolve(HOST["waive_fee"], input_schema=PEOPLES)}
    matrix = 'packhorse = "pai matrix"\n[forbid]\nA_DESK = ["waive_fee"]\n'
    assert "forbid: waive_fee refuses every agent anyway" in said(tmp_path, {"governance/m.toml": matrix}, host)


ABOVE = CARD.replace("None (terminal)", "B_DESK")
BELOW = OTHER.replace("**Exposed:** yes", "**Exposed:** no").replace("Reports To:** Human", "Reports To:** A_DESK")


@pytest.mark.parametrize(
    ("above", "below", "file", "is_wider"),
    [
        ("{ most = 14 }", "{ most = 28 }", "", True),
        ("{ most = 500 }", '"free"', "", False),
        ("{ most = 14 }", "{ most = 14 }", "{ most = 28 }", False),
    ],
    ids=["a wider card", "free beside all that the tool takes", "a wider file"],
)
def test_only_a_card_that_allows_more_than_those_above_is_called_widened(tmp_path, above, below, file, is_wider):
    days = "args.days = [{ most = 28 }]"
    files = {
        "cards/A_DESK.identity.md": ABOVE.replace(days, f"args.days = [{above}]"),
        "cards/B_DESK.identity.md": BELOW.replace(days, f"args.days = [{below}]"),
    }
    if file:
        grant = (
            GRANT.replace("A_DESK", "B_DESK") + f'args.item_id = [{{ anchored = "id:item" }}]\nargs.days = [{file}]\n'
        )
        files["governance/m.toml"] = 'packhorse = "pai matrix"\n' + grant
    assert ("allows more of days" in said(tmp_path, files)) is is_wider


def test_a_step_that_each_grant_allows_in_part_is_said_to_pass_none(tmp_path):
    grant = READING.replace('agent = "A_DESK"\n', "")
    one = grant + 'args.query = [{ equals = "map" }]\nargs.shelf = [{ equals = "red" }]\n'
    other = grant + 'args.query = [{ equals = "book" }]\nargs.shelf = [{ equals = "blue" }]\n'
    schema = {"type": "object", "properties": {"query": {"type": "string"}, "shelf": {"type": "string"}}}
    host = {**HOST, "find_item": evolve(HOST["find_item"], input_schema=schema)}
    task = TASK.replace('needs = ["query"]\n', "").replace(
        '{ query = { ref = "context.query" } }', '{ query = "map", shelf = "blue" }'
    )
    card = CARD.replace("```toml\n", f"```toml\n{one}\n{other}\n")
    told = said(tmp_path, {"cards/A_DESK.identity.md": card, "cards/look.toml": task}, host)
    assert "no grant that allows it allows the rest of this step" in told


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ({"NOT_FOUND", "BUSY"}, "neither find_item nor its pack refuses with NOTFOUND: did you mean NOT_FOUND?"),
        ({"NOTFOUND"}, ""),
        ((), ""),
    ],
    ids=["another", "that one", "not known"],
)
def test_a_code_with_which_no_tool_of_the_pack_refuses_is_named(tmp_path, codes, words):
    host = {**HOST, "find_item": evolve(HOST["find_item"], codes=frozenset(codes))}
    event = f'{MATRIX}[[events.lost]]\ntool = "find_item"\nrefusal = "NOTFOUND"\n'
    told = said(tmp_path, {"governance/m.toml": event}, host)
    assert words in told if words else "events.lost" not in told


@pytest.mark.parametrize(
    ("delegated", "words"),
    [('["find_item"]', "B_DESK: find_member: it runs only below A_DESK, which may not pass find_member on"), ("", "")],
    ids=["one of two", "all that it holds"],
)
def test_a_tool_that_nobody_above_passes_on_is_named(tmp_path, delegated, words):
    matrix = 'packhorse = "pai matrix"\n' + (f"[delegate]\nA_DESK = {delegated}\n" if delegated else "")
    files = {"cards/A_DESK.identity.md": ABOVE, "cards/B_DESK.identity.md": BELOW, "governance/m.toml": matrix}
    told = said(tmp_path, files)
    assert words in told if words else "pass" not in told


@pytest.mark.parametrize(("grants", "is_named"), [("", True), ('else = "ask"\n', False)])
def test_an_else_that_says_what_holds_without_it_is_named(tmp_path, grants, is_named):
    rule = 'args.days = [{ most = 28 }, { else = "deny" }]'
    card = CARD.replace("args.days = [{ most = 28 }]", rule).replace(
        'tool = "lend_item"\n', f'tool = "lend_item"\n{grants}'
    )
    told = said(tmp_path, {"cards/A_DESK.identity.md": card})
    assert ("else of days is deny, as it is without that" in told) is is_named
