"""Files chosen as entries of section maps: the path from the piece's folder, the free key, what is refused."""

from pathlib import Path

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.takt.section_files import entry_of, key_for, path_for
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source


@pytest.fixture
def flow(tmp_path: Path) -> Flow:
    folder = tmp_path / "project" / ".takt" / "pieces"
    folder.mkdir(parents=True)
    text = "name: x\nmovements: [{name: a}]\npersonas: {coder: ./../personas/coder.md}\n"
    return read_flow(ParsedFile.read(folder / "x.yaml", Source(text)))


@pytest.mark.parametrize(
    ("name", "section", "path"),
    [
        (".takt/personas/coder.md", "personas", "../personas/coder.md"),
        (".takt/pieces/own.md", "policies", "own.md"),
        (".takt/pieces/own/deep.md", "policies", "own/deep.md"),
        ("docs/rules.md", "knowledge", "../../docs/rules.md"),
        ("agents/coder.txt", "personas", "../../agents/coder.txt"),
    ],
)
def test_a_file_of_the_project_gets_a_relative_path(
    name: str, section: str, path: str, flow: Flow, tmp_path: Path
) -> None:
    assert path_for(tmp_path / "project" / name, section, flow, tmp_path / "project") == path


def test_what_the_runner_would_not_read_is_refused(flow: Flow, tmp_path: Path) -> None:
    root = tmp_path / "project"
    outside = path_for(tmp_path / "other" / "coder.md", "personas", flow, root)
    assert isinstance(outside, Refusal)
    assert "copy it into the project" in outside.reason
    other = path_for(root / "rules.txt", "policies", flow, root)
    assert isinstance(other, Refusal)
    assert ".md" in other.reason


def test_links_are_followed(flow: Flow, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (tmp_path / "way").symlink_to(root)
    assert path_for(tmp_path / "way" / "docs" / "a.md", "policies", flow, root) == "../../docs/a.md"
    (root / "out").symlink_to(tmp_path)
    assert isinstance(path_for(root / "out" / "a.md", "policies", flow, root), Refusal)


def test_no_key_is_taken_twice(flow: Flow) -> None:
    assert key_for(Path("a/strict.md"), ()) == "strict"
    assert key_for(Path("a/strict.md"), {"strict", "strict-2"}) == "strict-3"
    known = entry_of("../personas/coder.md", "personas", flow)
    assert known is not None
    assert known.key == "coder"
    assert entry_of("../personas/coder.md", "policies", flow) is None
