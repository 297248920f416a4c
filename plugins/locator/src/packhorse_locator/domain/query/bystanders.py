"""Names in a sentence that are not of who is sought: who speaks or signs, and what is called after somebody."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_plainly_given
from packhorse_locator.domain.query.tokens import Token

_SPEAKING = frozenset(
    {"soy", "im", "i'm", "i\u2019m", "llamo", "habla", "escribe", "saluda", "atentamente", "sincerely", "regards"}
)
_HELPING = lexicon.words(
    "lawyer attorney judge abogado abogada licenciado licenciada juez doctor doctora officer agent"
)
"""Before "is" and a name: somebody who is not sought."""
_INSTITUTIONS = lexicon.words(
    """desk office offices firm despacho bufete oficina consultorio road boulevard blvd drive lane
    iglesia parroquia capilla escuela colegio hospital clinica calle avenida universidad fundacion tienda restaurante
    church parish school chapel university college clinic street avenue embassy consulado consulate"""
)
"""What stands before the name of something that is called after somebody."""


def is_of_institution(tokens: Sequence[Token], start: int) -> bool:
    """Whether a name stands behind the word for an institution: "iglesia San Judas", "the desk of Hannah Weiss"."""
    before = [token.fold for token in tokens[max(0, start - 3) : start]]
    while before and before[-1] in lexicon.JOINING | {"of"}:
        before.pop()
    return bool(before) and before[-1] in _INSTITUTIONS


def is_of_street(tokens: Sequence[Token], start: int, words: Sequence[Token]) -> bool:
    """Whether a name ends as streets and institutions do, and begins as no person is called: "Rice Street".

    In lower case it is one behind "on" or "sobre": "on flatbush ave".
    """
    placed = start > 0 and tokens[start - 1].fold in _ALONG and words[-1].fold in _STREETS
    if placed:
        return True
    return words[-1].fold in _INSTITUTIONS and words[-1].is_capital and not is_plainly_given(words[0].fold)


_ALONG = lexicon.words("on off along at near corner of by and sobre en por")
_STREETS = lexicon.words("ave av avenue st street rd road blvd boulevard ln drive dr hwy highway pkwy parkway calle")


_BEFORE_SPEAKER = lexicon.TITLES | lexicon.ROLES | lexicon.words("la el the attorney su your yo abogado abogada")
"""Between "le escribe" and who does."""


_CLOSING = lexicon.words(
    "sincerely regards respectfully cordially atentamente atte saludos cordialmente respetuosamente gracias thanks you"
)
"""What stands before who signs."""


def _introduces_self(tokens: Sequence[Token], end: int) -> bool:
    """Whether "this is", "i am" or "my name is" stands before a place in the sentence."""
    before = [token.fold for token in tokens[max(0, end - 3) : end]]
    return before[-2:] in (["i", "am"], ["this", "is"]) or before in (["my", "name", "is"], ["mi", "nombre", "es"])


def is_speaker(tokens: Sequence[Token], start: int) -> bool:
    """Whether the name that begins here is of who speaks or signs, or of somebody who helps."""
    if start > 1 and tokens[start - 1].text == "," and tokens[start - 2].fold in ("i", "yo"):
        return True
    said = start
    while said > max(0, start - 4) and tokens[said - 1].fold in _BEFORE_SPEAKER:
        said -= 1
    if 0 < said < start and (tokens[said - 1].fold in _SPEAKING or _introduces_self(tokens, said)):
        return True
    if start > 1 and tokens[said - 1].text == "," and tokens[said - 2].fold in _CLOSING:
        return True
    before = [token.fold for token in tokens[max(0, start - 3) : start]]
    if before[-2:-1] and before[-2] in _HELPING and before[-1] in ("is", "es", "named"):
        return True
    return (before[-1:] != [] and before[-1] in _SPEAKING) or _introduces_self(tokens, start)
