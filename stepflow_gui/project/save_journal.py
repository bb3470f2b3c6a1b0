"""The journal of saves in progress, and the messages about an interrupted one."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepflow_gui.messages import _
from stepflow_gui.project.user_folders import state_folder
from stepflow_gui.text.files.temporary import record_in

if TYPE_CHECKING:
    from stepflow_gui.text.files.save_journal import SaveJournal, SettledSave


def save_journal() -> "SaveJournal | None":
    """The one of this person; None for somebody without a home folder."""
    from stepflow_gui.text.files.save_journal import SaveJournal

    try:
        return SaveJournal(state_folder() / "saves")
    except RuntimeError:
        return None


def settle_saves() -> "Sequence[SettledSave]":
    """Bring to an end what was cut off, at the start of a program, and write down there what this one begins."""
    try:
        folder = state_folder() / "saves"
        record_in(folder)
        with os.scandir(folder) as entries:
            there = any(entries)
    except (OSError, RuntimeError):
        return ()
    journal = save_journal() if there else None  # what does it is loaded only where there is something to do
    return () if journal is None else journal.settle()


def settled_text(settled: "SettledSave") -> str:
    """What became of a save that was cut off, in one line."""
    texts = {
        "completed": _("A save that was interrupted has been completed: {files}"),
        "undone": _("A save that was interrupted has been undone: {files}"),
        "kept": _("A save was interrupted, and its files have changed since; compare them: {files}"),
    }
    return texts[settled.outcome].format(files=", ".join(str(file) for file in settled.files))
