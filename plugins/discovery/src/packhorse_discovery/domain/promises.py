"""Orders told in words, each with its product and when it is due: "B1 pale ale, 14 days"."""

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from packhorse_discovery.domain import counting, moments
from packhorse_discovery.domain.figures import digits

WHEN = (
    rf"\d{{4}}-\d{{2}}-\d{{2}}|{moments.WORDS}|\+?\d+(?:\.\d+)?\s*(?:min(?:ute)?s?|hours?|hrs?|h|days?|d|weeks?|wks?)"
)
"""A date in the one order that has one reading, a weekday with its time, or a time from the start."""

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
_PREFACE = re.compile(r"^[^:]{0,80}:(?!\d\d)\s*(?=\S)")
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
_OPENS = re.compile(r"\b(?:in|by|within|after|and|so|well|first|until|at)\b", re.IGNORECASE)
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
_LOTS = (
    r"batch(?:es)?|loads?|box(?:es)?|pallets?|sets?|lots?|kegs?|runs?|pieces?|"
    r"units?|[a-z]+fuls?|bundles?|bags?|sacks?|drums?|rolls?|stacks?|bins?|crates?|trays?|orders?|pairs?|cases?|"
    r"potfuls?|racks?"
)
_NOUN = (
    r"(?!(?:is|are|was|for|to|due|by|in|on|at|and|or|which|that|who|they|she|he|we|it|has|have|must|should|until|"
    r"till|before|"
    r"from|within|needed|wanted|ready|please|each|then|with|goes?|leaves?|wants?|needs?|as|so|but|because|will|"
    r"can|may|be|"
    r"of|ordered|collects?|fetch\w*|picks?|the|(?-i:a|an)|only)\b)[^\W\d][\w'\u2019/&-]*"
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
_ALONE = re.compile(
    rf"(?:^|[,:(]\s*|\s[-\u2013]\s*|\b(?:wants?|needs?|ordered|gets?|asked for)\s+)(?P<number>\d+|"
    rf"{counting.WORDS})\s*(?=[,)]|$|\s[-\u2013]\s)",
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
    r"\s+(?:is|are|was|has|have|had|needs?|wants?|gets?|ordered|asks?|asked|takes|expects?|must|should|will|"
    r"would|can|comes?|goes|counts?|makes?)\b.*$"
    r"|['\u2019](?:s|re|ve|ll)\s+(?:is|are|has)\b.*$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:[\s,:;(\u2013-]|\b(?:his|her|their|its|the|our|my|an?|that['\u2019]s|"
    r"which is|that is|namely|only|just|about|another|and|of|with|these|those|"
    r"all)$)+$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"^(?P<name>.+?)\s*(?:x|\u00d7)\s*(?P<count>\d+)$", re.IGNORECASE)
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
    r"(?:\s+(?:is|are|has|have|had|only|just|really|will|would|must|should|wants?|needs?|taking|coming|picking|"
    r"get|gets|"
    r"collect(?:s|ing)?|wait(?:s|ing)?|expects?|expecting|them|those|it|that|to|be|go|out|up|away|for|back|there|"
    r"ready|until|"
    r"here|round|by|him|her|at))*\s*$",
    re.IGNORECASE,
)
"""Who wants it, said after what it is: "they want those in"."""
_NO_NAME = re.compile(
    r"(?:and|then|also|we|i|you|there|by|in|well|dear|so|oh|ok|okay|now|right|yes|let me see|to\s+[a-z]+|[a-z]+ly)",
    re.IGNORECASE,
)
_REASON = re.compile(r"[\s,]+(?:seeing|given|because|since|as)(?:\s+that)?$", re.IGNORECASE)
"""What leads to why: "the drapes, seeing that they are due"."""
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
    colons = list(re.finditer(r":(?!\d\d)", text))
    preface, colon = (text[: colons[0].start()], True) if colons else (text, False)
    introduces = len(colons) == 1 or re.search(r"\b(?:are|have|got|these|following|orders|batches|jobs)\b", preface)
    told = _PREFACE.sub("", text) if colon and introduces and "." not in preface and not _WHEN.search(preface) else text
    flat = digits(told)
    found: list[Promise] = []
    due = False
    for clause, when in _clauses(flat):
        due = due or bool(_SAID_DUE.search(clause))
        one = _told(clause, when)
        if one is None:
            return []
        if not one.product and found:  # "one for Ito": of the same
            one = evolve(one, product=found[-1].product, name=f"{found[-1].product} {one.name}")
        found.append(one)
    names = {one.name.casefold() for one in found}
    return found if (len(found) >= 2 or due) and len(names) == len(found) else []


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """What is said of each due time, with the time: before it, or after it where the first of all is a time."""
    times = list(_WHEN.finditer(text))
    if not times:
        return
    head = _undue(text[: times[0].start()])
    leads = not re.search(r"\w", _OPENS.sub("", head)) and re.search(r"\w", text[times[-1].end() :]) is not None
    ends = [one.start() for one in times[1:]] + [len(text)]
    at = 0
    for when, end in zip(times, ends, strict=True):
        clause = text[when.end() : end] if leads else text[at : when.start()]
        at = when.end()
        clause = _undue(clause) if leads else clause
        yield clause, " ".join(when[0].lstrip("+").split())


def _told(clause: str, when: str) -> Promise | None:
    """The order of a clause beside its due time; its last sentence that names something."""
    said = f"{clause}{when}".strip(" ,.;")
    sentences = [one for one in re.split(r"[.;!?]+(?=\s)", clause) if one.strip(" ,.;")]
    for sentence in reversed(sentences):
        bare = _LISTED.sub("", _LEAD.sub("", _LINK.sub("", sentence)))
        words = _undue(_HOUR.sub("", bare)).strip(" ,.;:()-\u2013")
        while (shorter := _SUBJECT.sub("", words).strip(" ,.;:()-\u2013")) != words:
            words = shorter
        words = _REASON.sub("", words)
        if words:
            one = _promise(words, when, said)
            if one is not None and _PRONOUN.match(one.name):
                continue  # "It's due out": the sentence before says what
            return one
    return None


def _undue(words: str) -> str:
    """``words`` without what leads to the time at their end: "must be ready by"."""
    while (shorter := _DUE.sub("", words)) != words:
        words = shorter
    return words


def _by_count(words: str, when: str, said: str) -> Promise | None:
    """An order of so many of something: "six satchels for Lindqvist", "Marsh wants ten belts", "jam, three lots"."""
    many = next((one for one in _COUNTED.finditer(words) if _counts(one)), None)
    alone = _ALONE.search(words) if many is None else None
    match = many or alone
    if match is None or _WORK.search(words):
        return None
    subject = _subject(words[: match.start()])
    unit = (many["unit"] or "") if many else ""
    what = (many["of"] or many["kind"] or many["these"] or "") if many else ""
    rest = words[match.end() :]
    amount = f"{counting.count(match['number'])} {unit or (many['these'] or '' if many else '')}".strip()
    whom = _FOR.match(rest) or (_BY_WHOM.match(rest) if not subject else None)
    if not subject and not what and whom is not None:
        subject = re.sub(r"^(?:the|our|an?)\s+", "", whom["who"], flags=re.IGNORECASE)  # "two lots for the inn"
    if not subject and not what:
        what = unit
    name = subject or (f"{what} for {whom['who']}".strip() if whom is not None else what)
    product = what or re.split(r"\s+(?:for|to)\s+", subject)[0]
    if not name or max(len(name.split()), len(product.split())) > 7:
        return None
    return Promise(name, product, when, amount, said)


def _counts(match: re.Match[str]) -> bool:
    """Whether a number is how many are ordered."""
    if match["these"] and (_NO_ORDER.match(match["these"]) or re.match(r"\s*:", match.string[match.end() :])):
        return False  # "the two hotels:" announces orders
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
    return next((one for one in pieces if one and not _PRONOUN.match(one) and not _NO_NAME.fullmatch(one)), "")


def _promise(words: str, when: str, said: str) -> Promise | None:
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
            name, product = wanted["name"], wanted["what"]
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
    many = next((one for one in _COUNTED.finditer(product) if _counts(one)), None)
    if many is None:
        return "", product if re.fullmatch(r"[^,:(]*", product) else _PARTS.split(product)[0]
    what = many["of"] or many["these"] or ""
    named = _subject(product[: many.start()])
    unit = many["unit"] or (many["these"] or "")
    return f"{counting.count(many['number'])} {unit}".strip(), named or what
