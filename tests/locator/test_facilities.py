import attrs
import pytest
from tests.locator.factories import error_of

from packhorse_locator.domain.facilities import Facility, Figure
from packhorse_locator.domain.facility_names import NameList, fold, meant, rank
from packhorse_locator.domain.facility_rows import facility_from
from packhorse_locator.domain.person_rows import RowRejectedError

NAMES = NameList.of(
    [
        ("KRO", fold("Krome North Service Processing Center")),
        ("STW", fold("Stewart Detention Center")),
        ("FLO", fold("Florence Service Processing Center")),
        ("FSF", fold("CCA, Florence Correctional Center")),
        ("ONE", fold("Montgomery City Jail")),
        ("TWO", fold("Montgomery City Jail")),
    ]
)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        pytest.param("Stewart Detention Center", "STW", id="as written"),
        pytest.param("stewert detention ctr", "STW", id="typo and abbreviation"),
        pytest.param("krome", "KRO", id="its own word alone"),
        pytest.param("centro de detencion stewart", "STW", id="in Spanish"),
        pytest.param("florence", None, id="two facilities of that town"),
        pytest.param("Montgomery City Jail", None, id="two of one name"),
        pytest.param("detention center", None, id="words that all have"),
        pytest.param("xanadu", None, id="none"),
    ],
)
def test_a_facility_is_meant_only_where_one_can_be(typed, found):
    one = meant(rank(typed, NAMES))

    assert (one.key if one else None) == found


def test_of_facilities_alike_the_only_one_in_use_is_meant():
    florence, montgomery = rank("florence", NAMES), rank("Montgomery City Jail", NAMES)

    assert meant(florence, {"FSF"}).key == "FSF"
    assert meant(florence, {"FLO", "FSF"}) is None
    assert meant(montgomery, {"TWO"}).key == "TWO"


def facility(**changed):
    plain = facility_from({"name": "Somewhere Jail"}, as_of="2026-07-25")
    return attrs.evolve(plain, **changed)


def test_figures_of_different_years_are_never_divided():
    beds = Figure(100, "beds", "2017")

    assert facility(capacity=beds, population=Figure(80, "people", "2026-07-20")).occupancy is None
    assert facility(capacity=beds, population=Figure(80, "people", "2017-11-01")).occupancy == 80.0


@pytest.mark.parametrize(
    ("kind", "published"),
    [
        ("detention_center", "detention_center"),
        ("family", "family_facility"),
        ("hospital", None),
        ("hold_room", None),
        ("juvenile", None),
    ],
)
def test_a_kind_outside_the_published_four_gets_none(kind, published):
    assert facility(kind=kind).wire_type == published


def test_what_a_row_does_not_say_stays_unknown():
    made = facility_from({"name": "Somewhere Jail", "city": ""}, as_of="2026-07-25")

    assert (made.city, made.phone, made.capacity, made.population, made.official_id) == (None,) * 5
    assert isinstance(made, Facility)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"adp_fy26": "12.5"}, id="a figure without its date"),
        pytest.param({"state": "XX"}, id="no state"),
        pytest.param({"zip": "123"}, id="no ZIP code"),
        pytest.param({"facility_id": "no-code"}, id="no code"),
        pytest.param({"name": "---"}, id="no name"),
    ],
)
def test_a_row_that_cannot_be_true_is_rejected(changed):
    with pytest.raises(RowRejectedError):
        facility_from({"name": "Somewhere Jail", **changed}, as_of="2026-07-25")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("get_facility_info", {"facility_name": "a"}, "at least 2 letters"),
        ("get_facility_info", {"facility_name": "Krome", "facility_id": "STWRTGA"}, "two different facilities"),
        (
            "search_by_facility",
            {"city": "Lumpkin", "state": "GA", "facility_type": "detention_center"},
            "No facility in this place has the type detention_center. Similar: «Stewart Detention Center»",
        ),
    ],
)
async def test_what_is_asked_of_a_facility_is_heeded_whole_or_refused_with_the_reason(client, tool, arguments, says):
    async with client() as caller:
        reply = await caller.call_tool(tool, arguments)

    assert error_of(reply)["code"] == "FACILITY_NOT_FOUND"
    assert says in error_of(reply)["message"]
