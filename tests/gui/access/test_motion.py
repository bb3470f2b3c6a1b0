"""Little motion: by the person's choice or the desktop's, and nothing moves then."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from stepflow_gui.gui.canvas.travel import Traveller
from stepflow_gui.gui.motion import desktop_reduces_motion
from stepflow_gui.gui.settings import Settings
from stepflow_gui.gui.shell import Shell
from stepflow_gui.project.example import copy_example
from tests.gui.access.conftest import MakeShell


@pytest.fixture(autouse=True)
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that desktops keep their settings in, empty."""
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setattr("sys.platform", "linux")
    return folder


def dots(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a dot runs along an edge while a run takes one."""
    sent: list[object] = []
    monkeypatch.setattr(Traveller, "run_along", lambda *what: sent.append(what))
    window = shell.current
    window.actions_["run-start"].trigger()
    window.canvas.zoom_to(1.0)
    buttons = window.run_panel.now.findChildren(QPushButton)
    next(button for button in buttons if button.text().startswith("next  →")).click()
    QApplication.processEvents()
    assert window.canvas.graph.run.taken is not None
    return len(sent)


@pytest.mark.parametrize(
    ("file", "text", "asked"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=1\n", False),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=true\n", False),
        ("gtk-3.0/settings.ini", "no settings\n\x00", False),
    ],
)
def test_what_the_desktop_asks_for(desktop: Path, file: str, text: str, asked: bool) -> None:
    assert not desktop_reduces_motion()
    (desktop / file).parent.mkdir(exist_ok=True)
    (desktop / file).write_text(text, "utf-8")
    assert desktop_reduces_motion() is asked


@pytest.mark.parametrize("asked", [True, False])
def test_the_window_follows_the_desktop_until_the_person_chooses(
    make_shell: MakeShell, desktop: Path, tmp_path: Path, asked: bool
) -> None:
    (desktop / "kdeglobals").write_text(f"[KDE]\nAnimationDurationFactor={0 if asked else 1}\n", "utf-8")
    window = make_shell().current
    action = window.actions_["reduce-motion"]
    assert action.isChecked() is asked
    assert window.canvas.animated is not asked
    assert window.isAnimated() is not asked
    action.trigger()
    assert window.canvas.animated is asked
    assert window.isAnimated() is asked
    window.settings.sync()
    assert Settings(tmp_path / "settings.ini").reduced_motion is not asked
    assert make_shell().current.canvas.animated is asked


def test_the_choice_is_for_every_tab(make_shell: MakeShell, example: Path, tmp_path: Path) -> None:
    shell = make_shell(registry=example)
    assert shell.open(copy_example(into=tmp_path / "other"))
    shell.current.actions_["reduce-motion"].trigger()
    assert [window.canvas.animated for window in shell.windows] == [False, False]
    assert all(window.actions_["reduce-motion"].isChecked() for window in shell.windows)


@pytest.mark.parametrize("reduced", [False, True])
def test_a_dot_runs_only_where_things_may_move(
    make_shell: MakeShell, example: Path, monkeypatch: pytest.MonkeyPatch, reduced: bool
) -> None:
    shell = make_shell(registry=example)
    if reduced:
        shell.current.actions_["reduce-motion"].trigger()
    assert dots(shell, monkeypatch) == (0 if reduced else 1)
