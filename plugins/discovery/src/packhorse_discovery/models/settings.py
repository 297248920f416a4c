"""What a deployer may set."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class DiscoverySettings(BaseModel):
    """``[packs.discovery]``."""

    model_config = ConfigDict(extra="forbid")
    eads_path: list[Path] = Field(default_factory=list, description="Folders or files with further schemas.")
