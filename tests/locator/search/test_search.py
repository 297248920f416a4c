"""What a search finds, and what it says about it."""

import pytest

from packhorse_locator.search import NameQuery


def keys(outcome):
    return [match.key for match in outcome.matches]


@pytest.mark.parametrize(
    ("first", "last", "key"),
    [
        pytest.param("jose luis", "gonzalez perez", "R1", id="case and accents"),
        pytest.param("Jose", "Gonzales Peres", "R1", id="misspelled double surname"),
        pytest.param("Pepe", "González Pérez", "R1", id="nickname"),
        pytest.param("González Pérez", "José Luis", "R1", id="fields swapped"),
        pytest.param("José", "Pérez González", "R1", id="surnames reversed"),
        pytest.param("José", "Glez. Pérez", "R1", id="abbreviation"),
        pytest.param("J. L.", "González Pérez", "R1", id="initials"),
        pytest.param("Juan Carlos", "Delacruz", "R2", id="particles joined"),
        pytest.param("Juan", "Cruz", "R2", id="particles left out"),
        pytest.param("Muhammad", "El Naggar", "R3", id="another romanisation"),
        pytest.param("محمد", "النجار", "R3", id="Arabic letters"),
        pytest.param("Gpe", "Hdez Soto", "R4", id="two abbreviations"),
        pytest.param("Олександр", "Жуков", "R5", id="Cyrillic letters"),
        pytest.param("Sasha", "Schukow", "R5", id="Russian short name, German spelling"),
        pytest.param("秀英", "张", "R6", id="Chinese letters"),
        pytest.param("Xiu Ying", "Cheung", "R6", id="parted given name, Cantonese surname"),
        pytest.param("Marie Ange", "Jan Batis", "R7", id="Haitian Creole spelling"),
        pytest.param("FNU", "Tzunun", "R8", id="a single name"),
        pytest.param("Harprit", "Sindhu", "R11", id="Indic spelling"),
        pytest.param("An\u0430", "Cast\u200billo", "R12", id="look-alike letter and invisible character"),
        pytest.param("Ana", "Casti1lo", "R12", id="digit for letter"),
        pytest.param("Ana", "Castlllo", "R12", id="misread letter"),
    ],
)
def test_the_right_person_comes_first(ask, first, last, key):
    assert keys(ask(first, last))[0] == key


@pytest.mark.parametrize("full", ["Guadalupe Hernández Soto", "Hernández Soto, Guadalupe", "hernandez guadalupe"])
def test_a_whole_name_is_found_in_any_order(index, full):
    assert keys(index.search(NameQuery(full=full, threshold=0.0)))[0] == "R4"


def test_an_exact_name_is_sure_and_says_so(ask):
    best = ask("José Luis", "González Pérez").matches[0]
    assert best.confidence > 0.95
    assert best.exact
    assert best.reasons == (
        "jose~jose:exact",
        "luis~luis:exact",
        "gonzalez~gonzalez:exact",
        "perez~perez:exact",
    )


def test_reasons_name_the_channel_and_what_is_missing(ask):
    reasons = ask("Pepe", "Gonsales").matches[0].reasons
    assert "pepe~jose:nickname" in reasons
    assert "gonsales~gonzalez:sound" in reasons
    assert "luis:not in the query" in reasons


def test_nobody_of_that_name_stays_under_the_threshold(ask):
    assert ask("Bartolomé", "Etxeberria", threshold=0.8).matches == ()


def test_a_common_surname_with_another_given_name_stays_under_the_threshold(ask):
    assert ask("Wilfredo Abel", "Castillo", threshold=0.8).matches == ()


def test_a_surname_alone_is_never_sure_of_somebody_with_a_given_name(ask):
    matches = ask(None, "Castillo").matches
    assert matches[0].key == "R12"
    assert matches[0].confidence < 0.8


def test_every_confidence_is_a_probability_and_none_is_below_the_threshold(ask):
    outcome = ask("Rosa", "Mendosa", threshold=0.01, limit=50)
    assert all(0.01 <= match.confidence <= 1 for match in outcome.matches)


def test_no_more_are_answered_than_asked_for(ask):
    assert len(ask("Rosa", "Mendoza", limit=3).matches) == 3


@pytest.mark.parametrize("text", ["", "  ", "--", "FNU", "12345", "%", "\u202e"])
def test_a_name_without_letters_finds_nobody(ask, text):
    assert ask(text, text).matches == ()


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE parts; --", 'a" OR "1"="1', "../../etc/passwd", "$(reboot)", "NEAR(a b)", "x" * 5_000]
)
def test_hostile_text_is_only_a_name(index, text):
    index.search(NameQuery(first=text, last=text, full=text, threshold=0.0))
    assert index.stats().records == 204


class TestHomonyms:
    def test_are_counted_and_make_the_answer_ambiguous(self, ask):
        outcome = ask("Wilmer", "Ramirez")
        assert [m.homonyms for m in outcome.matches[:2]] == [2, 2]
        assert outcome.ambiguous

    def test_have_the_same_confidence_and_the_newest_booking_first(self, ask):
        first, second = ask("Wilmer", "Ramirez").matches[:2]
        assert (first.key, second.key) == ("R10", "R9")
        assert first.confidence == second.confidence > 0.9

    @pytest.mark.parametrize("known", [{"country": "honduras"}, {"birth_year": 1991}])
    def test_are_told_apart_by_country_or_year_of_birth(self, ask, known):
        outcome = ask("Wilmer", "Ramirez", **known)
        assert keys(outcome)[0] == "R9"
        assert not outcome.ambiguous

    def test_a_year_off_by_one_counts_as_unknown(self, ask):
        assert keys(ask("Wilmer", "Ramirez", birth_year=1990))[:1] == ["R9"]

    def test_a_wrong_country_hides_nobody(self, ask):
        assert set(keys(ask("Wilmer", "Ramirez", country="Atlantis"))[:2]) == {"R9", "R10"}


class TestSwitches:
    @pytest.mark.parametrize(
        ("first", "last", "key", "switch"),
        [
            pytest.param("Ana", "Castilo", "R12", "fuzzy", id="typing error"),
            pytest.param("Pepe", "Gonzalez Perez", "R1", "variants", id="nickname"),
            pytest.param("محمد", "النجار", "R3", "phonetic", id="Arabic letters"),
        ],
    )
    def test_each_switch_turns_its_channels_off(self, ask, first, last, key, switch):
        only = {name: name == switch for name in ("fuzzy", "phonetic", "variants")}
        without = dict.fromkeys(only, False)
        found = next(m for m in ask(first, last, **only).matches if m.key == key)
        left = next((m for m in ask(first, last, **without).matches if m.key == key), None)
        assert left is None or left.confidence < found.confidence
        left_over = ("not in", " faces ", ":perhaps one word")
        assert left is None or all(":exact" in r or any(one in r for one in left_over) for r in left.reasons)

    def test_with_all_switches_off_only_equal_words_count(self, ask):
        outcome = ask("Jhon", "Gonsales", fuzzy=False, phonetic=False, variants=False)
        assert outcome.matches == ()
        assert outcome.channels == ("exact",)

    def test_the_answer_names_the_channels_that_were_allowed(self, ask):
        assert ask("Ana", "Castillo").channels == ("exact", "edit", "prefix", "sound", "variant")
        assert ask("Ana", "Castillo", fuzzy=False).channels == ("exact", "sound", "variant")
