"""Which column is which field, and which name is which row."""

import re
from collections.abc import Mapping, Sequence

from packhorse_discovery.domain.eads import Block, Field, slug

_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "duration": (
        "duration",
        "time",
        "how long",
        "takes",
        "length",
        "minutes",
        "hours",
        "processing time",
        "cycle time",
    ),
    "resources": (
        "resource",
        "equipment",
        "machine",
        "workstation",
        "station",
        "done on",
        "runs on",
        "work centre",
        "work center",
        "work place",
        "where",
        "who or what",
        "needs",
    ),
    "inputs": ("input", "ingredient", "raw material", "consumes"),
    "outputs": ("output", "produces", "yields", "result"),
    "after": ("after", "comes after", "predecessor", "depends on", "follows", "must wait for"),
    "setup": ("setup", "set up", "changeover", "cleaning before"),
    "quantity": ("quantity", "qty", "amount", "how many", "number of", "batches", "units"),
    "due": ("due", "due date", "deadline", "ship date", "needed by", "promised", "deliver by"),
    "release": ("release", "available from", "earliest", "can start", "ready"),
    "priority": ("priority", "weight", "importance", "urgency"),
    "count": ("count", "how many", "number", "quantity", "qty"),
    "capacity": ("capacity", "holds", "size"),
    "product": ("product", "item", "what", "sku", "beer", "family"),
    "optional?": ("optional",),
}
_KEY_WORDS = (
    "step",
    "process",
    "task",
    "operation",
    "activity",
    "name",
    "stage",
    "job",
    "order",
    "event",
    "resource",
    "type",
    "customer",
    "client",
)


_PLURAL_WORD = re.compile(r"[^s\W]s\s*$", re.IGNORECASE)
"""A heading such as "jobs", which is rather how many there are than which."""


def parents(block: Block, headers: Sequence[str]) -> list[int]:
    """The columns that name the lists around this one, outermost first, where the headings say so."""
    wanted = [stems(path[-1].replace("-", " ")) for path, _ in block.parents]
    found = [next((place for place, head in enumerate(headers) if stems(head) == one), -1) for one in wanted]
    return [] if -1 in found else found


def columns(block: Block, headers: Sequence[str], taken: Sequence[int] = ()) -> dict[int, Field]:
    """The field of each column, by its place; a column that fits none, or is ``taken``, is left out.

    The key of the list is the column that names it best, else the first.
    """
    fields = {field.name: field for field in block.fields}
    scored = [
        (score(field, header), -place, place, field)
        for place, header in enumerate(headers)
        for field in fields.values()
        if (field.name != block.key or len(block.keys) > 1) and place not in taken
    ]
    bound: dict[int, Field] = {}
    for points, _, place, field in sorted(scored, key=lambda one: one[:2], reverse=True):
        if points > 0 and place not in bound and field not in bound.values():
            bound[place] = field
    key = fields.get(block.key or "")
    if key is not None:
        free = [place for place in range(len(headers)) if place not in bound and place not in taken]
        named = [place for place in free if score(key, headers[place]) > 0 or _key_word(headers[place])]
        named.sort(key=lambda place: (_PLURAL_WORD.search(headers[place]) is not None, -score(key, headers[place])))
        chosen = named or free or [0]
        bound[chosen[0]] = key
    return bound


def score(field: Field, header: str) -> float:
    """How well a heading fits a field: 3 for its own name, 2 for an alias, less for a shared word, 0 for nothing."""
    words = _words(header)
    if words == _words(field.label) or words == _words(field.name):
        return 3.0
    for alias in field.aliases:
        if _words(alias) == words or f" {_words(alias)} " in f" {words} ":
            return 2.5
    known = _SYNONYMS.get(field.name, ())
    if any(f" {stems(alias)} " in f" {stems(header)} " for alias in (field.label, *known)):
        return 2.0
    mine, its = set(stems(field.label).split()), set(stems(header).split())
    return len(mine & its) / len(mine) if mine else 0.0


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


def _key_word(header: str) -> bool:
    return any(_stem(word) in stems(header).split() for word in _KEY_WORDS)


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())


_SMALL = frozenset(
    {
        "the",
        "a",
        "an",
        "of",
        "and",
        "to",
        "in",
        "on",
        "for",
        "our",
        "is",
        "are",
        "its",
        "into",
        "one",
        "each",
        "every",
        "per",
    }
)


def stems(text: str) -> str:
    """The words of ``text`` without their endings and without small ones, to compare by."""
    return " ".join(_stem(word) for word in _words(text).split() if word not in _SMALL and not word.isdigit())


_PLURALS = {
    "shelves": "shelf", "loaves": "loaf", "knives": "knife", "halves": "half", "leaves": "leaf", "scarves": "scarf",
    "calves": "calf", "hooves": "hoof",
}  # fmt: skip


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
