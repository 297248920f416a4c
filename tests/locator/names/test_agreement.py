"""How much the kinds of agreement are worth."""

import pytest

from packhorse_locator.domain.names import agreement
from packhorse_locator.domain.names.agreement import CHANNELS, Kind


def test_every_kind_belongs_to_a_channel():
    assert set(CHANNELS) == set(Kind)


@pytest.mark.parametrize("worth", [agreement.one_edit, agreement.two_edits, agreement.prefix, agreement.same_shape])
def test_longer_words_prove_more(worth):
    values = [worth(length) for length in range(3, 12)]
    assert values == sorted(values)
    assert all(0 < value < 1 for value in values)


def test_one_edit_is_worth_more_than_two():
    assert all(agreement.one_edit(length) > agreement.two_edits(length) for length in range(3, 12))


def test_a_longer_common_skeleton_proves_more():
    assert agreement.same_sound(3, 0.8) > agreement.same_sound(2, 0.8) > agreement.same_sound(1, 0.8)


def test_a_native_word_proves_more_by_its_key_than_a_latin_one():
    assert agreement.same_foreign_sound(3, 0.5, native=True) > agreement.same_foreign_sound(3, 0.5, native=False)


@pytest.mark.parametrize(
    ("short", "word", "does"),
    [
        ("hndez", "hernandez", True),
        ("mtnz", "martinez", True),
        ("hndex", "hernandez", False),
        ("hz", "hz", False),
        ("zendh", "hernandez", False),
        ("hernandez", "hernandez", False),
    ],
)
def test_an_abbreviation_keeps_the_ends_and_the_order(short, word, does):
    assert agreement.abbreviates(short, word) is does
