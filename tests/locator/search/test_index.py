"""Changing the index: visible at once, durable, whole or not at all."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse_locator.search import NameQuery, Person
from packhorse_locator.search.index import NameIndex
from packhorse_locator.search.storage import FILE, IndexFileError, Storage

NEW = Person(key="N1", given="Telma", family="Oquendo", country="Bolivia", birth_year=1999)


def found(index: NameIndex, first: str, last: str) -> list[str]:
    return [m.key for m in index.search(NameQuery(first=first, last=last, threshold=0.5, limit=50)).matches]


def test_a_new_index_is_empty(tmp_path):
    with NameIndex.open(tmp_path) as index:
        assert index.sequence == 0
        assert index.stats().records == 0
        assert found(index, "Ana", "Castillo") == []


def test_an_added_person_is_found_at_once(index):
    index.add([NEW], sequence=2)
    assert found(index, "Telma", "Oquendo") == ["N1"]
    assert index.sequence == 2


def test_adding_a_key_again_replaces_the_record(index):
    index.add([Person(key="R12", given="Telma", family="Oquendo")], sequence=2)
    assert found(index, "Telma", "Oquendo") == ["R12"]
    assert found(index, "Ana", "Castillo") == []
    assert index.stats().records == 204


def test_the_last_of_several_with_one_key_counts(index):
    index.add([NEW, evolve(NEW, given="Ulla")], sequence=2)
    assert found(index, "Ulla", "Oquendo") == ["N1"]
    assert index.stats().records == 205


def test_a_removed_person_is_gone_at_once(index):
    index.remove(["R12", "nobody"], sequence=5)
    assert found(index, "Ana", "Castillo") == []
    assert (index.sequence, index.stats().records) == (5, 203)


def test_a_removed_homonym_is_not_counted(index):
    index.remove(["R9"], sequence=2)
    match = index.search(NameQuery(first="Wilmer", last="Ramirez", threshold=0.5)).matches[0]
    assert (match.key, match.homonyms) == ("R10", 1)


def test_an_exact_match_is_the_same_whether_built_or_added(tmp_path):
    people = [Person(key=f"P{n}", given=f"Ana{'abcdefghij'[n]}", family="Quispe Mamani") for n in range(10)]
    with NameIndex.open(tmp_path / "built") as built, NameIndex.open(tmp_path / "added") as added:
        built.build(people, sequence=1)
        for number, person in enumerate(people):
            added.add([person], sequence=number)
        query = NameQuery(first="Anad", last="Quispe", threshold=0.0, limit=10)
        assert built.search(query).matches == added.search(query).matches


def test_everything_is_there_after_opening_again(index, tmp_path):
    index.add([NEW], sequence=8)
    index.remove(["R1"], sequence=9)
    before = index.data_version
    with NameIndex.open(tmp_path / "names") as again:
        assert found(again, "Telma", "Oquendo") == ["N1"]
        assert found(again, "José Luis", "González Pérez") == []
        assert (again.sequence, again.data_version) == (9, before)
        assert again.stats() == index.stats()


def test_every_change_changes_the_data_version(index):
    versions = [index.data_version]
    index.add([NEW], sequence=2)
    versions.append(index.data_version)
    index.remove(["N1"], sequence=3)
    versions.append(index.data_version)
    index.build([NEW], sequence=4)
    versions.append(index.data_version)
    assert len(set(versions)) == 4


def test_what_another_process_changes_is_seen_by_the_next_search(index, tmp_path):
    with NameIndex.open(tmp_path / "names") as other:
        other.add([NEW], sequence=2)
        assert found(index, "Telma", "Oquendo") == ["N1"]
        index.remove(["N1"], sequence=3)
        assert found(other, "Telma", "Oquendo") == []
        other.build([evolve(NEW, key="N2")], sequence=4)
        assert found(index, "Telma", "Oquendo") == ["N2"]
        assert index.sequence == 4


def test_a_change_that_fails_leaves_everything_as_it_was(index):
    def people():
        yield NEW
        raise OSError("the file ended")

    before = index.data_version
    with pytest.raises(OSError, match="ended"):
        index.add(people(), sequence=2)
    with pytest.raises(OSError, match="ended"):
        index.build(people(), sequence=2)
    assert (index.data_version, index.sequence) == (before, 1)
    assert found(index, "Ana", "Castillo") == ["R12"]
    index.add([NEW], sequence=2)
    assert found(index, "Telma", "Oquendo") == ["N1"]


def test_small_parts_are_merged_so_that_there_are_few(index):
    for number in range(40):
        index.add([evolve(NEW, key=f"N{number}", given="Telma" + "abcdefgh"[number % 8])], sequence=number)
    assert index.stats().segments <= 6
    assert index.stats().records == 244


def test_removed_records_do_not_stay_for_ever(index):
    index.remove([f"C{number}" for number in range(150)], sequence=2)
    assert index.stats().removed == 0
    assert index.stats().records == 54


def test_a_file_of_another_format_is_refused(tmp_path):
    with NameIndex.open(tmp_path):
        pass
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(IndexFileError, match="format 99"):
        NameIndex.open(tmp_path)


def test_several_who_open_a_new_index_at_once_all_get_it(tmp_path):
    refused = []

    def opening(folder: Path, together: threading.Barrier) -> None:
        together.wait()
        try:
            Storage.open(folder).close()
        except sqlite3.OperationalError as exc:
            refused.append(exc)

    for number in range(40):
        together = threading.Barrier(6)
        threads = [threading.Thread(target=opening, args=(tmp_path / str(number), together)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert refused == []


WRITER = """
import sys
from pathlib import Path
from packhorse_locator.search import Person
from packhorse_locator.search.index import NameIndex
index = NameIndex.open(Path(sys.argv[1]))
for number in range(1, 100000):
    people = [Person(key=f"K{number}-{n}", given=f"Kar{chr(97 + number % 26)}", family="Obando") for n in range(20)]
    index.add(people, sequence=number)
    print(number, flush=True)
"""


def test_a_kill_in_the_middle_leaves_whole_changes_and_their_sequence(tmp_path):
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as writer:
        lines = [writer.stdout.readline() for _ in range(12)]
        os.kill(writer.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    with NameIndex.open(tmp_path) as index:
        assert index.sequence >= int(lines[-1])
        assert index.stats().records == 20 * index.sequence


def test_searches_are_right_while_people_are_added(index):
    wrong, stop = [], threading.Event()

    def search() -> None:
        while not stop.is_set():
            keys = found(index, "Ana", "Castillo")
            if keys != ["R12"]:
                wrong.append(keys)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(25):
        word = "".join("abcdefghij"[int(d)] for d in str(number))
        people = [Person(key=f"T{number}-{n}", given=f"Zu{word}lma", family=f"Obre{word}gon") for n in range(20)]
        index.add(people, sequence=number + 2)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert index.stats().records == 204 + 500


NAMES = st.text("aeiolmnrst", min_size=3, max_size=8)
STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "remove"]), st.integers(0, 7), NAMES, NAMES), min_size=1, max_size=12
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_the_index_always_holds_what_was_added_and_not_removed(tmp_path_factory, steps):
    folder: Path = tmp_path_factory.mktemp("names")
    held: dict[str, tuple[str, str]] = {}
    with NameIndex.open(folder) as index:
        for number, (step, key, first, last) in enumerate(steps, 1):
            if step == "add":
                held[str(key)] = (first, last)
                index.add([Person(key=str(key), given=first, family=last)], sequence=number)
            else:
                held.pop(str(key), None)
                index.remove([str(key)], sequence=number)
        assert index.stats().records == len(held)
        for key, (first, last) in held.items():
            matches = index.search(NameQuery(first=first, last=last, threshold=0.0, limit=50)).matches
            assert key in [m.key for m in matches if m.exact]
