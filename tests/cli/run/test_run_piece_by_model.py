"""`stepflow run PIECE --anthropic`: a model as agents and judges, on a server of our own."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.run.anthropic.messages_api import Api, Handler, fails, says
from tests.run.takt.pieces import TWO


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    file = tmp_path / ".takt" / "pieces" / "two.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(TWO.replace("  - name: check\n", "  - name: check\n    session: refresh\n"))
    return file


def _judges(handler: Handler, asked: dict[str, Any]) -> None:
    """Tags where tags are asked for, the piece's text elsewhere."""
    prompt = asked["messages"][-1]["content"]
    for tag in ("[WORK:1]", "[CHECK:1]"):
        if f"{tag} " in prompt:
            says(f"It is {tag}.")(handler, asked)
            return
    says("Report text" if "Write the report" in prompt else "Work done")(handler, asked)


def test_a_model_works_and_judges(run: Run, piece: Path, api: Api) -> None:
    api.replies = [_judges]
    code, out, err = run("run", piece, "--anthropic", "--yes", "--task", "mend it")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "   work reports notes.md" in lines
    assert "The piece is complete." in lines
    assert lines[-1].startswith("5 answers: ")
    kinds = [len(request["messages"]) for request in api.requests]
    assert kinds == [1, 3, 1, 1, 1]  # the report goes on from the work; judges and another session don't
    assert "mend it" in api.requests[0]["messages"][0]["content"]
    assert not any("tools" in request for request in api.requests)
    assert sorted(path.name for path in piece.parent.parent.rglob("*")) == ["pieces", "two.yaml"]


def test_consent_is_needed(run: Run, piece: Path, api: Api) -> None:
    code, _out, err = run("run", piece, "--anthropic")
    assert code == 2
    assert "--yes" in err
    assert not api.requests


def test_a_model_that_fails_leaves_the_run_where_it_is(run: Run, piece: Path, api: Api) -> None:
    api.replies = [fails(401, "authentication_error")]
    code, out, _err = run("run", piece, "--anthropic", "--yes")
    assert code == 1
    assert "0 answers" in out


def test_a_limit_of_cost_is_kept(run: Run, piece: Path, api: Api) -> None:
    api.replies = [_judges]
    code, out, _err = run("run", piece, "--anthropic", "--max-cost", "0.001")
    assert code == 1
    assert "the limit is $0.0010" in out
    assert len(api.requests) == 1
