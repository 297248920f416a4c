"""What a client sees of each pack, as text: the wire contract, to be reviewed as a diff.

Run this file to rewrite the snapshots after a change that was meant.
"""

import json
import tempfile
from pathlib import Path

import anyio

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import ServerSettings, Settings
from packhorse.testing import connected

FOLDER = Path(__file__).parent / "snapshots"
HOUSE = ("circadian", "discovery", "locator", "pai", "scheduling")


def wire_contract(pack: str) -> str:
    """Tools, resources and prompts of one pack as a client lists them, and its refusal codes."""
    return json.dumps(anyio.run(_listed, pack), ensure_ascii=False, indent=2) + "\n"


async def _listed(pack: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(server=ServerSettings(data_dir=Path(folder), strict=True))
        deployment = compose(settings, packs.choose(packs.find(), [pack]))
        async with connected(deployment) as client:
            dump = {"mode": "json", "by_alias": True, "exclude_none": True}
            lists = {"tools": [tool.model_dump(**dump) for tool in (await client.list_tools()).tools]}
            if deployment.catalogue.resources:
                lists["resources"] = [r.model_dump(**dump) for r in (await client.list_resources()).resources]
                templates = (await client.list_resource_templates()).resource_templates
                lists["templates"] = [template.model_dump(**dump) for template in templates]
            if deployment.catalogue.prompts:
                lists["prompts"] = [prompt.model_dump(**dump) for prompt in (await client.list_prompts()).prompts]
            lists["refusals"] = {name: dict(entry.offer.refusals) for name, entry in deployment.catalogue.tools.items()}
            return lists


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in HOUSE:
        (FOLDER / f"{name}.json").write_text(wire_contract(name), "utf-8")
        print(f"wrote {name}.json")
