"""From what an interview established to a scheduling model.

The same `Scr` gives the same model, and so the same bytes of program.
"""

from packhorse_discovery.domain.models.assemble import Setting, assemble
from packhorse_discovery.domain.models.book import Book
from packhorse_discovery.domain.models.changeovers import applies, changings
from packhorse_discovery.domain.models.draft import Draft, commissions, start_of
from packhorse_discovery.domain.models.gather import gather
from packhorse_discovery.domain.models.hours import Hours
from packhorse_discovery.domain.models.lack import Lack, NotBuildableError
from packhorse_discovery.domain.models.model import MOST_TASKS, Model
from packhorse_discovery.domain.models.span import UnclearError
from packhorse_discovery.domain.models.stations import Places, Stations
from packhorse_discovery.domain.models.timetable import timetable
from packhorse_discovery.domain.scr import Scr

_PLACES: dict[str, Places] = {"PROJECT-SCHEDULING": "none", "SINGLE-MACHINE": "one"}


def build(scr: Scr) -> Model:
    """The model of ``scr``.

    Raises:
        NotBuildableError: something is missing or cannot be read; its ``lacks`` name every such thing.
    """
    book = Book()
    kind = scr.problem_type.value if scr.problem_type is not None else None
    _remarks(scr, book)
    if kind == "TIMETABLING" or (kind is None and scr.events and not scr.plans):
        return timetable(scr, book)
    if not scr.plans:
        book.lack("the steps of the work", "process/flow-shop", "/subprocesses")
    draft = Draft(scr, book, jobs=commissions(scr, book))
    start, dated = start_of(scr, book)
    book.settle()
    strict = scr.overnight is not None and not scr.overnight.value
    hours = Hours(scr.windows, start, strict) if start is not None and scr.windows else None
    try:
        day = hours.day() if hours is not None else None
    except UnclearError as exc:
        book.lack(f"working hours that can be read: {exc}", "resources/calendar-and-maintenance")
        day = None
    changes = changings(scr, book, day)
    counted = any(goal.kind.value == "changeovers" for goal in scr.goals)
    split = {each.id for each in scr.resources if counted or applies(changes, each.id)}
    stations = Stations(scr, book, frozenset(split - _shared(scr)))
    wanted = sum(len(job.plan.steps) for job in draft.jobs)
    if wanted > MOST_TASKS:
        book.lack(
            f"a part of the orders: all of them are {wanted} tasks, and a model holds {MOST_TASKS}", "data/orders"
        )
        book.settle()
    gather(draft, stations, day, places=_PLACES.get(kind or "", "own"))
    book.settle()
    return assemble(draft, stations, Setting(start, dated, hours, day, changes))


def lacks(scr: Scr) -> tuple[Lack, ...]:
    """What keeps ``scr`` from being a model; empty when it is one."""
    try:
        build(scr)
    except NotBuildableError as exc:
        return exc.lacks
    return ()


def _shared(scr: Scr) -> set[str]:
    """Resources of which some step needs several units at once: they stay pools."""
    return {name for plan in scr.plans for step in plan.steps for name, fact in step.demand.items() if fact.value > 1}


def _remarks(scr: Scr, book: Book) -> None:
    for limit in scr.limits:
        book.note(f"not part of the model, since no constraint reads it by itself: {limit.words.value}")
    for conflict in scr.conflicts:
        book.note(f"an open conflict of the interview: {conflict}")
    if scr.cyclical is not None and scr.cyclical.value:
        book.note("one round is scheduled; that the work is cyclical is not part of the model")
