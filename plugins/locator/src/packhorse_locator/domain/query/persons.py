"""The person in a sentence: the name that is left, with country and year of birth where they are said."""

from collections.abc import Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.circumstances import Circumstances, circumstances_in
from packhorse_locator.domain.query.names import split, units
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.parsed import Entity, Gazetteer, NotParsed, Parsed, Reading
from packhorse_locator.domain.query.runs import Run, left_over, runs_in, speaks_of_people
from packhorse_locator.domain.query.spans import Span
from packhorse_locator.domain.query.tokens import Token

_SURNAME_FIRST = (lexicon.SURNAMES, lexicon.GIVEN)

LONGEST_NAME = 7
"""Words of a name, particles counted with the word after them; more are a sentence that was not understood."""

UNSURE = 0.6
"""Confidence in a name whose surname may begin at another word: below the default threshold, so that it is asked."""


def person_in(
    plain: str,
    tokens: Sequence[Token],
    found: Numbers,
    gazetteer: Gazetteer,
    suggestions: Sequence[str],
    apart: Span | None = None,
) -> Parsed | NotParsed:
    """The search by name that a sentence asks for, or why there is none; ``apart`` is a place named outright."""
    around = circumstances_in(tokens, found, gazetteer, apart)
    labelled = _labelled(tokens, around)
    if labelled is not None:
        return _parsed(labelled[0], labelled[1], 0.96, around, (), plain)
    known = gazetteer.words([token.fold for token in tokens if token.is_word])
    runs = runs_in(tokens, around.spent, known)
    commas = _around_comma(tokens, runs)
    if commas is not None:
        last, first = commas
        return _parsed(_text(first), _text(last), 0.92, around, (), plain)
    names = [run for run in _once(runs) if run.size >= 2]
    if not names:
        reason = "it has no first and last name, A-number or place that is known here"
        return NotParsed("PARSE_FAILED", reason, (), tuple(suggestions))
    run = _chosen(names)
    if run is None:
        options = tuple(_reading(one.first, one.last, 0.5, around) for g in names if (one := split(g.tokens, known)))
        reason = "it may name several people: ask for one at a time"
        return NotParsed("AMBIGUOUS_QUERY", reason, options, tuple(suggestions))
    one = split(_without_initial(run.tokens), known)
    if one is None or run.size > LONGEST_NAME:
        return NotParsed("PARSE_FAILED", "no name could be told apart in it", (), tuple(suggestions))
    if _is_turned(run.tokens):
        turned = _turned(run.tokens)
        options = (_reading(one.first, one.last, 0.5, around), turned)
        reason = "the surnames may stand first: choose one of the alternatives"
        return NotParsed("AMBIGUOUS_QUERY", reason, options, tuple(suggestions))
    confidence = _confidence(tokens, run, left_over(runs, run), one.sure)
    others = () if one.sure else _other_cuts(run.tokens, one.first, around)
    return _parsed(one.first, one.last, confidence, around, others, plain)


def _without_initial(tokens: Sequence[Token]) -> Sequence[Token]:
    """A name without the initial of a second given name, which proves next to nothing: "Juan P. Ortega"."""
    if len(tokens) < 3:
        return tokens
    return [tokens[0], *(one for one in tokens[1:-1] if len(one.text.strip(".")) > 1), tokens[-1]]


def _once(runs: Sequence[Run]) -> list[Run]:
    """Each name once, and without who speaks where somebody else is named."""
    made: dict[str, Run] = {}
    for run in runs:
        made.setdefault(" ".join(token.fold for token in run.tokens), run)
    asked = [run for run in made.values() if not run.speaker]
    return asked if any(run.size >= 2 for run in asked) else list(made.values())


def _chosen(names: Sequence[Run]) -> Run | None:
    """The one name, or the one for which much speaks where nothing speaks for the others."""
    if len(names) == 1:
        return names[0]
    strong = [run for run in names if run.weight >= 2]
    return strong[0] if len(strong) == 1 else None


WEAK = 0.75
"""Confidence in words that nobody knows, where nothing but the rest of the sentence speaks for a name."""
LEFT_OVER = 0.85
"""What each word that was not understood leaves of the confidence: two of them put it below the default threshold."""


def _confidence(tokens: Sequence[Token], run: Run, unexplained: int, sure: bool) -> float:
    """How surely these words are a name, cut where it should be.

    What speaks for a name: a word before it that introduces one, words of it
    that are known as names, capitals where the sentence has others; or that it
    is all that is left of a sentence that speaks of people.
    """
    written = not unexplained and all(token.is_capital for token in run.tokens)
    speaks = run.known or run.by_case or run.introduced or written
    if not speaks and (unexplained or run.size > 4 or not speaks_of_people(tokens, run)):
        return 0.5
    base = 0.93 if speaks else WEAK
    if run.doubtful:
        sure = False
    return (base if sure else UNSURE) * LEFT_OVER**unexplained


def _parsed(
    first: str, last: str, confidence: float, around: Circumstances, others: tuple[Reading, ...], plain: str
) -> Parsed:
    best = _reading(first, last, round(confidence, 3), around)
    where = plain.find(first.split(" ", maxsplit=1)[0])
    end = plain.find(last.rsplit(" ", maxsplit=1)[-1]) + len(last.rsplit(" ", maxsplit=1)[-1])
    low, high = min(where, max(0, end - len(last))), max(end, where + len(first))
    name = Entity("person", f"{first} {last}", round(confidence, 3), max(0, low), min(len(plain), high))
    return Parsed(best, others, (name, *around.entities))


def _reading(first: str, last: str, confidence: float, around: Circumstances) -> Reading:
    parameters: dict[str, str | int] = {"first_name": first, "last_name": last}
    if around.country is not None:
        parameters["country_of_birth"] = around.country
    if around.year is not None:
        parameters["birth_year"] = around.year
    return Reading("name", parameters, confidence)


def _other_cuts(name: Sequence[Token], first: str, around: Circumstances) -> tuple[Reading, ...]:
    parts = units(name)
    made = []
    for cut in range(1, len(parts)):
        given, family = (" ".join(token.text for part in side for token in part) for side in (parts[:cut], parts[cut:]))
        if given != first:
            made.append(_reading(given, family, 0.4, around))
    return tuple(made[:2])


def _is_turned(name: Sequence[Token]) -> bool:
    """Whether surnames come first and given names last, as on a list."""
    words = [part[-1].fold for part in units(name)]
    if len(words) == 2:
        return all(w in one - other for w, one, other in zip(words, _SURNAME_FIRST, _SURNAME_FIRST[::-1], strict=True))
    surnames_first = words[0] in lexicon.SURNAMES - lexicon.GIVEN and words[1] in lexicon.SURNAMES
    return surnames_first and words[-1] not in lexicon.SURNAMES


def _turned(name: Sequence[Token]) -> Reading:
    text = [" ".join(token.text for token in part) for part in units(name)]
    cut = 2 if len(text) > 2 else 1
    return Reading("name", {"first_name": " ".join(text[cut:]), "last_name": " ".join(text[:cut])}, 0.5)


def _labelled(tokens: Sequence[Token], around: Circumstances) -> tuple[str, str] | None:
    """First and last name where the sentence labels both."""
    labels = []
    for number, token in enumerate(tokens):
        if token.fold in lexicon.FIRST_LABELS | lexicon.LAST_LABELS:
            labels.append((number, token.fold in lexicon.LAST_LABELS))
    if labels and all(kind for _, kind in labels):
        labels = sorted([*labels, *((n, False) for n, one in enumerate(tokens) if _is_bare_label(tokens, n, one))])
    kinds = {kind for _, kind in labels}
    if kinds != {True, False}:
        return None
    made: dict[bool, list[Token]] = {True: [], False: []}
    bounds = [number for number, _ in labels] + [len(tokens)]
    for (number, kind), end in zip(labels, bounds[1:], strict=True):
        for place in range(number + 1, end):
            token = tokens[place]
            if place in around.spent or not token.is_word:
                continue
            if token.fold in ("name", "names", "is", "es", "y", "and", "completo"):
                continue
            if token.fold in lexicon.STOPS and token.fold not in lexicon.PARTICLES:
                break
            made[kind].append(token)
    if not made[True] or not made[False]:
        return None
    return _text(made[False]), _text(made[True])


def _is_bare_label(tokens: Sequence[Token], number: int, token: Token) -> bool:
    """Whether "name" stands for the given name, beside a label for the last one: "name: Ana, last name: Ruiz"."""
    before = tokens[number - 1].fold if number else ""
    after = tokens[number + 1].text if number + 1 < len(tokens) else ""
    return token.fold == "name" and after in (":", "=") and before not in lexicon.LAST_LABELS


def _around_comma(tokens: Sequence[Token], runs: Sequence[Run]) -> tuple[list[Token], list[Token]] | None:
    """Surname and given name where they stand as "Surname, Given" with nothing else between."""
    if len(runs) != 2:
        return None
    left, right = (list(run.tokens) for run in runs)
    first = runs[0].start
    while first and tokens[first - 1].fold in lexicon.JOINING and (first > 1 or not tokens[0].is_capital):
        first -= 1
        left.insert(0, tokens[first])
    between = [token for token in tokens if left[-1].end <= token.start < right[0].start]
    if [token.text for token in between] != [","]:
        return None
    return left, right


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)
