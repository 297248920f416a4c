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
    r"as (?:i said|usual|always|you know|before)|like i said|mind you|bless (?:her|"
    r"him|them)|say|hm+|um+|er+)\s*(?P<close>[,.!:\u2026]+)\s*)+",
    re.IGNORECASE,
)
"""An interjection between commas, or a sentence of its own."""

CORRECTS = re.compile(
    r"\b(?:no,? wait|no,? sorry|sorry|wait|hold on|correction|i mean|i meant|make that|scratch that)\b", re.IGNORECASE
)
"""What follows replaces what was said before it."""


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
