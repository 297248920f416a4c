"""Numbers of things, each with what is counted and for whom."""

import pytest

from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.mentions import mentions


@pytest.mark.parametrize(
    ("said", "value", "goods", "who"),
    [
        ("The hotel ordered 6 lots of curtains, due in 3 days.", 6, "lots curtains", "hotel"),
        ("Rosa has ordered 12 pairs of riding boots.", 12, "pairs riding boots", "Rosa"),
        ("Above all the 20 pairs of riding boots that Rosa has ordered.", 20, "pairs riding boots", "Rosa"),
        ("The chapel has ordered 6 dozen prayer books.", 72, "prayer books", "chapel"),
        ("Town hall: 60 wreaths.", 60, "wreaths", "town hall"),
        ("The school supplier's 9 globes are more urgent, of course.", 9, "globes", "school supplier"),
        ("The biggest one is the order for the police, two and twenty gates. Forty gates for the police.", 40, "gates",
         "police"),
    ],
)  # fmt: skip
def test_a_number_of_things_has_its_goods_and_its_customer(said: str, value: float, goods: str, who: str) -> None:
    told = mentions(said)[-1]

    assert told.value == value
    assert set(stems(goods).split()) <= told.noun
    assert set(stems(who).split()) <= told.parties | told.around
    assert not told.partial


@pytest.mark.parametrize(
    "said", ["It takes 20 minutes.", "We make six an hour.", "By 5 o'clock.", "The 3 steps are hard."]
)
def test_times_and_rates_are_no_numbers_of_things(said: str) -> None:
    assert mentions(said) == ()


@pytest.mark.parametrize(
    "said",
    ["Two of the wigs are done.", "Another 3 wigs for the opera.", "What's left is 4 covers.", "And 3 more covers."],
)
def test_a_part_or_what_comes_on_top_is_partial(said: str) -> None:
    assert all(one.partial for one in mentions(said))
