"""What a feature of the window may use, and what a feature is.

A feature takes the desk, never the window. Features don't name each other: what one asks of another is a wish.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, TypeVar

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QTabWidget, QWidget

from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.actions import Actions, ActionSpec, LocalUse, MenuSpec
from stepflow_gui.gui.widgets.frame.middle import Middle
from stepflow_gui.gui.widgets.frame.side_panel import SidePanel
from stepflow_gui.gui.widgets.notices import Notices
from stepflow_gui.gui.widgets.prompts import Prompts
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.text.source import Span

Fact = Literal["flow", "findings", "selection"]
ALL_FACTS: frozenset[Fact] = frozenset({"flow", "findings", "selection"})


class ShowSource(NamedTuple):
    """Show a place of a file in the source panel; `focus`: with the keyboard there."""

    path: Path
    span: Span
    focus: bool = False


class OpenAgent(NamedTuple):
    """Open the agent at a path, in place of the one that is open or in a tab of its own; at `span` of that file."""

    path: Path
    span: Span | None = None


class ShowFinding(NamedTuple):
    """Show the details of a finding: its `fix`, its `rule`, or the form to `suppress` it."""

    finding: Diagnostic
    page: Literal["fix", "rule", "suppress"]


class ExplainProblem(NamedTuple):
    """Explain the problem where the keyboard is. Gives whether there is one."""


class ShowDocumentation(NamedTuple):
    """Show a page of the documentation, such as `window.md#canvas`, in the language in use."""

    page: str


class CreateMissing(NamedTuple):
    """Offer to create a file that a step asks for and that doesn't exist."""

    path: Path


class FilesChanged(NamedTuple):
    """Files of the project were made or removed by the window itself."""


class OpenStepMenu(NamedTuple):
    """Open the menu of a step, selected before, at a point of the screen."""

    step: str
    at: QPoint


class NameStep(NamedTuple):
    """Give a step another id, or another name where its id means nothing."""

    step: str
    new: str


class ShowLayout(NamedTuple):
    """Have the panels stand for something: as they were left when that was done last."""

    layout: Literal["edit", "debug", "review"]


class LeaveLayout(NamedTuple):
    """What a layout is for is over: the one of before comes back, unless the person turned to another since."""

    layout: Literal["debug", "review"]


Wish = (
    ShowSource
    | OpenAgent
    | ShowFinding
    | ExplainProblem
    | ShowDocumentation
    | CreateMissing
    | FilesChanged
    | OpenStepMenu
    | NameStep
    | ShowLayout
    | LeaveLayout
)
W = TypeVar("W", bound=Wish)


class Wishes:
    """What features ask of each other, by the kind of wish. One feature carries out each kind."""

    def __init__(self) -> None:
        self._handlers: dict[type, Callable[..., object]] = {}

    def handle(self, kind: type[W], handler: Callable[[W], object]) -> None:
        """Carry out wishes of a kind. Raises AssertionError where another feature does already."""
        assert kind not in self._handlers, kind
        self._handlers[kind] = handler

    def __call__(self, wish: Wish) -> object:
        """Have a wish carried out, and give what came of it. Raises KeyError where no feature does."""
        return self._handlers[type(wish)](wish)


class Desk(NamedTuple):
    """What every feature may use of its window. `window` is the parent of what pops up, and holds docks."""

    window: QMainWindow
    canvas: GraphView
    actions: Actions
    notices: Notices
    prompts: Prompts
    settings: Settings
    theme: Callable[[], Theme]  # asked for at use
    pages: QStackedWidget  # the middle: the canvas, or what takes its place for a while
    middle: Middle  # those pages, the source, or both
    side: SidePanel  # left of the middle
    output: QTabWidget  # below the canvas
    wish: Wishes

    def show_page(self, page: QWidget) -> None:
        """Have a page in the middle: the canvas, or what takes its place for a while."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)
        if self.middle.view == "source":
            self.middle.show_view("flow")

    def show_output(self, panel: QWidget) -> None:
        """Bring a panel below the canvas to the front."""
        holder: QWidget | None = self.output
        while holder is not None and not isinstance(holder, QDockWidget):
            holder = holder.parentWidget()
        if holder is not None:
            holder.show()
        self.output.setCurrentWidget(panel)


class Feature:
    """A part of the window that follows the open document: a panel, or what the canvas and the menus do.

    It declares its actions, and the facts that it shows. `refresh` is called when one of them changed, once its `panel`
    can be seen; of a feature without a panel at once.
    """

    facts: ClassVar[frozenset[Fact]] = frozenset()

    @property
    def panel(self) -> QWidget | None:
        """The panel without which the facts don't have to be shown; None: they always are."""
        return None

    def action_rows(self) -> Sequence[ActionSpec]:
        """The actions that it carries out."""
        return ()

    def local_uses(self) -> Sequence[LocalUse]:
        """What actions of others do while the keyboard is in this feature's panel."""
        return ()

    def menu_rows(self) -> Sequence[MenuSpec]:
        """The menus that it fills."""
        return ()

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show facts that changed since the last call."""

    def retranslate(self) -> None:
        """Show everything in the language in use."""

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
