"""The words of the registry and their expansion."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from packhorse_locator.domain.names.folding import Word
from packhorse_locator.search.expansion import Switches, expand, looking_like
from packhorse_locator.search.vocabulary import Chunk, Vocabulary

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.lists(st.text(LETTERS, min_size=1, max_size=9), min_size=1, max_size=12, unique=True)


def vocabulary_of(words: list[str]) -> Vocabulary:
    vocabulary = Vocabulary()
    vocabulary.extend([Chunk.of(words, 0)])
    return vocabulary


@given(
    st.text("abcde", min_size=3, max_size=8),
    st.lists(st.text("abcde", min_size=3, max_size=8), min_size=1, unique=True),
)
def test_the_letter_filter_loses_no_word_at_one_or_two_edits(word, words):
    found = {number for number, *_ in looking_like(word, vocabulary_of(words))}
    most = 2 if len(word) >= 6 else 1
    assert {n for n, other in enumerate(words) if 1 <= OSA.distance(word, other) <= most} <= found


@given(WORDS, st.text(LETTERS, min_size=1, max_size=4))
def test_the_words_that_begin_with_letters_are_all_found(words, start):
    assert vocabulary_of(words).beginning_with(start) == sorted(w for w in words if w.startswith(start))


@given(WORDS, WORDS)
def test_words_that_come_later_are_found_like_the_first(early, late):
    late = [word for word in late if word not in early]
    at_once, in_turn = vocabulary_of([*early, *late]), vocabulary_of(early)
    in_turn.extend([Chunk.of(late, len(early))])
    assert in_turn.words == at_once.words
    for word in at_once.words:
        assert sorted(looking_like(word, in_turn)) == sorted(looking_like(word, at_once))


def test_a_rarer_agreement_is_more_surprising():
    vocabulary = vocabulary_of(["garcia", "etxeberria"])
    counts = np.array([900, 1])
    common = expand(Word("garcia"), vocabulary, counts, 1_000, Switches())
    rare = expand(Word("etxeberria"), vocabulary, counts, 1_000, Switches())
    assert rare.likenesses[1].surprise > common.likenesses[0].surprise


def test_a_crowd_of_similar_words_makes_each_agreement_prove_less():
    alone = expand(Word("marta"), vocabulary_of(["marta", "karta"]), np.array([1, 1]), 1_000, Switches())
    crowd = ["marta", "karta", "maria", "marla", "parta"]
    crowded = expand(Word("marta"), vocabulary_of(crowd), np.array([1, 1, 300, 300, 300]), 1_000, Switches())
    assert crowded.likenesses[1].surprise < alone.likenesses[1].surprise


def test_words_that_no_name_bears_any_more_are_not_offered():
    expansion = expand(Word("marta"), vocabulary_of(["marta", "mirta"]), np.array([0, 1]), 1_000, Switches())
    assert set(expansion.likenesses) == {1}
