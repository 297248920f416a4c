"""Which words agree, which contradict, and what is left over."""

from attrs import frozen

from packhorse_locator.domain.names.agreement import Kind
from packhorse_locator.domain.names.evidence import (
    FEATURES,
    Question,
    RecordName,
    align,
    features_of,
    gendered,
    is_exact,
)
from packhorse_locator.domain.names.folding import words_of
from packhorse_locator.domain.names.readings import Reading

WORDS = ["maria", "jose", "garcia", "lopez", "pepe", "sanchez"]
KNOWN = {"marta": 4.0, "soto": 3.0}


@frozen
class Likeness:
    kind: Kind
    similarity: float
    surprise: float = 5.0


def question(first: str, last: str, **likes: dict[str, Likeness]) -> Question:
    reading = Reading(words_of(first, family=False), words_of(last, family=True))
    texts = tuple(word.text for word in reading.telling)
    likenesses = []
    for text in texts:
        agreeing = {WORDS.index(text): Likeness(Kind.EXACT, 1.0)} if text in WORDS else {}
        agreeing |= {WORDS.index(other): like for other, like in likes.get(text, {}).items()}
        likenesses.append(agreeing)
    known = tuple(KNOWN.get(text, 0.0) for text in texts)
    return Question(reading, texts, len(reading.given), tuple(likenesses), (False,) * len(texts), known)


def record_name(given: str, family: str) -> RecordName:
    texts = (*given.split(), *family.split())
    joined = given.replace(" ", ""), family.replace(" ", "")
    return RecordName(tuple(WORDS.index(text) for text in texts), texts, len(given.split()), joined)


def evidence(asked: Question, held: RecordName) -> dict[str, float]:
    return dict(zip(FEATURES, features_of(asked, held, align(asked, held)), strict=True))


def test_equal_names_are_exact_and_undamaged():
    asked, held = question("María José", "García"), record_name("maria jose", "garcia")
    found = evidence(asked, held)
    assert is_exact(asked, held, align(asked, held))
    assert (found["all_exact"], found["damage_given"], found["conflicts_given"]) == (1.0, 0.0, 0.0)
    assert found["alike_whole"] == 1.0


def test_a_word_is_paired_only_once():
    alignment = align(question("María", "García"), record_name("maria maria", "garcia"))
    assert len(alignment.pairs) == 2


def test_swapped_fields_are_recognised():
    found = evidence(question("García", "María"), record_name("maria", "garcia"))
    assert found["swapped"] == 1.0
    assert found["crossed"] == 0.0


def test_a_different_word_is_a_conflict_and_a_missing_one_is_left_over():
    different = evidence(question("María", "Sánchez"), record_name("maria", "lopez"))
    missing = evidence(question("María", "García"), record_name("maria", "garcia lopez"))
    assert (different["conflicts_family"], different["held_left_family"]) == (1.0, 0.0)
    assert (missing["conflicts_family"], missing["held_left_family"]) == (0.0, 1.0)


def test_an_initial_agrees_without_damage():
    found = evidence(question("M.", "García"), record_name("maria", "garcia"))
    assert (found["initials"], found["given_by_initial"], found["damage_given"]) == (1.0, 1.0, 0.0)


def test_a_known_nickname_does_not_make_the_fields_look_different():
    nickname = {"pepe": {"jose": Likeness(Kind.NICKNAME, 0.9)}}
    assert evidence(question("Pepe", "García", **nickname), record_name("jose", "garcia"))["alike_given"] == 1.0


def test_the_best_of_several_agreements_is_kept():
    likes = {"pepe": {"jose": Likeness(Kind.NICKNAME, 0.9), "maria": Likeness(Kind.NEAR, 0.6)}}
    alignment = align(question("Pepe", "García", **likes), record_name("maria jose", "garcia"))
    assert {pair.held for pair in alignment.pairs} == {1, 2}


def test_a_word_that_is_a_name_itself_is_weighed_as_such_where_it_only_resembles_another():
    likes = {word: {"maria": Likeness(Kind.EDIT_ONE, 0.9)} for word in ("marta", "mraia")}
    name = evidence(question("Marta", "García", **likes), record_name("maria", "garcia"))
    slip = evidence(question("Mraia", "García", **likes), record_name("maria", "garcia"))
    left = evidence(question("María", "Soto"), record_name("maria", "lopez"))
    assert (name["known_look_given"], slip["known_look_given"]) == (4.0, 0.0)
    assert name["known_sound_given"] == name["known_look_family"] == 0.0
    assert (left["known_left_family"], left["known_left_given"]) == (3.0, 0.0)


def test_an_ending_that_tells_women_from_men_is_told_from_a_typing_error():
    assert gendered("dario", "daria")
    assert gendered("arun", "aruna")
    assert not gendered("dario", "mario")
    assert not gendered("ana", "ana")
