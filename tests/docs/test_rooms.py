"""The pictures of the architecture are made from the imports of the code, and go one way."""

import re
import sys

import pytest

from desk import ROOT

sys.path.insert(0, str(ROOT / "docs"))
from generator import rooms


def arrows(picture):
    return re.findall(r"^  (\w+) --> (\w+)$", picture, re.MULTILINE)


@pytest.mark.parametrize("picture", [rooms.host_picture, rooms.pack_picture])
def test_no_arrow_leads_back(picture):
    after = {}
    for one, other in arrows(picture()):
        after.setdefault(one, set()).add(other)

    def below(room, seen=()):
        assert room not in seen, f"{room} uses itself by way of {seen}"
        for other in after.get(room, ()):
            below(other, (*seen, room))

    assert after
    for room in after:
        below(room)


def test_every_room_has_a_box():
    assert [room for room in rooms.HOST if f'["{room}"]' not in rooms.host_picture()] == []
    assert all(f'["{room}<br/>' in rooms.pack_picture() for room in rooms.PACK)


def test_a_module_without_a_room_stops_the_generator(tmp_path):
    (tmp_path / "cellar.py").write_text("")
    with pytest.raises(SystemExit, match="cellar"):
        rooms._rooms(rooms.HOST, tmp_path)


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("import packhorse.store", ["packhorse.store"]),
        ("from packhorse import store", ["packhorse.store"]),
        ("from packhorse.store import Store", ["packhorse.store"]),
        ("def f():\n    from packhorse.store import Store", ["packhorse.store"]),
        ("if TYPE_CHECKING:\n    from packhorse.store import Store", []),
    ],
)
def test_an_import_is_seen_wherever_it_runs(source, targets):
    assert list(rooms._targets(rooms.ast.parse(source))) == targets


def test_an_arrow_that_follows_from_two_others_is_left_out():
    assert rooms._reduced({("a", "b"), ("b", "c"), ("a", "c")}) == [("a", "b"), ("b", "c")]
