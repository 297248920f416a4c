"""The knobs of the search.

Chosen by single runs on the INRC-II folders n005w4, n021w4 and n030w8 and on the example ward
(``benchmarks/roster.py``, November 2026, two shared cores); they have not been swept.
"""

WHOLE = 1000
"""People times days times shifts of a ward that is tried as one model."""
WHOLE_OVER_ALL = 20_000
"""The same where fairness, use or changes of place cost: physician-scheduling's real instance has 13,104, and weeks on
their own say nothing of it."""
FIRST = 0.3
"""Of the whole model's time, at most, for a roster without what soft rules cost."""
WHOLE_SHARE = 0.35
"""Of the time, for that model."""
WORKERS = 8
"""Of that model: different strategies find more than one that searches eight times as long, also on one core."""
BOUNDS = 0.1
"""Of the time, for the linear relaxation of the whole: n021w4's bound is 500 after 6 processor seconds, and was 45 by
the weeks each on its own; n060w8's 370 after 25, and 75."""
ROLLED = 0.6
"""Of the time, when a roster made week by week is to be there; the rest goes to windows."""
ROLLING_WORKERS = 4
"""Of the models of two weeks: one worker alone finds no roster of n030w8's first two weeks in 8 processor seconds."""
PATIENCE = 20.0
"""Processor seconds for a first roster of two weeks when its share of the time has given none."""
WINDOW = 1.5
"""Processor seconds of a window."""
DAY_CELLS = 350
"""People times days of the first windows about everybody."""
LAWFUL = 0.5
"""Of the time, for a first roster of a ward whose totals are hard, without what soft rules cost."""
WHY = 10.0
"""Processor seconds beyond the time, to prove that no roster is lawful when none was found."""
