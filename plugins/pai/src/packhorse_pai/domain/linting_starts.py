"""What of a task can never work where another agent starts it: by what it is given, and by the agents above."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

from packhorse_pai.domain.linting_arguments import refused, untaken
from packhorse_pai.domain.playbooks import Playbook, Step, every, is_reference, references
from packhorse_pai.domain.policy import Policy
from packhorse_pai.domain.statuses import Status

SPAWNED = "invoke_agent"
"""The tool by which an agent is started."""
_TEXTS = {"type": "array", "items": {"type": "string"}}
_FIELDS: dict[str, Any] = {
    **{key: {"type": "string"} for key in ("agent_name", "goal_id", "audit_trail_path")},
    **dict.fromkeys(("tools_used", "execution_log"), _TEXTS),
    "status": {"type": "string", "enum": [*get_args(Status)]},
    "result": {"type": "object"},
    "escalations": {"type": "array", "items": {"type": "object"}},
}
SPAWNED_ANSWERS: dict[str, Any] = {"type": "object", "properties": _FIELDS, "required": [*_FIELDS]}
"""What a started agent answers, which its tool may also do as a job."""


def kept_back(policy: Policy, agent: str, tool: str) -> list[str]:
    """The agents that start this one, at any remove, and keep a tool from it; none where some chain lets it through."""
    reached, waiting, keeping = {agent}, [agent], set[str]()
    while waiting:
        one = waiting.pop()
        if one in policy.exposed:
            return []
        above = {parent for parent, children in policy.spawn.items() if one in children} - reached
        closed = {parent for parent in above if not _passes_on(policy, parent, tool)}
        keeping |= closed
        reached |= above
        waiting += above - closed
    return sorted(keeping)


def _passes_on(policy: Policy, agent: str, tool: str) -> bool:
    return tool in policy.delegate.get(agent, ()) and (agent, tool) not in policy.forbids


def start_faults(
    chain: tuple[str, ...], step: Step, given: Mapping[str, Any], policy: Policy, known: Collection[Playbook]
) -> Iterator[tuple[str, str]]:
    """Kind and text of what never works in the task that a step of the first agent of a chain starts.

    ``given`` are the values that stand in the files themselves for keys of the step's context.
    """
    child, task = step.about, step.given["task"]
    book = next((one for one in known if (one.agent, one.name) == (child, task)), None)
    if book is None or child in chain:
        return
    for number, inner in enumerate(every(book.steps), 1):
        if inner.kind == "call":
            for kind, text in _of_call(chain, child, inner, given, policy):
                yield kind, f"step {number} of the task {task} of {child}: {text}"
            if not inner.given.get("optional") and inner.when is None and inner in book.steps:
                for above in chain if not kept_back(policy, child, inner.about) else ():
                    if inner.about in policy.use.get(child, ()) and not _passes_on(policy, above, inner.about):
                        words = f"step {number} of the task {task} of {child}: {above} may not pass {inner.about} on"
                        yield "not_granted", words
        elif inner.kind == "spawn":
            context = constants(inner.given.get("context", {}), given)
            yield from start_faults((child, *chain), inner, context, policy, known)


def _of_call(
    chain: Sequence[str], child: str, step: Step, given: Mapping[str, Any], policy: Policy
) -> Iterator[tuple[str, str]]:
    """What the started agent may not be given, and what the layers of those above it never allow."""
    written = step.given.get("args", {})
    filled = {name: _filled(value, given) for name, value in written.items()}
    new = {name for name in filled if filled[name] != written[name]}
    if (tool := policy.tools.get(step.about)) is not None:
        for text, _ in untaken({name: filled[name] for name in new}, tool):
            yield "never_fires", text
    own = policy.grants.get(child, ())[1:]
    for kind, text, name in refused(filled, step.about, own, f"the card of {child}", policy):
        if name in new:
            yield kind, text
    for above in chain:
        layers = policy.grants.get(above, ())[1:]
        for kind, text, _ in refused(filled, step.about, layers, f"the card of {above}", policy):
            yield kind, text


def constants(context: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a step's context that stand in the files themselves."""
    filled = {key: _filled(value, given) for key, value in context.items()}
    return {key: value for key, value in filled.items() if next(references(value), None) is None}


def _filled(value: Any, given: Mapping[str, Any]) -> Any:
    """A value with what is known of the context in its places."""
    if is_reference(value):
        key = str(value.get("ref", "")).removeprefix("context.")
        return given[key] if value.get("ref") == f"context.{key}" and key in given else value
    if isinstance(value, Mapping):
        return {key: _filled(inner, given) for key, inner in value.items()}
    return [_filled(inner, given) for inner in value] if isinstance(value, list) else value
