"""Everybody held in a state: "vermont, who is detained there", "detenidos en Texas"."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.intents import Cues
from packhorse_locator.domain.query.parsed import Entity, Gazetteer, Parsed, Reading
from packhorse_locator.domain.query.places import state_of, towns_of
from packhorse_locator.domain.query.runs import left_over, runs_in
from packhorse_locator.domain.query.tokens import Token, fold

CONFIDENCE = 0.9
_MANY = lexicon.words(
    """who whos who's whom people persons everyone everybody anyone anybody folks guys families list roster
    rosters names all which quien quienes personas gente todos todas lista listado familias alguien
    nombres"""
)
_HELD_ONES = lexicon.words(
    "detainees inmates prisoners detenidos detenidas presos presas reclusos internos encarcelados"
)
_OF_OTHERS = lexicon.words(
    """rights derechos lawyer lawyers attorney attorneys abogado abogada abogados news noticias bond fianza help ayuda
    someone somebody law laws ley leyes why job jobs how como bail court judge visit visits visitar donate volunteer i
    he she woman women man men mujer mujeres hombre hombres child children kids nino nina ninos ninas fue estuvo
    estuve he's she's"""
)
_BEFORE = lexicon.AT | lexicon.words("across throughout around")
_OF_STATE = frozenset({"state", "estado"})


def held_in_state(tokens: Sequence[Token], asks: Cues, gazetteer: Gazetteer) -> Parsed | None:
    """The state, where who is held in it is asked and neither a town nor a name is said; None otherwise."""
    folded = {token.fold for token in tokens}
    held = not folded.isdisjoint(lexicon.CUSTODY | lexicon.HELD)
    many = not folded.isdisjoint(_HELD_ONES) or (held and not folded.isdisjoint(_MANY))
    if not many or asks.seeks_somebody or asks.tells or not folded.isdisjoint(_OF_OTHERS):
        return None
    found = [span for span in _states(tokens) if _stands_alone(tokens, *span)]
    if len(found) != 1:
        return None
    start, end = found[0]
    name = " ".join(token.fold for token in tokens[start:end])
    state = state_of(name)
    if state is None or _is_town(name, gazetteer):
        return None
    if left_over(runs_in(tokens, range(start, end), gazetteer.words([token.fold for token in tokens])), None):
        return None
    entity = Entity("place", state, CONFIDENCE, tokens[start].start, tokens[end - 1].end)
    return Parsed(Reading("facility", {"state": state}, CONFIDENCE), towns_of(state, gazetteer), (entity,))


def _is_town(name: str, gazetteer: Gazetteer) -> bool:
    """Whether a town with people in custody is called as the state is."""
    return any(fold(gazetteer.where[key][0]) == name for key in gazetteer.in_use if key in gazetteer.where)


def _states(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where states are named, in full or by two capital letters."""
    found: list[tuple[int, int]] = []
    for start in range(len(tokens)):
        if found and start < found[-1][1]:
            continue
        for length in (3, 2, 1):
            words = tokens[start : start + length]
            name = " ".join(word.fold for word in words)
            written = len(name) > 2 or words[0].text.isupper()
            if len(words) == length and written and state_of(name) is not None:
                found.append((start, start + length))
                break
    return found


def _stands_alone(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether no town comes before the state: "in", the beginning, or those who are held stand there."""
    before = [token.fold for token in tokens[max(0, start - 5) : start]]
    named = False
    while before and before[-1] in (":", "the", "el", "de", "del", "of", *_OF_STATE):
        if before[-1] in ("de", "del", "of") and before[-2:-1] and before[-2] not in _OF_STATE:
            return before[-2] in _HELD_ONES
        named |= before.pop() in _OF_STATE
    if named:
        return True
    if not before:
        after = tokens[end] if end < len(tokens) else None
        return start > 0 or after is None or not after.is_word or after.fold in _MANY | _HELD_ONES
    return before[-1] in _BEFORE
