"""A form: several single values asked for together, answered by table, by line, by number or in one breath."""

import re
from collections.abc import Iterator, Sequence

from packhorse_discovery.domain import binding, coercion, segments
from packhorse_discovery.domain.cells import coerced, proposal
from packhorse_discovery.domain.eads import Field
from packhorse_discovery.domain.merging import Proposal

_BOTH = re.compile(
    r"^\W*(?:(?P<no>neither|no to (?:both|all)|none of)|(?P<yes>both|yes to (?:both|all)))\b", re.IGNORECASE
)

_EVER_NEW = re.compile(
    r"\b(?:different|differs?|another|changes?|whatever|whenever|no (?:pattern|"
    r"rhythm|rule|regularity)|as (?:it|they) comes?|depends|"
    r"own (?:orders?|jobs?|mix|list|set)|(?:as|how|when) they come|(?:just|only) this (?:batch|lot|list|set|week)|"
    r"irregular\w*|random\w*|var(?:y|ies)|no two|one[\s-]offs?|anew|afresh|from scratch|feast (?:or|and) famine|"
    r"(?:just|only) (?:this|the|for this) (?:once|one)|only once|once and|(?:is|are|always|something) new|"
    r"unpredictab\w+|(?P<verb>[a-z]{3,})\b[^.,;]{0,15}\bwhen\b[^.,;]{0,15}\b(?P=verb)|"
    r"(?:nothing|never|not|n['\u2019]t|nobody|hardly)\b[^.,;]{0,30}\b(?:same|repeat\w*|recurs?|"
    r"alike|cyclic\w*))\b",
    re.IGNORECASE,
)
"""What never repeats."""
_AGAIN = re.compile(
    r"\b(?:repeat(?:s|ing)?|recur(?:s|ring)?|cyclic(?:al)?|same|alike|like (?:the|any) (?:other|last|next|"
    r"one before)|"
    r"like clockwork|a copy of|(?P<span>week|day|month|season) (?:in|by|after|for),? (?P=span)|"
    r"one (?P<once>week|day|month) .{0,20}\bthe next)\b",
    re.IGNORECASE,
)
"""What repeats."""
_FLOWS = re.compile(
    r"\b(?:(?:never|without|not|n['\u2019]t) (?:ever )?(?:stop\w*|paus\w+)|(?:steady|constant|continuous|"
    r"endless|unbroken) "
    r"(?:stream|flow)|flows|pours?|streams?|non-?stop)\b",
    re.IGNORECASE,
)
_STEADY = re.compile(
    r"\b(?:no|without(?: an?y?)?) (?:breaks?|stops?|pauses?|gaps?|interruptions?)\b(?! between)", re.IGNORECASE
)
"""``steady stream, no breaks``: a denial that affirms."""
_UNFLOWING = re.compile(r"\b(?:nothing|never|not|no|n['\u2019]t|hardly)\s+(?:really\s+)?flows?\b", re.IGNORECASE)
_IN_PIECES = re.compile(
    r"\b(?:discrete|batch\w*|lots?|loads?|pieces?|items?|units?|one by one|one (?:[a-z]+ )?at a time|individual\w*|"
    r"(?P<by>(?!day|hour|minute|week|step|bit|little)[a-z]{3,}) by (?P=by)|"
    r"runs|by the [a-z]+|"
    r"separate(?:ly)?|single|(?:(?:can|may|could|will|might)|['\u2019]ll) (?:wait|stand|sit|rest|lie|queue|hold)|"
    r"hold|queues?|rests?|"
    r"buffers?|waits?|waiting|stands?|sits?|"
    r"lies?|piles?|parks?|shel(?:f|ves)|trolleys?|racks?|stops|paus\w+|in between)\b",
    re.IGNORECASE,
)
"""What does not flow."""
_NO_WAITING = re.compile(
    r"\b(?:never|not|no|nothing|nobody|cannot|without|n['\u2019]t)\b[^.;]{0,40}\b(?:wait\w*|stands?|sits?|rests?|"
    r"stop\w*|paus\w*|"
    r"batch\w*|lots?|loads?|queues?)\b",
    re.IGNORECASE,
)
_ONLY_PIECES = re.compile(r"\W*(?:in\s+|by\s+|as\s+)?(?!(?:yes|always|flows|runs|us)\b)[a-z]{3,}s\W*", re.IGNORECASE)
"""``Brews.``: what it is made in, and nothing else."""


def from_form(text: str, values: Sequence[Field]) -> Iterator[Proposal]:
    """A form: a table of items and answers, lines "item: answer", or answers numbered as the questions were."""
    text = _STEADY.sub("non-stop", text)
    for table in segments.tables(text):
        for cells in table.rows:
            one = _named(cells[0], values)
            read_value = coerced(one, cells[1]) if one is not None and len(cells) > 1 else None
            if one is not None and read_value is not None:
                yield proposal(one.path, read_value, cells[1])
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = lines if len(lines) > 1 else re.split(r"(?<=[.;!])\s+", text)
    numbered = re.findall(r"(?:^|\s)\(?(\d{1,2})[.)]\s*(.+?)(?=\s\(?\d{1,2}[.)]\s|\Z)", " ".join(lines), re.DOTALL)
    if 1 <= len(numbered) <= len(values):
        yield from _by_number(numbered, values)
        return
    if all(one.kind == "yesno" for one in values) and (quick := _yes_and_no(text, len(values))):
        for one, value in zip(values, quick, strict=True):
            yield proposal(one.path, coercion.Coerced(value, confidence=0.9), text)
        return
    for part in parts:
        head, colon, rest = part.partition(":")
        named = _named(head, values) if colon else None
        if named is not None and (read_value := coerced(named, segments.plain(rest))) is not None:
            yield proposal(named.path, read_value, rest)
    if len(parts) == len(values) and not any(":" in part for part in parts):
        for one, part in zip(values, parts, strict=True):
            if (read_value := _answer(one, segments.plain(part))) is not None:
                yield proposal(one.path, read_value, part)


def _answer(field: Field, words: str) -> coercion.Coerced | None:
    """What ``words`` say; of a yes-or-no question that spells out both answers, which of the two they are like.

    "Does it flow without a break (yes), or in batches that can wait in between (no)?" is answered by "it sits in
    between", and a question about what is the same by "every day is different".
    """
    found = coerced(field, words)
    if field.kind == "yesno" and "break" in field.question.partition("(yes)")[0] and _waits(words):
        return coercion.Coerced(value=False, confidence=0.7)
    if field.kind != "yesno" or len(coercion.clear_answers(words)) == 1:
        return found
    affirms, marked, rest = field.question.partition("(yes)")
    if "same" in field.question and (_EVER_NEW.search(words) or _AGAIN.search(words)) and not coercion.begins(words):
        return coercion.Coerced(value=not _EVER_NEW.search(words), confidence=0.7)
    if marked and "break" in affirms and not coercion.begins(words) and _FLOWS.search(words):
        rest_said = _FLOWS.sub(" ", words)
        if not _IN_PIECES.search(rest_said):
            return coercion.Coerced(value=not _UNFLOWING.search(words), confidence=0.7)
    if found is not None:
        return found
    said = set(binding.stems(words).split())
    if marked:
        alike = [len(said & set(binding.stems(part).split())) for part in (affirms, rest.partition("(no)")[0])]
        if alike[0] != alike[1]:
            return coercion.Coerced(alike[0] > alike[1], confidence=0.7)
    if marked and "break" in affirms and _IN_PIECES.search(words):
        return coercion.Coerced(value=False, confidence=0.7)
    return None


def _waits(words: str) -> bool:
    """Whether work is said to come in pieces, or to stand between steps, and nothing denies it."""
    if _ONLY_PIECES.fullmatch(words):
        return True
    return bool(_IN_PIECES.search(words)) and not _FLOWS.search(words) and not _NO_WAITING.search(words)


def by_the_way(field: Field, text: str) -> coercion.Coerced | None:
    """What an answer to another question says of a yes-or-no: a clause of its name alone, or of one of its answers.

    "In batches, not cyclical" has both; a clause that says more than that is left alone.
    """
    affirms, marked, rest = field.question.partition("(yes)")
    denies = set(binding.stems(rest.partition("(no)")[0]).split()) if marked else set()
    label = set(binding.stems(field.label).split())
    for clause in re.split(r"[,;.\n]", text):
        said = set(binding.stems(clause).split())
        if said and (said - {"not"} == label):
            return coercion.Coerced(value="not" not in said, confidence=0.7)
        if said and denies and said <= denies - set(binding.stems(affirms).split()):
            return coercion.Coerced(value=False, confidence=0.7)
    return None


def _by_number(numbered: Sequence[tuple[str, str]], values: Sequence[Field]) -> Iterator[Proposal]:
    for number, words in numbered:
        if 1 <= int(number) <= len(values):
            one = values[int(number) - 1]
            read_value = _answer(one, segments.plain(words))
            if read_value is not None:
                yield proposal(one.path, read_value, words)


def _yes_and_no(text: str, count: int) -> list[bool]:
    """Several questions answered in one breath: "no and no", "neither", "yes to both"; empty where it is not that."""
    both = _BOTH.match(text)
    if both:
        return [both["yes"] is not None] * count
    clear = coercion.clear_answers(text)
    if len(clear) == count:
        return clear
    parts = [part for part in re.split(r"[,;.]\s*|\band\b", text) if part.strip()]
    read_all = [coercion.yes_or_no(part) for part in parts] if len(parts) == count and "\n" not in text.strip() else []
    return [one for one in read_all if one is not None] if None not in read_all else []


def _named(words: str, values: Sequence[Field]) -> Field | None:
    scored = sorted(((binding.score(one, words), -place) for place, one in enumerate(values)), reverse=True)
    return values[-scored[0][1]] if scored and scored[0][0] > 0.5 else None
