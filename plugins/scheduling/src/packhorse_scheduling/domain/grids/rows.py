"""The rows of a grid: people with their years of training, headings of sections, counters and remarks."""

import re
from collections import Counter
from collections.abc import Sequence

from attrs import define, evolve, field, frozen

from packhorse_scheduling.domain.grids import people
from packhorse_scheduling.domain.grids.asking import Asker
from packhorse_scheduling.domain.grids.heads import Column
from packhorse_scheduling.domain.grids.people import FACULTY
from packhorse_scheduling.domain.grids.sheet import Sheet

Level = int | str | None
"""A year of training, `FACULTY`, or None while it is not known."""
_LEGEND = re.compile(r"^\W*(?:legend|key|colou?r key|codes|abbreviations)\W*$", re.IGNORECASE)
MOST_LEVELS = 8
"""Different texts in a column of levels."""
FEW_TEXTS = 2
"""Texts of a row that counts in words, such as OK and LOW."""
FEW = 3
"""People up to whom a row unlike the others proves nothing."""
LEVEL_WEIGHS, ROW_WEIGHS = 700.0, 600.0
_LEVEL_HEAD = re.compile(r"\b(?:pgy|pg|level|lvl|year|yr|training|class|r)\b", re.IGNORECASE)
_NAME_HEAD = re.compile(
    r"\b(?:names?|residents?|fellows?|house ?staff|house ?officers?|trainees?|person|people|physicians?|doctors?"
    r"|learners?)\b",
    re.IGNORECASE,
)
_OTHER_HEAD = re.compile(
    r"\b(?:advis[eo]r|mentor|clinic|track|site|school|pager|phone|notes?|comments?|chief|home|team|group|status|#|no|count"
    r"|total|degree|specialty|interest|cohort|firm|panel)\b",
    re.IGNORECASE,
)
_FIRST, _LAST = re.compile(r"\b(?:first|given)\b", re.IGNORECASE), re.compile(r"\b(?:last|sur|family)", re.IGNORECASE)


@frozen
class Row:
    """One person's row."""

    at: int
    name: str
    level: Level
    email: str = ""
    key: str = ""
    second: bool = False
    """Whether it is a further row of the person above."""


@define
class Labels:
    """Which columns beside the blocks say what."""

    name: int = 0
    first_name: int = 0
    level: int = 0
    email: int = 0
    key: int = 0


@define
class Rows:
    """What the rows of a panel are."""

    people: list[Row] = field(factory=list)
    counters: list[int] = field(factory=list)
    headings: list[int] = field(factory=list)
    unclear: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)


def rows_of(
    sheet: Sheet, head_rows: Sequence[int], columns: Sequence[Column], bottom: int, start: Level, asker: Asker
) -> Rows:
    """Every row under a head up to ``bottom``, told apart; ``start`` is the level that the sheet's own name says."""
    body = list(range(head_rows[-1] + 1, bottom + 1))
    blocks = [column.at for column in columns]
    labels = labels_of(sheet, head_rows, blocks, body)
    found = Rows()
    if not labels.name:
        found.unclear.append(f"No column of names was found beside {sheet.name_of((head_rows[-1], blocks[0]))}.")
        return found
    section, section_text = start, ""
    for column in range(1, blocks[0]):
        for row in head_rows:
            text = sheet.text((row, column))
            if column == labels.name and people.is_level_word(text) and not _NAME_HEAD.match(text):
                section, section_text = _section(text, section, section_text)
    head_texts = {(at, text) for row in head_rows for at in blocks if (text := sheet.text((row, at)))}
    carried, counting = "", list[str]()
    gaps = _fills_down(sheet, labels, body, blocks)
    often = _repeated(sheet, body, labels, found)
    for row in body:
        if any(_LEGEND.match(sheet.text((row, column))) for column in range(1, blocks[0])):
            break
        kind = _kind(sheet, row, blocks, labels, head_texts)
        label = sheet.text((row, labels.name)) or _any_label(sheet, row, blocks[0])
        if kind == "heading":
            found.headings.append(row)
            section, section_text = _section(label, section, section_text)
            carried = ""
        elif kind == "counter":
            found.counters.append(row)
            counting.append(f"{row} ({label[:24]!r})" if label else str(row))
        elif kind == "person" and label not in often:
            own = sheet.text((row, labels.level)) if labels.level else ""
            carried = own or (carried if gaps else "")
            made = _person(sheet, row, labels, own or carried, section, section_text, found, asker)
            if made is not None:
                found.people.append(made)
        elif kind == "vacant":
            found.unclear.append(f"Row {row} ({label[:40]!r}) has no blocks, and is not taken for a person.")
        elif kind == "unclear":
            _further(sheet, row, label, labels, found)
    _drop_strangers(sheet, found, blocks, labels, asker)
    if counting:
        found.notes.append(f"Rows that count, and are not read: {', '.join(counting)}.")
    found.notes += _columns_left(sheet, head_rows, blocks, labels, found.people)
    return found


def _further(sheet: Sheet, row: int, label: str, labels: Labels, found: Rows) -> None:
    """A row without a name under a person's is a further one of theirs; any other is listed."""
    above = found.people[-1] if found.people else None
    if above is not None and not above.second and above.at == row - 1 and not sheet.text((row, labels.name)):
        found.people.append(evolve(above, at=row, second=True))
    else:
        found.unclear.append(f"Row {row} ({label[:40] or 'without a label'!r}) could not be understood.")


def _repeated(sheet: Sheet, body: Sequence[int], labels: Labels, found: Rows) -> set[str]:
    """Labels that stand before several rows, such as one for the clinic under each person: no names."""
    counts = Counter(sheet.text((row, labels.name)) for row in body if sheet.first_of((row, labels.name))[0] == row)
    often = {label for label, count in counts.items() if label and count >= FEW and not labels.first_name}
    found.notes += [f"{label!r} labels {counts[label]} rows, and is no person." for label in sorted(often)]
    return often


def _fills_down(sheet: Sheet, labels: Labels, body: Sequence[int], blocks: Sequence[int]) -> bool:
    """Whether the column of levels is written once for those below: most of its cells are empty."""
    if not labels.level:
        return False
    filled = [row for row in body if sheet.text((row, labels.name)) and any(sheet.text((row, at)) for at in blocks)]
    return sum(not sheet.text((row, labels.level)) for row in filled) > len(filled) * 0.4


def _columns_left(
    sheet: Sheet, head_rows: Sequence[int], blocks: Sequence[int], labels: Labels, found: Sequence[Row]
) -> list[str]:
    """Columns in or after the grid that have texts in people's rows, and are none of its blocks."""
    told = []
    for column in range(blocks[0], sheet.width + 1):
        texts = [sheet.value((row.at, column)) for row in found]
        head = " ".join(filter(None, (sheet.text((row, column)) for row in head_rows)))
        if head and column not in (*blocks, labels.level) and sum(isinstance(text, str) for text in texts) >= 2:
            told.append(
                f"The column of {sheet.name_of((head_rows[-1], column))} ({head[:40]!r}) is no block, and not read."
            )
    return told


def _drop_strangers(sheet: Sheet, found: Rows, blocks: Sequence[int], labels: Labels, asker: Asker) -> None:
    """Lines of a legend are no people: a label of theirs is a code. Rows with hardly a block are asked about."""
    texts = {row.at: {text.casefold() for at in blocks if (text := sheet.text((row.at, at)))} for row in found.people}
    often = Counter(text for row in texts.values() for text in row)
    few: list[Row] = []
    for row in list(found.people):
        own = {sheet.text((row.at, at)).casefold() for at in (labels.name, labels.first_name) if at}
        filled = sum(bool(sheet.text((row.at, at)) or sheet.colour((row.at, at))) for at in blocks)
        if own & set(often):
            found.people.remove(row)
        elif filled * 6 < len(blocks) and len(found.people) > FEW:
            few.append(row)
    if (
        few
        and asker.ask(
            "rows",
            f"{'These rows have' if len(few) > 1 else 'This row has'} hardly a block: "
            + ", ".join(f"{sheet.name_of((row.at, labels.name))} ({row.name[:24]})" for row in few[:8])
            + ". Are they people?",
            ("yes", "no"),
            weight=ROW_WEIGHS,
        )
        != "yes"
    ):
        found.people = [row for row in found.people if row not in few]
    last = max((row.at for row in found.people), default=0)
    found.headings = [row for row in found.headings if row < last]


def _any_label(sheet: Sheet, row: int, first: int) -> str:
    return next((text for column in range(1, first) if (text := sheet.text((row, column)))), "")


def labels_of(sheet: Sheet, head_rows: Sequence[int], blocks: Sequence[int], body: Sequence[int]) -> Labels:
    """The columns of names, levels, addresses and keys, by their heads and by what stands in them."""
    found = Labels()
    left = list(range(1, blocks[0]))
    filled = [row for row in body if any(sheet.text((row, at)) or sheet.colour((row, at)) for at in blocks)]
    heads = {
        column: " ".join(sheet.text((row, column)) for row in head_rows) for column in (*left, *_right(sheet, blocks))
    }
    best = 0.0
    for column in left:
        texts = [sheet.text((row, column)) for row in filled if sheet.first_of((row, column)) == (row, column)]
        names = {text.casefold() for text in texts if _namelike(text)}
        if sum(map(people.is_mail, texts)) > len(texts) / 2:
            found.email = column
            continue
        score = (
            len(names)
            + (5.0 if _NAME_HEAD.search(heads[column]) else 0)
            - (1000.0 if _OTHER_HEAD.search(heads[column]) and not _NAME_HEAD.search(heads[column]) else 0)
        )
        if score > best and names:
            best, found.name = score, column
    firsts = [column for column in left if _FIRST.search(heads[column]) and not _LAST.search(heads[column])]
    lasts = [column for column in left if _LAST.search(heads[column]) and not _FIRST.search(heads[column])]
    if firsts and lasts and firsts[0] != lasts[0]:
        found.name, found.first_name = lasts[0], firsts[0]
    for column, head in heads.items():
        if column in (found.name, found.first_name, found.email) or not column:
            continue
        texts = [text for row in filled if (text := sheet.text((row, column)))]
        surely = sum(people.level_of(text) is not None or people.is_faculty(text) for text in texts)
        bare = sum(people.level_of(text, bare=True) is not None for text in texts)
        own = sum(people.coded_level(text) is not None or people.is_level_word(text) for text in texts)
        headed = bool(_LEVEL_HEAD.search(head)) and not re.search(r"clinic|track", head, re.IGNORECASE)
        if texts and (
            surely > len(texts) / 2
            or (headed and bare + surely >= len(texts) / 2)
            or (own > len(texts) / 2 and len(set(texts)) <= MOST_LEVELS and (headed or len(set(texts)) > 1))
        ):
            found.level = found.level or column
        elif re.search(r"\b(?:id|key|employee|badge|npi)\b", head, re.IGNORECASE) and len(set(texts)) == len(texts):
            found.key = found.key or column
    return found


def _right(sheet: Sheet, blocks: Sequence[int]) -> range:
    return range(blocks[-1] + 1, min(sheet.width, blocks[-1] + 6) + 1)


def _namelike(text: str) -> bool:
    made = people.named(text)
    return (
        made is not None
        and not people.is_note(text)
        and (not people.is_level_word(made.name) or made.level is not None)
    )


def _kind(sheet: Sheet, row: int, blocks: Sequence[int], labels: Labels, head_texts: set[tuple[int, str]]) -> str:
    """Whether a row is a person's, a heading, a counter, a repeated head, empty, or none that can be told."""
    label = sheet.text((row, labels.name)) or _any_label(sheet, row, blocks[0])
    wide = [
        rect for at in (1, labels.name, blocks[0]) if (rect := sheet.area.get((row, at))) and rect[0] == rect[2] == row
    ]
    if any(rect[1] < blocks[0] and rect[3] >= blocks[len(blocks) // 2] for rect in wide):
        return "heading"
    own = [at for at in blocks if sheet.first_of((row, at))[0] == row or sheet.text((row, at))]
    texts = [sheet.text((row, at)) for at in own if sheet.text((row, at))]
    if texts and sum((at, sheet.text((row, at))) in head_texts for at in own) > len(texts) * 0.6:
        return "heading" if label and people.is_level_word(label) else "repeated"
    words = [at for at in own if isinstance(sheet.value((row, at)), str) and not _number_text(sheet.text((row, at)))]
    counted = [at for at in own if (row, at) in sheet.counted or (sheet.text((row, at)) and at not in words)]
    colours = {sheet.colour((row, at)) for at in own} - {""}
    if counted and len(counted) >= max(1, len(words)):
        return "counter"
    name = sheet.text((row, labels.name))
    if words:
        if people.is_counter(label) and len({sheet.text((row, at)) for at in words}) <= FEW_TEXTS:
            return "counter"
        return "person" if _namelike(name) else "unclear"
    banded = len(colours) == 1 and sheet.colour((row, labels.name)) in colours
    if colours and not banded and _namelike(name):
        return "person"
    if not label:
        return "empty"
    if people.is_level_word(label) or banded:
        return "heading"
    if people.is_counter(label) or people.is_note(label):
        return "note"
    beside = any(sheet.text((row, at)) for at in (labels.level, labels.email, labels.key) if at)
    if _namelike(name) and ("," in name or beside):
        return "vacant"
    return "heading" if len(label) <= 40 else "note"


def _number_text(text: str) -> bool:
    return re.fullmatch(r"[-+]?\d+(?:[.,]\d+)?\s*(?:/\s*\d+)?%?", text) is not None


def _section(label: str, level: Level, text: str) -> tuple[Level, str]:
    """The level that a heading begins, and the heading for a question where it names none for certain."""
    if people.is_faculty(label):
        return FACULTY, label
    named = people.level_of(label)
    if named is not None:
        return named, label
    if people.is_level_word(label):
        return None, label
    # A heading without a level, such as Categorical, stands inside the section above or begins another: it is asked.
    return None, f"{text} / {label}" if level is not None else label


def _person(
    sheet: Sheet,
    row: int,
    labels: Labels,
    level_text: str,
    section: Level,
    section_text: str,
    found: Rows,
    asker: Asker,
) -> Row | None:
    text = sheet.text((row, labels.name))
    if labels.first_name:
        text = f"{sheet.text((row, labels.first_name))} {text}".strip()
    made = people.named(text)
    if made is None:
        found.unclear.append(f"Row {row} ({text[:40]!r}) has blocks, and no name that could be read.")
        return None
    where = sheet.name_of((row, labels.name))
    second = sheet.first_of((row, labels.name))[0] != row
    if people.is_vacant(text):
        given = asker.ask(
            f"row.{where}", f"Is {text!r} in {where} a person of the roster?", ("yes", "no"), weight=ROW_WEIGHS
        )
        if given != "yes":
            return None
    if sheet.first_of((row, labels.name)) in sheet.struck:
        found.notes.append(f"{made.name} ({where}) is struck through, and read all the same.")
    if made.marks:
        found.notes.append(f"The mark {made.marks} at {where} ({made.name}) is not understood.")
    level = _level(made, level_text, section, section_text, where, asker)
    if level == "ignore":
        return None
    mail = sheet.text((row, labels.email)) if labels.email else ""
    key = sheet.text((row, labels.key)) if labels.key else ""
    return Row(row, made.name, level, mail if people.is_mail(mail) else "", key, second)


def _level(made: people.Named, text: str, section: Level, section_text: str, where: str, asker: Asker) -> Level:
    """A person's level: by the column, by the name, or by the heading above; asked where they differ or none says."""
    column: Level = FACULTY if people.is_faculty(text) else people.level_of(text, bare=True)
    says = {one for one in (column, made.level, section) if one is not None}
    if len(says) == 1:
        return says.pop()
    if len(says) > 1:
        told = " and ".join(str(one) for one in sorted(says, key=str))
        return _answered(
            asker.ask(
                f"level.{made.name}", f"{made.name} ({where}) is {told} at once: which?", weight=LEVEL_WEIGHS - 50
            )
        )
    coded = people.coded_level(text)
    if coded is not None:
        letters, number = coded
        words = f"Which year of training is {letters}1? The others follow, as {made.name}'s {text!r} ({where})."
        given = _asked(asker, f"{letters}1", words, ("2",) if letters == "CA" else ("1",))
        return given + number - 1 if isinstance(given, int) else given
    listed = asker.known.get(people.tokens_of(made.name))
    if not text and listed is not None:
        return listed
    if text:
        return _asked(asker, text, f"Which year of training is {text!r} (such as {made.name}, {where})?")
    if section_text:
        words = f"Which year of training are the people under {section_text!r} (from {where})?"
        return _asked(asker, section_text, words)
    if f"level.{made.name}" in asker.answers:
        return _asked(asker, made.name, "")
    words = f"The file names no year of training for {made.name} ({where}) and perhaps others. Which have all of these?"
    return _answered(asker.ask("level", f"{words} (one person's: level.NAME)", _LEVELS, weight=LEVEL_WEIGHS))


_LEVELS = ("1", "2", "3", "4", FACULTY, "ignore")


def _asked(asker: Asker, key: str, words: str, choices: Sequence[str] = _LEVELS) -> Level:
    return _answered(asker.ask(f"level.{key}", words, choices, weight=LEVEL_WEIGHS))


def _answered(given: str | None) -> Level:
    if given is None or given in (FACULTY, "ignore"):
        return given
    level = people.level_of(given, bare=True)
    if level is None:
        raise ValueError(f"a level is a number from 1 to 7, {FACULTY} or ignore, not {given[:40]!r}")
    return level


def listed_levels(sheet: Sheet) -> dict[frozenset[str], int]:
    """Years of training that a list of people names: one name and one level in a row."""
    bare = {
        column
        for row, column in sheet.values
        if row <= MOST_LEVELS
        and re.fullmatch(r"(?:pgy|level|pgy level|year)", sheet.text((row, column)), re.IGNORECASE)
    }
    found: dict[frozenset[str], int] = {}
    for row in range(1, sheet.height + 1):
        names, levels = set(), set()
        for column in range(1, sheet.width + 1):
            text = sheet.text((row, column))
            level = people.level_of(text, bare=column in bare) if text else None
            if level is not None:
                levels.add(level)
            elif text and _namelike(text) and len(people.tokens_of(text)) > 1 and (made := people.named(text)):
                names.add(people.tokens_of(made.name))
        if len(names) == len(levels) == 1:
            found[names.pop()] = levels.pop()
    return found
