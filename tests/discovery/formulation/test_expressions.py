"""The evaluator agrees with arithmetic, and holds nothing but arithmetic."""

import ast
import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.formulation.expressions import Evaluator, parsed
from packhorse_discovery.domain.formulation.fault import ExpressionError

numbers = st.integers(-20, 20)
leaves = st.one_of(numbers.map(lambda n: f"({n})"), st.sampled_from(["a", "b"]))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda each: f"({' '.join(each)})"),
        st.tuples(inner, inner).map(lambda each: f"max({each[0]}, {each[1]})"),
        inner.map(lambda each: f"abs({each})"),
        inner.map(lambda each: f"sum({each} + i for i in range(3) if i != 1)"),
        st.tuples(inner, inner, inner).map(lambda each: f"({each[0]} if {each[1]} < {each[2]} else 7)"),
    ),
    max_leaves=8,
)


@given(expressions, numbers, numbers)
def test_constants_come_out_as_in_arithmetic(text, a, b):
    names = {"a": a, "b": b}
    allowed = {"max": max, "abs": abs, "sum": sum, "range": range, "__builtins__": {}}
    assert Evaluator(names).constant(parsed(text)) == eval(text, {**allowed, **names})


@given(st.text(max_size=40))
def test_any_text_is_worked_out_or_refused_in_words(text):
    with contextlib.suppress(ExpressionError):
        Evaluator({"x": 1}).constant(parsed(text))


def test_decimals_are_exact():
    assert Evaluator({}).constant(parsed("0.1 + 0.2")) == Fraction(3, 10)


@pytest.mark.parametrize(
    "text",
    [
        "().__class__",
        "f'{x}'",
        "x := 3",
        "{1: 2}",
        "[*x]",
        "lambda: x",
        "print(x)",
        "((10 ** 10) ** 10) ** 10 ** 10",
        "'a' + 'b'",
    ],
)
def test_what_is_no_arithmetic_is_refused(text):
    with pytest.raises(ExpressionError):
        Evaluator({"x": 1}).constant(parsed(text))


def test_a_rule_without_brackets_is_a_loop():
    assert isinstance(parsed("x[i] <= 3 for i in I"), ast.GeneratorExp)
