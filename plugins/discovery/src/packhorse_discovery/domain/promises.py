"""Orders told in words, each with its product and when it is due: "B1 pale ale, 14 days"."""

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from packhorse_discovery.domain import counting, moments, ordered
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.ordered import Promise

WHEN = (
    rf"\d{{4}}-\d{{2}}-\d{{2}}|{moments.WORDS}|\+?\d+(?:\.\d+)?\s*(?:min(?:ute)?s?|hours?|hrs?|h|days?|d|weeks?|wks?)"
)
"""A date in the one order that has one reading, a weekday with its time, or a time from the start."""

_WHEN = re.compile(rf"(?:{WHEN})(?![\w/])", re.IGNORECASE)
_ORDER = re.compile(
    rf"""
    (?<![\w.-])
    (?P<name> (?:order|batch|job|lot)\s+(?:no\.?\s*|number\s+)?(?:\#?[A-Z]{{0,4}}-?\d{{1,8}}[A-Z]?|[A-Z])(?![\w-])
            | \#\d{{1,8}} | [A-Z]{{1,4}}-?\d{{1,8}}[A-Z]? | \d{{3,8}} )
    (?: \s*[,:=(]\s* | \s+[-\u2013]\s+ | \s+ )
    (?: (?:is|are|of|for)\s+ )?
    (?: (?P<amount>\d[\d,.]*\s+[a-z]+)\s+of\s+ | (?:an?|the|some)\s+ )?
    (?! (?:takes?|needs?|lasts?|runs?|requires?|is|are|due|days?|weeks?|hours?|minutes?)\b )
    (?P<product> [A-Z][A-Z'-]* (?:\s+[A-Z][A-Z'-]*){{0,4}}? )
    \s* [,:(]? \s* (?:[-\u2013]\s+)?
    (?: (?:which\s+)?(?:is|are|must\s+be)\s+ )?
    (?: (?:due|needed|wanted|ready)\b\s* )?
    (?: (?:in|by|on|until|within|after|for)\s+ )?
    (?P<when> {WHEN} )(?![\w/])
    """,
    re.IGNORECASE | re.VERBOSE,
)

_DUE = re.compile(
    r"[\s,:(\u2013-]*\b(?:and\s+)?(?:(?:all|each|both)\s+)?(?:(?:which|that|it|they)\s+)?(?:only\s+)?"
    r"(?:(?:is|are|must|has (?:time |until )?to|have (?:time |until )?to|should|needs? to|will|has|have)"
    r"(?:\s+be)?\s+)?(?:go\s+)?"
    r"(?:due(?:\s+out)?|needed|wanted|ready|there|delivered|out|done|finished|required|promised|shipped|collected|"
    r"picked up)?\s*"
    r"(?:in|by|on|until|within|inside|after|for|before|at)?(?:\s+(?:about|the))?\s*\+?$",
    re.IGNORECASE,
)
_PREFACE = re.compile(r"^[^:]{0,80}:(?!\d\d)\s*(?=\S)")
_OPENS = re.compile(r"\b(?:in|for|by|within|inside|after|and|so|well|first|until|at)\b", re.IGNORECASE)
_HOUR = re.compile(r"\s*\bby\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)\s*\(?\s*$", re.IGNORECASE)
"""``by 2 pm (``, before the hours from now that say the same."""
_SAID_DUE = re.compile(
    r"\b(?:due|needed|ready|wanted|required|promised|delivered|deadline|must|has to|have to|needs?|wants?|taking|"
    r"collect\w*|pick\w*|coming|goes out|ships?|leaves?)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:^|[,;]\s*|\s+)(?:and\s+)?(?:(?:she|he|they|it|that|this|which|we|i)(?:['\u2019](?:s|re|ve|ll|m))?|"
    r"the \w+['\u2019]s)"
    r"(?:\s+(?:is|are|has|have|had|only|just|really|will|would|must|should|wants?|needs?|taking|coming|picking|"
    r"get|gets|"
    r"collect(?:s|ing)?|wait(?:s|ing)?|expects?|expecting|them|those|it|that|to|be|go|out|up|away|for|back|there|"
    r"ready|until|"
    r"here|round|by|him|her|at))*\s*$",
    re.IGNORECASE,
)
"""Who wants it, said after what it is: "they want those in"."""
_REASON = re.compile(r"[\s,]+(?:seeing|given|because|since|as)(?:\s+that)?$", re.IGNORECASE)
"""What leads to why: "the drapes, seeing that they are due"."""
_SENTENCE = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\bMrs)[.;!?]+(?:\s+|$)")
_MARKS = " ,.;:()-\u2013"
_FROM_NOW = re.compile(r"\b(?:from (?:now|today)|(?:at|by) (?:the )?latest|from this moment)\b", re.IGNORECASE)
_OF_TIME = re.compile(r"(?:['\u2019]s?)?(?:\s+time\b)?", re.IGNORECASE)
"""``in a day's time``: what a time may end with."""
_PIECES = (
    rf"(?P<number>\d+|{counting.WORDS})(?:\s+(?!of\b|in\b|by\b|for\b|and\b)(?P<unit>[a-z]+))?"
    r"(?:\s+of\s+(?:it|them|those|these|that))?(?=\s*(?:[,.;)]|$|and\b|but\b))"
)
_SO_MANY = re.compile(
    rf"^[\s,(\u2013-]*(?:from now|from today)?[\s,(\u2013-]*(?:and\s+|so\s+)?"
    r"(?:(?:that|it|this|they|those|these|there)(?:['\u2019](?:s|re)|\s+is|\s+are|\s+makes)|of (?:which|those|"
    r"them)\s+there\s+(?:is|are))\s+"
    rf"(?:only\s+|just\s+|all\s+)?{_PIECES}",
    re.IGNORECASE,
)
"""How many are ordered, said after the time: "by noon, that's two pans"."""
_SO_MANY_LAST = re.compile(
    rf"^[\s,(\u2013-]*(?:from now|from today)?\s*(?:[,(\u2013-]\s*(?:only\s+|just\s+)?|for\s+(?:his|her|their|its|"
    rf"the|my|our)\s+)"
    rf"{_PIECES}\W*$",
    re.IGNORECASE,
)
"""``by noon, two pans.``: the same at the end of a sentence."""
_FORTNIGHT = re.compile(r"\b(?:a|one|the next|1)\s+fortnight\b|\bfortnight\b", re.IGNORECASE)
_BY_THE_WAY = re.compile(r",?\s*\b(?:of course|you know|you see|mind you|I think|I believe)\b", re.IGNORECASE)
_QTY = re.compile(r",?\s*\b(?:qty|quantity)\b\.?:?\s*(?P<number>\d+)\b", re.IGNORECASE)
_ELIDED = re.compile(
    rf"\b(?P<unit>minutes?|hours?|hrs?|h|days?|"
    rf"weeks?)\b(?P<between>[^.!?]{{0,200}}?(?:[.;]\s[^.!?]{{0,200}}?)?\b(?:in|within)\s+)"
    rf"(?P<number>\d+|{counting.CARDINAL})(?=\s*(?:[,;]|\.(?!\d)|$|and\b))",
    re.IGNORECASE,
)
"""``in 24 hours, two of eel in 54``."""


@frozen
class _Clause:
    """What stands before a due time and after it, and the sentences without a time before that."""

    before: str
    when: str
    after: str = ""
    lead: str = ""


def promises(text: str) -> list[Promise]:
    """The orders that ``text`` tells of; none unless every time in it is one of them.

    An order is known by a number, a letter after "batch" or "order", or
    letters with a number; a product has up to five words and no number.
    """
    found = [
        Promise(
            one["name"].strip(),
            one["product"].strip(),
            " ".join(one["when"].split()),
            " ".join((one["amount"] or "").split()),
            " ".join(one[0].split()),
        )
        for one in _ORDER.finditer(text)
    ]
    return found if len(found) == len(_WHEN.findall(text)) else []


def promised(text: str) -> list[Promise]:
    """Orders told one after another, each up to when it is due: "mugs for the market, due in 4 days; bowls by ...".

    An order without a number is known by what it is. None unless there are
    two or more, or one that is said to be due, and each has a name of a few
    words.
    """
    colons = list(re.finditer(r":(?!\d\d)", text))
    preface, colon = (text[: colons[0].start()], True) if colons else (text, False)
    introduces = len(colons) == 1 or re.search(r"\b(?:are|have|got|these|following|orders|batches|jobs)\b", preface)
    told = _PREFACE.sub("", text) if colon and introduces and "." not in preface and not _WHEN.search(preface) else text
    told = _FORTNIGHT.sub("2 weeks", _BY_THE_WAY.sub("", told))
    flat = digits(_QTY.sub(r", \g<number> units", told))
    while (whole := _ELIDED.sub(r"\g<unit>\g<between>\g<number> \g<unit>", flat)) != flat:
        flat = digits(whole)
    found: list[Promise] = []
    due = False
    for clause in _clauses(flat):
        due = due or bool(_SAID_DUE.search(clause.before))
        one = _told(clause)
        if one is None:
            return []
        if not one.product and found:  # "one for Ito": of the same
            one = evolve(one, product=found[-1].product, name=f"{found[-1].product} {one.name}")
        found.append(one)
    names = {one.name.casefold() for one in found}
    return found if (len(found) >= 2 or due) and len(names) == len(found) else []


def _clauses(text: str) -> Iterator[_Clause]:
    """What is said of each due time, sentence by sentence.

    In a sentence that begins with a time each is said of what follows it; a
    sentence without one belongs to the next that has one, or to the order
    before where it only says how many that is ("that's two pans").
    """
    lead, held = "", None
    for sentence in _SENTENCE.split(text):
        times = list(_WHEN.finditer(sentence))
        if not times:
            if held is not None and _SO_MANY.match(sentence):
                held = evolve(held, after=sentence)
            else:
                lead = f"{lead}. {sentence}".lstrip(". ")
            continue
        if held is not None:
            yield held
        head = _undue(sentence[: times[0].start()])
        tail = sentence[times[-1].end() :]
        leads = not re.search(r"\w", _OPENS.sub("", head)) and re.search(r"\w", _FROM_NOW.sub("", tail)) is not None
        at = 0
        for place, one in enumerate(times):
            end = times[place + 1].start() if place + 1 < len(times) else len(sentence)
            when = " ".join(one[0].lstrip("+").split())
            start = _end_of_time(sentence, one.end())
            if leads:
                held = _Clause(_undue(sentence[start:end]), when, lead=lead)
            else:
                extra = _SO_MANY.match(sentence[start:end])
                ends = start + extra.end() if extra is not None else start
                last = place + 1 == len(times)
                held = _Clause(sentence[at : one.start()], when, sentence[start : end if last else ends], lead)
                at = ends
            lead = ""
            if place + 1 < len(times):
                yield held
    if held is not None:
        yield held


def _end_of_time(sentence: str, at: int) -> int:
    """Where a time that ends ``at`` ends with what belongs to it: "a day's time"."""
    rest = _OF_TIME.match(sentence, at)
    return at if rest is None else rest.end()


def _told(clause: _Clause) -> Promise | None:
    """The order of a clause: what its sentence names beside the time, or a sentence before it."""
    said = f"{clause.before}{clause.when}{clause.after}".strip(" ,.;")
    sentences = [*_SENTENCE.split(clause.lead), clause.before] if clause.lead else [clause.before]
    for sentence in reversed(sentences):
        words = _undue(_HOUR.sub("", ordered.bare(sentence)).rstrip(_MARKS)).strip(_MARKS)
        while (shorter := _SUBJECT.sub("", words).strip(_MARKS)) != words:
            words = shorter
        words = _REASON.sub("", words)
        if not words:
            continue
        one = ordered.promise(words, clause.when, said)
        if one is not None and ordered.PRONOUN.match(one.name):
            continue  # "It's due out": the sentence before says what
        many = _SO_MANY.match(clause.after) or _SO_MANY_LAST.search(clause.after)
        if one is not None and not one.amount and many is not None:
            one = evolve(one, amount=f"{counting.count(many['number'])} {many['unit'] or ''}".strip())
        return one
    return None


def _undue(words: str) -> str:
    """``words`` without what leads to the time at their end: "must be ready by"."""
    while (shorter := _DUE.sub("", words)) != words:
        words = shorter
    return words
