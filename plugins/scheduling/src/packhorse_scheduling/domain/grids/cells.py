"""What stands in the blocks of people: each cell gets a code, is empty, or is listed as not understood."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from packhorse_scheduling.domain.grids import codes
from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.codes import key_of
from packhorse_scheduling.domain.grids.dates import span_within
from packhorse_scheduling.domain.grids.legend import Legend
from packhorse_scheduling.domain.grids.spots import Cells, Reading, Spot, Stay
from packhorse_scheduling.domain.grids.texts import Meanings, alias_for, declared, leave_key, meaning_of, meanings_of

MANY_COLOURS = 3
"""Colours from which on one text over them is asked about once."""


def read_cells(
    spots: Sequence[Spot], legend: Legend, backgrounds: Mapping[Spot, frozenset[str]], asker: Asker
) -> Cells:
    """The stays of all spots. ``backgrounds`` are the colours of a spot's own label and head, which say nothing."""
    reading = Reading(spots, legend, asker, backgrounds)
    for spot in spots:
        text = spot.sheet.text(spot.at)
        if text:
            key = key_of(text)
            reading.counts[key] += 1
            reading.spellings[key].append(text)
            reading.people[key].add(spot.person)
            reading.by_colour[spot.sheet.colour(spot.at)][key] += 1
    noted = [spot.where for spot in spots if spot.at in spot.sheet.noted]
    if noted:
        reading.found.notes.append(
            f"Comments are not read: {', '.join(noted[:20])}{' and others' * (len(noted) > 20)}."
        )
    texts = meanings_of(reading)
    for spot in spots:
        _read(reading, spot, texts)
    _tell_colours(reading)
    return reading.found


def _read(reading: Reading, spot: Spot, texts: Meanings) -> None:
    sheet, found = spot.sheet, reading.found
    text, colour = sheet.text(spot.at), sheet.colour(spot.at)
    if sheet.first_of(spot.at) in sheet.struck:
        found.unclear.append((spot, f"{text!r} is struck through"))
        return
    if not text:
        _read_colour(reading, spot, colour)
        return
    if not isinstance(sheet.value(spot.at), str) and reading.legend.by_text(text) is None:
        found.unclear.append((spot, f"{text} is a number or a date"))
        return
    if _is_part(reading, spot):
        return
    if _is_remark(reading, spot):
        found.notes.append(f"{spot.where}: the colour counts, and the text {text[:40]!r} is not read.")
        _read_colour(reading, spot, colour)
        return
    meant = texts(key_of(text))
    if isinstance(meant, str):
        if meant:
            found.unclear.append((spot, meant))
        elif colour and colour in reading.legend.colours and colour not in reading.backgrounds[spot]:
            _read_colour(reading, spot, colour)
        else:
            found.empty.append(spot)
        return
    by_colour = reading.legend.colours.get(colour)
    if by_colour is not None and colour not in reading.legend.unclear and by_colour not in meant and len(meant) == 1:
        counts = _answer_of_text(reading, key_of(text)) or _answer_of_conflict(reading, colour, by_colour)
        if counts not in ("text", "colour", "both"):
            name = reading.legend.codes[by_colour]
            found.unclear.append((spot, f"{text!r} stands on the colour of {name}"))
            return
        if counts == "colour":
            meant = (by_colour,)
        if counts == "both":
            _put(reading, spot, (by_colour,))
            code = meaning_of(reading, meant[0]).code
            reading.found.stays.append(Stay(spot.person, spot.first, spot.last, code, spot, within=True))
            return
    if codes.marks_of(text):
        found.notes.append(f"{spot.where}: the mark {codes.marks_of(text)} of {text!r} is not read.")
    _put(reading, spot, meant)


def _is_part(reading: Reading, spot: Spot) -> bool:
    """Whether a text names leave inside a block or half of it; it is read then."""
    text = spot.sheet.text(spot.at)
    if reading.legend.by_text(text) is not None or f"code.{text[:40]}" in reading.asker.answers:
        return False
    leave, half = codes.leave_inside(text), codes.half_inside(text)
    if leave is not None:
        _read_inside(reading, spot, *leave)
    elif half is not None:
        _read_half(reading, spot, *half)
    return leave is not None or half is not None


def _is_remark(reading: Reading, spot: Spot) -> bool:
    """Whether a text only stands beside what the colour says: colours carry the plan, and the legend has this one."""
    text, colour, legend = spot.sheet.text(spot.at), spot.sheet.colour(spot.at), reading.legend
    if not reading.painted or colour not in legend.colours or colour in legend.unclear:
        return False
    known = legend.by_text(text) is not None or codes.leave_of(text) is not None or codes.is_empty(text)
    return not known and f"code.{text[:40]}" not in reading.asker.answers


def _read_inside(reading: Reading, spot: Spot, code: str, leave: str, days: str) -> None:
    """A rotation with leave in it: on the days that the text names, or on days that nobody has said."""
    text = spot.sheet.text(spot.at)
    meant = _plain(reading, code)
    if meant is None:
        reading.found.unclear.append((spot, f"{text!r} names leave inside something that is not understood"))
        return
    span = span_within(days, spot.first, spot.last) if days else None
    if days and span is None:
        reading.found.unclear.append((spot, f"{text!r} names days that do not lie in its block"))
        return
    _put(reading, spot, (meant,))
    kind = meaning_of(reading, leave_key(reading, key_of(leave)))
    first, last = span or (spot.first, spot.last)
    reading.found.stays.append(Stay(spot.person, first, last, kind.code, spot, within=span is None))


def _read_half(reading: Reading, spot: Spot, code: str, which: str) -> None:
    """A rotation for half a block; what the other half is, nobody says."""
    text = spot.sheet.text(spot.at)
    meant = _plain(reading, code)
    if meant is None:
        reading.found.unclear.append((spot, f"{text!r} names half a block of something that is not understood"))
        return
    given = which or reading.asker.ask(
        f"half.{text[:40]}",
        f"{text[:40]!r} names half a block: which half is it, or all of it?",
        ("first", "second", "all"),
        weight=reading.weight(reading.counts[key_of(text)]) + 20,
    )
    if given not in ("first", "second", "all"):
        reading.found.unclear.append((spot, f"{text!r} does not say which half of its block"))
        return
    if given == "all":
        _put(reading, spot, (meant,))
        return
    middle = spot.first + timedelta(days=((spot.last - spot.first).days + 1) // 2)
    first, last = (spot.first, middle - timedelta(days=1)) if given == "first" else (middle, spot.last)
    reading.found.stays.append(Stay(spot.person, first, last, meaning_of(reading, meant).code, spot))
    reading.found.unclear.append((spot, f"{text!r} leaves the other half of its block open"))


def _plain(reading: Reading, code: str) -> str | None:
    """The key of a text that is one code for certain."""
    key = reading.legend.by_text(code) or key_of(code)
    if key in reading.legend.codes or reading.counts[key] >= 2:
        return key
    if key in reading.aliases:
        return alias_for(reading, key)
    return None


def _answer_of_text(reading: Reading, key: str) -> str | None:
    """Of a text that stands on many colours of the legend: which of the two counts; None where it is on few."""
    legend = reading.legend
    under = [
        colour for colour, texts in reading.by_colour.items() if key in texts and legend.colours.get(colour, key) != key
    ]
    if len(under) < MANY_COLOURS:
        return None
    count = sum(reading.by_colour[colour][key] for colour in under)
    return (
        reading.asker.ask(
            f"text.{codes.commonest(reading.spellings[key])}",
            f"{codes.commonest(reading.spellings[key])!r} stands on {len(under)} colours ({count} blocks):"
            " does the text count there, the colour, or both (the text for some days of the block)?",
            ("text", "colour", "both"),
            weight=reading.weight(count) + 25,
        )
        or "open"
    )


def _answer_of_conflict(reading: Reading, colour: str, key: str) -> str | None:
    """Whether text or colour counts where a cell's text says one thing and its colour another."""
    texts = reading.by_colour[colour]
    if key_of(reading.legend.names.get(key, "")) in texts:
        return "text"
    name, others = reading.legend.codes[key], [code for code in texts if code != key]
    given = reading.asker.ask(
        f"colour.{colour}",
        f"The legend has the colour {colour} for {name}, and {sum(texts[one] for one in others)} cells of it say"
        f" something else ({', '.join(sorted(others)[:4])}). Which counts there?",
        ("text", "colour"),
        weight=reading.weight(sum(texts.values())) + 20,
    )
    return given if given in ("text", "colour") else None


def _read_colour(reading: Reading, spot: Spot, colour: str) -> None:
    """A block without a text: its colour says what it is, or nothing does."""
    found, legend = reading.found, reading.legend
    known = legend.colours.get(colour)
    if not colour or (known is None and colour in reading.backgrounds[spot]):
        found.empty.append(spot)
        return
    if known is not None and colour not in legend.unclear:
        _put(reading, spot, (known,))
        return
    agreed = _agreed_colours(reading)
    if colour in agreed and f"colour.{colour}" not in reading.asker.answers:
        given = _answer_of_agreed(reading, agreed)
        if given == "yes":
            _put(reading, spot, (agreed[colour],))
            return
        if given != "no":
            found.unclear.append((spot, f"the colour {colour} is in no legend"))
            return
    alone = [one for one in reading.spots if one.sheet.colour(one.at) == colour and not one.sheet.text(one.at)]
    beside = reading.by_colour.get(colour, Counter())
    proposed = [key for key, _ in beside.most_common(2)] or [
        reading.legend.codes[one] for one in _alike(legend, colour)
    ]
    given = reading.asker.ask(
        f"colour.{colour}",
        f"What is the colour {colour}, in {len(alone)} blocks without a text (first {alone[0].where})?"
        + (f" Other cells of it say {', '.join(proposed)}." if beside else ""),
        (*(one for one in proposed if codes.could_be_code(one)), "a code", "leave", "empty"),
        weight=reading.weight(len(alone)) + 20,
    )
    if given is None:
        found.unclear.append((spot, f"the colour {colour} is in no legend"))
    elif given == "empty":
        found.empty.append(spot)
    else:
        _put(reading, spot, (declared(reading, given),))


def _agreed_colours(reading: Reading) -> dict[str, str]:
    """Colours of blocks without a text of which all blocks with a text say the same, and what they say."""
    return {
        colour: next(iter(texts))
        for colour, texts in reading.by_colour.items()
        if colour in reading.bare and colour not in reading.legend.colours and len(texts) == 1 and texts.total() > 1
    }


def _answer_of_agreed(reading: Reading, agreed: Mapping[str, str]) -> str | None:
    shown = ", ".join(f"{colour} = {codes.commonest(reading.spellings[key])}" for colour, key in sorted(agreed.items()))
    return reading.asker.ask(
        "colours",
        f"Are blocks without a text what the others of their colour say: {shown}? (with no, each is asked)",
        ("yes", "no"),
        weight=reading.weight(sum(reading.bare[colour] for colour in agreed)) + 20,
    )


def _alike(legend: Legend, colour: str) -> list[str]:
    """The keys of legend colours that are hardly another."""

    def apart(other: str) -> int:
        return sum(abs(int(colour[n : n + 2], 16) - int(other[n : n + 2], 16)) for n in (0, 2, 4))

    return [key for other, key in legend.colours.items() if apart(other) <= 24][:1]


def _put(reading: Reading, spot: Spot, keys: tuple[str, ...]) -> None:
    """A stay for each part of the block, of equal length; the last part has the days left over."""
    days = (spot.last - spot.first).days + 1
    size = days // len(keys)
    for n, key in enumerate(keys):
        first = spot.first + timedelta(days=size * n)
        last = spot.last if n == len(keys) - 1 else first + timedelta(days=size - 1)
        meaning = meaning_of(reading, key)
        reading.found.stays.append(Stay(spot.person, first, last, meaning.code, spot))


def _tell_colours(reading: Reading) -> None:
    """Colours that stand under texts and in no legend are left aside, and told."""
    for colour, texts in sorted(reading.by_colour.items()):
        if colour and colour not in reading.legend.colours and len(texts) > 1:
            first = next(spot for spot in reading.spots if spot.sheet.colour(spot.at) == colour)
            reading.found.notes.append(
                f"The colour {colour} under {sum(texts.values())} texts (first {first.where}) is in no legend, and is"
                " not read."
            )
