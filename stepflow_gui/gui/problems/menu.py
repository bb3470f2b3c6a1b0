"""What can be done about a finding, as a menu: the same in the list and under the text."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.problems.delegate import button_text
from stepflow_gui.gui.problems.suppressed_rows import take_back_text
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.problems.panel import ProblemsPanel


def fill_menu(menu: QMenu, found: Diagnostic, panel: "ProblemsPanel") -> None:
    """Add the fixes of a finding (safe ones first, the others show what they change), and what else there is to do."""
    for fix in sorted(found.fixes, key=lambda fix: not fix.safe):
        menu.addAction(plain(button_text(fix)), partial(panel.fix, found, fix))
    if found.fixes:
        menu.addSeparator()
        menu.addAction(_("&Preview the Fix"), partial(panel.show_details, found, "fix"))
        menu.addAction(_("Fix &All of {code}…").format(code=found.code), partial(panel.fix_all, found.code))
    menu.addAction(_("&Explain {code}").format(code=found.code), partial(panel.show_details, found, "rule"))
    menu.addAction(_("&Suppress…"), partial(panel.show_details, found, "suppress"))


def fill_suppressed(menu: QMenu, suppressed: Suppressed, panel: "ProblemsPanel") -> None:
    """Add what can be done about a finding that is suppressed."""
    code = suppressed.found.code
    menu.addAction(plain(take_back_text()), partial(panel.take_back, suppressed))
    menu.addAction(_("Go to the S&uppression"), partial(panel.go_to_excuse, suppressed.excuses[0]))
    menu.addAction(_("&Explain {code}").format(code=code), partial(panel.show_details, suppressed.found, "rule"))


def copied(found: Diagnostic) -> str:
    """A finding as a line of text."""
    return f"{found.file}:{found.range.start.line}:{found.range.start.column} {found.code} {found.message}"


def copy(found: Diagnostic) -> None:
    """Put a finding on the clipboard."""
    QGuiApplication.clipboard().setText(copied(found))
