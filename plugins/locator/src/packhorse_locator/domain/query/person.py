"""One person in a sentence: exactly one run of name words, the country, the year of birth, and a place beside it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import field, frozen

from packhorse_locator.domain.query.lexicon import Lexicon
from packhorse_locator.domain.query.names import parted
from packhorse_locator.domain.query.numbers import Numbers
from packhorse_locator.domain.query.parsed import Entity, NotParsed, Parsed, Reading, Reason
from packhorse_locator.domain.query.places import Gazetteer, place_of
from packhorse_locator.domain.query.tokens import Token, cut, fold

SURE = 0.93
UNSURE = 0.5
CAPITAL = 4.0
"""Worth, as a name word, of a capital letter inside a sentence that is not in capitals throughout."""
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


@frozen
class _Run:
    """Words that follow one another and are all of a name; ``start`` and ``end`` count tokens, ``end`` exclusive."""

    tokens: tuple[Token, ...]
    start: int
    end: int


@frozen
class _Sentence:
    """A sentence with what every check asks of it."""

    text: str
    tokens: Sequence[Token]
    numbers: Numbers
    gazetteer: Gazetteer
    lexicon: Lexicon
    mixed_case: bool = field(init=False)

    @mixed_case.default
    def _is_mixed(self) -> bool:
        small = any(token.text.islower() and len(token.text) > 1 for token in self.tokens)
        return small and any(token.is_capital for token in self.tokens[1:] if token.is_word)

    def is_name(self, place: int) -> bool:
        """Whether the word at a place is rather of a name."""
        token, lexicon = self.tokens[place], self.lexicon
        if not token.is_word or token.fold in lexicon.grammar:
            return False
        if lexicon.has("facility", token.fold) or self.country_at(place) is not None:
            return False
        worth = lexicon.worth_as_name(token.fold)
        if self.mixed_case and token.is_capital and place:
            worth = max(worth, -CAPITAL) + CAPITAL
        return worth > 0

    def country_at(self, place: int) -> tuple[str, int] | None:
        """A country or a nationality that begins at a place, and how many words it has; "China" after a name is one."""
        for count in (4, 3, 2, 1):
            words = self.tokens[place : place + count]
            if len(words) < count:
                continue
            phrase = " ".join(word.fold for word in words)
            country = self.lexicon.countries.get(phrase) or self.lexicon.nationals.get(phrase)
            if country is not None and not (count == 1 and self._is_rather_a_name(place)):
                return country, count
        return None

    def _is_rather_a_name(self, place: int) -> bool:
        """Whether a word that is a country or nation too stands where a name does: "Jordan Smith", "Israel Lopez"."""
        before = self.tokens[place - 1].fold if place else ""
        if before in {
            "from",
            "de",
            ",",
            ".",
            "of",
            "birth",
            "nacimiento",
            "origin",
            "origen",
            "in",
            "en",
        } or self.lexicon.has("kin", before):
            return False
        found = self.lexicon.bearers(self.tokens[place].fold)
        return found is not None and max(found.given, found.family) > 7.0  # a thousand bearers

    def runs(self) -> Iterator[_Run]:
        """Every maximal run of name words, with particles between two of them."""
        place = 0
        while place < len(self.tokens):
            country = self.country_at(place)
            if country is not None or not self.is_name(place):
                place += country[1] if country is not None else 1
                continue
            end = place + 1
            while end < len(self.tokens):
                if self.is_name(end):
                    end += 1
                    continue
                if self.is_initial(end):
                    end += 2
                    continue
                after = end
                while after < len(self.tokens) and self.lexicon.has("particles", self.tokens[after].fold):
                    after += 1
                if after == end or after >= len(self.tokens) or self.is_origin(end):
                    break
                if not (self.is_name(after) or self.lexicon.has("devotional", self.tokens[after].fold)):
                    break
                if self.tokens[end].fold in {"y", "e"} and not self.is_surname(after):
                    break
                end = after + 1
            yield _Run(tuple(self.tokens[place:end]), place, end)
            place = end

    def is_initial(self, place: int) -> bool:
        """Whether a capital with a full stop stands at a place, and a name behind it."""
        letter = self.tokens[place]
        behind = self.tokens[place + 1 : place + 3]
        return (
            len(letter.text) == 1
            and letter.is_capital
            and len(behind) == 2
            and behind[0].text == "."
            and self.is_name(place + 2)
        )

    def is_surname(self, place: int) -> bool:
        """Whether the word at a place is rather a surname than a given name."""
        found = self.lexicon.bearers(self.tokens[place].fold)
        return found is not None and found.odds < -1.0

    def is_origin(self, place: int) -> bool:
        """Whether a country, a region or a town begins behind a word such as "de" at a place."""
        if self.tokens[place].fold not in {"de", "del", "from"}:
            return False
        if place + 1 >= len(self.tokens) or self.country_at(place + 1) is not None:
            return True
        for count in (3, 2, 1):
            phrase = " ".join(token.fold for token in self.tokens[place + 1 : place + 1 + count])
            if phrase in self.lexicon.regions or any(phrase == town.casefold() for town, _ in self.gazetteer.towns):
                return True
        return False

    def before(self, place: int, count: int = 1) -> tuple[str, ...]:
        """The folded words before a place, the nearest last."""
        return tuple(token.fold for token in self.tokens[max(0, place - count) : place])


def person_in(
    text: str, tokens: Sequence[Token], numbers: Numbers, gazetteer: Gazetteer, lexicon: Lexicon
) -> Parsed | NotParsed:
    """The one person whom a sentence is about."""
    sentence = _Sentence(text, tokens, numbers, gazetteer, lexicon)
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


def _runs_of_others(sentence: _Sentence, doubts: list[Reason]) -> list[_Run]:
    """The runs of name words that may be whom the sentence is about; adds what makes them doubtful to ``doubts``."""
    runs = []
    for found in sentence.runs():
        run, trimmed = _trimmed(sentence, found)
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
        if len(run.tokens) > 1 or _is_surely_name(sentence, run):
            runs.append(run)
    if any(len(token.text) == 1 and token.is_capital for run in runs for token in run.tokens):
        doubts.append("where the name ends")
        runs = [_Run(tuple(one for one in run.tokens if len(one.text) > 1), run.start, run.end) for run in runs]
    return runs


def _labelled(sentence: _Sentence) -> Parsed | NotParsed | None:
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


def _trimmed(sentence: _Sentence, run: _Run) -> tuple[_Run, bool]:
    """A run without small words at its edges where the rest has capitals, and whether there were any."""
    if not sentence.mixed_case or not any(token.is_capital for token in run.tokens):
        return run, False
    tokens = list(run.tokens)
    start = end = 0
    while not tokens[start].is_capital:
        start += 1
    while not tokens[len(tokens) - 1 - end].is_capital:
        end += 1
    return _Run(tuple(tokens[start : len(tokens) - end]), run.start + start, run.end - end), bool(start or end)


def _is_surely_name(sentence: _Sentence, run: _Run) -> bool:
    """Whether a single word is a name rather than a word that is only not known."""
    token = run.tokens[0]
    known = sentence.lexicon.bearers(token.fold) is not None
    if token.fold in sentence.lexicon.states or token.fold in sentence.lexicon.regions:
        return False
    if any(token.fold == town.casefold() for town, _ in sentence.gazetteer.towns):
        return False
    return known and (token.is_capital if sentence.mixed_case else sentence.lexicon.zipf.get(token.fold) is None)


def _comma(sentence: _Sentence) -> tuple[_Run, str, str] | None:
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
            run = _Run((*family, *given), first, last)
            return run, " ".join(word.text for word in given), " ".join(word.text for word in family)
    return None


def _all_odds(lexicon: Lexicon, words: Sequence[Token], sign: float) -> bool:
    """Whether every word is known, and rather a given name (``sign`` 1) or a surname (-1)."""
    named = [word for word in words if not lexicon.has("particles", word.fold)]
    return bool(named) and all(
        (found := lexicon.bearers(word.fold)) is not None and found.odds * sign > 0 for word in named
    )


def _is_self(before: Sequence[str]) -> bool:
    """Whether what stands before a name makes it the speaker's own."""
    joined = " ".join(before)
    return bool(before) and (
        joined.endswith(("my name is", "me llamo", "this is", "name is", "i am", "i'm", "soy", "yo soy", "habla"))
        and not joined.endswith(("his name is", "her name is", "full name is", "whose name is"))
    )


def _place_beside(sentence: _Sentence) -> str | None:
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


def _country(sentence: _Sentence, run: _Run) -> tuple[Entity | None, Reason | None]:
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


def _year(sentence: _Sentence, run: _Run) -> tuple[Entity | None, Reason | None]:
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


def _country_behind(sentence: _Sentence, year: Entity) -> bool:
    """Whether a year stands right behind a country: "from Honduras, 1990"."""
    before = sentence.text[: year.start].rstrip(" ,(").casefold()
    return any(before.endswith(name) for name in sentence.lexicon.countries)


def _last_checks(sentence: _Sentence, run: _Run) -> Iterator[Reason]:
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


def _edges(sentence: _Sentence, run: _Run, outside: Sequence[Token]) -> Iterator[bool]:
    """Whether the run surely has all words of the name and no other: every condition that must hold."""
    lexicon, tokens = sentence.lexicon, sentence.tokens
    words = [token for token in run.tokens if not lexicon.has("particles", token.fold)]
    known = [lexicon.bearers(token.fold) is not None for token in words]
    yield all(known) or any(token.fold in lexicon.cues["seek"] | lexicon.cues["kin"] for token in outside)
    yield len(run.tokens) <= MOST_WORDS
    beside = (
        [*tokens[run.start - 1 : run.start], *tokens[run.end : run.end + 1]]
        if run.start
        else tokens[run.end : run.end + 1]
    )
    yield not any(token.is_word and _is_strange(sentence, token) for token in beside)
    if not sentence.mixed_case or all(token.text.islower() for token in run.tokens):
        first = lexicon.bearers(run.tokens[0].fold)
        yield known[0] and known[-1]
        # In small letters a misspelt word may stand before the name.
        turned = any(token.text == "," for token in tokens[run.start : run.end])
        yield turned or len(known) <= 2 or (first is not None and first.odds > 0)
    yield not sentence.mixed_case or len({token.is_capital for token in words}) == 1
    after = tokens[run.end] if run.end < len(tokens) else None
    yield after is None or not lexicon.has("particles", after.fold) or _is_origin_behind(sentence, run)
    yield not any(one.is_word and one.fold == two.fold for one, two in pairwise(run.tokens))


def _is_origin_behind(sentence: _Sentence, run: _Run) -> bool:
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


def _is_strange(sentence: _Sentence, token: Token) -> bool:
    """Whether a word beside a name is neither grammar nor an ordinary word, so that it may belong to the name."""
    lexicon = sentence.lexicon
    if token.fold in lexicon.grammar or lexicon.has("particles", token.fold) or lexicon.has("at", token.fold):
        return False
    if sentence.country_at(sentence.tokens.index(token)) is not None:
        return False
    if not sentence.mixed_case or token.is_capital:
        return True  # in small letters, or with a capital of its own, any word may go on with the name
    return lexicon.zipf.get(token.fold) is None
