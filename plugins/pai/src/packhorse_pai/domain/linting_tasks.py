"""What of a task can never work: what it names is not there or not granted, what it asks for can never hold."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve

from packhorse_pai.domain.decision import lacking_facts
from packhorse_pai.domain.expressions import Condition, Single
from packhorse_pai.domain.findings import Finding, meant, offered_by_none
from packhorse_pai.domain.linting_arguments import argument_faults, refused, unfilled
from packhorse_pai.domain.linting_starts import SPAWNED, constants, kept_back, start_faults
from packhorse_pai.domain.linting_values import clashes, differing, untaken_where
from packhorse_pai.domain.linting_whole_tasks import task_faults
from packhorse_pai.domain.playbooks import Playbook, Step, every
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, Policy
from packhorse_pai.domain.schemas import Part
from packhorse_pai.domain.task_reading import ALWAYS, Items, TaskReading, turned

_GIVES = {"ref": None, "count": "number", "academic_year": "string", "recommend": "array", "scoped": "array"}
"""The kind of value that a reference gives; None where it is that of what stands there."""

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
        for step, text in clashes(book, policy.tools):
            number = list(every(book.steps)).index(step) + 1
            yield Finding("never_fires", book.agent, text, step.about, task=book.name, step=number)
        for number, kind, text, tool, argument in _Checked(book, policy, known).findings():
            yield Finding(kind, book.agent, text, tool, argument, task=book.name, step=number)


@define
class _Checked(TaskReading):
    """A reading that says what is wrong with each step."""

    over: bool = False
    """Whether it is said already that no further step is reached."""

    def findings(self) -> Iterator[tuple[int, *_Said]]:
        """Number and finding of each step."""
        for here, step, items in self.walk(self.book.steps, {}):
            if not items and not self.over and (text := self._unreached(step.when or ALWAYS)):
                yield here, "never_fires", text, "", ""
            for said in (*self._of_step(step), *self._of_paths(step, items), *self._of_conditions(step, items)):
                yield here, *said
            if step.kind == "each":
                if self.ends(step.about, items, given=True) and not self.rounds(step, items):
                    yield here, "never_fires", f"{step.about} is no list, so the loop has no round", "", ""
                if not step.steps:
                    yield here, "no_effect", "the loop has no steps", "", ""

    def _unreached(self, when: Condition) -> str:
        """Why a step with this condition is never taken: the task has ended by then; empty where that is not sure."""
        for ends in [*((at,) for at in self.ended), tuple(self.ended)]:
            steps = f"step {ends[0]} ends" if len(ends) == 1 else f"steps {' and '.join(map(str, ends))} end"
            if ends and not self.gets_past(ends, ()):
                self.over = True
                return f"{steps} the task, so those behind it are never reached"
            if ends and self.gets_past((), when.singles) and not self.gets_past(ends, when.singles):
                return f"{steps} the task wherever {when.text!r} holds, so this step is never taken"
        return ""

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

    def _of_paths(self, step: Step, items: Items) -> Iterator[_Said]:
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

    def _gives(self, value: Any, items: Items) -> frozenset[str] | None:
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

    def _of_conditions(self, step: Step, items: Items) -> Iterator[_Said]:
        ends = [] if items else [*self.ended]
        for tested in step.conditions:
            fails = [(turned(one),) for one in tested.singles]
            if not self.can_hold(tested.singles, items):
                yield "never_fires", f"the condition {tested.text!r} can never hold", "", ""
            elif not any(self.can_hold(one, items) for one in fails):
                yield "always_holds", f"the condition {tested.text!r} always holds", "", ""
            elif (beyond := self._beyond_all(tested, items)) is not None:
                words = f"every number that may stand at {beyond.path} passes {beyond}: write {beyond.path} exists"
                yield "always_holds", words, "", ""
            elif not self.gets_past(ends, tested.singles) or self._is_told_again(fails):
                continue
            elif not any(self.gets_past(ends, one) for one in fails):
                words = f"the condition {tested.text!r} always holds where steps before have not ended the task"
                yield "always_holds", words, "", ""
            elif (idle := self._idle(tested, ends, items)) is not None:
                words = f"{idle} can be left out of the condition {tested.text!r}: it holds wherever the rest does"
                yield "always_holds", words, "", ""

    def _beyond_all(self, tested: Condition, items: Items) -> Single | None:
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

    def _idle(self, tested: Condition, ends: Sequence[int], items: Items) -> Single | None:
        """The first of several tests that holds wherever the others do: by form, by schemas, or since steps ended."""
        for at, single in enumerate(tested.singles if len(tested.singles) > 1 else ()):
            tests = (*tested.singles[:at], *tested.singles[at + 1 :], turned(single))
            if not self.can_hold(tests, items) or not self.gets_past(ends, tests):
                return single
        return None
