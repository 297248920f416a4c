"""What the texts of blocks mean: codes of the legend, leave, halves, other spellings, slips and remarks."""

from collections.abc import Callable
from functools import cache

from packhorse_scheduling.domain.grids import codes
from packhorse_scheduling.domain.grids.codes import Meaning, key_of
from packhorse_scheduling.domain.grids.spots import Reading

Meanings = Callable[[str], tuple[str, ...] | str]
"""Of a text's key: keys of codes; "" where the text is empty; else why it is not understood."""
FEWEST_LISTED = 4
"""Codes of a legend from which on a text that it does not have is asked about."""


def meanings_of(reading: Reading) -> Meanings:
    """What a text means by its key, asked only of texts that matter."""
    legend = reading.legend
    sure = {key for key in reading.counts if legend.by_text(key) or codes.leave_of(key)}
    common = {
        key
        for key, count in reading.counts.items()
        if count >= 2 and codes.could_be_code(reading.spellings[key][0], count) and len(codes.halves_of(key)) == 1
    }
    listed = sum(reading.counts[key] for key in sure)
    if len(sure) >= FEWEST_LISTED and listed * 2 >= sum(reading.counts.values()):
        names = {code: legend.names.get(code, code) for code in legend.codes}
        others = [
            key
            for key in reading.counts
            if key not in sure and f"code.{reading.spellings[key][0]}" not in reading.asker.answers
        ]
        parts = {key_of(part) for key in others if len(codes.halves_of(key)) == 2 for part in codes.halves_of(key)}
        squeezed = {codes.squeezed(code) for code in legend.codes}
        for key in (*others, *sorted(parts - sure)):
            whole = len(codes.halves_of(key)) == 1 or codes.squeezed(key) in squeezed
            alias = (
                codes.alias_of(key, names)
                if whole and codes.leave_inside(key) is None and not _is_no_code(key)
                else None
            )
            if alias is not None:
                reading.aliases[key] = alias
            elif key in common and not (codes.is_empty(key) or codes.is_undecided(key) or codes.half_inside(key)):
                reading.unlisted.add(key)
    reading.unlisted |= {
        key
        for key, count in reading.counts.items()
        if count == 1 and key not in sure and key not in reading.aliases and _stands_alone(reading, key, sure | common)
    }
    return cache(lambda key: _text(reading, key, sure, common))


def _stands_alone(reading: Reading, key: str, known: set[str]) -> bool:
    """Whether a text that stands once is like none of the codes, and could be one itself."""
    text = reading.spellings[key][0]
    return not (
        _is_no_code(text)
        or len(codes.halves_of(text)) > 1
        or codes.leave_inside(text) is not None
        or codes.near(key, known) is not None
        or codes.begins_with(key, known - {key}) is not None
    )


def _is_no_code(key: str) -> bool:
    half = codes.half_inside(key) is not None
    return half or codes.is_empty(key) or codes.is_undecided(key) or not codes.could_be_code(key)


def alias_for(reading: Reading, key: str) -> str | None:
    """The legend's code that a text is taken for, once that was answered; all are asked about at once."""
    shown = ", ".join(
        f"{codes.commonest(reading.spellings[one]) if one in reading.spellings else one} = {reading.legend.codes[code]}"
        for one, code in sorted(reading.aliases.items())
    )
    given = reading.asker.ask(
        "aliases",
        f"The legend does not have these. Are they: {shown}? (with no, each is asked: code.TEXT)",
        ("yes", "no"),
        weight=reading.weight(sum(reading.counts[one] for one in reading.aliases)) + 25,
    )
    return reading.aliases[key] if given == "yes" else None


def _unlisted(reading: Reading) -> str | None:
    shown = ", ".join(
        f"{codes.commonest(reading.spellings[one])} ({reading.counts[one]})" for one in sorted(reading.unlisted)
    )
    return reading.asker.ask(
        "unlisted",
        f"These stand in no legend, or only once: {shown}. Are they codes of their own? (with no, each is asked:"
        " code.TEXT)",
        ("yes", "no"),
        weight=reading.weight(sum(reading.counts[one] for one in reading.unlisted)) + 25,
    )


def _text(reading: Reading, key: str, sure: set[str], common: set[str]) -> tuple[str, ...] | str:
    legend, text = reading.legend, reading.spellings[key][0]
    by_legend = legend.by_text(text)
    if by_legend is not None:
        return (by_legend,)
    if f"code.{text[:40]}" in reading.asker.answers:
        return _asked(reading, text, None, "")
    if codes.is_empty(text):
        return ""
    if codes.is_undecided(text):
        return f"{text!r} is not decided"
    if codes.leave_of(text):
        return (leave_key(reading, key),)
    if key in reading.aliases:
        alias = alias_for(reading, key)
        if alias is not None:
            return (alias,)
        if reading.asker.answers.get("aliases") != "no":
            return f"{text!r} stands in no legend"
    parts = [_part(reading, part) for part in codes.halves_of(text)]
    if len(parts) == 2 and all(part in sure | common or part in legend.codes or codes.leave_of(part) for part in parts):
        return _split(reading, text, tuple(parts))
    if key in reading.unlisted:
        given = _unlisted(reading)
        if given != "no":
            return (key,) if given == "yes" else f"{text!r} stands in no legend"
        return _asked(reading, text, None, f"{text!r} stands in no legend")
    return _by_likeness(reading, key, sure, common)


def _part(reading: Reading, part: str) -> str:
    """The key of one of two parts of a block."""
    key = reading.legend.by_text(part) or key_of(part)
    if codes.leave_of(part):
        return leave_key(reading, key)
    return reading.aliases[key] if key in reading.aliases and reading.asker.answers.get("aliases") == "yes" else key


def leave_key(reading: Reading, key: str) -> str:
    """The legend's own code of the same kind of leave, where it has one: V is VAC, both being vacation."""
    kind = codes.leave_of(key)
    own = [
        one for one in reading.legend.codes
        if kind in (codes.leave_of(one), codes.leave_of(reading.legend.names.get(one, "")))
    ]  # fmt: skip
    if len(own) == 1:
        return own[0]
    alike = [one for one in reading.counts if codes.leave_of(one) == kind]
    return max(alike, key=lambda one: reading.counts[one]) if alike and not own else key


def _by_likeness(reading: Reading, key: str, sure: set[str], common: set[str]) -> tuple[str, ...] | str:
    """A text that no legend has: a code of its own, unless it looks like a slip, a remark or several things."""
    text, count = reading.spellings[key][0], reading.counts[key]
    known = sure | common
    if not codes.could_be_code(text, count):
        return _asked(reading, text, None, f"{text[:40]!r} is no code")
    slip = codes.near(key, [other for other in known if reading.counts[other] >= 5 * count or other in sure])
    if slip is not None and key not in sure and count <= 2:
        return _asked(reading, text, slip, f"{text!r} may be a slip of {_shown(reading, slip)!r}")
    longer = codes.begins_with(key, known - {key})
    if longer is not None and (count <= 2 or "(" in text):
        return _asked(reading, text, longer, f"{text!r} is {_shown(reading, longer)!r} and something more")
    parts = codes.halves_of(text)
    if len(parts) > 1 and (count < 3 or any(key_of(part) in known for part in parts)):
        return _asked(reading, text, None, f"{text!r} names several things")
    return (key,)


def _shown(reading: Reading, key: str) -> str:
    """A code as it is written."""
    return reading.legend.codes.get(key) or codes.commonest(reading.spellings[key])


def _asked(reading: Reading, text: str, proposed: str | None, why: str) -> tuple[str, ...] | str:
    count = reading.counts[key_of(text)]
    names = [_shown(reading, proposed)] if proposed else []
    halves = codes.halves_of(text)
    if len(halves) == 2:
        names.append("halves")
    given = reading.asker.ask(
        f"code.{text[:40]}",
        f"What does {text[:40]!r} mean ({count} {'cell' if count == 1 else 'cells'})?",
        (*names, text[:40], "leave", "empty"),
        weight=reading.weight(count),
    )
    if given is None:
        return why
    if given == "empty":
        return ""
    named = halves if given == "halves" and len(halves) == 2 else [text] if given == text else given.split("/")
    parts = [declared(reading, part) for part in named]
    return tuple(parts)


def _split(reading: Reading, text: str, parts: tuple[str, ...]) -> tuple[str, ...] | str:
    """A block of two known codes: two halves in this order, or one code of its own; asked once for all of them."""
    alike = [key for key in reading.counts if len(codes.halves_of(key)) == 2]
    count = sum(reading.counts[key] for key in alike)
    given = reading.asker.ask(
        "split",
        f"{count} {'block names' if count == 1 else 'blocks name'} two things, such as {text!r}: is it the first half"
        " and the second, or one rotation of its own?",
        ("halves", "one"),
        weight=reading.weight(count) + 30,
    )
    if given == "halves":
        return parts
    if given == "one":
        return (key_of(text),)
    return f"{text!r} names two things"


def declared(reading: Reading, code: str) -> str:
    """The key of a code that an answer names."""
    key = reading.legend.by_text(code) or key_of(code)
    reading.spellings[key].append(code)
    return key


def meaning_of(reading: Reading, key: str) -> Meaning:
    """What a code is, as the legend or the commonest spelling calls it."""
    known = reading.found.meanings.get(key)
    if known is None:
        spelled = reading.spellings.get(key)
        code = reading.legend.codes.get(key) or (codes.commonest(spelled) if spelled else key)
        code = "".join(sign for sign in code if sign not in "*†‡^°§").strip()
        name = reading.legend.names.get(key, code)
        leave = codes.leave_of(code) or codes.leave_of(name) or ("vacation" if key == "leave" else None)
        known = reading.found.meanings[key] = Meaning(code, name, leave)
    return known
