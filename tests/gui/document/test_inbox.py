"""What threads find out comes into the window's thread, and never to who is closed, deleted or being taken down."""

import gc
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent

STRESS, FULL_STRESS = 2.0, 5.0  # seconds


def in_a_thread(inbox: Inbox, *values: object) -> None:
    thread = threading.Thread(target=inbox.post, args=values)
    thread.start()
    thread.join()


def test_what_was_posted_comes_in_its_order_into_this_thread(qtbot: QtBot) -> None:
    received: list[tuple[object, ...]] = []

    def receive(*values: object) -> None:
        received.append((*values, threading.current_thread()))

    inbox = Inbox(owner := QObject(), receive)
    for number in range(3):
        in_a_thread(inbox, number)
    assert received == []
    qtbot.waitUntil(lambda: len(received) == 3)
    assert received == [(number, threading.current_thread()) for number in range(3)]
    assert owner is not None


def test_nothing_comes_after_closing_not_even_what_was_pending(qtbot: QtBot) -> None:
    received: list[object] = []
    inbox = Inbox(owner := QObject(), received.append)
    in_a_thread(inbox, "on its way")
    inbox.close()
    in_a_thread(inbox, "too late")
    QCoreApplication.processEvents()
    assert received == []
    assert owner is not None


def test_nothing_comes_to_an_owner_that_is_deleted(qtbot: QtBot) -> None:
    received: list[object] = []
    owner = QObject()
    inbox = Inbox(owner, received.append)
    in_a_thread(inbox, "on its way")
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()
    assert received == []


def test_a_closed_document_hears_no_answer_that_was_pending(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document.open(copy_example(into=tmp_path))
    assert isinstance(document, Document)
    heard: list[object] = []
    document.diagnostics_changed.connect(lambda: heard.append("findings"))
    answered = threading.Event()
    post = document._lint._found.post

    def noted(*values: object) -> None:
        post(*values)
        answered.set()

    document._lint._found.post = noted  # type: ignore[method-assign]
    assert answered.wait(20)  # while no event is processed here
    document.close()
    QCoreApplication.processEvents()
    assert heard == []
    assert not document.checked


@contextmanager
def load() -> Iterator[None]:
    """Threads that make garbage and work, as far as the test lasts."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            kept: list[object] = []
            for _number in range(200):
                cycle: list[object] = [kept]
                cycle.append(cycle)
                kept.append(cycle)
            time.sleep(0.0005)

    threads = [threading.Thread(target=work, name=f"load {number}") for number in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.slow
def test_windows_come_and_go_under_load_and_only_their_thread_frees_garbage(
    qtbot: QtBot, tmp_path: Path, full: bool
) -> None:
    """For two seconds; --full: five."""
    make_application()
    gc.enable()
    chosen = random.Random(5)
    agents = [copy_example(into=tmp_path / str(number)) for number in range(3)]
    shell = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(shell)
    shell.show()
    elsewhere: set[str] = set()

    def note(phase: str, _info: dict[str, int]) -> None:
        thread = threading.current_thread()
        if phase == "start" and thread is not threading.main_thread():
            elsewhere.add(thread.name)

    gc.callbacks.append(note)
    opened = 0
    try:
        with load():
            end = time.monotonic() + (FULL_STRESS if full else STRESS)
            while time.monotonic() < end and not elsewhere:
                if chosen.random() < 0.5:
                    opened += shell.open(chosen.choice(agents))
                else:
                    shell.close_tab(chosen.randrange(shell.tabs.count()))
                for _turn in range(chosen.randrange(4)):
                    QCoreApplication.processEvents()
            while shell.current.document is not None:
                shell.close_tab(0)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QCoreApplication.processEvents()
    finally:
        gc.callbacks.remove(note)
    assert elsewhere == set()
    assert opened
