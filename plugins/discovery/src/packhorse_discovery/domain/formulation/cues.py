"""What the words say about the direction of a limit and of the goal."""

import ast
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from packhorse_discovery.domain.formulation.expressions import Table
from packhorse_discovery.domain.formulation.form import Formulation, Goal, Rule, variables_named
from packhorse_discovery.domain.formulation.terms import Linear
from packhorse_discovery.domain.reading.numbers import around, positions, span_of_quote, spoken
from packhorse_discovery.domain.reading.words import any_of

_NOT = r"(?:not|n't|never|cannot|nobody|none|no one|no|without)"
_MOST = "|".join(
    (
        rf"at most|{_NOT} (?:\w+ ){{0,2}}(?:more|greater|larger|higher|longer) than",
        rf"{_NOT} (?:\w+ ){{0,2}}(?:exceed|surpass)\w*|not exceeding|without exceeding|(?:less|fewer|lower) than",
        r"up to|maximum|max\.|limited to|upper limit|or (?:less|fewer)|no larger",
        r"available|on hand|in stock|budget of|capacity of|a limit of",
    )
)
_LEAST = "|".join(
    (
        rf"at least|{_NOT} (?:\w+ ){{0,2}}(?:less|fewer|lower|smaller|shorter) than",
        rf"{_NOT} (?:\w+ ){{0,2}}(?:below|under)",
        r"minimum|a min\.|or more|(?:more|greater|larger|higher) than|must exceed|exceeds",
    )
)
_CUE = re.compile(rf"(?P<negated_most>no (?:less|fewer) than)|(?P<most>{_MOST})|(?P<least>{_LEAST})", re.IGNORECASE)
_BEFORE, _AFTER = 60, 30
"""How many characters of the sentence before and after a number are searched for a cue."""

_SUPERLATIVE = r"(?:total |overall |possible |net |average |daily |weekly )*"
_AS_CAN_BE = r"(?:as|(?:\w+ ){1,3}as (?:possible|we can|can be))"
_MINIMIZE = any_of(
    rf"minimi[sz]|\bas (?:few|little|low|cheap|short|small|early) {_AS_CAN_BE}\b",
    r"\b(?:lowest|cheapest|shortest|minimal|least[- ](?:cost|time))\b",
    rf"\bminimum {_SUPERLATIVE}(?:cost|time|distance|number|expense|makespan|length|amount|unit)\b",
)
_MAXIMIZE = any_of(
    rf"maximi[sz]|\bas (?:many|much|high|large) {_AS_CAN_BE}\b",
    r"\b(?:highest|largest|maximal|most profit\w*)\b",
    rf"\bmaximum {_SUPERLATIVE}(?:profit|revenue|value|return|benefit|number|income|weight|flow|amount|unit)\b",
)
_GOALS = {"minimize": _MINIMIZE, "maximize": _MAXIMIZE}
_VERBS = re.compile(r"(minimi[sz]|maximi[sz])", re.IGNORECASE)
_UPPER_NAMES = re.compile(r"(?:^|_)(?:capacity|budget|limit|most|max\w*|available|stock)(?:_|$)", re.IGNORECASE)
_LOWER_NAMES = re.compile(r"(?:^|_)(?:least|min|minimum|need|needed|required)(?:_|$)", re.IGNORECASE)


def says(sense: str, sentence: str) -> bool:
    """Whether a sentence says that something is to be minimized, or maximized."""
    return _GOALS[sense].search(sentence) is not None


def against_goal(goal: Goal, words: Sequence[str]) -> str | None:
    """The cue that contradicts the goal's sense; None where the words agree, say both, or say nothing."""
    text = "\n".join(words)
    verbs = {"minimize" if hit.group().casefold().startswith("min") else "maximize" for hit in _VERBS.finditer(text)}
    senses = verbs if len(verbs) == 1 else {sense for sense, cue in _GOALS.items() if cue.search(text)}
    if len(senses) != 1 or goal.sense in senses:
        return None
    hit = _GOALS[next(iter(senses))].search(text)
    return around(text, hit.start(), hit.end()) if hit else None


def against_rule(rule: Rule, formulation: Formulation, names: Mapping[str, Any], words: Sequence[str]) -> str | None:
    """The cue that contradicts the direction of a rule; None where the words agree or say nothing."""
    limit = _limit(rule.tree, names)
    if limit is None:
        return None
    is_most, constant = limit
    values = _values(constant, names)
    for text in words:
        numbers = spoken(text)
        span = span_of_quote(rule.quote, text) if rule.quote else None
        if rule.quote and span is None:
            continue
        for value in values:
            places = [numbers[at] for at in positions(value, numbers)]
            if span is not None:
                places = [each for each in places if span[0] <= each.start < span[1]]
            cues = [cue for each in places if (cue := _nearest(text, each.start, each.end))]
            if cues:
                return cues[0][1] if all(says_most != is_most for says_most, _ in cues) else None
    return _against_name(constant, is_most=is_most)


def _against_name(constant: ast.expr, *, is_most: bool) -> str | None:
    """Where the words have no cue: the name of a table, such as capacity, that says the opposite."""
    for node in ast.walk(constant):
        if isinstance(node, ast.Name):
            upper, lower = bool(_UPPER_NAMES.search(node.id)), bool(_LOWER_NAMES.search(node.id))
            if upper != lower and upper != is_most:
                return node.id
    return None


def _nearest(text: str, start: int, end: int) -> tuple[bool, str] | None:
    """The cue nearest to a number in its sentence: whether it says "at most", and the words around."""
    left = text[max(0, start - _BEFORE) : start]
    left = re.split(r"[.;\n](?=\s)|\n|,? (?:and|but|while|whereas) ", left)[-1]
    right = re.split(r"[.;\n](?=\s)|\n|, | (?:and|but|while|whereas|with|at) ", text[end : end + _AFTER])[0]
    found = [(len(left) - hit.end(), hit) for hit in _CUE.finditer(left)]
    found += [(hit.start() + 2, hit) for hit in _CUE.finditer(right)]
    if not found:  # of a list: "at least 700 of this, 30 of that and 100 of the third"
        sentence = re.split(r"[.;\n](?=\s)|\n", text[:start])[-1]
        found = [(len(sentence) - hit.end(), hit) for hit in _CUE.finditer(sentence)]
        if not found or len({hit.lastgroup for _, hit in found}) > 1:
            return None
    _, hit = min(found, key=lambda each: each[0])
    return hit.lastgroup == "most", around(text, start, end, 40)


def _limit(tree: ast.expr, names: Mapping[str, Any]) -> tuple[bool, ast.expr] | None:
    """Whether a rule says "at most", and its constant side; None for any other rule."""
    while True:
        if isinstance(tree, ast.GeneratorExp | ast.ListComp):
            tree = tree.elt
        elif isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "all" and tree.args:
            tree = tree.args[0]
        else:
            break
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return None
    left, right = tree.left, tree.comparators[0]
    up = isinstance(tree.ops[0], ast.LtE | ast.Lt)
    if not up and not isinstance(tree.ops[0], ast.GtE | ast.Gt):
        return None
    if variables_named(left, names) and not variables_named(right, names):
        return up, right
    if variables_named(right, names) and not variables_named(left, names):
        return not up, left
    scaling = [bool(_values(side, names)) for side in (left, right)]  # a share or a multiple: n >= 0.6 * all
    if scaling == [False, True]:
        return up, right
    return (not up, left) if scaling == [True, False] else None


def _values(constant: ast.expr, names: Mapping[str, Any]) -> list[Any]:
    """The numbers whose places decide: those of the one literal or table that the constant side names."""
    parts = [node for node in ast.walk(constant) if isinstance(node, ast.Constant | ast.Name)]
    literals = [Fraction(repr(node.value)) for node in parts if isinstance(node, ast.Constant)
                and isinstance(node.value, int | float) and node.value not in (0, 1)]  # fmt: skip
    tables = [
        table
        for node in parts
        if isinstance(node, ast.Name)
        and isinstance(table := names.get(node.id), Table)
        and not variables_named(node, names)
    ]
    if len(literals) == 1 and not tables:
        return literals
    if len(tables) == 1 and not literals:
        cells = [cell.constant for cell in tables[0].cells.values() if isinstance(cell, Linear)]
        return [each for each in cells if each not in (0, 1)][:1]
    return []
