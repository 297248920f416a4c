"""Schedules of light, over the wire and at the terminal."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from packhorse import UserError
from packhorse_circadian.commands import simulate_command
from packhorse_circadian.convert import laboratory
from packhorse_circadian.models import LightProtocol, Phases
from packhorse_circadian.service import JetLagDesk

DESK = JetLagDesk(lambda: datetime(2026, 1, 1, tzinfo=UTC))
HOME = {"days": 10, "lux": 200, "on": 7, "off": 23}


def simulated(**asked: Any) -> Phases:
    question = LightProtocol.model_validate_json(json.dumps({"segments": [HOME], **asked}), strict=True)
    return laboratory.phases_from(DESK.simulate(laboratory.protocol_from(question)), question)


def test_ten_days_have_ten_lows_an_onset_before_each_and_a_state_for_every_hour() -> None:
    found = simulated(id="home")

    assert found.id == "home"
    assert len(found.cbtmin_hours) == 10
    assert [round(low - onset, 6) for low, onset in zip(found.cbtmin_hours, found.dlmo_hours, strict=True)] == [7] * 10
    assert [sample.hour for sample in found.trajectory] == list(range(241))
    assert {sample.lux for sample in found.trajectory if 7 <= sample.hour % 24 < 23} == {200}
    assert found.trajectory[-1].state == pytest.approx(found.final_state, abs=1e-5)


def test_the_last_low_is_told_by_the_clock_on_the_wall() -> None:
    at_home, moved = simulated(), simulated(segments=[HOME, {**HOME, "days": 30, "shift": 6}])

    assert moved.cbtmin_clock == pytest.approx(at_home.cbtmin_clock or 0, abs=0.1)
    assert (moved.cbtmin_hours[-1] + 6) % 24 == pytest.approx(moved.cbtmin_clock or 0, abs=0.001)


def test_light_may_burn_past_midnight_and_all_may_be_dark() -> None:
    night = simulated(segments=[{**HOME, "on": 19, "off": 5}])
    dark = simulated(segments=[{**HOME, "on": 0, "off": 0}])

    assert [sample.lux for sample in night.trajectory[:24]] == [200] * 5 + [0] * 14 + [200] * 5
    assert {sample.lux for sample in dark.trajectory} == {0}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        pytest.param({"segments": [{**HOME, "days": 60}, {**HOME, "days": 41}]}, "limit is 100", id="over 100 days"),
        pytest.param({"total_days": 9}, "`segments` take 10", id="a sum that is none"),
        pytest.param({"initial_state": [0.8, 0.8, 1, 1, 0.5]}, "must have 3 numbers", id="a state of another model"),
        pytest.param({"initial_state": [50.0, 0, 0.5]}, "outside the model's limits", id="a state that no clock is in"),
        pytest.param({"initial_state": [0.1, 0.1, 1.5]}, "n from 0 to 1", id="more receptors than there are"),
    ],
)
def test_what_cannot_be_simulated_is_refused(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as refused:
        simulated(**asked)

    assert refused.value.code == "INVALID_PROTOCOL"


def test_the_terminal_prints_a_table_or_the_same_json(tmp_path: Path) -> None:
    file = tmp_path / "home.json"
    file.write_text(json.dumps({"segments": [HOME]}))
    command = simulate_command(DESK)

    table = CliRunner().invoke(command, [str(file)])
    answer = CliRunner().invoke(command, [str(file), "--json"])

    assert table.exit_code == answer.exit_code == 0
    assert len(table.output.splitlines()) == 12
    assert json.loads(answer.output) == json.loads(simulated().model_dump_json())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("no JSON", "odd.json is not JSON", id="not JSON"),
        pytest.param('{"segments": []}', "segments", id="an empty schedule"),
        pytest.param(json.dumps({"segments": [HOME], "total_days": 3}), "Correct one of them", id="refused by meaning"),
    ],
)
def test_the_terminal_says_what_is_wrong_with_a_file(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "odd.json"
    file.write_text(text)

    ended = CliRunner().invoke(simulate_command(DESK), [str(file)])

    assert ended.exit_code == 1
    assert says in ended.output
