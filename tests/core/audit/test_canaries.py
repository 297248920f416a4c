"""What a caller sends, and what goes wrong with it, is found nowhere afterwards."""

import io
import json
import logging

import pytest
from tests.core.audit.factories import OK, event, opened

from packhorse.audit import AuditUnavailable, Mask, Outcome, export, rows
from packhorse.contract.principal import ANONYMOUS
from packhorse.observe import logs

PLAIN = "canary zebra 4711"
CANARIES = (
    PLAIN,
    "canary.bird@example.com",
    "A987654321",
    "eyJhbGciOiJIUzI1NiJ9.eyJjYW5hcnkiOjF9.Y2FuYXJ5",
    "c4n4ry-p4ssw0rd",
)
SCHEMA = {
    "properties": {
        "name": {"type": "string"},
        "number": {"type": "integer"},
        "note": {"type": "string"},
        "people": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    }
}
ARGUMENTS = {
    "name": PLAIN,
    "number": 987654321,
    "note": "call canary.bird@example.com about A987654321, password=c4n4ry-p4ssw0rd",
    "people": [{"name": canary} for canary in CANARIES],
    PLAIN: 1,
}


@pytest.mark.parametrize("key", [b"k" * 32, None], ids=["keyed", "without a key"])
@pytest.mark.usefixtures("logging_as_it_was")
def test_canaries_in_arguments_names_and_exceptions_are_found_nowhere(file, key):
    log_lines = io.StringIO()
    mask = Mask({"a-number": r"\bA\d{8,9}\b"})
    logs.configure("debug", stream=log_lines, json=True, mask=mask.text)
    logger = logging.getLogger("packhorse")
    refused = ""
    with opened(file, key, mask=mask) as log:
        arguments = log.allowed(ARGUMENTS, SCHEMA)
        begun = log.begin(event(arguments=arguments))
        try:
            {}[CANARIES]
        except KeyError:
            logger.exception("call of %s failed for %s", "swap_shifts", CANARIES[1])
            log.end(begun, Outcome("failed", CANARIES[1]))
        log.note(event(CANARIES[2], principal=ANONYMOUS, arguments=arguments), Outcome("denied", "unknown"))
        log.note(event(arguments=ARGUMENTS | {"x": object()}), OK)  # a mistake of the caller's: nothing is written
        log.flush()
        file.rename(file.with_name("away"))
        try:
            log.begin(event(arguments=arguments))
        except AuditUnavailable as exc:
            refused = f"{exc} {exc.details}"
        file.with_name("away").rename(file)
        left = b"".join(path.read_bytes() for path in file.parent.iterdir() if "audit" not in path.name)
    assert refused
    out = io.StringIO()
    export(file, "jsonl", out)
    export(file, "csv", out)
    left += b"".join(path.read_bytes() for path in file.parent.iterdir())
    everything = left.decode("latin-1") + out.getvalue() + log_lines.getvalue() + refused + json.dumps(list(rows(file)))
    assert "swap_shifts" in everything
    assert "KeyError" in everything
    assert [canary for canary in (*CANARIES, "987654321") if canary in everything] == []
