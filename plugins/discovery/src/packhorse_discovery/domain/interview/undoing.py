"""Taking changes back: the last one of a value, or everything that one question's answers established."""

from collections.abc import Sequence

from attrs import evolve, frozen

from packhorse_discovery.domain.interview.merging import table_key
from packhorse_discovery.domain.interview.structure import Patch, Structure
from packhorse_discovery.domain.schema.eads import Eads, path_from


@frozen
class Undone:
    """The structure without the changes, the patches that say so, and the paths that stay as they are.

    A path stays where another question's answer has changed it since, or
    where it names a row of which others have said more.
    """

    structure: Structure
    patches: tuple[Patch, ...]
    kept: tuple[str, ...] = ()


def last_undone(structure: Structure, history: Sequence[Patch], path: str) -> Undone | None:
    """``structure`` without the last change of ``path``; None where there is none. Undone again, it is done again."""
    mine = [one for one in history if one.path == path]
    return None if not mine else _restored(structure, [mine[-1]])


def question_undone(structure: Structure, history: Sequence[Patch], question_id: str, eads: Eads) -> Undone:
    """``structure`` without what the answers to ``question_id`` established, corrections of it included."""
    by_path: dict[str, list[Patch]] = {}
    for one in history:
        by_path.setdefault(one.path, []).append(one)
    oldest: list[Patch] = []
    kept: list[str] = []
    for path, changes in by_path.items():
        if not any(one.mark.question_id == question_id for one in changes):
            continue
        run = len(changes)
        while run and changes[run - 1].mark.question_id == question_id:
            run -= 1
        if run == len(changes) or _names_what_others_told(structure, path, question_id, eads):
            if structure.marks.get(path) is not None:
                kept.append(path)
        elif (structure.get(path), structure.marks.get(path)) != (changes[run].old, changes[run].old_mark):
            oldest.append(changes[run])
    return evolve(_restored(structure, oldest), kept=tuple(kept))


def _restored(structure: Structure, changes: Sequence[Patch]) -> Undone:
    patches: list[Patch] = []
    for one in changes:
        now, now_mark = structure.get(one.path), structure.marks.get(one.path)
        back, mark = one.old, one.old_mark
        structure = structure.restored(one.path, back, mark)
        if mark is None:
            made = Patch(one.path, "remove", None, now_mark or one.mark, now, now_mark)
        else:
            made = Patch(one.path, "set" if back is not None else "state", back, mark, now, now_mark)
        patches.append(made)
    return Undone(structure, tuple(patches))


def _names_what_others_told(structure: Structure, path: str, question_id: str, eads: Eads) -> bool:
    if not table_key(eads, path):
        return False
    row = "/" + "/".join(path_from(path)[:-1]) + "/"
    return any(
        mark.question_id != question_id
        for other, mark in structure.marks.items()
        if other.startswith(row) and other != path
    )
