"""A second start of the program hands its paths over to the first, and starts alone where that can't be."""

import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from stepflow_gui.gui.app.instance import Instance
from stepflow_gui.gui.app.instance_address import may_run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at a Unix socket")

HAND_OVER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from stepflow_gui.gui.app.instance import Instance
from stepflow_gui.gui.app.instance_address import may_run
application = QCoreApplication([])
sys.exit(0 if Instance(Path(sys.argv[1])).hand_over([Path(path) for path in sys.argv[2:]]) else 3)
"""

LISTEN = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from stepflow_gui.gui.app.instance import Instance
from stepflow_gui.gui.app.instance_address import may_run
application = QCoreApplication([])
instance = Instance(Path(sys.argv[1]))
print(instance.listen(), flush=True)
application.exec()
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sockets have short names only."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture
def instance(qtbot: QtBot, folder: Path) -> Iterator[Instance]:
    made = Instance(folder)
    assert made.listen()
    yield made
    made.close()


def address(folder: Path) -> str:
    (found,) = folder.glob("*.socket")
    return str(found)


def test_the_paths_of_a_second_start_are_opened_by_the_first(qtbot: QtBot, instance: Instance, folder: Path) -> None:
    command = [sys.executable, "-c", HAND_OVER, str(folder), "relative.json", "/absolute/次.json"]
    with qtbot.waitSignal(instance.asked) as asked:
        running = subprocess.Popen(command, cwd=folder)
    assert running.wait(20) == 0
    assert asked.args == [[folder / "relative.json", Path("/absolute/次.json")]]


def test_a_start_without_paths_asks_for_the_front(qtbot: QtBot, instance: Instance, folder: Path) -> None:
    with qtbot.waitSignal(instance.asked) as asked:
        running = subprocess.Popen([sys.executable, "-c", HAND_OVER, str(folder)])
    assert running.wait(20) == 0
    assert asked.args == [[]]


def test_a_start_looks_for_another_only_where_one_may_run(instance: Instance, folder: Path, tmp_path: Path) -> None:
    assert may_run(folder)
    assert not may_run(tmp_path)


def test_where_none_runs_nothing_is_handed_over(qtbot: QtBot, folder: Path) -> None:
    assert not Instance(folder).hand_over([Path("a.json")])


def test_a_second_one_doesnt_take_the_place_of_the_first(qtbot: QtBot, instance: Instance, folder: Path) -> None:
    assert not Instance(folder).listen()
    with qtbot.waitSignal(instance.asked):
        running = subprocess.Popen([sys.executable, "-c", HAND_OVER, str(folder)])
    assert running.wait(20) == 0


def test_a_start_that_still_waits_hears_nothing_from_one_that_ends(qtbot: QtBot, folder: Path) -> None:
    """The sockets go with the server, when what they would report to is half gone."""
    instance = Instance(folder)
    assert instance.listen()
    with socket.socket(socket.AF_UNIX) as other:
        other.connect(address(folder))
        qtbot.waitUntil(lambda: bool(instance._requests))
        with capture_exceptions() as raised:
            instance.close()
            delete(instance)
            QCoreApplication.processEvents()
    assert raised == []


def test_no_other_user_may_write_to_it(instance: Instance, folder: Path) -> None:
    assert Path(address(folder)).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "request_",
    [b"{}\n", b"[1]\n", b"not json\n", b"\xff\n", b'["a\\u0000"]\n', b"[" * 900_000 + b"\n", b'{"a":' * 150_000 + b"\n",
     b'["' + b"a" * 1_100_000 + b'"]\n', b"a" * 3_000_000, b"[" + b'"",' * 20_000 + b'""]\n'],
    ids=["object", "number", "text", "bytes", "nul", "deep", "deep-objects", "long", "endless", "many"],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(qtbot: QtBot, instance: Instance, folder: Path, request_: bytes) -> None:
    heard: list[object] = []
    instance.asked.connect(heard.append)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(address(folder))
        sending = threading.Thread(target=send, args=(client.dup(), request_))
        sending.start()

        def closed() -> bool:
            try:
                return bool(select.select([client], [], [], 0.02)[0]) and client.recv(10) == b""
            except ConnectionError:
                return True

        qtbot.waitUntil(closed)
    sending.join(10)
    assert heard == []


def send(client: socket.socket, request: bytes) -> None:
    """More than fits into the system's buffer waits for the window, which may hang up first."""
    with client, suppress(OSError):
        client.sendall(request)


def test_a_folder_that_others_can_look_into_is_made_private(qtbot: QtBot, folder: Path) -> None:
    folder.chmod(0o777)
    instance = Instance(folder)
    assert not may_run(folder)
    assert not instance.hand_over([])
    assert instance.listen()
    assert folder.stat().st_mode & 0o777 == 0o700
    instance.close()


def test_a_folder_behind_a_link_is_not_used(qtbot: QtBot, folder: Path, tmp_path: Path) -> None:
    """Where all may write, somebody else can have put it there."""
    link = tmp_path / "link"
    link.symlink_to(folder)
    instance = Instance(link)
    assert not instance.listen()
    assert not instance.hand_over([])
    assert not list(folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
def test_another_user_can_neither_reach_it_nor_be_taken_for_it(qtbot: QtBot) -> None:
    with tempfile.TemporaryDirectory(prefix="s") as name:
        open_to_all, folder = Path(name), Path(name, "f")
        open_to_all.chmod(0o755)
        instance = Instance(folder)
        assert instance.listen()
        connecting = f"socket.socket(socket.AF_UNIX).connect({address(folder)!r})"
        command = [sys.executable, "-c", f"import os, socket; os.setuid(65534); {connecting}"]
        as_other = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "PermissionError" in as_other.stderr
        instance.close()
        os.chown(folder, 65534, 65534)
        assert not Instance(folder).listen()
        assert not may_run(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_what_a_killed_program_left_blocks_nothing(qtbot: QtBot, folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", LISTEN, str(folder)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "True\n"
        running.kill()
    assert address(folder)
    instance = Instance(folder)
    assert not instance.hand_over([])
    assert instance.listen()
    instance.close()


def test_a_folder_that_cant_be_made_means_starting_alone(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    instance = Instance(tmp_path / "file" / "folder")
    assert not instance.hand_over([])
    assert not instance.listen()
    instance.close()
