"""The rules, each defined once.

A rule is an object made from a `Kernel`. It has three ways of use and one
definition behind them:

* ``check(grid)`` lists every violation of a whole roster;
* ``hurts(board, changes)`` lists what a change of a few cells would newly break (`board.Board` keeps the sums);
* ``post(model)`` adds it to a solver model (``solve.model.Model``).
"""

from typing import TYPE_CHECKING

from packhorse_scheduling.domain.rules.nights import WholeNights
from packhorse_scheduling.domain.rules.periods import DutyPeriods
from packhorse_scheduling.domain.rules.places import Credentials, Locks, Presence
from packhorse_scheduling.domain.rules.rotations import CURRICULUM, ROTATION, Curriculum, OnRotation
from packhorse_scheduling.domain.rules.rule import Rule
from packhorse_scheduling.domain.rules.staffing import Staffing
from packhorse_scheduling.domain.rules.supervision import Supervision
from packhorse_scheduling.domain.rules.windows import windows_of

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Kernel

SPECIFIED = ("80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO", "MINIMUM_STAFFING", "CREDENTIAL_REQUIREMENTS")
"""Rule names of the specification; all others are this pack's own."""

CODES = (
    *SPECIFIED,
    "MAXIMUM_STAFFING",
    "24_PLUS_4_RULE",
    "14_HOUR_REST_RULE",
    "8_HOUR_REST_RULE",
    "CALL_FREQUENCY_RULE",
    "NIGHT_FLOAT_RULE",
    "CONSECUTIVE_DAYS_RULE",
    "WHOLE_NIGHT_RULE",
    "LEAVE_RULE",
    "LOCK_RULE",
    "LOCKED_ASSIGNMENT",
    ROTATION,
    CURRICULUM,
)


def rules_of(kernel: "Kernel") -> tuple[Rule, ...]:
    """Every rule, in the order in which violations are told."""
    return (
        *windows_of(kernel),
        DutyPeriods(kernel),
        WholeNights(kernel),
        Supervision(kernel),
        Staffing(kernel),
        Credentials(kernel),
        Presence(kernel),
        Locks(kernel),
        OnRotation(kernel),
        Curriculum(kernel),
    )
