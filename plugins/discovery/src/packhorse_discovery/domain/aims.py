"""What a schedule is to achieve, as people say it: an early end of everything, or little lateness."""

import re
from typing import Literal

from attrs import frozen

Aim = Literal["makespan", "tardiness"]

_CLAUSE = re.compile(
    r"[.;:!?\n\u2013\u2014]+|,\s*|\s-\s|\b(?:but|while|whereas|so)\b|(?=\b(?:rather )?than\b)|(?=\binstead of\b)",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"\b(?:late(?:ness|r than)?|tard(?:y|iness)|delay\w*|overdue|slip(?:s|ping)?|punctual\w*|on time|in time|"
    r"on schedule|"
    r"deadlines?|due|promis\w+|dates?|(?:our|my|a man's) word|reliab\w+|behind(?! (?:us|the))|behind the promised|"
    r"wait(?:s|ing)?|let(?:ting)? \w+(?: \w+)? down|let down|agreed|told (?:them|they|him|her)|(?:than|when|"
    r"what) (?:we|i) "
    r"(?:said|told)|over (?:its|their|his|her|the) (?:time|day|term)|(?:customers?|clients?|"
    r"people)['\u2019]?s? times?|"
    r"when (?:they|he|she|people) (?:needs?|wants?|expects?)|(?:isn['\u2019]t|not|aren['\u2019]t) ready|"
    r"times? (?:\w+ ){0,3}kept|keep(?:ing)? (?:to )?(?:the |our )?times?)\b",
    re.IGNORECASE,
)
_EARLY = re.compile(
    r"\b(?:earl(?:y|ier|iest)|soon(?:er|est)?|quick(?:ly|er|est)?|fast(?:er|est)?|short(?:er|est)?|least time|"
    r"rapid\w*|"
    r"speed\w*|brief\w*)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:finish\w*|done|through|end|ends|ended|complet\w+|ready|over|last|final|whole|everything|all|lot|pile|"
    r"heap|batch|"
    r"home|shut|close|out (?:of )?the door|switched? off|leaves?|first .* to the last|entire|total|makespan)\b",
    re.IGNORECASE,
)
_MAKESPAN = re.compile(r"\b(?:makespan|make-span|c_?max)\b", re.IGNORECASE)
_INDIFFERENT = re.compile(
    r"\b(?:(?:do(?:es)?\s?n['\u2019]?t|do(?:es)? not|never|hardly)\s+(?:really\s+|much\s+)?(?:care|mind|matter|"
    r"count|worry|"
    r"bother|interest)\w*|who cares|never mind|no (?:great |real )?(?:interest|concern|issue|worry|importance|"
    r"value|problem)|"
    r"not (?:an?|the|my|our) (?:issue|point|worry|concern|problem|matter|aim|goal)|all the same|"
    r"(?:all )?one to (?:me|us)|"
    r"irrelevant|unimportant|secondary|indifferent|earns? (?:us |me )?nothing|nobody(?:['\u2019]s| is) waiting|"
    r"(?:is|are)(?: all)? (?:easy|generous|loose|fine|okay|far (?:off|away)|no (?:matter|object|trouble)|nice|"
    r"not (?:needed|necessary|required|important))|anyway|in any case|(?:rather )?than\b|instead of)\b",
    re.IGNORECASE,
)
_WAIT_TOO_LONG = re.compile(
    r"\bwaits? (?:any )?(?:longer|past|beyond)\b|\bwaiting (?:longer|past|beyond)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"^\s*(?:and\s+)?(?:it(?:['\u2019]s| is)\s+)?not\s+(?:the\s+|how\s+|when\s+|so much\s+)", re.IGNORECASE
)
_WHEN_DONE = re.compile(r"\b(?:when|how (?:early|soon|fast)|what time)\b.*", re.IGNORECASE)


@frozen
class Aims:
    """What is wanted, in the order in which it is said, and what is said not to matter."""

    wanted: tuple[Aim, ...]
    unwanted: frozenset[Aim]


def aims(text: str) -> Aims:
    """What ``text`` wants of a schedule, clause by clause.

    A clause with a word of lateness or of what was promised is of lateness;
    one with a word of earliness and one of the end, or of all there is, is
    of an early end.
    """
    wanted: list[Aim] = []
    unwanted: set[Aim] = set()
    for clause in _CLAUSE.split(text):
        if not clause or not clause.strip():
            continue
        aim = _aim(clause)
        indifferent = _INDIFFERENT.search(clause) is not None and not _WAIT_TOO_LONG.search(clause)
        if indifferent or _NOT.match(clause):
            unwanted |= {aim or "makespan"} if aim or _EARLY.search(clause) or _of_the_end(clause) else set()
        elif aim is not None and aim not in wanted:
            wanted.append(aim)
    if not wanted and not unwanted and _aim(text) is not None:
        wanted = ["makespan"]  # "Get finished. Quickly."
    return Aims(tuple(wanted), frozenset(unwanted - set(wanted)))


def _aim(clause: str) -> Aim | None:
    if _LATE.search(clause):
        return "tardiness"
    return "makespan" if _MAKESPAN.search(clause) or (_EARLY.search(clause) and _ENDS.search(clause)) else None


def _of_the_end(clause: str) -> bool:
    """Whether a clause is of when everything ends, early or not."""
    when = _WHEN_DONE.search(clause)
    return when is not None and _ENDS.search(when[0]) is not None
