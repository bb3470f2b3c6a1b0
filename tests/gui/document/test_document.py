"""Opening, reading again, selecting, saving and what other programs do to the files."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.selection import Selection
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

from .conftest import Open


def replace(document: Document, old: str, new: str, origin: str = "test") -> None:
    source = document.source()
    assert isinstance(source, Source)
    at = source.text.index(old)
    document.apply({document.path: [TextEdit(at, at + len(old), new)]}, "Replace", origin)


def test_a_folder_or_its_registry_opens(iterator: Path, open_document: Open) -> None:
    for path in (iterator, iterator / "steps_registry.json"):
        document = open_document(path)
        assert document.path == iterator / "steps_registry.json"
        assert len(document.folder.flow.steps) == 21
        assert not document.text_broken
        assert not document.dirty


def test_what_cannot_be_read_is_a_value(tmp_path: Path) -> None:
    assert isinstance(Document.open(tmp_path / "nowhere"), ReadProblem)
    (tmp_path / "steps_registry.json").write_bytes(b"\xff{}")
    problem = Document.open(tmp_path)
    assert isinstance(problem, ReadProblem)
    assert problem.kind == "not-utf8"


def test_the_flow_follows_the_text(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    heard: list[bool] = []
    document.flow_changed.connect(lambda: heard.append(document.text_broken))
    replace(document, '"initial.issue": {', '"initial.renamed": {')
    assert "initial.renamed" in document.folder.flow.steps
    assert heard == [False]


def test_broken_text_leaves_the_last_good_flow(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    good = document.last_valid
    replace(document, '"steps": {', '"steps": {{')
    assert document.text_broken
    assert document.last_valid is good
    assert document.folder is not good
    document.undo()
    assert not document.text_broken
    assert len(document.last_valid.flow.steps) == 21


def test_a_broken_file_opens_with_what_could_be_read(tmp_path: Path, open_document: Open) -> None:
    (tmp_path / "steps_registry.json").write_text('{"steps": {"initial.a": {"name": "A"}')
    document = open_document(tmp_path)
    assert document.text_broken
    assert document.last_valid is document.last_valid
    document.apply({document.path: [TextEdit(37, 37, "}}")]}, "Close", "test")
    assert not document.text_broken
    assert list(document.last_valid.flow.steps) == ["initial.a"]


def test_the_step_at_an_offset(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    step = document.folder.flow.steps["continuation.issue"]
    assert document.step_at(step.key_span.start) == "continuation.issue"
    assert document.step_at(step.node.end - 3) == "continuation.issue"
    assert document.step_at(0) is None


def test_selecting_notifies_once_and_names_the_origin(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    heard: list[Selection] = []
    document.selection_changed.connect(heard.append)
    document.select("initial.issue", "canvas")
    document.select("initial.issue", "source")
    document.select(None, "source")
    assert heard == [Selection("initial.issue", "canvas", ("initial.issue",)), Selection(None, "source")]


def test_findings_follow_the_text(iterator: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(iterator)
    qtbot.waitUntil(lambda: document.linted)
    before = document.diagnostics
    replace(document, '"target": "continuation.issue"', '"target": "nowhere"')
    assert not document.linted
    qtbot.waitUntil(lambda: document.linted)
    new = [finding for finding in document.diagnostics if finding not in before]
    assert any("nowhere" in finding.message and finding.step for finding in new)
    document.undo()
    qtbot.waitUntil(lambda: document.linted)
    assert document.diagnostics == before


def test_findings_report_broken_text(iterator: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(iterator)
    replace(document, '"steps": {', '"steps" {')
    qtbot.waitUntil(lambda: document.linted)
    assert "SF001" in {finding.code for finding in document.diagnostics}
