"""Features are called about facts that they show, once their panel can be seen."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.features import Features
from stepflow_gui.gui.desk import ALL_FACTS, Fact, Feature, FilesChanged, Wishes
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_window
from tests.gui.silent import Silent
from tests.structure import trees


class Noted(Feature):
    """Notes what it is called about. Without a panel it is always seen."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"selection"})

    def __init__(self, panel: QWidget | None = None) -> None:
        self._panel = panel
        self.documents: list[Document | None] = []
        self.calls: list[frozenset[Fact]] = []

    @property
    def panel(self) -> QWidget | None:
        return self._panel

    def set_document(self, document: Document | None) -> None:
        self.documents.append(document)

    def refresh(self, changed: frozenset[Fact]) -> None:
        self.calls.append(changed)


class AllNoted(Noted):
    """The same for all facts."""

    facts: ClassVar[frozenset[Fact]] = ALL_FACTS


@pytest.fixture
def document(qtbot: QtBot, tmp_path: Path) -> Iterator[Document]:
    opened = Document.open(copy_example(into=tmp_path / "project"))
    assert isinstance(opened, Document)
    qtbot.waitUntil(lambda: opened.linted)
    yield opened
    opened.close()


def test_only_facts_that_a_feature_shows_reach_it(document: Document) -> None:
    feature, other = Noted(), AllNoted()
    features = Features([feature, other], document)
    features.set_document(document)
    assert feature.documents == [document]
    assert (feature.calls, other.calls) == ([frozenset({"selection"})], [ALL_FACTS])
    document.flow_changed.emit()
    document.select("initial.issue", "test")
    assert feature.calls[1:] == [frozenset({"selection"})]
    assert other.calls[1:] == [frozenset({"flow"}), frozenset({"selection"})]


def test_features_can_follow_a_large_document_one_after_another(document: Document, qtbot: QtBot) -> None:
    hidden = QWidget()
    qtbot.addWidget(hidden)
    seen, unseen, last = AllNoted(), AllNoted(hidden), AllNoted()
    features = Features([seen, unseen, last], document)
    features.set_document(document, in_steps=True)
    assert seen.documents == unseen.documents == last.documents == [document]
    assert seen.calls == last.calls == []
    qtbot.waitUntil(lambda: bool(last.calls))
    assert (seen.calls, unseen.calls, last.calls) == ([ALL_FACTS], [], [ALL_FACTS])
    hidden.show()
    assert unseen.calls == [ALL_FACTS]


def test_what_changes_meanwhile_reaches_each_once(document: Document, qtbot: QtBot) -> None:
    one, other = AllNoted(), AllNoted()
    features = Features([one, other], document)
    features.set_document(document, in_steps=True)
    document.flow_changed.emit()
    assert (one.calls, other.calls) == ([ALL_FACTS], [ALL_FACTS])
    qtbot.wait(20)
    assert (one.calls, other.calls) == ([ALL_FACTS], [ALL_FACTS])
    features.set_document(document, in_steps=True)
    features.set_document(None)
    qtbot.wait(20)
    assert len(one.calls) == 1


def test_a_hidden_panel_is_filled_when_it_is_shown(document: Document, qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    feature = AllNoted(panel)
    features = Features([feature], document)
    features.set_document(document)
    assert feature.calls == []
    panel.show()
    assert feature.calls == [ALL_FACTS]
    panel.hide()
    document.flow_changed.emit()
    document.diagnostics_changed.emit()
    assert len(feature.calls) == 1
    panel.show()
    assert feature.calls[1:] == [frozenset({"flow", "findings"})]


def test_a_document_that_was_left_reaches_nothing(document: Document) -> None:
    feature = AllNoted()
    features = Features([feature], document)
    features.set_document(document)
    features.set_document(None)
    before = list(feature.calls)
    document.flow_changed.emit()
    assert feature.calls == before
    assert feature.documents == [document, None]


def test_one_feature_carries_out_each_kind_of_wish() -> None:
    wishes = Wishes()
    wishes.handle(FilesChanged, lambda wish: ("done", wish))
    assert wishes(FilesChanged()) == ("done", FilesChanged())
    with pytest.raises(AssertionError):
        wishes.handle(FilesChanged, lambda _wish: None)


def test_another_language_or_theme_is_no_news_of_flow_and_selection(document: Document) -> None:
    feature = AllNoted()
    features = Features([feature], document)
    features.set_document(document)
    feature.calls.clear()
    features.retranslate()
    features.set_theme(Theme(dark=True))
    assert set().union(*feature.calls) <= {"findings"}


@pytest.mark.parametrize("change", ["retranslate", "set_theme"])
def test_a_panel_follows_language_and_theme_through_its_feature(change: str, qtbot: QtBot, tmp_path: Path) -> None:
    with shown_window(qtbot, tmp_path, Silent()) as window:
        left = {
            type(feature).__name__
            for feature in window.features
            if hasattr(feature.panel, change) and getattr(type(feature), change) is getattr(Feature, change)
        }
    assert not left, f"{change} of {', '.join(sorted(left))} is to call that of its panel"


@pytest.mark.slow
def test_the_window_lists_every_feature(checkout: Path) -> None:
    parts = "stepflow_gui.gui.app.window_parts"
    listed = {node.id for node in ast.walk(trees(checkout)[parts]) if isinstance(node, ast.Name)}
    features = {
        node.name: module
        for module, tree in trees(checkout).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "Feature" in {getattr(base, "id", "") for base in node.bases}
    }
    left = {f"{name} of {module}" for name, module in features.items() if name not in listed}
    assert not left, f"WindowParts._make_features doesn't list {', '.join(sorted(left))}"
