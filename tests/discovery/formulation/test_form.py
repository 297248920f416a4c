"""What a formulation may hold: each fault is one sentence that names its part and a remedy."""

from typing import Any

import pytest

from packhorse_discovery.domain.formulation.fault import FormulationError
from packhorse_discovery.domain.formulation.form_reader import read

BRIDGES: dict[str, Any] = {
    "sets": {"B": ["beam", "truss"], "T": "1..3"},
    "data": {"glue": {"over": "B", "values": [5, 8], "unit": "glue/bridge"}, "stock": {"value": 100, "unit": "glue"},
             "stick": {"value": 30, "unit": "stick"}},
    "vars": {"n": {"over": "B", "type": "int", "high": 50, "unit": "bridge"},
             "s": {"over": "T", "type": "int", "high": 9},
             "r": {"type": "real", "high": 9}},
    "rules": {"glue": "sum(glue[b] * n[b] for b in B) <= stock", "first": "s[t] <= s[t - 1] + 1 for t in T if t > 1",
              "sticks": "3 * stick >= 0 and n['beam'] >= 1", "r": "r <= 3"},
    "maximize": "sum(n[b] for b in B) + s[1] + r",
}  # fmt: skip


def faults(**change: Any) -> list[str]:
    document = {part: {**body} if isinstance(body, dict) else body for part, body in BRIDGES.items()}
    for part, body in change.items():
        document[part] = {**document.get(part, {}), **body} if isinstance(body, dict) else body
    document = {part: body for part, body in document.items() if body is not None}
    try:
        read(document)
    except FormulationError as exc:
        return [str(each) for each in exc.faults]
    return []


def test_a_formulation_without_a_fault_is_read():
    assert faults() == []


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("sum(glue[b] * n[b] for b in B) <= stick", "compares glue and stick"),
        ("Glue['beam'] * n['beam'] <= stock", "there is no name 'Glue'; did you mean 'glue'?"),
        ("glue * n['beam'] <= stock", "a name that is over a set needs its index"),
        ("sum(n[b] for b in B)", "is a value, not a condition"),
        ("s[t] >= s[t - 1] for t in T", "guard it with 'if'"),
        ("n['bream'] <= 3", "there is no member of B 'bream'; did you mean 'beam'?"),
        ("n['beam', 2] <= 3", "needs n[B]"),
        ("(3 if n['beam'] <= 2 else 4) <= s[1]", "use implies(...)"),
        ("n['beam'] / n['truss'] <= 2", "multiply both sides"),
        ("r * r <= 3", "no solver here can prove an optimum"),
        ("n['beam'] = 3", "write == for equality"),
        ("n.real <= 3", "a dot between names"),
        ("(lambda: n['beam'])() <= 3", "there is no function"),
        ("__import__('os').getcwd() == 3", "there is no function"),
        ("n['beam'] <= 3 .__class__", "may not contain"),
        ("[x for x in ().__class__] == 3", "may not contain"),
        ("n['beam'] ** 20 <= 3", "raises to a power"),
        ("n[b] <= 3 for b in n for n in B", "is taken"),
        ("5 <= 4", "holds no variable|can never hold"),
        ("sum(n[b] for b in B for i in range(3000000)) <= 4", "too long"),
        ("n['beam'] <= " + "(" * 300 + "3" + ")" * 300, "no expression|nested"),
    ],
)
def test_a_faulty_rule_is_told_in_one_sentence(rule, words):
    found = faults(rules={"bad": rule})
    if words == "a name that is over a set needs its index":
        words = "is no number"
    assert any(one.startswith("rule bad") and any(word in one for word in words.split("|")) for one in found), found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": {"glue": {"over": "B", "values": [1, 2, 3]}}}, "data glue has 3 values for 2 members of B"),
        ({"data": {"glue": {"over": "B", "values": {"beam": 1}}}}, "data glue has no value for truss of B"),
        ({"data": {"glue": {"over": "B", "values": {"beam": 1, "trus": 2}}}}, "did you mean 'truss'?"),
        ({"data": {"glue": {"over": "C", "values": [1]}}}, "data glue: there is no set 'C'"),
        ({"data": {"spare": 7}}, "data spare is used by no rule"),
        ({"data": {"glue": {"over": "B", "values": [1, "1 +"]}}}, "data glue is no expression"),
        ({"data": {"sum": 3}}, "data sum: its name is a word of the expressions"),
        ({"sets": {"B": ["beam", "beam"]}}, "set B lists beam twice"),
        ({"sets": {"B": []}}, "set B is empty"),
        ({"vars": {"n": {"over": "B", "type": "integer"}}}, "did you mean 'int'?"),
        ({"vars": {"n": {"over": "B", "type": "int", "low": 5, "high": 4}}}, "var n has low 5 above high 4"),
        ({"vars": {"n": {"over": "B", "kind": "int"}}}, "var n: there is no field 'kind'"),
        ({"minimize": "s[1]"}, "goal is both minimized and maximized"),
        ({"maximize": "stock"}, "goal holds no variable"),
        ({"maximize": None, "minimize": "r"}, "goal: nothing keeps its variables from being as small as their bounds"),
        ({"goals": {}}, "formulation: there is no part 'goals'"),
        ({"vars": None}, "vars is empty"),
    ],
)
def test_a_faulty_part_is_told_in_one_sentence(change, words):
    assert any(words in one for one in faults(**change)), faults(**change)


def test_every_faulty_rule_is_told_at_once():
    found = faults(rules={"one": "x <= 1", "two": "n['beam']"})
    assert {" ".join(one.replace(":", "").split()[:2]) for one in found} >= {"rule one", "rule two"}


def test_a_time_of_day_in_a_formula_is_refused_once_with_how_to_write_it():
    found = faults(data={"stock": {"value": "13:30", "unit": "minute"}}, vars={"r": {"type": "real", "high": "stock"}})
    assert found == ["data stock holds the time of day 13:30; write it as minutes since midnight: 13 * 60 + 30"]
