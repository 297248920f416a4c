"""What a sentence says beside a name: the country and the year of birth, and where the person is."""

from collections.abc import Sequence

from attrs import frozen

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import PLAIN, bearers_of, is_borne, is_given, is_well_known
from packhorse_locator.domain.query.countries import COUNTRIES
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.origins import country_in, is_surname
from packhorse_locator.domain.query.parsed import Entity, Gazetteer
from packhorse_locator.domain.query.places import is_place, is_town_or_state, place_of, state_of
from packhorse_locator.domain.query.spans import Span
from packhorse_locator.domain.query.tokens import Token, fold
from packhorse_locator.domain.query.vocabulary import is_ordinary


@frozen
class Circumstances:
    """What is said beside the name, and the words that say it."""

    country: str | None
    year: int | None
    place: str | None
    spent: frozenset[int]
    entities: tuple[Entity, ...]


def circumstances_in(
    tokens: Sequence[Token], found: Numbers, gazetteer: Gazetteer, apart: Span | None = None
) -> Circumstances:
    """All of them, with the places of the words that say them; ``apart`` is a place that is known to be named."""
    spent: set[int] = set()
    entities: list[Entity] = []
    if apart is not None:
        spent.update(number for number in range(len(tokens)) if apart.holds(number))
    year = _year(tokens, found, spent, entities)
    country = country_in(tokens, found, spent, entities)
    place = _place(tokens, gazetteer, spent, entities) if apart is None else apart.named
    if apart is not None:
        start, end = tokens[apart.start].start, tokens[apart.end - 1].end
        entities.append(Entity("place", apart.place.facility or apart.named, 0.9, start, end))
    _spend_towns(tokens, gazetteer, spent)
    return Circumstances(country, year, place, frozenset(spent), tuple(entities))


def _spend_towns(tokens: Sequence[Token], gazetteer: Gazetteer, spent: set[int]) -> None:
    """States and towns that somebody was sent to, or is said to be in: "transferred to Louisiana", "in San Diego"."""
    for number in range(1, len(tokens)):
        if tokens[number - 1].fold not in _TOWARDS or number in spent:
            continue
        for length in (3, 2, 1):
            words = tokens[number : number + length]
            name = " ".join(word.fold for word in words)
            town = tokens[number - 1].fold in _INTO and not is_surname(words) and is_town_or_state(words, gazetteer)
            if len(words) == length and len(name) > 2 and (town or state_of(name)):
                spent.update(range(number - 1, number + length))
                break

    for number in range(1, len(tokens)):
        before = tokens[number - 1]
        for length in (2, 1):
            words = tokens[number : number + length]
            name = " ".join(word.fold for word in words)
            said = len(words) == length and len(name) > 2 and name not in COUNTRIES and state_of(name) is not None
            if said and before.is_word and not is_borne(before.fold) and number > 2:
                spent.update(range(number if is_ordinary(before.fold) else number - 1, number + length))
                break


_INTO = lexicon.words("to in from at en near desde")
_TOWARDS = lexicon.words("to in from at a en de desde hacia near")


def _year(tokens: Sequence[Token], found: Numbers, spent: set[int], entities: list[Entity]) -> int | None:
    """The year of birth: said to be one, or a lone year of an adult's birth that says nothing else."""
    folded = {token.fold for token in tokens}
    entity = None
    if found.years and not (folded.isdisjoint(lexicon.BIRTH) and "year" not in folded):
        entity = _after_birth(tokens, found.years)
    elif len(found.years) == 1 and int(found.years[0].value) <= _BORN_BEFORE:
        number = next((n for n, token in enumerate(tokens) if token.start >= found.years[0].start), 0)
        before = tokens[number - 1].fold if number else ""
        entity = found.years[0] if before not in _OF_EVENTS else None
    if entity is None:
        return None
    spent.update(n for n, token in enumerate(tokens) if entity.start <= token.start < entity.end)
    entities.append(Entity("birth_year", entity.value, entity.confidence, entity.start, entity.end))
    return int(entity.value)


_BORN_BEFORE = 2008
_OF_EVENTS = lexicon.words("in en since desde until hasta around during durante")
"""Before a lone year: something happened then."""


def _after_birth(tokens: Sequence[Token], years: Sequence[Entity]) -> Entity:
    """Of several years, the first after the word for birth."""
    said = [token.start for token in tokens if token.fold in lexicon.BIRTH]
    return next((year for year in years if said and year.start > said[0]), years[0])


def _place(tokens: Sequence[Token], gazetteer: Gazetteer, spent: set[int], entities: list[Entity]) -> str | None:
    """The place that a person is said to be at: what stands after "at" or "in", up to the next clause."""
    for number, token in enumerate(tokens):
        if number in spent or not number or (number + 1 < len(tokens) and number + 1 in spent):
            continue
        if token.fold == "in" and number + 1 < len(tokens) and tokens[number + 1].fold == "law":
            continue
        to = token.fold == "a" and tokens[number - 1].fold in lexicon.MOVING
        of = token.fold in ("de", "from", "desde") and number > 2 and not may_go_on(tokens, number)
        at = token.fold in lexicon.AT or ((to or of) and _is_known_place_after(tokens, number, gazetteer))
        if not at:
            continue
        end = number + 1
        while end < len(tokens) and end not in spent and not _ends_place(tokens, end):
            end += 1
        words = [one for one in tokens[number + 1 : end] if one.is_word]
        phrase = " ".join(one.text for one in words)
        if not words or _is_no_place(words):
            continue
        place = place_of(phrase, gazetteer)
        value = place.facility or place.city if place is not None and not place.options else None
        spent.update(range(number, end))
        entities.append(Entity("place", value or phrase, 0.9 if value else 0.5, words[0].start, words[-1].end))
        return value or phrase
    return None


def may_go_on(tokens: Sequence[Token], number: int) -> bool:
    """Whether "de" and a town behind a whole name may as well be the end of it: "Maria Costa de Albuquerque"."""
    before = [token.fold for token in tokens[max(0, number - 2) : number] if token.is_word]
    town = tokens[number + 1] if number + 1 < len(tokens) else None
    joined = town is not None and tokens[number].fold == "de" and len(before) > 1
    return joined and is_given(before[0]) and is_borne(before[1]) and town is not None and _is_iberian(town.fold)


def _is_iberian(word: str) -> bool:
    """Whether a word is a surname, no given name, and mostly borne by Hispanic people: Albuquerque, not Houston."""
    found = bearers_of(word)
    return found is not None and found.odds <= -PLAIN and found.family - found.hispanic_family <= _FEW_OTHERS


_FEW_OTHERS = 1.5
"""Natural logarithm of how many times more people than Hispanic ones may bear a surname that is theirs."""


def _is_no_place(words: Sequence[Token]) -> bool:
    """Whether what comes after "in" is custody, or something that is in no gazetteer: "in a parking lot"."""
    return words[0].fold in ("detention", "custody", "ice", "detencion") or all(
        is_ordinary(word.fold) and not word.is_capital for word in words
    )


def _is_known_place_after(tokens: Sequence[Token], number: int, gazetteer: Gazetteer) -> bool:
    words = [token for token in tokens[number + 1 : number + 3] if token.is_word]
    names = {fold(city) for city, _ in gazetteer.places}
    both = " ".join(word.text for word in words)
    listed = bool(words) and is_well_known(words[0].fold)
    if not words or is_ordinary(words[0].fold) or words[0].fold in lexicon.OWNERS:
        return False
    if listed and len(words) == 2 and not is_ordinary(words[1].fold):
        return False
    if words[0].fold in names or fold(both) in names:
        return is_place(words[0].text, gazetteer)
    if listed:
        return False
    found = place_of(both, gazetteer) if len(words) == 2 else None
    return found is not None and found.facility is not None and found.confidence >= 0.9


_CLAUSE = lexicon.words(
    """his her he she se born nacido nacida named llamado llamada and y e who que since desde for by por last this
    yesterday today ayer hoy anoche la el lo los las my mi please porfavor is was es fue esta still but pero
    because porque on when cuando le con with su name nombre called"""
) - frozenset({"la", "el", "los", "las"})
"""What begins another clause after a place."""


def _ends_place(tokens: Sequence[Token], number: int) -> bool:
    token = tokens[number]
    if token.text != ",":
        return token.text in ".?!():;-\u2013\u2014" or token.fold in _CLAUSE
    if number + 1 >= len(tokens):
        return True
    # "Miami, FL" goes on; ", se llama" and ", Ana Ruiz" do not.
    return not any(state_of(" ".join(word.fold for word in tokens[number + 1 : number + end])) for end in (2, 3, 4))
