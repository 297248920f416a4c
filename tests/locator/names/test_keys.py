"""Keys under which words that sound or look alike meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_locator.domain.names.keys import MOST_ALTERNATIVES, keys_of


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        pytest.param("sound", "gonzalez", "gonsales", id="Spanish z and s"),
        pytest.param("sound", "velasquez", "belazkes", id="Spanish v, qu and z"),
        pytest.param("sound", "jose", "hose", id="English ear, Spanish j"),
        pytest.param("sound", "guadalupe", "wadalupe", id="gua and wa"),
        pytest.param("sound", "castillo", "castiyo", id="ll and y"),
        pytest.param("sound", "philippe", "filip", id="ph and f"),
        pytest.param("slavic", "zhukov", "schukow", id="German Cyrillic"),
        pytest.param("slavic", "khrushchev", "chruschtschow", id="German kh and shch"),
        pytest.param("slavic", "shcherbakov", "chtcherbakov", id="French shch"),
        pytest.param("slavic", "ivanov", "ivanova", id="a woman's ending"),
        pytest.param("arabic", "mohammed", "mhmd", id="Arabic without vowels"),
        pytest.param("arabic", "alnajjar", "naggar", id="article and Egyptian g"),
        pytest.param("arabic", "abdulrahman", "abderrahmane", id="servant of"),
        pytest.param("arabic", "qasim", "kassem", id="q and k"),
        pytest.param("indic", "sharma", "srma", id="Devanagari without vowels"),
        pytest.param("indic", "vijay", "wijai", id="v and w"),
        pytest.param("shape", "romero", "rornero", id="rn read for m"),
        pytest.param("shape", "dario", "clario", id="cl read for d"),
    ],
)
def test_spellings_of_one_name_share_a_key(kind, one, other):
    assert getattr(keys_of(one), kind) & getattr(keys_of(other), kind)


@pytest.mark.parametrize(
    ("one", "other"), [("garcia", "lopez"), ("mohammed", "rashid"), ("ivanov", "petrov"), ("sharma", "gupta")]
)
def test_different_names_share_no_key(one, other):
    ours, theirs = keys_of(one), keys_of(other)
    assert not any(getattr(ours, kind) & getattr(theirs, kind) for kind in ("sound", "slavic", "arabic", "indic"))


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=40))
def test_no_word_has_more_keys_of_a_kind_than_the_limit(word):
    keys = keys_of(word)
    assert all(1 <= len(getattr(keys, kind)) <= 2 * MOST_ALTERNATIVES for kind in ("sound", "slavic", "indic", "shape"))


@given(st.text("bdfkpst", min_size=3, max_size=12))
def test_double_letters_count_once(word):
    assert keys_of(word[0] + word).shape == keys_of(word).shape
