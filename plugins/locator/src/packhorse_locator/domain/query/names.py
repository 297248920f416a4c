"""A run of name words parted into given names and surnames, by how many people have each word as either."""

from collections.abc import Sequence

from attrs import frozen

from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.parsed import Reason
from packhorse_locator.domain.query.tokens import Token

MARGIN = 3.0
"""Log-odds by which the best cut must be above the second: chosen so that no developed sentence was cut wrongly."""
TWO_AND_TWO = 1.5
"""Log-odds for two given names and two surnames among four words: the usual form of a Spanish name."""


@frozen
class Parts:
    """Where a name is cut: given names before ``cut``, surnames from it on. ``doubt`` says why the cut is not sure."""

    given: str
    family: str
    doubt: Reason | None = None


def parted(run: Sequence[Token], lexicon: Lexicon) -> Parts:
    """The best cut of two words or more; particles belong to the word after them."""
    groups = _grouped(run, lexicon)
    if len(groups) < 2:
        return Parts("", _text(run), "surname")
    odds = [_odds(group, lexicon) for group in groups]
    worth = {cut: _worth(odds, cut) for cut in range(1, len(groups))}
    best = max(worth, key=lambda cut: (worth[cut], -cut))
    second = max((worth[cut] for cut in worth if cut != best), default=None)
    parts = (
        _text([token for group in groups[:best] for token in group]),
        _text([token for group in groups[best:] for token in group]),
    )
    return Parts(*parts, _doubt(groups, odds, worth[best], second, best, lexicon))


def _doubt(
    groups: Sequence[Sequence[Token]],
    odds: Sequence[float],
    best: float,
    second: float | None,
    cut: int,
    lexicon: Lexicon,
) -> Reason | None:
    if len(groups) == 2 and odds[0] < 0 < odds[1]:
        return "order"
    if second is not None and best - second < MARGIN:
        return "surname"
    if odds[-1] >= MARGIN or any(one <= -MARGIN for one in odds[:cut]):
        return "order" if odds[0] < 0 else "surname"
    if any(len(group) > 1 and not lexicon.has("devotional", group[-1].fold) for group in groups[:cut]) and not any(
        len(group) > 1 for group in groups[cut:]
    ):
        return "surname"  # "Maria de la Luz Perez": a particle in the given name, or a surname
    family = groups[cut:]
    if len(family) == 2 and len(groups) > 2 and not _is_hispanic(family, lexicon):
        return "surname"
    return None


def _is_hispanic(family: Sequence[Sequence[Token]], lexicon: Lexicon) -> bool:
    """Whether two surnames are of the usual Spanish kind: each mostly of Hispanic people."""
    found = [lexicon.name_counts(group[-1].fold) for group in family]
    return all(one is not None and one.group == "h" for one in found)


def _grouped(run: Sequence[Token], lexicon: Lexicon) -> list[list[Token]]:
    groups: list[list[Token]] = [[]]
    for token in run:
        groups[-1].append(token)
        if not lexicon.has("particles", token.fold):
            groups.append([])
    if groups[-1]:
        if len(groups) > 1:
            groups[-2].extend(groups.pop())
    else:
        groups.pop()
    return groups


def _odds(group: Sequence[Token], lexicon: Lexicon) -> float:
    found = lexicon.name_counts(group[-1].fold)
    odds = found.odds if found is not None else 0.0
    if len(group) > 1 and lexicon.has("devotional", group[-1].fold):
        return MARGIN  # "Maria del Carmen"
    return min(odds, 0.0) if len(group) > 1 else odds


def _worth(odds: Sequence[float], cut: int) -> float:
    bonus = TWO_AND_TWO if len(odds) == 4 and cut == 2 else 0.0
    return sum(odds[:cut]) - sum(odds[cut:]) + bonus


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)
