"""Completion scripts: what a shell proposes, and that all shells know all commands and options."""

import shutil
import subprocess
from pathlib import Path

import pytest

from stepflow_gui.cli.completion import SHELLS
from stepflow_gui.cli.main import COMMANDS

from .conftest import Run

ASK = """
source {script}
COMP_WORDS=({words}) COMP_CWORD={at}
_shtab_stepflow
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def propose(run: Run, tmp_path: Path) -> object:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash isn't installed")
    script = tmp_path / "stepflow.bash"
    script.write_text(run("completion", "bash").out, "utf-8")

    def proposed(*words: str) -> set[str]:
        """What bash proposes for the last of the words."""
        quoted = " ".join(f"'{word}'" for word in ("stepflow", *words))
        text = ASK.format(script=script, words=quoted, at=len(words))
        done = subprocess.run([bash, "-c", text], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
        return set(done.stdout.split())

    return proposed


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_all_commands_and_options(shell: str, run: Run) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    for name, command in COMMANDS.items():
        assert name in out
        for section in command.parser().sections:
            for option in (each for action in section.actions for each in action.option_strings):
                assert option.lstrip("-") in out, (name, option)


def test_bash_proposes_commands_options_values_and_files(propose: object, tmp_path: Path) -> None:
    assert callable(propose)
    assert propose("") >= set(COMMANDS)
    assert propose("ex") == {"export", "explain"}
    assert propose("lint", "--un") == {"--unsafe-fixes"}
    assert propose("lint", "--format", "js") == {"json", "jsonl"}
    assert propose("lint", "x", "--format", "concise", "--color", "") == {"auto", "always", "never"}
    assert propose("run", "--runtime", "climpt-1") == {"climpt-1.14"}
    assert "SF402" in propose("explain", "SF40")
    assert propose("help", "ru") == {"run", "rules"}
    (tmp_path / "flow.json").touch()
    assert propose("lint", "fl") == {"flow.json"}
    assert propose("run", "--script", "fl") == {"flow.json"}


def test_an_unknown_shell_is_refused(run: Run) -> None:
    code, out, err = run("completion", "tcsh")
    assert (code, out) == (2, "")
    assert "choose from bash, zsh, fish, powershell" in err


def test_without_shtab_it_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "shtab", None)
    code, out, err = run("completion", "bash")
    assert (code, out) == (2, "")
    assert "pip install shtab" in err
