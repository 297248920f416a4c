"""The grammar: what kind of search a sentence asks for, and with which arguments.

In order: an A-number; a question about a facility (telephone, address); who or
what is at a place; a person. Words of the grammar may be misspelt by one
letter. What is left of a sentence once its known words are gone is the name.
"""

import itertools
import re
from collections.abc import Sequence

from attrs import evolve

from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.plain import shown
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.numbers import Numbers, numbers_in
from packhorse_locator.domain.query.parsed import Entity, Gazetteer, NotParsed, Parsed, Reading
from packhorse_locator.domain.query.persons import WEAK, person_in
from packhorse_locator.domain.query.places import Place, looks_like_facility, place_of
from packhorse_locator.domain.query.runs import left_over, runs_in
from packhorse_locator.domain.query.spans import Span, alike, named_outright, own_words, words_of
from packhorse_locator.domain.query.tokens import Token, cut, fold
from packhorse_locator.domain.query.vocabulary import heard_alike, is_ordinary

SUGGESTIONS = (
    "Find Juan Perez Lopez at Krome",
    "Search for A-Number A900100028",
    "Who is at Stewart Detention Center?",
    "Busco a Juan Perez Lopez de Honduras",
)

_BESIDE_PLACES = (lexicon.STOPS | lexicon.OWNERS | lexicon.AT | {"zip", "postal"}) - lexicon.OF_PLACES

_FORBIDDEN = frozenset("{}[]<>|\\;=*%$^~")


def read(text: str, gazetteer: Gazetteer) -> Parsed | NotParsed:
    """The best reading of ``text``, or why there is none."""
    plain = re.sub(r"(?<=[\w.]);(?=\s+\w)", ",", shown(text))
    if any(character in _FORBIDDEN for character in plain) or "--" in plain or ".." in plain:
        return _failed("it has signs that belong to no name, number or place")
    plain = re.sub(lexicon.SPEAKING, lambda said: " " * len(said.group()), plain, flags=re.IGNORECASE)
    found = numbers_in(plain)
    if found.numbers:
        return _by_number(found, plain, gazetteer)
    if found.wrong:
        return _failed("an A-number has 7 to 9 digits, and the number in it has not")
    own = own_words(gazetteer)
    tokens = [token if token.fold in own else _corrected(token) for token in cut(plain)]
    words = [token for token in tokens if token.is_word]
    if not words:
        return _failed("it has no words")
    asks = _Cues(words)
    apart = named_outright(tokens, gazetteer)
    person = person_in(plain, tokens, found, gazetteer, SUGGESTIONS, apart)
    if apart is not None:
        beyond = [token for number, token in enumerate(tokens) if token.is_word and not apart.holds(number)]
        return _with_place(plain, apart, _Cues(beyond), person)
    if isinstance(person, Parsed) and _is_certain(person, asks, plain):
        return person
    for attempt in (_about_facility, _at_place):
        made = attempt(plain, tokens, asks, found, gazetteer)
        if isinstance(made, Parsed):
            return _less_sure(made, tokens, gazetteer)
        if made is not None and not isinstance(person, Parsed):
            return made
    if isinstance(person, Parsed) and (not asks.tells or asks.seeks or asks.of_custody):
        return person
    if asks.tells and not asks.seeks:
        return _failed("it asks about a facility, and none in it is known here")
    if isinstance(person, NotParsed) and person.code == "PARSE_FAILED" and asks.at and asks.of_custody:
        made = _at_known_place(plain, tokens, gazetteer)
        return _less_sure(made, tokens, gazetteer) if made is not None else person
    return person


_CUES = tuple(sorted(word for word in lexicon.TELLS | lexicon.LISTS | lexicon.BIRTH | lexicon.PLACES if len(word) > 4))


def _corrected(token: Token) -> Token:
    """A word of the grammar in lower case that is one slip off: read as what was meant."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    word = token.fold
    if len(word) < 4 or not token.text.islower() or is_ordinary(word) or word in lexicon.GIVEN | lexicon.SURNAMES:
        return token
    heard = next((cue for cue in _CUES if heard_alike(cue, word)), None)
    if heard is None and len(word) > 5:
        near = process.extractOne(word, _CUES, scorer=OSA.distance, score_cutoff=1)
        heard = near[0] if near else None
    return evolve(token, fold=heard) if heard else token


def _less_sure(made: Parsed, tokens: Sequence[Token], gazetteer: Gazetteer) -> Parsed:
    """A place with less confidence where the sentence has words that were not understood: they may be a name."""
    terms = " ".join(str(value) for value in made.best.parameters.values())
    named = set(fold(terms).split()) | words_of(terms, gazetteer)
    spent = {
        number
        for number, token in enumerate(tokens)
        if any(alike(said, word) for word in named for said in (token.fold, *fold_facility(token.text).split()))
    }
    strange = left_over(runs_in(tokens, spent, gazetteer.words([token.fold for token in tokens])), None)
    best = evolve(made.best, confidence=round(made.best.confidence * STRANGE**strange, 3))
    return evolve(made, best=best)


STRANGE = 0.7
"""What each word that was not understood leaves of the confidence in a place."""


def _is_certain(person: Parsed, asks: "_Cues", plain: str) -> bool:
    """Whether a person is meant whatever place the words may also name: somebody sought, with a known given name."""
    first = fold(person.best.parameters["first_name"]).split()[0]
    sought = asks.seeks or not (asks.lists or asks.asks_about)
    return person.best.confidence >= 0.9 and first in lexicon.GIVEN and sought


def _with_place(plain: str, apart: Span, asks: "_Cues", person: Parsed | NotParsed) -> Parsed | NotParsed:
    """A person and where they are, or what is asked of the place that is named outright."""
    place = apart.place
    if isinstance(person, Parsed) and not (person.best.confidence <= WEAK and asks.lists):
        return person
    if isinstance(person, NotParsed) and person.code == "AMBIGUOUS_QUERY":
        return person
    if asks.names_somebody:
        return person
    if place.options:
        return _ambiguous(place)
    kind = "facility" if place.facility else "place"
    entity = Entity(kind, apart.named, place.confidence, *_where(apart.named, plain))
    listed = Parsed(Reading("facility", place.parameters, place.confidence), (), (entity,))
    if place.facility is None:
        if asks.lists or asks.of_custody or asks.is_bare or asks.of_places:
            return listed
        return _failed("it names a town, and does not ask who or what is there")
    if asks.lists and not asks.tells:
        other = Reading("facility_info", place.parameters, round(place.confidence * 0.6, 2))
        return Parsed(listed.best, (other,), (entity,))
    if asks.asks_about or asks.asks_where or asks.is_bare:
        return Parsed(Reading("facility_info", place.parameters, place.confidence), (), (entity,))
    if asks.of_custody:
        return listed
    return Parsed(Reading("facility_info", place.parameters, 0.6), (listed.best,), (entity,))


def _where(named: str, plain: str) -> tuple[int, int]:
    start = max(0, plain.find(named.split(" ", maxsplit=1)[0]))
    return start, min(len(plain), start + len(named))


def _at_known_place(plain: str, tokens: Sequence[Token], gazetteer: Gazetteer) -> Parsed | None:
    """A search at the place that is named, where nobody is: "are my brothers in Jackson Parish"."""
    named = _text(_without(_after_place_word(tokens), _BESIDE_PLACES))
    place = place_of(named, gazetteer) if named else None
    if place is None or place.options:
        return None
    confidence = round(place.confidence * 0.85, 2)
    entity = _entity("facility" if place.facility else "place", named, plain, confidence)
    return Parsed(Reading("facility", place.parameters, confidence), (), (entity,))


_OF_TOWNS = lexicon.words(
    """port house lake river falls rock springs valley golden desert view camp state big county parish new north south
    east west grand great salt island city fort st saint green white black mountain la el los las del san santa
    norte sur este oeste nuevo nueva valle paz villa texas florida main cross live oak elk sheriff sheriffs office
    department police justice safety complex adult annex staging camp hall house"""
)
"""Ordinary words with which a town or a facility may begin or end."""
_ARTICLES = frozenset({"el", "la", "los", "las"})
_COUNTING = frozenset({"many", "people", "cuantas", "cuantos", "personas"}) | lexicon.HOLDING
_HARD = lexicon.TELLS - lexicon.SOFT
_SEEKING = lexicon.SEEK - {"where", "wheres", "donde", "named", "called", "llamado", "llamada", "llaman"}
_LISTING = lexicon.LISTS - {"name", "names", "todos", "todas", "everyone", "everybody", "which"}
_ALL = frozenset({"everyone", "everybody", "todos", "todas", "names"})


class _Cues:
    """Which kinds of question the words speak for."""

    def __init__(self, words: Sequence[Token]) -> None:
        folded = [word.fold for word in words]
        pairs = set(itertools.pairwise(folded))
        self.at = not lexicon.AT.isdisjoint(folded)
        full = {("full", "name"), ("full", "names")} & pairs
        hold = folded[-1:] and folded[-1] in lexicon.HOLDING
        self.tells = not (_HARD - ({"full"} if full else set())).isdisjoint(folded) or bool(hold)
        self.asks_about = self.tells or not lexicon.SOFT.isdisjoint(folded)
        self.lists = not _LISTING.isdisjoint(folded) or (self.at and not _ALL.isdisjoint(folded))
        # "se encuentra" asks where something is.
        seeking = [word for before, word in zip(["", *folded], folded, strict=False) if before != "se"]
        owned = any(owner in lexicon.OWNERS and one in lexicon.RELATIVES for owner, one in pairs)
        self.seeks = _any(seeking, _SEEKING, typos=True)
        self.seeks |= not {"llama", "named", "llamado", "llamada"}.isdisjoint(folded)
        self.seeks |= owned
        self.of_custody = owned or not lexicon.CUSTODY.isdisjoint(folded)
        self.asks_where = not {"where", "wheres", "donde"}.isdisjoint(folded)
        self.of_places = not (lexicon.PLACES | (lexicon.OF_PLACES - {"city", "state"})).isdisjoint(folded)
        self.is_bare = all(word in _BESIDE_PLACES for word in folded)
        self.names_somebody = not {"named", "called", "llamado", "llamada", "llama"}.isdisjoint(folded)


def _by_number(found: Numbers, plain: str, gazetteer: Gazetteer) -> Parsed | NotParsed:
    numbers = {entity.value: entity for entity in found.numbers}
    if len(numbers) > 1:
        options = tuple(Reading("alien_number", {"alien_number": value}, 0.5) for value in numbers)
        return NotParsed("AMBIGUOUS_QUERY", "it has several A-numbers: ask for one at a time", options, SUGGESTIONS)
    entity = found.numbers[0]
    return Parsed(Reading("alien_number", {"alien_number": entity.value}, entity.confidence), (), found.numbers)


def _about_facility(
    plain: str, tokens: Sequence[Token], asks: _Cues, found: Numbers, gazetteer: Gazetteer
) -> Parsed | NotParsed | None:
    bare = not (asks.seeks or asks.lists or asks.asks_where)
    where = asks.asks_where and not asks.seeks
    if not ((asks.asks_about and not asks.seeks) or bare or where):
        return None
    words = [token for token in tokens if token.fold not in lexicon.TELLS]
    beside = _BESIDE_PLACES | _COUNTING | {"where", "wheres", "donde", "who", "se", "encuentra"}
    place, named = None, ""
    phrases = [words, _after_place_word(words)] if asks.tells else [words]
    own = own_words(gazetteer)
    for phrase in (_without(part, beside, strict=not asks.tells, own=own) for part in phrases):
        named = _text(phrase)
        place = place_of(named, gazetteer) if _can_be_named(phrase) else None
        if place is not None:
            break
    if place is None or not (asks.asks_about or place.city or looks_like_facility(named) or _is_own(place, named)):
        return None
    if place.options:
        return _ambiguous(place) if asks.tells else None
    entities = (_entity("facility" if place.facility else "place", named, plain, place.confidence),)
    if place.facility is None:
        said = (bare and not asks.tells) or where or asks.of_places or asks.of_custody or asks.lists
        return Parsed(Reading("facility", place.parameters, place.confidence if said else 0.5), (), entities)
    return Parsed(Reading("facility_info", place.parameters, place.confidence), (), entities)


def _at_place(
    plain: str, tokens: Sequence[Token], asks: _Cues, found: Numbers, gazetteer: Gazetteer
) -> Parsed | NotParsed | None:
    if found.zips and not asks.seeks:
        zip_code = found.zips[0]
        return Parsed(Reading("facility", {"zip_code": zip_code.value}, zip_code.confidence), (), (zip_code,))
    if not asks.lists or (asks.seeks and not _any([t.fold for t in tokens], frozenset({"detainees", "detenidos"}))):
        return None
    phrase = _after_place_word(tokens)
    # After "who is ..." and the like come words of the grammar; a name that is left over speaks for a person.
    named = _text(_without(phrase, _BESIDE_PLACES | lexicon.LISTS, own=own_words(gazetteer)))
    place = place_of(named, gazetteer) if named and _can_be_named(phrase) else None
    whole = _town_with_article(phrase, named, gazetteer)
    if whole is not None:
        place, named = whole
    if place is None and not asks.at:
        return None  # "who is Ana Ruiz", "show me Ana Ruiz"
    if place is None:
        return _failed("it asks who is at a place, and no place in it is known here")
    if place.options:
        return _ambiguous(place)
    entities = (_entity("facility" if place.facility else "place", named, plain, place.confidence),)
    others: tuple[Reading, ...] = ()
    if place.facility is not None:
        others = (Reading("facility_info", place.parameters, round(place.confidence * 0.6, 2)),)
    return Parsed(Reading("facility", place.parameters, place.confidence), others, entities)


def _town_with_article(phrase: Sequence[Token], named: str, gazetteer: Gazetteer) -> tuple[Place, str] | None:
    """The place and its name where an article before it is a part of it: Los Fresnos, El Paso, La Villa."""
    if not named:
        return None
    text = _text([token for token in phrase if token.is_word])
    before, found, _ = text.partition(named)
    article = before.split()[-1:] if found else []
    if not article or article[0].casefold() not in _ARTICLES:
        return None
    towns = {fold(city) for city, _ in gazetteer.places}
    whole = f"{article[0]} {named}"
    place = place_of(whole, gazetteer)
    return (place, whole) if place is not None and place.city and fold(place.city) in towns else None


def _can_be_named(phrase: Sequence[Token]) -> bool:
    """Whether it has a word that is not ordinary, or written with a capital."""
    return any(
        token.is_word and ((token.is_capital and token.start) or not is_ordinary(token.fold)) for token in phrase
    )


def _is_own(place: Place, named: str) -> bool:
    """Whether one word, such as Krome, was enough to name a facility."""
    return place.facility is not None and place.confidence >= 0.9 and len(named.split()) == 1


def _after_place_word(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands after the first "at" or "in"; everything where there is none."""
    for number, token in enumerate(tokens):
        if token.fold in lexicon.AT and number + 1 < len(tokens) and not _of_custody(tokens[number + 1 :]):
            return tokens[number + 1 :]
    return tokens


def _of_custody(tokens: Sequence[Token]) -> bool:
    """Whether "in" goes on with custody or detention, and the place comes after another "at"."""
    return tokens[0].fold in lexicon.OF_PLACES and any(token.fold in lexicon.AT for token in tokens[1:3])


def _without(
    tokens: Sequence[Token], words: frozenset[str], *, strict: bool = False, own: frozenset[str] = frozenset()
) -> list[Token]:
    """``tokens`` without ``words`` at either end, nor, unless ``strict``, ordinary ones that no facility has."""
    kept = list(tokens)
    while kept and _is_beside(kept[0], words, own, strict=strict):
        kept.pop(0)
    while kept and _is_beside(kept[-1], words, own, strict=strict) and not _is_state_code(kept):
        kept.pop()
    return kept


def _is_beside(token: Token, words: frozenset[str], own: frozenset[str], *, strict: bool) -> bool:
    if not token.is_word or token.fold in words:
        return True
    if strict or token.fold in own:
        return False
    return is_ordinary(token.fold) and token.fold not in lexicon.OF_PLACES | lexicon.PLACES | _OF_TOWNS


def _is_state_code(tokens: Sequence[Token]) -> bool:
    """Whether the last word is a state's two letters, some of which are words as well (IN, OR, ME, LA)."""
    last = tokens[-1]
    return len(tokens) > 1 and len(last.text) == 2 and last.text.isupper() and any(t.text.islower() for t in tokens)


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _entity(kind: str, named: str, plain: str, confidence: float) -> Entity:
    start = max(0, plain.find(named.split(" ", maxsplit=1)[0]))
    return Entity(kind, named, confidence, start, min(len(plain), start + len(named)))


def _any(folded: Sequence[str], cues: frozenset[str], *, typos: bool = False) -> bool:
    if not cues.isdisjoint(folded):
        return True
    return typos and any(_misspelt(word, cues) for word in folded[:3])


def _misspelt(word: str, cues: frozenset[str]) -> bool:
    from rapidfuzz.distance import OSA

    if len(word) < 4 or is_ordinary(word) or word in lexicon.STOPS | lexicon.TELLS | lexicon.LISTS | lexicon.RELATIVES:
        return False
    return any(len(cue) >= 4 and OSA.distance(word, cue, score_cutoff=1) <= 1 for cue in cues)


def _ambiguous(place: Place) -> NotParsed:
    return NotParsed(
        "AMBIGUOUS_QUERY",
        "it can mean several places: choose one of the alternatives",
        place.options,
        SUGGESTIONS,
    )


def _failed(reason: str) -> NotParsed:
    return NotParsed("PARSE_FAILED", reason, (), SUGGESTIONS)
