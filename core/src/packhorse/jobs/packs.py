"""The pack's host, built again in the child process of a job: its settings, its data folder and its store.

What it is made from goes through the pipe and is never kept: it may hold
secrets, such as the address of a database.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packhorse.contract.host import Host
from packhorse.contract.offers import Pack


def describe(
    pack: str, module: str, *, data_dir: Path, own: Mapping[str, Any], database: str | None = None
) -> dict[str, Any]:
    """What `host_of` needs: the pack's name and module, its settings as the deployer wrote them, and where data is."""
    return {"pack": pack, "module": module, "data_dir": str(data_dir), "own": dict(own), "database": database}


def host_of(described: Mapping[str, Any]) -> Host:
    """The host that the pack's hooks were given, as far as a job may use it."""
    pack = getattr(importlib.import_module(described["module"]), "pack", None) or Pack(title=described["pack"])
    more: dict[str, Any] = {"database": described["database"]} if described["database"] else {}
    return Host(
        described["pack"],
        data_dir=Path(described["data_dir"]),
        settings=pack.settings.model_validate(described["own"]) if pack.settings is not None else None,
        migrations=pack.migrations,
        **more,
    )
