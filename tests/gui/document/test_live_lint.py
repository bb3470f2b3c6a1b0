"""Linting beside the window's thread: the latest wins, big folders in a process, nothing left when closed."""

import gc
import json
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.document import lint_worker, live_lint
from stepflow_gui.gui.document.document import SMOOTH, Document
from stepflow_gui.gui.document.inbox import FlowAfterFindings
from stepflow_gui.gui.document.lint_worker import (
    Changes,
    Findings,
    LintProcess,
    Snapshot,
    changed,
    changes_between,
    lint_snapshot,
)
from stepflow_gui.gui.document.live_lint import LiveLint, prepare_threads
from stepflow_gui.lint.engine.memory import LintMemory
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source

from .conftest import Open


def snapshot(path: Path, version: int = 0, text: str | None = None) -> Snapshot:
    return Snapshot(version, path, ((path, path.read_text() if text is None else text, False),))


@pytest.fixture
def registry(iterator: Path) -> Path:
    return iterator / "steps_registry.json"


@pytest.fixture
def big(iterator: Path) -> Path:
    """The iterator's steps many times over, each copy going to its own."""
    registry = iterator / "steps_registry.json"
    whole = json.loads(registry.read_text())
    steps: dict[str, object] = {}
    for copy in range(16):
        text = json.dumps(whole["steps"]).replace('"target": "', f'"target": "{copy}.')
        steps |= {f"{copy}.{key}": step for key, step in json.loads(text).items()}
    registry.write_text(json.dumps(whole | {"steps": steps}, indent=2, ensure_ascii=False))
    assert len(registry.read_text()) > live_lint.BIG > SMOOTH
    return registry


def test_a_process_reports_the_same_as_a_thread(registry: Path) -> None:
    process = LintProcess()
    found = process.lint(snapshot(registry), "en")
    assert found == lint_snapshot(snapshot(registry))
    broken = snapshot(registry, 1, registry.read_text().replace('"steps": {', '"steps" {'))
    again = process.lint(broken, "ja")
    assert again is not None
    assert "SF001" in {finding.code for finding in again.received}
    process.close()
    process.wait()
    assert process.lint(broken, "en") is None


def test_a_process_gets_the_changes_and_reports_the_same(registry: Path) -> None:
    process = LintProcess()
    text = registry.read_text()
    at = text.index('"initial.issue": {') + 18
    schema = next((registry.parent / "schemas").glob("*.json"))
    for version, (first, other) in enumerate(
        [(text, None), (text[:at] + ' "x": 1,' + text[at:], None), (text, "{}"), (text[:at], "{}"), (text, None)]
    ):
        texts = ((registry, first, False), *([(schema, other, False)] if other else []))
        asked = Snapshot(version, registry, texts)
        assert process.lint(asked, "en") == lint_snapshot(asked)
    process.close()
    process.wait()


@given(st.lists(st.tuples(st.text("ab\U0001f600", max_size=8), st.text("ab", max_size=8)), max_size=4))
def test_what_changed_describes_the_whole(texts: list[tuple[str, str]]) -> None:
    there: Snapshot | None = None
    for version, (one, two) in enumerate(texts):
        after = Snapshot(version, Path("a"), ((Path("a"), one, False), (Path("b"), two, version > 2)))
        received = changes_between(there, after)
        assert isinstance(received, Snapshot) == (version in {0, 3})
        there = changed(there, received) if there is not None and isinstance(received, Changes) else after
        assert there == after


def test_a_flow_waits_for_the_findings_but_not_for_long(registry: Path, qtbot: QtBot) -> None:
    folder = open_agent(registry)
    assert isinstance(folder, AgentFolder)
    shown: list[int] = []
    parent = QObject()
    held = FlowAfterFindings(parent, lambda version, _folder: shown.append(version))
    held.hold(1, folder, linted=False)
    held.hold(2, folder, linted=False)
    QApplication.processEvents()
    assert shown == []
    held.found()
    qtbot.waitUntil(lambda: shown == [2])
    held.found()
    held.hold(3, folder, linted=True)
    qtbot.waitUntil(lambda: shown == [2, 3])
    held.hold(4, folder, linted=False)  # a linter that takes its time
    qtbot.waitUntil(lambda: shown == [2, 3, 4])


def test_findings_are_reported_again_with_their_flow(big: Path, open_document: Open, qtbot: QtBot) -> None:
    """Listeners that show both together need both; if the findings come first, they are reported twice."""
    document = open_document(big)
    qtbot.waitUntil(lambda: document.linted)
    received: list[tuple[bool, str]] = []
    document.diagnostics_changed.connect(lambda: received.append((document.parsed, "findings")))
    document.flow_changed.connect(lambda: received.append((document.parsed, "flow")))
    source = document.source()
    assert isinstance(source, Source)
    at = source.text.index('"15.initial.issue": {')
    document.apply({document.path: [TextEdit(at + 1, at + 1, "x")]}, "Typing", "source", typing=True)
    qtbot.waitUntil(lambda: document.linted and document.parsed)
    assert received[-1] == (True, "findings")
    assert (True, "flow") in received


def test_a_process_that_died_is_restarted(registry: Path) -> None:
    process = LintProcess()
    assert process.lint(snapshot(registry), "en") is not None
    assert process._process is not None
    process._process.kill()
    process._process.join()
    assert process.lint(snapshot(registry), "en") is None
    assert process.lint(snapshot(registry), "en") is not None
    process.close()
    process.wait()


@pytest.mark.parametrize("error", [OSError, RuntimeError])
def test_where_no_process_can_be_started_a_thread_lints(
    registry: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(_how: str) -> None:
        raise error

    monkeypatch.setattr(lint_worker, "get_context", refuse)
    monkeypatch.setattr(live_lint, "BIG", 0)
    lint = LiveLint()
    heard: list[object] = []
    lint.linted.connect(lambda _version, found: heard.append(found))
    for version in (1, 2):
        lint.ask(snapshot(registry, version))
        qtbot.waitUntil(lambda version=version: len(heard) == version)  # type: ignore[misc]
    lint.close()
    assert all(isinstance(found, Findings) for found in heard)


def test_the_latest_wins(registry: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    go, started = threading.Event(), threading.Event()

    def slow(_asked: Snapshot, _memory: LintMemory) -> Findings:
        started.set()
        go.wait(5)
        return Findings([], [], {})

    monkeypatch.setattr(live_lint, "lint_snapshot", slow)
    lint = LiveLint()
    heard: list[int] = []
    lint.linted.connect(lambda version, _found: heard.append(version))
    lint.ask(snapshot(registry, 1))
    assert started.wait(5)
    for version in (2, 3, 4):
        lint.ask(snapshot(registry, version))
    go.set()
    qtbot.waitUntil(lambda: len(heard) == 2)
    lint.close()
    assert heard == [1, 4]


def test_closing_while_it_works_leaves_nothing(registry: Path, qtbot: QtBot) -> None:
    threads = threading.active_count()
    lint = LiveLint()
    heard: list[int] = []
    lint.linted.connect(lambda version, _found: heard.append(version))
    lint.ask(snapshot(registry, 1))
    lint.close()
    lint.ask(snapshot(registry, 2))
    qtbot.wait(50)
    assert heard in ([], [1])
    assert threading.active_count() == threads


def test_a_bug_in_a_rule_does_not_end_live_linting(
    registry: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lint = LiveLint()
    heard: list[int] = []
    lint.linted.connect(lambda version, _found: heard.append(version))

    def bug(_asked: Snapshot, _memory: LintMemory) -> Findings:
        raise AssertionError("a bug")

    quiet: list[object] = []
    monkeypatch.setattr(threading, "excepthook", quiet.append)
    with monkeypatch.context() as patch:
        patch.setattr(live_lint, "lint_snapshot", bug)
        lint.ask(snapshot(registry, 1))
        qtbot.waitUntil(lambda: bool(quiet))
    qtbot.waitUntil(lambda: lint._linter._thread is None)
    lint.ask(snapshot(registry, 2))
    qtbot.waitUntil(lambda: heard == [2])
    lint.close()


def test_a_big_registry_is_read_and_linted_after_a_pause(big: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(big)
    qtbot.waitUntil(lambda: document.linted)
    source = document.source()
    assert isinstance(source, Source)
    at = source.text.index('"15.initial.issue": {')
    for index, letter in enumerate("xyz"):
        document.apply(
            {document.path: [TextEdit(at + 1 + index, at + 1 + index, letter)]}, "Typing", "source", typing=True
        )
        assert not document.parsed  # reading waits, so that typing doesn't
    qtbot.waitUntil(lambda: document.parsed)
    assert "xyz15.initial.issue" in document.last_valid.flow.steps
    qtbot.waitUntil(lambda: document.linted)
    assert any("15.initial.issue" in found.message for found in document.diagnostics)
    assert document._lint._process._process is not None


def test_what_is_asked_of_a_big_registry_at_once_is_true(big: Path, open_document: Open) -> None:
    document = open_document(big)
    source = document.source()
    assert isinstance(source, Source)
    at = source.text.index('"15.initial.issue": {')
    document.apply({document.path: [TextEdit(at + 1, at + 1, "x")]}, "Typing", "source", typing=True)
    assert not document.parsed
    assert "x15.initial.issue" in document.folder.flow.steps
    assert document.parsed


def test_another_language_is_asked_for_again(tmp_path: Path, open_document: Open, qtbot: QtBot) -> None:
    (tmp_path / "steps_registry.json").write_text('{"steps": ')
    document = open_document(tmp_path)
    qtbot.waitUntil(lambda: document.linted)
    english = [found.message for found in document.diagnostics]
    messages.use_language("ja")
    with qtbot.waitSignal(document.diagnostics_changed):
        document.lint_again()
    assert [found.message for found in document.diagnostics] != english


def test_garbage_is_left_to_the_windows_thread(registry: Path, open_document: Open) -> None:
    gc.enable()
    document = open_document(registry)
    other = open_document(registry)
    assert not gc.isenabled()
    document._lint._collector._collect()
    document.close()
    document.close()
    assert not gc.isenabled()
    other.close()
    assert gc.isenabled()


def test_workers_let_the_window_in_quickly() -> None:
    before = sys.getswitchinterval()
    prepare_threads()
    assert sys.getswitchinterval() < 0.001
    sys.setswitchinterval(before)


def test_a_closed_session_emits_nothing(iterator: Path, qtbot: QtBot) -> None:
    document = Document.open(iterator)
    assert isinstance(document, Document)
    heard: list[bool] = []
    document.diagnostics_changed.connect(lambda: heard.append(True))
    document.close()
    qtbot.wait(100)
    assert heard == []
