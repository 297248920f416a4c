"""What packs tell a model about their tools, looked at for orders that have no business there.

Three grades. Disguised text is refused at the start (`packhorse.schema.disguised`), and what has changed since it was
locked likewise (`packhorse.compose.locking`). The phrases here are for a person to read: an attack and a description
of one differ by intent, so they are printed and never refused.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from packhorse.cli.check_around import Finding
from packhorse.door.catalogue import HOST
from packhorse.schema.disguised import texts_in

if TYPE_CHECKING:
    from packhorse.door.catalogue import Catalogue

_SECRETS = (
    r"(?:\.env\b|\.ssh\b|\.aws\b|id_rsa|mcp\.json|/etc/passwd|private keys?|api[ _-]?keys?|passwords?"
    r"|credentials|environment variables|access tokens?|secrets?|cookies)"
)
_SENDING = (
    r"(?:send|forward|post|upload|pass|append|include|embed|return|attach|copy|exfiltrate|leak|transmit|email)\w*"
)
_PHRASES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "overrides other instructions": r"\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}\b(?:instructions?"
        r"|rules?|prompts?|guidelines|polic(?:y|ies)|restrictions?|safety)\b",
        "conceals something from the user": r"\b(?:do not|don't|never|without)\b[^.]{0,30}"
        r"\b(?:mention|tell|telling|inform|informing|notify|notifying|reveal|show|disclos\w+|ask|asking)\b[^.]{0,40}\b(?:user|them|this|step|human)\b"
        r"|\b(?:silently|secretly|covertly)\b",
        "speaks as a system or an assistant": r"<\s*/?\s*(?:important|system|secret|instructions?|admin)\s*>"
        r"|\[\s*(?:system|assistant|inst)[^\]]{0,20}[\]:]|<\|[a-z_]+\|>|\bhidden (?:directive|instruction)"
        r"|\b(?:note|message|instructions?) (?:to|for) (?:the )?(?:assistant|model|ai|llm|agent)\b",
        "has secrets handed over": rf"\b{_SENDING}\b[^.]{{0,80}}{_SECRETS}|{_SECRETS}[^.]{{0,80}}\b{_SENDING}\b"
        rf"|\bread\b[^.]{{0,20}}{_SECRETS}",
        "sends data to an address": rf"\b{_SENDING}\b[^.]{{0,80}}(?:https?://|[\w.]+@[\w-]+\.\w)",
        "orders what to do with another tool": r"\b(?:always|first|instead of|before|whenever|when)\b[^.]{0,50}"
        r"\b(?:using|calling|use|call|invok\w+|run)\b[^.]{0,30}\b(?:any|every|all|other|another)\b[^.]{0,20}\btools?\b"
        r"|\b(?:supersedes?|replaces?|instead of)\b[^.]{0,10}\b\w+_\w+\b",
    }.items()
}  # fmt: skip


def suspicions(texts: Iterable[str], own: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """What a description says that a person should look at: of what kind, and the words.

    ``own`` are names of the pack's own tools, about which it may give orders.
    """
    for text in texts:
        folded = unicodedata.normalize("NFKC", text)
        for name in own:
            folded = folded.replace(name, "it")
        for kind, pattern in _PHRASES.items():
            if found := pattern.search(folded):
                yield kind, " ".join(found[0].split())[:80]


def descriptions(catalogue: "Catalogue") -> Iterator[Finding]:
    """Suspicious phrases, tools of other packs that a description names, and names that differ in writing alone."""
    own: dict[str, list[str]] = defaultdict(list)
    for name, entry in catalogue.tools.items():
        own[entry.pack].append(name)
    for name, entry in catalogue.tools.items():
        if entry.pack == HOST:
            continue
        subject = f"tool {name}"
        texts = [entry.description, entry.offer.words, *texts_in(entry.arguments.schema)]
        for kind, words in dict(suspicions(texts, own[entry.pack])).items():
            yield Finding(subject, f"its description {kind}: {words!r}", look=True)
        others = {other for other in catalogue.tools if catalogue.tools[other].pack not in (entry.pack, HOST)}
        for other in sorted(others & set(re.findall(r"\w+", entry.description))):
            if "_" in other:
                yield Finding(subject, f"its description names {other}, a tool of another pack", look=True)
    yield from _alike(catalogue)


def _alike(catalogue: "Catalogue") -> Iterator[Finding]:
    written: dict[str, list[str]] = defaultdict(list)
    for name in catalogue.tools:
        written[re.sub(r"[^a-z0-9]", "", name.lower())].append(name)
    for names in written.values():
        packs = {catalogue.tools[name].pack for name in names}
        if len(packs) > 1:
            alike = " and ".join(f"{name} of {catalogue.tools[name].pack}" for name in names)
            yield Finding(
                "tools", f"{alike} have names that a model may take for one another", "Give one of the packs a prefix."
            )
