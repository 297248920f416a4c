"""Whether a rule speaks of what its quote speaks of: the same numbers, and the same members of its sets."""

import ast
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from packhorse_discovery.domain.formulation.arithmetic import words_of
from packhorse_discovery.domain.formulation.expressions import parsed
from packhorse_discovery.domain.formulation.fault import ExpressionError
from packhorse_discovery.domain.formulation.form import Formulation, Rule
from packhorse_discovery.domain.reading.numbers import span_of_quote, spoken
from packhorse_discovery.domain.reading.words import alike
from packhorse_discovery.domain.reading.words import words_of as tokens_of

_FREE = frozenset({Fraction(0), Fraction(1)})


def against_quote(rule: Rule, formulation: Formulation, words: Sequence[str]) -> str | None:
    """What its quote says and the rule does not; None where they have something in common, or one says nothing.

    A rule that names members of a set is held against the members that its
    quote names, and one that holds numbers against the numbers in it.
    """
    spans = ((text, span_of_quote(rule.quote, text)) for text in words)
    quote = next((text[span[0] : span[1]] for text, span in spans if span is not None), "")
    if not quote:
        return None
    for members in formulation.sets.values():
        own, said = _named(rule.tree, members), _said(quote, members)
        if own and said and not own & said:
            return f"speaks of {', '.join(sorted(own)[:3])}, and its quote of {', '.join(sorted(said)[:3])}"
    numbers = [one for one in spoken(quote) if one.must_use and not one.values & _FREE]
    held = {abs(each) for each in _held(rule.tree, formulation)} - _FREE
    if numbers and held and not any(one.values & held for one in numbers):
        own_words = ", ".join(words_of(each) for each in sorted(held)[:3])
        return f"holds {own_words}, and its quote says {numbers[0].clock or words_of(numbers[0].value)}"
    return None


def _parts(member: object) -> Iterator[str]:
    if isinstance(member, tuple):
        for each in member:
            yield from _parts(each)
    elif isinstance(member, str):
        yield member


def _named(tree: ast.expr, members: Sequence[object]) -> set[str]:
    """The members of a set that a rule writes out."""
    known = {part for member in members for part in _parts(member)}
    return known & {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _said(quote: str, members: Sequence[object]) -> set[str]:
    """The members of a set that a quote names, each by all of its words."""
    told = [one.text for one in tokens_of(quote).words if one.is_word]
    known = {part for member in members for part in _parts(member)}
    return {each for each in known if all(any(alike(word, one) for one in told) for word in _bare(each))}


def _bare(name: str) -> list[str]:
    return [one for one in re.split(r"[\s_-]+", name.casefold()) if one] or [name.casefold()]


def _held(tree: ast.expr, formulation: Formulation) -> Iterator[Fraction]:
    """The numbers that a rule writes or takes from data, those of its formulas among them; none of an index."""
    indices = {
        id(inner) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and id(node) not in indices:
            yield Fraction(repr(float(node.value)))
        elif isinstance(node, ast.Name) and (datum := formulation.data.get(node.id)) is not None:
            yield from (cell.constant for cell in datum.table.cells.values())
            for text in datum.formulas:
                yield from _literals(text)


def _literals(text: str) -> Iterator[Fraction]:
    try:
        tree = parsed(text)
    except ExpressionError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield Fraction(repr(float(node.value)))
