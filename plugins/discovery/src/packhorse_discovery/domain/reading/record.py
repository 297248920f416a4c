"""What of an answer is recorded: the rows of its tables, and what its words support of a refinement."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from packhorse_discovery.domain.interview.merging import Proposal, aligned, distinct, same
from packhorse_discovery.domain.interview.questions import Question
from packhorse_discovery.domain.interview.structure import Patch, State, Structure, UnfitError, flattened, path_of
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.reading import plain
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.cells import dated, from_start, shown
from packhorse_discovery.domain.reading.choices import Ways
from packhorse_discovery.domain.reading.evidence import Verdict, check
from packhorse_discovery.domain.reading.mentions import NO_START
from packhorse_discovery.domain.reading.refinement import Place, Refused, without
from packhorse_discovery.domain.reading.shared_units import in_all
from packhorse_discovery.domain.reading.times import minutes
from packhorse_discovery.domain.reading.words import Words, content, words_of
from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.eads import Eads, Field, Path, is_moment, path_from, written

_SIDES = re.compile(r"(?P<yes>.*)\(yes\)(?P<no>.*)\(no\)")
_NEAR = 5
"""Tokens within which the words of one name stand: "benches 1 and 2"."""


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
    named = (refinement or {}).get("origin")
    start = next((str(one) for one in (named, origin) if is_moment(one)), "")
    reading = plain.read(question, text, eads, structure, start, today)
    back = [Back(one.path, one.value, one.why) for one in reading.not_read]
    if refinement is None:
        return Record(reading.proposals, tuple(back))
    # A line with a colon may be anything ("Posters due: 3 December"): beside a refinement only a table is read.
    tabled = {one.path: one for one in reading.proposals} if reading.tabled else {}
    found = _checked(strip(refinement), [*earlier, text], eads, structure, start, today, known, tabled)
    every = {**tabled, **{one.path: one for one in found.proposals}}
    more = [one for one in back if reading.tabled and one.path]  # its headings are the assistant's to understand
    return evolve(found, proposals=tuple(every.values()), refused=(*more, *found.refused))


def _checked(
    refinement: Mapping[str, Any], answers: Sequence[str], eads: Eads, structure: Structure, origin: str, today: str,
    known: Collection[str], tabled: Mapping[str, Proposal],
) -> Record:  # fmt: skip
    """What the words of ``answers`` support of a refinement."""
    waiting: list[Place] = []
    bare = _prepared(refinement, eads, origin, (), (), waiting)
    _fit(bare, eads)
    odd = {one.path: one for one in _odd_moments(bare, eads, (), ())}
    verdict = _put_off(_verdict(bare, answers, eads, origin, today, known), bare, waiting)
    verdict = _by_table(verdict, bare, tabled, eads)
    others = tuple(one for one in verdict.refused if one.path not in odd)
    verdict = evolve(verdict, refused=(*odd.values(), *others))
    proposals, more = _proposals(bare, verdict, eads, structure, tabled)
    refused = [Back(path_of(one.path, bare, eads), one.value, one.why, one.nearest) for one in verdict.refused]
    return Record(tuple(proposals), (*more, *refused), verdict.not_used, verdict.unmodelled)


def supported(
    path: str, value: Any, text: str, eads: Eads, structure: Structure, *, quote: str = "", derived: str = "",
    earlier: Sequence[str] = (), origin: str = "", today: str = "", known: Collection[str] = (),
) -> Record:  # fmt: skip
    """What a correction gives to record at ``path``, one proposal or none; what its words refuse comes back.

    ``text`` are the words of the person who corrects it, and ``quote`` those of
    them that name the row in another way; ``derived`` is a formula over their
    numbers. The row must be there. The other arguments are those of `record`.

    Raises:
        UnfitError: the value is not of its field's kind.
    """
    concrete = path_from(path)
    leaf = {**value, "derived": derived} if derived and isinstance(value, Mapping) else value
    node: Any = {concrete[-1]: leaf}
    names = list(known)
    for at in range(len(concrete) - 1, 0, -1):
        table = eads.field_at(concrete[: at - 1]) if at > 1 else None
        if table is None or table.kind != "table":
            node = {concrete[at - 1]: node}
            continue
        row = structure.get(concrete[:at])
        named = {key: row[key] for key in (table.key or "name").split("+") if isinstance(row, Mapping) and key in row}
        node = [{**named, **node, **({"quote": quote} if quote else {})}]
        names += [str(one) for key, one in named.items() if key != concrete[-1]]
    found = _checked(node, [*earlier, text], eads, structure, origin, today, names, {})
    wanted = eads.template(concrete)
    mine = [one for one in found.proposals if eads.template(path_from(one.path)) == wanted]
    return evolve(found, proposals=tuple(evolve(one, path=written(concrete)) for one in mine))


def _prepared(node: Any, eads: Eads, origin: str, path: Path, place: Place, waiting: list[Place]) -> Any:
    """A refinement with each row as an object and each date as ISO 8601; ``waiting`` takes those without a start."""
    field = eads.field(path) if path else None
    if field is not None and field.kind == "table" and isinstance(node, list):
        key = (field.key or "name").split("+")[0]
        rows = [one if isinstance(one, Mapping) else {key: one} for one in node]
        return [_prepared(one, eads, origin, (*path, "*"), (*place, at), waiting) for at, one in enumerate(rows)]
    if field is None and isinstance(node, Mapping):
        return {
            name: _prepared(one, eads, origin, (*path, name), (*place, name), waiting) for name, one in node.items()
        }
    if field is not None and field.kind == "quantity" and isinstance(node, Mapping):
        return _in_figures(node)
    if field is None or not field.dated or not isinstance(node, str) or is_moment(node):
        return node
    found = dated(words_of(node), origin)
    if found is not None and found.state == "deferred":
        waiting.append(place)
    return found.value if found is not None and found.value is not None else node


def _odd_moments(node: Any, eads: Eads, path: Path, place: Place) -> Iterator[Refused]:
    """The values of dates that are none, each with the forms that its field takes."""
    if isinstance(node, Mapping):
        for name, one in node.items():
            yield from _odd_moments(one, eads, (*path, name), (*place, name))
    elif isinstance(node, list):
        for at, one in enumerate(node):
            yield from _odd_moments(one, eads, (*path, "*"), (*place, at))
    elif isinstance(node, str) and node not in ("", "none") and (field := eads.field(path)) and field.dated:
        timed = field.name in {"due", "release"}
        if not (is_moment(node) or from_start(words_of(node), "") or (timed and minutes(node) is not None)):
            forms = "a date as 2026-12-02, a date and time as 2026-12-02T08:30"
            more = ", a time of day as 08:30 or a time from the start as 2 days" if timed else ""
            yield Refused(place, node, f"{field.name} is {forms}{more}")


def _in_figures(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A quantity given in words ("a quarter of an hour") with its number and unit apart."""
    text, units = str(node.get("value-string", "")), str(node.get("units", ""))
    words = words_of(text)
    found = amounts(words)
    whole = len(found) == 1 and (found[0].first, found[0].last) == (0, len(words.texts) - 1)
    if not whole or any(one.isdecimal() for one in text) or (found[0].unit and units):
        return node
    figures = shown(found[0])
    return {**node, "value-string": figures["value-string"], "units": units or figures["units"]}


def _by_table(verdict: Verdict, bare: Any, tabled: Mapping[str, Proposal], eads: Eads) -> Verdict:
    """``verdict`` with what a table of the answer says, whatever stands nearer to it in the lines of the table."""

    def told(one: Refused) -> bool:
        found = tabled.get(path_of(one.path, bare, eads))
        return found is not None and found.state == "answered" and same(found.value, _at(bare, one.path))

    by_table = {one.path: "table" for one in verdict.refused if told(one)}
    refused = tuple(one for one in verdict.refused if one.path not in by_table)
    return evolve(verdict, states={**verdict.states, **by_table}, refused=refused)


def _put_off(verdict: Verdict, bare: Any, waiting: Sequence[Place]) -> Verdict:
    """``verdict`` with the dates that are said and wait for a start."""
    said = {place: str(_at(bare, place)) for place in waiting if place in verdict.states}
    refused = [Refused(place, words, NO_START, words) for place, words in said.items()]
    states = {place: state for place, state in verdict.states.items() if place not in said}
    return evolve(verdict, states=states, refused=(*verdict.refused, *refused))


def _at(node: Any, place: Place) -> Any:
    for part in place:
        node = node[part]
    return node


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

    unit = in_all(words_of(answers[-1]))

    def held(text: str, names: Collection[str]) -> Verdict:
        if text is not answers[-1]:  # the unit that this answer gives to all numbers, those said before among them
            text = f"{text}\n\n{unit}" if unit else text
            quoted = _quoted_in(bare, text, answers)
            return check(quoted, words_of(text), origin=origin, today=today, known=names, keys=keys, ways=ways)
        return check(bare, words_of(text), origin=origin, today=today, known=names, keys=keys, ways=ways)

    found = held(answers[-1], known)
    before = [held(text, known) for text in reversed(answers[:-1][-20:])] if found.refused else []
    named = [str(one.value) for one in found.refused if one.key and any(one.path in each.states for each in before)]
    named += _said_before([one for one in found.refused if not one.key], answers[:-1])
    if named:  # rows and names of earlier answers, of which this one may say more
        found = held(answers[-1], [*known, *named])
    for each in before:
        better = {one.path for one in found.refused} & set(each.states)
        rows = {one.path[:-1] for one in found.refused if one.key and one.path in better}
        states = {path: state for path, state in each.states.items() if path in better or _in_rows(path, rows)}
        more = [one for one in each.refused if _in_rows(one.path, rows)]
        found = evolve(
            found,
            states={**states, **found.states},
            refused=(*(one for one in found.refused if one.path not in better), *more),
            unmodelled=tuple(dict.fromkeys([*found.unmodelled, *each.unmodelled])),
        )
    return found


def _quoted_in(node: Any, text: str, answers: Sequence[str]) -> Any:
    """A refinement without the quotes that are not of ``text``, and that the last of ``answers`` has."""
    if isinstance(node, Mapping):
        return {name: _quoted_in(one, text, answers) for name, one in node.items()
                if name != "quote" or _is_of(one, text, answers[-1])}  # fmt: skip
    if not isinstance(node, list):
        return node
    whole = [isinstance(one, Mapping) and any(_is_rows(inner) for inner in one.values()) for one in node]
    said = [any(_names_row(value, text) for value in one.values()) if full else True
            for one, full in zip(node, whole, strict=True)]  # fmt: skip
    bare = any(full and named for full, named in zip(whole, said, strict=True))  # a step of which the text says nothing
    return [_quoted_in(one, text, answers) if named or not bare else {} for one, named in zip(node, said, strict=True)]


def _is_rows(node: Any) -> bool:
    return isinstance(node, list) and bool(node) and all(isinstance(one, Mapping) for one in node)


def _names_row(value: Any, text: str) -> bool:
    """Whether a value is a name or a list of names, and all words of one of them are in ``text``."""
    names = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    return any(all(words_of(text).forms(word) for word in content(one)) for one in names if content(one))


def _is_of(quote: Any, text: str, last: str) -> bool:
    """Whether a quote is to be looked for in ``text``: it is there, or is not in the last answer either."""
    return not isinstance(quote, str) or bool(words_of(text).find(quote)) or not words_of(last).find(quote)


def _said_before(refused: Sequence[Refused], answers: Sequence[str]) -> list[str]:
    """The names of lists that an earlier answer says, their words within a few of each other."""
    lists = [one.value for one in refused if isinstance(one.value, list) and one.why.endswith("is not in the answer")]
    names = [name for each in lists for name in each if isinstance(name, str)]
    return [name for name in names if any(_together(content(name), words_of(text)) for text in answers)]


def _together(words: Sequence[str], answer: Words) -> bool:
    places = [answer.places(word) for word in words]
    return all(places) and any(all(any(abs(at - one) <= _NEAR for at in each) for each in places) for one in places[0])


def _ways(field: Field) -> Ways:
    """How a field may be answered, in the words of its schema; a question may say "... (yes), or ... (no)?"."""
    sides = _SIDES.match(field.question) or _SIDES.match(field.help)
    yes = (sides["yes"],) if sides else (field.help, field.question)
    choices = {one.value: (one.value, one.label.split(":")[0], *one.aliases) for one in field.choices}
    return Ways((*yes, *field.aliases), (sides["no"],) if sides else (), field.aliases, choices)


def _in_rows(path: Place, rows: Collection[Place]) -> bool:
    return any(path[: len(row)] == row for row in rows)


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
        if path not in states and value not in (None, "", "none", []) and not path.endswith("/quote"):
            back.append(Back(path, value, "it was not held against the answer: give its row again"))
            continue
        place, basis = states.get(path, ((), "said"))
        said = verdict.dated.get(place, "") or (_formula(bare, place) if basis == "derived" else "")
        at = aligned(path, structure, eads)
        mine = tabled.get(at) or tabled.get(path)
        if mine is not None and mine.state == "answered" and not same(mine.value, value):
            back.append(Back(at, value, f"the table says {_shown(mine.value)}"))
            continue
        found.append(Proposal(at, value, said=said, basis=basis))  # type: ignore[arg-type]  # one of its literals
    found, clashes = distinct(found)
    for first, second in clashes:
        back.append(Back(first.path, second.value, f"another row of this name says {_shown(first.value)}"))
    for path, one in waiting.items():
        found.append(Proposal(aligned(path, structure, eads), state="deferred", said=one.nearest))
    return found, back


def _formula(bare: Any, place: Place) -> str:
    node = _at(bare, place)
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
