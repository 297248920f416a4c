"""Steps told in running text: "first we mill the grain for an hour, then mash for 90 minutes in the mash tun"."""

import re
from itertools import zip_longest

from attrs import evolve

from packhorse_discovery.domain import frames, quantities, shared_places
from packhorse_discovery.domain.asides import waitings
from packhorse_discovery.domain.clauses import COMES, Clause, clauses
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.numbering import with_open_time
from packhorse_discovery.domain.places import (
    PLACE,
    first_places,
    last_place,
    manners,
    occupies_nothing,
    places_in,
    resources_in,
)
from packhorse_discovery.domain.records import aligned, is_work, record, work_and_place
from packhorse_discovery.domain.step_names import PASSIVE, TAKES, cleaned, name_in, without
from packhorse_discovery.domain.told import Told, Whole
from packhorse_discovery.domain.worktimes import duration as worktime
from packhorse_discovery.domain.worktimes import of_no_work, spans

_ARROW = re.compile(r"\s{0,4}(?:\u2192|->|=>|\u27f6|\u2794)\s*")
_ENUMERATED = re.compile(
    r"(?:[.;!\n]+\s+|\n+|,?\s*\b(?:and then|then|after that|afterwards|next|followed by|finally|lastly|"
    r"and finally)\b\s*,?\s*|\s+and\s+(?=[a-z]+ing\b)|,\s*(?:and\s+)?)",
    re.IGNORECASE,
)
_PER = re.compile(
    r"^(?:each|(?:per|a|an|every|for (?:each|every|a))\s+[a-z]+|or so|total|in total|in all|altogether|tops|"
    r"max(?:imum)?|"
    r"min(?:imum)?|long|usually|though|roughly|at most|at least|only|a piece|apiece|alone|or less|or more|"
    r"there|overnight)"
    r"\b[\s,.]*",
    re.IGNORECASE,
)
_NOT_NOUNS = re.compile(
    r"\d|^['\u2019]|\b(?:is|are|was|do|does|did|takes?|we|it|they|you|he|she|every|always|never|because|so|but|if|"
    r"when|since|while|plus|until|before|"
    r"after|depending|"
    r"not|no|with|without|have|has|can|could|must|should|per|each|long|done|everything|one|that|this|there|which|"
    r"later)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?P<nth>second|third|fourth|final|last)\s+(?!one\b|step\b|thing\b|stage\b|of\b)[a-z]|\b(?:once more|again|"
    r"another time)\b",
    re.IGNORECASE,
)
"""What says that work of the same name comes once more."""
_WORKED_ON = re.compile(
    r"^(?:then\s+)?(?:the|an?|each|every|our)\s+(?P<what>[a-z]+(?:\s+[a-z]+)?)\s+(?:is|are|gets?)\b", re.IGNORECASE
)
_OWN_TIME = re.compile(
    r"[,;]\s*(?:and\s+)?(?:the\s+)?[a-z-]+ing(?:\s+[a-z]+)?\s+(?:is|takes|lasts|needs)(?:\s+about|\s+another)?\s*$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^\W*(?:no|sorry|wait|hold on|correction|i mean|i meant|make that|rather|actually|(?:i |that )?was wrong)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:all told|in all|all in all|altogether|all together|in total|as a whole|from start to finish|"
    r"start to finish|"
    r"end to end|from beginning to end|from (?:the )?first to (?:the )?last|the whole (?:thing|process|job|cycle|"
    r"lot)|"
    r"totals?|overall)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(?:those|these|that|it|this|they|them|which|what)|(?:in|on|at|of|by)\s.*", re.IGNORECASE)
"""Points to what was named before, and names nothing."""
_REMARK = re.compile(r"\s*\([^()\d]*\)")
"""``(the big one by the door)``: of the place that is named before it."""
_EARLIER = re.compile(
    r"^(?:(?:and|but|so)\s+)?(?:just\s+|right\s+|immediately\s+|even\s+)?(?:before|prior to|ahead of|"
    r"preceding)\s+(?:that|this|it|which|them)\b"
    r"(?:\s*,|\s+(?:comes?|is|there(?:['\u2019]s|\s+is)|it['\u2019]s|goes)\b)*\s*",
    re.IGNORECASE,
)
"""What is told next comes before what was told last: "before that, sanding"."""
_FOLLOWING = re.compile(
    r"(?:after|following|once|when|"
    r"before)\s+(?!that\b)(?:[\w'\u2019-]+\s+){0,3}[\w'\u2019-]+$",
    re.IGNORECASE,
)
"""``after pressing, sintering``: the first is another step's."""
_SAME = re.compile(r"^(?:the\s+)?same\s+", re.IGNORECASE)
_SAME_THING = re.compile(r"^(?:the\s+)?same(?:\s+(?:machine|place|station|spot|one|thing|again))*$", re.IGNORECASE)
_PIECES = re.compile(r"\s*[,()]\s*|:\s+|\s+[-\u2013\u2014]\s+|\s*\|\s*")


def steps(text: str) -> list[Told]:
    """The steps that ``text`` tells of.

    A chain of arrows is steps; otherwise a clause is one when it has a
    duration. Where no clause has, the items of the longest enumeration are
    taken as names.
    """
    if _ARROW.search(text) and all(_begins_with_time(part) for part in _ARROW.split(text)[1:]):
        text = _ARROW.sub(", ", text)  # "engraving -> 35 min, filling -> 20 min"
    chain = next((line for line in text.splitlines() if len(_ARROW.findall(line)) >= 2), None)
    if chain:
        head, _, tail = chain.partition(":")
        return [told for part in _ARROW.split(tail if _ARROW.search(tail) else head) if (told := _bare(part))]
    place, text = shared_places.announced(text)
    parts = clauses(text)
    every = shared_places.placed(frames.with_people(aligned(_told_in(parts)), text), place)
    if any(told.duration is not None for told in every) or (every and all(told.resources for told in every)):
        return every
    if any(clause.times and _is_whole(clause) for clause in parts) or waitings(text):
        return []
    best: list[str] = []
    for sentence in re.split(r"[.!?]\s+|\n+", text):
        listing = sentence.rpartition(":")[2]
        listing = re.sub(r"\s+and\s+(?=[^,]*$)", ", ", listing)
        items = [part for part in _ENUMERATED.split(listing) if part and part.strip()]
        if len(items) > len(best) and all(len(item.split()) <= 7 for item in items):
            best = items
    return [told for part in best if (told := _bare(part))] if len(best) >= 3 else []


def _begins_with_time(part: str) -> bool:
    times = _again(part)
    return bool(times) and not digits(part)[: times[0].start].strip(" ~(")


def _told_in(parts: list[Clause]) -> list[Told]:
    """The steps of all clauses; a time said to put one right is the step's before it."""
    every: list[Told] = []
    at = 0
    for part in parts:
        earlier = _EARLIER.match(part.text) if every else None
        clause = _rest(part, earlier.end()) if earlier else part
        told = _each(clause)
        corrected = quantities.first_duration(clause.text) if _CORRECTS.match(clause.text) and clause.times else None
        if (
            corrected is not None
            and every
            and not any(len(one.name) > 3 and not _CORRECTS.match(one.name) and one.name != "wrong" for one in told)
        ):
            every[at - 1] = evolve(every[at - 1], duration=corrected, said=f"{every[at - 1].said}; {clause.text}")
        elif told:
            at -= bool(earlier)
            every[at:at] = [_apart(one, every) for one in told]
            at += len(told)
        place, many = shared_places.afterwards(clause.text, alone=not told and not clause.times)
        every[max(at - many, 0) : at] = shared_places.placed(every[max(at - many, 0) : at], place)
    return every


def _rest(clause: Clause, start: int) -> Clause:
    """A clause from ``start`` on."""
    rest = clause.text[start:]
    return Clause(rest, _again(rest), clause.sentence)


def _apart(told: Told, before: list[Told]) -> Told:
    """A step told apart from one of its name: by its ordinal, or by what is worked on where it is done elsewhere."""
    alike = [one for one in before if one.name.casefold() == told.name.casefold()]
    if alike and (again := _AGAIN.search(told.said)):
        return evolve(told, name=f"{(again['nth'] or 'second').casefold()} {told.name}")
    subject = _WORKED_ON.match(told.said) if alike and all(one.resources != told.resources for one in alike) else None
    return evolve(told, name=f"{told.name} {subject['what']}") if subject is not None else told


def wholes(text: str) -> list[Whole]:
    """How long several steps take together, where that was said: "preparation takes 1 hour in all: washing ..."."""
    parts = clauses(text)
    found = []
    for clause in parts:
        if not (clause.times and _is_whole(clause)):
            continue
        told = _told(clause)
        duration = quantities.first_duration(clause.text)
        if duration is None:
            continue
        of: tuple[str, ...] = ()
        if clause.text.endswith(":"):
            below = [one for one in parts if one.sentence == clause.sentence and one is not clause and one.times]
            of = tuple(one.name for part in below if (one := _told(part)))
        found.append(Whole(told.name if told else "", duration, of, clause.text))
    return found


def _is_whole(clause: Clause) -> bool:
    return bool(_WHOLE.search(clause.text)) and not places_in(clause.text, PLACE)


def _each(clause: Clause) -> list[Told]:
    """The steps of a clause: the one that has the time, and those before and after it that say only where."""
    if clause.times and (_is_whole(clause) or of_no_work(clause.text)):
        return []
    if not clause.times:
        if comes := COMES.fullmatch(clause.text):
            return [Told(comes["name"], None, (), clause.text)]
        return frames.without_time(clause.text) or _left_open(clause)
    clause, later = _last_apart(clause)
    head = clause.text[: clause.times[0].start]
    *first, own = head.split(",")
    found = [told for piece in first if (told := frames.was_in(piece.strip())) and PASSIVE.match(own.strip())]
    if found:
        own = clause.text[len(head) - len(own) :]
        clause = _rest(clause, len(clause.text) - len(own.lstrip(" ,")))
    told = _told(clause)
    return [*found, *([told] if told else []), *later]


def _left_open(clause: Clause) -> list[Told]:
    """The step of a clause that has a number where its time would be, and no unit: its time stays open."""
    timed = with_open_time(clause.text)
    times = _again(timed)
    told = _told(Clause(timed, times, clause.sentence)) if times else None
    return [evolve(told, duration=None, said=clause.text)] if told is not None and is_work(told.name) else []


def _last_apart(clause: Clause) -> tuple[Clause, list[Told]]:
    """A clause without the step that is told after its time, and that step: "..., and welding needs a welder"."""
    tail = clause.text[clause.times[-1].end :]
    for part in re.split(r",\s*and\s+|,\s*|\s+and\s+", tail)[1:]:
        if found := frames.without_time(part):
            head = clause.text[: clause.text.rindex(part)].rstrip(" ,").removesuffix(" and").rstrip(" ,")
            return Clause(head, clause.times, clause.sentence), found
    return clause, []


def _again(text: str) -> tuple[quantities.Found, ...]:
    return tuple(spans(text))


def _told(clause: Clause) -> Told | None:
    """What a clause with a time tells."""
    said, first = clause.text, clause.times[0]
    duration = worktime(said, clause.times)
    head = said[: first.start]
    ends = [one.start for one in clause.times[1:]]
    tail = ", ".join(said[one.end : end] for one, end in zip_longest(clause.times, ends))
    while (shorter := TAKES.sub("", head).rstrip(" ,:-\u2013(~")) != head:
        head = shorter
    if places_in(outer := _REMARK.sub(" ", head), PLACE):
        head = outer
    before = [piece for piece in _PIECES.split(head) if piece and piece.strip(" .")]
    while len(before) > 1 and before[-1].strip().casefold() in {"what", "which", "that", "it", "those", "these"}:
        before = before[:-1]  # "the sewing, what needs an hour"
    if len(before) > 1 and _FOLLOWING.match(before[0].strip()):
        before = before[1:]
    after = [shorter for piece in _PIECES.split(tail) if (shorter := without(_PER, piece).strip(" ."))]
    for words in dict.fromkeys((head.strip(), *reversed(before))):
        if (frame := frames.filled(words, after)) is not None and frame[0]:
            return Told(frame[0], duration, frame[1], said)
    if before and after and cleaned(before[-1]) and (work := frames.of_work(after[0])):
        return Told(cleaned(work), duration, (cleaned(before[-1]),), said)
    if len(before) > 1 and _OWN_TIME.search(said[: first.start]):
        before = before[-1:]  # "the kiln takes 20 pots, firing is 8 hours"
    pieces = [*before, *after]
    places = first_places(pieces) or frames.named_there(pieces) or last_place(pieces)
    name, rest = name_in(before, [*places, *manners(pieces)])
    if not name and after and not any(cleaned(one) for one in before):  # "15 minutes cutting on the cutting table"
        name, _ = name_in([frames.of_work(after[0]) or re.sub(r"^(?:of|for|to)\s+", "", after[0])], places)
        after = after[1:]
    if not name and places:
        name = places[0][1]  # "then it goes through the alignment rig"
    free = not places and occupies_nothing(said)
    if not places and not free:
        bare = [_SAME.sub("", one) for one in (*rest, *after) if _is_nouns(one) and not _SAME_THING.match(one)]
        places = [(one, cleaned(one)) for one in bare[:1]]
        if places and name:  # "panel saw, sawing, 15 minutes"
            name, place = work_and_place(name, places[0][1])
            places = [(place, place)]
    if not name or len(name.split()) > 8 or not re.search(r"[A-Za-z]{2}", name) or _POINTS.fullmatch(name):
        return None
    return Told(name, duration, tuple(dict.fromkeys(place for _, place in places if place)), said, free)


def _is_nouns(piece: str) -> bool:
    return (
        1 <= len(piece.split()) <= 4
        and not _NOT_NOUNS.search(piece)
        and not re.match(
            r"(?:and|then|or|of|per|"
            r"to)\b",
            piece,
        )
    )


def _bare(part: str) -> Told | None:
    """A name without a time."""
    words = " ".join(part.split())
    if (whole := record(words)) is not None:
        return whole
    name = cleaned(PLACE.sub("", words) if len(words.split()) > 4 else words)
    if not name or len(name.split()) > 8 or not re.search(r"[A-Za-z]{2}", name) or re.match(r"\d", name):
        return None
    spans = quantities.first_duration(words)
    return Told(name, spans, resources_in(words), words)
