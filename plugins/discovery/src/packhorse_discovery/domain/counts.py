"""Things with their counts, and what several tellings of one thing come to."""

from collections.abc import Sequence
from itertools import takewhile

from attrs import define

from packhorse_discovery.domain import counted
from packhorse_discovery.domain.binding import row_for, stems
from packhorse_discovery.domain.counted import Token
from packhorse_discovery.domain.eads import slug

_MORE = frozenset({"spare", "extra", "additional"})


@define
class Count:
    """A thing that was told, and how many there are: None where that was not said, or not surely.

    ``bare`` is a single thing named alone in a list, ``closes`` one that ends
    it ("... and the filling line"), ``apart`` one that is set apart from the
    others ("all but the filling line"), ``shares`` one that "one each of" is
    said of, ``together`` one of several with one number after them, ``final``
    one whose number is a conclusion ("so three"). ``sure`` is False where a
    number was said, but not which.
    """

    thing: Token
    many: int | None
    bare: bool = False
    closes: bool = False
    apart: bool = False
    shares: bool = False
    together: bool = False
    final: bool = False
    sure: bool = True

    @property
    def key(self) -> str:
        """What tells it from other things."""
        return slug(self.thing.name) if self.thing.name else stems(self.thing.text)

    def count(self, many: int | None, *, together: bool = False) -> None:
        """Give it its number."""
        self.many, self.sure, self.shares, self.together = many, many is not None, False, together


def in_turns(tokens: Sequence[Token]) -> list[Count]:
    """The things of a sentence of things and numbers in turns: "saw 1 planer 1 sander 2"; none of any other."""
    things, numbers = tokens[::2], tokens[1::2]
    kinds = {one.kind for one in things}, {one.kind for one in numbers}
    if len(tokens) < 4 or len(things) != len(numbers) or kinds != ({"thing"}, {"number"}):
        return []
    return [Count(one, number.value) for one, number in zip(things, numbers, strict=True)]


def count_bare(told: Sequence[Count]) -> None:
    """Count one of each single thing that stands alone in a list in which others are counted."""
    if any(one.many is not None for one in told):
        for one in told:
            if one.many is None and one.bare and not one.apart and (one.thing.name or one.closes):
                one.many = 1


def without_kinds(told: Sequence[Count]) -> list[Count]:
    """The things without what only tells known ones apart: "two kilns, one electric and one gas"."""
    kept: list[Count] = []
    rest = list(told)
    while rest:
        one = rest.pop(0)
        kept.append(one)
        kinds = list(takewhile(lambda other: not other.thing.name and other.many is not None, rest))
        sums = [sum(other.many or 0 for other in kinds[:size]) for size in range(2, len(kinds) + 1)]
        if one.thing.name and one.many in sums:
            del rest[: sums.index(one.many) + 2]
    return kept


def once(found: list[Count], known: Sequence[str], *, corrected: bool) -> list[Count]:
    """Each thing once, by the name that it is known by.

    Of two numbers the first counts, or the last where the teller put
    something right; things that differ by what qualifies them ("two old
    presses, one new press") are added up.
    """
    names = {slug(name): name for name in known}
    exact = {one.thing.name for one in found if one.thing.name}
    kept: dict[str, Count] = {}
    qualified: dict[str, set[tuple[str, ...]]] = {}
    for one in found:
        key, words = one.key, one.thing.before
        row = None if one.thing.name else row_for(one.thing.text, names)
        if row is not None and names[row] not in exact:
            mine, its = stems(one.thing.text).split(), set(stems(names[row]).split())
            words = tuple(word for word in mine if word not in its)
            key, one.thing = row, counted.named(one.thing, names[row])
        had, said = kept.get(key), qualified.setdefault(key, set())
        if had is None:
            kept[key] = one
        elif had.many is not None and one.many is not None and _adds(words, said):
            had.many += one.many
        elif corrected or one.final or (had.many is None and had.sure):
            had.many = one.many
        said.add(words)
    return list(kept.values())


def _adds(words: tuple[str, ...], said: set[tuple[str, ...]]) -> bool:
    """Whether a thing that is qualified by ``words`` is another than those said before: "one new press"."""
    return bool(words) and words not in said and (() not in said or bool(_MORE & set(words)))


def may_be_several(label: str, known: Sequence[str]) -> bool:
    """Whether a name may mean more than one of the known things."""
    mine = set(stems(label).split())
    return sum(mine < set(stems(name).split()) for name in known) > 1
