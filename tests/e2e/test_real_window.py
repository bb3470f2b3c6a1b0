"""The program in a real window under a real X server, driven by real key and mouse events."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stepflow_gui.project.creating.example import copy_example

pytestmark = pytest.mark.slow

PATIENCE = 40.0  # seconds
ON_DISPLAY = {  # what of them needs a display's pointer, keyboard and windows, or shows for all that they do
    "tests/gui/app/test_window.py": "opening or selecting or dragging or keyboard or quitting or look",
    "tests/gui/app/keys": "test_file_and_edit",
}


def _wait(what: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.1)


class Hands:
    """Keys and titles by xdotool."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def tool(self, *words: str) -> str:
        return subprocess.run(
            ["xdotool", *words], env=self._environment, capture_output=True, text=True, check=False
        ).stdout.strip()

    def title(self) -> str:
        windows = self.tool("search", "--onlyvisible", "--name", "Stepflow").split()
        return self.tool("getwindowname", windows[0]) if windows else ""

    def focus(self) -> None:
        """Give the window the keyboard, which a window manager would do."""
        self.tool("windowfocus", "--sync", self.tool("search", "--onlyvisible", "--name", "Stepflow").split()[0])

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.tool("key", "--clearmodifiers", "--delay", "20", key)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path)


@pytest.fixture
def program(on_display: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-m", "stepflow_gui", str(folder)],
        env=on_display,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield started
    if started.poll() is None:
        started.kill()
    started.communicate()


def test_edit_undo_save_and_quit_by_keys(
    program: subprocess.Popen[str], on_display: dict[str, str], folder: Path
) -> None:
    hands = Hands(on_display)
    registry = next(folder.rglob("steps_registry.json"))
    before = registry.read_bytes()
    _wait(lambda: "issue-flow › steps_registry.json" in hands.title(), "the window opens on the agent")
    hands.focus()
    hands.keys("ctrl+3", "ctrl+End", "Return")
    _wait(lambda: "•" in hands.title(), "typing marks the file as changed")
    hands.keys("ctrl+s")
    _wait(lambda: "•" not in hands.title(), "saving takes the mark away")
    assert registry.read_bytes() == before + b"\n"
    hands.keys("ctrl+z")
    _wait(lambda: "•" in hands.title(), "undo works after a save")
    hands.keys("ctrl+s")
    _wait(lambda: registry.read_bytes() == before, "what was undone is saved")
    hands.keys("ctrl+q")
    _wait(lambda: program.poll() is not None, "the program ends")
    out, err = program.communicate()
    assert (program.returncode, out, err) == (0, "", "")


def test_what_a_killed_window_had_not_saved_comes_back(
    program: subprocess.Popen[str], on_display: dict[str, str], folder: Path
) -> None:
    hands = Hands(on_display)
    registry = next(folder.rglob("steps_registry.json"))
    before = registry.read_bytes()
    kept = Path(on_display["HOME"], ".local", "state", "stepflow", "unsaved")
    _wait(lambda: "issue-flow › steps_registry.json" in hands.title(), "the window opens on the agent")
    hands.focus()
    hands.keys("ctrl+3", "ctrl+End", "Return")
    _wait(lambda: any(kept.glob("*/*.json")), "what isn't saved is in the journal")
    program.kill()
    program.wait(20)
    assert registry.read_bytes() == before
    again = subprocess.Popen([sys.executable, "-m", "stepflow_gui"], env=on_display)
    try:
        _wait(lambda: hands.title() != "", "the window opens again")
        hands.focus()
        _wait(lambda: _pressed(hands, "Return", lambda: "•" in hands.title()), "Enter recovers")
        hands.keys("ctrl+s")
        _wait(lambda: registry.read_bytes() == before + b"\n", "what was recovered is saved")
        _wait(lambda: not any(kept.glob("*/*.json")), "a good save empties the journal")
    finally:
        again.kill()
        again.wait(20)


def _pressed(hands: Hands, key: str, done: Callable[[], bool]) -> bool:
    """Press a key, which a window that has just opened may miss, until it is done."""
    if not done():
        hands.keys(key)
        time.sleep(1)
    return done()


def test_a_second_start_opens_in_the_window_that_is_there(
    program: subprocess.Popen[str], on_display: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    hands = Hands(on_display)
    _wait(lambda: "issue-flow › steps_registry.json" in hands.title(), "the window opens on the agent")
    other = copy_example(into=tmp_path / "another")
    second = [sys.executable, "-m", "stepflow_gui", "gui", str(next(other.rglob("steps_registry.json")).parent)]
    assert subprocess.run(second, env=on_display, timeout=60, check=False).returncode == 0
    assert program.poll() is None
    assert len(hands.tool("search", "--onlyvisible", "--name", "Stepflow").split()) == 1
    hands.focus()
    hands.keys("ctrl+3", "ctrl+End", "Return")
    _wait(lambda: "•" in hands.title(), "the tab in front is edited")
    hands.keys("ctrl+shift+Page_Up")
    _wait(lambda: "•" not in hands.title(), "the other tab comes to the front")


@pytest.mark.parametrize(
    "tests",
    [
        "tests/gui/app/test_window.py",
        "tests/e2e/in_window.py",
        "tests/e2e/in_source.py",
        "tests/e2e/in_files.py",
        "tests/gui/app/keys",
    ],
)
def test_the_windows_tests_pass_on_a_real_display(
    on_display: dict[str, str], checkout: Path, tests: str, full: bool
) -> None:
    """Of the window's tests and of keys those of `ON_DISPLAY`; --full: all of them."""
    some = ["--full"] if full else ["-k", ON_DISPLAY[tests]] if tests in ON_DISPLAY else []
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", tests, *some],
        cwd=checkout,
        env={**on_display, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
