"""Names that stand for one another."""

import pytest

from packhorse_locator.domain.names.families import Kin, kinship_of, stems_of
from packhorse_locator.search.fitted import kin_of, shipped_families


@pytest.mark.parametrize(
    ("written", "name", "how"),
    [
        ("pepe", "jose", Kin.NICKNAME),
        ("chuy", "jesus", Kin.NICKNAME),
        ("bill", "william", Kin.NICKNAME),
        ("zeca", "jose", Kin.NICKNAME),
        ("sasha", "aleksandr", Kin.NICKNAME),
        ("hdez", "hernandez", Kin.ABBREVIATION),
        ("gpe", "guadalupe", Kin.ABBREVIATION),
        ("mehmet", "mohammed", Kin.ROMANISATION),
        ("cheung", "zhang", Kin.ROMANISATION),
        ("agarwal", "aggarwal", Kin.ROMANISATION),
        ("pye", "pierre", Kin.ROMANISATION),
        ("mykhailo", "mikhail", Kin.COGNATE),
    ],
)
def test_the_tables_know_the_name_in_both_directions(written, name, how):
    assert kin_of(written)[name] is how
    assert kin_of(name)[written] is how


def test_two_nicknames_of_one_name_are_not_kin():
    assert "paco" not in kin_of("pancho")


def test_every_entry_is_plain_letters():
    assert all(word.isascii() and word.isalpha() and word.islower() for word in shipped_families())


def test_no_name_is_its_own_kin():
    assert not [word for word, kin in shipped_families().items() if word in kin]


def test_a_diminutive_gives_its_stem():
    assert stems_of("juanita") == {"juan"}
    assert stems_of("garcia") == frozenset()


def test_variants_of_a_head_are_no_kin_of_one_another_and_words_without_a_head_all_are():
    kin = kinship_of(["# nickname: remark", "jose: pepe chepe", "# cognate:", "john juan jean"])

    assert kin["pepe"] == {"jose": Kin.NICKNAME}
    assert kin["juan"] == {"john": Kin.COGNATE, "jean": Kin.COGNATE}
