"""From a sentence to one search, or to why not.

The specification's patterns in English and Spanish, A-numbers, a lone place, and clear sentences about one person; the
first that answers ends it. Whatever is not sure is refused with what was understood: the client is a language model
that can call the search itself, so that a wrong reading costs more than none.
"""

import re
from collections.abc import Sequence

from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.numbers import numbers_in
from packhorse_locator.domain.query.parsed import Entity, NotParsed, Parsed, Reading, SearchType
from packhorse_locator.domain.query.person import person_in
from packhorse_locator.domain.query.places import Gazetteer, Place, place_of
from packhorse_locator.domain.query.tokens import cut

_SIGNS = re.compile(r"[%*_<>{}\[\]|\\^~$=]")
_HELD = "(?: held| detained| kept| locked up| in custody| who are)?"
_PEOPLE = "(?:detainees|people|inmates|persons|everyone|everybody|prisoners|detained people)"
_DETENIDOS = "(?:detenid[oa]s|personas|presos|gente|internos)"
_ASKED_FOR = "(?:show|list|give|tell)(?: me| us)?(?: all| every)?(?: of)?(?: the)? "
_SHOW = "(?:mu[e\u00e9]str[ea](?:me|nos)?|lista(?:me)?|d[ei]me|ense[n\u00f1]a(?:me)?|ver)"
_HAY = "(?:detenidas? |que est[a\u00e1]n )?"
_WHO = "|".join(
    (
        rf"who(?:'?s|\u2019s| is| are)(?: being)?(?: currently| now)?{_HELD}(?: inside| over)? (?:at|in|inside)",
        rf"(?:{_ASKED_FOR})?{_PEOPLE}(?: currently| now)?{_HELD} (?:at|in)",
        "qui[e\u00e9]n(?:es)? (?:est[a\u00e1]n?|hay|tienen)(?: detenid[oa]s?| pres[oa]s?)? (?:en|dentro de)",
        rf"{_SHOW}(?: a)?(?: tod[oa]s)?(?: l[oa]s?| la lista de| de(?: l[oa]s)?)? {_DETENIDOS} {_HAY}(?:en|de)",
        rf"{_DETENIDOS} (?:detenidas )?en",
    )
)
_PEOPLE_AT = re.compile(rf"^\W*(?:{_WHO}) (?P<place>.+?)\W*$", re.IGNORECASE)
_WHAT = "(?:phone|telephone|address|contact|visiting|tel[e\u00e9]fono|direcci[o\u00f3]n|horarios?|contacto)"
_INFO = re.compile(
    rf"^\W*(?:what(?:'?s| is| are) |cu[a\u00e1]l es )?(?:the |el |la )?{_WHAT}"
    r"(?: numbers?| info| information| hours| de visitas?)?"
    r"(?: (?:of|for|at|to|de|del|para))(?: the| la| el)? (?P<place>.+?)\W*$",
    re.IGNORECASE,
)
_SURE_NUMBER = 0.98


def read(text: str, gazetteer: Gazetteer, lexicon: Lexicon) -> Parsed | NotParsed:
    """What ``text`` asks for."""
    if _SIGNS.search(text):
        return NotParsed("signs")
    tokens = cut(text)
    if not any(character.isalnum() for character in text):
        return NotParsed("nothing")
    numbers = numbers_in(text)
    if numbers.numbers or numbers.wrong:
        return _by_number(text, numbers.numbers, wrong=numbers.wrong)
    asked = _PEOPLE_AT.match(text)
    if asked is not None:
        return _at(asked, "facility", gazetteer, lexicon)
    asked = _INFO.match(text)
    if asked is not None:
        return _at(asked, "facility_info", gazetteer, lexicon)
    alone = place_of(text, gazetteer, lexicon)
    if alone is not None:
        kind: SearchType = "facility_info" if alone.is_facility else "facility"
        return _searched(alone, kind, text, 0, len(text))
    return person_in(text, tokens, numbers, gazetteer, lexicon)


def _by_number(text: str, numbers: Sequence[Entity], *, wrong: bool) -> Parsed | NotParsed:
    distinct = {one.value for one in numbers}
    if len(distinct) > 1:
        return NotParsed(
            "numbers", alternatives=tuple(Reading("alien_number", {"alien_number": one}, 0.5) for one in distinct)
        )
    if wrong or not numbers:
        return NotParsed("digits")
    one = numbers[0]
    return Parsed(Reading("alien_number", {"alien_number": one.value}, _SURE_NUMBER), (one,))


def _at(asked: re.Match[str], search_type: SearchType, gazetteer: Gazetteer, lexicon: Lexicon) -> Parsed | NotParsed:
    place = place_of(asked["place"], gazetteer, lexicon)
    if place is None:
        return NotParsed("no place" if search_type == "facility" else "no facility")
    if search_type == "facility_info" and not place.is_facility and not place.options:
        return NotParsed("no facility", Reading("facility", dict(place.parameters), 0.5))
    return _searched(place, search_type, asked["place"], *asked.span("place"))


def _searched(place: Place, search_type: SearchType, said: str, start: int, end: int) -> Parsed | NotParsed:
    if place.options:
        return NotParsed("places", alternatives=place.options)
    reading = Reading(search_type, dict(place.parameters), place.confidence)
    return Parsed(
        reading, (Entity("facility" if place.is_facility else "place", said.strip(), place.confidence, start, end),)
    )
