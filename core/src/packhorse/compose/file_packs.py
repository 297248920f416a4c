"""A pack in one file that nobody has installed, named by its path: ``packhorse serve ./weather.py``.

A file that implements a hook is a pack like any other. In one without hooks
each public function that the file defines is a tool.
"""

import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from packhorse.contract.hookspecs import hookimpl
from packhorse.door.catalogue import Found
from packhorse.errors import PackError

SUFFIX = ".py"

NOT_PYTHON = "{0!r} is not a Python file: the file of a pack ends in .py"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def is_file(name: str) -> bool:
    """Whether what stands in a pack's place is the path of a file."""
    return name.endswith(SUFFIX)


def is_path(name: str) -> bool:
    """Whether a name is written as the path of a file, whatever its ending."""
    return name.startswith((".", "~", os.sep))


def with_files(found: Sequence[Found], wanted: Sequence[str] | None) -> tuple[list[Found], Sequence[str] | None]:
    """The packs with those of the files that are wanted, and the wanted with each file's path as its pack's name.

    Raises:
        PackError: a file is absent, or a pack of its name is there already.
    """
    made = list(found)
    names: list[str] = []
    for name in wanted or ():
        if not is_file(name):
            names.append(name)
            continue
        pack = found_file(name)
        if pack not in made:
            other = next((one for one in made if one.name == pack.name), None)
            if other is not None:
                raise PackError(
                    f"{pack.file}: there is a pack {pack.name!r} already ({other.distribution}): rename the file"
                )
            made.append(pack)
        names.append(pack.name)
    return made, names if wanted is not None else None


def found_file(name: str) -> Found:
    """The pack of a file; nothing of it is run.

    Raises:
        PackError: there is no such file, or its name cannot be a pack's.
    """
    path = Path(name).expanduser().absolute()
    if not path.is_file():
        raise PackError(f"there is no file {name}")
    if not _NAME.fullmatch(path.stem):
        raise PackError(
            f"{name}: the pack gets the file's name, so it must begin with a letter and have only letters, digits,"
            " '_' and '-': rename the file"
        )
    return Found(path.stem, _module_name(path), str(path), "0", file=path)


def _module_name(path: Path) -> str:
    """The file's own name, by which the process of a job imports it; another where Python has a module of that name."""
    if path.stem in sys.modules:
        taken = getattr(sys.modules[path.stem], "__file__", None) != str(path)
    else:
        spec = importlib.util.find_spec(path.stem)
        taken = spec is not None and spec.origin != str(path)
    return f"packhorse_file_{path.stem}" if taken else path.stem


def import_file(found: Found) -> ModuleType:
    """Run the file, and give its module; without hooks, its functions are its tools.

    Raises:
        PackError: it cannot be run, or offers nothing.
    """
    path = found.file
    spec = importlib.util.spec_from_file_location(found.module, path) if path else None
    if path is None or spec is None or spec.loader is None:
        raise PackError("it is not a Python file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last: what lies beside the file must not pass for an installed module
    module = importlib.util.module_from_spec(spec)
    sys.modules[found.module] = module  # dataclasses and type hints look it up while it runs
    try:
        spec.loader.exec_module(module)
    except SyntaxError as exc:
        raise PackError(f"line {exc.lineno}: {exc.msg}") from exc
    except Exception as exc:
        # Whatever the file raises: its author hears on which line.
        lines = [frame.lineno for frame in traceback.extract_tb(exc.__traceback__) if frame.filename == str(path)]
        where = f"line {lines[-1]}: " if lines else ""
        raise PackError(f"{where}{type(exc).__name__}: {exc}".rstrip(": ")) from exc
    if not any(hasattr(value, "packhorse_impl") for value in vars(module).values()):
        tools = _functions(module)

        @hookimpl
        def register_tools() -> "Sequence[Callable[..., Any]]":
            return tools

        module.register_tools = register_tools  # type: ignore[attr-defined]
    return module


def _functions(module: ModuleType) -> Sequence[Callable[..., Any]]:
    functions = [
        value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and value.__name__ == name
        if not name.startswith("_")
    ]
    if faults := [fault for function in functions if (fault := _fault_of(function)) is not None]:
        raise PackError("; ".join(faults))
    if not functions:
        raise PackError(
            "it defines no public function and no hook: write a function with a docstring and annotated parameters"
        )
    return functions


def _fault_of(function: Callable[..., Any]) -> str | None:
    """Why a function cannot be a tool, with its line and the cure."""
    where = f"line {inspect.unwrap(function).__code__.co_firstlineno}: {function.__name__}"
    if not inspect.getdoc(function):
        return (
            f"{where} has no docstring. Write one: it becomes the tool's description. Or, if it is not a tool, rename"
            f" it to _{function.__name__}"
        )
    for parameter in inspect.signature(function).parameters.values():
        named = parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        if named and parameter.annotation is inspect.Parameter.empty:
            return f"{where}: the parameter {parameter.name!r} has no type: write one, such as {parameter.name}: str"
    return None
