"""Orders told in words, each with its product and when it is due: "B1 pale ale, 14 days"."""

import re

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.quantities import digits

WHEN = r"\d{4}-\d{2}-\d{2}|\+?\d+(?:\.\d+)?\s*(?:min(?:ute)?s?|hours?|hrs?|h|days?|d|weeks?|wks?)"
"""A date in the one order that has one reading, or a time from the start."""

_WHEN = re.compile(rf"(?:{WHEN})(?![\w/])", re.IGNORECASE)
_ORDER = re.compile(
    rf"""
    (?<![\w.-])
    (?P<name> (?:order|batch|job|lot)\s+(?:no\.?\s*|number\s+)?(?:\#?[A-Z]{{0,4}}-?\d{{1,8}}[A-Z]?|[A-Z])(?![\w-])
            | \#\d{{1,8}} | [A-Z]{{1,4}}-?\d{{1,8}}[A-Z]? | \d{{3,8}} )
    (?: \s*[,:=(]\s* | \s+[-\u2013]\s+ | \s+ )
    (?: (?:is|are|of|for)\s+ )?
    (?: (?P<amount>\d[\d,.]*\s+[a-z]+)\s+of\s+ | (?:an?|the|some)\s+ )?
    (?! (?:takes?|needs?|lasts?|runs?|requires?|is|are|due|days?|weeks?|hours?|minutes?)\b )
    (?P<product> [A-Z][A-Z'-]* (?:\s+[A-Z][A-Z'-]*){{0,4}}? )
    \s* [,:(]? \s* (?:[-\u2013]\s+)?
    (?: (?:which\s+)?(?:is|are|must\s+be)\s+ )?
    (?: (?:due|needed|wanted|ready)\b\s* )?
    (?: (?:in|by|on|until|within|after|for)\s+ )?
    (?P<when> {WHEN} )(?![\w/])
    """,
    re.IGNORECASE | re.VERBOSE,
)

_DUE = re.compile(
    r"[\s,:(\u2013-]*\b(?:and\s+)?(?:(?:all|each|both)\s+)?(?:(?:which|that|it|they)\s+)?(?:only\s+)?"
    r"(?:(?:is|are|must|has (?:time |until )?to|have (?:time |until )?to|should|needs? to|will|has|have)"
    r"(?:\s+be)?\s+)?(?:go\s+)?"
    r"(?:due(?:\s+out)?|needed|wanted|ready|there|delivered|out|done|finished|required|promised|shipped|collected|"
    r"picked up)?\s*"
    r"(?:in|by|on|until|within|after|for|before|at)?(?:\s+(?:about|the))?\s*\+?$",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^(?:[\s,;.)]|(?:and|then|plus|also|finally|last(?:ly)?|another|next(?: up)?|from now|"
    r"first(?:ly)?(?: up| off)?|second(?:ly)?|third(?:ly)?|after that|to start)\b)+",
    re.IGNORECASE,
)
_PREFACE = re.compile(r"^[^:]{0,80}:\s*(?=\S)")
_KNOWN_BY = re.compile(
    r"^(?P<name>(?:(?:order|batch|job|lot)\s+)?(?:\#?[A-Z]{0,4}-?\d{1,8}[A-Z]?|(?<=\s)[A-Z]))\b"
    r"(?:\s*[,:=(]\s*|\s+[-\u2013]\s+|\s+(?:is|are|of|for)\s+|\s+|$)(?P<product>.*)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:at the moment|right now|currently|for now|so far|this week)\b[\s,]*)?"
    r"(?:we|i|they|there|he|she|one customer|a customer)\b[^,;:]{0,30}?\b"
    r"(?:have(?: got)?|has|had|got|need|needs|is|are|want|wants)\s+"
    r"|^there(?:['\u2019]s|['\u2019]re|\s+is|\s+are)\s+|^(?:is|are|of|for)\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:and|is|are|which|that|it)$", re.IGNORECASE)
_WORK = re.compile(r"(?<!\d\s)\b(?:takes?|lasts?|runs?|requires?)$", re.IGNORECASE)
"""What takes a time is work, not an order that is due after it."""
_HOUR = re.compile(r"\s*\bby\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)\s*\(?\s*$", re.IGNORECASE)
"""``by 2 pm (``, before the hours from now that say the same."""
_SAID_DUE = re.compile(
    r"\b(?:due|needed|ready|wanted|required|promised|delivered|deadline|must|has to|have to|needs?|wants?|taking|"
    r"collect\w*|pick\w*|coming|goes out|ships?|leaves?)\b",
    re.IGNORECASE,
)
_LOTS = r"batch(?:es)?|loads?|box(?:es)?|pallets?|sets?|lots?|kegs?|runs?|pieces?|units?|crates?|trays?|orders?"
_MANY = re.compile(
    rf"^(?:(?P<number>\d+|{counting.WORDS})\s+(?P<unit>{_LOTS})|(?!an?\s)(?P<bare>\d+|{counting.WORDS}))"
    r"(?:\s+of\s+(?P<of>[^\d,]+?)|\s+(?P<these>[^\d,]*[a-z]))?$",
    re.IGNORECASE,
)
"""How many of what; an article counts only lots of something ("a batch of ale")."""
_TIMES = re.compile(r"^(?P<name>.+?)\s*(?:x|\u00d7)\s*(?P<count>\d+)$", re.IGNORECASE)
_BEING = re.compile(r"^(?:(?:which|that|it|just|only|about)\b(?:['\u2019]s)?\s*|(?:is|are)\s+|and\s+)*", re.IGNORECASE)
_ARE = re.compile(
    r"^(?P<name>.+?)\s+(?:(?:is|are)(?=\s)|(?=(?:has|have|must|should|will|can|ha[sd]n|isn|aren|gets?|wasn)\b))\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"^(?P<name>.+?)\s+(?:needs?|wants?|ordered|asked for|is waiting for)\s+(?:(?:her|his|their|its|the|"
    r"an?)\s+)?(?P<what>.+)$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|has|have|must|they|she|he|it|we|i|not|which|that|want|wants|needs|due|yes|no)\b|['\u2019]s\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:it|that|this|they|she|he|those|these|yes|same|which)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:^|[,;]\s*|\s+)(?:and\s+)?(?:(?:she|he|they|it|that|this|which|we|i)(?:['\u2019](?:s|re|ve|ll|m))?|"
    r"the \w+['\u2019]s)"
    r"(?:\s+(?:is|are|has|have|had|only|just|really|will|would|must|should|wants?|needs?|taking|coming|picking|get|gets|"
    r"collect(?:s|ing)?|wait(?:s|ing)?|expects?|expecting|them|those|it|that|to|be|go|out|up|away|for|back|there|ready|until|"
    r"here|round|by|him|her|at))*\s*$",
    re.IGNORECASE,
)
"""Who wants it, said after what it is: "they want those in"."""
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


def promises(text: str) -> list[Promise]:
    """The orders that ``text`` tells of; none unless every time in it is one of them.

    An order is known by a number, a letter after "batch" or "order", or
    letters with a number; a product has up to five words and no number.
    """
    found = [
        Promise(
            one["name"].strip(),
            one["product"].strip(),
            " ".join(one["when"].split()),
            " ".join((one["amount"] or "").split()),
            " ".join(one[0].split()),
        )
        for one in _ORDER.finditer(text)
    ]
    return found if len(found) == len(_WHEN.findall(text)) else []


def promised(text: str) -> list[Promise]:
    """Orders told one after another, each up to when it is due: "mugs for the market, due in 4 days; bowls by ...".

    An order without a number is known by what it is. None unless there are
    two or more, or one that is said to be due, and each has a name of a few
    words.
    """
    preface, colon, _ = text.partition(":")
    introduces = text.count(":") == 1 or re.search(r"\b(?:are|have|got|these|following|orders|batches|jobs)\b", preface)
    told = _PREFACE.sub("", text) if colon and introduces and "." not in preface and not _WHEN.search(preface) else text
    flat = digits(told)
    found: list[Promise] = []
    at, due = 0, False
    for when in _WHEN.finditer(flat):
        clause = flat[at : when.start()]
        at = when.end()
        due = due or bool(_SAID_DUE.search(clause))
        one = _told(clause, " ".join(when[0].lstrip("+").split()))
        if one is None:
            return []
        found.append(one)
    names = {one.name.casefold() for one in found}
    return found if (len(found) >= 2 or due) and len(names) == len(found) else []


def _told(clause: str, when: str) -> Promise | None:
    """The order of a clause that ends with when it is due; its last sentence that names something."""
    sentences = [one for one in re.split(r"[.;!?]+(?=\s)", clause) if one.strip(" ,.;")]
    for sentence in reversed(sentences):
        bare = _LEAD.sub("", _LINK.sub("", sentence))
        words = _DUE.sub("", _HOUR.sub("", bare)).strip(" ,.;:()-\u2013")
        while (shorter := _SUBJECT.sub("", words).strip(" ,.;:()-\u2013")) != words:
            words = shorter
        if words:
            one = _promise(words, when, f"{clause}{when}".strip(" ,.;"))
            if one is not None and _PRONOUN.match(one.name):
                continue  # "It's due out": the sentence before says what
            return one
    return None


def _amount(many: re.Match[str]) -> tuple[str, str]:
    """How many, with their unit, and of what: six loads are loads, two batches of ale are ale."""
    number, unit = many["number"] or many["bare"], many["unit"] or ""
    what = many["of"] or many["these"] or unit
    unit = unit or (many["these"] or "" if not many["of"] else "")  # "two of porter": of what, nobody said
    return f"{counting.count(number)} {'' if unit.startswith('for ') else unit}".strip(), what


def _promise(words: str, when: str, said: str) -> Promise | None:
    amount = ""
    many = _MANY.match(words)
    known = None if many else _KNOWN_BY.match(words)
    if many:
        amount, what = _amount(many)
        name = product = re.sub(r"^for\s+", "", what)
    elif known:
        name, product = known["name"].strip(), known["product"].strip(" ,.()")
        amount, product = _counted(product)
    else:
        name, *rest = [part for part in _PARTS.split(words) if part.strip()] or [""]
        amount, name = _said_of(name)
        product = ""
        if wanted := _WANTS.match(name):
            name, product = wanted["name"], wanted["what"]
        for part in rest:
            if not amount and (many := _MANY.match(_BEING.sub("", part))):
                amount, what = _amount(many)
                product = product or what
            elif not product and part is rest[0] and not _CLAUSE.search(part):
                product = part
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
    amount, kept = "", []
    for part in _PARTS.split(product):
        many = _MANY.match(part)
        if many and not amount:
            amount, what = _amount(many)
            if not re.fullmatch(_LOTS, what, re.IGNORECASE):
                kept.append(what)
        elif not kept and part.strip():
            kept.append(part)
    return amount, kept[0] if kept else ""


def _said_of(name: str) -> tuple[str, str]:
    """How many a name's own verb says there are: "rolls are 2 batches"; the name without what is said of it."""
    found = _ARE.match(name)
    if found is None:
        return "", name
    many = _MANY.match(re.split(r"\s+(?:and|which|that|for|due)\b", found["rest"])[0].strip())
    return (_amount(many)[0] if many else ""), found["name"]
