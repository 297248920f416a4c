"""Where work is done, as it is told: on what machine, in what place, or on nothing that could be taken."""

import re

DETERMINER = (
    r"(?:the|an?|our|his|her|their|its|one of (?:the|our)(?: \d+| two| three| four| five| six)?|either of the|"
    r"any of (?:the|our)|one|each|whichever|(?:that|this)(?=\s+[a-z]))\s+"
)

_STOP = (
    r"(?!(?:and|or|for|about|where|around|which|that|takes?|taking|until|before|after|is|are|we|you|they|per|at|"
    r"to|in|on|"
    r"comes?|goes|follows?|happens?|anything|anywhere|busy|going|occupied|as well|too|also|"
    r"with|by|under|inside|using|again|including|plus|minus|within|during|like|thats|first|last|because|when|if|he|"
    r"she|they|"
    r"needs?|requires?|lasts?|runs?|each|then|this|it|so|from|because|roughly|say|since|while|gets?)\b)"
)

NOUNS = (
    rf"(?P<what>{_STOP}[a-z][\w-]*(?:\s+and\s+[a-z]+(?=\s+(?:machine|station|line|cell|unit|robot)\b)|"
    rf"\s+{_STOP}[a-z][\w-]*|"
    r"\s+of\s+[a-z][\w-]*){0,4})"
)

PLACE = re.compile(
    rf"\b(?<!depending )(?<!depends )(?<!based )(?:on|in|using|with|at|by|inside|"
    rf"under)\s+{DETERMINER}(?:same\s+)?{NOUNS}",
    re.IGNORECASE,
)

_THROUGH = re.compile(rf"\b(?:into|onto|through|over|to)\s+{DETERMINER}{NOUNS}", re.IGNORECASE)

_PLAIN_PLACE = re.compile(
    rf"\b(?:on|in|using|at|by|with)\s+(?!(?:hand|care|love|water|batch(?:es)?|total|average|advance|parallel|"
    rf"turn|order|all|once|least|most|"
    rf"night|a|an|the|our|every|each|both|some|any|many|most|day|days|weeks?|lots?|loads?|time|place|stock|general|"
    rf"fact|bulk|house|then)\b){NOUNS}(?:\s+\d+)?\s*$",
    re.IGNORECASE,
)
"""Without an article, where nothing follows: "cut on laser"."""

_PLAIN_WAY = re.compile(rf"\b(?:go(?:es)?|moves?|comes?)\s+(?:in|on)?to\s+{NOUNS}\s*$", re.IGNORECASE)
"""``it goes to blancher``."""
_NEEDS = re.compile(
    rf"(?<!\bif)\s+\b(?:needs?|requires?|uses?|occup(?:y|ies)|ties up|takes up|blocks|keeps(?=\s[^,]{{3,40}}\sbusy)|"
    rf"happens (?:on|in|at)|(?:is|are|gets?) (?:done|"
    rf"performed|carried out|"
    rf"handled|run) (?:on|in|at|by|with|using))\s+(?:up\s+)?(?:{DETERMINER})?{NOUNS}",
    re.IGNORECASE,
)

SEES = re.compile(rf"^(?P<name>(?:\w+\s+){{0,2}}(?:sees?|meets?|visits?)\s+{DETERMINER}{NOUNS})", re.IGNORECASE)

_NOT_A_PLACE = re.compile(
    r"^(?:it|them|us|protocol|books?|lists?|recipe|sheet|spec(?:ification)?s?|rules?|itself|themselves|these|"
    r"those|never|always|which|no|morning|afternoon|evening|day|end|week|same|total|most|next|whole|batch|"
    r"meantime|minutes?|hours?|beginning|"
    r"start|middle|time|moment|go|row|break|hand|own|one|detail|shelf|shift|way|average|case|pieces?|least|order|"
    r"following|parallel|customers?|lids?|rest|night|first|"
    r"second|last|maximum|minimum|weather|season|meanwhile|product|size|job|part|customer)s?\b",
    re.IGNORECASE,
)

_NAMED_AFTER = re.compile(
    r"^(?:parts?|hand|batch|case|piece|break|day|night|end|book|sheet|lid|job|order|product|size|list|shift|"
    r"row)s?\s+[a-z]",
    re.IGNORECASE,
)
"""Machines named after these are places all the same: "the parts washer", "the hand press"."""
_ALONE = re.compile(
    r"\b(?:(?:all\s+)?by hand|hand[- ]?work|(?:nobody|no[- ]?one)(?! (?:else |other )?(?:but|except|than))|(?:on|"
    r"of) (?:its|their) own|by (?:itself|themselves)|"
    r"(?:no|any|without an?y?|without) (?:machine|equipment|station|resource|tool|place)s?(?: (?:at all|"
    r"whatsoever))?|"
    r"needs? nothing|nothing (?:is )?needed|(?:needs?|takes?|occup(?:y|ies)) no (?:machine|"
    r"room|place|one|equipment|station)|anywhere|wherever|any(?:one|body)|whoever|"
    r"any\s+(?:free|old)?\s*(?:corner|spot|shelf|table|bench)|(?:just|simply|"
    r"only)\s+(?:waits?|sits?|stands?|lies?|rests?|hangs?)|unattended|looks after itself|"
    r"as many as (?:we|you|they) (?:like|want))\b",
    re.IGNORECASE,
)
"""Done on nothing that another job could be waiting for: "by hand", "it just waits", "nobody has to be there"."""


_MANNER = re.compile(
    r"^(?:mouth\s?ful|mouth full|handful|pinch|drop|dash|splash|bit|lot|little|touch|coat|layer|cup|spoonful|"
    r"smile|song|(?:steady|light|firm|good|sharp|careful) (?:hand|eye)|patience)s?\b",
    re.IGNORECASE,
)
"""With what nobody could be waiting for: "a mouth full of tacks", "a steady hand"."""
_EQUIPMENT = re.compile(
    r"(?:^|[\s-])(?:machines?|press(?:es)?|mills?|saws?|lathes?|ovens?|rooms?|lines?|stations?|bench(?:es)?|tables?|"
    r"desks?|brakes?|furnaces?|tanks?|tuns?|baths?|rigs?|cabinets?|cupboards?|booths?|kilns?|robots?|cells?|cranes?|"
    r"trucks?|drills?|shops?|departments?|labs?|forges?|plants?|teams?|crews?|units?|wheels?|looms?|stills?|vats?|"
    r"kettles?|drums?|autoclaves?|forklifts?|racks?|stands?|stacks?|towers?|tunnels?|chambers?|pits?|sinks?|tubs?|"
    r"pans?|"
    r"pots?|coppers?|frames?|jigs?|boards?|screens?|guillotines?|stoves?|hearths?|belts?|lasers?|scales?|"
    r"(?!(?:wat|pap|leath|copp|timb|rubb|silv|batt|butt|powd|ord|numb|matt|plast|lay|cov|corn|lett|custom|oth|weath|"
    r"summ|"
    r"wint|lag|port|bitt|pewt|lumb|polym|prim|ging|pepp|flow|feath|amb|fib|lacqu|cid|nev|ev|aft|und|ov|wheth|eith|"
    r"rath|howev|fath|moth|broth|sist|daught|membe?|pap|quart|remaind)er\b)[a-z-]{2,}er)s?$",
    re.IGNORECASE,
)
"""What the last word of a machine's or a place of work's name usually is; materials that end alike are left out."""
_DATE = re.compile(
    r"^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|"
    r"(?:septem|octo|novem|decem)ber|easter|christmas|advent|noon|midday|midnight|today|tonight|tomorrow)s?\b",
    re.IGNORECASE,
)
_NEVER_A_PLACE = re.compile(
    r"(?:^|\s)(?:end|beginning|start|middle|moment|time|stage|point|outset|finish|steps?|operations?|phases?|"
    r"meantime|latest|earliest)s?$",
    re.IGNORECASE,
)
"""Last words that tell when, not where: "at the very end"."""
_PERSON = re.compile(
    r"\b(?:operators?|technicians?|persons?|people|apprentices?|assistants?|colleagues?|helpers?|"
    r"[a-z]+(?:ists?|smiths?|wom[ae]n)|[a-z]{2,}m[ae]n)$",
    re.IGNORECASE,
)


def is_no_place(name: str) -> bool:
    """Whether a name tells a time, a manner or what is worked on, rather than where."""
    if _NEVER_A_PLACE.search(name.strip()) or _DATE.match(name):
        return True
    return bool(_NOT_A_PLACE.match(name)) and not (_NAMED_AFTER.match(name) and is_equipment(name))


def is_equipment(name: str) -> bool:
    """Whether a name is, by its last word, of a machine or of a place to work at."""
    return bool(_EQUIPMENT.search(name.strip()))


def is_person(name: str) -> bool:
    """Whether a name is, by its last word, of somebody who works."""
    return bool(_PERSON.search(name.strip()))


_UNCOUNTED = re.compile(
    r"^little\s+(?=\S+\s+\S)|^(?:\d+|two|three|four|five|six|either|any|both)\s+|\s+\d+$", re.IGNORECASE
)
"""What a place's name has around it: how many there are, or which of them."""
_ROLE = re.compile(
    r"^(?:[a-z]+\s+)?(?:operators?|technicians?|apprentice|assistant|colleague|helper|wife|husband|son|daughter|"
    r"brother|sister|"
    r"cousin|mother|father|friend|nephew|niece|uncle|aunt|foreman|boss|[a-z]+(?:ist|smith|woman|"
    r"man))\s+(?=(?-i:[A-Z]))",
    re.IGNORECASE,
)
"""What somebody is, before the name: "my wife Moira"."""
_BY_OWN = re.compile(
    r"\b(?:by|(?:[Nn]obody|[Nn]o[- ]one)(?: else)? (?:but|except))\s+"
    r"(?P<what>(?:(?:Mrs?|Ms|Miss|Dr|Mister|old|young|big|"
    r"little)\.?\s+)?(?-i:[A-Z])[a-z]+(?:\s+(?-i:[A-Z])[a-z]+)?)\b"
)
"""``checked by Mrs Novak``."""


def occupies_nothing(text: str) -> bool:
    """Whether the words say that work is done on nothing that could be taken: "by hand", "nobody"."""
    return bool(_ALONE.search(text))


def resources_in(text: str) -> tuple[str, ...]:
    """What the work is done on, in or with, where the words say so."""
    return tuple(dict.fromkeys(name for _, name in _firm(places_in(text, PLACE))))


def manners(pieces: list[str]) -> list[tuple[str, str]]:
    """(the words, the thing) of all that work is said to be done with, as `first_places` has places."""
    found = [
        (match[0], match["what"])
        for piece in pieces
        for match in PLACE.finditer(piece)
        if not re.fullmatch(r"[a-z]+ing", match["what"].strip(), re.IGNORECASE)
    ]
    firm = any(not _is_with(said) for said, _ in found)
    return [one for one in found if _is_with(one[0]) and (firm or _MANNER.match(one[1]))]


def companions(text: str) -> tuple[str, ...]:
    """What the work is done with beside its place: "with the crane" of "on the bench, with the crane"."""
    found = places_in(text, PLACE)
    return tuple(dict.fromkeys(name for said, name in found if (said, name) not in _firm(found)))


def _firm(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The places without what is only told "with" or "by" them, where one is told by on, at or in; persons stay."""
    firm = [(said, name) for said, name in found if not _is_with(said) or _PERSON.search(name)]
    firm = firm if any(not _is_with(said) for said, _ in firm) else found
    done_at = [
        one for one in firm if not one[0].casefold().startswith("by ") or is_person(one[1]) or one[1][:1].isupper()
    ]
    return done_at or firm


def _is_with(said: str) -> bool:
    return said.casefold().startswith("with ")


def named(label: str) -> tuple[str, tuple[str, ...]]:
    """The name in "baking in the oven", and where it is done."""
    places = places_in(label, PLACE) or places_in(label, _PLAIN_PLACE)
    firm = _firm(places)
    name = label
    for said, _ in places:
        name = name.replace(said, " ")
    name = " ".join(name.split()).strip(" ,-")
    return (name, tuple(dict.fromkeys(place for _, place in firm))) if name else (label, ())


def places_in(text: str, pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """(the words, the place in them) of each place; a number after it is its own."""
    return [
        (
            match[0],
            _ROLE.sub("", _UNCOUNTED.sub("", match["what"].strip())),
        )
        for match in pattern.finditer(text)
        if not is_no_place(match["what"])
        and not re.fullmatch(r"[a-z]+ing", match["what"].strip(), re.IGNORECASE)
        and not _ALONE.search(match[0])
        and not (_is_with(match[0]) and _MANNER.match(match["what"]))
    ]


def first_places(pieces: list[str]) -> list[tuple[str, str]]:
    """Where it is done: in, on or at something; else what it needs or goes through."""
    for pattern in (PLACE, _BY_OWN, _NEEDS, SEES, _THROUGH):
        found = [one for piece in pieces for one in places_in(piece, pattern)]
        if found:
            return _firm(found)
    return []


def last_place(pieces: list[str]) -> list[tuple[str, str]]:
    """Where it is done, told without an article at the end of a piece: "cut on laser"."""
    return [one for pattern in (_PLAIN_PLACE, _PLAIN_WAY) for piece in pieces for one in places_in(piece, pattern)][:1]
