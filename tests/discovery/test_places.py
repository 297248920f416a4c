"""What a step is done on, where it is told on, in or at a place and with something as well."""

import pytest

from packhorse_discovery.domain.clock_spans import spans
from packhorse_discovery.domain.narration import steps
from packhorse_discovery.domain.places import companions


@pytest.mark.parametrize(
    ("said", "name", "place"),
    [
        ("Then the steeping, the fruit stands with its sugar in a crock for three hours.", "steeping", "crock"),
        ("It's covering, on the tacking frame, 90 minutes, with a mouth full of tacks.", "covering", "tacking frame"),
        ("Sanding on the sanding table, 30 minutes, with the fine paper.", "Sanding", "sanding table"),
        ("Then we dye it in the vat with the salt for two hours.", "dye", "vat"),
        ("Polishing, with a steady hand, 15 minutes on the wheel.", "Polishing", "wheel"),
        ("Next pressing, in the press, with the cloths between, one hour.", "pressing", "press"),
        ("Soldering at the bench with a bit of flux, 10 minutes.", "Soldering", "bench"),
        ("Engraving with the graver under the microscope takes 25 minutes.", "Engraving", "microscope"),
        ("Grinding with the wheel, 20 minutes.", "Grinding", "wheel"),
        ("Third comes winding, with winding machine, two hours and half.", "winding", "winding machine"),
    ],
)
def test_what_a_place_is_told_with_is_no_second_resource(said: str, name: str, place: str) -> None:
    assert [(one.name, one.resources) for one in steps(said)] == [(name, (place,))]


def test_a_person_beside_the_place_stays_a_resource() -> None:
    assert [one.resources for one in steps("Welding on the jig with our technician takes 2 hours.")] == [
        ("jig", "technician")
    ]


def test_what_a_step_is_done_with_beside_its_place_can_be_looked_up_in_the_inventory() -> None:
    assert companions("Loading on the bench with the crane, 20 minutes") == ("crane",)


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("Proving: in at six and out at half past seven.", (90, 810)),
        ("It goes in at 6 am and comes out at 7:30 am.", (90,)),
        ("It goes into the cabinet at 22:00 and comes out at 01:00.", (180,)),
        ("It goes on the rack Monday at noon and comes off Tuesday at noon.", (1440,)),
        ("Curing of a frame runs from nine until half past ten.", (90, 810)),
        ("We start baking at six and are done at noon.", ()),
        ("I'm in at six and out at half past two.", ()),
        ("The oven is switched on at five and off at two.", ()),
    ],
)
def test_a_span_by_the_clock_is_of_work_and_not_of_a_day(said: str, minutes: tuple[int, ...]) -> None:
    assert spans(said) == minutes
