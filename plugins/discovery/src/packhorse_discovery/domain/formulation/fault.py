"""What is wrong with a formulation: the part it stands in, and a sentence with its remedy."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from attrs import frozen

_VERBS = re.compile(
    "(is|has|holds|may|uses|lists|mixes|needs|takes|divides|multiplies|raises|compares|loops|can|cannot) "
)
"""Words with which a sentence goes on from the name of its part."""


@frozen
class Fault:
    """``where`` is a part by its name, such as "rule glue"; ``words`` go on from there."""

    where: str
    words: str

    def __str__(self) -> str:
        return f"{self.where}{'' if _VERBS.match(self.words) else ':'} {self.words}"


class ExpressionError(ValueError):
    """One expression cannot be used; the message is the sentence, without the name of its part."""


class FormulationError(ValueError):
    """A formulation cannot be used, for all of these reasons."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


def no_such(kind: str, name: object, known: Iterable[object]) -> str:
    """That nothing has this name, with the nearest name there is."""
    names = [str(each) for each in known]
    folded = {each.casefold(): each for each in names}
    near = get_close_matches(str(name).casefold(), list(folded), n=1)
    hint = f"did you mean {folded[near[0]]!r}?" if near else f"known: {', '.join(names[:8]) or 'none'}"
    return f"there is no {kind} {str(name)!r}; {hint}"
