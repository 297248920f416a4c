"""The trial of a family member, played by a client: ``python -m tests.locator.trial`` writes docs/locator-family.md.

What the mother says is fixed; every answer is the server's. The page is the record of one run, and a test keeps it so.
"""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from packhorse.contract.principal import ANONYMOUS
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_locator import pack

PAGE = Path(__file__).resolve().parents[2] / "docs" / "locator-family.md"
WHEN = "2026-11-01T12:00:00Z"
SAYS = {
    "es": ("## En español", "busco a mi hijo jose guadalupe ernandes markez de mexico"),
    "en": ("## In English", "I am looking for my son Jose Guadalupe Ernandes Markez from Mexico"),
}

INTRODUCTION = """\
# A mother asks for her son

A trial of the [locator pack](../plugins/locator/README.md), in Spanish and in English, by somebody without an account.
Both surnames are misspelt: the record has HERNANDEZ MARQUEZ. What she says is in quotes, the tools that her assistant
calls are in brackets, and what stands in the blocks is what the server answered in words. The registry is the sample
that comes with the pack: everybody in it is invented. The facilities are real.
"""

CLOSING = """\
Her son comes first, although no surname is written as the record has it. Where a sentence is not read surely, the
refusal gives the form that was filled, and the assistant calls the search itself. This page is made by a client that
speaks the protocol, on a fixed day, and a test makes it again and compares.
"""


class Walk(NamedTuple):
    """One conversation: how many calls, about how many tokens came back in all copies, and what was found."""

    language: str
    calls: int
    tokens: int
    name: str
    phone: str


def said(reply: Any) -> str:
    """The words of an answer."""
    text: str = reply.content[0].text
    return text.strip()


def tokens(reply: Any) -> int:
    """About how many tokens an answer weighs, text and structured copy together: four characters each."""
    words = "".join(getattr(piece, "text", "") for piece in reply.content)
    structured = json.dumps(reply.structured_content, ensure_ascii=False, separators=(",", ":"))
    return (len(words) + (len(structured) if reply.structured_content else 0)) // 4


def block(text: str) -> str:
    """A block that is shown and not run."""
    return f"```text\n{text}\n```\n"


async def walked(client: Any, language: str) -> tuple[list[str], Walk]:
    """One conversation, with the pieces of its page."""
    title, says = SAYS[language]
    pieces = [f"{title}\n", f"> {says}\n"]
    query = {"query": says, "language": language, "auto_execute": True}
    first = await client.call_tool("parse_natural_query", query)
    pieces += [f"[parse_natural_query, language {language}, auto_execute]\n", block(said(first))]
    replies = [first]
    if first.is_error:
        form = first.meta["packhorse/error"]["details"]["form"]["parameters"]
        replies.append(await client.call_tool("search_by_name", form))
        pieces += [f"[search_by_name, {json.dumps(form, ensure_ascii=False)}]\n", block(said(replies[-1]))]
        best = replies[-1].structured_content["results"][0]
    else:
        best = first.structured_content["execution_result"]["results"][0]
    place = await client.call_tool("get_facility_info", {"facility_name": best["facility_name"]})
    pieces += [f"[get_facility_info, facility_name {best['facility_name']}]\n", block(said(place))]
    replies.append(place)
    phone = place.structured_content["facility"]["contact"]["phone"]
    return pieces, Walk(language, len(replies), sum(tokens(one) for one in replies), best["name"], phone)


async def played(folder: Path) -> tuple[str, list[Walk]]:
    """Play the trial on a fresh sample in ``folder``; the page it makes, and what each conversation cost."""
    deployment = deployment_for(data_dir=folder, clock=fixed_clock(WHEN), locator=pack)
    pieces, walks = [INTRODUCTION], []
    async with connected(deployment, principal=ANONYMOUS) as client:
        for language in SAYS:
            written, walk = await walked(client, language)
            pieces += written
            walks.append(walk)
        missing = await client.call_tool("search_by_name", {"first_name": "Yadira", "last_name": "Quezalteco Ixtabal"})
        pieces += ["## Somebody who is not there\n", "[search_by_name]\n", block(said(missing))]
    return "\n".join([*pieces, CLOSING]), walks


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        page, walks = anyio.run(played, Path(folder))
    PAGE.write_text(page, encoding="utf-8")
    print(walks)


if __name__ == "__main__":
    main()
