"""A test that leaves something running gets an error itself, not the tests after it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PySide6.QtCore")

TESTS = """
import threading
import weakref
from PySide6.QtCore import QThread, QTimer, QVariantAnimation

kept = []

class Later(QTimer):
    def __init__(self):
        super().__init__()
        self.setObjectName("later")

def test_timer(qtbot):
    kept.append(QTimer(interval=10000))
    kept[-1].start()

def test_timer_of_a_subclass(qtbot):
    kept.append(Later())
    kept[-1].start(10000)

def test_animation(qtbot):
    kept.append(QVariantAnimation(duration=10000, startValue=0, endValue=1))
    kept[-1].start()

def test_thread_of_qt(qtbot):
    kept.append(QThread())
    kept[-1].start()

def test_thread(qtbot):
    kept.append(threading.Event())
    threading.Thread(target=kept[-1].wait, name="waits", daemon=True).start()

def test_nothing(qtbot):
    timer = QTimer(interval=10000)
    timer.start()
    timer.stop()
    kept.append(timer)

def test_timer_that_goes_with_its_owner(qtbot):
    owner = QTimer()
    owner.deleteLater()
    inner = QTimer(owner, interval=10000)
    inner.start()

def test_end():
    kept[3].quit()
    kept[3].wait()
    kept[4].set()
"""
LEFT = {
    "test_timer": "QTimer",
    "test_timer_of_a_subclass": "Later later",
    "test_animation": "QVariantAnimation",
    "test_thread_of_qt": "QThread",
    "test_thread": "thread waits",
}


def test_what_a_test_leaves_running_fails_it_alone(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "-rE", "-W", "ignore"]
    ran = subprocess.run(
        [*command, "--rootdir", str(tmp_path), "-c", os.devnull, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(checkout), "STEPFLOW_TEST_PATIENCE": "0.1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in ran.stdout.splitlines() if line.startswith("ERROR ")]
    assert [line.partition("::")[2] for line in errors] == [
        f"{test} - Failed: left running: {what}" for test, what in LEFT.items()
    ], ran.stdout + ran.stderr
    assert "8 passed, 5 errors" in ran.stdout
