"""Playbooks: an agent's work as data. Steps, conditions and references; no code, no text that is pasted together.

What a playbook can do is known before it runs: every tool, every agent it
starts, every loop's bound. `checked` refuses one that asks for more than its
agent has.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from packhorse_pai.domain.expressions import Condition, condition
from packhorse_pai.domain.names import is_agent, is_tool
from packhorse_pai.domain.policy import NEVER, SPAWN_TOOLS, Policy

MOST_ROUNDS = 50
"""The most rounds of one loop."""

KINDS = ("call", "spawn", "require", "escalate", "each", "result", "fail")
"""The kinds of step. Each step is exactly one of them."""

_GIVEN = ("args", "save", "when", "optional", "mission", "task", "context", "trigger", "reason", "as", "limit", "do")
_KEYS = frozenset({*KINDS, *_GIVEN, "message"})
_READ: Mapping[str, frozenset[str]] = {
    "call": frozenset({"args", "save", "when", "optional"}),
    "spawn": frozenset({"mission", "task", "context", "save", "when", "optional"}),
    "require": frozenset({"trigger", "reason", "when"}),
    "escalate": frozenset({"reason", "when"}),
    "each": frozenset({"as", "limit", "do", "when"}),
    "result": frozenset({"when"}),
    "fail": frozenset({"message", "when"}),
}
"""The keys that a step of each kind reads beside its own."""
_ROOTS = frozenset({"context", "mission", "constraints", "steps", "asked"})


@frozen
class Step:
    """One step: its kind, what it is about, and the condition under which it is taken."""

    kind: str
    about: Any
    given: Mapping[str, Any] = field(factory=dict, hash=False)
    when: Condition | None = None
    test: Condition | None = None
    steps: tuple["Step", ...] = ()
    unread: tuple[str, ...] = ()
    """Keys that are written in it and that a step of its kind does not read."""

    @property
    def references(self) -> tuple[str, ...]:
        """The paths whose values it takes."""
        return (
            *references(self.about if self.kind == "result" else self.given),
            *([self.about] if self.kind == "each" else []),
        )

    @property
    def reads(self) -> frozenset[str]:
        """The paths that it, and the steps inside it, read."""
        tested = (path for one in self.conditions for path in one.paths)
        return frozenset({*self.references, *tested}).union(*(step.reads for step in self.steps))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Under which it is taken, and which it requires."""
        return tuple(one for one in (self.when, self.test) if one is not None)


@frozen
class Playbook:
    """One way for one agent to do one kind of mission.

    It is played where somebody names it as the task, and never guessed from a
    mission's words. ``needs`` are context keys without which it does not begin. ``constraints`` maps a
    constraint's exact words to names that steps may ask for as ``asked.NAME``.
    """

    name: str
    agent: str
    needs: tuple[str, ...] = ()
    constraints: Mapping[str, str] = field(factory=dict, hash=False)
    steps: tuple[Step, ...] = ()

    @property
    def tools(self) -> frozenset[str]:
        """Every tool that any step could call and that the mission cannot do without."""
        return frozenset(
            step.about for step in every(self.steps) if step.kind == "call" and not step.given.get("optional")
        )

    @property
    def reads(self) -> frozenset[str]:
        """Keys of the context that it may be given."""
        return self.read.union(self.needs)

    @property
    def read(self) -> frozenset[str]:
        """Keys of the context that some step reads."""
        paths = frozenset[str]().union(*(step.reads for step in self.steps))
        return frozenset(path.split(".")[1] for path in paths if path.startswith("context."))


@frozen
class Mission:
    """What was asked: the inputs of a playbook, and all that it may depend on besides outcomes."""

    text: str
    context: Mapping[str, Any] = field(factory=dict, hash=False)
    constraints: tuple[str, ...] = ()


class PlaybookError(ValueError):
    """What a task's file has and this format does not: in words, and in which step, counted from 1, if in one."""

    def __init__(self, reason: str, *, step: int | None = None, name: str = "") -> None:
        at = f"step {step}: " if step is not None else ""
        super().__init__(f"playbook {name}: {at}{reason}" if name else f"{at}{reason}")
        self.reason, self.step, self.name = reason, step, name


def playbook_from(data: Mapping[str, Any]) -> Playbook:
    """A playbook from its TOML, read strictly.

    Raises:
        PlaybookError: anything that this format does not have.
    """
    name, agent = data.get("playbook"), data.get("agent")
    if not isinstance(name, str) or not is_tool(name):
        raise PlaybookError(f"playbook is a task's name, of small letters, digits and '_', and not {_short(name)}")
    if not is_agent(agent):
        words = f"agent is an agent's name, of capitals, digits and '_', and not {_short(agent)}"
        raise PlaybookError(words, name=name)
    if unknown := sorted(set(data) - {"playbook", "agent", "needs", "constraints", "steps"}):
        raise PlaybookError(f"the key {unknown[0]!r} is not known", name=name)
    try:
        return Playbook(
            name=name,
            agent=str(agent),
            needs=_texts("needs", data.get("needs", ())),
            constraints={plain_words(words): key for words, key in data.get("constraints", {}).items()},
            steps=tuple(_steps(data.get("steps", ()), set(), (), itertools.count(1))),
        )
    except PlaybookError as exc:
        raise PlaybookError(exc.reason, step=exc.step, name=name) from exc
    except _FAULTS as exc:
        raise PlaybookError(str(exc), name=name) from exc


_FAULTS = (ValueError, KeyError, TypeError, AttributeError)
"""What reading data that is of another form raises."""


def _short(value: Any) -> str:
    return "left out" if value is None else repr(value)[:60]


def checked(playbook: Playbook, policy: Policy) -> tuple[str, ...]:
    """What the playbook asks for and its agent does not have; nothing where it may be used."""
    faults = []
    if playbook.agent not in policy.agents:
        return (f"{playbook.agent} has no valid card",)
    for step in every(playbook.steps):
        if step.kind == "call":
            tool = step.about
            forbidden = (playbook.agent, tool) in policy.forbids
            if tool in NEVER or tool in SPAWN_TOOLS or tool not in policy.use[playbook.agent] or forbidden:
                faults.append(f"{playbook.agent} is not granted {tool}")
        elif step.kind == "spawn" and step.about not in policy.spawn[playbook.agent]:
            faults.append(f"{playbook.agent} may not spawn {step.about}")
    return tuple(faults)


def unread(playbook: Playbook, mission: Mission) -> tuple[str, ...]:
    """Constraints and keys of the context that no step of the playbook reads."""
    kept = [
        f"the constraint {words!r}" for words in mission.constraints if plain_words(words) not in playbook.constraints
    ]
    return (*kept, *(f"context.{key}" for key in sorted(mission.context.keys() - playbook.reads)))


def _steps(rows: Any, saved: set[str], items: tuple[str, ...], numbers: Iterator[int]) -> Iterator[Step]:
    if not isinstance(rows, list | tuple):
        raise ValueError("'steps' and 'do' must be lists of steps")  # noqa: TRY004  # one error for a file that is wrong
    for row in rows:
        number = next(numbers)
        try:
            yield _step(row, saved, items, numbers)
        except PlaybookError:
            raise
        except _FAULTS as exc:
            raise PlaybookError(str(exc), step=number) from exc


def _step(row: Any, saved: set[str], items: tuple[str, ...], numbers: Iterator[int]) -> Step:
    if not isinstance(row, Mapping):
        raise ValueError("a step is a table: write [[steps]] above its keys")  # noqa: TRY004  # as above
    kinds = [kind for kind in KINDS if kind in row]
    if len(kinds) != 1 or (unknown := sorted(set(row) - _KEYS)):
        said = (
            f"the key {unknown[0]!r} is not known" if len(kinds) == 1 else f"a step must be one of {', '.join(KINDS)}"
        )
        raise ValueError(said)
    kind = kinds[0]
    about = row[kind]
    given = {key: value for key, value in row.items() if key in _READ[kind]}
    unread = tuple(sorted(row.keys() - _READ[kind] - {kind}))
    _check_types(kind, about, given)
    when, test = _tested(given.pop("when", None)), None
    if kind == "call" and not is_tool(about):
        raise ValueError(f"{str(about)[:60]!r} is not the name of a tool")
    if kind == "spawn" and not (
        is_agent(about) and all(isinstance(given.get(key), str) for key in ("mission", "task"))
    ):
        raise ValueError("a spawn step needs an agent, a mission and a task")
    if kind in ("require", "escalate"):
        test = _tested(about) if kind == "require" else None
        given = {
            "trigger": row.get("trigger") if kind == "require" else about,
            "reason": row.get("reason", str(about)),
        }
        if not is_tool(given["trigger"]):
            where = "the trigger of a require step" if kind == "require" else "what stands behind escalate"
            words = f"{where} is a name of small letters, digits and '_', and not {_short(given['trigger'])}"
            raise ValueError(f"{words}: write a sentence as its reason")
    inner: tuple[Step, ...] = ()
    if kind == "each":
        limit = given.get("limit")
        if type(limit) is not int or not 1 <= limit <= MOST_ROUNDS:
            raise ValueError(f"a loop needs a limit of 1 to {MOST_ROUNDS}")
        given["as"] = str(given.get("as", "item"))
        inner = tuple(_steps(given.pop("do", ()), saved, (*items, given["as"]), numbers))
    for path in (*references(about if kind == "result" else given), *([about] if kind == "each" else [])):
        _check_path(path, saved, items)
    step = Step(kind, about, given, when, test, inner, unread)
    for path in (path for one in step.conditions for path in one.paths):
        _check_path(path, saved, items)
    if "save" in given:
        saved.add(given["save"])
    return step


_TYPES: Mapping[str, tuple[type, str]] = {
    "args": (Mapping, "a table"),
    "context": (Mapping, "a table"),
    "result": (Mapping, "a table"),
    "save": (str, "a name of letters, digits and underscores"),
    "as": (str, "a name of letters, digits and underscores"),
    "optional": (bool, "true or false"),
    "reason": (str, "a text"),
    "message": (str, "a text"),
    "fail": (str, "a text"),
}


def _check_types(kind: str, about: Any, given: Mapping[str, Any]) -> None:
    for key, value in {**given, kind: about}.items():
        wanted, words = _TYPES.get(key, (object, ""))
        if not isinstance(value, wanted) or (key in ("save", "as") and not str(value).isidentifier()):
            raise ValueError(f"{key} is {words}, and not {str(value)[:60]!r}")


def _texts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{key} is a list of texts, and not {str(value)[:60]!r}")
    return tuple(value)


def _tested(text: Any) -> Condition | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise ValueError("a condition is a text")  # noqa: TRY004  # as above
    return condition(text)


def _check_path(path: Any, saved: set[str], items: tuple[str, ...]) -> None:
    parts = path.split(".") if isinstance(path, str) else [""]
    if parts[0] not in _ROOTS and parts[0] not in items:
        raise ValueError(f"{str(path)[:60]!r} must begin with one of {', '.join(sorted(_ROOTS))}")
    if parts[0] == "steps" and (len(parts) < 2 or parts[1] not in saved):
        raise ValueError(f"{path!r} is not saved by an earlier step")


_REFERS = ("ref", "count", "score", "recommend", "map", "academic_year", "scoped")


def is_reference(value: Any) -> bool:
    """Whether a value is filled in when its step is taken."""
    if not isinstance(value, Mapping):
        return False
    return any(key in value and set(value) <= {key, "default", "table", "scope", "scopes"} for key in _REFERS)


def references(value: Any) -> Iterator[Any]:
    """The paths that data refers to."""
    if is_reference(value):
        yield from (value[key] for key in (*_REFERS, "scope") if key in value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from references(item)


def every(steps: Sequence[Step]) -> Iterator[Step]:
    """Steps, and those inside loops."""
    for step in steps:
        yield step
        yield from every(step.steps)


def plain_words(words: str) -> str:
    """A constraint's words without what writing them differently changes: case, spaces, a full stop."""
    return " ".join(words.lower().split()).rstrip(".")
