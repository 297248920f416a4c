"""Finding a facility by a name that somebody typed: folded, abbreviations opened, typos allowed."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from attrs import frozen

SURE = 90.0
"""Score (0 to 100) from which one facility alone is meant."""

POSSIBLE = 78.0
"""Score from which a facility is offered as a candidate. Both were set on misspelt names of the facility list."""

APART = 4.0
"""How far the best must be above the second to be meant alone."""

FAR = 8.0
"""How far below the best a facility in use may be, where the others like it are not."""

EXACT = 98.0
"""Score of a name all of whose telling words are said, and no other."""

DOUBLED = 95.0
"""Score of a name that differs in doubled letters alone."""

_OPENED = {
    "co": "county",
    "corr": "correctional",
    "correction": "correctional",
    "corrections": "correctional",
    "ctr": "center",
    "carcel": "jail",
    "centre": "center",
    "centro": "center",
    "condado": "county",
    "correccional": "correctional",
    "detencion": "detention",
    "cntr": "center",
    "det": "detention",
    "dept": "department",
    "fac": "facility",
    "ft": "fort",
    "hosp": "hospital",
    "prision": "prison",
    "proc": "processing",
    "procesamiento": "processing",
    "reg": "regional",
    "rm": "room",
    "spc": "service processing center",
    "st": "saint",
    "svc": "service",
}
_OF_ALL = (
    "center county correctional department detention facility federal hold ice jail prison processing regional room"
    " service state the unit of de del el la los las and"
)
_GENERIC = frozenset(_OF_ALL.split())
_LONG_GENERIC = tuple(sorted(word for word in _GENERIC if len(word) >= 6))


@frozen
class Scored:
    """A facility's key and how well its name fits, from 0 to 100; ``whole`` counts all words of the name alike."""

    key: str
    score: float
    whole: float = 0.0


@lru_cache(8192)
def fold(text: str) -> str:
    """Lower-case words without accents or punctuation, usual abbreviations opened."""
    plain = text
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        plain = "".join(c for c in plain if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    words = re.findall(r"[a-z0-9]+", plain.casefold().replace("'", "").replace("\u2019", ""))
    return " ".join(_OPENED.get(word, word) for word in words)


@lru_cache(8192)
def telling(folded: str) -> str:
    """What is left without the words that every facility's name has."""
    return " ".join(word for word in folded.split() if word not in _GENERIC)


@frozen(eq=False)
class NameList:
    """Facilities' names made ready to be compared: keys, folded names, and what sets each apart, in one order."""

    keys: tuple[str, ...]
    wholes: tuple[str, ...]
    cores: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[tuple[str, str]]) -> "NameList":
        """From (key, folded name) pairs."""
        pairs = list(names)
        wholes = tuple(name for _, name in pairs)
        return cls(tuple(key for key, _ in pairs), wholes, tuple(telling(name) for name in wholes))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """(key, folded name) pairs."""
        return zip(self.keys, self.wholes, strict=True)


def rank(asked: str, names: NameList, limit: int = 8) -> list[Scored]:
    """Facilities whose name comes close to ``asked``, best first.

    Whole names are compared, and then the words that set a name apart: "karnes"
    is near "Karnes County Residential Center", while "county jail" is near none.
    """
    from rapidfuzz import fuzz, process

    wanted = " ".join(_generic_meant(word) for word in fold(asked).split())
    core = telling(wanted)
    apart = _spaced(names).get(core.replace(" ", ""))
    if apart is not None and apart != core and core in wanted:
        wanted, core = wanted.replace(core, apart), apart  # "northlake correctional"
    if not core:
        return []
    likeness = fuzz.token_sort_ratio
    scores: dict[int, float] = {}
    for name, score, place in process.extract(wanted, names.wholes, scorer=likeness, score_cutoff=POSSIBLE, limit=None):
        scores[place] = 100.0 if name == wanted else min(99.0, score)
    for _, score, place in process.extract(core, names.cores, scorer=likeness, score_cutoff=POSSIBLE, limit=None):
        scores[place] = max(scores.get(place, 0.0), min(98.0, score))
    own = set(core.split())
    first = next(iter(own))
    for place, other in enumerate(names.cores):
        if first in other and own <= set(other.split()):
            scores[place] = max(scores.get(place, 0.0), 92.0 + min(5.0, 5.0 * len(core) / len(other)))
    for place in _by_single_letters(names).get(single(core), ()):
        scores[place] = max(scores.get(place, 0.0), DOUBLED)
    best: dict[str, Scored] = {}
    for place, score in scores.items():
        key = names.keys[place]
        whole = fuzz.token_sort_ratio(wanted, names.wholes[place])
        if key not in best or (score, whole) > (best[key].score, best[key].whole):
            best[key] = Scored(key, score, whole)
    return sorted(best.values(), key=lambda one: (-one.score, one.key))[:limit]


@lru_cache(4)
def _spaced(names: NameList) -> dict[str, str]:
    """What sets facilities apart, by the same without its spaces."""
    return {core.replace(" ", ""): core for core in names.cores}


@lru_cache(4)
def _by_single_letters(names: NameList) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for place, core in enumerate(names.cores):
        found.setdefault(single(core), []).append(place)
    return {core: tuple(places) for core, places in found.items()}


def single(text: str) -> str:
    """Without doubled letters, which are the first to be misspelt: "Cimmaron"."""
    return re.sub(r"([a-z])\1", r"\1", text)


def _generic_meant(word: str) -> str:
    """One of the words that every facility's name has, where it is only misspelt; the word itself otherwise."""
    from rapidfuzz import fuzz, process

    if len(word) < 6 or word in _GENERIC:
        return word
    found = process.extractOne(word, _LONG_GENERIC, scorer=fuzz.ratio, score_cutoff=85.0)
    return found[0] if found else word


def meant(ranked: list[Scored], in_use: Collection[str] = ()) -> Scored | None:
    """The one that is meant, where only one can be: by far the best, or the only good one that is in use.

    Lists keep facilities that closed long ago; ``in_use`` are the keys of those
    that have people now.
    """
    if not ranked or ranked[0].score < SURE:
        return None
    best = ranked[0].score
    rivals = [one for one in ranked[1:] if best - one.score < APART and (best < 100.0 or one.score >= 100.0)]
    if not rivals:
        return ranked[0]
    used = [one for one in ranked if one.key in in_use and one.score >= SURE and best - one.score < FAR]
    if not used and best >= EXACT > ranked[1].score and ranked[0].whole - ranked[1].whole >= APART:
        return ranked[0]
    if len(used) == 1:
        return used[0]
    # Of several with the same telling words the kind decides: a processing center is no county jail.
    alike = sorted(used or [ranked[0], *rivals], key=lambda one: -one.whole)
    return alike[0] if alike[0].whole >= SURE and alike[0].whole - alike[1].whole >= APART else None
