"""What of an answer is recorded: the rows of its tables, and what its words support of a refinement."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from packhorse_discovery.domain.interview.merging import Proposal, aligned, distinct, same
from packhorse_discovery.domain.interview.questions import Question
from packhorse_discovery.domain.interview.structure import Patch, State, Structure, UnfitError, flattened, path_of
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.reading import plain
from packhorse_discovery.domain.reading.cells import dated
from packhorse_discovery.domain.reading.choices import Ways
from packhorse_discovery.domain.reading.evidence import NO_START, Verdict, check
from packhorse_discovery.domain.reading.refinement import Place, without
from packhorse_discovery.domain.reading.words import words_of
from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.eads import Eads, Field, path_from

_SIDES = re.compile(r"(?P<yes>.*)\(yes\)(?P<no>.*)\(no\)")


@frozen
class Back:
    """A value that was not recorded: where, what, why, and the nearest words."""

    path: str
    value: Any
    why: str
    nearest: str = ""


@frozen
class Record:
    """What an answer gives to record, and what comes back."""

    proposals: tuple[Proposal, ...] = ()
    refused: tuple[Back, ...] = ()
    not_used: tuple[str, ...] = ()
    unmodelled: tuple[tuple[str, str], ...] = ()

    @property
    def responsive(self) -> bool:
        """Whether anything was recorded."""
        return bool(self.proposals)


def record(
    question: Question, text: str, refinement: Mapping[str, Any] | None, eads: Eads, structure: Structure, *,
    earlier: Sequence[str] = (), origin: str = "", today: str = "", known: Collection[str] = (),
) -> Record:  # fmt: skip
    """What ``text`` gives to record, with or without an assistant's ``refinement``.

    ``earlier`` are the answers before it, the oldest first; ``origin`` the
    start of the schedule where it is known; ``known`` every name established.

    Raises:
        UnfitError: the refinement is not of the schema's form.
    """
    start = str((refinement or {}).get("origin") or origin)
    reading = plain.read(question, text, eads, structure, start, today)
    back = [Back(one.path, one.value, one.why) for one in reading.not_read]
    if not refinement:
        return Record(reading.proposals, tuple(back))
    bare = strip(refinement)
    _fit(bare, eads)
    verdict = _verdict(bare, [*earlier, text], eads, start, today, known)
    tabled = {one.path: one for one in reading.proposals} if reading.tabled else {}
    proposals, more = _proposals(bare, verdict, eads, structure, tabled)
    every = {**tabled, **{one.path: one for one in proposals}}
    refused = [Back(path_of(one.path, bare, eads), one.value, one.why, one.nearest) for one in verdict.refused]
    return Record(tuple(every.values()), (*back, *more, *refused), verdict.not_used, verdict.unmodelled)


def _fit(bare: Mapping[str, Any], eads: Eads) -> None:
    flat = list(flattened(without(bare), eads))
    wrong = [
        f"{path} {fault}"
        for path, value in flat
        if value is not None and (one := eads.field_at(path_from(path))) and (fault := fits(one, value))
    ]
    if wrong:
        raise UnfitError("; ".join(wrong[:5]))


def _verdict(
    bare: Mapping[str, Any], answers: Sequence[str], eads: Eads, origin: str, today: str, known: Collection[str]
) -> Verdict:
    """The verdict of the last answer; what it refuses is looked for in the earlier ones, the latest first."""

    def keys(table: tuple[str, ...], row: Mapping[str, Any]) -> tuple[str, ...]:
        field = eads.field(tuple(part for name in table for part in (name, "*"))[:-1])
        return tuple(key for key in ((field.key if field else None) or "name").split("+") if key in row)

    def ways(place: tuple[str, ...]) -> Ways:
        fields = (one for one in eads.fields if tuple(part for part in one.path if part != "*") == place)
        return next((_ways(one) for one in fields), Ways())

    found = check(bare, words_of(answers[-1]), origin=origin, today=today, known=known, keys=keys, ways=ways)
    for text in reversed(answers[:-1][-20:]):
        if not found.refused:
            break
        before = check(bare, words_of(text), origin=origin, today=today, known=known, keys=keys, ways=ways)
        better = {one.path for one in found.refused} & set(before.states)
        states = {path: state for path, state in before.states.items() if path in better or _in_row(path, better, bare)}
        found = evolve(
            found,
            states={**states, **found.states},
            refused=tuple(one for one in found.refused if one.path not in better),
            unmodelled=tuple(dict.fromkeys([*found.unmodelled, *before.unmodelled])),
        )
    return found


def _ways(field: Field) -> Ways:
    """How a field may be answered, in the words of its schema; a question may say "... (yes), or ... (no)?"."""
    sides = _SIDES.match(field.question)
    yes = (sides["yes"],) if sides else (field.help, field.question)
    choices = {one.value: (one.value, one.label.split(":")[0], *one.aliases) for one in field.choices}
    return Ways((*yes, *field.aliases), (sides["no"],) if sides else (), field.aliases, choices)


def _in_row(path: Place, better: set[Place], bare: Mapping[str, Any]) -> bool:
    """Whether ``path`` stands in a row whose key an earlier answer supports."""
    return any(isinstance(one[-2], int) and path[: len(one) - 1] == one[:-1] for one in better if len(one) > 1)


def _proposals(
    bare: Mapping[str, Any], verdict: Verdict, eads: Eads, structure: Structure, tabled: Mapping[str, Proposal]
) -> tuple[list[Proposal], list[Back]]:
    """The supported values, called as the rows that are there; and those that a table of the answer contradicts."""
    refused = {one.path for one in verdict.refused}
    keys = [one for one in verdict.refused if one.key or eads.is_key(path_from(path_of(one.path, bare, eads)))]
    lost = {one.path[:-1] for one in keys}
    waiting = {path_of(one.path, bare, eads): one for one in verdict.refused if one.why == NO_START}
    states = {path_of(path, bare, eads): (path, state) for path, state in verdict.states.items()}
    kept = without(bare, refused, lost)
    found: list[Proposal] = []
    back: list[Back] = []
    for path, value in flattened(kept, eads):
        place, basis = states.get(path, ((), "said"))
        said = verdict.dated.get(place, "") or (_formula(bare, place) if basis == "derived" else "")
        at = aligned(path, structure, eads)
        mine = tabled.get(at) or tabled.get(path)
        if mine is not None and mine.state == "answered" and not same(mine.value, value):
            back.append(Back(at, value, f"the table says {_shown(mine.value)}"))
            continue
        if mine is None:
            found.append(Proposal(at, value, said=said, basis=basis))  # type: ignore[arg-type]  # one of its literals
    found, clashes = distinct(found)
    for first, second in clashes:
        back.append(Back(first.path, second.value, f"another row of this name says {_shown(first.value)}"))
    for path, one in waiting.items():
        found.append(Proposal(aligned(path, structure, eads), state="deferred", said=one.nearest))
    return found, back


def _formula(bare: Any, place: Place) -> str:
    node = bare
    for part in place:
        node = node[part]
    return str(node.get("derived", "")) if isinstance(node, Mapping) else ""


def _shown(value: Any) -> str:
    if isinstance(value, Mapping) and "value-string" in value:
        return f"{value['value-string']} {value.get('units', '')}".strip()
    return str(value)


def redated(structure: Structure, eads: Eads, origin: str) -> list[Patch]:
    """The changes of dates that count from the start, now that it is ``origin``."""
    found: list[Patch] = []
    for path, mark in structure.marks.items():
        field = eads.field_at(path_from(path))
        if field is None or not field.dated or not mark.said or path == "/origin":
            continue
        old = structure.get(path)
        again = dated(words_of(mark.said), origin)
        time = str(old)[10:] if isinstance(old, str) else ""
        if again is None or again.value == old or mark.state not in {"answered", "deferred"}:
            continue
        value = again.value if again.value is None or len(str(again.value)) > 10 else f"{again.value}{time}"
        state: State = "deferred" if value is None else "answered"
        found.append(Patch(path, "set", value, evolve(mark, state=state), old, mark))
    return found
