"""Questions for everybody of a name, of an initial or of the registry: no search answers them."""

import re

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_well_known
from packhorse_locator.domain.query.tokens import fold

_BY_LETTER = re.compile(
    r"\b(?:start|starts|starting|begin|begins|beginning|empiez\w+|empiec\w+|empezando|comien[zc]\w+|comenzando|inici\w+)"
    r"\s(?:with|in|by|con|por|en)\s(?:(?:the|la|el|letters?|letras?|an?)\s)*['\"\u201c\u2018]?[a-z]['\"\u201d\u2019]?(?!\w)"
    r"|\b(?:letter|letra|initial|inicial)\s['\"\u201c\u2018]?[a-z](?!\w)"
)
_BY_RANGE = re.compile(
    r"\b(?:(?:first |last |sur|family )?names?|nombres|apellidos|records|registros|everyone|people|todos"
    r"|alphabetical\w*|alfabetic\w*|order|orden)\b[^.?!]{0,20}?\b[a-z](?:\s?-\s?|\s(?:to|through|thru|a|hasta)\s(?:la\s)?)[a-z](?!\w)"
)
_WHOLE = re.compile(
    r"\b(?:whole|entire|complete|full|toda?|entera|completa)\s(?:la\s|the\s|of the\s)?"
    r"(?:database|data base|registry|register|base de datos|registro)\b"
    r"|\b(?:print|dump|download|export|give me|dame|deme|descargar?|exportar?|imprim\w+)\b[^.?!]{0,25}"
    r"\b(?:database|base de datos|every record|all (?:the )?records|todos los registros|todos los nombres)\b"
)
_ALL = (
    r"\b(?:everyone|everybody|anyone|anybody|any person|every(?: single)? (?:person|one|body|detainee|inmate)"
    r"|each (?:person|one)|all(?: of)?(?: the)? (?:people|persons|detainees|inmates|ones|those|men|women|names|records)"
    r"|list of (?:people|everyone)|tod[oa]s l[oa]s(?: personas| detenid[oa]s| pres[oa]s| que)?|tod[oa] el mundo"
    r"|cada (?:persona|uno|una|detenid[oa])|cualquiera|cualquier persona|people|persons|personas|gente"
    r"|^\W*(?:who|quien|quienes)\b)"
)
_OF_NAME = re.compile(
    _ALL + r"(?:\s(?!is\b|es\b|my\b|mi\b)[a-z]+){0,3}?\s(?:(?:with|have|has|having|share|shares|con|tienen?|tengan?|de"
    r"|lleven?)\s(?:the |a |as |el |la |mismo |same )*(?:last name|surname|family name|first name|name|apellidos?"
    r"|nombres?)"
    r"|surnamed|whose (?:last |first |family |sur)?name"
    r"|(?:named|called|llamad[oa]s?|(?:de )?apellid\w+|se llam\w+)\s[^\s,.?!]+"
    r"(?=[.?!,]|$|\s(?:in|at|en|and|you|that|who|que|y|de|del|detenid\w+|held|detained)\b))"
)
_PLURAL = re.compile(r"\b(?:all(?: of)?(?: the)?|every|each|tod[oa]s l[oa]s|cada)\s(\w+)(?=(?:\s(\w+))?)")
_GOES_ON = (
    lexicon.AT
    | lexicon.CUSTODY
    | lexicon.HELD
    | lexicon.words("that who you which who've que there right now please currently y and de ahi alla")
)


def asks_for_all(text: str) -> bool:
    """Whether ``text`` asks for everybody of a surname, of an initial, or who is registered."""
    plain = fold(text)
    if any(pattern.search(plain) for pattern in (_BY_LETTER, _BY_RANGE, _WHOLE, _OF_NAME)):
        return True
    return any(_is_plural_name(found[1], found[2]) for found in _PLURAL.finditer(plain))


def _is_plural_name(word: str, after: str | None) -> bool:
    """Whether a word after "all the" is a name said of many, and no name goes on after it: "all the Garcias"."""
    from packhorse_locator.domain.query.vocabulary import is_ordinary

    if after in lexicon.RELATIVES | {"family", "familia"} or is_ordinary(word):
        return False
    if after is not None and after not in _GOES_ON and not is_ordinary(after):
        return False
    return any(is_well_known(one) for one in (word, word.removesuffix("s"), word.removesuffix("es")))
