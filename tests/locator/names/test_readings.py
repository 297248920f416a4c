"""The ways in which a written name can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_locator.domain.names.readings import MOST_READINGS, readings_of

KNOWN = {"jean": 5, "pierre": 4, "delacruz": 2, "cruz": 9, "garcia": 50, "villegas": 3, "zedillo": 2, "ana": 7}


def read(first: str = "", last: str = "", full: str = "") -> list[tuple[str, str]]:
    readings = readings_of(first, last, full, lambda word: KNOWN.get(word, 0))
    return [(" ".join(w.text for w in r.given), " ".join(w.text for w in r.family)) for r in readings]


def test_the_literal_reading_comes_first():
    assert read("Ana", "García")[0] == ("ana", "garcia")


@pytest.mark.parametrize(
    ("first", "last", "reading"),
    [
        pytest.param("Ana", "de la Cruz", ("ana", "delacruz"), id="joined as the registry has it"),
        pytest.param("Ana", "Dezedillo", ("ana", "de zedillo"), id="a glued particle"),
        pytest.param("Jeanpierre", "Cruz", ("jean pierre", "cruz"), id="two given names in one word"),
        pytest.param("Ana", "Delvillegaszedillo", ("ana", "del villegas zedillo"), id="particle and two surnames"),
    ],
)
def test_words_are_joined_or_parted_to_words_of_the_registry(first, last, reading):
    assert reading in read(first, last)


def test_a_known_word_is_never_parted():
    assert read("Ana", "Delacruz") == [("ana", "delacruz")]


def test_a_whole_name_is_cut_at_every_place():
    assert set(read(full="Jean Pierre Cruz")) >= {("jean", "pierre cruz"), ("jean pierre", "cruz")}


def test_a_comma_puts_the_surname_first():
    assert read(full="Cruz, Jean") == [("jean", "cruz")]
    assert read(last="Cruz, Jean") == [("jean", "cruz")]


def test_a_whole_chinese_name_begins_with_the_surname():
    assert ("wang", "xiuying") in read(full="王秀英")


def test_a_name_without_letters_has_no_reading():
    assert read("--", "FNU") == []


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=100))
def test_there_are_never_more_readings_than_the_limit_and_each_has_a_word(first, last, full):
    readings = readings_of(first, last, full, lambda word: len(word) % 3)
    assert len(readings) <= MOST_READINGS
    assert all(reading.telling for reading in readings)
    assert len({(r.given, r.family) for r in readings}) == len(readings)
