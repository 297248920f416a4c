"""Where steps are done, told once for several or afterwards: "all three in the jigger", "we do that in the kettle"."""

import re
from collections.abc import Iterable

from attrs import evolve

from packhorse_discovery.domain.counting import count
from packhorse_discovery.domain.places import DETERMINER, NOUNS, is_no_place
from packhorse_discovery.domain.told import Told

_ALL_OF_THEM = re.compile(
    r"\b(?:all\s+(?P<many>\d|two|three|four|five|six)|both)(?:\s+of\s+(?:them|these|those))?"
    rf"\s+(?:(?:are|is|get|done|happen|go)\s+)*(?:in|on|at|by|with|using)\s+(?:{DETERMINER}(?:same\s+)?)?{NOUNS}",
    re.IGNORECASE,
)
"""``all three in the jigger``: where the steps before are done as well."""
_DONE_THERE = re.compile(
    r"^(?:and\s+)?(?:(?:we|i|they|you)\s+(?:always\s+)?do\s+(?:that|this|it|both)|"
    r"(?:that|this|it)(?:['\u2019]s|\s+is|\s+happens|\s+takes place|\s+goes on)(?:\s+all)?(?:\s+done)?)"
    rf"\s+(?:in|on|at|with|by)\s+{DETERMINER}{NOUNS}",
    re.IGNORECASE,
)
"""``We do that in the kettle.``: of the step before."""
_EVERYTHING = re.compile(
    r"^\W*(?:everything|all of (?:it|them)|it(?:['\u2019]s| is) all|they(?:['\u2019]re| are) all|"
    r"all (?:the )?(?:steps|work))"
    r"\s+(?:(?:is|are|gets?|done|made|happens?|takes? place)\s+)*(?:in|on|at|with|by)\s+"
    rf"{DETERMINER}(?:same\s+)?{NOUNS}\s*:\s*",
    re.IGNORECASE,
)
"""``everything is done at the long bench:``: where each of the steps that follow is done."""


def announced(text: str) -> tuple[str, str]:
    """The place that is told for all steps before them, empty where none is, and the rest of ``text``."""
    match = _EVERYTHING.match(text)
    return (match["what"].strip(), text[match.end() :]) if match else ("", text)


def afterwards(words: str, *, alone: bool) -> tuple[str, int]:
    """The place that ``words`` tell for the steps before, and of how many; ``alone`` where they tell nothing else."""
    if match := _ALL_OF_THEM.search(words):
        return match["what"].strip(), count(match["many"]) if match["many"] else 2
    if alone and (match := _DONE_THERE.match(words)) and not is_no_place(match["what"]):
        return match["what"].strip(), 1
    return "", 0


def placed(steps: Iterable[Told], place: str) -> list[Told]:
    """The steps, those of which no place was told at ``place``."""
    return [one if one.resources or one.free or not place else evolve(one, resources=(place,)) for one in steps]
