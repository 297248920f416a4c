"""The trial of a family member, played by a client: ``python -m tests.locator.trial`` writes docs/locator-family.md.

What the mother says is fixed; every answer is the server's. The page is the record of one run, and a test keeps it so.
"""

import tempfile
from pathlib import Path
from typing import Any

import anyio

from packhorse.contract.principal import ANONYMOUS
from packhorse.testing import connected, deployment_for, fixed_clock
from packhorse_locator import pack

PAGE = Path(__file__).resolve().parents[2] / "docs" / "locator-family.md"
WHEN = "2026-11-01T12:00:00Z"
SAYS = "busco a mi ijo jose guadalupe ernandes markez de mexico"
SAYS_NEXT = "y mi hermana? busco a yadira quezalteco ixtabal"

INTRODUCTION = """\
# A mother asks for her son

A trial of the [locator pack](../plugins/locator/README.md), in Spanish, by somebody without an account. She writes as
she speaks, without accents, and both surnames are misspelt: the record has HERNANDEZ MARQUEZ. What she says is in
quotes, the tools that were called are in brackets, and what stands in the blocks is what the server answered in words.
The registry is the sample that comes with the pack: everybody in it is invented. The facilities are real.
"""

CLOSING = """\
Her son came first, although no surname was written as the record has it; the telephone and the next steps came with
him, and where nobody was found the answer did not say that nobody is there. This page is made by a client that speaks
the protocol, on a fixed day, and a test makes it again and compares.
"""


def said(reply: Any) -> str:
    """The words of an answer; the same as data follow them on the wire."""
    text: str = reply.content[0].text
    return text.strip()


def block(text: str) -> str:
    """A block that is shown and not run."""
    return f"```text\n{text}\n```\n"


async def played(folder: Path) -> str:
    """Play the trial on a fresh sample in ``folder``; the page it makes."""
    deployment = deployment_for(data_dir=folder, clock=fixed_clock(WHEN), locator=pack)
    pieces = [INTRODUCTION]
    async with connected(deployment, principal=ANONYMOUS) as client:
        prompt = await client.get_prompt("find_family_member", {"language": "es"})
        pieces += ["## The conversation begins\n", "[prompt find_family_member, language es]\n"]
        pieces.append(block(prompt.messages[0].content.text))

        asked = {"query": SAYS, "language": "es", "auto_execute": True}
        found = await client.call_tool("parse_natural_query", asked)
        pieces += ["## The son\n", f"> {SAYS}\n", "[parse_natural_query, language es, auto_execute]\n"]
        pieces.append(block(said(found)))

        best = found.structured_content["execution_result"]["results"][0]
        place = await client.call_tool("get_facility_info", {"facility_name": best["facility_name"]})
        pieces += [f"[get_facility_info, facility_name {best['facility_name']}]\n", block(said(place))]

        missing = await client.call_tool("parse_natural_query", {**asked, "query": SAYS_NEXT})
        pieces += ["## The sister\n", f"> {SAYS_NEXT}\n", "[parse_natural_query, language es, auto_execute]\n"]
        pieces.append(block(said(missing)))
    return "\n".join([*pieces, CLOSING])


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(anyio.run(played, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
