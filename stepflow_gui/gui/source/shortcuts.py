"""Keys that hold wherever inside a widget the keyboard is."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def add_shortcuts(widget: QWidget, rows: Iterable[tuple[tuple[str, ...], Callable[[], object]]]) -> None:
    """Call the function beside keys when one of them is pressed."""
    for keys, act in rows:
        for key in keys:
            shortcut = QShortcut(QKeySequence(key), widget)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
