"""Commands for a person at a terminal."""

from pathlib import Path

import click
from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian.models import LightProtocol, Phases
from packhorse_circadian.service import JetLagDesk


def simulate_command(desk: JetLagDesk) -> click.Command:
    """``packhorse circadian simulate FILE``: where the body clock goes under a schedule of light."""

    @click.command("simulate")
    @click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs; includes the trajectory.")
    def simulate(file: Path, *, as_json: bool) -> None:
        """Run a model of the body clock with the light schedule in FILE.

        FILE is JSON: {"segments": [{"days": 10, "lux": 200, "on": 7, "off": 23, "shift": 0}], "model": "Forger99"}.
        `model` is optional. So is `initial_state`, a list of the numbers that describe the model's state at hour 0.
        Prints each low of core body temperature (CBTmin) and each onset of melatonin (DLMO).
        """
        from packhorse_circadian.convert import laboratory

        try:
            question = LightProtocol.model_validate_json(file.read_bytes(), strict=True)
            found = desk.simulate(laboratory.protocol_from(question))
        except ValidationError as error:
            raise click.ClickException(f"{file.name} {_faults(error)}") from error
        except UserError as error:
            raise click.ClickException(error.message) from error
        answer = laboratory.phases_from(found, question)
        click.echo(answer.model_dump_json() if as_json else _table(answer, question))

    return simulate


def _faults(error: ValidationError) -> str:
    faults = error.errors()[:5]
    if faults[0]["type"] == "json_invalid":
        return f"is not JSON: {faults[0]['ctx']['error']}."
    said = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return f"is not a light schedule: {said}."


def _table(answer: Phases, question: LightProtocol) -> str:
    starts, begin = [], 0
    for segment in question.segments:
        starts.append((begin, segment.shift))
        begin += 24 * segment.days
    rows = [f"{answer.model}: lows of the body clock, by the clock on the wall", "day   onset     low"]
    for low, onset in zip(answer.cbtmin_hours, answer.dlmo_hours, strict=True):
        shift = next(shift for start, shift in reversed(starts) if low >= start or not start)
        rows.append(f"{low / 24:5.2f} {_clock(onset + shift)}   {_clock(low + shift)}")
    return "\n".join(rows)


def _clock(hours: float) -> str:
    minutes = round(hours * 60) % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"
