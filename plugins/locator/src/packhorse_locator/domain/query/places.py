"""Which place a phrase names: a facility, a city with its state, or only a state."""

import re
from collections.abc import Mapping
from functools import cache

from attrs import frozen

from packhorse_locator.domain.facilities import STATES
from packhorse_locator.domain.facility_names import SURE, Scored, meant, rank, telling
from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.countries import SPANISH_STATES
from packhorse_locator.domain.query.parsed import Gazetteer, Reading
from packhorse_locator.domain.query.tokens import fold

NEAR = 88.0
"""Likeness (0 to 100) from which a city is the one that was typed."""

MOST = 5


@frozen
class Place:
    """What a phrase names. ``options`` has several where it cannot be told which."""

    facility: str | None = None
    city: str | None = None
    state: str | None = None
    confidence: float = 0.0
    options: tuple[Reading, ...] = ()

    @property
    def parameters(self) -> Mapping[str, str]:
        """Arguments of a search for facilities."""
        if self.facility is not None:
            return {"facility_name": self.facility}
        return {"city": self.city or "", "state": self.state or ""}


def place_of(phrase: str, gazetteer: Gazetteer) -> Place | None:
    """The place that ``phrase`` names; None where it names none that is known."""
    plain = " ".join(re.sub(r"[,;:?!\u00bf\u00a1()]", " ", phrase).split())
    if not plain:
        return None
    state, rest = _state_at_end(plain)
    ranked = _ranked(plain, rest, gazetteer)
    one = meant(ranked, gazetteer.in_use) or _of_one_name(ranked, gazetteer)
    if one is not None and (state is None or one.score >= 99 or _is_named(rest, one, gazetteer)):
        return Place(facility=gazetteer.titles[one.key], confidence=_sure(one.score))
    if state is not None:
        rest = _town(rest)
    city = _city(rest if state else plain, state, gazetteer)
    if city is not None and state is not None:
        return Place(city=city[0], state=state, confidence=0.95)
    if state is not None and rest:
        if not _is_word(rest) or looks_like_facility(rest):
            return None
        return Place(city=_title(rest), state=state, confidence=0.75)
    if state is not None:
        here = [(name, code) for name, code in gazetteer.places if code == state]
        return Place(options=tuple(_at(name, code) for name, code in here[:MOST]))
    if one is not None:
        return Place(facility=gazetteer.titles[one.key], confidence=_sure(one.score))
    several = [found for found in ranked if found.score >= SURE]
    if city is not None and not several:
        codes = [code for name, code in gazetteer.places if name == city[0]]
        if len(codes) == 1:
            return Place(city=city[0], state=codes[0], confidence=0.9)
        return Place(options=tuple(_at(city[0], code) for code in codes[:MOST]))
    inside = _in_its_city(plain, gazetteer)
    if inside is not None:
        return Place(facility=gazetteer.titles[inside], confidence=0.85)
    if several:
        named = [Reading("facility", {"facility_name": gazetteer.titles[found.key]}, 0.5) for found in several]
        cities = [_at(*city)] if city is not None else []
        return Place(options=tuple([*cities, *named][:MOST]))
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


def looks_like_facility(phrase: str) -> bool:
    """Whether ``phrase`` has one of the words that only a facility's name has."""
    return (
        re.search(
            r"\b(detention|correctional|processing|jail|facility|prison|residential|spc|center|centro|detencion|carcel)\b",
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


def _ranked(plain: str, rest: str, gazetteer: Gazetteer) -> list[Scored]:
    """Facilities by the whole phrase, or by what stands before "in City, State"."""
    found = rank(plain, gazetteer.facilities)
    head = re.split(r"\b(?:in|en|near)\b", plain, maxsplit=1)[0].strip()
    if head and head != plain:
        found = [*found, *rank(head, gazetteer.facilities)]
    best: dict[str, Scored] = {}
    for one in found:
        if one.key not in best or one.score > best[one.key].score:
            best[one.key] = one
    return sorted(best.values(), key=lambda one: (-one.score, one.key))


def _of_one_name(ranked: list[Scored], gazetteer: Gazetteer) -> Scored | None:
    """The best of several facilities that bear the very name: the name is what was asked for."""
    exact = [found for found in ranked if found.score >= 100.0]
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
    if not wanted or not names:
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


def _sure(score: float) -> float:
    return 0.97 if score >= 97 else 0.9


def _is_word(text: str) -> bool:
    words = text.split()
    plain = all(character.isalpha() or character in " .'-" for character in text)
    return plain and len(words) <= 4 and lexicon.AT.isdisjoint(fold(word) for word in words)


def _title(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split())
