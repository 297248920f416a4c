"""What lint says of clauses under a schema, against every value that the schema allows."""

import itertools

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_pai.domain.grants import Verdict, World, holds
from packhorse_pai.domain.grants_toml import rule_from
from packhorse_pai.domain.values import Values, cover_together, covers_all, is_possible
from packhorse_pai.domain.words import Words

TEXTS = ["".join(letters) for size in range(5) for letters in itertools.product("aB", repeat=size)]
EVERY = [*TEXTS, *range(-12, 13), True, False]
"""Each value that a schema below allows: integers, flags, and texts of at most four of two letters."""
BOUNDS = st.integers(-9, 9)
PLAIN = st.sampled_from(["a", "A", "aB", "", 0, 1, 5, -3, True, False])


@st.composite
def schemas(draw):
    """A schema whose every value stands in EVERY."""
    match draw(st.sampled_from(["enum", "boolean", "integer", "string"])):
        case "enum":
            return {"enum": draw(st.lists(st.sampled_from(EVERY), min_size=1, max_size=5))}
        case "integer":
            low, high = sorted((draw(BOUNDS), draw(BOUNDS)))
            least, most = draw(st.sampled_from(["minimum", "exclusiveMinimum"])), draw(st.sampled_from([True, False]))
            return {"type": "integer", least: low, "maximum" if most else "exclusiveMaximum": high}
        case "string":
            low, high = sorted((draw(st.integers(0, 4)), draw(st.integers(0, 4))))
            return {"type": "string", "minLength": low, "maxLength": high, "pattern": "^[aB]*$"}
        case kind:
            return {"type": kind}


CLAUSES = st.one_of(
    st.fixed_dictionaries({"equals": PLAIN}),
    st.fixed_dictionaries({"in": st.lists(PLAIN, max_size=4)}),
    st.fixed_dictionaries({"most": st.integers(-2, 12) | st.sampled_from([0.5, 8.5])}),
    st.fixed_dictionaries({"short": st.integers(0, 6)}),
    st.just({"free": True}),
    st.just({"links": True}),
)
WAYS = st.lists(CLAUSES, min_size=1, max_size=3).map(
    lambda some: {key: val for one in some for key, val in one.items()}
)
WORLD = World(Words("nothing"), by_person=True)


def allowed(schema):
    """Values that a call may have by a schema; of JSON, where a flag is no number."""
    check = jsonschema.Draft202012Validator(schema)
    return [value for value in EVERY if check.is_valid(value)]


@given(schemas(), WAYS)
def test_a_clause_that_never_or_always_holds_is_one_that_no_or_each_allowed_value_meets(schema, way):
    (clauses,) = rule_from([way], Verdict.DENY).alternatives
    values = Values.of(schema, schema)
    met = [all(holds(clause, value, WORLD) is Verdict.ALLOW for clause in clauses) for value in allowed(schema)]
    assert is_possible(clauses, values) == any(met)
    if met and "string" not in str(schema.get("type")):
        assert covers_all(clauses, values) == all(met)
    if covers_all(clauses, values):
        assert all(met)


@given(schemas(), st.lists(WAYS, min_size=1, max_size=3))
def test_alternatives_that_always_hold_together_leave_no_allowed_value_out(schema, ways):
    alternatives = rule_from(ways, Verdict.DENY).alternatives
    values = Values.of(schema, schema)
    met = [
        any(all(holds(clause, value, WORLD) is Verdict.ALLOW for clause in way) for way in alternatives)
        for value in allowed(schema)
    ]
    if cover_together(alternatives, values):
        assert all(met)


@pytest.mark.parametrize(
    "items",
    [
        {"type": ["integer", "null"], "minimum": 0, "maximum": 5},
        {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 5}, {"type": "null"}]},
    ],
)
def test_a_list_whose_elements_may_be_null_is_not_covered_by_a_bound(items):
    schema = {"type": "array", "items": items}
    (way,) = rule_from([{"most": 5}], Verdict.DENY).alternatives
    assert holds(way[0], None, WORLD) is Verdict.DENY
    assert not covers_all(way, Values.of(schema, schema))


DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"


@pytest.mark.parametrize(
    ("schema", "text", "taken"),
    [
        ({"format": "date"}, "2027-02-28", True),
        ({"format": "date"}, "2027-02-29", False),
        ({"format": "date"}, "2028-02-29", True),
        ({"format": "date", "maxLength": 40}, "2027-02-29", True),
        ({"format": "date-time"}, "2027-04-31T08:00:00Z", False),
        ({"pattern": f"^{DAY}$"}, "2027-04-31", False),
        ({"pattern": f"^{DAY}T([01][0-9]|2[0-3]):[0-5][0-9]$"}, "2027-02-30T11:30", False),
        ({"pattern": f"^{DAY}T([01][0-9]|2[0-3]):[0-5][0-9]$"}, "2027-02-28T11:30", True),
        ({"pattern": f"^({DAY}|week [0-9]+)$"}, "week 5", True),
        ({"pattern": "^[0-9-]+$"}, "2027-02-30", True),
        ({}, "2027-02-30", True),
    ],
)
def test_a_text_of_a_date_is_a_day_of_the_calendar(schema, text, taken):
    assert Values.of({"type": "string", **schema}, {}).has(text) is taken
