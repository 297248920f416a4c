"""What is said beside a place and is no name: where who speaks comes from, and words that are not known."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_well_known
from packhorse_locator.domain.query.runs import Run, is_common
from packhorse_locator.domain.query.tokens import Token

_COMING = lexicon.words(
    "soy somos vengo venimos vivo vivimos viajo viajamos salgo salimos coming come driving drive travel live"
)


def homes_in(tokens: Sequence[Token]) -> set[int]:
    """The places of words that say where who speaks comes from: "im coming from fresno", "soy de Baltimore"."""
    found: set[int] = set()
    for number in range(2, len(tokens)):
        before, earlier = tokens[number - 1].fold, tokens[number - 2].fold
        coming = before in ("from", "desde", "de", "in", "en") and earlier in _COMING | {
            "traveling",
            "living",
            "am",
            "im",
        }
        if coming and tokens[number].is_word and not tokens[number].is_number:
            found.add(number)
            after = tokens[number + 1] if number + 1 < len(tokens) else None
            if after is not None and after.is_word and not is_common(after.fold):
                found.add(number + 1)
    return found


def is_plain_word(tokens: Sequence[Token], run: Run) -> bool:
    """Whether a single unknown word in lower case stands where no name does: not called for, nor said to be held."""
    if run.size > 1 or len(run.tokens) > 1 or run.known or not run.tokens[0].text.islower():
        return False
    number, word = run.start, run.tokens[0].fold
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].fold if number + 1 < len(tokens) else ""
    if before in _STATES_OF_BEING:
        return True
    called_for = run.introduced or before in _CALLING or after in _SAID_OF_ONE
    return not called_for and not is_well_known(word)


_CALLING = lexicon.TITLES | lexicon.words("is es for about on sobre con of de del al if si with")
"""Before an unknown word: it may be somebody."""
_STATES_OF_BEING = lexicon.words(
    "esta estaba estan estoy ando anda andamos muy bien mal tan very so really too getting feeling"
)
"""Words before what somebody is, and not who."""
_SAID_OF_ONE = lexicon.CUSTODY | lexicon.HELD | lexicon.AT | lexicon.words("is was has got esta fue estaba sigue still")
