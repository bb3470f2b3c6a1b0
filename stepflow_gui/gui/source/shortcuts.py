"""The keys of the source panel that hold wherever in it the keyboard is."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from stepflow_gui.gui.source.panel import SourcePanel


def add_shortcuts(panel: "SourcePanel") -> None:
    """Give a panel its keys: tabs, finding, the way to the caret's place."""
    for keys, act in (
        (("Ctrl+Tab", "Ctrl+PgDown"), lambda: panel.tabs.step(1)),
        (("Ctrl+Shift+Tab", "Ctrl+PgUp"), lambda: panel.tabs.step(-1)),
        (("Ctrl+W",), panel.close_current),
        (("Ctrl+F",), panel.open_find),
        (("Ctrl+H",), lambda: panel.open_find(replacing=True)),
        (("F3",), lambda: panel.find_next(1)),
        (("Shift+F3",), lambda: panel.find_next(-1)),
        (("Alt+Up",), panel.crumbs.take_keyboard),
    ):
        for key in keys:
            shortcut = QShortcut(QKeySequence(key), panel)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
