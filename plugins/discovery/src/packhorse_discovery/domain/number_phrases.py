"""A number of a sentence with what it is of: "two old kilns", "three of them", "one each", "four or five"."""

import re
from typing import Literal

from attrs import frozen

from packhorse_discovery.domain import counted
from packhorse_discovery.domain.counted import ALL, GENERIC, Token
from packhorse_discovery.domain.words import Words

Of = Literal["noun", "each", "ones", "any", "alone", "pronoun", "remark", "nothing"]

_NO_THING = re.compile(
    r"(?:minutes?|hours?|days?|weeks?|nights?|months?|years?|seconds?|percent|degrees|lit(?:re|er)s?|"
    r"kilos?|kg|"
    r"metres?|mm|cm|shifts?|times?|batch(?:es)?|loads?|lots?|orders?|jobs?|holes?|problems?|ideas?|matter|way|bother|"
    r"limit|issues?|worr(?:y|ies)|changes?|restrictions?|overlaps?|such|choices?|doubt|nutshell|kinds?|types?|sorts?|"
    r"sizes?|half|quarter|bit|few|while|school|thing|reason|need|exceptions?|place|go|customers?|clients?|"
    r"brothers?|sisters?|sons?|daughters?|cousins?|floors?|streets?)",
    re.IGNORECASE,
)
"""What is counted and is no resource."""
ANY = re.compile(rf"(?:{GENERIC}|items?|pieces?|things?|places?)", re.IGNORECASE)
"""A noun for whatever was named before."""
_PERSON = re.compile(r"person|man|woman|worker|helper|pair of hands", re.IGNORECASE)
_PRO = frozenset({"one", "ones"})
_ROUGHLY = frozenset({"about", "around", "over", "under", "below", "above"})
_NOTHING = re.compile(
    r"\b(?:second|third|spare|extra|other|more|further|new|one|problem|idea|need|reason|time|limit|choice|doubt|way|"
    r"shortage|difference|work|night|money|room|space|trouble|question|exception|machine|change|overlap|hurry|secret|"
    r"shift|order|day|week|hour|help|place|point|use|matter|wonder|longer)s?\b",
    re.IGNORECASE,
)
"""Of what "no" says that there is none, and counts no machine."""
_WHICH = frozenset({"by", "near", "next", "beside", "behind", "upstairs", "downstairs", "that", "which", "who"})
"""After "the two kilns": those of several."""
_OR_SO = frozenset({"so", "more", "fewer", "less"})


@frozen
class NumberPhrase:
    """``many`` of ``noun``, from ``at`` to before ``end``; ``many`` is None where it was said vaguely.

    ``of`` is what it is of: a "noun", "each" thing of a list, "ones" like what
    was counted, "any" machine or piece. "alone" is a number of what was named
    before, "pronoun" a "one" that counts nothing, "remark" what is said of
    some ("two of the kilns leak", in which case it is ``partitive``) or of
    other matters, "nothing" what only goes with its noun ("we are six weavers").
    """

    many: int | None
    of: Of
    at: int
    end: int
    noun: Token | None = None
    partitive: bool = False


def number_phrase(words: Words, at: int, *, knows: bool) -> NumberPhrase:
    """The phrase of the number at ``at``; ``knows`` says that the names of things are known."""
    if _is_pronoun(words, at):
        return NumberPhrase(None, "pronoun", at, at + 1)
    many: int | None = words.tokens[at].value
    first = at
    if (words.word(at + 1) in {"or", "to", "-", "\u2013"} and words.kind(at + 2) == "number") or (
        words.word(at - 1) == "between" and words.word(at + 1) == "and" and words.kind(at + 2) == "number"
    ):
        many, at = None, at + 2
    elif _is_rough(words, at):
        many = None
    heading = _heading(words, at)
    if heading:
        return NumberPhrase(many, "each", first, heading)
    place = words.noun(at)
    each = at + 1 + (words.word(at + 1) == "of")
    if words.kind(each) == "each":
        return NumberPhrase(many, "each", first, each + 1)
    if place is None:
        return NumberPhrase(many, "alone", first, words.beyond(at + 1, {"unit"}))
    return _of_noun(words, first, place, many, knows=knows)


def _of_noun(words: Words, at: int, place: int, many: int | None, *, knows: bool) -> NumberPhrase:
    """The phrase of a number at ``at`` and the noun at ``place``."""
    number = words.tokens[at]
    noun = counted.cut(words.tokens[place], number.value)
    after = words.kind(place + 1)
    if _last(noun) in _PRO or (words.word(place + 1) == "one" and not noun.name):
        return NumberPhrase(many, "ones", at, place + 1 + (words.word(place + 1) == "one"))
    partitive = words.word(place - 1) in {"the", "our", "these", "those"} and words.word(place - 2) == "of"
    of_some = partitive and noun.plural and after not in {"", "mark", "and"}
    of_some = of_some or (words.word(at - 1) == "the" and words.word(place + 1) in _WHICH)
    if (not noun.name and _NO_THING.fullmatch(_last(noun))) or after in {"modal", "past", "it"} or of_some:
        return NumberPhrase(number.value, "remark", at, place + 1, partitive=partitive)
    if ANY.fullmatch(noun.text):
        if words.kind(place + 2) == "each":
            return NumberPhrase(many, "each", at, place + 3)
        if words.name(place + 2) == ALL:
            return NumberPhrase(many, "noun", at, place + 3, words.tokens[place + 2])
        return NumberPhrase(many, "any", at, place + 1)
    of_people = knows and not noun.name and words.kind(at - 1) == "be" and words.kind(at - 2) == "subject"
    if of_people or _is_misplaced(words, at):
        return NumberPhrase(many, "nothing", at, place + 1)
    if _is_aside(words, at, place, many, noun, knows=knows):
        return NumberPhrase(many, "remark", at, place + 1)
    return NumberPhrase(many, "any" if many == 1 and _PERSON.fullmatch(noun.text) else "noun", at, place + 1, noun)


def _heading(words: Words, at: int) -> int:
    """The place of the mark after a number that stands above a list: "one of these: saw, mill"; 0 where none does."""
    if words.beyond(at - 1, {"adverb", "have", "there", "subject", "be", "article"}, -1) >= 0:
        return 0
    mark = words.beyond(at + 1, {"of", "article", "it", "adverb", "unit"})
    heads = words.word(mark) in {":", "-", "\u2013"} and words.kind(words.beyond(mark + 1, {"article"})) == "thing"
    return mark if heads else 0


def _is_pronoun(words: Words, at: int) -> bool:
    """Whether a "one" stands for a thing: "the third one", "that one", "the one with the dent"."""
    if words.word(at) != "one":
        return False
    before, after = words.kind(at - 1), words.kind(at + 1)
    if before == "article" and words.word(at - 1) not in {"the", "our", "my"}:
        return after != "thing"
    return before in {"ordinal", "each"} or (
        before == "article" and after in {"preposition", "relative", "be", "verb", "subject"}
    )


def _is_rough(words: Words, at: int) -> bool:
    """Whether a number is no more than about right: "about five", "up to five", "five or so"."""
    before = words.word(at - 1)
    return (
        words.kind(at - 1) == "vague"
        or before in _ROUGHLY
        or (words.word(at - 2), before) == ("up", "to")
        or (words.word(at + 1) == "or" and words.word(at + 2) in _OR_SO)
    )


def _last(noun: Token) -> str:
    """The last word of a noun, which says what kind of thing it is."""
    return (noun.text.split() or [""])[-1].casefold()


def _is_misplaced(words: Words, at: int) -> bool:
    """Whether an article stands where no list goes on: "it's a door really"."""
    begins = words.kind(at - 1) in {"", "mark", "and", "have", "adverb"} or words.kind(at - 2) == "there"
    return words.tokens[at].article and not begins


def _is_aside(words: Words, at: int, place: int, many: int | None, noun: Token, *, knows: bool) -> bool:
    """Whether a number with its noun is of other matters than what there is."""
    before, word = words.kind(at - 1), words.word(at - 1)
    if words.word(place + 1) == "per":
        return True  # "one warp per loom"
    if many == 0 and not noun.name and not noun.plural and (knows or _NOTHING.search(noun.text)):
        return True  # "no second one", "no problem"
    if many == 0 and not noun.name and (words.word(at) == "none" or (knows and words.word(at) == "no")):
        return True  # "none of the parts", "no problems"
    if words.kind(place + 1) == "preposition" and (words.kind(place + 2) == "each" or words.name(place + 2) == ALL):
        return True  # "one book in each"
    if many == 1 and (
        before in {"of", "modal", "verb"}
        or (before == "preposition" and word not in {"with", "plus", "besides", "beside", "down", "to"})
    ):
        return True  # "on one machine"
    return word == "with" and words.kind(at - 2) == "thing" and not noun.name  # "two ovens with three decks"
