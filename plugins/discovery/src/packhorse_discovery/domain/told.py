"""What is told of the work: a step, and how long several steps take together."""

from attrs import frozen

from packhorse_discovery.domain.quantity import Quantity


@frozen
class Told:
    """A step as told: its name, how long it takes and what it is done with, where that was said.

    ``free`` says that it occupies nothing: it is done by hand, or waits.
    """

    name: str
    duration: Quantity | None = None
    resources: tuple[str, ...] = ()
    said: str = ""
    free: bool = False


@frozen
class Whole:
    """How long several steps take together. ``parts`` are their names where it was said of these alone."""

    name: str
    duration: Quantity
    parts: tuple[str, ...]
    said: str
