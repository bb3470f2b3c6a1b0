"""Commands that are run: their limits, and that nothing of them is left."""

import os
import resource
import sys
import threading
import time
from pathlib import Path

import pytest

from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.host.process import ProcessLimits, environment_for_commands
from stepflow_gui.run.host.real_commands import RealCommands
from stepflow_gui.run.machine.state import RunProgram
from stepflow_gui.run.machine.subprocess_closure import Program
from stepflow_gui.run.validators.command_result import CommandResult

pytestmark = pytest.mark.skipif(os.name != "posix", reason="commands are those of a POSIX shell")
SLEEPS = 100  # seconds that a command would take that isn't stopped


def shell(text: str, folder: Path, limits: ProcessLimits | None = None) -> CommandResult:
    found = RealCommands(folder, limits).command(text)
    assert isinstance(found, CommandResult), found
    return found


def alive(pid_file: Path) -> bool:
    """Whether a process is there and no mere remains of one."""
    try:
        stat = Path("/proc", pid_file.read_text().strip(), "stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_a_command_runs_in_its_folder_and_reports_all(tmp_path: Path) -> None:
    found = shell("pwd -P; echo no >&2; exit 3", tmp_path)
    assert found == CommandResult(3, f"{tmp_path.resolve()}\n", "no\n")


def test_a_command_finds_no_input(tmp_path: Path) -> None:
    assert shell("cat; read x || echo none", tmp_path).stdout == "none\n"  # else it ends by its limit, with no output


def test_a_hundred_megabytes_are_read_and_not_kept(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code = "import sys\nfor _ in range(100): sys.stdout.write('x' * 1_000_000)\nprint('the end')"
    (tmp_path / "print.py").write_text(code)
    found = shell(f"'{sys.executable}' print.py", tmp_path, ProcessLimits(60, 10_000))
    assert found.exit_code == 0
    assert len(found.stdout) < 11_000
    assert found.stdout.endswith("xthe end\n")
    assert "[...]" in found.stdout
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kilobytes


@pytest.mark.parametrize("stubborn", ["", "trap '' TERM; "])
def test_what_hangs_is_ended_and_the_run_stays(tmp_path: Path, stubborn: str) -> None:
    began = time.monotonic()
    command = f"{stubborn}echo $$ > pid; sleep {SLEEPS}; sleep {SLEEPS}"
    found = RealCommands(tmp_path, ProcessLimits(0.3)).command(command)
    assert isinstance(found, NoAnswer)
    assert (found.kind, found.retryable) == ("timeout", True)
    assert "0.3 s" in found.message
    assert time.monotonic() - began < SLEEPS / 2
    assert not alive(tmp_path / "pid")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems don't tell who started whom")
def test_what_a_command_leaves_running_is_ended(tmp_path: Path) -> None:
    text = f"sleep {SLEEPS} & echo $! > one; (setsid sh -c 'echo $$ > two; exec sleep {SLEEPS}' &); "
    text += "while ! test -s two; do sleep 0.01; done; echo ok"
    began = time.monotonic()
    assert shell(text, tmp_path).stdout == "ok\n"
    assert time.monotonic() - began < SLEEPS / 2
    assert not alive(tmp_path / "one")
    assert not alive(tmp_path / "two")


def test_a_command_can_be_cancelled(tmp_path: Path) -> None:
    commands = RealCommands(tmp_path)
    timer = threading.Timer(0.2, commands.cancel)
    timer.start()
    found = commands.command("sleep 100")
    timer.join()
    assert isinstance(found, NoAnswer)
    assert found.kind == "cancelled"
    assert isinstance(commands.command("true"), CommandResult)


def test_keys_of_models_are_not_for_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://x")
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv("GREETING", "hello")
    found = shell("echo $ANTHROPIC_API_KEY $ANTHROPIC_BASE_URL $SOME_API_KEY $GREETING", tmp_path)
    assert found.stdout == "hello\n"
    assert environment_for_commands({"openai_api_key": "x", "PATH": "y"}) == {"PATH": "y"}


def test_output_that_is_no_text_is_reported_all_the_same(tmp_path: Path) -> None:
    assert shell(r"printf '\377ok'", tmp_path).stdout == "\ufffdok"


def test_files_are_looked_for_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    commands = RealCommands(tmp_path)
    assert commands.exists("here")
    assert not commands.exists("there")
    assert not commands.exists("\0")


def program(command: str, *args: str, timeout: int = 5000) -> RunProgram:
    return RunProgram("closure.a", 1, Program(command, args, timeout), args)


def test_the_program_of_a_closure_ends_by_its_own_limit(tmp_path: Path) -> None:
    commands = RealCommands(tmp_path)
    ended = commands.program(program("sh", "-c", "echo '{}'; exit 2"))
    assert not isinstance(ended, NoAnswer)
    assert (ended.exit_code, ended.stdout, ended.failed) == (2, "{}\n", None)
    ended = commands.program(program("no-such-program"))
    assert not isinstance(ended, NoAnswer)
    assert ended.failed is not None
    assert "no-such-program" in ended.failed
    ended = commands.program(program("sleep", "100", timeout=200))
    assert not isinstance(ended, NoAnswer)
    assert ended.failed is not None
    assert "0.2 s" in ended.failed
