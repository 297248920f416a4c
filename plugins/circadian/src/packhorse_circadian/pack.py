"""The hooks of the circadian pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Host, Pack, Prompt, Resource, Tool, hookimpl
from packhorse_circadian.offered import prompt_list, resources, scene, tools
from packhorse_circadian.service import JetLagDesk

if TYPE_CHECKING:
    import click

pack = Pack(
    title="Circadian",
    instructions="Jet lag. A question without flight times: calculate_phase_shift. With them: get_adaptation_plan, then"
    " what_now and replan on the way. Shifts: plan_for_shifts. Always pass the caution on.",
    # The specification: 100 requests an hour from one address.
    limit_by_address="100/hour",
    demo=scene,
    codes="INVALID_DATE INVALID_DATETIME INVALID_FLIGHT INVALID_INTERVENTIONS INVALID_ITINERARIES INVALID_LABEL"
    " INVALID_LOG INVALID_PLAN INVALID_PREP_DAYS INVALID_PROTOCOL INVALID_SHIFTS INVALID_SLEEP INVALID_TIME"
    " INVALID_TIMEZONE INVALID_TRIP INVALID_WORK_HOURS SHIFTS_UNAVAILABLE",
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """The quick estimate, the full plan and what follows from it, and the laboratory."""
    return tools(JetLagDesk(host.clock))


@hookimpl
def register_commands(host: Host) -> list["click.Command"]:
    """``packhorse circadian simulate FILE``."""
    from packhorse_circadian.commands import simulate_command  # serving needs no terminal

    return [simulate_command(JetLagDesk(host.clock))]


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """A plan as files, at the addresses that its answer gives."""
    return resources(JetLagDesk(host.clock))


@hookimpl
def register_prompts(host: Host) -> list[Prompt]:
    """Plan a trip, just landed, which flight."""
    return prompt_list()
