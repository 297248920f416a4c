"""Steps told in running text: "first we mill the grain for an hour, then mash for 90 minutes in the mash tun"."""

import re

from attrs import evolve

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.asides import waitings
from packhorse_discovery.domain.clauses import Clause, clauses
from packhorse_discovery.domain.counting import CARDINAL
from packhorse_discovery.domain.places import (
    DETERMINER,
    NOT_A_PLACE,
    NOUNS,
    PLACE,
    first_places,
    manners,
    occupies_nothing,
    places_in,
    resources_in,
)
from packhorse_discovery.domain.records import WORK, record
from packhorse_discovery.domain.step_names import DONE, LEAD, PASSIVE, TAKES, cleaned, name_in, without
from packhorse_discovery.domain.told import Told, Whole
from packhorse_discovery.domain.units import family_of

_ARROW = re.compile(r"\s{0,4}(?:\u2192|->|=>|\u27f6|\u2794)\s*")
_ENUMERATED = re.compile(
    r"(?:[.;!\n]+\s+|\n+|,?\s*\b(?:and then|then|after that|afterwards|next|followed by|finally|lastly|"
    r"and finally)\b\s*,?\s*|\s+and\s+(?=[a-z]+ing\b)|,\s*(?:and\s+)?)",
    re.IGNORECASE,
)
_USED = re.compile(
    r"^(?:the|our)\s+(?P<what>[a-z][\w -]*?)\s+(?:is|are)\s+(?:used|needed|busy|occupied|taken|in use)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r"\b(?:say|call it|make that|let['\u2019]s say)\b", re.IGNORECASE)
"""What follows is the figure meant: "most of a day, say eight hours"."""
_PER = re.compile(
    r"^(?:each|(?:per|a|an|every|for (?:each|every|a))\s+[a-z]+|or so|total|in total|in all|altogether|tops|"
    r"max(?:imum)?|"
    r"min(?:imum)?|long|usually|though|roughly|at most|at least|only|a piece|apiece|alone|or less|or more|"
    r"there|overnight)"
    r"\b[\s,.]*",
    re.IGNORECASE,
)
_NOT_NOUNS = re.compile(
    r"\d|^['\u2019]|\b(?:is|are|was|takes?|we|it|they|you|because|so|but|if|when|since|while|plus|until|before|"
    r"after|depending|"
    r"not|no|with|without|have|has|can|could|must|should|per|each|long|done|everything|one|that|this|there|which|"
    r"later)\b",
    re.IGNORECASE,
)
_AGENT = re.compile(
    r"^(?:the\s+|our\s+)?(?P<who>[a-z][\w-]*(?:\s+(?!does\b|"
    r"handles\b)[a-z][\w-]*){0,2})(?:,\s*[^,]{2,40},)?\s+(?:always\s+)?"
    r"(?:does|do|handles?|takes? care of|sees? to|looks? after)\s+(?:(?:all\s+)?(?:the|"
    r"our|all)\s+)?(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}?)(?=\s*(?:$|[,.;:(]|"
    r"\bin\b|\bat\b|\bon\b|\bwhich\b|\bthat\b))",
    re.IGNORECASE,
)
"""Who does what: "Ellie does the labelling"."""
_NOT_AN_AGENT = re.compile(
    r"^(?:we|i|you|they|it|he|she|that|this|which|who|one|then|everybody|somebody|someone|people|anyone|"
    r"nobody)\b|\b(?:we|i|you|they|it)$",
    re.IGNORECASE,
)
_WORKED_ON = re.compile(
    r"^(?:then\s+)?(?:the|an?|each|every|our)\s+(?P<what>[a-z]+(?:\s+[a-z]+)?)\s+(?:is|are|gets?)\b", re.IGNORECASE
)
_OF_WORK = re.compile(
    r"^(?:of|for)\s+(?P<name>(?:the\s+)?[a-z-]+ing\b(?:(?!\s+(?:is|are|we|it|they|you|i|that|which|and|to|on|in|"
    r"at|so|but)\b)\s+[\w-]+){0,4})",
    re.IGNORECASE,
)
"""What a time is of: "36 hours of soaking"."""
_OWN_TIME = re.compile(
    r"[,;]\s*(?:and\s+)?(?:the\s+)?[a-z-]+ing(?:\s+[a-z]+)?\s+(?:is|takes|lasts|needs)(?:\s+about|\s+another)?\s*$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^\W*(?:no|sorry|wait|hold on|correction|i mean|i meant|make that|rather|actually)\b", re.IGNORECASE
)
_WHOLE = re.compile(
    r"\b(?:all told|in all|all in all|altogether|all together|in total|as a whole|from start to finish|"
    r"start to finish|"
    r"end to end|from beginning to end|from (?:the )?first to (?:the )?last|the whole (?:thing|process|job|cycle|"
    r"lot)|"
    r"totals?|overall)\b",
    re.IGNORECASE,
)
_DONE_ON = re.compile(
    rf"^(?P<name>.{{2,40}}?)\s+(?:is|are|gets?)\s+(?:always |usually |only )?(?:done|performed|carried out|"
    rf"handled|made)\s+"
    rf"(?:on|in|at|by|with|using)\s+(?:{DETERMINER})?{NOUNS}",
    re.IGNORECASE,
)
_NEEDS_A = re.compile(
    rf"^(?P<name>(?:(?!\b(?:we|you|they|i|it|that|this|nobody|who|which)\b)[^,]){{2,40}}?)\s+(?:needs?|requires?|"
    rf"uses?)\s+(?:an?|the|our)\s+{NOUNS}\s*$",
    re.IGNORECASE,
)
_STANDS = re.compile(
    rf"^(?:then\s+)?(?:it['\u2019]s|it is|they['\u2019]re|they are|(?:it|they) goes?|goes?|go)\s+(?:in|on|"
    rf"into|onto|at|through)\s+{DETERMINER}{NOUNS}\s*$",
    re.IGNORECASE,
)
_WAS_IN = re.compile(
    rf"^(?:\w+\s+){{0,2}}?(?:is|are|gets?)\s+(?P<name>{DONE})\s+(?:in|on|at)\s+{DETERMINER}{NOUNS}\s*$",
    re.IGNORECASE,
)
_RATE = re.compile(
    rf"(?:\b(?:\d+|{CARDINAL})\s+(?!times?\b|minutes?\b|hours?\b)[a-z]+\s+(?:an|1|per|every|each|in an|"
    rf"a)\s+(?:hour|day|minute|shift|week)\b"
    r"|\b(?:hours?|minutes?)\s+(?:an?|per|every)\s+(?:single\s+)?(?:day|week|shift)\b|\bevery\s+single\s+(?:day|"
    r"hour|shift)\b"
    rf"|\b(?:turns? out|gets? through|churns? out|produces?|puts? through|spits? out|manages?|"
    rf"comes? out at)\s+(?:about\s+)?(?:\d+|{CARDINAL})\b)",
    re.IGNORECASE,
)
"""``six trays an hour``: how many, and no step."""
_BOUND_FOR = re.compile(
    rf"^(?:(?:it|they|we|that|the \w+|then|next|and)\s+)*(?:must\s+|has to\s+|have to\s+)?(?:go(?:es)?|moves?|"
    rf"travels?|comes?)\s+"
    rf"(?:over |on |back |down |up |straight )?(?:to|into|onto|"
    rf"through)\s+(?:{DETERMINER})?{NOUNS}\s+for\s+(?:the\s+|its\s+)?"
    r"(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})$",
    re.IGNORECASE,
)
"""``it goes to the bench for assembling``."""
_REMARK = re.compile(r"\s*\([^()\d]*\)")
"""``(the big one by the door)``: of the place that is named before it."""
_EARLIER = re.compile(
    r"^(?:(?:and|but|so)\s+)?(?:just\s+|right\s+|immediately\s+|even\s+)?(?:before|prior to|ahead of|"
    r"preceding)\s+(?:that|this|it|which|them)\b"
    r"(?:\s*,|\s+(?:comes?|is|there(?:['\u2019]s|\s+is)|it['\u2019]s|goes)\b)*\s*",
    re.IGNORECASE,
)
"""What is told next comes before what was told last: "before that, sanding"."""
_PIECES = re.compile(r"\s*[,()]\s*|:\s+|\s+[-\u2013\u2014]\s+|\s*\|\s*")


def steps(text: str) -> list[Told]:
    """The steps that ``text`` tells of.

    A chain of arrows is steps; otherwise a clause is one when it has a
    duration. Where no clause has, the items of the longest enumeration are
    taken as names.
    """
    chain = next((line for line in text.splitlines() if len(_ARROW.findall(line)) >= 2), None)
    if chain:
        head, _, tail = chain.partition(":")
        return [told for part in _ARROW.split(tail if _ARROW.search(tail) else head) if (told := _bare(part))]
    parts = clauses(text)
    every = _told_in(parts)
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
            and not any(len(one.name) > 3 and not _CORRECTS.match(one.name) for one in told)
        ):
            every[at - 1] = evolve(every[at - 1], duration=corrected, said=f"{every[at - 1].said}; {clause.text}")
        elif told:
            at -= bool(earlier)
            every[at:at] = [_apart(one, every) for one in told]
            at += len(told)
    return every


def _rest(clause: Clause, start: int) -> Clause:
    """A clause from ``start`` on."""
    rest = clause.text[start:]
    return Clause(rest, _again(rest), clause.sentence)


def _apart(told: Told, before: list[Told]) -> Told:
    """A step, called by what is worked on where another step of its name is done elsewhere: "cut glass"."""
    alike = [one for one in before if one.name.casefold() == told.name.casefold()]
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
    if clause.times and (_is_whole(clause) or _RATE.search(clause.text)):
        return []
    if not clause.times:
        return _without_time(clause.text)
    clause, later = _last_apart(clause)
    head = clause.text[: clause.times[0].start]
    *first, own = head.split(",")
    found = [
        Told(match["name"], None, (match["what"].strip(),), piece.strip())
        for piece in first
        if (match := _WAS_IN.match(piece.strip())) and PASSIVE.match(own.strip())
    ]
    if found:
        own = clause.text[len(head) - len(own) :]
        clause = _rest(clause, len(clause.text) - len(own.lstrip(" ,")))
    told = _told(clause)
    return [*found, *([told] if told else []), *later]


def _without_time(words: str) -> list[Told]:
    """A step of which only the place is told: "engraving is done on the laser"."""
    for pattern in (_DONE_ON, _STANDS, _NEEDS_A):
        if match := pattern.match(words):
            place = re.sub(r"\s+\d+$", "", match["what"].strip())
            name = cleaned(match["name"]) if "name" in match.groupdict() else place
            if name and not NOT_A_PLACE.match(place):
                return [Told(name, None, (place,), words)]
    return []


def _last_apart(clause: Clause) -> tuple[Clause, list[Told]]:
    """A clause without the step that is told after its time, and that step: "..., and welding needs a welder"."""
    tail = clause.text[clause.times[-1].end :]
    for part in re.split(r",\s*and\s+|,\s*|\s+and\s+", tail)[1:]:
        if found := _without_time(part):
            head = clause.text[: clause.text.rindex(part)].rstrip(" ,").removesuffix(" and").rstrip(" ,")
            return Clause(head, clause.times, clause.sentence), found
    return clause, []


def _again(text: str) -> tuple[quantities.Found, ...]:
    return tuple(one for one in quantities.find(text) if family_of(one.quantity.unit) == "time")


def _told(clause: Clause) -> Told | None:
    """What a clause with a time tells."""
    said, first = clause.text, clause.times[0]
    rather = _RATHER.search(said)
    meant = [one for one in clause.times if rather and one.start >= rather.end()]
    duration = quantities.first_duration(said[rather.end() :] if rather and meant else said)
    head, tail = said[: first.start], said[clause.times[-1].end :]
    while (shorter := TAKES.sub("", head).rstrip(" ,:-\u2013(~")) != head:
        head = shorter
    if (agent := _AGENT.match(without(LEAD, head))) and not _NOT_AN_AGENT.search(agent["who"]):
        where = first_places([head[head.find(agent["name"]) :]])
        return Told(
            cleaned(agent["name"]), duration, tuple(dict.fromkeys((agent["who"], *(one for _, one in where)))), said
        )
    if places_in(outer := _REMARK.sub(" ", head), PLACE):
        head = outer
    before = [piece for piece in _PIECES.split(head) if piece and piece.strip(" .")]
    after = [shorter for piece in _PIECES.split(tail) if (shorter := without(_PER, piece).strip(" ."))]
    if (bound := _BOUND_FOR.match(head)) and not NOT_A_PLACE.match(bound["what"]):
        return Told(cleaned(bound["name"]), duration, (bound["what"].strip(),), said)
    if used := _USED.match(head):
        purpose = re.match(r"(?:for|of|by|to)\s+(?P<name>.+)", " ".join(after), re.IGNORECASE)
        return Told(cleaned(purpose["name"] if purpose else used["what"]), duration, (used["what"].strip(),), said)
    if before and after and cleaned(before[-1]) and (of := _OF_WORK.match(after[0])):
        return Told(cleaned(of["name"]), duration, (cleaned(before[-1]),), said)
    if len(before) > 1 and _OWN_TIME.search(said[: first.start]):
        before = before[-1:]  # "the kiln takes 20 pots, firing is 8 hours"
    pieces = [*before, *after]
    places = first_places(pieces)
    name, rest = name_in(before, [*places, *manners(pieces)])
    if not name and after and not any(cleaned(one) for one in before):  # "15 minutes cutting on the cutting table"
        of = _OF_WORK.match(after[0])
        name, _ = name_in([of["name"] if of else re.sub(r"^(?:of|for)\s+", "", after[0])], places)
        after = after[1:]
    if not name and places:
        name = places[0][1]  # "then it goes through the alignment rig"
    free = not places and occupies_nothing(said)
    if not places and not free:
        bare = [one for one in (*rest, *after) if _is_nouns(one)]
        places = [(one, cleaned(one)) for one in bare[:1]]
        if places and WORK.match(places[0][1]) and not WORK.match(name):
            name, places = places[0][1], [(name, name)]  # "panel saw, sawing, 15 minutes"
    if not name or len(name.split()) > 8 or not re.search(r"[A-Za-z]{2}", name):
        return None
    return Told(name, duration, tuple(dict.fromkeys(place for _, place in places if place)), said, free)


def _is_nouns(piece: str) -> bool:
    return 1 <= len(piece.split()) <= 4 and not _NOT_NOUNS.search(piece) and not re.match(r"(?:and|then|or)\b", piece)


def _bare(part: str) -> Told | None:
    """A name without a time."""
    words = " ".join(part.split())
    if (whole := record(words)) is not None:
        return whole
    name = cleaned(PLACE.sub("", words) if len(words.split()) > 4 else words)
    if not name or len(name.split()) > 8 or not re.search(r"[A-Za-z]{2}", name):
        return None
    spans = quantities.first_duration(words)
    return Told(name, spans, resources_in(words), words)
