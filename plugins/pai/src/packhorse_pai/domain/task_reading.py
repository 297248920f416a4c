"""One task read step by step: what stands at the paths that a step reads, and whether a condition can hold there."""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from packhorse_pai.domain.expressions import Condition, Single
from packhorse_pai.domain.linting_starts import SPAWNED, SPAWNED_ANSWERS
from packhorse_pai.domain.linting_values import answer_of, shape, wanted_of
from packhorse_pai.domain.playbooks import Playbook, Step
from packhorse_pai.domain.policy import Policy
from packhorse_pai.domain.schemas import Part

_MOST_WAYS = 64
"""Ways past the ends of a task that are looked at; where there are more, nothing is said."""
ALWAYS = Condition("", ())
Items = Mapping[str, Sequence[Part | None]]
"""By their names, the elements that the loops around a step are at."""


@define
class TaskReading:
    """One task, read step by step: what earlier steps have saved, and which of it surely."""

    book: Playbook
    policy: Policy
    known: Collection[Playbook]
    saved: dict[str, list[Part | None]] = field(factory=dict)
    sure: set[str] = field(factory=set)
    called: set[str] = field(factory=set)
    survived: set[str] = field(factory=set)
    """Tools that were called so that the task goes on when they refuse."""
    number: int = 0
    ended: dict[int, Condition] = field(factory=dict)
    """By the numbers of the steps that end the task: when they do, as far as nothing has changed since."""
    only: dict[str, Condition] = field(factory=dict)
    """By name that one step saves: the condition of that step, as far as nothing has changed since."""
    results: list[Part] = field(factory=list)
    """What the task ends with, by each of its result steps."""
    within: tuple[Playbook, ...] = ()
    """The tasks that start it, where it is read for what it ends with."""
    wanted: dict[str, Part] = field(init=False)
    """By paths of the context, what every run of the task that goes on to its end is given there."""

    def __attrs_post_init__(self) -> None:
        self.wanted = wanted_of(self.book, self.policy.tools)

    def walk(self, steps: Sequence[Step], items: Items) -> Iterator[tuple[int, Step, Items]]:
        """Each step with its number, before it is taken."""
        for step in steps:
            self.number += 1
            here = self.number
            yield here, step, items
            if step.kind == "each":
                yield from self.walk(step.steps, {**items, step.given["as"]: self.rounds(step, items) or [None]})
            self._take(here, step, items)

    def rounds(self, step: Step, items: Items) -> list[Part | None] | None:
        """What the elements of a loop may be, none where there is no list; None where that is not known."""
        found = self.ends(step.about, items, given=True)
        return None if found is None else [one for part in found for one in (part.items() if part else [None])]

    def _take(self, here: int, step: Step, items: Items) -> None:
        if step.kind in ("call", "spawn"):
            self.called.add(step.about if step.kind == "call" else SPAWNED)
            if step.given.get("optional"):
                self.survived.add(step.about)
        if "save" in step.given:
            answer, name = self._answer(step), step.given["save"]
            self.ended = {at: one for at, one in self.ended.items() if not _is_about(one, name)}
            self.only = {key: one for key, one in self.only.items() if key != name and not _is_about(one, name)}
            if step.when is not None and not items and name not in self.saved and not _is_about(step.when, name):
                self.only[name] = step.when
            self.saved.setdefault(name, []).append(answer)
            if step in self.book.steps and step.when is None and not step.given.get("optional"):
                self.sure.add(name)
        if step.kind == "result":
            self.results.append(shape(step.about, lambda path: self.ends(path, items, given=True)))
        if not items and step.kind in ("result", "fail"):
            self.ended[here] = step.when or ALWAYS

    def gets_past(self, ends: Sequence[int], tests: Sequence[Single]) -> bool:
        """Whether these tests can hold where no step of ``ends`` has ended the task; true where that is not known."""
        ways = [self.ended[at].singles for at in ends]
        return math.prod(map(len, ways)) > _MOST_WAYS or any(
            self.can_hold((*tests, *map(turned, way)), {}) for way in itertools.product(*ways)
        )

    def can_hold(self, tests: Sequence[Single], items: Items) -> bool:
        """Whether tests can hold together, where what they read of an answer is there only if that was saved."""
        saved = set[str]()
        while new := {name for one in tests if not one.holds(None) and (name := _saved(one.path))} - saved:
            saved |= new
            tests = (
                *tests,
                *(one for name in new if not items and name in self.only for one in self.only[name].singles),
            )
        return Condition("", tuple(tests)).can_hold(
            lambda path, value: self._may_stand(path, value, items, saved), lambda path: self._listed(path, items)
        )

    def _answer(self, step: Step) -> Part | None:
        """What a call or a started agent answers; None where that is not known."""
        tool = self.policy.tools.get(step.about)
        if step.kind == "call":
            schema = tool.output_schema if tool is not None else None
            return Part(schema, schema) if schema is not None else None
        book = next((one for one in self.known if (one.agent, one.name) == (step.about, step.given["task"])), None)
        if book is None or book in self.within or book == self.book:
            return Part(SPAWNED_ANSWERS, SPAWNED_ANSWERS)
        inner = TaskReading(book, self.policy, self.known, within=(*self.within, self.book))
        for _ in inner.walk(book.steps, {}):
            pass
        return answer_of(inner.results)

    def ends(self, path: str, items: Items, *, given: bool = False) -> list[Part | None] | None:
        """The parts of answers that may stand at a path, none where nothing can; None where it is no answer's.

        With ``given`` also those of the context that a run which goes on to its end is given.
        """
        root, *rest = path.split(".")
        parts: Sequence[Part | None]
        if given and root == "context" and rest and (part := self.wanted.get(f"context.{rest[0]}")) is not None:
            parts, rest = [part], rest[1:]
        elif root in items:
            parts = items[root]
        elif root == "steps" and rest and rest[0] in self.saved:
            parts, rest = self.saved[rest[0]], rest[1:]
        else:
            return None
        return [end for part in parts for end in (part.at(rest) if part is not None else [None])]

    def _may_stand(self, path: str, value: Any, items: Items, saved: Collection[str]) -> bool:
        """Whether a value may stand at a path where some answers are saved; true where it cannot be known."""
        root, *rest = path.split(".")
        match root:
            case "mission":
                return isinstance(value, str) if not rest else value is None
            case "constraints":
                return value == {} if not rest else value is None
            case "asked" if not rest:
                return bool(value == {})
            case "asked":
                known = rest[0] in self.book.constraints.values() and len(rest) == 1
                return isinstance(value, bool) if known else value is None
            case "context" if value is None and len(rest) == 1:
                return rest[0] not in self.book.needs
            case "steps" if value is None and rest:
                parts = self.saved.get(rest[0], [])
                return rest[0] not in self.sure | {*saved} or (
                    len(rest) > 1 and any(part is None or part.may_lack(rest[1:]) for part in parts)
                )
        if value is None or (found := self.ends(path, items)) is None:
            return True
        return any(part is None or part.allows(value) for part in found)

    def _listed(self, path: str, items: Items) -> list[Any]:
        """The values that a schema lists for a path, and its bounds."""
        return [value for part in self.ends(path, items) or () if part is not None for value in part.listed()]


def turned(single: Single) -> Single:
    """The test that holds where this one does not."""
    return evolve(single, wanted=not single.wanted)


def _saved(path: str) -> str:
    """The name that a path reads a saved answer by; empty where it reads none."""
    root, _, rest = path.partition(".")
    return rest.partition(".")[0] if root == "steps" else ""


def _is_about(tested: Condition, saved: str) -> bool:
    """Whether a condition reads an answer that is saved under a name."""
    return any(_saved(path) == saved for path in tested.paths)
