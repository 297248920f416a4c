"""What answers say in passing, and the sequences they tell."""

import pytest

from packhorse_discovery.domain.claims import claims
from packhorse_discovery.domain.sequences import differing, orders, reversed_pair


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("We have four looms, and all of them rattle.", [("count", 4)]),
        ("Pavel is the only welder we have, so it all waits for Pavel.", [("count", 1)]),
        ("At the end of the day all four annealing ovens are full.", [("count", 4)]),
        ("There are four steps in freezing vegetables.", [("steps", 4)]),
        ("The filler never stops, and it does 30 crates an hour.", [("rate", 2)]),
        ("Two minutes a loaf at the moulder.", [("rate", 2)]),
        ("If we had three presses we'd never be late.", []),
        ("In 1970 he had eleven moulders.", []),
        ("The workshop next door has four saws.", []),
        ("We have four planers. No, wait, three.", []),
        ("There's one saw that squeaks.", []),
    ],
)
def test_what_is_said_of_the_shop_as_it_is_is_claimed(said: str, expected: list[tuple[str, float]]) -> None:
    assert [(one.kind, one.value) for one in claims(said)] == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A blade is first quenched and after that ground.", "Every blade is ground before it is quenched."),
        ("We die-cut the sheets first and print them afterwards.", "First step is printing, second is die-cutting."),
        ("Engraving comes after polishing.", "First we do engraving, then polishing."),
    ],
)
def test_work_told_in_both_orders_is_found(one: str, other: str) -> None:
    known = {"print", "die cut"}

    assert reversed_pair(orders(one, known)[0], orders(other, known)[0])
    assert reversed_pair(orders(one, known)[0], orders(one, known)[0]) is None


@pytest.mark.parametrize(
    ("said", "differ"),
    [
        ("Train sets go from the saw to the drill. Doll houses go to the drill first and then to the saw.", True),
        ("Rings go casting, filing, setting, and that's it, they skip polishing.", True),
        ("Gates go to the cutter, then the bender. Brackets go to the cutter, then the bender as well.", False),
        ("Cushions and bolsters both go cutting, sewing, stuffing.", False),
        ("No piece skips any of them.", False),
    ],
)
def test_ways_that_differ_are_found(said: str, differ: bool) -> None:
    assert bool(differing(said)) is differ
