"""No subcommand shows the text of a file to which a link leads out of the project; each says that it isn't read."""

from pathlib import Path

import pytest

from tests.cli.conftest import ALIASES, Run, Write

SECRET = "password=hunter2"


@pytest.fixture
def project(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "stepflow.toml").write_text("", "utf-8")
    write_agent("project/.agent/a", ALIASES)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(SECRET, "utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["lint"],
        ["lint", "."],
        ["lint", ".agent/a/steps_registry.json"],
        ["run", ".agent/a"],
        ["export", ".agent/a", "--format", "mermaid"],
        ["convert", ".agent/a", "--to", "c3l"],
        ["test", ".agent/a"],
    ],
)
def test_a_registry_outside_is_not_read(run: Run, project: Path, secret: Path, words: list[str]) -> None:
    registry = project / ".agent" / "a" / "steps_registry.json"
    registry.unlink()
    registry.symlink_to(secret)
    code, out, err = run(*words)
    assert code == 2
    assert "hunter2" not in out + err
    assert "steps_registry.json: leads out of the project through a link" in err
    assert str(secret) in err
