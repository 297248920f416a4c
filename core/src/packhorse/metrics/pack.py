"""The metrics, as a pack."""

from collections.abc import Sequence

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.offers import Pack
from packhorse.metrics.observer import Counting

pack = Pack(title="Metrics for Prometheus")


@hookimpl
def register_observers() -> Sequence[Counting]:
    """What counts calls."""
    return [Counting()]
