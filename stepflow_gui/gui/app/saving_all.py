"""Saving over all tabs: all at once, and what is asked before the program ends."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from stepflow_gui.gui.app.recent import tab_names
from stepflow_gui.gui.app.saving import ask_unsaved, unsaved_files
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.save_errors import SAVING, save_trouble
from stepflow_gui.gui.widgets.prompts import OnClose
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed


class OpenTabs(Protocol):
    """The tabs of the program."""

    @property
    def windows(self) -> Sequence[MainWindow]: ...
    @property
    def current(self) -> MainWindow: ...
    @property
    def kept_in(self) -> Path | None: ...
    def turn_to(self, window: MainWindow) -> None: ...


def save_all(tabs: OpenTabs) -> bool:
    """Save every tab, and show in the one in front what couldn't be saved. Return whether everything was."""
    changed = [window for window in tabs.windows if window.document is not None and window.document.unsaved]
    failed = [(window, trouble) for window in changed if (trouble := _save_in(tabs, window)) is not None]
    saved = len(changed) - len(failed)
    if not failed:
        message = ngettext("Saved {count} agent", "Saved {count} agents", saved).format(count=saved)
        tabs.current.status.done(message if changed else _("Everything is saved."))
        return True
    if tabs.current not in [window for window, _trouble in failed]:
        tabs.turn_to(failed[0][0])
    if len(changed) > 1 or tabs.kept_in is not None:
        lines = [*(trouble for _window, trouble in failed if trouble), _kept(tabs)]
        tabs.current.banner.show_message(
            "error", "\n".join(line for line in lines if line), failed[0][0].outside.signs.offers(), about=SAVING
        )
    return False


def _kept(tabs: OpenTabs) -> str:
    folder = tabs.kept_in
    return _("Unsaved changes are backed up in “{folder}” for crash recovery.").format(folder=folder) if folder else ""


def _save_in(tabs: OpenTabs, window: MainWindow) -> str | None:
    """Save one tab. None where that was done, else why not; "" where the person wants it so."""
    document = window.document
    assert document is not None
    result = document.save()
    if isinstance(result, ChangedOnDisk):
        tabs.turn_to(window)  # what the question is about is in front
        return None if window.save() else ""
    if isinstance(result, SaveFailed | PartlySaved):
        message = save_trouble(result)
        window.banner.show_message("error", message, window.outside.signs.offers(), about=SAVING)
        return f"{_name(tabs, window)}: {message}"
    return None


def _name(tabs: OpenTabs, window: MainWindow) -> str:
    """The caption of the window's tab."""
    there = {each: each.document.path for each in tabs.windows if each.document is not None}
    return dict(zip(there, tab_names(list(there.values())), strict=True))[window]


def may_quit(tabs: OpenTabs) -> bool:
    """Ask once about everything that isn't saved, before the first tab closes. Whether all may close."""
    changed = [window for window in tabs.windows if window.document is not None and window.document.unsaved]
    if not changed:
        return True
    if tabs.current not in changed:
        tabs.turn_to(changed[0])
    documents = [window.document for window in changed if window.document is not None]
    answer = ask_unsaved(tabs.current.prompts, unsaved_files(documents))
    if answer is OnClose.SAVE:
        return save_all(tabs)
    for window in changed:
        window.discard_changes = answer is OnClose.DISCARD
    return answer is OnClose.DISCARD
