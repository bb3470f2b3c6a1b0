"""Files of other kinds, or spoilt ones: a clear message, nothing lost, never blank."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas import arrange
from stepflow_gui.gui.document import reading
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.text.files.store import SaveFailed
from tests.gui.canvas.hand import drag, node_point
from tests.gui.editing.conftest import Desk

COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop(onto: QWidget, *urls: QUrl) -> bool:
    """Drop these there, as a file manager does, with the paths as text too; False where they aren't taken."""
    data = QMimeData()
    data.setUrls(list(urls))
    data.setText("\n".join(url.toString() for url in urls))
    at = onto.rect().center()
    entering = QDragEnterEvent(at, COPY, data, LEFT, NONE)
    QApplication.sendEvent(onto, entering)
    if not entering.isAccepted():
        return False
    dropping = QDropEvent(QPointF(at), COPY, data, LEFT, NONE)
    QApplication.sendEvent(onto, dropping)
    return dropping.isAccepted()


def targets(window: MainWindow) -> list[QWidget]:
    form = next(each for each in window.inspector.findChildren(FormLineEdit) if each.isVisible())
    return [
        *(window.canvas.viewport(), window.source.editor.viewport(), window.inspector.viewport()),
        *(window.outline, window.search, form),
    ]


@pytest.mark.parametrize("name", ["photo.png", "package.json", "notes", "gone.json"])
def test_a_dropped_file_that_is_none_of_ours_is_reported_wherever_it_is_dropped(
    desk: Desk, tmp_path: Path, name: str
) -> None:
    odd = tmp_path / name
    if name == "notes":
        odd.mkdir()
    elif name != "gone.json":
        odd.write_bytes(b"{}" if name == "package.json" else b"\x89PNG\r\n\x1a\n\x00\x00")
    desk.canvas.choose_step("closure.issue")
    before, steps = desk.texts(), set(desk.canvas.graph.step_frames())
    for onto in targets(desk.window):
        desk.window.banner.clear()
        assert drop(onto, QUrl.fromLocalFile(str(odd))), onto
        assert name in desk.window.banner.text, onto
        assert desk.window.banner.isVisible()
    assert desk.texts() == before
    assert desk.history == []
    assert set(desk.canvas.graph.step_frames()) == steps
    assert not [each.text() for each in desk.window.inspector.findChildren(FormLineEdit) if name in each.text()]


def test_an_address_on_the_net_is_not_taken(desk: Desk) -> None:
    assert not drop(desk.canvas.viewport(), QUrl("https://example.com/steps_registry.json"))
    assert not desk.window.banner.isVisible()


def test_an_agent_dropped_on_the_canvas_opens(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other" / "steps_registry.json"
    other.parent.mkdir()
    other.write_text(desk.text().replace('"agentId": "issue-flow"', '"agentId": "other"'), "utf-8")
    assert drop(desk.canvas.viewport(), QUrl.fromLocalFile(str(other.parent)))
    assert desk.window.document is not None
    assert desk.window.document.path == other


@pytest.mark.parametrize(
    "text",
    ["", "hello", "[1, 2]", "3", '{"dependencies": {"a": "^1"}}', '{"steps": []}', '{"steps": {"a": 3}}', "{" * 9999],
)
def test_what_is_no_step_is_not_pasted(desk: Desk, text: str) -> None:
    before = desk.texts()
    QGuiApplication.clipboard().setText(text)
    desk.editing.command("paste")
    assert "clipboard" in desk.window.banner.text
    assert (desk.texts(), desk.history) == (before, [])


def test_a_layout_file_of_an_older_version_is_read_and_kept_up(desk: Desk, example: Path) -> None:
    path = desk.document.layout_path
    path.parent.mkdir()
    path.write_text('{ "steps": {\n  "closure.issue": [400, 500],\n  "initial.issue": [0, 0]\n} }\n', "utf-8")
    assert desk.window.open(example)
    again = Desk(desk.qtbot, desk.window)
    again.settle()
    assert not again.window.banner.isVisible()
    assert again.canvas.positions()["closure.issue"] == (400, 500)
    again.canvas.fit()
    at = node_point(again.canvas, "closure.issue")
    drag(again.canvas, at, at + QPoint(40, 40))
    assert again.history == ["Move closure.issue"]
    assert '"initial.issue": [0, 0]' in again.text(path)


def test_places_in_a_folder_that_cant_be_written_are_reported_and_stay(desk: Desk, permissions_bind: None) -> None:
    folder = desk.document.path.parent
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(60, 30))
    place = desk.canvas.positions()["closure.issue"]
    folder.chmod(0o500)
    try:
        assert not desk.window.save()
        assert desk.window.banner.isVisible()
        assert "could not be saved" in desk.window.banner.text
        assert desk.canvas.positions()["closure.issue"] == place
        assert desk.document.dirty
        assert isinstance(desk.document.save(), SaveFailed)
    finally:
        folder.chmod(0o700)
    assert desk.window.save()
    assert json.loads(desk.document.layout_path.read_text("utf-8"))["steps"]["closure.issue"]


def test_auto_layout_of_a_big_flow_is_one_entry_once_it_is_there(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrange, "LONG_LAYOUT", 1)
    monkeypatch.setattr(arrange, "LONG_DRAWING", 1)
    desk.canvas.set_layout_positions({"closure.issue": (900.0, 700.0)})
    desk.editing.moved({"closure.issue": (900.0, 700.0)})
    before = desk.canvas.positions()
    desk.window.on_canvas.tidy()
    assert desk.canvas.laying_out.is_running
    assert desk.canvas.positions() == before
    assert desk.history == ["Move closure.issue"]
    desk.settle()
    after = desk.canvas.positions()
    assert after != before
    assert desk.history == ["Move closure.issue", "Auto-layout"]
    desk.document.undo()
    desk.settle()
    assert desk.canvas.positions() == before
    desk.document.redo()
    desk.settle()
    assert desk.canvas.positions() == after


def test_a_large_file_that_is_closed_while_it_is_read_never_comes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGE", 10)
    path = desk.document.path
    assert desk.window.close_agent()
    assert desk.window.open(path)
    assert desk.window.close_agent()
    assert desk.window.opening is None
    assert desk.window.document is None
    assert desk.window.desk.pages.currentWidget() is desk.window.welcome
    desk.qtbot.wait(50)
    assert desk.window.document is None


def test_a_large_file_that_cant_be_read_says_why(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGE", 1)
    path = desk.document.path
    assert desk.window.close_agent()
    path.write_bytes(b"\xff\xfe\xff")
    assert desk.window.open(path)
    desk.qtbot.waitUntil(lambda: desk.window.opening is None)
    assert desk.window.document is None
    assert "UTF-8" in desk.window.banner.text
    assert desk.window.desk.pages.currentWidget() is desk.window.welcome


def test_a_registry_of_5_megabytes_opens_whole(desk: Desk) -> None:
    registry = json.loads(desk.text())
    for step in registry["steps"].values():
        step["description"] = "long " * 300_000
    path = desk.document.path
    path.write_text(json.dumps(registry, indent=2), "utf-8")
    assert path.stat().st_size > 5_000_000
    assert desk.window.close_agent()
    assert desk.window.open(path)
    assert desk.window.document is None
    assert desk.window.opening == path
    page = desk.window.reading_page
    assert desk.window.desk.pages.currentWidget() is page
    assert page.text() == f"Reading steps_registry.json ({path.stat().st_size / 1e6:.1f} MB)…"
    desk.qtbot.waitUntil(lambda: desk.window.document is not None)
    assert desk.window.opening is None
    assert "Reading" not in desk.window.status.text
    big = Desk(desk.qtbot, desk.window)
    big.settle()
    assert set(big.canvas.graph.step_frames()) == set(registry["steps"])
    assert len(big.text()) > 5_000_000
    shown = big.window.source.editor.mapping.document.toPlainText()  # very long lines are cut there, with an ellipsis
    assert all(f'"{step}"' in shown for step in registry["steps"])
    big.canvas.fit()
    big.document.select("closure.issue", "outline")
    drag(big.canvas, node_point(big.canvas, "closure.issue"), node_point(big.canvas, "closure.issue") + QPoint(60, 60))
    assert big.history == ["Move closure.issue"]
    before = path.read_bytes()
    assert big.window.save()
    assert path.read_bytes() == before
    big.settle()


def test_dropped_files_are_opened_and_others_reported(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other" / "steps_registry.json"
    other.parent.mkdir()
    other.write_text(desk.text().replace('"agentId": "issue-flow"', '"agentId": "other"'), "utf-8")
    notes = tmp_path / "notes.txt"
    notes.write_text("notes", "utf-8")
    assert drop(desk.canvas.viewport(), *(QUrl.fromLocalFile(str(path)) for path in (notes, other.parent)))
    assert desk.window.document is not None
    assert desk.window.document.path == other
    assert "notes.txt" in desk.window.banner.text
    assert desk.window.banner.isVisible()
