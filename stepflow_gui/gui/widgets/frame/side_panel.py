"""The panel at the left: one page at a time, each with a name by which a rail of icons shows it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QVBoxLayout, QWidget

_NARROWEST = 130  # pixels


class SidePanel(QStackedWidget):
    """`changed()`: another page is shown, or the panel opened or closed. A page whose widget is gone can't be shown."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(_NARROWEST)
        self._places: dict[str, QWidget] = {}
        self._held: dict[str, QWidget] = {}

    def add_page(self, name: str, page: QWidget | None = None) -> None:
        """Have a page of that name, with what it shows or still without."""
        place = QWidget()
        place.setObjectName("panel")
        QVBoxLayout(place).setContentsMargins(0, 0, 0, 0)
        self._places[name] = place
        self.addWidget(place)
        if page is not None:
            self.hold(name, page)

    def hold(self, name: str, page: QWidget) -> None:
        """Have something on a page, which may have been elsewhere."""
        layout = self._places[name].layout()
        assert layout is not None
        layout.addWidget(page)
        self._held[name] = page
        page.show()

    def give_up(self, name: str) -> None:
        """Whatever is on a page isn't to be shown any more: it closes with its page."""
        self._held.pop(name, None)
        if self.shown == name:
            self.close_panel()

    def can_show(self, name: str) -> bool:
        """Whether there is anything on a page."""
        held = self._held.get(name)
        return held is not None and self._places[name].isAncestorOf(held)

    @property
    def current(self) -> str:
        """The name of the page that is in front while the panel is open."""
        return next(name for name, place in self._places.items() if place is self.currentWidget())

    @property
    def shown(self) -> str | None:
        """The name of the page that is shown; None while the panel is closed."""
        dock = self.dock()
        return None if dock is None or dock.isHidden() else self.current

    def show_page(self, name: str) -> None:
        """Open the panel with a page, if that has anything to show."""
        if not self.can_show(name):
            return
        self.setCurrentWidget(self._places[name])
        dock = self.dock()
        if dock is not None:
            dock.show()
        self.changed.emit()

    def turn_to(self, name: str) -> None:
        """Have a page in front, without opening the panel; the first page with something where it has nothing."""
        shown = name if name in self._places and self.can_show(name) else next(iter(self._held), None)
        if shown is not None:
            self.setCurrentWidget(self._places[shown])

    def close_panel(self) -> None:
        """Close the panel."""
        dock = self.dock()
        if dock is not None:
            dock.hide()
        self.turn_to(self.current)

    def dock(self) -> QDockWidget | None:
        """What the panel is in."""
        around: QWidget | None = self
        while around is not None and not isinstance(around, QDockWidget):
            around = around.parentWidget()
        return around

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.changed.emit()
