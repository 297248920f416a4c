"""How many tables of hours and dates are read right, asked about, or read wrong: prints the counts."""

import json
import sys
from pathlib import Path
from typing import Any

from packhorse_discovery.domain.case.aggregate import aggregate
from packhorse_discovery.domain.case.conflicts import detect
from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.interview.merging import merge
from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.structure import Mark, Structure, rendered
from packhorse_discovery.domain.reading.cells import dated
from packhorse_discovery.domain.reading.plain import read
from packhorse_discovery.domain.reading.words import words_of
from packhorse_discovery.service.library import library

TABLES = Path(__file__).parent / "tables.json"
CALENDAR: Any = library().get("resources/calendar-and-maintenance")


Span = tuple[str, str, str, str]


def hours_of(text: str) -> tuple[set[Span], bool]:
    """(resource, day, start, end) of every row that is read whole, and whether anything is asked about."""
    question = next_question(CALENDAR, Structure())
    assert question is not None
    reading = read(question, text, CALENDAR, Structure())
    structure, _ = merge(Structure(), reading.proposals, CALENDAR, mark=Mark())
    rows = rendered(structure, CALENDAR).get("working-hours", [])
    whole = [row for row in rows if {"resource", "days", "start", "end"} <= set(row)]
    pursued = [Established(CALENDAR, structure)]
    overlaps = [one for one in detect(aggregate("p", pursued), pursued) if one.kind == "hours-overlap"]
    spans = {(str(row["resource"]).casefold(), day, row["start"], row["end"]) for row in whole for day in row["days"]}
    return spans, bool(reading.not_read) or len(whole) < len(rows) or bool(overlaps) or not rows


def date_of(one: dict[str, Any]) -> str | None:
    """The date that a cell is read as; None where it is asked about."""
    cell = dated(words_of(one["text"]), one.get("start_day") or one["interview_day"])
    return cell.value if cell is not None else None


def outcomes() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Ids by outcome (right, asked, wrong), of the tables of hours and of the dates.

    A table is asked about where a row comes back, stays open or contradicts another; what is read of it must be right.
    """
    material = json.loads(TABLES.read_text())
    hours: dict[str, list[str]] = {"right": [], "asked": [], "wrong": []}
    dates: dict[str, list[str]] = {"right": [], "asked": [], "wrong": []}
    for one in material["hours"]:
        found, asks = hours_of(one["text"])
        rows = one.get("rows", [])
        wanted = {(row["resource"].casefold(), day, row["start"], row["end"]) for row in rows for day in row["days"]}
        right = found == wanted and not one.get("ask")
        hours["right" if right else "asked" if asks and (one.get("ask") or found <= wanted) else "wrong"].append(
            one["id"]
        )
    for one in material["dates"]:
        value = date_of(one)
        dates["asked" if value is None else "right" if value == one.get("expected") else "wrong"].append(one["id"])
    return hours, dates


if __name__ == "__main__":
    for name, found in zip(("hours", "dates"), outcomes(), strict=True):
        print(name, {outcome: len(ids) for outcome, ids in found.items()}, "wrong:", found["wrong"])
        if "--asked" in sys.argv:
            print("  asked about:", ", ".join(found["asked"]))
