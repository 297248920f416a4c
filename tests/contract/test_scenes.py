"""``packhorse demo`` with every pack of the house: each brings a scene, and all of them are played as they stand."""

import json
import subprocess
import sys

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import ServerSettings, Settings

OURS = ("circadian", "discovery", "locator", "pai", "scheduling")
SECONDS = 600
"""Far more than it takes: the roster of one scene is solved for, and the machine may be busy."""


def test_each_of_our_packs_brings_a_scene(tmp_path):
    deployment = compose(Settings(server=ServerSettings(data_dir=tmp_path)), packs.choose(packs.find(), OURS))
    assert [pack.found.name for pack in deployment.catalogue.packs if pack.pack.demo is None] == []


def played(folder, *names, asked=()):
    config = folder / "packhorse.toml"
    config.write_text(f"[server]\npacks = {json.dumps(names)}\ndata_dir = {json.dumps(str(folder / 'data'))}\n")
    command = [sys.executable, "-m", "packhorse", "demo", *asked, "--json", "--config", str(config)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return {act["pack"]: act for act in json.loads(ran.stdout)}


def test_every_scene_is_played_and_told(tmp_path):
    acts = played(tmp_path, *OURS)

    assert set(acts) == set(OURS)
    for act in acts.values():
        assert act["calls"] >= 2
        assert all(line.strip() for line in act["lines"])
        assert len(act["lines"]) >= 2
    assert "none broken" in acts["scheduling"]["lines"][0]
    assert "100 of 100" in acts["pai"]["lines"][3]
    assert not (tmp_path / "data").exists()  # what belongs to the deployer is not touched


def test_the_agents_have_a_scene_where_no_roster_is(tmp_path):
    assert "needs the scheduling pack" in played(tmp_path, "pai")["pai"]["lines"][3]


def test_the_scene_that_needs_another_pack_can_be_asked_for_alone(tmp_path):
    assert set(played(tmp_path, *OURS, asked=["pai"])) == {"pai"}
