"""If Qt can't start on a machine, it shows what to install."""

import sys
from pathlib import Path

import pytest

import check_system
from stepflow_gui.qt_libraries import OFFSCREEN, WINDOW, explain, loads


def test_missing_libraries_are_named_with_one_command() -> None:
    text = explain("libEGL.so.1: cannot open", window=True, loads=lambda name: "EGL" not in name and "xcb" not in name)
    command = "apt-get install libegl1 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
    assert "libEGL.so.1" in text
    assert text.endswith(command)


def test_without_a_window_the_display_libraries_do_not_matter() -> None:
    text = explain("libEGL.so.1: cannot open", window=False, loads=lambda _name: False)
    assert "xcb" not in text
    assert all(package in text for package in OFFSCREEN.values())


def test_a_missing_qt_is_distinguished_from_a_missing_library() -> None:
    assert "stepflow-gui[gui]" in explain("ModuleNotFoundError: No module named 'PySide6'", window=True)


def test_another_reason_is_passed_on() -> None:
    text = explain("could not connect to display :7", window=True, loads=lambda _name: True)
    assert text == "Qt can't start: could not connect to display :7"


def test_the_loader_is_asked() -> None:
    assert not loads("libthere-is-no-such-library.so.1")


def test_ci_installs_every_package(checkout: Path) -> None:
    words = (checkout / ".ci" / "run").read_text("utf-8").split()
    assert [package for package in WINDOW.values() if package not in words] == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="environment variables of Linux' loader and Qt")
def test_check_system_reports_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_system, "PROBE", "raise ImportError('libnone.so.1: cannot open shared object file')")
    assert check_system.main() == 1
    said = capfd.readouterr().err
    assert "Qt can't start" in said
    assert "Traceback" not in said


def test_check_system_is_silent_where_qt_starts(capfd: pytest.CaptureFixture[str]) -> None:
    assert check_system.main() == 0
    assert capfd.readouterr() == ("", "")
