"""Saving more than the agent in front: all tabs at once, what is asked before they close, and a copy elsewhere."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.gui.app.recent import tab_names
from stepflow_gui.gui.document.save_errors import SAVING, save_trouble
from stepflow_gui.gui.widgets.prompts import OnClose, Prompts
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed

if TYPE_CHECKING:
    from stepflow_gui.gui.app.shell import Shell
    from stepflow_gui.gui.app.window import MainWindow
    from stepflow_gui.gui.document.document import Document


def bind_saving(window: "MainWindow") -> None:
    """Bind the actions."""

    def save_everything() -> None:
        window.save_all()  # asked for at use: a shell puts its own there

    window.actions_.bind("save", window.save)
    window.actions_.bind("save-all", save_everything)
    window.actions_.bind("save-copy", lambda: save_copy(window))


def unsaved_files(documents: Sequence["Document"]) -> list[Path]:
    """The files of which something would be lost."""
    return [text.path for document in documents for text in document.texts if text.unsaved]


def ask_unsaved(prompts: Prompts, paths: Sequence[Path]) -> OnClose:
    """One question, whatever number of files it is about."""
    return prompts.unsaved(paths[0]) if len(paths) == 1 else prompts.unsaved_several(paths)


def save_all(shell: "Shell") -> bool:
    """Save every tab, and say in the one in front what couldn't be saved. Whether everything was."""
    changed = [window for window in shell.windows if window.document is not None and window.document.unsaved]
    failed = [(window, trouble) for window in changed if (trouble := _save_in(shell, window)) is not None]
    saved = len(changed) - len(failed)
    if not failed:
        told = ngettext("Saved {count} agent", "Saved {count} agents", saved).format(count=saved)
        shell.current.status.done(told if changed else _("Everything is saved."))
        return True
    if shell.current not in [window for window, _trouble in failed]:
        shell.turn_to(failed[0][0])
    if len(changed) > 1 or shell.kept_in is not None:
        lines = [*(trouble for _window, trouble in failed if trouble), _kept(shell)]
        shell.current.banner.say(
            "error", "\n".join(line for line in lines if line), failed[0][0].outside.signs.offers(), about=SAVING
        )
    return False


def _kept(shell: "Shell") -> str:
    folder = shell.kept_in
    return _("What isn't saved is kept in “{folder}” for a crash.").format(folder=folder) if folder else ""


def _save_in(shell: "Shell", window: "MainWindow") -> str | None:
    """Save one tab. None where that was done, else why not; "" where the person wants it so."""
    document = window.document
    assert document is not None
    result = document.save()
    if isinstance(result, ChangedOnDisk):
        shell.turn_to(window)  # what the question is about is in front
        return None if window.save() else ""
    if isinstance(result, SaveFailed | PartlySaved):
        told = save_trouble(result)
        window.banner.say("error", told, window.outside.signs.offers(), about=SAVING)
        return f"{_name(shell, window)}: {told}"
    return None


def _name(shell: "Shell", window: "MainWindow") -> str:
    """What the window's tab says."""
    there = {each: each.document.path for each in shell.windows if each.document is not None}
    return dict(zip(there, tab_names(list(there.values())), strict=True))[window]


def may_quit(shell: "Shell") -> bool:
    """Ask once about everything that isn't saved, before the first tab closes. Whether all may close."""
    changed = [window for window in shell.windows if window.document is not None and window.document.unsaved]
    if not changed:
        return True
    if shell.current not in changed:
        shell.turn_to(changed[0])
    documents = [window.document for window in changed if window.document is not None]
    answer = ask_unsaved(shell.current.prompts, unsaved_files(documents))
    if answer is OnClose.SAVE:
        return save_all(shell)
    for window in changed:
        window.given_up = answer is OnClose.DISCARD
    return answer is OnClose.DISCARD


def save_copy(window: "MainWindow") -> None:
    """Copy the agent with all that isn't saved into a folder that the person names, and open it there."""
    from stepflow_gui.formats.layout_sidecar import layout_file
    from stepflow_gui.gui.document.agent_files import agent_files
    from stepflow_gui.project.creating.copying import copy_files

    document = window.document
    if document is None:
        return
    to = window.prompts.save_file(_("Save a Copy in a New Folder"), document.good.folder.name)
    if to is None:
        return
    beside = layout_file(document.path)
    texts = {beside if path == document.layout_path else path: text for path, text in document.texts.buffers().items()}
    copied = copy_files([*agent_files(document), beside], document.good.root, texts, to)
    if isinstance(copied, SaveFailed):
        window.banner.say("error", save_trouble(copied))
        return
    if window.opener(copied[document.path]):
        window.status.done(_("Saved {file}").format(file=to.name))
