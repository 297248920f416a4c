"""What one sentence counts: "one mixer and four tubs", "drying cabinets, two as well", "a saw and a mill, one each"."""

import re

from attrs import define

from packhorse_discovery.domain import absences
from packhorse_discovery.domain.counted import ALL
from packhorse_discovery.domain.counts import Count, count_bare, in_turns, without_kinds
from packhorse_discovery.domain.ledgers import Ledger
from packhorse_discovery.domain.number_phrases import ANY, number_phrase

_SOMEBODY = re.compile(r"[A-Z][a-z]+ [a-z]+$")
"""A name and what its bearer does: "Sam broke one"."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CORRECTIONS = frozenset({"sorry", "wait", "rather", "correction"})
_BEFORE_NUMBER = frozenset({"adverb", "be", "have", "there", "subject", "it"})


@define
class Sentence(Ledger):
    """A reader of one sentence: it goes from token to token, and skips what only remarks on things."""

    _recalls: bool = False

    def read(self) -> list[Count]:
        """The things of the sentence, in their order."""
        tokens = self.words.tokens
        if turns := in_turns(tokens):
            return turns
        at = 0
        while at < len(tokens):
            at = self._skip(at) if self._aside else self._take(at)
        if self._every is not None and any(one.shares for one in self.told):
            self.told = [one for one in self.told if one is not self._every]
        count_bare(self.told)
        self.counted = self._last or self.counted
        return without_kinds(self.told) if self.knows else self.told

    def _skip(self, at: int) -> int:
        one, words = self.words.tokens[at], self.words
        by = words.word(at - 1) == "by" and bool(one.name)
        if one.kind == "mark":
            self._aside = False
            return at
        self._recalls = self._recalls or one.kind == "not"
        if one.kind == "thing" and (by or self._recalls):
            self._recalled = Count(one, None)
            if by:
                self._group = [self._recalled]  # "is done by Ruth"
                self.told.append(self._recalled)
        if one.kind == "and" and words.kind(at + 1) == "number":
            after = words.noun(at + 1)
            self._aside = after is None or not words.name(after)
        return at + 1

    def _take(self, at: int) -> int:
        one, words = self.words.tokens[at], self.words
        match one.kind:
            case "number":
                return self._number(at)
            case "thing":
                return self._thing(at)
            case "same":
                return self._same(at)
            case "it" | "relative" | "not" | "each" | "modal" | "past" | "verb" | "ordinal":
                return self._remark(at)
            case "preposition" | "of":
                if words.kind(at + 1) in {"it", "relative"} or words.word(at + 1) in {"those", "these", "them", "all"}:
                    return at + 2  # "of which": what was named
                self._placed = not (one.kind == "of" and words.kind(at - 1) in {"", "mark", "and", "adverb"})
            case "vague":
                noun = words.noun(at)
                if noun is not None and words.kind(at + 1) != "number":
                    self._tell(words.tokens[noun], None)
                    return noun + 1
            case "mark":
                self._placed = False
                if one.text == ":" and words.kind(at + 1) in {"thing", "article"}:
                    self._group = []
            case "adverb":
                self._concludes = self._concludes or one.text.casefold() in _CORRECTIONS
            case "have" | "there" | "subject" | "and":
                self._placed = False
                self._share = None if one.text.casefold() == "but" else self._share
            case "article":
                self._aside = one.text.casefold() == "that" and words.kind(at - 1) == "thing"
            case _:
                pass
        return at + 1

    def _remark(self, at: int) -> int:
        """What begins a remark, where it does: until the next mark nothing is counted."""
        one, words = self.words.tokens[at], self.words
        before = words.kind(at - 1)
        number = words.beyond(at + 1, _BEFORE_NUMBER)
        match one.kind:
            case "it" if words.kind(at + 1) == "be":
                number = words.beyond(at + 2, {"adverb", "article"})
                if words.name(number) == ALL:
                    return number  # "it's all singles"
                self._aside = words.kind(number) != "number" or words.tokens[number].article
                return at + 1 if self._aside else number
            case "relative" if words.kind(number) == "number" and (
                one.text.casefold() == "so" or words.kind(number + 1) in {"", "mark", "and"}
            ):
                self._concludes = one.text.casefold() == "so"
                return number  # "which number six", "so one engraver"
            case "ordinal":
                if words.kind(at + 1) not in {"mark", "number", "and"} or words.word(at + 1) == "one":
                    place = _ORDINALS.index(one.text.casefold()) + 1 if one.text.casefold() in _ORDINALS else 1
                    self._gone(at, 1, least=place)
                    self._aside = True
            case "modal" if words.kind(at + 1) == "have":
                pass  # "we do have"
            case "modal" | "past" | "verb":
                if before == "thing" and self._group and not self._placed:
                    actor = self._group.pop()  # what acts here is not listed
                    self.told = [other for other in self.told if other is not actor or actor.apart]
                self._aside = one.kind != "verb" or before not in {"subject", "it", "there"}
                self._placed = not self._aside
                self._recalls = one.kind == "past"
            case "not":
                self._aside = self._recalls = True
            case _:
                self._aside = True
        return at + 1

    def _thing(self, at: int) -> int:
        one, words = self.words.tokens[at], self.words
        before, after = words.kind(at - 1), words.kind(at + 1)
        acts = not one.name and after in {"it", "subject"} and not words.word(at + 2).startswith("ha")
        if self._placed or acts:
            return at + 1
        if words.is_predicate(at) and not one.name and self._group:
            if before == "adverb" and ANY.fullmatch(one.text):
                return at + 1  # "the saws are the only thing we've two of"
            if not self._group[-1].thing.name:
                self.told = [other for other in self.told if other not in self._group]
            self._group, self._aside = [], True
            return at
        like_those = words.word(at + 1) == "one" and words.kind(at + 2) != "thing" and before in {"article", "other"}
        somebody = self.knows and at and not one.name and after == "number" and _SOMEBODY.match(one.text)
        gone = before in {"", "mark"} and after == "be" and absences.away(words.after(at + 1))
        if (like_those and not one.name) or somebody or gone:
            self._aside = True
            return at + 1
        bare = words.stands_alone(at) and not one.plural
        new = Count(one, self._share, bare=bare, closes=words.closes_list(at), apart=words.is_apart(at))
        if self._share is not None:
            if one.name == ALL:
                return at + 1
            new.shares, self._group = True, [new]
        else:
            self._group = [*self._group, new] if words.goes_on(at) else [new]
        self.told.append(new)
        return at + 1

    def _number(self, at: int) -> int:
        words = self.words
        if not self._group and self._last is not None:
            many = words.tokens[at].value
            if self._gone(at, many) or absences.works(words.after(at)):
                if not absences.away(words.after(at)):
                    self._last.many = many
                self._aside = True
                return at + 1
        if words.word(at) == "no" and words.kind(at + 1) == "mark":
            self._concludes = True
            return at + 1
        phrase = number_phrase(words, at, knows=self.knows)
        match phrase.of:
            case "pronoun":
                self._aside = True
            case "remark":
                if phrase.partitive:
                    self._gone(phrase.end - 1, phrase.many or 0)
                self._aside = True
            case "each":
                return self._each(phrase)
            case "ones":
                self._ones(phrase)
            case "any" if self._group:
                return self._alone(phrase)
            case "alone":
                return self._alone(phrase)
            case "noun":
                self._of_noun(phrase)
            case _:
                pass
        return phrase.end
