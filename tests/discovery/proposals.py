"""What may be said of the steps of a process, for the laws of merging and undoing."""

from hypothesis import strategies as st

from packhorse_discovery.domain.interview.merging import Proposal
from packhorse_discovery.service.library import library

EADS = library().get("process/flow-shop")

_steps = st.sampled_from(["mix", "proof", "bake", "cool"])
_durations = st.tuples(st.integers(1, 90), st.sampled_from(["minutes", "hours"])).map(
    lambda one: {"value-string": str(one[0]), "units": one[1]}
)
proposal = st.one_of(
    st.builds(lambda s, d: Proposal(f"/subprocesses/{s}/duration", d), _steps, _durations),
    st.builds(
        lambda s, r: Proposal(f"/subprocesses/{s}/resources", r),
        _steps,
        st.lists(st.sampled_from(["oven", "mixer", "hand"]), min_size=1, max_size=3, unique=True),
    ),
    st.builds(lambda s: Proposal(f"/subprocesses/{s}/duration", state="unknown"), _steps),
)
proposals_made = st.lists(proposal, max_size=12)
