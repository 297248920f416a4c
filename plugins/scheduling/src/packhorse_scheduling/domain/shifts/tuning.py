"""The knobs of both searches, and what they were measured on.

Patterns: set by runs on Curtois instances of every size while that search was written; which run set which is not
recorded, and none has been swept. Windows, and when a dive about all begins: by runs on 13 and 15, seeds 1 to 3, and
one on 21. Wards: by single runs on the INRC-II folders n005w4, n021w4 and n030w8, on the example ward, and on the
instances of three MiniZinc families (`benchmarks/roster.py`, `benchmarks/challenge.py`, November 2026, two shared
cores); not swept either.
"""

# Dives
DECIDED = 0.9999
"""The share of a pattern or cell that is taken for all of it."""
ROUNDS = 10
"""Most rounds of pricing after each batch of fixed cells; a quarter of them when the dive is behind its time."""
STILL = 2
"""Rounds on end that may gain nothing: a degenerate master needs some before it moves."""
SETTLED = 12
"""Rounds that gain nothing after which a value is taken to stay."""
NEARLY = 0.05
"""Between value and bound, as a share of what the value is below ``most``: closer, and a dive begins."""
BEHIND = 0.02
"""Batches that the remaining time holds, as a share: fewer than 50 are behind."""
FINEST = 0.0065
"""Share of all cells that is fixed at a time, where time allows: 1 in 100 of the cells that are worked."""
FLAT, STEEP = 5e-5, 1e-3
"""Rises of the master's value, as shares of it, below which a step was free, and above which it was too large."""

FAILURES = 5
"""Times that a dive whose value has come above ``most`` goes back, by 1, 2, 4 batches and so on. Dives of
windows of 13 and 15 found a better roster 8 times of 23 without it, 51 times of 85 with it."""

# The order of stages
SMALL = 400
"""Cells of a problem that CP-SAT solves whole before anything else is tried."""
SMALL_ORDER = ("mix", "neighbourhoods", "windows", "dive", "people", "dive", "windows", "dive", "people")
"""Turns where a dive about all takes little of the time: its patterns are the material of the mixes."""

DIVE_ROUNDS = 150
"""Rounds of pricing for which a dive about all must have time within its share; else eased moves come instead. The dive
about 15 ended 3 % above its best, moves 4 to 8 %; that about 13 had half of its cells left when its time was over."""

# Column generation
SMOOTH = 0.7
"""How much of the best prices goes into those that are asked about."""
STALLED = 6
"""Rounds after which a phase that has gained less than 1 in 2000 gives way to the next."""
NARROW = 1e-3
"""Between bound and value, as a share: closer, and counting more limits is not worth its time."""
HALF = 0.5
"""Of the patterns, when limits are priced: where fewer keep them, they must be counted."""

# Mixes
WIDEST = 4000
"""Columns of one program, and how many of each person's cheapest are always among them."""
ALWAYS = 20

# Moves
MOVED = 0.35
"""Of the people, how many are priced at once: all see the roster as it was then."""
BLIND, EASED = 0.05, 0.1
"""Of the time, for moves without prices, and for each run of eased ones. After 52 CPU-seconds a run about 15 was
at 3977 by twice as many of these, and at 3967 by these and windows."""
WHILE, LITTLE_GAIN = 0.1, 1e-3
"""Of the time, after which windows that have gained less than this share have come to their end. Seed 3 of 15 ended a
missing shift above the others, and its windows gained 2 in the last 60 of 120 CPU-seconds."""
FAR, FAR_GAIN = 0.1, 5e-3
"""The same as a share of the distance from the bound, and how much of the objective it asks for at most."""
AGAIN = 0.2
"""Of the time, what must be left for another run of eased moves with its windows."""
FULL_COVER = 0.95
"""Of a run, what has gone when the cover counts in full."""

# Windows
WINDOW = 7
"""Days of the first: a week of instance 13 ends at the value of its master, twelve days often do not."""
WIDEST_WINDOW = 42
"""Days of the longest."""
WINDOW_GRAIN = 3.0
"""Of their dives, in finest steps: these go back where a step was too large."""
BESIDE = 7
"""Days beside a window that gained within which others are worth another look."""

# Dives about some people
NEAR = 30
"""Columns of each person that a dive begins with."""
FEWEST = 4
"""People of one dive."""
LONGEST = 0.04
"""Of the whole budget, for one dive; shorter than a third of it, and the next takes more people."""
MIXED = 1200
"""Columns of a mix."""

# Pricing
TABLE = 1_000_000
"""States of one program: more, and they leave the processor's cache."""
KEPT = 40_000_000
"""States of the programs that are kept to be used again."""
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384)
"""Numbers of people that programs are made for; fewer where counters make each of them dear."""
LIMITS = (1, 60, 240)
"""States that counters may multiply to, phase by phase: first every binding limit is priced, at last counted."""
FEW = 8
"""People of the smallest program with counters of a window: it takes longer to make one than to compute it."""
STEERED = 3
"""Attempts to keep a counted limit by its guide, which is cheap, before it is counted."""
COUNTED = 6
"""Attempts with limits counted or priced, each with what the one before has broken."""
HIGHEST = 1000.0
"""The highest multiplier."""
LARGE = 10_000
"""Cells (people, days, shifts) of a problem above which the first phase is worth while."""
LONG = 91
"""Days beyond which a person's whole pattern is not priced exactly: 13 weeks."""

# The relaxation of long horizons
HALVED = 12
"""Rounds without a better bound after which the step is halved."""
STARTS = (0.0, 0.03, 0.1, 0.3, 1.0)
"""Shares of the weight under cover that are tried as first prices of weekends."""

# Turns between ways
FADES = 0.8
"""What is left of earlier gains and times after another turn."""
CURIOUS = 0.3
"""Share of turns that go to all alike, by time."""
LITTLE = 1e-4
"""What each is taken to have gained beforehand, as a share of the objective."""

# Neighbourhoods of patterns
REOPENED = 350
"""Cells of the first neighbourhoods of days."""
REOPENING = 2.0
"""Processor seconds of one neighbourhood."""

# Wards: one model, weeks, neighbourhoods
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
"""Of the time, when a roster made week by week is to be there; the rest goes to neighbourhoods."""
ROLLING_WORKERS = 4
"""Of the models of two weeks: one worker alone finds no roster of n030w8's first two weeks in 8 processor seconds."""
PATIENCE = 20.0
"""Processor seconds for a first roster of two weeks when its share of the time has given none."""
NEIGHBOURHOOD = 1.5
"""Processor seconds of a neighbourhood."""
DAY_CELLS = 350
"""People times days of the first neighbourhoods about everybody."""
LAWFUL = 0.5
"""Of the time, for a first roster of a ward whose totals are hard, without what soft rules cost."""
WHY = 10.0
"""Processor seconds beyond the time, to prove that no roster is lawful when none was found."""
