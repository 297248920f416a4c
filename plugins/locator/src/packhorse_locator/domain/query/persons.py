"""The person in a sentence: the name that is left, with country and year of birth where they are said."""

from collections.abc import Collection, Sequence

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import (
    PLAIN,
    bearers_of,
    is_borne,
    is_given,
    is_plainly_given,
    is_plainly_surname,
    is_surname,
)
from packhorse_locator.domain.query.circumstances import Circumstances, circumstances_in, may_go_on
from packhorse_locator.domain.query.countries import COUNTRIES
from packhorse_locator.domain.query.labels import labelled, labels_given, lacks_surname
from packhorse_locator.domain.query.leanings import leaning
from packhorse_locator.domain.query.names import Known, SplitName, is_korean, is_turned, split, units
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.origins import countries_left
from packhorse_locator.domain.query.parsed import Entity, Gazetteer, NotParsed, Parsed, Reading
from packhorse_locator.domain.query.places import place_of
from packhorse_locator.domain.query.runs import Run, is_name, left_over, runs_in, speaks_of_people
from packhorse_locator.domain.query.spans import Span
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import sounds_spanish

LONGEST_NAME = 7
"""Words of a name, particles counted with the word after them; more are a sentence that was not understood."""

UNSURE = 0.6
"""Confidence in a name whose surname may begin at another word: below the default threshold, so that it is asked."""


def person_in(
    plain: str,
    tokens: Sequence[Token],
    found: Numbers,
    gazetteer: Gazetteer,
    apart: Span | None = None,
) -> Parsed | NotParsed:
    """The search by name that a sentence asks for, or why there is none; ``apart`` is a place named outright."""
    around = circumstances_in(tokens, found, gazetteer, apart)
    known = gazetteer.words([token.fold for token in tokens if token.is_word])
    first, last = labelled(tokens, around.spent, lambda word: is_name(word, known))
    if first and last and " " in first and set(last.casefold().split()) <= set(first.casefold().split()):
        first = last = None  # the whole name, and a part of it again
    if first and last:
        return _parsed(first, last, 0.96, around, (), plain)
    runs = runs_in(tokens, around.spent, known)
    commas = _around_comma(tokens, runs)
    if commas is not None and not (_begins_given(commas[0]) and not _is_given(commas[1], known)):
        if _is_whole(commas[0]) and _is_whole(commas[1]):
            return _several([(one, split(one, known)) for one in commas], around)
        return _parsed(_text(commas[1]), _text(commas[0]), 0.92, around, (), plain)
    part = last or (first if labels_given(tokens) else None)
    names = [run for run in _once(runs) if run.size >= 2 and not _is_part(run, part) and not _is_less(run, part)]
    if not names and not _asks_for_many(tokens):
        last = last or _titled(tokens, runs)
        if last:
            return _by_surname(last, runs, around, plain)
        first = first if first and first == part else _given_alone(tokens, runs)
        if first:
            return _parsed(first, "", PART_ALONE, around, (), plain)
    if not names:
        return NotParsed("PARSE_FAILED", "no name")
    run = _chosen(names)
    if run is None:
        return _several([(run.tokens, split(run.tokens, known)) for run in names], around)
    if _is_joined(tokens, runs, run):
        return _several([(run.tokens, split(run.tokens, known))], around)
    one = split(_without_initial(run.tokens), known, spanish=len(run.tokens) > 2 and sounds_spanish(plain))
    if one is None or run.size > LONGEST_NAME:
        return NotParsed("PARSE_FAILED", "no parts")
    if _is_turned(run.tokens):
        turned = _turned(run.tokens)
        options = (_reading(one.first, one.last, 0.5, around), turned)
        return NotParsed("AMBIGUOUS_QUERY", "order", options)
    confidence = _confidence(tokens, run, left_over(_beside(tokens, runs, run), run), one.sure)
    unsaid = around.country is None and _leaves_country(tokens, run, around.spent)
    if unsaid or (sounds_spanish(plain) and _may_end_in_town(tokens, run, gazetteer)):
        confidence *= UNSURE
    others = () if one.sure else _other_cuts(run.tokens, one.first, around)
    return _parsed(one.first, one.last, confidence, around, others, plain)


def _is_part(run: Run, part: str | None) -> bool:
    """Whether a run is no more than the part of a name that is labelled."""
    words = set(part.casefold().split()) if part else set()
    if is_plainly_given(run.tokens[0].fold) and is_plainly_surname(run.tokens[-1].fold):
        return False  # a whole name behind the label
    return all(token.text.casefold() in words for token in run.tokens)


def _is_less(run: Run, part: str | None) -> bool:
    """Whether words in lower case, which nothing calls for, stand beside a labelled name in capitals."""
    lower = all(token.text.islower() for token in run.tokens)
    return part is not None and part[:1].isupper() and lower and not run.introduced


def _given_alone(tokens: Sequence[Token], runs: Sequence[Run]) -> str | None:
    """The one given name that is called for, where the surname is said not to be known."""
    asked = [run for run in runs if not run.speaker]
    if len(asked) != 1 or not asked[0].introduced or not lacks_surname(tokens):
        return None
    return _text(asked[0].tokens) if is_given(asked[0].tokens[0].fold) else None


def _titled(tokens: Sequence[Token], runs: Sequence[Run]) -> str | None:
    """The surname that stands alone behind a title: "Mr. Okonkwo", "la senora Tiul"."""
    asked = [run for run in runs if not run.speaker]
    if not any(token.fold in lexicon.SEEK | lexicon.CUSTODY | lexicon.HELD | _TAKEN for token in tokens):
        return None
    if len(asked) != 1 or not asked[0].start or tokens[asked[0].start - 1].fold not in _TITLES_OF_SURNAMES:
        return None
    word = asked[0].tokens[-1].fold
    return None if is_plainly_given(word) or leaning(word) > 0 else _text(asked[0].tokens)


_TAKEN = lexicon.words(
    """arrested arrest picked taken took detain detuvieron detuvo arrestaron arresto llevaron agarraron trasladaron
    transferred deported"""
)
_TITLES_OF_SURNAMES = lexicon.words("mr mrs ms miss mister sr sra srta senor senora")


def _several(names: Sequence[tuple[Sequence[Token], SplitName | None]], around: Circumstances) -> NotParsed:
    options = tuple(_reading(one.first, one.last, 0.5, around) for _, one in names if one is not None)
    return NotParsed("AMBIGUOUS_QUERY", "people", options)


def _is_joined(tokens: Sequence[Token], runs: Sequence[Run], chosen: Run) -> bool:
    """Whether a given name alone is joined to the name, so that two people are meant: "Rosa y a Julio Paz"."""
    for run in runs:
        if run is chosen or run.size > 1 or not is_given(run.tokens[0].fold) or run.speaker:
            continue
        one, other = sorted((run, chosen), key=lambda each: each.start)
        between = [token.fold for token in tokens[one.start + len(one.tokens) : other.start]]
        if between and between[0] in ("y", "e", "and", "&", "or", "o", "u") and len(between) <= _JOINED:
            return True
    return False


_JOINED = 4
"""Words from the first to the second of two people who are joined by "and": "y a mi"."""


def _is_whole(name: Sequence[Token]) -> bool:
    """Whether a name has its given names and a surname behind them."""
    parts = units(name)
    first, last = parts[0][0].fold, parts[-1][-1].fold
    given = is_plainly_given(first) or leaning(first) > 0
    return len(parts) > 1 and given and is_plainly_surname(last)


def _begins_given(name: Sequence[Token]) -> bool:
    """Whether a name of several words begins with a given name: no surname before a comma."""
    return len(name) > 1 and is_plainly_given(name[0].fold)


def _is_given(name: Sequence[Token], known: Known) -> bool:
    return any(len(token.fold) > 1 and is_name(token.fold, known) for token in name)


def _by_surname(last: str, runs: Sequence[Run], around: Circumstances, plain: str) -> Parsed:
    """A labelled surname with the one given name that the sentence has beside it, or alone."""
    words = {word.casefold() for word in last.split()}
    beside = [run for run in runs if words.isdisjoint(token.text.casefold() for token in run.tokens)]
    given = [run for run in beside if run.introduced or (run.tokens[0].is_capital and (run.start or run.known))]
    given = [run for run in given if run.tokens[0].fold not in COUNTRIES]
    if len(given) == 1 and is_given(given[0].tokens[0].fold):
        return _parsed(_text(given[0].tokens), last, 0.85, around, (), plain)
    return _parsed("", last, PART_ALONE if not given else 0.5, around, (), plain)


def _asks_for_many(tokens: Sequence[Token]) -> bool:
    """Whether everybody of a name is asked for; "all I know" and "at all" are said of one."""
    folded = [token.fold for token in tokens]
    before = ["", *folded]
    after = [*folded[1:], ""]
    return any(
        word in _ALL and one not in _AND_NO_MORE and (other not in _WHO_KNOW or one in _SHOWING)
        for one, word, other in zip(before, folded, after, strict=False)
    )


_AND_NO_MORE = lexicon.words("at that thats that's that\u2019s is es")
"""Before "all", what makes it say how much is known, and not of how many."""
_SHOWING = lexicon.words("list show find see search get give display pull lookup")
"""Before "all", what makes it ask for people."""
_WHO_KNOW = frozenset({"i", "we", "they", "she"})
"""Behind "all", who says how much is known."""
_ALL = lexicon.words("all every everyone everybody each any list todo todos todas toda cada lista starts empieza")
"""Words that ask for many people, who are not looked up by a surname."""

PART_ALONE = 0.8
"""Confidence in a surname or a given name that is said to be all that is known; the search asks for the other."""


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


def _beside(tokens: Sequence[Token], runs: Sequence[Run], chosen: Run) -> Sequence[Run]:
    """The runs that may be somebody: without towns that a long text has beside a name for which much speaks."""
    if chosen.weight < _STRONG:
        return runs
    return [run for run in runs if not _is_whereabouts(tokens, run)]


def _is_whereabouts(tokens: Sequence[Token], run: Run) -> bool:
    """Whether a single capital word stands behind "from", "in" or the like: "I am writing from Lagos"."""
    before = tokens[run.start - 1].fold if run.start else ""
    return run.size == 1 and run.tokens[0].is_capital and before in _WHEREABOUTS


_STRONG = 5
"""Weight of a name that is introduced and written with capitals, and has a known word."""
_WHEREABOUTS = lexicon.AT | lexicon.NEAR | lexicon.words("from desde")


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
    if run.speaker:
        return 0.5  # who asks, or who helps, and nobody else
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
    where = plain.find((first or last).split(" ", maxsplit=1)[0])
    final = (last or first).rsplit(" ", maxsplit=1)[-1]
    end = plain.find(final) + len(final)
    low, high = min(where, max(0, end - len(last))), max(end, where + len(first))
    name = Entity("person", f"{first} {last}".strip(), round(confidence, 3), max(0, low), min(len(plain), high))
    return Parsed(best, others, (name, *around.entities))


def _reading(first: str, last: str, confidence: float, around: Circumstances) -> Reading:
    parts = {"first_name": first, "last_name": last}
    parameters: dict[str, str | int] = {name: part for name, part in parts.items() if part}
    if around.country is not None:
        parameters["country_of_birth"] = around.country
    if around.year is not None:
        parameters["birth_year"] = around.year
    return Reading("name", parameters, confidence)


def _leaves_country(tokens: Sequence[Token], run: Run, spent: Collection[int]) -> bool:
    """Whether a country is said outside the name, and not how: it may be the one of birth."""
    inside = range(run.start, run.start + len(run.tokens))
    return any(number not in spent and number not in inside for number in countries_left(tokens))


def _may_end_in_town(tokens: Sequence[Token], run: Run, gazetteer: Gazetteer) -> bool:
    """Whether the end of a name may as well be the town that somebody comes from: "Maria Costa de Albuquerque"."""
    inside = range(run.start, run.start + len(run.tokens) - 1)
    return any(may_go_on(tokens, n) and place_of(tokens[n + 1].text, gazetteer) is not None for n in inside)


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
    parts = units(name)
    if is_korean(parts) or _is_asian_order(words[0], words[-1]) or (len(words) > 2 and is_turned(parts)):
        return True
    if len(words) == 2:
        if _leans(words[0]) < 0 < _leans(words[1]):
            return True
        return is_plainly_given(words[1]) and not is_given(words[0]) and leaning(words[0]) <= 0
    return is_plainly_surname(words[0]) and is_surname(words[1]) and is_plainly_given(words[-1])


def _is_asian_order(first: str, last: str) -> bool:
    """Whether a name begins with a surname of Asian people and ends with none: "Nguyen Thi Mai"."""
    begins, ends = bearers_of(first), bearers_of(last)
    if begins is None or ends is None or begins.group != "a" or ends.group != "a":
        return False
    return begins.odds <= -PLAIN and ends.odds > -PLAIN / 2


def _leans(word: str) -> int:
    """1 for a given name, -1 for a surname, by the lists or, outside them, by its letters."""
    if is_borne(word):
        return is_plainly_given(word) - is_plainly_surname(word)
    return leaning(word)


def _turned(name: Sequence[Token]) -> Reading:
    parts = units(name)
    text = [_text(part) for part in parts]
    asian = is_korean(parts) or _is_asian_order(parts[0][-1].fold, parts[-1][-1].fold)
    one = len(parts) == 2 or asian or is_turned(parts)
    cut = 1 if one else 2
    return Reading("name", {"first_name": " ".join(text[cut:]), "last_name": " ".join(text[:cut])}, 0.5)


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
