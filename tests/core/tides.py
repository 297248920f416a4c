"""A small pack with settings of every kind, put into a folder as pip leaves an installed wheel."""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = '''
"""The tides, as a pack."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, DirectoryPath, Field, FilePath, SecretStr

from packhorse import Pack, hookimpl


class TideSettings(BaseModel):
    harbour: str{required}
    key: SecretStr | None = Field(None, description="Opens the almanac.")
    table: FilePath | None = Field(None, description="A table of your own.")
    archive: DirectoryPath | None = None
    metres: float = Field(2.5, ge=0, le=20, description="The quay's height.")
    unit: Literal["m", "ft"] = Field("m", description="The unit of heights.")
    daylight: bool = True
    ports: tuple[str, ...] = Field((), description="Other ports to name.")


pack = Pack(title="Tides", settings=TideSettings)


@hookimpl
def register_tools(host):
    settings = host.settings

    def tell_tides() -> list[str]:
        """Say what the settings of the tides are, one a line, for a test that looks at them."""
        return [settings.harbour, *settings.ports, str(settings.metres)]

    return [tell_tides]
'''

METADATA = """\
Metadata-Version: 2.4
Name: packhorse-tides
Version: 1.2
Summary: {summary}
Author-email: Ada Byron <ada@example.org>
License-Expression: Apache-2.0
Keywords: tide,sea
Requires-Python: >=3.11,<3.15
Requires-Dist: packhorse>=0.1,<0.2
Project-URL: Repository, https://github.com/ada/tides
Project-URL: Homepage, https://tides.example.org

# packhorse-tides

When the water comes.
{readme}
"""


def put(
    folder: Path,
    *,
    summary: str = "When the water comes.",
    readme: str = "",
    required: bool = False,
    script: str = "",
    tag: str = "py3-none-any",
) -> None:
    """Install the pack into ``folder``. ``required`` says that its harbour has no default."""
    info = "packhorse_tides-1.2.dist-info"
    points = f"[packhorse]\ntides = packhorse_tides\n{script}"
    source = SOURCE.replace("{required}", "" if required else ' = "Brest"')
    contents = {
        "packhorse_tides.py": source,
        f"{info}/METADATA": METADATA.format(summary=summary, readme=readme),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: {tag}\n",
        f"{info}/entry_points.txt": points,
        f"{info}/INSTALLER": "pip\n",
        f"{info}/direct_url.json": '{"url": "file:///tides.whl", "archive_info": {}}',
    }
    for path, text in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    with (folder / info / "RECORD").open("w", encoding="utf-8", newline="") as record:
        csv.writer(record).writerows((path, "", "") for path in [*contents, f"{info}/RECORD", "../../bin/tides"])


@contextmanager
def forgotten() -> Iterator[None]:
    """The module is imported afresh afterwards."""
    sys.modules.pop("packhorse_tides", None)
    try:
        yield
    finally:
        sys.modules.pop("packhorse_tides", None)
