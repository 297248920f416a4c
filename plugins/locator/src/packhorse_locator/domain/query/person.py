"""One person in a sentence: exactly one run of name words, the country, the year of birth, and a place beside it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.names import parted
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.parsed import Entity, NotParsed, Parsed, Reading, Reason
from packhorse_locator.domain.query.places import Gazetteer, place_of
from packhorse_locator.domain.query.sentence import Run, Sentence
from packhorse_locator.domain.query.tokens import Token, cut, fold

SURE = 0.93
UNSURE = 0.5
MOST_WORDS = 6
_BORN = re.compile(r"\b(?:born|birth|dob|year|nacid[oa]|naci[oó]|nacimiento|a[nñ]o)\b[^.]{0,18}$", re.IGNORECASE)
_FIRST = r"(?:(?:first|given)[ -]?names?|nombres?)"
_LAST = r"(?:(?:last|family)[ -]?names?|surnames?|apellidos?)"
_IS = r"\s*(?:[:=]|\bis\b|\bes\b|\bson\b)?\s*"
_PART = r"(?P<{}>[^\W\d_][^:=,;.\d]*?)"
_AND = r"(?:\s*[,;.]\s*(?:and|y)?\s*|\s+(?:and|y)\s+|\s+)(?:(?:his|her|su|the|el|los)\s+)?"
_LABELS = tuple(
    re.compile(
        rf"^(?:[^:,;]{{0,40}}\b)??{one}{_IS}{_PART.format(first)}{_AND}{other}{_IS}{_PART.format(last)}(?P<more>\s*[,;.!?].*)?$",
        re.IGNORECASE,
    )
    for one, other, first, last in ((_FIRST, _LAST, "given", "family"), (_LAST, _FIRST, "family", "given"))
)
_ALSO = frozenset({"de", "del", "la", "las", "los"})
_MORE_LABELS = re.compile(r"\b(?:middle|second|segundo|otro)\b", re.IGNORECASE)


def person_in(
    text: str, tokens: Sequence[Token], numbers: Numbers, gazetteer: Gazetteer, lexicon: Lexicon
) -> Parsed | NotParsed:
    """The one person whom a sentence is about."""
    sentence = Sentence(text, tokens, numbers, gazetteer, lexicon)
    labelled = _labelled(sentence)
    if labelled is not None:
        return labelled
    doubts: list[Reason] = []
    flipped = _comma(sentence)
    runs = [flipped[0]] if flipped is not None else _runs_of_others(sentence, doubts)
    whole = [run for run in runs if len(run.tokens) > 1]
    if len(whole) != 1 or len(runs) > 1:
        doubts.append("people" if len(runs) > 1 else "one word" if runs else "nothing")
    if not whole:
        return NotParsed(doubts[0])
    run = whole[0]
    if flipped is not None:
        given, family = flipped[1:]
    else:
        parts = parted(run.tokens, lexicon)
        given, family = parts.given, parts.family
        doubts += [parts.doubt] if parts.doubt is not None else []
    parameters: dict[str, str | int] = {"first_name": given, "last_name": family}
    name = Entity("name", " ".join(token.text for token in run.tokens), SURE, run.tokens[0].start, run.tokens[-1].end)
    country, country_doubt = _country(sentence, run)
    year, year_doubt = _year(sentence, run)
    if country is not None:
        parameters["country_of_birth"] = country.value
    if year is not None:
        parameters["birth_year"] = int(year.value)
    doubts += [doubt for doubt in (country_doubt, year_doubt, *_last_checks(sentence, run)) if doubt is not None]
    reading = Reading("name", {key: value for key, value in parameters.items() if value}, UNSURE if doubts else SURE)
    if doubts:
        return NotParsed(doubts[0], reading)
    place = _place_beside(sentence)
    entities = tuple(entity for entity in (name, country, year) if entity is not None)
    return Parsed(reading, entities, (place,) if place is not None else ())


def _runs_of_others(sentence: Sentence, doubts: list[Reason]) -> list[Run]:
    """The runs of name words that may be whom the sentence is about; adds what makes them doubtful to ``doubts``."""
    runs = []
    for found in sentence.runs():
        run, trimmed = sentence.trimmed(found)
        if trimmed:
            doubts.append("where the name ends")
        before = sentence.before(run.start, 3)
        if before and (
            sentence.lexicon.has("at", before[-1]) or before[-2:] in (("at", "the"), ("in", "the"), ("en", "el"))
        ):
            continue
        if before and before[-1] in {"from", "de", "del"} and run.start and sentence.is_origin(run.start - 1):
            continue
        if _is_self(before):
            doubts.append("people")
            continue
        if len(run.tokens) > 1 or sentence.is_surely_name(run):
            runs.append(run)
    if any(len(token.text) == 1 and token.is_capital for run in runs for token in run.tokens):
        doubts.append("where the name ends")
        runs = [Run(tuple(one for one in run.tokens if len(one.text) > 1), run.start, run.end) for run in runs]
    return runs


def _labelled(sentence: Sentence) -> Parsed | NotParsed | None:
    """``first name: X, last name: Y`` in either order, and nothing else."""
    if _MORE_LABELS.search(sentence.text):
        return None
    for labels in _LABELS:
        found = labels.match(sentence.text)
        if found is None:
            continue
        parts = {"first_name": found["given"].strip(), "last_name": found["family"].strip()}
        words = [cut(part) for part in parts.values()]
        if any(len(part) > 3 or any(word.fold in sentence.lexicon.grammar - _ALSO for word in part) for part in words):
            return None
        if (found["more"] or "").strip(" .,;!?"):
            return NotParsed("country", Reading("name", parts, UNSURE))
        entities = tuple(
            Entity("name", found[group].strip(), SURE, *found.span(group)) for group in ("given", "family")
        )
        return Parsed(Reading("name", parts, SURE), entities)
    return None


def _comma(sentence: Sentence) -> tuple[Run, str, str] | None:
    """The run, given names and surnames of "Surname, Given", where the tables say so of every word."""
    tokens, lexicon = sentence.tokens, sentence.lexicon
    for comma, token in enumerate(tokens):
        if token.text != ",":
            continue
        first, last = comma, comma + 1
        while first > 0 and (sentence.is_name(first - 1) or lexicon.has("particles", tokens[first - 1].fold)):
            first -= 1
        while last < len(tokens) and sentence.is_name(last):
            last += 1
        while first < comma and tokens[first].fold in {"a", "al", "y", "e"}:
            first += 1
        family, given = tokens[first:comma], tokens[comma + 1 : last]
        if not family or not given or len(family) + len(given) > MOST_WORDS:
            continue
        if _all_odds(lexicon, family, -1.0) and _all_odds(lexicon, given, 1.0):
            run = Run((*family, *given), first, last)
            return run, " ".join(word.text for word in given), " ".join(word.text for word in family)
    return None


def _all_odds(lexicon: Lexicon, words: Sequence[Token], sign: float) -> bool:
    """Whether every word is known, and rather a given name (``sign`` 1) or a surname (-1)."""
    named = [word for word in words if not lexicon.has("particles", word.fold)]
    return bool(named) and all(
        (found := lexicon.name_counts(word.fold)) is not None and found.odds * sign > 0 for word in named
    )


def _is_self(before: Sequence[str]) -> bool:
    """Whether what stands before a name makes it the speaker's own."""
    joined = " ".join(before)
    return bool(before) and (
        joined.endswith(("my name is", "me llamo", "this is", "name is", "i am", "i'm", "soy", "yo soy", "habla"))
        and not joined.endswith(("his name is", "her name is", "full name is", "whose name is"))
    )


def _place_beside(sentence: Sentence) -> str | None:
    """The place that a sentence about a person names, as it was written: from "at", "in" or "en" to the end."""
    for place, token in enumerate(sentence.tokens):
        if not sentence.lexicon.has("at", token.fold) or place + 1 >= len(sentence.tokens):
            continue
        phrase = sentence.text[sentence.tokens[place + 1].start :].strip(" ?.!¿¡")
        if place_of(phrase, sentence.gazetteer, sentence.lexicon) is not None:
            return phrase
        words = re.split(r"[.;?!]| from | born | de ", phrase)[0].strip(" ,")
        if words and words.split()[0][:1].isupper():
            return words
    return None


def _country(sentence: Sentence, run: Run) -> tuple[Entity | None, Reason | None]:
    """The one country of the sentence, and why it is not sure."""
    found: list[Entity] = []
    for place, token in enumerate(sentence.tokens):
        begins = sentence.country_at(place)
        if begins is None:
            is_country = token.fold in sentence.lexicon.countries or token.fold in sentence.lexicon.nationals
            if is_country and token not in run.tokens and not any(one.start <= token.start < one.end for one in found):
                return None, "country"
            continue
        country, count = begins
        last = sentence.tokens[place + count - 1]
        before = sentence.before(place, 2)
        if before and (sentence.lexicon.has("language", before[-1]) or before[-1] in {"my", "his", "her", "mi", "su"}):
            return None, "country"
        if token.fold in sentence.lexicon.languages_too and (not before or before[-1] not in {"from", "de", ","}):
            return None, "country"
        if any(one.value != country for one in found):
            return None, "country"
        found.append(Entity("country", country, SURE, token.start, last.end))
    if found:
        before_it = sentence.text[: found[0].start].rstrip()
        in_it = re.search(r"\b(?:at|in|en)$", before_it, re.IGNORECASE) is not None
        if in_it and not re.search(r"\b(?:born|nacid[oa]|naci[oó])\b.{0,30}$", before_it, re.IGNORECASE):
            said = sentence.text[found[0].start : found[0].end]
            # "in Georgia" is the state; any other country there may be where the person is, or is from.
            return None, None if fold(said) in sentence.lexicon.states else "country"
    return (found[0] if found else None), None


def _year(sentence: Sentence, run: Run) -> tuple[Entity | None, Reason | None]:
    """The year of birth, and why it is not sure: any other number in a sentence about a person makes it so."""
    years, numbers = sentence.numbers.years, [token for token in sentence.tokens if token.text[0].isdigit()]
    if not years:
        said = any(_BORN.search(sentence.text[: token.start]) for token in numbers)
        return None, "birth" if said else None
    if len({year.value for year in years}) > 1:
        return None, "birth"
    year = years[0]
    before = sentence.text[: year.start]
    behind = run.end < len(sentence.tokens) and before.rstrip(" ,(").endswith(run.tokens[-1].text)
    if not (_BORN.search(before) or behind or _country_behind(sentence, year)):
        return None, "birth"
    return year, None


def _country_behind(sentence: Sentence, year: Entity) -> bool:
    """Whether a year stands right behind a country: "from Honduras, 1990"."""
    before = sentence.text[: year.start].rstrip(" ,(").casefold()
    return any(before.endswith(name) for name in sentence.lexicon.countries)


def _last_checks(sentence: Sentence, run: Run) -> Iterator[Reason]:
    """Whatever makes the run doubtful."""
    lexicon, tokens = sentence.lexicon, sentence.tokens
    outside = [token for token in tokens if token not in run.tokens]
    near = {token.fold for token in (*tokens[max(0, run.start - 2) : run.start], *tokens[run.end : run.end + 1])}
    if any(lexicon.has("other", token.fold) for token in outside):
        yield "other name"
    if near & (lexicon.cues["negations"] | lexicon.cues["choices"]):
        yield "other name"
    if any(lexicon.has("facility", token.fold) for token in (*run.tokens, *tokens[run.end : run.end + 1])):
        yield "facility name"
    if place_of(" ".join(token.text for token in run.tokens), sentence.gazetteer, lexicon) is not None:
        yield "facility name"
    if not all(_edges(sentence, run, outside)):
        yield "where the name ends"


def _edges(sentence: Sentence, run: Run, outside: Sequence[Token]) -> Iterator[bool]:
    """Whether the run surely has all words of the name and no other: every condition that must hold."""
    lexicon, tokens = sentence.lexicon, sentence.tokens
    words = [token for token in run.tokens if not lexicon.has("particles", token.fold)]
    known = [lexicon.name_counts(token.fold) is not None for token in words]
    yield all(known) or any(token.fold in lexicon.cues["seek"] | lexicon.cues["kin"] for token in outside)
    yield len(run.tokens) <= MOST_WORDS
    beside = (
        [*tokens[run.start - 1 : run.start], *tokens[run.end : run.end + 1]]
        if run.start
        else tokens[run.end : run.end + 1]
    )
    yield not any(token.is_word and sentence.is_strange(token) for token in beside)
    if not sentence.mixed_case or all(token.text.islower() for token in run.tokens):
        first = lexicon.name_counts(run.tokens[0].fold)
        yield known[0] and known[-1]
        # In small letters a misspelt word may stand before the name.
        turned = any(token.text == "," for token in tokens[run.start : run.end])
        yield turned or len(known) <= 2 or (first is not None and first.odds > 0)
    yield not sentence.mixed_case or len({token.is_capital for token in words}) == 1
    after = tokens[run.end] if run.end < len(tokens) else None
    yield after is None or not lexicon.has("particles", after.fold) or _is_origin_behind(sentence, run)
    yield not any(one.is_word and one.fold == two.fold for one, two in pairwise(run.tokens))


def _is_origin_behind(sentence: Sentence, run: Run) -> bool:
    """Whether the particle behind a name surely belongs to what follows: a country, a region, another clause."""
    if run.end + 1 >= len(sentence.tokens):
        return False
    if sentence.tokens[run.end].fold in {"y", "e", "el", "la", "lo", "los", "las", "san", "santa", "do", "le"}:
        return not sentence.is_name(run.end + 1) and not sentence.tokens[run.end + 1].is_capital
    if sentence.tokens[run.end].fold not in {"de", "del"}:
        return False
    if sentence.country_at(run.end + 1) is not None:
        return True
    return sentence.is_origin(run.end) and not sentence.is_name(run.end + 1)
