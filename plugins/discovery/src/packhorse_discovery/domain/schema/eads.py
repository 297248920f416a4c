"""A discovery schema (EADS): what to find out, how each value looks, and when it may be asked."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from attrs import frozen

Kind = Literal["text", "yesno", "number", "quantity", "choice", "list", "choices", "table", "any"]
Mode = Literal["ask", "infer", "optional", "never"]
Domain = Literal["process", "data", "resources", "optimality"]
DOMAINS: tuple[Domain, ...] = ("process", "data", "resources", "optimality")

ANY_DATE = "any date"
"""The condition of a field that matters as soon as any date or weekday of its schema is named."""
Path = tuple[str, ...]
"""Names from the top of a structure down; ``*`` stands for any item of a list."""


@frozen
class Choice:
    """One value of a closed list, how to say it to a person, and other words for it."""

    value: str
    label: str
    aliases: tuple[str, ...] = ()


@frozen(eq=False)  # its example may be a list; a field is itself and no other
class Field:
    """One thing to find out.

    ``kind`` follows from the example value unless the schema says it. A
    ``table`` is a list of objects told apart by their ``key`` (``from+to``: by two together). ``mode`` is
    whether to ask, to infer from other answers (asked only when that fails),
    or to take only what is offered. ``when`` names a yes/no field that must be
    true (``continuous?``), one or several that must be empty (``!alternatives|needs``) or one and its
    value (``kind=oven``) for this one to matter. ``also`` is what the question
    goes on to ask the first time alone; ``note`` stands beside the field in the
    form of a refinement.
    """

    path: Path
    kind: Kind
    required: bool = True
    mode: Mode = "ask"
    example: Any = None
    help: str = ""
    question: str = ""
    also: str = ""
    note: str = ""
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    aliases: tuple[str, ...] = ()
    key: str | None = None
    when: str = ""
    weight: float = 1.0

    @property
    def name(self) -> str:
        """The last name of the path."""
        return self.path[-1]

    @property
    def dated(self) -> bool:
        """Whether it is a date, as its example shows."""
        return self.kind == "text" and is_moment(self.example)

    @property
    def weekdays(self) -> bool:
        """Whether it is a list of days of the week, as its example shows."""
        return self.kind == "list" and isinstance(self.example, list) and "Monday" in self.example

    @property
    def label(self) -> str:
        """The name as words: ``process-id`` is "process"."""
        return re.sub(r"-id$", "", self.name.rstrip("?")).replace("-", " ").replace("_", " ")

    @cached_property
    def table(self) -> Path:
        """The path of the innermost list that this field stands in; empty at the top."""
        return self.path[: _last_star(self.path)]


@frozen
class Requirement:
    """What must hold before a schema may be pursued.

    Another schema finished, and, where ``path`` is given, one of ``values``
    (any value when empty) at that place of its structure.
    """

    eads: str
    path: str = ""
    values: tuple[Any, ...] = ()
    why: str = ""


@frozen
class Budget:
    """What asking costs: of ``total``, each question takes ``per_question``."""

    total: float = 1.0
    per_question: float = 0.05

    @property
    def questions(self) -> int:
        """How many questions it pays for."""
        return int(self.total / self.per_question + 1e-9)


@frozen
class Block:
    """Fields that one question can ask for together: the scalars at the top, or the columns of one list.

    ``parents`` are the lists around it, outermost first, with their keys:
    they become the first columns of its table.
    """

    path: Path
    key: str | None
    fields: tuple[Field, ...]
    parents: tuple[tuple[Path, str], ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The names that together tell the rows apart; empty at the top."""
        return tuple(self.key.split("+")) if self.key else ()

    @property
    def hours(self) -> bool:
        """Whether it is a list of working hours: days, a start and an end."""
        return {"days", "start", "end"} <= {one.name for one in self.fields}

    @property
    def noun(self) -> str:
        """What the list holds, in words."""
        return self.path[-1].rstrip("?").replace("-", " ") if self.path else "answers"


@frozen
class Eads:
    """A discovery schema, ready to be pursued.

    ``example`` is the example structure without annotations: from another
    trade, never a default. ``origin`` is where it was found; ``document`` the
    file as it was, by which it can be exported unchanged.
    """

    id: str
    title: str
    domain: Domain
    objective: str
    fields: tuple[Field, ...]
    example: Mapping[str, Any]
    version: str = "1.0.0"
    opening: str = ""
    budget: Budget = Budget()
    requires: tuple[Requirement, ...] = ()
    excludes: tuple[Requirement, ...] = ()
    topics_from: str = ""
    generates: tuple[str, ...] = ()
    challenges: tuple[str, ...] = ()
    migrations: tuple[Mapping[str, Any], ...] = ()
    hooks: str = ""
    origin: str = "library"
    document: Mapping[str, Any] = {}

    @property
    def base(self) -> str:
        """The id without the source that tells it apart: what it is a schema of."""
        return self.id.partition(".")[0]

    @cached_property
    def _by_path(self) -> dict[Path, Field]:
        return {one.path: one for one in reversed(self.fields)}

    @cached_property
    def _tables(self) -> frozenset[Path]:
        return frozenset(one.path for one in self.fields if one.kind == "table")

    def field(self, path: Path) -> Field | None:
        """The field at a template path."""
        return self._by_path.get(path)

    def template(self, path: Path) -> Path:
        """The template path of a concrete one: the ids of list items become ``*``."""
        template: list[str] = []
        for part in path:
            template.append("*" if tuple(template) in self._tables else part)
        return tuple(template)

    def field_at(self, path: Path) -> Field | None:
        """The field that a concrete path belongs to."""
        return self.field(self.template(path))

    def needed_keys(self, table: Path) -> tuple[str, ...]:
        """The parts of a list's key that every row has; the others tell rows apart where they are given."""
        field = self.field(table)
        keys = ((field.key if field is not None else None) or "name").split("+")
        return tuple(key for key in keys if (one := self.field((*table, "*", key))) is None or one.required)

    def is_key(self, path: Path) -> bool:
        """Whether a concrete path is that of a key of a list's row."""
        template = self.template(path)
        table = self.field(template[:-2]) if template[-2:-1] == ("*",) else None
        return table is not None and template[-1] in (table.key or "").split("+")

    @cached_property
    def leaves(self) -> tuple[Field, ...]:
        """The fields that hold values."""
        return tuple(one for one in self.fields if one.kind != "table")

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The top-level values, then each list from the outside in."""
        tables = [one for one in self.fields if one.kind == "table" and one.mode != "never"]
        made = [Block((), None, tuple(one for one in self.leaves if not one.table))]
        for table in tables:
            parents = tuple(
                (other.path, other.key or "name")
                for other in tables
                if other.path != table.path and (*other.path, "*") == table.path[: len(other.path) + 1]
            )
            inside = tuple(one for one in self.leaves if one.table == table.path)
            made.append(Block(table.path, table.key, inside, parents))
        return tuple(block for block in made if block.fields)


def is_moment(value: Any) -> bool:
    """Whether a value is a date, or a date and time, ISO 8601."""
    if not isinstance(value, str) or re.match(r"\d{4}-\d{2}-\d{2}", value) is None:
        return False
    try:
        datetime.fromisoformat(value.strip())
    except ValueError:
        return False
    return True


def slug(words: str) -> str:
    """An id from words: lower case, hyphens, at most 64 characters; "item" when nothing is left."""
    text = re.sub(r"[^\w]+", "-", words.strip().casefold(), flags=re.UNICODE).strip("-_")
    return text[:64].rstrip("-") or "item"


def written(path: Path) -> str:
    """A path as text: ``/subprocesses/mash/duration``."""
    return "/" + "/".join(path)


def path_from(text: str) -> Path:
    """The path that ``text`` writes; the leading slash may be missing."""
    return tuple(part for part in text.strip().split("/") if part)


def _last_star(path: Path) -> int:
    stars = [place for place, part in enumerate(path) if part == "*"]
    return stars[-1] if stars else 0
