"""README's pictures are made from the packs as they are."""

import pictures

from desk import ROOT


def test_the_recording_shows_what_its_commands_print():
    assert pictures.said((pictures.FOLDER / "terminal.svg").read_text("utf-8")) == pictures.said(
        pictures.recording(pictures.recorded())
    )


def test_readme_shows_every_picture():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [file.name for file in pictures.FOLDER.iterdir() if f"docs/pictures/{file.name}" not in readme] == []


def test_a_recording_lasts_twenty_seconds_and_stands_still_for_those_who_want_no_motion():
    recording = pictures.recording([("true", ["a <b> & 'c'"])])
    assert "20s infinite" in recording
    assert "prefers-reduced-motion:reduce" in recording
    assert pictures.said(recording) == ["$ true", "a <b> & 'c'"]
