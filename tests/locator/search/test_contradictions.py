"""A word that faces another word caps the confidence, says so, and never moves the order."""

import pytest

from packhorse_locator.search import NameIndex, NameQuery, Person
from packhorse_locator.search.pairs import scored

CROWD = [("Olga", "Smirnova"), ("Ahmed", "Hassan"), ("Maria", "Gonzalez"), ("Wei", "Chen"), ("Samuel", "Okafor")]


@pytest.fixture
def judged(tmp_path):
    """The match of one record for a query in one field, among a crowd."""

    def ask(asked: str, given: str, family: str):
        people = [Person(key=f"C{number}", given=one, family=other) for number, (one, other) in enumerate(CROWD)]
        with NameIndex.open(tmp_path) as index:
            index.build([*people, Person(key="R", given=given, family=family)], sequence=1)
            found = index.search(NameQuery(full=asked, threshold=0.0, limit=50)).matches
        return next((one for one in found if one.key == "R"), None)

    return ask


@pytest.mark.parametrize(
    ("asked", "given", "family", "verdict"),
    [
        ("Sergey Viktorovich Lavrov", "Sergey Ivanevich", "Lavrov", "viktorovich faces ivanevich"),
        ("Nasser Abdullah al-Tikriti", "Nasser Abdullah", "al-Mosuli", "tikriti faces mosuli"),
        ("Josephine O Connor", "Josephine Marie", "Connor", "o faces marie"),
        ("Pepe Pepe", "Jose", "Jose", "pepe~jose:a pet name in a surname"),
    ],
)
def test_a_contradicting_word_keeps_the_record_below_the_threshold_and_is_named(judged, asked, given, family, verdict):
    match = judged(asked, given, family)

    assert match is not None
    assert match.confidence <= 0.79
    assert verdict in match.reasons


@pytest.mark.parametrize(
    ("asked", "given", "family"),
    [
        ("Sergey Lavrov", "Sergey Viktorovich", "Lavrov"),
        ("Sergey Viktorovich Lavrov", "Sergey", "Lavrov"),
        ("Jon Maria Gonzalez", "John Maria", "Gonzalez"),
    ],
)
def test_a_word_that_one_side_merely_lacks_contradicts_nothing(judged, asked, given, family):
    match = judged(asked, given, family)

    assert match is not None
    assert not any(" faces " in reason for reason in match.reasons)


@pytest.mark.parametrize(
    ("asked", "given", "family"),
    [
        ("SergeiLavrov", "Sergei", "Lavrov"),
        ("President Sergei Lavrov", "Sergei", "Lavrov"),
        ("Senador Sergei Lavrov", "Sergei", "Lavrov"),
        ("김정은", "Jeong-eun", "Gim"),
        ("曾国藩", "Guofan", "Zeng"),
        ("单田芳", "Tianfang", "Shan"),
    ],
)
def test_joined_names_titles_and_surnames_of_other_scripts_are_read(judged, asked, given, family):
    match = judged(asked, given, family)

    assert match is not None
    assert not any(" faces " in reason or "not in the query" in reason for reason in match.reasons)


def test_pairs_are_judged_each_alone_among_others(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("name1,name2\nOlga Petrova,Olga Petrova\nOlga Petrova,Olga Petrova\nOlga Petrova,Wei Ming\n")
    people = [Person(key=f"C{number}", given=one, family=other) for number, (one, other) in enumerate(CROWD)]

    one, again, other = scored(file, iter(people))

    assert one.confidence == again.confidence > other.confidence
    assert one.reasons == ("olga~olga:exact", "petrova~petrova:exact")
