"""Sentences of the words that a formulation does not use, and numbers of a quote that its own datum denies."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from packhorse_discovery.domain.formulation import cues
from packhorse_discovery.domain.formulation.expressions import parsed
from packhorse_discovery.domain.formulation.fault import ExpressionError
from packhorse_discovery.domain.formulation.form import Datum, Formulation, label
from packhorse_discovery.domain.reading.numbers import Spoken, span_of_quote, spoken
from packhorse_discovery.domain.reading.words import GENERAL, Words, any_of, words_of

MOST_SENTENCES = 12
"""How many sentences are listed."""

_SHOWN_WORDS = 10
_LEAST_WORDS = 3
"""A shorter sentence, such as "Yes.", says nothing to keep."""

_ASIDES = (
    r"hang on|hold on|where was i|as i (?:said|told you)|of course|it is \w+ that i said|i said",
    r"(?:sure|yes|no|well)(?=\s*(?:,|\Z))|otherwise(?= you(?:'ve| have))",
    r"(?:and )?that(?:'s| is) (?:that|it|all(?: (?:that )?i(?:'ve| have)? \w+)?|the \w+(?=\Z))",
    r"(?:and )?you(?:'ve| have)(?: got)? (?:that|it all|everything|all of it)",
)
_ASIDE = re.compile(rf"\b(?:{'|'.join(_ASIDES)})(?!\w)", re.IGNORECASE)
_OTHERS = r"(?:(?:other|further|such|more) )?"
_NO_RULE = any_of(
    rf"\b(?:have|has|know|got|is|are|there's) (?:of )?no {_OTHERS}(?:rules?|wish(?:es)?|preferences?)\b",
    r"\bnothing (?:else |more )?(?:that )?(?:i|we) know of\b",
)
_TURNS = re.compile(r"\b(?:but|except|only|unless|however|whether)\b", re.IGNORECASE)

_SMALL = frozenset({Fraction(0), Fraction(1)})
_TIMES = ("once", "twice", "thrice")
_OF = ("for", "by", "to", "in")


def not_used(formulation: Formulation, words: Sequence[str]) -> tuple[str, ...]:
    """The beginning of each sentence that no quote touches, no ignored entry names, and none of whose numbers is used.

    A number counts as used where a datum, rule or bound without a quote holds it; with one, only its quote does.
    """
    quotes = [rule.quote for rule in formulation.rules] + [datum.quote for datum in formulation.data.values()]
    quotes += [text for entry in formulation.ignored.items() for text in entry]
    loose = set(_loose(formulation)) - _SMALL
    sizes = {Fraction(len(members)) for members in formulation.sets.values()} - _SMALL
    found: list[str] = []
    for text in words:
        answer = words_of(text)
        spans = [span for quote in quotes if quote.strip() and (span := span_of_quote(quote, text))]
        numbers = [each for each in spoken(text) if each.must_use]
        sentences = list(_sentences(answer))
        touched = [any(first < end and last > start for first, last in spans) for start, end in sentences]
        for at, (start, end) in enumerate(sentences):
            inside = [each for each in numbers if start <= each.start < end]
            if (
                touched[at]
                or any(each.values & loose or (each.after and each.values & sizes) for each in inside)
                or (formulation.goal and cues.says(formulation.goal.sense, text[start:end]))
                or _says_nothing(text[start:end], asks=text[end : end + 1] == "?")
                or _again(
                    text[start:end],
                    quotes,
                    [
                        text[slice(*sentences[near])]
                        for near in (at - 1, at + 1)
                        if near in range(len(touched)) and touched[near]
                    ],
                )
            ):
                continue
            found.append(_beginning(text[start:end]))
    more = len(found) - MOST_SENTENCES
    return (*found[:MOST_SENTENCES], *([f"and {more} more sentences"] if more > 0 else []))


def kept(rule: str, quote: str, document: Mapping[str, Any]) -> bool:
    """Whether a formulation holds a rule: one of its rules or data quotes the same words, or the rule is its goal."""
    parts = [*document.get("rules", {}).values(), *document.get("data", {}).values()]
    quotes = [str(part.get("quote", "")) for part in parts if isinstance(part, Mapping)]
    senses = [sense for sense in ("minimize", "maximize") if sense in document]
    return _kept_words(quotes, quote) or any(cues.says(sense, text) for sense in senses for text in (rule, quote))


def _kept_words(quotes: Sequence[str], words: str) -> bool:
    """Whether ``words`` that somebody quoted and a quote of a formulation hold one another."""
    return any(quote.strip() and (span_of_quote(quote, words) or span_of_quote(words, quote)) for quote in quotes)


def _says_nothing(sentence: str, *, asks: bool) -> bool:
    """Whether a sentence holds no rule: a question, a filler such as "hang on", or that there is no rule.

    Words of a sentence with "but" or a number are kept.
    """
    if asks or (_NO_RULE.search(sentence) and not _TURNS.search(sentence) and not spoken(sentence)):
        return True
    left, asides = _ASIDE.subn(" ", sentence)
    return asides > 0 and len([word for word in words_of(left).words if word.is_word]) < _LEAST_WORDS


def _again(sentence: str, quoted: Sequence[str], beside: Sequence[str]) -> bool:
    """Whether a sentence says in the same order what a quote has, or, briefly, what a quoted sentence beside it has."""
    content = _content(_ASIDE.sub(" ", sentence))
    places = quoted if len(content) >= _LEAST_WORDS else beside
    return bool(content) and any(_in_turn(content, _content(each)) for each in places)


def _content(text: str) -> list[str]:
    return [word.text for word in words_of(text).words if word.is_word and word.text not in GENERAL]


def _in_turn(wanted: Sequence[str], texts: Sequence[str]) -> bool:
    rest = iter(texts)
    return all(word in rest for word in wanted)


def denied(datum: Datum, quote: str) -> str | None:
    """A number that the quote of a datum tells of one of its members, and that the datum does not hold there.

    Such as 2 for 7B where the quote says "once for 7B", or "twice" and "once" beside a member; None where all agree.
    """
    answer = words_of(quote)
    numbers = {answer_at(answer, each.start): each for each in spoken(quote)}
    told: dict[tuple[Any, ...], list[Spoken]] = {}
    for place, number in numbers.items():
        key = _cell(datum, answer, place, number)
        if key is not None and key in datum.table.cells:
            told.setdefault(key, []).append(number)
    for key, said in told.items():
        value = abs(datum.table.cells[key].constant)
        if not any(value in each.values for each in said):
            phrase = " ".join(quote[said[0].start :].split()[:3]).rstrip(",.;:")
            return f"{label(key)} is {float(value):g}, and its quote says «{phrase}»"
    return None


def answer_at(answer: Words, start: int) -> int:
    """The token that begins at a character, or the next one."""
    return next((place for place, word in enumerate(answer.words) if word.start >= start), len(answer.words))


def _cell(datum: Datum, answer: Words, place: int, number: Spoken) -> tuple[Any, ...] | None:
    """The key of the cell that a number is about: "once for 7B"; with two sets, the other member is the last named."""
    texts = answer.texts
    after = answer_at(answer, number.end)
    if texts[after : after + 1] and texts[after] in _OF:
        named = _member(datum, texts, after + 1)
    else:
        named = _member(datum, texts, place - 1) if texts[place] in _TIMES else None
    if named is None:
        return None
    at, member = named
    key: list[Any] = [None] * len(datum.table.dimensions)
    key[at] = member
    for before in range(place - 1, -1, -1):
        other = _member(datum, texts, before)
        if other is not None and key[other[0]] is None:
            key[other[0]] = other[1]
    return None if None in key else tuple(key)


def _member(datum: Datum, texts: Sequence[str], place: int) -> tuple[int, Any] | None:
    """Which set, and which member of it, a token names."""
    if not 0 <= place < len(texts):
        return None
    for at, members in enumerate(datum.table.dimensions):
        for member in members:
            if isinstance(member, str) and member.casefold() == texts[place]:
                return at, member
    return None


def _sentences(answer: Words) -> Iterator[tuple[int, int]]:
    """Where each sentence of enough words begins and ends."""
    first = 0
    for place, mark in enumerate((*answer.marks, ".")):
        if mark not in (".", "\n", "border"):
            continue
        inside = [word for word in answer.words[first:place] if word.is_word]
        if len(inside) >= _LEAST_WORDS:
            yield inside[0].start, inside[-1].end
        first = place + 1


def _loose(formulation: Formulation) -> Iterator[Fraction]:
    """Every number that stands without a quote of its own."""
    texts = [*formulation.set_texts.values()]
    for datum in formulation.data.values():
        if not datum.quote:
            yield from (abs(cell.constant) for cell in datum.table.cells.values())
            texts += datum.formulas
    texts += [text for block in formulation.blocks.values() for text in block.texts]
    trees = [rule.tree for rule in formulation.rules if not rule.quote]
    trees += [formulation.goal.tree] if formulation.goal else []
    for text in texts:
        try:
            trees.append(parsed(text.replace("..", ",")))
        except ExpressionError:
            continue
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                yield Fraction(repr(node.value) if not isinstance(node.value, bool) else int(node.value))
    for text in formulation.ignored:
        yield from (value for each in spoken(text) for value in each.values)


def _beginning(sentence: str) -> str:
    words = sentence.split()
    return " ".join(words[:_SHOWN_WORDS]) + (" ..." if len(words) > _SHOWN_WORDS else "")
