"""Lines of the source are wrapped on request, and a step is gone to while they are laid out anew."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent


def test_a_step_is_shown_in_wrapped_lines(qtbot: QtBot, tmp_path: Path) -> None:
    make_application()
    shell = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(shell)
    shell.show()
    qtbot.waitExposed(shell)
    shell.open(copy_example(into=tmp_path / "project"))
    window = shell.current
    editor, document = window.source.editor, window.document
    assert document is not None
    window.desk.actions["word-wrap"].trigger()
    assert editor.lineWrapMode() == editor.LineWrapMode.WidgetWidth
    for step in document.last_valid.flow.steps:
        document.select(step, "canvas")
        QCoreApplication.processEvents()
        assert step in editor.textCursor().block().text() + editor.textCursor().block().next().text()
        assert editor.viewport().rect().intersects(editor.cursorRect())
    window.desk.actions["word-wrap"].trigger()
    assert editor.lineWrapMode() == editor.LineWrapMode.NoWrap
