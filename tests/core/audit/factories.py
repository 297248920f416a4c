"""A record with a few rows in it, and the parts it is made of."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from packhorse.audit import AuditLog, AuditUnavailable, Mask
from packhorse.audit.table import connect
from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.contract.principal import Principal

KEY = b"a key of thirty-two bytes or more"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
OK = Outcome("ok", seconds=0.00125)
DAYS = {"properties": {"day": {"enum": ["monday"]}, "name": {"type": "string"}}}
CARLA = Principal("human", "carla", frozenset({"ADMIN"}), claims={"iss": "https://issuer.example"})


class Ticking:
    """A clock that is a minute later each time it is asked."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


def event(name: str = "swap_shifts", **changes) -> ObservedCall:
    about = {"kind": "tool", "principal": CARLA, "pack": "scheduling", "effectful": True, "request_id": None}
    return ObservedCall(**{"name": name, **about, **changes})


def begin(log: AuditLog, call: ObservedCall) -> str:
    (row,) = log.write([call], ())
    if row is None:
        raise AuditUnavailable
    return row


def end(log: AuditLog, row: str, outcome: Outcome) -> None:
    log.write((), [(row, outcome)])


def opened(path: Path, key: bytes | None = KEY, **changes) -> AuditLog:
    return AuditLog(path, key=key, **{"clock": Ticking(), "mask": Mask()} | changes)


def recorded(path: Path, calls: int = 5, key: bytes | None = KEY, **changes) -> Path:
    """A closed record of so many calls: two rows each."""
    with opened(path, key, **changes) as log:
        for number in range(calls):
            end(log, begin(log, event(f"tool_{number}")), OK)
    return path


def edited(path: Path, *statements: str) -> Path:
    """Somebody with the file and SQLite, who also knows how to drop a trigger and put it back."""
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for name, sql in triggers:
            if name.split("_")[0] in tables:
                connection.execute(sql)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def bodies(path: Path) -> list[dict]:
    from packhorse.audit import rows

    return [row["body"] for row in rows(path)]
