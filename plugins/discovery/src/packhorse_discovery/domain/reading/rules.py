"""Whether a rule that no field can hold says what its quote says."""

from collections.abc import Sequence
from itertools import pairwise

from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.mentions import AWAY
from packhorse_discovery.domain.reading.times import clocks
from packhorse_discovery.domain.reading.weekdays import weeks
from packhorse_discovery.domain.reading.words import NEGATORS, Words, alike, content, spelled, words_of

_LIMITS = AWAY | {"most", "maximum", "max", "avoid", "forbidden"}
"""Words that limit without a negation."""
_CONJUNCTIONS = spelled("and but because since so when while then if though or that")


def rule_fault(rule: str, answer: Words, span: tuple[int, int]) -> str:
    """Why ``rule`` is not what the words of ``answer`` at ``span`` say; "" where it is."""
    plain = words_of(rule).texts
    quoted = _quoted(answer, span, content(rule))
    mine, its = _negations(plain) % 2, _negations(quoted) % 2
    limits = {word for word in _LIMITS & {*plain} if not any(alike(word, text) for text in quoted)}
    if (its > mine and not limits) or ("only" in {*quoted} - {*plain} and not mine):
        return "the quote denies, and the rule does not"
    if mine > its and not (_LIMITS | {"only"}) & {*quoted} - {*plain}:
        return "the rule denies, and the quote does not"
    strange = _strange(rule, answer, span)
    return f"{strange} is not in the quote" if strange else ""


def _quoted(answer: Words, span: tuple[int, int], rule: Sequence[str]) -> tuple[str, ...]:
    """The clauses that a quote stands in; of several the one that has all words of ``rule``."""
    texts = answer.texts
    first, last = answer.clause(span[0])[0], answer.clause(span[1])[1]
    joints = [at for at in range(first, last + 1) if texts[at] in _CONJUNCTIONS or answer.marks[at]]
    first = max([at + 1 for at in joints if at < span[0]], default=first)
    last = min([at - 1 for at in joints if at > span[1]], default=last)
    inside = [at for at in joints if first <= at <= last]
    for start, end in pairwise([first - 1, *inside, last + 1]):
        if all(any(alike(word, text) for text in texts[start + 1 : end]) for word in rule):
            return texts[start + 1 : end]
    return texts[first : last + 1]


def _strange(rule: str, answer: Words, span: tuple[int, int]) -> str:
    """A number, time or day of the week of a rule that its quote does not have."""
    claimed = words_of(rule)
    literal = answer.texts[span[0] : span[1] + 1]
    days = {day for week in weeks(answer) if span[0] <= week.first <= week.last <= span[1] for day in week.days}
    for week in weeks(claimed):
        if not days.issuperset(week.days):
            return " ".join(claimed.texts[week.first : week.last + 1])
    inside = [one for one in amounts(answer) if span[0] <= one.first <= one.last <= span[1]]
    times = [one for one in clocks(answer) if span[0] <= one.first <= one.last <= span[1]]
    for time in clocks(claimed):
        if ":" in claimed.texts[time.first] and not any(time.readings & other.readings for other in times):
            return claimed.texts[time.first]
    for one in amounts(claimed):
        at = [other for other in clocks(claimed) if other.first <= one.first <= other.last]
        if any(other.readings & time.readings for other in times for time in at) or claimed.texts[one.first] in literal:
            continue
        if not one.ordinal and not any(other.means(one.low, one.high, one.unit) for other in inside):
            return f"{one.low:g}"
    return ""


def _negations(texts: Sequence[str]) -> int:
    """How often words deny: "never", "too" before a word; one that stands alone ("not so, never") says it again."""
    too = sum(text == "too" and after[:1].isalpha() for text, after in pairwise(texts))
    places = [at for at, text in enumerate(texts) if text in NEGATORS]
    ends = {at for at in places if not any(text[:1].isalnum() for text in texts[at + 1 : at + 2])}
    again = [at for at in places[1:] if at in ends and texts[at - 1] == ","]
    return too + len(places) - len(again)
