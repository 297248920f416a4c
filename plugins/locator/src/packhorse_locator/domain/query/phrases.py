"""The words of a sentence that name its place: what stands after "at" or "in", without what is said around it."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.parsed import Gazetteer
from packhorse_locator.domain.query.places import Place, place_of
from packhorse_locator.domain.query.tokens import Token, fold
from packhorse_locator.domain.query.vocabulary import is_ordinary

_OF_TOWNS = lexicon.words(
    """port house lake river falls rock springs valley golden desert view camp state big county parish new north south
    east west grand great salt island city fort st saint green white black mountain la el los las del san santa
    norte sur este oeste nuevo nueva valle paz villa texas florida main cross live oak elk sheriff sheriffs office
    department federal contract regional police justice safety complex adult annex staging camp hall house"""
)
"""Ordinary words with which a town or a facility may begin or end."""
_ARTICLES = frozenset({"el", "la", "los", "las"})


def town_with_article(phrase: Sequence[Token], named: str, gazetteer: Gazetteer) -> tuple[Place, str] | None:
    """The place and its name where an article before it is a part of it: Los Fresnos, El Paso, La Villa."""
    if not named:
        return None
    text = text_of([token for token in phrase if token.is_word])
    before, found, _ = text.partition(named)
    article = before.split()[-1:] if found else []
    if not article or article[0].casefold() not in _ARTICLES:
        return None
    towns = {fold(city) for city, _ in gazetteer.places}
    whole = f"{article[0]} {named}"
    place = place_of(whole, gazetteer)
    return (place, whole) if place is not None and place.city and fold(place.city) in towns else None


def can_be_named(phrase: Sequence[Token]) -> bool:
    """Whether it has a word that is not ordinary, or written with a capital."""
    return any(
        token.is_word and ((token.is_capital and token.start) or not is_ordinary(token.fold)) for token in phrase
    )


def after_place_word(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands after the first "near", else the first "at" or "in"; everything where there is none."""
    for words in (lexicon.NEAR, lexicon.AT):
        for number, token in enumerate(tokens[:-1]):
            if token.fold in words and not _of_custody(tokens[number + 1 :]):
                return tokens[number + 1 :]
    return tokens


def _of_custody(tokens: Sequence[Token]) -> bool:
    """Whether "in" goes on with custody or detention, and the place comes after another "at"."""
    return tokens[0].fold in lexicon.OF_PLACES and any(token.fold in lexicon.AT for token in tokens[1:3])


def without(
    tokens: Sequence[Token], words: frozenset[str], *, strict: bool = False, own: frozenset[str] = frozenset()
) -> list[Token]:
    """``tokens`` without ``words`` at either end, nor, unless ``strict``, ordinary ones that no facility has."""
    kept = list(tokens)
    while kept and _stands_beside(kept[0], words, own, strict=strict):
        kept.pop(0)
    while kept and _stands_beside(kept[-1], words, own, strict=strict) and not _is_state_code(kept):
        kept.pop()
    return kept


def _stands_beside(token: Token, words: frozenset[str], own: frozenset[str], *, strict: bool) -> bool:
    if not token.is_word or token.fold in words:
        return True
    if strict or token.fold in own:
        return False
    return is_ordinary(token.fold) and token.fold not in lexicon.OF_PLACES | lexicon.PLACES | _OF_TOWNS


def _is_state_code(tokens: Sequence[Token]) -> bool:
    """Whether the last word is a state's two letters, some of which are words as well (IN, OR, ME, LA)."""
    last = tokens[-1]
    return len(tokens) > 1 and len(last.text) == 2 and last.text.isupper() and any(t.text.islower() for t in tokens)


def text_of(tokens: Sequence[Token]) -> str:
    """The words as they were written, one space between them."""
    return " ".join(token.text for token in tokens)
