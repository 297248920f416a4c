"""Arguments that several tools take, with their limits."""

from typing import Annotated, Literal

from pydantic import Field

ID = r"^[A-Za-z0-9][A-Za-z0-9._ ~-]{0,63}$"
EADS_ID = r"^[A-Za-z0-9][A-Za-z0-9._/ -]{0,127}$"
INTERVIEWERS = Literal["process", "data", "resources", "optimality"]

ProjectId = Annotated[
    str,
    Field(pattern=ID, description="A short name of your choice.", examples=["brewery"]),
]
ConversationId = Annotated[str, Field(pattern=ID, description="Within the project.", examples=["main"])]
EadsId = Annotated[
    str,
    Field(
        pattern=EADS_ID,
        description="A schema, as get_next_eads names it.",
        examples=["process/warm-up-with-challenges"],
    ),
]
QuestionId = Annotated[
    str, Field(pattern=r"^q[0-9]{1,6}-[0-9]{1,6}$", description="As get_next_question gave it.", examples=["q1-1"])
]
AnswerText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=50_000,
        description="The answer, word for word.",
        examples=["We make sourdough bread; the oven is the bottleneck."],
    ),
]
Person = Annotated[str, Field(max_length=80, description="Who answers, where several people do.")]
Page = Annotated[int, Field(ge=1, le=10_000, description="Which page; answers above 20 kB have several.")]
