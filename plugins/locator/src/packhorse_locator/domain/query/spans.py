"""Places that a sentence names outright: a facility by a word that only facilities have, a town by its state."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import evolve, frozen

from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.facility_names import single, telling
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_borne, is_given, is_surname, is_well_known
from packhorse_locator.domain.query.parsed import Gazetteer
from packhorse_locator.domain.query.places import Place, place_of, state_of
from packhorse_locator.domain.query.tokens import Token, fold
from packhorse_locator.domain.query.vocabulary import is_ordinary

_KINDS = lexicon.words(
    """detention correctional corrections correction processing jail facility prison prision residential spc center
    centre ctr centro detencion carcel correccional penitentiary institution annex staging procesamiento ipc icdc
    condado"""
)
"""Words that only a facility's name has; "county" and "parish" belong to towns as well."""
_WITHIN = _KINDS | lexicon.words(
    """county parish service ice immigration contract regional federal state complex adult secure north south east west
    northwest northeast southwest southeast northern southern central the of de del la el los las for and public
    safety justice sheriff sheriffs department dept facilities migracion inmigracion"""
)
_SPOKEN = (
    lexicon.STOPS | lexicon.SEEK | lexicon.LISTS | lexicon.RELATIVES | lexicon.OWNERS | (lexicon.TELLS - lexicon.SOFT)
)
_OF_ALL = frozenset({"immigration", "inmigracion", "migracion", "public"})
"""Words that say no more of a facility than its kind does."""
_ARTICLES = frozenset({"el", "la", "los", "las"})
_UNTELLING = lexicon.words(
    """inst reception transitional coastal midwest corecivic geo adult female male single pine prairie crow cache
    cascade purgatory moss salle lucie imperial clair dakota"""
)
"""Words of one facility's name that could be any other's."""
_SECOND = frozenset({"regional", "state"})
"""Words that all may have, but that set a facility apart behind its first: "imperial regional", "golden state"."""
_SHORT_CORE = 2
_LIKE = 75.0
"""Likeness (0 to 100) from which a word is one of the facility's, misspelt."""
_LONGEST = 9
_TRIES = 5


@frozen
class Span:
    """A place and the words that name it; ``end`` is exclusive. ``town`` is where it stands, when that is said too."""

    start: int
    end: int
    place: Place
    named: str
    town: tuple[int, int] | None = None

    def holds(self, number: int) -> bool:
        """Whether a word belongs to the place or to its town."""
        inside = self.start <= number < self.end
        return inside or (self.town is not None and self.town[0] <= number < self.town[1])


def named_outright(tokens: Sequence[Token], gazetteer: Gazetteer) -> Span | None:
    """The first facility or town that the sentence leaves no doubt about."""
    town = _town(tokens, gazetteer)
    facility = _facility(tokens, gazetteer, town) or _by_own_words(tokens, gazetteer)
    if facility is None or town is None:
        return facility or town
    return evolve(facility, town=(town.start, town.end))


def _facility(tokens: Sequence[Token], gazetteer: Gazetteer, town: Span | None) -> Span | None:
    own = own_words(gazetteer)
    for number, token in enumerate(tokens):
        if token.fold not in _KINDS or (town is not None and town.holds(number)):
            continue
        low = number
        while low > 0 and number - low < _LONGEST and _may_be_within(tokens, low - 1, own):
            low -= 1
        high = number + 1
        while high < len(tokens) and high - number < _LONGEST and _may_be_within(tokens, high, own):
            high += 1
        for start, end in _windows(tokens, low, high, number):
            named = _text(tokens[start:end])
            place = place_of(named, gazetteer)
            if place is None or set(telling(fold_facility(named)).split()) <= _OF_ALL:
                continue
            if tokens[start].fold in _ARTICLES and not fold(place.facility or "").startswith(tokens[start].fold + " "):
                continue
            if place.facility is not None or place.options:
                first, last = _own_part(tokens, start, end, number, place, gazetteer)
                return Span(first, last, place, _text(tokens[first:last]))
    return None


def _by_own_words(tokens: Sequence[Token], gazetteer: Gazetteer) -> Span | None:
    """A facility by the words that set its name apart, without those that all have: "bluebonnet", "t don hutto"."""
    begins = _beginnings(gazetteer)
    for number, token in enumerate(tokens):
        if not token.is_word or token.is_number:
            continue
        for first in _heard_as(token.fold, tuple(begins)):
            for core in begins[first]:
                end = number + len(core)
                said = tokens[number:end]
                if len(said) < len(core) or not all(_is_heard(a.fold, b) for a, b in zip(said, core, strict=True)):
                    continue
                if not _stands_as_place(tokens, number, end) or _begins_town(tokens, number, end, gazetteer):
                    continue
                place = place_of(" ".join(core), gazetteer)
                if place is not None and place.facility is not None:
                    return Span(number, end, place, _text(said))
    return None


def named_like(name: str, gazetteer: Gazetteer) -> str | None:
    """The facility whose own words are these of a person."""
    core = fold_facility(name)
    if core not in _called_like_people(gazetteer):
        return None
    place = place_of(name, gazetteer)
    return place.facility if place is not None else None


@lru_cache(4)
def _called_like_people(gazetteer: Gazetteer) -> frozenset[str]:
    """What sets facilities apart in two words or more, as people are called."""
    cores = (telling(name) for name in gazetteer.facilities.wholes)
    kinds = {word for word in _WITHIN if not is_surname(word)}
    own = (" ".join(word for word in core.split() if word not in kinds) for core in cores)
    return frozenset(core for core in own if " " in core)


@lru_cache(4)
def _beginnings(gazetteer: Gazetteer) -> dict[str, list[tuple[str, ...]]]:
    """By their first word, longest first: what sets facilities in use apart, without towns, states and quarters.

    One word alone tells a facility only where none of another town has it. "Nevada Southern" is a facility, "south
    texas" a region.
    """
    towns = {fold_facility(city) for city, _ in gazetteer.places}
    cores, bearers = set[tuple[str, ...]](), dict[str, set[tuple[str, str] | str]]()
    used: set[str] = set()
    starts: dict[tuple[str, ...], set[tuple[str, str] | str]] = {}
    for key, name in gazetteer.facilities:
        starts.setdefault(tuple(name.split()[:2]), set()).add(gazetteer.where.get(key, key))
    for key, name in gazetteer.facilities:
        core = tuple(telling(name).split())
        town = fold_facility(gazetteer.where.get(key, ("", ""))[0])
        for word in core:
            bearers.setdefault(word, set()).add(gazetteer.where.get(key, key))
        if key not in gazetteer.in_use:
            continue
        used.update(core)
        cores.add(core)
        if len(core) > 1 and core[-1] in _KINDS:
            cores.add(core[:-1])
        after_town = name.partition(f" {town} ")[2] if town else ""
        if after_town.count(" ") > 1:
            cores.add(tuple(after_town.split()))  # "camp east montana"
        pair = tuple(name.split()[:2])
        if len(core) <= _SHORT_CORE and pair[-1] in _SECOND and len(starts[pair]) == 1:
            cores.add(pair)
    cores |= {(word,) for word in used if len(bearers[word]) == 1 and len(word) > 3 and word not in _UNTELLING}
    made: dict[str, list[tuple[str, ...]]] = {}
    for core in sorted(cores, key=lambda one: (-len(one), one)):
        whole = " ".join(core)
        named_by_state = len(core) > 1 and state_of(core[0]) is not None
        vague = all(word in _WITHIN or state_of(word) or len(word) < 2 for word in core)
        vague |= len(core) == 1 and is_ordinary(whole)
        alone = len(core) == 1 and is_given(whole) and is_well_known(whole)
        if core and (named_by_state or not vague) and not alone and whole not in towns and state_of(whole) is None:
            made.setdefault(core[0], []).append(core)
    return made


@lru_cache(4096)
def _heard_as(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in known if _is_heard(word, one))


def _is_heard(word: str, meant: str) -> bool:
    """Whether a word is the one that is meant, or, in a long one, one slip off it."""
    from rapidfuzz.distance import OSA

    if word == meant:
        return True
    if len(meant) < 6 or is_ordinary(word):
        return False
    return OSA.distance(word, meant) <= 1 or single(word) == single(meant)


def _stands_as_place(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether words that set a facility apart stand as a place, and are no part of a person's name."""
    before, after = (tokens[start - 1] if start else None), (tokens[end] if end < len(tokens) else None)
    is_person = is_well_known(tokens[start].fold)
    if end - start > 1:
        beside = [one.fold for one in (before, after) if one is not None]
        spoken = all(is_ordinary(token.fold) for token in tokens[start:end])
        return end - start > 2 or not (is_person or spoken) or not (_PLACING | lexicon.TELLS).isdisjoint(beside)
    if after is not None and after.is_word and _is_name_like(after):
        return False
    if start == 0 and after is not None and after.text in ":-":
        return True
    if before is not None and before.fold in (lexicon.AT if is_person else _PLACING):
        return True
    return not is_person and not (before is not None and before.is_word and _is_name_like(before))


def _begins_town(tokens: Sequence[Token], start: int, end: int, gazetteer: Gazetteer) -> bool:
    """Whether the words go on as a town's name: "Karnes City"."""
    towns = {town for town, _ in _towns(gazetteer)}
    return any(fold_facility(_text(tokens[start:last])) in towns for last in (end + 1, end + 2) if last <= len(tokens))


_PLACING = lexicon.AT | lexicon.words("to into from a al de del desde hacia centro center facility carcel prison jail")


def _is_name_like(token: Token) -> bool:
    if token.is_number or token.fold in _SPOKEN | lexicon.AT | lexicon.TELLS | lexicon.LISTS | lexicon.CUSTODY:
        return False
    return is_borne(token.fold) or not is_ordinary(token.fold)


def _own_part(
    tokens: Sequence[Token], start: int, end: int, kind: int, place: Place, gazetteer: Gazetteer
) -> tuple[int, int]:
    """The stretch without words at its ends that are no part of the facility's name: a person's, before it."""
    if place.facility is None:
        return start, end
    own = words_of(place.facility, gazetteer)
    while start < kind and not _is_part(tokens[start], own):
        start += 1
    while end > kind + 1 and not _is_part(tokens[end - 1], own):
        end -= 1
    return start, end


def words_of(facility: str, gazetteer: Gazetteer) -> set[str]:
    """The folded words of a facility's names and of its town."""
    keys = {key for key, title in gazetteer.titles.items() if title == facility}
    names = [name for key, name in gazetteer.facilities if key in keys]
    towns = [fold_facility(" ".join(gazetteer.where[key])) for key in keys if key in gazetteer.where]
    return {word for name in (*names, *towns, fold_facility(facility)) for word in name.split()}


def alike(one: str, other: str) -> bool:
    """Whether two folded words are the same, or one misspelt."""
    from rapidfuzz import fuzz

    return one == other or fuzz.ratio(one, other) >= _LIKE


def _is_part(token: Token, own: set[str]) -> bool:
    words = fold_facility(token.text).split() if token.is_word else []
    return token.fold in _WITHIN or any(alike(word, name) for word in words for name in own)


def _windows(tokens: Sequence[Token], low: int, high: int, kind: int) -> Iterator[tuple[int, int]]:
    """The whole stretch, then shorter ones that still hold the word of a facility."""
    starts = [n for n in range(low, kind + 1) if tokens[n].fold not in lexicon.FROM | lexicon.OWNERS | {"y", "and"}]
    ends = [high] if high == kind + 1 else [high, kind + 1]
    tried = 0
    for start in starts:
        for end in ends:
            if end - start >= 2 and tried < _TRIES * 2:
                tried += 1
                yield start, end


def _may_be_within(tokens: Sequence[Token], number: int, own: frozenset[str]) -> bool:
    """Whether a word can be a part of a facility's name."""
    token = tokens[number]
    if not token.is_word:
        return token.text in "&/.-()"
    if token.fold in lexicon.AT or token.is_number:
        return False
    if token.fold in _WITHIN:
        return True
    return not is_ordinary(token.fold) or token.fold in own


@lru_cache(4)
def own_words(gazetteer: Gazetteer) -> frozenset[str]:
    """Words that set facilities' names apart, without those that sentences are made of."""
    return frozenset(word for _, name in gazetteer.facilities for word in telling(name).split()) - _SPOKEN


def _town(tokens: Sequence[Token], gazetteer: Gazetteer) -> Span | None:
    """A town that is known, with its state after it: "el paso, texas"."""
    towns = _towns(gazetteer)
    for number in range(1, len(tokens)):
        for length in (3, 2, 1):
            words = tokens[number : number + length]
            state = state_of(" ".join(word.fold for word in words)) if len(words) == length else None
            if state is None:
                continue
            end = number - 1 if tokens[number - 1].text == "," else number
            end = end - 1 if end and tokens[end - 1].fold in ("in", "en") else end
            for first in range(max(0, end - 4), end):
                name = fold_facility(_text(tokens[first:end]))
                if (name, state) in towns:
                    place = Place(city=towns[name, state], state=state, confidence=0.95)
                    return Span(first, number + length, place, _text(tokens[first : number + length]))
    return None


@lru_cache(4)
def _towns(gazetteer: Gazetteer) -> dict[tuple[str, str], str]:
    return {(fold_facility(city), state): city for city, state in gazetteer.places}


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens if token.is_word)
