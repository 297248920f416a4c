"""The pages about names that packs import: hooks with exactly their signatures, and everything `packhorse` exports."""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from generator.markdown import code, page, prose, table

import packhorse
from packhorse import jobs, testing
from packhorse.contract import hookspecs
from packhorse.store import sqlite as store

# The modules whose public names packs import, in the order in which an author meets them, and what comes first there.
_CHAPTERS = {
    "packhorse.contract.offers": "What hooks return",
    "packhorse.contract.packs": "The pack as a whole, its guards and approvals",
    "packhorse.contract.host": "What hooks receive",
    "packhorse.contract.context": "The call being served",
    "packhorse.contract.principal": "Who is calling",
    "packhorse.contract.content": "What can be answered",
    "packhorse.contract.views": "How an answer is shown",
    "packhorse.contract.measures": "What a pack measures",
    "packhorse.contract.observers": "What observers are told",
    "packhorse.contract.questions": "Questions to the client",
    "packhorse.errors": "What is raised",
}
_FIRST = ("Tool", "Resource", "Prompt", "Pack")

_MARK = """## The mark of a hook

### hookimpl

The decorator of a [hook](hooks.md): `@hookimpl`."""


_CONSTANTS = {
    "packhorse.contract.principal": """### AUTHENTICATED

The role that everybody holds who has shown who they are: `roles=[AUTHENTICATED]` is for any of them, and for nobody
else.""",
}


def hooks_page() -> str:
    """The hooks."""
    hooks = [hook for name, hook in vars(hookspecs).items() if name.startswith("register_")]
    parts = [f"## {hook.__name__}\n\n{code(signature(hook))}\n\n{prose(hook.__doc__)}" for hook in hooks]
    return page("Hooks", prose(hookspecs.__doc__), "Mark each with `@hookimpl`, imported from `packhorse`.", *parts)


def offers_page() -> str:
    """Every name that `packhorse` exports, the store, and the names of jobs and `packhorse.testing`."""
    exported = {name: getattr(packhorse, name) for name in packhorse.__all__}
    parts = [
        "Import all of these from `packhorse`; those of the last two chapters from the module that is their title."
    ]
    for module, title in _CHAPTERS.items():
        members = [value for value in exported.values() if getattr(value, "__module__", "") == module]
        members.sort(key=lambda value: (value.__name__ not in _FIRST, inspect.getsourcelines(value)[1]))
        parts += [f"## {title}", *(_class(value) for value in members), _CONSTANTS.get(module, "")]
        if module == "packhorse.contract.host":
            parts.append(_class(store.Store))
    parts += [_MARK, *_chapter(jobs, jobs.Work, jobs.Running)]
    parts += ["## packhorse.testing", prose((testing.__doc__ or "").partition("```")[0])]
    parts += [_testing(name, value) for name, value in vars(testing).items() if _is_own(name, value)]
    return page("Offers, and every other name that a pack imports", *parts)


def _chapter(module: ModuleType, *members: type[Any]) -> list[str]:
    """A module of its own that packs import: what it is for, and its names."""
    guide = f"[The guide](../{module.__name__.rpartition('.')[2]}.md) shows it at work."
    about = "\n\n".join((module.__doc__ or "").split("\n\n")[:2])
    return [f"## {module.__name__}", prose(about), guide, *(_class(member) for member in members)]


def signature(function: Callable[..., Any], name: str | None = None) -> str:
    """A function's signature, as its author wrote it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        raise TypeError(f"{function!r} is no function")
    returns = f" -> {ast.unparse(tree.returns)}" if tree.returns and name is None else ""
    return f"{name or tree.name}({', '.join(_parameters(tree.args))}){returns}"


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    """Each parameter as it was written, ``self`` left out."""
    plain = [argument for argument in arguments.args if argument.arg != "self"]
    padding = [None] * (len(plain) - len(arguments.defaults))
    yield from (_parameter(*pair) for pair in zip(plain, [*padding, *arguments.defaults], strict=True))
    if arguments.vararg or arguments.kwonlyargs:
        yield "*" + (_parameter(arguments.vararg, None) if arguments.vararg else "")
    yield from (_parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    if arguments.kwarg:
        yield "**" + _parameter(arguments.kwarg, None)


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    annotation = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    return argument.arg + annotation + (f" = {ast.unparse(default)}" if default else "")


def typed(annotation: Any) -> str:
    """A type without the modules that its parts come from."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text).replace("~", "")


def _class(kind: type[Any]) -> str:
    parts = [f"### {kind.__name__}", prose(kind.__doc__)]
    if dataclasses.is_dataclass(kind):
        parts.append(_fields(kind))
    elif "__init__" in vars(kind) and issubclass(kind, Exception):
        parts.append(code(signature(kind.__init__, kind.__name__)))
    elif "__init__" in vars(kind):
        parts.append(_attributes(kind))
    parts += [_member(kind, name, member) for name, member in vars(kind).items() if not name.startswith("_")]
    return "\n\n".join(part for part in parts if part)


def _fields(kind: type[Any]) -> str:
    """A dataclass's fields, its own before those it shares with others."""
    own = inspect.get_annotations(kind)
    rows = []
    for field in sorted(dataclasses.fields(kind), key=lambda field: field.name not in own):
        if field.default_factory is not dataclasses.MISSING:
            default = f"`{field.default_factory()!r}`"
        else:
            default = "" if field.default is dataclasses.MISSING else f"`{field.default!r}`"
        rows.append([f"`{field.name}`", f"`{typed(field.type)}`", default])
    return table(["field", "type", "default"], rows)


def _attributes(kind: type[Any]) -> str:
    """The public attributes that a constructor sets."""
    names = re.findall(r"self\.([a-z]\w*) = ", inspect.getsource(kind.__init__))
    return f"Attributes: {', '.join(f'`{name}`' for name in names)}." if names else ""


def _member(kind: type[Any], name: str, member: Any) -> str:
    function = inspect.unwrap(member.__func__ if isinstance(member, classmethod) else member)
    if isinstance(member, property) and member.fget is not None:
        written = signature(member.fget).replace("()", "")
    elif inspect.isfunction(function) and function.__doc__:
        before = "async " if inspect.iscoroutinefunction(function) else "with " if function is not member else ""
        written = before + _yielded(signature(function))
    else:
        return ""
    if isinstance(member, classmethod):
        return ""  # how the host makes one is no concern of a pack
    return f"#### {kind.__name__}.{name}\n\n{code(written)}\n\n{prose(member.__doc__)}"


def _yielded(written: str) -> str:
    """What a context manager gives, instead of the iterator that its function is."""
    return re.sub(r"(?:Async)?Iterator\[(.*)\]$", r"\1", written).removesuffix(" -> None")


def _is_own(name: str, value: Any) -> bool:
    is_constant = name.isupper() and isinstance(value, tuple)
    return not name.startswith("_") and (is_constant or getattr(value, "__module__", None) == testing.__name__)


def _testing(name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"### {name}\n\n{code(f'{name} = {value!r}')}"
    if inspect.isclass(value):
        tests = "\n".join(f"- `{test}`" for test in vars(value) if test.startswith("test_"))
        chosen = ", ".join(f"`{variable}`" for variable in inspect.get_annotations(value))
        return f"### {name}\n\n{prose(value.__doc__)}\n\nWhat a subclass sets: {chosen}. Its tests:\n\n{tests}"
    function = inspect.unwrap(value)
    before = "async with " if function is not value else ""
    return f"### {name}\n\n{code(before + _yielded(signature(function)))}\n\n{prose(value.__doc__)}"
