"""The documentation in the window: pages, links and the way back; F1 opens the page about what has the keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.bundled import documentation
from stepflow_gui.gui.app.help.documentation import DocumentationWindow, anchor_of, headings_of
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import use_language
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


@pytest.fixture
def pages(qtbot: QtBot) -> Iterator[DocumentationWindow]:
    made = DocumentationWindow(Theme(dark=False))
    qtbot.addWidget(made)
    yield made
    use_language("en")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as shown:
        yield shown


def headings_in_view(pages: DocumentationWindow) -> list[str]:
    """The headings that can be read without scrolling."""
    layout, top = pages.text.document().documentLayout(), pages.text.verticalScrollBar().value()
    found, block = [], pages.text.document().begin()
    while block.isValid():
        if (
            block.blockFormat().headingLevel()
            and 0 <= layout.blockBoundingRect(block).top() - top < pages.text.height()
        ):
            found.append(block.text())
        block = block.next()
    return found


def test_a_page_is_shown_at_its_heading_in_the_language_in_use(pages: DocumentationWindow) -> None:
    pages.show_page("flow-tests.md#commands")
    assert pages.shown == "flow-tests.md"
    assert headings_in_view(pages)[0] == "Commands"
    use_language("ja")
    pages.show_page("flow-tests.md#commands")
    assert pages.shown == "ja/flow-tests.md"
    assert headings_in_view(pages)[0] == "コマンド"


def test_links_lead_on_and_back(pages: DocumentationWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    pages.show_page("index.md")
    assert not pages.back.isEnabled()
    pages._follow(QUrl("rules/SF201.md"))
    pages._follow(QUrl("../gate.md#how-a-run-ends"))
    assert pages.shown == "gate.md"
    assert "How a run ends" in headings_in_view(pages)
    pages._follow(QUrl("../../README.md"))  # not a page
    pages._follow(QUrl("nowhere.md"))
    pages._follow(QUrl("https://pre-commit.com"))
    assert (pages.shown, opened) == ("gate.md", ["https://pre-commit.com"])
    pages.back.click()
    assert pages.shown == "rules/SF201.md"
    pages.contents.click()
    assert pages.shown == "index.md"
    use_language("ja")
    pages.show_page("rules/SF201.md")
    pages.contents.click()
    assert pages.shown == "ja/index.md"


def test_pictures_are_those_beside_the_pages(pages: DocumentationWindow) -> None:
    pages.show_page("window.md")
    assert pages.text.loadResource(2, QUrl("images/job-connect.png")).width() == 360  # in a table
    assert pages.text.loadResource(2, QUrl("images/window-light.png")).width() == 720
    assert pages.text.loadResource(2, QUrl("images/none.png")) == QImage()
    for elsewhere in ("https://example.org/x.png", "../pyproject.toml", "images/../../README.md"):
        assert pages.text.loadResource(2, QUrl(elsewhere)) is None


def test_another_look_keeps_the_page(pages: DocumentationWindow) -> None:
    pages.show_page("gate.md")
    pages.set_theme(Theme(dark=True))
    pages.retranslate()
    assert pages.shown == "gate.md"
    assert not pages.back.isEnabled()


def test_each_part_of_the_window_has_a_page_in_both_languages(window: MainWindow) -> None:
    for page in window._documentation().values():
        path, _hash, anchor = page.partition("#")
        english, japanese = (documentation().joinpath(each).read_text("utf-8") for each in (path, f"ja/{path}"))
        assert not anchor or anchor in map(anchor_of, headings_of(english)), page
        assert len(headings_of(english)) == len(headings_of(japanese)), page


def test_f1_opens_the_page_about_what_has_the_keyboard(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    def page_at(part: QWidget) -> str:
        window.activateWindow()
        part.setFocus()
        QTest.qWait(0)
        window.desk.actions["documentation"].trigger()
        shown = window.findChild(DocumentationWindow)
        assert shown is not None
        return shown.shown

    assert page_at(window.welcome.tour) == "tutorial.md"
    window.open(copy_example(into=tmp_path))
    assert window.document is not None
    qtbot.waitUntil(lambda: window.document is not None and window.document.linted)
    assert page_at(window.canvas) == "window.md"
    window.desk.show_output(window.run_panel)
    inside = window.run_panel.findChildren(QWidget)
    assert page_at(next(each for each in inside if each.isVisible() and each.focusPolicy().value)) == "debugging.md"
    editor = window.source.editor
    text = editor.toPlainText().replace('"target": "continuation.issue"', '"target": "gone.x"', 1)
    editor.selectAll()
    editor.insertPlainText(text)
    qtbot.waitUntil(lambda: bool(window.document and window.document.linted and window.document.diagnostics))
    shown = window.findChild(DocumentationWindow)
    assert shown is not None
    shown.hide()
    window.activateWindow()
    window.canvas.setFocus()
    window.canvas.choose_step("initial.issue")
    QTest.qWait(0)
    assert window.desk.actions.place() == "canvas"
    window.desk.actions["documentation"].trigger()
    assert not shown.isVisible()
    assert window.problems.details.widget.page == "rule"  # the step has a problem: that is explained
    window.problems.details.widget.rule.documentation_asked.emit("rules/SF201.md")
    assert (shown.shown, shown.isVisible()) == ("rules/SF201.md", True)
    assert QApplication.activeModalWidget() is None
