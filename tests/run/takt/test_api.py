"""Pieces run from Python."""

from pathlib import Path

import pytest

from stepflow_gui.api import AgentError, run_piece
from tests.run.takt.pieces import TWO


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    file = tmp_path / "two.yaml"
    file.write_text(TWO)
    return file


def test_without_a_script_first_rules_are_taken(piece: Path) -> None:
    result = run_piece(piece)
    assert (result.success, result.end, result.path) == (True, "complete", ("work", "check"))
    assert result.message == "The piece is complete."


def test_a_script_as_a_mapping_or_a_file(piece: Path, tmp_path: Path) -> None:
    script = {"answers": {"work": [{"rule": 1, "text": "wrote"}], "check": ["ask", 1]}, "inputs": ["yes"]}
    result = run_piece(piece, script, era="takt-2026-02-07")
    assert (result.reports, result.inputs, result.iterations) == ({"notes.md": "wrote"}, ("yes",), 3)
    file = tmp_path / "s.yaml"
    file.write_text("answers: {work: stop}\n")
    assert run_piece(str(piece), file).end == "abort_transition"


def test_a_function_decides_over_each_run(piece: Path) -> None:
    asked: list[tuple[str, tuple[str, ...], int]] = []

    def decide(name: str, rules: tuple[str, ...], run: int) -> int | str | None:
        asked.append((name, rules, run))
        return 3 if (name, run) == ("check", 1) else 1

    assert run_piece(piece, decide).path == ("work", "check", "work", "check")
    assert [(name, run) for name, _rules, run in asked] == [("work", 1), ("check", 1), ("work", 2), ("check", 2)]
    assert asked[0][1] == ("done", "stop")


def test_what_cannot_be_run_explains_why(piece: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("a: 1\n")
    with pytest.raises(AgentError):
        run_piece(other)
    with pytest.raises(AgentError, match=r"gone\.yaml"):
        run_piece(tmp_path / "gone.yaml")
    with pytest.raises(AgentError, match="“old”"):
        run_piece(piece, era="old")
    with pytest.raises(AgentError, match="“ghost”"):
        run_piece(piece, {"answers": {"ghost": 1}})
    with pytest.raises(AgentError, match="not JSON"):
        run_piece(piece, {"task": {1}})
    with pytest.raises(AgentError, match="work has no rule “9”"):
        run_piece(piece, lambda _name, _rules, _run: 9)
    piece.write_text(TWO.replace("next: check", "next: ghost"))
    with pytest.raises(AgentError, match="“ghost”"):
        run_piece(piece)


def test_the_documents_example_works(
    checkout: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [file] = corpus.joinpath("takt", "seed-era").rglob("builtins/en/pieces/default.yaml")
    pieces = tmp_path / ".takt" / "pieces"
    pieces.mkdir(parents=True)
    (pieces / "default.yaml").write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    page = (checkout / "docs" / "pieces.md").read_text("utf-8")
    exec(page.split("```python\n")[1].split("```")[0], {})
