from packhorse.testing import PackContract


class TestContract(PackContract):
    pack = "locator"
