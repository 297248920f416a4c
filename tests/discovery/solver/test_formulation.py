"""Formulations are solved right by either engine, verified without it, and explained where nothing fits."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse_discovery.domain.formulation.evidence import supported
from packhorse_discovery.domain.formulation.fault import FormulationError
from packhorse_discovery.domain.formulation.form_reader import read
from packhorse_discovery.solver.formulation.solve import solve, verify

small = st.integers(-4, 4)


def model(vars_: dict[str, Any], rules: dict[str, str], **goal: str) -> dict[str, Any]:
    return {"vars": vars_, "rules": rules, **goal}


@st.composite
def rules(draw):
    def total():
        return " + ".join(f"({draw(small)}) * {name}" for name in "xyz")

    kind = draw(st.sampled_from(["plain", "or", "implies", "abs", "max", "count", "product", "not", "iff"]))
    limit = draw(st.integers(-6, 12))
    relation = f"{total()} {draw(st.sampled_from(['<=', '>=', '==', '!=', '<', '>']))} {limit}"
    other = f"{total()} <= {draw(st.integers(-6, 12))}"
    return {
        "plain": relation, "or": f"{relation} or {other}", "implies": f"implies({relation}, {other})",
        "abs": f"abs({total()}) <= {abs(limit)}", "max": f"max({total()}, y) - min(x, z) >= {limit - 4}",
        "count": f"count([{relation}, {other}, x >= 2]) >= 2", "product": f"x * y - z <= {limit}",
        "not": f"not ({relation} and {other})", "iff": f"iff({relation}, {other})",
    }[kind]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=3), st.tuples(small, small, small), st.booleans())
def test_whole_problems_agree_with_every_combination_tried(texts, weights, largest):
    goal = " + ".join(f"({weight}) * {name}" for weight, name in zip(weights, "xyz", strict=True))
    box = {name: {"type": "int", "low": -2, "high": 3} for name in "xyz"}
    document = model(
        box, {f"r{at}": text for at, text in enumerate(texts)}, **{"maximize" if largest else "minimize": goal}
    )
    try:
        formulation = read(document)
    except FormulationError:
        return
    names = {"abs": abs, "max": max, "min": min, "implies": lambda a, b: not a or b, "iff": lambda a, b: a == b,
             "count": lambda each: sum(map(bool, each)), "__builtins__": {}}  # fmt: skip
    fits = [
        sum(weight * value for weight, value in zip(weights, point, strict=True))
        for point in product(range(-2, 4), repeat=3)
        if all(eval(text, names, dict(zip("xyz", point, strict=True))) for text in texts)
    ]
    answer = solve(formulation)
    if not fits:
        assert answer.status == "infeasible"
        assert answer.conflict
    else:
        assert answer.objective == (max(fits) if largest else min(fits))


NINE = {"type": "real", "high": 9}


@pytest.mark.parametrize(
    ("vars_", "rules_", "goal", "status", "objective"),
    [
        ({"x": "real", "y": "real"}, ["x + y <= 4.5", "x - y <= 1"], {"maximize": "3 * x + y"}, "optimal", 10),
        ({"x": "real", "y": "real"}, ["x <= y + 3"], {"maximize": "x"}, "unbounded", None),
        ({"x": "int", "y": "int"}, ["x <= y + 3"], {"maximize": "x"}, "unbounded", None),
        ({"x": "real", "n": "int"}, ["x <= 2.5 * n", "n <= 3.7"], {"maximize": "x"}, "optimal", 7.5),
        ({"x": NINE, "b": "bool"}, ["implies(b, x <= 2)", "b == 1"], {"maximize": "x"}, "optimal", 2),
        ({"x": NINE, "b": "bool"}, ["x <= 7 - 2 * b"], {"maximize": "b * x"}, "optimal", 5),
        ({"x": {**NINE, "low": -9}}, ["abs(x) >= 4", "x <= 3"], {"maximize": "x"}, "optimal", -4),
        ({"x": NINE, "y": NINE}, ["x + y <= 10", "min(x, y) >= 2"], {"maximize": "max(x, y)"}, "optimal", 8),
        ({"k": {"type": "int", "low": 1, "high": 3}}, ["k != 2", "k >= 2"], {"minimize": "k"}, "optimal", 3),
        ({"x": "int", "y": "int"}, ["x + y == 4", "x >= 1"], {}, "satisfied", None),
    ],
)
def test_engines_give_the_optimum(vars_, rules_, goal, status, objective):
    answer = solve(read(model(vars_, {f"r{at}": text for at, text in enumerate(rules_)}, **goal)))
    assert answer.status == status
    assert objective is None or float(answer.objective) == pytest.approx(objective)


def test_nothing_but_a_verified_answer_is_given():
    formulation = read(model({"x": "int"}, {"a": "2 * x >= 5"}, minimize="x"))
    (variable,) = formulation.variables
    assert verify(formulation, {variable: 2})[0] == ["rule a"]
    assert verify(formulation, {variable: 3}) == ([], 3)


def test_the_rules_that_clash_are_a_smallest_set():
    rules_ = {"low": "x >= 5", "high": "x + y <= 4", "free": "y <= 9", "other": "y >= 0"}
    answer = solve(read(model({"x": "real", "y": "real"}, rules_, maximize="x + y")))
    assert (answer.status, [rule.name for rule in answer.conflict], answer.minimal) == (
        "infeasible",
        ["low", "high"],
        True,
    )


@pytest.mark.parametrize(
    ("rules_", "words"),
    [
        ({"a": "x >= 1 or y >= 1"}, ""),
        ({"a": "implies(b, x <= 1)"}, "rule a: depends on a condition, for which x must be bounded"),
        ({"a": "x < 3"}, "rule a is strict"),
        ({"a": "all_different([x, y])"}, "rule a uses all_different for whole variables, and x, y is real"),
    ],
)
def test_what_an_engine_cannot_hold_is_refused_by_name(rules_, words):
    document = model(
        {"x": "real", "y": "real", "b": "bool"}, {**rules_, "cap": "b + y <= 5", "x": "x >= 0 * b"}, maximize="y"
    )
    if not words:
        assert solve(read(document)).status == "optimal"
        return
    with pytest.raises(FormulationError, match=words.replace("(", r"\(")):
        solve(read(document))


def test_no_engine_writes_on_standard_output(capfd):
    solve(read(model({"x": "real", "n": "int"}, {"a": "x <= 2.5 * n", "b": "n <= 3"}, maximize="x")))
    solve(read(model({"n": "int"}, {"b": "n <= 3"}, maximize="n")))
    assert capfd.readouterr().out == ""


CASES = json.loads((Path(__file__).parents[1] / "evidence" / "infeasible.json").read_text())
FORMULATED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "infeasible-08": (
        {
            "sets": {"E": ["choir", "drama"], "R": ["music room", "hall"]},
            "data": {
                "children": {"over": "E", "values": [35, 28]},
                "seats": {"over": "R", "values": [30, 120]},
            },
            "vars": {"in_room": {"over": ["E", "R"], "type": "bool"}},
            "rules": {
                "placed": "sum(in_room[e, r] for r in R) == 1 for e in E",
                "choir": {"rule": "in_room['choir', 'music room'] == 1", "quote": "must be in the music room"},
                "drama": {"rule": "in_room['drama', 'music room'] == 1", "quote": "in the music room too"},
                "seats": "children[e] * in_room[e, r] <= seats[r] for e in E for r in R",
            },
        },
        ["choir", "seats"],
    ),
    "infeasible-12": (
        {
            "data": {
                "casting": {"value": "60 * 0.5", "unit": "minute"},
                "nine": {"value": "(9 - 8) * 60", "unit": "minute"},
                "ten": {"value": "(10 - 8) * 60", "unit": "minute"},
                "grinding": {"value": "60 * 0.25", "unit": "minute"},
                "wait": {"value": 30, "unit": "minute", "quote": "at the latest thirty minutes after it is cast"},
            },
            "vars": {name: {"type": "int", "unit": "minute"} for name in ("cast", "rolled", "ground")},
            "rules": {
                "due": "cast + casting <= nine",
                "follow": "rolled <= cast + casting + wait",
                "mill": {"rule": "rolled >= ten", "quote": "The rolling mill is down until ten"},
                "last": "ground + grinding >= rolled",
            },
        },
        ["due", "follow", "mill"],
    ),
    "infeasible-16": (
        {
            "data": {
                "unload": {"value": 30, "quote": "thirty minutes at either"},
                "drive": "60 * 1",
                "nine": "9 * 60",
                "half_past": "(9 + 0.5) * 60",
                "ten": "10 * 60",
            },
            "vars": {"florist": "int", "chapel": "int"},
            "rules": {
                "florist": "nine <= florist <= half_past",
                "chapel": "nine <= chapel <= ten",
                "van": "florist + unload + drive <= chapel or chapel + unload + drive <= florist",
            },
            "ignored": {"5": "the depot decides nothing"},
        },
        ["florist", "chapel", "van"],
    ),
}


@pytest.mark.parametrize("case", FORMULATED)
def test_a_case_that_no_built_in_kind_holds_is_explained_by_its_rules(case):
    words = next(each["words"] for each in CASES if each["id"] == case)
    document, conflict = FORMULATED[case]
    formulation = read(document)
    answer = solve(formulation)

    assert not supported(formulation, [words]).faults
    assert (answer.status, [rule.name for rule in answer.conflict], answer.minimal) == ("infeasible", conflict, True)
