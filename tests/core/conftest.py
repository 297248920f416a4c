"""Packs and deployments made on the spot, without the protocol."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from packhorse import Pack, hookimpl
from packhorse.deployment import Deployment, compose
from packhorse.packs import Found
from packhorse.settings import PackTable, ServerSettings, Settings

HOOKS = ("tools", "resources", "prompts", "auth", "commands")


@pytest.fixture
def make_pack() -> Callable[..., ModuleType]:
    """A pack's module from what its hooks return; a function given for a hook becomes the hook itself."""

    def make(*, pack: Pack | None = None, name: str = "made_pack", **hooks: Any) -> ModuleType:
        module = ModuleType(name)
        if pack is not None:
            module.pack = pack  # type: ignore[attr-defined]
        assert set(hooks) <= set(HOOKS)
        for hook, contributed in hooks.items():
            setattr(module, f"register_{hook}", hookimpl(contributed if callable(contributed) else _hook(contributed)))
        return module

    return make


@pytest.fixture
def deploy(tmp_path: Path) -> Callable[..., Deployment]:
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


def _hook(contributed: Sequence[Any]) -> Callable[[], Sequence[Any]]:
    return lambda: contributed
