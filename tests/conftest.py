import gc
import json
import os
import signal
import subprocess
import sys
from functools import cache
from itertools import count

import httpcore2
import pytest
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from tests import once, warm

from packhorse.compose import collect
from packhorse.testing import PackContract

settings.register_profile("suite", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

# A shell starts a command in the background with SIGINT ignored, and the processes that tests start would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform == "linux":
    subprocess.Popen = warm.Popen

# Each HTTP client reads the certificates of the machine when it is made, which takes 30 ms: here once for all of them.
_read_certificates = httpcore2.default_ssl_context
_certificates = cache(lambda file, folder, trust_env: _read_certificates(_trust_env=trust_env))
httpcore2.default_ssl_context = lambda *, _trust_env=True: _certificates(
    os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"), _trust_env
)

# Each client that connects checks the form of a tool's output schema, which takes 50 ms: here once for each schema.
_check_schema = Draft202012Validator.check_schema
_checked = cache(lambda text: _check_schema(json.loads(text)))
Draft202012Validator.check_schema = lambda schema: _checked(json.dumps(schema))

collect.tool_entry = once.tool_entry
PackContract.test_schemas_are_the_same_every_time = once.never(PackContract.test_schemas_are_the_same_every_time)


def pytest_ignore_collect(collection_path, config):
    """Where drills alone are asked for, a file that does not name the mark is not imported."""
    if config.option.markexpr == "drill" and collection_path.suffix == ".py":
        return "drill" not in collection_path.read_text("utf-8") or None
    return None


def pytest_collection_finish():
    """What was imported and collected stays to the end: no collector looks through it again, and each looks less often.

    With its usual settings it takes a tenth of the time of tests that deploy packs.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_addoption(parser):
    parser.addoption("--fuzz-calls", type=int, help="calls of each tool in the fuzz tests; 240 when not given")


_homes = count()


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(autouse=True)
def _no_configuration_of_this_machine(monkeypatch, tmp_path_factory):
    """No test reads or writes the configuration and data of whoever runs it."""
    folder = tmp_path_factory.getbasetemp() / f"home{next(_homes)}"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    for name in list(os.environ):
        if name.startswith(("PACKHORSE_SERVER_", "PACKHORSE_PACKS_", "PACKHORSE_CONFIG", "PACKHORSE_TOKEN", "MCP_")):
            monkeypatch.delenv(name)
