import pytest


@pytest.fixture
def file(tmp_path):
    return tmp_path / "record" / "audit.sqlite3"
