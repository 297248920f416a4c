"""What somebody is called among friends: in quotes or brackets inside a name, or after "alias"; no part of the name."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_borne
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary

_OPENING = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "(": ")", "`": "'"}
_LONGEST = 3
_CALLED = lexicon.words("alias aka a.k.a nicknamed apodado apodada conocido conocida")
_AS = lexicon.words("as como por the el la los amigos")


def without_nicknames(tokens: Sequence[Token]) -> list[Token]:
    """``tokens`` without them."""
    dropped: set[int] = set()
    for number, token in enumerate(tokens):
        if token.text in _OPENING and number and _is_of_name(tokens[number - 1]):
            end = _closed(tokens, number)
            beyond = tokens[end] if end is not None and end < len(tokens) else None
            inside = tokens[number + 1 : end - 1] if end is not None else ()
            if end is not None and _is_nickname(token, inside, beyond):
                dropped.update(range(number, end))
        elif token.fold in _CALLED and number and _is_of_name(_last_word(tokens, number)):
            dropped.update(_after(tokens, number))
    return [token for number, token in enumerate(tokens) if number not in dropped]


def _is_nickname(opening: Token, inside: Sequence[Token], beyond: Token | None) -> bool:
    """Whether what is set apart behind a name's word is what somebody is called; in brackets, if the name goes on."""
    words = [token for token in inside if token.is_word]
    if not words or len(words) > _LONGEST or any(token.is_number for token in words):
        return False
    if any(token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS for token in words):
        return False
    return opening.text != "(" or (len(words) == 1 and beyond is not None and _is_of_name(beyond))


def _closed(tokens: Sequence[Token], start: int) -> int | None:
    """Where what is opened here ends; None where it is not closed soon."""
    closing = {_OPENING[tokens[start].text], tokens[start].text} - {"("}
    for number in range(start + 2, min(len(tokens), start + _LONGEST + 2)):
        if tokens[number].text in closing:
            return number + 1
    return None


def _last_word(tokens: Sequence[Token], number: int) -> Token:
    before = tokens[number - 1]
    return tokens[number - 2] if not before.is_word and number > 1 else before


def _after(tokens: Sequence[Token], number: int) -> range:
    """The word for being called with what somebody is called: up to one word that is of no language."""
    end = number + 1
    while end < len(tokens) and (tokens[end].fold in _AS or not tokens[end].is_word):
        end += 1
    named = end < len(tokens) and tokens[end].is_word and tokens[end].fold not in lexicon.STOPS
    return range(number, end + named)


def _is_of_name(token: Token) -> bool:
    return token.is_word and not token.is_number and (is_borne(token.fold) or not is_ordinary(token.fold))
