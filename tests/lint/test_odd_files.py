"""What is in a file's place and is not a file that can be read is named as what it is, and no file is begun there."""

import os
import sys
from pathlib import Path

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.text.files.presence import obstacle
from tests.lint.conftest import Open

ODD = ["folder", "loop", pytest.param("pipe", marks=pytest.mark.skipif(sys.platform == "win32", reason="no pipes"))]
WORDS = {"folder": "Is a directory", "pipe": "not a regular file", "loop": "Too many levels of symbolic links"}


def put(kind: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name)


@pytest.mark.parametrize("kind", ODD)
def test_a_system_prompt(kind: str, open_example: Open) -> None:
    agent = open_example()
    put(kind, agent.folder / "prompts" / "system.md")
    (found,) = [each for each in lint(agent) if each.code == "SF807"]
    assert found.message == f"systemPromptPath: the file “prompts/system.md” can't be read: {WORDS[kind]}"
    assert not found.fixes


def test_a_prompt_of_a_step(open_example: Open) -> None:
    agent = open_example()
    step = next(iter(agent.flow.steps.values()))
    (path,) = agent.prompt_candidates(step)[:1]
    put("folder", path)
    (found,) = [each for each in lint(agent.with_buffers({})) if each.code == "SF506" and each.step == step.id]
    assert "can't be read (Is a directory)" in found.message
    assert not [each for each in found.fixes if "Begin" in each.title]


@pytest.mark.parametrize("kind", ODD)
def test_a_facet_of_a_piece(kind: str, open_example: Open) -> None:
    agent = open_example(piece())
    put(kind, agent.registry.path.parent.parent / "personas" / "coder.md")
    (found,) = [each for each in lint(agent) if each.code == "T014"]
    assert found.message == f"The file “../personas/coder.md” can't be read: {WORDS[kind]}"
    assert not found.fixes


@pytest.mark.usefixtures("permissions_bind")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    file = tmp_path / "closed" / "a.md"
    file.parent.mkdir()
    file.write_text("x", "utf-8")
    assert obstacle(file) == ""
    file.chmod(0)
    assert obstacle(file) == "Permission denied"
    file.chmod(0o600)
    file.parent.chmod(0)
    try:
        assert obstacle(file) == "Permission denied"
    finally:
        file.parent.chmod(0o700)
    assert obstacle(tmp_path / "gone" / "a.md") == obstacle(tmp_path / "\0") == ""
