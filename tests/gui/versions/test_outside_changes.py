"""In the window: files that other programs change or remove, conflicts to decide, and what a crash left behind."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.layers.change_layer import StepChangeItem
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.gui.widgets.prompts import OnConflict
from stepflow_gui.text.edit import difference
from stepflow_gui.text.files.journal import Journal
from stepflow_gui.text.files.store import read
from stepflow_gui.text.source import Source
from tests.gui.shown import shown_window
from tests.gui.silent import Silent
from tests.permissions import permissions_that_bind

NAME = '"Issue Initial Prompt"'


class Merges(Silent):
    """Wants to have both where a file changed."""

    def changed_on_disk(self, path: Path) -> OnConflict:
        del path
        return OnConflict.MERGE


@pytest.fixture
def iterator(corpus: Path, tmp_path: Path) -> Path:
    """The folder of upstream's iterator agent, 21 steps."""
    folder = tmp_path / "iterator"
    shutil.copytree(corpus / "climpt" / "iterator" / "031-06e570d", folder)
    return folder


@pytest.fixture
def recovery(qtbot: QtBot, tmp_path: Path) -> Iterator[Recovery]:
    made = Recovery(tmp_path / "unsaved")
    yield made
    made.close()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, recovery: Recovery) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Merges(), recovery=recovery) as made:
        yield made


def opened(window: MainWindow, path: Path) -> Document:
    assert window.open(path)
    assert window.document is not None
    return window.document


def write(document: Document, change: Callable[[str], str]) -> None:
    text = text_of(document)
    document.apply({document.path: difference(text, change(text))}, "write", "source")


def text_of(document: Document) -> str:
    source = document.source()
    assert isinstance(source, Source)
    return source.text


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text()))


def press(window: MainWindow, label: str) -> None:
    (button,) = [
        button
        for button in window.banner.findChildren(QPushButton)
        if button.text() == label and button.isVisibleTo(window)
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def offers(window: MainWindow) -> list[str]:
    return [button.text() for button in window.banner.findChildren(QPushButton) if button.isVisibleTo(window)]


def test_merging_from_the_banner_keeps_both(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    rewrite(document.path, lambda text: text.replace('"version": "', '"version": "9'))
    document.check_disk()
    assert "changed on disk" in window.banner.text
    assert offers(window) == ["Merge", "Reload from Disk", "Keep My Version"]
    press(window, "Merge")
    assert not window.banner.isVisible()
    assert '"Mine"' in text_of(document)
    assert '"version": "9' in text_of(document)
    assert window.output.indexOf(window.outside.conflicts) < 0
    assert window.save()
    assert document.path.read_text() == text_of(document)


def test_without_changes_of_ones_own_there_is_nothing_to_merge(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    rewrite(document.path, lambda text: text + "\n")
    document.check_disk()
    assert offers(window) == ["Reload from Disk", "Keep My Version"]
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    assert offers(window) == ["Merge", "Reload from Disk", "Keep My Version"]  # now there is


def test_a_removed_file_is_reported_and_can_be_kept(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    document.path.unlink()
    document.check_disk()
    assert "removed" in window.banner.text
    assert offers(window) == ["Keep My Version"]
    press(window, "Keep My Version")
    assert document.unsaved


def test_files_of_one_name_are_distinguished_in_a_question(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.informativeText()))
    paths = [Path("/one/.agent/flow/steps_registry.json"), Path("/two/.agent/flow/steps_registry.json")]
    DialogPrompts(window).unsaved_several(paths)
    first, second, *_more = asked[0].splitlines()
    assert (first, second) == ("one/.agent/flow/steps_registry.json", "two/.agent/flow/steps_registry.json")


def test_saving_what_was_removed_with_its_folder_recreates_it(
    window: MainWindow, iterator: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []

    def press_enter(box: QMessageBox) -> int:
        asked.append((box.text(), [button.text() for button in box.buttons()]))
        box.defaultButton().click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", press_enter)
    window.prompts = DialogPrompts(window)
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    shutil.rmtree(iterator)
    document.check_disk()
    assert window.save()
    ((told, buttons),) = asked
    assert "removed" in told
    assert "Merge" not in buttons
    assert '"Mine"' in document.path.read_text()
    assert not window.banner.isVisible()


def test_an_undone_change_is_no_longer_reported(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    before = document.path.read_text()
    document.path.unlink()
    document.check_disk()
    assert window.banner.isVisible()
    document.path.write_text(before)
    document.check_disk()
    assert not window.banner.isVisible()


def test_a_removed_file_that_comes_back_is_seen_to(window: MainWindow, iterator: Path, qtbot: QtBot) -> None:
    document = opened(window, iterator)
    before = document.path.read_text()
    document.path.unlink()
    qtbot.waitUntil(window.banner.isVisible)
    document.path.write_text(before)
    qtbot.waitUntil(lambda: not window.banner.isVisible())


def test_a_save_that_failed_is_reported_until_one_succeeds(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    folder = document.path.parent
    with permissions_that_bind(folder.parent):
        folder.chmod(0o555)
        try:
            assert not window.save()
        finally:
            folder.chmod(0o755)
    document.check_disk()
    assert "could not be saved" in window.banner.text
    assert window.save()
    assert not window.banner.isVisible()


def test_a_save_over_a_changed_file_merges_and_saves(window: MainWindow, iterator: Path) -> None:
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine"'))
    rewrite(document.path, lambda text: text.replace('"version": "', '"version": "9'))
    assert window.save()
    saved = json.loads(document.path.read_text())
    assert saved["version"].startswith("9")
    assert saved["steps"]["initial.issue"]["name"] == "Mine"


@pytest.fixture
def conflicting(window: MainWindow, iterator: Path) -> Document:
    """An agent whose step is named otherwise here and on disk, merged."""
    document = opened(window, iterator)
    write(document, lambda text: text.replace(NAME, '"Mine & more"'))
    rewrite(document.path, lambda text: text.replace(NAME, '"Theirs"'))
    assert not window.save()  # something is to be decided first
    return document


def test_a_conflict_is_listed_and_decided_by_a_click(window: MainWindow, conflicting: Document) -> None:
    panel = window.outside.conflicts.widget
    assert window.output.currentWidget() is window.outside.conflicts
    (row,) = panel.rows
    assert row.place.toolTip() == "initial.issue › name"
    assert [button.text() for button in row.sides] == ['"Mine && more"', '"Theirs"']
    assert [button.isChecked() for button in row.sides] == [True, False]
    QTest.mouseClick(row.sides[1], Qt.MouseButton.LeftButton)
    assert '"Theirs"' in text_of(conflicting)
    assert [button.isChecked() for button in panel.rows[0].sides] == [False, True]
    assert panel.rows[0] is row  # the keyboard stays where it is
    conflicting.undo()
    assert [button.isChecked() for button in row.sides] == [True, False]
    write(conflicting, lambda text: text.replace('"Mine & more"', '"neither"'))
    assert [button.isChecked() for button in row.sides] == [False, False]
    QTest.keyClick(row.sides[0], Qt.Key.Key_Space)
    assert '"Mine & more"' in text_of(conflicting)
    QTest.mouseClick(panel.done, Qt.MouseButton.LeftButton)
    assert window.output.indexOf(panel) < 0
    assert window.save()


def test_the_steps_of_conflicts_are_marked_on_the_canvas(window: MainWindow, conflicting: Document) -> None:
    def marked() -> list[str]:
        items = [item for item in window.canvas.graph.items() if isinstance(item, StepChangeItem)]
        return [node.step.id for item in items if isinstance(node := item.parentItem(), NodeItem)]

    assert marked() == ["initial.issue"]
    write(conflicting, lambda text: text.replace('"Mine & more"', '"neither"'))
    assert marked() == ["initial.issue"]
    QTest.mouseClick(window.outside.conflicts.widget.done, Qt.MouseButton.LeftButton)
    assert marked() == []


def test_the_place_of_a_conflict_goes_to_text_and_step(window: MainWindow, conflicting: Document) -> None:
    conflicting.select(None, "test")
    QTest.mouseClick(window.outside.conflicts.widget.rows[0].place, Qt.MouseButton.LeftButton)
    assert conflicting.selected_step == "initial.issue"
    caret = window.source.editor.caret
    assert caret is not None
    assert '"name": "Mine' in text_of(conflicting)[caret : caret + 20]


def test_the_conflicts_go_with_the_agent_and_speak_both_languages(
    window: MainWindow, conflicting: Document, iterator: Path
) -> None:
    window.set_language("ja")
    at = window.output.indexOf(window.outside.conflicts)
    assert window.output.tabText(at) == "競合"
    assert "name" in window.outside.conflicts.widget.rows[0].place.toolTip()
    window.set_language("en")
    assert window.output.tabText(at) == "Conflicts"
    conflicting.undo()
    assert window.output.indexOf(window.outside.conflicts) < 0


def leave_unsaved(folder: Path, path: Path, change: Callable[[str], str]) -> None:
    """The remains of a program killed with unsaved changes: its journal, which is not locked."""
    journal = Journal(folder)
    source = read(path)
    assert isinstance(source, Source)
    assert journal.note(path, source.with_text(change(source.text)), source, path) is None
    assert journal._lock is not None
    journal._lock.close()


def test_what_a_crash_left_is_offered_where_the_agent_is_opened(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path
) -> None:
    registry = iterator / "steps_registry.json"
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"Mine"'))
    rewrite(registry, lambda text: text.replace('"version": "', '"version": "9'))
    document = opened(window, iterator)
    assert "steps_registry.json" in window.banner.text
    assert offers(window) == ["Recover", "Discard"]
    focused = window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Recover"
    press(window, "Recover")
    assert window.focusWidget() is window.canvas
    assert '"Mine"' in text_of(document)
    assert '"version": "9' in text_of(document)
    assert document.unsaved
    assert recovery.left() == []  # it is in the journal of this program now
    recovery.settle()
    assert len(list((tmp_path / "unsaved").glob("*/*.json"))) == 1
    assert window.save()
    recovery.settle()
    assert not list((tmp_path / "unsaved").glob("*/*.json"))


def test_with_nothing_open_it_is_opened_with_what_was_left(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path
) -> None:
    registry = iterator / "steps_registry.json"
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"Mine"'))
    window.activateWindow()
    window.outside.offer_left()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)  # Recover has the keyboard
    assert window.document is not None
    assert '"Mine"' in text_of(window.document)


def test_what_isnt_wanted_is_gone_for_good(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path
) -> None:
    registry = iterator / "steps_registry.json"
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"Mine"'))
    document = opened(window, iterator)
    press(window, "Discard")
    assert recovery.left() == []
    assert not document.unsaved
    assert not window.banner.isVisible()


def test_what_two_crashes_in_a_row_left_is_offered_apart(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path
) -> None:
    registry = iterator / "steps_registry.json"
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"Second"'))
    (second,) = (tmp_path / "unsaved").glob("*/*.json")
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"First"'))
    (first,) = {*(tmp_path / "unsaved").glob("*/*.json")} - {second}
    os.utime(first, (100, 100))
    os.utime(second, (200, 200))
    document = opened(window, iterator)
    assert offers(window) == ["Recover", "Discard"]
    press(window, "Discard")
    assert [left.source.text.count('"First"') for left in recovery.left()] == [1]
    assert offers(window) == ["Recover", "Discard"]
    press(window, "Recover")
    assert '"First"' in text_of(document)
    assert recovery.left() == []
    assert not window.banner.isVisible()


def test_a_text_whose_file_cant_be_read_hides_no_other(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path
) -> None:
    registry = iterator / "steps_registry.json"
    pipe = iterator / "notes.md"
    leave_unsaved(tmp_path / "unsaved", registry, lambda text: text.replace(NAME, '"First"'))
    (first,) = (tmp_path / "unsaved").glob("*/*.json")
    os.utime(first, (100, 100))
    journal = Journal(tmp_path / "unsaved")
    assert journal.note(pipe, Source("notes"), None, registry) is None
    journal.leave()
    os.mkfifo(pipe)
    document = opened(window, iterator)
    press(window, "Recover")
    assert "notes.md" in window.banner.text
    press(window, "Other Changes…")
    press(window, "Recover")
    assert '"First"' in text_of(document)
    assert [left.path for left in recovery.left()] == [pipe]


def test_a_journal_that_cant_be_written_is_reported(
    window: MainWindow, recovery: Recovery, iterator: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "unsaved").write_text("a file in the place of the folder")
    document = opened(window, iterator)
    write(document, lambda text: text + " ")
    recovery.note()
    recovery.settle()
    qtbot.waitUntil(lambda: os.strerror(20) in window.banner.text)
