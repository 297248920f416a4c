"""Every installed pack keeps the contract that `packhorse.testing` publishes for all."""

from packhorse.compose import packs
from packhorse.testing import PackContract

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
    assert {"circadian", "scheduling", "locator", "discovery", "pai"} <= {found.name for found in packs.find()}
