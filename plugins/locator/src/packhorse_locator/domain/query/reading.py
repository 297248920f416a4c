"""The grammar: what kind of search a sentence asks for, and with which arguments.

In order: an A-number; a question about a facility (telephone, address); who or
what is at a place; a person. Words of the grammar may be misspelt by one
letter. What is left of a sentence once its known words are gone is the name.
"""

import itertools
from collections.abc import Sequence

from attrs import evolve

from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.asides import homes_in, is_plain_word
from packhorse_locator.domain.query.bearers import is_borne, is_given, is_well_known
from packhorse_locator.domain.query.enumerations import asks_for_all
from packhorse_locator.domain.query.intents import Cues
from packhorse_locator.domain.query.lone_states import held_in_state
from packhorse_locator.domain.query.nicknames import without_nicknames
from packhorse_locator.domain.query.numbers import Numbers, numbers_in
from packhorse_locator.domain.query.parsed import Entity, Gazetteer, NotParsed, Parsed, Reading, Reason, SearchType
from packhorse_locator.domain.query.persons import WEAK, person_in
from packhorse_locator.domain.query.phrases import after_place_word, can_be_named, text_of, town_with_article, without
from packhorse_locator.domain.query.places import Place, called_after, is_town_or_state, looks_like_facility, place_of
from packhorse_locator.domain.query.runs import left_over, runs_in
from packhorse_locator.domain.query.spans import Span, alike, named_like, named_outright, own_words, words_of
from packhorse_locator.domain.query.spellings import meant
from packhorse_locator.domain.query.spelt_digits import with_digits
from packhorse_locator.domain.query.tokens import Token, cut, fold
from packhorse_locator.domain.query.vocabulary import heard_alike, is_ordinary
from packhorse_locator.domain.query.wording import plain_text

_BESIDE_PLACES = (lexicon.STOPS | lexicon.OWNERS | lexicon.AT | lexicon.NEAR | {"zip", "postal"}) - lexicon.OF_PLACES


def read(text: str, gazetteer: Gazetteer) -> Parsed | NotParsed:
    """The best reading of ``text``, or why there is none."""
    plain = plain_text(text)
    if plain is None:
        return _failed("signs")
    plain = with_digits(plain)
    found = numbers_in(plain)
    if found.numbers:
        return _by_number(found, plain, gazetteer)
    if found.wrong:
        return _failed("digits")
    own = own_words(gazetteer)
    written = without_nicknames(cut(plain))
    tokens = [
        token if token.fold in own and len(token.fold) > _SHORT else _corrected(meant(token, before))
        for before, token in zip([None, *written], written, strict=False)
    ]
    words = [token for token in tokens if token.is_word]
    if not words:
        return _failed("no words")
    if asks_for_all(plain):
        return _failed("everybody")
    asks = Cues(words, _BESIDE_PLACES)
    apart = named_outright(tokens, gazetteer)
    person = person_in(plain, tokens, found, gazetteer, apart)
    if apart is not None:
        beyond = [token for number, token in enumerate(tokens) if token.is_word and not apart.holds(number)]
        made = _with_place(plain, apart, Cues(beyond, _BESIDE_PLACES), person, tokens)
        if made is person or not isinstance(made, Parsed):
            return made
        return _less_sure(made, tokens, gazetteer, [n for n in range(len(tokens)) if apart.holds(n)])
    return _person_or_place(plain, tokens, asks, found, person, gazetteer)


def _person_or_place(
    plain: str,
    tokens: Sequence[Token],
    asks: Cues,
    found: Numbers,
    person: Parsed | NotParsed,
    gazetteer: Gazetteer,
) -> Parsed | NotParsed:
    """What a sentence asks for that names no place outright."""
    everybody = held_in_state(tokens, asks, gazetteer)
    if everybody is not None:
        return everybody
    if isinstance(person, Parsed) and _is_certain(person, asks, plain):
        return _unless_facility(person, asks, gazetteer)
    for attempt in (_about_facility, _at_place):
        place = attempt(plain, tokens, asks, found, gazetteer)
        if isinstance(place, Parsed):
            place = _less_sure(place, tokens, gazetteer)
            return person if isinstance(person, Parsed) and _is_likelier(person, place) else place
        if place is not None and not isinstance(person, Parsed):
            return place
    if isinstance(person, Parsed) and (not asks.tells or asks.seeks or asks.of_custody or _is_told_of(person, tokens)):
        return _unless_facility(person, asks, gazetteer)
    if asks.tells and not asks.seeks:
        return _failed("no facility")
    if isinstance(person, NotParsed) and person.code == "PARSE_FAILED" and asks.at and asks.of_custody:
        known = _at_known_place(plain, tokens, gazetteer)
        return _less_sure(known, tokens, gazetteer) if known is not None else person
    return person


_SHORT = 3
"""Letters up to which a word of a facility's name is first taken for one that people shorten."""
_CUES = tuple(sorted(word for word in lexicon.TELLS | lexicon.LISTS | lexicon.BIRTH | lexicon.PLACES if len(word) > 4))


def _corrected(token: Token) -> Token:
    """A word of the grammar in lower case that is one slip off: read as what was meant."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    word = token.fold
    if len(word) < 4 or not token.text.islower() or is_ordinary(word) or is_borne(word):
        return token
    heard = next((cue for cue in _CUES if heard_alike(cue, word)), None)
    if heard is None and len(word) > 5:
        near = process.extractOne(word, _CUES, scorer=OSA.distance, score_cutoff=1)
        heard = near[0] if near else None
    return evolve(token, fold=heard) if heard else token


def _less_sure(made: Parsed, tokens: Sequence[Token], gazetteer: Gazetteer, said: Sequence[int] = ()) -> Parsed:
    """A place with less confidence where the sentence has words that were not understood: they may be a name.

    ``said`` are the places of words that name it.
    """
    terms = " ".join(str(value) for value in made.best.parameters.values())
    own = fold(terms).split()
    named = {*own, *words_of(terms, gazetteer), *(one + other for one, other in itertools.pairwise(own))}
    spent = set(said) | homes_in(tokens)
    for number, token in enumerate(tokens):
        if any(alike(one, word) for word in named for one in (token.fold, *fold_facility(token.text).split())):
            spent.add(number)
    for number in range(len(tokens)):
        if "".join(token.fold for token in tokens[number : number + 2]) in named:
            spent.update((number, number + 1))  # "blue bonnet"
        for length in (2, 1):
            words = tokens[number : number + length]
            if len(words) == length and len(words[0].text) > 2 and is_town_or_state(words, gazetteer):
                spent.update(range(number, number + length))
    runs = runs_in(tokens, spent, gazetteer.words([token.fold for token in tokens]))
    plain = [run for run in runs if is_plain_word(tokens, run)] if _is_sure(made.best) else []
    odd = sum(1 for run in plain if left_over([run], None))
    strange = left_over([run for run in runs if run not in plain], None)
    best = evolve(made.best, confidence=round(made.best.confidence * STRANGE**strange * ODD**odd, 3))
    return evolve(made, best=best)


def _is_sure(reading: Reading) -> bool:
    """Whether nothing but the words beside it speaks against a town or a facility."""
    return reading.confidence >= 0.9 and "zip_code" not in reading.parameters


STRANGE = 0.7
"""What each word that was not understood, and may be a name, leaves of the confidence in a place."""
ODD = 0.92
"""What each word that is not known, but stands where no name does, leaves of it."""


def _is_certain(person: Parsed, asks: Cues, plain: str) -> bool:
    """Whether a person is meant whatever place the words may also name: somebody sought, with a known given name."""
    first = fold(person.best.parameters.get("first_name", "")).partition(" ")[0]
    sought = asks.seeks or not (asks.lists or asks.asks_about)
    return person.best.confidence >= 0.9 and is_given(first) and sought


def _unless_facility(person: Parsed, asks: Cues, gazetteer: Gazetteer) -> Parsed | NotParsed:
    """The person, or both readings where a facility bears the very name: Joe Corley. Its address is no person's."""
    parameters = person.best.parameters
    name = f"{parameters.get('first_name', '')} {parameters.get('last_name', '')}".strip()
    facility = None if asks.of_relative or asks.names_somebody else named_like(name, gazetteer)
    if facility is None:
        return person
    other = Reading("facility_info", {"facility_name": facility}, 0.5)
    if (asks.asks_of_place or (asks.intent == "facts" and asks.asks_facts)) and not asks.seeks:
        name_too = (evolve(person.best, confidence=0.5),)
        return Parsed(evolve(other, confidence=LIKELY), name_too, (evolve(person.entities[0], kind="facility"),))
    return NotParsed("AMBIGUOUS_QUERY", "person or facility", (evolve(person.best, confidence=0.5), other))


def _is_told_of(person: Parsed, tokens: Sequence[Token]) -> bool:
    """Whether what is asked for comes after the name, or is news: "tell me about Ana Ruiz, her phone is off"."""
    name = person.entities[0]
    before = [token.fold for token in tokens if token.start < name.start]
    asked = {word for word in before if word in lexicon.TELLS}
    return person.best.confidence >= 0.9 and asked <= _OF_NEWS


_OF_NEWS = lexicon.words("tell about information info sobre informacion informes contact calls details detail datos")


def _is_likelier(person: Parsed, place: Parsed) -> bool:
    """Whether words that were not understood speak for the person, where the place is in doubt for them."""
    return person.best.confidence > WEAK > place.best.confidence


def _with_place(
    plain: str, apart: Span, asks: Cues, person: Parsed | NotParsed, tokens: Sequence[Token]
) -> Parsed | NotParsed:
    """A person and where they are, or what is asked of the place that is named outright."""
    place = apart.place
    if isinstance(person, Parsed) and not (person.best.confidence <= WEAK and asks.intent and not asks.seeks):
        return person
    if isinstance(person, NotParsed) and person.code == "AMBIGUOUS_QUERY":
        return person
    if asks.names_somebody:
        return person
    if place.options:
        return _ambiguous(place)
    kind = "facility" if place.facility else "place"
    entity = Entity(kind, apart.named, place.confidence, *_where(apart.named, plain))
    listed = Parsed(Reading("facility", place.parameters, place.confidence), place.others, (entity,))
    if place.facility is None:
        if asks.lists or asks.of_custody or asks.is_bare or asks.of_places or asks.intent == "people":
            return listed
        return _failed("town")
    facts = Reading("facility_info", place.parameters, place.confidence)
    if asks.intent != "people" and not asks.asks_facts and (asks.is_of_self or _is_beside(tokens, apart)):
        return Parsed(evolve(facts, confidence=0.5), (listed.best,), (entity,))
    if asks.intent == "people":
        return evolve(listed, alternatives=(evolve(facts, confidence=round(place.confidence * 0.6, 2)),))
    if asks.intent == "facts":
        return Parsed(facts, (), (entity,))
    if asks.seeks and not asks.of_relative:
        return evolve(listed, best=evolve(listed.best, confidence=round(place.confidence * LIKELY, 3)))
    if asks.of_relative and asks.is_whether:
        return evolve(listed, best=evolve(listed.best, confidence=round(place.confidence * LIKELY, 3)))
    likely = LIKELY if asks.is_question and not asks.of_relative and apart.end - apart.start > 1 else 0.6
    return Parsed(evolve(facts, confidence=round(place.confidence * likely, 3)), (listed.best,), (entity,))


def _is_beside(tokens: Sequence[Token], apart: Span) -> bool:
    """Whether something near the place is meant, and not the place: "hotels near Stewart"."""
    return any(token.fold in lexicon.NEAR for token in tokens[max(0, apart.start - 2) : apart.start])


LIKELY = 0.85
"""What is left of the confidence in a place where only the kind of sentence tells what is asked of it."""


def _where(named: str, plain: str) -> tuple[int, int]:
    start = max(0, plain.find(named.split(" ", maxsplit=1)[0]))
    return start, min(len(plain), start + len(named))


def _at_known_place(plain: str, tokens: Sequence[Token], gazetteer: Gazetteer) -> Parsed | None:
    """A search at the place that is named, where nobody is: "are my brothers in Jackson Parish"."""
    named = text_of(without(after_place_word(tokens), _BESIDE_PLACES))
    place = place_of(named, gazetteer) if named else None
    if place is None or place.options:
        return None
    confidence = round(place.confidence * 0.85, 2)
    entity = _entity("facility" if place.facility else "place", named, plain, confidence)
    return Parsed(Reading("facility", place.parameters, confidence), (), (entity,))


_COUNTING = frozenset({"many", "people", "cuantas", "cuantos", "personas"}) | lexicon.HOLDING


def _by_number(found: Numbers, plain: str, gazetteer: Gazetteer) -> Parsed | NotParsed:
    numbers = {entity.value: entity for entity in found.numbers}
    if len(numbers) > 1:
        options = tuple(Reading("alien_number", {"alien_number": value}, 0.5) for value in numbers)
        return NotParsed("AMBIGUOUS_QUERY", "numbers", options)
    entity = found.numbers[0]
    return Parsed(Reading("alien_number", {"alien_number": entity.value}, entity.confidence), (), found.numbers)


def _about_facility(
    plain: str, tokens: Sequence[Token], asks: Cues, found: Numbers, gazetteer: Gazetteer
) -> Parsed | NotParsed | None:
    bare = not (asks.seeks or asks.lists or asks.asks_where)
    where = asks.asks_where and not asks.seeks
    facts = asks.intent == "facts" and asks.asks_facts and asks.of_relative and not asks.names_somebody
    if not ((asks.asks_about and not asks.seeks) or bare or where or facts):
        return None
    words = [token for token in tokens if token.fold not in lexicon.TELLS]
    beside = _BESIDE_PLACES | _COUNTING | {"where", "wheres", "donde", "who", "se", "encuentra"}
    place, named = None, ""
    phrases = [words, after_place_word(words)] if asks.tells or facts else [words]
    known = own_words(gazetteer)
    for phrase in (without(part, beside, strict=not (asks.tells or facts), own=known) for part in phrases):
        named = text_of(phrase)
        place = place_of(named, gazetteer) if can_be_named(phrase) else None
        if place is not None:
            break
    if place is None or not (asks.asks_about or place.city or looks_like_facility(named) or _is_own(place, named)):
        return None
    if not asks.asks_about and place.facility and is_well_known(fold(named)):
        return None
    if place.options:
        return _ambiguous(place) if asks.tells else None
    entities = (_entity("facility" if place.facility else "place", named, plain, place.confidence),)
    if place.facility is None:
        own = called_after(place, gazetteer) if asks.intent == "facts" and asks.asks_facts else None
        if own is not None:
            return Parsed(Reading("facility_info", {"facility_name": own}, 0.8), (), entities)
        said = (bare and not asks.tells) or where or asks.of_places or asks.of_custody or asks.lists
        said = said and not asks.is_of_self and not (asks.intent == "facts" and looks_like_facility(named))
        return Parsed(Reading("facility", place.parameters, place.confidence if said else 0.5), place.others, entities)
    kind: SearchType = "facility" if asks.intent == "people" else "facility_info"
    return Parsed(Reading(kind, place.parameters, place.confidence), (), entities)


def _at_place(
    plain: str, tokens: Sequence[Token], asks: Cues, found: Numbers, gazetteer: Gazetteer
) -> Parsed | NotParsed | None:
    if found.zips and not asks.seeks:
        zip_code = found.zips[0]
        return Parsed(Reading("facility", {"zip_code": zip_code.value}, zip_code.confidence), (), (zip_code,))
    if not asks.lists or (asks.seeks and {"detainees", "detenidos"}.isdisjoint(token.fold for token in tokens)):
        return None
    phrase = after_place_word(tokens)
    while phrase and phrase[0].fold in ("ice", "immigration"):
        phrase = phrase[1:]
    # After "who is ..." and the like come words of the grammar; a name that is left over speaks for a person.
    named = text_of(without(phrase, _BESIDE_PLACES | lexicon.LISTS, own=own_words(gazetteer)))
    if "," in named and place_of(named, gazetteer) is None:
        phrase = phrase[: next(number for number, token in enumerate(phrase) if token.text == ",")]
        named = text_of(without(phrase, _BESIDE_PLACES | lexicon.LISTS, own=own_words(gazetteer)))
    can_be = can_be_named(phrase) or is_town_or_state([token for token in phrase if token.is_word], gazetteer)
    place = place_of(named, gazetteer) if named and can_be else None
    whole = town_with_article(phrase, named, gazetteer)
    if whole is not None:
        place, named = whole
    if place is None and not asks.at:
        return None  # "who is Ana Ruiz", "show me Ana Ruiz"
    if place is None:
        return _failed("no place")
    if place.options:
        return _ambiguous(place)
    entities = (_entity("facility" if place.facility else "place", named, plain, place.confidence),)
    others = place.others
    if place.facility is not None:
        others = (Reading("facility_info", place.parameters, round(place.confidence * 0.6, 2)),)
    return Parsed(Reading("facility", place.parameters, place.confidence), others, entities)


def _is_own(place: Place, named: str) -> bool:
    """Whether one word, such as Krome, was enough to name a facility."""
    return place.facility is not None and place.confidence >= 0.9 and len(named.split()) == 1


def _entity(kind: str, named: str, plain: str, confidence: float) -> Entity:
    start = max(0, plain.find(named.split(" ", maxsplit=1)[0]))
    return Entity(kind, named, confidence, start, min(len(plain), start + len(named)))


def _ambiguous(place: Place) -> NotParsed:
    return NotParsed(
        "AMBIGUOUS_QUERY",
        "places",
        place.options,
    )


def _failed(reason: Reason) -> NotParsed:
    return NotParsed("PARSE_FAILED", reason)
