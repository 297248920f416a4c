"""The country that somebody is said to come from, with the region or town of it that is said too."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.countries import COUNTRIES, DEMONYMS, GIVEN_TOO, NAMES_TOO
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
_NO_PEOPLE = lexicon.words("consulate embassy consulado embajada restaurant restaurante food creole border passport")
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
    listed = word.fold in lexicon.GIVEN | lexicon.SURNAMES or word.fold in COUNTRIES
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
    return words[-1].fold in lexicon.SURNAMES | lexicon.GIVEN and (
        len(words) == 1 or words[0].fold in lexicon.PARTICLES - {"san", "santa"}
    )


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
            said = before in lexicon.FROM | _OF_COUNTRIES or (before == "in" and earlier.isdigit())
            said = said or (before in ("in", "en") and any(t.fold in lexicon.BIRTH for t in tokens[:number]))
            said = said or before in lexicon.BIRTH or _is_beside_date(tokens, number, length, found)
            if before in ("to", "a", "hacia"):
                spent.update(range(number, number + length))  # where somebody was sent
                continue
            said = said or (before in ("birth", "nacimiento") and not {"country", "pais"}.isdisjoint(near))
            if said or _stands_apart(tokens, number, length):
                leads = not tokens[number - 1].is_word or tokens[number - 1].fold in _LEADING
                first = number - (2 if tokens[number - 1].fold == ":" else int(leads))
                spent.update(range(first, number + length))
                start, end = words[0].start, words[-1].end
                entities.append(Entity("country", COUNTRIES[name], 0.9, start, end))
                return COUNTRIES[name]
    return _country_of_demonym(tokens, spent, entities) or _country_at_end(tokens, spent, entities)


_LEADING = lexicon.FROM | _OF_COUNTRIES | lexicon.words("in en birth nacimiento")
"""Words before a country that say no more than it does."""


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
        and tokens[before].text != "("
        and len(name) < 2
        and not (name and name[-1].is_number)
    ):
        return False
    is_name = bool(name) and (name[-1].is_number or name[-1].is_capital or not is_ordinary(name[-1].fold))
    return ends and (is_name or tokens[before].text in ".-(;\u2013")


def _country_of_demonym(tokens: Sequence[Token], spent: set[int], entities: list[Entity]) -> str | None:
    """The country of which somebody is said to be a national: "Haitian", "ecuatoriano"."""
    for number, token in enumerate(tokens):
        country = DEMONYMS.get(token.fold.removesuffix("s")) or DEMONYMS.get(token.fold)
        beside = {one.fold for one in tokens[max(0, number - 1) : number + 2]}
        before = tokens[number - 1].fold if number else ""
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        is_free = after is not None and after.is_word and not is_ordinary(after.fold)
        if token.fold in lexicon.GIVEN | lexicon.SURNAMES and (is_free or before not in _OF_NATIONALS):
            continue
        if country is not None and beside.isdisjoint(_OF_SPEECH | _NO_PEOPLE):
            spent.update((number - 1, number) if before in _NATIONALITY else (number,))
            entities.append(Entity("country", country, 0.9, token.start, token.end))
            return country
    return None


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
