"""The command itself: which subcommand is meant, help, languages, and that nothing ends in a traceback."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from stepflow_gui import __version__
from stepflow_gui.cli import gui
from stepflow_gui.cli.main import COMMANDS, Subcommand
from stepflow_gui.lint.report.printable import width

from .conftest import Run, Write


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Path], str | None]]:
    """The windows that would have been opened: their paths and the language."""
    windows: list[tuple[list[Path], str | None]] = []

    def run_gui(paths: Sequence[Path], language: str | None = None, *, example: bool = False) -> int:
        assert not example
        windows.append((list(paths), language))
        return 0

    monkeypatch.setattr(gui, "run_gui", run_gui)
    return windows


def test_the_version(run: Run) -> None:
    assert run("--version") == (0, f"stepflow {__version__}\n", "")


def test_help_names_the_commands(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for name in COMMANDS:
        assert f"\n  {name} " in out


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_in_both_languages(command: str, run: Run) -> None:
    code, out, err = run(command, "--help")
    assert not code, err
    assert err == ""
    assert out.startswith(f"Usage: stepflow {command} "), f"its Parser is to be called “stepflow {command}”"
    assert "show this help and exit" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_in_japanese_keeps_to_columns_and_lines_of_the_terminal(
    command: str, run: Run, japanese_catalogue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(command, "--help", "--lang", "ja")
    assert not code, err
    _usage, _blank, rest = out.partition("\n\n")
    lines = rest.splitlines()
    assert not [line for line in lines if width(line) > 80 or "\0" in line]
    starts = {
        width(line[: line.index(text)])
        for text in ("このヘルプを", "表示言語: ")
        for line in lines
        if line.startswith("  -") and text in line
    }
    assert len(starts) == 1, f"stepflow {command} has no --lang: add_language(parser)"


def test_a_path_alone_is_for_the_window(run: Run, write_agent: Write, opened: list[object]) -> None:
    folder = write_agent()
    for arguments in ([folder], ["gui", folder], ["--lang", "ja", folder], ["--lang=ja", "gui", folder]):
        assert run(*arguments).code == 0
    assert opened == [([folder], None), ([folder], None), ([folder], "ja"), ([folder], "ja")]


def test_no_path_is_an_empty_window(run: Run, opened: list[object]) -> None:
    assert run().code == 0
    assert opened == [([], None)]


def test_a_folder_named_like_a_command_is_given_with_a_dot(
    run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch, opened: list[object], tmp_path: Path
) -> None:
    write_agent("lint")
    monkeypatch.chdir(tmp_path)
    assert run("./lint").code == 0
    assert opened == [([Path("lint")], None)]
    assert run("lint").out == "No problems in 1 file\n"


def test_a_window_on_what_is_not_there_is_not_opened(run: Run, tmp_path: Path, opened: list[object]) -> None:
    code, out, err = run(tmp_path / "gone")
    assert (code, out, opened) == (2, "", [])
    assert err == f"stepflow gui: {tmp_path}/gone: no such file or folder\n"


def test_a_mistyped_command_suggests_the_nearest(run: Run, opened: list[object]) -> None:
    code, _out, err = run("lnit")
    assert (code, opened) == (2, [])
    assert err == "stepflow: unknown command “lnit”. Did you mean “lint”?\nRun “stepflow help” for a list.\n"


@pytest.mark.parametrize(
    ("runtime", "meant"),
    [
        ("climpt-1.15", "climpt-1.14"),
        ("takt-0.27..0.12", "takt-0.12..0.27"),
        ("foo", None),
    ],
)
def test_a_runner_that_is_none_is_refused_with_what_was_meant(runtime: str, meant: str | None, run: Run) -> None:
    code, out, err = run("lint", "--runtime", runtime)
    assert (code, out) == (2, "")
    reason = err.splitlines()[0]
    assert reason.startswith(f"stepflow lint: invalid value '{runtime}' for --runtime: choose from guide, ")
    guess = f". Did you mean “{meant}”?" if meant else ""
    assert reason.endswith(f"takt-X.Y, takt-X.Y..X.Y{guess}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lint", "--frmat", "json"], "stepflow lint: unknown option --frmat. Did you mean “--format”?"),
        (
            ["lint", "--format", "xml"],
            "stepflow lint: invalid value 'xml' for --format: choose from full, text, concise, json",
        ),
        (["lint", "--format"], "stepflow lint: --format needs a value"),
        (["--lang", "xx", "lint"], "stepflow: invalid value 'xx' for --lang: choose from en, ja"),
        (["--lang"], "stepflow: --lang needs a value"),
        (["--fast"], "stepflow: unknown option --fast"),
        (["lint", "--lan", "ja"], "stepflow lint: unknown option --lan. Did you mean “--lang”?"),
        (["demo", "x"], "stepflow demo: unexpected argument: x"),
    ],
)
def test_usage_errors_are_2_with_one_line_and_the_help_hint(arguments: list[str], said: str, run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.splitlines()[0].startswith(said)
    assert err.splitlines()[1:] == [f"Try “{said.split(':', maxsplit=1)[0]} --help”."]


def test_what_goes_wrong_inside_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_self: object, _arguments: Sequence[str]) -> int:
        raise LookupError("a\nbug")

    monkeypatch.setattr(Subcommand, "run", failing)
    code, out, err = run("lint")
    assert (code, out) == (2, "")
    assert err == ("stepflow: internal error: LookupError: a\\nbug. Set STEPFLOW_DEBUG=1 for details\n")
    monkeypatch.setenv("STEPFLOW_DEBUG", "1")
    assert "Traceback" in run("lint").err


def test_a_current_folder_that_is_gone_is_reported(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run("lint") == (2, "", "stepflow: the current folder no longer exists\n")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_stream_that_is_closed_is_no_bug(
    run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    folder = write_agent()
    monkeypatch.setattr(sys, closed, None)
    code, out, err = run("lint", "--format", "json", folder, folder / "nope")
    assert code == 2
    if closed == "stdout":
        assert (out, err.count("\n")) == ("", 1)
    else:
        assert json.loads(out)["summary"]["files"] == 1
        assert err == ""


def test_an_interrupt_is_130_and_silent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_self: object, _arguments: Sequence[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Subcommand, "run", interrupted)
    assert run("lint") == (130, "", "")


# Languages


@pytest.mark.usefixtures("japanese_catalogue")
def test_the_language_of_the_command_line(spawn: Run, write_agent: Write) -> None:
    folder = write_agent()
    for arguments, environment in (
        (["lint", "--lang", "ja", folder], {}),
        (["--lang", "ja", "lint", folder], {}),
        (["lint", "--lang=ja", folder], {}),
        (["lint", folder], {"STEPFLOW_LANG": "ja"}),
    ):
        assert spawn(*arguments, environment=environment).out == "問題はありません（1 ファイル）\n"
    assert spawn("lint", "--lang", "en", folder, environment={"STEPFLOW_LANG": "ja"}).out == "No problems in 1 file\n"
    assert spawn("lint", folder, environment={"LANG": "ja_JP.UTF-8"}).out == "No problems in 1 file\n"


@pytest.mark.usefixtures("japanese_catalogue")
def test_help_speaks_the_language_that_is_asked_for(spawn: Run) -> None:
    for arguments in (["--lang", "ja", "--help"], ["lint", "--help", "--lang", "ja"]):
        out = spawn(*arguments).out
        assert out.startswith("使い方: ")
        assert "このヘルプを表示して終了する" in out


# Windows that can't be opened


def test_without_a_display_the_window_reports_it(run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    code, out, err = run(write_agent())
    assert (code, out) == (2, "")
    assert err.startswith("stepflow: no display for the window (neither DISPLAY nor WAYLAND_DISPLAY")
    assert err.count("\n") == 1


def test_a_display_without_a_server_is_reported(run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PySide6.QtWidgets")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("stepflow_gui.qt_libraries.loads", lambda _library: True)
    monkeypatch.setenv("DISPLAY", ":4711")
    code, _out, err = run(write_agent())
    assert (code, err) == (2, "stepflow: can't connect to the display “:4711” (DISPLAY)\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'PySide6'"), "pip install"),
        (ImportError("libEGL.so.1: cannot open shared object file: No such file or directory"), "libegl1"),
    ],
)
def test_without_qt_or_its_libraries_the_window_names_what_to_install(
    error: ImportError, said: str, run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        raise error

    monkeypatch.setattr(gui, "import_module", missing)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("stepflow_gui.qt_libraries.loads", lambda library: library != "libEGL.so.1")
    monkeypatch.setattr("stepflow_gui.qt_libraries.explain.__kwdefaults__", {"loads": lambda lib: lib != "libEGL.so.1"})
    code, out, err = run(write_agent())
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
