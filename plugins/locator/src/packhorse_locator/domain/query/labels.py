"""Names whose parts a sentence labels: "last name Chen first name Guoliang", "Tran is the family name"."""

from collections.abc import Callable, Collection, Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary

_BETWEEN = lexicon.words("name names is es son are completo completa full of the person persona llama called")
"""What may stand between a label and what it labels."""
_POINTING = lexicon.words("the his her my their el la su mi un una")
_OF_NAMES = lexicon.words("name names surname")


def labelled(
    tokens: Sequence[Token], spent: Collection[int], is_name: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """What is labelled as the given name and as the surname, each None where it is not.

    A label is followed by its part, or, after "is the", preceded by it; the part ends at a mark, at a word of the
    language or at what says something else. ``is_name`` tells names among the words of the language.
    """
    found: dict[bool, str] = {}
    for number, is_last in _labels(tokens):
        if is_last in found:
            continue
        part = _before(tokens, number, spent, is_name) or _after(tokens, number, spent, is_name)
        if part:
            found[is_last] = " ".join(token.text for token in part)
    return found.get(False), found.get(True)


def _labels(tokens: Sequence[Token]) -> list[tuple[int, bool]]:
    """The places of labels, and whether each stands for a surname."""
    made = [
        (number, token.fold in lexicon.LAST_LABELS)
        for number, token in enumerate(tokens)
        if token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS and not _counts_time(tokens, number)
    ]
    if made and all(is_last for _, is_last in made):
        made = sorted([*made, *((n, False) for n, one in enumerate(tokens) if _is_bare(tokens, n, one))])
    return made


def _counts_time(tokens: Sequence[Token], number: int) -> bool:
    """Whether "first" or "last" says when: no name, no mark and no label comes after it."""
    if tokens[number].fold not in ("first", "last", "family"):
        return False
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    return after is not None and after.is_word and after.fold not in _OF_NAMES | _BETWEEN and is_ordinary(after.fold)


def _is_bare(tokens: Sequence[Token], number: int, token: Token) -> bool:
    """Whether "name" stands for the given name, beside a label for the last one: "name: Ana, last name: Ruiz"."""
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].text if number + 1 < len(tokens) else ""
    return token.fold == "name" and after in (":", "=") and before not in lexicon.LAST_LABELS


def _after(tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]) -> list[Token]:
    start = number + 1
    while start < len(tokens) and (tokens[start].fold in _BETWEEN or tokens[start].text in ":=-,("):
        start += 1
    part: list[Token] = []
    for place in range(start, len(tokens)):
        if place in spent or not _belongs(tokens, place, is_name, begun=bool(part)):
            break
        part.append(tokens[place])
    return _trimmed(part)


def _before(
    tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    """The part that stands before "is the", "es el" and its label."""
    start = number - 1
    while start >= 0 and tokens[start].fold in _POINTING:
        start -= 1
    if start < 1 or tokens[start].fold not in ("is", "es", "as", "como"):
        return []
    part: list[Token] = []
    for place in range(start - 1, -1, -1):
        if place in spent or not _belongs(tokens, place, is_name, begun=True):
            break
        part.insert(0, tokens[place])
    return _trimmed(part)


def _belongs(tokens: Sequence[Token], place: int, is_name: Callable[[str], bool], *, begun: bool) -> bool:
    token = tokens[place]
    if not token.is_word or token.is_number or token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS:
        return False
    if token.fold.rstrip(".") in lexicon.JOINING:
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        return after is not None and _belongs(tokens, place + 1, is_name, begun=begun)
    return is_name(token.fold) or not is_ordinary(token.fold)


def _trimmed(part: list[Token]) -> list[Token]:
    while part and part[-1].fold.rstrip(".") in lexicon.JOINING:
        part.pop()
    return part
