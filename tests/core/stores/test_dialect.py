"""One SQL for two databases: what is put differently, and what is left alone."""

import pytest

from packhorse.store.dialect import with_parameters, with_types, writes


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        pytest.param("SELECT :a, :b_2", "SELECT %(a)s, %(b_2)s", id="parameters"),
        pytest.param("SELECT ':a', ':b''s' , :c", "SELECT ':a', ':b''s' , %(c)s", id="not in texts"),
        pytest.param('SELECT ":a" FROM "x"":b"', 'SELECT ":a" FROM "x"":b"', id="not in quoted names"),
        pytest.param("SELECT 1 -- :a\n, :b", "SELECT 1 -- :a\n, %(b)s", id="not in comments to the end of a line"),
        pytest.param("SELECT /* :a\n:b */ :c", "SELECT /* :a\n:b */ %(c)s", id="not in comments in between"),
        pytest.param("SELECT 'a'::text, :a::text", "SELECT 'a'::text, %(a)s::text", id="not in casts"),
        pytest.param("SELECT 7 % :a, '5%'", "SELECT 7 %% %(a)s, '5%%'", id="percent signs are doubled"),
    ],
)
def test_parameters_are_named_as_the_driver_wants_them(ours, theirs):
    assert with_parameters(ours) == theirs


def test_types_get_the_width_that_they_have_on_sqlite():
    script = "CREATE TABLE t (a INTEGER, b real, c BLOB, d INT, \"integer\" TEXT DEFAULT 'REAL') -- INTEGER"
    assert with_types(script) == (
        "CREATE TABLE t (a BIGINT, b DOUBLE PRECISION, c BYTEA, d BIGINT, \"integer\" TEXT DEFAULT 'REAL') -- INTEGER"
    )


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT updated, deleted FROM inserts", False),
        ("WITH a AS (SELECT 1) SELECT * FROM a", False),
        ("SELECT 'UPDATE' -- DELETE", False),
        ("insert into a values (1) returning b", True),
        ("WITH gone AS (DELETE FROM a RETURNING b) SELECT * FROM gone", True),
    ],
)
def test_what_may_change_something_is_known(sql, expected):
    assert writes(sql) is expected
