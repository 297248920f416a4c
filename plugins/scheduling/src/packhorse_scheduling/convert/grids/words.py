"""What was understood of a grid, line by line, and as a document for a program."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.people import FACULTY
from packhorse_scheduling.domain.grids.reading import Understood, gaps
from packhorse_scheduling.domain.insight.wording import counted

MOST_LISTED = 40
"""Cells not understood that are listed one by one in words; the document has all."""


def report_of(found: Understood, asker: Asker) -> dict[str, Any]:
    """Everything that was understood, as a document."""
    cells = found.cells
    meanings = {one.code: one for one in cells.meanings.values()}
    known = all(column.known for column in found.columns)
    used = Counter(stay.code for stay in cells.stays)
    return {
        "title": found.title,
        "sheets": list(dict.fromkeys(panel.sheet.name for panel in found.panels)),
        "people": [{"name": one.name, "level": one.level} for one in found.people.values()],
        "columns": [
            {"start": one.first.isoformat(), "end": one.last.isoformat()} if one.known else {"start": None, "end": None}
            for one in found.columns
        ],
        "rotations": [
            {"code": code, "name": meanings[code].name, "leave": meanings[code].leave, "blocks": count}
            for code, count in sorted(used.items())
        ],
        "cells": [
            {
                "person": stay.person,
                "start": stay.first.isoformat() if known else None,
                "end": stay.last.isoformat() if known else None,
                "code": stay.code,
                "cell": stay.spot.where,
                **({"within": True} if stay.within else {}),
            }
            for stay in cells.stays
        ],
        "empty": [spot.where for spot in cells.empty],
        "not_understood": [{"cell": spot.where, "why": why} for spot, why in cells.unclear],
        "notes": [*found.notes, *cells.notes, *gaps(found.columns)],
        "questions": [{"id": one.id, "question": one.words, "choices": list(one.choices)} for one in asker.questions],
        "not_asked_yet": [one.words for one in asker.beyond],
    }


def lines_of(report: dict[str, Any]) -> Iterator[str]:
    """A report as a person reads it."""
    people, columns = report["people"], report["columns"]
    if columns:
        counts = f"{counted(len(people), 'person', 'people')}, {counted(len(columns), 'column')}"
        yield f"Read from {', '.join(report['sheets'])}: {counts}."
        levels: dict[str, list[str]] = {}
        for one in people:
            level = one["level"]
            levels.setdefault(
                "Not known" if level is None else "Faculty" if level == FACULTY else f"PGY-{level}", []
            ).append(one["name"])
        for level in sorted(levels):
            yield f"  {level}: {'; '.join(levels[level])}"
        dated = [f"{one['start']} to {one['end']}" for one in columns if one["start"]]
        yield f"Columns: {', '.join(dated) or 'their days are not known yet'}"
    if report["rotations"]:
        yield "Rotations, with how many blocks:"
    for one in report["rotations"]:
        name = "" if one["name"] == one["code"] else f" ({one['name']})"
        leave = f", {one['leave'].replace('_', ' ')} leave" if one["leave"] else ""
        yield f"  {one['code']}{name}: {one['blocks']}{leave}"
    yield from _open_lines(report)


def _open_lines(report: dict[str, Any]) -> Iterator[str]:
    """What is open: blocks without days, without content, not understood; notes and questions."""
    within = [f"{one['cell']} ({one['code']})" for one in report["cells"] if one.get("within")]
    if within:
        yield f"On some days of the block, nobody says which (not in the draft): {_listed(within)}"
    if report["empty"]:
        yield f"Empty: {_listed(report['empty'])}"
    if report["not_understood"]:
        yield f"Not understood: {counted(len(report['not_understood']), 'cell')}"
        by_why: dict[str, list[str]] = {}
        for row in report["not_understood"]:
            by_why.setdefault(row["why"], []).append(row["cell"])
        for why, where in by_why.items():
            yield f"  {why}: {_listed(where)}"
    for note in report["notes"]:
        yield f"Note: {note}"
    if report["questions"]:
        yield "Questions (answer with --answer ID=VALUE, or in a file with --answers):"
    for one in report["questions"]:
        choices = f" [{' | '.join(one['choices'])}]" if one["choices"] else ""
        yield f"  {one['id']}: {one['question']}{choices}"
    for words in report["not_asked_yet"]:
        yield f"Asked when these are answered: {words}"


def _listed(where: list[str]) -> str:
    more = len(where) - MOST_LISTED
    return ", ".join(where[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
