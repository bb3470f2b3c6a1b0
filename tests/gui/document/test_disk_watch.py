"""Watching files: a change is reported once it is over, and a file replaced by a rename is watched on."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.disk_watch import DiskWatch


def test_a_file_replaced_by_a_rename_is_watched_on(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("1")
    watch = DiskWatch()
    watch.watch([file, tmp_path / "missing.json"])
    watch.changed.connect(lambda: watch.watch([file]))
    for text in ("2", "3"):
        (tmp_path / "new").write_text(text)
        with qtbot.waitSignal(watch.changed):
            (tmp_path / "new").replace(file)
    watch.close()


def test_changes_that_follow_each_other_are_reported_once_and_none_after_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    watch = DiskWatch()
    watch.watch([tmp_path])
    told: list[int] = []
    watch.changed.connect(lambda: told.append(1))
    with qtbot.waitSignal(watch.changed):
        for number in range(5):
            (tmp_path / f"{number}.json").touch()
    qtbot.wait(300)
    assert len(told) == 1
    (tmp_path / "late.json").touch()
    watch.close()
    qtbot.wait(300)
    assert len(told) == 1
