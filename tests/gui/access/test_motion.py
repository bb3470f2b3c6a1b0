"""Little motion: by the person's choice or the desktop's, and nothing moves then."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from stepflow_gui.gui.app.motion.desktop import desktop_reduces_motion
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.canvas.items.edge_animation import EdgeAnimation
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.project.creating.example import copy_example
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
    monkeypatch.setattr(EdgeAnimation, "run_along", lambda *what: sent.append(what))
    window = shell.current
    window.desk.actions["run-start"].trigger()
    window.canvas.zoom_to(1.0)
    buttons = window.run_panel.now.widget.findChildren(QPushButton)
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
    action = window.desk.actions["reduce-motion"]
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
    shell.current.desk.actions["reduce-motion"].trigger()
    assert [window.canvas.animated for window in shell.windows] == [False, False]
    assert all(window.desk.actions["reduce-motion"].isChecked() for window in shell.windows)


PORTAL = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtDBus import QDBusConnection, QDBusVariant, QDBusVirtualObject
from pathlib import Path
from stepflow_gui.gui.app.motion.desktop import ask_desktop
from stepflow_gui.gui.app.main import make_application
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.app.shell import Shell

application = make_application()
key, value = sys.argv[1], {"true": True, "false": False}.get(sys.argv[2], sys.argv[2])
value = int(value) if isinstance(value, str) else value

class Portal(QDBusVirtualObject):
    def introspect(self, path):
        return ""
    def handleMessage(self, message, connection):
        known = ".".join(message.arguments()) == key
        reply = message.createReply() if known else message.createErrorReply("org.freedesktop.Error.NotFound", "")
        if known:
            reply.setArguments([QDBusVariant(value)])
        connection.send(reply)
        return True

portal = Portal()
bus = QDBusConnection.sessionBus()
assert bus.registerVirtualObject("/org/freedesktop/portal/desktop", portal)
assert bus.registerService("org.freedesktop.portal.Desktop")
shell = Shell(Settings(Path(sys.argv[3])))
ask_desktop(shell, shell.reduce_motion)
QTimer.singleShot(600, application.quit)
application.exec()
print(shell.current.canvas.animated, shell.current.desk.actions["reduce-motion"].isChecked(), shell.little_motion)
"""


@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="no bus can be started here")
@pytest.mark.parametrize(
    ("key", "value", "asked"),
    [
        ("org.gnome.desktop.interface.enable-animations", "false", True),
        ("org.gnome.desktop.interface.enable-animations", "true", False),
        ("org.freedesktop.appearance.reduced-motion", "1", True),
        ("org.freedesktop.appearance.reduced-motion", "0", False),
    ],
)
def test_gnome_is_asked_by_the_settings_portal(tmp_path: Path, key: str, value: str, asked: bool) -> None:
    command = ["dbus-run-session", "--", sys.executable, "-c", PORTAL, key, value, str(tmp_path / "settings.ini")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.stdout.split() == [str(not asked), str(asked), str(asked)], told.stderr


@pytest.mark.parametrize("reduced", [False, True])
def test_a_dot_runs_only_where_things_may_move(
    make_shell: MakeShell, example: Path, monkeypatch: pytest.MonkeyPatch, reduced: bool
) -> None:
    shell = make_shell(registry=example)
    if reduced:
        shell.current.desk.actions["reduce-motion"].trigger()
    assert dots(shell, monkeypatch) == (0 if reduced else 1)
