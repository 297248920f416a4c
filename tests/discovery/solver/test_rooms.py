"""What loading costs."""

import subprocess
import sys

MODULES = "solve explain compare gantt minizinc"


def test_no_solver_is_loaded_before_something_is_solved():
    names = "; ".join(f"import packhorse_discovery.solver.{name}" for name in MODULES.split())
    program = f"import sys; {names}; print({{'ortools', 'numpy', 'pandas'}} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"
