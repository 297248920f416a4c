"""Zone names, offsets, and wall times that do not exist or exist twice."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from packhorse_circadian.domain import zones


@pytest.mark.parametrize("name", ["Asia/Tokyo", "US/Pacific", "Asia/Calcutta", "UTC", "EST", "Etc/GMT+12", "NZ-CHAT"])
def test_names_of_the_database_are_found_with_their_aliases(name: str) -> None:
    """Finding C11 j: EST is such a name, and PST is none; what is refused is no abbreviation, but no name."""
    zone = zones.find(name)

    assert zone is not None
    assert zone.key == name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Mars/Olympus", id="unknown"),
        pytest.param("PST", id="an abbreviation that is no zone"),
        pytest.param("asia/tokyo", id="wrong case"),
        pytest.param("../Asia/Tokyo", id="a path"),
        pytest.param("/usr/share/zoneinfo/Asia/Tokyo", id="an absolute path"),
        pytest.param("posix/Asia/Tokyo", id="the posix tree"),
        pytest.param("right/Asia/Tokyo", id="the right tree"),
        pytest.param("localtime", id="the machine's own"),
        pytest.param("posixrules", id="the rules file"),
        pytest.param("Factory", id="the unset clock"),
        pytest.param("Asia", id="a folder"),
        pytest.param("+09:00", id="an offset"),
        pytest.param("Asia/Tokyo\0", id="NUL"),
        pytest.param("", id="empty"),
        pytest.param("A" * 10_000, id="huge"),
    ],
)
def test_everything_else_is_no_zone(name: str) -> None:
    assert zones.find(name) is None


def test_a_name_in_the_wrong_case_is_recognised() -> None:
    assert zones.meant("america/new_york") == "America/New_York"
    assert zones.meant("Mars/Olympus") is None


@pytest.mark.parametrize(
    ("name", "day", "hours"),
    [
        pytest.param("America/New_York", date(2026, 3, 8), -4, id="on the day clocks change, after the change"),
        pytest.param("Africa/Casablanca", date(2026, 3, 1), 0, id="an hour back in Ramadan"),
        pytest.param("Australia/Lord_Howe", date(2026, 1, 5), 11, id="summer time of half an hour"),
        pytest.param("Asia/Kathmandu", date(2026, 1, 5), 5.75, id="a quarter hour"),
        pytest.param("Pacific/Apia", date(2011, 12, 30), -10, id="a date left out, as before it"),
    ],
)
def test_offsets_are_those_of_local_noon(name: str, day: date, hours: float) -> None:
    assert zones.offset_at_noon(ZoneInfo(name), day) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("name", "wall", "seen"),
    [
        pytest.param("Europe/Paris", "2026-06-01T12:00", ["2026-06-01T10:00"], id="once"),
        pytest.param("Europe/Paris", "2026-03-29T02:30", [], id="skipped"),
        pytest.param("Europe/Paris", "2026-10-25T02:30", ["2026-10-25T00:30", "2026-10-25T01:30"], id="twice"),
        pytest.param("Pacific/Apia", "2011-12-30T12:00", [], id="on a date left out"),
    ],
)
def test_a_wall_time_is_seen_once_never_or_twice(name: str, wall: str, seen: list[str]) -> None:
    expected = tuple(datetime.fromisoformat(at).replace(tzinfo=UTC) for at in seen)

    assert zones.instants(datetime.fromisoformat(wall), ZoneInfo(name)) == expected


@pytest.mark.parametrize(
    ("name", "wall", "after"),
    [
        ("Europe/Paris", "2026-03-29T02:00", "2026-03-29T03:00"),
        ("Europe/Paris", "2026-03-29T02:59", "2026-03-29T03:00"),
        ("Australia/Lord_Howe", "2026-10-04T02:10", "2026-10-04T02:30"),
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-31T00:00"),
    ],
)
def test_after_a_gap_the_first_minute_that_exists_is_named(name: str, wall: str, after: str) -> None:
    found = zones.after_gap(datetime.fromisoformat(wall), ZoneInfo(name))

    assert found == datetime.fromisoformat(after)


@pytest.mark.parametrize(
    ("instant", "wall"),
    [
        pytest.param("1971-05-01T12:00:45+00:00", "1971-05-01T11:16", id="where offsets had seconds"),
        pytest.param("1972-01-07T00:44:40+00:00", "1972-01-07T00:45", id="just after half a minute was left out"),
        pytest.param("1971-05-01T12:00:30+00:00", "1971-05-01T11:16", id="already on the minute"),
    ],
)
def test_a_whole_minute_is_one_on_the_wall(instant: str, wall: str) -> None:
    monrovia = ZoneInfo("Africa/Monrovia")
    at = zones.whole_minute(datetime.fromisoformat(instant), monrovia)

    assert zones.shown(at, monrovia) == datetime.fromisoformat(wall)
