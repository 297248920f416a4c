"""The common dialect of SQL, as PostgreSQL's driver and PostgreSQL itself want it.

Packs write one SQL. What differs is mechanical: how parameters are named, and
three types that PostgreSQL calls otherwise or makes narrower than SQLite.
"""

import re
from functools import lru_cache

# What must be passed over whole: texts, quoted names, comments, casts. Then what is looked for.
_PIECES = re.compile(
    r"""
      '(?:[^']|'')*'                    # a text
    | "(?:[^"]|"")*"                    # a quoted name
    | --[^\n]*                          # a comment to the end of the line
    | /\*.*?\*/                         # a comment in between
    | ::                                # a cast, which is no parameter
    | :(?P<parameter>[A-Za-z_]\w*)
    | (?P<word>[A-Za-z_]\w*)
    | %
    """,
    re.VERBOSE | re.DOTALL,
)

# SQLite's INTEGER and REAL hold eight bytes; PostgreSQL's hold four (manual, table 8.2), and it has no BLOB.
_TYPES = {"INTEGER": "BIGINT", "INT": "BIGINT", "REAL": "DOUBLE PRECISION", "BLOB": "BYTEA"}

_WRITING = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "ALTER", "DROP", "TRUNCATE"})


@lru_cache(maxsize=1024)
def with_parameters(sql: str) -> str:
    """``:name`` as the driver's ``%(name)s``; texts, quoted names and comments stay as they are."""

    def piece(found: re.Match[str]) -> str:
        name = found["parameter"]
        return f"%({name})s" if name else found[0].replace("%", "%%")

    return _PIECES.sub(piece, sql)


def with_types(script: str) -> str:
    """A migration with SQLite's names of types as PostgreSQL's of the same width."""

    def piece(found: re.Match[str]) -> str:
        word = found["word"]
        return _TYPES.get(word.upper(), word) if word else found[0]

    return _PIECES.sub(piece, script)


@lru_cache(maxsize=1024)
def writes(sql: str) -> bool:
    """Whether a statement may change something: any that has one of the verbs that do."""
    return any(found["word"] and found["word"].upper() in _WRITING for found in _PIECES.finditer(sql))
