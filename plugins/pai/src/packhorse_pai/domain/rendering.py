"""A card as text again. `parse` of it gives the card back."""

from collections.abc import Iterable

from packhorse_pai.domain.cards import LIMITS, Card


def render(card: Card) -> str:
    """The card in the layout of the known ones, ending in a line break."""
    out = [f"# {card.title}", "", "## Identity"]
    out += [f"- **Role:** {card.role}", f"- **Tier:** {card.tier}", f"- **Model:** {card.model}"]
    if not card.spawnable:
        out.append("- **Spawnable:** false")
    out.append("")
    if card.boot_instruction is not None:
        out += ["## Boot Instruction (EXECUTE FIRST)", card.boot_instruction, ""]
    out += ["## Chain of Command", f"- **Reports To:** {card.reports_to}"]
    out += [f"- **Can Spawn:** {card.can_spawn}", f"- **Escalate To:** {card.escalate_to}", ""]
    numbered = (f"{number}. {order}" for number, order in enumerate(card.standing_orders, start=1))
    out += ["## Standing Orders (Execute Without Asking)", *numbered, ""]
    out += ["## Escalation Triggers (MUST Escalate)", *_listed(card.escalation_triggers), ""]
    out += ["## Key Constraints", *_listed(card.constraints), ""]
    if card.limits or card.rate:
        out += ["## Limits", *(f"- **{key.title()}:** {card.limits[key]}" for key in LIMITS if key in card.limits)]
        out += [f"- **Rate:** {card.rate}", ""] if card.rate else [""]
    tabled = {name for part in card.extra if part.title.startswith("MCP Tools") for name in card.capabilities}
    if own := [name for name in card.capabilities if name not in tabled]:
        out += ["## Capabilities", *_listed(f"`{name}`" for name in own), ""]
    for part in card.extra:
        out += [f"## {part.title}", *part.lines, ""]
    out += ["## One-Line Charter", f'"{card.charter}"', ""]
    return "\n".join(out)


def _listed(items: Iterable[str]) -> list[str]:
    return [f"- {item}" for item in items]
