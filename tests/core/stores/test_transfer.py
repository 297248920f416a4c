"""Moving a deployment's stores from SQLite to PostgreSQL."""

import json
import sqlite3

import pytest
from click.testing import CliRunner
from pydantic import SecretStr
from tests.core.stores.servers import emptied

from packhorse import Pack, PackError
from packhorse.cli.store import stores_of
from packhorse.store.sqlite import Store

SCHEMA = "pack_travel"
MIGRATIONS = (
    "CREATE TABLE trips (id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (name), cost REAL, seal BLOB)",
    "CREATE TABLE people (name TEXT PRIMARY KEY, visits INTEGER)",
)
ROWS = 2500


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "store.sqlite3"
    with Store.open(path, MIGRATIONS[::-1]) as store, store.tx():
        for number in range(ROWS):
            store.execute("INSERT INTO people (name, visits) VALUES (:name, :visits)", name=f"é\t{number}", visits=None)
        for number in range(3):
            store.execute(
                "INSERT INTO trips (id, person, cost, seal) VALUES (:id, :person, :cost, :seal)",
                id=f"\\N{number}",
                person="é\t7",
                cost=0.1 * number,
                seal=b"\x00\xff",
            )
    return path


@pytest.fixture
def url(database):
    return emptied(database, SCHEMA, "packhorse_jobs")


def copy(source, url, migrations=MIGRATIONS[::-1]):
    from packhorse.store.transfer import copy

    return copy(source, url, SCHEMA, migrations)


def there(url, sql):
    from packhorse.store.postgres import PostgresStore

    with PostgresStore.connect(url, SCHEMA, MIGRATIONS[::-1]) as store:
        return store.query(sql)


def test_every_row_arrives_as_it_was_and_is_counted(source, url):
    copied = copy(source, url)

    # Those that others refer to go first.
    assert [(one.store, one.table, one.rows) for one in copied] == [(SCHEMA, "people", ROWS), (SCHEMA, "trips", 3)]
    assert len({one.sha256 for one in copied}) == 2
    for table in ("people", "trips"):
        with Store.open(source, MIGRATIONS[::-1]) as store:
            sent = store.query(f"SELECT * FROM {table}")
        arrived = there(url, f"SELECT * FROM {table}")
        assert sorted(sent, key=str) == sorted(arrived, key=str)


def test_a_store_that_holds_rows_already_is_left_alone(source, url):
    copy(source, url)
    with pytest.raises(PackError, match="'people' already has rows"):
        copy(source, url)
    assert there(url, "SELECT COUNT(*) AS n FROM people") == [{"n": ROWS}]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        pytest.param("UPDATE people SET visits = 'many' WHERE name LIKE '%1'", "'people' cannot be", id="another kind"),
        pytest.param("UPDATE trips SET person = 'nobody'", "'trips' cannot be", id="a reference to nothing"),
        pytest.param("CREATE TABLE extra (a TEXT)", "the table 'extra' differ", id="a table that is not there"),
        pytest.param("ALTER TABLE trips ADD COLUMN note TEXT", "the table 'trips' differ", id="another column"),
    ],
)
def test_what_cannot_be_copied_is_named_and_nothing_is(source, url, statement, says):
    connection = sqlite3.connect(source)
    with connection:
        connection.execute(statement)
    connection.close()

    with pytest.raises(PackError, match=says):
        copy(source, url)
    assert there(url, "SELECT COUNT(*) AS n FROM people") == [{"n": 0}]


def test_a_value_that_changes_on_its_way_stops_the_copy(source, url):
    from packhorse.store.postgres import PostgresStore

    with PostgresStore.connect(url, SCHEMA, MIGRATIONS[::-1]) as store:
        store.execute(
            """
            CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN NEW.name := upper(NEW.name); RETURN NEW; END'
            """
        )
        store.execute("CREATE TRIGGER shouted BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION shout()")

    with pytest.raises(PackError, match="2500 rows sent, 2500 arrived"):
        copy(source, url)
    assert there(url, "SELECT COUNT(*) AS n FROM people") == [{"n": 0}]


def test_a_file_of_a_newer_version_is_refused(source, url):
    with pytest.raises(PackError, match="newer version"):
        copy(source, url, MIGRATIONS[1:])


def test_a_database_that_cannot_be_reached_is_told_without_its_password(source):
    pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")
    from packhorse.store import postgres

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "CONNECT_SECONDS", 0.5)
        with pytest.raises(PackError, match="cannot connect") as caught:
            copy(source, "postgresql://ada:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(caught.value)
    postgres.close_pools()


def test_a_deployment_s_stores_are_those_of_its_packs_the_jobs_the_sign_ins_and_the_console(
    deploy, make_pack, tmp_path
):
    pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")
    from packhorse.console.site import store_of
    from packhorse.login.grants import Grants

    deployment = deploy(
        travel=make_pack(name="travel", tools=[], pack=Pack("t", migrations=MIGRATIONS[::-1])),
        fresh=make_pack(name="fresh", tools=[], pack=Pack("f", migrations=MIGRATIONS)),
    )
    deployment.hosts["travel"].store().close()
    (tmp_path / "packhorse-jobs").mkdir()
    (tmp_path / "packhorse-jobs" / "jobs.sqlite3").touch()
    Grants(deployment.settings).present()
    store_of(deployment.host).store().close()

    found = [(path.relative_to(tmp_path).as_posix(), schema) for path, schema, _ in stores_of(deployment)]
    assert found == [
        ("travel/store.sqlite3", "pack_travel"),
        ("packhorse-jobs/jobs.sqlite3", "packhorse_jobs"),
        ("packhorse-login/store.sqlite3", "pack_packhorse_login"),
        ("packhorse-console/store.sqlite3", "pack_packhorse_console"),
    ]


def test_sign_ins_go_on_in_the_database_that_they_were_copied_to(url, tmp_path):
    from packhorse.cli.store import store
    from packhorse.login.grants import Grant, Grants
    from packhorse.settings import ServerSettings, Settings

    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\ndata_dir = {json.dumps(str(tmp_path))}\npacks = []\n")
    grant = Grant("f", "reports", "Reports", "ada", "", "2026-03-02T08:00:00Z", "2999-01-01T00:00:00Z")
    token = Grants(Settings(server=ServerSettings(data_dir=tmp_path))).begin(grant, 60)
    CliRunner().invoke(store, ["copy", "--to", url, "--config", str(config)], catch_exceptions=False)

    assert Grants(Settings(server=ServerSettings(data_dir=tmp_path, database=SecretStr(url)))).find(token) == grant


def test_the_command_copies_what_there_is_and_says_so(url, tmp_path):
    from packhorse.cli.store import store
    from packhorse.contract.clock import system_clock
    from packhorse.jobs import Owner, Work
    from packhorse.jobs.engine import SCHEMA, Databases
    from packhorse.jobs.ledger import opened
    from packhorse.settings import JOBS_FOLDER as FOLDER

    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\ndata_dir = {json.dumps(str(tmp_path))}\npacks = []\n")
    with opened(Databases.in_folder(tmp_path / FOLDER).ledger, system_clock) as ledger:
        ledger.create("1", "t", Owner("i", "s"), Work("a:b"))

    ran = CliRunner().invoke(store, ["copy", "--to", url, "--json", "--config", str(config)], catch_exceptions=False)
    assert [(one["store"], one["table"], one["rows"]) for one in json.loads(ran.output)["copied"]] == [
        (SCHEMA, "executors", 0),
        (SCHEMA, "jobs", 1),
    ]
    with opened(Databases.at(url).ledger, system_clock) as ledger:
        assert ledger.get("1").run == "a:b"


def test_the_command_wants_to_know_where_to(tmp_path):
    from packhorse.cli.store import store

    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\ndata_dir = {json.dumps(str(tmp_path))}\npacks = []\n")
    with pytest.raises(PackError, match="give the target database with --to"):
        CliRunner().invoke(store, ["copy", "--config", str(config)], catch_exceptions=False)
