"""What lint finds in tasks: each finding is one that playing the task shows, and a sound task has none."""

import itertools

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from packhorse_pai.domain.expressions import condition
from packhorse_pai.domain.linting_tasks import task_findings
from packhorse_pai.domain.playbooks import playbook_from
from packhorse_pai.domain.policy import HostTool, Limits, Policy
from packhorse_pai.domain.sources import FactRule, Precondition

ANSWER = {
    "properties": {
        "state": {"enum": ["open", "closed"]},
        "count": {"type": "integer"},
        "who": {"anyOf": [{"$ref": "#/$defs/Who"}, {"type": "null"}]},
        "rows": {"type": "array", "items": {"type": "string"}},
        "hours": {"anyOf": [{"type": "integer"}, {"type": "number"}], "minimum": 0, "maximum": 12},
    },
    "$defs": {"Who": {"type": "object", "properties": {"name": {"type": "string"}}}},
}
TAKES = {
    "properties": {
        "query": {"type": "string", "maxLength": 9},
        "most": {"type": "integer", "minimum": 1},
        "role": {"anyOf": [{"enum": ["nurse", "clerk"], "type": "string"}, {"type": "null"}]},
        "share": {"anyOf": [{"type": "integer"}, {"type": "number"}], "maximum": 1},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}, "minItems": 1, "maxItems": 2},
    },
    "$defs": {
        "Part": {
            "type": "object",
            "properties": {"lux": {"type": "number", "minimum": 0}},
            "additionalProperties": False,
        }
    },
    "required": ["query"],
}
POLICY = Policy(
    use={"CLERK": frozenset({"look", "gone"})},
    spawn={"CLERK": frozenset({"RUNNER"})},
    exposed=frozenset({"CLERK"}),
    limits={"CLERK": Limits(), "RUNNER": Limits(), "PORTER": Limits()},
    tools={name: HostTool(name, True, input_schema=TAKES, output_schema=ANSWER) for name in ("look", "move")},
)
RUN = playbook_from({"playbook": "run", "agent": "RUNNER", "steps": [
    {"result": {"feasible": False, "why": {"ref": "context.why"}}, "when": "context.why exists"},
    {"result": {"feasible": True, "found": {"count": "context.found"}}},
]})  # fmt: skip


def task(*steps, agent="CLERK"):
    return playbook_from({
        "playbook": "work", "agent": agent, "constraints": {"Keep it short": "short"}, "steps": list(steps),
    })  # fmt: skip


def found(*steps, **more):
    return found_in(POLICY, task(*steps, **more))


def found_in(policy, *books):
    """Kind and step of each finding, but for answers that these short tasks leave unread, which have their own test."""
    every = task_findings(policy, books, [RUN, *books])
    return [(one.kind, one.step) for one in every if "no step reads it" not in one.text]


LOOK = {"call": "look", "args": {"query": "x"}, "save": "seen"}
START = {"spawn": "RUNNER", "mission": "run", "task": "run", "save": "ran"}


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (LOOK, None),
        ({"call": "look", "args": {"query": {"ref": "context.q"}, "most": 1}}, None),
        ({"call": "look", "args": {"query": {"ref": "context.q"}, "bogus": 1}}, "never_fires"),
        ({"call": "look"}, "never_fires"),
        ({"call": "look", "args": {"query": "longer than nine"}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "most": 0}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "most": "1"}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "role": "nurse"}}, None),
        ({"call": "look", "args": {"query": "x", "role": "nurses"}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "role": 5}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "share": 0.5}}, None),
        ({"call": "look", "args": {"query": "x", "share": 2}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "parts": [{"lux": 5}]}}, None),
        ({"call": "look", "args": {"query": "x", "parts": [{"lux": -5}]}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "parts": []}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "parts": [{"lux": 5}] * 3}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "parts": [{"luz": 5}]}}, "never_fires"),
        ({"call": "look", "args": {"query": "x", "parts": [{"ref": "context.part"}, {"lux": -5}]}}, "never_fires"),
        ({"call": "move", "args": {"query": "x"}}, "not_granted"),
        ({"call": "act_as_agent"}, "no_such_tool"),
        ({"call": "gone"}, "no_such_tool"),
        ({"call": "gone", "optional": True}, None),
        (START, None),
        ({**START, "task": "fly"}, "no_such_task"),
        ({**START, "spawn": "PORTER"}, "not_granted"),
        ({**START, "spawn": "NOBODY"}, "no_such_agent"),
    ],
)
def test_a_step_that_can_never_work_is_found(step, kind):
    assert {one for one, _ in found(step)} - {"not_granted"} | (
        {"not_granted"} if kind == "not_granted" else set()
    ) == ({kind} if kind else set())


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("context.day exists", True),
        ("context.n > 5 and context.n < 3", False),
        ("context.n > 5 and context.n < 6", True),
        ("context.a is 'x' and context.a is 'y'", False),
        ("context.a and not context.a", False),
        ("context.a is null and context.a.b exists", False),
        ("not context.a is 1 and not context.a is 2", True),
        ("asked.short", True),
        ("asked.long", False),
        ("asked.short is 'yes'", False),
        ("mission is 'go'", True),
        ("mission is 3", False),
        ("steps.seen.state is 'open'", True),
        ("steps.seen.state is 'Open'", False),
        ("steps.seen.state exists and not steps.seen.state is 'open'", True),
        ("steps.seen.state > 1", False),
        ("steps.seen.count is 'many'", False),
        ("steps.seen.count > 900", True),
        ("steps.seen.who.name is 'ann'", True),
        ("steps.seen.who.age is 3", False),
        ("steps.seen.rows exists", True),
        ("steps.seen.hours > 11", True),
        ("steps.seen.hours > 12", False),
        ("steps.seen.nothing exists", False),
        ("steps.ran.result.anything is 1", False),
        ("steps.ran.result.feasible", True),
        ("steps.ran.result.feasible is 'yes'", False),
        ("steps.ran.result.why is 'late'", True),
        ("steps.ran.result.found > 2", True),
        ("steps.ran.result.found is 'two'", False),
        ("steps.ran.result.error exists", True),
    ],
)
def test_a_condition_that_can_never_hold_is_found_by_what_the_tools_answer(text, can):
    checked = found(LOOK, START, {"require": text, "trigger": "doubt"})
    assert checked == ([] if can else [("never_fires", 3)])
    assert found(LOOK, START, {**LOOK, "when": text}) == checked


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("steps.seen exists", "always_holds"),
        ("not steps.seen exists", "never_fires"),
        ("steps.perhaps exists", None),
        ("context.day exists", "always_holds"),
        ("context.night exists", None),
        ("steps.seen.share > 0.5", None),
        ("steps.seen.share > 1", "never_fires"),
        ("steps.seen.count > 900", None),
    ],
)
def test_a_condition_is_judged_by_what_was_surely_saved_or_asked_for_and_by_the_bounds_of_an_answer(text, kind):
    answer = {"properties": {**ANSWER["properties"], "share": {"type": "number", "minimum": 0, "maximum": 1}}}
    tools = {"look": evolve(POLICY.tools["look"], output_schema={**ANSWER, **answer})}
    steps = [LOOK, {**LOOK, "save": "perhaps", "optional": True}, {"require": text, "trigger": "doubt"}]
    book = playbook_from({"playbook": "work", "agent": "CLERK", "needs": ["day"], "steps": steps})
    found = [one.kind for one in task_findings(evolve(POLICY, tools=tools), [book], [book]) if one.step]
    assert found == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ({"result": {"fits": {"ref": "steps.ran.result.feasible"}, "how": {"ref": "steps.ran.status"}}}, None),
        ({"result": {"fits": {"ref": "steps.ran.feasible"}}}, "never_fires"),
        ({"result": {"fits": {"ref": "steps.ran.result.fits"}}}, "never_fires"),
        ({"result": {"code": {"ref": "steps.ran.result.code"}}}, None),
        ({"fail": "OFF", "when": "steps.ran.status is 'failed'"}, None),
        ({"fail": "OFF", "when": "steps.ran.status is 'done'"}, "never_fires"),
    ],
)
def test_what_a_started_agent_never_answers_is_found(step, kind):
    assert found(START, step) == ([(kind, 2)] if kind else [])


LOOP = {"each": "steps.seen.rows", "as": "row", "limit": 3}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{**LOOK, "when": "context.q"}], []),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}, "when": "context.q"}], ["takes no query"]),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}, "when": "not context.q exists"}],
         ["takes no query"]),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}, "when": "context.q exists"}], []),
        ([{"call": "look", "args": {"query": "x", "role": {"ref": "context.q"}}, "when": "not context.q exists"}], []),
        ([{"call": "look", "args": {"query": "x", "role": {"ref": "context.q"}}, "when": "context.q exists"}], []),
        ([{"call": "look", "args": {"query": "x", "role": {"ref": "context.q"}}, "when": "context.q is 'cook'"}],
         ["takes no role"]),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}},
          {"call": "look", "args": {"query": "x", "most": {"ref": "context.q"}}}], ["no value is both"]),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}, "when": "context.late"},
          {"call": "look", "args": {"query": "x", "most": {"ref": "context.q"}}}], ["no value is both"]),
        ([{"call": "look", "args": {"query": {"ref": "context.q"}}, "when": "context.late"},
          {"call": "look", "args": {"query": "x", "most": {"ref": "context.q"}}, "when": "context.soon"}], []),
        ([LOOK, {"call": "look", "args": {"query": "x", "parts": {"ref": "steps.seen.rows"}}}], ["whose elements are"]),
        ([{"call": "look", "args": {"query": "x", "parts": {"ref": "context.parts"}}},
          {"each": "context.parts", "as": "part", "limit": 2, "do": [{"escalate": "doubt", "when": "part.lux > 5"}]}],
         []),
        ([{"call": "look", "args": {"query": "x", "parts": {"ref": "context.parts"}}},
          {"each": "context.parts", "as": "part", "limit": 2,
           "do": [{"call": "look", "args": {"query": {"ref": "part.name"}}}]}], ["nothing ever stands at part.name"]),
        ([LOOK, {**LOOP, "do": [{"escalate": "doubt", "when": "row is 'a'"}, {"result": {}}]}],
         ["ends the task in its first round"]),
        ([LOOK, {**LOOP, "do": [{"result": {}, "when": "row is 'a'"}]}], []),
        ([LOOK, {**LOOP, "limit": 50, "do": [{"call": "look", "args": {"query": {"ref": "row"}}}]}],
         ["enough for 39 with all its steps"]),
        ([LOOK, {**LOOP, "limit": 39, "do": [{"call": "look", "args": {"query": {"ref": "row"}}}]}], []),
        ([LOOK, {**LOOP, "do": [{"call": "look", "args": {"query": {"ref": "row"}}, "save": "seen"}]}],
         ["no step reads it from there on"]),
        ([LOOK, {**LOOP, "do": [{"call": "look", "args": {"query": {"ref": "row"}}, "save": "seen"}]},
          {"result": {"n": {"ref": "steps.seen.count"}}}], []),
        ([LOOK, {"result": {"n": "steps.seen.count"}}], ["is given as this text", "no step reads it"]),
        ([LOOK, {"result": {"n": {"reff": "steps.seen.count"}}}], ["did you mean ref?", "no step reads it"]),
        ([LOOK, {"result": {"n": {"see": "steps.seen.count"}}}], ["is given as this text", "no step reads it"]),
        ([LOOK, {"require": "steps.seen.hours > -1", "trigger": "doubt"}], ["write steps.seen.hours exists"]),
        ([LOOK, {"require": "steps.seen.hours < 13", "trigger": "doubt"}], ["write steps.seen.hours exists"]),
        ([LOOK, {"require": "steps.seen.hours > 0", "trigger": "doubt"}], []),
    ],
)  # fmt: skip
def test_what_a_step_is_given_is_held_against_its_condition_and_the_other_steps(steps, said):
    book = task(*steps)
    texts = [one.text for one in task_findings(POLICY, [book], [book])]
    if said[-1:] != ["no step reads it"]:
        texts = [one for one in texts if not one.endswith("is saved, and no step reads it")]
    assert len(texts) == len(said)
    assert all(any(words in text for text in texts) for words in said), texts


@pytest.mark.parametrize("optional", [False, True])
def test_a_fact_that_a_refusal_shows_is_never_there_where_the_refusal_ends_the_task(optional):
    needs = {"move": (Precondition(("gone_from_there",)),)}
    facts = (FactRule("gone_from_there", "look", refusal="NOT_FOUND"),)
    use = {"CLERK": frozenset({"look", "move"})}
    policy = evolve(POLICY, use=use, spawn={}, preconditions=needs, facts=facts)
    book = task({**LOOK, "optional": optional}, {"call": "move", "args": {"query": "x"}})
    texts = [one.text for one in task_findings(policy, [book], [book]) if one.kind == "never_fires"]
    assert [text.partition("which ")[2] for text in texts] == (
        [] if optional else ["a refusal shows: write optional = true in the step before"]
    )


def test_a_task_that_its_agents_limit_ends_and_two_of_one_name_are_found():
    few = evolve(POLICY, limits={**POLICY.limits, "CLERK": Limits(calls=1)})
    book = task(LOOK, {**LOOK, "save": "again"})
    assert found_in(few, book) == [("never_fires", None)]
    twins = [task(LOOK), task({**LOOK, "save": "other"})]
    assert found_in(POLICY, *twins) == [("said_twice", None), ("said_twice", None)]


@pytest.mark.parametrize(
    ("steps", "limits", "text"),
    [
        ([{"each": "context.rows", "as": "row", "limit": 5, "do": [LOOK, LOOK]}], {"calls": 1}, "step 3 is never"),
        ([{"each": "context.rows", "as": "row", "limit": 5, "do": [LOOK]}], {"calls": 1}, ""),
        ([START, {**START, "when": "context.log exists"}], {"spawns": 1}, "step 2 is never"),
        ([LOOK, {**LOOK, "when": "context.log exists"}], {"calls": 1}, "step 2 is never"),
        ([{**LOOK, "when": "context.log exists"}, LOOK], {"calls": 1}, ""),
        ([LOOK, {**LOOK, "when": "context.a"}, {"result": {}, "when": "context.a"}, LOOK], {"calls": 2}, ""),
    ],
)
def test_a_step_for_which_its_agents_limit_never_leaves_anything_is_found(steps, limits, text):
    few = evolve(POLICY, limits={**POLICY.limits, "CLERK": Limits(**limits)})
    book = task(*steps)
    said = [one.text for one in task_findings(few, [book], [RUN, book]) if "may make" in one.text]
    assert [one[: len(text)] for one in said] == ([text] if text else [])


def test_a_task_of_an_agent_that_is_not_there_and_steps_behind_its_end_are_found():
    assert found(LOOK, agent="NOBODY") == [("no_such_agent", None)]
    assert found(LOOK, {"result": {}}, {"fail": "X"}) == [("never_fires", 3)]
    assert found(LOOK, {"result": {}, "when": "context.a"}, {"fail": "X"}) == []


@pytest.mark.parametrize(
    ("steps", "at"),
    [
        ([{"result": {}, "when": "context.a"}, {"escalate": "doubt", "when": "context.a"}], 2),
        ([{"result": {}, "when": "context.a"}, {"escalate": "doubt", "when": "context.a and context.b"}], 2),
        ([{"result": {}, "when": "context.a and context.b"}, {"escalate": "doubt", "when": "context.a"}], None),
        ([{"fail": "X", "when": "context.n > 3"}, {"escalate": "doubt", "when": "context.n > 5"}], 2),
        ([{"fail": "X", "when": "context.n > 3"}, {"escalate": "doubt", "when": "context.n > 2"}], None),
        ([{"result": {}, "when": "context.a"}, {"result": {}, "when": "not context.a"}, {"escalate": "doubt"}], 3),
        ([{"result": {}, "when": "context.a"}, {"escalate": "doubt", "when": "not context.a"}], None),
        ([LOOK, {"fail": "X", "when": "steps.seen.count > 3"}, LOOK, {"fail": "Y", "when": "steps.seen.count > 3"}],
         None),
        ([LOOK, {"fail": "X", "when": "steps.seen.count > 3"}, {**LOOK, "when": "steps.seen.count > 3"}], 3),
    ],
)  # fmt: skip
def test_a_step_is_found_where_the_task_has_ended_whenever_its_condition_holds(steps, at):
    assert found(*steps) == ([("never_fires", at)] if at else [])


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("steps.seen.count > 3 and steps.seen.count > 1", "steps.seen.count > 1"),
        ("context.tell exists and context.tell is 'yes'", "context.tell exists"),
        ("steps.seen.state is 'open' and not steps.seen.state is 'closed'", "not steps.seen.state is 'closed'"),
        ("context.a and steps.seen exists", "steps.seen exists"),
        ("context.late and context.n > 2", "context.n > 2"),
        ("context.a exists and context.a.b is 1", "context.a exists"),
        ("steps.seen.count > 1 and steps.seen.hours > 1", None),
        ("steps.seen.state exists and not steps.seen.state is 'open'", None),
        ("context.tell exists and not context.tell is 'no'", None),
    ],
)
def test_a_test_that_the_rest_of_its_condition_or_an_earlier_end_decides_is_found(text, idle):
    ends = {"fail": "EARLY", "when": "not context.n > 5"}
    book = task(LOOK, ends, {"require": text, "trigger": "doubt"})
    said = [one.text for one in task_findings(POLICY, [book], [book]) if one.step]
    words = f"{idle} can be left out of the condition {text!r}: it holds wherever the rest does"
    assert said == ([words] if idle else [])


PERHAPS = {**LOOK, "save": "perhaps", "when": "context.late"}


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([PERHAPS, "steps.perhaps.count > 3 and not context.late"], "never_fires"),
        ([PERHAPS, "steps.perhaps.count > 3 and context.late"], "always_holds"),
        ([PERHAPS, "steps.perhaps.state exists and steps.perhaps.rows exists"], "always_holds"),
        ([PERHAPS, "steps.perhaps.hours exists and steps.perhaps.count exists"], None),
        ([PERHAPS, "not steps.perhaps.count > 3 and not context.late"], "always_holds"),
        ([PERHAPS, "not steps.perhaps.count > 3 and context.late"], None),
        ([PERHAPS, "steps.perhaps.count > 3"], None),
        ([PERHAPS, PERHAPS, "steps.perhaps.count > 3 and not context.late"], None),
        ([LOOK, {**PERHAPS, "when": "steps.seen.count > 3"}, LOOK, "steps.perhaps.count > 3 and steps.seen.count > 3"],
         None),
        ([LOOK, {"fail": "X", "when": "not steps.seen.hours exists"}, "steps.seen.hours > -1"], "always_holds"),
        ([LOOK, {"fail": "X", "when": "not steps.seen.hours exists"}, "steps.seen.hours > 0"], None),
        ([{"fail": "X", "when": "not context.n > 5"}, "context.n > 2"], "always_holds"),
        ([{"fail": "X", "when": "context.a"}, "not context.a"], None),
    ],
)  # fmt: skip
def test_what_an_earlier_step_makes_certain_is_carried_into_the_conditions_behind_it(steps, kind):
    answer = {**ANSWER, "required": ["state", "rows"]}
    tools = {**POLICY.tools, "look": evolve(POLICY.tools["look"], output_schema=answer)}
    last = {"require": steps[-1], "trigger": "doubt"}
    kinds = [one for one, at in found_in(evolve(POLICY, tools=tools), task(*steps[:-1], last)) if at == len(steps)]
    assert kinds == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ([LOOK, {"result": {}}], "'seen' is saved, and no step reads it"),
        ([LOOK, {"result": {"kept": {"ref": "steps.seen.count"}}}], None),
        ([LOOK, {"require": "steps.seen.count > 1", "trigger": "doubt"}], None),
        ([LOOK, {"each": "steps.seen.rows", "as": "row", "limit": 2, "do": [{"escalate": "doubt"}]}],
         "no step of the loop over steps.seen.rows reads 'row', so each round does the same"),
        ([LOOK, {"each": "steps.seen.rows", "as": "row", "limit": 2,
                 "do": [{"escalate": "doubt", "when": "row is 'a'"}]}], None),
    ],
)  # fmt: skip
def test_a_name_that_no_step_reads_is_found(steps, name):
    book = task(*steps)
    assert [one.text for one in task_findings(POLICY, [book], [book])] == ([name] if name else [])


def test_a_condition_on_what_no_earlier_step_saved_is_refused():
    with pytest.raises(ValueError, match="not saved by an earlier step"):
        task({"require": "steps.sen.count > 1", "trigger": "doubt"})


VALUES = (None, True, False, -2, 0, 1, 2, 2.5, 3, 7, "a", "b", "c", {}, {"b": 1}, {"b": "a"}, {"b": None})
TESTS = st.tuples(
    st.sampled_from(["", "not "]), st.sampled_from(["a", "a.b"]),
    st.sampled_from(["", " exists", " is 'a'", " is 'b'", " is 1", " is 2", " is true", " is null", " > 1", " < 3"]),
).map("".join)  # fmt: skip


@given(st.lists(TESTS, min_size=1, max_size=4).map(" and ".join))
def test_a_condition_can_hold_exactly_where_some_values_pass_it(text):
    tested = condition(text)
    worlds = [{"a": value} for value in VALUES]
    worlds += [{"a": {"b": value}} for value in VALUES if not isinstance(value, dict)]
    assert tested.can_hold(lambda path, value: True, lambda path: ()) == any(map(tested, worlds))


def test_every_pair_of_bounds_on_a_number_is_decided_as_counting_decides_it():
    for low, high in itertools.product(range(-3, 4), repeat=2):
        tested = condition(f"a > {low} and a < {high}")
        assert tested.can_hold(lambda path, value: True, lambda path: ()) == (low < high)
