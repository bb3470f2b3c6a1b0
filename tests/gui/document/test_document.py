"""Opening, reading again, selecting, saving and what other programs do to the files."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document, Selection
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

from .conftest import Open


def replace(session: Document, old: str, new: str, origin: str = "test") -> None:
    source = session.source()
    assert isinstance(source, Source)
    at = source.text.index(old)
    session.apply({session.path: [TextEdit(at, at + len(old), new)]}, "Replace", origin)


def test_a_folder_or_its_registry_opens(iterator: Path, open_session: Open) -> None:
    for path in (iterator, iterator / "steps_registry.json"):
        session = open_session(path)
        assert session.path == iterator / "steps_registry.json"
        assert len(session.folder.flow.steps) == 21
        assert not session.stale
        assert not session.dirty


def test_what_cannot_be_read_is_a_value(tmp_path: Path) -> None:
    assert isinstance(Document.open(tmp_path / "nowhere"), ReadProblem)
    (tmp_path / "steps_registry.json").write_bytes(b"\xff{}")
    problem = Document.open(tmp_path)
    assert isinstance(problem, ReadProblem)
    assert problem.kind == "not-utf8"


def test_the_flow_follows_the_text(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    heard: list[bool] = []
    session.flow_changed.connect(lambda: heard.append(session.stale))
    replace(session, '"initial.issue": {', '"initial.renamed": {')
    assert "initial.renamed" in session.folder.flow.steps
    assert heard == [False]


def test_broken_text_leaves_the_last_good_flow(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    good = session.good
    replace(session, '"steps": {', '"steps": {{')
    assert session.stale
    assert session.good is good
    assert session.folder is not good
    session.undo()
    assert not session.stale
    assert len(session.good.flow.steps) == 21


def test_a_broken_file_opens_with_what_could_be_read(tmp_path: Path, open_session: Open) -> None:
    (tmp_path / "steps_registry.json").write_text('{"steps": {"initial.a": {"name": "A"}')
    session = open_session(tmp_path)
    assert session.stale
    assert session.good is session.good
    session.apply({session.path: [TextEdit(37, 37, "}}")]}, "Close", "test")
    assert not session.stale
    assert list(session.good.flow.steps) == ["initial.a"]


def test_the_step_at_an_offset(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    step = session.folder.flow.steps["continuation.issue"]
    assert session.step_at(step.key_span.start) == "continuation.issue"
    assert session.step_at(step.node.end - 3) == "continuation.issue"
    assert session.step_at(0) is None


def test_selecting_tells_once_and_who_asked(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    heard: list[Selection] = []
    session.selection_changed.connect(heard.append)
    session.select("initial.issue", "canvas")
    session.select("initial.issue", "source")
    session.select(None, "source")
    assert heard == [Selection("initial.issue", "canvas"), Selection(None, "source")]


def test_findings_follow_the_text(iterator: Path, open_session: Open, qtbot: QtBot) -> None:
    session = open_session(iterator)
    qtbot.waitUntil(lambda: session.linted)
    before = session.diagnostics
    replace(session, '"target": "continuation.issue"', '"target": "nowhere"')
    assert not session.linted
    qtbot.waitUntil(lambda: session.linted)
    new = [finding for finding in session.diagnostics if finding not in before]
    assert any("nowhere" in finding.message and finding.step for finding in new)
    session.undo()
    qtbot.waitUntil(lambda: session.linted)
    assert session.diagnostics == before


def test_findings_tell_of_broken_text(iterator: Path, open_session: Open, qtbot: QtBot) -> None:
    session = open_session(iterator)
    replace(session, '"steps": {', '"steps" {')
    qtbot.waitUntil(lambda: session.linted)
    assert "SF001" in {finding.code for finding in session.diagnostics}
