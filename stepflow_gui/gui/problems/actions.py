"""What the window's actions about problems do, and which finding they mean."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.problems.details import Page
from stepflow_gui.gui.problems.menu import fill_menu
from stepflow_gui.gui.problems.places import stands_at
from stepflow_gui.lint.diagnostic import RANK, Diagnostic

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow


def bind_problem_actions(window: "MainWindow") -> None:
    """Bind them, and let source and inspector offer what can be done about a finding."""
    bind, problems = window.actions_.bind, window.problems

    def details(page: Page) -> None:
        found = finding_meant(window)
        if found is not None:
            problems.show_details(found, page)
        else:
            problems.details_of_chosen(page)

    bind("next-problem", lambda: problems.step(1))
    bind("previous-problem", lambda: problems.step(-1))
    bind("explain-problem", lambda: details("rule"))
    bind("fix-problem", lambda: details("fix"))
    bind("suppress-problem", lambda: details("suppress"))
    bind("fix-safe", lambda: problems.fix_all(None))
    window.source.extend_menu = problems.offer_at
    window.source.assist.fix_asked.connect(problems.fix)
    window.source.assist.rule_asked.connect(lambda found: problems.show_details(found, "rule"))
    window.source.assist.done.connect(window.status.done)
    window.source.assist.refused.connect(window.banner.mention)
    window.inspector.extend_menu = lambda menu, found: fill_menu(menu, found, problems)
    window.inspector.details_asked.connect(problems.show_details)


def finding_meant(window: "MainWindow") -> Diagnostic | None:
    """The finding that the mouse rests on in the source, that the caret is in, or the worst of the selected step.

    Which of them is asked goes by where the keyboard is; None where the list's own row is meant. A finding that the
    list has led to last goes before others of the same place.
    """
    document, source = window.document, window.source
    focus = QApplication.focusWidget()
    if document is None or not document.linted or (focus is not None and window.problems.isAncestorOf(focus)):
        return None
    at = source.editor.hovered
    if at is None and focus is source.editor:
        at = source.editor.caret
    here: list[Diagnostic] = []
    if at is not None and source.path is not None:
        here = [found for found in document.diagnostics if stands_at(found, source.path, at)]
    led_to = window.problems.led_to
    if not here and led_to is not None:
        return led_to
    if not here and document.selected_step is not None:
        here = [found for found in document.diagnostics if found.step == document.selected_step]
    if led_to in here:
        return led_to
    return min(here, key=lambda found: RANK[found.severity], default=None)
