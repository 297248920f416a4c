"""Packs and deployments made on the spot, without the protocol."""

import logging
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.core.live import in_here

from packhorse import Pack, hookimpl
from packhorse.compose.deployment import Deployment, compose
from packhorse.door.catalogue import Found
from packhorse.observe import logs
from packhorse.settings import JobSettings, PackTable, ServerSettings, Settings
from packhorse.testing import PROTOCOLS, Protocol

HOOKS = ("tools", "resources", "prompts", "auth", "commands")


@pytest.fixture(params=PROTOCOLS)
def protocol(request):
    """Each protocol era in turn."""
    era: Protocol = request.param
    return era


@pytest.fixture
def make_pack():
    """A pack's module from what its hooks return; a function given for a hook becomes the hook itself."""

    def make(*, pack: Pack | None = None, name: str = "made_pack", **hooks: Any) -> ModuleType:
        module = ModuleType(name)
        if pack is not None:
            module.pack = pack
        assert set(hooks) <= set(HOOKS)
        for hook, contributed in hooks.items():
            setattr(module, f"register_{hook}", hookimpl(contributed if callable(contributed) else _hook(contributed)))
        return module

    return make


@pytest.fixture
def deploy(tmp_path):
    """A deployment of modules given by pack name; ``server`` and ``tables`` are settings by name."""

    def make(
        *, server: dict[str, Any] | None = None, tables: dict[str, dict[str, Any]] | None = None, **modules: ModuleType
    ) -> Deployment:
        settings = Settings(
            server=ServerSettings(data_dir=tmp_path, **(server or {})),
            packs={name: PackTable(**table) for name, table in (tables or {}).items()},
        )
        found = [Found(name, module.__name__, f"packhorse-{name}", "1.2") for name, module in modules.items()]
        return compose(settings, found, modules=modules)

    return make


@pytest.fixture
def logging_as_it_was():
    """Puts logging back as pytest had it, after a test that configures the host's own."""
    root = logging.getLogger()
    names = {*logs.QUIET, *logs.OWN_HANDLERS}
    before = {name: (logging.getLogger(name).level, list(logging.getLogger(name).handlers)) for name in names}
    handlers, level = list(root.handlers), root.level
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook, warnings.showwarning
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, (own_level, own_handlers) in before.items():
        logging.getLogger(name).setLevel(own_level)
        logging.getLogger(name).handlers[:] = own_handlers
    sys.excepthook, threading.excepthook, sys.unraisablehook, warnings.showwarning = hooks


def _hook(contributed: Sequence[Any]) -> Callable[[], Sequence[Any]]:
    return lambda: contributed


@pytest.fixture
def run(monkeypatch, capfd, logging_as_it_was):
    """Runs a command line on a bench within this process."""
    return in_here(monkeypatch, capfd)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """An engine of jobs that looks for work more often than one that serves, and whose processes find `tests`."""
    pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")
    from packhorse.jobs import queue
    from packhorse.jobs.engine import Databases, Engine

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2]))
        patch.setattr(queue, "POLL_SECONDS", 0.1)
        folder = Databases.in_folder(tmp_path_factory.mktemp("jobs"))
        made = Engine(folder, limits=JobSettings(per_caller=3), beat_seconds=0.2)
        yield made
        made.close()
