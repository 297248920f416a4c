"""Names whose parts a sentence labels: "last name Chen first name Li", "Tran is the family name", "Chen (apellido)"."""

import itertools
from collections.abc import Callable, Collection, Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary, sounds_ordinary

_BETWEEN = lexicon.words(
    "name names is es son are completo completa full of the person persona llama called paterno materno primer segundo"
)
"""What may stand between a label and what it labels."""
_OF_PARENTS = frozenset({"paterno", "materno"})
"""Which surname, behind the word for one: "apellido paterno Lopez"."""
_POINTING = lexicon.words("the his her my their el la su mi un una")
_OF_NAMES = lexicon.words("name names surname")
_UNTOLD = (
    lexicon.words(
        """unknown unsure none desconocido desconocida unclear missing sorry perdon please thanks thank gracias only
        maybe solo nomas nada"""
    )
    | lexicon.STOPS
    | lexicon.RELATIVES
)
"""After a label, what says that its part is not known, or goes on with the sentence."""


def labelled(
    tokens: Sequence[Token], spent: Collection[int], is_name: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """What is labelled as the given name and as the surname, each None where it is not.

    A label is followed by its part, or, after "is the", preceded by it; the part ends at a mark, at a word of the
    language or at what says something else. ``is_name`` tells names among the words of the language.
    """
    found: dict[bool, str] = {}
    labels = _labels(tokens)
    behind = bool(labels) and bool(_before_bracket(tokens, labels[0][0], spent, is_name))
    before = False
    for number, is_last in labels:
        further = is_last in found and "materno" in [token.fold for token in tokens[number : number + 2]]
        if (is_last in found and not further) or _is_denied(tokens, number):
            continue
        if behind:
            part = _before_bracket(tokens, number, spent, is_name)
        else:
            part = _before(tokens, number, spent, is_name, elliptic=before)
            before = bool(part)
            part = part or _after(tokens, number, spent, is_name)
        if part:
            text = " ".join(token.text for token in part)
            found[is_last] = f"{found[is_last]} {text}" if further else text
    return found.get(False), found.get(True)


def labels_given(tokens: Sequence[Token]) -> bool:
    """Whether a given name is labelled as nothing else can be: "first name", "nombre de pila"."""
    folded = [token.fold for token in tokens]
    return not {"first", "given", "forename", "firstname", "pila"}.isdisjoint(folded) or any(
        pair in (("primer", "nombre"), ("solo", "nombre")) for pair in itertools.pairwise(folded)
    )


def _labels(tokens: Sequence[Token]) -> list[tuple[int, bool]]:
    """The places of labels, and whether each stands for a surname."""
    made = [
        (number, token.fold in lexicon.LAST_LABELS)
        for number, token in enumerate(tokens)
        if token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS
        and not _counts_time(tokens, number)
        and not (token.fold in _OF_PARENTS and number and tokens[number - 1].fold in lexicon.LAST_LABELS)
    ]
    made = [one for place, one in enumerate(made) if not _is_paired(tokens, made, place)]
    if made and all(is_last for _, is_last in made):
        made = sorted([*made, *((n, False) for n, one in enumerate(tokens) if _is_bare(tokens, n, one))])
    return made


def _is_paired(tokens: Sequence[Token], made: Sequence[tuple[int, bool]], place: int) -> bool:
    """Whether a label stands with the other kind and nothing between: "(last, first)", "nombre y apellido"."""
    for one, other in ((place - 1, place), (place, place + 1)):
        if one < 0 or other >= len(made) or made[one][1] == made[other][1]:
            continue
        between = {token.fold for token in tokens[made[one][0] + 1 : made[other][0]]}
        if between <= _PAIRING and not {",", "name"} <= between:
            return True
    return False


_PAIRING = lexicon.words(", / & and y e name names")


def _counts_time(tokens: Sequence[Token], number: int) -> bool:
    """Whether "first" or "last" says when: no name, no mark and no label comes after it."""
    if tokens[number].fold not in ("first", "last", "family"):
        return False
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    return after is not None and after.is_word and after.fold not in _OF_NAMES | _BETWEEN and is_ordinary(after.fold)


def _is_bare(tokens: Sequence[Token], number: int, token: Token) -> bool:
    """Whether a word for a name stands for the given one, beside a label for the last: "name: Ana, last name: Ruiz"."""
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].text if number + 1 < len(tokens) else ""
    if token.fold in ("llama", "llamado", "llamada"):
        return True
    return token.fold == "name" and after in (":", "=") and before not in lexicon.LAST_LABELS


def _after(tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]) -> list[Token]:
    begin = _in_next_clause(tokens, number)
    if begin is not None and begin not in spent and _is_part_here(tokens, begin, is_name):
        return _onward(tokens, begin, spent, is_name, [])
    start = _of_somebody(tokens, number + 1)
    if [token.fold for token in tokens[start : start + 2]] == ["de", "pila"]:
        start += 2
    while start < len(tokens) and (tokens[start].fold in _BETWEEN or tokens[start].text in ":=-,()"):
        start += 1
    part = [tokens[start]] if _is_told(tokens, start) and start not in spent else []
    return _onward(tokens, start, spent, is_name, part)


def _onward(
    tokens: Sequence[Token], start: int, spent: Collection[int], is_name: Callable[[str], bool], part: list[Token]
) -> list[Token]:
    """``part`` with the words from ``start`` on that go on with it."""
    for place in range(start + len(part), len(tokens)):
        if place in spent or not _belongs(tokens, place, is_name, begun=bool(part)):
            break
        part.append(tokens[place])
    return _trimmed(part)


def _in_next_clause(tokens: Sequence[Token], number: int) -> int | None:
    """Where the part of a label begins that the next clause tells: "I only know his surname, it's Lopez"."""
    for place in range(number + 1, min(len(tokens), number + _CLAUSE + 2)):
        token = tokens[place]
        if token.is_word:
            if token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS | _NOT or not _is_between(token):
                return None
            continue
        if token.text not in ",:-\u2013\u2014.;(":
            return None
        said = place + 1
        while said < len(tokens) and tokens[said].fold in _IT:
            said += 1
        if said == place + 1 or said >= len(tokens):
            return None
        begins = said + 1 if tokens[said].text in ":," else said
        return begins if begins < len(tokens) else None
    return None


def _is_part_here(tokens: Sequence[Token], place: int, is_name: Callable[[str], bool]) -> bool:
    """Whether the word is a name, or none of the language: not "misspelled", as in "it was misspelled"."""
    token = tokens[place]
    doubtful = tokens[place - 1].fold in ("was", "era") or sounds_ordinary(token.fold)
    told = is_name(token.fold) or token.is_capital or not doubtful
    return told and _belongs(tokens, place, is_name, begun=False)


def _is_between(token: Token) -> bool:
    return is_ordinary(token.fold) or token.fold in lexicon.STOPS | lexicon.RELATIVES


_IT = lexicon.words("it its it's it\u2019s that thats that's that\u2019s which is was es era que eso ese seria called")
"""What points back at a label: "it's", "which is", "que es"."""


def _of_somebody(tokens: Sequence[Token], start: int) -> int:
    """Where the part of a label begins that says whose it is: "el apellido de mi tia es Lopez"."""
    if start < len(tokens) and tokens[start].fold in ("de", "del", "of"):
        said = [token.fold for token in tokens[start + 1 : start + 4]]
        for place, word in enumerate(said):
            if word in ("es", "is") and said[place - 1] in lexicon.RELATIVES:
                return start + 1 + place
    return start


def _before(
    tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool], *, elliptic: bool
) -> list[Token]:
    """The part that stands before "is the", "es el" and its label; ``elliptic`` without "is", as the part before it."""
    start = number - 1
    while start >= 0 and tokens[start].fold in _POINTING:
        start -= 1
    if start >= 1 and tokens[start].fold in ("is", "es", "as", "como"):
        return _back_from(tokens, start, spent, is_name)
    return _back_from(tokens, start + 1, spent, is_name) if elliptic and start < number - 1 else []


def lacks_surname(tokens: Sequence[Token]) -> bool:
    """Whether the surname is said not to be known: "no se su apellido", "dont know the last name"."""
    return any(token.fold in lexicon.LAST_LABELS and _is_denied(tokens, n) for n, token in enumerate(tokens))


def _is_denied(tokens: Sequence[Token], number: int) -> bool:
    """Whether what a label stands for is said not to be known: "dont know the first name"."""
    if tokens[number].fold in lexicon.LAST_LABELS and _is_denied_behind(tokens, number):
        return True
    for place in range(number - 1, max(-1, number - _CLAUSE), -1):
        if not tokens[place].is_word or tokens[place].fold in _TURNING:
            return False
        if tokens[place].fold in _KNOWING | _TELLING and any(t.fold in _NOT for t in tokens[max(0, place - 3) : place]):
            return True
        if tokens[place].fold in ("without", "sin"):
            return True
    return False


def _is_denied_behind(tokens: Sequence[Token], number: int) -> bool:
    """Whether the words behind a label for a surname say so: "last name unknown", "el apellido nunca me lo dijo"."""
    denied = False
    for token in tokens[number + 1 : number + _CLAUSE]:
        if token.fold in _UNKNOWN or (denied and token.fold in _KNOWING | _TELLING):
            return True
        denied |= token.fold in _NOT
        if not token.is_word and token.text not in ":=-(":
            return False
        if not is_ordinary(token.fold) and token.fold not in lexicon.STOPS | _NOT:
            return False
    return False


_UNKNOWN = lexicon.words("unknown unclear desconocido desconocida")
_TELLING = lexicon.words("dijo dijeron dio dieron told said gave mentioned shared menciono conto pregunte asked caught")


_CLAUSE = 7
"""Words back from a label within which it is said that nobody knows what it stands for."""
_KNOWING = lexicon.words(
    "know remember recall have sure got se sabe sabemos sabia recuerdo recuerda acuerdo tengo tenemos conozco knew"
)
_TURNING = lexicon.words("but pero only solo nomas just except que sino although aunque")
"""Words with which another clause begins: "no me acuerdo del nombre, nomas que se apellida ..."."""
_NOT = lexicon.words("no not dont don't don\u2019t didnt didn't never nunca cant can't cannot ni")


def _before_bracket(
    tokens: Sequence[Token], number: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    """The part that stands before its label in brackets: "Nguyen (apellido)", "Ana Lucia (first name)"."""
    start = number - 1
    while start > 0 and tokens[start].fold in _POINTING:
        start -= 1
    return _back_from(tokens, start, spent, is_name) if start > 0 and tokens[start].text == "(" else []


def _back_from(
    tokens: Sequence[Token], end: int, spent: Collection[int], is_name: Callable[[str], bool]
) -> list[Token]:
    part: list[Token] = []
    for place in range(end - 1, -1, -1):
        if place in spent or not _belongs(tokens, place, is_name, begun=True):
            break
        part.insert(0, tokens[place])
    return _trimmed(part)


def _is_told(tokens: Sequence[Token], start: int) -> bool:
    """Whether what follows a label is its part though the language has the word: "last name Park", "surname rain,"."""
    if not 0 < start < len(tokens) or tokens[start].fold in _UNTOLD | lexicon.FIRST_LABELS | lexicon.LAST_LABELS:
        return False
    if not tokens[start].is_word or tokens[start].is_number or len(tokens[start].fold) == 1:
        return False
    after = tokens[start + 1] if start + 1 < len(tokens) else None
    ends = after is None or not after.is_word or after.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS
    return ends or (tokens[start].is_capital and after is not None and not after.is_capital)


def _belongs(tokens: Sequence[Token], place: int, is_name: Callable[[str], bool], *, begun: bool) -> bool:
    token = tokens[place]
    if not token.is_word or token.is_number or token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS:
        return False
    if token.fold.rstrip(".") in lexicon.JOINING:
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        return after is not None and _belongs(tokens, place + 1, is_name, begun=begun)
    return is_name(token.fold) or not is_ordinary(token.fold)


def _trimmed(part: list[Token]) -> list[Token]:
    while part and part[-1].fold.rstrip(".") in lexicon.JOINING:
        part.pop()
    return part
