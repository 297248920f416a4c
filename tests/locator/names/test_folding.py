"""From a name as written to plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_locator.domain.names.folding import words_of


def texts(text: str, *, family: bool = True) -> list[str]:
    return [word.text for word in words_of(text, family=family)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("MUÑOZ", ["munoz"], id="case and accents"),
        pytest.param("Mun\u0303oz", ["munoz"], id="decomposed"),
        pytest.param("Pe\u200brez\u202e", ["perez"], id="invisible and bidi characters"),
        pytest.param("\uff30\uff25\uff32\uff25\uff3a", ["perez"], id="full width"),
        pytest.param("G\u0430rc\u00eda", ["garcia"], id="a Cyrillic letter in a Latin word"),
        pytest.param("MuÃ±oz", ["munoz"], id="UTF-8 read as Latin-1"),
        pytest.param("B\u00e1\u00ba\u00a3o", ["bao"], id="three bytes read as Latin-1"),
        pytest.param("\u00c1\u00f1ez", ["anez"], id="accents that only look like it"),
        pytest.param("G0nza1ez", ["gonzalez"], id="digits for letters"),
        pytest.param("O'Neill", ["oneill"], id="apostrophe"),
        pytest.param("Jean-Baptiste", ["jean", "baptiste"], id="hyphen parts"),
        pytest.param("P E R E Z", ["perez"], id="spelled out"),
        pytest.param("Жуков", ["zhukov"], id="Cyrillic"),
        pytest.param("الحسن", ["hsn"], id="Arabic without its article"),
        pytest.param("王", ["wang"], id="Chinese"),
        pytest.param("Sr. López Jr.", ["lopez"], id="titles go"),
        pytest.param("FNU", [], id="a placeholder is no name"),
        pytest.param("¡!¿? ---", [], id="no letters"),
    ],
)
def test_a_surname_is_folded_to_plain_words(written, expected):
    assert texts(written) == expected


def test_particles_are_kept_but_marked():
    assert [(w.text, w.particle) for w in words_of("de la Cruz", family=True)] == [
        ("de", True),
        ("la", True),
        ("cruz", False),
    ]


def test_a_field_of_particles_alone_is_a_name():
    assert [(w.text, w.particle) for w in words_of("Lê", family=True)] == [("le", False)]


def test_a_title_alone_is_a_name():
    assert texts("Don", family=False) == ["don"]


def test_a_single_y_is_a_particle_in_a_surname_and_an_initial_in_a_given_name():
    assert [w.particle for w in words_of("Ortega y Gasset", family=True)] == [False, True, False]
    assert [w.particle for w in words_of("Ana Y", family=False)] == [False, False]


def test_a_word_from_another_alphabet_says_so():
    assert [w.native for w in words_of("Жуков Smith", family=True)] == [True, False]


@given(st.text(max_size=60), st.booleans())
def test_any_text_folds_to_lower_case_latin_letters(text, family):
    assert all(word.text and word.text.isascii() and word.text.isalpha() for word in words_of(text, family=family))


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9), max_size=4))
def test_folding_again_changes_nothing(parts):
    once = texts(" ".join(parts))
    assert texts(" ".join(once)) == once
