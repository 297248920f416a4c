"""A step told in parts, in whichever order: "sawing (panel saw) - 15 min", "panel saw | sawing | 15 min"."""

import re
from typing import TypeVar

from attrs import evolve

from packhorse_discovery.domain import places, quantities
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.labels import unlabelled
from packhorse_discovery.domain.step_names import cleaned
from packhorse_discovery.domain.told import Told
from packhorse_discovery.domain.units import family_of

_Step = TypeVar("_Step", Told, Told | None)

_PARTS = re.compile(r"\s*[,;|()\[\]\t]\s*|\s*=\s*|:\s+|\.\s+|\s+[-\u2013\u2014/]+\s+")
_AROUND_TIME = re.compile(
    r"^(?:(?:takes?|taking|lasts?|for|is|it|about|roughly|time|another|needs?|that['\u2019]s|which|this|"
    r"approx\.?|only|just|~)\b\s*)*$",
    re.IGNORECASE,
)
_AFTER_TIME = re.compile(
    r"^(?:(?:per|a|an|each|every|for (?:each|every|one))\s+(?:[a-z]+)|each|apiece|or so|only|roughly|total|"
    r"in all|usually|long)\b\.?\s*",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:is\s+|are\s+)?(?:done\s+|made\s+)?(?:on|in|at|with|using|by|via|inside|under)\s+(?:(?:the|an?|our|"
    r"one of the)\s+)?(?P<what>[^\W\d].*)$",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\b(?:is|are|was|we|it|they|you|because|so|but|if|when|not|no|depending|per|each|the|have|has|had|does|do|"
    r"some)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"^[a-z-]+\s+(?:the|each|it|them)\b(?=(?:\s+[a-z-]+){0,2}$)", re.IGNORECASE)
"""``plane the faces``: a verb and what it is done to, which is no remark."""
WORK = re.compile(
    r"^(?:[a-z]+[- ])*(?:[a-z]{2,}(?:ing|(?<!sta)[st]ion|ment)|check|test|control|rinse|finish|cut|wash|bake)$",
    re.IGNORECASE,
)
"""A name of work rather than of a machine: "sawing", "final polishing"."""
_BEGINS_WITH_WORK = re.compile(
    r"^(?!(?:spr|str|th|k|w|r|dur)ing\b)[a-z-]{2,}ing\s+(?:up|out|off|down|in|on|over|together|apart|away|back|to|"
    r"for|and|"
    r"the|an?|both|all|each|every|it|them|by|into|from)\b",
    re.IGNORECASE,
)
"""``gluing up``, ``planing both sides``."""
_CLAUSE = re.compile(r"^(?:and|the|we|it|they|you|i|then|next)\b|\b(?:is|are|gets?|takes?|we|they)\b", re.IGNORECASE)
"""What a sentence has and a name has not."""
_EDGES = " .:-\u2013\u2014"
_LONG = 5
"""More words than this are a remark, not a name."""


def record(line: str) -> Told | None:
    """The step that the parts of ``line`` are: one time, one name, and where it is done when that is said.

    None where it has not exactly one time, or more words than a name and a
    place account for.
    """
    flat = digits(unlabelled(line)).strip(" .")
    times = [one for one in quantities.find(flat) if family_of(one.quantity.unit) == "time"]
    if not times or len(times) > 1:
        return None
    time = times[0]
    head, tail = flat[: time.start].rstrip(" ~"), flat[time.end :]
    while (shorter := _AFTER_TIME.sub("", tail.lstrip())) != tail:
        tail = shorter
    parts = [part.strip(_EDGES) for side in (head, tail) for part in _PARTS.split(side) if part.strip(_EDGES)]
    names: list[str] = []
    where: list[str] = []
    free = False
    for part in parts:
        if _AROUND_TIME.match(part):
            continue
        if (names or where) and places.occupies_nothing(part):
            free = True
        elif placed := _PLACE.match(part):
            where.append(placed["what"])
        elif not (names and (_REMARK.search(_OBJECT.sub("", part)) or len(part.split()) > _LONG)):
            names.append(part)
    if not names or len(names) > (1 if where or free else 2):
        return None
    if len(names) == 1 and not where and not free:
        name, inside = places.named(names[0])
        return _told(name, inside, flat, line) if inside else None
    if len(names) == 2:
        name, place = work_and_place(*names)
        names, where = [name], [place]
    return _told(names[0], tuple(where[:1]), flat, line)


def is_work(name: str) -> bool:
    """Whether a name is of work: "sawing", "cutting to length", and no "cutting table"."""
    return bool(WORK.match(name) or _BEGINS_WITH_WORK.match(name)) and not places.is_equipment(name)


def work_and_place(first: str, second: str) -> tuple[str, str]:
    """Two names, the one of the work first; as they stand where neither, or either, can be it."""
    return (second, first) if is_work(second) and not is_work(first) else (first, second)


def aligned(steps: list[_Step]) -> list[_Step]:
    """Steps of one list, name and place changed where most have a machine for a name and none for a place.

    The items of a list are told alike: "saw, cut to size; planer, plane the faces".
    """
    placed = [one for one in steps if one is not None and len(one.resources) == 1]
    turned = sum(places.is_equipment(one.name) and not places.is_equipment(one.resources[0]) for one in placed)
    straight = sum(places.is_equipment(one.resources[0]) and not places.is_equipment(one.name) for one in placed)
    if turned < 2 or turned < 2 * straight or 2 * turned < len(placed):
        return steps
    return [evolve(one, name=one.resources[0], resources=(one.name,)) if one in placed else one for one in steps]


def _told(name: str, where: tuple[str, ...], flat: str, line: str) -> Told | None:
    if len(name.split()) > _LONG or any(len(one.split()) > _LONG or re.search(r"\d", one) for one in where):
        return None
    name = (cleaned(name) if _CLAUSE.search(name) else name) or name
    said = tuple(one for one in where if not places.occupies_nothing(one))
    return Told(name.strip(" ."), quantities.first_duration(flat), said, line, free=not said)
