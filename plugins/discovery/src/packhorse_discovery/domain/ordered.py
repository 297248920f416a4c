"""What a clause orders: how many of what, for whom: "six satchels for Lindqvist", "Marsh wants ten belts"."""

import re

from attrs import frozen

from packhorse_discovery.domain import counting

_LINK = re.compile(
    r"^(?:[\s,;.)|/]|(?:(?:orders?|jobs?)(?=\s*:)|and|n|then|plus|also|finally|last(?:ly)?|another|next(?: up)?|"
    r"from now|"
    r"first(?:ly)?(?: up| off)?|second(?:ly)?|third(?:ly)?|after that|to start)\b)+",
    re.IGNORECASE,
)
_KNOWN_BY = re.compile(
    r"^(?P<name>(?:(?:order|batch|job|lot)\s+)?(?:\#?[A-Z]{0,4}-?\d{1,8}[A-Z]?|(?<=\s)[A-Z]))\b"
    r"(?:\s*[,:=(]\s*|\s+[-\u2013]\s+|\s+(?:is|are|of|for)\s+|\s+|$)(?P<product>.*)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:at the moment|right now|currently|for now|so far|this week)\b[\s,]*)?"
    r"(?:we|i|they|there|he|she|one customer|a customer)\b[^,;:]{0,30}?\b"
    r"(?:have(?: got)?|has|had|got|need|needs|is|are|want|wants)\s+"
    r"|^there(?:['\u2019]s|['\u2019]re|\s+is|\s+are)\s+|^(?:is|are|of|for)\s+"
    r"|^(?:so\s+)?(?:we|i)(?:['\u2019]ll)?\s+(?:always\s+)?(?:start|begin|open|finish|end|carry on|"
    r"go on)\s+with\s+(?:the\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:and|is|are|which|that|it)$", re.IGNORECASE)
_WORK = re.compile(r"(?<!\d\s)\b(?:takes?|lasts?|runs?|requires?)$", re.IGNORECASE)
"""What takes a time is work, not an order that is due after it."""
_LOTS = (
    r"batch(?:es)?|loads?|box(?:es)?|pallets?|sets?|lots?|kegs?|runs?|pieces?|"
    r"units?|[a-z]+fuls?|bundles?|bags?|sacks?|drums?|rolls?|stacks?|bins?|crates?|trays?|orders?|pairs?|cases?|"
    r"potfuls?|racks?"
)
_NOUN = (
    r"(?!(?:is|are|was|for|to|due|by|in|on|at|and|or|which|that|who|they|she|he|we|it|has|have|must|should|until|"
    r"till|before|"
    r"from|within|inside|needed|wanted|ready|please|each|then|with|goes?|leaves?|wants?|needs?|as|so|but|because|"
    r"will|"
    r"can|may|be|"
    r"of|course|ordered|collects?|fetch\w*|picks?|the|(?-i:a|an)|only)\b)[^\W\d][\w'\u2019/&-]*"
)
_COUNTED = re.compile(
    rf"(?<![\w.+-])(?P<number>\d+|{counting.WORDS})(?:\s*[x\u00d7])?\s+"
    rf"(?:(?P<unit>{_LOTS})\b(?:\s+of\s+(?:(?:the|our|my|their)\s+)?(?P<of>{_NOUN}(?:\s+{_NOUN}){{0,3}}))?|"
    rf"of\s+(?:them|those|these)\b|(?P<other>(?=for\s))|"
    rf"of\s+(?P<kind>{_NOUN}(?:\s+{_NOUN}){{0,3}})|"
    rf"(?P<these>{_NOUN}(?:\s+(?:of\s+)?{_NOUN}){{0,3}}))",
    re.IGNORECASE,
)
"""How many of what; an article counts only lots of something ("a batch of ale")."""
_NO_ORDER = re.compile(
    r"^(?:customers?|orders?|jobs?|things?|ones?|more|others?|people|persons?|shifts?|machines?)\b", re.IGNORECASE
)
_FOR_WHOM = re.compile(r"\b(?:for|to|from|at)\s+$", re.IGNORECASE)
_JOBS = re.compile(r"(?:jobs?|orders?|people|persons?|machines?)", re.IGNORECASE)
"""Nouns that count what was named before them, and nothing by themselves: "bridges, two jobs"."""
_OR = re.compile(rf"(?:\d|\b(?:{counting.CARDINAL}))\s*(?:or|to|-|\u2013)\s*$", re.IGNORECASE)
_ALONE = re.compile(
    rf"(?:^|[,:(]\s*|\s[-\u2013]\s*|['\u2019]s\s+|\b(?:wants?|needs?|ordered|got|gets?|has|have|asked for|"
    rf"there\s+(?:is|are))\s+)(?:just\s+|only\s+)?(?:the\s+(?=one\b))?(?P<number>\d+|{counting.WORDS})(?:\s+ones?)?"
    rf"\s*(?=[,)]|$|\s[-\u2013]\s)",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"^\s*(?:,\s*)?(?P<for>for|to)\s+(?P<who>(?!(?:me|us|it|them|when|the \w+ (?:is|"
    r"are))\b)(?:(?:the|our|my|an?)\s+)?[^\W\d][\w.'\u2019&-]*"
    rf"(?:\s+{_NOUN}){{0,3}})",
    re.IGNORECASE,
)
_BY_WHOM = re.compile(
    rf"^\s*[,(]\s*(?P<who>(?:the\s+)?{_NOUN}(?:\s+{_NOUN}){{0,3}})\s*(?:[,).;]|$|\s[-\u2013]\s)", re.IGNORECASE
)
_OWES = re.compile(
    r"^(?:we|i|they|you)(?:['\u2019](?:ve|re|d|ll|m))?\s+(?:still\s+|also\s+|then\s+)?(?!have\b|had\b)[a-z]+\b\s*",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^(?:on|in)\s+(?:the|my|our)\s+\w+\s+(?:is|are|comes?)\s+", re.IGNORECASE)
_CUT = re.compile(
    r"\s+(?:is|are|was|has|have|had|needs?|wants?|gets?|ordered|asks?|asked|takes|got|gave|gives?|brings?|brought|"
    r"sends?|sent|booked|placed|expects?|must|should|will|"
    r"would|can|comes?|goes|counts?|makes?)\b.*$"
    r"|['\u2019](?:s|re|ve|ll)\s+(?:is|are|has|got)\b.*$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:[\s,:;(|/\u2013-]|['\u2019]s$|\b(?:his|her|their|its|the|our|my|an?|that['\u2019]s|"
    r"which is|that is|namely|only|just|about|another|and|of|with|these|those|"
    r"all)$)+$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"^(?P<name>.+?)\s*(?:x|\u00d7)\s*(?P<count>\d+)$", re.IGNORECASE)
_WANTS = re.compile(
    r"^(?:so|and|well)?\s*(?P<name>.+?)(?:['\u2019](?:s|re|d|ll)|\s+(?:is|are|has|have|will|would))?\s+"
    r"(?:needs?|wants?|ordered|asked for|waiting for|likes?|like|expect(?:s|ing)?|tak(?:es|ing)|gett?(?:s|ing)|"
    r"(?P<fetches>fetch(?:es|ing)?|collect(?:s|ing)?|pick(?:s|ing)?\s+up|com(?:es|ing)\s+for|after))"
    r"\s+(?:(?:her|his|their|its|the|an?|my|our)\s+)?(?P<what>.+)$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|has|have|must|they|she|he|it|we|i|not|which|that|want|wants|needs|due|yes|no)\b|['\u2019]s\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"^(?:it|that|this|they|them|she|he|him|her|us|those|these|yes|same|which|what|who)\b", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"(?:and|then|also|we|i|you|there|by|in|well|dear|so|oh|ok|okay|now|right|yes|let me see|to\s+[a-z]+|[a-z]+ly)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*[,:(]\s*|\s+[-\u2013]\s+")
_ARTICLE = re.compile(
    r"^(?:an?|the|our|some|one|two|three)\s+(?:(?:set|batch|load|run|order|lot|box|pile|bunch)\s+of\s+)?"
    r"|^(?:set|batch|load|run|order|lot)\s+of\s+",
    re.IGNORECASE,
)


@frozen
class Promise:
    """An order as told; ``amount`` is empty where none was said."""

    name: str
    product: str
    when: str
    amount: str
    said: str


def bare(words: str) -> str:
    """``words`` without what leads to an order: "and then we have"."""
    return _LISTED.sub("", _LEAD.sub("", _LINK.sub("", words)))


def _by_count(words: str, when: str, said: str) -> Promise | None:
    """An order of so many of something: "six satchels for Lindqvist", "Marsh wants ten belts", "jam, three lots"."""
    told = _amounts(words)
    many = told[0] if told else None
    match = many or _ALONE.search(words)
    if match is None or _WORK.search(words):
        return None
    subject = _subject(words[: match.start()])
    unit = (many["unit"] or "") if many else ""
    what = (many["of"] or many["kind"] or many["these"] or "") if many else ""
    rest = words[match.end() :]
    sure = len({counting.count(one["number"]) for one in told}) < 2  # "120 yellow ones and 90 blue ones": how many?
    amount = (
        f"{counting.count(match['number'])} {unit or (many['these'] or '' if many else '')}".strip() if sure else ""
    )
    whom = _FOR.match(rest) or (_BY_WHOM.match(rest) if not subject else None)
    if not subject and not what and whom is not None:
        subject = re.sub(r"^(?:the|our|an?)\s+", "", whom["who"], flags=re.IGNORECASE)  # "two lots for the inn"
    if not subject and not what:
        what = unit
    name = subject or (f"{what} for {whom['who']}".strip() if whom is not None else what)
    of_name = re.split(r"\s+(?:for|to)\s+", subject)[0]
    product = what if what and (of_name == subject or (many is not None and not many["these"])) else of_name
    if len(name.split()) > 7:
        name = re.split(r"\s+(?:for|to)\s+", name)[0]
    if not name or max(len(name.split()), len(product.split())) > 7:
        return None
    return Promise(name, product, when, amount, said)


def _amounts(words: str) -> list[re.Match[str]]:
    """The numbers that may be how many are ordered: those of lots where there are any, those for somebody last."""
    told = [one for one in _COUNTED.finditer(words) if _counts(one)]
    told = [one for one in told if not _JOBS.fullmatch(one["unit"] or "")] or told
    lots = [one for one in told if one["unit"]]
    own = [one for one in lots or told if not _FOR_WHOM.search(words[: one.start()])]
    return own or told[:1]


def _counts(match: re.Match[str]) -> bool:
    """Whether a number is how many are ordered."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if _OR.search(before) or (match["these"] and re.match(r"\s*:", after)):
        return False  # "two or three chairs"; "the two hotels:" announces orders
    if match["these"] and _NO_ORDER.match(match["these"]):
        return bool(_JOBS.fullmatch(match["these"]) and re.search(r"\w\s*[,:(]\s*$", before))
    return match["number"].casefold() not in {"a", "an"} or bool(match["unit"])


def _subject(words: str) -> str:
    """Who or what an order is called by, in the words before its number; empty where they name nothing."""
    bare = _LISTED.sub("", _LINK.sub("", words))
    bare = re.sub(r"^(?:for|to)\s+", "", _OWES.sub("", _LEAD.sub("", bare)), flags=re.IGNORECASE)
    bare = _CUT.sub("", f" {bare}").strip()
    while (shorter := _ENDS.sub("", bare)) != bare:
        bare = shorter
    bare = re.sub(r"^(?:the|our|an?|that|this)\s+", "", bare.strip(" ,.;:()-\u2013"), flags=re.IGNORECASE)
    pieces = [re.sub(r"^(?:the|our)\s+", "", one, flags=re.IGNORECASE) for one in re.split(r"\s*[,:]\s*", bare)]
    return next((one for one in pieces if one and not PRONOUN.match(one) and not _NO_NAME.fullmatch(one)), "")


def promise(words: str, when: str, said: str) -> Promise | None:
    """An order known by a number, counted, or only named."""
    amount = ""
    known = _KNOWN_BY.match(words)
    if known and not re.fullmatch(r"\d+x?", known["name"], re.IGNORECASE):
        name, product = known["name"].strip(), known["product"].strip(" ,.()")
        amount, product = _counted(product)
    elif counted := _by_count(words, when, said):
        return counted
    elif known:
        name, product = known["name"].strip(), known["product"].strip(" ,.()")
    else:
        name, *rest = [part for part in _PARTS.split(words) if part.strip()] or [""]
        name, product = _CUT.sub("", name), ""
        if wanted := _WANTS.match(words):
            name, product = wanted["what"] if wanted["fetches"] else wanted["name"], wanted["what"]
        elif rest and not _CLAUSE.search(rest[0]):
            product = rest[0]
        if times := _TIMES.match(name):
            amount, name = times["count"], times["name"]
    product = _TAIL.sub("", _ARTICLE.sub("", _LEAD.sub("", product))).strip(" )")
    if _WORK.search(product):
        return None
    if re.fullmatch(_LOTS, product, re.IGNORECASE):
        product = ""  # "6 loads": of what, the name says
    if not known:
        name = _ARTICLE.sub("", name).strip()
        # "mugs for the market" are mugs; "Hotel Astoria - sheets" is an order of sheets.
        product = product or re.split(r"\s+(?:for|to)\s+", name)[0]
    if not name or _WORK.search(words) or max(len(name.split()), len(product.split())) > 6 or re.search(r"\d", product):
        return None
    if known and not product and name.casefold().startswith("job"):
        product = name  # an order is of something; a job is what it is
    return Promise(name, product, when, amount, said)


def _counted(product: str) -> tuple[str, str]:
    """How many, and of what, in "red paint, 2 batches" or "20 flanges"."""
    many = next(iter(_amounts(product)), None)
    if many is None:
        return "", product if re.fullmatch(r"[^,:(]*", product) else _PARTS.split(product)[0]
    what = many["of"] or many["these"] or ""
    named = _subject(product[: many.start()])
    unit = many["unit"] or (many["these"] or "")
    return f"{counting.count(many['number'])} {unit}".strip(), named or what
