"""Arguments that several tools take, with their limits."""

from typing import Annotated, Literal

from pydantic import Field

ID = r"^[A-Za-z0-9][A-Za-z0-9._ ~-]{0,63}$"
EADS_ID = r"^[A-Za-z0-9][A-Za-z0-9._/ -]{0,127}$"
INTERVIEWERS = Literal["process", "data", "resources", "optimality"]

ProjectId = Annotated[str, Field(pattern=ID, examples=["bakery"])]
ConversationId = Annotated[str, Field(pattern=ID)]
EadsId = Annotated[str, Field(pattern=EADS_ID, description="A schema.", examples=["process/flow-shop"])]
QuestionId = Annotated[str, Field(pattern=r"^q[0-9]{1,6}-[0-9]{1,6}$", examples=["q1-1"])]
AnswerText = Annotated[str, Field(min_length=1, max_length=50_000, description="Their words.")]
Person = Annotated[str, Field(max_length=80, description="Who, where several answer.")]
Page = Annotated[int, Field(ge=1, le=10_000)]
