"""What an answer gave: what of it is recorded, what comes back, and the words for a change."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_discovery.domain.interview.joint import beside, joined, of, tops
from packhorse_discovery.domain.interview.merging import Proposal, aligned, denied
from packhorse_discovery.domain.interview.structure import Patch, State, Structure, rendered
from packhorse_discovery.domain.interview.tidying import Misfit
from packhorse_discovery.domain.schema.eads import Eads, path_from, written
from packhorse_discovery.store.rows import Asked, Pursuit

if TYPE_CHECKING:
    from packhorse_discovery.domain.reading.record import Back, Record
    from packhorse_discovery.domain.reading.words import Words

FEW_UNUSED, MOST_UNUSED = 3, 10
"""Numbers of an answer that are always named when nothing used them, and as many as are named at all."""
ASKS, SPARE = ": ask", ": leave it out, nobody needs it"
MANY_DIGITS = 3
_NUMBERED_END = re.compile(r"(?<=[.?!;]) \(?\d{1,2}[.)]$")
TRIES = 2
"""How often a value is refused before a table is asked for."""
LONG = 60
"""A reason of this many characters or more is given once."""
HAS_ROWS = "there are rows in it: correct_answer with null takes one or all of them out"
NOT_UNKNOWN = "the words do not say so: ask"


@frozen
class Fit:
    """A refinement in its form: what had no place in it, and the other schemas it fills, each with its names there."""

    refinement: Mapping[str, Any]
    misfits: tuple[Misfit, ...] = ()
    others: tuple[tuple[Eads, frozenset[str]], ...] = ()
    states: Mapping[str, State] = {}


@frozen
class InOther:
    """What an answer gave to another schema than the one it was asked for."""

    patches: Sequence[Patch] = ()
    update: Mapping[str, Any] = {}


def not_emptied(
    record: "Record", pursuit: Pursuit, fit: "Fit | None", others: Sequence[tuple[Structure, frozenset[str]]], mode: str
) -> "Record":
    """``record`` without what says that a list with rows has none: that is only said to replace it."""
    from packhorse_discovery.domain.reading.record import Back

    eads = joined(pursuit.eads, fit.others) if fit else pursuit.eads
    own = {one.path for one in of(record.proposals, tops(pursuit.eads))} if mode == "replace" else set()
    found = [one for one in denied(record.proposals, beside(pursuit.structure, others), eads) if one.path not in own]
    back = tuple(Back(one.path, [], HAS_ROWS) for one in found)
    kept = tuple(one for one in record.proposals if one not in found)
    return evolve(record, proposals=kept, refused=(*record.refused, *back))


def not_needed(record: "Record", eads: Eads) -> "Record":
    """``record`` in which nobody is sent to ask for a "no" that a schema can do without: it is only not recorded."""

    def spare(one: "Back") -> bool:
        field = eads.field_at(path_from(one.path))
        asks = field is not None and field.kind == "yesno" and field.mode == "optional"
        return asks and one.value is False and one.why.endswith(ASKS)

    refused = (evolve(one, why=one.why.removesuffix(ASKS) + SPARE) if spare(one) else one for one in record.refused)
    return evolve(record, refused=tuple(refused))


def with_states(record: "Record", fit: "Fit", text: str, eads: Eads, stands: Structure) -> "Record":
    """``record`` with what a refinement calls unknown, varying or for later, where the words say so of anything."""
    from packhorse_discovery.domain.reading.record import Back
    from packhorse_discovery.domain.reading.unknowns import says

    made, back = [], []
    lost = [one.path for one in record.refused if eads.is_key(path_from(one.path))]
    for path, state in fit.states.items():
        row = path.rpartition("/")[0] + "/"
        if not says(state, text):
            back.append(Back(path, state, NOT_UNKNOWN))
        elif not any(row.startswith(one.rpartition("/")[0] + "/") for one in lost):
            made.append(Proposal(aligned(path, stands, eads), state=state, said=text))
    return evolve(record, proposals=(*record.proposals, *made), refused=(*record.refused, *back))


def not_recorded(record: "Record", asked: Asked | None, often: Sequence[str], text: str) -> dict[str, Any]:
    """What of an answer was not recorded, and what is needed instead."""
    nothing = not record.responsive
    tired = [one.path for one in record.refused if one.path and often.count(one.path) >= TRIES]
    needed = ""
    if nothing:
        needed = "Write `answer` as a table or a list. Or put values in `refinement`: each must occur in `answer`."
    if tired:
        needed = f"Ask the person for a table of {named(tired)}: it was refused {TRIES} times."
    return {
        "refused": [_refused(one, record.refused[:place]) for place, one in enumerate(record.refused)],
        "not_used": left_out(record, text),
        "unmodelled": [rule for rule, _ in record.unmodelled],
        "needed": needed,
        "table_template": asked.question.template if asked and needed else "",
    }


def left_out(record: "Record", text: str) -> list[str]:
    """The words around numbers that nothing used, those that meet in one; where no number was used, how many it were.

    An answer that has just begun to be used is no list of what is overlooked.
    """
    from packhorse_discovery.domain.reading.amounts import amounts
    from packhorse_discovery.domain.reading.words import words_of

    words = words_of(text)
    numbering = {words.around(one.first, one.last, 3) for one in amounts(words) if _numbers_a_line(words, one.first)}
    unused = [one for one in record.not_used if one not in numbering]
    text = " ".join(words.text.split())
    spans: list[tuple[int, int]] = []
    for start, end in sorted((text.find(one), text.find(one) + len(one)) for one in unused):
        if start >= 0 and spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start >= 0:
            spans.append((start, end))
    begun = any(any(each.isdigit() for each in str(one.value)) for one in record.proposals)
    if len(unused) > FEW_UNUSED and record.proposals and not begun:
        return [f"all {len(unused)} numbers of the answer"]
    found = [_NUMBERED_END.sub("", text[start:end]) for start, end in spans]
    return found[:MOST_UNUSED] + [f"and {len(found) - MOST_UNUSED} more"] * (len(found) > MOST_UNUSED)


def _numbers_a_line(words: "Words", at: int) -> bool:
    """Whether the token is the number of a line or a point, as in "2. Mr Okafor has the hip"."""
    before, marks = words.texts[at - 1] if at else "\n", words.texts[at + 1 : at + 2]
    plain = words.texts[at].isdecimal() and len(words.texts[at]) < MANY_DIGITS and marks in ((".",), (")",))
    close = plain and words.words[at].end == words.words[at + 1].start
    return close and before in {"\n", ".", "?", "!", ";", "("}


def updated(pursuit: Pursuit, patches: Sequence[Patch]) -> dict[str, Any]:
    """What changed, in the form of the schema, each row with its key."""
    made = [one for one in patches if one.op == "set" and pursuit.structure.get(one.path) is not None]
    changed = Structure()
    for patch in made:
        path = path_from(patch.path)
        template = pursuit.eads.template(path)
        for at in (place for place, part in enumerate(template) if part == "*"):
            table = pursuit.eads.field(template[:at])
            for key in ((table.key if table else None) or "name").split("+"):
                if (value := pursuit.structure.get((*path[: at + 1], key))) is not None:
                    changed = changed.apply(Patch(written((*path[: at + 1], key)), "set", value))
        changed = changed.apply(patch)
    return rendered(changed, pursuit.eads)


def _refused(one: "Back", before: Sequence["Back"]) -> dict[str, Any]:
    """A refusal in a line, without a reason that an earlier line has, and without rows that the caller wrote."""
    told = next((each.path for each in before if each.why == one.why and len(one.why) > LONG), "")
    rows_of = isinstance(one.value, list) and any(isinstance(each, Mapping) for each in one.value)
    value = None if rows_of or isinstance(one.value, Mapping) else one.value
    return {"path": one.path, "value": value, "why": f"as {told}" if told else one.why, "nearest": one.nearest}


def commit_notes(patches: Sequence[Patch], record: "Record") -> str:
    """What an answer changed, in a sentence; which words went into ``rules``, the caller knows."""
    if not record.responsive:
        return "nothing recorded: " + (
            "every value was refused" if record.refused else "the answer is no table or list"
        )
    words = f"{len(patches)} value{'s' * (len(patches) != 1)} recorded" if patches else "nothing new"
    rules = len(record.unmodelled)
    words += f"; {rules} rule{'s' * (rules > 1)} in words alone" if rules else ""
    return words + (f"; {len(record.refused)} refused" if record.refused else "")


def named(paths: list[str]) -> str:
    """The first few of some paths."""
    return ", ".join(paths[:5]) + (" ..." if len(paths) > 5 else "")
