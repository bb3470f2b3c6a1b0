"""`stepflow demo` without a display: what it prints and leaves behind."""

from pathlib import Path

import pytest

from stepflow_gui.cli import demo
from stepflow_gui.cli.export import command as export

from .conftest import Run


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.platform", "linux")


@pytest.fixture
def no_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where Qt isn't installed."""

    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(export, "import_module", missing)


@pytest.mark.usefixtures("no_qt")
def test_the_example_is_linted_broken_and_run_to_its_end(run: Run) -> None:
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    assert out.startswith("No window: no display for the window")
    for said in (
        "── Lint: the example ──\nNo problems in 1 file\n",
        "5 errors in 1 file\n",
        *("error SF201", "error SF206", "error SF301", "error SF402", "error SF501"),
        "1. initial.issue – repeat → initial.issue\n",
        "4. continuation.issue – handoff → closure.issue\n",
        "5. closure.issue – closing → validators\n",
        "The run is complete: closure.issue closed it.\n",
    ):
        assert said in out


@pytest.mark.usefixtures("no_qt")
def test_without_qt_there_is_no_png_and_the_reason_is_given(run: Run, tmp_path: Path) -> None:
    out = run("demo", "--text").out
    assert "No PNG: The window needs Qt, which isn't installed." in out
    assert not (tmp_path / "stepflow-demo.png").exists()
    assert str(tmp_path / "stepflow-demo.svg") in out
    assert "initial.issue" in (tmp_path / "stepflow-demo.svg").read_text("utf-8")


@pytest.mark.usefixtures("no_qt")
def test_pictures_that_can_not_be_written_are_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stepflow-demo.svg").mkdir()
    code, out, err = run("demo", "--text")
    assert code == 1
    assert "The run is complete" in out
    assert err == f"stepflow demo: {tmp_path}/stepflow-demo.svg: can't be written (Is a directory)\n"


def test_the_picture_is_written_and_its_place_reported(spawn: Run, tmp_path: Path) -> None:
    pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)
    environment = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    code, out, err = spawn("demo", cwd=tmp_path, environment=environment)
    assert (code, err) == (0, "")
    picture = tmp_path / "stepflow-demo.png"
    assert out.endswith(f"── Pictures ──\n{tmp_path / 'stepflow-demo.svg'}\n{picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_with_a_display_it_is_the_window_on_the_example(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bool] = []

    def run_gui(_paths: object, _language: object, *, example: bool) -> int:
        opened.append(example)
        return 0

    monkeypatch.setattr(demo, "why_no_window", lambda: None)
    monkeypatch.setattr(demo, "run_gui", run_gui)
    assert run("demo") == (0, "", "")
    assert opened == [True]


@pytest.mark.usefixtures("no_qt")
def test_a_run_that_does_not_end_well_is_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "EXAMPLE", demo.BROKEN)  # its script is the example's
    assert run("demo", "--text").code == 1
