"""``[jobs]``: how much a deployment gives to long-running work."""

from pydantic import BaseModel, ConfigDict, Field


class JobSettings(BaseModel):
    """``[jobs]``: long-running work, which needs packhorse[jobs]."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at_a_time: int = Field(2, ge=1, description="Jobs that one process works on at a time.")
    at_a_time_overall: int | None = Field(
        None, ge=1, description="Jobs that all processes work on at a time; any number when absent."
    )
    per_caller: int = Field(20, ge=1, description="Jobs that one caller may have waiting or running.")
    memory_mb: int = Field(4096, ge=64, description="The memory of a job's process, unless the job says otherwise.")
    seconds: float = Field(3600, gt=0, description="How long a job may run, unless it says otherwise.")
    keep_days: float = Field(7, gt=0, description="How long a finished job is kept.")
