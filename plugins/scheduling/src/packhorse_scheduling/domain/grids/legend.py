"""The legend: which colours and codes mean what, wherever outside the grid it stands."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import define, field

from packhorse_scheduling.domain.grids.codes import key_of
from packhorse_scheduling.domain.grids.sheet import At, Sheet

_PAIR = re.compile(r"^(?P<code>[^\s=:]{1,12}(?: [A-Z0-9]{1,3})?)\s*(?:=|:|\s[-\u2013\u2014]\s)\s*(?P<name>[^=]{2,60})$")
_HEADS = re.compile(
    r"^\W*(?:legend|key|codes?|colou?rs?|abbrev\w*|rotations?|names?|meaning|descriptions?|services?|fill|shade)\W*$",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"\b(?:also|alias(?:es)?|aka|a\.k\.a\.|synonyms?|other (?:names?|spellings?)|variants?)\b", re.IGNORECASE
)
LONGEST_LINE = 40
_TITLE = re.compile(r"\b(?:legend|key|codes?|colou?rs?|abbrev\w*)\b", re.IGNORECASE)


@define
class Legend:
    """Names by code and by colour, as keys (`key_of`); a colour that two lines explain stands in ``unclear``."""

    names: dict[str, str] = field(factory=dict)
    codes: dict[str, str] = field(factory=dict)
    colours: dict[str, str] = field(factory=dict)
    unclear: set[str] = field(factory=set)
    where: dict[str, str] = field(factory=dict)
    spellings: dict[str, str] = field(factory=dict)

    def add(self, code: str, name: str, colour: str, where: str) -> None:
        """One line: a code, its name where it has one, and its colour where it has one."""
        key = key_of(code)
        if not key:
            return
        self.codes.setdefault(key, code)
        self.where.setdefault(key, where)
        if name and key_of(name) != key:
            self.names.setdefault(key, name)
        if colour:
            if self.colours.get(colour, key) != key:
                self.unclear.add(colour)
            self.colours.setdefault(colour, key)

    def also(self, text: str, code: str) -> None:
        """Another spelling of a code."""
        if key_of(text):
            self.spellings.setdefault(key_of(text), key_of(code))

    def by_text(self, text: str) -> str | None:
        """The key of the code that a text names, by itself or by its long name."""
        key = key_of(text)
        if key in self.codes:
            return key
        if key in self.spellings:
            return self.spellings[key]
        found = [code for code, name in self.names.items() if key_of(name) == key]
        return found[0] if len(found) == 1 else None


def legend_of(
    sheets: Sequence[Sheet],
    taken: Mapping[str, Collection[At]],
    used_colours: Collection[str],
    used_codes: Collection[str],
) -> Legend:
    """The legend of all sheets; ``taken`` are the cells of grids, which are none of it.

    A line counts where its colour or its code is used in the grid, or where it
    stands under a title such as Legend.
    """
    found = Legend()
    for sheet in sheets:
        inside = taken.get(sheet.name, ())
        titled = [
            at
            for at in sheet.values
            if at not in inside and _TITLE.search(sheet.text(at)) and len(sheet.text(at)) <= 40
        ]
        whole = bool(_TITLE.search(sheet.name))
        lines = list(_lines(sheet, inside, used_colours))
        for at, code, name, colour in lines:
            under = whole or any(_under(title, at) for title in titled)
            if not (whole or under) and not name and colour not in used_colours:
                continue  # a code alone is a label, such as a counter's
            if not (whole or under) and name and key_of(name) in used_codes and key_of(code) in used_codes:
                continue  # two codes side by side explain nothing
            if colour in used_colours or key_of(code) in used_codes or (under and name):
                found.add(code, name, colour if colour in used_colours or under else "", sheet.name_of(at))
        for at in [one for one in sheet.values if one not in inside and _ALSO.search(sheet.text(one))]:
            for row in range(at[0] + 1, sheet.height + 1):
                codes = [text for column in range(1, at[1]) if key_of(text := sheet.text((row, column))) in found.codes]
                for text in re.split(r"[,;\n]", sheet.text((row, at[1]))) if codes else ():
                    found.also(text, codes[0])
    return found


def _under(title: At, at: At) -> bool:
    return title[0] <= at[0] <= title[0] + 60 and abs(at[1] - title[1]) <= 8


def _lines(sheet: Sheet, inside: Collection[At], used_colours: Collection[str]) -> Iterator[tuple[At, str, str, str]]:
    """Where, code, name and colour of each possible line."""
    free = sorted(at for at in {*sheet.values, *sheet.colours} if sheet.first_of(at) == at and at not in inside)
    blank = [at for at in free if sheet.colour(at) in used_colours and not sheet.text(at)]
    right = {at: _beside(sheet, at, inside, 1) for at in blank}
    left = {at: _beside(sheet, at, inside, -1) for at in blank}
    sides = right if sum(map(bool, right.values())) >= sum(map(bool, left.values())) else left
    named: set[At] = set()
    for at, beside in sides.items():
        if beside is not None:
            named.add(beside)
            further = _beside(sheet, beside, inside, 1 if sides is right else -1)
            text = sheet.text(beside)
            pair = _PAIR.match(text)
            if pair is not None:
                yield at, pair["code"], pair["name"], sheet.colour(at)
            elif further is not None and further not in blank and not sheet.colour(further) and _word(sheet, further):
                named.add(further)
                short, long = sorted((text, sheet.text(further)), key=len)
                yield at, short, long, sheet.colour(at)
            else:
                yield at, text, "", sheet.colour(at)
    for at in free:
        text = sheet.text(at)
        if (
            not text
            or at in named
            or _HEADS.match(text)
            or not _word(sheet, at)
            or (len(text) > 80 and "=" not in text)
        ):
            continue
        pairs = [pair for part in re.split("[\n;]", str(sheet.value(at))) if (pair := _PAIR.match(part.strip()))]
        if pairs:
            for pair in pairs:
                yield at, pair["code"], pair["name"], sheet.colour(at) if len(pairs) == 1 else ""
            continue
        after = _beside(sheet, at, inside, 1)
        if after is not None and after not in named and _word(sheet, after) and len(text) <= 20:
            own = sheet.colour(after)
            if not own or own == sheet.colour(at) or not sheet.colour(at):
                chip = sheet.colour(at) or own
                named.add(after)
                yield at, text, sheet.text(after), chip
                continue
        first = _beside(sheet, at, inside, -1) is None
        if len(text) <= LONGEST_LINE and (first or sheet.colour(at) in used_colours):
            yield at, text, "", sheet.colour(at)


def _beside(sheet: Sheet, at: At, inside: Collection[At], step: int) -> At | None:
    """The next cell with text in this direction, at most two columns on."""
    rect = sheet.area.get(at, (*at, *at))
    for n in (1, 2):
        other = (at[0], (rect[3] if step > 0 else rect[1]) + step * n)
        if other in inside or min(other) < 1:
            return None
        if sheet.text(other):
            return sheet.first_of(other)
    return None


def _word(sheet: Sheet, at: At) -> bool:
    return isinstance(sheet.value(at), str) and any(sign.isalpha() for sign in sheet.text(at))
