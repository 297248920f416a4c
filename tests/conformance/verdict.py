"""Judging what the harness wrote. Pure: no files, no processes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SUCCESS = "SUCCESS"
FAILURE = "FAILURE"
WARNING = "WARNING"
SKIPPED = "SKIPPED"
INFO = "INFO"
NO_CHECK = "NO CHECK"

_KNOWN = frozenset({SUCCESS, FAILURE, WARNING, SKIPPED, INFO})

# A warning is a SHOULD that is not met, or a check that could not be made: neither may creep in unseen.
_SHORTFALLS = (FAILURE, SKIPPED, WARNING)

# Added by the harness to every scenario that exchanged a message, so they say nothing about whether it ran.
_SYNTHETIC = ("wire-schema-",)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a ``checks.json``."""

    id: str
    status: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A scenario that may fall short in the named ways, and why. ``run`` narrows it to one run."""

    scenario: str
    allows: frozenset[str]
    reason: str
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one scenario of one run came to. It holds when ``faults`` is empty."""

    run: str
    scenario: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    warned: int = 0
    faults: tuple[str, ...] = ()
    listed: str | None = None

    @property
    def word(self) -> str:
        """``passed``, ``failed``, or ``listed`` (short of the mark in a way that is on the list)."""
        if self.faults:
            return "failed"
        return "passed" if self.listed is None else "listed"


def judge(
    run: str,
    expected: Sequence[str],
    seen: Mapping[str, Sequence[Check] | None],
    listed: Iterable[Listed] = (),
) -> list[Verdict]:
    """One verdict per scenario, expected ones first and in their order.

    ``seen`` holds what each scenario reported, or None where it was begun and
    left no report.
    """
    rows = {row.scenario: row for row in listed if row.run in (None, run)}
    verdicts = [
        _scenario(run, name, seen[name], rows.get(name))
        if name in seen
        else Verdict(run, name, faults=("missing: the harness did not run it",))
        for name in expected
    ]
    strangers = [name for name in seen if name not in expected]
    return verdicts + [Verdict(run, name, faults=("ran, but the harness does not list it",)) for name in strangers]


def stale(listed: Iterable[Listed], expected: Mapping[str, Sequence[str]]) -> list[str]:
    """What to say of listed scenarios that no run contains. ``expected`` is by run."""
    return [
        f"{row.scenario} is listed, but no run contains it: take it off the list"
        for row in listed
        if not any(row.scenario in names for run, names in expected.items() if row.run in (None, run))
    ]


def _scenario(run: str, name: str, checks: Sequence[Check] | None, row: Listed | None) -> Verdict:
    if checks is None:
        return Verdict(run, name, faults=("it was begun and left no report",))
    counts = Counter(check.status for check in checks)
    shortfalls = {status for status in _SHORTFALLS if counts[status]}
    if not any(check.status in (SUCCESS, FAILURE) for check in checks if not check.id.startswith(_SYNTHETIC)):
        shortfalls.add(NO_CHECK)
    allowed = row.allows if row else frozenset()
    faults = [
        _line(check)
        for check in checks
        if check.status not in _KNOWN or (check.status in _SHORTFALLS and check.status not in allowed)
    ]
    if NO_CHECK in shortfalls - allowed:
        faults.append("no check was made")
    if row and not shortfalls:
        faults.append("it is listed, but holds fully: take it off the list")
    return Verdict(
        run,
        name,
        passed=counts[SUCCESS],
        failed=counts[FAILURE],
        skipped=counts[SKIPPED],
        warned=counts[WARNING],
        faults=tuple(faults),
        listed=row.reason if row else None,
    )


def _line(check: Check) -> str:
    return f"{check.status} {check.id}" + (f": {check.message}" if check.message else "")
