"""A real X display for the end-to-end tests: Xvfb, started and ended by the tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from stepflow_gui import qt_libraries
from tests.gui.patience import wait_patiently

wait_patiently()


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a display of our own; skips where Xvfb, xdotool or a library that a window needs is missing."""
    missing = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
    missing += [library for library in qt_libraries.WINDOW if not qt_libraries.loads(library)]
    if missing:
        pytest.skip("no window on a display can be tested here, missing: " + ", ".join(missing))
    read, write = os.pipe()
    # Without -noreset it begins anew when the last program leaves, and one that starts just then finds no display.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "1400x900x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as number:
        name = ":" + number.readline().strip()
    yield name
    server.terminate()
    server.wait(10)


@pytest.fixture
def on_display(display: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a program that opens a window there, with settings of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("QT_", "WAYLAND", "XDG_STATE"))}
    home = str(tmp_path_factory.mktemp("home"))
    return {**kept, "DISPLAY": display, "XDG_CONFIG_HOME": home, "HOME": home, "STEPFLOW_LANG": "en"}
