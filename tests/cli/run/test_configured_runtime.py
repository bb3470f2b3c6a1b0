"""`stepflow run` imitates the runner that the project names, and refuses files that it can't read."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def addressed(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("new", "addressed-flow").code == 0
    return tmp_path / ".agent" / "addressed-flow"


def _script(agent: Path) -> Path:
    (found,) = (agent / "flow_tests").glob("*.yaml")
    return found


def test_the_runtime_of_the_project_is_imitated(addressed: Path, run: Run) -> None:
    ran = run("run", addressed, "--script", _script(addressed))
    assert ran.code == 0
    assert "closure.issue – ? → end" in ran.out  # climpt 1.14 reads no intent of a closure step
    assert "without any text" not in ran.out
    (addressed.parent.parent / "stepflow.toml").unlink()
    assert "closure.issue – closing → end" in run("run", addressed, "--script", _script(addressed)).out


def test_the_command_line_wins_over_the_project(addressed: Path, run: Run) -> None:
    ran = run("run", addressed, "--runtime", "guide", "--script", _script(addressed))
    assert "closure.issue – closing → end" in ran.out


@pytest.mark.parametrize("era", ["climpt-2026-04-20", "climpt-2026-04-01", "climpt-2026-03-14", "climpt-2026-01-18"])
@pytest.mark.parametrize("pairs", [True, False])
def test_a_runner_before_kind_and_address_refuses_them(era: str, pairs: bool, addressed: Path, run: Run) -> None:
    file = addressed / "steps_registry.json"
    if not pairs:
        text = file.read_text(encoding="utf-8")
        start = text.index('"entryStepMapping"')
        file.write_text(
            text[:start] + '"entryStep": "initial.issue",' + text[text.index("\n", start) :], encoding="utf-8"
        )
    ran = run("run", addressed, "--runtime", era, "--script", _script(addressed))
    assert ran.code != 0
    assert ran.out.splitlines()[0] == "start → ?"
    if pairs and era != "climpt-2026-01-18":
        assert "The run can't start: /entryStepMapping/poll:state is not the id of a step" in ran.err
    else:
        assert f"{era} can't run steps with kind and address" in ran.err
