"""The context menu of the source editor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.messages import _


def source_menu(editor: SourceEditor, offset: int = 0) -> QMenu:
    """A menu that goes when it is closed. Undo and redo are the window's, not the editor's own."""
    menu = QMenu(editor)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    editor.menu_asked.emit(menu, offset)
    some = editor.textCursor().hasSelection()
    menu.addAction(_("&Undo"), editor.undo_asked.emit)
    menu.addAction(_("&Redo"), editor.redo_asked.emit)
    menu.addSeparator()
    menu.addAction(_("Cu&t"), editor.cut).setEnabled(some)
    menu.addAction(_("&Copy"), editor.copy).setEnabled(some)
    menu.addAction(_("&Paste"), editor.paste).setEnabled(editor.canPaste())
    menu.addSeparator()
    menu.addAction(_("Select &All"), editor.selectAll)
    menu.addAction(_("&Find…"), lambda: editor.find_asked.emit(False))
    menu.addAction(_("R&eplace…"), lambda: editor.find_asked.emit(True)).setEnabled(not editor.isReadOnly())
    return menu
