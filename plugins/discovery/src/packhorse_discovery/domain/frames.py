"""Frames: the ways in which a sentence says of one piece of work what it is done on, or by whom.

Each frame has a place for the work (``name``) and one for what it occupies
(``what`` or ``who``): "Ellie does the labelling", "the kettle for boiling",
"engraving is done on the laser". What a frame cannot fill stays open.
"""

import re

from attrs import evolve

from packhorse_discovery.domain.places import (
    DETERMINER,
    NOUNS,
    PLACE,
    first_places,
    is_equipment,
    is_no_place,
    is_person,
)
from packhorse_discovery.domain.records import is_work
from packhorse_discovery.domain.step_names import DONE, LEAD, cleaned, without
from packhorse_discovery.domain.told import Told

_NAME = r"(?-i:[A-Z])[a-z'\u2019-]*[a-z]"
"""A person's or a machine's own name."""
_NOT_OWN = r"(?!(?:The|Our|A|An|Each|Every|This|That|It|We|You|They|I|He|She|Then|There|And|But|So|Next|Now)\b)"

_DOES = re.compile(
    r"^(?:the\s+|our\s+|my\s+)?(?P<who>[a-z][\w-]*(?:\s+(?!does\b|"
    r"handles\b|(?:he|she)\b)[a-z][\w-]*){0,2})(?:,\s*[^,]{2,40},)?(?:\s+(?:he|she))?\s+(?:always\s+)?"
    r"(?:does|do|handles?|takes? care of|sees? to|looks? after)\s+(?:(?:all\s+)?(?:the|"
    r"our|all)\s+)?(?P<name>(?!(?:on|in|at|with|by|it|that|this|"
    r"so)\b)[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}?)(?=\s*(?:$|[,.;:(]|"
    r"\bin\b|\bat\b|\bon\b|\bwhich\b|\bthat\b))",
    re.IGNORECASE,
)
"""``Ellie does the labelling``."""
_NOT_AN_AGENT = re.compile(
    r"^(?:we|i|you|they|it|he|she|that|this|which|who|one|then|everybody|somebody|someone|people|anyone|"
    r"nobody)\b|\b(?:we|i|you|they|it)$",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"^(?P<who>(?:the|our)\s+(?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)\s+(?:then\s+|always\s+)?"
    r"(?P<name>(?!(?:is|was|has|does|takes|needs|lasts|runs|goes|comes|gets|starts|begins|happens|follows|requires|"
    r"uses|"
    r"spends|passes|enters|visits|meets|sees|loses|becomes|stays|sits|stands|rests|always|means|occupies|keeps)\b)"
    r"[a-z]+(?<!s)s\s+(?:the|an?|it|them|our|its|each|every|his|her|their|all|both|that|this|those|these|one)\b.*)$",
    re.IGNORECASE,
)
"""``the press brake bends them``: the verb of one actor, and its object."""
_KIN_ACTS = re.compile(
    r"^(?:my|our|his|her)\s+(?P<who>(?:[a-z]+\s+)?(?:wife|husband|son|daughter|brother|sister|cousin|mother|father|"
    r"nephew|niece|uncle|aunt|"
    rf"apprentice|assistant|colleague|helper|foreman)(?:,?\s+{_NAME})?)\s*,?\s+(?:he\s+|she\s+)?(?:then\s+)?"
    r"(?P<name>(?!(?:is|was|has|does|takes|needs|says|makes sure|comes|goes)\b)[a-z]+(?<!s)s\b.*)$",
    re.IGNORECASE,
)
"""``my sister packs``."""
_STARTS_WITH_NAME = re.compile(r"^(?P<who>[A-Z][a-z]+)\s+(?P<name>[a-z]+(?<!s)s\b.*)$")
_OWN_NAME = re.compile(r"(?:[a-z,;:]|and)\s+(?P<who>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)[A-Z][a-z]+)\b")
_OWN_DOES = re.compile(
    rf"(?:^|(?<=[.;!?\n]\s)){_NOT_OWN}(?P<who>[A-Z][a-z]+)\s+(?:does|handles|takes care of|"
    rf"looks after)\s"
)
_HE_OR_SHE = re.compile(r"\b(?:she|he|her|him)\b", re.IGNORECASE)
_USED = re.compile(
    r"^(?:the|our)\s+(?P<what>[a-z][\w -]*?)\s+(?:is|are)\s+(?:used|needed|busy|occupied|taken|in use)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"(?:for|of|by|to)\s+(?P<name>.+)", re.IGNORECASE)
_OF_WORK = (
    r"(?:the\s+)?[a-z-]+ing\b(?:(?!\s+(?:is|are|we|it|they|you|i|that|which|and|to|on|in|at|so|but)\b)\s+[\w-]+){0,4}"
)
_BOUND_FOR = re.compile(
    rf"^(?:(?:it|they|we|that|the \w+|then|next|and)\s+)*(?:must\s+|has to\s+|have to\s+)?(?:(?:go(?:es)?|moves?|"
    rf"travels?|comes?)\s+"
    rf"(?:over |on |back |down |up |straight )?|(?:over|off|on|back|straight)\s+)(?:to|into|onto|"
    rf"through)\s+(?:(?P<who>{_NOT_OWN}{_NAME})|(?:{DETERMINER})?{NOUNS})\s+for\s+(?:the\s+|its\s+)?"
    r"(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})$",
    re.IGNORECASE,
)
"""``it goes to the bench for assembling``."""
_SERVES = re.compile(
    rf"^(?:use\s+)?(?:{DETERMINER})?(?P<what>(?!(?:time|use|allow|need|wait|"
    rf"leave)\b)[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}?)\s+(?:(?:is|(?:then\s+)?takes over)\s+)?"
    r"for\s+(?:the\s+|its\s+)?(?P<name>[a-z][\w-]*(?:ing|tion|sion|ment)(?:\s+[a-z][\w-]*){0,3})$",
    re.IGNORECASE,
)
"""``the kettle for boiling``."""
_WE_HAVE = re.compile(
    rf"^(?:(?:and|then|so|but)\s+)?for\s+(?:the\s+)?(?P<name>[a-z-]+(?:ing|tion|sion|"
    rf"ment)(?:\s+[a-z][\w-]*){{0,3}}?),?\s+(?:we|i|they|"
    rf"you)(?:['\u2019]ve|\s+have|\s+use|"
    rf"\s+need|\s+go to|\s+take)(?:\s+got)?\s+{DETERMINER}{NOUNS}$",
    re.IGNORECASE,
)
"""``for washing we've got the parts washer``."""
_SOMEBODYS = re.compile(
    rf"^(?P<name>.{{2,40}}?),?\s+(?:which\s+|that\s+)?is\s+(?:(?:my|our|his|"
    rf"her)\s+(?:[a-z]+\s+){{1,2}})?(?P<who>{_NAME}|"
    rf"the\s+[a-z][\w -]*?)['\u2019]s(?:\s+(?:job|work|task|business|department|part|"
    rf"thing))?$",
    re.IGNORECASE,
)
"""``milling is Hank's job``."""
_WHICH_DOES = re.compile(
    rf"^(?P<name>[^,]{{2,40}}?),?\s+(?:which|that)\s+(?P<who>{_NOT_OWN}{_NAME}|"
    rf"the\s+[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}?)\s+"
    r"(?:does|do|handles?|takes? care of|sees? to|looks? after)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
"""``cutting, which Anna does``."""
_THAT_IS = re.compile(
    rf"^(?:now\s+|and\s+)?(?:that|this|it|which)(?:['\u2019]s|\s+is)\s+(?:always\s+|all\s+|only\s+|"
    rf"just\s+)?(?:with\s+)?"
    rf"(?:(?P<who>{_NOT_OWN}{_NAME})(?:['\u2019]s\s+(?:job|work|task))?|{DETERMINER}{NOUNS})$",
    re.IGNORECASE,
)
"""``that's Marek``, ``that's the mash tun``."""
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
    rf"into|onto|at|through)\s+(?!its\b|their\b){DETERMINER}{NOUNS}\s*$",
    re.IGNORECASE,
)
_WAS_IN = re.compile(
    rf"^(?:\w+\s+){{0,2}}?(?:is|are|gets?)\s+(?P<name>{DONE})\s+(?:in|on|at)\s+{DETERMINER}{NOUNS}\s*$",
    re.IGNORECASE,
)

Filled = tuple[str, tuple[str, ...]]
"""The name of the work, and what it occupies."""


def filled(head: str, after: list[str]) -> Filled | None:
    """The work and what it occupies, where the words before a time (``head``) are one of the frames.

    ``after`` are the pieces that follow the time.
    """
    bare = without(LEAD, head)
    if (match := _DOES.match(bare)) and not _NOT_AN_AGENT.search(match["who"]):
        where = _where([head[head.find(match["name"]) :]])
        return cleaned(match["name"]), tuple(dict.fromkeys((match["who"], *where)))
    if (match := _ACTS.match(head)) and (actor := _actor(match["who"])):
        where = _where([match["name"], *after])
        return cleaned(PLACE.sub("", match["name"]).split(",")[0]), where or (actor,)
    if match := _KIN_ACTS.match(head):
        who = re.sub(rf"^.*\s(?={_NAME}$)", "", match["who"])
        return cleaned(PLACE.sub("", match["name"]).split(",")[0]), _where([match["name"], *after]) or (who,)
    if (match := _BOUND_FOR.match(head)) and (who := match["who"] or _place(match["what"])):
        return cleaned(match["name"]), (who,)
    if (match := _WE_HAVE.match(head)) and _place(match["what"]):
        return cleaned(match["name"]), (_place(match["what"]),)
    if match := _USED.match(head):
        purpose = _PURPOSE.match(" ".join(after))
        return cleaned(purpose["name"] if purpose else match["what"]), (match["what"].strip(),)
    if (match := _SERVES.match(bare)) and not is_work(match["what"]) and _place(match["what"]):
        return cleaned(match["name"]), (_place(match["what"]),)
    if (match := _WHICH_DOES.match(bare)) and not _NOT_AN_AGENT.search(match["who"]):
        where = _where([match["rest"], *after])
        return cleaned(match["name"]), where or (re.sub(r"^the ", "", match["who"]),)
    if match := _SOMEBODYS.match(bare):
        return cleaned(match["name"]), _where(after) or (re.sub(r"^the ", "", match["who"]),)
    return None


def with_people(steps: list[Told], text: str) -> list[Told]:
    """Steps that begin with somebody's name ("Bea irons") as theirs, where no other place was told.

    A word is taken for a name where it has its capital within a sentence as
    well, is who does some other work, or is called he or she, or where
    another step, told alike, begins with such a one.
    """
    own = {match["who"] for pattern in (_OWN_NAME, _OWN_DOES) for match in pattern.finditer(text)}
    named = {
        number: match
        for number, one in enumerate(steps)
        if not one.free and (match := _STARTS_WITH_NAME.match(one.name))
    }
    own |= {match["who"] for number, match in named.items() if _HE_OR_SHE.search(steps[number].said)}
    if not own & {match["who"] for match in named.values()}:
        return steps
    return [
        evolve(one, name=cleaned(named[number]["name"]), resources=one.resources or (named[number]["who"],))
        if number in named
        else one
        for number, one in enumerate(steps)
    ]


def named_there(pieces: list[str]) -> list[tuple[str, str]]:
    """(the words, who or what) of each piece that only says it: "that's Marek", "that's the mash tun"."""
    found = [(match, piece) for piece in pieces if (match := _THAT_IS.match(piece.strip(" .")))]
    return [
        (piece, match["who"] or match["what"].strip())
        for match, piece in found
        if match["who"] or is_equipment(match["what"]) or is_person(match["what"])
    ]


def of_work(words: str) -> str:
    """What a time is of: "of soaking"; empty where it is not said."""
    match = re.match(rf"^(?:of|for)\s+(?P<name>{_OF_WORK})", words, re.IGNORECASE)
    return match["name"] if match else ""


def without_time(words: str) -> list[Told]:
    """A step of which only the place is told: "engraving is done on the laser"."""
    for pattern in (_DONE_ON, _STANDS, _NEEDS_A):
        if match := pattern.match(words):
            place = re.sub(r"\s+\d+$", "", match["what"].strip())
            name = cleaned(match["name"]) if "name" in match.groupdict() else place
            if name and not is_no_place(place):
                return [Told(name, None, (place,), words)]
    return []


def was_in(words: str) -> Told | None:
    """The step of a passive with its place: "it is cut on the saw"."""
    match = _WAS_IN.match(words)
    return Told(match["name"], None, (match["what"].strip(),), words) if match else None


def _where(pieces: list[str]) -> tuple[str, ...]:
    return tuple(place for _, place in first_places(pieces))


def _actor(who: str) -> str:
    """What acts, where it is somebody, or something that can; empty where it may be what is worked on."""
    bare = re.sub(r"^(?:the|our)\s+", "", who, flags=re.IGNORECASE)
    return bare if is_equipment(bare) or is_person(bare) else ""


def _place(what: str) -> str:
    return "" if is_no_place(what) else what.strip()
