"""Words that hold a telling together and tell nothing themselves: "from there", "to begin with", "let me think"."""

import re

_ORDINAL = r"(?:very\s+)?(?:first|second|third|fourth|fifth|sixth|next|last|final|other)"
_THING = r"(?:thing|step|stage|one|job|bit|part|operation|stop|station|task)"
_OVER = r"(?:done|finished|over|ready|through|out of the way|dry|cold|cool|set|out|off|complete|behind us)"
_SEQUENCE = re.compile(
    r"(?P<open>^|[.;!?\n,:]\s*(?:\d+[.)]\s*)?|\b(?:and|so|but|well)\s+)(?:"
    r"(?:and\s+)?(?:right|straight|directly|immediately|shortly|soon)?\s*(?:from (?:there|"
    r"here)(?: on(?:wards)?)?|from (?:the|our) [a-z]+(?: [a-z]+)?(?=,? (?:it|"
    r"they|that|we) )|after(?:wards)?(?: that| this| which)|"
    r"thereafter|thereupon|subsequently|in the end|at the (?:very )?end(?!\s+of)|"
    r"to (?:finish|end|close|round)(?: (?:off|up|with|it off))*|"
    r"to (?:begin|start|kick)(?: (?:off|with|it off))*|first (?:of all|off|up)|"
    r"next (?:up|in line|on)|last (?:but not least|of all|up)|"
    rf"(?:once|when|as soon as) (?:that|this|it|they|all that|everything)(?:['\u2019](?:s|"
    rf"re)| is| are)(?: all)? {_OVER}|"
    rf"(?:and )?(?:that|this|which) (?:only |just )?leaves(?: us)?(?: with)?|"
    rf"what(?:['\u2019]s| is) left is|what (?:comes|follows)(?: {_ORDINAL}| then|"
    rf" after(?: that)?)? is|"
    rf"(?:the\s+)?{_ORDINAL}\s+{_THING}(?:['\u2019]s|\s+is|\s+comes|\s+would be)|"
    r"after\s+(?:the\s+)?(?!that\b|this\b|which\b)[a-z][\w-]*(?:\s+[a-z][\w-]*)?\s+(?:comes?|follows)"
    r")\b(?P<close>\s*[,:]?\s*))",
    re.IGNORECASE,
)
"""What says that the next step comes; a clause after another."""
_ASIDE = re.compile(
    r"(?P<open>^|[.;!?\n,]\s*|\b(?:and|so|but|then|and then)\s*,?\s+)(?:(?:well|"
    r"so|now|right|ok|okay|oh|ah|look|listen|dear|love|darling|"
    r"of course|naturally|obviously|basically|actually|honestly|(?:(?:now|well|"
    r"so|oh|right|ok)\s+)?let me (?:think|see)|(?:well|so|oh|right|now) then|"
    r"let(?:['\u2019]s| us) see|you know|you see|i mean|i (?:think|guess|suppose|"
    r"reckon)|"
    r"(?:summing|to sum) up|in short|once (?:more|again)|as (?:i said|usual|always|you know|before)|like i said|"
    r"mind you|bless (?:her|"
    r"him|them)|say|hm+|um+|er+)\s*(?P<close>[,.!:\u2026]+)\s*)+",
    re.IGNORECASE,
)
"""An interjection between commas, or a sentence of its own."""

AT_ONCE = re.compile(
    r"\b(?:at the same time|side by side|in parallel|simultaneously|in the meantime|meanwhile|"
    r"alongside)\b",
    re.IGNORECASE,
)
"""Of work that is done while other work is."""
_TAKES_BACK = (
    r"(?:(?:have|need|want|must|let me|i(?:['\u2019]d)? (?:better|like to))(?: to)? (?:correct|put right|take "
    r"back)|correct(?:ing)? myself|"
    r"(?:that|which|it|this|i)(?:['\u2019](?:s|m)| was| is| am| were)(?: all| quite| just)? (?:wrong|mistaken|"
    r"not right|not true|nonsense)|"
    r"(?:is|was|were)n['\u2019]t right|take (?:that|it|this) back|my mistake|(?:i|we) (?:mis\w+|was mistaken|"
    r"made a mistake)|"
    r"i (?:told|gave) you (?:a |an |the )?(?:wrong|old|last year)|got (?:that|it|the \w+) wrong|correction)"
)
_INTERRUPTS = (
    r"(?:no,? wait|no,? sorry|sorry|(?<=[.,;!?\u2013-] )wait(?=\s*[,.!;:\u2013-])|wait(?= wait|, (?:no|i\b))|"
    r"hold on|hang on|reading the wrong|i mean|i meant|make that|scratch that)"
)
TAKES_BACK = re.compile(rf"\b{_TAKES_BACK}\b", re.IGNORECASE)
"""An open correction of what was told before."""
CORRECTS = re.compile(rf"\b(?:{_INTERRUPTS}|{_TAKES_BACK})\b", re.IGNORECASE)
"""What follows replaces what was said before it."""

SHOP = (
    r"(?:shop|workshop|place|firm|nursery|house|hall|plant|yard|works|kitchen|studio|bakery|brewery|factory|mill|farm|"
    r"lab|business|company)"
)
_KIN = (
    r"(?:cousin|brother|sister|uncle|aunt|neighbou?r|friend|colleague|competitor|rival|father|mother|grandfather|"
    r"grandmother|boss|predecessor)s?"
)
OTHERS = re.compile(
    r"(?:^|(?<=[.;!?\n]))[^.;!?\n]*\b(?:"
    rf"(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{_KIN}(?:['\u2019]s?\s+(?:\w+\s+)?(?:{SHOP}|day|time)\b"
    r"|,?\s+(?:he\s+|she\s+|they\s+|who\s+)?(?:ha(?:s|d)\s+(?!been\b|[a-z]+(?:ed|de|ne|en|t)\b)|(?:owns?|runs?|"
    r"keeps?|needs?)\b))"
    rf"|(?-i:[A-Z])[\w'\u2019]+,?\s+(?:(?:over|across|down|on the other side of)\s+(?:the\s+)?)"
    r"(?:river|road|street|valley|canal)"
    r"|[a-z]+\s+(?:next door|across the (?:road|street)|down the (?:road|street))"
    rf"|(?:my|his|her)\s+(?:former|previous|last|old|ex)[ -](?:employer|boss|job|{SHOP})\b"
    rf"|(?:in|at) (?:his|her|their) (?:own )?{SHOP}\b"
    r"|where i (?:worked|trained|learn(?:ed|t))"
    r"|(?:former|previous) (?:employer|boss|firm|company)\b|in the next (?:village|town|street)"
    r"|the (?:people|folks) (?:at|in|from|over)\b|the other [a-z]+ in (?:town|the village)"
    r"|(?:our|the|my)\s+(?:competitors?|rivals?|competition)\b[^.;!?\n]*\bha(?:s|ve)\b"
    r"|if\b[^.;!?\n]*\b(?:(?:we|i|they|he|she|it|there)['\u2019]d|would|could)\b|next door\b"
    r"|(?:were|was|had)\b[^.;!?\n]*\b(?:years|decades) ago|(?:years|decades) ago\b[^.;!?\n]*\b(?:were|was|had)\b"
    r"|in (?:the )?old days)[^.;!?\n]*(?:[.;!?\n]|$)",
    re.IGNORECASE,
)
"""A sentence about somebody else's shop, another time, or what might be."""


def plainly(text: str) -> str:
    """``text`` with "then" for whatever says that the next step comes, and without interjections."""

    def aside(match: re.Match[str]) -> str:
        opening = match["open"]
        return f"{match['close'][0]} " if opening.strip() == "," and match["close"][0] in ".!" else opening

    text = re.sub(r" ?\n\s*", "\n", re.sub(r"[ \t]+", " ", text))  # so that reading stays linear in the length
    text = _ASIDE.sub(aside, text)

    def sequence(match: re.Match[str]) -> str:
        return f"{match['open'] or ''}then "

    return _SEQUENCE.sub(sequence, text)
