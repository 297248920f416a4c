"""The tasks of every job, what they wait for, and how long they take."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Fact, Precedence, Step
from packhorse_discovery.domain.interview.naming import row_for
from packhorse_discovery.domain.models.draft import Commission, Draft, Pause, Piece, Tie, Way
from packhorse_discovery.domain.models.model import Relation
from packhorse_discovery.domain.models.source import Source
from packhorse_discovery.domain.models.span import Day, Span, UnclearError, count, source_of, span
from packhorse_discovery.domain.models.stations import Choice, Places, Stations

EVERY = frozenset({"any", "all", "every-one", "everything"})
"""Every other order, in a rule about which goes before which: what goes last, goes after any."""


def gather(draft: Draft, stations: Stations, day: Day | None, *, places: Places) -> None:
    """Fill ``draft`` with the pieces, ties and pauses of its jobs."""
    before: dict[str, int] = {}
    for number, job in enumerate(draft.jobs):
        done = job.plan.steps
        if not done:
            draft.book.lack(f"the steps of {job.name or job.plan.name.value}", job.plan.name.eads_id)
        place: dict[str, int] = {}
        for step in done:
            ways = _ways(draft, stations, job, step, day, places=places)
            place[step.id] = len(draft.pieces)
            draft.pieces.append(Piece(number, step.id, step.name.value, ways))
        steps = {step.id: step for step in job.plan.steps}
        for step in done:
            others = _before(draft, job, step, place)
            for other in others:
                draft.ties += _tied(draft, job, steps[other], step, place, day)
            longest = step.no_wait if _at_once(job, step) else step.max_wait
            if longest is not None and others:
                limit = _span(draft, f"how long {step.name.value} may wait", step, longest, day)
                draft.pauses.append(Pause(place[step.id], tuple(place[each] for each in others), limit))
        _held(draft, done, place)
        if job.copy > 1:
            draft.ties += _numbered(draft, before, place)
        before = place
    for rule in draft.scr.precedences:
        draft.ties += _preceding(draft, stations, rule)


def _at_once(job: Commission, step: Step) -> bool:
    """Whether a step of ``job`` may not wait: for all jobs, or for those of the products that are named."""
    known = {job.name: job.name, job.product: job.product.replace("-", " ")}
    named = [row_for(fact.value, known) for fact in step.no_wait_for]
    return step.no_wait is not None and (not named or any(named))


def _held(draft: Draft, done: Sequence[Step], place: Mapping[str, int]) -> None:
    """Steps that keep their place until those after them start."""
    for step in done:
        if step.blocks is None or not step.blocks.value:
            continue
        piece = place[step.id]
        after = tuple(tie.after for tie in draft.ties if tie.before == piece and tie.relation == "end-start")
        if not after:
            draft.book.note(f"{step.name.value} leaves its place at its end, since no step waits for the whole of it")
        draft.pieces[piece].holds, draft.pieces[piece].holds_source = after, source_of(step.blocks)


def _preceding(draft: Draft, stations: Stations, rule: Precedence) -> Iterator[Tie]:
    """What an order waits for another order to do: to be finished, or to start where ``rule.at`` says."""
    of = {number: job.order.id for number, job in enumerate(draft.jobs) if job.order is not None}
    known = set(of.values())
    for fact in (rule.before, rule.after):
        if fact is not None and fact.value not in known | EVERY:
            words = f"which order goes before which: {fact.value[:60]} is none of the orders"
            draft.book.lack(words, fact.eads_id, fact.path)
            return
    pieces = range(len(draft.pieces))
    if rule.at is not None:
        place = set(stations.known_as(rule.at.value))
        pieces_there = [each for each in pieces if _is_at(draft.pieces[each], rule.at.value, place)]
        if not pieces_there:
            draft.book.lack(f"where {rule.at.value[:60]} is: no step is called so or done there", rule.at.eads_id)
        first = last = pieces_there
    else:
        inner = [tie for tie in draft.ties if draft.pieces[tie.before].job == draft.pieces[tie.after].job]
        first = [each for each in pieces if each not in {tie.after for tie in inner}]
        last = [each for each in pieces if each not in {tie.before for tie in inner}]
    for one in last:
        for other in first:
            jobs = draft.pieces[one].job, draft.pieces[other].job
            named = all(fact is None or fact.value in {of.get(job)} | EVERY
                        for fact, job in zip((rule.before, rule.after), jobs, strict=True))  # fmt: skip
            if named and of.get(jobs[0]) != of.get(jobs[1]):
                relation: Relation = "end-start" if rule.at is None else "start-start"
                yield Tie(one, other, relation, None, source_of(rule.before))


def _is_at(piece: Piece, name: str, place: set[int]) -> bool:
    return piece.step_id == name or any(station in place for way in piece.ways for station, _ in way.uses)


def _numbered(draft: Draft, before: Mapping[str, int], place: Mapping[str, int]) -> list[Tie]:
    """The batches of an order are alike, so that they may be numbered as they are worked on.

    Where a step takes them all equally long, each starts it after the one
    before; the last step they end in their order.
    """
    source = Source().with_assumption("the batches of one order are alike, and numbered in the order of work")
    equal = all(len({way.span.seconds for way in draft.pieces[each].ways}) == 1 for each in place.values())
    ties = [Tie(before[step], place[step], "start-start", None, source, alike=True) for step in place] if equal else []
    last = list(place)[-1]
    return [*ties, Tie(before[last], place[last], "end-end", None, source, alike=True)]


def _ways(
    draft: Draft, stations: Stations, job: Commission, step: Step, day: Day | None, *, places: Places
) -> tuple[Way, ...]:
    ways = []
    whose = f" of {job.name}" if job.name and (step.durations or len(draft.scr.plans) > 1) else ""
    choices = stations.choices(step, places)
    if places == "said" and any(stations.listed[use].own for choice in choices for use, _ in choice.uses):
        words = f"where {step.name.value}{whose} is done, or that it occupies nothing"
        draft.book.lack(words, step.name.eads_id, step.name.path)
    for choice in choices:
        fact = _duration(job, step, choice)
        if fact is None:
            draft.book.lack(f"how long {step.name.value}{whose} takes", step.name.eads_id, step.name.path)
            return ()
        lasting = _worked(draft, job, step, fact, day)
        if step.optional is not None and step.optional.value:
            lasting = Span(lasting.seconds, lasting.source.with_assumption("the optional step is done"))
        ways.append(Way(lasting, choice.uses if lasting.seconds else ()))
    return tuple(ways)


def _duration(job: Commission, step: Step, choice: Choice) -> Fact[Quantity] | None:
    """The most particular duration: on that resource, of that job, product or plan, of the step."""
    known = {key: key.replace("-", " ") for key in step.durations}
    keys = [job.order.id] if job.order is not None else []
    keys += [key for key in (job.product, job.plan.id) if key]
    keys += [row for key in keys[:-1] if (row := row_for(key.replace("-", " "), known))]
    own = next((step.durations[key] for key in keys if key in step.durations), None)
    return choice.duration or own or step.duration


def _worked(draft: Draft, job: Commission, step: Step, fact: Fact[Quantity], day: Day | None) -> Span:
    """The duration for the whole order: times its pieces or batches, with the set-up."""
    pieces = job.order.quantity if job.order is not None else None
    what = f"how long {step.name.value} takes"
    lasting = _span(draft, what, step, fact, day, job.family, pieces)
    if pieces is not None and fact.value.per is None:
        lasting = Span(lasting.seconds, lasting.source.with_assumption("the same for any quantity"))
    if step.setup is not None:
        lasting = lasting.plus(_span(draft, f"the set-up of {step.name.value}", step, step.setup, day), "with set-up")
    return lasting


def _span(
    draft: Draft,
    what: str,
    step: Step,
    fact: Fact[Quantity],
    day: Day | None,
    product: str = "",
    pieces: Fact[Quantity] | None = None,
) -> Span:
    try:
        return span(fact, product=product, pieces=pieces, day=day)
    except UnclearError as exc:
        draft.book.lack(f"{what} ({exc})", fact.eads_id or step.name.eads_id, fact.path or step.name.path)
        return Span(Fraction(0), Source())


def _before(draft: Draft, job: Commission, step: Step, place: Mapping[str, int]) -> list[str]:
    """What a step waits for."""
    named = list(dict.fromkeys(fact.value for fact in step.after))
    for other in named:
        if other not in place or other == step.id:
            words = f"what {step.name.value} waits for: {other[:60]} is no other step of {job.plan.name.value}"
            draft.book.lack(words, step.name.eads_id, step.name.path)
    return [other for other in named if other in place and other != step.id]


def _tied(
    draft: Draft, job: Commission, before: Step, after: Step, place: dict[str, int], day: Day | None
) -> Sequence[Tie]:
    source = next((source_of(fact) for fact in after.after if fact.value == before.id), Source())
    if after.order_assumed:
        source = source.with_assumption("the order of the list is the order of work")
    one, other = place[before.id], place[after.id]
    if before.flow is not None and before.flow.value == "individuals-from-batch":
        amount = job.order.quantity if job.order is not None else None
        pieces = count(amount)[0] if amount is not None and amount.value.typical is not None else 0
        if pieces > 1:
            return _overlapping(draft, one, other, Fraction(pieces), source)
        draft.book.note(
            f"{after.name.value} waits for the whole batch of {before.name.value}: it was not said how many pieces "
            "a batch has"
        )
    return [Tie(one, other, "end-start", None, source)]


def _overlapping(draft: Draft, one: int, other: int, pieces: Fraction, source: Source) -> Sequence[Tie]:
    """Pieces pass on singly: the next step starts after the first of them and ends after the last."""
    ways = draft.pieces[one].ways, draft.pieces[other].ways
    if not ways[0] or not ways[1]:
        return []
    first = max(way.span.seconds for way in ways[0]) / pieces
    last = max(way.span.seconds for way in ways[1]) / pieces
    words = f"{float(pieces):g} pieces pass on one by one, each taking an equal part of the step"
    source = source.with_assumption(words)
    return [
        Tie(one, other, "start-start", Span(first, source), source),
        Tie(one, other, "end-end", Span(last, source), source),
    ]
