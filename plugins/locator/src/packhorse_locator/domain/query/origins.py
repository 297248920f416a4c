"""The country that somebody is said to come from, with the region or town of it that is said too."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_borne, is_own, is_well_known
from packhorse_locator.domain.query.countries import COUNTRIES, GIVEN_TOO, NAMES_TOO
from packhorse_locator.domain.query.demonyms import DEMONYMS, PHRASES, PLURALS, SAID_TOO
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.parsed import Entity
from packhorse_locator.domain.query.places import state_of
from packhorse_locator.domain.query.regions import LONGEST, regions
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary

_OF_COUNTRIES = lexicon.words("country pais cob pob nationality nacionalidad citizen ciudadano ciudadana native origen")
_NATIONALITY = frozenset({"nationality", "nacionalidad"})
_OF_NATIONALS = _OF_COUNTRIES | frozenset({"a", "an", "is", "un", "una", "es", "el", "la", "of"})
_OF_SPEECH = lexicon.words("speak speaks speaking habla hablan hablo")
_NO_PEOPLE = lexicon.words(
    """consulate embassy consulado embajada restaurant restaurante food creole border frontera church iglesia
    store tienda community comunidad market mercado bakery panaderia bar pub club music musica flag bandera association
    asociacion center centro authorities autoridades government gobierno accent acento language idioma"""
)
"""Beside the word for a nation, what belongs to it and is nobody."""
_NO_NAMES = (
    lexicon.STOPS | lexicon.AT | lexicon.FROM | lexicon.SEEK | lexicon.LISTS | lexicon.RELATIVES | lexicon.PLACES
)


def country_in(tokens: Sequence[Token], found: Numbers, spent: set[int], entities: list[Entity]) -> str | None:
    """The country, None where none is said; the places of the words that say it go to ``spent``."""
    return _of_region(tokens, spent, entities) or _country(tokens, found, spent, entities)


def _of_region(tokens: Sequence[Token], spent: set[int], entities: list[Entity]) -> str | None:
    """The country after a region or town of it: "from michoacan mexico", "de Coban, Guatemala".

    A region alone is spent. One that is a surname as well is a region only with its country after it; a place that
    is in no list is one only after "from", or before a comma and its country.
    """
    for number, token in enumerate(tokens[:-1]):
        apart = token.text in ",-(" and number > 1
        if not (apart or token.fold in _ORIGINS) or not number or number in spent:
            continue
        start = number + 1
        while start < len(tokens) and tokens[start].fold in _OF_REGIONS:
            start += 1
        for end in range(min(start + LONGEST, len(tokens)), start, -1):
            words = tokens[start:end]
            listed = " ".join(word.fold for word in words) in regions()
            towns = words[0].fold in _SAINTS and all(word.is_word and not word.is_number for word in words)
            if not listed and not towns and not all(_may_be_region(word) for word in words):
                continue
            marked = end < len(tokens) and tokens[end].text in ",("
            country, after = _country_from(tokens, end + marked)
            if country is not None:
                sure = listed or token.fold == "from" or (marked and not apart)
                sure = sure and not (token.fold in ("in", "en") and state_of(country))
            else:
                sure = listed and not apart and not is_surname(words) and not _goes_on_as_name(tokens, end)
            if not sure:
                continue
            spent.update(range(number, after if country is not None else end))
            if country is None:
                break
            entities.append(Entity("country", country, 0.9, tokens[after - 1].start, tokens[after - 1].end))
            return country
    return None


_SAINTS = lexicon.words("san santa santo santiago ciudad villa puerto nueva nuevo aldea")
"""How towns begin."""
_ORIGINS = lexicon.FROM | lexicon.BIRTH | lexicon.words("in en near cerca native oriundo oriunda originario originaria")
_OF_REGIONS = lexicon.words("the la el ciudad departamento estado provincia pueblo aldea municipio city town village")
"""What may stand between "from" and a region."""


def _may_be_region(word: Token) -> bool:
    listed = is_well_known(word.fold) or word.fold in COUNTRIES
    return word.is_word and not word.is_number and not listed and not is_ordinary(word.fold)


def _country_from(tokens: Sequence[Token], start: int) -> tuple[str | None, int]:
    """The country whose name begins here, and where it ends."""
    for length in (3, 2, 1):
        words = tokens[start : start + length]
        name = " ".join(word.fold for word in words)
        if len(words) == length and name in COUNTRIES:
            return COUNTRIES[name], start + length
    return None, start


def is_surname(words: Sequence[Token]) -> bool:
    """Whether a place is called as people are: "de Leon", "de la Paz"."""
    return is_well_known(words[-1].fold) and (len(words) == 1 or words[0].fold in lexicon.PARTICLES - {"san", "santa"})


def _goes_on_as_name(tokens: Sequence[Token], end: int) -> bool:
    after = tokens[end] if end < len(tokens) else None
    return after is not None and after.is_word and not after.is_number and not is_ordinary(after.fold)


def _country(tokens: Sequence[Token], found: Numbers, spent: set[int], entities: list[Entity]) -> str | None:
    for number in range(len(tokens)):
        for length in (3, 2, 1):
            words = tokens[number : number + length]
            name = " ".join(token.fold for token in words)
            if len(words) < length or name not in COUNTRIES or not number:
                continue
            near = [token.fold for token in tokens[max(0, number - 5) : number] if token.fold != ":"]
            before, earlier = near[-1] if near else "", near[-2] if len(near) > 1 else ""
            with_article = before in _ARTICLES_OF_COUNTRIES and name not in NAMES_TOO - _WITH_ARTICLE
            if with_article:
                before, earlier = earlier, near[-3] if len(near) > 2 else ""
            said = before in lexicon.FROM | _OF_COUNTRIES or (before == "in" and earlier.isdigit())
            said = said or (before in ("in", "en") and any(t.fold in lexicon.BIRTH for t in tokens[:number]))
            said = said or before in lexicon.BIRTH or _is_beside_date(tokens, number, length, found)
            if before in ("to", "hacia") or (before == "a" and (earlier in lexicon.MOVING or not is_borne(name))):
                spent.update(range(number, number + length))  # where somebody was sent
                continue
            said = said or (before in ("birth", "nacimiento") and not {"country", "pais"}.isdisjoint(near))
            if _is_of_another(tokens, number):
                continue
            if _is_of_embassy(tokens, number):
                spent.update(range(number, number + length))
                continue
            if said or _stands_apart(tokens, number, length):
                leads = not tokens[number - 1].is_word or tokens[number - 1].fold in _LEADING
                first = number - (2 if tokens[number - 1].fold == ":" or with_article else int(leads))
                spent.update(range(first, number + length))
                start, end = words[0].start, words[-1].end
                entities.append(Entity("country", COUNTRIES[name], 0.9, start, end))
                return COUNTRIES[name]
    return _country_of_demonym(tokens, spent, entities) or _country_at_end(tokens, spent, entities)


_LEADING = lexicon.FROM | _OF_COUNTRIES | lexicon.words("in en birth nacimiento")
"""Words before a country that say no more than it does."""
_ARTICLES_OF_COUNTRIES = lexicon.words("the el la los las")
_WITH_ARTICLE = frozenset({"india", "china"})
"""Names of people as well, but not behind an article: "de la india"."""


def _is_of_another(tokens: Sequence[Token], number: int) -> bool:
    """Whether a country is said of a relative of somebody who was named before: "su esposa es de Honduras"."""
    said = [token.fold for token in tokens[max(0, number - 5) : number] if token.is_word]
    while said and (said[-1] in _TO_BE or said[-1] in _OF_COUNTRIES or said[-1] in lexicon.FROM | lexicon.BIRTH):
        said.pop()
    return said[-2:-1] != [] and said[-2] in _OF_THEIRS and said[-1] in lexicon.RELATIVES and number > _AFTER_NAME


def _is_of_embassy(tokens: Sequence[Token], number: int) -> bool:
    """Whether a country is the one that an embassy or the like is of: "embajada de Honduras"."""
    before = [token.fold for token in tokens[max(0, number - 4) : number]]
    while before and before[-1] in lexicon.FROM | _ARTICLES_OF_COUNTRIES | {"general"}:
        before.pop()
    return bool(before) and before[-1] in _EMBASSIES


def _is_of_others(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word for a nation is said of several people beside who is sought: "two Iraqis", "Iraqi lads"."""
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].fold if number + 1 < len(tokens) else ""
    return (tokens[number].fold in PLURALS and before in _SEVERAL) or after in _GROUPS


_SEVERAL = lexicon.words(
    "two three four five some other many several with dos tres cuatro cinco unos unas otros otras varios con"
)
_GROUPS = lexicon.words("lads guys men women people friends coworkers families workers migrants cops soldiers gang")
_EMBASSIES = lexicon.words(
    "embassy embajada consulate consulado consul ministry ministerio cancilleria gobierno government"
)
_TO_BE = lexicon.words("is are es son era was a an una un tambien also from")
_OF_THEIRS = lexicon.words("su sus his her their")
_AFTER_NAME = 5
"""Words before a relative from which on somebody else can have been named."""


def _is_beside_date(tokens: Sequence[Token], number: int, length: int, found: Numbers) -> bool:
    """Whether a country stands behind a date of birth, or behind a name and before it: "DOB 6/2/84 Haiti"."""
    if any(0 <= tokens[number].start - year.end <= len(", ") for year in found.years):
        return True
    if tokens[number - 1].text == "," and any(
        0 <= year.start - tokens[number + length - 1].end <= len(", ") for year in found.years
    ):
        return True
    name = [token for token in tokens[max(0, number - 2) : number] if token.is_word and token.fold not in _NO_NAMES]
    end = tokens[number + length - 1].end
    return len(name) > 1 and any(0 <= year.start - end <= len(", ") for year in found.years)


def _stands_apart(tokens: Sequence[Token], number: int, length: int) -> bool:
    """Whether a country stands between marks behind a name: "Ana Ruiz, Cuba, born 1990", "Ana Ruiz (Peru)"."""
    before, after = number - 1, number + length
    if before < 2 or tokens[before].is_word or tokens[before].text in "?\u00bf\u00a1!":
        return False
    following = tokens[after] if after < len(tokens) else None
    ends = following is None or not following.is_word or following.is_number or following.fold in lexicon.BIRTH
    name = [token for token in tokens[max(0, before - 2) : before] if token.is_word]
    if tokens[number].fold in GIVEN_TOO and tokens[before].text == "," and following is None:
        return False
    if (
        tokens[number].fold in NAMES_TOO
        and tokens[before].text not in "(."
        and len(name) < 2
        and not (name and name[-1].is_number)
    ):
        return False
    is_name = bool(name) and (name[-1].is_number or name[-1].is_capital or not is_ordinary(name[-1].fold))
    return ends and (is_name or tokens[before].text in ".-(;\u2013")


def _country_of_demonym(tokens: Sequence[Token], spent: set[int], entities: list[Entity]) -> str | None:
    """The country of which somebody is said to be a national: "Haitian", "ecuatoriano"."""
    for number, token in enumerate(tokens):
        phrase = (token.fold, tokens[number + 1].fold) if number + 1 < len(tokens) else None
        if phrase in PHRASES and number not in spent and not _is_of_another(tokens, number):
            spent.update((number, number + 1))
            entities.append(Entity("country", PHRASES[phrase], 0.9, token.start, tokens[number + 1].end))
            return PHRASES[phrase]
        country = DEMONYMS.get(token.fold)
        beside = {one.fold for one in tokens[max(0, number - 1) : number + 2]}
        before = tokens[number - 1].fold if number else ""
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        if (
            country is None
            or number in spent
            or _is_of_others(tokens, number)
            or (token.fold in SAID_TOO and not _is_said_of_person(tokens, number))
        ):
            continue
        is_free = after is not None and after.is_word and not is_ordinary(after.fold)
        is_free = is_free and after is not None and after.fold not in lexicon.STOPS
        is_free = is_free and after is not None and after.is_capital == token.is_capital
        named = is_borne(token.fold) and is_free and not (token.fold in SAID_TOO and _is_whole_name(tokens, number + 1))
        if named or (is_own(token.fold) and before not in _OF_NATIONALS):
            continue
        if not _is_of_another(tokens, number) and beside.isdisjoint(_OF_SPEECH | _NO_PEOPLE):
            spent.update((number - 1, number) if before in _NATIONALITY else (number,))
            entities.append(Entity("country", country, 0.9, token.start, token.end))
            return country
    return None


def _is_said_of_person(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word stands behind "es", "un" or "nacionalidad", or a noun and its article: "el vecino chino"."""
    before, earlier = (tokens[place].fold if place >= 0 else "" for place in (number - 1, number - 2))
    named = tokens[number].is_capital and number > 1
    after = tokens[number + 1].fold if number + 1 < len(tokens) else ""
    if (
        before in _OF_COUNTRIES | {"un", "una"}
        or after in _OF_COUNTRIES | _OF_PERSONS
        or (before in ("es", "era", "son") and not named)
    ):
        return True
    noun = before in lexicon.RELATIVES or (is_ordinary(before) and before not in lexicon.STOPS - _OF_PERSONS)
    return noun and earlier in _ARTICLES_OF_PERSONS


def _is_whole_name(tokens: Sequence[Token], start: int) -> bool:
    """Whether two words of a name or more come next."""
    words = tokens[start : start + 2]
    free = (one.is_word and one.fold not in lexicon.STOPS and not is_ordinary(one.fold) for one in words)
    return len(words) > 1 and all(free)


_OF_PERSONS = lexicon.words("hombre persona man woman person lady guy girl boy lad chap bloke fella gentleman national")
_ARTICLES_OF_PERSONS = lexicon.OWNERS | lexicon.words("el la los las este esta ese esa aquel otro otra al del")


def _country_at_end(tokens: Sequence[Token], spent: set[int], entities: list[Entity]) -> str | None:
    """The country that is the last word after a whole name: "nelson paz honduras"."""
    words = [number for number, token in enumerate(tokens) if token.is_word and not token.is_number]
    dated = bool(tokens) and tokens[-1].is_number
    while words and tokens[words[-1]].fold in lexicon.BIRTH:
        words.pop()
    for length in (2, 1):
        last = words[-length:]
        name = " ".join(tokens[number].fold for number in last)
        before = [tokens[number].fold for number in words[: -len(last)][-2:]]
        if name not in COUNTRIES or (name in NAMES_TOO and not dated) or len(before) < 2:
            continue
        if not _NO_NAMES.isdisjoint(before):
            continue
        spent.update(last)
        entities.append(Entity("country", COUNTRIES[name], 0.8, tokens[last[0]].start, tokens[last[-1]].end))
        return COUNTRIES[name]
    return None


def countries_left(tokens: Sequence[Token]) -> list[int]:
    """The places of countries and nations that may be said of who is sought, whether or not they were understood."""
    found = []
    for number, token in enumerate(tokens):
        if not number and token.fold not in DEMONYMS:
            continue
        before = tokens[number - 1].fold if number else ""
        if token.fold in COUNTRIES and token.fold not in NAMES_TOO and before not in _WHITHER:
            found.append(number)
        beside = {one.fold for one in tokens[max(0, number - 1) : number + 2]}
        nation = token.fold in DEMONYMS.keys() - SAID_TOO and beside.isdisjoint(_OF_SPEECH | _NO_PEOPLE)
        if nation and not _is_of_another(tokens, number) and not _is_of_others(tokens, number):
            found.append(number)
    return found


_WHITHER = lexicon.words("in en to a hacia la the el for por desde")
"""Before a country: somebody is there, or was sent there."""
