"""Every installed pack keeps the contract that `packhorse.testing` publishes for all."""

import importlib
import re
from pathlib import Path

import pytest

from packhorse.compose import packs
from packhorse.errors import HOST_CODES
from packhorse.testing import PackContract

HOUSE = ["circadian", "scheduling", "locator", "discovery", "pai"]

# The conformance fixtures have no output schemas on purpose: the public suite demands bare content.
EXEMPT = {"conformance"}

for _found in packs.find():
    if _found.name not in EXEMPT:
        _class = f"Test{_found.name.title().replace('-', '').replace('_', '')}"
        # The moon is one plain function, so that the smallest pack stays the smallest.
        _given = {"pack": _found.name, "needs_examples": _found.name != "moon"}
        globals()[_class] = type(_class, (PackContract,), _given)
del _found


def test_the_five_packs_of_the_house_are_all_here():
    assert {*HOUSE} <= {found.name for found in packs.find()}


@pytest.mark.parametrize("name", HOUSE)
def test_a_pack_lists_the_codes_of_its_refusals_and_no_others(name):
    module = importlib.import_module(f"packhorse_{name}.pack")
    files = Path(module.__file__).parent.rglob("*.py")
    text = "\n".join(file.read_text("utf-8") for file in files if file.name != "pack.py")
    listed = {*module.pack.codes.split()}
    assert {
        *re.findall(r'(?:\b(?:code|refused)=|\b_?refusal\(|UnclearError\()"([A-Z_]+)"', text)
    } <= listed | HOST_CODES
    assert listed <= {*re.findall(r'"([A-Z_]+)"', text)}
    assert not listed & HOST_CODES
