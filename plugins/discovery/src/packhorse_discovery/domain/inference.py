"""What may be inferred from an answer without asking: the challenges it complains of, the product it names."""

import re
from collections.abc import Mapping
from typing import Any

from packhorse_discovery.domain.coercion import chosen
from packhorse_discovery.domain.eads import Field
from packhorse_discovery.domain.hours_told import overnight
from packhorse_discovery.domain.markers import OTHERS

# The fifteen keywords of the original warm-up schema; the phrases are ours, from reading what they are defined to mean.
CHALLENGES: Mapping[str, str] = {
    "raw-material-uncertainty": r"(?:late|delayed|missing|shortage|run(?:ning)? out|out of stock|don't arrive|"
    r"lead times?).{0,40}"
    r"(?:deliver|material|ingredient|suppl|cans|flour|parts|stock)|(?:material|ingredient|suppl\w+|flour|"
    r"parts).{0,40}"
    r"(?:late|delay|short|run out|uncertain|not arriv|lead time)",
    "demand-uncertainty": r"(?:uncertain|unpredictab|fluctuat|guess|hard to (?:predict|forecast)|"
    r"never know).{0,40}(?:demand|order|sell|customer)"
    r"|(?:demand|orders?).{0,40}(?:uncertain|unpredictab|fluctuat|hard to (?:predict|forecast)|changes? (?:all|every|"
    r"at the last))"
    r"|last[- ]minute (?:orders?|changes?)|urgent|rush orders?",
    "delivery-schedules": r"\b(?:late (?:deliver|order|shipment)|miss(?:ed|ing)? (?:deadlines?|(?:due|delivery|ship|"
    r"promise\w*|release) dates?)"
    r"|due dates?|deadlines?|on[- ]time|promised? dates?|delivery dates?|hitting .{0,30}dates?)",
    "variation-in-demand": r"\bseasonal|peak (?:season|time|day|demand)|busy (?:season|period|time)|slow (?:season|"
    r"period|time)|holiday rush"
    r"|christmas|summer peak",
    "planned-maintenance": r"\bmaintenance|planned downtime|servic(?:e|ing) (?:the )?(?:machine|equipment)",
    "resource-assignment": r"\bshar(?:e|ed|ing) (?:equipment|machines?|resources?|ovens?|tanks?|tank space)|"
    r"same time as|both need|juggl\w+"
    r"|need(?:s|ed)? (?:several|both|two) .{0,30}at (?:once|the same time)",
    "equipment-changeover": r"\bchange-?overs?|set-?ups?\b|clean(?:ing)? between|switch(?:ing)? (?:over|between|"
    r"from)|retool",
    "equipment-availability": r"\bbreak(?:s|ing)?[- ]?downs?|unplanned downtime|machine (?:failures?|down)|"
    r"out of order|keeps breaking",
    "equipment-utilization": r"\b(?:utili[sz]ation|idle|sits? empty|stands? still|keep .{0,30} busy|"
    r"expensive (?:machine|equipment))",
    "worker-availability": r"\b(?:short[- ]staffed|staff(?:ing)? (?:short|gap)|not enough (?:people|staff|workers)|"
    r"shortage of (?:workers|staff|labou?r)"
    r"|sick|absent)|labou?r (?:shortage|availability)|availability of .{0,20}labou?r",
    "skilled-worker-availability": r"\bskill(?:ed|s)?\b|certifi(?:ed|cation)|only .{0,30}(?:can|knows how to) (?:run|"
    r"operate|do)|qualified",
    "bottleneck-processes": r"\bbottle-?necks?|hold(?:s|ing)? everything up|the (?:oven|machine|line|step) limits|"
    r"constraint(?:s|ed)?\b|throttle",
    "process-variation": r"\b(?:different|various|many) (?:process|routes?|routings?|recipes|ways)|process variation",
    "product-variation": r"\b(?:many|different|various|variety of|range of|dozens of|lots of) (?:\w+ )?(?:products?|"
    r"types?|skus?|styles|breads|beers|models|kinds)"
    r"|\b\d{2,} (?:\w+ )?(?:products|skus|beers|types|models)|high[- ]mix",
    "meeting-KPIs": r"\bkpis?\b|key performance|\botd\b|\boee\b|targets?\b",
}
_PRODUCT = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bour )(?<!\bsmall )\b(?:makes|produces|making|producing|brewing|"
    r"baking|offering|"
    r"manufactures|brews|bakes|builds|provides|(?:(?<=we )|(?<=i )|(?<=they )|(?<=to )|(?<=and )|(?<=who )|"
    r"(?<=that )|"
    r"(?<=also )|(?<=ly )|(?<=just )|(?<=which )|(?<=,\s)|(?<=^)|(?<=[.:]\s))"
    r"(?:make|produce|manufacture|brew|bake|build|sell|sew|provide|offer|print|prints|assemble|assembles|run|"
    r"roast|machine|"
    r"weld|fabricate))\s+"
    r"(?P<what>(?:(?!\b(?:and (?:we|the|our)|but|in|for|on|with|at|to|through|from|during|over|by|first|"
    r"which|that|using|"
    r"every|each|when|while)\b)[^.,;:()\n\u2014]){3,80})",
    re.IGNORECASE,
)
_BY_TRADE = re.compile(
    r"\bwe\s+(?P<what>bake|brew|print|weld|sew|roast|paint|mill|cast|forge|launder)\b", re.IGNORECASE
)
"""A verb that says enough by itself."""
_DOING = re.compile(
    r"\W*(?:(?:well|so|ok|okay|basically|mainly),?\s+)*(?:we|i)\s+(?:mainly |mostly |just )?"
    r"(?!(?:are|am|have|had|has|need|can|cannot|could|want|never|always|do|don|did|struggle|keep|get|use|try|"
    r"know|think|"
    r"just|work|often|usually|also|only|own|must|should|would|will|lose|spend)\b)[a-z]+\s+"
    r"(?!(?:through|from|over|up|off|out|around|together|hard|late|early)\b)"
    r"(?P<what>(?:(?!\b(?:and (?:we|the|our)|but|in|for|on|with|at|to|which|that|from)\b)[^.,;:()\n\u2014]){3,60})",
    re.IGNORECASE,
)
"""Whatever else they do: "we wash linen and scrubs for three hospitals"."""
_AT_IT = re.compile(
    r"\b(?:we|i)(?:['\u2019](?:re|m|ve been)|\s+are|\s+am|\s+have been)\s+(?:mainly |mostly |only |just )?"
    r"(?:doing|making|[a-z]+ing)\s+(?!(?:to|for|on|in|at|with)\b)(?P<what>(?:(?!\b(?:and (?:we|"
    r"the|our)|but|in|for|on|with|at|to|which|that|from)\b)"
    r"[^.,;:()\n\u2014]){3,60})"
    r"|\b(?:we|i)\s+(?:mainly |mostly |only |just )?(?:put up|turn out|deal in|do|speciali[sz]e in|work (?:in|"
    r"with))\s+"
    r"(?P<also>(?:(?!\b(?:and (?:we|the|our)|but|in|for|on|with|at|to|which|"
    r"that|from|not|n['\u2019]t)\b)[^.,;:()\n\u2014]){3,60})",
    re.IGNORECASE,
)
"""What they are doing: "we are doing powder coating", "I put up jams"."""
_LABELLED = re.compile(
    r"(?:^|\n)\W*(?:products?|services?|what we (?:make|do)|trade|business)\s*[:\u2013-]\s*(?P<what>[^.;:\n]{3,60})",
    re.IGNORECASE,
)
_BUSINESS = re.compile(
    r"\b(?:we(?:['\u2019]re| are)|i(?:['\u2019]m| am)|it(?:['\u2019]s| is)|this is|ours is|i own|we own)\s+"
    r"(?:basically\s+)?"
    r"(?=(?:an?|the)\s)(?P<what>[^.,;:()\n\u2014]{3,60})",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?!(?:in|on|at|then|when|if|and|but|so|my|well|yes|no|now|today|because)\b)"
    r"(?P<what>(?:(?!\b(?:is|are|was|we|i|it|they|has|have|do|does|can|must|need|no|not|yes)\b)"
    r"[^.,;:()\n\u2014]){3,60})"
    r"(?:[.:;,]|\s\u2014)",
    re.IGNORECASE,
)
"""A heading in place of a sentence: "Industrial laundry for hotels: sheets and towels."."""
_FROM = re.compile(r"\b(make|produce|build)\s+(?:from|out of)\s+[^.,;:]{3,40}?\s+(?=an?\s)", re.IGNORECASE)
"""``make from old film a digital file``."""
_QUANTIFIER = re.compile(
    r"^(?:about|around|roughly|primarily|mainly|mostly|various|different|several|many|some|a (?:range|variety|"
    r"number) of|types? of|our|the|"
    r"all (?:kinds|sorts) of|custom|\d+(?:\s*(?:-|\u2013|to)\s*\d+)?|year-round|a|an)\s+",
    re.IGNORECASE,
)


def infer(field: Field, text: str) -> Any:
    """What ``text`` lets one conclude about ``field``; None where it does not."""
    values = {one.value for one in field.choices}
    if field.kind == "choices" or (field.kind == "list" and "challenge" in field.name):
        wanted = values or set(CHALLENGES)
        found = [name for name in challenges(text) if name in wanted]
        return found or None
    if field.kind == "yesno" and "overnight" in field.name:
        return overnight(text)
    if field.kind == "choice":
        return chosen(field.choices, text)
    if field.kind == "text" and re.search(r"product|service", field.name):
        return product(text)
    return None


def challenges(text: str) -> list[str]:
    """The challenge keywords whose complaint ``text`` makes, in the order of the original list."""
    flat = " ".join(text.split())
    return [name for name, pattern in CHALLENGES.items() if re.search(pattern, flat, re.IGNORECASE)]


def product(text: str) -> str | None:
    """What they say they make or are, in their words; None where no clause says so."""
    text = _FROM.sub(r"\1 ", OTHERS.sub(" ", text))
    flat = " ".join(text.split())
    match = (
        _LABELLED.search(text)
        or _PRODUCT.search(flat)
        or _DOING.match(flat)
        or _BUSINESS.search(flat)
        or _TITLE.match(flat)
    )
    match = match or _AT_IT.search(flat) or _BY_TRADE.search(flat)
    if match is None:
        return None
    words = (match["what"] or match["also"]).strip()
    while (shorter := _QUANTIFIER.sub("", words)) != words:
        words = shorter
    return words.strip() or None
