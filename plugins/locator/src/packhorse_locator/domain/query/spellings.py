"""Words of the grammar as people write them on a telephone: "xfa", "d", and "yama" for "llama"."""

from functools import cache

from attrs import evolve

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import is_well_known
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary, is_spanish, sound

_SHORT = {
    short: meant
    for meant, written in {
        "que": "q k ke qe",
        "de": "d",
        "por": "x",
        "porque": "xq pq porq xk pk porke xque",
        "porfavor": "xfa xfavor porfis porfas pofavor plis",
        "para": "pa pra",
        "esta": "ta sta",
        "estan": "tan stan",
        "estoy": "toy stoy",
        "estamos": "tamos",
        "con": "cn",
        "donde": "dnd dond onde",
        "cuando": "cuand cdo",
        "tambien": "tb tmb tbn tambn",
        "ahi": "ai ahy",
        "hola": "ola olaa holi",
        "soy": "soi",
        "hay": "ay",
        "muy": "mui",
        "hoy": "oi oy",
        "favor": "fabor",
        "gracias": "grax grasias graciass",
        "they": "thay",
        "where": "wher whare",
        "please": "plz pls plez pleas",
        "know": "kno",
        "because": "cuz coz bc becuz",
        "with": "wit wid",
        "thanks": "thx tnx tysm thnx",
        "about": "abt",
        "brother": "bro",
        "people": "ppl",
    }.items()
    for short in written.split()
}
_NAMES_TOO = frozenset({"ola", "sta", "ta", "tan", "pa", "ai", "ay", "oi", "oy", "k", "d", "x", "bro"})
"""Of these, what is a name or an initial as well: taken for the word only where no word of a name stands before it."""


@cache
def _by_sound() -> dict[str, str]:
    """Spanish words of the grammar by how they are heard."""
    words = lexicon.STOPS | lexicon.SEEK | lexicon.RELATIVES | lexicon.CUSTODY | lexicon.OWNERS | lexicon.BIRTH
    words |= lexicon.FIRST_LABELS | lexicon.LAST_LABELS | lexicon.LISTS | lexicon.TELLS
    return {sound(word): word for word in sorted(words) if len(word) > 2 and is_spanish(word)}


def meant(token: Token, before: Token | None) -> Token:
    """``token`` as the word of the grammar that it stands for, or as it is."""
    word = token.fold
    if not token.is_word or not (token.text.islower() or before is None) or token.text.endswith("."):
        return token
    if word in _SHORT:
        beside_name = before is not None and is_well_known(before.fold) and not is_ordinary(before.fold)
        return token if word in _NAMES_TOO and beside_name else evolve(token, fold=_SHORT[word])
    if len(word) < _SHORTEST or is_ordinary(word) or is_well_known(word):
        return token
    heard = _by_sound().get(sound(word))
    return evolve(token, fold=heard) if heard is not None else token


_SHORTEST = 3
"""Letters of a word that is known by its sound."""
