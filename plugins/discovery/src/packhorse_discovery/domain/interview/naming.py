"""Which row a name means, in whatever form the name is written."""

import re
from collections.abc import Mapping

from packhorse_discovery.domain.schema.eads import slug

_SMALL = frozenset(re.findall(r"\w+", "the a an of and to in on for our is are its into one each every per"))
_PLURALS = {
    "shelves": "shelf", "loaves": "loaf", "knives": "knife", "halves": "half", "leaves": "leaf", "scarves": "scarf",
    "calves": "calf", "hooves": "hoof",
}  # fmt: skip


def row_for(name: str, known: Mapping[str, str]) -> str | None:
    """The id of the known row (id to name) that ``name`` means: by id, else by its words, all of the shorter's."""
    wanted = slug(name)
    if wanted in known:
        return wanted
    mine = set(stems(name).split())
    fits = []
    for row, label in known.items():
        its = set(stems(label or row).split())
        shared = mine & its
        if shared and (shared in (mine, its)):
            fits.append((len(shared) / max(len(mine), len(its)), row))
    fits.sort(reverse=True)
    if not fits or (len(fits) > 1 and fits[0][0] == fits[1][0]) or fits[0][0] < 0.5:
        return None
    return fits[0][1]


def same_row(name: str, known: Mapping[str, str]) -> str | None:
    """The id of the known row of the same name but for endings: "curing" is "cure", "boil stout" is not "boil"."""
    wanted = slug(name)
    mine = sorted(stems(name).split())
    same = (row for row, label in known.items() if mine and sorted(stems(label or row).split()) == mine)
    return wanted if wanted in known else next(same, None)


def stems(text: str) -> str:
    """The words of ``text`` without their endings and without small ones, to compare by."""
    words = re.sub(r"[^\w]+", " ", text.casefold()).split()
    return " ".join(_stem(word) for word in words if word not in _SMALL)


def _stem(word: str) -> str:
    word = _PLURALS.get(word, word)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ation", "ion", "ing", "ie", "or", "er", "ed", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word
