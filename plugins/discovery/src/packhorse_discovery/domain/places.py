"""Where work is done, as it is told: on what machine, in what place, or on nothing that could be taken."""

import re

DETERMINER = (
    r"(?:the|an?|our|his|her|their|its|one of (?:the|our)(?: \d+| two| three| four| five| six)?|either of the|"
    r"any of (?:the|our)|one|each|whichever)\s+"
)

_STOP = (
    r"(?!(?:and|or|for|about|where|around|which|that|takes?|taking|until|before|after|is|are|we|you|they|per|at|to|in|on|"
    r"with|by|again|needs?|requires?|lasts?|runs?|each|then|this|it|so|from|because|roughly|say|since|while|gets?)\b)"
)

NOUNS = (
    rf"(?P<what>[a-z][\w-]*(?:\s+and\s+[a-z]+(?=\s+(?:machine|station|line|cell|unit|robot)\b)|\s+{_STOP}[a-z][\w-]*|"
    r"\s+of\s+[a-z][\w-]*){0,4})"
)

PLACE = re.compile(
    rf"\b(?<!depending )(?<!depends )(?<!based )(?:on|in|using|with|at|by|inside|"
    rf"under)\s+{DETERMINER}(?:same\s+)?{NOUNS}",
    re.IGNORECASE,
)

_THROUGH = re.compile(rf"\b(?:into|onto|through|over|to)\s+{DETERMINER}{NOUNS}", re.IGNORECASE)

_PLAIN_PLACE = re.compile(
    rf"\b(?:on|in|using|at|by)\s+(?!(?:hand|batch(?:es)?|total|average|advance|parallel|turn|order|all|once|least|most|"
    rf"night|a|an|the|our|day|days|weeks?|lots?|loads?|time|place|stock|general|fact|bulk|house|then)\b){NOUNS}\s*$",
    re.IGNORECASE,
)
"""Without an article, where nothing follows: "cut on laser"."""

_NEEDS = re.compile(
    rf"\s+\b(?:needs?|requires?|uses?|occup(?:y|ies)|ties up|happens (?:on|in|at)|(?:is|are|gets?) (?:done|"
    rf"performed|carried out|"
    rf"handled|run) (?:on|in|at|by|with|using))\s+(?:up\s+)?(?:{DETERMINER})?{NOUNS}",
    re.IGNORECASE,
)

SEES = re.compile(rf"^(?P<name>(?:\w+\s+){{0,2}}(?:sees?|meets?|visits?)\s+{DETERMINER}{NOUNS})", re.IGNORECASE)

NOT_A_PLACE = re.compile(
    r"^(?:morning|afternoon|evening|day|end|week|same|total|most|next|whole|batch|meantime|minutes?|hours?|beginning|"
    r"start|middle|time|moment|go|row|break|hand|own|one|detail|shelf|shift|way|average|case|pieces?|least|order|following|customers?|lids?|rest|night|first|"
    r"second|last|maximum|minimum|weather|season|meanwhile|product|size|job|part|customer)s?\b",
    re.IGNORECASE,
)

_ALONE = re.compile(
    r"\b(?:(?:all\s+)?by hand|hand[- ]?work|nobody|no[- ]?one|(?:on|of) (?:its|their) own|by (?:itself|themselves)|"
    r"(?:no|any|without an?y?|without) (?:machine|equipment|station|resource|tool|place)s?(?: (?:at all|whatsoever))?|"
    r"needs? nothing|nothing (?:is )?needed|(?:needs?|takes?|occup(?:y|ies)) no (?:machine|"
    r"room|place|one|equipment|station)|anywhere|wherever|any(?:one|body)|"
    r"any\s+(?:free|old)?\s*(?:corner|spot|shelf|table|bench)|(?:just|simply|"
    r"only)\s+(?:waits?|sits?|stands?|lies?|rests?|hangs?)|unattended|looks after itself|"
    r"as many as (?:we|you|they) (?:like|want))\b",
    re.IGNORECASE,
)
"""Done on nothing that another job could be waiting for: "by hand", "it just waits", "nobody has to be there"."""


def occupies_nothing(text: str) -> bool:
    """Whether the words say that work is done on nothing that could be taken: "by hand", "nobody"."""
    return bool(_ALONE.search(text))


def resources_in(text: str) -> tuple[str, ...]:
    """What the work is done on, in or with, where the words say so."""
    return tuple(dict.fromkeys(name for _, name in places_in(text, PLACE)))


def named(label: str) -> tuple[str, tuple[str, ...]]:
    """The name in "baking in the oven", and where it is done."""
    places = places_in(label, PLACE) or places_in(label, _PLAIN_PLACE)
    name = label
    for said, _ in places:
        name = name.replace(said, " ")
    name = " ".join(name.split()).strip(" ,-")
    return (name, tuple(dict.fromkeys(place for _, place in places))) if name else (label, ())


def places_in(text: str, pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """(the words, the place in them) of each place; a number after it is its own."""
    return [
        (match[0], re.sub(r"^(?:\d+|two|three|four|five|six)\s+|\s+\d+$", "", match["what"].strip()))
        for match in pattern.finditer(text)
        if not NOT_A_PLACE.match(match["what"])
        and not re.fullmatch(r"[a-z]+ing", match["what"].strip(), re.IGNORECASE)
        and not _ALONE.search(match[0])
    ]


def first_places(pieces: list[str]) -> list[tuple[str, str]]:
    """Where it is done: in, on or at something; else what it needs or goes through."""
    for pattern in (PLACE, _NEEDS, SEES, _THROUGH):
        found = [one for piece in pieces for one in places_in(piece, pattern)]
        if found:
            return found
    return [one for piece in pieces for one in places_in(piece, _PLAIN_PLACE)][:1]
