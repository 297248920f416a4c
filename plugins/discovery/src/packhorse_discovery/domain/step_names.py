"""Names of steps: the words that tell of one without what leads to it and what is said about it."""

import re

from packhorse_discovery.domain.places import SEES

_EDGES = " ,.:;-\u2013\u2014"
LEAD = re.compile(
    r"^(?:so|yeah|yes|u|like|well|ok|okay|oh|right|now|basically|no|wait|sorry|actually|correction|hold on|i mean|"
    r"i meant|"
    r"hm+|um+|first(?:ly)?(?: off| of all| up)?|(?:second|third|fourth|fifth)(?:ly)?(?: one)?|"
    r"last(?: of all|ly)?(?: one)?|after (?:the )?[a-z-]+ing (?:is|comes?|follows)|(?:is )?coming|must|has to|"
    r"to start(?: with)?|also|and|but|then|next|finally|"
    r"finish(?= is\b)|again|"
    r"for (?:1|one|each|every|an?|the) (?:whole |single )?[a-z]+,?(?= there| it| we| you| i |\s*,)|"
    r"['\u2019](?:ve|re)(?: got)?|been|per [a-z]+\b,?|its(?= [a-z]+ing\b)|(?:your|our)(?= [a-z]+ing\b)|"
    r"(?:the )?(?:start|beginning|end) is|"
    r"(?:in|at|on|by) (?:the )?(?:very )?(?:end|start|beginning|morning|evening|afternoon|first|last)(?: (?:is|"
    r"comes?))?,?|"
    r"(?:we|you|i|they|one) (?:start|begin)s? (?:by|with|off (?:by|with))|(?:start|begin)s? (?:by|with)|"
    r"(?:we|you|they) (?:then|first|also|just)|for(?= (?:the )?[a-z]+ing\b)|"
    r"(?:an?|the|each|every|everything|one) (?:[a-z]+ )?(?:starts|begins) (?:by|with)|"
    r"it (?:all )?(?:starts|begins)(?: with)?|(?:we|you) have to|we|you|they|i|it|"
    r"there is|there['\u2019]s|"
    r"that|this|everything|where|which|['\u2019]s|"
    r"the (?=\w+ (?:takes|is|goes|are|gets))|come|comes|after|have|has|got|goes? (?:through|to|into|onto)|"
    r"it['\u2019]s|they['\u2019]re|into|onto|through|the steps?|(?:step|stage|operation) (?:no\.? ?)?\d+(?: is)?:?|"
    r"to(?= [a-z]+ )|the (?:first|second|third|fourth|fifth|next|last|final) (?:step|stage|one|thing) is|in the|"
    r"is|are)\b[\s,:]*",
    re.IGNORECASE,
)
TAKES = re.compile(
    r"\s*\b(?:(?:which|that|this|it|and)(?:['\u2019]s)?\s*(?!(?:in|for|at|up)\b))?(?:usually |typically |normally |"
    r"generally |only |all )?"
    r"(?:takes?|taking|lasts|runs?|needs?|requires?|is|are|for|in|about|roughly|around|another|a further|"
    r"(?:that|it)['\u2019]s|only|just|say|call|maybe|perhaps|let['\u2019]s|(?:most|the (?:best|better) part) of|"
    r"(?:count|allow|reckon|figure|budget|plan)(?: on| with)?|of|at|up|alone|anywhere|anything|overnight,?(?=\s*$))"
    r"\s*(?:(?:me|us|her|him|them|you|it)\s*)?$",
    re.IGNORECASE,
)
DONE = (
    r"(?:cut|bent|sawn|ground|sewn|spun|fed|hung|put|set|shot|split|spread|wound|bound|built|made|sent|stuck|drawn|"
    r"grown|woven|blown|broken down|taken apart|[a-z-]+ed)"
)
PASSIVE = re.compile(
    rf"^(?:[\w'-]+\s+){{0,5}}?(?:is|are|gets?|being|be|was|were)\s+(?:(?:first|then|finally|now|all|also|usually|"
    rf"next)\s+)*"
    rf"(?P<name>(?!(?:done|performed|carried|handled|followed|needed|called|supposed)\b){DONE}\b.*)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?P<name>.+?)\s+(?:(?:is|are)(?:['\u2019]s)?\s+(?:done|performed|carried out|handled|the|an?|our|"
    r"next|last|first|quick|"
    r"slow|easy|short|long|fast|also|all|always|usually|then)\b|(?:comes?|goes|happens|follows|starts|takes "
    r"place)\b).*$",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"^(?:(?:it|they|we|you|the|a|an|our|each|every|all|everything|this|[\w-]+)\s+){0,3}?(?:go(?:es)?|moves?|"
    r"comes?|gets? (?:moved|sent|put)|"
    r"(?:is|are) (?:moved|sent|put|passed))\s*(?:back|over|on|straight|down)?$",
    re.IGNORECASE,
)
_LIGHT = re.compile(
    r"^(?:make|do|does|doing|carry out|perform|have|there(?:['\u2019]s| is))\s+(?:the\s+|"
    r"some\s+|our\s+)?(?=[a-z]+ing\b)",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"^(?:once|when|after|as soon as|for|with)\s+(?:an?|the|each|every)?\s*(?:\w+\s+){1,3}?(?:(?:is|are|has "
    r"been|have been)\s+\w+,?\s+)?(?=(?:they|it|we|the)\s)",
    re.IGNORECASE,
)
"""``once the slabs are cast they cure``: what comes before is another step's."""
_WHEN_OVER = re.compile(
    r"^(?:when|once|after|before|as soon as|if|while)\s+(?:[\w'\u2019-]+\s+){1,6}?(?=(?:i|we|you|they|it|he|"
    r"she)(?:['\u2019](?:re|s))?\s+[a-z]+)",
    re.IGNORECASE,
)
"""``when they're hard I do the trimming``: what comes before is no part of the name."""
_WHEN = re.compile(
    r"\s+(?:at the (?:very )?end|after that|afterwards|first|second|third|last|then|as well|too|again|itself|"
    r"themselves|sitting down|"
    r"by now)$",
    re.IGNORECASE,
)
_I_DO = re.compile(r"^(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+(?:i|we|you|they)\s+(?:do|make)\b.*$", re.IGNORECASE)
"""``stoning I do sitting down``."""
_IN_DETAIL = re.compile(r"^(?:in detail|that['\u2019]s|that is|namely|which is)\b[\s,:]*", re.IGNORECASE)


def name_in(pieces: list[str], places: list[tuple[str, str]]) -> tuple[str, list[str]]:
    """The name in the words before the time, and the pieces that are left."""
    for number, piece in enumerate(pieces):
        words = piece
        for said, _ in places:
            if not SEES.match(said):
                words = words.replace(said, " ")
        words = without(TAKES, " ".join(words.split()))
        bare = without(LEAD, words).strip(" ,.")
        if _MOVES.match(" ".join(words.split())) or (
            places and re.fullmatch(r"(?:\w+\s)?(?:goes|go)(?:\s+(?:over|on|back|down|up|straight))?", bare)
        ):
            return "", pieces[number + 1 :]
        name = cleaned(words)
        if name:
            return name, pieces[number + 1 :]
    return "", []


def cleaned(words: str) -> str:
    """A name without what leads to it and what is said about it."""
    name = without(LEAD, _ONCE.sub("", _WHEN_OVER.sub("", _IN_DETAIL.sub("", words.strip(_EDGES)))))
    if done := _I_DO.match(name):
        name = done["name"]
    name = without(_WHEN, name)
    if passive := PASSIVE.match(name):
        name = passive["name"]
    elif subject := _SUBJECT.match(name):
        name = subject["name"]
    name = re.sub(r"\s+and\s+(?:you|we|it|that|they|i|then)\b.*$", "", name, flags=re.IGNORECASE)
    if within := re.search(r"\bin\s+(?P<name>[a-z]+ing)$", name):
        name = within["name"]  # "we leave it in annealing"
    name = _LIGHT.sub("", without(LEAD, without(_WHEN, name)))
    name = re.sub(r"\s+(?:i|we|you|they)(?:\s+(?:do|make|have))?$", "", name.strip(_EDGES), flags=re.IGNORECASE)
    name = re.sub(
        r"\s*\b(?:(?:all )?by hand|on (?:its|their) own|by (?:itself|themselves))$", "", name, flags=re.IGNORECASE
    )
    name = re.sub(r"^(?:the|an?|our|all|every|each|just|simply)\s+", "", name.strip(_EDGES), flags=re.IGNORECASE)
    return re.sub(r"\s+(?:(?:takes?\s+)?\d+|the|an?|it|them|and|again|in|on|at|by|with|takes?)$", "", name).strip(" .,")


def without(pattern: re.Pattern[str], words: str) -> str:
    """``words`` without what ``pattern`` matches, as often as it does."""
    while (shorter := pattern.sub("", words).strip(" ,")) != words:
        words = shorter
    return words
