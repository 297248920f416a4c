"""Policy texts: cut into passages, kept, and searched beside our own summary."""

import re
from collections.abc import Iterator

from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.domain.programme.policy import SUMMARY, Passage
from packhorse_scheduling.errors import invalid, not_found
from packhorse_scheduling.service import RosterDesk

MOST_CHARACTERS = 2_000_000
PASSAGE_CHARACTERS = 1_500
"""Long enough for a paragraph, short enough to read in an answer."""
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<title>[^\n]*?)[ \t#]*(?=\n|\Z)")


def add_policy(desk: RosterDesk, name: str, kind: str, text: str) -> int:
    """Keep a text (plain or Markdown) under its name, instead of what was there; the number of passages.

    Raises:
        UserError: it is empty, or longer than a policy is.
    """
    from packhorse_scheduling.store.policies import Policies

    if len(text) > MOST_CHARACTERS:
        raise invalid("file", f"{name} has {len(text):,} characters; the limit is {MOST_CHARACTERS:,}.")
    passages = list(passages_of(name, kind, text))
    if not passages:
        raise invalid("file", f"{name} contains no text.")
    with desk.rosters() as rosters:
        Policies(rosters.store).replace(name, passages, desk.now())
    return len(passages)


def remove_policy(desk: RosterDesk, name: str) -> None:
    """Forget a text.

    Raises:
        UserError: there is none of this name.
    """
    from packhorse_scheduling.store.policies import Policies

    with desk.rosters() as rosters:
        if not Policies(rosters.store).remove(name):
            raise not_found("policy", name)


def passages(desk: RosterDesk) -> list[Passage]:
    """Our own summary and everything added."""
    from packhorse_scheduling.store.policies import Policies

    with desk.rosters() as rosters:
        return [*SUMMARY, *Policies(rosters.store).passages()]


def passages_of(name: str, kind: str, text: str) -> Iterator[Passage]:
    """A text cut at its headings and blank lines, in pieces of at most `PASSAGE_CHARACTERS`."""
    title, held, number = name, "", 0
    for paragraph in [*re.split(r"\n\s*\n", text.replace("\r\n", "\n")), None]:
        heading = None if paragraph is None else _HEADING.match(paragraph.strip())  # its first line
        body = "" if paragraph is None else " ".join(paragraph.strip()[heading.end() if heading else 0 :].split())
        if held and (paragraph is None or heading or len(held) + len(body) > PASSAGE_CHARACTERS):
            for start in range(0, len(held), PASSAGE_CHARACTERS):
                piece = held[start : start + PASSAGE_CHARACTERS]
                yield Passage(name_id("policy", f"{name}:{number}"), title, kind, name, piece)
                number += 1
            held = ""
        if heading:
            title = heading["title"][:200]
        held = f"{held} {body}".strip()
