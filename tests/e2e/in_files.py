"""Files in a real window: what other programs do to them, what can't be written, and quick changes of mind.

`test_real_window.py` runs this file in a process of its own on the display; it isn't collected otherwise.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from stepflow_gui.gui.widgets.prompts import OnConflict
from tests.e2e.in_window import Hands, desk, example, hands, own_desk
from tests.gui.editing.conftest import Desk
from tests.permissions import permissions_that_bind

__all__ = ["desk", "example", "hands", "own_desk"]


def offers(at: Desk) -> list[str]:
    return [each.text() for each in at.window.banner.findChildren(QPushButton) if each.isVisibleTo(at.window.banner)]


def press(hands: Hands, at: Desk, label: str) -> None:
    at.qtbot.wait(400)  # a reported change may be reported again while a file is being replaced
    (button,) = [each for each in at.window.banner.findChildren(QPushButton) if each.text() == label]
    hands.click(button, button.rect().center())


def type_at_the_end(hands: Hands, at: Desk) -> None:
    at.window.source.focus_widget.setFocus()
    hands.keys("ctrl+End", "Return")
    at.qtbot.waitUntil(lambda: at.document.unsaved)


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def by_rename(path: Path, text: str) -> None:
    beside = path.with_name("beside")
    beside.write_text(text)
    beside.replace(path)


def removed_first(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


@pytest.mark.parametrize("write", [in_place, by_rename, removed_first])
def test_a_change_outside_is_reported_and_merged(hands: Hands, desk: Desk, write: Callable[[Path, str], None]) -> None:
    type_at_the_end(hands, desk)
    write(desk.document.path, desk.document.path.read_text().replace('"1.0.0"', '"2.0.0"'))
    desk.qtbot.waitUntil(lambda: "Merge" in offers(desk))
    press(hands, desk, "Merge")
    desk.qtbot.waitUntil(lambda: '"2.0.0"' in desk.text())
    assert desk.text().endswith("\n\n")
    hands.keys("ctrl+s")
    desk.qtbot.waitUntil(lambda: desk.document.path.read_text() == desk.text())


def test_a_removed_file_and_folder_are_reported_and_can_be_kept(hands: Hands, desk: Desk) -> None:
    path = desk.document.path
    text = desk.text()
    path.unlink()
    desk.qtbot.waitUntil(lambda: offers(desk) == ["Keep My Version"])
    press(hands, desk, "Keep My Version")
    path.mkdir()
    (path / "inside").touch()
    desk.window.save()
    assert desk.text() == text
    shutil.rmtree(path)


def test_a_folder_that_cant_be_written_loses_nothing(hands: Hands, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(desk.window.prompts), "changed_on_disk", lambda _self, _path: OnConflict.CANCEL)
    type_at_the_end(hands, desk)
    folder = desk.document.path.parent
    before = desk.document.path.read_bytes()
    mode = folder.stat().st_mode
    with permissions_that_bind(folder.parent):
        folder.chmod(0o555)
        try:
            hands.keys("ctrl+s")
            desk.qtbot.waitUntil(lambda: "could not be saved" in desk.window.banner.text)
        finally:
            folder.chmod(mode)
    assert desk.document.path.read_bytes() == before
    assert desk.document.unsaved
    hands.keys("ctrl+s")
    desk.qtbot.waitUntil(lambda: not desk.document.unsaved)


def test_many_changes_of_mind(hands: Hands, desk: Desk, full: bool) -> None:
    """Forty; --full: two hundred."""
    before = desk.text()
    type_at_the_end(hands, desk)
    after = desk.text()
    desk.canvas.setFocus()
    hands.tool("key", "--delay", "5", *["ctrl+z", "ctrl+y"] * (100 if full else 20))
    desk.qtbot.waitUntil(lambda: desk.text() == after and not desk.document.stack.canRedo(), timeout=90_000)
    hands.keys("ctrl+z")
    desk.qtbot.waitUntil(lambda: desk.text() == before)
    desk.settle()


def test_language_and_look_change_in_a_run(hands: Hands, desk: Desk) -> None:
    hands.keys("F10")
    run = desk.window.run_panel
    desk.qtbot.waitUntil(lambda: bool(desk.canvas.graph.run.active))
    active = desk.canvas.graph.run.active
    for language, look in (("ja", "dark"), ("en", "light")):
        desk.window.set_language(language)
        desk.window.set_look(look)
        assert desk.canvas.graph.run.active == active
        assert run.isVisible()
    hands.keys("shift+F10")
    desk.settle()
