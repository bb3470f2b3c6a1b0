"""What menus show: names in which an `&` is not a mnemonic, and headings."""

from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QMenu

HEADING = "heading"
"""The object name of a heading, which distinguishes it from a disabled entry."""


def plain(name: str) -> str:
    """A name as a menu shows it: an `&` in it is not a mnemonic."""
    return name.replace("&", "&&")


def add_heading(menu: QMenu, text: str) -> QAction:
    """Add a heading that the entries below it are about, a line apart from those above.

    An entry that can't be picked: a section's text isn't painted under a style sheet.
    """
    if menu.actions():
        menu.addSeparator()
    heading = menu.addAction(plain(text))
    heading.setObjectName(HEADING)
    heading.setEnabled(False)
    font = QFont(menu.font())
    font.setWeight(QFont.Weight.DemiBold)
    heading.setFont(font)
    return heading
