"""Whether words say yes or no to a field, and which of its choices they name."""

from collections.abc import Callable, Collection, Iterable, Mapping

from attrs import field, frozen

from packhorse_discovery.domain.reading.words import NEGATORS, NO, YES, Words, content, spelled, words_of

_TRUE = spelled("only skip skips some sometimes optional optionally if unless yes yeah yep right correct sure")
_TRUE_OF = {
    "no-wait?": spelled("immediately instantly straight directly right once hot"),
    "blocks?": spelled("stays stay keeps keep remains remain blocks blocked holds hold occupied occupies until"),
}
"""Words that say of a row what its field is about."""
_TRUE_DENIED = {"no-wait?": spelled("wait waits waiting delay pause")}
"""Words that say it where they are denied: "cannot wait"."""
_NEAR = 6
"""Tokens between a row's word and the cue of its flag (design/discovery_evidence_recipe, 2.5)."""
_FUNCTION_WORDS = spelled(
    "whether that this these those may must can has have had do does did you your they them there which what when "
    "where who be been as than more most some any every each all if not no so will would should could want than"
)


@frozen
class Ways:
    """How a field may be answered: the words of yes and of no, other names of it, and the ways to say each choice."""

    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(factory=dict)


WaysOf = Callable[[tuple[str, ...]], Ways]
"""The ways to answer a field."""


def no_ways(place: tuple[str, ...]) -> Ways:
    """Nothing is known of any field but its name."""
    return Ways()


def topics(texts: Iterable[str]) -> frozenset[str]:
    """The words of ``texts`` that say what they are about."""
    return frozenset(word for text in texts for word in content(text) if word not in _FUNCTION_WORDS and len(word) > 2)


def yes_no_fault(name: str, value: bool, ways: Ways, answer: Words, span: tuple[int, int] | None) -> str:
    """Why the words from ``span`` (all where None) do not say ``value`` of a field of no row; "" where they do."""
    first, last = span or (0, len(answer.texts) - 1)
    starts = [at for at in range(first, last + 1) if at in {0, first} or answer.marks[at - 1] in {".", "\n", "border"}]
    leads = {answer.texts[at] in YES for at in starts if answer.texts[at] in YES | NO}
    yes, no = topics([*ways.yes, name.rstrip("?").replace("-", " ")]), topics(ways.no)
    if span is None and (labelled := _labelled(answer, yes - no, no - yes)):
        return "" if value in labelled else f"the words say {'no' if value else 'yes'}"
    if value in leads:
        return ""
    true = _places(yes - no, answer, first, last)
    false = _places(no - yes, answer, first, last)
    says_yes = sum(not answer.denied(at) for at in true) + sum(answer.denied(at) for at in false)
    says_no = sum(answer.denied(at) for at in true) + sum(not answer.denied(at) for at in false)
    wanted, other = (says_yes, says_no) if value else (says_no, says_yes)
    if wanted > other and not leads:
        return ""
    if other > wanted or leads:
        return f"the words say {'no' if value else 'yes'}"
    return "the words say neither yes nor no to it: ask"


def _labelled(answer: Words, yes: Collection[str], no: Collection[str]) -> set[bool]:
    """What "same order on every machine: nope" says, where the label is of one side of the question."""
    found = set()
    for at in range(2, len(answer.texts)):
        if answer.marks[at - 1] == ":" and answer.texts[at] in YES | NO:
            first, last = answer.clause(at - 2)
            label = answer.texts[first : last + 1]
            for_yes, for_no = (sum(word in label for word in words) for words in (yes, no))
            if for_yes != for_no:
                found.add((answer.texts[at] in YES) == (for_yes > for_no))
    return found


def flag_fault(
    name: str, value: bool, ways: Ways, answer: Words, places: Collection[int], span: tuple[int, int] | None
) -> str:
    """Why the words around a row's ``places``, or its quote, do not say ``value`` of it; "" where they do."""
    if span is not None:
        near = set(range(span[0], span[1] + 1))
    elif value:
        near = {at for place in places for at in range(max(0, place - _NEAR), place + _NEAR + 1)}
    else:
        near = {at for place in places for at in range(answer.clause(place)[0], answer.clause(place)[1] + 1)}
    cues = _TRUE_OF.get(name, _TRUE) | topics(ways.aliases)
    denied = _TRUE_DENIED.get(name, frozenset())
    inside = [at for at in near if at < len(answer.texts)]
    skipped = name == "optional?" and any(answer.denied(place) for place in places)  # "the cards have no folding"
    said = skipped or any(
        (answer.texts[at] in cues - denied and not answer.denied(at))
        or (answer.texts[at] in denied and answer.denied(at))
        for at in inside
    )
    if said == value:
        return ""
    denies = not value and any(answer.texts[at] in NEGATORS for at in inside)
    return "" if denies else "the answer does not say so" if value else "the answer says that it is so"


def choice_fault(
    value: str, ways: Ways, answer: Words, span: tuple[int, int] | None, *, single: bool, whole: bool = True
) -> str:
    """Why neither the answer nor its quote at ``span`` names a choice; "" where one does.

    A ``whole`` quote, every word as spoken, that names no choice and denies
    nothing may be read as one: it is shown with the choice.
    """
    if any(_spoken(way, answer) for way in ways.choices[value]):
        return ""
    if span is None:
        return "no word of this choice is in the answer: quote what says so"
    quoted = {one: _places(topics(each), answer, *span) for one, each in ways.choices.items()}
    hits = {one: len({answer.texts[at] for at in places}) for one, places in quoted.items()}
    named = [one for one, each in ways.choices.items() if any(_named(way, answer, span) for way in each)]
    spoken = [one for one in hits if one in named or _told(ways.choices[one], answer, span) > 1]
    if whole and not spoken and not NEGATORS & {*answer.texts[span[0] : span[1] + 1]}:
        return ""
    if not hits[value]:
        return "no word of this choice is in the quote: ask which one holds"
    if single and named and value not in named:
        return f"the quote speaks of {named[0]}"
    denied = all(answer.denied(at) for at in quoted[value])
    negated = any(word in NEGATORS for way in ways.choices[value] for word in way.casefold().split())
    most = max(hits.values())
    if denied and not negated and (hits[value] == most or not single):
        return "the quote denies it"
    if single and not denied and hits[value] < most:
        return f"the quote speaks of {next(one for one, many in hits.items() if many == most)}"
    return ""


def _spoken(choice: str, answer: Words) -> bool:
    span = answer.find(choice.replace("___", "..."))
    return span is not None and span[1] - span[0] < len(choice.split()) + 8 and not answer.denied(span[0])


def _named(way: str, answer: Words, span: tuple[int, int]) -> bool:
    """Whether all words of a way to say a choice are in its quote, but the shortest."""
    words = [one.text for one in words_of(way).words if len(one.text) > 2]
    return bool(words) and all(_quoted(word, answer, span) for word in words)


def _told(each: Collection[str], answer: Words, span: tuple[int, int]) -> int:
    """How many telling words of the ways to say a choice are in its quote."""
    return sum(_quoted(word, answer, span) for word in topics(each))


def _quoted(word: str, answer: Words, span: tuple[int, int]) -> bool:
    return any(span[0] <= at <= span[1] for at in answer.inflected(word))


def _places(words: Collection[str], answer: Words, first: int, last: int) -> set[int]:
    return {at for word in words for at in answer.places(word, first, last + 1)}
