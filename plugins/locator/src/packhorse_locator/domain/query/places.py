"""Which place a phrase names: a ZIP code, a town with its state, or a facility all of whose said words occur in it."""

import re
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen
from rapidfuzz.distance import OSA

from packhorse_locator.domain.facility_names import NameList, telling
from packhorse_locator.domain.facility_names import fold as fold_facility
from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.parsed import Reading
from packhorse_locator.domain.query.tokens import fold

SURE = 0.95
TYPED_WRONG = 0.85
"""Confidence of a place one of whose words is one letter off."""
LONG_WORD = 5
"""Letters from which on a word may be one letter off."""
MOST = 5
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_ARTICLES = ("the ", "el ", "la ", "los ", "las ")


@frozen(eq=False)
class Gazetteer:
    """The places that the registry knows.

    ``facilities`` are their names by key and ``titles`` a facility's name by key; ``in_use`` are keys of those that
    have people now; ``towns`` are the (city, state) pairs that have a facility.
    """

    facilities: NameList
    titles: Mapping[str, str]
    in_use: Collection[str]
    towns: Sequence[tuple[str, str]]


@frozen
class Place:
    """What a phrase names; ``options`` are the readings where it may be several."""

    parameters: Mapping[str, str]
    confidence: float
    options: tuple[Reading, ...] = ()

    @property
    def is_facility(self) -> bool:
        """Whether it is one facility by name."""
        return "facility_name" in self.parameters


def place_of(phrase: str, gazetteer: Gazetteer, lexicon: Lexicon) -> Place | None:
    """The place that the whole phrase names; None where a word of it is left over."""
    plain = " ".join(re.sub(r"[;:?!\u00bf\u00a1()\".]", " ", phrase).split()).strip(" ,")
    if not plain:
        return None
    for tried in (plain, _without_article(plain)):
        found = _place(tried, gazetteer, lexicon)
        if found is not None:
            return found
    return None


def _without_article(phrase: str) -> str:
    for article in _ARTICLES:
        if phrase.casefold().startswith(article):
            return phrase[len(article) :]
    return phrase


def _place(plain: str, gazetteer: Gazetteer, lexicon: Lexicon) -> Place | None:
    if _ZIP.fullmatch(plain):
        return Place({"zip_code": plain}, SURE)
    state, rest = _state_at_end(plain, lexicon)
    exact = _facility(plain, gazetteer, exact=True)
    if exact is not None:
        return exact
    if state is not None and not rest:
        towns = [town for town in gazetteer.towns if town[1] == state]
        return _choice([Reading("facility", {"city": city, "state": state}, 0.5) for city, state in towns[:MOST]])
    towns = [town for town in gazetteer.towns if fold(town[0]) == fold(rest) and state in (None, town[1])]
    if len(towns) == 1:
        return Place({"city": towns[0][0], "state": towns[0][1]}, SURE)
    if len(towns) > 1:
        return _choice([Reading("facility", {"city": city, "state": state}, 0.5) for city, state in towns[:MOST]])
    inside = _facility(rest if state is not None else plain, gazetteer)
    if inside is not None:
        return inside
    if state is not None and _is_town(rest):
        return Place({"city": rest.title(), "state": state}, TYPED_WRONG)
    return None


def _choice(options: Sequence[Reading]) -> Place | None:
    if not options:
        return None
    if len(options) == 1:
        return Place(dict(options[0].parameters), SURE)
    return Place({}, 0.5, tuple(options))


def _state_at_end(plain: str, lexicon: Lexicon) -> tuple[str | None, str]:
    """The state that a phrase ends in, and what stands before it; a code only behind a comma or in capitals."""
    words = plain.split()
    for count in (3, 2, 1):
        if len(words) < count:
            continue
        ending = " ".join(words[-count:]).strip(",")
        code = lexicon.states.get(fold(ending))
        before = " ".join(words[:-count])
        is_code = len(ending) == len("TX")
        if code is not None and (not is_code or ending.isupper() or before.endswith(",")):
            return code, before.strip(" ,")
    return None, plain


def _is_town(text: str) -> bool:
    """Whether it may be a town that the list does not have: a few words of letters, none of which facilities have."""
    words = text.split()
    return (
        0 < len(words) <= 3
        and all(word.replace("-", "").replace("'", "").isalpha() for word in words)
        and telling(fold_facility(text)) == fold_facility(text)
    )


def _facility(phrase: str, gazetteer: Gazetteer, *, exact: bool = False) -> Place | None:
    """The facility of whose name every word was said, one letter aside; with ``exact`` only by its whole name."""
    said = fold_facility(phrase)
    if exact:
        keys = {key for key, name in gazetteer.facilities if name == said}
        return _one_of(keys, gazetteer, SURE)
    core = telling(said).split()
    if not core or not set(said.split()) - {""}:
        return None
    for off, confidence in ((0, SURE), (1, TYPED_WRONG)):
        keys = {
            key
            for key, name in gazetteer.facilities
            if all(any(_is_word(word, other, off) for other in name.split()) for word in said.split())
        }
        found = _one_of(keys, gazetteer, confidence)
        if found is not None:
            return found
    return None


def _is_word(said: str, written: str, off: int) -> bool:
    if said == written:
        return True
    return bool(off) and len(said) >= LONG_WORD and OSA.distance(said, written, score_cutoff=off) <= off


def _one_of(keys: Collection[str], gazetteer: Gazetteer, confidence: float) -> Place | None:
    titles = sorted({gazetteer.titles[key] for key in keys})
    used = sorted({gazetteer.titles[key] for key in keys if key in gazetteer.in_use})
    chosen = used if len(titles) > 1 and len(used) == 1 else titles
    if not chosen:
        return None
    if len(chosen) == 1:
        return Place({"facility_name": chosen[0]}, confidence)
    return Place({}, 0.5, tuple(Reading("facility", {"facility_name": title}, 0.5) for title in chosen[:MOST]))
