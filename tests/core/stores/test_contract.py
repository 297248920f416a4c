"""What a pack's store promises, on every database that it may be on."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from tests.core.stores.servers import emptied

from packhorse import PackError
from packhorse.store.sqlite import Store

pytestmark = pytest.mark.python

PEOPLE = "CREATE TABLE people (name TEXT PRIMARY KEY, visits INTEGER NOT NULL DEFAULT 0)"
BOOKINGS = """
-- A booking belongs to somebody; it is checked when the transaction ends.
CREATE TABLE bookings (
    name TEXT NOT NULL REFERENCES people (name) DEFERRABLE INITIALLY DEFERRED
);
"""

Open = Callable[..., Store]


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request, tmp_path):
    """Opens a new store, the same one at each call, with the migrations given."""
    if request.param == "sqlite":
        return lambda *migrations: Store.open(tmp_path / "store.sqlite3", migrations)
    url = emptied(request.getfixturevalue("database"), "pack_things")
    from packhorse.store.postgres import PostgresStore

    return lambda *migrations: PostgresStore.connect(url, "pack_things", migrations)


@pytest.fixture
def reopen(open_store):
    return lambda: open_store(PEOPLE, BOOKINGS)


@pytest.fixture
def store(reopen):
    with reopen() as opened:
        yield opened


def in_one(store: Store, *statements: str, then: BaseException | None = None) -> None:
    with store.tx():
        for statement in statements:
            store.execute(statement)
        if then is not None:
            raise then


ADD_A, ADD_B = "INSERT INTO people (name) VALUES ('a')", "INSERT INTO people (name) VALUES ('b')"


def names(store: Store) -> list[str]:
    return [row["name"] for row in store.query("SELECT name FROM people ORDER BY name")]


# --- reading and writing ---


def test_rows_come_as_dicts_and_parameters_go_by_name(store):
    store.execute("INSERT INTO people (name, visits) VALUES (:name, :visits)", name="Zoë", visits=2)

    assert store.query("SELECT name, visits FROM people WHERE visits > :least", least=1) == [
        {"name": "Zoë", "visits": 2}
    ]
    assert store.query("SELECT name FROM people WHERE visits > :least", least=2) == []


def test_a_value_is_never_taken_for_sql(store):
    name = "x'); DROP TABLE people; --"
    store.execute("INSERT INTO people (name) VALUES (:name)", name=name)

    assert names(store) == [name]


def test_a_write_tells_how_many_rows_it_changed(store):
    assert store.execute("INSERT INTO people (name) VALUES ('a'), ('b')") == 2
    assert store.execute("UPDATE people SET visits = 1") == 2
    assert store.execute("DELETE FROM people WHERE name = 'nobody'") == 0
    assert store.execute("INSERT INTO people (name) VALUES ('c') RETURNING name") == 1


UPSERT = """
INSERT INTO people (name, visits) VALUES (:name, 1)
ON CONFLICT (name) DO UPDATE SET visits = people.visits + 1 RETURNING name, visits
"""


def test_a_query_that_writes_gives_its_rows_and_is_committed(store, reopen):
    assert store.query(UPSERT, name="a") == [{"name": "a", "visits": 1}]
    assert store.query(UPSERT, name="a") == [{"name": "a", "visits": 2}]

    with reopen() as other:
        assert other.query("SELECT visits FROM people") == [{"visits": 2}]


def test_a_query_that_writes_is_undone_with_its_transaction(store):
    def write() -> None:
        with store.tx():
            store.query(UPSERT, name="a")
            raise ValueError("after it")

    with pytest.raises(ValueError, match="after it"):
        write()

    assert names(store) == []


def test_a_query_that_gives_no_rows_is_refused_and_does_nothing(store):
    with pytest.raises(ValueError, match="use execute"):
        store.query("INSERT INTO people (name) VALUES ('a')")

    assert names(store) == []


# --- transactions ---


def test_a_transaction_is_kept_whole(store, reopen):
    with store.tx():
        store.execute(ADD_A)
        store.execute("INSERT INTO people (name) VALUES ('b')")
        with reopen() as other:
            assert names(other) == []

    assert names(store) == ["a", "b"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, sqlite3.IntegrityError])
def test_on_any_exception_nothing_of_it_is_kept(store, error):
    with pytest.raises(error):
        in_one(store, ADD_A, then=error())

    assert names(store) == []
    store.execute(ADD_B)
    assert names(store) == ["b"]


def test_a_transaction_inside_another_belongs_to_it(store):
    def write() -> None:
        with store.tx():
            in_one(store, ADD_A)
            raise ValueError("outer")

    with pytest.raises(ValueError, match="outer"):
        write()

    assert names(store) == []


def test_the_inner_one_is_undone_alone_when_its_exception_is_caught_between(store):
    with store.tx():
        store.execute(ADD_A)
        for _ in range(2):
            with pytest.raises(sqlite3.IntegrityError):
                in_one(store, ADD_B, ADD_A)
        store.execute("INSERT INTO people (name) VALUES ('d')")

    assert names(store) == ["a", "d"]


def test_a_transaction_that_cannot_be_committed_leaves_the_store_usable(store):
    with pytest.raises(sqlite3.IntegrityError, match=r"(?i)foreign key"):
        in_one(store, ADD_A, "INSERT INTO bookings (name) VALUES ('nobody')")

    assert names(store) == []
    store.execute(ADD_B)
    assert names(store) == ["b"]


def test_four_threads_count_together_and_lose_nothing(reopen):
    with reopen() as store:
        store.execute(ADD_A)
    together = Barrier(4)

    def visit() -> None:
        with reopen() as own:
            together.wait()
            for _ in range(50):
                with own.tx():
                    (row,) = own.query("SELECT visits FROM people WHERE name = 'a'")
                    own.execute("UPDATE people SET visits = :visits WHERE name = 'a'", visits=row["visits"] + 1)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(visit) for _ in range(4)]:
            done.result()

    with reopen() as store:
        assert store.query("SELECT visits FROM people") == [{"visits": 200}]


def test_another_thread_is_told_that_the_store_is_not_its_own(store):
    with ThreadPoolExecutor(1) as pool, pytest.raises(sqlite3.ProgrammingError, match="thread"):
        pool.submit(store.query, "SELECT 1 AS one").result()


def test_a_closed_store_is_closed(reopen):
    with reopen() as store:
        pass

    with pytest.raises(sqlite3.ProgrammingError):
        store.query("SELECT 1 AS one")


# --- migrations ---

MORE = ("ALTER TABLE people ADD COLUMN city TEXT", "ALTER TABLE people ADD COLUMN country TEXT DEFAULT 'x'")


def test_migrations_run_in_order_and_once_and_keep_the_data(open_store):
    with open_store(PEOPLE) as store:
        store.execute(ADD_A)
    for _ in range(2):
        with open_store(PEOPLE, *MORE) as store:
            assert store.query("SELECT * FROM people") == [{"name": "a", "visits": 0, "city": None, "country": "x"}]


def test_a_migration_may_hold_several_statements(open_store):
    script = """
    CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('a;b'); -- one; two
    /* three; */ CREATE TABLE log (name TEXT);
    INSERT INTO people VALUES ('c')
    -- the end"""
    with open_store(script) as store:
        assert names(store) == ["a;b", "c"]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("CREATE TABLE more (a INTEGER); CREATE TABEL less (a INTEGER);", id="not SQL"),
        pytest.param("CREATE TABLE more (a INTEGER); INSERT INTO people (name) VALUES ('a')", id="a broken rule"),
    ],
)
def test_a_migration_that_fails_is_named_and_leaves_the_store_as_it_was(open_store, script):
    with open_store(PEOPLE) as store:
        store.execute(ADD_A)

    with pytest.raises(PackError, match="migration 3 failed"):
        open_store(PEOPLE, MORE[0], script)

    with open_store(PEOPLE, "CREATE TABLE more (a INTEGER)") as store:
        assert store.query("SELECT * FROM people") == [{"name": "a", "visits": 0}]


def test_a_store_of_a_newer_version_is_refused(open_store):
    open_store(PEOPLE, *MORE).close()
    with pytest.raises(PackError, match=r"newer version \(3 migrations; the installed one has 1\)"):
        open_store(PEOPLE)


def test_several_may_open_a_new_store_at_once(open_store):
    together = Barrier(4)

    def opener(number: int) -> None:
        together.wait()
        with open_store(PEOPLE, *MORE, "INSERT INTO people (name) VALUES ('once')") as store:
            store.execute("INSERT INTO people (name) VALUES (:name)", name=f"n{number}")

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(opener, number) for number in range(4)]:
            done.result()

    with open_store(PEOPLE, *MORE, "INSERT INTO people (name) VALUES ('once')") as store:
        assert names(store) == ["n0", "n1", "n2", "n3", "once"]


# --- values ---


@pytest.mark.parametrize(
    ("column", "value"),
    [
        pytest.param("TEXT", "Zoë 🐴 'x' \\ :name %s %(x)s", id="any text"),
        pytest.param("INTEGER", 2**63 - 1, id="the largest whole number"),
        pytest.param("INTEGER", -(2**63), id="the least one"),
        pytest.param("REAL", 0.1 + 0.2, id="every digit of a float"),
        pytest.param("REAL", 1e308, id="a large one"),
        pytest.param("BLOB", b"\x00\xff", id="bytes"),
        pytest.param("TEXT", None, id="nothing"),
    ],
)
def test_a_value_comes_back_as_it_went(open_store, column, value):
    with open_store(f"CREATE TABLE things (id TEXT PRIMARY KEY, value {column})") as store:
        store.execute("INSERT INTO things (id, value) VALUES ('a', :value)", value=value)
        assert store.query("SELECT value FROM things WHERE value = :value OR :value IS NULL", value=value) == (
            [{"value": value}]
        )


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        pytest.param("visits > 1", 1, id="a comparison"),
        pytest.param("SUM(visits)", 5, id="a sum"),
        pytest.param("COUNT(*)", 2, id="a count"),
        pytest.param("AVG(visits)", 2.5, id="a mean"),
        pytest.param("':name'", ":name", id="a text like a parameter"),
        pytest.param("'100%'", "100%", id="a text with a percent sign"),
        pytest.param("MAX(visits) -- and :this", 3, id="a comment"),
        pytest.param("CAST(:number AS TEXT)", "7", id="a cast"),
    ],
)
def test_what_is_worked_out_comes_as_on_sqlite(store, expression, value):
    store.execute("INSERT INTO people (name, visits) VALUES ('a', 2), ('b', 3)")
    where = "" if "(" in expression else "WHERE name = 'a'"
    (row,) = store.query(f"SELECT {expression}\n AS found FROM people {where} LIMIT :number", number=7)[:1]
    assert row == {"found": value}
    assert type(row["found"]) is type(value)


def test_a_truth_value_is_kept_as_a_number(store):
    store.execute("INSERT INTO people (name, visits) VALUES ('a', :visits)", visits=True)
    assert store.query("SELECT visits FROM people WHERE visits = :yes", yes=True) == [{"visits": 1}]


# --- taking turns ---


def test_what_is_read_in_a_transaction_stays_so_until_it_is_written(store, reopen):
    store.execute(ADD_A)
    begun, wrote = threading.Event(), threading.Event()

    def other() -> None:
        with reopen() as own:
            begun.wait()
            own.execute("UPDATE people SET visits = visits + 1")
            wrote.set()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(other)
        with store.tx():
            (row,) = store.query("SELECT visits FROM people")
            begun.set()
            assert not wrote.wait(0.3)  # it waits for its turn
            store.execute("UPDATE people SET visits = :visits", visits=row["visits"] + 10)
        done.result()
    assert store.query("SELECT visits FROM people") == [{"visits": 11}]


def test_readers_wait_for_nobody(store, reopen):
    with store.tx():
        store.execute(ADD_A)
        with reopen() as other:
            assert names(other) == []
