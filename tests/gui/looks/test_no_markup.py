"""No content of a file is treated as markup: no label, tool tip or dialog loads an image or makes a link of it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QTextEdit, QToolTip, QWidget
from pytestqt.qtbot import QtBot

import piece_views
import window_views
from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.project.creating.templates import template_of
from tests.gui.silent import Silent
from window_views import opened_over, settle, show

MARK = '<img src="evil.png"><a href="https://evil.invalid">x</a>'
_WORDS = frozenset({"name", "description", "displayName", "title", "reason", "retryHint", "message", "help", "prompt"})
_PIECE_TEXT = re.compile(r"^(\s*(?:- )?(?:condition|description): )([A-Za-z][^\n\"]*)$", re.MULTILINE)
_OWN_LINK = re.compile(r"href='\d+'")
SHOWN = (
    *("editor", "problems", "problem-fix", "run-trace", "run-data", "explore", "piece", "agent", "project"),
    *("step-files", "versions", "conflicts", "history", "new-step", "palette", "convert"),
)


def hostile(value: object, key: str = "") -> object:
    """Texts that nothing refers to end in the mark."""
    if isinstance(value, dict):
        return {name: hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, key) for each in value]
    return value + MARK if isinstance(value, str) and key in _WORDS else value


def hostile_registry(path: Path) -> None:
    """Steps, keys, intents, targets, validators and prompts of which the mark is a part, too."""
    content = hostile(json.loads(path.read_text("utf-8")))
    assert isinstance(content, dict)
    steps = content["steps"]
    steps["continuation.issue"][MARK] = MARK
    steps["continuation.issue"].setdefault("transitions", {})[MARK] = {"target": MARK}
    added = {key: value + MARK if isinstance(value, str) else value for key, value in steps["closure.issue"].items()}
    steps[f"closure.{MARK}"] = {**added, "stepId": f"closure.{MARK}", "stepKind": "closure"}
    content.setdefault("validators", {})[MARK] = {"type": MARK, "command": MARK, "successWhen": MARK}
    content[MARK] = MARK
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8")


def hostile_example(into: Path) -> Path:
    """The bundled example with the mark in every text of its files."""
    folder = copy_example(into=into)
    for path in (path for path in folder.rglob("*") if path.is_file()):
        text = path.read_text("utf-8")
        if path.name == "steps_registry.json":
            hostile_registry(path)
        elif path.suffix == ".json":
            path.write_text(json.dumps(hostile(json.loads(text)), ensure_ascii=False, indent=2) + "\n", "utf-8")
        elif path.suffix == ".md":
            path.write_text(text + MARK + "\n", "utf-8")
    return folder


class HostilePiece:
    """The template of a piece with the mark in the texts of its movements and rules."""

    def __init__(self, name: str) -> None:
        found = template_of(name)
        assert found is not None
        self._template = found

    def files(self, name: str, title: str) -> dict[str, str]:
        return {path: self._marked(path, text) for path, text in self._template.files(name, title + MARK).items()}

    def _marked(self, path: str, text: str) -> str:
        if not path.endswith(".yaml"):
            return text + MARK
        return _PIECE_TEXT.sub(lambda found: f"{found[1]}{json.dumps(found[2] + MARK, ensure_ascii=False)}", text)


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.setattr(window_views, "copy_example", hostile_example)
    monkeypatch.setattr(piece_views, "template_of", HostilePiece)
    make_application()
    messages.use_language("en")
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(1600, 1000)
    made.show()
    qtbot.waitExposed(made)
    yield made
    QToolTip.hideText()
    made.close()


def takes_markup(top: QWidget) -> list[str]:
    """What of a window would show markup, or shows what a file brought along."""
    found = []
    for label in top.findChildren(QLabel):
        plain = label.textFormat() == Qt.TextFormat.PlainText
        escaped = label.property("markup") is True and "<img" not in _OWN_LINK.sub("", label.text())
        if label.isVisible() and not plain and not escaped:
            found.append(f"{label.objectName()} of {type(label.parent()).__name__}: {label.text()}")
    for text in top.findChildren(QTextEdit):
        html = text.document().toHtml()
        if "<img" in html or 'evil.invalid"' in html:
            found.append(f"{text.objectName()}: {html}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("view", SHOWN)
def test_no_view_shows_markup_of_a_file(shell: Shell, tmp_path: Path, view: str) -> None:
    show(shell, view, tmp_path)
    settle(shell)
    tops = [shell, *opened_over(shell)]
    found = [each for top in tops for each in takes_markup(top)]
    for top in tops[1:]:
        top.close()
    assert found == []


def test_tool_tips_are_plain_text(shell: Shell, tmp_path: Path) -> None:
    QToolTip.showText(QPoint(5, 5), MARK, shell)
    tips = [top for top in QApplication.topLevelWidgets() if isinstance(top, QLabel) and top.text() == MARK]
    assert [tip.textFormat() for tip in tips] == [Qt.TextFormat.PlainText]


def test_questions_are_plain_text(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answer(box: QWidget) -> int:
        box.show()
        asked.append(takes_markup(box))
        box.close()
        return 0

    monkeypatch.setattr("PySide6.QtWidgets.QMessageBox.exec", answer)
    DialogPrompts(shell).inform(MARK, MARK)
    assert asked == [[]]


def test_what_the_hover_card_shows_is_escaped(shell: Shell, tmp_path: Path) -> None:
    show(shell, "editor", tmp_path)
    settle(shell)
    source = shell.current.source
    text = source.editor.mapping.source.text
    places = [found.start() + 3 for found in re.finditer(re.escape(json.dumps(MARK)), text)]
    assert places
    told = []
    for place in places:
        source.assist.hover.show_at(place)
        told.append(source.assist.card.label.text())
    assert any("&lt;img" in each for each in told)
    assert not any("<img" in each or "evil.invalid'" in each for each in told)
