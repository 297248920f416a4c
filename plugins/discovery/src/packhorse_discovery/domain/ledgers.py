"""What a sentence has named and counted so far, and what a number that comes then is of."""

from attrs import define, field

from packhorse_discovery.domain import absences, counted
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.counted import ALL, Token
from packhorse_discovery.domain.counts import Count
from packhorse_discovery.domain.number_phrases import NumberPhrase
from packhorse_discovery.domain.words import Words

_BEFORE_NUMBER = frozenset({"adverb", "have", "there", "subject", "be", "article", "unit"})


@define
class Ledger:
    """What a sentence has named and counted up to where it is read.

    ``knows`` says that the names of things are known, ``carried`` is what the
    sentence before named last and did not count, ``counted`` what was counted
    last before it.
    """

    words: Words
    knows: bool = False
    carried: Count | None = None
    counted: Count | None = None
    told: list[Count] = field(factory=list)
    loose: bool = False
    """Whether a number of two or more was read that is of nothing that was named."""
    _group: list[Count] = field(factory=list)
    """What was named last and has no number yet."""
    _last: Count | None = None
    _share: int | None = None
    """The number of all that follows: after "one each of"."""
    _every: Count | None = None
    _aside: bool = False
    """In a remark, until the next mark."""
    _placed: bool = False
    """In a place or the like, until something begins: "by the door"."""
    _recalled: Count | None = None
    """What a remark about the past, or about what is not, names: "we used to have three ovens"."""
    _concludes: bool = False

    def _of_noun(self, phrase: NumberPhrase) -> None:
        """A number with its noun: so many of it, more of it, or so many of what was named by more words."""
        if phrase.noun is None or (self.words.word(phrase.at - 1) in {"and", "plus"} and self._adds(phrase)):
            return
        part = self._part_of(phrase.noun)
        if part is None:
            self._tell(phrase.noun, phrase.many)
        else:
            part.many, self._last = phrase.many, part

    def _adds(self, phrase: NumberPhrase) -> bool:
        """Whether so many more of what was counted last are told of: "one oven downstairs and one oven upstairs"."""
        last = self._last
        if last is None or last.many is None or phrase.noun is None or phrase.many is None:
            return False
        if last.key != Count(phrase.noun, None).key or last.thing.before != phrase.noun.before:
            return False
        last.many += phrase.many
        return True

    def _part_of(self, thing: Token) -> Count | None:
        """What was named and is counted by a part of its name: "the kitchen table, well, one kitchen, one table"."""
        mine = set(stems(thing.text).split())
        for one in reversed(self._group or ([self._last] if self._last is not None else [])):
            if mine and mine < set(stems(one.thing.text).split()) and (one.many is None or one in self._group):
                return one
        return None

    def _tell(self, thing: Token, many: int | None) -> None:
        self._share = many if thing.name == ALL else self._share
        self._last = Count(thing, many, sure=many is not None, final=self._concludes)
        self.told.append(self._last)
        self._group, self._placed = [], False

    def _each(self, phrase: NumberPhrase) -> int:
        """``one each of ...``, or after what it is of: "saws and mills, two each"."""
        words, end = self.words, phrase.end
        follows = words.kind(end) in {"of", "thing", "article", "other"} or words.word(end) in {":", "-", "\u2013"}
        if self._concludes and not self._group and not follows and self.told:
            for one in self.told:
                one.count(phrase.many)  # "one saw and one mill for each of us, so two of each"
            return end
        if self._group and not follows:
            for one in self._group:
                one.count(phrase.many, together=True)
            self._last = self._group[-1]
        else:
            self._share, self._placed = phrase.many, False
            self.told = [one for one in self.told if one not in self._group]
            self._last = Count(counted.named(None, ALL), phrase.many)
            self._every = self._last if follows else None
            self.told.append(self._last)
        self._group = []
        return end + (words.kind(end) == "of")

    def _alone(self, phrase: NumberPhrase) -> int:
        """A number without a noun: of what was named last."""
        words, end = self.words, phrase.end
        follows = words.kind(end)
        if follows in {"subject", "there"} and words.kind(end + 1) in {"have", "be"}:
            end, follows = end + 2, words.kind(end + 2)  # "presses two we have"
        separator = words.beyond(phrase.at - 1, _BEFORE_NUMBER, -1)
        if follows in {"be", "past", "have", "modal", "verb", "it", "subject"} or (
            words.kind(phrase.at - 1) == "preposition" and self._placed
        ):
            self._aside = True  # "one was a present", "works on one of them"
            return end
        if not self._group and self._last is None:
            recalled = self._recalled if words.kind(separator) != "preposition" else None
            self._group = [one for one in (self.carried or recalled,) if one is not None]
            self.told += [one for one in self._group if one is recalled]
        if not self._group:
            last = self._last or self.counted
            if last is not None and self._concludes:
                last.many = phrase.many  # "there's four, but one broke, so it's three", "two. No, three."
            self._aside = follows == "preposition"
            self.loose = self.loose or (phrase.many or 0) > 1
            return end
        each, comma = follows == "each", words.word(separator) == ","
        if comma and not each:
            self._group = self._group[-1:]
        if len(self._group) > 1 and not each and phrase.many != 1:
            for one in self._group:
                one.bare = False  # "saws and mills: two": two of which, or of each?
        else:
            for one in self._group:
                one.count(phrase.many, together=each)
                self._share = phrase.many if one.thing.name == ALL else self._share
            self._last = self._group[-1]
        self._group = []
        return end + each

    def _ones(self, phrase: NumberPhrase) -> None:
        """``two big kilns and a small one``: one more; "two kilns, a big one and a small one": what they are like."""
        last, words = self._last, self.words
        if last is None or last.many is None:
            self._aside = True
            return
        joined = words.kind(phrase.at - 1) == "and" and words.kind(phrase.at - 2) != "number"
        if joined or (last.thing.before and words.kind(phrase.at - 1) == "mark"):
            last.many = None if phrase.many is None else last.many + phrase.many

    def _gone(self, at: int, many: int, *, least: int | None = None) -> bool:
        """Whether so many of what was counted last cannot work; then they are not counted.

        The one with a place ("the third") is of them where there are at
        ``least`` so many.
        """
        last = self._last
        if last is None or not last.many or not absences.away(self.words.after(at)):
            return False
        if least <= last.many if least is not None else many < last.many:
            last.many -= many
        return True

    def _same(self, at: int) -> int:
        """``same with the mill``: as many as of what was counted last."""
        like, words = self._last or self.counted, self.words
        many = like.many if like is not None else None
        if many is None:
            return at + 1
        if words.word(at + 1) not in {"with", "for", "goes"}:
            if self._group and words.kind(at + 1) in {"", "mark"}:
                return self._alone(NumberPhrase(many, "alone", at, at + 1))
            return at + 1
        at += 2
        while at < len(words.tokens) and words.kind(at) not in {"mark", "number", "have"}:
            if words.kind(at) == "thing":
                self._tell(words.tokens[at], many)
            at += 1
        return at
