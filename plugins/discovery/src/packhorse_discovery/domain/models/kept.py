"""Rules told of no field which a model keeps all the same: lateness, which job goes first, where a job is done."""

import re
from collections.abc import Mapping

from packhorse_discovery.domain.interview.naming import stems
from packhorse_discovery.domain.models.model import Model, Unmodelled

_LATE = re.compile(r"\b(?:late|overdue|in time|on time|deadlines?|due (?:times?|dates?))\b", re.IGNORECASE)
_PLAIN = frozenset(
    stems(
        "late overdue time deadline due date no not never ever nothing none any all every each everything must may can"
        " should will be is are have has it they this that who which order job batch lot sort product piece work"
        " delivery customer finish ready done deliver ship keep met meet by before than later at"
    ).split()
)
"""Words of a rule that says no more than that due dates are kept."""


_IS = re.compile(r"(?:'s|\b(?:is|are)) (?:the|a|an|our) \w+(?: \w+)?(?=$|[,;.]| and )", re.IGNORECASE)
"""What a name is: "Amy's the child"."""
_ORDER = frozenset(
    stems(
        "first always before go goes going come comes start starts must may can should will be is are have has to must"
        " he she it they s and only in on at by do done made used use uses run runs take takes place need needs"
    ).split()
)
"""Words of a rule that says no more than which job goes first, or where a job is done."""
_DENIES = re.compile(
    r"\b(?:not|no|never|nobody|nothing|without|except|unless|cannot|neither|nor)\b|n't\b", re.IGNORECASE
)


def left_over(model: Model, late: Mapping[int, int] | None = None) -> tuple[Unmodelled, ...]:
    """The rules that a schedule need not keep; with ``late`` (ticks by job), those that this schedule does not keep.

    A rule about lateness alone, of jobs or of what the interview calls its
    product, is kept where every due date is strict, or where nothing is late; one that a job goes first where
    each other job has a step that waits for one of it; one that jobs are done on a resource only where they have no
    other way.
    """
    dated = [job for job in model.jobs if job.due is not None]
    kept = bool(dated) and (not late if late is not None else all(job.strict for job in dated))
    names = set(stems(" ".join([model.title, *(f"{job.name}" for job in model.jobs)])).split())
    left = [each for each in model.unmodelled if not (kept and _of_lateness(each.words, names))]
    return tuple(each for each in left if not (_goes_first(each.words, model) or _only_there(each.words, model)))


def _of_lateness(words: str, names: set[str]) -> bool:
    return bool(_LATE.search(words)) and set(stems(words).split()) <= _PLAIN | names


def _goes_first(words: str, model: Model) -> bool:
    """Whether a rule says that a job goes first, and each other job waits for it."""
    plain = _IS.sub("", words)
    named = _jobs(plain, model)
    if "first" not in re.findall(r"\w+", plain.casefold()) or len(named) != 1 or not _says_only(plain, model, named):
        return False
    waiting = {model.tasks[one.after].job for one in model.links if model.tasks[one.before].job in named}
    return len(model.jobs) > 1 and {*range(len(model.jobs))} - named <= waiting


def _only_there(words: str, model: Model) -> bool:
    """Whether a rule says that jobs are done on some resources only, and no task of them may take another such one."""
    said, named = {*stems(words).split()}, _jobs(words, model)
    there = {at for at, one in enumerate(model.resources) if {*stems(one.name).split()} <= said}
    if "only" not in words.casefold().split() or not (there and named) or not _says_only(words, model, named):
        return False
    kinds = {word for at in there for word in stems(model.resources[at].name).split() if not word.isdecimal()}
    alike = {at for at, one in enumerate(model.resources) if kinds & {*stems(one.name).split()}}
    ways = [{use.resource for use in mode.uses} & alike
            for task in model.tasks if task.job in named for mode in task.modes]  # fmt: skip
    taken = [way for way in ways if way]
    return bool(taken) and len(alike) > len(there) and all(way <= there for way in taken)


def _jobs(words: str, model: Model) -> set[int]:
    """The jobs that a rule names, by their own name or by what is made."""
    said = {*stems(words).split()}
    return {at for at in range(len(model.jobs)) if any(name and name <= said for name in _names(model, at))}


def _names(model: Model, job: int) -> list[set[str]]:
    families = {task.family for task in model.tasks if task.job == job and task.family}
    return [{*stems(name.replace("-", " ")).split()} for name in (model.jobs[job].name, *sorted(families))]


def _says_only(words: str, model: Model, named: set[int]) -> bool:
    """Whether a rule denies nothing, and has no other words than names of the model and those of an order or place."""
    known = {word for job in named for name in _names(model, job) for word in name}
    known |= {word for one in model.resources for word in stems(one.name).split()}
    known |= {word for task in model.tasks for word in stems(task.step).split()}
    strange = {*stems(words).split()} - _ORDER - known
    formed = {one for one in strange if any(len(each) > 3 and one.startswith(each) for each in known)}  # "operated"
    return not _DENIES.search(words) and strange == formed
