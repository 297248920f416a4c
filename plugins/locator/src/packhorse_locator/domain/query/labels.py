"""Names whose parts a sentence labels: "last name Chen first name Li", "Tran is the family name", "Chen (apellido)"."""

from collections.abc import Callable, Collection, Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary

_BETWEEN = lexicon.words("name names is es son are completo completa full of the person persona llama called")
"""What may stand between a label and what it labels."""
_POINTING = lexicon.words("the his her my their el la su mi un una")
_OF_NAMES = lexicon.words("name names surname")
_UNTOLD = (
    lexicon.words("unknown unsure none desconocido desconocida unclear missing") | lexicon.STOPS | lexicon.RELATIVES
)
"""After a label, what says that its part is not known, or goes on with the sentence."""


def labelled(
    tokens: Sequence[Token], spent: Collection[int], is_name: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """What is labelled as the given name and as the surname, each None where it is not.

    A label is followed by its part, or, after "is the", preceded by it; the part ends at a mark, at a word of the
    language or at what says something else. ``is_name`` tells names among the words of the language.
    """
    found: dict[bool, str] = {}
    labels = _labels(tokens)
    behind = bool(labels) and bool(_before_bracket(tokens, labels[0][0], spent, is_name))
    for number, is_last in labels:
        if is_last in found:
            continue
        if behind:
            part = _before_bracket(tokens, number, spent, is_name)
        else:
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
    """Whether a word for a name stands for the given one, beside a label for the last: "name: Ana, last name: Ruiz"."""
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].text if number + 1 < len(tokens) else ""
    if token.fold in ("llama", "llamado", "llamada"):
        return True
    return token.fold == "name" and after in (":", "=") and before not in lexicon.LAST_LABELS


def _after(tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]) -> list[Token]:
    start = _of_somebody(tokens, number + 1)
    while start < len(tokens) and (tokens[start].fold in _BETWEEN or tokens[start].text in ":=-,()"):
        start += 1
    part: list[Token] = []
    if _is_told(tokens, start) and start not in spent:
        part.append(tokens[start])
    for place in range(start + len(part), len(tokens)):
        if place in spent or not _belongs(tokens, place, is_name, begun=bool(part)):
            break
        part.append(tokens[place])
    return _trimmed(part)


def _of_somebody(tokens: Sequence[Token], start: int) -> int:
    """Where the part of a label begins that says whose it is: "el apellido de mi tia es Lopez"."""
    if start < len(tokens) and tokens[start].fold in ("de", "del", "of"):
        said = [token.fold for token in tokens[start + 1 : start + 4]]
        for place, word in enumerate(said):
            if word in ("es", "is") and said[place - 1] in lexicon.RELATIVES:
                return start + 1 + place
    return start


def _before(
    tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    """The part that stands before "is the", "es el" and its label."""
    start = number - 1
    while start >= 0 and tokens[start].fold in _POINTING:
        start -= 1
    if start < 1 or tokens[start].fold not in ("is", "es", "as", "como"):
        return []
    return _back_from(tokens, start, spent, is_name)


def _before_bracket(
    tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    """The part that stands before its label in brackets: "Nguyen (apellido)", "Ana Lucia (first name)"."""
    start = number - 1
    while start > 0 and tokens[start].fold in _POINTING:
        start -= 1
    return _back_from(tokens, start, spent, is_name) if start > 0 and tokens[start].text == "(" else []


def _back_from(
    tokens: Sequence[Token], end: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    part: list[Token] = []
    for place in range(end - 1, -1, -1):
        if place in spent or not _belongs(tokens, place, is_name, begun=True):
            break
        part.insert(0, tokens[place])
    return _trimmed(part)


def _is_told(tokens: Sequence[Token], start: int) -> bool:
    """Whether what follows a label is its part though the language has the word: "last name Park", "surname rain,"."""
    if not 0 < start < len(tokens) or tokens[start].fold in _UNTOLD | lexicon.FIRST_LABELS | lexicon.LAST_LABELS:
        return False
    if not tokens[start].is_word or tokens[start].is_number or len(tokens[start].fold) == 1:
        return False
    after = tokens[start + 1] if start + 1 < len(tokens) else None
    ends = after is None or not after.is_word or after.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS
    return ends or (tokens[start].is_capital and after is not None and not after.is_capital)


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
