"""What is asked before unsaved changes are lost, and a copy of the agent elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.gui.desk import Desk, OpenAgent
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import is_piece
from stepflow_gui.gui.document.save_errors import save_trouble
from stepflow_gui.gui.widgets.prompts import OnClose, Prompts
from stepflow_gui.messages import _
from stepflow_gui.text.files.store import Saved, SaveFailed, save
from stepflow_gui.text.source import Source


def unsaved_files(documents: Sequence[Document]) -> list[Path]:
    """The files of which something would be lost."""
    return [text.path for document in documents for text in document.texts if text.unsaved]


def ask_unsaved(prompts: Prompts, paths: Sequence[Path]) -> OnClose:
    """One question, whatever number of files it is about."""
    return prompts.unsaved(paths[0]) if len(paths) == 1 else prompts.unsaved_several(paths)


def save_copy(desk: Desk, document: Document) -> None:
    """Copy the agent with all that isn't saved into a folder that the person names, and open it there."""
    to = desk.prompts.save_file(_("Save a Copy in a New Folder"), document.last_valid.folder.name)
    copied = _copied(desk, document, to) if to is not None else None
    if to is not None and copied is not None and desk.wish(OpenAgent(copied)):
        desk.notices.done(_("Saved {file}").format(file=to.name))


def save_as(desk: Desk, document: Document) -> Path | None:
    """Write the agent with all that isn't saved elsewhere, and give its registry there; None where nothing was written.

    An agent goes into a new folder, a piece or registry that stands alone into a file.
    """
    folder = document.last_valid
    if folder.agent is not None and not is_piece(folder.flow):
        to = desk.prompts.save_file(_("Save As in a New Folder"), folder.folder.name)
        return _copied(desk, document, to) if to is not None else None
    to = desk.prompts.save_file(_("Save As"), str(document.path))
    source = document.source()
    if to is None or not isinstance(source, Source) or to == document.path:
        return to
    saved = save(to, source, None)
    if isinstance(saved, Saved):
        return to
    desk.notices.show("error", save_trouble(saved))
    return None


def _copied(desk: Desk, document: Document, to: Path) -> Path | None:
    """The registry of a copy of the agent in a new folder; None, with a message, where it can't be made."""
    from stepflow_gui.formats.layout_sidecar import layout_file
    from stepflow_gui.gui.document.agent_files import agent_files
    from stepflow_gui.project.creating.copying import copy_files

    beside = layout_file(document.path)
    texts = {beside if path == document.layout_path else path: text for path, text in document.texts.buffers().items()}
    copied = copy_files([*agent_files(document), beside], document.last_valid.root, texts, to)
    if isinstance(copied, SaveFailed):
        desk.notices.show("error", save_trouble(copied))
        return None
    return copied[document.path]
