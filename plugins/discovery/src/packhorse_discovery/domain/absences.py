"""What is there and cannot work: "one is away for repair", "the oven is out of order", "only two of them run"."""

import re

from packhorse_discovery.domain import counting

_STATE = (
    r"(?:away|absent|broken(?: down)?|dead|defective|faulty|scrapped|retired|mothballed|unusable|dismantled|gone|"
    r"down\b(?! ?(?:stairs|there|in|by))|out\b(?! (?:in|on|by|at|back|front|there)\b)(?: of (?:order|service|use|"
    r"action|commission))?|"
    r"(?:being|getting) (?:repaired|serviced|mended|fixed|rebuilt|overhauled)|(?:under|in|off for|in for|away for|"
    r"awaiting) (?:repair|service|maintenance)|"
    r"at the (?:mender|repairer|maker|manufacturer|repair shop|dealer)\w*|off for|sent off|sent away|in for|"
    r"not (?:working|running|usable|in use|available|there|counted|to be counted)|unavailable|shut down|switched off|"
    r"on (?:permanent )?(?:loan|leave|holiday|vacation|(?:the|a) course|strike)|lent(?: out)?|off sick|ill\b|sick\b|"
    r"in (?:storage|mothballs|pieces|bits)|waiting for (?:a|the|its|some|spare)? ?(?:new )?(?:parts?|spares?|"
    r"motor|repair))"
)
_VERB = (
    r"(?:does\s?n['\u2019]?t|do\s?n['\u2019]?t|doesnt|dont|does not|do not|has not|hasn['\u2019]?t) "
    r"(?:work|run|turn|go|heat|count|worked|run|been used)\w*"
)
_AWAY = re.compile(
    rf"^\s*,?\s*(?:of (?:them|those|these|which)\s+)?(?:ones?\s+)?(?:(?:is|are|has been|have been|['\u2019]s|"
    rf"['\u2019]re|just|still|"
    rf"always|currently|at the moment|right now|at present|permanently|now|presently|mostly|sadly)\s+)*(?:{_STATE}|"
    rf"{_VERB})",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"^\s*(?:of (?:them|those|these|which)\s+)?(?:(?:is|are|actually|really|still|can be|currently|now|"
    r"right now)\s+)*"
    r"(?:works?|working|runs?|running|usable|used|in (?:use|service|operation|working order)|operational|"
    r"serviceable)\b"
    r"(?=\s*(?:[,.;:()!-]|$|(?:and|but|at the moment|right now|now|today|at present|properly|reliably)\b))",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"(?:^|[,;.]\s*|\band\s+|\bbut\s+)(?:(?:for|during|in|at|over)\s+[^,.;]{3,40}?\s+(?=[A-Z]))?"
    r"(?P<name>(?-i:[A-Z][a-z]+)|(?:the|our)\s+(?:only\s+)?[a-z][\w-]*(?:\s+(?!is\b|are\b)[a-z][\w-]*){0,2})"
    r"(?:['\u2019]s|\s+is|\s+are)\s+(?:out of order|broken|down\b|on leave|on holiday|on vacation|on (?:the|"
    r"a) course|away|absent|"
    r"off sick|ill\b|sick\b|not available|unavailable|shut down|being (?:repaired|serviced)|not there|gone)",
    re.IGNORECASE,
)
_NOBODY = frozenset(
    {"it", "that", "this", "one", "he", "she", "everything", "there", "they", "both", "which", "what", "we", "you", "i"}
)


def away(words: str) -> bool:
    """Whether so many, of which ``words`` go on to tell, cannot work: "(one) is out of order"."""
    return bool(_AWAY.match(words))


def works(words: str) -> bool:
    """Whether ``words`` say that so many work: "(two) of them run"."""
    return bool(_WORKS.match(words))


def absent(text: str) -> list[str]:
    """The names of single things and people that are there and cannot work."""
    return [
        re.sub(r"^(?:the|our)\s+(?:only\s+)?", "", match["name"], flags=re.IGNORECASE)
        for match in _ABSENT.finditer(text)
        if match["name"].casefold() not in _NOBODY
        and not re.fullmatch(
            rf"(?:the|our)\s+(?:(?:only|other)\s+)?(?:one|{counting.CARDINAL})", match["name"], re.IGNORECASE
        )
    ]


def tells(words: str) -> bool:
    """Whether ``words`` begin with one, some or the last that cannot work."""
    head = re.match(
        rf"\s*(?:(?:the|a|but|of which|only|just)\s+)*(?:\d+|{counting.CARDINAL}|second|third|fourth|fifth|last)\b",
        words,
        re.IGNORECASE,
    )
    return head is not None and away(re.sub(r"^\s+ones?\b", "", words[head.end() :]))
