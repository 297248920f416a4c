"""Things and their counts in running text: "there's one mixer and four tubs; drying cabinets, two as well"."""

import re
from collections.abc import Iterator, Sequence

from packhorse_discovery.domain import coercion, counting
from packhorse_discovery.domain.binding import row_for, stems
from packhorse_discovery.domain.eads import slug
from packhorse_discovery.domain.markers import CORRECTS, OTHERS
from packhorse_discovery.domain.segments import Item
from packhorse_discovery.domain.shares import COUNT, EACH, GENERIC, TOTAL, Shares, evened, shares, spelt

_STOP = (
    r"(?!(?:and|or|plus|which|that|where|who|each|for|so|at|in|on|but|with|is|are|was|were|of|as|until|we|it|"
    r"they|you|"
    r"right|now|both|because|to|by|from|per|then|than|would|could|too|here|there|altogether|all|available|currently|"
    r"shared|working|also|too|only|just)\b)"
)
_NOUNS = rf"(?P<name>{_STOP}[a-z][\w/&-]*(?:\s+{_STOP}[a-z][\w/&-]*){{0,3}})"
_BEFORE = re.compile(
    rf"(?<![\w.,-]){COUNT}(?:\s*[x\u00d7]\s*|\s+)(?:(?:more|other|identical|alike|only|sole|lone|"
    rf"and only)\s+)?{_NOUNS}",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"^\W*(?:(?:only|just|also|again|about|exactly|at the moment|currently|right now|"
    rf"(?:of which\s+|of (?:those|them)\s+)?there(?:['\u2019]s| is| are)|"
    rf"(?:of which |of those |of them |of these )?(?:we|i)(?:['\u2019]ve| have)(?: got)?|"
    rf"of (?:which|those|them|these)|those are|they are|that is|that['\u2019]s|"
    rf"is|are|got|all)\s+)*(?:the\s+)?{COUNT}(?:\s*[x\u00d7])?"
    r"(?:\s+(?:as well|too|of (?:them|those|each)|again|pieces?|units?|in (?:all|total)|right now|at the "
    r"moment|here|only))*\W*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?P<name>[^\d:]{2,50}?)\s*(?:[:=]|\s[-\u2013]\s|\s[x\u00d7]?(?=\d))\s*(?P<rest>\S.*)$", re.IGNORECASE
)
_GOT_OF = re.compile(
    rf"^(?P<name>[^,]{{2,50}}?),?\s+(?:we|i|they|there)(?:['\u2019]ve|['\u2019]s|\s+have|\s+has|\s+are|"
    rf"\s+is)?(?:\s+got)?\s+"
    rf"{COUNT}(?:\s+of(?:\s+them)?)?$",
    re.IGNORECASE,
)
_AND_THE = re.compile(
    rf"(?:^|\b)and\s+(?:the|our)\s+(?!(?:{counting.WORDS}|"
    rf"\d+)\b)(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}(?<!s))\W*$",
    re.IGNORECASE,
)
"""The last of an enumeration: "a mill, two kettles and the filling line"."""
_HEADING = re.compile(
    rf"^(?:[^:,]{{0,30}}\b)??{COUNT}\s+(?!(?:of|each)\b)[^:,]{{2,40}}:\s*(?=[^,]+,[^,]+(?:,|\band\b))", re.IGNORECASE
)
"""What announces the things: "ten vessels and machines: ..."."""
_IS = re.compile(
    rf"^(?:and\s+)?(?:the\s+|our\s+)?{_NOUNS}\s+(?:(?:is|are|also|too|the only|only|just|"
    rf"as well|again|always|we have|we['\u2019]ve|there (?:is|are)|there['\u2019]s|"
    rf"i have|got)\s+)*"
    rf"(?P<count>{counting.WORDS})(?:\s+(?:only|too|as well|each|of them|of those|"
    rf"in (?:all|total)|altogether|pieces?|units?))*\W*$",
    re.IGNORECASE,
)
"""The number after the thing: "washing cabin is one", "masking tables we have three"."""
_ASIDE = re.compile(
    r"^\W*(?:one (?:was|is|of)|always|it|that|this|they|he|she|each|these|those|"
    r"there used|the (?:blue|old|other|new|first|second)|both|"
    r"we own nothing|nothing)\b(?!['\u2019]ve| have)",
    re.IGNORECASE,
)
"""A remark about what was counted, or what is not there any more."""
_WISHED = re.compile(r"^\s+(?:would|could|might|should)\b", re.IGNORECASE)
_SOME_OF = re.compile(r"\s+(?:by|near|next to|beside|behind|that|which|upstairs|downstairs)\b", re.IGNORECASE)
"""After "the two kilns": those of several."""
_NEEDED = re.compile(
    r"\b(?:of(?:\s+the|\s+our)?|needs?|requires?|uses?|takes?|wants?|for|as|like|in|at|on|per|by|into|from|"
    r"handles?|holds?)\s+$",
    re.IGNORECASE,
)
"""Before "a welder": somebody wants one, which counts none."""
_NO_THING = re.compile(
    r"^(?:minutes?|hours?|days?|weeks?)\b|^(?:third|second|first|fourth|last|few|bit|lot|lots|time|small|while|"
    r"one|ones|shift|school|day|half|quarter|single$|"
    r"problem|idea|need|matter|way|bother|limit|issue|worr|change|restriction|overlap|other|such|choice|doubt|"
    r"nutshell|"
    r"kinds?|types?|sorts?|sizes?)s?\b|\b(?:hours?|days?|nights?|minutes?|weeks?|shifts?|months?|years?|times?|"
    r"percent|"
    r"batch(?:es)?|loads?|lots?|orders?|holes?|%)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:the\s+)?(?:equipment|machines?|resources?|inventory|machinery|kit|people|staff|we have|we own)\s*:\s*",
    re.IGNORECASE,
)
_AWAY = re.compile(
    rf"\b(?P<many>{counting.WORDS}|\d+)\s+(?P<what>[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}?)(?:\s+(?:on|"
    rf"in)\s+(?:the|our)\s+\w+|\s+in (?:all|total))?,?\s+"
    rf"(?:but|of which|though|only)\s+(?P<away>{counting.WORDS}|\d+)\s+(?:of (?:them|those|these)\s+)?(?:is|are|"
    rf"has been|have been)\s+(?:always\s+|still\s+)?"
    r"(?:away|broken|out\b|down\b|being (?:repaired|serviced|mended)|under repair|in repair|at the (?:mender|"
    r"repairer|maker)\w*|off for|sent off|not working|"
    r"mothballed|unusable|dismantled|in for)\b[^.;\n]*",
    re.IGNORECASE,
)
"""``three moulders, but one is away for repair``: two."""
_BY_THE_WAY = re.compile(
    r"(?:,\s*|\s+)(?:now|then|well|today|currently|at present|nowadays|you know|you see|let me see|"
    r"let['\u2019]s see|of course|mind you|"
    r"say|ah|oh|um+|hm+|erm?)(?:\s+then)?\s*(?=,)",
    re.IGNORECASE,
)
"""Between a thing and its number: "kilns, now, two"."""
_BECAUSE = re.compile(r"\s+(?:because|since|as|for)\s+(?:it|they|that|this|is|are|we|i|he|she)\b.*$", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:is|are|was|were|we|i|you|they|it|he|she|can|could|when|if|nobody|anybody|nothing|everybody|even|wait|"
    r"not|gets?)\b|['\u2019](?:m|ve|s|re|d)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?:and\s+)?(?:its?|it['\u2019]s|now|then|today|tomorrow|here|there|they|them|these|those|this|that|we|you|"
    r"he|she|well|currently|"
    r"usually|always|only|also|too)(?:\s+(?:now|then|too))?",
    re.IGNORECASE,
)
"""A pronoun or an adverb, which names no thing."""
_REMARK = re.compile(r"\s+(?:that|which|where|who|each|so|because|but|for|shared)\b.*$", re.IGNORECASE)
_OWNING = re.compile(
    r"^(?:[^,;:]{0,40}?\b)??(?:have(?:\s+got)?|has(?:\s+got)?|['\u2019]ve\s+got|own|operate|"
    r"there(?:['\u2019]s|\s+is|\s+are))\s+",
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
"""Who or what is there, and cannot work: "Marta's on leave", "the oven is out of order"."""


_REMAINDER = re.compile(
    rf"\b(?:the rest|the others|the remaining (?:ones|{GENERIC})|all (?:the )?others)\s+(?:are|"
    rf"is)\s+(?:all\s+)?(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}})(?=\s*(?:[.,;]|"
    rf"$))",
    re.IGNORECASE,
)
"""What the machines are that make up the total: "the rest are lathes"."""


_ROOM = re.compile(
    rf"(?:^|(?<=[.;,\n]))\s*(?:(?:and|but)\s+)?(?:"
    rf"(?:in|on|at|into|onto|to|through)\s+(?:each|every|any)\s+(?:one|(?:one\s+)?of\s+(?:them|these|those|the)|{GENERIC})\b"
    rf"[^.;,\n]*?\b(?:goes?|fits?|belongs?|comes?|lies|sits|stands|(?:you|we|i)\s+(?:can\s+)?put)"
    rf"|(?:each|every|any)\s+(?:one|(?:one\s+)?of\s+(?:them|these|those)|{GENERIC})\s+(?:can\s+|only\s+)*"
    rf"(?:takes?|holds?|does|do|handles?|carr(?:y|ies)|has room for|works on|processes)"
    rf"|(?:each|every|any)\s+(?:takes|holds|handles|does|carries))"
    rf"\s+(?:only\s+|just\s+|exactly\s+)?(?:\d+|{counting.WORDS})\s+[a-z][^.;,\n]*",
    re.IGNORECASE,
)
"""How much goes into each machine, which is no machine: "in every machine goes one motor"."""


def things(text: str, known: Sequence[str] = ()) -> list[Item]:
    """Each thing with its count ("4 pieces") in ``text``; names alone where nothing is counted, if there are several.

    ``known`` are things that were named before; what "one of each" and "two
    of everything else" mean are these, in their order. Nothing is read where
    a name may mean several of them, or a total that was said disagrees.

    An article counts one thing only in an enumeration, so that "it's a door
    really" counts nothing.
    """
    text = evened(spelt(_ROOM.sub(" ", OTHERS.sub(" ", text))))
    shared, rest = shares(text)
    if shared is None:
        found = _with_bare(text, _with_remainder(text), known)
    else:
        own = _told_of(rest) if re.search(r"\w{3}", rest) else []
        found = _shared_out(own, shared, known, rest, text)
    own_names = [one for one in found if not re.fullmatch(GENERIC, one.label, re.IGNORECASE)]
    return own_names if len(own_names) >= 2 else found


def _shared_out(own: list[Item], shared: Shares, known: Sequence[str], rest: str, text: str) -> list[Item]:
    """Each known thing with its own count or the shared one, then what is new; ``rest`` of ``text`` sets some apart."""
    names = {slug(name): name for name in known}
    counts: dict[str, str] = {}
    new: list[Item] = []
    for one in (one for one in own if one.rest):
        row = row_for(one.label, names)
        words = set(stems(one.label).split())
        if row is None and any(words & set(stems(name).split()) for name in known):
            return []
        if row is None:
            new.append(one)
        else:
            counts[row] = one.rest
    for row, name in names.items():
        mention = _mention(name, rest) if row not in counts else None
        if mention is not None:
            near = _NEAR.match(rest, mention)
            if near is None and _APART.search(text):
                return []  # set apart from the others, and not by how many
            if near is not None:
                counts[row] = f"{counting.count(near['count'])} pieces"
    found = [Item(name, counts.get(row, f"{shared.count} pieces")) for row, name in names.items()]
    found += new
    if shared.total is not None and known and sum(int(one.rest.split()[0]) for one in found) != shared.total:
        return []
    return found


_PLURAL = re.compile(r"[^s]s\s*$", re.IGNORECASE)


def _with_bare(text: str, found: list[Item], known: Sequence[str]) -> list[Item]:
    """What is counted and, one each, the ``known`` things that stand without a number in the same list, as told."""
    if not any(one.rest for one in found):
        return found
    pieces = [re.sub(r"^\W*(?:(?:and|the|our|an?)\s+)*", "", one) for one in re.split(r"[,;:.\n]\s*|\band\b", text)]
    told = {stems(one) for one in pieces if one and not _PLURAL.search(one)}
    had = {stems(one.label) for one in found}
    bare = [Item(one, "1 pieces") for one in known if stems(one) in told - had and not _PLURAL.search(one)]
    if not bare:
        return found
    at = {one.label: text.casefold().find(one.label.casefold()) for one in (*found, *bare)}
    return sorted([*found, *bare], key=lambda one: at[one.label])


_NEAR = re.compile(
    rf"\s*[.,;:(]?\s*(?:(?:there|we|i|of|those|them|which|is|are|s|ve|have|has|got|only|just|"
    rf"exists?)\b['\u2019]?\s*){{0,6}}(?P<count>\d+|{counting.CARDINAL})\b",
    re.IGNORECASE,
)
_APART = re.compile(r"\b(?:except|save|bar|barring|apart|other than|besides|exception)\b", re.IGNORECASE)


def _mention(name: str, text: str) -> int | None:
    """Where the words of ``name`` end in ``text``; None where they do not stand there."""
    wanted = stems(name)
    for match in re.finditer(r"[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}", text, re.IGNORECASE):
        words = match[0].split()
        for first in range(len(words)):
            for last in range(first + 1, len(words) + 1):
                if stems(" ".join(words[first:last])) == wanted:
                    return match.start() + len(" ".join(words[:last]))
    return None


def _with_remainder(text: str) -> list[Item]:
    """The things with numbers of their own, and what makes up a total ("six machines: two saws, the rest lathes")."""
    total, left = TOTAL.search(text), _REMAINDER.search(text)
    if total is None:
        return _told_of(text)
    found = _told_of(
        f"{text[: total.start()]} . {text[total.end() :].lstrip(' :,-')}"
        if left is None
        else text[total.end() : left.start()].partition(":")[2]
    )
    counted = [one for one in found if one.rest]
    if left is None:
        return found if counted else _told_of(text)
    many = counting.count(total["count"]) - sum(int(one.rest.split()[0]) for one in counted)
    return [*counted, Item(left["name"].strip(), f"{many} pieces")] if many > 0 else counted


def _told_of(text: str) -> list[Item]:
    """The things that are named with a number of their own."""
    found: list[Item] = []
    flat = re.sub(r"\([^()]*\)", " ", re.sub(r"\((\d+)\)", r"\1", text))
    flat = re.sub(rf"\?\s+(?=(?:just |only )?{COUNT}\b)", ": ", flat, flags=re.IGNORECASE)
    flat = re.sub(r"\bnothing but\b", " ", flat, flags=re.IGNORECASE)
    flat = _BY_THE_WAY.sub("", flat)
    flat = _AWAY.sub(_left, flat)
    for sentence in re.split(r"[.;!?]+(?=\s|$)|;|\n+", flat):
        found += _in_sentence(_HEADING.sub("", _LEAD.sub("", sentence.strip())))
    found += [
        Item(re.sub(r"^(?:the|our)\s+(?:only\s+)?", "", match["name"], flags=re.IGNORECASE), "0 pieces")
        for match in _ABSENT.finditer(flat)
        if match["name"].casefold() not in {"it", "that", "this", "one", "he", "she", "everything", "there"}
    ]
    found = [one for one in found if not _NOBODY.fullmatch(one.label)]
    put_right = bool(CORRECTS.search(flat))
    unique = {one.label.casefold(): one for one in (found if put_right else reversed(found))}
    counted = [one for one in found if unique.get(one.label.casefold()) is one]
    if counted:
        return counted
    names = [
        _REMARK.sub("", part)
        for sentence in re.split(r"(?<=[.;!])\s+", text)
        for part in coercion.listed(_OWNING.sub("", re.sub(r"\.\s*$", "", sentence)))
    ]
    names = [one for one in names if one and len(one.split()) <= 5]
    if any(_NO_NAME.search(one) for one in names):
        return []  # a remark, not a list of names
    return [Item(one, "") for one in names] if len(names) >= 2 else []


def _left(match: re.Match[str]) -> str:
    """What a thing's number and remarks become when some of it is away: the number that can work."""
    many, away = counting.count(match["many"]), counting.count(match["away"])
    return f"{many - away} {match['what']}" if many > away else match[0]


def _in_sentence(sentence: str) -> Iterator[Item]:
    if not sentence or _ASIDE.match(sentence):
        return
    if each := EACH.search(sentence):
        if re.search(r"\w{3}", before := sentence[: each.start()].rstrip(" ,").removesuffix(" and")):
            yield from _in_sentence(before)
        for part in coercion.listed(re.sub(r",?\s+and\s+", ", ", each["these"])):
            own = _BEFORE.match(part)
            name, count = (own["name"], own["count"]) if own else (part, each["count"])
            yield _item(re.sub(r"^(?:the|an?)\s+", "", name), count)
        return
    pieces = [piece for piece in re.split(r",\s*|\s[\u2013\u2014-]\s|\bplus\b", sentence) if piece.strip()]
    before = ""
    listing = False
    for number, piece in enumerate(pieces):
        words = re.sub(
            r"^(?:and\s+)?of\s+(?!which|those|them|these|course)(?:the\s+)?", "", piece.strip(), flags=re.IGNORECASE
        )
        words = _BECAUSE.sub("", words)
        if _ASIDE.match(words) or (number and re.match(rf"(?:because|since|so(?!\s+{COUNT}))\b", words, re.IGNORECASE)):
            before = ""
            continue
        alone = _ALONE.match(words)
        if before.casefold() in {"no", "wait", "sorry", "no wait"}:
            before = ""
        if alone and before:
            yield _item(before, alone["count"])
            before, listing = "", True
            continue
        after = _AFTER.match(words) or _GOT_OF.match(words) or _IS.match(words)
        count = _count_in(after)
        if after is not None and count is not None:
            yield _item(after["name"], count)
            before, listing = "", True
            continue
        told = list(_told(words, listing=listing or number == 0 or bool(_OWNING.match(words))))
        if (told or listing) and number == len(pieces) - 1 and (last := _AND_THE.search(words)):
            told.append(_item(last["name"], "one"))
        listing = listing or bool(told)
        yield from told
        before = "" if told or len(words.split()) > 4 else re.sub(r"^(?:the|our|and)\s+", "", words.rstrip(":"))
        if after is not None and not told:
            before = after["name"]


def _count_in(after: re.Match[str] | None) -> str | None:
    if after is None:
        return None
    groups = after.groupdict()
    if groups.get("count"):
        return str(groups["count"])
    alone = _ALONE.match(groups["rest"])
    return alone["count"] if alone else None


def _told(words: str, *, listing: bool) -> Iterator[Item]:
    for match in _BEFORE.finditer(words):
        name, count = match["name"], match["count"].casefold()
        if re.search(r"\bones?$", name) and count in {"a", "an", "one", "the"}:
            continue  # "a good one": of those told before
        if _NO_THING.search(name) or _WISHED.match(words[match.end() :]):
            continue
        if _SOME_OF.match(words[match.end() :]) and re.search(r"\bthe\s+$", words[: match.start()], re.IGNORECASE):
            continue
        if count in {"a", "an"} and not listing:
            continue
        if count == "no" and not name.endswith("s"):
            continue
        if count in {"a", "an", "one"} and _NEEDED.search(words[max(match.start() - 20, 0) : match.start()]):
            continue
        yield _item(name, count)


def _item(name: str, count: str) -> Item:
    many = 0 if count.casefold() in {"no", "zero"} else counting.count(count)
    return Item(" ".join(name.split()).strip(" .,:"), f"{many} pieces")
