"""Which place a phrase names: a facility, a city with its state, or only a state."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from attrs import frozen

from packhorse_locator.domain.facilities import STATES
from packhorse_locator.domain.facility_names import SURE, Scored, meant, rank, telling
from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_well_known
from packhorse_locator.domain.query.countries import COUNTRIES, SPANISH_STATES
from packhorse_locator.domain.query.parsed import Gazetteer, Reading
from packhorse_locator.domain.query.tokens import Token, fold

NEAR = 88.0
"""Likeness (0 to 100) from which a city is the one that was typed."""

MOST = 5


@frozen
class Place:
    """What a phrase names. ``options`` has several where it cannot be told which, ``others`` the states of a town."""

    facility: str | None = None
    city: str | None = None
    state: str | None = None
    confidence: float = 0.0
    options: tuple[Reading, ...] = ()
    others: tuple[Reading, ...] = ()

    @property
    def parameters(self) -> Mapping[str, str]:
        """Arguments of a search for facilities."""
        if self.facility is not None:
            return {"facility_name": self.facility}
        return {"city": self.city or ""} | ({"state": self.state} if self.state else {})


def place_of(phrase: str, gazetteer: Gazetteer) -> Place | None:
    """The place that ``phrase`` names; None where it names none that is known.

    A town alone is a town, also where a facility is called after it: with its
    state where the registry knows it in one, without where it knows several. It
    names a facility only together with a word that facilities have ("the
    Batavia center").
    """
    plain = " ".join(re.sub(r"[,;:?!\u00bf\u00a1()]", " ", phrase).split())
    state, rest = _state_at_end(plain)
    if not plain or (state is None and fold(plain) in COUNTRIES):
        return None
    within = _holding(plain, gazetteer) if state and rest else None
    if within is not None:
        return Place(facility=gazetteer.titles[within], confidence=0.97)
    town = None if looks_like_facility(plain) else _town_alone(rest if state else plain, state, gazetteer)
    if town is not None:
        return town
    ranked = _ranked(plain, rest, state, gazetteer)
    there = _at_its_town(plain, gazetteer) if not ranked or ranked[0].score < 100.0 else None
    if there is not None:
        return Place(facility=gazetteer.titles[there.key], confidence=_sure(there.score))
    one = meant(ranked, gazetteer.in_use) or _of_one_name(ranked, plain, gazetteer)
    if one is not None and (state is None or one.score >= 99 or _is_named(rest, one, gazetteer)):
        return Place(facility=gazetteer.titles[one.key], confidence=_sure_of(one, plain, gazetteer))
    if state is not None:
        return _of_state(_town(rest), state, gazetteer)
    city = _city(plain, None, gazetteer)
    if one is not None:
        return Place(facility=gazetteer.titles[one.key], confidence=_sure_of(one, plain, gazetteer))
    several = [found for found in ranked if found.score >= SURE]
    if city is not None and not several:
        return _in_one_state(city[0], 0.8, gazetteer)
    inside = _in_its_city(plain, gazetteer)
    if inside is not None:
        return Place(facility=gazetteer.titles[inside], confidence=0.85)
    named = [Reading("facility", {"facility_name": gazetteer.titles[found.key]}, 0.5) for found in several]
    cities = [_at(*city)] if city is not None else []
    return Place(options=tuple([*cities, *named][:MOST])) if several else _of_kind(plain, gazetteer)


def _of_kind(plain: str, gazetteer: Gazetteer) -> Place | None:
    """The town, where nothing else than a kind of facility is said of it: "the jail in Lumpkin", "carcel de Basile"."""
    words = [word for word in telling(fold_facility(plain)).split() if word not in _BESIDE_TOWNS]
    town = " ".join(words)
    if not looks_like_facility(plain) or town not in _towns(gazetteer):
        return None
    return _in_one_state(next(iter(_towns(gazetteer)[town].values())), 0.85, gazetteer)


_BESIDE_TOWNS = lexicon.AT | lexicon.FROM
"""What stands between a kind of facility and its town."""


def _holding(plain: str, gazetteer: Gazetteer) -> str | None:
    """The one facility in use whose name has these very words, the state's among them: "camp east montana"."""
    words = fold_facility(plain)
    if words.count(" ") < 2:
        return None
    found = {key for key, name in gazetteer.facilities if f" {words} " in f" {name} " and key in gazetteer.in_use}
    return found.pop() if len({gazetteer.titles[key] for key in found}) == 1 else None


def _of_state(rest: str, state: str, gazetteer: Gazetteer) -> Place | None:
    """The town before a state, known or not; all towns of the state where none is said."""
    if set(fold(rest).split()) <= _QUARTERS:
        return Place(options=towns_of(state, gazetteer))
    city = _city(rest, state, gazetteer)
    if city is not None:
        return Place(city=city[0], state=state, confidence=0.95)
    if not _is_word(rest) or looks_like_facility(rest):
        return None
    return Place(city=_title(rest), state=state, confidence=0.75)


def towns_of(state: str, gazetteer: Gazetteer) -> tuple[Reading, ...]:
    """Searches in towns of a state that have a facility."""
    return tuple([_at(name, code) for name, code in gazetteer.places if code == state][:MOST])


def _town_alone(text: str, state: str | None, gazetteer: Gazetteer) -> Place | None:
    """The town that is spelt like this; the alternatives where it can as well be a facility of another place.

    A word that no town is spelt like may be a town or a facility misspelt: it is a town where it is nearer to that.
    """
    from rapidfuzz import fuzz, process

    towns = _towns(gazetteer)
    wanted = fold_facility(text)
    name, score = wanted, 100.0
    if wanted not in towns:
        near = process.extractOne(wanted, towns.keys(), scorer=fuzz.ratio, score_cutoff=NEAR)
        if near is None or len(wanted) < _SHORT or is_well_known(wanted):
            return None
        name, score, _ = near
        own = process.extractOne(wanted, gazetteer.facilities.cores, scorer=fuzz.ratio, score_cutoff=score)
        if own is not None and own[0] not in towns and own[1] > score:
            return None
    if state is not None:
        return Place(city=towns[name][state], state=state, confidence=0.95) if state in towns[name] else None
    city = next(iter(towns[name].values()))
    here, elsewhere = _namesakes(name, gazetteer)
    if len(here) > 1 or (elsewhere and not any(fold_facility(where) == name for where, _ in _in_use_at(gazetteer))):
        offered = [_at(city, code) for code in towns[name]] + [
            Reading("facility", {"facility_name": gazetteer.titles[key]}, 0.5) for key in (*here, *elsewhere)
        ]
        return Place(options=tuple(offered[:MOST]))
    return _in_one_state(city, 0.9 if score == 100.0 else 0.8, gazetteer)


_QUARTERS = lexicon.words(
    """north south east west northern southern eastern western central upstate downstate rural state of part parts the
    all norte sur este oeste estado de el del"""
)
"""Words before a state that make no town of it."""
_SHORT = 6
"""Letters below which a word is taken for a town only where it is spelt like one."""


def _in_one_state(city: str, confidence: float, gazetteer: Gazetteer) -> Place:
    """A town without its state: with the state where it is known in one only."""
    towns = _towns(gazetteer)[fold_facility(city)]
    if len(towns) == 1:
        return Place(city=city, state=next(iter(towns)), confidence=confidence)
    others = tuple(_at(name, code) for code, name in towns.items())
    return Place(city=city, confidence=min(confidence, 0.8), others=others[:MOST])


@lru_cache(4)
def _towns(gazetteer: Gazetteer) -> dict[str, dict[str, str]]:
    """By folded name: the states that have the town, each with the town's own spelling."""
    found: dict[str, dict[str, str]] = {}
    for city, state in gazetteer.places:
        found.setdefault(fold_facility(city), {})[state] = city
    return found


@lru_cache(4)
def _in_use_at(gazetteer: Gazetteer) -> frozenset[tuple[str, str]]:
    return frozenset(gazetteer.where[key] for key in gazetteer.in_use if key in gazetteer.where)


def called_after(place: Place, gazetteer: Gazetteer) -> str | None:
    """The one facility in use that is called after the town it stands in: what is meant by visiting hours "at Eloy"."""
    here, _ = _namesakes(fold_facility(place.city or ""), gazetteer)
    return gazetteer.titles[here[0]] if len(here) == 1 else None


def _namesakes(town: str, gazetteer: Gazetteer) -> tuple[list[str], list[str]]:
    """Facilities in use that are called little else than the town: those in it, and those of other places."""
    words, names = set(town.split()), gazetteer.facilities
    here: list[str] = []
    elsewhere: list[str] = []
    for key, name, core in zip(names.keys, names.wholes, names.cores, strict=True):
        own = core.split()
        if key not in gazetteer.in_use or not words <= set(name.split()) or len(own) > 2 * len(words):
            continue
        city = fold_facility(gazetteer.where.get(key, ("", ""))[0])
        side = here if city == town else elsewhere
        if key not in side:
            side.append(key)
    return here, elsewhere


def _at_its_town(plain: str, gazetteer: Gazetteer) -> Scored | None:
    """The facility of the town that is said after it: "krome de miami", "delany hall in newark"."""
    words = _state_at_end(plain)[1].split()
    for length in (3, 2, 1):
        head, tail = words[:-length], fold_facility(" ".join(words[-length:]))
        if len(head) > 1 and fold(head[-1]) in lexicon.AT | lexicon.FROM:
            head = head[:-1]
        if not head or tail not in _towns(gazetteer):
            continue
        here = {key for key, (city, _) in gazetteer.where.items() if fold_facility(city) == tail}
        ranked = [one for one in rank(" ".join(head), gazetteer.facilities, limit=40) if one.key in here]
        one = meant(ranked, gazetteer.in_use)
        if one is not None and (looks_like_facility(" ".join(head)) or one.score >= SURE):
            return one
    return None


def _town(rest: str) -> str:
    """What comes last in "a detention center in Dilley"; all of it where more than such words come before."""
    head, _, tail = (part.strip() for part in re.sub(r"\b(?:in|en|at|near|cerca de)\b", "\n", rest).rpartition("\n"))
    own = set(telling(fold_facility(head.replace("\n", " "))).split())
    return tail if head and not own - lexicon.STOPS - lexicon.OWNERS else rest


def is_place(phrase: str, gazetteer: Gazetteer) -> bool:
    """Whether ``phrase`` is a city or a facility that is known."""
    found = place_of(phrase, gazetteer)
    return found is not None and (bool(found.options) or found.confidence >= 0.8)


def is_town_or_state(words: Sequence[Token], gazetteer: Gazetteer) -> bool:
    """Whether words are the name of a town that is known, or of a state."""
    name = " ".join(word.fold for word in words)
    return fold_facility(name) in _towns(gazetteer) or state_of(name) is not None


def looks_like_facility(phrase: str) -> bool:
    """Whether ``phrase`` has one of the words that only a facility's name has."""
    return (
        re.search(
            r"\b(detention|correctional|corrections?|processing|jail|facility|prison|prision|residential|spc|center|centre|ctr|centro"
            r"|detencion|carcel|county|parish|condado|annex|federal|contract|penitentiary|institution|staging|ipc|procesamiento)\b",
            fold(phrase),
        )
        is not None
    )


def state_of(text: str) -> str | None:
    """The state that ``text`` names, in full or by its two letters."""
    name = fold(text).strip(". ")
    return name.upper() if name.upper() in STATES and len(name) == 2 else _states().get(name)


@cache
def _states() -> dict[str, str]:
    return {**{fold(name): code for code, name in STATES.items()}, **SPANISH_STATES}


def _state_at_end(plain: str) -> tuple[str | None, str]:
    words = plain.split()
    for length in (3, 2, 1):
        if len(words) >= length:
            code = state_of(" ".join(words[-length:]))
            two_letters = length == 1 and len(words[-1].strip(".")) == 2
            if code is not None and not (two_letters and len(words) == 1):
                return code, " ".join(words[:-length])
    return None, plain


def _ranked(plain: str, rest: str, state: str | None, gazetteer: Gazetteer) -> list[Scored]:
    """Facilities by the whole phrase, by what stands before "in City, State", or before a state that is theirs."""
    found = rank(plain, gazetteer.facilities)
    head = re.split(r"\b(?:in|en|near)\b", plain, maxsplit=1)[0].strip()
    if head and head != plain:
        found = [*found, *rank(head, gazetteer.facilities)]
    if state is not None and looks_like_facility(rest):
        within = [one for one in rank(rest, gazetteer.facilities) if gazetteer.where.get(one.key, ("", ""))[1] == state]
        found = [*found, *within]
    best: dict[str, Scored] = {}
    for one in found:
        if one.key not in best or one.score > best[one.key].score:
            best[one.key] = one
    return sorted(best.values(), key=lambda one: (-one.score, one.key))


def _of_one_name(ranked: list[Scored], plain: str, gazetteer: Gazetteer) -> Scored | None:
    """The best of several facilities that bear the very name: the name is what was asked for, before an alias."""
    named = fold_facility(plain)
    exact = [found for found in ranked if found.score >= 100.0]
    exact = [found for found in exact if fold_facility(gazetteer.titles[found.key]) == named] or exact
    return exact[0] if exact and len({gazetteer.titles[found.key] for found in exact}) == 1 else None


def _is_named(rest: str, one: Scored, gazetteer: Gazetteer) -> bool:
    """Whether the phrase has a word of the facility's name beyond its place."""
    own = set(telling(fold_facility(gazetteer.titles[one.key])).split())
    cities = {word for name, _ in gazetteer.places for word in fold_facility(name).split()}
    return looks_like_facility(rest) or bool(own & set(fold_facility(rest).split()) - cities)


def _city(text: str, state: str | None, gazetteer: Gazetteer) -> tuple[str, str] | None:
    from rapidfuzz import fuzz, process

    wanted = fold_facility(text)
    here = [(name, code) for name, code in gazetteer.places if state in (None, code)]
    names = [fold_facility(name) for name, _ in here]
    if not wanted or not names or (is_well_known(wanted) and wanted not in names):
        return None
    found = process.extractOne(wanted, names, scorer=fuzz.ratio, score_cutoff=NEAR)
    return here[found[2]] if found else None


def _in_its_city(plain: str, gazetteer: Gazetteer) -> str | None:
    """The facility that a phrase names by its city and one of its own words: "tacoma northwest"."""
    words = fold_facility(plain)
    found = set()
    for key, name in gazetteer.facilities:
        city = fold_facility(gazetteer.where.get(key, ("", ""))[0])
        if not city or f" {city} " not in f" {words} ":
            continue
        rest = set(telling(f" {words} ".replace(f" {city} ", " ")).split())
        if rest and rest <= set(telling(name).split()):
            found.add(key)
    return found.pop() if len(found) == 1 else None


def _at(city: str, state: str) -> Reading:
    return Reading("facility", {"city": city, "state": state}, 0.5)


def _sure_of(one: Scored, plain: str, gazetteer: Gazetteer) -> float:
    """Less for a facility that nobody is held at now, where not all of its own words are said: another may be meant."""
    said = len(telling(fold_facility(plain)).split())
    if one.key in gazetteer.in_use or one.whole >= WHOLE:
        return _sure(one.score)
    own = telling(fold_facility(gazetteer.titles[one.key])).split()
    return 0.9 if one.score >= SURE and len(own) > 1 and said == len(own) else UNLIKELY


WHOLE = 85.0
"""Likeness (0 to 100) of whole names from which a closed facility is meant."""
UNLIKELY = 0.65


def _sure(score: float) -> float:
    return 0.97 if score >= 97 else 0.9


def _is_word(text: str) -> bool:
    words = text.split()
    plain = all(character.isalpha() or character in " .'-" for character in text)
    return plain and len(words) <= 4 and lexicon.AT.isdisjoint(fold(word) for word in words)


def _title(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split())
