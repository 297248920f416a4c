"""Things and their counts in running text: "there's one mixer and four tubs; drying cabinets, two as well"."""

import re
from collections.abc import Sequence

from packhorse_discovery.domain import absences, catalogue, coercion, counted, counting
from packhorse_discovery.domain.binding import row_for, stems
from packhorse_discovery.domain.counted import ALL, GENERIC, named
from packhorse_discovery.domain.counts import Count, may_be_several, once
from packhorse_discovery.domain.eads import slug
from packhorse_discovery.domain.markers import CORRECTS, OTHERS
from packhorse_discovery.domain.segments import Item, plain, unbulleted
from packhorse_discovery.domain.sentences import Sentence
from packhorse_discovery.domain.words import Words

_SENTENCES = re.compile(r"[.;!]+(?=\s|$)|;|\n+")
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_ONLY_NUMBER = re.compile(
    rf"\s*(?:just|only|exactly|x|there (?:is|are)|we have)?\s*(?:the\s+)?(?P<count>\d+|{counting.WORDS})\s*"
    r"(?:x|of (?:them|those)|pieces?|units?|pcs?\.?|only|in (?:all|total))?\s*",
    re.IGNORECASE,
)
"""What a bracket after a thing holds, where it is how many there are."""
_ANNOUNCED = re.compile(
    rf"^(?:[^:,]{{0,30}}\b)??(?:\d+|{counting.WORDS})\s+(?!(?:of|each|only|just|apiece)\b)[^:,]{{2,40}}:\s*(?=[^,]+,[^,]+(?:,|"
    rf"\band\b))",
    re.IGNORECASE,
)
"""What announces the things: "ten vessels and machines: ..."."""
_REMAINDER = re.compile(
    rf"\b(?:the rest|the others|the remaining (?:ones|{GENERIC})|all (?:the )?others)\s+(?:are|"
    rf"is)\s+(?:all\s+)?(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}})(?=\s*(?:[.,;]|"
    rf"$))",
    re.IGNORECASE,
)
"""What the machines are that make up the total: "the rest are lathes"."""
_CELLS = re.compile(r"^(?P<name>[^;\d]{2,50});\s*(?P<count>\d+)\s*$")
"""A line of two cells: "polisher; 2"."""
_TOTAL = re.compile(
    rf"(?:^|\b(?:have|has|got|are|is|own|run|exactly|only|just)\s+|['\u2019](?:ve|"
    rf"s)\s+)(?P<count>\d+|{counting.WORDS})\s+(?:{GENERIC}|(?=in (?:all|total)|all told|"
    rf"altogether))\s*(?=\s*(?:[,:;.\u2013-]|"
    rf"$|in (?:all|total|the [a-z]+)|all told|altogether|and\b|with\b))",
    re.IGNORECASE,
)
_ROOM = re.compile(
    rf"(?:^|(?<=[.;,\n]))\s*(?:(?:and|but)\s+)?(?:"
    rf"(?:in|on|at|into|onto|to|through)\s+(?:each|every|any)\s+(?:one|(?:one\s+)?of\s+(?:them|these|those|the)|"
    rf"{GENERIC})\b"
    rf"[^.;,\n]*?\b(?:goes?|fits?|belongs?|comes?|lies|sits|stands|(?:you|we|i)\s+(?:can\s+)?put)"
    rf"|(?:each|every|any)\s+(?:one|(?:one\s+)?of\s+(?:them|these|those)|{GENERIC})\s+(?:can\s+|only\s+)*"
    rf"(?:takes?|holds?|does|do|handles?|carr(?:y|ies)|has room for|works on|processes)"
    rf"|(?:each|every|any)\s+(?:takes|holds|handles|does|carries))"
    rf"\s+(?:only\s+|just\s+|exactly\s+)?(?:\d+|{counting.WORDS})\s+[a-z][^.;,\n]*",
    re.IGNORECASE,
)
"""How much goes into each machine, which is no machine: "in every machine goes one motor"."""
_OWNING = re.compile(
    r"^(?:[^,;:]{0,40}?\b)??(?:have(?:\s+got)?|has(?:\s+got)?|['\u2019]ve\s+got|own|operate|"
    r"there(?:['\u2019]s|\s+is|\s+are))\s+",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s+(?:that|which|where|who|each|so|because|but|for|shared)\b.*$", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:is|are|was|were|we|i|you|they|it|he|she|can|could|when|if|nobody|anybody|nothing|everybody|even|wait|"
    r"not|gets?)\b|['\u2019](?:m|ve|s|re|d)\b",
    re.IGNORECASE,
)


def things(text: str, known: Sequence[str] = ()) -> list[Item]:
    """Each thing with its count ("4 pieces") in ``text``; names alone where nothing is counted, if there are several.

    ``known`` are things that were named before; what "one of each" and "two
    of everything else" mean are these, in their order. Nothing is read where
    a name may mean several of them, or a total that was said disagrees. A
    thing is without a count where how many there are was said only vaguely.

    An article counts one thing only in an enumeration, so that "it's a door
    really" counts nothing.
    """
    if catalogue.has_headings(text):
        return catalogue.things(text)
    listed = catalogue.things(text)
    text = _ROOM.sub(" ", OTHERS.sub(" ", _in_lines(text)))
    found, total = _with_remainder(text, known)
    every = next((one for one in found if one.thing.name == ALL), None)
    if every is not None and not every.many:  # "and no other machines"
        found = [one for one in found if one is not every]
    elif every is not None:
        own = [one for one in found if one is not every]
        found = _shared_out(own, every.many, total, known)
    else:
        found = [one for one in found if one.thing.name or not may_be_several(one.thing.text, known)]
    if every is None and not any(one.many is not None for one in found):
        return listed if len(listed) >= 2 else _names(text)
    if any(one.together for one in found):
        places = {name: place for place, name in enumerate(known)}
        found.sort(key=lambda one: places.get(one.thing.name, len(places)))
    items = [
        Item(one.thing.name or one.thing.text, f"{one.many} pieces" if one.many is not None else "") for one in found
    ]
    own_names = [one for one in items if not re.fullmatch(GENERIC, one.label, re.IGNORECASE)]
    return own_names if len(own_names) >= 2 else items


def _in_lines(text: str) -> str:
    """``text`` without bullets and marks of Markdown."""
    lines = [plain(unbulleted(line)) for line in text.splitlines() if line.strip()]
    return "\n".join(_CELLS.sub(r"\g<name>: \g<count>", line) for line in lines)


def told(text: str, known: Sequence[str] = ()) -> list[Count]:
    """The things that are named with a number of their own, each once."""
    found: list[Count] = []
    carried: Count | None = None
    last: Count | None = None
    loose = False
    flat = counted.plain(_BRACKETS.sub(_bracket, text))
    for part in _SENTENCES.split(flat):
        words = _ANNOUNCED.sub("", part.strip())
        sentence = Sentence(Words(words, counted.tokens(words, known)), bool(known), carried, last)
        found += sentence.read()
        loose = loose or sentence.loose
        last = sentence.counted
        carried = sentence.told[-1] if sentence.told and sentence.told[-1].many is None else None
    for name in absences.absent(flat):
        found.append(Count(counted.tokens(name, known)[-1], 0))
    everything = [one for one in found if one.thing.name == ALL and one.many is not None]
    for one in everything if loose else ():
        one.count(None)  # "one for every job, and two for the hammering": of what there are two is not sure
    every = bool(everything)
    found = [
        one for one in found if one.many is not None or not one.sure or (every and one.apart and one.thing.name != ALL)
    ]
    return once(found, known, corrected=bool(CORRECTS.search(text)))


def _bracket(match: re.Match[str]) -> str:
    """What a bracket says of what stands before it: how many there are, what cannot work, what "the others" are."""
    if number := _ONLY_NUMBER.fullmatch(match[1]):
        return f": {number['count']} "
    if "," in match[1] and counted.ends_with_all(match.string[: match.start()]):
        return f": {match[1]} "
    return f", {match[1]}," if absences.tells(match[1]) else " "


def _shared_out(own: list[Count], many: int | None, total: int | None, known: Sequence[str]) -> list[Count]:
    """Each known thing with its own count or the shared one, then what is new; none where ``total`` is another sum."""
    names = {slug(name): name for name in known}
    rows: dict[str, Count] = {}
    new: list[Count] = []
    for one in own:
        row = slug(one.thing.name) if one.thing.name else row_for(one.thing.text, names)
        words = set(stems(one.thing.text).split())
        if row is None and any(words & set(stems(name).split()) for name in known):
            return []
        if row is None:
            new.append(one)
        else:
            rows[row] = one
    found = [rows.get(row) or Count(named(None, name), many) for row, name in names.items()]
    found += new
    if total is not None and known and sum(one.many or 0 for one in found) != total:
        return []
    return found


def _with_remainder(text: str, known: Sequence[str]) -> tuple[list[Count], int | None]:
    """The things with numbers, and how many there are in all, where that was said.

    What makes up the total is one of them: "six machines: two saws, the rest are lathes".
    """
    total, left = _TOTAL.search(text), _REMAINDER.search(text)
    many = counting.count(total["count"]) if total is not None else 0
    if total is None or many < 2 or re.search(r"\b(?:kinds?|types?)\b", total[0], re.IGNORECASE):
        return told(text, known), None
    beside = re.match(r"\s*and\b([^.;:,\n]*)", text[total.end() :])
    if beside is not None:
        many += sum(one.kind == "thing" and bool(one.name) for one in counted.tokens(beside[1], known))
    if left is None:
        found = told(f"{text[: total.start()]} . {text[total.end() :].lstrip(' :,-')}", known)
        return found if any(one.many is not None for one in found) else told(text, known), many
    found = [one for one in told(text[total.end() : left.start()].partition(":")[2], known) if one.many is not None]
    others = many - sum(one.many or 0 for one in found)
    return ([*found, Count(named(None, left["name"].strip()), others)] if others > 0 else found), many


def _names(text: str) -> list[Item]:
    """The names of a list in which nothing is counted; none where they are fewer than two or a remark is among them."""
    names = [
        _REMARK.sub("", part)
        for sentence in re.split(r"(?<=[.;!])\s+", text)
        for part in coercion.listed(_OWNING.sub("", re.sub(r"\.\s*$", "", sentence)))
    ]
    names = [one for one in names if one and len(one.split()) <= 5]
    return [Item(one, "") for one in names] if len(names) >= 2 and not any(map(_NO_NAME.search, names)) else []
