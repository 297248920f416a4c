"""A bar for what takes long, where somebody watches, and nowhere else."""

import io

import pytest

from packhorse.terminal import progress


class Screen(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_is_drawn_on_a_terminal_alone(monkeypatch, capsys, terminal):
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    with progress(["tides", "currents"], "Copying") as names:
        done = list(names)

    assert done == ["tides", "currents"]
    assert ("Copying" in screen.getvalue(), "2/2" in screen.getvalue()) == (terminal, terminal)
    assert terminal or screen.getvalue() == ""
    assert capsys.readouterr().out == ""
