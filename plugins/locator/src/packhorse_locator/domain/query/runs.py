"""Stretches of a sentence that can be a name, and what speaks for each of them."""

import re
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from attrs import frozen

from packhorse_locator.domain.names.families import SPELLING_TABLES, entries
from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.bearers import (
    PLAIN,
    bearers_of,
    is_borne,
    is_given,
    is_own,
    is_plainly_given,
    is_plainly_surname,
    is_surname,
    is_well_known,
    is_word_and_surname,
    own_names,
)
from packhorse_locator.domain.query.bystanders import is_of_institution, is_of_street, is_speaker
from packhorse_locator.domain.query.demonyms import DEMONYMS, SAID_TOO
from packhorse_locator.domain.query.leanings import leaning
from packhorse_locator.domain.query.names import Known, given_variants, is_korean, units
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import heard_alike, is_ordinary, nearly_ordinary, sounds_ordinary

_GRAMMAR = (
    lexicon.SEEK
    | lexicon.STOPS
    | lexicon.LISTS
    | lexicon.RELATIVES
    | lexicon.OWNERS
    | lexicon.PLACES
    | lexicon.TELLS
    | lexicon.AT
    | lexicon.NEAR
    | lexicon.CUSTODY
    | lexicon.FACTS
    | lexicon.HELD
)
_BETWEEN = (
    lexicon.OWNERS
    | lexicon.TITLES
    | lexicon.words("a is es for to esta was de del al about on sobre con el los las if si of an i en in")
)
"""What may stand between a word that introduces a name and the name."""
_INTRODUCING = (
    lexicon.SEEK
    | lexicon.RELATIVES
    | lexicon.CUSTODY
    | lexicon.words(
        """name names llama nombre nombres person persona man woman hombre guy lady muchacho senor have has had got hold
    holding took take taken arrested arrest released release deported deport transferred transfer moved move sent
    tienen tiene tenian soltaron deportaron agarraron agarro detuvieron arrestaron llevaron trasladaron llevo
    arresto detuvo encontrar ver hablar visit visitar contact news noticias paradero whereabouts information
    informacion info status estatus estado know heard hear about for sobre case caso saber sabe saben nacional
    national citizen ciudadano ciudadana cliente"""
    )
)
_GIVEN_TOO = frozenset({"don", "dona"})
"""Titles that are given names as well."""
_DETERMINERS = lexicon.words(
    """el este ese cada los por on last next this every the pasado proximo un una del you they we dia"""
)
_FUNCTIONAL = frozenset({"ever", "sean", "da", "dan", "dar", "he", "ale", "said", "su"})
"""Ordinary words that are names as well, but seldom: they are names only before another."""
_POLITE = lexicon.words("please pls plz thanks thank asap now today por favor gracias hoy ahora ya ice i urgent")
_NEVER_NAMES = lexicon.RELATIVES | lexicon.TITLES | lexicon.PLACES | lexicon.OF_PLACES | lexicon.SEEK | lexicon.OWNERS
_SENTENCE_END = ".!?;:\u00a1\u00bf"


@frozen
class Run:
    """Words that stand together, with what speaks for their being a name.

    ``known`` are how many of them are known as names, ``by_case`` whether the
    sentence writes them with capitals where it writes others without,
    ``introduced`` whether a word before them calls for a name, ``speaker``
    whether they name who speaks or a lawyer of theirs, ``doubtful`` whether an
    unknown word in lower case stands at an end and may be no part of it.
    """

    tokens: tuple[Token, ...]
    start: int
    known: int
    by_case: bool
    introduced: bool
    speaker: bool
    doubtful: bool = False

    @property
    def size(self) -> int:
        """Words, particles counted with the word after them."""
        return len(units(self.tokens))

    @property
    def weight(self) -> int:
        """How much speaks for it; two or more can stand alone."""
        return 2 * (self.known > 0) + (self.known > 1) + 2 * self.introduced + 2 * self.by_case


@cache
def _table_names() -> frozenset[str]:
    spelt = {word for table in SPELLING_TABLES for entry in entries(table) for word in entry.split() if len(word) > 2}
    return given_variants() | spelt


def is_name(word: str, known: Known) -> bool:
    """Whether a folded word is in the lists of names, in the tables of variants, or in the registry."""
    plain = word.strip(".")
    if is_borne(plain) or plain in known:
        return True
    if plain in _table_names() and not is_ordinary(plain):
        return True
    if re.match(r"(?:o|d|dell|n|m)['\u2019][a-z]{3}|mc[a-z]{3}", plain):
        return True
    parts = plain.split("-")
    return len(parts) > 1 and any(is_borne(part) for part in parts)


def runs_in(tokens: Sequence[Token], spent: Collection[int], known: Known) -> list[Run]:
    """All stretches, in order; ``spent`` are the places of words that say something else."""
    capitals = tells_by_case([token for number, token in enumerate(tokens) if number not in spent])
    kept = [_may_be_name(tokens, number, spent, known, capitals) for number in range(len(tokens))]
    _add_particles(tokens, kept, spent)
    _add_devotions(tokens, kept, spent)
    _add_initials(tokens, kept, spent)
    _add_surnames(tokens, kept, spent)
    stretches: list[list[int]] = []
    for number, keep in enumerate(kept):
        if not keep:
            continue
        if not stretches or stretches[-1][-1] != number - 1:
            stretches.append([])
        stretches[-1].append(number)
    made = []
    for stretch in stretches:
        numbers = _trimmed(tokens, stretch, known, capitals)
        if len(numbers) == 1:
            numbers = _with_neighbour(tokens, numbers, spent, capitals)
        numbers = _with_surname(tokens, numbers, set(spent))
        words = [tokens[number] for number in numbers]
        if numbers and not (is_of_institution(tokens, numbers[0]) or is_of_street(tokens, numbers[0], words)):
            made.append(_run(tokens, numbers, known, capitals))
    return made


def _may_be_name(tokens: Sequence[Token], number: int, spent: Collection[int], known: Known, capitals: bool) -> bool:
    token = tokens[number]
    if number in spent or not token.is_word or token.is_number or token.text[0].isdigit():
        return False
    word = token.fold.rstrip(".")
    if _SPELT_OUT.fullmatch(word):
        return False
    if word in lexicon.TITLES and (number + 2 < len(tokens) or word not in _GIVEN_TOO):
        return False
    if capitals and not token.is_capital:
        return False
    if word in lexicon.JOINING and word not in own_names()[0]:
        written = capitals or (token.is_capital and number > 0 and tokens[number - 1].text == ",")
        return written and number > 0 and word in _BORNE and _goes_on(tokens, number, spent, known)
    if word in DEMONYMS.keys() - SAID_TOO and not is_own(word):
        return False
    named = is_name(word, known)
    owned = number > 0 and tokens[number - 1].fold in lexicon.OWNERS
    if named and owned and not is_well_known(word) and _is_relative(word):
        return False
    ordinary = is_common(word) or (not named and word.endswith(("mente", "ciones", "cion")))
    if not ordinary:
        return named or not _is_misspelt_cue(tokens, number)
    if not named:
        titled = number > 0 and token.is_capital and tokens[number - 1].fold in lexicon.TITLES
        return (capitals or titled) and _is_beside_names(tokens, number, known)
    if (
        capitals
        and number
        and tokens[number - 1].text not in _SENTENCE_END
        and word not in _FUNCTIONAL - {"sean", "lee"}
    ):
        return tokens[number - 1].fold not in _DETERMINERS
    return _is_name_here(tokens, number, spent, known)


def _is_name_here(tokens: Sequence[Token], number: int, spent: Collection[int], known: Known) -> bool:
    """Whether a word that is a name and an ordinary word stands as a name: beside another name."""
    before = tokens[number - 1] if number else None
    after = tokens[number + 1] if number + 1 < len(tokens) and number + 1 not in spent else None
    beside_after = after is not None and after.is_word and _is_free(after, known)
    if before is not None and before.fold in _DETERMINERS:
        return False
    if tokens[number].fold in _FUNCTIONAL:
        return beside_after and after is not None and is_name(after.fold, known)
    beside_before = before is not None and number - 1 not in spent and before.is_word and _is_free(before, known)
    if before is not None and before.fold in lexicon.JOINING and number > 1:
        beside_before = beside_before or _is_free(tokens[number - 2], known)
    return beside_after or beside_before


def _is_free(token: Token, known: Known) -> bool:
    word = token.fold.rstrip(".")
    if token.is_number:
        return False
    return is_name(word, known) or not (word in _GRAMMAR or is_ordinary(word))


def _is_beside_names(tokens: Sequence[Token], number: int, known: Known) -> bool:
    """Whether a capital word of the language stands, inside a sentence, beside capital words that are none."""
    around = [tokens[n] for n in (number - 1, number + 1) if 0 <= n < len(tokens)]
    names = [one for one in around if one.is_capital and one.is_word and _is_free(one, known)]
    inside = number > 0 and tokens[number - 1].text not in _SENTENCE_END
    if not inside or not names or tokens[number].text.isupper():
        return False
    return len(names) == 2 or tokens[number].fold not in _POLITE | _NEVER_NAMES | lexicon.LISTS | lexicon.AT


_BORNE = lexicon.words("van von ben bin ibn abu al el da du le")
"""Particles with which a name may begin where they are written with a capital."""


def _goes_on(tokens: Sequence[Token], number: int, spent: Collection[int], known: Known) -> bool:
    after = tokens[number + 1] if number + 1 < len(tokens) and number + 1 not in spent else None
    return after is not None and after.is_word and after.is_capital and _is_free(after, known)


def _add_particles(tokens: Sequence[Token], kept: list[bool], spent: Collection[int]) -> None:
    """Keep "de la" where it stands between two words of a name, and before the second."""
    for number, token in enumerate(tokens):
        if kept[number] or number in spent or token.fold.rstrip(".") not in lexicon.PARTICLES:
            continue
        following = number + 1
        while (
            following < len(tokens) and not kept[following] and tokens[following].fold.rstrip(".") in lexicon.PARTICLES
        ):
            following += 1
        if number and kept[number - 1] and following < len(tokens) and kept[following]:
            kept[number] = True


def _add_devotions(tokens: Sequence[Token], kept: list[bool], spent: Collection[int]) -> None:
    """Keep "de Dios" and the like after a given name and before another word of a name."""
    for number in range(1, len(tokens)):
        for words in lexicon.DEVOTIONS:
            end = number + len(words)
            said = tuple(token.fold for token in tokens[number:end]) == words
            if said and kept[number - 1] and end < len(tokens) and end not in spent and tokens[end].is_word:
                after = tokens[end].fold in lexicon.JOINING or kept[end]
                kept[number:end] = [after] * len(words)


def _add_initials(tokens: Sequence[Token], kept: list[bool], spent: Collection[int]) -> None:
    """Keep an initial between two words of a name, though its letter is a word as well: "Dayana R. Moncada"."""
    for number in range(1, len(tokens) - 1):
        token = tokens[number]
        marked = token.text[0].isupper() or token.text.endswith(".") or token.fold in _INITIALS
        initial = len(token.text.strip(".")) == 1 and token.is_word and marked
        if initial and number not in spent and kept[number - 1] and kept[number + 1]:
            kept[number] = True


def _add_surnames(tokens: Sequence[Token], kept: list[bool], spent: Collection[int]) -> None:
    """Keep a word of the language between two given names and a surname: "rosa elvira tene morocho"."""
    for number in range(2, len(tokens) - 1):
        given, family = tokens[number - 2 : number], tokens[number + 1]
        if kept[number] or number in spent or not (kept[number - 2] and kept[number - 1] and kept[number + 1]):
            continue
        word = tokens[number]
        if not word.is_word or word.is_number or len(word.fold) < len("abc") or word.fold in _GRAMMAR:
            continue
        whole = is_given(given[0].fold) and is_plainly_given(given[1].fold) and is_plainly_surname(family.fold)
        alone = number + 2 >= len(tokens) or not kept[number + 2]
        if whole and alone and word.is_capital == family.is_capital and (number < _THIRD or not kept[number - _THIRD]):
            kept[number] = True


_THIRD = 3
"""Words back from the first surname, with none before them that is a name as well: two given names stand between."""
_SPELT_OUT = re.compile(r"[a-z](?:-[a-z]){2,}")
"""Letters of a name one by one: "T-Z-O-C"."""
_INITIALS = frozenset("bcfghjlmnprstvwz")
"""Letters that are no word: an initial also in lower case and without a dot."""


def _trimmed(tokens: Sequence[Token], stretch: list[int], known: Known, capitals: bool) -> list[int]:
    """Without particles at the ends that belong to the sentence, nor, in lower case, misspelt words of the language."""
    numbers = list(stretch)
    while numbers and tokens[numbers[-1]].fold.rstrip(".") in lexicon.PARTICLES - own_names()[1]:
        numbers.pop()
    while len(numbers) > 1 and tokens[numbers[0]].fold in lexicon.JOINING - _BORNE:
        numbers.pop(0)
    while len(numbers) > 2 - tokens[numbers[0]].text.endswith(".") and tokens[numbers[0]].fold in lexicon.ROLES:
        numbers.pop(0)
    before = tokens[numbers[0] - 1].fold if numbers and numbers[0] else ""
    if (
        len(numbers) > 2
        and before in lexicon.OWNERS | {"an", "el"}
        and _is_strange([tokens[n] for n in numbers], known)
    ):
        numbers.pop(0)  # what somebody is to who speaks: "my parishioner juan perez"
    for end in (-1, 0):
        while not capitals and len(numbers) > 2:
            token = tokens[numbers[end]]
            if is_name(token.fold, known) or len(token.fold) < 7 or not sounds_ordinary(token.fold):
                break
            numbers.pop(end)
    return numbers


def _with_neighbour(tokens: Sequence[Token], numbers: list[int], spent: Collection[int], capitals: bool) -> list[int]:
    """With the word after a single one, though it is a word of the language: "Luis Can", "carlos vera"."""
    after = numbers[0] + 1
    if after >= len(tokens) or after in spent or not tokens[after].is_word or tokens[after].is_number:
        return numbers
    token = tokens[after]
    if token.fold in _POLITE | lexicon.SEEK | lexicon.RELATIVES | lexicon.AT:
        return numbers
    if capitals:
        return [*numbers, after] if token.is_capital and numbers[0] > 0 else numbers
    following = tokens[after + 1] if after + 1 < len(tokens) else None
    ends = following is None or after + 1 in spent or not following.is_word or following.fold in lexicon.AT
    given = is_given(tokens[numbers[0]].fold)
    said = ends or (following is not None and following.fold in _SAID_OF_HELD)
    if said and is_korean([[token], [tokens[numbers[0]]]]):
        return [*numbers, after]
    if said and _is_asian_pair(tokens[numbers[0]], token):
        return [*numbers, after]
    return [*numbers, after] if given and ends and is_surname(token.fold) else numbers


def _is_asian_pair(given: Token, family: Token) -> bool:
    """Whether a word of the language is the surname of Asian people behind a given name of theirs: "huy le"."""
    first, last = bearers_of(given.fold), bearers_of(family.fold)
    if first is None or last is None or first.group != "a" or last.group != "a":
        return False
    return first.odds > 0 and last.odds <= -PLAIN


_SAID_OF_HELD = lexicon.words("was is has got had fue esta estaba sigue")
"""Behind a name in lower case, what says something of somebody."""


def _with_surname(tokens: Sequence[Token], numbers: list[int], spent: AbstractSet[int]) -> list[int]:
    """With the words after a name that are ordinary words and surnames: "JAMES ANTONIO BURNS", "Rosa Luna de la O"."""
    names = list(numbers)
    while names:
        after = names[-1] + 1
        while after < len(tokens) and after not in spent and tokens[after].fold in lexicon.JOINING:
            after += 1
        if after >= len(tokens) or not spent.isdisjoint(range(names[-1] + 1, after + 1)):
            break
        token, joined = tokens[after], after > names[-1] + 1
        if not joined and token.fold in _GRAMMAR:
            break
        if not token.is_capital or not (is_word_and_surname(token.fold) or (joined and token.text == "O")):
            break
        if len(token.text) > 1 and tokens[names[-1]].text.isupper() != token.text.isupper():
            break
        names.extend(range(names[-1] + 1, after + 1))
    return names


def _run(tokens: Sequence[Token], numbers: list[int], known: Known, capitals: bool) -> Run:
    words = tuple(tokens[number] for number in numbers)
    return Run(
        tokens=words,
        start=numbers[0],
        known=sum(1 for token in words if is_name(token.fold, known) and not is_common(token.fold)),
        by_case=capitals and len(units(words)) > 1,
        introduced=_is_introduced(tokens, numbers[0]),
        speaker=is_speaker(tokens, numbers[0]),
        doubtful=not capitals and len(words) > 2 and (_is_strange(words, known) or _trails_off(words, known)),
    )


def _is_strange(words: Sequence[Token], known: Known) -> bool:
    """Whether an unknown word in lower case stands before a given name."""
    first, second = words[0].fold, words[1].fold
    if not words[0].text.islower() or is_name(first, known):
        return False
    return is_plainly_given(second) or (len(words) > 2 and leaning(first) <= 0)


def _trails_off(words: Sequence[Token], known: Known) -> bool:
    """Whether an unknown word in lower case stands behind a whole name: it may be a slip off something else."""
    last, before = words[-1], words[-2].fold
    whole = is_given(words[0].fold) and is_plainly_surname(before)
    return whole and last.text.islower() and not is_name(last.fold, known) and leaning(last.fold) >= 0


def _is_introduced(tokens: Sequence[Token], start: int) -> bool:
    number = start - 1
    while number >= 0 and (not tokens[number].is_word or tokens[number].fold in _BETWEEN - _INTRODUCING):
        if tokens[number].text in ".!?":
            return False
        number -= 1
    if number < 0:
        return False
    word = tokens[number].fold
    return word in _INTRODUCING or any(part in lexicon.RELATIVES for part in word.split("-"))


@lru_cache(4096)
def _is_relative(word: str) -> bool:
    """Whether a word sounds like a relative: "ermano", "ijo"."""
    return any(heard_alike(word, one) for one in lexicon.RELATIVES)


def _is_misspelt_cue(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word is one letter off a relative after "my", or off a verb of search at the beginning."""
    word, before = tokens[number].fold, tokens[number - 1].fold if number else ""
    if before in lexicon.OWNERS and _one_off(word, lexicon.RELATIVES, least=3):
        return True
    return number < 2 and _one_off(word, lexicon.SEEK, least=4)


@lru_cache(4096)
def _one_off(word: str, cues: frozenset[str], *, least: int) -> bool:
    from rapidfuzz.distance import OSA

    return len(word) >= least and any(
        len(cue) >= least and OSA.distance(word, cue, score_cutoff=1) <= 1 for cue in cues
    )


def _stands_out(words: Sequence[Token], number: int) -> bool:
    """Whether a word has a capital because it is a name: it is none of the language, or stands beside one that is."""
    token = words[number]
    if not token.is_capital or len(token.text) < 2:
        return False
    if is_well_known(token.fold) or not is_common(token.fold):
        return True
    if number == 0 or token.fold in _POLITE | _NEVER_NAMES or token.text.isupper():
        return False
    around = [words[n] for n in (number - 1, number + 1) if 0 <= n < len(words)]
    return any(one.is_capital and (is_well_known(one.fold) or not is_common(one.fold)) for one in around)


def is_common(word: str) -> bool:
    """Whether a folded word belongs to the grammar or to the language."""
    return word in _GRAMMAR or is_ordinary(word)


def tells_by_case(tokens: Sequence[Token]) -> bool:
    """Whether the sentence sets names apart by capitals: at least two such words, and others in lower case."""
    words = [token for token in tokens if token.is_word and not token.is_number]
    capitals = [token for number, token in enumerate(words) if _stands_out(words, number)]
    lower = [token for token in words if token.text[:1].islower() and token.fold not in lexicon.PARTICLES]
    return len(capitals) >= 2 and bool(lower)


_OF_SOMEBODY = lexicon.words(
    "was is has got went did does had still fue esta estaba sigue ya lo la le salio se ha no aun todavia he she him her"
)
"""After a name, what says something of somebody."""


def speaks_of_people(tokens: Sequence[Token], run: Run) -> bool:
    """Whether any word of the sentence is said of people in custody or of somebody's own, or of the name itself."""
    after = run.start + len(run.tokens)
    if after < len(tokens) and tokens[after].fold in _OF_SOMEBODY:
        return True
    return any(token.fold in _INTRODUCING | lexicon.OF_PLACES | lexicon.BIRTH for token in tokens)


def left_over(runs: Sequence[Run], chosen: Run | None) -> int:
    """How many words outside the name are neither of the language nor a place, nor a slip off one."""
    found = 0
    for run in runs:
        again = chosen is not None and [t.fold for t in run.tokens] == [t.fold for t in chosen.tokens]
        if run.speaker or again:
            continue
        for token in run.tokens:
            begins = token is run.tokens[0] and run.size == 1 and not (run.start or is_borne(token.fold))
            if begins and token.is_capital:
                continue
            short = token.text.isupper() and len(token.text) <= 4
            excused = short or nearly_ordinary(token.fold) or token.fold in lexicon.PARTICLES
            found += is_well_known(token.fold) or not excused
    return found
