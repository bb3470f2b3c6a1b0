"""What can be done about a finding, as a menu: the same in the list and under the text."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.problems.details import Page
from stepflow_gui.gui.problems.list import button_text
from stepflow_gui.gui.problems.suppressed_rows import take_back_text
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.suppressions.suppressing import Excuse, Suppressed
from stepflow_gui.messages import _

_MOST = 3  # findings of one place


class ProblemCommands(Protocol):
    """Who fixes, explains and suppresses findings."""

    def fix(self, found: Diagnostic, fix: Fix) -> None: ...
    def fix_all(self, code: str | None) -> None: ...
    def show_details(self, found: Diagnostic, page: Page) -> None: ...
    def take_back(self, suppressed: Suppressed) -> None: ...
    def go_to_excuse(self, excuse: Excuse) -> None: ...


def fill_menu(menu: QMenu, found: Diagnostic, panel: ProblemCommands) -> None:
    """Add the fixes of a finding (safe ones first, the others show what they change), and what else there is to do."""
    for fix in sorted(found.fixes, key=lambda fix: not fix.safe):
        menu.addAction(plain(button_text(fix)), partial(panel.fix, found, fix))
    if found.fixes:
        menu.addSeparator()
        menu.addAction(_("&Preview Fix"), partial(panel.show_details, found, "fix"))
        menu.addAction(_("Fix &All of {code}…").format(code=found.code), partial(panel.fix_all, found.code))
    menu.addAction(_("&Explain {code}").format(code=found.code), partial(panel.show_details, found, "rule"))
    menu.addAction(_("&Suppress…"), partial(panel.show_details, found, "suppress"))


def fill_suppressed(menu: QMenu, suppressed: Suppressed, panel: ProblemCommands) -> None:
    """Add what can be done about a finding that is suppressed."""
    code = suppressed.found.code
    menu.addAction(plain(take_back_text()), partial(panel.take_back, suppressed))
    menu.addAction(_("Go to S&uppression"), partial(panel.go_to_excuse, suppressed.excuses[0]))
    menu.addAction(_("&Explain {code}").format(code=code), partial(panel.show_details, suppressed.found, "rule"))


def fill_here(menu: QMenu, here: Sequence[Diagnostic], panel: ProblemCommands) -> None:
    """Add what can be done about the findings of one place, each below its name."""
    for found in here[:_MOST]:
        add_heading(menu, f"{found.code} {found.name}")
        fill_menu(menu, found, panel)
    if here:
        menu.addSeparator()


def fill_row(
    menu: QMenu, found: Diagnostic, suppressed: Suppressed | None, panel: ProblemCommands, go: Callable[[], object]
) -> None:
    """Add what can be done about a row of the list."""
    if suppressed is not None:
        fill_suppressed(menu, suppressed, panel)
    else:
        fill_menu(menu, found, panel)
    menu.addSeparator()
    menu.addAction(_("&Go to Text"), go)
    menu.addAction(_("&Copy"), lambda: copy(found))


def copied(found: Diagnostic) -> str:
    """A finding as a line of text."""
    return f"{found.file}:{found.range.start.line}:{found.range.start.column} {found.code} {found.message}"


def copy(found: Diagnostic) -> None:
    """Put a finding on the clipboard."""
    QGuiApplication.clipboard().setText(copied(found))
