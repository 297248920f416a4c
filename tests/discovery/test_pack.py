import subprocess
import sys

from packhorse.testing import PackContract


class TestContract(PackContract):
    pack = "discovery"


def test_the_reader_is_not_imported_before_the_first_answer() -> None:
    program = (
        "import sys, packhorse_discovery.pack; "
        "print([one for one in sys.modules if one.endswith(('domain.reading.evidence', 'text_to_num'))])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
