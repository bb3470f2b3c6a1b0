"""What can be done about a finding, as a menu: the same in the list and under the text."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.panels.problems_delegate import button_text
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.panels.problems import ProblemsPanel


def fill_menu(menu: QMenu, found: Diagnostic, panel: "ProblemsPanel") -> None:
    """Add the fixes of a finding (safe ones first, the others show what they change), and what else there is to do."""
    for fix in sorted(found.fixes, key=lambda fix: not fix.safe):
        menu.addAction(_plain(button_text(fix)), partial(panel.fix, found, fix))
    if found.fixes:
        menu.addSeparator()
        menu.addAction(_("&Preview the Fix"), partial(panel.show_details, found, "fix"))
        menu.addAction(_("Fix &All of {code}…").format(code=found.code), partial(panel.fix_all, found.code))
    menu.addAction(_("&Explain {code}").format(code=found.code), partial(panel.show_details, found, "rule"))
    menu.addAction(_("&Suppress…"), partial(panel.show_details, found, "suppress"))


def copied(found: Diagnostic) -> str:
    """A finding as a line of text."""
    return f"{found.file}:{found.range.start.line}:{found.range.start.column} {found.code} {found.message}"


def copy(found: Diagnostic) -> None:
    """Put a finding on the clipboard."""
    QGuiApplication.clipboard().setText(copied(found))


def _plain(title: str) -> str:
    return title.replace("&", "&&")
