"""What the window's own actions do: opening and saving, undo, looking around, going from panel to panel."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.gui.app.access_actions import bind_access_actions
from stepflow_gui.gui.app.log_panel import LogPanel
from stepflow_gui.gui.app.saving import bind_saving
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow

# Those that need an agent.
WITH_AGENT = (
    *("save", "save-all", "save-copy", "reload", "convert"),
    *("find-step", "jump-back", "jump-forth", "fit", "zoom-in", "zoom-out", "zoom-reset"),
    *("zoom-selection", "tidy", "versions"),
    *("focus-agent", "choose-verdict", "step-files"),
    *("run-start", "run-step", "run-breakpoint", "next-problem", "previous-problem"),
    *("explain-problem", "fix-problem", "suppress-problem", "fix-safe"),
)


def bind_window_actions(window: "MainWindow") -> None:
    """Bind them, and what the welcome page offers."""
    bind, canvas = window.actions_.bind, window.canvas

    def undo() -> None:
        if window.document is not None:
            window.document.undo()

    def redo() -> None:
        if window.document is not None:
            window.document.redo()

    def find() -> None:
        window.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        window.search.selectAll()

    def tidy() -> None:
        if window.shown is not None:
            window.shown.tidy()

    def open_folder() -> None:
        window.open_asked(window.prompts.open_folder())

    def open_example() -> None:
        window.example_opener()  # asked for at use: a shell puts its own there

    bind("new-agent", lambda: _make_agent(window))
    bind("open-folder", open_folder)
    bind("open-file", lambda: window.open_asked(window.prompts.open_file()))
    bind("demo", open_example)
    bind_saving(window)
    bind("reload", window.reload)
    bind("quit", QApplication.closeAllWindows)
    bind("undo", undo)
    bind("redo", redo)
    bind("find-step", find)
    bind("fit", canvas.fit)
    bind("zoom-in", canvas.zoom_in)
    bind("zoom-out", canvas.zoom_out)
    bind("zoom-reset", lambda: canvas.zoom_to(1.0))
    bind("zoom-selection", canvas.camera.zoom_to_selection)
    bind("tidy", tidy)
    bind("focus-canvas", lambda: _focus_canvas(window))
    bind("focus-inspector", lambda: _focus(window, 1, window.inspector))
    bind("focus-source", lambda: _focus(window, 2, window.source.focus_widget))
    bind("focus-problems", lambda: _focus(window, 3, window.problems.focus_widget, window.problems))
    bind("focus-run", lambda: _focus(window, 3, window.run_panel, window.run_panel))
    bind_access_actions(window)
    bind("tour", lambda: start_tour(window))
    pages = {"shortcuts": _show_shortcuts, "about": _show_about, "log": _show_log, "convert": _convert}
    for action, show in pages.items():
        bind(action, partial(show, window))
    window.problems.front_wanted.connect(lambda: window.show_output(window.problems))
    window.welcome.open_wanted.connect(open_folder)
    window.welcome.new_wanted.connect(lambda: _make_agent(window))
    window.welcome.example_wanted.connect(open_example)
    window.welcome.tour_wanted.connect(lambda: start_tour(window))
    window.welcome.recent_wanted.connect(window.open_asked)


def _focus_canvas(window: "MainWindow") -> None:
    window.navigation.agent.close()
    window.canvas.setFocus()


def _focus(window: "MainWindow", dock: int, widget: QWidget, tab: QWidget | None = None) -> None:
    window.docks[dock].show()
    window.docks[dock].raise_()
    if tab is not None:
        window.output.setCurrentWidget(tab)
    if widget is window.run_panel:
        window.run_panel.focus_offers()
    else:
        there = widget if widget.isVisible() and widget.focusPolicy() else window.output.tabBar()
        there.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _convert(window: "MainWindow") -> None:
    from stepflow_gui.gui.versions.convert_dialog import convert_asked  # loaded by those who convert

    convert_asked(window)


def _show_shortcuts(window: "MainWindow") -> None:
    from stepflow_gui.gui.app.shortcuts import ShortcutsPage

    def take(chosen: dict[str, list[str]]) -> None:
        window.settings.keys = chosen
        window.keys_changed.emit()

    page = ShortcutsPage(window.actions_, window.settings.keys, window.theme, window)
    page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    page.changed.connect(take)
    page.open()


def _make_agent(window: "MainWindow") -> None:
    from stepflow_gui.gui.app.new_agent_page import NewAgentPage, proposed_folder

    opened = window.document.good.root if window.document is not None and not window.is_example else None
    page = NewAgentPage(proposed_folder(opened), window.prompts.open_folder, window.theme, window)
    page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    page.made.connect(window.open_asked)
    page.open()


def _show_about(window: "MainWindow") -> None:
    from stepflow_gui.gui.app.about import AboutPage

    page = AboutPage(window)
    page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    page.open()


def _show_log(window: "MainWindow") -> None:
    there = window.output.findChild(LogPanel)
    if there is None:
        there = LogPanel(window.log)
        there.closed.connect(there.deleteLater)
        window.output.addTab(there, _("Log"))
    window.show_output(there)


def start_tour(window: "MainWindow") -> None:
    """Take the tour over the window's agent; without one, over the bundled example."""
    from stepflow_gui.gui.app.tour import Tour, stops_of

    if window.document is None and not window.open_example():
        return
    if window.findChild(Tour) is not None:
        return
    tour = Tour(window, stops_of(window))
    tour.ended.connect(window.settings.see_tour)
