"""What of a task can never work: what it names is not there or not granted, what it asks for can never hold."""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from packhorse_pai.domain.decision import lacking_facts
from packhorse_pai.domain.expressions import Condition, Single
from packhorse_pai.domain.findings import Finding, meant, offered_by_none
from packhorse_pai.domain.linting_arguments import argument_faults, refused, unfilled
from packhorse_pai.domain.linting_starts import SPAWNED, SPAWNED_ANSWERS, constants, kept_back, start_faults
from packhorse_pai.domain.linting_values import answer_of, clashes, differing, shape, untaken_where, wanted_of
from packhorse_pai.domain.linting_whole_tasks import task_faults
from packhorse_pai.domain.playbooks import Playbook, Step, every
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, Policy
from packhorse_pai.domain.schemas import Part

_GIVES = {"ref": None, "count": "number", "academic_year": "string", "recommend": "array", "scoped": "array"}
"""The kind of value that a reference gives; None where it is that of what stands there."""

_MOST_WAYS = 64
"""Ways past the ends of a task that are looked at; where there are more, nothing is said."""

_ALWAYS = Condition("", ())
_Said = tuple[str, str, str, str]
"""Kind of finding, text, tool and argument."""


def task_findings(policy: Policy, books: Sequence[Playbook], known: Collection[Playbook]) -> Iterator[Finding]:
    """What is wrong with these tasks; ``known`` are all that a host has. Without tools nothing is said of schemas."""
    for book in books:
        if book.agent not in policy.agents:
            text = f"no agent of this name has a valid card{meant(book.agent, policy.agents)}"
            yield Finding("no_such_agent", book.agent, text, task=book.name)
            continue
        for kind, text in task_faults(book, books, policy):
            yield Finding(kind, book.agent, text, task=book.name)
        reading = _Reading(book, policy, known)
        for step, text in clashes(book, policy.tools):
            number = list(every(book.steps)).index(step) + 1
            yield Finding("never_fires", book.agent, text, step.about, task=book.name, step=number)
        for number, kind, text, tool, argument in reading.steps(book.steps, {}):
            yield Finding(kind, book.agent, text, tool, argument, task=book.name, step=number)


@define
class _Reading:
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
    over: bool = False
    """Whether it is said already that no further step is reached."""
    results: list[Part] = field(factory=list)
    """What the task ends with, by each of its result steps."""
    within: tuple[Playbook, ...] = ()
    """The tasks that start it, where it is read for what it ends with."""
    wanted: dict[str, Part] = field(init=False)
    """By paths of the context, what every run of the task that goes on to its end is given there."""

    def __attrs_post_init__(self) -> None:
        self.wanted = wanted_of(self.book, self.policy.tools)

    def steps(self, steps: Sequence[Step], items: Mapping[str, Sequence[Part | None]]) -> Iterator[tuple[int, *_Said]]:
        """Number and finding of each step; ``items`` are the elements that the loops around them are at."""
        for step in steps:
            self.number += 1
            here = self.number
            if not items and not self.over and (text := self._unreached(step.when or _ALWAYS)):
                yield here, "never_fires", text, "", ""
            for said in (*self._of_step(step), *self._of_paths(step, items), *self._of_conditions(step, items)):
                yield here, *said
            if step.kind == "each":
                found = self.ends(step.about, items, given=True)
                inner = None if found is None else [one for part in found for one in (part.items() if part else [None])]
                if found and not inner:
                    yield here, "never_fires", f"{step.about} is no list, so the loop has no round", "", ""
                if not step.steps:
                    yield here, "no_effect", "the loop has no steps", "", ""
                yield from self.steps(step.steps, {**items, step.given["as"]: inner or [None]})
            if step.kind in ("call", "spawn"):
                self.called.add(step.about if step.kind == "call" else SPAWNED)
                if step.given.get("optional"):
                    self.survived.add(step.about)
            if "save" in step.given:
                answer = self._answer(step)
                name = step.given["save"]
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
                self.ended[here] = step.when or _ALWAYS

    def _unreached(self, when: Condition) -> str:
        """Why a step with this condition is never taken: the task has ended by then; empty where that is not sure."""
        for ends in [*((at,) for at in self.ended), tuple(self.ended)]:
            steps = f"step {ends[0]} ends" if len(ends) == 1 else f"steps {' and '.join(map(str, ends))} end"
            if ends and not self._gets_past(ends, ()):
                self.over = True
                return f"{steps} the task, so those behind it are never reached"
            if ends and self._gets_past((), when.singles) and not self._gets_past(ends, when.singles):
                return f"{steps} the task wherever {when.text!r} holds, so this step is never taken"
        return ""

    def _gets_past(self, ends: Sequence[int], tests: Sequence[Single]) -> bool:
        """Whether these tests can hold where no step of ``ends`` has ended the task; true where that is not known."""
        ways = [self.ended[at].singles for at in ends]
        return math.prod(map(len, ways)) > _MOST_WAYS or any(
            self._can_hold((*tests, *map(_turned, way)), {}) for way in itertools.product(*ways)
        )

    def _can_hold(self, tests: Sequence[Single], items: Mapping[str, Sequence[Part | None]]) -> bool:
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
        inner = _Reading(book, self.policy, self.known, within=(*self.within, self.book))
        for _ in inner.steps(book.steps, {}):
            pass
        return answer_of(inner.results)

    def ends(
        self, path: str, items: Mapping[str, Sequence[Part | None]], *, given: bool = False
    ) -> list[Part | None] | None:
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

    def _of_step(self, step: Step) -> Iterator[_Said]:
        agent, about = self.book.agent, step.about
        for key in step.unread:
            yield "no_effect", f"a {step.kind} step does not read {key!r}", "", ""
        if step.kind == "call":
            tool = self.policy.tools.get(about)
            if self.policy.tools and tool is None and not step.given.get("optional"):
                yield "no_such_tool", offered_by_none(about, self.policy), about, ""
            held = about in self.policy.use.get(agent, ()) and about not in NEVER and about not in SPAWN_TOOLS
            if (agent, about) in self.policy.forbids:
                yield "not_granted", f"a governance file forbids {about} to {agent}", about, ""
            elif not held:
                cure = "list it under ## Tools of its card, and in each governance file that lists the agent's tools"
                yield "not_granted", f"{agent} is not granted {about}: {cure}", about, ""
            arguments = step.given.get("args", {})
            if tool is not None:
                yield from (("never_fires", text, about, name) for text, name in argument_faults(arguments, tool))
                yield from self._of_facts(about)
            written = self.policy.grants.get(agent, ())[1:]
            said = refused(arguments, about, written, "the card of its agent", self.policy)
            yield from ((kind, text, about, name) for kind, text, name in said)
            if held and (keeping := kept_back(self.policy, agent, about)):
                words = f"{agent} runs only below {', '.join(keeping)}, which may not pass {about} on"
                yield "not_granted", words, about, ""
        elif step.kind == "spawn":
            yield from ((kind, text, "", "") for kind, text in self._of_start(step))
        data = step.about if step.kind == "result" else step.given.get("context", {})
        yield from (("never_fires", text, "", "") for text in unfilled(data))

    def _of_start(self, step: Step) -> Iterator[tuple[str, str]]:
        agent, child, task = self.book.agent, step.about, step.given["task"]
        book = next((one for one in self.known if (one.agent, one.name) == (child, task)), None)
        if child not in self.policy.agents:
            yield "no_such_agent", f"no agent {child} has a valid card{meant(child, self.policy.agents)}"
        elif child == agent:
            yield "not_granted", f"{agent} may not start itself: name another agent, or repeat steps with each"
        elif child not in self.policy.spawn.get(agent, ()):
            cure = "name it under Can Spawn of its card, and in each governance file that says whom the agent starts"
            yield "not_granted", f"{agent} may not start {child}: {cure}"
        elif book is None:
            yield "no_such_task", f"{child} has no task {task}"
        else:
            given = step.given.get("context", {}).keys()
            for key in sorted(set(book.needs) - given):
                yield "never_fires", f"the task {task} needs {key}, and the step does not give it in context"
            for key in sorted(given - book.reads):
                yield "never_fires", f"no step of the task {task} reads {key}, so it is refused with it"
            context = constants(step.given.get("context", {}), {})
            yield from start_faults((agent,), step, context, self.policy, self.known)

    def _of_facts(self, tool: str) -> Iterator[_Said]:
        """Facts that a call needs, where nobody may start the agent but a person, and no earlier step shows them."""
        agent = self.book.agent
        if SPAWNED in self.called or any(agent in some for some in self.policy.spawn.values()):
            return
        by = frozenset(
            one.kind
            for one in self.policy.facts
            if one.provided or one.tool in (self.called if one.refusal is None else self.survived)
        )
        for fact in lacking_facts(self.policy, tool, by):
            shown = [one.tool for one in self.policy.facts if one.kind == fact]
            words = f"{tool} needs {fact} first: call {' or '.join(shown)} in an earlier step"
            if not shown:
                words = f"nothing shows {fact}"
            elif set(shown) <= self.called:
                words = f"{tool} needs {fact} first, which a refusal shows: write optional = true in the step before"
            elif shown == [tool]:
                words = f"{tool} needs {fact} first, which only {tool} itself shows"
            yield "never_fires", words, tool, ""

    def _of_paths(self, step: Step, items: Mapping[str, Sequence[Part | None]]) -> Iterator[_Said]:
        for path in step.references:
            if path.startswith("asked.") and path.split(".")[1] not in self.book.constraints.values():
                yield "never_fires", f"nothing ever stands at {path}: no constraint has that name", "", ""
            elif self.ends(path, items, given=True) == []:
                yield "never_fires", f"nothing ever stands at {path}: {self._lacking(path)}", "", ""
        tool = self.policy.tools.get(step.about) if step.kind == "call" else None
        arguments = step.given.get("args", {})
        known = tool.input_schema.get("properties", {}) if tool is not None else {}
        for name in sorted(arguments.keys() & known.keys()):
            if tool is not None and (given := self._gives(arguments[name], items)) is not None:
                wanted = Part(known[name], tool.input_schema).kinds()
                if wanted and given and given.isdisjoint(wanted):
                    words = f"{tool.name} takes no {name} that is of the type {' or '.join(sorted(given))}"
                    yield "never_fires", words, tool.name, name
                elif "ref" in arguments[name] and given == wanted == {"array"}:
                    found = self.ends(arguments[name]["ref"], items) or []
                    if kinds := differing(found, Part(known[name], tool.input_schema)):
                        words = f"{tool.name} takes no {name} whose elements are of the type {kinds}"
                        yield "never_fires", words, tool.name, name
        if tool is not None:
            layers = [layer.grants.get(tool.name, ()) for layer in self.policy.grants.get(self.book.agent, ())[1:]]
            for text, name in dict.fromkeys(
                said for some in layers or [()] for said in untaken_where(step, tool, some)
            ):
                yield "never_fires", text, tool.name, name

    def _lacking(self, path: str) -> str:
        """What has no such field."""
        root, *rest = path.split(".")
        if root == "steps" and rest[1:2] == ["result"]:
            started = next((one for one in every(self.book.steps) if one.given.get("save") == rest[0]), None)
            if started is not None and started.kind == "spawn":
                return f"the task {started.given['task']} of {started.about} ends with no such field"
        return "the answer has no such field" if root == "steps" else "what the tool takes there has no such field"

    def _gives(self, value: Any, items: Mapping[str, Sequence[Part | None]]) -> frozenset[str] | None:
        """The kinds of values that an argument may get by a reference; None where it is none or not known."""
        key = next((key for key in _GIVES if isinstance(value, Mapping) and key in value), None)
        if key is None or "default" in value:
            return None
        if (kind := _GIVES[key]) is not None:
            return frozenset({kind})
        found = self.ends(value[key], items)
        if not found or None in found:
            return None
        return frozenset().union(*(part.kinds() for part in found if part is not None))

    def _of_conditions(self, step: Step, items: Mapping[str, Sequence[Part | None]]) -> Iterator[_Said]:
        ends = [] if items else [*self.ended]
        for tested in step.conditions:
            fails = [(_turned(one),) for one in tested.singles]
            if not self._can_hold(tested.singles, items):
                yield "never_fires", f"the condition {tested.text!r} can never hold", "", ""
            elif not any(self._can_hold(one, items) for one in fails):
                yield "always_holds", f"the condition {tested.text!r} always holds", "", ""
            elif (beyond := self._beyond_all(tested, items)) is not None:
                words = f"every number that may stand at {beyond.path} passes {beyond}: write {beyond.path} exists"
                yield "always_holds", words, "", ""
            elif not self._gets_past(ends, tested.singles) or self._is_told_again(fails):
                continue
            elif not any(self._gets_past(ends, one) for one in fails):
                words = f"the condition {tested.text!r} always holds where steps before have not ended the task"
                yield "always_holds", words, "", ""
            elif (idle := self._idle(tested, ends, items)) is not None:
                words = f"{idle} can be left out of the condition {tested.text!r}: it holds wherever the rest does"
                yield "always_holds", words, "", ""

    def _beyond_all(self, tested: Condition, items: Mapping[str, Sequence[Part | None]]) -> Single | None:
        """The first comparison that all numbers pass which an answer may have there."""
        for single in tested.singles:
            parts = self.ends(single.path, items) if single.test in ("<", ">") else None
            if parts and None not in parts:
                end = [part.lowest() if single.test == ">" else part.highest() for part in parts if part is not None]
                if None not in end and all(
                    evolve(single, wanted=True).holds(float(one)) for one in end if one is not None
                ):
                    return evolve(single, wanted=True)
        return None

    def _is_told_again(self, fails: Sequence[tuple[Single, ...]]) -> bool:
        """Whether these are conditions that ended the task before: then their opposite is written to be read."""
        return all(any(one == ends.singles for ends in self.ended.values()) for one in fails)

    def _idle(
        self, tested: Condition, ends: Sequence[int], items: Mapping[str, Sequence[Part | None]]
    ) -> Single | None:
        """The first of several tests that holds wherever the others do: by form, by schemas, or since steps ended."""
        for at, single in enumerate(tested.singles if len(tested.singles) > 1 else ()):
            tests = (*tested.singles[:at], *tested.singles[at + 1 :], _turned(single))
            if not self._can_hold(tests, items) or not self._gets_past(ends, tests):
                return single
        return None

    def _may_stand(
        self, path: str, value: Any, items: Mapping[str, Sequence[Part | None]], saved: Collection[str]
    ) -> bool:
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

    def _listed(self, path: str, items: Mapping[str, Sequence[Part | None]]) -> list[Any]:
        """The values that a schema lists for a path, and its bounds."""
        return [value for part in self.ends(path, items) or () if part is not None for value in part.listed()]


def _turned(single: Single) -> Single:
    return evolve(single, wanted=not single.wanted)


def _saved(path: str) -> str:
    """The name that a path reads a saved answer by; empty where it reads none."""
    root, _, rest = path.partition(".")
    return rest.partition(".")[0] if root == "steps" else ""


def _is_about(tested: Condition, saved: str) -> bool:
    """Whether a condition reads an answer that is saved under a name."""
    return any(_saved(path) == saved for path in tested.paths)
