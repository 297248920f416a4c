"""Between JSON-shaped data and domain classes: what comes back, and faults in words."""

import json
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import Enum
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
from attrs import field, frozen
from attrs.validators import ge
from cattrs import ClassValidationError, StructureHandlerNotFoundError
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from packhorse_scheduling.store.structures import faults, make_converter

HOME = ZoneInfo("UTC")
ZONES = ("Africa/Nairobi", "America/St_Johns", "Asia/Kathmandu", "Europe/Paris", "UTC")

offsets = st.timedeltas(timedelta(hours=-14), timedelta(hours=14)).map(
    lambda offset: timezone(timedelta(minutes=offset // timedelta(minutes=1)))
)
# Two days from either end, so that no offset leaves the calendar.
instants = st.datetimes(
    datetime(1, 1, 3),  # noqa: DTZ001 - Hypothesis wants naive bounds
    datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=offsets,
)


class Watch(Enum):
    DAY = "day"
    NIGHT = "night"


def _after_start(leg: "Leg", _: Any, end: datetime) -> None:
    if end <= leg.start:
        raise ValueError("a leg ends after it starts")


@frozen
class Leg:
    start: datetime
    end: datetime = field(validator=_after_start)
    rest_hours: float = 0.0


@frozen
class Journey:
    legs: list[Leg]
    home: ZoneInfo = HOME
    watch: Watch = Watch.DAY
    crew: int = field(default=1, validator=ge(1))
    cabin: Literal["front", "back"] = "front"
    bags: dict[str, int] = field(factory=dict)
    wake: time = time(7)
    nap: timedelta = timedelta()
    spare: Leg | None = None
    seat: int | str = 1


LEG = {"start": "2026-01-31T08:00:00Z", "end": "2026-01-31T10:00:00Z"}


def faults_of(value: Any, kind: Any = Journey) -> list[str]:
    try:
        made = make_converter().structure(value, kind)
    except Exception as exc:
        return faults(exc)
    raise AssertionError(f"accepted as {made!r}")


def through_json(value: Any, kind: Any) -> Any:
    converter = make_converter()
    return converter.structure(json.loads(json.dumps(converter.unstructure(value, unstructure_as=kind))), kind)


@given(instants)
def test_an_instant_comes_back_as_the_same_instant_in_utc(instant: datetime) -> None:
    back = through_json(instant, datetime)

    assert back == instant
    assert back.tzinfo is UTC


@given(instants)
def test_an_instant_is_written_with_z(instant: datetime) -> None:
    assert make_converter().unstructure(instant).endswith("Z")


@given(st.one_of(st.times(), st.times(timezones=offsets)))
def test_a_time_of_day_comes_back_with_its_offset(value: time) -> None:
    back = through_json(value, time)

    assert (back, back.utcoffset()) == (value, value.utcoffset())


@given(st.timedeltas())
def test_a_duration_comes_back(value: timedelta) -> None:
    assert through_json(value, timedelta) == value


@given(st.timedeltas())
def test_a_duration_is_read_as_pydantic_writes_it(value: timedelta) -> None:
    assert make_converter().structure(TypeAdapter(timedelta).dump_python(value, mode="json"), timedelta) == value


@given(st.timedeltas())
def test_pydantic_reads_a_duration_as_it_is_written_here(value: timedelta) -> None:
    assert TypeAdapter(timedelta).validate_python(make_converter().unstructure(value)) == value


@given(st.dates())
def test_a_date_comes_back(value: date) -> None:
    assert through_json(value, date) == value


@given(
    st.builds(
        Journey,
        legs=st.lists(
            st.tuples(instants, st.timedeltas(timedelta(seconds=1), timedelta(hours=20)), st.floats(0, 24)).map(
                lambda drawn: Leg(drawn[0].astimezone(UTC), drawn[0].astimezone(UTC) + drawn[1], drawn[2])
            ),
            max_size=3,
        ),
        home=st.sampled_from(ZONES).map(ZoneInfo),
        watch=st.sampled_from(Watch),
        crew=st.integers(1),
        cabin=st.sampled_from(["front", "back"]),
        bags=st.dictionaries(st.text(), st.integers()),
        wake=st.times(),
        nap=st.timedeltas(),
        seat=st.one_of(st.integers(), st.text()),
    )
)
def test_a_whole_value_comes_back_through_json(journey: Journey) -> None:
    assert through_json(journey, Journey) == journey


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(timedelta(), "PT0S", id="nothing"),
        pytest.param(timedelta(minutes=90), "PT1H30M", id="hours and minutes"),
        pytest.param(timedelta(days=400), "P400D", id="days, never years"),
        pytest.param(timedelta(days=1, seconds=1), "P1DT1S", id="a day and a second"),
        pytest.param(timedelta(milliseconds=-1500), "-PT1.5S", id="before"),
        pytest.param(ZoneInfo("Europe/Paris"), "Europe/Paris", id="zone"),
        pytest.param(time(8, 30), "08:30:00", id="time"),
        pytest.param(
            datetime(2026, 1, 31, 9, tzinfo=timezone(timedelta(hours=1))), "2026-01-31T08:00:00Z", id="instant"
        ),
    ],
)
def test_what_is_written(value: object, text: str) -> None:
    assert make_converter().unstructure(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("P2W", timedelta(days=14), id="weeks"),
        pytest.param("P1Y", timedelta(days=365), id="a year is 365 days, as pydantic means it"),
        pytest.param("PT1,5S", timedelta(seconds=1.5), id="a decimal comma"),
        pytest.param("+PT90M", timedelta(minutes=90), id="more minutes than an hour has"),
    ],
)
def test_durations_that_others_write_are_read(text: str, value: timedelta) -> None:
    assert make_converter().structure(text, timedelta) == value


@pytest.mark.parametrize(
    "text",
    ["", "P", "PT", "P1M", "P1DT", "1D", "pt1s", "PT1.5H", "PT-1S", "PT1S ", "PT\u0661S", "P9999999999D", 5, None],
)
def test_what_is_no_duration_is_refused(text: object) -> None:
    assert faults_of(text, timedelta) == [
        "The data must be a duration in ISO 8601, such as PT1H30M or P2D.",
    ]


def test_an_instant_without_an_offset_is_neither_read_nor_written() -> None:
    wanted = "The data must be an instant with its offset, such as 2026-01-31T08:00:00Z."
    assert faults_of("2026-01-31T08:00:00", datetime) == [wanted]
    with pytest.raises(ValueError, match="give it a time zone"):
        make_converter().unstructure(datetime(2026, 1, 31, 8))  # noqa: DTZ001


def test_an_instant_is_read_into_utc_whatever_its_offset() -> None:
    read = make_converter().structure("2026-01-31T09:00:00+01:00", datetime)

    assert (read.isoformat(), read.tzinfo) == ("2026-01-31T08:00:00+00:00", UTC)


def test_a_zone_without_a_name_is_not_written() -> None:
    with pytest.raises(ValueError, match="without a name"):
        make_converter().unstructure(_nameless())


def _nameless() -> ZoneInfo:
    from importlib import resources

    with (resources.files("tzdata") / "zoneinfo" / "UTC").open("rb") as file:
        return ZoneInfo.from_file(file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"home": "Mars/Olympus"}, "`home` must be the name of a time zone", id="no such zone"),
        pytest.param({"home": "Europe"}, "`home` must be the name of a time zone", id="a folder of zones"),
        pytest.param({"home": "../../etc/passwd"}, "`home` must be the name of a time zone", id="a way out"),
        pytest.param({"home": 5}, "`home` must be the name of a time zone", id="a number for a zone"),
        pytest.param({"crew": "x"}, "`crew` must be a whole number.", id="text for a number"),
        pytest.param({"crew": None}, "`crew` must be a whole number.", id="null for a number"),
        pytest.param({"watch": "dusk"}, "`watch` must be one of: day, night.", id="enum"),
        pytest.param({"cabin": "wing"}, "`cabin` must be one of: front, back.", id="literal"),
        pytest.param({"seat": []}, "`seat` must be a whole number or text.", id="neither of two"),
        pytest.param({"wake": "25:00"}, "`wake` must be a time of day, such as 08:30:00.", id="time"),
        pytest.param({"wake": 25}, "`wake` must be a time of day, such as 08:30:00.", id="a number for a time"),
        pytest.param({"legs": 5}, "`legs` must be a list.", id="a number for a list"),
        pytest.param({"legs": [LEG, 5]}, "`legs.1` must be an object.", id="a number for an object"),
        pytest.param({"bags": [1]}, "`bags` must be an object.", id="a list for a mapping"),
        pytest.param({"bags": {"a.b": "x"}}, "`bags.a.b` must be a whole number.", id="value in a mapping"),
        pytest.param({"spare": {**LEG, "rest_hours": "x"}}, "`spare.rest_hours` must be a number.", id="nested"),
        pytest.param({"legs": [{**LEG, "end": "soon"}]}, "`legs.0.end` must be an instant", id="in a list"),
        pytest.param(
            {"spare": "x"}, "`spare.start` belongs to something that must be an object.", id="text, no object"
        ),
    ],
)
def test_a_fault_is_named_with_its_place(change: dict[str, Any], said: str) -> None:
    assert faults_of({"legs": [LEG], **change})[0].startswith(said)


def test_a_validators_own_words_are_kept() -> None:
    backwards = {"start": LEG["end"], "end": LEG["start"]}

    assert faults_of(backwards, Leg) == ["a leg ends after it starts"]
    assert faults_of({"legs": [LEG, backwards]}) == ["`legs.1`: a leg ends after it starts"]
    assert faults_of({"legs": [], "crew": 0}) == ["'crew' must be >= 1: 0"]


def test_every_fault_is_named_at_once() -> None:
    assert faults_of({"legs": [{"start": "x"}], "crew": "x"}) == [
        "`legs.0.start` must be an instant with its offset, such as 2026-01-31T08:00:00Z.",
        "`legs.0.end` is required.",
        "`crew` must be a whole number.",
    ]


def test_unknown_names_are_named_where_they_are_forbidden() -> None:
    converter = make_converter()
    converter.forbid_extra_keys = True

    with pytest.raises(ClassValidationError) as refused:
        converter.structure({**LEG, "x" * 500: 1, "color": 1}, Leg)
    (said,) = faults(refused.value)

    assert said.startswith("The data has names that are not known here: `color`, `xxx")
    assert len(said) < 120


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        pytest.param({"legs": [], "crew": "x" * 5000}, Journey, id="a long number"),
        pytest.param({"legs": [], "bags": {"x" * 5000: "y"}}, Journey, id="a long name"),
        pytest.param({"legs": [], "seat": ["x" * 5000]}, Journey, id="a long list for one of two"),
        pytest.param({"legs": [], "cabin": "x" * 5000}, Journey, id="a long choice"),
    ],
)
def test_long_input_is_not_repeated(value: Any, kind: Any) -> None:
    assert "x" * 33 not in "".join(faults_of(value, kind))


def test_a_validators_long_words_are_cut() -> None:
    def refuse(instance: Any, attribute: Any, value: str) -> None:
        raise ValueError(f"not {value}")

    @frozen
    class Name:
        text: str = field(validator=refuse)

    (said,) = faults_of({"text": "x" * 5000}, Name)
    assert len(said) == 200
    assert said.endswith("…")


def test_a_type_that_was_never_taught_is_a_bug_and_no_fault() -> None:
    @frozen
    class Odd:
        value: complex
        other: object

    with pytest.raises(StructureHandlerNotFoundError):
        faults_of({"value": 1, "other": 2}, Odd)


def test_what_one_pack_teaches_its_converter_another_does_not_know() -> None:
    taught, untaught = make_converter(), make_converter()
    taught.register_structure_hook(date, lambda value, _: date.fromordinal(value))

    assert taught.structure(1, date) == date(1, 1, 1)
    assert faults_of(1, date) == ["The data must be a date, such as 2026-01-31."]
    assert untaught is not taught


def test_conversion_loads_neither_the_protocol_sdk_nor_pydantic_and_the_host_does_not_load_it() -> None:
    code = (
        "import sys, packhorse; assert 'cattrs' not in sys.modules; assert 'pydantic' not in sys.modules;"
        " import packhorse_scheduling.store.structures;"
        " print([name for name in ('mcp', 'pydantic') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (run.stdout.strip(), run.stderr) == ("[]", "")
