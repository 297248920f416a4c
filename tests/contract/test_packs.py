"""Every installed pack keeps the contract that `packhorse.testing` publishes for all."""

from packhorse import packs
from packhorse.testing import PackContract

# The conformance fixtures have no output schemas on purpose: the public suite demands bare content.
EXEMPT = {"conformance"}

for _found in packs.find():
    if _found.name not in EXEMPT:
        _class = f"Test{_found.name.title().replace('-', '').replace('_', '')}"
        globals()[_class] = type(_class, (PackContract,), {"pack": _found.name})
del _found


def test_the_five_packs_of_the_house_are_all_here():
    assert {"circadian", "scheduling", "locator", "discovery", "pai"} <= {found.name for found in packs.find()}
