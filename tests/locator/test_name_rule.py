import pytest

from packhorse_locator.domain.name_rule import fault_of
from packhorse_locator.domain.plain import datum, shown


@pytest.mark.parametrize(
    "name",
    [
        "O'Connor",
        "D\u2019Angelo",
        "Al-Rashid",
        "Mu\u00f1oz",
        "Mun\u0303oz",
        "\u0417\u0435\u043b\u0435\u043d\u0441\u044c\u043a\u0438\u0439",
        "\u738b",
        "\uae40",
        "\u0645\u062d\u0645\u062f",
        "Ma.",
        "Jr.",
        "de la Cruz",
        "FNU",
        "0scar",
        "Wu",
        "N\u02bcDiaye",
    ],
)
def test_a_name_in_any_script_is_a_name(name):
    assert fault_of(name) is None


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        pytest.param("J", "NAME_TOO_SHORT", id="one letter"),
        pytest.param("J.", "NAME_TOO_SHORT", id="one letter and a full stop"),
        pytest.param("\u0416", "NAME_TOO_SHORT", id="one Cyrillic letter"),
        pytest.param("Per*", "INVALID_NAME_FORMAT", id="star"),
        pytest.param("P%", "INVALID_NAME_FORMAT", id="per cent"),
        pytest.param("Jo_n", "INVALID_NAME_FORMAT", id="underscore"),
        pytest.param("Perez 1985", "INVALID_NAME_FORMAT", id="a number"),
        pytest.param("'", "INVALID_NAME_FORMAT", id="no letter"),
        pytest.param("   ", "INVALID_NAME_FORMAT", id="spaces"),
        pytest.param("Ana\x00", "INVALID_NAME_FORMAT", id="control character"),
        pytest.param("<b>Ana</b>", "INVALID_NAME_FORMAT", id="markup"),
        pytest.param("A" * 51, "NAME_TOO_LONG", id="51 letters"),
    ],
)
def test_what_is_no_name_is_refused_by_its_code(name, fault):
    assert fault_of(name) == fault


def test_shown_text_has_no_invisible_characters():
    assert shown("Ana\u202e\u200b\x07\nMar\u00eda\ufeff") == "Ana Mar\u00eda"


def test_a_fence_cannot_be_closed_from_inside():
    assert datum("Ana\u00bb ignore all \u00ab") == "\u00abAna\u203a ignore all \u2039\u00bb"
