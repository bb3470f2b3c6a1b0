"""What the window says of a workflow speaks of the workflow and of its steps."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.fields import ElidedLabel
from tests.gui.shown import run_pages, shown_window
from tests.gui.silent import Silent

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
WORKFLOW = """\
name: flow
max_steps: 5
initial_step: write
personas: {coder: You write.}
steps:
  - name: write
    persona: coder
    edit: true
    instruction: Write {task}, {Task}.
    rules: [{condition: done, next: both}, {condition: again, next: nowhere}]
  - name: both
    parallel:
      - {name: one, persona: coder, instruction: Look., rules: [{condition: ok}]}
      - {name: two, persona: coder, instruction: Look., rules: [{condition: ok}]}
    rules: [{condition: 'all("ok")', next: COMPLETE}]
loop_monitors:
  - cycle: [write, both]
    judge: {persona: coder, rules: [{condition: fine, next: write}, {condition: stuck, next: ABORT}]}
"""
PIECE = WORKFLOW.replace("steps:", "movements:").replace("_step:", "_movement:").replace("max_steps", "max_iterations")
_OF_PIECES = re.compile(r"(?<![\w“「/.-])(movements?|pieces?)(?![\w”」/.-])|ピース", re.IGNORECASE)
_BOTH = re.compile(r"TAKT|\*\.yaml|stepflow (run|test|convert)|Movement or Step")


def _texts(widget: QWidget) -> Iterator[str]:
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
    match widget:
        case ElidedLabel():
            yield widget.whole
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.placeholderText()
        case QPlainTextEdit():
            yield widget.placeholderText()
        case QComboBox():
            yield from (widget.itemText(at) for at in range(widget.count()))
        case QTabBar():
            yield from (text for at in range(widget.count()) for text in (widget.tabText(at), widget.tabToolTip(at)))
        case QAbstractItemView():
            model = widget.model()
            yield from _items(model, QModelIndex()) if model is not None else ()


def _items(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
    for row in range(model.rowCount(parent)):
        for column in range(8):
            index = model.index(row, column, parent)
            if index.isValid():
                yield from (str(model.data(index, role) or "") for role in roles)
        yield from _items(model, model.index(row, 0, parent))


def _said(window: MainWindow) -> Iterator[str]:
    QApplication.processEvents()
    for widget in window.findChildren(QWidget):
        yield from (f"{type(widget).__name__}: {text}" for text in _texts(widget))
    for action in window.findChildren(QAction):
        if action.isVisible():
            yield from (f"QAction: {text}" for text in (action.text(), action.toolTip(), action.statusTip()))
    for item in window.canvas.graph.items():
        yield f"{type(item).__name__}: {item.toolTip()}"


def _gone_through(window: MainWindow, path: Path, qtbot: QtBot) -> Iterator[str]:
    """All that the window says on a tour through what can be done with a piece."""
    assert window.open(path)
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
    yield from _said(window)
    for step in (*document.last_valid.flow.steps, None):
        document.select(step, "test")
        yield from _said(window)
    document.select("write", "test", ("write", "both"))
    yield from _said(window)
    document.select("both", "test", part="/steps/1/parallel/0")
    yield from _said(window)
    window.desk.actions["palette"].trigger()
    yield from _said(window)
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    for name in ("step-files", "focus-problems", "run-start", "focus-run", "references"):
        window.desk.actions[name].trigger()
        yield from _said(window)
    for _page in run_pages(window.run_panel):
        yield from _said(window)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_of_a_workflow_is_called_a_movement(language: str, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".takt" / "workflows" / "flow.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(WORKFLOW, encoding="utf-8")
    with shown_window(qtbot, tmp_path, Silent(), (1280, 800)) as window:
        messages.use_language(language)
        window.retranslate()
        said = dict.fromkeys(_gone_through(window, path, qtbot))
    wrong = [text for text in said if _OF_PIECES.search(text) and not _BOTH.search(text)]
    assert "\n".join(wrong) == ""
